"""The cost of watching a search, next to a loop that asks it for one iteration at a time.

    python -m pip install mctspy==0.1.1
    python benchmarks/watching.py

Both loops run 2,000 iterations of tic-tac-toe in turn, seven times, and the least CPU time of each
counts. The watched one looks after each iteration, and asks for the findings in the end.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

import numpy as np
from mctspy.games.examples.tictactoe import TicTacToeGameState
from mctspy.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode
from mctspy.tree.search import MonteCarloTreeSearch

from mcts_viz import MCTS, TicTacToe
from mcts_watch import Watch

ITERATIONS = 2_000
ROUNDS = 7
MOST = 3.0
"""The ratio that must not be passed."""


def ours() -> tuple[Any, Callable[[], Any]]:
    """The root of a search of this package, and one iteration."""
    search = MCTS(TicTacToe(), 1.4, seed=1)
    return search.root, lambda: search.run(iterations=1)


def mctspy() -> tuple[Any, Callable[[], Any]]:
    """The same of mctspy."""
    np.random.seed(1)
    state = TicTacToeGameState(state=np.zeros((3, 3)), next_to_move=1)
    search = MonteCarloTreeSearch(TwoPlayersGameMonteCarloTreeSearchNode(state=state))

    def iterate() -> None:
        leaf = search._tree_policy()
        leaf.backpropagate(leaf.rollout())

    return search.root, iterate


def costs(make: Callable[[], tuple[Any, Callable[[], Any]]]) -> Iterator[float]:
    """The CPU seconds of the loop alone, with looks, and with looks and findings."""
    gc.collect()
    _, iterate = make()
    begun = process_time()
    for _ in range(ITERATIONS):
        iterate()
    yield process_time() - begun
    root, iterate = make()
    begun = process_time()
    watch = Watch(root)
    for _ in range(ITERATIONS):
        iterate()
        watch.look()
    yield process_time() - begun
    assert not watch.findings
    assert watch.rule.name == "UCB1"
    yield process_time() - begun


def main() -> None:
    """Print the table."""
    programs = {"MCTS of this package": ours, "mctspy 0.1.1": mctspy}
    rounds = [{name: [*costs(make)] for name, make in programs.items()} for _ in range(ROUNDS)]
    print("| | loop, s | looks | looks and findings | target |\n|---|---|---|---|---|")
    for name in programs:
        alone, looks, findings = (min(one[name][at] for one in rounds) for at in range(3))
        ratio = findings / alone
        kept = "" if ratio <= MOST else ", missed"
        print(f"| {name} | {alone:.3f} | {looks / alone:.1f} | {ratio:.1f} | ≤ {MOST:g}{kept} |")


if __name__ == "__main__":
    main()
