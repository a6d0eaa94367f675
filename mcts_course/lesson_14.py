"""The experiments and exercises of lesson 14, Can memory guide the search?"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from math import log, sqrt
from typing import Any, Final

from mcts_viz.games import TicTacToe
from mcts_viz.search.agents import Agent, MCTSAgent
from mcts_viz.search.mcts import MCTS
from mcts_viz.search.solver import solve
from mcts_viz.search.variants import expand_all_play_leaf

from .exercises import Case, Misconception, Question, Task
from .guides import Guide, guided, puct_with
from .network import SMALL

__all__ = [
    "by_hand",
    "contested",
    "first_visit",
    "guided_player",
    "right_moves",
    "table",
    "write_puct",
    "write_targets",
]

GAME: Final = TicTacToe()
POSITION: Final = GAME.parse("OX. ..O ..X")
WINNING: Final = 7


# Experiments ---------------------------------------------------------------------------------


def first_visit(prior: float, seed: int, most: int = 2000) -> int | None:
    """The iteration that first tries cell 7 in lesson 05's position, given the prior of cell 7.

    The other moves share the rest, playouts are random, and ``c`` is 1; ``None`` if ``most``
    iterations do not try it.
    """

    def priors(state: Any) -> dict[int, float]:
        legal = GAME.legal_actions(state)
        others = (1 - prior) / (len(legal) - 1) if state == POSITION else 1 / len(legal)
        shares = dict.fromkeys(legal, others)
        return {**shares, WINNING: prior} if state == POSITION else shares

    search = MCTS(GAME, c=1, seed=seed, selection=puct_with(priors), expansion=expand_all_play_leaf)
    search.start(POSITION)
    for iteration in range(1, most + 1):
        search.iteration()
        if any(child.action == WINNING and child.visits for child in search.root.children):
            return iteration
    return None


def guided_player(guide: Guide, iterations: int, game: Any = SMALL) -> MCTSAgent:
    """A player that searches with so many iterations a move, guided, with ``c = 1``."""
    return MCTSAgent(game, iterations, seed=1, c=1, **guided(game, guide))


def contested(count: int, seed: int) -> list[Any]:
    """Positions of random games of ``SMALL`` in which some moves are mistakes and some are not."""
    draw, found = random.Random(seed), dict[Any, None]()
    while len(found) < count:
        state = SMALL.initial_state()
        while not SMALL.is_terminal(state):
            truth = solve(SMALL, state)
            if len(truth.best_actions) < len(truth.action_values):
                found[state] = None
            state = SMALL.play(state, draw.choice(SMALL.legal_actions(state)))
    return draw.sample(list(found), count)


def right_moves(player: Agent, states: Sequence[Any]) -> list[bool]:
    """By position: whether the player's move is a best one, by exact play."""
    return [player(state) in solve(SMALL, state).best_actions for state in states]


def table(search: MCTS, guide: Guide) -> str:
    """What the guide says of the root's moves, and what the search has made of it."""
    prior = guide.prior(search.root.state)
    lines = ["move  prior  visits  mean"]
    for child in sorted(search.root.children, key=lambda child: str(child.action)):
        mean = f"{child.wins / child.visits:.2f}" if child.visits else "–"
        lines.append(f"{child.action:>4}{prior[child.action]:>7.2f}{child.visits:>8}{mean:>6}")
    return "\n".join(lines)


# Four moves by hand --------------------------------------------------------------------------

_TOTAL: Final = 16
_MOVES: Final = {"a": (6.0, 8, 0.1), "b": (1.0, 4, 0.5), "c": (1.5, 3, 0.35), "d": (0.0, 0, 0.05)}
"""By move: wins, visits, prior."""

Score = Callable[[float, int, int, float, float], float]
"""Of wins, visits, the parent's visits, prior and c."""


def puct(wins: float, visits: int, total: int, prior: float, c: float) -> float:
    mean = wins / visits if visits else 0.5
    return mean + c * prior * sqrt(total) / (1 + visits)


def _scores(score: Score) -> dict[str, Any]:
    found = {move: score(w, n, _TOTAL, p, 1.0) for move, (w, n, p) in _MOVES.items()}
    return {**found, "next": max(found, key=found.__getitem__)}


def _as_a_loss(wins: float, visits: int, total: int, prior: float, c: float) -> float:
    return puct(wins, visits, total, prior, c) - (0 if visits else 0.5)


def _without_root(wins: float, visits: int, total: int, prior: float, c: float) -> float:
    return puct(wins, visits, total * total, prior, c)


def _by_prior(wins: float, visits: int, total: int, prior: float, c: float) -> float:
    return prior


def _by_mean(wins: float, visits: int, total: int, prior: float, c: float) -> float:
    return wins / visits if visits else 0.5


def _no_one_more(wins: float, visits: int, total: int, prior: float, c: float) -> float:
    mean = wins / visits if visits else 0.5
    return mean + c * prior * sqrt(total) / max(visits, 1)


def _board() -> str:
    lines = ["move  wins/visits  prior", *()]
    for move, (wins, visits, prior) in _MOVES.items():
        lines.append(f"{move:>4}{f'{wins:g}/{visits}':>13}{prior:>7.2f}")
    return "\n".join([f"The parent has {_TOTAL} visits, and c is 1.", *lines])


