"""The common part of both kinds of films: the moments of a tree, and what is shown of one.

Which nodes have a card, and where, :mod:`mcts_viz.film.lanes` says, for each moment by itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import TraceError
from ..games import turns
from ..search.checks import require_whole
from .boards import board_of
from .lanes import WIDE, Layout, lay_out
from .words import move_order, name_of, plain

CARDS = 60
"""Most nodes that a picture and a text show unless told otherwise; as a rule fewer have room."""
MOST_CARDS = 300

Array = NDArray[Any]
LayOut = Callable[["Moment", int, float], Layout]


class Card(NamedTuple):
    """The content of a card at one moment of a search, or of a walk by minimax."""

    node: int
    share: str
    """The wins of who moved there, and the visits; of a walk whose turn it is, and the value."""
    score: str
    """The selection score, or what is proven; of a walk the window from alpha to beta."""
    fill: float
    """The filled part of its bar, 0 to 1; of a walk not-a-number while the value is unknown."""
    on_path: bool
    new: bool
    visit_share: float = 0.0
    """The thickness of the edge to it, from 0 to 1: its share of all visits."""
    rule: str = ""
    """The name of the score, if it is one."""
    mark: str = ""
    """Its classes in a picture, if it is proven."""
    note: str = ""
    """The line of the search's other statistics, such as ``mean -3.20``."""


class Ending(NamedTuple):
    """The playout of an iteration, in few words."""

    state: Any
    """Its last position; ``None`` where no position was seen."""
    played: str
    """How far it went: ``5 random moves``."""
    result: str


@dataclass(frozen=True)
class Frame:
    """One moment of a film; of minimax, when a step has just happened."""

    iteration: int
    """From 1; of minimax, the step."""
    phase: str
    """Of minimax, what happens in the step."""
    cards: tuple[Card, ...]
    """Of the tree, parents first; a long walk has some without a card."""
    path: tuple[int, ...]
    new_node: int | None
    layout: Layout
    """Where the cards are."""
    more: dict[int, int]
    """For each card: how many of its children have no card, if there are any."""
    untried: dict[int, int]
    """For each card: how many of its moves have no node yet, if there are any."""
    pruned: dict[int, int]
    """For each card: how many of its moves have been cut off, if any."""


@dataclass(frozen=True)
class Moment:
    """The tree at a moment, as :mod:`mcts_viz.film.lanes` reads it."""

    film: FilmData
    iteration: int
    phase: str
    there: int
    """What was born by then is there."""
    counted: int
    """So many iterations are in the numbers."""
    way: tuple[int, ...]
    least: float
    is_played_out: bool

    @cached_property
    def path(self) -> tuple[int, ...]:
        """As much of the walk as is there."""
        return tuple(node for node in self.way if self.film.created_at[node] <= self.there)

    @property
    def new(self) -> int | None:
        """The last node of the path, if this iteration has added it."""
        last = self.path[-1]
        return last if self.film.created_at[last] == self.iteration else None

    def count(self, node: int) -> int:
        """The number of legal moves there."""
        return len(self.film.moves(node))

    def rank(self, child: int) -> int:
        """The number of a child's move among the legal moves; last, if it is none of them."""
        trace = self.film.trace
        moves = self.film.moves(int(trace.parent[child]))
        return moves.get(trace.action_of(child), len(moves))

    def children(self, node: int) -> list[int]:
        """The children that are there."""
        born = self.film.created_at
        return [child for child in self.film.below(node) if born[child] <= self.there]

    def weights(self, nodes: Sequence[int]) -> list[int]:
        """For each node: its visits; of a walk, the nodes that have been entered from there on."""
        return self.film.weights(nodes, self)


