"""Experiments and exercises of the lesson *What if every step costs?*"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import inf, log, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, Final

from mcts_viz.games import Game, SlipperyLake
from mcts_viz.search import MCTS, Solver, solve
from mcts_viz.search.mcts import ucb1
from mcts_viz.search.policies import SelectionRule
from mcts_viz.search.statistics import Statistics

from ..measure.experiments import tracked
from ..play import Play
from ..show.tables import Table, span
from ..typed import typed_door
from ..work.exercises import Case, Open, Question, Task, texts_of

SAID: Final = texts_of(__name__)
LEDGE: Final = SlipperyLake((".S.G", "HHHH"))
"""A way along holes: short, so that a search sees its end."""
BAY: Final = SlipperyLake(("S..", "...", ".HG"))
"""A way around one hole, on which a slip changes the rest of the plan."""
Walk = list[tuple[Any, Any, Any, float]]
"""Of each step: the position before it, the move, the position after it, and what it paid."""

# Experiments ---------------------------------------------------------------------------------


def walk(game: Game[Any, Any], choose: Callable[[Any], Any], seed: int, most: int = 200) -> Walk:
    """One walk from the start: ``choose(state)`` says each move, and the ice where it leads."""
    random, state = Random(seed), game.initial_state()
    steps: Walk = []
    while not game.is_terminal(state) and len(steps) < most:
        move = choose(state)
        sliding = game.play(state, move)
        luck = game.chances(sliding)
        [way] = random.choices([*luck], [*luck.values()])
        after = game.play(sliding, way)
        steps.append((state, move, after, game.reward(sliding, way, after)[0]))
        state = after
    return steps


def worth_of(rewards: Sequence[float], discount: float) -> float:
    """The return of a walk: what it paid, a step later worth ``discount`` as much."""
    return sum(reward * discount**step for step, reward in enumerate(rewards))


def replanner(game: Game[Any, Any], iterations: int, seed: int) -> Callable[[Any], Any]:
    """A player that grows a new tree for every step, and throws it away after it."""
    search = MCTS(game, seed=seed)
    return lambda state: search.search(state, iterations=iterations, progress=False).best_action


@typed_door
def your_walk(play: Play) -> Table | Open:
    """The steps of the walk in this ``Play``, what each paid, and what they are worth so far."""
    game, history = play.game, play.history
    if not history:
        return Open("walk first, in the cell above, then run this cell again.")
    state = game.initial_state()
    rows: list[tuple[Any, ...]] = []
    paid: list[float] = []
    for move, way in zip(history[::2], history[1::2], strict=False):
        sliding = game.play(state, move)
        after = game.play(sliding, way)
        paid.append(game.reward(sliding, way, after)[0])
        rows.append((len(paid), move, way, f"{paid[-1]:g}"))
        state = after
    rows.append(("", "", "return", f"{worth_of(paid, game.discount):.2f}"))
    return Table(("step", "you chose", "the ice took you", "pays"), rows)


@typed_door
def replanned(game: SlipperyLake, budgets: Sequence[int] = (5, 20, 80), walks: int = 100) -> Table:
    """A table of the mean return of walks, in its 95 % interval, for each budget per step."""
    rows: list[tuple[Any, ...]] = []
    means = {}
    for budget in tracked(budgets, "budgets"):
        returns = []
        for seed in range(walks):
            steps = walk(game, replanner(game, budget, seed), seed)
            returns.append(worth_of([paid for *_, paid in steps], game.discount))
        mean, half = fmean(returns), 1.96 * stdev(returns) / sqrt(walks)
        means[budget] = mean
        rows.append((budget, f"{mean:.2f}", span((mean - half, mean + half))))
    rows.append(("value iteration", f"{solve(game, game.initial_state()).value:.2f}", "exact"))
    return Table(("iterations a step", "mean return", "95 % interval"), rows, by=means)


@typed_door
def with_eyes_closed(game: SlipperyLake, plan: Sequence[str], most: int = 100) -> float:
    """The expected return of these moves, whatever the ice does; the last one is repeated."""
    places = {game.initial_state(): 1.0}
    total = 0.0
    weight = 1.0
    for step in range(most):
        after: dict[Any, float] = {}
        for state, chance in places.items():
            sliding = game.play(state, plan[min(step, len(plan) - 1)])
            for way, probability in game.chances(sliding).items():
                to = game.play(sliding, way)
                share = chance * probability
                total += weight * share * game.reward(sliding, way, to)[0]
                if not game.is_terminal(to):
                    after[to] = after.get(to, 0.0) + share
        places, weight = after, weight * game.discount
    return total


@typed_door
def policy(game: SlipperyLake) -> str:
    """The best move in every cell, by value iteration, as a map of arrows."""
    solver, arrows = Solver(game), {"left": "←", "down": "↓", "right": "→", "up": "↑"}
    cells = [
        kind if kind in "HG" else arrows[solver.solve((cell, "")).best_actions[0]]
        for cell, kind in enumerate(game.cells)
    ]
    wide = len(game.rows[0])
    return "\n".join("".join(cells[at : at + wide]) for at in range(0, len(cells), wide))


def scaled_by_the_tree() -> SelectionRule:
    """UCB1 on means that are scaled by the least and the largest mean met so far.

    It remembers these, so make a new one for each search. Source: Schrittwieser and others (2020),
    "Mastering Atari, Go, chess and shogi by planning with a learned model" (MuZero), appendix B.
    """
    seen = [inf, -inf]

    def rule(child: Statistics, parent: Statistics, c: float) -> tuple[float, float]:
        seen[:] = [min(seen[0], child.mean), max(seen[1], child.mean)]
        width = seen[1] - seen[0]
        mean = (child.mean - seen[0]) / width if width else 0.5
        return mean, c * sqrt(log(parent.visits) / child.visits)

    return rule


def share_of_right(lake: SlipperyLake, scaled: bool, iterations: int, seeds: int) -> float:
    """The mean share of the visits that the move to the right gets at the root."""
    visits = 0
    for seed in range(seeds):
        rule = scaled_by_the_tree() if scaled else ucb1
        search = MCTS(lake, seed=seed, selection=rule)
        search.search(iterations=iterations, progress=False)
        visits += sum(one.visits for one in search.root.children if one.action == "right")
    return visits / seeds / iterations


@typed_door
def shares_of_visits(
    discounts: Sequence[float] = (0.9, 0.98, 1.0), iterations: int = 400, seeds: int = 20
) -> Table:
    """For each discount: the range of returns, and what share of the visits the best move gets."""
    rows: list[tuple[Any, ...]] = []
    shares = {}
    for discount in tracked(discounts, "discounts"):
        lake = SlipperyLake(LEDGE.rows, discount=discount)
        low, high = lake.value_range
        usual, scaled = (share_of_right(lake, each, iterations, seeds) for each in (False, True))
        shares["UCB1", discount], shares["scaled", discount] = usual, scaled
        rows.append((discount, f"{low:,.0f} to {high:.0f}", f"{usual:.0%}", f"{scaled:.0%}"))
    heads = ("discount", "returns", "UCB1: visits of right", "scaled by the tree")
    return Table(heads, rows, by=shares)


@typed_door
def hard_lake(iterations: int = 400, seeds: int = 10) -> Table:
    """On the lake of four by four, by first move: its exact value, its value if one random move
    comes after it, and how often a search makes it."""
    lake = SlipperyLake()
    start = lake.initial_state()
    exact = solve(lake, start).action_values
    careless = worth_before_a_random_move(lake)
    played = [replanner(lake, iterations, seed)(start) for seed in tracked(range(seeds), "seeds")]
    rows = [
        (move, f"{exact[move]:.2f}", f"{careless[move]:.2f}", played.count(move)) for move in exact
    ]
    heads = ("first move", "exact", "if the next move is random", f"of {seeds} searches")
    return Table(heads, rows, by={move: played.count(move) for move in exact})


def worth_before_a_random_move(lake: SlipperyLake) -> dict[str, float]:
    """Each first move's return if the second move is picked at random, and all others are best."""
    solver, found = Solver(lake), {}
    for move in lake.legal_actions(lake.initial_state()):
        sliding = lake.play(lake.initial_state(), move)
        total = 0.0
        for way, chance in lake.chances(sliding).items():
            after = lake.play(sliding, way)
            later = 0.0
            if not lake.is_terminal(after):
                later = fmean(solver.solve(after).action_values.values())
            total += chance * (lake.reward(sliding, way, after)[0] + lake.discount * later)
        found[move] = total
    return found


