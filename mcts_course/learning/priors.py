"""A search with a memory: a guide says which moves look good, and how good a position looks.

A guide is a table, a network or a person's hunch: anything with ``prior(state)`` and
``value(state)``. The engine stays as it is; three of its policies ask the guide.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import exp, sqrt
from typing import Any, ClassVar, Protocol

from mcts_viz.errors import require
from mcts_viz.games import Game, Returns
from mcts_viz.games.protocol import State
from mcts_viz.search.checks import check_rules
from mcts_viz.search.variants import FIRST_PLAY_URGENCY, expand_all_play_leaf, truncated

from .q_learning import QLearner


class Guide(Protocol):
    """An evaluator of positions that are in play."""

    def prior(self, state: Any) -> Mapping[Any, float]:
        """The prior of each legal action: how promising it looks; at least 0, all together 1."""
        ...

    def value(self, state: Any) -> float:
        """The estimated value of the position for the player to move, in [-1, 1]."""
        ...


@dataclass(frozen=True)
class puct_with:  # noqa: N801 - a rule is called by a small name
    """PUCT: the mean, and ``c * prior * sqrt(parent's visits) / (1 + visits)``.

    ``prior(state)`` gives a number for each legal action; a film shows it on the cards. A child
    without visits counts as a mean of 1/2, as a draw. Source: Rosin (2011), in the form of Silver
    et al. (2017), who count from -1 to 1 and so give it 0.
    """

    prior: Callable[[Any], Mapping[Any, float]]
    rates_unvisited: ClassVar[bool] = True
    __name__: ClassVar[str] = "PUCT"
    _asked: list[Any] = field(default_factory=lambda: [None] * 3, init=False, compare=False)
    """The parent whose priors were asked for last, its visits then, and the priors."""

    def __call__(self, child: Any, parent: Any, c: float) -> tuple[float, float]:
        mean = child.wins / child.visits if child.visits else FIRST_PLAY_URGENCY
        asked, visits = self._asked, parent.visits
        if asked[0] is not parent or asked[1] != visits:  # once for all moves that are compared
            asked[:] = parent, visits, self.prior(parent.state)
        return mean, c * asked[2][child.action] * sqrt(visits) / (1 + child.visits)

    def __reduce__(self) -> tuple[Any, ...]:
        return puct_with, (self.prior,)


def guided(game: Game[Any, Any], guide: Guide) -> dict[str, Any]:
    """The policies of a search that asks a guide: ``MCTS(game, **guided(game, guide))``.

    Selection follows PUCT with the guide's priors, expansion adds all moves together, and the
    guide's value takes the place of a playout. Where the game is over, its result counts.
    Source: Silver et al. (2017).
    """
    check_rules(game)
    require(hasattr(guide, "prior"), "guide", "an object with prior and value methods", guide)
    return {
        "selection": puct_with(guide.prior),
        "expansion": expand_all_play_leaf,
        "playout": truncated(0, partial(_by_value, game=game, guide=guide)),
    }


def _by_value(state: State, game: Game[State, Any], guide: Guide) -> Returns:
    """The result that the guide expects, a number for each player."""
    value, to_move = guide.value(state), game.to_move(state)
    return tuple(value if p == to_move else -value for p in range(len(game.players)))


@dataclass(frozen=True)
class TableGuide:
    """A Q-table as a guide: moves with a higher value look better, by a softmax.

    ``warmth`` is above 0: near 0 only the best move of the table counts, and a large one makes all
    moves alike.
    """

    learner: QLearner
    warmth: float = 0.2
    known: dict[Any, tuple[dict[Any, float], float]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """Prior and value of each position, after so many games of the learner."""

    def answer(self, state: Hashable) -> tuple[dict[Any, float], float]:
        key = state, getattr(self.learner, "episodes", 0)
        if key not in self.known:
            values = self.learner.action_values(state)
            best = max(values.values())
            weights = {a: exp((value - best) / self.warmth) for a, value in values.items()}
            total = sum(weights.values())
            self.known[key] = {a: weight / total for a, weight in weights.items()}, best
        return self.known[key]

    def prior(self, state: Hashable) -> dict[Any, float]:
        return self.answer(state)[0]

    def value(self, state: Hashable) -> float:
        return self.answer(state)[1]
