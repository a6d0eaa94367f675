"""Read off the selection rule of a search: each choice bounds c from both sides.

A rule is a value and a bonus, here without c. A search chooses the child with the largest
``sign * value + c * bonus``; the sign says whose wins a node counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import inf, isfinite, log, sqrt
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
FEW: Final = 20
"""Choices that are needed before a rule is said to be faulty."""
WITHIN: Final = 1e-9
"""Scores that differ by less are level."""
NAMED: Final = 0.99
"""The share of choices that a rule must explain: right readings had 99.2 % at least, wrong ones 98.
"""
NEAR: Final = 0.8
"""The share from which the nearest rule is worth a word."""
UNSURE: Final = 0.03
"""Two viewpoints that explain choices alike, but for this share, are both possible."""
GREEDY: Final = 0.05
"""A c below this share of the rewards' range decides between level means alone."""
RANDOM_WITHIN: Final = 4.0
"""Standard deviations within which a mean rank may be that of random choices."""
USUAL_C: Final = (0.5, 1 / sqrt(2), 0.7, 1.0, 1.25, 1.4, 1.41, sqrt(2), 1.5, 2.0)
"""Constants that people write."""
ALPHAZERO_BASE: Final = 19_652
"""Visits by which the c of AlphaZero grows; its published pseudocode has this number."""


class Choices:
    """Many choices at once, in columns.

    Each choice has the place of its first child (``starts``), that of the ``chosen`` one, the
    number of children (``sizes``), its ``time``, the ``player``, 0 or 1, and whether all siblings
    were visited (``full``).
    Each child has its ``node``, its visits ``n``, wins ``w``, prior ``P`` (1 where none was found),
    the parent's visits when it was last visited (``T``), its largest reward ``M``, the sum of its
    squared rewards ``Q``, the parent's visits ``N``, those of all its children ``S``, the root's
    ``R``, its ``place`` among them, and whether the game is over there (``over``).
    """

    def __init__(self, choices: Array, children: Array, chooser: Sequence[int]) -> None:
        self._choices, self._children, self._chooser = choices, children, chooser
        self.time, self.starts, self.chosen, full = choices.astype(int).T
        self.full = full > 0
        self.node = children[:, 0].astype(int)
        self.n, self.w, self.P, self.T, self.M, self.Q = children[:, 1:7].T
        self.N, self.S, self.R, self.place, over = children[:, 7:].T
        self.over = over > 0
        self.sizes = np.diff(self.starts, append=len(self.n))
        self.player = np.array(chooser)[self.node[self.chosen]] % 2

    def __len__(self) -> int:
        return len(self.starts)

    def only(self, wanted: Array) -> Choices:
        """Some of the choices."""
        return self._without(wanted, np.repeat(wanted, self.sizes))

    def in_play(self) -> Choices:
        """The choices between children where the game goes on: an end may have an exact value."""
        if not len(self):
            return self
        open_children = np.add.reduceat((~self.over).astype(int), self.starts)
        wanted = ~self.over[self.chosen] & (open_children > 1)
        return self._without(wanted, np.repeat(wanted, self.sizes) & ~self.over)

    def _without(self, wanted: Array, kept: Array) -> Choices:
        """The wanted choices, with the children that are kept."""
        after = np.cumsum(kept)
        choices = self._choices[wanted].copy()
        choices[:, 1] = (after - kept)[choices[:, 1].astype(int)]
        choices[:, 2] = after[choices[:, 2].astype(int)] - 1
        return Choices(choices, self._children[kept], self._chooser)

    def is_largest(self, value: Array) -> Array:
        """By choice: true if no sibling has a larger value than the child that was chosen."""
        most = np.maximum.reduceat(value, self.starts) if len(self) else np.zeros(0)
        return np.asarray(value[self.chosen] >= most - WITHIN)

    def looks_random(self, value: Array, player: int) -> bool:
        """True if the children that a player chose rank in a value as random ones would."""
        mine = np.repeat(value[self.chosen], self.sizes)
        places = np.where(value < mine, 1.0, np.where(value == mine, 0.5, 0.0))
        beaten = np.add.reduceat(places, self.starts) - 0.5
        rank = (beaten / np.maximum(1, self.sizes - 1))[self.player == player] - 0.5
        return not len(rank) or bool(abs(rank.mean()) * sqrt(12 * len(rank)) <= RANDOM_WITHIN)


def mean(s: Choices) -> Any:
    """The child's mean reward."""
    return s.w / s.n


def ucb(s: Choices) -> Any:
    """The bonus of UCB1."""
    return np.sqrt(np.log(s.N) / s.n)


