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
from typing import Any, Final, TypeGuard
from zlib import compress, decompressobj
from zlib import error as ZlibError  # noqa: N812

import numpy as np

from ..errors import MctsVizError, TraceError, shown
from ..games import Game, game_from_parameters
from ..search import SearchSpec
from ..search.positions import blaming, check_rules
from ..search.saving import Kind, reason
from ..search.spec import require_kinds
from ..search.texts import KINDS, Missing, describe
from .trace import Ints, Outcome, Playouts, Trace, smallest_ints, turns_of

__all__ = ["check_work", "from_json", "load", "save", "to_json"]

KIND: Final = Kind("trace", "mcts_viz trace", "trace.save(...)", TraceError)
VERSION, PACKED_VERSION = 1, 2
PACKED: Final = 500_000
"""Entries of a column from which on it is written as compressed numbers: digits take more room."""
LONGEST: Final = 64_000_000
"""Bytes of a column that is unpacked."""
LARGEST: Final = 2**31 - 1
MOST: Final = sys.float_info.max
WORK: Final = 200_000_000
"""Legal moves that the rules are asked for when a file or a link is opened: about a minute."""
DAMAGED: Final = "The saved trace is damaged: "
AGAIN: Final = "Save it again, or record it again."


def check_work(game: Game[Any, Any], state: Any, moves: int) -> None:
    """Raise ``TraceError`` if it would take too long to play so many moves from ``state``."""
    if game.is_terminal(state) or moves * len(game.legal_actions(state)) <= WORK:
        return
    raise TraceError(
        f"To play {moves:,} moves of {game.name} would take too long: take a smaller game, or a "
        "shorter search."
    )


def to_json(trace: Trace) -> str:
    """The trace as text; equal traces give equal text."""
    with blaming(trace.game, "The trace cannot be saved."):
        return _as_text(trace)


def _as_text(trace: Trace) -> str:
    game, spec = trace.game, trace.spec
    longest = max(len(trace.parent), len(trace.leaf), len(trace.playouts.moves))
    said = {"c": spec.c, "seed": spec.seed, "selection": describe(spec.selection)}
    document = {
        "format": KIND.format,
        "version": PACKED_VERSION if longest >= PACKED else VERSION,
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
    try:
        _trace(json.loads(text), trace.game, trace.spec.policies)
    except TraceError as error:
        what = str(error).removeprefix(DAMAGED).removesuffix(AGAIN)
        raise TraceError(
            f"The trace is not saved, as it could not be read again: {what}Ask "
            "check_game(game) what is wrong with the game, or record another search."
        ) from None
    KIND.save(text, path)


def load(path: str | Path, game: Game[Any, Any] | None = None, **policies: Any) -> Trace:
    """Read a saved trace; a game or a selection rule of your own must be handed in again.

    So must other ``policies`` of your own (``playout=my_playout``), but only for what searches
    again, and ``final_move`` for the star at the move that would be played. Loading checks every
    move against the rules. Raises ``TraceError`` with the first thing that is wrong.
    """
    return from_json(KIND.text_of(path), game, **policies)


def from_json(text: str, game: Game[Any, Any] | None = None, **own: Any) -> Trace:
    """The trace that ``text`` holds; raises ``TraceError`` with the first thing that is wrong."""
    require_kinds(own)
    document = KIND.document(text)
    try:
        trace = _trace(document, game, own)
        with _judged_by_the_rules():
            check_work(trace.game, trace.root_state, len(trace.parent) + len(trace.playouts.moves))
            return replace(trace, mover=_replay(trace))
    except RecursionError:
        raise _broken("its lists are nested too deeply") from None


def _trace(document: dict[str, Any], given: Game[Any, Any] | None, own: Mapping[str, Any]) -> Trace:
    """The trace as the file says it; who moved is not known before the moves are played."""
    version = document.get("version")
    if type(version) is not int or version not in (VERSION, PACKED_VERSION):
        raise TraceError(
            f"The trace has version {shown(version)}, but this mcts_viz reads the versions "
            f"{VERSION} and {PACKED_VERSION}: use the mcts_viz that wrote it, or record the search "
            "again."
        )
    if given is not None:
        check_rules(given)
    game = given or _game(document)
    spec = _spec(game, _field(document, "search", dict), own)
    actions = tuple(_value(action) for action in _field(document, "actions", list))
    outcomes = _outcomes(_field(document, "outcomes", list), len(game.players))
    parent = _ints(document, "nodes.parent", -1, LARGEST)
    nodes, codes = len(parent), len(actions)
    leaf = _ints(document, "iterations.leaf", 0, nodes - 1)
    count = len(leaf)
    lengths = _ints(document, "iterations.moves", 0, LARGEST, count)
    moves = _ints(document, "playouts", 0, codes - 1, int(lengths.sum()))
    visits_before: Ints = np.zeros(nodes, np.int64)
    if _at(document, "nodes.visits_before") != []:
        visits_before = _ints(document, "nodes.visits_before", 0, LARGEST, nodes)
    wins_before = _field(document, "nodes.wins_before", list) or [0.0] * nodes
    if not _are_numbers(wins_before, nodes, MOST):
        raise _broken(f"'nodes.wins_before' is {shown(wins_before)}, not {nodes} numbers")
    position = _field(document, "position", str)
    with _judged_by_the_rules():
        root_state = game.parse(position)
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
        turns=turns_of(_value(document.get("turns", []))),
    )
    _check_tree(trace)
    return trace


