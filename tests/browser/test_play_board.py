"""The board to play on, on a page with nothing else: what a click would do, and who has won."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from mcts_course import Play
from mcts_course.play import play as play_module
from mcts_viz import MCTS, ConnectFour, TicTacToe
from mcts_viz.games import Pig, SlidingPuzzle, SlipperyLake

from .bare import aside, ask, bare_page
from .lab import axe_violations

NAMES = ("facts", "position", "thought", "film", "decided", "error", "heard")
WON = "() => document.querySelector('.mcts-play .field .won').getAttribute('d')"
AIMED = "all => all.map(cell => Number(cell.dataset.cell))"


def told(play: Play) -> dict[str, Any]:
    return {name: getattr(play, name) for name in NAMES}


def game_of(game: Any, moves: list[int], replies: list[int]) -> list[dict[str, Any]]:
    """The state sent to the page before the first move, and after each of yours and its reply."""
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


def put_board(page: Page, state: dict[str, Any]) -> None:
    """Show the board; ``tell`` gives it another position, ``shared.sent`` has its wishes."""
    page.evaluate(
        """state => {
            const shared = (window.shared = model(state));
            window.tell = position => shared.tell("position", position);
            play.render({ model: shared, el: put(document.createElement("div")) });
        }""",
        state,
    )


def aimed(page: Page) -> list[int]:
    """The cells that a click would change."""
    found: list[int] = page.locator(".cell.aim").evaluate_all(AIMED)
    return found


def test_a_click_on_a_column_is_shown_where_it_lands_and_four_are_joined(page: Page) -> None:
    put_board(page, DROPPED[0])
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


def test_three_crosses_are_joined(page: Page) -> None:
    put_board(page, PUT[0])
    page.locator('[data-cell="4"]').hover()
    assert aimed(page) == [4]
    page.evaluate("tell", PUT[-1]["position"])
    assert (page.evaluate(WON), aimed(page)) == ("M5 5L25 25", [])


KEYS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End")
PRESS = """([selector, keys]) => {
    const all = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    return all.map((one) => keys.map((key) => {
        one.focus();
        one.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        return all.indexOf(document.activeElement);
    }));
}"""


def played_out(game: Any) -> dict[str, Any]:
    """The state after a game in which you make the first legal move."""
    play = Play(game, MCTS(game, seed=1), iterations=20)
    while play.result is None:
        play.play(game.legal_actions(play.state)[0])
    return told(play)


OVER = [(game.columns, played_out(game)) for game in (TicTacToe(), ConnectFour())]


def leads(key: str, at: int, wide: int, count: int) -> int:
    """The place that a key leads to among ``count`` in rows: never beyond the first or the last."""
    row = at - at % wide
    ways = (at - 1, at + 1, at - wide, at + wide, row, row + wide - 1)
    to = dict(zip(KEYS, ways, strict=True))[key]
    return to if 0 <= to < count else at


def test_each_key_leads_where_it_says(page: Page) -> None:
    """From every cell of a board, and from every reply of the search after the game."""
    for columns, state in OVER:
        put_board(page, state)
        for part, wide in ((".replies button", 99), (".cell", columns)):
            found = ask(page, PRESS, [part, KEYS])
            count = len(found)
            assert count > 1
            wide = min(wide, count)
            assert found == [[leads(k, at, wide, count) for k in KEYS] for at in range(count)]


# A position that is set up, on a phone ------------------------------------------------------------

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
SMALL = """() => [...document.querySelectorAll("button")]
    .filter(one => one.checkVisibility())
    .map(one => [one.textContent || one.ariaLabel, one.getBoundingClientRect()])
    .filter(([, { width, height, right }]) => width < 43.5 || height < 43.5 || right > innerWidth)
    .map(([name]) => name)"""


def set_up(game: Any, cells: tuple[int, ...]) -> list[dict[str, Any]]:
    """All states sent to the page while ``cells`` are clicked one after the other."""
    play = Play(game, MCTS(game, seed=1), iterations=50)
    states = [told(play)]
    play.set_up()
    states.append(told(play))
    for cell in cells:
        play.place(cell)
        states.append(told(play))
    return states


SAID = ("Each click on a cell", "O moves", "No game leads to", "X moves")
KINDS = ("empty, press for X", "X, press for O", "O, press for empty")


@pytest.mark.parametrize(
    ("game", "cells"),
    [(TicTacToe(), (0, 1, 1)), (ConnectFour(), (35, 41, 41))],
    ids=["tic-tac-toe", "connect four"],
)
def test_a_position_is_set_up_on_a_phone(browser: Browser, game: Any, cells: Any) -> None:
    """By taps; a cell's name says what the next tap does, and each answer is read out."""
    before, *states = aside(set_up, game, cells)
    with bare_page(browser, **PHONE) as page:
        put_board(page, before)
        page.get_by_role("button", name="Set up").tap()
        assert page.evaluate("shared.sent.at(-1)") == {"act": "set_up"}
        said, pieces = page.locator(".mcts-play .said[aria-live=polite]"), Counter[int]()
        for state, cell, begins in zip(states, (*cells, None), SAID, strict=True):
            page.evaluate("tell", state["position"])
            assert said.inner_text().startswith(begins)
            assert page.evaluate(SMALL) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            names = page.locator(".cell").evaluate_all("all => all.map(cell => cell.ariaLabel)")
            kinds = [KINDS[pieces[place]] for place in range(len(names))]
            assert [name.split(": ")[1] for name in names] == kinds
            if cell is not None:
                page.locator(f'[data-cell="{cell}"]').tap()
                assert page.evaluate("shared.sent.at(-1)") == {"act": "place", "cell": cell}
                pieces[cell] += 1
        assert axe_violations(page, ".mcts-play") == []


