"""The laws that hold in every tree that a search has grown, and the searches that are tried."""

import random
import signal
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from types import SimpleNamespace

from golden_traces import PENCIL
from hypothesis import strategies as st

from mcts_viz import ConnectFour, Game, GameTree, Nim, TicTacToe
from mcts_viz.games import NATURE, mover, moves_of
from mcts_viz.search import PHASES, score_terms
from mcts_viz.search.policies import can_score
from mcts_viz.search.variants import (
    epsilon_greedy,
    expand_all,
    expand_all_play_leaf,
    expand_root_only,
    max_child,
    pre_expanded,
    puct,
    rewards_of,
    root_players_view,
    secure_child,
    win_then_block,
)

GAMES = [
    TicTacToe(),
    ConnectFour(),
    ConnectFour(4, 4, connect=3),
    ConnectFour(2, 3, connect=2),
    Nim(),
    Nim((1, 2, 3)),
    PENCIL,
]
LEAVES = st.sampled_from([-1, -0.5, 0, 0.25, 1])
MOVES = st.sampled_from("abcdef")
TREES = st.dictionaries(
    MOVES,
    st.recursive(LEAVES, lambda below: st.dictionaries(MOVES, below, min_size=1), max_leaves=20),
    min_size=1,
).map(GameTree)


