"""How much sooner experiments and tournaments end with a second worker.

python benchmarks/workers.py
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from time import perf_counter
from typing import Any

from mcts_course import arena
from mcts_course.experiments import run_searches
from mcts_viz import ConnectFour, ExactAgent, MCTSAgent, RandomAgent, TicTacToe


def tournament(executor: Executor | None) -> Any:
    """That of lesson 12, but for its faulty player."""
    game = TicTacToe()
    players = {"chance": RandomAgent(game), "exact": ExactAgent(game)}
    players |= {f"MCTS {n}": MCTSAgent(game, iterations=n) for n in (20, 200)}
    return arena(players, game, games=100, seed=1, executor=executor, progress=False).games


def experiment(executor: Executor | None) -> Any:
    budgets = {"seeds": range(300), "iterations": [400]}
    return run_searches(ConnectFour(), **budgets, executor=executor, progress=False)


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    print(f"{os.cpu_count()} processors\n")
    print("| what | no workers | 1 worker | 2 workers |\n|---|---|---|---|")
    for work in (tournament, experiment):
        expected, alone = timed(work, None)
        cells = [f"{alone:.1f} s"]
        for workers in (1, 2):
            with ProcessPoolExecutor(workers) as executor:
                found, seconds = timed(work, executor)
            assert sorted(map(repr, found)) == sorted(map(repr, expected))
            cells.append(f"{seconds:.1f} s, {alone / seconds:.2f} times as fast")
        print(f"| {work.__name__} | {' | '.join(cells)} |", flush=True)


def timed(work: Callable[[Executor | None], Any], executor: Executor | None) -> tuple[Any, float]:
    """With the time to start the workers."""
    begun = perf_counter()
    return work(executor), perf_counter() - begun


if __name__ == "__main__":
    main()
