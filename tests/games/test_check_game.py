"""check_game: silent on a sound game, and a plain sentence for each planted fault."""

import random
import re
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from enum import Enum
from itertools import cycle

import numpy as np
import pytest
from invariants import Corridor, Steps, altered, answer, boom
from refusals import refused
from searches import traced

from mcts_viz import MCTS, TicTacToe, Trace
from mcts_viz.games import Game, Pig, SlipperyLake, check_game


class Suit(Enum):
    HEARTS = 1
    SPADES = 2


@dataclass(frozen=True)
class Step:
    size: int


def only_problem(game):
    report = check_game(game)
    assert not report
    assert len(report.problems) == 1, report
    return report.problems[0]


def test_a_report_is_true_or_a_list_of_problems():
    report = check_game(Steps())
    assert report
    assert report.problems == ()
    assert str(report).startswith("Steps: no problem found.\n  50 random games of 3 to ")
    report = check_game(altered(Steps, is_terminal=answer(0), parse=Game.parse))
    assert str(report).splitlines()[0] == "Steps: 1 problem found."
    assert str(report).splitlines()[1].startswith("  1. is_terminal((0, 0)) returns 0: return")
    for games in (0, -1, 2.5, "50", None, True):
        assert "games must be a whole number" in refused(check_game, Steps(), games=games)


def test_every_answer_is_asked_for_again_once():
    """One game later, and not after every game from then on."""
    asked = Counter()

    def once_more(self, state):
        asked[state] += 1
        return Steps.returns(self, state)

    lengths = check_game(altered(Steps, returns=once_more)).lengths
    assert len(lengths) == 50
    assert sum(asked.values()) == 2 * 50 - 1  # no game follows the last one


# Faults of single methods: what replaces them, and what the one problem says.


class Unequal(tuple):
    """A state that is not equal to its twin."""

    __eq__, __hash__ = object.__eq__, object.__hash__


class OwnHash(tuple):
    """A state that is equal to its twin, but not by its hash."""

    __eq__, __hash__ = tuple.__eq__, object.__hash__


class Mutable(list):
    """A state that can be changed in place, although it has a hash."""

    def __hash__(self):
        return 7


def play_in_place(self, state, action):
    state[:] = state[0] + action, 1 - state[1]
    return Mutable(state)


def play_from_memory(self, state, action):
    self.steps = getattr(self, "steps", 0) + action
    return (self.steps, 1 - state[1])


def play_from_a_list(self, state, action):
    vars(self).setdefault("left", [1, 2]).remove(action)
    return Steps.play(self, state, action)


def by_turns(*values):
    """A method that returns one value, and asked again another one."""
    turns = cycle(values)
    return lambda *_: next(turns)


IN_PLACE = {"initial_state": lambda _: Mutable((0, 0)), "play": play_in_place, "parse": Game.parse}


@pytest.mark.parametrize(
    ("method", "replacement", "said"),
    [
        ("initial_state", answer([0, 0]), ["initial_state", "[0, 0]", "tuples"]),
        (
            "initial_state",
            lambda _: OwnHash((0, 0)),
            ["initial_state", "asked again", "frozen dataclass"],
        ),
        ("play", answer([1, 0]), ["play", "[1, 0]", "tuples"]),
        ("play", lambda *_: 1 / 0, ["play((0, 0)", "ZeroDivisionError"]),
        ("play", play_from_memory, ["play((", "asked again", "arguments alone"]),
        ("play", play_from_a_list, ["play((", "raises ValueError"]),
        ("play", lambda _, state, action: (state[0], 1 - state[1]), ["After 1000", "must end"]),
        ("to_move", lambda _, state: state[1] == 1, ["to_move((0, 0)) returns False"]),
        ("to_move", by_turns(0, 1), ["to_move((", "asked again"]),
        ("legal_actions", answer(([1],)), ["returns ([1],)", "ints, strings or tuples"]),
        ("legal_actions", by_turns((1, 2), (2, 1)), ["legal_actions", "asked again"]),
        ("is_terminal", answer(None), ["is_terminal((0, 0)) returns None", "False"]),
        (
            "is_terminal",
            answer(True),
            ["is_terminal((0, 0)) is True of the initial state", "begin"],
        ),
        ("is_terminal", lambda *_: 1 / 0, ["is_terminal((0, 0)) raises ZeroDivisionError"]),
        ("returns", answer((True, False)), ["True", "from -1"]),
        ("returns", lambda *_: (random.random(), 0.0), ["returns(", "asked again"]),
        ("action_label", answer("take"), ["action_label", "'take'", "its own"]),
        ("action_label", lambda _, state, action: action, ["action_label", "a string"]),
        ("text", lambda _, state: state, ["text((0, 0)) returns (0, 0)", "a string"]),
        ("parse", answer((0, 0)), ["parse('(", "let parse read what text writes"]),
        ("parse", lambda *_: 1 / 0, ["parse('(0, 0)') raises ZeroDivisionError"]),
        ("players", (), ["players is ()"]),
        ("players", ("A", "A"), ["players is ('A', 'A')"]),
    ],
)
def test_a_fault_of_one_method_is_told_in_a_sentence(method, replacement, said):
    problem = only_problem(altered(Steps, **{method: replacement}))
    assert problem.endswith(".")
    assert all(words in problem for words in said)


class Remembering(Steps):
    """Every state after the first tells how often a game was begun."""

    begun, parse = 0, Game.parse

    def initial_state(self):
        self.begun += 1
        return (0, 0, 0)

    def play(self, state, action):
        return (state[0] + action, 1 - state[1], self.begun)


