"""How fast the search is beside its peers, in one interleaved run.

    python -m pip install -r benchmarks/requirements.txt
    python benchmarks/search.py

Each row is the median, over the rounds, of the peer's CPU time for one search divided by ours in
the same round. Where an engine takes a game from outside it is given our states, so that engines
are compared and not game classes; open-spiel brings games of its own.
"""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable
from importlib.metadata import version
from math import sqrt
from statistics import median
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
    search = MCTS(game, c=C, seed=1)
    return lambda iterations: search.search(iterations=iterations, progress=False)


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
    return lambda iterations: peer.MCTS(iteration_limit=iterations).search(initial_state=start)


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
    return lambda iterations: multi.MCTS(exploration_bias=C).search(
        start, max_iterations=iterations
    )


def open_spiel_python(name: str) -> Engine:
    game = pyspiel.load_game(name)
    random = np.random.RandomState(1)

    def search(iterations: int) -> object:
        evaluator = spiel_mcts.RandomRolloutEvaluator(1, random)
        bot = spiel_mcts.MCTSBot(game, C, iterations, evaluator, solve=False, random_state=random)
        return bot.mcts_search(game.new_initial_state())

    return search


def open_spiel_cpp(name: str) -> Engine:
    game = pyspiel.load_game(name)

    def search(iterations: int) -> object:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, C, iterations, 1000, False, 1, False)
        return bot.mcts_search(game.new_initial_state())

    return search


def cpu_seconds(engine: Engine, iterations: int) -> float:
    before = thread_time()
    engine(iterations)
    return thread_time() - before


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
        times: dict[str, list[float]] = {engine: [] for engine in engines}
        for engine in engines.values():
            engine(200)  # warm
        for _ in range(rounds):
            for label, engine in engines.items():
                times[label].append(cpu_seconds(engine, iterations))
        columns.append(times)
        own = median(times["ours"]) / iterations * 1e6
        print(f"{game.name}: {iterations:,} iterations, ours {own:.2f} µs of CPU an iteration")
    print(f"{'our speed ÷ theirs':28} {'tic-tac-toe':>16} {'Connect Four':>16}")
    for label, bars in BARS.items():
        cells = []
        for times, bar in zip(columns, bars, strict=True):
            pairs = zip(times[label], times["ours"], strict=True)
            ratio = median(theirs / own for theirs, own in pairs)
            cells.append(f"{ratio:6.2f} (≥ {bar:g}){'' if ratio >= bar else ' missed'}")
        print(f"{label:28} {cells[0]:>16} {cells[1]:>16}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    packages = ("open_spiel", "monte-carlo-tree-search", "multimcts")
    found = ", ".join(f"{name} {version(name)}" for name in packages)
    print(f"Python {platform.python_version()}, {found}; {arguments.rounds} rounds")
    compare(arguments.rounds)


if __name__ == "__main__":
    main()
