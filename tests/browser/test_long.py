"""The film of a long search in JupyterLab: some of its iterations, under their own numbers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from mcts_viz import MCTS, Film, Player, TicTacToe

from .lab import DARK, LIGHT, JupyterLab, Notebook, eventually

LAST = 20_000
TRACE = f"MCTS(TicTacToe(), seed=4).record(iterations={LAST}, progress=False)"
CELLS = [
    f"""from mcts_viz import *
trace = {TRACE}
player = Player(trace, iteration=17_123)
player""",
    "other = MCTS(TicTacToe(), seed=4, c=0.5).record(iterations=6000, progress=False)",
    "pair = Compare(trace, other); pair",
]


@pytest.fixture(scope="module")
def film() -> Film:
    trace = MCTS(TicTacToe(), seed=4).record(iterations=LAST, progress=False)
    return Player(trace, iteration=17_123).film


@pytest.fixture(scope="module")
def notebook(lab: JupyterLab) -> Iterator[Notebook]:
    with lab.open(CELLS, viewport={"width": 1400, "height": 3200}) as notebook:
        notebook.run_all()
        expect(notebook.page.locator(".mcts-player[data-iteration]")).to_have_count(3)
        yield notebook
        assert notebook.errors == []


def test_the_player_opens_where_it_was_told_and_says_what_it_leaves_out(
    notebook: Notebook, film: Film
) -> None:
    player = notebook.page.locator(".mcts-player").first
    expect(player).to_have_attribute("data-iteration", "17123")
    expect(player.locator(".counter")).to_have_text(f"17123 / {LAST}")
    expect(player.locator(".head")).to_contain_text(
        f"{len(film.iterations):,} shown of {LAST} iterations"
    )
    slider = player.locator("input[type=range]")
    assert slider.get_attribute("max") == str(len(film.iterations))
    assert slider.input_value() == str(film.iterations.index(17_123) + 1)


def test_a_key_goes_to_the_next_iteration_that_is_shown(notebook: Notebook, film: Film) -> None:
    player = notebook.page.locator(".mcts-player").first
    player.locator("input[type=range]").focus()
    notebook.page.keyboard.press("Shift+ArrowRight")
    after = film.iterations[film.iterations.index(17_123) + 1]
    expect(player).to_have_attribute("data-iteration", str(after))
    expect(player.locator(".words")).to_contain_text(f"Iteration {after} starts at the root")
    eventually(lambda: notebook.python("player.iteration"), after)
    notebook.page.keyboard.press("End")
    expect(player.locator(".counter")).to_have_text(f"{LAST} / {LAST}")
    expect(player.locator(".card:not(.slot) .share").first).to_contain_text(f"/{LAST}")
    notebook.page.keyboard.press("Home")
    expect(player.locator(".counter")).to_have_text(f"1 / {LAST}")


def test_the_tree_at_any_place_is_that_of_the_whole_search(notebook: Notebook, film: Film) -> None:
    player = notebook.page.locator(".mcts-player").first
    for place in (1_000, 2_345, 4_000):
        number = film.iterations[place - 1]
        player.locator("input[type=range]").fill(str(place))
        expect(player).to_have_attribute("data-iteration", str(number))
        frame = film.frame(number, player.get_attribute("data-phase"))
        shares = [film.reel.texts(card)[0] for card in frame.cards]  # type: ignore[arg-type]
        shown = player.locator(".card:not(.slot):not([display=none]) .share").all_text_contents()
        assert shown == shares


def test_python_sets_and_hears_the_number_of_the_search(notebook: Notebook, film: Film) -> None:
    player = notebook.page.locator(".mcts-player").first
    number = film.iterations[3_000]
    notebook.python(f"setattr(player, 'iteration', {number})")
    expect(player).to_have_attribute("data-iteration", str(number))


def test_the_root_strip_and_the_stubs_lead_on(notebook: Notebook, film: Film) -> None:
    player = notebook.page.locator(".mcts-player").first
    strip = player.locator(".root-strip")
    box = strip.bounding_box()
    assert box
    notebook.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    middle = film.iterations[len(film.iterations) // 2]
    shown = int(player.get_attribute("data-iteration") or 0)
    assert abs(film.iterations.index(shown) - film.iterations.index(middle)) < 30


def test_a_click_above_a_number_goes_there(notebook: Notebook, film: Film) -> None:
    player = notebook.page.locator(".mcts-player").first
    strip = player.locator(".root-strip")
    box = strip.bounding_box()
    assert box
    numbers = strip.locator(".number").all()
    assert len(numbers) >= 4
    for number in numbers:
        part = float(number.evaluate("label => parseFloat(label.style.left)")) / 100
        x = box["x"] + min(part * box["width"], box["width"] - 1)
        notebook.page.mouse.click(x, box["y"] + 20)
        wanted = int((number.text_content() or "").replace(",", ""))
        shown = int(player.get_attribute("data-iteration") or 0)
        assert shown == pytest.approx(wanted, rel=0.03, abs=9)


def test_what_if_begins_at_the_number_of_the_search(notebook: Notebook, film: Film) -> None:
    player = notebook.page.locator(".mcts-player").first
    number = film.iterations[2_000]
    player.locator("input[type=range]").fill("2001")
    expect(player).to_have_attribute("data-iteration", str(number))
    player.get_by_role("button", name="What if").click()
    expect(player).to_contain_text(f"gone on in another way from iteration {number}?")
    player.get_by_role("spinbutton", name="Iterations").fill("150")
    player.get_by_role("button", name="Search on").click()
    expect(notebook.page.locator(".mcts-branch")).to_contain_text(
        f"iteration {number}", timeout=60_000
    )
    eventually(lambda: notebook.python("player.branch and player.branch.iterations"), 150)
    player.get_by_role("button", name="What if").click()


def test_a_shorter_film_goes_along_by_number(notebook: Notebook, film: Film) -> None:
    first, second = (notebook.page.locator(".mcts-compare .mcts-player").nth(n) for n in (0, 1))
    differ = notebook.python("pair.differ")
    notebook.page.get_by_role("button", name=f"Go to iteration {differ}").click()
    for side in (first, second):
        expect(side).to_have_attribute("data-iteration", str(differ))
    number = notebook.python("pair.films[0].iterations[2_999]")
    first.locator("input[type=range]").fill("3000")
    expect(first).to_have_attribute("data-iteration", str(number))
    before = notebook.python(f"pair.films[1].nearest({number})")
    assert before < number
    expect(second).to_have_attribute("data-iteration", str(before))
    eventually(lambda: notebook.python("pair.iteration"), number)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_axe_finds_nothing(notebook: Notebook, theme: str) -> None:
    notebook.set_theme(theme)
    assert notebook.axe(".mcts-player") == []


def test_the_exported_page_shows_the_same(browser: Browser, film: Film, tmp_path: object) -> None:
    page = browser.new_page()
    page.set_content(film.to_html(17_123, "simulate"))
    player = page.locator(".mcts-player")
    expect(player).to_have_attribute("data-iteration", "17123")
    expect(player).to_have_attribute("data-phase", "simulate")
    page.close()
