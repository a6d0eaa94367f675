"""How much sooner a tournament ends with a second worker.

python benchmarks/workers.py
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import Executor, ProcessPoolExecutor
from time import perf_counter
from typing import Any

from mcts_course import arena
from mcts_viz import ExactAgent, MCTSAgent, RandomAgent, TicTacToe


def tournament(executor: Executor | None) -> Any:
    """That of lesson 12, but for its faulty player."""
    game = TicTacToe()
    players = {"chance": RandomAgent(game), "exact": ExactAgent(game)}
    players |= {f"MCTS {n}": MCTSAgent(game, iterations=n) for n in (20, 200)}
    return arena(players, game, games=100, seed=1, executor=executor, progress=False).games


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    print(f"{os.cpu_count()} processors\n")
    print("| what | no workers | 1 worker | 2 workers |\n|---|---|---|---|")
    expected, alone = timed(None)
    cells = [f"{alone:.1f} s"]
    for workers in (1, 2):
        with ProcessPoolExecutor(workers) as executor:
            found, seconds = timed(executor)
        assert sorted(map(repr, found)) == sorted(map(repr, expected))
        cells.append(f"{seconds:.1f} s, {alone / seconds:.2f} times as fast")
    print(f"| tournament | {' | '.join(cells)} |", flush=True)


def timed(executor: Executor | None) -> tuple[Any, float]:
    """With the time to start the workers."""
    begun = perf_counter()
    return tournament(executor), perf_counter() - begun


if __name__ == "__main__":
    main()
