"""Numbers and sentences that Python and the page both say, by one table of cases.

The page's side of it is ``tests/browser/test_words.py``.
"""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest
from repository import needs
from searches import traced

from mcts_viz.film import words
from mcts_viz.film.words import move_names, name_of, short_names
from mcts_viz.games import Nim, OpenSpielGame

TWINS = json.loads(Path(__file__).with_name("twins.json").read_text("utf-8"))


@pytest.mark.parametrize("twin", TWINS, ids=[twin["python"] for twin in TWINS])
def test_python_says_what_the_table_says(twin: dict[str, Any]) -> None:
    say = getattr(words, twin["python"])
    told = [
        say(*[math.nan if one == "nan" else one for one in given]) for given, _ in twin["cases"]
    ]
    assert told == [text for _, text in twin["cases"]]


def test_no_two_moves_have_one_name() -> None:
    """Over labels made at random of few parts, so that many would be shortened alike."""
    chance = random.Random(0)
    parts = ["buy", "sell", "10", "2.5", "(1,", "2)", " ", " = ", "x7", "→", "…", "-3", "·"]
    alike = 0
    for _ in range(20_000):
        labels = list({"".join(chance.choices(parts, k=chance.randint(1, 6))) for _ in range(6)})
        names = short_names(labels)
        assert len(set(names)) == len(labels), (labels, names)
        alike += len({words.short_name(label) for label in labels}) < len(labels)
    assert alike > 1_000


def test_a_move_is_named_among_all_moves_from_its_position() -> None:
    """Not only among those that have a node: a name stays while the tree grows."""
    trace = traced(1, game=Market((2, 2)))
    assert [name_of(trace, node) for node in range(2)] == ["", trace.label(1)]
    trace = traced(60, game=Nim())
    for node in range(1, len(trace.parent)):
        names = move_names(trace.game, trace.state(int(trace.parent[node])))
        assert name_of(trace, node) == names[trace.action_of(node)]
        assert len(set(names.values())) == len(names)


@pytest.mark.parametrize("name", ["dots_and_boxes", "breakthrough", "hex", "mancala"])
def test_games_of_openspiel_have_no_name_twice(name: str) -> None:
    needs("pyspiel")  # type: ignore[no-untyped-call]
    game = OpenSpielGame(name)
    state: tuple[int, ...] = ()
    for _ in range(6):
        names = move_names(game, state)
        assert len(set(names.values())) == len(names) > 1
        state = (*state, next(iter(names)))


class Market(Nim):
    """Buy or sell ten or twenty: shortened to their numbers, half of the names would be one."""

    def action_label(self, state: Any, action: tuple[int, int]) -> str:
        return f"{('buy', 'sell')[action[0]]} {10 * action[1]}"