class Twice(GameTree):
    """A tree in which each player moves twice in a row, now and then only once."""

    def to_move(self, state):
        return (len(state) // 2 + len("".join(state)) // 3) % 2


TWICE = TREES.map(lambda game: Twice(game.tree))
SMALL = st.sampled_from([ConnectFour(2, 3, 2), ConnectFour(3, 3, 3), Nim((1, 2, 3)), Nim((4, 2))])
WALKED = st.one_of(TREES, TWICE, SMALL)

games = st.one_of(st.sampled_from(GAMES), TREES)
seeds = st.integers(0, 2**32)
constants = st.sampled_from([0, 5e-324, 0.1, 1, sqrt(2), 30, 1e9, 1e308])


POLICIES = [
    {},
    {"expansion": expand_all},
    {"expansion": expand_all_play_leaf, "playout": win_then_block},
    {"expansion": expand_root_only},
    {"initial_expansion": pre_expanded(2), "recommendation": max_child},
    {
        "selection": puct,
        "tie_break": epsilon_greedy(0.4),
        "playout": win_then_block,
        "reward": root_players_view(rewards_of(1, 0, 0)),
        "recommendation": secure_child(2),
    },
]


@dataclass(frozen=True)
class Wheel(Game):
    """A random small game: moves, wheels of fortune, rewards for every step, and a discount."""

    seed: int
    players: tuple = ("A", "B")
    discount: float = 0.9
    pays: bool = True
    value_range = (-6.0, 6.0)

    def _draw(self, *key):
        return random.Random(repr((self.seed, *key)))

    def initial_state(self):
        return ()

    def to_move(self, state):
        return len(state) % len(self.players)

    def legal_actions(self, state):
        return tuple("abc"[: self._draw(state, "moves").randint(1, 3)])

    def chances(self, state):
        draw = self._draw(state, "luck")
        if not state or self.is_terminal(state) or draw.random() < 0.5:
            return {}
        parts = [draw.random() + 0.1 for _ in range(draw.randint(1, 3))]
        return {number: part / sum(parts) for number, part in enumerate(parts)}

    def play(self, state, action):
        return (*state, action)

    def is_terminal(self, state):
        return len(state) == 4

    def _numbers(self, number):
        return (number, -number, number / 2)[: len(self.players)]

    def returns(self, state):
        return self._numbers(self._draw(state, "end").choice([-1.0, -0.5, 0.0, 1.0]))

    def reward(self, state, action, next_state):
        return self._numbers(self._draw(next_state, "paid").choice([-1.0, 0.0, 0.5]) * self.pays)


class Steps(Game):
    """A student's game: one or two steps each; who takes the sixth has won."""

    players = ("A", "B")

    def initial_state(self):
        return (0, 0)

    def to_move(self, state):
        return state[1]

    def legal_actions(self, state):
        return [1, 2]

    def play(self, state, action):
        return (state[0] + action, 1 - state[1])

    def is_terminal(self, state):
        return state[0] >= 6

    def returns(self, state):
        return (1, -1) if state[1] else (-1, 1)

    def parse(self, text):
        steps, player = text.strip("()").split(",")
        return int(steps), int(player)


class Corridor(Steps):
    """Each moves the one token a step; First wins at its left end, Second at its right one."""

    players = ("First", "Second")

    def initial_state(self):
        return (2, 0)

    def legal_actions(self, state):
        return ["left", "right"]

    def play(self, state, action):
        return super().play(state, 1 if action == "right" else -1)

    def is_terminal(self, state):
        return state[0] in (0, 5)

    def returns(self, state):
        return (1.0, -1.0) if state[0] == 0 else (-1.0, 1.0)


class Stakes(TicTacToe):
    """Tic-tac-toe in which a win of X is worth 7, and one of O 9.7."""

    value_range = (-9.7, 10)

    def returns(self, state):
        first = super().returns(state)[0]
        gain = first * (7 if first > 0 else 9.7)
        return (gain, 0.0 - gain)


def altered(kind, *given, **attributes):
    """A game, or a search, some of whose methods are replaced."""
    return type(kind.__name__, (kind,), attributes)(*given)


def answer(value):
    """A method that returns ``value``, whatever it is given."""
    return lambda *_: value


def ladder(length):
    """A game of one move in each position, so many times."""
    return altered(
        Game,
        initial_state=answer(0),
        to_move=lambda game, state: state % 2,
        legal_actions=answer((1,)),
        play=lambda game, state, action: state + action,
        is_terminal=lambda game, state: state == length,
        returns=answer((0.0, 0.0)),
    )


def three_players(*given):
    return altered(Nim, *given, players=("A", "B", "C"))


def nobody_loses(kind, *given):
    """A game whose returns do not sum to 0."""
    return altered(kind, *given, returns=lambda game, state: (1.0, 1.0))


class Diary:
    """A hook that keeps every record it gets, in order."""

    def __init__(self):
        self.records = []
        for name in PHASES:
            setattr(self, f"on_{name}", self.records.append)

    def of(self, kind):
        return [record for record in self.records if isinstance(record, kind)]


class PlantedError(Exception):
    """The error that tests raise inside a game, a policy or a hook."""


def boom(*_, **__):
    raise PlantedError


hook = SimpleNamespace
"""A hook made of functions, by their names."""


def interrupt():
    signal.raise_signal(signal.SIGINT)


def at_call(number, action):
    """A function that does ``action`` when it is called for the so-manieth time."""
    calls = iter(range(1, 10**9))
    return lambda *record: action() if next(calls) == number else None


def states_of(game, seed):
    """The states of one random game, from the first to the last."""
    rng, states = random.Random(seed), [game.initial_state()]
    while not game.is_terminal(states[-1]):
        states.append(game.play(states[-1], rng.choice(game.legal_actions(states[-1]))))
    return states


def position(game, seed):
    """The start of the game, or a position some random moves later that is still in play."""
    *states, _ = states_of(game, seed)
    return states[seed % min(7, len(states))]


def reachable(game, state=None):
    """Every position from ``state`` on."""
    known, waiting = set(), [game.initial_state() if state is None else state]
    while waiting:
        state = waiting.pop()
        if state not in known:
            known.add(state)
            if not game.is_terminal(state):
                waiting += [game.play(state, action) for action in moves_of(game, state)]
    return known


def check_tree(search, game=None, visits_before=0):
    """All that is true of a whole tree, whatever the game and the policies."""
    assert search.root.visits == search.iterations + visits_before
    assert search.root is search.nodes[0]
    assert [node.id for node in search.nodes] == list(range(len(search.nodes)))
    births = [node.created_at for node in search.nodes]
    assert births == sorted(births)
    assert births[0] == 0
    assert births[-1] <= search.iterations
    assert {id(child) for node in search.nodes for child in node.children} == {
        id(node) for node in search.nodes[1:]
    }
    for node in search.nodes:
        check_node(game or search.game, node)


def check_node(game, node):
    tried, who = [child.action for child in node.children], mover(game, node.state)
    if node.chances:
        assert who == NATURE
        assert {*tried} <= {*node.chances}
        assert not node.untried
    elif node.untried is None:
        assert not tried
    else:
        legal = [] if game.is_terminal(node.state) else game.legal_actions(node.state)
        assert Counter(tried + node.untried) == Counter(legal)
    for child in node.children:
        assert child.created_at >= node.created_at
        assert child.state == game.play(node.state, child.action)
        assert child.player_just_moved == (node.player_just_moved if node.chances else who)
    assert node.visits >= sum(child.visits for child in node.children)
    if node.visits:
        assert node.mean == node.wins / node.visits
        assert node.inv_sqrt_visits == 1 / sqrt(node.visits)


def check_numbers(search, at):
    """At this moment of a recording, each node has the numbers that it has in the search."""
    assert at.visits.tolist() == [node.visits for node in search.nodes]
    assert at.wins.tolist() == [node.wins for node in search.nodes]


def plain(search):
    """The tree as values, to compare two searches."""
    return [
        (parent and parent.id, node.action, node.created_at, node.visits, node.wins)
        for node, parent in parents(search).items()
    ]


def parents(search):
    """By node, in order of creation, the node above it; the root has none."""
    above = {child: node for node in search.nodes for child in node.children}
    return {node: above.get(node) for node in search.nodes}


def check_terms(search, at):
    """At this moment of a recording, each score is made of the terms that the rule gives for it."""
    rule = search.selection
    for node, parent in parents(search).items():
        is_scored = parent and not parent.chances and can_score(rule, node)
        terms = score_terms(rule, node, parent, search.c) if is_scored else None
        assert at.terms(node.id) == terms
        assert at.score(node.id) == (sum(terms) if terms else None)


def half(returns, player):
    """The reward of a result for ``player``, in [0, 1], exactly."""
    return (Fraction(returns[player]) + 1) / 2
