"""The share of right moves of the search on tic-tac-toe, measured against exact play.

    python benchmarks/strength.py [--seeds 200] [--heavy-seeds 200] [--log seeds.jsonl]
    python benchmarks/strength.py --misses 2000 [--seeds 10]

First table: of all positions in which the choice matters, the share in which the chosen move keeps
the exact value, by iterations and by the player to move. Second table: seeds, of so many, with no
losing line of play against an opponent who tries every reply, beside the counts of an independent
engine; p is Fisher's exact test of the two. With ``--misses`` every position that is missed after
so many iterations is listed in place of the tables, and why.

What a seed plays depends on the position alone, so each position is searched once. A longer search
of the same seed begins with the shorter one, so one search answers for all budgets, and ends when
no visits that are left could change the most visited move. A move after which best play loses has
a losing line, so the first of these settles a seed.
"""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import nullcontext
from functools import cache, partial
from math import comb
from pathlib import Path
from typing import Any

from mcts_course import wilson_interval
from mcts_viz import MCTS, TicTacToe, solve
from mcts_viz.search import Node
from mcts_viz.search.variants import win_then_block

GAME = TicTacToe()
ACCURACY = (50, 100, 200, 500, 1000, 2000, 5000)
BUDGETS = (100, 300, 500, 1000, 2000, 3000, 5000)
POLICIES: dict[str, dict[str, Any]] = {"light": {}, "heavy": {"playout": win_then_block}}
PLAYERS = ("first", "second")
INDEPENDENT = {
    ("light", "first"): {100: 153, 300: 193, 500: 200, 1000: 200, 2000: 200, 3000: 200, 5000: 200},
    ("light", "second"): {100: 0, 500: 42, 1000: 117, 2000: 192, 3000: 200, 5000: 200},
}
"""Seeds without a losing line of another engine, of ``INDEPENDENT_SEEDS``."""
INDEPENDENT_SEEDS = 200
LEVEL = 0.05
"""Of the whole table; Bonferroni's correction divides it by the number of comparisons."""
LONGEST = 50_000
STEP = 100
"""How far a missed position is searched to see when it is mended, and how closely."""


# Exact play, and play at random --------------------------------------------------------------


@cache
def positions() -> tuple[Any, ...]:
    """Every position that is still in play, once."""
    seen, waiting = set(), [GAME.initial_state()]
    while waiting:
        state = waiting.pop()
        if state not in seen and not GAME.is_terminal(state):
            seen.add(state)
            waiting += successors(state)
    return tuple(sorted(seen))


@cache
def choices() -> tuple[Any, ...]:
    """The positions in which not all moves are worth the same."""
    return tuple(s for s in positions() if len(set(solve(GAME, s).action_values.values())) > 1)


@cache
def successors(state: Any) -> tuple[Any, ...]:
    return tuple(GAME.play(state, action) for action in GAME.legal_actions(state))


@cache
def random_returns(state: Any) -> float:
    """The exact mean return of player 0, if both play every move with equal chance."""
    if GAME.is_terminal(state):
        return GAME.returns(state)[0]
    ahead = successors(state)
    return sum(map(random_returns, ahead)) / len(ahead)


@cache
def can_lose(state: Any, player: int) -> bool:
    """True if any line of play at all, however foolish, loses from here."""
    if GAME.is_terminal(state):
        return GAME.returns(state)[player] < 0
    return any(can_lose(child, player) for child in successors(state))


def reward(player: int, returns: float) -> float:
    """The reward, in [0, 1], of what player 0 gets."""
    return ((returns if player == 0 else -returns) + 1) / 2


# Right moves ---------------------------------------------------------------------------------


def moves_at(search: MCTS, state: Any, budgets: Iterable[int]) -> dict[int, Any]:
    """The move after each budget; a search that is continued is a longer one."""
    search.start(state)
    return {budget: move_at(search, budget) for budget in sorted(budgets)}


