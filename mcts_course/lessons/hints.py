"""Experiments and exercises of the lesson *Can a hint guide the search?*"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import inf, sqrt
from random import Random
from statistics import median
from typing import Any, Final

from mcts_viz.games import TicTacToe
from mcts_viz.search.mcts import MCTS
from mcts_viz.search.variants import expand_all_play_leaf

from ..learning.priors import TableGuide, puct_with
from ..learning.q_learning import QLearner
from ..measure.arena import ArenaResult
from ..measure.intervals import verdict
from ..show.figures import Figure, Slider, new_figure
from ..show.tables import Table
from ..typed import typed_door
from ..work.exercises import Case, Question, Task, texts_of

SAID: Final = texts_of(__name__)
GAME: Final = TicTacToe()
POSITION: Final = GAME.parse("OX. ..O ..X")
WINNING: Final = 7


# Experiments ---------------------------------------------------------------------------------


@cache
def _equal(state: Any) -> Mapping[int, float]:
    """The priors of a position that no move stands out in."""
    legal = GAME.legal_actions(state)
    return dict.fromkeys(legal, 1 / len(legal))


def _searching(prior: float, seed: int) -> MCTS:
    """Return a search of ``POSITION`` in which cell 7 has this prior, and the others the rest."""
    legal = GAME.legal_actions(POSITION)
    others = dict.fromkeys(legal, (1 - prior) / (len(legal) - 1))
    return _searching_with({**others, WINNING: prior}, seed)


def _searching_with(at_root: Mapping[int, float], seed: int) -> MCTS:
    """Return a search of ``POSITION`` with these priors there, and equal ones everywhere else."""

    def priors(state: Any) -> Mapping[int, float]:
        return at_root if state == POSITION else _equal(state)

    search = MCTS(GAME, c=1, seed=seed, selection=puct_with(priors), expansion=expand_all_play_leaf)
    search.start(POSITION)
    return search


@typed_door
def first_visit(prior: float, seed: int, most: int = 2000) -> tuple[int | None, float]:
    """The iteration that first tries cell 7, given its prior; ``None`` if none of ``most`` does.

    The second number is the highest mean of the other moves by then.
    """
    search, found = _searching(prior, seed), None
    while found is None and search.iterations < most:
        search.iteration()
        if any(child.action == WINNING and child.visits for child in search.root.children):
            found = search.iterations
    others = [child for child in search.root.children if child.action != WINNING]
    return found, max(child.mean for child in others if child.visits)


@typed_door
def waiting_times(seeds: int = 200) -> Table:
    """Return, by prior of cell 7, the iteration that first tries it, and the best other mean then.

    Both are medians over the seeds.
    """
    rows = []
    waits = {}
    for prior in (0.2, 0.1, 0.05, 0.025, 0.0125):
        found = [first_visit(prior, seed) for seed in range(seeds)]
        waits[prior] = median(iteration or inf for iteration, _ in found)
        rows.append(
            (f"{prior:.2%}", f"{waits[prior]:g}", f"{median(mean for _, mean in found):.2f}")
        )
    heads = ("prior of cell 7", "first tried in iteration", "best other mean then")
    return Table(heads, rows, by=waits)


# Noise at the root ---------------------------------------------------------------------------

NOISE: Final = 0.25
"""The part of a prior at the root that is noise, as in AlphaZero."""
ALPHAS: Final = (0.03, 0.1, 0.3, 1.0, 2.0, 10.0)


def dirichlet(alpha: float, moves: Sequence[Any], random: Random) -> dict[Any, float]:
    """Return random shares of the moves, which add up to 1: the smaller alpha, the less even."""
    drawn = {move: random.gammavariate(alpha, 1) for move in moves}
    whole = sum(drawn.values()) or 1.0
    return {move: each / whole for move, each in drawn.items()}


def with_noise(search: MCTS, prior: float, alpha: float, anew: bool = False) -> MCTS:
    """Return the search of ``POSITION`` with noise in its priors, picked once, or ``anew``."""
    random, legal = Random(search.seed), GAME.legal_actions(POSITION)
    at_root = {**dict.fromkeys(legal, (1 - prior) / (len(legal) - 1)), WINNING: prior}

    def mixed() -> Mapping[int, float]:
        noise = dirichlet(alpha, legal, random)
        return {move: (1 - NOISE) * at_root[move] + NOISE * noise[move] for move in legal}

    once = mixed()

    def priors(state: Any) -> Mapping[int, float]:
        if state != POSITION:
            return _equal(state)
        return mixed() if anew else once

    return search.but(selection=puct_with(priors))


def tried_and_led(search: MCTS, iterations: int = 200) -> tuple[bool, bool]:
    """True if cell 7 is tried, and true if it has the most visits in the end."""
    search.search(POSITION, iterations=iterations, progress=False)
    visits = {child.action: child.visits for child in search.root.children}
    return visits[WINNING] > 0, max(visits, key=lambda move: visits[move]) == WINNING


def root_noise(prior: float = 0.0, seeds: int = 100) -> Table:
    """Count, by the noise at the root, the searches that try cell 7, and in which it leads."""
    kinds: dict[str, tuple[float, bool] | None] = {"none": None}
    kinds |= {f"α = {alpha:g}": (alpha, False) for alpha in (0.03, 0.3, 2.0)}
    kinds["α = 0.3, new at each selection"] = (0.3, True)
    rows = []
    for name, kind in kinds.items():
        plain = (_searching(prior, seed) for seed in range(seeds))
        found = [tried_and_led(with_noise(s, prior, *kind) if kind else s) for s in plain]
        tried, led = (sum(column) for column in zip(*found, strict=True))
        rows.append((name, f"{tried} of {seeds}", f"{led} of {seeds}"))
    return Table(("noise", "try cell 7", "cell 7 leads"), rows)


def noise_slider(searches: int = 12) -> Slider:
    """Drag alpha, and see the noise of some searches: five moves, each with its share."""

    def figure(alpha: float) -> Figure:
        drawn, (axes,) = new_figure(7.2, 2.2)
        legal = GAME.legal_actions(POSITION)
        shares = [dirichlet(alpha, legal, Random(seed)) for seed in range(searches)]
        below = [0.0] * searches
        for place, move in enumerate(legal):
            heights = [share[move] for share in shares]
            axes.bar(range(searches), heights, 0.8, below, color=f"{0.15 + 0.17 * place:.2f}")
            below = [low + high for low, high in zip(below, heights, strict=True)]
        axes.set(ylim=(0, 1), xticks=[], xlabel=f"noise of {searches} searches, α = {alpha:g}")
        most = sum(max(share.values()) for share in shares) / searches
        drawn.said = f"With α = {alpha:g} the largest share is {most:.2f} on average."
        return drawn

    return Slider(figure, "α", list(ALPHAS), 0.3)


# A poor memory -------------------------------------------------------------------------------


@typed_door
def poor_memory(seed: int) -> TableGuide:
    """Give a table that has played only 1,000 games of tic-tac-toe against itself."""
    return TableGuide(QLearner(GAME, epsilon=0.5, seed=seed).train(1000, progress=False))


@typed_door
def stronger(result: ArenaResult, one: str, other: str) -> str:
    """Say which of two players won their match, if chance does not explain it."""
    interval = result.tally(one, other).interval
    return verdict(interval, (0.5, 0.5), one, other, "no clear difference")


# The score -----------------------------------------------------------------------------------


def puct(wins: float, visits: int, total: int, prior: float, c: float) -> float:
    mean = wins / visits if visits else 0.5
    return mean + c * prior * sqrt(total) / (1 + visits)


def _drawn(seed: int) -> Case:
    """A move at random, with a mean and a total of any size."""
    draw = Random(seed)
    visits = draw.randint(1, 20)
    wins, total = draw.randint(0, 2 * visits) / 2, visits + draw.randint(0, 60)
    prior, c = draw.randint(1, 9) / 10, draw.choice((0.5, 1.0, 1.5, 2.5))
    words = f"with {wins:g} wins in {visits} visits of {total}, prior {prior:g} and c = {c:g}"
    return Case(words, (wins, visits, total, prior, c))


write_puct: Final = Task(
    SAID["write_puct"],
    solution=puct,
    cases=(
        Case("with 6 wins in 8 visits of 16, prior 0.1 and c = 1", (6.0, 8, 16, 0.1, 1.0)),
        Case("for a move without visits", (0.0, 0, 25, 0.3, 1.5)),
        Case("with prior 0", (2.0, 4, 100, 0.0, 1.0)),
        Case("with c = 2", (1.5, 3, 9, 0.5, 2.0)),
        Case("with no win in 9 visits of 16, prior 0.1 and c = 1", (0.0, 9, 16, 0.1, 1.0)),
        *map(_drawn, range(12)),
    ),
    wrong={
        "division by 0": {" if visits else 0.5": ""},
        "untried is lost": {"0.5": "0"},
        "no root": {"sqrt(total)": "total"},
        "visits alone": {"1 + visits": "max(visits, 1)"},
        "UCB1's logarithm": {"sqrt(total) / (1 + visits)": "sqrt(log(total) / (1 + visits))"},
        "no prior": {"c * prior *": "c *"},
        "no c": {"c * prior *": "prior *"},
        "the child's root": {"sqrt(total)": "sqrt(visits)"},
        "root of all": {"sqrt(total) / (1 + visits)": "sqrt(total / (1 + visits))"},
        "sum for mean": {"wins / visits if": "wins if"},
        "untried first": {"0.5": "inf"},
        "times, not plus": {"mean + c": "mean * c"},
    },
)


# Four moves by hand --------------------------------------------------------------------------

_TOTAL: Final = 16
_MOVES: Final = {"e": (6.0, 8, 0.1), "f": (1.0, 4, 0.5), "g": (1.5, 3, 0.35), "h": (0.0, 0, 0.05)}
"""For each move: wins, visits, prior."""


def _scores(score: Callable[..., float]) -> dict[str, Any]:
    found = {move: score(w, n, _TOTAL, p, 1.0) for move, (w, n, p) in _MOVES.items()}
    return {**found, "next": max(found, key=found.__getitem__)}


by_hand: Final = Question(
    SAID["by_hand"],
    right=_scores(puct),
    wrong={
        "priors": _scores(lambda w, n, total, p, c: p),
        "means": _scores(lambda w, n, total, p, c: w / n if n else 0.5),
        **{
            name: _scores(write_puct.wrong[name])
            for name in ("untried is lost", "no root", "visits alone")
        },
    },
)