# By hand -------------------------------------------------------------------------------------

_PAID: Final = (-1.0, -1.0, -1.0, 10.0)
_GAMMA: Final = 0.9


def _returns(rewards: Sequence[float], discount: float) -> list[float]:
    """From each step on, the first step first."""
    climbed = accumulate(reversed(rewards), lambda later, reward: reward + discount * later)
    return [*climbed][::-1]


_RIGHT: Final = _returns(_PAID, _GAMMA)
by_hand: Final = Question(
    SAID["by_hand"],
    right=_RIGHT,
    wrong={
        "no discount": _returns(_PAID, 1.0),
        "the same for all": [_RIGHT[0]] * 4,
        "the end alone": [10 * _GAMMA ** (3 - step) for step in range(4)],
        "seen from the start": [
            sum(_PAID[k] * _GAMMA**k for k in range(step, 4)) for step in range(4)
        ],
        "what was paid before": [*accumulate(_PAID)],
    },
    tolerance=0.006,
)

# Climb ---------------------------------------------------------------------------------------


def climb(rewards: Sequence[float], discount: float) -> list[float]:
    later = 0.0
    returns = []
    for reward in reversed(rewards):
        later = reward + discount * later
        returns.append(later)
    return returns[::-1]


write_climb: Final = Task(
    SAID["write_climb"],
    solution=climb,
    cases=(
        Case("for two steps on ice and one to the goal", ([-1.0, -1.0, 10.0], 0.9)),
        Case("for a walk that ends in a hole", ([-1.0, -20.0], 0.5)),
        Case("for one step", ([10.0], 0.9)),
        Case("without discount", ([-1.0, -1.0, -1.0, 10.0], 1.0)),
        Case("for a walk whose steps pay differently", ([-1.0, 2.5, -3.0, 0.0, 4.0], 0.7)),
    ),
    wrong={
        "no discount": {"discount * later": "later"},
        "the same for all": {"returns[::-1]": "[returns[-1]] * len(returns)"},
        "turned around": {"returns[::-1]": "returns"},
        "from the front": {"reversed(rewards)": "rewards", "returns[::-1]": "returns"},
        "the reward is discounted too": {
            "reward + discount * later": "discount * (reward + later)"
        },
    },
)