by_hand: Final = Question(
    text=_board(),
    right=_scores(puct),
    why="the highest mean is not chosen, nor the highest prior, nor the untried move: PUCT weighs "
    "all three.",
    misconceptions=(
        (_scores(_by_prior), "these are the priors alone; what was seen since counts too."),
        (
            _scores(_by_mean),
            "these are the means alone; add the prior's term, which shrinks with every visit.",
        ),
        (
            _scores(_as_a_loss),
            "you count the untried move as lost; in this course it starts as a draw.",
        ),
        (_scores(_without_root), "the prior is multiplied by the root of N, not by N."),
        (
            _scores(_no_one_more),
            "you divide by the visits alone; the formula divides by one more, so that an untried "
            "move has a score too.",
        ),
    ),
    advice="Take one move at a time: first its mean, then prior · √N / (1 + n).",
)


# The score -----------------------------------------------------------------------------------


def _no_root(wins: float, visits: int, total: int, prior: float, c: float) -> float:
    return (wins / visits if visits else 0.5) + c * prior * total / (1 + visits)


def _divides_by_visits(wins: float, visits: int, total: int, prior: float, c: float) -> float:
    return wins / visits + c * prior * sqrt(total) / (1 + visits)


def _no_prior(wins: float, visits: int, total: int, prior: float, c: float) -> float:
    return (wins / visits if visits else 0.5) + c * sqrt(total) / (1 + visits)


def _ucb1_times_prior(wins: float, visits: int, total: int, prior: float, c: float) -> float:
    return (wins / visits if visits else 0.5) + c * prior * sqrt(log(total) / (1 + visits))


def _weighs_the_mean(wins: float, visits: int, total: int, prior: float, c: float) -> float:
    return prior * (wins / visits if visits else 0.5) + c * sqrt(total) / (1 + visits)


_WRONG_SCORES: Final[Sequence[Misconception]] = (
    (
        _divides_by_visits,
        "an untried move has no mean to compute: ask first whether there are visits, and let it "
        "start as a draw.",
    ),
    (
        _as_a_loss,
        "you start an untried move as a loss, so the search shuns it; start it as a draw.",
    ),
    (_no_root, "without a root the prior never lets go: its term outgrows every mean."),
    (_no_one_more, "divide by one more than the visits; else the first visit changes nothing."),
    (_no_prior, "your score never reads the prior, so all moves look alike to it."),
    (_ucb1_times_prior, "you took over UCB1's logarithm; PUCT has the root of N itself."),
    (
        _weighs_the_mean,
        "the prior belongs to the exploration; the mean is what was seen, so leave it alone.",
    ),
)

write_puct: Final = Task(
    solution=puct,
    cases=(
        Case("with 6 wins in 8 visits of 16, prior 0.1 and c = 1", (6.0, 8, 16, 0.1, 1.0)),
        Case("for a move without visits", (0.0, 0, 25, 0.3, 1.5)),
        Case("with prior 0", (2.0, 4, 100, 0.0, 1.0)),
        Case("with c = 2", (1.5, 3, 9, 0.5, 2.0)),
    ),
    misconceptions=_WRONG_SCORES,
    why="the mean, and a term that begins large where the prior is large, and shrinks with every "
    "visit.",
)


# What the network learns ---------------------------------------------------------------------


def targets(visits: Mapping[str, int], mover: int, winner: int | None) -> tuple[Any, float]:
    total = sum(visits.values())
    shares = {move: count / total for move, count in visits.items()}
    return shares, 0.0 if winner is None else 1.0 if winner == mover else -1.0


def _one_hot(visits: Mapping[str, int], mover: int, winner: int | None) -> Any:
    most = max(visits, key=visits.__getitem__)
    return {move: float(move == most) for move in visits}, targets(visits, mover, winner)[1]


def _counts(visits: Mapping[str, int], mover: int, winner: int | None) -> Any:
    return dict(visits), targets(visits, mover, winner)[1]


def _of_the_first(visits: Mapping[str, int], mover: int, winner: int | None) -> Any:
    return targets(visits, 0, winner)


def _of_the_opponent(visits: Mapping[str, int], mover: int, winner: int | None) -> Any:
    shares, result = targets(visits, mover, winner)
    return shares, -result


def _zero_or_one(visits: Mapping[str, int], mover: int, winner: int | None) -> Any:
    return targets(visits, mover, winner)[0], float(winner == mover)


def _draw_is_lost(visits: Mapping[str, int], mover: int, winner: int | None) -> Any:
    return targets(visits, mover, winner)[0], 1.0 if winner == mover else -1.0


def _averaged(visits: Mapping[str, int], mover: int, winner: int | None) -> Any:
    even = {move: count / len(visits) for move, count in visits.items()}
    return even, targets(visits, mover, winner)[1]


write_targets: Final = Task(
    solution=targets,
    cases=(
        Case("when X, player 0, moved and won", ({"a": 30, "b": 10}, 0, 0)),
        Case("when O, player 1, moved and X won", ({"a": 2, "b": 2, "c": 4}, 1, 0)),
        Case("when O moved and won", ({"a": 0, "b": 8}, 1, 1)),
        Case("when the game was drawn", ({"a": 5, "b": 15}, 0, None)),
    ),
    misconceptions=(
        (
            _one_hot,
            "you teach the favourite alone; the other visits say which moves were nearly as good.",
        ),
        (_counts, "a prior adds up to 1: divide every count by all visits together."),
        (_averaged, "you divide by the number of moves; divide by the number of visits."),
        (
            _of_the_first,
            "you give X's result for every position; the value speaks for the player to move.",
        ),
        (_of_the_opponent, "your sign is turned: a win of the player to move is good news."),
        (_zero_or_one, "values run from −1 to 1, with a draw in the middle."),
        (_draw_is_lost, "a draw is no loss: three results are possible."),
    ),
    why="the search teaches the prior, and the end of the game teaches the value.",
)
