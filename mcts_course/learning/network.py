"""A network small enough to read: NumPy, two heads, trained by playing against itself.

It looks at a board of X and O, and returns a prior over the moves and a value. A search that
it guides plays better than the network alone. So the network learns to answer as that search did,
and guides the next one better. Source: Silver et al. (2017), "Mastering the game of Go without
human knowledge"; Anthony, Tian, Barber (2017), "Thinking fast and slow with deep learning and tree
search".
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from copy import deepcopy
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mcts_viz.errors import require
from mcts_viz.games import ConnectFour, Game
from mcts_viz.search.checks import check_two_players, check_without_luck, require_whole
from mcts_viz.search.mcts import MCTS
from mcts_viz.search.running import progress_bar

from ..measure.arena import opened
from .priors import guided

Floats: TypeAlias = NDArray[np.float64]

SMALL: Final = ConnectFour(4, 5, 3)
"""The game of *Can a search teach itself?*: three in a row on 4 by 5, small enough to solve."""
ROUND: Final = 20
"""Games between two rounds of learning."""
STEPS: Final = 30
"""Steps of gradient descent in a round, each with ``SAMPLE`` positions of all games so far."""
SAMPLE: Final = 256
RATE: Final = 0.1
MOMENTUM: Final = 0.9
"""The part of a step that the next one repeats."""


class Example(NamedTuple):
    """The lesson of one search about one position."""

    cells: Floats
    """The board as the network sees it: the pieces of the player to move, then the other's."""
    legal: Floats
    """For each move: 1 if it is legal, else 0."""
    shares: Floats
    """For each move: its share of the search's visits, all together 1."""
    result: float
    """The result of this game for the player to move, in [-1, 1]."""


def softmax(numbers: Floats) -> Floats:
    """Shares that add up to 1, along the last axis."""
    weights = np.exp(numbers - numbers.max(axis=-1, keepdims=True))
    shares: Floats = weights / weights.sum(axis=-1, keepdims=True)
    return shares


class Network:
    """Cells in; one layer of ``hidden`` units; out come a number for each move, and a value.

    The game has two players and a board of ``X``, ``O`` and ``.``, and its moves are numbers from
    0, all of them legal at the start. A network is a guide of a search, and a player:
    ``network(state)`` is the move with the highest prior, found without a search.
    """

    def __init__(self, game: Game[Any, Any], hidden: int = 48, seed: int = 0) -> None:
        check_two_players(game, "a network is for games of two")
        check_without_luck(game, "A network")
        require_whole("hidden", hidden, 1, 10_000)
        require_whole("seed", seed, 0)
        self.game = game
        start = game.initial_state()
        legal = game.legal_actions(start)
        right = list(legal) == list(range(len(legal)))
        require(right, "The moves at the start", "numbers from 0, for a network", legal)
        cells, moves = len(self.look(start)), len(legal)
        draw = np.random.default_rng(seed)
        self.weights: dict[str, Floats] = {
            "cells": draw.normal(0, (2 / cells) ** 0.5, (cells, hidden)),
            "hidden": np.zeros(hidden),
            "policy": draw.normal(0, 0.1 / hidden**0.5, (hidden, moves)),
            "moves": np.zeros(moves),
            "value": draw.normal(0, 0.1 / hidden**0.5, hidden),
            "level": np.zeros(()),
        }
        self.known: dict[Any, tuple[dict[Any, float], float]] = {}
        """For each position: prior and value, kept because a search asks again and again."""

    def look(self, state: Hashable) -> Floats:
        """The board as numbers: 1 for a piece of the player to move, then for one of the other."""
        board = "".join(self.game.text(state).split())
        mine, others = ("X", "O") if self.game.to_move(state) == 0 else ("O", "X")
        return np.array(
            [sign == mine for sign in board] + [sign == others for sign in board], float
        )

    def forward(self, cells: Floats) -> tuple[Floats, Floats, Floats]:
        """The hidden units, a number for each move, and the value; of one board or of many."""
        w = self.weights
        units = np.maximum(0, cells @ w["cells"] + w["hidden"])
        return units, units @ w["policy"] + w["moves"], np.tanh(units @ w["value"] + w["level"])

    def answer(self, state: Hashable) -> tuple[dict[Any, float], float]:
        """Prior and value; rounded, so that they are the same on every machine."""
        if state not in self.known:
            _, numbers, value = self.forward(self.look(state))
            legal = list(self.game.legal_actions(state))
            shares = softmax(numbers[legal]).round(6).tolist()
            self.known[state] = dict(zip(legal, shares, strict=True)), round(float(value), 6)
        return self.known[state]

    def prior(self, state: Hashable) -> dict[Any, float]:
        """For each legal move: how promising it looks; at least 0, all together 1."""
        return self.answer(state)[0]

    def value(self, state: Hashable) -> float:
        """The estimated value of the position for the player to move, in [-1, 1]."""
        return self.answer(state)[1]

    def __call__(self, state: Hashable) -> Any:
        prior = self.prior(state)
        return max(prior, key=prior.__getitem__)

    def loss(self, examples: Sequence[Example]) -> tuple[float, dict[str, Floats]]:
        """The loss, on average, and its gradient by weight.

        The loss is the cross-entropy of prior and shares, plus the squared error of the value.
        """
        cells, legal, shares, results = map(np.array, zip(*examples, strict=True))
        units, numbers, values = self.forward(cells)
        priors = softmax(np.where(legal > 0, numbers, -1e9))
        surprise = -(shares * np.log(priors + 1e-12)).sum(axis=1)
        loss = float((surprise + (values - results) ** 2).mean())
        of_moves = (priors - shares) / len(examples)
        of_value = 2 * (values - results) * (1 - values**2) / len(examples)
        of_units = of_moves @ self.weights["policy"].T + np.outer(of_value, self.weights["value"])
        of_units *= units > 0
        return loss, {
            "cells": cells.T @ of_units,
            "hidden": of_units.sum(axis=0),
            "policy": units.T @ of_moves,
            "moves": of_moves.sum(axis=0),
            "value": units.T @ of_value,
            "level": of_value.sum(),
        }


