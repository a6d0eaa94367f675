"""A trace as versioned JSON, and back. Nothing in the file is executed, and all is checked.

Whatever a damaged file leads to, a missing name, a column that is cut short, a move that the rules
of the game refuse, ends in one sentence.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from pathlib import Path
from re import fullmatch
from typing import Any, Final
from zlib import compress, decompressobj

import numpy as np

from ..errors import MctsVizError, TraceError, reason, short_repr
from ..games import Game, game_from_parameters
from ..games.boards import listed
from ..search import SearchSpec
from ..search.positions import check_rules, explain_game_error
from ..search.spec import require_kinds
from ..search.texts import Missing, describe
from . import files
from .trace import Ints, Outcome, Playouts, Trace, branch_points_of, smallest_ints

FORMAT: Final = "mcts_viz trace"
VERSIONS: Final = (1, 2)
"""The second has packed columns."""
PACKED: Final = 500_000
"""Entries of a column from which on it is written as compressed numbers: digits take more room."""
LONGEST: Final = 64_000_000
"""Bytes of a column that is unpacked."""
LARGEST: Final = 20_000_000
"""Bytes of a file: some 300,000 iterations of Connect Four. Read, it takes ten times the room."""
HIGHEST: Final = 2**31 - 1
WORK: Final = 200_000_000
"""Legal moves that the rules are asked for when a file or a link is opened: about a minute."""


# Writing -------------------------------------------------------------------------------------


def to_json(trace: Trace) -> str:
    """The trace as text; equal traces give equal text."""
    with explain_game_error(trace.game, "The trace cannot be saved."):
        document = _document_of(trace)
    try:
        return json.dumps(document, separators=(",", ":"), allow_nan=False, default=_plain)
    except (TypeError, ValueError) as error:
        raise TraceError(
            f"The trace cannot be saved ({reason(error)}): make the game's actions and parameters "
            "numbers, strings, and tuples, lists or dicts of them."
        ) from None


def _document_of(trace: Trace) -> dict[str, Any]:
    game, spec = trace.game, trace.spec
    longest = max(len(trace.parent), len(trace.leaf), len(trace.playouts.actions))
    said = {"c": spec.c, "seed": spec.seed, "selection": describe(spec.selection)}
    return {
        "format": FORMAT,
        "version": VERSIONS[longest >= PACKED],
        "game": {"name": type(game).__name__, "parameters": game.parameters()},
        "position": game.text(trace.root_state),
        "search": said | spec.written(),
        **({"branch_points": trace.branch_points} if trace.branch_points else {}),
        "actions": trace.actions,
        "outcomes": [
            {name: [*map(float, numbers)] for name, numbers in outcome._asdict().items()}
            for outcome in trace.outcomes
        ],
        "nodes": {
            "parent": _written(trace.parent),
            "action": _written(trace.action),
            "created_at": _written(trace.created_at),
            "visits_before": _written(trace.visits_before) if trace.visits_before.any() else [],
            "wins_before": trace.wins_before.tolist() if trace.wins_before.any() else [],
        },
        "iterations": {
            "leaf": _written(trace.leaf),
            "outcome": _written(trace.outcome),
            "moves": _written(trace.playouts.lengths),
        },
        "playouts": _written(trace.playouts.actions),
    }


def _written(column: Ints) -> list[int] | str:
    """A column of whole numbers; a long one is compressed, its type in front."""
    if len(column) < PACKED:
        numbers: list[int] = column.tolist()
        return numbers
    small = column.astype(column.dtype.newbyteorder("<"))
    return f"{small.dtype.str}:{b64encode(compress(small.tobytes())).decode()}"


def _plain(value: Any) -> Any:
    """What JSON does not know by itself: a number of NumPy's."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{short_repr(value)} is neither a number nor a string")


def save(trace: Trace, path: str | Path) -> None:
    """Write what can be read again, as :meth:`Trace.save` says."""
    text = to_json(trace)
    try:
        _trace(text, trace.game, trace.spec.policies)
    except Exception as error:
        raise TraceError(
            f"The trace is not saved, as it could not be read again ({reason(error)}): ask "
            "check_game(game) what is wrong with the game, or record another search."
        ) from None
    files.write(path, text.encode())


