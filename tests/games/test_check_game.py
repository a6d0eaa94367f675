"""check_game: silent on a sound game, and a plain sentence for each planted fault."""

import random
from collections.abc import Sequence

import pytest

from mcts_viz.errors import GameError
from mcts_viz.games import Game, Playout, check_game


class Pile(Game):
    """Take one to three from a pile of seven; the last object wins. A state is (player, left)."""

    players = ("A", "B")

    def initial_state(self):
        return (0, 7)

    def to_move(self, state):
        return state[0]

    def legal_actions(self, state):
        return tuple(range(1, min(3, state[1]) + 1))

    def play(self, state, action):
        if action not in self.legal_actions(state):
            raise GameError(f"{action!r} is not legal: take from 1 to 3.")
        return (1 - state[0], state[1] - action)

    def is_terminal(self, state):
        return state[1] == 0

    def returns(self, state):
        return (-1, 1) if state[0] == 0 else (1, -1)

    def parse(self, text):
        player, left = text.strip("()").split(",")
        return (int(player), int(left))

    def fast_playout(self, state, random):
        actions = []
        while state[1]:
            action = 1 + int(random.random() * min(3, state[1]))
            actions.append(action)
            state = (1 - state[0], state[1] - action)
        return Playout(actions, self.returns(state))


def pile_with(**attributes):
    """A pile game with some of its methods replaced."""
    return type("Broken", (Pile,), attributes)()


def only_problem(game):
    report = check_game(game)
    assert not report
    assert len(report.problems) == 1, report
    return report.problems[0]


def test_a_report_is_true_or_a_list_of_problems():
    report = check_game(Pile())
    assert report
    assert report.problems == ()
    assert str(report).startswith("Pile: no problem found.\n  Note: 50 random games of 3 to ")
    report = check_game(pile_with(is_terminal=lambda self, state: 0, parse=Game.parse))
    assert str(report).splitlines()[0] == "Broken: 1 problem."
    assert str(report).splitlines()[1].startswith("  1. is_terminal((0, 7)) returns 0: return")
    for games in (0, -1, 2.5, "50", None, True):
        with pytest.raises(GameError, match="games must be a whole number"):
            check_game(Pile(), games=games)


# Faults of single methods: what replaces them, and what the one problem says.


class Unequal:
    """A state that is not equal to its twin."""


class OwnHash:
    """A state that is equal to its twin, but not by its hash."""

    def __eq__(self, other):
        return isinstance(other, OwnHash)

    __hash__ = object.__hash__


class Mutable:
    """A state that can be changed in place, although it has a hash."""

    def __init__(self, player=0, left=7):
        self.player, self.left = player, left

    def __eq__(self, other):
        return (self.player, self.left) == (other.player, other.left)

    def __hash__(self):
        return 7

    def __iter__(self):
        return iter((self.player, self.left))

    def __getitem__(self, i):
        return (self.player, self.left)[i]


def take_in_place(self, state, action):
    state.player, state.left = 1 - state.player, state.left - action
    return Mutable(*state)


def take_from_memory(self, state, action):
    self.left = getattr(self, "left", 7) - action
    return (1 - state[0], self.left)


def player_just_moved_in_memory(self, state):
    self.calls = getattr(self, "calls", 0) + 1
    return self.calls % 2


def actions_reversed_when_asked_again(self, state):
    self.flip = not getattr(self, "flip", False)
    return Pile.legal_actions(self, state)[:: 1 if self.flip else -1]


def division_by_zero(self, state):
    return state[1] // (state[1] - state[1])


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        # initial_state and play
        ({"initial_state": lambda self: [0, 7]}, ["initial_state", "[0, 7]", "tuples"]),
        ({"initial_state": lambda self: Unequal()}, ["initial_state()", "not equal", "__eq__"]),
        ({"initial_state": lambda self: OwnHash()}, ["initial_state", "hash", "frozen dataclass"]),
        ({"initial_state": lambda self: (0, 0)}, ["is_terminal((0, 0))", "before it is over"]),
        ({"play": lambda self, state, action: [1, 0]}, ["play", "[1, 0]", "tuples"]),
        (
            {"play": lambda self, state, action: 1 / 0},
            ["play((0, 7)", "ZeroDivisionError", "line "],
        ),
        ({"play": take_from_memory}, ["play((0, 7)", "asked again", "arguments alone"]),
        (
            {"initial_state": lambda self: Mutable(), "play": take_in_place, "parse": Game.parse},
            ["play(", "changes the value it is given", "new values"],
        ),
        (
            {"play": lambda self, state, action: (1 - state[0], state[1])},
            ["After 1000", "must end"],
        ),
        # to_move
        ({"to_move": lambda self, state: state[0] + 1}, ["to_move", "from 0 to 1"]),
        ({"to_move": lambda self, state: state[0] == 1}, ["to_move((0, 7)) returns False"]),
        (
            {"to_move": player_just_moved_in_memory},
            ["to_move((0, 7)) returns 1 and, asked again, 0"],
        ),
        # legal_actions
        ({"legal_actions": lambda self, state: ()}, ["legal_actions((0, 7)) returns ()", "pass"]),
        ({"legal_actions": lambda self, state: iter((1,))}, ["legal_actions", "a sequence"]),
        ({"legal_actions": lambda self, state: (1, 1)}, ["returns (1, 1)", "once"]),
        ({"legal_actions": lambda self, state: ([1],)}, ["returns ([1],)", "a hash"]),
        ({"legal_actions": actions_reversed_when_asked_again}, ["legal_actions", "asked again"]),
        # is_terminal
        ({"is_terminal": lambda self, state: None}, ["is_terminal((0, 7)) returns None", "False"]),
        ({"is_terminal": division_by_zero}, ["is_terminal((0, 7)) raises", "in division_by_zero"]),
        # returns
        ({"returns": lambda self, state: 1}, ["returns 1", "tuple"]),
        ({"returns": lambda self, state: (2, -2)}, ["returns (2, -2)", "from -1"]),
        ({"returns": lambda self, state: (float("nan"), 0)}, ["nan", "from -1"]),
        ({"returns": lambda self, state: (True, False)}, ["True", "from -1"]),
        ({"returns": lambda self, state: (random.random(), 0.0)}, ["returns(", "asked again"]),
        # texts
        (
            {"action_label": lambda self, state, action: "take"},
            ["action_label", "'take'", "its own"],
        ),
        ({"action_label": lambda self, state, action: action}, ["action_label", "a string"]),
        ({"text": lambda self, state: state}, ["text((0, 7)) returns (0, 7)", "a string"]),
        ({"parse": lambda self, text: (0, 7)}, ["parse('(", "let parse read what text writes"]),
        ({"parse": lambda self, text: 1 / 0}, ["parse('(0, 7)') raises ZeroDivisionError"]),
        # the players
        ({"players": ()}, ["players is ()"]),
        ({"players": ("A", "A")}, ["players is ('A', 'A')"]),
    ],
)
def test_a_fault_is_told_in_a_sentence(attributes, said):
    problem = only_problem(pile_with(**attributes))
    assert problem.endswith(".")
    for words in said:
        assert words in problem


