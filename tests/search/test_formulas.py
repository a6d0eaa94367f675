"""Each formula against its paper, written a second time with fractions.

Only a logarithm and a root are taken from ``math``. A score's exploration is compared as the square
that the paper has below its root.
"""

from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import inf, log, sqrt
from types import SimpleNamespace

import pytest

from mcts_course.learning.priors import TableGuide, puct_with
from mcts_course.lessons.costs import scaled_by_the_tree
from mcts_course.measure.intervals import (
    difference_interval,
    matched_gain,
    mean_interval,
    paired_gain,
    wilson_interval,
)
from mcts_viz import ucb1
from mcts_viz.games.turns import drawn
from mcts_viz.search import variants as v
from mcts_viz.search.statistics import deviation

# Scores ------------------------------------------------------------------------------------------


def root(number):
    return Fraction(sqrt(number))


def spread(rewards):
    """The mean squared distance from the mean."""
    mean = sum(rewards) / len(rewards)
    return sum((one - mean) ** 2 for one in rewards) / len(rewards)


def puct(s, prior):
    mean = s.mean if s.n else Fraction(1, 2)
    return mean, (s.c * prior / (1 + s.n)) ** 2 * s.N


def smoothed(epsilon, offset):
    def paper(s):
        return s.w / (s.n + epsilon), s.c**2 * Fraction(log(max(1, s.N + offset))) / (s.n + epsilon)

    return paper


def tuned(s):
    width = spread(s.rewards) + root(2 * s.ln / s.n)
    return s.mean, s.c**2 * s.ln / s.n * min(Fraction(1, 4), width)


PAPERS = {
    "UCB1": (ucb1, lambda s: (s.mean, s.c**2 * s.ln / s.n)),
    "greed": (v.win_rate, lambda s: (s.mean, 0)),
    "uniform": (v.uniform, lambda s: (-s.n, 0)),
    "PUCT": (v.puct, lambda s: puct(s, Fraction(1, 5))),
    "PUCT with priors": (
        puct_with(lambda state: {"a": 0.25, "b": 0.75}),
        lambda s: puct(s, Fraction(1, 4)),
    ),
    "smoothed": (v.smoothed_ucb1(0.5, 3), smoothed(Fraction(1, 2), 3)),
    "smoothed as it comes": (v.smoothed_ucb1(), smoothed(Fraction(1e-6), 1)),
    "UCB1-Tuned": (v.ucb1_tuned, tuned),
    "scaled": (scaled_by_the_tree(), lambda s: (Fraction(1, 2), s.c**2 * s.ln / s.n)),
}
"""By name: the rule, and its mean and the square of its exploration for a child as below."""


def child(rewards, many, more, c):
    """A child that has got these rewards so many times, below a parent with more visits."""
    n, w = many * len(rewards), many * sum(rewards)
    ln = Fraction(log(max(1, n + more)))
    squares = many * sum(one**2 for one in rewards)
    own = {"n": n, "w": w, "N": n + more, "ln": ln, "c": c, "rewards": rewards}
    return SimpleNamespace(**own, mean=w / n if n else None, squares=squares)


HALVES = [
    [Fraction(half, 2) for half in rewards]
    for rewards in ((0,), (1,), (0, 2), (1, 1, 2), (0, 0, 0, 1))
]
CHILDREN = [
    child(*each)
    for each in product(
        HALVES, (0, 1, 50, 700), (0, 1, 40), (Fraction(0), Fraction(1, 2), Fraction(3))
    )
]


def node(s):
    """The child and its parent, as a rule reads them."""
    numbers = {"visits": s.n, "wins": float(s.w), "squares": float(s.squares)}
    own = SimpleNamespace(**numbers, mean=float(s.mean) if s.n else inf, action="a")
    return own, SimpleNamespace(visits=s.N, n_legal_moves=5, state=None)


@pytest.mark.parametrize("name", PAPERS)
def test_a_score_is_that_of_its_paper(name):
    rule, paper = PAPERS[name]
    for s in CHILDREN:
        if not s.n and not getattr(rule, "rates_unvisited", False):
            continue  # such a child comes first
        if name == "scaled":
            rule = scaled_by_the_tree()  # which has seen this mean alone
        answer = rule(*node(s), float(s.c))
        exploitation, exploration = answer if isinstance(answer, tuple) else (answer, 0.0)
        mean, square = paper(s)
        assert exploitation == pytest.approx(float(mean), rel=1e-12), s
        assert exploration == pytest.approx(sqrt(square), rel=1e-9), s