class PointsInSelf(Steps):
    """The player with more steps wins; the steps are kept in the game object."""

    def initial_state(self):
        self.points = [0, 0]
        return (0, 0)

    def play(self, state, action):
        self.points[state[1]] += action
        return Steps.play(self, state, action)

    def returns(self, state):
        first, second = self.points
        return (1, -1) if first > second else (-1, 1) if first < second else (0, 0)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (altered(Steps, **IN_PLACE), "changes the value it is given"),
        (
            altered(Steps, initial_state=lambda _: Unequal((0, 0)), parse=Game.parse),
            "frozen dataclass",
        ),
        (Remembering(), "depend on its arguments alone"),
        (PointsInSelf(), "depend on its arguments alone"),
        (altered(Steps, to_move=answer(0)), "It is never the turn of B: let to_move"),
    ],
)
def test_what_only_whole_games_show_is_found(game, said):
    assert said in only_problem(game)


# Games that are broken through and through: a report, whatever happens.


class Nasty:
    """A value whose every use raises."""

    def _refuse(self, *arguments):
        raise RuntimeError("do not touch")

    __eq__ = __ne__ = __hash__ = __repr__ = __str__ = __len__ = __iter__ = __bool__ = _refuse
    __getitem__ = __lt__ = __contains__ = _refuse


class NastySequence(Nasty, Sequence):
    """Passes for a sequence until it is used."""

    __getitem__ = __len__ = Nasty._refuse


METHODS = ["initial_state", "to_move", "legal_actions", "play", "is_terminal", "returns"]
METHODS += ["action_label", "text", "parse"]


def endlessly_recursive(self, *arguments):
    return endlessly_recursive(self, *arguments)


@pytest.mark.parametrize(
    "replacement",
    [
        boom,
        endlessly_recursive,
        answer(None),
        lambda *_: Nasty(),
        lambda *_: NastySequence(),
        lambda *_: (Nasty(), Nasty()),
        property(boom),
        7,
    ],
)
def test_a_broken_method_is_reported_and_never_raises(replacement):
    for method in METHODS:
        report = check_game(altered(Steps, **{method: replacement}), games=1)
        assert not report.ok
        assert all(problem.endswith(".") and len(problem) < 800 for problem in report.problems)


def test_what_is_no_game_is_told_so():
    assert "check_game(Steps(...))" in only_problem(Steps)
    for thing in (None, 7, "chess", object(), Nasty()):
        assert "is not a Game" in only_problem(thing)


# Notes: what may be meant.


class Env:
    """It can be played on and not copied: a copy starts again."""

    def __init__(self):
        self.left, self.player = 7, 0

    def __deepcopy__(self, memo):
        return Env()


def played_on(game, env, action):
    env = deepcopy(env)
    env.left, env.player = env.left - action, 1 - env.player
    return env


def test_copies_that_begin_anew_are_told_from_games_that_do_not_end():
    game = altered(
        Steps,
        initial_state=lambda game: Env(),
        to_move=lambda game, env: env.player,
        play=played_on,
        is_terminal=lambda game, env: env.left <= 0,
        parse=Game.parse,
    )
    assert only_problem(game).startswith("play forgets what was played: after 1000 moves")
    assert "is still False" in only_problem(altered(Corridor, is_terminal=answer(False)))
    game = altered(type(game), to_move=lambda game, env: env.player if env.left == 7 else env.whose)
    problem = check_game(game).problems[0]
    assert "AttributeError" in problem
    assert "play a copy that keeps what has happened" in problem


def test_a_position_that_comes_again_is_noted_where_exact_play_sees_no_end():
    report = check_game(Corridor())
    assert report.ok
    assert len(report.notes) == 1
    assert re.match(r"Play can come back to a position, such as \(\d, \d\): ", report.notes[0])
    assert str(report).endswith(f"  Note: {report.notes[0]}")
    assert all(
        not check_game(game).notes for game in (Steps(), TicTacToe(), Pig(12), SlipperyLake())
    )


def test_one_result_of_all_games_is_noted():
    lost, drawn = (altered(Steps, returns=answer(each)) for each in ((-1.0, 1.0), (0.0, 0.0)))
    alone = altered(Steps, returns=answer((1.0,)), players=("A",), to_move=answer(0))
    said = check_game(lost).notes[0]
    assert said.startswith("returns says of each of the 50 random games that B won: ")
    assert "that none won: " in check_game(drawn).notes[0]
    assert check_game(alone).notes == check_game(lost, games=3).notes == ()


@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.float32, np.str_, Suit, Step])
def test_check_game_saving_and_loading_have_one_law_of_moves(kind, tmp_path):
    """A move that check_game has no note about is saved, and read as an equal one."""
    moves = [kind(1)]
    game = altered(
        Steps,
        legal_actions=answer(moves),
        play=lambda game, state, move: (state[0] + 1, 1 - state[1]),
        is_terminal=lambda game, state: np.bool_(state[0] >= 6),
        to_move=lambda game, state: np.int64(state[1]),
    )
    trace, report = traced(30, game=game), check_game(game)
    assert report.ok, report
    note = report.notes[0]
    if kind in (Suit, Step):
        assert note.startswith(f"A trace with the move {moves[0]!r} cannot be saved")
        assert "is not JSON" in refused(trace.save, tmp_path / "trace.json")
    else:
        trace.save(tmp_path / "trace.json")
        again = Trace.load(tmp_path / "trace.json", MCTS(game))
        assert again.actions == trace.actions
        assert again.fork(10).actions == trace.actions
        assert note.startswith("returns says")  # of the one game that there is
