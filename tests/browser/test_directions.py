"""Keys and the wheel by where they lead: from every cell, reply, phase and place."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from mcts_viz import MCTS, ConnectFour, Film, TicTacToe
from mcts_viz.search import PHASES

from .bare import Show, ask
from .test_play_board import game_of, put_board
from .test_player import PLAYER, open_film

KEYS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End")
HELD = """([buttons, keys]) => [...document.querySelectorAll(buttons)].map((_, place, all) =>
    keys.map(key => {
        all[place].focus();
        all[place].dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        return all.indexOf(document.activeElement);
    }))"""
"""For each button, and each key pressed there: which button has the focus then."""


def leads_to(cell: int, columns: int, rows: int) -> list[int]:
    """The cell that each key leads to; left and right go on in the next row."""
    row = cell // columns
    near = [cell - 1, cell + 1, cell - columns, cell + columns]
    kept = [other if 0 <= other < columns * rows else cell for other in near]
    return [*kept, row * columns, row * columns + columns - 1]


BOARDS = {
    "tic-tac-toe": (game_of(TicTacToe(), [], [])[0], 3, 3),
    "connect four": (game_of(ConnectFour(), [], [])[0], 7, 6),
}


@pytest.mark.parametrize("name", BOARDS)
def test_from_every_cell_of_a_board_each_key_leads_its_way(page: Page, name: str) -> None:
    state, columns, rows = BOARDS[name]
    put_board(page, state)
    found = ask(page, HELD, [".cell", KEYS])
    assert found == [leads_to(cell, columns, rows) for cell in range(columns * rows)]


def test_from_every_reply_of_the_strip_each_key_leads_its_way(page: Page) -> None:
    reply: dict[str, Any] = {"label": "4", "mean": "0.50", "bars": [], "said": "a reply"}
    cells = [0] * 9
    replies = [{**reply, "cells": cells, "before": cells} for _ in range(4)]
    state = {**BOARDS["tic-tac-toe"][0], "decided": {"at": 1, "replies": replies, "said": ""}}
    put_board(page, state)
    keys = ("ArrowLeft", "ArrowRight", "Home", "End")
    found = ask(page, HELD, [".replies button:not([hidden])", keys])
    assert found == [[max(0, at - 1), min(3, at + 1), 0, 3] for at in range(4)]


LED = """() => {
    window.led = [];
    const { dataset } = document.querySelector(".mcts-player");
    addEventListener("keyup", () => led.push([Number(dataset.iteration), dataset.phase]));
}"""


def test_from_every_phase_the_keys_of_its_slider_lead_on_and_back(show: Show) -> None:
    page = open_film(show, Film(MCTS(TicTacToe(), seed=4).record(iterations=5)))
    page.locator(PLAYER).press("Home")
    page.locator(".phases input").focus()
    page.evaluate(LED)
    for key in ("ArrowRight", "ArrowLeft"):
        for _ in range(4 * 5 - 1):
            page.keyboard.press(key)
    moments = [[iteration, phase] for iteration in range(1, 6) for phase in PHASES]
    assert ask(page, "() => led") == [*moments[1:], *moments[-2::-1]]


PLACES = """() => Object.fromEntries([...document.querySelectorAll(".card")]
    .filter(card => card.getClientRects().length && card.dataset.depth === "1")
    .map(card => {
        const { left, width } = card.getBoundingClientRect();
        return [card.dataset.node, left + width / 2];
    }))"""
WHEEL = """([clientX, deltaY]) => {
    const stage = document.querySelector(".stage");
    const clientY = stage.getBoundingClientRect().top + 200;
    stage.dispatchEvent(new WheelEvent("wheel",
        { clientX, clientY, deltaY, ctrlKey: true, bubbles: true, cancelable: true }));
}"""


def test_the_wheel_zooms_in_upwards_and_keeps_what_is_under_the_pointer(show: Show) -> None:
    page = open_film(show, Film(MCTS(TicTacToe(), seed=4).record(iterations=200)))
    page.locator(PLAYER).press("End")
    before = ask(page, PLACES)
    assert len(before) == 9
    for node, x in before.items():
        page.evaluate(WHEEL, [x, -200])
        larger = ask(page, PLACES)
        assert abs(larger[node] - x) < 12, "it slips away from under the pointer"
        for other in larger.keys() - {node}:
            assert abs(larger[other] - x) > abs(before[other] - x), "a neighbour comes nearer"
        page.evaluate(WHEEL, [x, 400])
        assert ask(page, PLACES) == pytest.approx(before, abs=0.5)
