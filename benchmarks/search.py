"""The speed of the search next to its peers, in one interleaved run.

    python -m pip install -r benchmarks/requirements.txt
    python benchmarks/search.py

Each row is the peer's CPU time for one search divided by ours, of each the least of all rounds:
what else the machine does can only add to it. In every round all engines run, in a new order, and
before each the trees of the one before are freed, which costs no engine. Where an engine takes a
game from outside it is given our states, so that engines are compared and not game classes;
open-spiel brings games of its own. Our compiled engine writes a whole trace in its time.

``--sizes`` measures searches of 2,000 and 20,000 iterations, where a C compiler is installed beside
``uct.c``: UCT in plain C, without a trace, as the limit of what is possible.

Where valgrind is installed, ``--instructions`` counts what the processor does instead, for the
readable engine and open-spiel: each search runs in a process of its own, and one of a single
iteration is taken off. That takes minutes and is the same in every run, however busy the machine.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from math import sqrt
from pathlib import Path
from time import thread_time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts as spiel_mcts

from mcts_fast import FastMCTS
from mcts_viz import MCTS, ConnectFour, TicTacToe
from mcts_viz.games import Game

C = sqrt(2)
SIZES = ((TicTacToe(), "tic_tac_toe", 10_000), (ConnectFour(), "connect_four", 5_000))
PYTHON = "open-spiel, Python"
CPP = "open-spiel, C++"
BARS = {
    "readable": {
        "monte-carlo-tree-search": (2.5, 3.0),
        "multimcts": (1.4, 2.8),
        PYTHON: (7.5, 12.0),
        CPP: (0.18, 0.85),
    },
    "compiled": {PYTHON: (100.0, 100.0), CPP: (2.0, 10.0)},
}
"""By our engine and its peer: how many times as fast ours is to be, on each game."""

LIMIT = "plain C"
MOST_TIMES = {2000: 4.0, 20_000: 2.5}
"""By iterations: how many times as long as in plain C the compiled search may take."""

Engine = Callable[[int], object]
"""Runs one search of so many iterations from the game's start."""


def ours(game: Game[Any, Any]) -> Engine:
    def search(iterations: int) -> object:
        search = MCTS(game, c=C, seed=1)
        return search.search(iterations=iterations, progress=False)

    return search


def compiled(game: Game[Any, Any]) -> Engine:
    def search(iterations: int) -> object:
        return FastMCTS(game, c=C, seed=1).record(iterations=iterations)

    return search


def monte_carlo_tree_search(game: Game[Any, Any]) -> Engine:
    from mcts.base.base import BaseState
    from mcts.searcher import mcts as peer

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
    import multimcts as multi

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


def plain_c(name: str) -> Engine:
    """The search of ``uct.c``, compiled for this processor."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "uct.so"
        options = ["-O3", "-march=native", "-shared", "-fPIC", "-o", str(library)]
        source = str(Path(__file__).with_name("uct.c"))
        subprocess.run(["cc", *options, source, "-lm"], check=True)
        function = getattr(ctypes.CDLL(str(library)), name)
    function.argtypes = [ctypes.c_int, ctypes.c_double, ctypes.c_uint64]
    return lambda iterations: function(iterations, C, 1)


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


def instructions(label: str, name: str, iterations: int) -> int:
    """The instructions of a process for one such search, as cachegrind counts them."""
    tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    search = [sys.executable, __file__, "--one", label, name, str(iterations)]
    done = subprocess.run([*tool, *search], capture_output=True, text=True, check=True)
    found = re.search(r"I +refs: +([\d,]+)", done.stderr)
    assert found
    return int(found[1].replace(",", ""))


def count() -> None:
    """The ratios by counted instructions; the bars are those of the readable engine."""
    for place, (game, name, iterations) in enumerate(SIZES):
        counted = {
            label: instructions(label, name, iterations) - instructions(label, name, 1)
            for label in ("readable", PYTHON, CPP)
        }
        for label in (PYTHON, CPP):
            ratio = counted[label] / counted["readable"]
            bar = BARS["readable"][label][place]
            print(f"{game.name:14} {label:20} {cell(ratio, bar)}", flush=True)


def cell(ratio: float, bar: float) -> str:
    return f"{ratio:.2f} (≥ {bar:g}){'' if ratio >= bar else ' missed'}"


def compare(rounds: int) -> None:
    columns = []
    for game, name, iterations in SIZES:
        columns.append(times := least_times(engines(game, name), iterations, rounds))
        told = ", ".join(f"{label} {time:.2f}" for label, time in times.items())
        print(f"{game.name}, {iterations:,} iterations, µs of CPU an iteration: {told}")
    for engine, peers in BARS.items():
        print(f"{f'our speed ÷ theirs, {engine}':32} {'tic-tac-toe':>22} {'Connect Four':>22}")
        for label, bars in peers.items():
            ratios = [times[label] / times[engine] for times in columns]
            cells = map(cell, ratios, bars)
            print(f"{label:32}", *(f"{text:>22}" for text in cells))


def sizes(rounds: int) -> None:
    """Both engines at two sizes: the compiled one beside plain C, the readable beside Python's."""
    for game, name, _ in SIZES:
        every = {"readable": ours(game), "compiled": compiled(game)}
        every |= {PYTHON: open_spiel_python(name), LIMIT: plain_c(name)}
        for iterations, most in MOST_TIMES.items():
            times = least_times(every, iterations, rounds)
            told = ", ".join(f"{label} {time:.3f}" for label, time in times.items())
            print(f"{game.name}, {iterations:,} iterations, µs of CPU an iteration: {told}")
            times_c = times["compiled"] / times[LIMIT]
            missed = "" if times_c <= most else " missed"
            print(f"  compiled ÷ {LIMIT} {times_c:.2f} (≤ {most:g}){missed}", end="; ")
            print(f"{PYTHON} ÷ readable {times[PYTHON] / times['readable']:.2f}", flush=True)


def engines(game: Game[Any, Any], name: str) -> dict[str, Engine]:
    return {
        "readable": ours(game),
        "compiled": compiled(game),
        "monte-carlo-tree-search": monte_carlo_tree_search(game),
        "multimcts": multimcts(game),
        PYTHON: open_spiel_python(name),
        CPP: open_spiel_cpp(name),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--instructions", action="store_true", help="count, instead of timing")
    parser.add_argument("--sizes", action="store_true", help="two sizes, beside plain C")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        label, name, iterations = arguments.one
        game = next(game for game, its, _ in SIZES if its == name)
        made = {"readable": lambda: ours(game), PYTHON: lambda: open_spiel_python(name)}
        tree = made.get(label, lambda: open_spiel_cpp(name))()(int(iterations))
        assert tree
        os._exit(0)  # trees are freed off the count, too
    if arguments.instructions:
        if not shutil.which("valgrind"):
            sys.exit("Instructions are counted by valgrind, which is not installed here.")
        print(
            f"Python {platform.python_version()}, open_spiel {version('open_spiel')}, instructions"
        )
        count()
        return
    packages = ("open_spiel", "monte-carlo-tree-search", "multimcts", "numba")
    found = ", ".join(f"{name} {version(name)}" for name in packages)
    print(f"Python {platform.python_version()}, {found}; {arguments.rounds} rounds")
    (sizes if arguments.sizes else compare)(arguments.rounds)


if __name__ == "__main__":
    main()