# Luck, and one player -----------------------------------------------------------------------------


def rolled(game: Any, *actions: Any) -> list[dict[str, Any]]:
    """All states sent to the page, from before your moves until it is your turn again."""
    play = Play(game, MCTS(game, seed=1), iterations=50)
    states = [told(play)]
    play.observe(lambda change: states.append(told(play)), "position")
    with pytest.MonkeyPatch.context() as quick:
        quick.setattr(play_module, "ROLL", 0.0)
        quick.setattr(play, "_luck", Random(4))
        for action in actions:
            play.play(action)
    play.look_inside()
    return [*states, told(play)]


@cache
def rolled_once() -> dict[str, list[dict[str, Any]]]:
    """The states that the page receives one after the other, by game."""
    games = {
        "dice": (Pig(12), "roll", "hold"),
        "ice": (SlipperyLake(), "down"),
        "paid": (SlidingPuzzle(), 2),
    }
    return {name: aside(rolled, *game) for name, game in games.items()}


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.parametrize("name", ["dice", "ice"])
def test_chance_decides_before_ones_eyes_and_is_spoken(page: Page, name: str, motion: Any) -> None:
    states = [state["position"] for state in rolled_once()[name]]
    before = next(place for place, state in enumerate(states) if state["rolling"])
    after = next(place for place, state in enumerate(states) if "Chance decides" in state["said"])
    outcome = re.search(r"Chance decides: (\w+)\.", states[after]["said"])
    assert outcome
    assert before < after
    assert states[before]["cells"] != states[after]["cells"]
    put_board(page, rolled_once()[name][0])
    page.emulate_media(reduced_motion=motion)
    board, words = page.locator(".field .mcts-board"), page.locator(".mcts-play .said")
    assert page.locator(".choices button").all_inner_texts() == [
        choice["label"] for choice in states[0]["choices"]
    ]
    page.evaluate("tell", states[before])
    assert page.locator(".status").inner_text() == "Chance decides."
    moves = board.evaluate("board => getComputedStyle(board).animationName")
    assert moves == ("none" if motion == "reduce" else "mcts-roll")
    page.locator(".choices button").first.evaluate("button => button.click()")
    assert words.inner_text() == "Chance decides now: wait for it."
    page.evaluate("tell", states[after])
    assert outcome[0] in words.inner_text()
    assert words.get_attribute("aria-live") == "polite"
    assert board.evaluate("board => getComputedStyle(board).animationName") == "none"


def test_the_numbers_of_a_board_are_read_out(page: Page) -> None:
    for name, cell, expected in (
        ("dice", 0, "row 1, column 1: A"),
        ("dice", 6, "row 3, column 1: points of this turn, plays roll"),
        ("ice", 15, "row 4, column 4: the goal"),
        ("paid", 0, "row 1, column 1: tile 1, plays 1"),
    ):
        put_board(page, rolled_once()[name][0])
        shown = page.locator(f'[data-cell="{cell}"]').get_attribute("aria-label")
        assert shown == expected


def test_one_can_look_inside_a_search_that_rolled(page: Page) -> None:
    """The film opens in place of the board, with a diamond where chance decides."""
    state = rolled_once()["dice"][-1]
    assert state["film"], "the search has moved"
    put_board(page, state)
    page.locator(".mcts-player").wait_for()
    assert page.locator(".mcts-play .game").is_hidden()
    assert "visits went through roll" in page.locator(".mcts-player").inner_text()
