"""A trace as versioned JSON, and back. Nothing in the file is executed, and all is checked."""

from __future__ import annotations

import json
import sys
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from math import isfinite
from pathlib import Path
from re import fullmatch
from typing import Any, Final
from zlib import compress, decompressobj
from zlib import error as ZlibError  # noqa: N812

import numpy as np

from ..errors import MctsVizError, TraceError, reason, shown
from ..games import Game
from ..search import SearchSpec
from ..search.positions import check_rules, explain_game_error
from ..search.saving import Document, Kind
from ..search.spec import require_kinds
from ..search.texts import Missing, describe
from .trace import Ints, Outcome, Playouts, Trace, smallest_ints, turns_of

KIND: Final = Kind("trace", "mcts_viz trace", "trace.save(...)", TraceError)
VERSIONS: Final = (1, 2)
"""The second has packed columns."""
PACKED: Final = 500_000
"""Entries of a column from which on it is written as compressed numbers: digits take more room."""
LONGEST: Final = 64_000_000
"""Bytes of a column that is unpacked."""
LARGEST: Final = 2**31 - 1
MOST: Final = sys.float_info.max
WORK: Final = 200_000_000
"""Legal moves that the rules are asked for when a file or a link is opened: about a minute."""


def check_work(game: Game[Any, Any], state: Any, moves: int) -> None:
    """Raise ``TraceError`` if it would take too long to play so many moves from ``state``."""
    if game.is_terminal(state) or moves * len(game.legal_actions(state)) <= WORK:
        return
    raise TraceError(
        f"Playing {moves:,} moves of {game.name} would take too long: take a smaller game, or a "
        "shorter search."
    )


def to_json(trace: Trace) -> str:
    """The trace as text; equal traces give equal text."""
    with explain_game_error(trace.game, "The trace cannot be saved."):
        return _as_text(trace)