def by_root(s: Choices) -> Any:
    """The bonus of UCB1 with the root's visits in the place of the parent's."""
    return np.sqrt(np.log(s.R) / s.n)


def tuned(s: Choices) -> Any:
    """The bonus of UCB1-Tuned."""
    share = np.log(s.N) / s.n
    spread = s.Q / s.n - mean(s) ** 2 + np.sqrt(2 * share)
    return np.sqrt(share * np.minimum(0.25, np.maximum(spread, 0)))


def growing(s: Choices) -> Any:
    """The term that the growing part of AlphaZero's c adds to a score."""
    return np.log((1 + s.N + ALPHAZERO_BASE) / ALPHAZERO_BASE) * s.P * np.sqrt(s.N) / (1 + s.n)


class Rule(NamedTuple):
    """A row of the table; ``fault`` is the slug of the finding, if the rule is no sound one."""

    name: str
    bonus: Callable[[Choices], Array]
    fault: str = ""
    value: Callable[[Choices], Array] = mean
    plus: Callable[[Choices], Array] | None = None
    """A third term, with neither sign nor c."""


def stored(later: int) -> Rule:
    """UCB1 whose score was kept when the child was last visited, before or after its parent was."""
    name = "UCB1 with a score that is stored at the last visit"
    return Rule(name, lambda s: np.sqrt(np.log(s.T + later) / s.n), "stored-score")


def with_maximum(share: float) -> Rule:
    """UCB1 on a mean mixed with the child's largest reward."""
    name = f"UCB1 with {share:.0%} of the largest reward in the mean"
    return Rule(name, ucb, value=lambda s: (1 - share) * mean(s) + share * s.M)


