"""The wait of a student between a search and its player, in CPU time.

    python benchmarks/film.py

Each row is the least of some rounds: recording with both engines, ``Player(trace)``, and the still
and the text that are kept with the widget for places where none lives. The films are made in one
process, as in a notebook; what is loaded once is loaded before.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
from collections.abc import Callable
from dataclasses import replace
from time import thread_time
from typing import Any

from mcts_fast import FastMCTS
from mcts_viz import MCTS, ConnectFour, Film, Player, TicTacToe

GAMES = (TicTacToe(), ConnectFour())
BARS = {200: (0.1, 0.1), 15_000: (0.3, 0.4), 1_000_000: (1.0, 1.0)}
"""By iterations: seconds from the trace to the player and its still, for each game."""


def seconds(act: Callable[[], Any], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        gc.collect()
        begun = thread_time()
        act()
        times.append(thread_time() - begun)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--most", type=int, default=1_000_000)
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}, seconds of CPU\n")
    heads = ["game", "iterations", "record, readable", "compiled", "player", "still and text"]
    print(f"| {' | '.join([*heads, 'both', 'bar for both', 'payload'])} |")
    print("|---|---|---|---|---|---|---|---|---|")
    for place, game in enumerate(GAMES):
        for iterations, bars in BARS.items():
            if iterations <= arguments.most:
                print(row(game, iterations, bars[place], arguments.rounds), flush=True)


def row(game: Any, iterations: int, bar: float, rounds: int) -> str:
    def recorded(kind: Any) -> Any:
        return kind(game, seed=4).record(iterations=iterations, progress=False)

    Player(FastMCTS(game, seed=1).record(iterations=20))._repr_mimebundle_()
    few = rounds if iterations < 100_000 else 2
    compiled = seconds(lambda: recorded(FastMCTS), few)
    readable = seconds(lambda: recorded(MCTS), few) if iterations < 100_000 else None
    trace = recorded(FastMCTS)
    player = seconds(lambda: Player(fresh(trace)), few)
    bundles = []
    for _ in range(few):
        shown = Player(fresh(trace))
        bundles.append(seconds(shown._repr_mimebundle_, 1))
    total, payload = player + min(bundles), Film(trace).payload()
    kilobytes = (len(json.dumps(payload["facts"])) + len(payload["columns"])) / 1000
    return (
        f"| {game.name} | {iterations:,} | {'–' if readable is None else f'{readable:.3f}'} "
        f"| {compiled:.3f} | {player:.3f} | {min(bundles):.3f} | {total:.3f} "
        f"| ≤ {bar:g}{'' if total <= bar else ' missed'} | {kilobytes:,.0f} kB |"
    )


def fresh(trace: Any) -> Any:
    """The same trace, nothing of which has been asked for yet."""
    return replace(trace)


if __name__ == "__main__":
    main()
