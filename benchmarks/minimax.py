"""The speed of the teaching alpha-beta next to its peers, in one interleaved run.

    python -m pip install -r benchmarks/requirements.txt
    python benchmarks/minimax.py

The task is to solve tic-tac-toe from the empty board: left to right, without a table, 18,297 nodes.
Each row is the median, over the rounds, of the CPU time of open-spiel's Python alpha-beta divided
by that of the row in the same round. The walk remembers the rules of positions it has met, though
not what they are worth; so the first call, which has to ask the game, has a row of its own. easyAI
is given our states behind its interface; open-spiel brings a game of its own, in C++.
"""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable
from importlib.metadata import version
from statistics import median
from time import thread_time
from typing import Any

import pyspiel
from easyAI import Negamax, TwoPlayerGame
from open_spiel.python.algorithms.minimax import alpha_beta_search

from mcts_viz import ConnectFour, TicTacToe, alpha_beta, minimax
from mcts_viz.games import Game
from mcts_viz.search import Solver
from mcts_viz.trace import record_minimax

GAME = TicTacToe()
PEER = "open-spiel, Python"
BARS = {"alpha-beta": 8.0}
REPEATS = 5
"""Walks a measurement, since one takes but a few milliseconds."""


def open_spiel() -> Callable[[], object]:
    game = pyspiel.load_game("tic_tac_toe")
    return lambda: alpha_beta_search(game)


def easy_ai() -> Callable[[], object]:
    class Position(TwoPlayerGame):  # type: ignore[misc]
        def __init__(self) -> None:
            self.states = [GAME.initial_state()]
            self.current_player = 1

        def possible_moves(self) -> list[int]:
            return list(GAME.legal_actions(self.states[-1]))

        def make_move(self, move: int) -> None:
            self.states.append(GAME.play(self.states[-1], move))

        def unmake_move(self, move: int) -> None:
            self.states.pop()

        def is_over(self) -> bool:
            return GAME.is_terminal(self.states[-1])

        def scoring(self) -> float:
            state = self.states[-1]
            return GAME.returns(state)[self.current_player - 1] if self.is_over() else 0

    return lambda: Negamax(9)(Position())


class Forgotten(TicTacToe):
    """Tic-tac-toe without a hash, so that nothing of it is remembered from call to call."""

    __hash__ = None  # type: ignore[assignment]


WALKS: dict[str, Callable[[], object]] = {
    PEER: open_spiel(),
    "easyAI Negamax": easy_ai(),
    "alpha-beta": lambda: alpha_beta(GAME),
    "alpha-beta and its trace": lambda: record_minimax(alpha_beta, GAME),
    "alpha-beta, first call": lambda: alpha_beta(Forgotten()),
    "minimax, 549,946 nodes": lambda: minimax(GAME),
}


def cpu_seconds(walk: Callable[[], object], repeats: int = 1) -> float:
    before = thread_time()
    for _ in range(repeats):
        walk()
    return (thread_time() - before) / repeats


def compare(rounds: int) -> None:
    times: dict[str, list[float]] = {name: [] for name in WALKS}
    for walk in WALKS.values():
        walk()  # warm
    for _ in range(rounds):
        for name, walk in WALKS.items():
            times[name].append(cpu_seconds(walk, REPEATS))
    print(f"{'tic-tac-toe, solved':30} {'CPU ms':>8} {PEER + ' ÷ it':>24}")
    for name, own in times.items():
        ratio = median(peer / it for peer, it in zip(times[PEER], own, strict=True))
        bar = BARS.get(name)
        verdict = "" if bar is None else f" (≥ {bar:g}){'' if ratio >= bar else ' missed'}"
        print(f"{name:30} {1000 * median(own):8.2f} {ratio:13.2f}{verdict}")


def solve_boards() -> None:
    print(f"\n{'the solver, from the empty board':38} {'CPU s':>7} {'positions':>11} value")
    games: tuple[Game[Any, Any], ...] = (GAME, ConnectFour(4, 4), ConnectFour(4, 5))
    for game in games:
        solver, state = Solver(game), game.initial_state()
        seconds = cpu_seconds(lambda solver=solver, state=state: solver.solve(state))
        value = solver.solve(state).value
        print(f"{game.name:38} {seconds:7.2f} {solver.positions:11,} {value:g}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    found = ", ".join(f"{name} {version(name)}" for name in ("open_spiel", "easyAI"))
    print(f"Python {platform.python_version()}, {found}; {arguments.rounds} rounds")
    compare(arguments.rounds)
    solve_boards()


if __name__ == "__main__":
    main()