def _as_text(trace: Trace) -> str:
    game, spec = trace.game, trace.spec
    longest = max(len(trace.parent), len(trace.leaf), len(trace.playouts.moves))
    said = {"c": spec.c, "seed": spec.seed, "selection": describe(spec.selection)}
    document = {
        "format": KIND.format,
        "version": VERSIONS[longest >= PACKED],
        "game": {"name": type(game).__name__, "parameters": game.parameters()},
        "position": game.text(trace.root_state),
        "search": said | spec.written(),
        "turns": [[turn.iteration, _plain(turn.moves), turn.c] for turn in trace.turns],
        "actions": [_plain(action) for action in trace.actions],
        "outcomes": [
            {name: [float(number) for number in numbers] for name, numbers in o._asdict().items()}
            for o in trace.outcomes
        ],
        "nodes": {
            "parent": _column(trace.parent),
            "action": _column(trace.action),
            "birth": _column(trace.birth),
            "visits_before": _column(trace.visits_before) if trace.visits_before.any() else [],
            "wins_before": trace.wins_before.tolist() if trace.wins_before.any() else [],
        },
        "iterations": {
            "leaf": _column(trace.leaf),
            "outcome": _column(trace.outcome),
            "moves": _column(trace.playouts.lengths),
        },
        "playouts": _column(trace.playouts.moves),
    }
    if not trace.turns:
        del document["turns"]
    try:
        return json.dumps(document, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise TraceError(
            f"The game's parameters {shown(game.parameters())} cannot be saved ({error}): "
            "make them numbers, strings, and lists or dicts of them."
        ) from None


def save(trace: Trace, path: str | Path) -> None:
    """Write the trace as versioned JSON; a file of that name is replaced as a whole.

    What could not be read again is not written.
    """
    text = to_json(trace)
    KIND.data_of(text)  # before much of it is read
    document = KIND.document(text, *VERSIONS)
    try:
        _trace(document, trace.game, trace.spec.policies)
    except TraceError as error:
        raise TraceError(
            "The trace is not saved, as it could not be read again: "
            f"{document.fault or reason(error)}. Ask check_game(game) what is wrong with the game, "
            "or record another search."
        ) from None
    KIND.save(text, path)


def load(path: str | Path, game: Game[Any, Any] | None = None, **policies: Any) -> Trace:
    """Read a saved trace; a game or a selection rule of your own must be handed in again.

    So must other ``policies`` of your own (``playout=my_playout``), but only for what searches
    again, and ``final_move`` for the star at the move that would be played. Loading checks every
    move against the rules. Raises ``TraceError`` with the first thing that is wrong.
    """
    return from_json(KIND.content_of(path), game, **policies)


def from_json(text: str | bytes, game: Game[Any, Any] | None = None, **own: Any) -> Trace:
    """The trace that ``text`` holds; raises ``TraceError`` with the first thing that is wrong."""
    require_kinds(own)
    if game is not None:
        check_rules(game)
    document = KIND.document(text, *VERSIONS)
    try:
        trace = _trace(document, game, own)
        with _judged_by_the_rules(document):
            check_work(trace.game, trace.root_state, len(trace.parent) + len(trace.playouts.moves))
            return replace(trace, mover=_replay(trace, document))
    except RecursionError:
        raise document.broken("its lists are nested too deeply") from None


def _trace(document: Document, given: Game[Any, Any] | None, own: Mapping[str, Any]) -> Trace:
    """The trace as the file says it; who moved is not known before the moves are played."""
    game = document.game(given)
    spec = _spec(game, document, own)
    actions = tuple(map(_value, document.entries("actions", _is_action, "an action")))
    outcomes = _outcomes(document, len(game.players))
    parent = _ints(document, "nodes.parent", -1, LARGEST)
    nodes, codes = len(parent), len(actions)
    leaf = _ints(document, "iterations.leaf", 0, nodes - 1)
    count = len(leaf)
    lengths = _ints(document, "iterations.moves", 0, LARGEST, count)
    moves = _ints(document, "playouts", 0, codes - 1, int(lengths.sum()))
    visits_before: Ints = np.zeros(nodes, np.int64)
    if document.at("nodes.visits_before") != []:
        visits_before = _ints(document, "nodes.visits_before", 0, LARGEST, nodes)
    wins_before = [0.0] * nodes
    if document.at("nodes.wins_before") != []:
        wins_before = document.entries("nodes.wins_before", _is_number, "a number", nodes)
    position = document.field("position", str)
    with _judged_by_the_rules(document):
        root_state = game.parse(position)
    turns = document.values.get("turns", [])
    trace = Trace(
        spec=spec,
        root_state=root_state,
        actions=actions,
        parent=parent.astype(np.int32),
        action=smallest_ints(_ints(document, "nodes.action", 0, max(0, codes - 1), nodes), codes),
        birth=_ints(document, "nodes.birth", 0, count, nodes).astype(np.int32),
        mover=np.zeros(nodes, np.int8),
        visits_before=visits_before.astype(np.int32),
        wins_before=np.array(wins_before, np.float64),
        leaf=leaf.astype(np.int32),
        playouts=Playouts(
            smallest_ints(moves, codes), smallest_ints(lengths, int(lengths.max(initial=0)) + 1)
        ),
        outcome=smallest_ints(
            _ints(document, "iterations.outcome", 0, len(outcomes) - 1, count), len(outcomes)
        ),
        outcomes=outcomes,
        turns=turns_of(_value(turns) if _is_action(turns) else None),
    )
    if fault := _fault_of(trace):
        raise document.broken(fault)
    return trace


def _spec(game: Game[Any, Any], document: Document, own: Mapping[str, Any]) -> SearchSpec:
    said = document.field("search", dict)
    if missing := [name for name in ("c", "seed", "selection") if said.get(name) is None]:
        raise document.broken(f"'search.{missing[0]}' is not there")
    try:
        spec = SearchSpec.read(game, said, own)
    except MctsVizError as error:
        raise document.broken(f"of its search, {reason(error)}") from None
    if isinstance(spec.selection, Missing):
        raise TraceError(
            f"The search followed the selection rule {shown(spec.selection.text)}, which is not "
            "one of the package's: hand it in, Trace.load(path, selection=...)."
        )
    return spec


def _column(values: Ints) -> list[int] | str:
    """A column of whole numbers; a long one is compressed, its type in front."""
    if len(values) < PACKED:
        numbers: list[int] = values.tolist()
        return numbers
    small = values.astype(values.dtype.newbyteorder("<"))
    return f"{small.dtype.str}:{b64encode(compress(small.tobytes())).decode()}"


def _unpacked(document: Document, name: str, text: str) -> Ints:
    kind, _, packed = text.partition(":")
    unpacking = decompressobj()
    try:
        data = unpacking.decompress(b64decode(packed, validate=True), LONGEST)
        if not (fullmatch("[<|][iu][1248]", kind) and unpacking.eof):
            raise ValueError(f"they are not whole numbers of the type {shown(kind)}, or cut short")
        return np.frombuffer(data, np.dtype(kind)).astype(np.int64)
    except (ValueError, ZlibError) as error:
        raise document.broken(f"{name!r} cannot be unpacked ({reason(error)})") from None


def _ints(document: Document, name: str, low: int, high: int, length: int | None = None) -> Ints:
    """A column of whole numbers, packed or not."""
    what = f"a whole number from {low} to {high}"
    packed = document.at(name)
    if not isinstance(packed, str):

        def right(value: Any) -> bool:
            return type(value) is int and low <= value <= high

        return np.array(document.entries(name, right, what, length), np.int64)
    column = _unpacked(document, name, packed)
    if len(column) and not low <= column.min() <= column.max() <= high:
        raise document.broken(f"an entry of {name!r} is not {what}")
    document.require_length(name, column, length)
    return column


def _outcomes(document: Document, players: int) -> tuple[Outcome, ...]:
    def numbers(value: Any, most: float = MOST) -> bool:
        return (
            isinstance(value, list)
            and len(value) == players
            and all(_is_number(number) and abs(number) <= most for number in value)
        )

    def right(entry: Any) -> bool:
        return isinstance(entry, dict) and (
            numbers(entry.get("returns"), 1) and numbers(entry.get("rewards"))
        )

    what = "a return from -1 to 1 and a reward for each player"
    return tuple(
        Outcome(*(tuple(map(float, entry[name])) for name in Outcome._fields))
        for entry in document.entries("outcomes", right, what)
    )


@contextmanager
def _judged_by_the_rules(document: Document) -> Iterator[None]:
    """Whatever the rules of a game object to is the fault of the file."""
    try:
        yield
    except (TraceError, RecursionError):
        raise
    except Exception as error:
        raise document.broken(
            f"the rules of its game do not accept it ({reason(error)})"
        ) from error


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and -MOST <= value <= MOST


def _is_action(value: Any) -> bool:
    return all(map(_is_action, value)) if isinstance(value, list) else not isinstance(value, dict)


def _fault_of(trace: Trace) -> str:
    """What is wrong with the tree: nothing, if parents come before children, and so on."""
    parent, birth, leaf = trace.parent, trace.birth, trace.leaf
    numbers = np.arange(len(parent))
    if not len(parent) or parent[0] != -1 or birth[0] != 0:
        return "its first node is not a root"
    if (parent[1:] < 0).any() or (parent >= numbers).any():
        return "a node comes before its parent"
    if (np.diff(birth) < 0).any():
        return "a node is born before one with a smaller number"
    if (birth[leaf] > np.arange(1, len(leaf) + 1)).any():
        return "an iteration visits a node that is not yet born"
    before = trace.visits_before
    below = np.bincount(parent[1:].astype(np.intp), before[1:], len(parent))
    if (before < below).any() or before[birth > 0].any():
        return "a node has more visits before the search than it can have"
    moves = parent.astype(np.int64) * len(trace.actions) + trace.action
    twice = np.setdiff1d(numbers, np.unique(moves, return_index=True)[1])
    return f"node {twice[0]} repeats the move of its sibling" if len(twice) else ""


def _replay(trace: Trace, document: Document) -> Ints:
    """Play every move of the tree and of the playouts; by node, who moved into it."""
    game = trace.game

    def played(state: Any, action: Any, where: str) -> Any:
        if game.is_terminal(state) or action not in game.legal_actions(state):
            position = game.text(state)
            raise document.broken(f"{where} makes the illegal move {shown(action)} in {position!r}")
        return game.play(state, action)

    states = [trace.root_state]
    mover = np.zeros(len(trace.parent), np.int8)
    mover[0] = (game.to_move(trace.root_state) - 1) % len(game.players)
    for node in range(1, len(trace.parent)):
        before = states[trace.parent[node]]
        states.append(played(before, trace.action_of(node), f"node {node}"))
        mover[node] = game.to_move(before)
    for iteration, leaf in enumerate(trace.leaf.tolist(), start=1):
        state, where = game.playout_from(states[leaf]), f"the playout of iteration {iteration}"
        for code in trace.playouts[iteration].tolist():
            state = played(state, trace.actions[code], where)
        outcome = trace.outcomes[trace.outcome[iteration - 1]]
        if game.is_terminal(state) and tuple(game.returns(state)) != outcome.returns:
            found = game.returns(state)
            raise document.broken(f"{where} ends in {found}, not in {outcome.returns}")
    return mover


def _plain(action: Any) -> Any:
    """An action as JSON; tuples become lists."""
    if isinstance(action, tuple):
        return [_plain(part) for part in action]
    if isinstance(action, np.generic):
        action = action.item()
    if action is None or isinstance(action, (str, int)):
        return action
    if isinstance(action, float) and isfinite(action):
        return action
    raise TraceError(
        f"The action {shown(action)} cannot be saved: "
        "make a game's actions numbers, strings, or tuples of them."
    )


def _value(data: Any) -> Any:
    """An action from JSON; lists become tuples, as nothing else can be hashed."""
    return tuple(map(_value, data)) if isinstance(data, list) else data
