"""Read off the selection rule of a search: each choice bounds c from both sides.

A rule is a value and a bonus, here without c. A search chooses the child with the largest
``sign * value + c * bonus``; the sign says whose wins a node counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import inf, isfinite, log, sqrt
from typing import Any, Final, NamedTuple, TypeAlias

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
CHANCE: Final = 1.5
"""A rule that is blurred by noise must explain so many times what random choices would."""
UNSURE: Final = 0.03
"""Two viewpoints that explain choices alike, but for this share, are both possible."""
NOTHING: Final = 1e-4
"""The share of the rewards' range below which c is 0."""
LITTLE: Final = {True: ", which is little", False: ""}
GREEDY: Final = 0.02
"""A c below this share of the rewards' range decides between level means alone."""
RANDOM_WITHIN: Final = 4.0
"""Standard deviations within which a mean rank may be that of random choices."""
USUAL_C: Final = (0.5, 1 / sqrt(2), 0.7, 1.0, 1.25, 1.4, 1.41, sqrt(2), 1.5, 2.0)
"""Constants that people write."""
WAYS_TO_WRITE_C: Final[tuple[tuple[str, tuple[float, ...], Callable[[float], float]], ...]] = (
    ("", USUAL_C, float),
    (" ({:.2f} if the logarithm is log₂)", USUAL_C, lambda c: c / sqrt(log(2))),
    (" ({:g} inside the root)", (*USUAL_C, 3.0, 5.0, 10.0), sqrt),
)
"""The ways to write a constant, those that are usual, and the c as which they are read."""
SAMPLE: Final = 250
"""Choices on which all rules are tried first."""
FORMS: Final = 3
"""Forms of PUCT that are tried with a c that grows: those that come nearest without."""
SAMPLED_WITHIN: Final = 0.05
"""The share of a sample that a rule may explain less than the best one, to be tried on all."""
BELOW: Final = " below the root"
IN_PLAY: Final = " between children in play"
LEFT: Final = " among children that are chosen again"
ALPHAZERO_BASE: Final = 19_652
"""Visits by which the c of AlphaZero grows; its published pseudocode has this number."""


class Choices:
    """Many choices at once, in columns.

    Each choice has the place of its first child (``starts``), that of the ``chosen`` one, the
    number of children (``sizes``), its ``time``, the node ``above``, the number of the ``player``,
    and whether all siblings were visited (``full``).
    Each child has its ``node``, its visits ``n``, wins ``w``, prior ``P`` (1 where none was found),
    the parent's visits when it was last visited (``T``), its largest reward ``M``, the sum of its
    squared rewards ``Q``, the parent's visits ``N``, those of all its children ``S``, the root's
    ``R``, its ``place`` among them, whether the game is ``over`` there, whether it is chosen now or
    ``again`` later, and its proven ``outcome`` for who chooses (NaN for none).
    """

    time: Array
    above: Array
    chosen: Array
    full: Array
    player: Array
    node: Array
    n: Array
    w: Array
    P: Array
    T: Array
    M: Array
    Q: Array
    N: Array
    S: Array
    R: Array
    place: Array
    over: Array
    again: Array
    outcome: Array

    def __init__(
        self, events: Mapping[str, Array], children: Mapping[str, Array], starts: Array
    ) -> None:
        self._events = events
        self._children = children
        self.starts = starts
        vars(self).update(events, **children)
        self.sizes = np.diff(self.starts, append=len(self.n))

    def __len__(self) -> int:
        return len(self.starts)

    def only(self, wanted: Array) -> Choices:
        """Some of the choices."""
        return self._without(wanted, np.repeat(wanted, self.sizes))

    def among(self, kept: Array) -> Choices:
        """The choices of a kept child, between several of these alone."""
        if not len(self):
            return self
        several = np.add.reduceat(kept.astype(int), self.starts) > 1
        wanted = kept[self.chosen] & several
        return self._without(wanted, np.repeat(wanted, self.sizes) & kept)

    def _without(self, wanted: Array, kept: Array) -> Choices:
        """The wanted choices, with the children that are kept."""
        after = np.cumsum(kept)
        events = {name: column[wanted] for name, column in self._events.items()}
        events["chosen"] = after[events["chosen"]] - 1
        children = {name: column[kept] for name, column in self._children.items()}
        return Choices(events, children, (after - kept)[self.starts[wanted]])

    @property
    def exact(self) -> Array:
        """For each child: true if its proven outcome is taken for its score."""
        return self._children.get("exact", np.zeros(len(self.n), bool))

    def by_outcome(self) -> Choices:
        """The same, with proven children that count as their outcome, without a bonus."""
        known = ~np.isnan(self.outcome)
        changed = {"w": np.where(known, self.outcome * self.n, self.w), "exact": known}
        return Choices(self._events, {**self._children, **changed}, self.starts)

    def of_players(self, numbers: Array) -> Choices:
        """The same, made by these players."""
        return Choices({**self._events, "player": numbers}, self._children, self.starts)

    def is_largest(self, value: Array) -> Array:
        """For each choice: true if no sibling has a larger value than the child that was chosen."""
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


