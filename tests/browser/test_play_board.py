"""The board to play on, on a page with nothing else: what a click would do, and who has won."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page

from mcts_viz import ConnectFour, Play, TicTacToe

from .bare import bare_page

NAMES = ("facts", "position", "thought", "film", "error", "heard")
WON = "() => document.querySelector('.mcts-play .field .won').getAttribute('d')"
AIMED = "all => all.map(cell => Number(cell.dataset.cell))"


def told(play: Play) -> dict[str, Any]:
    return {name: getattr(play, name) for name in NAMES}


def game_of(game: Any, moves: list[int], replies: list[int]) -> list[dict[str, Any]]:
    """What the page is told before the first move, and after each of yours and its reply."""
    answers = iter(replies)
    play = Play(game, lambda state: next(answers))
    states = [told(play)]
    for move in moves:
        play.play(move)
        states.append(told(play))
    return states


# Played before there is a page, whose loop would make the agent wait for its turn.
DROPPED = game_of(ConnectFour(), [3, 2, 4, 5], [3, 2, 4])
PUT = game_of(TicTacToe(), [0, 4, 8], [1, 2])


@contextmanager
def board_on(browser: Browser, state: dict[str, Any]) -> Iterator[Page]:
    """A page with the board; ``tell`` gives it another position."""
    with bare_page(browser) as page:
        page.evaluate(
            """state => {
                const shared = model(state);
                window.tell = position => shared.tell("position", position);
                modules.renderPlay({ model: shared, el: put(document.createElement("div")) });
            }""",
            state,
        )
        yield page


def aimed(page: Page) -> list[int]:
    """The cells that a click would change."""
    found: list[int] = page.locator(".cell.aim").evaluate_all(AIMED)
    return found


def test_a_click_on_a_column_is_shown_where_it_lands_and_four_are_joined(browser: Browser) -> None:
    with board_on(browser, DROPPED[0]) as page:
        top = page.locator('[data-cell="3"]')
        assert top.get_attribute("aria-label") == "row 1, column 4: empty, plays 3"
        top.hover()
        assert aimed(page) == [38]
        page.locator('[data-cell="9"]').focus()
        assert aimed(page) == [37]
        page.evaluate("tell", DROPPED[2]["position"])
        assert aimed(page) == [23], "two pieces lie below"
        page.evaluate("tell", DROPPED[-1]["position"])
        assert page.evaluate(WON) == "M25 55L55 55"


def test_three_crosses_are_joined(browser: Browser) -> None:
    with board_on(browser, PUT[0]) as page:
        page.locator('[data-cell="4"]').hover()
        assert aimed(page) == [4]
        page.evaluate("tell", PUT[-1]["position"])
        assert (page.evaluate(WON), aimed(page)) == ("M5 5L25 25", [])
