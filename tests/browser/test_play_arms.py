"""A film of a bandit: a row an arm, whose numbers are those of the trace."""

from __future__ import annotations

import random

from playwright.sync_api import Browser

from mcts_course.experiments import one_decision
from mcts_viz import Film
from mcts_viz.games import Bandit
from mcts_viz.search import score_terms, ucb1
from mcts_viz.trace.trace import Stats

from .bare import bare_page, payload

SEEN = """([index, phase]) => {
    player.go(index, phase);
    const count = (row, name) =>
        (row.querySelector(name).getAttribute("d").match(/M/g) ?? []).length;
    return [...document.querySelectorAll(".arm")].map(row => ({
        node: Number(row.dataset.node), wins: count(row, ".wins"), losses: count(row, ".losses"),
        share: row.querySelector(".share").textContent, best: row.classList.contains("best"),
        chosen: row.classList.contains("on-path"),
        reach: row.querySelector(".reach").getAttribute("d").split("H")[1]?.split("m")[0],
    }));
}"""


def test_the_row_that_reaches_furthest_is_pulled(browser: Browser) -> None:
    film = Film(one_decision(Bandit((0.3, 0.5, 0.2, 0.7)), seed=0).record(iterations=60))
    trace = film.trace
    with bare_page(browser) as page:
        page.evaluate(
            """async ({ facts, columns }) => {
                const bytes = unpacked({ facts, columns }).columns;
                const host = put(document.createElement("div"));
                window.player = await modules.mount(host, facts, bytes, () => {});
            }""",
            payload(film),
        )
        for index in [1, 5, *random.Random(1).sample(range(6, 61), k=10)]:
            now = trace.at(index - 1)
            rows = page.evaluate(SEEN, [index, 0])
            root = Stats(trace, 0, now.visits[0], now.wins[0])
            tops = {}
            for row in rows:
                visits, wins = now.visits[row["node"]], now.wins[row["node"]]
                assert (row["wins"], row["losses"]) == (wins, visits - wins)
                assert row["share"] == f"{wins:g}/{visits}"
                if visits:
                    arm = Stats(trace, row["node"], visits, wins)
                    tops[row["node"]] = sum(score_terms(ucb1, arm, root, trace.c))
            if len(tops) == len(rows):
                best = max(tops.values())
                assert [row["best"] for row in rows] == [tops[row["node"]] == best for row in rows]
                (pulled,) = (row for row in rows if row["chosen"])
                assert pulled["best"]
                reach = [float(row["reach"]) for row in rows]
                assert max(reach) == float(pulled["reach"])