class Remembering(Pile):
    """Every state after the first tells how often a game was begun."""

    begun, parse, fast_playout = 0, Game.parse, None

    def initial_state(self):
        self.begun += 1
        return (0, 7, 0)

    def play(self, state, action):
        return (1 - state[0], state[1] - action, self.begun)


class PointsInSelf(Pile):
    """Whoever has taken more wins; the points are kept in the game object."""

    def initial_state(self):
        self.points = [0, 0]
        return (0, 7)

    def play(self, state, action):
        self.points[state[0]] += action
        return Pile.play(self, state, action)

    def returns(self, state):
        first, second = self.points
        return (1, -1) if first > second else (-1, 1) if first < second else (0, 0)

    fast_playout = None


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (Remembering(), "keep all that changes during a game in the state"),
        (PointsInSelf(), "nothing in the game object"),
        (pile_with(to_move=lambda self, state: 0), "to_move never returns 1, so B never moves"),
    ],
)
def test_what_only_whole_games_show_is_found(game, said):
    assert said in only_problem(game)


# The optional fast playout.


def fast_with(change):
    """A fast playout that is sound but for ``change``, applied to its actions and returns."""

    def fast_playout(self, state, random):
        return Playout(*change(*Pile.fast_playout(self, state, random)))

    return pile_with(fast_playout=fast_playout)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (fast_with(lambda actions, returns: ([9, *actions], returns)), "where 9 is not legal"),
        (fast_with(lambda actions, returns: ([*actions, 1], returns)), "is not legal"),
        (fast_with(lambda actions, returns: (actions[:-1], returns)), "does not end the game"),
        (fast_with(lambda actions, returns: (actions, returns[::-1])), "with the returns (-1, 1)"),
        (fast_with(lambda actions, returns: (None, returns)), "return Playout(actions, returns)"),
        (pile_with(fast_playout=lambda self, state, random: 1), "return Playout(actions, returns)"),
        (pile_with(fast_playout=lambda self, state, random: 1 / 0), "raises ZeroDivisionError"),
        (pile_with(fast_playout=lambda self, state: 1), "raises TypeError"),
    ],
)
def test_a_fast_playout_is_held_against_the_rules(game, said):
    problem = only_problem(game)
    assert problem.startswith("fast_playout((")
    assert said in problem


def test_what_is_worth_knowing_without_being_wrong_is_noted():
    report = check_game(pile_with(returns=lambda self, state: (1, 1)))
    assert report.ok
    assert any("minimax does not apply" in note for note in report.notes)

    class Sized(Pile):
        def __init__(self, size):
            self.size = size

    class Honest(Sized):
        def parameters(self):
            return {"size": self.size}

    assert "saved trace cannot find its game" in str(check_game(Sized(5)))
    assert "saved trace" not in str(check_game(Honest(5)))


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
METHODS += ["action_label", "text", "parse", "fast_playout", "parameters"]


def raising(error):
    def method(self, *arguments):
        raise error

    return method


def endlessly_recursive(self, *arguments):
    return endlessly_recursive(self, *arguments)


@pytest.mark.parametrize(
    "replacement",
    [
        raising(KeyError(7)),
        endlessly_recursive,
        lambda self, *arguments: None,
        lambda self, *arguments: Nasty(),
        lambda self, *arguments: NastySequence(),
        lambda self, *arguments: (Nasty(), Nasty()),
        property(raising(ValueError("property"))),
        7,
    ],
)
def test_a_broken_method_is_reported_and_never_raises(replacement):
    for method in METHODS:
        report = check_game(pile_with(**{method: replacement}), games=1)
        assert not report.ok
        assert all(problem.endswith(".") and len(problem) < 800 for problem in report.problems)


def test_what_is_no_game_is_told_so():
    assert "check_game(Pile(...))" in only_problem(Pile)
    for thing in (None, 7, "chess", object(), Nasty()):
        assert "is not a Game" in only_problem(thing)

    class Bare:
        players = ("A", "B")

    for name in METHODS[:6]:
        setattr(Bare, name, getattr(Pile, name))
    assert "class Bare(Game)" in only_problem(Bare())
