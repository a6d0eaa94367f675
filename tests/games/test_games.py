"""The games: one suite for all, exact counts, and an independent second opinion."""

import math
import random
from contextlib import suppress
from functools import partial
from itertools import product

import pytest
from hypothesis import given
from invariants import GAMES, PENCIL, reachable, seeds, states_of
from refusals import refused
from searches import traced

from mcts_viz.errors import GameError
from mcts_viz.games import (
    Bandit,
    ConnectFour,
    GameTree,
    Nim,
    Pig,
    SlidingPuzzle,
    SlipperyLake,
    TicTacToe,
    check_game,
)
from mcts_viz.search import random_playout

ARMS = Bandit((0.3, 0.5, 0.2, 0.7))
every_game = pytest.mark.parametrize("game", [*GAMES, ConnectFour(4, 5)], ids=repr)


# What each game must do.


@pytest.mark.parametrize("game", [*GAMES, ARMS, Pig(8), SlipperyLake(), SlidingPuzzle()], ids=repr)
def test_check_game_finds_no_problem(game):
    """Above all: positions are values, parse reads what text writes, returns are in [-1, 1]."""
    report = check_game(game)
    assert report.problems == ()
    assert len(report.lengths) == 50


class Misere(TicTacToe):
    """A game in which a line loses."""

    def returns(self, state):
        return super().returns(state)[::-1]


class Corner(ConnectFour):
    """A piece in the first cell ends the game."""

    def is_terminal(self, state):
        return super().is_terminal(state) or self.text(state).split()[-1][0] != "."

    def returns(self, state):
        return super().returns(state) if super().is_terminal(state) else (0.0, 0.0)


class OwnForm(Misere):
    """A subclass with a fast form for its own rules; it counts them wrongly."""

    def fast_playout(self, state, random):
        return TicTacToe().fast_playout(state, random)


@pytest.mark.parametrize("game", [Misere(), Corner(4, 4)])
def test_a_subclass_that_changes_a_rule_is_played_by_that_rule(game):
    trace = traced(200, game=game)
    for iteration in range(1, 201):
        *before, end = trace.played_out(iteration)
        assert not any(map(game.is_terminal, before))
        assert game.is_terminal(end)
        assert trace.at(iteration).returns == game.returns(end)
    assert check_game(game)


def test_a_fast_form_that_counts_otherwise_than_the_rules_is_named():
    (problem,) = check_game(OwnForm()).problems
    assert problem.startswith("fast_playout returns ")
    assert problem.endswith("let it end and count as is_terminal and returns do, or leave it out.")


@every_game
@given(seed=seeds)
def test_there_are_returns_only_at_the_end_and_moves_only_before_it(game, seed):
    *states, end = states_of(game, seed)
    for state in states:
        assert "play on" in refused(game.returns, state)
    for action in game.legal_actions(game.initial_state()):
        assert "the game is over" in refused(game.play, end, action)


@pytest.mark.parametrize("game", [game for game in GAMES if hasattr(game, "fast_playout")])
@given(seed=seeds)
def test_a_fast_playout_plays_the_game_of_the_slow_loop(game, seed):
    """So it is legal, and as likely as any."""
    for state in states_of(game, seed):
        fast = game.fast_playout(state, random.Random(seed))
        slow = random_playout(game, state, random.Random(seed))
        assert list(fast.actions) == slow.actions
        assert fast.returns == slow.returns


@every_game
def test_what_is_no_action_or_no_position_is_refused_by_name(game):
    for action in ("nonsense", -1, 99, None, (0, 0), (9, 1), [0, 1]):
        assert repr(action) in refused(game.play, game.initial_state(), action, _kind=GameError)
    for text in ("?", "1", "X", None, 3):
        assert repr(text) in refused(game.parse, text, _kind=GameError)


# Exact counts, and naive second opinions.


def test_tic_tac_toe_reads_its_5_478_reachable_boards_and_no_others():
    game, readable = TicTacToe(), set()
    for x, o in product(range(512), repeat=2):
        if not x & o:
            with suppress(GameError):
                readable.add(game.parse(game.text((x, o))))
    assert readable == reachable(game)
    assert len(readable) == 5_478


