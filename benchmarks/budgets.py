"""A search and its budget: time kept, interrupts survived, a million iterations paid for.

    python -m pip install -r tests/requirements.txt
    python benchmarks/budgets.py [--rounds 3] [--interrupts 1000] [--only seconds]

First table: by how much the wall-clock time of ``search(seconds=...)`` exceeds what was asked for,
and of ``record(seconds=...)``, which packs its trace when the time is over. Then interrupts at
random instants, once or twice, of searches and recordings: trees and traces that break what
``tests/invariants.py`` asks of them. Last: time and peak memory of a million iterations, each in a
process of its own.
"""

from __future__ import annotations

import argparse
import gc
import platform
import random
import resource
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import product
from pathlib import Path
from statistics import median
from time import perf_counter
from types import FrameType
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from invariants import check_tree, plain

from mcts_viz import MCTS, ConnectFour, GameError, Recorder, TicTacToe, check_game
from mcts_viz.games import Game, Returns

Columns = tuple[str, ...]


DIRECTIONS = ((0, 1), (1, -1), (1, 0), (1, 1))
"""From a cell to the next of four in a row: columns, rows."""


@dataclass(frozen=True)
class PlainFour(Game[Columns, int]):
    """Connect Four as a beginner writes it: strings, every move checked, every line looked at."""

    name = "Connect Four, in strings"  # type: ignore[assignment]

    def initial_state(self) -> Columns:
        return ("",) * 7

    def to_move(self, state: Columns) -> int:
        return sum(map(len, state)) % 2

    def legal_actions(self, state: Columns) -> Sequence[int]:
        return [column for column in range(7) if len(state[column]) < 6]

    def play(self, state: Columns, action: int) -> Columns:
        if self.is_terminal(state) or action not in self.legal_actions(state):
            raise GameError(
                f"Column {action!r} is not to be played in {state!r}: take a legal one."
            )
        grown = state[action] + "xo"[self.to_move(state)]
        return (*state[:action], grown, *state[action + 1 :])

    def is_terminal(self, state: Columns) -> bool:
        return self._winner(state) is not None or not self.legal_actions(state)

    def returns(self, state: Columns) -> Returns:
        winner = self._winner(state)
        if winner is None:
            return (0.0, 0.0)
        return (1.0, -1.0) if winner == "x" else (-1.0, 1.0)

    def _winner(self, state: Columns) -> str | None:
        board = [column.ljust(6) for column in state]
        for x, y, (dx, dy) in product(range(7), range(6), DIRECTIONS):
            if x + 3 * dx < 7 and 0 <= y + 3 * dy < 6:
                four = {board[x + i * dx][y + i * dy] for i in range(4)}
                if four in ({"x"}, {"o"}):
                    return four.pop()
        return None


GAMES: tuple[Game[Any, Any], ...] = (TicTacToe(), ConnectFour(), PlainFour())
SECONDS = (0.1, 0.2, 0.5, 1, 2, 5)
BAR = 5.0
"""Per cent by which a search may exceed its seconds."""
MILLION = 1_000_000
WAYS: dict[str, Callable[..., object]] = {"searched": MCTS.search, "recorded": MCTS.record}


# Seconds -------------------------------------------------------------------------------------


def overshoot_cell(seconds: float, runs: Sequence[tuple[float, float]]) -> str:
    """The median and the worst overshoot in %, with a mark if the worst is above the bar."""
    over = [100 * late / seconds for late, _ in runs]
    missed = "!" if max(over) > BAR else " "
    return f"{median(over):.2f} {max(over):6.2f}{missed}"


def show_seconds(rounds: int) -> None:
    print(f"\nOvershoot in %, median and worst of {rounds}; the bar is {BAR:g} %")
    print(f"{'':36}" + "".join(f"{f'{seconds:g} s':>14}" for seconds in SECONDS))
    searched: list[tuple[float, float]] = []
    for game, way in product(GAMES, WAYS):
        cells = []
        for seconds in SECONDS:
            runs = [overshoot(WAYS[way], game, seconds, seed) for seed in range(rounds)]
            cells.append(f"{overshoot_cell(seconds, runs):>14}")
            if way == "searched":
                searched += runs
        print(f"{game.name + ', ' + way:36}{''.join(cells)}".rstrip(), flush=True)
    in_all, in_collector = map(sum, zip(*searched, strict=True))
    print(f"Of the searches' overshoot {in_collector / in_all:.0%} is the garbage collector's.")


