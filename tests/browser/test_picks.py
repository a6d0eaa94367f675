"""Trees to click, without a kernel: leaves are marked, equal positions are merged, by keys too."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from mcts_course.learning.positions import position_graph
from mcts_course.lessons import perfect_play
from mcts_course.work.picks import Picks, positions_to_merge
from mcts_viz import Nim, TicTacToe
from mcts_viz.errors import MctsVizError

from .bare import Show
from .lab import axe_violations


@pytest.fixture
def opened(show: Show) -> Callable[..., Page]:
    def show_picks(picks: Picks, **profile: object) -> Page:
        return show(picks.to_html(), **profile)

    return show_picks


def test_leaves_are_marked_by_mouse_and_keys(opened: Callable[..., Page]) -> None:
    page = opened(perfect_play.leaves_to_skip())
    leaf = {name: page.get_by_role("button", name=name, exact=True) for name in "lvuk"}
    leaf["v"].click()
    leaf["l"].focus()
    page.keyboard.press("Enter")
    leaf["u"].press(" ")
    leaf["k"].click()
    leaf["k"].click()
    assert page.get_by_role("status").inner_text().endswith("Marked: l, u, v.")
    assert leaf["l"].get_attribute("aria-pressed") == "true"
    assert leaf["k"].get_attribute("aria-pressed") == "false"
    assert page.locator("button").count() == 12
    assert axe_violations(page, ".mcts-picks") == []


def test_only_equal_positions_merge_until_the_graph_is_left(opened: Callable[..., Page]) -> None:
    game = Nim((1, 1, 1))
    picks = positions_to_merge(game)
    page = opened(picks, viewport={"width": 390, "height": 844}, has_touch=True)
    buttons = page.locator("button")
    names = [spot["name"] for spot in picks.spots]
    one, other = names.index("0 1 1 B"), names.index("1 0 1 B")
    buttons.nth(one).tap()
    buttons.nth(other).tap()
    said = page.get_by_role("status").inner_text()
    assert said.startswith("✗ 0 1 1 B and 1 0 1 B differ")
    for place, name in enumerate(names):
        if names.index(name) < place:
            buttons.nth(names.index(name)).tap()
            buttons.nth(place).tap()
    positions = len(position_graph(game))
    said = page.get_by_role("status").inner_text()
    assert f"{len(names)} nodes, {positions} after merging. All equal positions are merged." in said
    picks.merge_all()
    assert picks.nodes_left == positions


@pytest.mark.parametrize(
    "make", [perfect_play.leaves_to_skip, lambda: positions_to_merge(Nim((1, 1, 1)))]
)
def test_a_phone_shows_the_whole_tree(
    opened: Callable[..., Page], make: Callable[[], Picks]
) -> None:
    page = opened(make(), viewport={"width": 390, "height": 844})
    wide, seen = page.locator(".scroll").evaluate("node => [node.scrollWidth, node.clientWidth]")
    assert wide <= seen
    boxes = [button.bounding_box() for button in page.locator("button").all()]
    assert boxes
    assert all(box and min(box["width"], box["height"]) >= 24 for box in boxes)


def test_the_tree_is_dark_on_a_dark_page(opened: Callable[..., Page]) -> None:
    page = opened(perfect_play.leaves_to_skip(), color_scheme="dark")
    ground = page.locator(".mcts-picks svg > rect").first.evaluate(
        "node => getComputedStyle(node).fill"
    )
    words = page.locator(".mcts-picks svg text").last.evaluate(
        "node => getComputedStyle(node).fill"
    )
    assert (ground, words) == ("rgb(17, 20, 24)", "rgb(238, 241, 246)")


def test_what_cannot_be_clicked_is_refused() -> None:
    with pytest.raises(MctsVizError, match="at most 400 nodes"):
        positions_to_merge(TicTacToe())
    with pytest.raises(MctsVizError, match="one of i, j"):
        perfect_play.leaves_to_skip().pick("h")