class FilmData(ABC):
    """A tree that grows: what a film of a search and one of minimax have in common.

    ``created_at`` is the moment of appearance by node, never falling; ``weight`` says which nodes
    count most at the end: none more than its parent.
    """

    source: Any
    """The whole trace; ``trace`` may have a part of its nodes."""
    phases: Any
    """The phases of an iteration, or the kinds of steps, in their order."""
    legend: Any
    """For each player: what a card in their colour means."""
    first_choice: str
    """The node of a group that is drawn, in words."""

    def __init__(self, trace: Any, created_at: Array, weight: Array, count: int) -> None:
        require_whole("cards", count, 1, MOST_CARDS, TraceError)
        self.trace = trace
        self.game = trace.game
        self.board = board_of(trace.game)
        self.created_at = created_at
        self.count = count
        self._ranked: list[int] = np.argsort(-weight, kind="stable")[:MOST_CARDS].tolist()
        self._moves: dict[int, dict[Any, int]] = {}
        self._names: dict[int, str] = {}

    @cached_property
    def parents(self) -> list[int]:
        """The parent of each node of the whole tree, -1 for the root."""
        parents: list[int] = self.source.parent.tolist()
        return parents

    @cached_property
    def order(self) -> Array:
        """The place of each move among all moves, by node of the whole tree."""
        return move_order(self.source)

    @cached_property
    def labels(self) -> list[str]:
        """The label of the move that led to each node; "" for the root."""
        trace = self.trace
        if self.board and self.board.lands:  # then the action is all that a label says
            names = [plain(str(action)) for action in trace.actions]
            return ["", *(names[code] for code in trace.action[1:].tolist())]
        return [plain(trace.label(node)) for node in range(len(trace.parent))]

    @cached_property
    def players(self) -> list[str]:
        """The names of the players."""
        return [plain(name) for name in self.game.players]

    @cached_property
    def families(self) -> list[list[int]]:
        """The children of each node of the whole tree, in the order of their moves."""
        families: list[list[int]] = [[] for _ in self.parents]
        for node in np.argsort(self.order, kind="stable").tolist():
            if node:
                families[self.parents[node]].append(node)
        return families

    def heaviest(self, count: int) -> tuple[int, ...]:
        """Return the ``count`` nodes that count most at the end, by number."""
        return tuple(sorted(self._ranked[:count]))

    def moves(self, node: int) -> Mapping[Any, int]:
        """The number of each legal move, or outcome of chance, at a node."""
        if node not in self._moves:
            legal = turns.moves_of(self.game, self.trace.state(node))
            self._moves[node] = {move: number for number, move in enumerate(legal)}
        return self._moves[node]

    def name(self, child: int) -> str:
        """The short name of the move that led to a node, which no move beside it has."""
        if child not in self._names:
            self._names[child] = name_of(self.trace, child)
        return self._names[child]

    def frame(
        self, iteration: int, phase: str, wide: float = WIDE, layout_of: LayOut = lay_out
    ) -> Frame:
        """Return the frame when ``phase`` of ``iteration`` (from 1) has just happened."""
        moment = self.at(iteration, phase)
        layout = layout_of(moment, self.count, wide)
        shown = [*layout.shown]
        more = dict[int, int]()
        untried = dict[int, int]()
        pruned = dict[int, int]()
        drawn = {int(self.trace.parent[node]): 0 for node in shown}
        for node in shown[1:]:
            drawn[int(self.trace.parent[node])] += 1
        for node in shown:
            born, cut = self.born_below(node, moment.there), self.cut_below(node, moment.there)
            more[node] = born - drawn.get(node, 0)
            pruned[node], untried[node] = cut, moment.count(node) - born - cut
        return Frame(
            iteration,
            phase,
            tuple(self.cards_at(moment, shown)),
            moment.path,
            moment.new,
            layout,
            *({node: n for node, n in of.items() if n > 0} for of in (more, untried, pruned)),
        )

    # What each kind of film says for itself ------------------------------------------------------

    @abstractmethod
    def at(self, iteration: int, phase: str) -> Moment:
        """The tree when ``phase`` of ``iteration`` has just happened."""

    @abstractmethod
    def cards_at(self, moment: Moment, nodes: list[int]) -> list[Card]:
        """The cards of these nodes at a moment."""

    @abstractmethod
    def below(self, node: int) -> Sequence[int]:
        """All children that a node of ``trace`` ever has."""

    @abstractmethod
    def weights(self, nodes: Sequence[int], moment: Moment) -> list[int]:
        """For each node: how much it counts at a moment."""

    @abstractmethod
    def untried_word(self, node: int) -> str:
        """The word for moves of a node that have no node of their own yet."""

    def born_below(self, node: int, there: int) -> int:
        """The number of children that a node has by then."""
        return sum(int(self.created_at[child]) <= there for child in self.below(node))

    def cut_below(self, node: int, there: int) -> int:
        """The number of a node's moves that have been cut off by then."""
        return 0

    @abstractmethod
    def player(self, node: int) -> int | None:
        """The player whose colour a card has; ``None`` for no player's."""

    def mover(self, node: int) -> int | None:
        """The player who moved into the node."""
        return self.player(node)

    def best_hidden(self, frame: Frame, node: int) -> str:
        """The best score among the children of a node of the walk that have no card."""
        return ""

    def gains(self, frame: Frame) -> dict[int, str]:
        """The gain of each node on the walk, in the phase that gives."""
        return {}

    def ending(self, frame: Frame) -> Ending | None:
        """The playout, once it has been played."""
        return None
