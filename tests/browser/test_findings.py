"""The findings of Watch on the page: a line beside the tree, and a sign on the card."""

from __future__ import annotations

from playwright.sync_api import Browser, expect
from strangers import FAULTS, watched

from mcts_viz import Film

from .bare import bare_page, payload


class Both(FAULTS["duplicate-move"], FAULTS["counted-twice (root)"]):  # type: ignore[misc]
    """Two faults at once."""


def test_a_click_on_a_finding_goes_to_its_iteration_and_node(browser: Browser) -> None:
    watch = watched(Both(1))
    assert len(watch.findings) == 2
    size = {"width": 1366, "height": 656}  # below the bars of a window of 768
    with bare_page(browser, viewport=size) as page:
        page.evaluate(
            """async sent => {
                const { facts, columns } = unpacked(sent);
                await modules.mount(put(document.createElement("div")), facts, columns, () => {});
            }""",
            payload(Film(watch)),
        )
        player = page.locator(".mcts-player")
        expect(player.locator(".found")).to_have_count(0)  # nothing is proven at iteration 1
        for found in watch.findings[::-1]:
            line = page.locator(f'.findings [data-finding="{found.name}"]')
            line.click()
            expect(player).to_have_attribute("data-iteration", str(found.iteration))
            card = player.locator(f'.river .found[data-node="{found.node}"]')
            kind = "Fault" if found.fault else "Note"
            title = f"{kind}, iteration {found.iteration}: {found.text}"
            expect(card.locator(".finding-sign title").filter(has_text=title)).to_have_count(1)
            assert found.text in line.inner_text()
            assert line.evaluate("line => line.scrollHeight <= line.clientHeight")  # in full
            box = line.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 24
        for one in watch.checked:
            said = player.locator(".checked.done" if one.done else ".checked.not-done")
            text = f"{one.family}: {one.text.replace('**', '')}"
            expect(said.filter(has_text=text)).to_have_count(1)
        assert "a draw" not in player.locator(".playout").inner_text()  # no walk saw one
        box = player.bounding_box()
        assert box
        assert box["height"] <= 620  # 36 pixels of the window stay free
