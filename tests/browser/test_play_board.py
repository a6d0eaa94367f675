"""The board to play on, on a page with nothing else: pieces that wait, fall and win."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from mcts_viz import ConnectFour, Play, TicTacToe

from .bare import bare_page
from .lab import eventually

NAMES = ("facts", "position", "thought", "film", "error", "heard")
WATCHED = """() => {
    const board = document.querySelector(".mcts-play .field svg");
    const cells = path => [...(board.querySelector(path)?.getAttribute("d") ?? "")
        .matchAll(/M(-?\\d+) (-?\\d+)/g)].map(([, x, y]) => [x / 10, y / 10]);
    return {
        ghost: cells(".ghost"), falling: cells(".falling"), rings: cells(".glow.holes"),
        yellow: cells(".piece.player-0:not(.ghost, .falling)"),
        won: board.querySelector(".won").getAttribute("d"),
    };
}"""


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
FALLING = game_of(ConnectFour(), [3, 2, 4, 5], [3, 2, 4])
PUT = game_of(TicTacToe(), [0, 4, 8], [1, 2])


@contextmanager
def board_on(browser: Browser, state: dict[str, Any], **profile: Any) -> Iterator[Page]:
    """A page with the board; ``tell`` gives it another position."""
    with bare_page(browser, **profile) as page:
        page.evaluate(
            """state => {
                const shared = model(state);
                window.tell = position => shared.tell("position", position);
                modules.renderPlay({ model: shared, el: put(document.createElement("div")) });
            }""",
            state,
        )
        yield page


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_piece_waits_above_its_column_falls_and_wins(browser: Browser, motion: str) -> None:
    with board_on(browser, FALLING[0], reduced_motion=motion) as page:
        top = page.locator('[data-cell="3"]')
        assert top.get_attribute("aria-label") == "row 1, column 4: empty, plays 3"
        top.hover()
        assert page.locator(".cell.aim").get_attribute("data-cell") == "38"
        assert page.evaluate(WATCHED)["ghost"] == [[3, 5], [3, -1]]
        page.locator('[data-cell="9"]').focus()
        assert page.evaluate(WATCHED)["ghost"] == [[2, 5], [2, -1]]
        falling = page.evaluate(  # at once, for it falls for 0.2 seconds
            f"position => {{ tell(position); return ({WATCHED})().falling; }}", FALLING[1]["position"]
        )
        assert len(falling) == (motion == "no-preference")
        landed = {"falling": [], "rings": [[3, 4]], "yellow": [[3, 5]]}
        eventually(lambda: {name: page.evaluate(WATCHED)[name] for name in landed}, landed)
        page.evaluate("tell", FALLING[-1]["position"])
        eventually(lambda: page.evaluate(WATCHED)["won"], "M25 55L55 55")


def test_three_crosses_are_joined_and_a_cross_waits_on_its_cell(browser: Browser) -> None:
    with board_on(browser, PUT[0]) as page:
        page.locator('[data-cell="4"]').hover()
        assert page.evaluate(WATCHED)["ghost"] == [[1, 1]]
        page.evaluate("tell", PUT[-1]["position"])
        now = page.evaluate(WATCHED)
        assert (now["won"], now["ghost"]) == ("M5 5L25 25", [])
