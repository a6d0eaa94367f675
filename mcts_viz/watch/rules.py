"""Read off the selection rule of a search: each choice bounds c from both sides.

A rule is a bonus, here without c, and a value. A search chooses the child with the largest
``sign * value + c * bonus``; the sign says whose wins a node counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import inf, isfinite, sqrt
from typing import Final, NamedTuple

import numpy as np

from .look import Array

ENOUGH: Final = 20
"""Events that are needed before anything is said."""
NEARLY: Final = 0.95
"""The share of events in which a thing must happen to be a habit."""


class Choices:
    """Many choices at once, in columns.

    Each choice has its ``time`` and ``parent``, the place of its first child (``starts``), that of
    the ``chosen`` one, the number of children (``sizes``), and the ``player``. Each child of a
    choice has its ``node``, its visits ``n``, wins ``w`` and prior ``P`` (1 where none was found),
    the parent's visits when the child was last visited (``stale``), the sum of the child's squared
    rewards (``squares``), the parent's visits ``N`` and those of all its children, ``S``.
    """

    player: Array

    def __init__(self, choices: Sequence[int], children: Sequence[float]) -> None:
        self.time, self.parent, self.starts, self.chosen = np.array(choices, int).reshape(-1, 4).T
        columns = np.array(children, float).reshape(-1, 8).T
        self.node, (self.n, self.w, self.P) = columns[0].astype(int), columns[1:4]
        self.stale, self.squares, self.N, self.S = columns[4:]
        self.sizes = np.diff(self.starts, append=len(self.n))

    def __len__(self) -> int:
        return len(self.starts)

    def by(self, chooser: Sequence[int]) -> Choices:
        """The same choices, made by these players: one for each node."""
        self.player = np.array(chooser)[self.node[self.chosen]]
        return self

    def rank(self, value: Array, some: object = slice(None), left_out: int = 1) -> float:
        """Return how far chosen children rank above chance in a value, in standard deviations."""
        mine = np.repeat(value[self.chosen], self.sizes)
        beaten = np.add.reduceat((value < mine) + 0.5 * (value == mine), self.starts) - 0.5
        rank = (beaten / np.maximum(1, self.sizes - left_out))[some] - 0.5
        return float(abs(rank.mean()) * sqrt(12 * len(rank)))


def mean(s: Choices) -> Array:
    """The child's mean reward."""
    value: Array = s.w / s.n
    return value


def ucb(s: Choices, above: Array | None = None) -> Array:
    """The bonus of UCB1; ``above`` in the place of the parent's visits."""
    bonus: Array = np.sqrt(np.log(s.N if above is None else above) / s.n)
    return bonus


class Rule(NamedTuple):
    """A row of the table; ``fault`` is the slug of the finding, if the rule is no sound one."""

    name: str
    bonus: Callable[[Choices], Array]
    fault: str = ""
    value: Callable[[Choices], Array] = mean


def _tuned(s: Choices) -> Array:
    variance = s.squares / s.n - mean(s) ** 2 + np.sqrt(2 * np.log(s.N) / s.n)
    bonus: Array = ucb(s) * np.sqrt(np.clip(variance, 0, 0.25))
    return bonus


def _growing(s: Choices) -> Array:
    bonus: Array = s.P * np.sqrt(s.N) / (1 + s.n) * (1.25 + np.log((s.N + 19653) / 19652))
    return bonus