def overshoot(
    call: Callable[..., object], game: Game[Any, Any], seconds: float, seed: int
) -> tuple[float, float]:
    """Seconds beyond the deadline, and those of them that the garbage collector took."""
    search, collections = MCTS(game, seed=seed), list[tuple[float, float]]()

    def note(phase: str, info: dict[str, int]) -> None:
        now = perf_counter()
        collections.append((now, now) if phase == "start" else (collections.pop()[0], now))

    gc.callbacks.append(note)
    deadline = perf_counter() + seconds
    call(search, seconds=seconds, progress=False)
    end = perf_counter()
    gc.callbacks.remove(note)
    late = [until - max(since, deadline) for since, until in collections if until > deadline]
    return end - deadline, sum(late)


# Interrupts ----------------------------------------------------------------------------------


class Interrupts:
    """One interrupt after ``delay`` seconds and a second after ``gap`` more, in ``work`` only."""

    def __init__(self, delay: float, gap: float | None) -> None:
        self.delays = [delay] if gap is None else [delay, gap]
        self.came = 0

    def __enter__(self) -> Interrupts:
        self.previous = signal.signal(signal.SIGALRM, self.strike)
        signal.setitimer(signal.ITIMER_REAL, self.delays[0])
        return self

    def __exit__(self, *error: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.previous)

    def strike(self, number: int, frame: FrameType | None) -> None:
        while frame is not None and frame.f_code is not Trial.work.__code__:
            frame = frame.f_back
        if frame is None:
            return
        self.came += 1
        if self.came < len(self.delays):
            signal.setitimer(signal.ITIMER_REAL, self.delays[1])
        signal.raise_signal(signal.SIGINT)


def show_interrupts(wanted: int) -> None:
    """Interrupt searches until so many have been struck, and check what each left behind."""
    rng = random.Random(1)
    counts = Counter[str]()
    faults = []
    while counts["struck"] < wanted:
        game, iterations = rng.choice(GAMES[:2]), rng.choice((10, 100, 100, 1000, 1000, 5000))
        if rng.random() < 0.1:
            game, iterations = GAMES[2], 10
        trial = Trial(game, rng.randrange(2**32), iterations, recorded=rng.random() < 0.5)
        delay = rng.random() * trial.usual_seconds()
        gap = rng.choice((None, 1e-6, rng.random() * 0.002))
        counts += trial.run(delay, gap)
        faults += trial.faults
    print(f"\n{wanted:,} searches and recordings interrupted at random instants")
    for what, count in counts.items():
        print(f"{what:40} {count:6,}")
    print(f"{'trees or traces that break an invariant':40} {len(faults):6,}")
    for fault in faults:
        print("  " + fault)


