"""The experiments and exercises of lesson 14, Can memory guide the search?"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Any, Final

from mcts_viz.games import TicTacToe
from mcts_viz.search.agents import Agent, MCTSAgent
from mcts_viz.search.mcts import MCTS
from mcts_viz.search.solver import solve
from mcts_viz.search.variants import expand_all_play_leaf

from ..exercises import Case, Question, Task, texts_of
from ..network import SMALL
from ..priors import Guide, guided, puct_with

SAID: Final = texts_of(__name__)
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


# The score -----------------------------------------------------------------------------------


def puct(wins: float, visits: int, total: int, prior: float, c: float) -> float:
    mean = wins / visits if visits else 0.5
    return mean + c * prior * sqrt(total) / (1 + visits)


write_puct: Final = Task(
    SAID["write_puct"],
    solution=puct,
    cases=(
        Case("with 6 wins in 8 visits of 16, prior 0.1 and c = 1", (6.0, 8, 16, 0.1, 1.0)),
        Case("for a move without visits", (0.0, 0, 25, 0.3, 1.5)),
        Case("with prior 0", (2.0, 4, 100, 0.0, 1.0)),
        Case("with c = 2", (1.5, 3, 9, 0.5, 2.0)),
    ),
    wrong={
        "division by 0": {" if visits else 0.5": ""},
        "untried is lost": {"0.5": "0"},
        "no root": {"sqrt(total)": "total"},
        "visits alone": {"1 + visits": "max(visits, 1)"},
        "no prior": {"prior * sqrt": "sqrt"},
        "UCB1's logarithm": {"sqrt(total) / (1 + visits)": "sqrt(log(total) / (1 + visits))"},
        "prior on the mean": {"mean + c * prior": "prior * mean + c"},
    },
)


# Four moves by hand --------------------------------------------------------------------------

_TOTAL: Final = 16
_MOVES: Final = {"a": (6.0, 8, 0.1), "b": (1.0, 4, 0.5), "c": (1.5, 3, 0.35), "d": (0.0, 0, 0.05)}
"""By move: wins, visits, prior."""


def _scores(score: Callable[..., float]) -> dict[str, Any]:
    found = {move: score(w, n, _TOTAL, p, 1.0) for move, (w, n, p) in _MOVES.items()}
    return {**found, "next": max(found, key=found.__getitem__)}


def _board() -> str:
    lines = ["move  wins/visits  prior"]
    for move, (wins, visits, prior) in _MOVES.items():
        lines.append(f"{move:>4}{f'{wins:g}/{visits}':>13}{prior:>7.2f}")
    return "\n".join([f"The parent has {_TOTAL} visits, and c is 1.", *lines])


by_hand: Final = Question(
    SAID["by_hand"],
    text=_board(),
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


# What the network learns ---------------------------------------------------------------------


def targets(visits: Mapping[str, int], to_move: int, winner: int | None) -> tuple[Any, float]:
    total = sum(visits.values())
    shares = {move: count / total for move, count in visits.items()}
    return shares, 0.0 if winner is None else 1.0 if winner == to_move else -1.0


write_targets: Final = Task(
    SAID["write_targets"],
    solution=targets,
    cases=(
        Case("when X, player 0, moved and won", ({"a": 30, "b": 10}, 0, 0)),
        Case("when O, player 1, moved and X won", ({"a": 2, "b": 2, "c": 4}, 1, 0)),
        Case("when O moved and won", ({"a": 0, "b": 8}, 1, 1)),
        Case("when the game was drawn", ({"a": 5, "b": 15}, 0, None)),
    ),
    wrong={
        "the favourite": {"count / total": "float(count == max(visits.values()))"},
        "counts": {"count / total": "count"},
        "moves divided": {"count / total": "count / len(visits)"},
        "X's result": {"winner == to_move": "winner == 0"},
        "turned round": {
            "1.0 if winner == to_move else -1.0": "-1.0 if winner == to_move else 1.0"
        },
        "from 0 to 1": {"-1.0": "0.0"},
        "a draw is lost": {"0.0 if winner is None else ": ""},
    },
)