# Reading -------------------------------------------------------------------------------------


def load(path: str | Path, game: Game[Any, Any] | None = None, **policies: Any) -> Trace:
    """Read a saved trace, as :meth:`Trace.load` says."""
    return from_json(files.read(path, LARGEST + 1), game, **policies)


def from_json(text: str | bytes, game: Game[Any, Any] | None = None, **own: Any) -> Trace:
    """The trace that ``text`` holds; raises ``TraceError`` with the first thing that is wrong."""
    require_kinds(own)
    if game is not None:
        check_rules(game)
    try:
        trace = _trace(text, game, own)
        check_work(trace.game, trace.root_state, len(trace.parent) + len(trace.playouts.actions))
        return replace(trace, player_just_moved=_replay(trace))
    except MctsVizError as error:
        raise TraceError(str(error)) from None
    except Exception as error:  # of our own, of NumPy or of the rules of the game
        raise TraceError(
            f"This is no saved trace, or a damaged one ({reason(error)}): give a file that "
            "trace.save(...) wrote."
        ) from error


def check_work(game: Game[Any, Any], state: Any, moves: int) -> None:
    """Raise ``TraceError`` if it would take too long to play so many moves from ``state``."""
    if game.is_terminal(state) or moves * len(game.legal_actions(state)) <= WORK:
        return
    raise TraceError(
        f"Playing {moves:,} moves of {game.name} would take too long: take a smaller game, or a "
        "shorter search."
    )


def _trace(text: str | bytes, given: Game[Any, Any] | None, own: Mapping[str, Any]) -> Trace:
    """The trace as the file says it; who moved is not known before the moves are played.

    Raises whatever error a damaged file leads to.
    """
    if len(text) > LARGEST:
        raise TraceError(
            f"A trace of more than {LARGEST:,} bytes is not read again: make a shorter one."
        )
    document = json.loads(text)
    version = document["version"]
    if document["format"] != FORMAT or version not in VERSIONS:
        raise TraceError(
            f"The trace has version {short_repr(version)}, but this mcts_viz reads "
            f"{listed(VERSIONS)}: "
            "give a file that trace.save(...) wrote, or use the mcts_viz that wrote it."
        )
    of = document["game"]
    game = game_from_parameters(of["name"], of["parameters"]) if given is None else given
    spec = SearchSpec.read(game, {"c": None} | document["search"], own)
    if isinstance(spec.selection, Missing):
        spec.selection()  # which says how to hand it in
    nodes, iterations = document["nodes"], document["iterations"]
    actions = tuple(map(_action, document["actions"]))
    outcomes = tuple(_outcome(outcome, len(game.players)) for outcome in document["outcomes"])
    parent = _column(nodes, "parent", -1, HIGHEST)
    leaf = _column(iterations, "leaf", 0, len(parent) - 1)
    count, length, codes = len(parent), len(leaf), len(actions)
    lengths = _column(iterations, "moves", 0, HIGHEST, length)
    moves = _column(document, "playouts", 0, codes - 1, int(lengths.sum()))
    action = _column(nodes, "action", 0, max(0, codes - 1), count)
    outcome = _column(iterations, "outcome", 0, len(outcomes) - 1, length)
    visits: Ints = np.zeros(count, np.int64)
    if nodes["visits_before"]:
        visits = _column(nodes, "visits_before", 0, HIGHEST, count)
    wins = np.array(nodes["wins_before"] or [0] * count, np.float64)
    if wins.shape != (count,) or not np.isfinite(wins).all():
        raise ValueError("the wins before the search are not a number a node")
    trace = Trace(
        spec=spec,
        root_state=game.parse(document["position"]),
        actions=actions,
        parent=parent.astype(np.int32),
        action=smallest_ints(action, codes),
        created_at=_column(nodes, "created_at", 0, length, count).astype(np.int32),
        player_just_moved=np.zeros(count, np.int8),
        visits_before=visits.astype(np.int32),
        wins_before=wins,
        leaf=leaf.astype(np.int32),
        playouts=Playouts(
            smallest_ints(moves, codes), smallest_ints(lengths, int(lengths.max(initial=0)) + 1)
        ),
        outcome=smallest_ints(outcome, len(outcomes)),
        outcomes=outcomes,
        branch_points=branch_points_of(_action(document.get("branch_points", []))),
    )
    _require_tree(trace)
    return trace