def test_means_are_scaled_by_the_least_and_the_largest_met_so_far():
    rule, seen = scaled_by_the_tree(), []
    for mean in map(Fraction, (3, -2, 1, 8, 0, -5, 8)):
        seen.append(mean)
        width = max(seen) - min(seen)
        child = SimpleNamespace(visits=1, mean=float(mean))
        scaled = rule(child, SimpleNamespace(visits=1), 1)[0]
        assert scaled == pytest.approx(float((mean - min(seen)) / width) if width else 0.5)


@pytest.mark.parametrize("warmth", [0.1, 1, 5])
def test_a_table_s_priors_are_the_softmax_of_its_values(warmth):
    values = {"a": -1.0, "b": 0.5, "c": 0.5, "d": 0.25}
    learner = SimpleNamespace(action_values=lambda state: values)
    prior = TableGuide(learner, warmth).prior(None)
    assert sum(prior.values()) == pytest.approx(1)
    for one, other in product("abcd", repeat=2):
        assert log(prior[one] / prior[other]) == pytest.approx(
            (values[one] - values[other]) / warmth
        )


def test_a_deviation_is_the_root_of_the_mean_squared_distance():
    for s in CHILDREN:
        if s.n:
            assert deviation(node(s)[0]) == pytest.approx(sqrt(spread(s.rewards)), abs=1e-7)


# Outcomes ----------------------------------------------------------------------------------------


class Place(SimpleNamespace):
    __hash__ = object.__hash__


CHANCES = {"a": Fraction(1, 2), "b": Fraction(1, 8), "c": Fraction(1, 4), "d": Fraction(1, 8)}


@pytest.mark.parametrize("there", [*(c for k in (1, 2, 3, 4) for c in combinations("abcd", k))])
def test_outcomes_are_drawn_by_their_shares_of_those_that_are_there(there):
    """840 numbers, evenly spread: 1 to 8 divide it, and the chances add up to so many eighths."""
    total = sum(CHANCES[one] for one in there)
    wheel = Place(chances={one: float(chance) for one, chance in CHANCES.items()}, visits=1)
    wheel.children = [Place(action=one) for one in there]
    found = []
    for number in range(840):
        chance = SimpleNamespace(random=partial(float, (number + 0.5) / 840))
        found.append(v.widening().outcome(SimpleNamespace(random=chance), wheel).action)
        if there == tuple(CHANCES):
            assert drawn(wheel.chances, chance) == found[-1]
    for one in there:
        assert found.count(one) == 840 * CHANCES[one] / total


# Intervals ---------------------------------------------------------------------------------------

Z = Fraction("1.96")


def wilson(won, n):
    """The shares whose squared distance from the share is z² times the variance: two roots."""
    share, z = Fraction(won, n), Z**2 / n
    half = root((2 * share + z) ** 2 - 4 * (1 + z) * share**2)
    return [(2 * share + z + sign * half) / (2 * (1 + z)) for sign in (-1, 1)]


def newcombe(one, other, n):
    (low, high), (least, most) = wilson(one, n), wilson(other, n)
    first, second = Fraction(one, n), Fraction(other, n)
    down = root((first - low) ** 2 + (most - second) ** 2)
    return [
        first - second - down,
        first - second + root((high - first) ** 2 + (second - least) ** 2),
    ]


def agresti(gained, lost, n):
    """Of four kinds of pairs, each with half a pair more."""
    more, less = Fraction(2 * gained + 1, 2 * n + 4), Fraction(2 * lost + 1, 2 * n + 4)
    half = Z * root((more + less - (more - less) ** 2) / (n + 2))
    return [max(-1, more - less - half), min(1, more - less + half)]


def errors(values):
    """The mean, and standard errors by one value less than there are."""
    half = Z * root(spread(values) / (len(values) - 1))
    mean = sum(values) / len(values)
    return [mean - half, mean + half]


COUNTS = [(n, one, other) for n in (1, 2, 9, 16) for one in range(n + 1) for other in range(n + 1)]


def test_intervals_are_those_of_their_papers():
    for n, one, other in COUNTS:
        pairs = [(wilson_interval(one, n), wilson(one, n))]
        pairs.append((difference_interval(one, other, n), newcombe(one, other, n)))
        if one + other <= n:
            gain, interval = matched_gain(one, other, n)
            assert gain == pytest.approx((one - other) / n)
            pairs.append((interval, agresti(one, other, n)))
        if n > 1:
            first, second = ([Fraction(k % 7 <= won) for k in range(n)] for won in (one, other))
            gains = [a - b for a, b in zip(first, second, strict=True)]
            gain, interval = paired_gain([*map(float, first)], [*map(float, second)])
            assert gain == pytest.approx(float(sum(gains) / n))
            pairs += [
                (interval, errors(gains)),
                (mean_interval([*map(float, first)]), errors(first)),
            ]
        for found, paper in pairs:
            assert found == pytest.approx([*map(float, paper)], abs=1e-7)
