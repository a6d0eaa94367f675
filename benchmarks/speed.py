"""The time of recording, films, files and minimax, as ratios: to a search, to an older build.

    python benchmarks/speed.py record film --against ../older --rounds 5

Each work is done in a process of its own, which prepares it and then measures CPU time, so that a
busy machine matters little; the builds take turns, and the ratio is that of the least times. The
older build is a checkout, whose own files are then measured. Works with two times have their ratio
beside the least of each, such as a recording to its own search.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

HERE = Path(__file__).resolve().parents[1]
Times = dict[str, float]


def clock(act: Callable[[], Any], rounds: int = 1) -> float:
    """Least CPU seconds of a number of rounds."""
    times = []
    for _ in range(rounds):
        gc.collect()
        begun = process_time()
        kept = act()
        times.append(process_time() - begun)
        del kept
    return min(times)


def beside(make: Callable[[], Any], iterations: int) -> Times:
    """A search, and its recording, in turns."""
    times: dict[str, list[float]] = {"search": [], "record": []}
    for _ in range(3 + 30_000 // iterations):
        for act, known in times.items():
            search = make()  # which is kept: to free its tree takes time, too
            known.append(
                clock(partial(getattr(search, act), iterations=iterations, progress=False))
            )
    return {"search": min(times["search"]), "recorded": min(times["record"])}


def game_of(name: str) -> Any:
    """Tic-tac-toe or Connect Four."""
    from mcts_viz import ConnectFour, TicTacToe

    return {"ttt": TicTacToe, "c4": ConnectFour}[name]()


def record(name: str, iterations: str) -> Times:
    """A plain recording, beside its search."""
    from mcts_viz import MCTS

    return beside(lambda: MCTS(game_of(name), seed=4), int(iterations))


def subclass(kind: str, name: str, iterations: str) -> Times:
    """A recording of a student's subclass: one counts as usual in its own words, one averages."""
    from mcts_viz import MCTS

    class Own(MCTS):
        def backpropagate(self, path: Any, playout: Any) -> None:
            rewards = self.rewards(playout.returns)
            for node in path:
                node.visits += 1
                node.wins += rewards[node.player_just_moved]
                node.mean = node.wins / node.visits
                node.inv_sqrt_visits = node.visits**-0.5
            self.iterations += 1

    class Decayed(MCTS):
        def backpropagate(self, path: Any, playout: Any) -> None:
            rewards = self.rewards(playout.returns)
            for node in path:
                node.visits += 1
                step = max(1 / node.visits, 0.05)
                reward = rewards[node.player_just_moved]
                before = reward if node.visits == 1 else node.mean
                node.mean = before + step * (reward - before)
                node.wins = node.mean * node.visits
                node.inv_sqrt_visits = node.visits**-0.5
            self.iterations += 1

    kinds = {"own": Own, "decayed": Decayed}
    return beside(lambda: kinds[kind](game_of(name), seed=4), int(iterations))


def film(name: str, iterations: str) -> Times:
    """A film's payload, and its page, of a trace that lies ready."""
    from dataclasses import replace

    from mcts_fast import FastMCTS
    from mcts_viz import Film

    trace = FastMCTS(game_of(name), seed=4).record(iterations=int(iterations), progress=False)
    rounds = 5 if len(trace) < 100_000 else 2
    Film(replace(trace)).to_html()
    return {
        "payload": clock(lambda: Film(replace(trace)).payload(), rounds),
        "page": clock(lambda: Film(replace(trace)).to_html(), rounds),
    }


def load(name: str, iterations: str) -> Times:
    """A trace saved, and loaded."""
    from mcts_fast import FastMCTS
    from mcts_viz import Trace

    trace = FastMCTS(game_of(name), seed=4).record(iterations=int(iterations), progress=False)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        saved = clock(lambda: trace.save(path))
        return {"save": saved, "load": clock(lambda: Trace.load(path), 3)}


def memory(act: str, iterations: str) -> Times:
    """Bytes that a search of Connect Four keeps by node; the most that it took, by iteration."""
    from mcts_viz import MCTS

    def now() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    getattr(MCTS(game_of("c4"), seed=1), act)(iterations=300, progress=False)
    gc.collect()
    before, search = now(), MCTS(game_of("c4"), seed=1)
    kept = getattr(search, act)(iterations=int(iterations), progress=False)
    gc.collect()
    after, most = now(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    del kept
    return {
        "kept, by node": (after - before) / len(search.nodes),
        "at most, by iteration": (most - before) / int(iterations),
        "the process at most, MB": most / 1e6,
    }


def alpha_beta() -> Times:
    """Tic-tac-toe by alpha-beta, and with its trace; positions are known from the second on."""
    from mcts_viz import TicTacToe, alpha_beta, record_minimax

    game = TicTacToe()
    alpha_beta(game)
    return {
        "walked": clock(lambda: alpha_beta(game), 9),
        "recorded": clock(lambda: record_minimax(alpha_beta, game), 9),
    }


WORKS: dict[str, list[tuple[Any, ...]]] = {
    "record": [(record, "ttt", 2000), (record, "ttt", 20_000), (record, "c4", 5000)],
    "subclass": [
        (subclass, kind, name, size)
        for kind in ("own", "decayed")
        for name, size in (("ttt", 2000), ("ttt", 20_000), ("c4", 5000), ("c4", 50_000))
    ],
    "large": [(subclass, "decayed", "c4", 200_000)],
    "film": [(film, name, size) for name in ("ttt", "c4") for size in (15_000, 1_000_000)],
    "load": [(load, "c4", 100_000)],
    "memory": [(memory, "search", 100_000), (memory, "record", 100_000)],
    "million": [(memory, "record", 1_000_000)],
    "minimax": [(alpha_beta,)],
}


def measured(checkout: Path, work: list[str]) -> Times:
    """The work's times in a process that has the files of that checkout."""
    environment = os.environ | {"PYTHONPATH": str(checkout)}
    command = [sys.executable, __file__, "--work", *work]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    times: Times = json.loads(done.stdout)
    return times


def least_of(every: list[Times]) -> Times:
    """The least of each time."""
    return {name: min(times[name] for times in every) for name in every[0]}


def compare(work: list[str], against: Path | None, rounds: int) -> None:
    """Print the least times of a work, and their ratios to each other and to the older build."""
    ours: list[Times] = []
    older: list[Times] = []
    for _ in range(rounds):
        ours.append(measured(HERE, work))
        if against:
            older.append(measured(against.resolve(), work))
    new, old = least_of(ours), least_of(older or ours)
    print(" ".join(work))
    first = next(iter(new))
    for name, value in new.items():
        said = f"  {name:24} {value:12.5g}"
        if name == "recorded":
            said += f"   x {value / new[first]:.2f} of its {first}"
            said += f" (older: x {old[name] / old[first]:.2f})" if older else ""
        if older:
            said += f"   {value / old[name]:.3f} of the older build's {old[name]:.5g}"
        print(said, flush=True)


def main() -> None:
    """Measure the works that are named, or do one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("works", nargs="*", help=", ".join(WORKS))
    parser.add_argument("--against", type=Path, help="a checkout of an older build")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--work", nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        name, *arguments = given.work
        print(json.dumps(globals()[name](*arguments)))
        return
    for name in given.works or WORKS:
        for act, *arguments in WORKS[name]:
            compare([act.__name__, *map(str, arguments)], given.against, given.rounds)


if __name__ == "__main__":
    main()