def move_at(search: MCTS, budget: int) -> Any:
    """The move after so many iterations in all, or after so many that it can't change any more."""
    while search.iterations < budget and lead(search) <= budget - search.iterations:
        search.run(iterations=min(STEP, budget - search.iterations), progress=False)
    return search.recommendation(search.root.children).action


def lead(search: MCTS) -> int:
    """By how many visits the most visited move leads the next; 0 before all have been tried."""
    if search.root.untried or not search.root.children:
        return 0
    visits = sorted((child.visits for child in search.root.children), reverse=True)
    return visits[0] - sum(visits[1:2])


def right_at(state: Any, seed: int) -> list[bool]:
    """For each budget, whether the move chosen in ``state`` keeps its value."""
    best = solve(GAME, state).best_actions
    return [move in best for move in moves_at(MCTS(GAME, seed=seed), state, ACCURACY).values()]


def show_accuracy(executor: Executor | None) -> None:
    states = choices()
    print(f"{len(positions()):,} positions in play, in {len(states):,} of them the choice matters")
    print(f"{'iterations':>10} {'X to move':>10} {'O to move':>10} {'all':>8} {'misses':>7}")
    right = list(spread(partial(right_at, seed=1), states, executor))
    for column, budget in enumerate(ACCURACY):
        hits: tuple[list[bool], list[bool]] = ([], [])
        for state, row in zip(states, right, strict=True):
            hits[GAME.to_move(state)].append(row[column])
        shares = [sum(of) / len(of) for of in (*hits, hits[0] + hits[1])]
        print(
            f"{budget:10,} {shares[0]:10.2%} {shares[1]:10.2%} {shares[2]:8.2%} "
            f"{(hits[0] + hits[1]).count(False):7}",
            flush=True,
        )


def spread(
    function: Any, arguments: Iterable[Any], executor: Executor | None, chunk: int = 25
) -> Iterator[Any]:
    """``map``, over the processes if there are any."""
    if executor is None:
        return map(function, arguments)
    return executor.map(function, arguments, chunksize=chunk)


# Misses --------------------------------------------------------------------------------------


def explain_miss(state: Any, seed: int, iterations: int) -> str | None:
    """A sentence on a wrong choice in ``state``: what is better and why it was not seen."""
    search, solution = MCTS(GAME, seed=seed), solve(GAME, state)
    chosen = search.search(state, iterations=iterations, progress=False).best_child
    if chosen.action in solution.best_actions:
        return None
    children = {child.action: child for child in search.root.children}
    tried = [children[action] for action in solution.best_actions if action in children]
    better = max(tried, key=lambda child: child.visits, default=None)
    values = {-1: "loses", 0: "draws", 1: "wins"}
    lines = [
        f"{GAME.text(state).replace(chr(10), '/')} seed {seed}: chose {chosen.action}, which "
        f"{values[round(solution.action_values[chosen.action])]}; {values[round(solution.value)]}: "
        f"{', '.join(map(str, solution.best_actions))}",
        f"  {shown('chosen', chosen)}" + (f"; {shown('better', better)}" if better else ""),
        f"  because {reason(chosen, better)}",
        f"  {mended(search, solution.best_actions)}",
    ]
    return "\n".join(lines)


def shown(name: str, child: Node) -> str:
    return f"{name} {child.action}: {child.visits} visits, mean {child.mean:.3f}"


def reason(chosen: Node, better: Node | None) -> str:
    """The reason that the search did not see it, from the numbers of the two moves."""
    if better is None:
        return "the better move was not tried at all."
    parts = [refutations(chosen)]
    at_random = [
        reward(child.player_just_moved, random_returns(child.state)) for child in (chosen, better)
    ]
    more = "more" if at_random[0] > at_random[1] else "no more"
    parts.append(f"play at random likes it {more} ({at_random[0]:.3f} to {at_random[1]:.3f})")
    if chosen.mean >= better.mean:
        parts.append("and its mean is still the higher one")
    else:
        parts.append("its mean is the lower one by now, only its visits are still more")
    return ", ".join(parts) + "."