class Trial:
    """One search, or one recording, that is interrupted."""

    def __init__(self, game: Game[Any, Any], seed: int, iterations: int, recorded: bool) -> None:
        self.search = MCTS(game, seed=seed)
        self.recorder = Recorder() if recorded else None
        self.hooks = [self.recorder] if self.recorder else []
        self.iterations = iterations
        self.faults: list[str] = []

    def usual_seconds(self) -> float:
        """The seconds it takes when nothing interrupts it."""
        begun = perf_counter()
        self.work(MCTS(self.search.game, seed=self.search.seed), Recorder())
        return perf_counter() - begun

    def work(self, search: MCTS, recorder: Recorder) -> None:
        if self.recorder is None:
            search.search(iterations=self.iterations, progress=False)
        else:
            search.search(iterations=self.iterations, hooks=[recorder], progress=False)
            recorder.trace(search)

    def run(self, delay: float, gap: float | None) -> Counter[str]:
        left = False
        with Interrupts(delay, gap) as interrupts:
            try:
                self.work(self.search, self.recorder or Recorder())
            except KeyboardInterrupt:
                left = True
        done = self.search.iterations
        if not interrupts.came:
            return Counter()
        self.check("as it was left", delay, gap)
        if not left:
            self.check_same("stopped")
        self.search.run(iterations=50, hooks=self.hooks, progress=False)
        self.check("continued", delay, gap)
        if not left:
            self.check_same("continued")
        how = "left at once" if left else "stopped after its iteration"
        if done == self.iterations:
            how = "struck when all iterations were done"
        kind = "recordings" if self.recorder else "searches"
        told = Counter(["struck", kind, how])
        if interrupts.came > 1:
            told["struck twice"] += 1
        return told

    def check(self, when: str, delay: float, gap: float | None) -> None:
        try:
            check_tree(self.search)
            if self.recorder:
                check_trace(self.search, self.recorder)
        except Exception as error:
            self.faults.append(
                f"{self.search.game.name}, seed {self.search.seed}, {self.iterations} iterations, "
                f"struck after {delay:.6f} s, gap {gap}: {when}: {error!r}"
            )

    def check_same(self, when: str) -> None:
        """A search that no second interrupt left is the search that was never interrupted."""
        alone = MCTS(self.search.game, seed=self.search.seed)
        if self.search.iterations:
            alone.search(iterations=self.search.iterations, progress=False)
        if plain(alone) != plain(self.search):
            self.faults.append(
                f"{self.search.game.name}, seed {self.search.seed}: {when}: another tree"
            )


def check_trace(search: MCTS, recorder: Recorder) -> None:
    """The trace tells of the same tree, at its end and on the way there."""
    trace, nodes = recorder.trace(search), search.nodes
    assert trace.iterations == search.iterations
    assert trace.created_at.tolist() == [node.created_at for node in nodes]
    below = {child.id: node.id for node in nodes for child in node.children}
    assert trace.parent.tolist() == [below.get(node.id, -1) for node in nodes]
    assert trace.visits(trace.iterations).tolist() == [node.visits for node in nodes]
    assert trace.wins(trace.iterations).tolist() == [node.wins for node in nodes]
    for iterations in (0, trace.iterations // 2, trace.iterations):
        visits = trace.visits(iterations)
        assert visits[0] == iterations
        assert ((visits > 0) == (trace.created_at <= iterations))[1:].all()
        assert np.all(trace.wins(iterations) <= visits)


# A million iterations ------------------------------------------------------------------------


def show_millions() -> None:
    print(f"\n{'a million iterations':36} {'seconds':>8} {'CPU s':>8} {'peak MB':>8} {'nodes':>10}")
    for name in ("tic-tac-toe", "connect-four"):
        for way in WAYS:
            command = [sys.executable, __file__, "--million", name, way]
            row = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            print(f"{name + ', ' + way:36} {row}", end="", flush=True)


def million(name: str, way: str) -> None:
    """Search or record, and print what it took of this process."""
    search = MCTS(GAMES[name == "connect-four"], seed=1)
    begun = perf_counter()
    kept = WAYS[way](search, iterations=MILLION, progress=False)
    seconds, used = perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF)
    assert kept is not None
    assert search.iterations == MILLION
    megabytes = used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
    print(f"{seconds:8.1f} {used.ru_utime:8.1f} {megabytes:8.0f} {len(search.nodes):10,}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--interrupts", type=int, default=1000)
    parser.add_argument("--only", choices=("seconds", "interrupts", "millions"))
    parser.add_argument("--million", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.million:
        million(*arguments.million)
        return
    print(f"Python {platform.python_version()}, NumPy {version('numpy')}")
    assert check_game(GAMES[2]), "the slow game is no game"
    parts = {
        "seconds": lambda: show_seconds(arguments.rounds),
        "interrupts": lambda: show_interrupts(arguments.interrupts),
        "millions": show_millions,
    }
    for name, show in parts.items():
        if arguments.only in (None, name):
            show()


if __name__ == "__main__":
    main()
