"""A watched search is saved, and shows the same when it is loaded."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from strangers import Node, Student, watched

from mcts_viz import Film, Player, Trace, TraceError
from mcts_viz.film.words import caption
from mcts_viz.trace.storage import from_json, to_json


class Promising(Node):
    """A node with a prior."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.prior = (1 + (self.move or 0)) / 45


class Puct(Student):
    """A rule that is read off by its place in the table."""

    node = Promising

    def bonus(self, child: Any, parent: Any) -> float:
        return float(self.c * child.prior * math.sqrt(parent.visits) / (1 + child.visits))


class Strange(Student):
    """A rule that is in no table."""

    def score(self, child: Any, parent: Any) -> float:
        return float(math.sin(100 * child.wins + child.visits**2))


@pytest.mark.parametrize("kind", [Student, Puct, Strange])
def test_it_is_loaded_as_it_was(kind: type[Student], tmp_path: Path) -> None:
    trace = watched(kind(1), 150).trace
    trace.save(tmp_path / "watched.json")
    again = Trace.load(tmp_path / "watched.json")
    assert again.findings == trace.findings
    assert to_json(again) == to_json(trace)
    for iteration in (1, 70, 150):
        now, then = again.at(iteration), trace.at(iteration)
        np.testing.assert_array_equal(now.visits, then.visits)
        np.testing.assert_array_equal(now.wins, then.wins)
        nodes = range(then.nodes)
        scores = [now.score(node) for node in nodes]
        assert scores == [then.score(node) for node in nodes]
        assert any(scores) == (kind is not Strange)
        films = Film(again), Film(trace)
        assert len({film.to_text(iteration) for film in films}) == 1
        assert len({caption(film.data, iteration, "expand") for film in films}) == 1
    assert Player(again).film.data.subtitle == Player(trace).film.data.subtitle
    template = Film(again).payload()["facts"]
    assert ("prior" in str(template)) == (kind is Puct)


def test_what_cannot_be_repeated_is_refused_in_a_sentence() -> None:
    trace = watched(Student(1), 150).trace
    for deed in (lambda: trace.fork(3), lambda: trace.search_at(3)):
        with pytest.raises(TraceError, match="watched search cannot be repeated"):
            deed()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("children", [[0]], "children after their parents"),
        ("children", 3, "damaged"),
        ("texts", [], "equal columns"),
    ],
)
def test_a_damaged_tree_is_refused(name: str, value: object, said: str) -> None:
    document = json.loads(to_json(watched(Student(1), 150).trace))
    document["game"]["parameters"][name] = value
    with pytest.raises(TraceError, match=said):
        from_json(json.dumps(document))