def train(
    network: Network,
    games: int,
    *,
    iterations: int = 20,
    opening: int = 7,
    seed: int = 0,
    progress: bool | None = None,
) -> list[float]:
    """Train a network by ``games`` games against itself; return the loss of each round.

    Each move is searched with ``iterations``, guided by the network as it is by then. A
    game starts with at most ``opening`` random moves. After every round of 20 games the network
    learns from positions of all games so far. An interrupt ends the training and is passed on; what
    has been learned stays.
    """
    require(isinstance(network, Network), "network", "a Network, such as Network(SMALL)", network)
    require_whole("games", games, 1)
    require_whole("iterations", iterations, 1)
    require_whole("opening", opening, 0)
    require_whole("seed", seed, 0)
    pupil = Pupil(network, iterations, opening, seed)
    examples, losses = list[Example](), list[float]()
    with progress_bar(games, progress, unit="games") as show:
        for played in range(1, games + 1):
            examples += pupil.play()
            show(played)
            if played % ROUND == 0:
                losses.append(pupil.learn(examples))
    return losses


class Pupil:
    """A network at school: ``play()`` is one game against itself, ``learn`` one round of learning.

    The arguments are those of :func:`train`, which is a loop over the two. ``generations`` has the
    network's weights as they were at first and after each round.
    """

    def __init__(
        self, network: Network, iterations: int = 20, opening: int = 7, seed: int = 0
    ) -> None:
        self.network = network
        self._iterations = iterations
        self._opening = opening
        self._draw, self._picks = random.Random(seed), np.random.default_rng(seed)
        self._steps = {name: np.zeros_like(weight) for name, weight in network.weights.items()}
        self.generations = [deepcopy(network.weights)]

    def play(self) -> list[Example]:
        """Play one game against itself; return an example for each position."""
        return self_play(self.network, self._iterations, self._opening, self._draw)

    def learn(self, examples: Sequence[Example]) -> float:
        """Learn from these, in 30 steps of 256 picked at random; return the mean loss."""
        loss = 0.0
        for _ in range(STEPS):
            places = self._picks.integers(len(examples), size=SAMPLE)
            part, slopes = self.network.loss([examples[place] for place in places])
            loss += part / STEPS
            for name, weight in self.network.weights.items():
                self._steps[name] = MOMENTUM * self._steps[name] - RATE * slopes[name]
                weight += self._steps[name]
        self.network.known.clear()  # its outputs have changed
        self.generations.append(deepcopy(self.network.weights))
        return loss

    def generation(self, number: int) -> Network:
        """The network as it was after so many rounds."""
        earlier = Network(self.network.game, len(self.network.weights["hidden"]))
        earlier.weights = self.generations[number]
        return earlier


def self_play(
    network: Network, iterations: int, opening: int, draw: random.Random
) -> list[Example]:
    """One game; each move is picked at random, in proportion to the visits of its search."""
    game = network.game
    state, _ = opened(game, int(draw.random() * (opening + 1)), draw)
    search = MCTS(game, c=1, seed=draw.getrandbits(32), **guided(game, network))
    seen = []
    while not game.is_terminal(state):
        if search.search(state, iterations=iterations, progress=False).interrupted:
            raise KeyboardInterrupt
        actions = [child.action for child in search.root.children]
        visits = [child.visits for child in search.root.children]
        legal, shares = np.zeros((2, len(network.weights["moves"])))
        legal[actions] = 1
        shares[actions] = np.array(visits) / sum(visits)
        seen.append((network.look(state), legal, shares, game.to_move(state)))
        state = game.play(state, draw.choices(actions, visits)[0])
    returns = game.returns(state)
    return [
        Example(cells, legal, shares, returns[to_move]) for cells, legal, shares, to_move in seen
    ]
