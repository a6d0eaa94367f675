"""Clicks, keys and drags in any order lead to moments that can be shown."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from films import READ, excerpts, films, walks
from playwright.sync_api import Browser

from mcts_viz import MCTS, Bandit, Compare, Film, Player, TicTacToe

from .bare import ask, bare_page, put_widgets, states_of

KINDS = {
    "tic-tac-toe": lambda: Film(MCTS(TicTacToe(), seed=4).record(iterations=900)),
    "a lesson": lambda: Film(MCTS(TicTacToe(), seed=2).record(iterations=40)),
    "connect four": lambda: films()[3],
    "many arms": lambda: Film(MCTS(Bandit([0.5] * 26), seed=8).record(iterations=120)),
    "game tree": lambda: films()[7],
    "thirds": lambda: films()[10],
    "continued": lambda: films()[11],
    "an excerpt": lambda: excerpts()[0],
    **{name: READ[name] for name in ("nim", "bandit", "puct", "solver", "watched")},
    **{f"walk {number}": partial(lambda n: walks()[n], number) for number in range(8)},
}
"""How to make a film of each kind that the river is drawn of."""
STEPS = 150
OFTEN = "tic-tac-toe", "many arms", "walk 0", "two films"
"""Films that are tried each time, with one order of clicks; ``--slow`` tries all, with more."""

ACT = """async ({ seed, steps, keys }) => {
    const lot = below => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return Math.floor((seed / 2 ** 32) * below);
    };
    const all = what => [...document.querySelectorAll(what)];
    const shown = one => one.getClientRects().length > 0;
    const frames = async count => {
        while (count--) await new Promise(requestAnimationFrame);
    };
    const acts = {
        click(target) { target.dispatchEvent(new MouseEvent("click", { bubbles: true })); },
        press(target) {
            target.focus();
            const name = keys[lot(keys.length)];
            key(document.activeElement, name, { shiftKey: lot(4) === 0 });
            return name;
        },
        drag(slider) {
            slider.value = 1 + lot(Number(slider.max));
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            return slider.value;
        },
    };
    const wanted = {
        click: "button, .card, .stub, .choices input, tbody tr",
        press: "button, .card, .track input",
        drag: ".track input",
    };
    let broken = null;
    const note = ({ message, reason }) => { broken ??= String(message ?? reason); };
    addEventListener("error", note);
    addEventListener("unhandledrejection", note);
    const done = [];
    for (let step = 0; step < steps && !broken; step++) {
        const kind = ["click", "click", "press", "drag"][lot(4)];
        const targets = all(wanted[kind]).filter(shown);
        const target = targets[lot(targets.length)];
        if (!target) continue;
        const said = target.getAttribute("aria-label") ?? target.textContent;
        done.push([kind, said.slice(0, 60), acts[kind](target) ?? ""].join(" "));
        await frames(lot(20) ? lot(2) : 12); // a phase may be in the middle of its motion
        const alerts = all(".alert").map(one => one.textContent);
        broken ??= alerts.find(text => text.includes("could not")) ?? null;
    }
    await frames(3);
    const { iteration, phase } = document.querySelector(".mcts-player").dataset;
    const [told] = models.map(model => [model.get("iteration"), model.get("phase")]);
    const page = [Number(iteration), phase];
    return { broken, done: done.slice(-8), count: done.length, page, model: told };
}"""
KEYS = [
    *("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"),
    *("Escape", *"tpbfvsmw?+-0123 x"),
]


def both() -> tuple[Film, Film]:
    """Two films to compare; the second ends first."""
    game = TicTacToe()
    searches = MCTS(game, seed=4), MCTS(game, c=0.3, seed=4)
    return Film(searches[0].record(iterations=150)), Film(searches[1].record(iterations=90))


def tries() -> list[Any]:
    """A film of each kind, by name, and the number of an order of clicks."""
    return [
        pytest.param(kind, seed, marks=[] if seed == 0 and kind in OFTEN else pytest.mark.slow)
        for kind in [*KINDS, "two films"]
        for seed in range(3)
    ]


@pytest.mark.parametrize(("kind", "seed"), tries())
def test_each_moment_is_shown_whatever_led_to_it(browser: Browser, kind: str, seed: int) -> None:
    with bare_page(browser) as page:
        shown = Compare(*both()) if kind == "two films" else Player(KINDS[kind]())
        put_widgets(page, states_of(lambda: [shown]))
        found = ask(page, ACT, {"seed": seed, "steps": STEPS, "keys": KEYS})
        assert found["broken"] is None, (found["broken"], found["done"])
        assert found["count"] > STEPS / 2
        assert found["page"] == found["model"]
