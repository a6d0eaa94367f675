"""A hook that writes down a walk by minimax or alpha-beta, from what it hears of the leaves.

Nodes are numbered in the order of visits, so the leaves and their depths tell the tree, and the
rules tell the moves: all that happened between one leaf and the next follows.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from math import inf, nan
from typing import Any

import numpy as np

from ..errors import TraceError
from ..games import Game
from ..search import MinimaxResult
from ..search.checks import require_function
from ..search.minimax_hooks import EVENTS, Evaluation
from ..search.positions import HIGHEST, LOWEST, Position, check_rules, positions_of
from .minimax_trace import MinimaxTrace
from .trace import Ints, smallest_ints

__all__ = ["MinimaxRecorder", "record_minimax"]

ENTER, EVALUATE, BACK_UP, CUT_OFF = range(len(EVENTS))


def record_minimax(
    walk: Callable[..., MinimaxResult], game: Game[Any, Any], state: Any = None
) -> MinimaxTrace:
    """Run ``walk``, ``minimax`` or ``alpha_beta``, and answer with its trace."""
    check_rules(game)
    recorder = MinimaxRecorder(game, state)
    require_function("walk", walk, "game, state, hooks")(game, state, hooks=[recorder])
    return recorder.trace()


class MinimaxRecorder:
    """Hears of the leaves of one walk from ``state``, the game's start if none is given."""

    def __init__(self, game: Game[Any, Any], state: Any = None) -> None:
        self.game = game
        self.root_state = game.initial_state() if state is None else state
        self._leaves: list[Evaluation] = []
        self.on_evaluate = self._leaves.append

    def trace(self) -> MinimaxTrace:
        """All that happened up to the last leaf, and the way back to the root.

        Raises ``TraceError`` if the recorder heard no walk from its state, or more than one.
        """
        if not self._leaves:
            raise TraceError(
                "The recorder heard of no leaf: hand it to a walk, such as "
                "alpha_beta(game, hooks=[recorder])."
            )
        writer = _Writer(self.game, self.root_state)
        writer.narrows = any(leaf.alpha > -inf or leaf.beta < inf for leaf in self._leaves)
        for leaf in self._leaves:
            writer.go_to(leaf)
        writer.go_back()
        return writer.trace()


class _Open:
    """A node that was entered and not yet left."""

    __slots__ = ("alpha", "beta", "node", "position", "tried", "value")

    def __init__(self, node: int, position: Position, alpha: float, beta: float) -> None:
        self.node = node
        self.position = position
        self.value = LOWEST if position.maximizing else HIGHEST
        self.alpha = alpha
        self.beta = beta
        self.tried = 0


class _Writer:
    """Goes through the walk again, from leaf to leaf, and writes the columns."""

    def __init__(self, game: Game[Any, Any], state: Any) -> None:
        self.game = game
        self.positions = positions_of(game)
        self.root = self.positions.at(state)
        self.narrows = False
        """Whether alpha and beta are minded; minimax knows none."""
        self.path: list[_Open] = []
        self.codes: dict[Any, int] = {}
        self.numbers: dict[float, int] = {}
        self.parent, self.action, self.pruned = array("i"), array("i"), array("i")
        self.event, self.node = array("b"), array("i")
        self.value, self.alpha, self.beta = array("i"), array("i"), array("i")

    def go_to(self, leaf: Evaluation) -> None:
        """Back up what is done, and walk down to ``leaf``."""
        new = leaf.node + 1 - len(self.parent)
        depth = leaf.depth + 1 - new
        if new < 1 or not 0 <= depth <= len(self.path) or (depth == 0) != (not self.path):
            raise self._another_walk()
        while len(self.path) > depth:
            self._back_up()
        while len(self.path) <= leaf.depth:
            self._enter(leaf.alpha, leaf.beta)
        end = self.path[-1]
        end.value = leaf.value
        if end.position.end is None or end.position.end[0] != leaf.value:
            raise self._another_walk()
        self._write(EVALUATE, end)

    def go_back(self) -> None:
        """Back up the value of the root."""
        while len(self.path) > 1:
            self._back_up()

    def _enter(self, alpha: float, beta: float) -> None:
        number, parent, position, action = len(self.parent), -1, self.root, None
        if self.path:
            above = self.path[-1]
            parent, position, action = above.node, *self._next(above)
        self.parent.append(parent)
        self.action.append(self.codes.setdefault(action, len(self.codes)) if self.path else 0)
        self.pruned.append(0)
        self.path.append(_Open(number, position, alpha, beta))
        self._write(ENTER, self.path[-1], nan)

    def _next(self, above: _Open) -> tuple[Position, Any]:
        """The child that is looked at next, and the move that leads there."""
        position, place = above.position, above.tried
        children = position.children or (() if position.end else self.positions.ahead(position))
        if place >= len(children):
            raise self._another_walk()
        above.tried += 1
        return children[place], position.actions[place]

    def _back_up(self) -> None:
        value, node = self.path.pop().value, self.path[-1]
        if node.position.maximizing:
            node.value = max(node.value, value)
            node.alpha = max(node.alpha, value) if self.narrows else node.alpha
        else:
            node.value = min(node.value, value)
            node.beta = min(node.beta, value) if self.narrows else node.beta
        self._write(BACK_UP, node)
        if node.alpha >= node.beta:
            self.pruned[node.node] = len(node.position.actions) - node.tried
            self._write(CUT_OFF, node)

    def _write(self, event: int, node: _Open, value: float | None = None) -> None:
        self.event.append(event)
        self.node.append(node.node)
        self.value.append(self._code(node.value if value is None else value))
        self.alpha.append(self._code(node.alpha))
        self.beta.append(self._code(node.beta))

    def _code(self, number: float) -> int:
        return self.numbers.setdefault(number, len(self.numbers))

    def _another_walk(self) -> TraceError:
        return TraceError(
            "The recorder heard another walk than one from its own position "
            f"{self.game.text(self.root.state)!r}: take a new MinimaxRecorder(game, state) for "
            "each walk."
        )

    def trace(self) -> MinimaxTrace:
        def small(column: array[int], count: int) -> Ints:
            return smallest_ints(np.array(column, np.int64), count)

        numbers = len(self.numbers)
        return MinimaxTrace(
            game=self.game,
            root_state=self.root.state,
            actions=tuple(self.codes),
            numbers=np.array(list(self.numbers)),
            parent=np.array(self.parent, np.int32),
            action=small(self.action, len(self.codes)),
            pruned=small(self.pruned, max(self.pruned) + 1),
            event=small(self.event, len(EVENTS)),
            node=np.array(self.node, np.int32),
            value=small(self.value, numbers),
            alpha=small(self.alpha, numbers),
            beta=small(self.beta, numbers),
        )