def refutations(chosen: Node) -> str:
    """The number of replies that punish the chosen move, and how much the search looks at them."""
    if GAME.is_terminal(chosen.state):
        return "it ends the game"
    replies = solve(GAME, chosen.state)
    punishing = [child for child in chosen.children if child.action in replies.best_actions]
    share = sum(child.visits for child in punishing) / chosen.visits
    return (
        f"only {len(replies.best_actions)} of {len(replies.action_values)} replies answer it best, "
        f"with {share:.0%} of its visits so far"
    )


def mended(search: MCTS, best_actions: tuple[Any, ...]) -> str:
    """Since when the search, continued, has been right to the end."""
    since = None
    while search.iterations < LONGEST:
        right = search.run(iterations=STEP, progress=False).best_action in best_actions
        since = (since or search.iterations) if right else None
    if since is None:
        return f"not mended after {LONGEST:,} iterations"
    return f"mended at {since:,} iterations, and right from there to {LONGEST:,}"


def show_misses(iterations: int, seeds: int, executor: Executor | None) -> None:
    for seed in range(1, seeds + 1):
        explain = partial(explain_miss, seed=seed, iterations=iterations)
        missed = [text for text in spread(explain, choices(), executor) if text]
        print(f"Seed {seed}, {iterations:,} iterations: {len(missed)} of {len(choices()):,} missed")
        print("".join(text + "\n" for text in missed), end="", flush=True)


# No losing line ------------------------------------------------------------------------------


class Searcher:
    """The moves of one seed, remembered by position and budget."""

    def __init__(self, seed: int, policy: str, budgets: Iterable[int]) -> None:
        self.search = MCTS(GAME, seed=seed, **POLICIES[policy])
        self.budgets = tuple(budgets)
        self.moves: dict[Any, dict[int, Any]] = {}

    def move(self, state: Any, budget: int) -> Any:
        known = self.moves.get(state, {})
        if budget not in known:
            wanted = [shorter for shorter in self.budgets if shorter <= budget]
            known = self.moves[state] = moves_at(self.search, state, wanted)
        return known[budget]

    def never_loses(self, player: int, budget: int) -> bool:
        """True if no line of play beats this seed when it plays as ``player``."""
        seen, waiting = set(), [GAME.initial_state()]
        while waiting:
            state = waiting.pop()
            if state in seen or not can_lose(state, player):
                continue
            seen.add(state)
            if GAME.to_move(state) != player:
                # The strongest reply against play at random is followed first.
                waiting += sorted(
                    successors(state), key=lambda s: -reward(player, random_returns(s))
                )
                continue
            action = self.move(state, budget)
            if solve(GAME, state).action_values[action] < 0:
                return False
            waiting.append(GAME.play(state, action))
        return True


def unbeaten(seed: int, player: int, policy: str, budgets: tuple[int, ...]) -> dict[int, bool]:
    """For each budget, whether the seed has no losing line."""
    searcher = Searcher(seed, policy, budgets)
    # The largest first: its searches tell the moves of the others on their way.
    return {budget: searcher.never_loses(player, budget) for budget in sorted(budgets)[::-1]}


Seeds = dict[int, dict[int, bool]]
"""By seed and budget: whether there is no losing line."""


def show_unbeaten(arguments: argparse.Namespace, executor: Executor | None) -> None:
    budgets = tuple(arguments.budgets)
    wanted = [(policy, player) for policy in arguments.playouts for player in PLAYERS]
    comparisons = sum(budget in INDEPENDENT.get(row, {}) for row in wanted for budget in budgets)
    show_heads(comparisons)
    for policy, player in wanted:
        seeds = arguments.seeds if policy == "light" else arguments.heavy_seeds
        found = all_seeds(seeds, policy, player, budgets, arguments.log, executor)
        for budget in budgets:
            good = sum(of[budget] for of in found.values())
            show_cell(policy, player, budget, good, seeds, comparisons)


