"""The exercises of lesson 12, Who wins?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from statistics import NormalDist, fmean
from typing import Final

from .arena import Tally
from .exercises import Case, Misconception, Question, Task
from .intervals import wilson_interval

__all__ = ["how_many_games", "read_intervals", "seven_to_three", "write_new_value"]


# Seven to three ------------------------------------------------------------------------------

_GAMES: Final = 10


def _chance(*wins: int) -> float:
    """How likely it is that one of two equal players wins so many of ten games."""
    return sum(comb(_GAMES, count) for count in wins) / 2**_GAMES


seven_to_three: Final = Question(
    text="Both are equally strong. How often is somebody ahead by 7 to 3 or more clearly?",
    right=_chance(0, 1, 2, 3, 7, 8, 9, 10),
    why="in about one match of three somebody is so far ahead, though nobody is the stronger.",
    misconceptions=(
        (
            _chance(7, 8, 9, 10),
            "this is how often the first player is so far ahead; it may as well be the second.",
        ),
        (
            _chance(3, 7),
            "this is how often it ends 7 to 3 or 3 to 7; 8 to 2 and better are more surprising "
            "still, so count them too.",
        ),
        (
            _chance(7),
            "this is how often the first player wins exactly 7; add 8, 9 and 10, and the same for "
            "the second player.",
        ),
        (
            0.05,
            "5 % is what a 95 % interval may miss, whatever the match; count how often ten fair "
            "coins fall so unequally.",
        ),
        (
            0.7,
            "0.7 is the winner's score in this one match; the question is how often chance alone "
            "makes such a score.",
        ),
        (
            0.5,
            "one half is how often either of them wins a game; a whole match of ten is asked for.",
        ),
    ),
    advice="Ten coins fall in 1,024 ways: count those with 7 heads or more, or 7 tails or more.",
    tolerance=0.011,  # a third is near enough
)


# What is decided? ----------------------------------------------------------------------------

_MATCHES: Final = {
    "A-B": Tally(13, 1, 6),
    "C-D": Tally(118, 0, 82),
    "E-F": Tally(35, 30, 75),
    "G-H": Tally(70, 30, 40),
}


def _verdicts(judge: Callable[[Tally], str]) -> dict[str, str]:
    return {name: judge(tally) for name, tally in _MATCHES.items()}


def _by_interval(tally: Tally, level: float = 0.5) -> str:
    low, high = tally.interval
    return "first" if low > level else "second" if high < level else "open"


def _by_score(tally: Tally) -> str:
    return "first" if tally.score > 0.5 else "second"


def _by_size(tally: Tally) -> str:
    """Only a lead of more than ten points in a hundred counts."""
    return _by_score(tally) if abs(tally.score - 0.5) > 0.1 else "open"


def _without_draws(tally: Tally) -> str:
    """The share of wins is held against one half, draws being no better than losses."""
    low, high = wilson_interval(tally.wins, tally.games)
    return "first" if low > 0.5 else "second" if high < 0.5 else "open"


def _matches() -> str:
    lines = ["match  won-drawn-lost  score   95 % interval"]
    for name, tally in _MATCHES.items():
        low, high = tally.interval
        lines.append(f"{name:<5}{tally!s:>16}{tally.score:>7.3f}  {low:.3f} to {high:.3f}")
    return "\n".join(lines)


read_intervals: Final = Question(
    text=_matches(),
    right=_verdicts(_by_interval),
    why="it is decided where the whole interval lies on one side of one half, and only there.",
    misconceptions=(
        (
            _verdicts(_by_score),
            "you name whoever is ahead; where the interval reaches across one half, the other may "
            "be the stronger.",
        ),
        (
            _verdicts(_by_size),
            "you judge by how large the lead is; a small lead over many games can be sure, and a "
            "large one over few games is not.",
        ),
        (
            _verdicts(lambda tally: _by_interval(tally, 0.0)),
            "you ask whether the interval lies above 0; equal players score one half, so compare "
            "with that.",
        ),
        (
            _verdicts(_without_draws),
            "you leave the draws out, as if they were losses; a draw is half a point for both.",
        ),
        (
            _verdicts(lambda tally: "open"),
            "you call everything open; an interval that lies on one side of one half decides.",
        ),
    ),
    advice="Look at both ends of the interval: is one half between them?",
)


# One step of Q-learning ----------------------------------------------------------------------


def _new_value(
    value: float, reward: float, next_values: Sequence[float], same_player: bool, alpha: float
) -> float:
    return value + alpha * (_target(reward, next_values, same_player) - value)


def _target(reward: float, next_values: Sequence[float], same_player: bool) -> float:
    if not next_values:
        return reward
    return max(next_values) if same_player else -max(next_values)


def _step_towards(target: Callable[[float, Sequence[float], bool], float]) -> Callable[..., float]:
    """The update with another target."""

    def update(
        value: float, reward: float, following: Sequence[float], same: bool, alpha: float
    ) -> float:
        return value + alpha * (target(reward, following, same) - value)

    return update


_WRONG_STEPS: Final[Sequence[Misconception]] = (
    (
        _step_towards(lambda reward, following, same: max(following) if following else reward),
        "what is best for the opponent is worst for the mover; change the sign if the other moves.",
    ),
    (
        _step_towards(lambda reward, following, same: -max(following) if following else reward),
        "the sign changes only if the opponent moves next; look at same_player.",
    ),
    (
        _step_towards(
            lambda reward, following, same: (
                (max(following) if same else min(following)) if following else reward
            )
        ),
        "the opponent takes the highest of its own values, not the lowest; the mover then gets "
        "minus that.",
    ),
    (
        _step_towards(
            lambda reward, following, same: (
                (1 if same else -1) * fmean(following) if following else reward
            )
        ),
        "you expect the average move; whoever is to move takes the best, so take the highest.",
    ),
    (
        _step_towards(
            lambda reward, following, same: (
                -reward if not following else _target(0, following, same)
            )
        ),
        "the reward is the mover's own already; its sign stays.",
    ),
    (
        _step_towards(
            lambda reward, following, same: _target(0, following, same) if following else 0.0
        ),
        "where the game is over, the target is the reward; it is the only news that there is.",
    ),
    (
        lambda value, reward, following, same, alpha: _target(reward, following, same),
        "you put the target in place of the value; go only the part alpha of the way to it.",
    ),
    (
        lambda value, reward, following, same, alpha: (
            value + alpha * _target(reward, following, same)
        ),
        "you add a part of the target; add a part of the error, which is target minus value.",
    ),
    (
        lambda value, reward, following, same, alpha: (
            alpha * value + (1 - alpha) * _target(reward, following, same)
        ),
        "alpha and 1 - alpha are swapped; a small alpha is a small step.",
    ),
)
"""Wrong forms of the update, and the hint for each."""

write_new_value: Final = Task(
    solution=_new_value,
    cases=(
        Case("when the mover wins at once", (0.0, 1.0, [], False, 0.5)),
        Case("when the mover loses at once", (0.5, -1.0, [], False, 0.2)),
        Case("when the opponent moves next", (0.25, 0.0, [0.5, -0.75, 0.0], False, 0.5)),
        Case("when the mover moves again", (0.25, 0.0, [0.5, -0.75, 0.0], True, 0.5)),
        Case("when all moves of the opponent lose", (0.0, 0.0, [-1.0, -0.5], False, 0.1)),
    ),
    misconceptions=_WRONG_STEPS,
    why="a step of size alpha towards the reward, or towards the best that can follow, seen by "
    "the mover.",
)


# How many games? -----------------------------------------------------------------------------

_SCORE: Final = 0.55
_STEP: Final = 20


def _enough(z: float = 1.96, score: float = _SCORE) -> int:
    """The first multiple of 20 whose whole interval lies above one half."""
    games = _STEP
    while wilson_interval(score * games, games, z)[0] <= 0.5:
        games += _STEP
    return games


how_many_games: Final = Question(
    text="The score stays at 0.55. After how many games, in steps of 20, is 0.5 outside?",
    right=_enough(),
    why="a lead of five points in a hundred takes hundreds of games; and half the lead would take "
    "four times as many.",
    misconceptions=(
        (
            _STEP,
            "11 of 20 is more than one half, but its interval reaches far below; look at its lower "
            "end.",
        ),
        (
            100,
            "55 of 100 looks clear, but the interval of 100 games reaches ten points to either "
            "side; the lead is five.",
        ),
        (
            _enough() - _STEP,
            "this is nearly enough, but the lower end is still at one half or below; take one step "
            "more.",
        ),
        (
            _enough(NormalDist().inv_cdf(0.95)),
            "this is for an interval that misses one time in ten; 95 % takes z = 1.96.",
        ),
        (
            _enough(NormalDist().inv_cdf(0.995)),
            "this is for an interval of 99 %; 95 % takes z = 1.96.",
        ),
        (
            _enough(score=0.525),
            "this is for a score of 0.525; a score of 0.55 is five points above one half, not two "
            "and a half.",
        ),
    ),
    advice="Try wilson_interval(0.55 * games, games) for 20, 40, 60 games and so on.",
    tolerance=0.5,
)
