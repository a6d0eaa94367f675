"""A network small enough to read: NumPy, two heads, trained by playing against itself.

It looks at a board of X and O, and returns a prior over the moves and a value. A search that
it guides plays better than the network alone. So the network learns to answer as that search did,
and guides the next one better. Source: Silver et al. (2017), "Mastering the game of Go without
human knowledge"; Anthony, Tian, Barber (2017), "Thinking fast and slow with deep learning and tree
search".

``python -m mcts_course.network`` trains the networks of lesson 16 and writes them to a file.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mcts_viz.errors import SearchError, short_repr
from mcts_viz.games import ConnectFour, Game
from mcts_viz.search.mcts import MCTS
from mcts_viz.search.running import progress_bar

from .arena import opened
from .priors import guided

Floats: TypeAlias = NDArray[np.float64]

SMALL: Final = ConnectFour(4, 5, 3)
"""The game of lesson 16: three in a row on 4 by 5 cells; exact play can be computed."""
FILE: Final = Path(__file__).with_name("networks.npz")
TRAINED: Final = {
    "varied 100": (7, 100),
    "varied 400": (7, 400),
    "varied 1600": (7, 1600),
    "narrow 1600": (0, 1600),
}
"""By name: the most random moves at the start of its games, and the number of games."""

BATCH: Final = 20
"""Games between two rounds of learning."""
MEMORY: Final = 30_000
"""Positions to learn from; the oldest are forgotten."""
STEPS: Final = 30
"""Steps of gradient descent in a round, each with ``SAMPLE`` positions."""
SAMPLE: Final = 256
RATE: Final = 0.005
DECAY: Final = 1e-4
"""The pull of each weight towards 0, so that none grows without need."""


class Example(NamedTuple):
    """The lesson of one search about one position."""

    cells: Floats
    """The board as the network sees it: the pieces of the player to move, then the other's."""
    legal: Floats
    """By move: 1 if it is legal, else 0."""
    shares: Floats
    """By move: its share of the search's visits, all together 1."""
    result: float
    """The result of this game for the player to move, in [-1, 1]."""


class Network:
    """Cells in; one layer of ``hidden`` units; out come a number for each move, and a value.

    The game has two players and a board of ``X``, ``O`` and ``.``, and its moves are numbers from
    0, all of them legal at the start. A network is a guide of a search, and a player:
    ``network(state)`` is the move with the highest prior, found without a search.
    """

    def __init__(self, game: Game[Any, Any], hidden: int = 48, seed: int = 0) -> None:
        self.game = game
        start = game.initial_state()
        cells, moves = len(self.look(start)), len(game.legal_actions(start))
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
        """By position: prior and value, kept because a search asks again and again."""

    @property
    def size(self) -> int:
        """The number of its weights."""
        return sum(weights.size for weights in self.weights.values())

    def look(self, state: Any) -> Floats:
        """The board as numbers: 1 for a piece of the player to move, then for one of the other."""
        board = "".join(self.game.text(state).split())
        mine, others = ("X", "O") if self.game.to_move(state) == 0 else ("O", "X")
        return np.array([sign == mine for sign in board] + [sign == others for sign in board], float)

    def forward(self, cells: Floats) -> tuple[Floats, Floats, Floats]:
        """The hidden units, a number for each move, and the value; of one board or of many."""
        w = self.weights
        units = np.maximum(0, cells @ w["cells"] + w["hidden"])
        return units, units @ w["policy"] + w["moves"], np.tanh(units @ w["value"] + w["level"])

    def answer(self, state: Any) -> tuple[dict[Any, float], float]:
        """Prior and value; rounded, so that they are the same on every machine."""
        if state not in self.known:
            _, numbers, value = self.forward(self.look(state))
            legal = list(self.game.legal_actions(state))
            weights = np.exp(numbers[legal] - numbers[legal].max())
            shares = (weights / weights.sum()).round(6).tolist()
            self.known[state] = dict(zip(legal, shares, strict=True)), round(float(value), 6)
        return self.known[state]

    def prior(self, state: Any) -> dict[Any, float]:
        """By legal move: how promising it looks; at least 0, all together 1."""
        return self.answer(state)[0]

    def value(self, state: Any) -> float:
        """The estimated value of the position for the player to move, in [-1, 1]."""
        return self.answer(state)[1]

    def __call__(self, state: Any) -> Any:
        prior = self.prior(state)
        return max(prior, key=prior.__getitem__)

    def __repr__(self) -> str:
        return f"<Network for {self.game.name}: {self.size:,} weights>"

    # Learning --------------------------------------------------------------------------------

    def loss(self, examples: Sequence[Example]) -> tuple[float, dict[str, Floats]]:
        """The loss, on average, and its gradient by weight.

        The loss is the cross-entropy of prior and shares, plus the squared error of the value.
        """
        cells, legal, shares, results = map(np.array, zip(*examples, strict=True))
        units, numbers, values = self.forward(cells)
        numbers = np.where(legal > 0, numbers, -1e9)
        weights = np.exp(numbers - numbers.max(axis=1, keepdims=True))
        priors = weights / weights.sum(axis=1, keepdims=True)
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


