"""The exercises of lesson 04, Explore or exploit?

``MACHINES`` are the arms that the reader pulls by hand; their chances are told late in the lesson.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf, log, log10, sqrt
from typing import Final

from mcts_viz.games import Bandit

from .exercises import Case, Question, Task
from .regret import regret

__all__ = ["MACHINES", "best_arm", "regret_of_five", "write_next_arm"]

MACHINES: Final = Bandit((0.3, 0.5, 0.2, 0.7))


# Which arm is the best? ------------------------------------------------------------------------

best_arm: Final = Question(
    text="Which arm of the machines has the highest chance to win?",
    right=max(MACHINES.arms, key=MACHINES.chance),
    why="D wins 7 times in 10 in the long run, B 5, A 3 and C 2.",
    misconceptions=(
        ("A", "A wins less than every other time, and two arms are better; pull the others more."),
        ("B", "B is good, but one arm is better; pull the promising ones ten times each."),
        ("C", "C is the worst of the four; a lucky pull or two can make it look better."),
    ),
    advice="Answer with the letter of an arm: A, B, C or D.",
)


# Regret ----------------------------------------------------------------------------------------

_CHANCES: Final = {"A": 0.2, "B": 0.5, "C": 0.6}
_PULLS: Final = "CABBC"
_WINS: Final = (0, 1, 1, 0, 1)
_BEST: Final = max(_CHANCES.values())

regret_of_five: Final = Question(
    text=(
        "The chances are A 0.2, B 0.5 and C 0.6. The pulls "
        + ", ".join(
            f"{arm} ({'won' if w else 'lost'})" for arm, w in zip(_PULLS, _WINS, strict=True)
        )
        + ". What is the regret?"
    ),
    right=float(regret(Bandit(tuple(_CHANCES.values())), _PULLS)[-1]),
    why="A cost 0.4 and each B 0.1; a pull of C costs nothing, and luck plays no part.",
    misconceptions=(
        (
            len(_PULLS) * _BEST - sum(_WINS),
            "you took the wins themselves; take each arm's chance, so that luck plays no part.",
        ),
        (
            sum(arm != "C" for arm in _PULLS),
            "you counted the pulls that were not the best; each costs the difference in chance.",
        ),
        (
            sum(1 - _CHANCES[arm] for arm in _PULLS),
            "you set each chance against a sure win; the best arm is the measure, with 0.6.",
        ),
        (
            sum(_BEST - _CHANCES[arm] for arm in _PULLS) / len(_PULLS),
            "that is the regret of one pull in the mean; regret adds up all five.",
        ),
        (
            sum(_CHANCES[arm] for arm in _PULLS),
            "those are the wins to be expected; the regret is what they lack of five pulls of C.",
        ),
    ),
    advice="For each pull take the best chance less that of the arm, and add up.",
)


# UCB1 ------------------------------------------------------------------------------------------

_Count = Mapping[str, float]


def _next_arm(
    wins: _Count,
    pulls: _Count,
    c: float,
    exploration: Callable[[float, float], float] = lambda total, n: sqrt(log(total) / n),
    mean: bool = True,
    unpulled: float = inf,
) -> str:
    """UCB1; the last three arguments are there to make it wrong."""
    total = sum(pulls.values())

    def score(arm: str) -> float:
        n = pulls[arm]
        if not n:
            return unpulled
        return (wins[arm] / n if mean else 0) + c * exploration(total, n)

    return max(pulls, key=score)


def _without_total(wins: _Count, pulls: _Count, c: float) -> str:
    return _next_arm(wins, pulls, c, lambda total, n: sqrt(log(n) / n))


def _divides_by_zero(wins: _Count, pulls: _Count, c: float) -> str:
    total = sum(pulls.values())
    return max(pulls, key=lambda arm: wins[arm] / pulls[arm] + c * sqrt(log(total) / pulls[arm]))


def _sums(wins: _Count, pulls: _Count, c: float) -> str:
    total = sum(pulls.values())
    return max(
        pulls,
        key=lambda arm: wins[arm] + c * sqrt(log(total) / pulls[arm]) if pulls[arm] else inf,
    )


def _case(c: float, **arms: tuple[int, int]) -> Case:
    """A case from wins and pulls by arm."""
    shares = ", ".join(f"{arm} {wins} of {pulls}" for arm, (wins, pulls) in arms.items())
    wins = {arm: share[0] for arm, share in arms.items()}
    pulls = {arm: share[1] for arm, share in arms.items()}
    return Case(f"with {shares} and c = {c:.3g}", (wins, pulls, c))


write_next_arm: Final = Task(
    solution=_next_arm,
    cases=(
        _case(sqrt(2), A=(1, 3), B=(1, 2), C=(0, 1)),
        _case(sqrt(2), A=(2, 2), B=(0, 1), C=(3, 3)),
        _case(sqrt(2), A=(0, 2), B=(0, 1)),
        _case(0, A=(9, 12), B=(1, 2)),
        _case(1, A=(5, 5), B=(0, 0)),
    ),
    misconceptions=(
        (
            lambda wins, pulls, c: _next_arm(wins, pulls, 0),
            "the highest mean decides, which is greedy; add the exploration term.",
        ),
        (
            lambda wins, pulls, c: _next_arm(wins, pulls, 1, mean=False),
            "the fewest pulls decide; add the mean, wins by pulls.",
        ),
        (
            _divides_by_zero,
            "an arm without a pull makes you divide by 0; give it a try before all others.",
        ),
        (
            lambda wins, pulls, c: _next_arm(wins, pulls, c, unpulled=0),
            "an arm without a pull scored 0 and is never tried; let it come first.",
        ),
        (
            lambda wins, pulls, c: _next_arm(wins, pulls, c, lambda total, n: log(total) / n),
            "the square root is missing: c · √(ln N / n).",
        ),
        (
            _without_total,
            "ln n stands where ln N belongs: N is the pulls of all arms together.",
        ),
        (
            lambda wins, pulls, c: _next_arm(wins, pulls, c, lambda total, n: sqrt(n / total)),
            "much-pulled arms get the larger term; it is to help the others, so divide by n.",
        ),
        (
            lambda wins, pulls, c: _next_arm(
                wins, pulls, c, lambda total, n: sqrt(log10(total) / n)
            ),
            "that is the logarithm to base 10; ln is log of the module math.",
        ),
        (
            _sums,
            "the wins are not divided by the pulls; the first term is the mean.",
        ),
    ),
    why="mean plus exploration, the highest sum, and an arm without a pull before all others.",
)