def test_an_arm_has_as_many_winning_tickets_as_it_says():
    game = Bandit((0.25, 0.5, 0, 1, 0.57, 0.07))
    for arm, chance in zip(game.legal_actions(()), game.chances, strict=True):
        assert game.chance(arm) == chance
        ends = [game.play((arm,), ticket) for ticket in game.legal_actions((arm,))]
        wins = round(100 * chance)
        assert [game.returns(end) for end in ends] == [(1.0,)] * wins + [(-1.0,)] * (100 - wins)


# What people read and write.


@pytest.mark.parametrize(
    ("game", "texts", "state"),
    [
        (
            TicTacToe(),
            [
                *("xo. .x. ...", "XO--X----", "X O _ _ X _ _ _ _", "XO.\n.X.\n...", "XO./.X./..."),
                *(
                    "X O . / . X . / . . .",
                    "XO. .X.\n...",
                    "X/O/././X/./././.",
                    "\n  XO.\n  .X.\n  ...\n",
                ),
            ],
            (0b10001, 0b10),
        ),
        (
            ConnectFour(3, 4, 3),
            ["..../.o../.xx.", ".... -O-- _XX_", ".....O...XX."],
            ConnectFour(3, 4, 3).parse("....\n.O..\n.XX."),
        ),
        (Nim(), ["3 4 5", "3,4,5", " 3, 4  5 a "], (0, 3, 4, 5)),
        (Nim(), ["1, 0, 2 b", "1 0 2 B"], (1, 1, 0, 2)),
    ],
)
def test_what_people_write_is_read(game, texts, state):
    assert {game.parse(text) for text in texts} == {state}


# What is refused: a sentence that names the value and the remedy.

ROW_OF_3 = ConnectFour(3, 4, connect=3)
UNREACHED = "No game leads to the board "
REFUSED = [
    *[
        (TicTacToe().parse, text, "must have 9 cells, each X, O")
        for text in ("XO. .X. ..", "XO. .Z. ...")
    ],
    (TicTacToe().parse, "XX.\n.O..\n..", "Row 2 of the board"),
    (TicTacToe().parse, "XX. ... ...", UNREACHED),
    (ROW_OF_3.parse, "..../.X../....", UNREACHED),
    (ROW_OF_3.parse, "..../XX.X/OOOX", UNREACHED),
    *[
        (Nim().parse, text, "at most 3, 4, 5, and who is to move")
        for text in ("3 4", "3 4 5 6", "", "3 4 6", "3 4 -1", "3 4 5 C", "3 4 ²")
    ],
    (PENCIL.parse, "b x", "'x' is no legal move at 'b': choose one of e, f"),
    (partial(ConnectFour, 6, 7), 5.0, "connect must be a whole number"),
    *[(ConnectFour, rows, f"you gave {rows!r}") for rows in (0, 21)],
    *[
        (Bandit, chances, "in whole hundredths from 0 to 1")
        for chances in ((), (0.123,), (0.5,) * 27, "half", (0.5, 1.5), (True,), (math.nan,))
    ],
    (partial(ARMS.play, ("A",)), 101, "101 is no legal move at"),
    (partial(ARMS.play, ("A", 3)), 4, "the game is over"),
    (ARMS.returns, ("A",), "is not over"),
    *((ARMS.parse, text, said) for text, said in ((7, "you gave 7"), ("A x", "is no legal move"))),
    (GameTree, {}, "The moves at the root must be one or more"),
    (GameTree, {"a": {}}, "The moves after 'a' must be"),
    (GameTree, {"a": {"b": 2}}, "after 'a b' must be a number"),
    (GameTree, {"a": 10**400}, "must be a number in [-1, 1]"),
    *[(GameTree, {m: 1}, f"you gave [{m!r}]") for m in ("a b", "", ".", 7)],
    *[
        (partial(GameTree, {"a": 1}), players, repr(players))
        for players in (("A",), ("A", "A"), "AB", None)
    ],
]


@pytest.mark.parametrize(("ask", "given", "said"), REFUSED, ids=lambda value: repr(value)[:40])
def test_what_makes_no_sense_is_refused_in_a_sentence(ask, given, said):
    assert said in refused(ask, given, _kind=GameError)