class Adam:
    """Gradient descent whose step suits each weight. Source: Kingma and Ba (2015)."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self.weights = weights
        self.steps = 0
        self.means = {name: np.zeros_like(weight) for name, weight in weights.items()}
        self.squares = {name: np.zeros_like(weight) for name, weight in weights.items()}

    def step(self, slopes: dict[str, Floats], rate: float) -> None:
        """Move each weight a little way down its slope."""
        self.steps += 1
        for name, weight in self.weights.items():
            slope = slopes[name] + DECAY * weight
            self.means[name] += 0.1 * (slope - self.means[name])
            self.squares[name] += 0.001 * (slope**2 - self.squares[name])
            mean = self.means[name] / (1 - 0.9**self.steps)
            square = self.squares[name] / (1 - 0.999**self.steps)
            weight -= rate * mean / (np.sqrt(square) + 1e-8)


def train(
    network: Network,
    games: int,
    *,
    iterations: int = 40,
    opening: int = 7,
    seed: int = 0,
    progress: bool | None = None,
    after: Callable[[int], object] = lambda games: None,
) -> list[float]:
    """Train a network by ``games`` games against itself; return the loss of each round.

    Each move is searched with ``iterations``, guided by the network as it is by then. A
    game starts with at most ``opening`` random moves. After every round of 20 games the network
    learns from positions of all games so far, and ``after`` gets the number of games played. An
    interrupt ends the training and is passed on; what has been learned stays.
    """
    draw, picks = random.Random(seed), np.random.default_rng(seed)
    adam, examples, losses = Adam(network.weights), list[Example](), list[float]()
    with progress_bar(games, progress, unit="games") as show:
        for played in range(1, games + 1):
            examples += _self_play(network, iterations, opening, draw)
            show(played)
            if played % BATCH and played < games:
                continue
            examples = examples[-MEMORY:]
            rate = RATE * (1.0 if played < 0.6 * games else 0.3 if played < 0.85 * games else 0.1)
            loss = 0.0
            for _ in range(STEPS):
                places = picks.integers(len(examples), size=SAMPLE)
                part, slopes = network.loss([examples[place] for place in places])
                adam.step(slopes, rate)
                loss += part / STEPS
            network.known.clear()  # its outputs have changed
            losses.append(loss)
            after(played)
    return losses


def _self_play(network: Network, iterations: int, opening: int, draw: random.Random) -> list[Example]:
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
    return [Example(cells, legal, shares, returns[to_move]) for cells, legal, shares, to_move in seen]


# The networks of lesson 16 -------------------------------------------------------------------


def trained(name: str) -> Network:
    """A network that comes with the course, by its name in ``TRAINED``."""
    if name not in TRAINED:
        raise SearchError(f"{short_repr(name)} is not a trained network: take one of {', '.join(TRAINED)}.")
    network = Network(SMALL)
    with np.load(FILE, allow_pickle=False) as file:
        for weight in network.weights:
            network.weights[weight] = file[f"{name} {weight}"].astype(float)
    return network


def main() -> None:
    """Train the networks of lesson 16, a few minutes each, and write their file."""
    kept: dict[str, NDArray[np.float32]] = {}
    for opening in sorted({opening for opening, _ in TRAINED.values()}):
        names = {games: name for name, (most, games) in TRAINED.items() if most == opening}
        network = Network(SMALL, seed=1)

        def keep(games: int, network: Network = network, names: dict[int, str] = names) -> None:
            if games in names:
                for weight, values in network.weights.items():
                    kept[f"{names[games]} {weight}"] = values.astype(np.float32)

        train(network, max(names), opening=opening, seed=1, after=keep)
    np.savez_compressed(FILE, **kept)  # type: ignore[arg-type]  # the stubs want a flag here


if __name__ == "__main__":
    main()