def _game(document: dict[str, Any]) -> Game[Any, Any]:
    name = _field(document, "game.name", str)
    try:
        return game_from_parameters(name, _field(document, "game.parameters", dict))
    except MctsVizError as error:
        raise TraceError(
            f"The trace is of the game {shown(name)}, which cannot be built here "
            f"({reason(error)}): hand it in, Trace.load(path, game=...)."
        ) from None


def _spec(game: Game[Any, Any], said: dict[str, Any], own: Mapping[str, Any]) -> SearchSpec:
    for name in ("c", "seed", "selection"):
        if name not in said or said[name] is None:
            raise _broken(f"'search.{name}' is not there")
    for kind in KINDS:
        if not isinstance(said.get(kind, ""), str):
            raise _broken(f"'search.{kind}' is {shown(said[kind])}, not of the type str")
    try:
        spec = SearchSpec.read(game, said, own)
    except MctsVizError as error:
        raise _broken(f"of its search, {str(error).removesuffix('.')}") from None
    if isinstance(spec.selection, Missing):
        raise TraceError(
            f"The search followed the selection rule {shown(spec.selection.text)}, which is not "
            "one of the package's: hand it in, Trace.load(path, selection=...)."
        )
    return spec


def _at(document: Mapping[str, Any], name: str) -> Any:
    value: Any = document
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _field(document: Mapping[str, Any], name: str, kind: type) -> Any:
    value = _at(document, name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise _broken(f"{name!r} is {shown(value)}, not of the type {kind.__name__}")
    return value


def _column(values: Ints) -> list[int] | str:
    """A column of whole numbers; a long one is compressed, its type in front."""
    if len(values) < PACKED:
        numbers: list[int] = values.tolist()
        return numbers
    small = values.astype(values.dtype.newbyteorder("<"))
    return f"{small.dtype.str}:{b64encode(compress(small.tobytes())).decode()}"


def _unpacked(name: str, text: str) -> Ints:
    kind, _, packed = text.partition(":")
    if not fullmatch("[<|][iu][1248]", kind):
        raise _broken(f"{name!r} begins with {shown(kind)}, which is no type of whole numbers")
    unpacking = decompressobj()
    try:
        data = unpacking.decompress(b64decode(packed, validate=True), LONGEST)
        if not unpacking.eof:
            raise ValueError("it is cut short or too long")
        return np.frombuffer(data, np.dtype(kind)).astype(np.int64)
    except (ValueError, ZlibError) as error:
        raise _broken(f"{name!r} cannot be unpacked ({reason(error)})") from None


def _ints(
    document: Mapping[str, Any], name: str, low: int, high: int, length: int | None = None
) -> Ints:
    packed = _at(document, name)
    if isinstance(packed, str):
        column = _unpacked(name, packed)
        wrong = np.flatnonzero((column < low) | (column > high))
        place, values = int(wrong[0]) if len(wrong) else None, column
    else:
        values = _field(document, name, list)
        odd = (i for i, v in enumerate(values) if type(v) is not int or not low <= v <= high)
        place = next(odd, None)
    if place is not None:
        raise _broken(
            f"entry {place} of {name!r} is {shown(values[place])}, not a whole number "
            f"from {low} to {high}"
        )
    if length is not None and len(values) != length:
        raise _broken(f"{name!r} has {len(values)} entries instead of {length}")
    return np.array(values, np.int64)


def _outcomes(entries: list[Any], players: int) -> tuple[Outcome, ...]:
    found = []
    for place, entry in enumerate(entries):
        fields = entry if isinstance(entry, dict) else {}
        returns, rewards = fields.get("returns"), fields.get("rewards")
        if not _are_numbers(returns, players, 1) or not _are_numbers(rewards, players, MOST):
            raise _broken(
                f"entry {place} of 'outcomes' is {shown(entry)}, which does not give each "
                "player a return from -1 to 1 and a reward"
            )
        found.append(Outcome(tuple(map(float, returns)), tuple(map(float, rewards))))
    return tuple(found)


@contextmanager
def _judged_by_the_rules() -> Iterator[None]:
    """Whatever the rules of a game object to is the fault of the file."""
    try:
        yield
    except (TraceError, RecursionError):
        raise
    except Exception as error:
        raise _broken(f"the rules of its game do not accept it ({reason(error)})") from error


def _are_numbers(values: object, count: int, most: float) -> TypeGuard[list[float]]:
    """Whether ``values`` is a list of so many numbers, from ``-most`` to ``most``."""
    return (
        isinstance(values, list)
        and len(values) == count
        and all(type(value) in (int, float) and -most <= value <= most for value in values)
    )


def _check_tree(trace: Trace) -> None:
    """Parents come before children, nobody is visited before birth, no move is there twice."""
    parent, birth, leaf = trace.parent, trace.birth, trace.leaf
    numbers = np.arange(len(parent))
    if not len(parent) or parent[0] != -1 or birth[0] != 0:
        raise _broken("its first node is not a root")
    if (parent[1:] < 0).any() or (parent >= numbers).any():
        raise _broken("a node comes before its parent")
    if (np.diff(birth) < 0).any():
        raise _broken("a node is born before one with a smaller number")
    if (birth[leaf] > np.arange(1, len(leaf) + 1)).any():
        raise _broken("an iteration visits a node that is not yet born")
    before = trace.visits_before
    below = np.bincount(parent[1:].astype(np.intp), before[1:], len(parent))
    if (before < below).any() or before[birth > 0].any():
        raise _broken("a node has more visits before the search than it can have")
    seen: dict[tuple[int, int], int] = {}
    for node, move in enumerate(zip(parent.tolist(), trace.action.tolist(), strict=True)):
        if seen.setdefault(move, node) != node:
            raise _broken(f"node {node} repeats the move of its sibling {seen[move]}")


def _replay(trace: Trace) -> Ints:
    """Play every move of the tree and of the playouts; by node, who moved into it."""
    game = trace.game
    states = [trace.root_state]
    mover = np.zeros(len(trace.parent), np.int8)
    mover[0] = (game.to_move(trace.root_state) - 1) % len(game.players)
    for node in range(1, len(trace.parent)):
        before = states[trace.parent[node]]
        states.append(_played(game, before, trace.action_of(node), f"node {node}"))
        mover[node] = game.to_move(before)
    for iteration, leaf in enumerate(trace.leaf.tolist(), start=1):
        state, where = game.playout_from(states[leaf]), f"the playout of iteration {iteration}"
        for code in trace.playouts[iteration].tolist():
            state = _played(game, state, trace.actions[code], where)
        outcome = trace.outcomes[trace.outcome[iteration - 1]]
        if game.is_terminal(state) and tuple(game.returns(state)) != outcome.returns:
            raise _broken(f"{where} ends in {game.returns(state)}, not in {outcome.returns}")
    return mover


def _played(game: Game[Any, Any], state: Any, action: Any, where: str) -> Any:
    if game.is_terminal(state) or action not in game.legal_actions(state):
        raise _broken(f"{where} makes the illegal move {shown(action)} in {game.text(state)!r}")
    return game.play(state, action)


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
    if isinstance(data, list):
        return tuple(_value(part) for part in data)
    if isinstance(data, dict):
        raise _broken(f"{shown(data)} is no action")
    return data


def _broken(what: str) -> TraceError:
    return TraceError(f"{DAMAGED}{what}. {AGAIN}")