def _action(data: Any) -> Any:
    """An action from JSON; lists become tuples, as nothing else can be hashed."""
    return tuple(map(_action, data)) if isinstance(data, list) else data


def _outcome(said: dict[str, list[float]], players: int) -> Outcome:
    outcome = Outcome(*(tuple(map(float, said[name])) for name in Outcome._fields))
    known = all(-1 <= number <= 1 for number in outcome.returns)
    if not (known and all(map(isfinite, outcome.rewards)) and {*map(len, outcome)} == {players}):
        raise ValueError(f"the outcome {said} is no return from -1 to 1 and reward for each player")
    return outcome


def _column(
    table: dict[str, Any], name: str, low: int, high: int, length: int | None = None
) -> Ints:
    """A column of whole numbers, packed or not."""
    written = table[name]
    packed = isinstance(written, str)
    column = _unpacked(written) if packed else np.array(written, np.int64)
    whole = packed or set(map(type, written)) <= {int}
    if not whole or ((column < low) | (column > high)).any():
        raise ValueError(f"{name!r} holds something else than whole numbers from {low} to {high}")
    if length not in (None, len(column)):
        raise ValueError(f"{name!r} has {len(column)} entries instead of {length}")
    return column


def _unpacked(text: str) -> Ints:
    kind, _, packed = text.partition(":")
    unpacking = decompressobj()
    data = unpacking.decompress(b64decode(packed, validate=True), LONGEST)
    if not (fullmatch("[<|][iu][1248]", kind) and unpacking.eof):
        raise ValueError(f"a column is not of whole numbers, or cut short: {short_repr(kind)}")
    return np.frombuffer(data, np.dtype(kind)).astype(np.int64)


def _require_tree(trace: Trace) -> None:
    """Raise ``ValueError`` unless parents come before their children, and so on."""
    parent, created_at, before = trace.parent, trace.created_at, trace.visits_before
    numbers = np.arange(len(parent))
    after = (parent[1:] >= 0) & (parent[1:] < numbers[1:]) & (np.diff(created_at) >= 0)
    if parent[0] != -1 or created_at[0] != 0 or not after.all():
        raise ValueError("its nodes are not a root and what was born after it, parents first")
    if (created_at[trace.leaf] > np.arange(1, len(trace.leaf) + 1)).any():
        raise ValueError("an iteration visits a node that is not yet born")
    below = np.bincount(parent[1:].astype(np.intp), before[1:], len(parent))
    if (before < below).any() or before[created_at > 0].any():
        raise ValueError("a node has more visits before the search than it can have")
    moves = parent.astype(np.int64) * len(trace.actions) + trace.action
    if len(np.unique(moves)) < len(moves):
        raise ValueError("a node repeats the move of its sibling")


def _replay(trace: Trace) -> Ints:
    """Play every move of the tree and of the playouts; by node, who moved into it."""
    game = trace.game

    def played(state: Any, action: Any, where: str) -> Any:
        if game.is_terminal(state) or action not in game.legal_actions(state):
            position = game.text(state)
            raise ValueError(f"{where} makes the illegal move {short_repr(action)} in {position!r}")
        return game.play(state, action)

    states = [trace.root_state]
    player_just_moved = np.zeros(len(trace.parent), np.int8)
    player_just_moved[0] = (game.to_move(trace.root_state) - 1) % len(game.players)
    for node in range(1, len(trace.parent)):
        before = states[trace.parent[node]]
        states.append(played(before, trace.action_of(node), f"node {node}"))
        player_just_moved[node] = game.to_move(before)
    for iteration, leaf in enumerate(trace.leaf.tolist(), start=1):
        state, where = game.playout_from(states[leaf]), f"the playout of iteration {iteration}"
        for code in trace.playouts[iteration].tolist():
            state = played(state, trace.actions[code], where)
        outcome = trace.outcomes[trace.outcome[iteration - 1]]
        if game.is_terminal(state) and tuple(game.returns(state)) != outcome.returns:
            found = game.returns(state)
            raise ValueError(f"{where} ends in {found}, not in {outcome.returns}")
    return player_just_moved
