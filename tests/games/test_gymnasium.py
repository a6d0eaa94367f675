"""Gymnasium's environments: exact tables against value iteration on the table itself."""

import random
import threading
from functools import partial

import numpy as np
import pytest
from refusals import refused
from searches import traced, uct

from mcts_viz import Film, GameError, solve
from mcts_viz.games import GymnasiumCopies, GymnasiumTable, OpenSpielGame, check_game
from mcts_viz.trace.storage import from_json, to_json

gymnasium = pytest.importorskip("gymnasium")
TABLES = ["FrozenLake-v1", "CliffWalking-v1", "Taxi-v4"]


def value_iteration(name, discount):
    """The value of each state of the table, worked out as the textbook does."""
    table = gymnasium.make(name).unwrapped.P
    values = dict.fromkeys(table, 0.0)
    for _ in range(3_000):
        before = dict(values)
        for state, actions in table.items():
            values[state] = max(
                sum(
                    p * (r + (0 if over else discount * values[after]))
                    for p, after, r, over in outcomes
                )
                for outcomes in actions.values()
            )
        if max(abs(values[state] - before[state]) for state in table) < 1e-14:
            break
    return values


@pytest.mark.parametrize("name", TABLES)
def test_exact_values_are_those_of_the_table(name):
    game = GymnasiumTable(name, discount=0.95)
    values = value_iteration(name, 0.95)
    assert values
    for state in list(values)[::17]:
        start = (state, -1, False)
        assert game.parse(game.text(start)) == start
        assert solve(game, start).value == pytest.approx(values[state], abs=1e-9)


@pytest.mark.parametrize(
    ("make", "name", "iterations"),
    [
        (GymnasiumTable, "FrozenLake-v1", 200),
        (partial(GymnasiumCopies, range=(0, 500)), "CartPole-v1", 20),
    ],
)
def test_a_search_of_it_is_saved_filmed_and_checked(make, name, iterations):
    game = make(name)
    trace = traced(iterations, game=game)
    wins = trace.wins(iterations).tolist()
    assert from_json(to_json(trace)).wins(iterations).tolist() == wins
    assert Film(trace).payload()
    assert check_game(game, games=2).ok


def test_what_cannot_be_searched_is_refused_in_a_sentence():
    for make, given, words in (
        (GymnasiumTable, ("Nope-v1",), "Gymnasium cannot make 'Nope-v1'"),
        (GymnasiumTable, ("CartPole-v1",), "GymnasiumCopies('CartPole-v1'"),
        (GymnasiumTable, ("CliffWalking-v1", 1.0), "give it range=(least, most)"),
        (GymnasiumTable, ("FrozenLake-v1", 2.0), "discount must be above 0"),
        (GymnasiumTable, ("FrozenLake-v1", 0.9, 99), "has no state 99"),
        (GymnasiumCopies, ("Pendulum-v1", (0, 1)), "take one with numbered actions"),
    ):
        assert words in refused(make, *given, _kind=GameError)


def test_openspiels_dice_are_natures_moves():
    pytest.importorskip("pyspiel")
    game = OpenSpielGame("pig(horizon=30)")
    assert check_game(game, games=5).ok
    trace = traced(100, game=game)
    assert from_json(to_json(trace)).player_just_moved.tolist() == trace.player_just_moved.tolist()
    assert trace.chance.any()
    backgammon = OpenSpielGame("backgammon")
    start = backgammon.play(backgammon.initial_state(), next(iter(backgammon.chances(()))))
    result = uct(game=backgammon).search(start, iterations=5)
    assert result.best_action in backgammon.legal_actions(start)


# Copies are proven.


class Climb(gymnasium.Env):
    """Steps of one or two up a stair of twelve, of which each pays its number."""

    action_space = gymnasium.spaces.Discrete(2)
    observation_space = gymnasium.spaces.Discrete(14)
    at = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.at = 0
        return 0, {}

    def luck(self):
        return 0

    def step(self, action):
        self.at = min(13, self.at + 1 + int(action) + self.luck())
        return self.at, float(self.at), self.at >= 12, False, {}


class OwnLuck(Climb):
    def luck(self):
        return int(self.np_random.integers(2))


class SharedLuck(Climb):
    def luck(self):
        return random.choice([0, 0, 0, 1])


class NumpysLuck(Climb):
    def luck(self):
        return int(np.random.randint(2))


class Unseeded(Climb):
    """Most replays are alike."""

    def luck(self):
        return int(np.random.default_rng().integers(4) == 0)


class Anew(Climb):
    def __deepcopy__(self, memo):
        copy = type(self)()
        copy.reset()
        return copy


class MadeAgain(gymnasium.utils.EzPickle, Climb):
    """A copy is made by the constructor, and wants a reset."""

    def __init__(self):
        gymnasium.utils.EzPickle.__init__(self)

    def reset(self, seed=None, options=None):
        self.ready = True
        return super().reset(seed=seed)

    def step(self, action):
        assert self.ready
        return super().step(action)


class Simulator:
    at = 0


class Shared(Climb):
    """A climb whose place is kept outside of it."""

    at = property(lambda self: Simulator.at, lambda self, at: setattr(Simulator, "at", at))


class Handle(Climb):
    """A climb that holds a thing that cannot be copied."""

    def __init__(self):
        self.lock = threading.Lock()


class Masked(Climb):
    """At first, and on each third stair, only two at once are allowed."""

    names = ("info",)

    def mask(self):
        return np.array([self.at % 3 != 0, True], np.int8)

    def reset(self, seed=None, options=None):
        observed, info = super().reset(seed=seed)
        return observed, {"action_mask": self.mask()} if self.names else info

    def step(self, action):
        if not self.mask()[action]:
            raise ValueError("one step is not allowed here")
        *said, info = super().step(action)
        return *said, {"action_mask": self.mask()} if self.names else info


class Unnamed(Masked):
    names = ()


ENVIRONMENTS = {
    Climb: "",
    OwnLuck: "",
    Masked: "",
    SharedLuck: "draws luck that reset(seed) does not rule",
    NumpysLuck: "draws luck that reset(seed) does not rule",
    Unseeded: "draws luck that reset(seed) does not rule",
    Anew: "cannot be copied, as its deep copy starts again",
    MadeAgain: "cannot be copied, as its deep copy starts again",
    Shared: "cannot be copied, as its copies share a simulator",
    Handle: "cannot be copied (cannot pickle '_thread.lock' object): ",
    Unnamed: "refuses the action 0 after ",
}


@pytest.mark.parametrize("kind", ENVIRONMENTS)
def test_copies_are_proven_and_it_is_said_what_is_wrong_with_them(kind):
    name = f"{kind.__name__}-v0"
    gymnasium.register(name, kind, disable_env_checker=True)
    before = random.getstate(), np.random.get_state()[1].tolist()
    try:
        if said := ENVIRONMENTS[kind]:
            assert refused(GymnasiumCopies, name, (0, 150)).startswith(f"{name} {said}")
            return
        game = GymnasiumCopies(name, range=(0, 150), seed=3)
        assert (random.getstate(), np.random.get_state()[1].tolist()) == before
    finally:
        del gymnasium.registry[name]
    assert game.legal_actions(()) == ((1,) if kind is Masked else (0, 1))
    assert check_game(game, games=5).ok
    trace = traced(150, game=game)
    state = trace.state(int(trace.leaf[-1]))
    made = kind()
    made.reset(seed=3)
    paid = [made.step(action)[1] for action in state]
    reached = [state[: at + 1] for at in range(len(state))]
    assert paid == [game.reward(at[:-1], at[-1], at)[0] for at in reached]
