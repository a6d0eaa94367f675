"""How often the search is right on tic-tac-toe, measured against exact play.

    python benchmarks/strength.py [--seeds 200] [--processes 2]

First table: of all positions in which the choice matters, the share in which the chosen move keeps
the exact value, by iterations and by the player to move. Second table: seeds, of so many, with no
losing line of play against an opponent who tries every reply.
"""

from __future__ import annotations

import argparse
import platform
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import cache, partial
from typing import Any

from mcts_viz import MCTS, TicTacToe, solve
from mcts_viz.course import wilson_interval
from mcts_viz.search.experiments import run_searches
from mcts_viz.search.variants import win_then_block

GAME = TicTacToe()
POLICIES: dict[str, dict[str, Any]] = {"light": {}, "heavy": {"playout": win_then_block}}


@cache
def positions() -> tuple[Any, ...]:
    """Every position that is still in play, once."""
    seen, waiting = set(), [GAME.initial_state()]
    while waiting:
        state = waiting.pop()
        if state not in seen and not GAME.is_terminal(state):
            seen.add(state)
            waiting += [GAME.play(state, action) for action in GAME.legal_actions(state)]
    return tuple(sorted(seen))


def show_accuracy(budgets: list[int], executor: Executor) -> None:
    states = positions()
    matters = [s for s in states if len(set(solve(GAME, s).action_values.values())) > 1]
    print(f"{len(states):,} positions in play, in {len(matters):,} of them the choice matters")
    print(f"{'iterations':>10} {'X to move':>10} {'O to move':>10} {'all':>8} {'misses':>7}")
    for budget in budgets:
        runs = run_searches(
            GAME, seeds=[1], iterations=budget, states=matters, executor=executor, progress=False
        )
        right = [run.best_action in solve(GAME, run.state).best_actions for run in runs]
        shares = []
        for player in (0, 1):
            of = [ok for ok, s in zip(right, matters, strict=True) if GAME.to_move(s) == player]
            shares.append(sum(of) / len(of))
        misses = right.count(False)
        every = sum(right) / len(right)
        print(f"{budget:10,} {shares[0]:10.2%} {shares[1]:10.2%} {every:8.2%} {misses:7}")
        if budget >= 2000:
            for run, ok in zip(runs, right, strict=True):
                if not ok:
                    explain_miss(run)


def explain_miss(run: Any) -> None:
    board = GAME.text(run.state).replace("\n", "/")
    ranked = sorted(run.visits, key=run.visits.get, reverse=True)[:3]
    shown = ", ".join(f"{a}: {run.wins[a]:g}/{run.visits[a]}" for a in ranked)
    print(f"           {board} best {solve(GAME, run.state).best_actions}, searched {shown}")


def never_loses(seed: int, player: int, iterations: int, policy: str) -> bool:
    """Whether no line of play beats a search of this seed that plays as ``player``."""
    search = MCTS(GAME, seed=seed, **POLICIES[policy])
    seen = set()
    waiting = [GAME.initial_state()]
    while waiting:
        state = waiting.pop()
        if GAME.is_terminal(state):
            if GAME.returns(state)[player] < 0:
                return False
            continue
        if state in seen:
            continue
        seen.add(state)
        if GAME.to_move(state) == player:
            actions = [search.search(state, iterations=iterations, progress=False).best_action]
        else:
            actions = list(GAME.legal_actions(state))
        waiting += [GAME.play(state, action) for action in actions]
    return True


def show_unbeaten(seeds: int, budgets: list[int], executor: Executor) -> None:
    print(f"\nSeeds with no losing line, of {seeds} (95 % interval)")
    print(f"{'playouts':>8} {'player':>7} " + "".join(f"{budget:>20,}" for budget in budgets))
    for policy in POLICIES:
        for player, name in enumerate(("first", "second")):
            cells = []
            for budget in budgets:
                try_seed = partial(never_loses, player=player, iterations=budget, policy=policy)
                good = sum(executor.map(try_seed, range(seeds)))
                low, high = wilson_interval(good, seeds)
                cells.append(f"{good} ({low:.2f} to {high:.2f})")
            print(f"{policy:>8} {name:>7} " + "".join(f"{cell:>20}" for cell in cells), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--budgets", type=int, nargs="+", default=[100, 300, 500, 1000, 2000, 3000])
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}")
    with ProcessPoolExecutor(arguments.processes) as executor:
        show_accuracy([50, 100, 200, 500, 1000, 2000, 5000], executor)
        show_unbeaten(arguments.seeds, arguments.budgets, executor)


if __name__ == "__main__":
    main()
