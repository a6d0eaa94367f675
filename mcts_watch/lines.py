"""A search in any language, from one line of JSON an iteration.

``{"path": ["e4", "e5"], "visits": [3, 2, 1], "wins": [1, 1, 0], "result": [1, 0]}``: the moves from
the root to the last node; of all nodes of that path, the root first, their visits and wins after
the iteration; and the reward of each player. Only ``path`` is needed. Without ``visits`` each node
gets one, and without ``wins`` it gets the reward of who moved there. A ``result`` that is one
number is that of the player who moves at the root, and the other's is minus that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any, Final, TypeAlias

from mcts_viz.errors import TraceError, counted, require, short_repr
from mcts_viz.games import Game
from mcts_viz.search.checks import check_rules

MOST_LINES: Final = 200_000
"""Lines of a log: a film of more takes minutes to read, and shows no more."""
DEEPEST: Final = 1_000
"""Moves of a path."""
Lines: TypeAlias = str | Path | Iterable[str | bytes]
"""A log: the path of its file, an open file, or its lines."""
KEYS: Final = ("path", "visits", "wins", "result")
"""The keys of a line that are read."""


class Logged:
    """A node of a logged search."""

    __slots__ = ("children", "move", "parent", "state", "visits", "wins")

    def __init__(self, parent: Logged | None, move: object, state: str | None = None) -> None:
        self.parent = parent
        self.move = move
        self.state = state
        self.children: dict[Any, Logged] = {}
        self.visits = 0.0
        self.wins = 0.0


class BrokenLineError(TraceError):
    """A line that is no iteration, in a sentence without its number."""


class Log:
    """The tree that the lines of a log make, one after another."""

    def __init__(self, game: Game[Any, Any] | None, state: str | None) -> None:
        self.root = Logged(None, None, state)
        self.unread: dict[str, None] = {}
        """Keys of lines that are not read, in the order in which they came."""
        self._game = game
        self._start = None
        if game is not None:
            check_rules(game)
            self._start = game.initial_state() if state is None else game.parse(state)

    def add(self, line: str) -> None:
        """Walk the path of a line; raises ``BrokenLineError`` and leaves the tree as it was."""
        said = read(line)
        self.unread |= dict.fromkeys(key for key in said if key not in KEYS)
        path = self._walk(said["path"])
        visits = numbers(said, "visits", path) or [node.visits + 1 for node in path]
        wins = numbers(said, "wins", path) or self._with(said.get("result"), path)
        for node, new in zip(path, visits, strict=True):
            expect(new >= node.visits, f"visits fall from {node.visits:g} to {new:g}")
        if len(path) > 1:
            path[-2].children[path[-1].move] = path[-1]
        for node, now, won in zip(path, visits, wins, strict=True):
            node.visits, node.wins = now, won

    def _walk(self, moves: list[Any]) -> list[Logged]:
        """The nodes of a path, of which the last may be new; it is not in the tree yet."""
        path = [self.root]
        for at, move in enumerate(moves, 1):
            child = path[-1].children.get(move)
            why = f"its path skips a node: {short_repr(move)} was never reached before"
            expect(child or at == len(moves), why)
            path.append(child or Logged(path[-1], move))
        return path

    def _with(self, result: Any, path: list[Logged]) -> list[float]:
        """The wins of a path's nodes after that result."""
        if result is None:
            return [node.wins for node in path]
        rewards = [result, -result] if is_number(result) else result
        is_some = isinstance(rewards, list) and len(rewards) > 1 and all(map(is_number, rewards))
        expect(is_some, f"result must be a number, or one a player; it is {short_repr(result)}")
        count = len(self._game.players) if self._game and rewards is result else len(rewards)
        kind = f"result must have {counted(count, 'number')}, one a player; it is {result}"
        expect(len(rewards) == count, kind)
        movers = self._movers(path, len(rewards))
        return [node.wins + rewards[mover] for node, mover in zip(path, movers, strict=True)]

    def _movers(self, path: list[Logged], players: int) -> Iterator[int]:
        """The player who moved into each node: by the rules if they know them, else in turn."""
        game, state = self._game, self._start
        mover = game.to_move(state) if game and state is not None else 0
        yield (mover - 1) % players
        for node in path[1:]:
            yield mover
            mover = (mover + 1) % players
            state = played(game, state, node.move) if game and state is not None else None
            if game and state is not None and not game.is_terminal(state):
                mover = game.to_move(state)


def expect(right: Any, why: str) -> None:
    """Raise ``BrokenLineError`` with that sentence unless a line is right."""
    if not right:
        raise BrokenLineError(why)


def played(game: Game[Any, Any], state: object, move: object) -> Any:
    """The position after a move as the log writes it; ``None`` if the rules do not know it."""
    with suppress(Exception):  # a game's own error about a position is no fault of the log
        for action in game.legal_actions(state):
            if str(move) in (str(action), game.action_label(state, action)):
                return game.play(state, action)
    return None


def read(line: str) -> dict[str, Any]:
    """The line as a dict with a path; raises ``BrokenLineError`` for any other."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        raise BrokenLineError(f"it is no JSON: {short_repr(line.strip())}") from None
    path: Any = said.get("path") if isinstance(said, dict) else None
    is_path = isinstance(path, list) and all(isinstance(move, str | int | list) for move in path)
    expect(is_path, 'it needs "path", a list of moves')
    expect(len(path) <= DEEPEST, f"its path has {len(path):,} moves, more than {DEEPEST:,}")
    return {**said, "path": [str((*move,)) if isinstance(move, list) else move for move in path]}


def is_number(value: object) -> bool:
    """True for a finite number of a reasonable size."""
    return isinstance(value, int | float) and abs(value) < 1e300 and isfinite(value)


def numbers(said: dict[str, Any], name: str, path: list[Logged]) -> list[float] | None:
    """The column of that name, a number for each node of the path; ``None`` if it is not there."""
    column = said.get(name)
    if column is None:
        return None
    is_each = isinstance(column, list) and len(column) == len(path)
    kind = f"{len(path)} numbers, one for each node of the path with its root"
    expect(
        is_each and all(map(is_number, column)),
        f"{name} must be {kind}; it is {short_repr(column)}",
    )
    return [float(number) for number in column]


def lines_of(source: Lines) -> Iterator[str]:
    """The lines of a file by its path, of an open file, or of any iterable of texts."""
    if isinstance(source, str | Path):
        try:
            with open(source, encoding="utf-8", errors="replace") as file:
                yield from file
        except OSError as error:
            raise TraceError(
                f"The log {source} cannot be read ({error.strerror}): name another."
            ) from None
        return
    require(isinstance(source, Iterable), "A log", "a file, its path, or lines", source, TraceError)
    for line in source:
        yield line.decode("utf-8", "replace") if isinstance(line, bytes) else str(line)


def grown(log: Log, source: Lines) -> Iterator[str]:
    """Add the lines one by one; yield "" after each, and at last a sentence if one is broken."""
    lines = (line for line in enumerate(lines_of(source), 1) if line[1].strip())
    for number, line in islice(lines, MOST_LINES):
        try:
            log.add(line)
        except BrokenLineError as error:
            yield f"The film ends before line {number} of the log: {error}."
            return
        yield ""
    if more := next(lines, None):
        yield (
            f"The film ends before line {more[0]:,} of the log: no film has more than "
            f"{MOST_LINES:,}."
        )