PUCT: Final = Rule("PUCT", lambda s: s.P * np.sqrt(s.N) / (1 + s.n))
"""PUCT as AlphaZero has it, with the visits of the parent itself."""
# A rule of your own is one line: RULES.append(Rule("my rule", lambda s: s.N / s.n))
RULES: Final = [
    Rule("UCB1", ucb),
    Rule("UCB1", lambda s: np.sqrt(np.log(s.N + 1) / s.n)),
    Rule("UCB1", lambda s: np.sqrt(np.log(s.S) / s.n)),
    Rule("UCB1", lambda s: np.sqrt(np.log(s.N) / (s.n + 1))),
    PUCT,
    Rule("PUCT", lambda s: s.P * np.sqrt(s.S) / (1 + s.n)),
    Rule("PUCT", lambda s: s.P * np.sqrt(s.S + 1) / (1 + s.n)),
    Rule("PUCT with a c that grows", lambda s: s.P * np.sqrt(s.N) / (1 + s.n), plus=growing),
    Rule("PUCT without priors", lambda s: np.sqrt(s.N) / (1 + s.n)),
    Rule("UCB1-Tuned", tuned),
    *map(with_maximum, (0.1, 0.2, 0.25, 0.5, 0.75, 0.8, 0.9)),
    stored(0),
    stored(1),
    Rule("UCB1 with the root's visits for the parent's", by_root, "root-in-logarithm"),
    Rule("UCB1 with the mean by the parent's visits", ucb, "parent-in-mean", lambda s: s.w / s.N),
    Rule("UCB1 without the logarithm", lambda s: np.sqrt(s.N / s.n), "no-logarithm"),
    Rule("UCB1 without the root", lambda s: np.log(s.N) / s.n, "no-root"),
    Rule(
        "UCB1 with ln of the child's visits",
        lambda s: np.sqrt(np.log(s.n) / s.n),
        "child-in-logarithm",
    ),
    Rule("UCB1 with integer division", ucb, "integer-division", lambda s: s.w // s.n),
    Rule("UCB1 with wins in the place of the mean", ucb, "sum-for-mean", lambda s: s.w),
    Rule("UCB1 with its second term subtracted", lambda s: -ucb(s), "bonus-subtracted"),
    Rule("the lowest score of UCB1", lambda s: -ucb(s), "chooses-the-worst", lambda s: -mean(s)),
    Rule("the most visits", lambda s: 0 * s.n, "most-visited", lambda s: s.n),
    Rule("the first place in the list", lambda s: 0 * s.n, "first-child", lambda s: -s.place),
    Rule("the last place in the list", lambda s: 0 * s.n, "last-child", lambda s: s.place),
]
"""The forms that are known; of two that explain as much, the first counts."""
PLAIN: Final = ("UCB1", "PUCT", "PUCT without priors")
"""The rules that are named beside another that explains as much; special ones must explain more."""
WITHOUT_C: Final = ("most-visited", "first-child", "last-child")
"""The faults of rules that weigh nothing."""
TURNED: Final = ("bonus-subtracted", "chooses-the-worst")
"""Two faults that are one, from opposite viewpoints."""


class Fit(NamedTuple):
    """How many choices a rule explains at most, and with which c."""

    explained: int
    rule: Rule
    signs: tuple[int, ...]
    """1 for a player who prefers large values, -1 for one who prefers small ones."""
    least: float
    most: float


def all_signs(s: Choices, rule: Rule) -> Iterator[tuple[int, int]]:
    """The viewpoints to try: a player who never chooses has none, nor a rule that has no wins.

    The lowest score from one viewpoint is a bonus that is subtracted from the other.
    """
    if rule.fault in (*WITHOUT_C, *TURNED):
        yield 1, 1
        return
    present = {*s.player.tolist()}
    for first, second in product((1, -1), repeat=2):
        if present == {0, 1} or first == second:
            yield first, second


def every_fit(s: Choices, reach: float) -> Iterator[Fit]:
    """Yield what each rule explains, from each viewpoint. A faulty rule needs a c above
    ``reach``."""
    for rule in RULES:
        with np.errstate(all="ignore"):
            bonus = np.nan_to_num(rule.bonus(s), nan=0, posinf=1e9, neginf=-1e9)
            value = np.nan_to_num(rule.value(s), nan=0, posinf=1e9, neginf=-1e9)
            plus = rule.plus(s) if rule.plus else 0.0
        for signs in all_signs(s, rule):
            signed = value * np.repeat(np.array(signs)[s.player], s.sizes) + plus
            count, least, most = overlap(s, signed, bonus)
            is_clear = least > reach and (most < inf or bonus.max() <= 0)
            if count and (not rule.fault or is_clear or rule.fault in WITHOUT_C):
                yield Fit(count, rule, signs, least, most)


def overlap(s: Choices, value: Array, bonus: Array) -> tuple[int, float, float]:
    """How many choices some c explains at most, and the range of that c."""
    with np.errstate(all="ignore"):
        lead = np.repeat(value[s.chosen], s.sizes) - value + WITHIN
        more = np.repeat(bonus[s.chosen], s.sizes) - bonus
        least = np.where(more >= WITHIN, -lead / more, 0.0)
        most = np.where(more <= -WITHIN, -lead / more, inf)
    most[(abs(more) < WITHIN) & (lead < 0)] = -inf  # no c at all
    low, high = np.maximum.reduceat(least, s.starts), np.minimum.reduceat(most, s.starts)
    low, high = np.sort(low[low <= high]), np.sort(high[low <= high])
    if not len(low):
        return 0, 0.0, inf
    inside = np.arange(1, len(low) + 1) - np.searchsorted(high, low, side="left")
    least_c = float(low[inside.argmax()])
    return int(inside.max()), least_c, float(high[np.searchsorted(high, least_c)])


class Reading(NamedTuple):
    """The rule by which a search selects, as far as its choices show it."""

    name: str | None
    """``None`` if no rule that is known explains the choices."""
    c: tuple[float, float] | None
    """The smallest and the largest possible c; ``None`` for a rule without one, and for two rules.
    """
    middle: float
    """A likely c; 0 if ``c`` is ``None``."""
    explained: int
    of: int
    text: str
    row: Rule | None = None
    """The row of the table that explains most."""
    signs: tuple[int, ...] = ()
    """1 for a player who prefers large means, else -1; empty if this is not sure."""
    possible: tuple[tuple[int, ...], ...] = ()
    """All viewpoints that explain as much."""
    which: str = ""
    """The choices that were read, if these are not all."""

    def __str__(self) -> str:
        return self.text


def is_named(explained: int, of: int) -> bool:
    """True if so many choices are enough to name a rule; one of the first may be a program's
    own."""
    return explained >= of - max(1, (1 - NAMED) * of)


def best_of(every: Sequence[Fit], of: int) -> Fit:
    """The rule that explains most; a faulty one must explain clearly more than any sound one."""
    return max(every, key=lambda fit: fit.explained + (0 if fit.rule.fault else max(2, of / 100)))


def subsets(s: Choices) -> Iterator[tuple[str, Choices]]:
    """Choices among which a rule may be read: all, and those where nothing special happens."""
    yield "", s
    yield " where all children were visited", s.only(s.full)
    yield " between children in play", s.in_play()
    yield " between children in play, where all were visited", s.only(s.full).in_play()


def read_rule(s: Choices, low: float, high: float) -> Reading:
    """The rule that explains most choices, with rewards between both numbers."""
    if len(s) < 2 or low >= high:
        text = f"No rule can be read: {len(s)} choices between visited children, "
        return Reading(None, None, 0.0, 0, len(s), text + f"for rewards from {low:g} to {high:g}.")
    reach = 0.01 * (high - low)
    nearest: Fit | None = None
    for which, part in subsets(s):
        if which and (len(part) < FEW or len(part.n) == len(s.n)):
            continue
        every = list(every_fit(part, reach))
        best = best_of(every, len(part))
        if is_named(best.explained, len(part)):
            return named_reading(part, every, best, low, high, which)
        nearest = nearest or nearest_of(every, best, len(part))
    return no_reading(len(s), nearest)


def nearest_of(every: Sequence[Fit], best: Fit, of: int) -> Fit:
    """The sound rule that explains most, or else any."""
    return best_of([fit for fit in every if not fit.rule.fault] or [best], of)


def no_reading(of: int, nearest: Fit | None) -> Reading:
    """That no rule is known, and which comes near, if one does."""
    explained = nearest.explained if nearest else 0
    text = f"No rule that we know explains the {of} choices"
    if nearest and explained >= NEAR * of and not nearest.rule.fault:
        text += f"; {nearest.rule.name} is nearest, and explains {explained} of them"
    return Reading(None, None, 0.0, explained, of, text + ".")


def named_reading(
    s: Choices, every: Sequence[Fit], best: Fit, low: float, high: float, which: str
) -> Reading:
    """The reading of a rule that explains enough, with what else explains as much."""
    of, width, fault = len(s), high - low, best.rule.fault
    possible = tuple(
        fit.signs
        for fit in every
        if fit.rule is best.rule and best.explained - fit.explained <= max(5, UNSURE * of)
    )
    signs = best.signs if len(possible) == 1 else ()
    is_greedy = best.most < GREEDY * width and fault not in WITHOUT_C
    first = "greedy" if is_greedy else best.rule.name
    rivals = rivals_of(every, best, first, of, width)
    name = " or ".join([first, *rivals])
    c: tuple[float, float] | None = None
    middle, text = 0.0, name
    if not (is_greedy or rivals or fault in WITHOUT_C):
        c, middle = (best.least, best.most), min((best.least + best.most) / 2, best.least + 1)
        text += said_c(best.least, best.most)
    if first.startswith("PUCT") and (s.P == 1).all():
        text += " (no priors found)"
    text += f", for rewards from {low:g} to {high:g}, {viewpoint_of(best, signs)}: "
    text += f"read from {best.explained} of {of} choices{which}."
    return Reading(name, c, middle, best.explained, of, text, best.rule, signs, possible, which)


def rivals_of(every: Sequence[Fit], best: Fit, first: str, of: int, width: float) -> list[str]:
    """The other rules that explain as many choices, so that both must be named."""
    if best.rule.fault:
        tied = [
            fit.rule.name for fit in every if fit.explained == best.explained and fit.rule.fault
        ]
        return [name for name in dict.fromkeys(tied) if name != first]
    near = best.explained - max(0, of // 200)
    also = {
        family_of(fit.rule.name)
        for fit in every
        if fit.explained >= near and fit.most >= GREEDY * width and fit.rule.name in PLAIN
    }
    return sorted(also - {family_of(first)})


def viewpoint_of(best: Fit, signs: tuple[int, ...]) -> str:
    """For whose selection takes a node's wins, in words."""
    if best.rule.fault in WITHOUT_C:
        return "wins not weighed"
    choosers = {2: "player who chooses", 0: "one fixed player", -2: "player to move at the child"}
    return f"wins read as those of the {choosers[sum(signs)]}" if signs else "viewpoint unclear"


def family_of(name: str) -> str:
    """The name of a rule without its form, so that two forms of one rule are no rivals."""
    return name.split()[0]


def said_c(least: float, most: float) -> str:
    """An interval of c in words: one number if it is narrow."""
    if not isfinite(most):
        return f" with c of at least {least:.2f}" if least > 0 else ""
    middle = (least + most) / 2
    if most - least > max(0.05, 0.05 * middle):
        return f" with c between {least:.2f} and {most:.2f}"
    text = f" with c = {middle:.2f}"
    for_log2 = sqrt(log(2))
    is_usual = any(least - WITHIN <= usual <= most + WITHIN for usual in USUAL_C)
    by_log2 = [usual for usual in USUAL_C if least <= usual / for_log2 <= most]
    if by_log2 and not is_usual:
        text += f" ({by_log2[0]:.2f} if the logarithm is log₂)"
    return text