def show_heads(comparisons: int) -> None:
    if comparisons:
        print(
            f"\np of Fisher's exact test, {comparisons} comparisons: one is significant below "
            f"{LEVEL / comparisons:.4f} (Bonferroni)"
        )
    print(
        f"{'playouts':8} {'player':>6} {'iterations':>10} {'no losing line':>15} "
        f"{'95 % interval':>14} {'independent':>12} {'p':>7}"
    )


def show_cell(
    policy: str, player: str, budget: int, good: int, seeds: int, comparisons: int
) -> None:
    low, high = wilson_interval(good, seeds)
    line = (
        f"{policy:8} {player:>6} {budget:10,} {f'{good} of {seeds}':>15} {low:6.2f} to {high:.2f}"
    )
    theirs = INDEPENDENT.get((policy, player), {}).get(budget)
    if theirs is not None:
        p = fisher_exact(good, seeds, theirs, INDEPENDENT_SEEDS)
        verdict = " differs" if p < LEVEL / comparisons else ""
        line += f" {f'{theirs} of {INDEPENDENT_SEEDS}':>12} {p:7.3f}{verdict}"
    print(line, flush=True)


def all_seeds(
    seeds: int,
    policy: str,
    player: str,
    budgets: tuple[int, ...],
    log: Path | None,
    executor: Executor | None,
) -> Seeds:
    """Every seed's outcome; those in the log are read, the others written to it as they come."""
    known = logged(log, policy, player, budgets)
    missing = [seed for seed in range(seeds) if seed not in known]
    each = partial(unbeaten, player=PLAYERS.index(player), policy=policy, budgets=budgets)
    for seed, outcome in zip(missing, spread(each, missing, executor, chunk=1), strict=True):
        known[seed] = outcome
        if log:
            row = {"playouts": policy, "player": player, "seed": seed, "unbeaten": outcome}
            with log.open("a") as file:
                file.write(json.dumps(row) + "\n")
    return {seed: known[seed] for seed in range(seeds)}


def logged(log: Path | None, policy: str, player: str, budgets: tuple[int, ...]) -> Seeds:
    found: Seeds = {}
    if not (log and log.exists()):
        return found
    for line in log.read_text().splitlines():
        row = json.loads(line)
        outcome = {int(budget): good for budget, good in row["unbeaten"].items()}
        if (row["playouts"], row["player"]) == (policy, player) and outcome.keys() >= set(budgets):
            found[row["seed"]] = outcome
    return found


def fisher_exact(good: int, of: int, other_good: int, other_of: int) -> float:
    """The chance of two counts at least as unlikely as these, if both have the same true share.

    Two-sided, by the hypergeometric distribution of the first count given the sum of both. Source:
    Fisher (1922), "On the interpretation of χ² from contingency tables, and the calculation of P".
    """
    total = good + other_good

    def ways(count: int) -> int:
        return comb(of, count) * comb(other_of, total - count)

    possible = range(max(0, total - other_of), min(of, total) + 1)
    as_unlikely = sum(ways(count) for count in possible if ways(count) <= ways(good))
    return as_unlikely / comb(of + other_of, total)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--heavy-seeds", type=int, default=200)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--budgets", type=int, nargs="+", default=list(BUDGETS))
    parser.add_argument("--playouts", nargs="+", choices=POLICIES, default=list(POLICIES))
    parser.add_argument("--log", type=Path, help="outcomes of seeds, one JSON object a line")
    parser.add_argument("--misses", type=int, metavar="ITERATIONS", help="list every miss instead")
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}", flush=True)
    several = arguments.processes > 1
    with ProcessPoolExecutor(arguments.processes) if several else nullcontext() as executor:
        if arguments.misses:
            show_misses(arguments.misses, arguments.seeds, executor)
        else:
            show_accuracy(executor)
            show_unbeaten(arguments, executor)


if __name__ == "__main__":
    main()
