"""The statistics of a node, each declared once.

A statistic is a sum: what one visit adds to it is its ``gain``. A search keeps visits and wins,
and whatever its selection rule says that it :func:`keeps` beside them. All else follows from the
declaration: the attribute of a node, what a rule reads, the column of a trace and of its file, the
film's column, and the line on a card.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final, Protocol, TypeVar

Rule = TypeVar("Rule", bound=Callable[..., Any])


class Statistics(Protocol):
    """All that a selection rule may read of a node, in a search and in its film.

    Statistics that the rule keeps beside these are read by :meth:`Statistic.of`.
    """

    visits: int
    """Iterations that came through."""
    wins: float
    """The sum of rewards, for the player who moved into the node."""

    @property
    def mean(self) -> float:
        """``wins / visits``, unless the search says otherwise; infinite before the first visit."""
        ...

    @property
    def n_legal_moves(self) -> int:
        """Legal moves of the position, in the tree or not."""
        ...

    @property
    def action(self) -> Any:
        """The move that led here; ``None`` for the root."""
        ...

    @property
    def state(self) -> Any:
        """The position."""
        ...


@dataclass(frozen=True)
class Statistic:
    """A number that a node has, which every visit adds to; it begins with 0."""

    name: str
    """Its name as an attribute of nodes and as a column."""
    gain: Callable[[float, float], float]
    """``gain(reward, returned)``: what a visit adds.

    ``reward`` is what the visit adds to the wins, and ``returned`` the return from there on in the
    game's own units, both for the player who moved into the node.
    """
    text: Callable[[Any], str] | None = None
    """``text(node)``: the line on the card of a node that has been visited; without it, no line."""

    def of(self, node: Statistics) -> float:
        """The node's number."""
        number: float = getattr(node, self.name)
        return number


def keeps(*statistics: Statistic) -> Callable[[Rule], Rule]:
    """Mark a selection rule: a search that goes by it keeps these statistics, too."""

    def mark(rule: Rule) -> Rule:
        rule.keeps = statistics  # type: ignore[attr-defined]
        return rule

    return mark


def deviation(node: Statistics) -> float:
    """The standard deviation of a node's rewards, at least 0; it needs :data:`SQUARES`."""
    return sqrt(max(0.0, SQUARES.of(node) / node.visits - node.mean**2))


VISITS: Final = Statistic("visits", lambda reward, returned: 1)
WINS: Final = Statistic("wins", lambda reward, returned: reward)
SQUARES: Final = Statistic(
    "squares",
    lambda reward, returned: reward * reward,
    lambda node: f"σ {deviation(node):.2f}",  # noqa: RUF001  # the sign of a deviation
)
"""The sum of squared rewards, which tells how much they vary."""
RETURNS: Final = Statistic(
    "returned",
    lambda reward, returned: returned,
    lambda node: f"mean {node.returned / node.visits:.2f}",
)
"""The sum of returns in the game's own units: kept where the game pays on the way."""
