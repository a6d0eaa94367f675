"""Unusual but right calls are taken, and mean what the usual call means."""

import os
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import count

import numpy as np
import pytest
from invariants import Steps, altered
from refusals import refused
from searches import traced, uct

from mcts_course.learning.puzzle24 import Puzzle24
from mcts_viz import (
    MCTS,
    Bandit,
    ConnectFour,
    Film,
    GameTree,
    MCTSSolver,
    Nim,
    TicTacToe,
    Trace,
    check_game,
    solve,
)
from mcts_viz.games import Pig, Playout, SlidingPuzzle, SlipperyLake
from mcts_viz.search import random_playout
from mcts_viz.search.variants import puct, win_then_block
from mcts_viz.trace.storage import from_json, to_json

SAME_GAMES = [
    (Nim(range(1, 4)), Nim((1, 2, 3))),
    (Nim(np.array([1, 2])), Nim((1, 2))),
    (Nim(size for size in (1, 2)), Nim((1, 2))),
    (Bandit(np.array([0.3, 0.5])), Bandit((0.3, 0.5))),
    (Bandit((Fraction(1, 2), Decimal("0.25"), 1)), Bandit((0.5, 0.25, 1.0))),
    (Pig(goal=np.int16(20)), Pig(goal=20)),
    (
        SlipperyLake(slip=Fraction(1, 4), discount=np.float32(0.5)),
        SlipperyLake(slip=0.25, discount=0.5),
    ),
    (SlipperyLake(rows=iter(["S.", ".G"])), SlipperyLake(rows=("S.", ".G"))),
    (
        SlidingPuzzle(np.array([1, 0, 2, 4, 5, 3]), np.int64(3)),
        SlidingPuzzle((1, 0, 2, 4, 5, 3), 3),
    ),
    (ConnectFour(np.int8(4), np.uint64(5)), ConnectFour(4, 5)),
    (GameTree({"a": Fraction(1, 2), "b": Decimal(-1)}), GameTree({"a": 0.5, "b": -1})),
    (Puzzle24(np.array([4, 9])), Puzzle24((4, 9))),
]


@pytest.mark.parametrize(("unusual", "usual"), SAME_GAMES, ids=repr)
def test_a_games_constructor_takes_all_kinds_of_numbers_and_rows(unusual, usual):
    assert unusual == usual
    assert hash(unusual) == hash(usual)
    assert repr(unusual.parameters()) == repr(usual.parameters()), "and a file says the same"


@pytest.mark.parametrize(
    "heaps",
    [
        count(1),
        {1, 2},
        {1: 2},
        b"12",
        np.array(3),
        (True, 2),
        (1.0, 2),
        (),
        (3, 0),
        (3, -1),
        (1001,),
    ],
)
def test_what_is_no_row_of_whole_numbers_is_refused(heaps):
    said = refused(Nim, heaps)
    assert said.startswith("heaps must be sizes from 1 to 1000")
    assert said.endswith(f"you gave {heaps!r}.")


def from_player(returns, player, root_player):
    return (returns[player] + returns[root_player]) / 4 + 0.5


FILLED = {
    "reward": (partial(from_player, root_player=1), lambda r, p, _: from_player(r, p, 1)),
    "reward from its first": (
        partial(from_player, player=0),
        lambda returns, player, root_player: from_player(returns, 0, root_player),
    ),
    "selection": (partial(puct, c=2.5), lambda child, parent, c: puct(child, parent, 2.5)),
    "playout": (
        partial(lambda style, game, state, random: style(game, state, random), win_then_block),
        win_then_block,
    ),
}


@pytest.mark.parametrize("name", FILLED)
def test_a_partial_may_fix_what_a_search_gives(name):
    kind, (policy, usual) = name.split()[0], FILLED[name]
    for search in (MCTS, MCTSSolver):
        trace, right = (
            search(TicTacToe(), seed=3, **{kind: each}).record(iterations=60)
            for each in (policy, usual)
        )
        assert trace.leaf.tolist() == right.leaf.tolist()
        assert trace.outcomes == right.outcomes
        assert Film(trace).caption(30, "select")
        assert trace.fork(20).leaf.tolist() == trace.leaf[19:].tolist()
    other = partial(lambda returns, player, last: 0.5, player=1)
    assert "which takes" in refused(uct, reward=other)


def test_returns_may_be_a_list():
    listed = altered(Steps, returns=lambda game, state: [*Steps.returns(game, state)])
    assert check_game(listed).ok
    for make in (MCTS, MCTSSolver):
        trace, usual = (make(game, seed=1).record(iterations=50) for game in (listed, Steps()))
        assert trace.outcomes == usual.outcomes
        assert from_json(to_json(trace), make(listed)).outcomes == usual.outcomes
    assert solve(listed, (0, 0)).value == solve(Steps(), (0, 0)).value

    def policy(game, state, random):
        return Playout(*map(list, random_playout(game, state, random)))

    assert uct(playout=policy).search(iterations=20).best_action in range(9)


def test_numbers_and_paths_of_other_kinds(tmp_path):
    trace = traced(60, np.uint8(3), c=Decimal("1.5"))
    assert (trace.c, trace.seed) == (1.5, 3)
    path = os.fsencode(tmp_path / "trace.json")
    trace.save(path)
    assert Trace.load(path).leaf.tolist() == trace.leaf.tolist()
    film = Film(trace, iterations=(number for number in (2, 5, 9)))
    assert [*film.iterations] == [2, 5, 9]
    assert "a rising list of at most 5,000" in refused(Film, trace, iterations=count(1))
    for wrong in (Decimal("NaN"), Decimal("sNaN"), Decimal(-1), True, "1"):
        assert "c must be a number of at least 0" in refused(uct, c=wrong)
