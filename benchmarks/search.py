"""How fast the search is beside its peers, in one interleaved run.

    python -m pip install -r benchmarks/requirements.txt
    python benchmarks/search.py

Each row is the peer's CPU time for one search divided by ours, of each the least of all rounds:
what else the machine does can only add to it. In every round all engines run, in a new order, and
before each the trees of the one before are freed, at nobody's cost. Where an engine takes a
game from outside it is given our states, so that engines are compared and not game classes;
open-spiel brings games of its own.
"""

from __future__ import annotations

import argparse
import gc
import platform
import random
from collections.abc import Callable
from importlib.metadata import version
from math import sqrt
from time import thread_time
from typing import Any

import multimcts as multi
import numpy as np
import pyspiel
from mcts.base.base import BaseState
from mcts.searcher import mcts as peer
from open_spiel.python.algorithms import mcts as spiel_mcts

from mcts_viz import MCTS, ConnectFour, TicTacToe
from mcts_viz.games import Game

C = sqrt(2)
SIZES = ((TicTacToe(), "tic_tac_toe", 10_000), (ConnectFour(), "connect_four", 5_000))
BARS = {
    "monte-carlo-tree-search": (2.5, 3.0),
    "multimcts": (1.4, 2.8),
    "open-spiel, Python": (8.0, 12.0),
    "open-spiel, C++": (0.2, 0.7),
}

Engine = Callable[[int], object]
"""Runs one search of so many iterations from the game's start."""


def ours(game: Game[Any, Any]) -> Engine:
    def search(iterations: int) -> object:
        return MCTS(game, c=C, seed=1).search(iterations=iterations, progress=False)

    return search


def monte_carlo_tree_search(game: Game[Any, Any]) -> Engine:
    class State(BaseState):
        __slots__ = ("state",)

        def __init__(self, state: Any) -> None:
            self.state = state

        def get_current_player(self) -> int:
            return 1 - 2 * game.to_move(self.state)

        def get_possible_actions(self) -> Any:
            return game.legal_actions(self.state)

        def take_action(self, action: Any) -> State:
            return State(game.play(self.state, action))

        def is_terminal(self) -> bool:
            return game.is_terminal(self.state)

        def get_reward(self) -> float:
            return game.returns(self.state)[0]

    start = State(game.initial_state())

    def search(iterations: int) -> object:
        engine = peer.MCTS(iteration_limit=iterations)
        return engine.search(initial_state=start), engine

    return search


def multimcts(game: Game[Any, Any]) -> Engine:
    class State(multi.GameState):  # type: ignore[misc]
        __slots__ = ("state",)

        def __init__(self, state: Any) -> None:
            self.state = state

        def get_current_team(self) -> int:
            return game.to_move(self.state)

        def get_legal_moves(self) -> list[Any]:
            return list(game.legal_actions(self.state))

        def make_move(self, move: Any) -> State:
            return State(game.play(self.state, move))

        def is_terminal(self) -> bool:
            return game.is_terminal(self.state)

        def get_reward(self) -> float:
            return game.returns(self.state)[1 - game.to_move(self.state)]  # of who moved last

        suggest_move = None  # it plays at random where a state suggests nothing

    start = State(game.initial_state())

    def search(iterations: int) -> object:
        engine = multi.MCTS(exploration_bias=C)
        return engine.search(start, max_iterations=iterations), engine

    return search


def open_spiel_python(name: str) -> Engine:
    game = pyspiel.load_game(name)
    random = np.random.RandomState(1)

    def search(iterations: int) -> object:
        evaluator = spiel_mcts.RandomRolloutEvaluator(1, random)
        bot = spiel_mcts.MCTSBot(game, C, iterations, evaluator, solve=False, random_state=random)
        return bot.mcts_search(game.new_initial_state()), bot

    return search


def open_spiel_cpp(name: str) -> Engine:
    game = pyspiel.load_game(name)

    def search(iterations: int) -> object:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, C, iterations, 1000, False, 1, False)
        return bot.mcts_search(game.new_initial_state()), bot

    return search


def cpu_seconds(engine: Engine, iterations: int) -> float:
    gc.collect()
    before = thread_time()
    tree = engine(iterations)
    passed = thread_time() - before
    del tree  # off the clock, as for engines whose trees only the collector can free
    return passed


def least_times(engines: dict[str, Engine], iterations: int, rounds: int) -> dict[str, float]:
    """By engine, the µs of CPU an iteration in its fastest round."""
    times: dict[str, list[float]] = {label: [] for label in engines}
    for engine in engines.values():
        for _ in range(10):
            engine(100)  # warm
    order = list(engines)
    for _ in range(rounds):
        random.shuffle(order)
        for label in order:
            times[label].append(cpu_seconds(engines[label], iterations))
    return {label: min(seconds) / iterations * 1e6 for label, seconds in times.items()}


def compare(rounds: int) -> None:
    columns = []
    for game, name, iterations in SIZES:
        engines = {
            "ours": ours(game),
            "monte-carlo-tree-search": monte_carlo_tree_search(game),
            "multimcts": multimcts(game),
            "open-spiel, Python": open_spiel_python(name),
            "open-spiel, C++": open_spiel_cpp(name),
        }
        columns.append(times := least_times(engines, iterations, rounds))
        told = ", ".join(f"{label} {time:.2f}" for label, time in times.items())
        print(f"{game.name}, {iterations:,} iterations, µs of CPU an iteration: {told}")
    print(f"{'our speed ÷ theirs':28} {'tic-tac-toe':>20} {'Connect Four':>20}")
    for label, bars in BARS.items():
        cells = []
        for times, bar in zip(columns, bars, strict=True):
            ratio = times[label] / times["ours"]
            cells.append(f"{ratio:.2f} (≥ {bar:g}){'' if ratio >= bar else ' missed'}")
        print(f"{label:28} {cells[0]:>20} {cells[1]:>20}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    packages = ("open_spiel", "monte-carlo-tree-search", "multimcts")
    found = ", ".join(f"{name} {version(name)}" for name in packages)
    print(f"Python {platform.python_version()}, {found}; {arguments.rounds} rounds")
    compare(arguments.rounds)


if __name__ == "__main__":
    main()