def tuned(s: Choices) -> Any:
    """The bonus of UCB1-Tuned."""
    share = np.log(s.N) / s.n
    spread = s.Q / s.n - mean(s) ** 2 + np.sqrt(2 * share)
    return np.sqrt(share * np.minimum(0.25, np.maximum(spread, 0)))


def shrunk(s: Choices) -> Any:
    """The sum by one visit more, so that a child without a visit has the mean 0."""
    return s.w / (1 + s.n)


@lru_cache(maxsize=8)
def finite(term: Callable[[Choices], Array], s: Choices) -> Array:
    """A term of a rule for each child; it is kept while the rule is tried from all viewpoints."""
    with np.errstate(all="ignore"):
        return np.nan_to_num(term(s), nan=0, posinf=1e9, neginf=-1e9)


class Rule(NamedTuple):
    """A row of the table; ``fault`` is the slug of the finding, if the rule is no sound one."""

    name: str
    bonus: Callable[[Choices], Array]
    fault: str = ""
    value: Callable[[Choices], Array] = mean
    plus: Callable[[Choices], Array] = lambda s: 0 * s.n
    """A third term, with neither sign nor c."""
    about: str = ""
    """The form of the rule, where it is worth a word."""

    def scores(self, s: Choices, signs: Sequence[int]) -> tuple[Array, Array]:
        """For each child: its value for who chooses, and its bonus without c."""
        value, bonus, plus = (finite(term, s) for term in (self.value, self.bonus, self.plus))
        signed = value * np.repeat(np.array(signs)[s.player], s.sizes)
        return signed + plus, np.where(s.exact, 0.0, bonus)