# A rule of your own is one line: RULES.append(Rule("my rule", lambda s: s.N / s.n))
RULES: Final = [
    Rule("UCB1", ucb),
    Rule("UCB1", lambda s: ucb(s, s.N + 1)),
    Rule("UCB1", lambda s: ucb(s, s.S)),
    Rule("UCB1", lambda s: np.sqrt(np.log(s.N) / (s.n + 1))),
    Rule("UCB1", lambda s: np.sqrt(np.log(s.N + 1) / (s.n + 1))),
    Rule("UCB1", lambda s: ucb(s, s.N - 1)),
    Rule("PUCT", lambda s: s.P * np.sqrt(s.N) / (1 + s.n)),
    Rule("PUCT", lambda s: s.P * np.sqrt(s.S) / (1 + s.n)),
    Rule("PUCT", lambda s: s.P * np.sqrt(s.S + 1) / (1 + s.n)),
    Rule("PUCT", lambda s: s.P * np.sqrt(s.S) / (1 + s.n), value=lambda s: s.w / (1 + s.n)),
    Rule("PUCT", lambda s: s.P * np.sqrt(s.N) / s.n),
    Rule("PUCT", lambda s: s.P * np.sqrt(np.log(s.N) / (1 + s.n))),
    Rule("PUCT without priors", lambda s: np.sqrt(s.N) / (1 + s.n)),
    Rule("PUCT with AlphaZero's growing c", _growing),
    Rule("UCB1-Tuned", _tuned),
    Rule("UCB1 without the logarithm", lambda s: np.sqrt(s.N / s.n), "no-logarithm"),
    Rule("UCB1 without the root", lambda s: np.log(s.N) / s.n, "no-root"),
    Rule("UCB1 with ln of the child's visits", lambda s: ucb(s, s.n), "child-in-logarithm"),
    Rule("UCB1 with old visits of the parent", lambda s: ucb(s, s.stale), "stale-statistics"),
    Rule("UCB1 with integer division", ucb, "integer-division", lambda s: s.w // s.n),
    Rule("UCB1 with integer division", lambda s: np.sqrt(np.log(s.N) // s.n), "integer-division"),
    Rule("greedy", lambda s: np.zeros(len(s.n))),
    Rule("the fewest visits", lambda s: -s.n, "never-exploits", lambda s: 0 * s.n),
    Rule("UCB1 with wins in the place of the mean", ucb, "sum-for-mean", lambda s: s.w),
]
"""The forms that are known; of two that explain as much, the first counts."""
WITHIN: Final = 1e-9
"""Scores that differ by less are level."""


class Fit(NamedTuple):
    """A rule, and how well it explains the choices."""

    rule: Rule
    signs: tuple[int, ...]
    """1 for each player who prefers large values, -1 for one who prefers small ones."""
    explained: int
    low: float
    high: float
    """Every c in between explains the same number of choices."""
    skill: float
    """The share that it explains beyond chance: 1 for all choices, 0 for no more than chance."""

    @property
    def c(self) -> float:
        """A number between both ends."""
        if isfinite(self.low):
            return (self.low + self.high) / 2 if isfinite(self.high) else self.low + 1
        return self.high - 1 if isfinite(self.high) else -1e9


def terms(rule: Rule, signs: Sequence[int], s: Choices) -> tuple[Array, Array]:
    """Return each child's value for the player who chooses, and its bonus."""
    with np.errstate(all="ignore"):
        value, bonus = rule.value(s), np.nan_to_num(rule.bonus(s), nan=0, posinf=1e9, neginf=-1e9)
    return value * np.repeat(np.array(signs, float)[s.player], s.sizes), bonus


def bounds(value: Array, bonus: Array, s: Choices) -> tuple[Array, Array]:
    """Return the smallest and the largest c that explain each choice; if they cross, no c does."""
    lead = np.repeat(value[s.chosen], s.sizes) - value + WITHIN
    more = np.repeat(bonus[s.chosen], s.sizes) - bonus
    level = np.abs(more) < WITHIN
    with np.errstate(all="ignore"):
        low = np.where(~level & (more > 0), -lead / more, -inf)
        high = np.where(~level & (more < 0), -lead / more, inf)
    low[level & (lead < 0)], high[level & (lead < 0)] = inf, -inf  # no c at all
    return np.maximum.reduceat(low, s.starts), np.minimum.reduceat(high, s.starts)


def most_common(low: Array, high: Array) -> tuple[int, float, float]:
    """Return how many intervals the most common c lies in, and its smallest and largest value."""
    kept = low <= high
    if not kept.any():
        return 0, 0.0, 0.0
    low, high = np.sort(low[kept]), np.sort(high[kept])
    inside = np.arange(1, len(low) + 1) - np.searchsorted(high, low, side="left")
    best = low[inside.argmax()]
    return int(inside.max()), float(best), float(high[np.searchsorted(high, best, side="left")])


def fits(s: Choices, reach: float) -> Iterator[Fit]:
    """Yield each rule with the c that explains most choices; faulty ones need a clear c above 0."""
    players = range(int(s.player.max()) + 1)
    every = [(1,) * len(players), (-1,) * len(players)]
    if len(players) > 1:
        every += [tuple(1 if p == q else -1 for p in players) for q in players]
    for rule, signs in product(RULES, every):
        value, bonus = terms(rule, signs, s)
        low, high = bounds(value, bonus, s)
        for least, most in ((0.0, inf), (-inf, 0.0)) if value.any() else ((1.0, inf),):
            ends = most_common(np.maximum(low, least), np.minimum(high, most))
            best = Fit(rule, signs, *ends, skill=0.0)
            score = value + np.clip(best.c, -1e9, 1e9) * bonus
            top = np.repeat(np.maximum.reduceat(score, s.starts), s.sizes)
            level = np.add.reduceat((score >= top - WITHIN).astype(float), s.starts)
            chance = float((level / s.sizes).sum())  # what a child picked at random would explain
            skill = (best.explained - chance) / max(1.0, len(s) - chance)
            is_free = rule.fault == "never-exploits" or (not rule.fault and rule.value is mean)
            if is_free or reach < best.low <= best.high < inf:
                yield best._replace(skill=skill)


class Reading(NamedTuple):
    """The rule by which a search selects, as far as its choices show it."""

    name: str | None
    """``None`` if no rule that is known explains the choices."""
    c: tuple[float, float] | None
    """The smallest and the largest possible c; ``None`` for a rule without one."""
    viewpoint: str
    """The player whose wins a node counts, if the search selects as it should."""
    explained: int
    of: int
    text: str
    fit: Fit | None = None
    """The row of the table that explains most."""
    signs: tuple[int, ...] = ()
    """1 for each player who prefers large means, else -1; empty if this is not sure."""

    def __str__(self) -> str:
        return self.text

    @property
    def is_sure(self) -> bool:
        """True if the rule explains nearly all of enough choices."""
        return bool(self.name) and self.of >= ENOUGH and self.explained >= NEARLY * self.of


def made_of(c: float, width: float) -> str:
    """Say what a c may be made of: √2, a root inside the formula, or a fraction of it."""
    for factor, name in ((1, ""), (sqrt(2), "· √2"), (1 / sqrt(2), "/ √2")):
        for step in (0.5, 0.1):
            part = round(c / factor / step) * step
            if part and abs(part * factor - c) <= max(width, 0.005):
                whole = name.strip("· ") if part == 1 and factor > 1 else f"{part:.3g} {name}"
                return f", which is {whole}" if name else ""
    return ""


def _is_epsilon_greedy(greedy: Fit, s: Choices) -> bool:
    """True if the choices that are not greedy look as if picked at random."""
    low, high = bounds(*terms(greedy.rule, greedy.signs, s), s)
    rest = np.flatnonzero((low > high) & (s.sizes > 2))
    return greedy.skill >= 0.3 and len(rest) >= 10 and s.rank(mean(s), rest, 2) < 4


def read_rule(s: Choices, low: float, high: float) -> Reading:
    """The rule that explains most choices, with rewards between both numbers."""
    of, reach = len(s), 0.01 * (high - low)
    if not of:
        text = "No choice between visited children was seen yet, so the rule cannot be read."
        return Reading(None, None, "unknown", 0, 0, text)
    every = [*fits(s, reach)]
    favour = max(2, 0.01 * of * (max(one.explained for one in every) < of))

    def rank(one: Fit) -> tuple[float, ...]:
        """Skill first, then what it explains; a sound rule with c above 0 may explain less."""
        is_sound = not one.rule.fault and one.skill >= 0.5
        extra = is_sound * (favour if one.low >= 0 else 0.5)
        return one.skill >= 0.5, one.explained + extra, min(one.high, 0)

    best = max(every, key=rank)
    explained, name, c = best.explained, best.rule.name, (best.low, best.high)
    others = [one.explained for one in every if one.rule is best.rule and one.signs != best.signs]
    lead = explained - max(others, default=0)
    is_clear = of >= ENOUGH and explained >= NEARLY * of and lead > max(5, 0.03 * of)
    signs, chooser = best.signs if is_clear else (), "player who chooses"
    greedy = next(one for one in every if one.rule.name == "greedy" and min(one.signs) > 0)
    way = "the child with the best mean"
    if best.high < 5 * reach and explained < 0.98 * of and _is_epsilon_greedy(greedy, s):
        way += f", but a random one with ε = {1 - greedy.skill:.2f}"
        text = f"ε-greedy: {way}, in {greedy.explained} of {of} choices."
        return Reading("ε-greedy", None, chooser, greedy.explained, of, text, greedy)
    if 0 == best.low <= best.high < 5 * reach and explained > 0.98 * of:
        text = f"Greedy: {way}, in {explained} of {of} choices."
        return Reading("greedy", None, chooser, explained, of, text, best, signs)
    if explained < 0.9 * of or best.skill < 0.5:
        least, largest = bounds(*terms(best.rule, best.signs, s), s)
        time = s.time[((least > best.high) | (largest < best.low)).argmax()]
        text = f"No rule that we know explains iteration {time}: {name} explains {explained} of "
        return Reading(None, None, "unknown", explained, of, f"{text}{of} choices.", best)
    if min(best.signs) < 0:
        chooser = "one fixed player" if max(best.signs) > 0 else "player to move at the child"
    about = f" with c = {best.c:.2f}{made_of(abs(best.c), (best.high - best.low) / 2)}"
    text = f"{name}{about if isfinite(best.high - best.low) else ''}, for rewards from {low:g} to "
    text += f"{high:g}, wins for the {chooser}: read from {explained} of {of} choices."
    return Reading(name, c, chooser, explained, of, text, best, signs)
