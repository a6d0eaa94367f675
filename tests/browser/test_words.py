"""Numbers and sentences that Python and the page both say, by one table of cases.

Python's side of it is ``tests/film/test_words.py``.
"""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from mcts_viz import MCTS, Film, Nim
from mcts_viz.film import words
from mcts_viz.film.words import move_names

from .bare import ask, payload

TWINS = json.loads((Path(__file__).parents[1] / "film/twins.json").read_text("utf-8"))

SAY = """async twins => {
    const words = await module("data/words.js");
    const read = one => one === "nan" ? NaN : one;
    return twins.map(({ page, cases }) =>
        cases.map(([given]) => words[page](...given.map(read))));
}"""


def test_the_page_says_what_the_table_says(page: Page) -> None:
    for twin, told in zip(TWINS, ask(page, SAY, TWINS), strict=True):
        assert told == [text for _, text in twin["cases"]], twin["page"]


def test_both_say_the_same_of_what_no_table_holds(page: Page) -> None:
    """Of numbers and labels made at random."""
    chance = random.Random(0)
    numbers = [chance.choice([1, -1]) * 10 ** chance.uniform(-12, 8) for _ in range(700)]
    numbers += [round(number, digits) for number in numbers[:500] for digits in (0, 1, 2, 4)]
    numbers += [1 - 10 ** chance.uniform(-8, 0) for _ in range(200)]
    parts = ["buy", "sell", "10", "2.5", "(1,", "2)", " ", " = ", "x7", " → ", "…", "-3", "é", "🂡"]
    families = [
        ["".join(chance.choices(parts, k=chance.randint(1, 6))) for _ in range(4)]
        for _ in range(700)
    ]
    for twin in TWINS:
        if twin["python"] in ("fixed", "score_text", "short", "small", "rounded"):
            given: list[list[Any]] = [[number] for number in numbers]
        elif twin["python"] == "precise":
            given = [[abs(number)] for number in numbers]
        elif twin["python"] == "gained":
            given = [[before, after] for before, after in pairwise(numbers)]
        elif twin["python"] == "short_names":
            given = [[labels] for labels in families]
        else:
            continue
        [told] = ask(page, SAY, [{**twin, "cases": [[one] for one in given]}])
        say = getattr(words, twin["python"])
        assert told == [say(*one) for one in given], twin["python"]


NAMES = """async sent => {
    const film = await opened(sent);
    const tree = modules.threadsOf(film);
    tree.at(film.frame(1, 0));
    return Array.from(film.births, (_, node) =>
        [film.label(node), tree.name(tree.inTree(node)), tree.moves(tree.inTree(node)).length]);
}"""


def test_the_page_names_a_move_among_all_moves_from_its_position(page: Page) -> None:
    trace = MCTS(Nim(), seed=6).record(iterations=60)
    film = Film(trace)
    named = ask(page, NAMES, payload(film))
    assert len(named) == len(trace.parent)
    for node, (label, name, moves) in enumerate(named):
        assert label == trace.label(node)
        if len(trace.children[node]):
            assert moves == len(move_names(trace.game, trace.state(node)))
        above = move_names(trace.game, trace.state(int(trace.parent[node]))) if node else {}
        assert name == (above[trace.action_of(node)] if node else "")