def growing(base: float, form: Rule) -> Rule:
    """PUCT in that form with a c to which the logarithm of (1 + N + base) / base is added."""

    def plus(s: Choices) -> Array:
        return np.asarray(np.log((1 + s.N + base) / base) * form.bonus(s))

    about = f" and base {base:,}" if base == ALPHAZERO_BASE else f" and a base about {base:,}"
    return form._replace(name="PUCT with a c that grows", plus=plus, about=form.about + about)


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
FORMS_OF_N: Final = [
    PUCT,
    Rule("PUCT", lambda s: s.P * np.sqrt(s.S) / (1 + s.n)),
    Rule("PUCT", lambda s: s.P * np.sqrt(s.S + 1) / (1 + s.n)),
]
OF_SHRUNK: Final = " and W/(1 + N) for the mean"
PUCT_FORMS: Final = [
    *FORMS_OF_N,
    *(form._replace(value=shrunk, about=OF_SHRUNK) for form in FORMS_OF_N),
]
BASES: Final = [round(base) for base in np.geomspace(1, 1e6, 100).tolist()]
"""Bases of a c that grows."""
# A rule of your own is one line: RULES.append(Rule("my rule", lambda s: s.N / s.n))
RULES: Final = [
    Rule("UCB1", ucb),
    Rule("UCB1", lambda s: np.sqrt(np.log(s.N + 1) / s.n)),
    Rule("UCB1", lambda s: np.sqrt(np.log(s.S) / s.n)),
    Rule("UCB1", lambda s: np.sqrt(np.log(s.N) / (s.n + 1))),
    *PUCT_FORMS,
    Rule("PUCT without priors", lambda s: np.sqrt(s.N) / (1 + s.n)),
    Rule("UCB1", lambda s: np.sqrt(np.log(s.N) / (s.n + 1)), value=shrunk, about=OF_SHRUNK),
    growing(ALPHAZERO_BASE, PUCT),
    Rule("UCB1 with priors", lambda s: s.P * np.sqrt(np.log(s.N) / s.n)),
    Rule("UCB1-Tuned", tuned),
    *map(with_maximum, (0.05, 0.1, 0.2, 0.25, 0.5, 0.75, 0.8, 0.9)),
    stored(0),
    stored(1),
    Rule(
        "UCB1 with the root's visits for the parent's",
        lambda s: np.sqrt(np.log(s.R) / s.n),
        "root-in-logarithm",
    ),
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
PLAIN: Final = [
    rule
    for rule in RULES
    if rule.name in ("UCB1", "PUCT", "PUCT without priors") and not rule.about
]
"""The rules that are named beside another that explains as much; special ones must explain more."""
WITHOUT_C: Final = ("most-visited", "first-child", "last-child")
"""The faults of rules that weigh nothing."""
TURNED: Final = ("bonus-subtracted", "chooses-the-worst")
"""Two faults that are one, from opposite viewpoints."""


class Fit(NamedTuple):
    """The number of choices that a rule explains at most, and the range of c that does it."""

    explained: int
    rule: Rule
    signs: tuple[int, ...]
    """1 for a player who prefers large values, -1 for one who prefers small ones."""
    least: float
    most: float

    @property
    def c(self) -> float:
        """A likely c."""
        return min((self.least + self.most) / 2, self.least + 1)


def all_signs(s: Choices, rule: Rule) -> Iterator[tuple[int, ...]]:
    """The viewpoints to try: that of who chooses, of the opponents, and of each player alone.

    A player who never chooses has none, nor a rule that has no wins. The lowest score from one
    viewpoint is a bonus that is subtracted from the other.
    """
    present = np.unique(s.player)
    count = max(2, int(present.max(initial=0)) + 1)
    yield (1,) * count
    if rule.fault in (*WITHOUT_C, *TURNED):
        return
    yield (-1,) * count
    if len(present) > 1:
        yield from (tuple(np.where(np.arange(count) == one, 1, -1).tolist()) for one in present)


Candidate: TypeAlias = tuple[Rule, tuple[int, ...]]


def every_fit(s: Choices, reach: float, rules: Sequence[Rule]) -> list[Fit]:
    """The fits of the rules from each viewpoint, but for those far worse on a sample.

    A faulty rule needs a c above ``reach``.
    """
    tried = [(rule, signs) for rule in rules for signs in all_signs(s, rule)]
    step = len(s) // SAMPLE
    if step > 1:
        tried = contenders(s.only(np.arange(len(s)) % step == 0), tried)
    return [fit for fit in fits(s, tried) if is_clear(fit, reach)]


def contenders(s: Choices, tried: Iterable[Candidate]) -> list[Candidate]:
    """Those that explain nearly as much of a sample as the best sound one."""
    every = [*fits(s, tried)]
    best = max((fit.explained for fit in every if not fit.rule.fault), default=0)
    least = best - SAMPLED_WITHIN * len(s)
    return [(fit.rule, fit.signs) for fit in every if fit.explained >= least]


def is_clear(fit: Fit, reach: float) -> bool:
    """False for a faulty rule whose c may be 0, or of any size."""
    if not fit.rule.fault or fit.rule.fault in WITHOUT_C:
        return True
    return fit.least > reach and (fit.most < inf or fit.rule.fault in TURNED)


def fits(s: Choices, tried: Iterable[Candidate]) -> Iterator[Fit]:
    """The fit of each rule that explains some choices, from its viewpoint."""
    for rule, signs in tried:
        count, least, most = overlap(s, *rule.scores(s, signs))
        if count:
            yield Fit(count, rule, signs, least, most)


def overlap(s: Choices, value: Array, bonus: Array) -> tuple[int, float, float]:
    """The largest number of choices that one c explains, and the range of that c."""
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
    explained: int
    of: int
    text: str
    c: tuple[float, float] | None = None
    """The smallest and the largest possible c; ``None`` for a rule without one, and for two rules.
    """
    middle: float = 0.0
    """A likely c; 0 if ``c`` is ``None``."""
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

    @property
    def fault(self) -> str:
        """The name of the finding, if the rule is no sound one."""
        return self.row.fault if self.row else ""

    @property
    def viewpoint(self) -> str:
        """For whose selection takes a node's wins, in words."""
        if self.fault in WITHOUT_C:
            return "wins not weighed"
        words = {1: "the player who chooses", -1: "the player to move there"}
        whose = words[self.signs[0]] if len({*self.signs}) == 1 else "one fixed player"
        return f"wins read as those of {whose}" if self.signs else "viewpoint unclear"

    def scores(self, s: Choices) -> tuple[Array, Array] | None:
        """For each child: its value and its bonus by this rule; ``None`` without a rule."""
        if self.row is None:
            return None
        value, bonus = self.row.scores(s, self.signs or self.possible[0])
        return value, self.middle * bonus


def is_named(explained: int, of: int) -> bool:
    """True if so many choices are enough to name a rule; one of the first may be a program's
    own."""
    return explained >= of - max(1, (1 - NAMED) * of)


def best_of(every: Sequence[Fit], of: int) -> Fit:
    """The rule that explains most; a faulty one must explain clearly more than any sound one."""
    return max(every, key=lambda fit: fit.explained + (0 if fit.rule.fault else max(2, of / 200)))


def subsets(s: Choices) -> Iterator[tuple[str, Choices]]:
    """Choices among which a rule may be read: all, and those where nothing special happens."""
    yield "", s
    if not np.isnan(s.outcome).all():
        s = s.by_outcome()
        yield ", with proven children by their outcome", s
    visited = s.only(s.full)
    parts = {
        " where all children were visited": visited,
        IN_PLAY: s.among(~s.over),
        f"{IN_PLAY}, where all were visited": visited.among(~visited.over),
        BELOW: s.only(s.above > 0),
        LEFT: s.among(s.again),
    }
    for which, part in parts.items():
        if len(part) >= FEW and len(part.n) < len(s.n):
            yield which, part


def read_rule(s: Choices, low: float, high: float) -> Reading:
    """The rule that explains most choices, with rewards between both numbers."""
    if len(s) < 2 or low >= high:
        text = f"No rule can be read: {len(s)} choices between visited children, "
        return Reading(None, 0, len(s), text + f"for rewards from {low:g} to {high:g}.")
    nearest: Fit | None = None
    for which, part in subsets(s):
        every = fits_of_part(part, 0.01 * (high - low), which)
        best = best_of(every, len(part))
        if is_named(best.explained, len(part)):
            if which == BELOW:
                many = int(misfits(s.only(s.above == 0), best).sum())
                which += (
                    f"; all {many} misfits are at the root, as where noise or another rule chooses"
                )
            return named_reading(part, every, best, low, high, which)
        nearest = nearest or best_of([fit for fit in every if not fit.rule.fault] or [best], len(s))
    assert nearest
    return no_reading(s, nearest)


def fits_of_part(s: Choices, reach: float, which: str) -> list[Fit]:
    """All fits to some of the choices; if PUCT comes nearest, also those with a c that grows."""
    # Of a part, any rule explains more; a fault must show in all choices.
    rules = [rule for rule in RULES if not (rule.fault and which in (BELOW, LEFT))]
    every = every_fit(s, reach, rules)
    best = best_of(every, len(s))
    if is_named(best.explained, len(s)) or not best.rule.name.startswith("PUCT"):
        return every
    forms = sorted((fit for fit in every if fit.rule in PUCT_FORMS), key=lambda fit: fit.explained)
    grown = [growing(base, fit.rule) for fit in forms[-FORMS:] for base in BASES]
    more = [best, *every_fit(s, reach, grown)]
    return more if is_named(best_of(more, len(s)).explained, len(s)) else every


def misfits(s: Choices, fit: Fit) -> Array:
    """For each choice: true if the rule does not explain it with that c."""
    value, bonus = fit.rule.scores(s, fit.signs)
    return ~s.is_largest(value + fit.c * bonus)


def is_noisy(s: Choices, fit: Fit) -> bool:
    """True if PUCT's misfits, at the root and below, are no more than noise on priors can do."""
    if not fit.rule.name.startswith("PUCT") or (s.P == 1).all():
        return False
    value, bonus = fit.rule.scores(s, fit.signs)
    lifted, odd = value + fit.c * bonus, misfits(s, fit)
    # Noise may have made the prior of the chosen child larger by 1.
    lifted[s.chosen] += fit.c * (bonus / np.maximum(s.P, WITHIN))[s.chosen]
    parts = odd[s.above == 0], odd[s.above > 0]
    is_everywhere = all(len(part) and part.mean() > 1 - NAMED for part in parts)
    is_better = fit.explained > CHANCE * np.sum(1 / s.sizes)
    return bool(is_better and is_everywhere and s.is_largest(lifted).mean() >= NAMED)


def no_reading(s: Choices, nearest: Fit) -> Reading:
    """That no rule is known, and which comes near, if one does."""
    of = len(s)
    explained = nearest.explained
    rule = nearest.rule
    text = f"No rule that we know explains the {of} choices"
    noise = is_noisy(s, nearest)
    if not rule.fault and (noise or explained >= NEAR * of):
        text += f"; {rule.name} is nearest, and explains {explained} of them"
    if noise:
        text += "; noise on the priors in every node, or a random choice, would explain the others"
    return Reading(None, explained, of, text + ".")


def named_reading(
    s: Choices, every: Sequence[Fit], best: Fit, low: float, high: float, which: str
) -> Reading:
    """The reading of a rule that explains enough, with what else explains as much."""
    of = len(s)
    width = high - low
    rule = best.rule
    possible = tuple(
        fit.signs
        for fit in every
        if fit.rule is rule and best.explained - fit.explained <= max(5, UNSURE * of)
    )
    is_small = best.most < GREEDY * width and rule.fault not in WITHOUT_C
    is_greedy = is_small and best.least < NOTHING * width
    first = "greedy" if is_greedy else rule.name
    name = " or ".join([first, *rivals_of(every, best, first, of, width)])
    said = Reading(name, best.explained, of, name, row=rule, possible=possible, which=which)
    if len(possible) == 1:
        said = said._replace(signs=best.signs)
    text = name
    if name == rule.name and rule.fault not in WITHOUT_C:
        said = said._replace(c=(best.least, best.most), middle=best.c)
        text += said_c(best.least, best.most) + rule.about + LITTLE[is_small]
    if first.startswith("PUCT") and (s.P == 1).all():
        text += " (no priors found)"
    text += f", for rewards from {low:g} to {high:g}, {said.viewpoint}: "
    return said._replace(text=text + f"read from {best.explained} of {of} choices{which}.")


def rivals_of(every: Sequence[Fit], best: Fit, first: str, of: int, width: float) -> list[str]:
    """The other rules that explain as many choices, so that both must be named."""
    if best.rule.fault:
        tied = [fit for fit in every if fit.explained == best.explained and fit.rule.fault]
        return [*dict.fromkeys(fit.rule.name for fit in tied if fit.rule.name != first)]
    # A rule that explains all is not that of a program which another explains but for some.
    near = of if best.explained == of else best.explained - of // 200
    plain = [fit for fit in every if fit.rule in PLAIN]
    also = [fit for fit in plain if fit.explained >= near and fit.most >= GREEDY * width]
    return sorted({family_of(fit.rule.name) for fit in also} - {family_of(first)})


def family_of(name: str) -> str:
    """The name of a rule without its form, so that two forms of one rule are no rivals."""
    return name.split()[0]


def said_c(least: float, most: float) -> str:
    """An interval of c in words: one number if it is narrow, and how people may have written it."""
    if not isfinite(most):
        return f" with c of at least {least:.2f}" if least > 0 else ""
    middle = (least + most) / 2
    if most - least > max(0.05, 0.05 * middle):
        return f" with c between {least:.2f} and {most:.2f}"
    for form, constants, as_read in WAYS_TO_WRITE_C:
        for one in constants:
            if least - WITHIN <= as_read(one) <= most + WITHIN:
                return f" with c = {middle:.2f}{form.format(one)}"
    return f" with c = {middle:.2f}"
