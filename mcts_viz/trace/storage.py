"""A trace as one JSON file of columns, and back. Nothing in it is executed, and all is checked.

Any damage, a missing name, a column that is cut short, a move that the rules of the game refuse,
is refused in one sentence. A file is replaced as a whole, or stays as it is.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from ..errors import MctsVizError, TraceError, reason, require, short_repr
from ..games import GAMES, Game
from ..search import MCTS, MCTSSolver
from ..search.checks import checked_c, explain_game_error, require_whole
from ..search.texts import describe, written
from .trace import BranchPoint, Outcome, Playouts, Proofs, Trace, smallest_ints

FORMAT: Final = "mcts_viz trace"
VERSION: Final = 3
LARGEST: Final = 30_000_000
"""Bytes of a file: some 400,000 iterations of Connect Four. Read, it takes ten times the room."""
COLUMNS: Final[dict[str, tuple[str, float, Any, Any]]] = {
    "parent": ("nodes", -1, "nodes", np.int32),
    "action": ("nodes", 0, "actions", None),
    "created_at": ("nodes", 0, "moments", np.int32),
    "visits_before": ("nodes", 0, 2**31, np.int32),
    "wins_before": ("nodes", -1e308, 1e308, float),
    "proofs.sign": ("nodes", -1, 2, np.int8),
    "proofs.since": ("nodes", 0, "moments", np.int32),
    "leaf": ("iterations", 0, "nodes", np.int32),
    "outcome": ("iterations", 0, "outcomes", None),
    "playouts.lengths": ("iterations", 0, 2**31, None),
    "playouts.actions": ("moves", 0, "actions", None),
}
"""Of each column: how long it is, its numbers from the lowest to below the highest, and its type.

Without a type it is the smallest one that holds the numbers.
"""


# Writing -----------------------------------------------------------------------------------------


def to_json(trace: Trace) -> str:
    """The trace as text; equal traces give equal text."""
    game, columns = trace.game, {name: attrgetter(name)(trace) for name in COLUMNS}
    if trace.rows:
        raise TraceError("A watched search is not saved: keep its film, Film(watch).to_html().")
    with explain_game_error(game):
        start = type(game).parse is Game.parse and trace.root_state == game.initial_state()
        document = {
            "format": FORMAT,
            "version": VERSION,
            "game": {"name": type(game).__name__, "parameters": game.parameters()},
            "position": None if start else game.text(trace.root_state),  # only if it is not read
            "search": _search_data(trace.first_spec),
            "branch_points": trace.branch_points,
            "actions": trace.actions,
            "outcomes": [[[*map(float, said)] for said in pair] for pair in trace.outcomes],
            "columns": {
                name: column.tolist() if column.any() else len(column)  # if all are 0
                for name, column in columns.items()
            },
        }
        return json.dumps(document, separators=(",", ":"), allow_nan=False, default=_plain)


def _search_data(spec: MCTS) -> dict[str, Any]:
    return {"c": spec.c, "seed": spec.seed, "selection": describe(spec.selection), **written(spec)}


def _plain(value: Any) -> Any:
    """A number of NumPy's, which JSON does not know by itself."""
    if isinstance(value, np.generic):
        return value.item()
    raise TraceError(
        f"The trace cannot be saved, as {short_repr(value)} is in it: make the game's actions and "
        "parameters numbers, strings, and tuples, lists or dicts of them."
    )


def save(trace: Trace, path: str | Path) -> None:
    """Do what :meth:`Trace.save` says."""
    text = to_json(trace)
    try:
        _trace(text, trace.first_spec)
    except Exception as error:
        raise TraceError(
            f"The trace is not saved, as it could not be read again ({reason(error)}): ask "
            "check_game(game) what is wrong with the game, or record another search."
        ) from None
    write_file(path, text.encode())


# Reading -----------------------------------------------------------------------------------------


def from_json(text: str | bytes, search: MCTS | None = None) -> Trace:
    """The trace that ``text`` holds; raises ``TraceError`` with the first thing that is wrong."""
    try:
        trace = _trace(text, search)
        return replace(trace, player_just_moved=_players(trace))
    except MctsVizError as error:
        raise TraceError(str(error)) from None
    except Exception as error:  # of our own, of NumPy or of the rules of the game
        raise TraceError(
            f"This is no saved trace, or a damaged one ({reason(error)}): give a file that "
            "trace.save(...) wrote."
        ) from error


def _trace(text: str | bytes, search: MCTS | None) -> Trace:
    """The trace as the file says it, but for the players; raises the first error that it finds."""
    if len(text) > LARGEST:
        raise TraceError(f"A trace of more than {LARGEST:,} bytes is not read: make it shorter.")
    said = json.loads(text)
    for name, ours in (("format", FORMAT), ("version", VERSION)):
        kind = f"{ours!r}: record again, or load it with the mcts_viz that wrote it"
        require(said[name] == ours, f"The file's {name}", kind, said[name], TraceError)
    spec = _spec(said, search)
    outcomes = tuple(_outcome(pair, len(spec.game.players)) for pair in said["outcomes"])
    parts = _columns(said["columns"], max(1, len(said["actions"])), len(outcomes))
    start = said["position"] is None
    trace = Trace(
        first_spec=spec,
        root_state=spec.game.initial_state() if start else spec.game.parse(said["position"]),
        actions=tuple(map(_tuples, said["actions"])),
        player_just_moved=np.zeros(len(parts[""]["parent"]), np.int8),
        playouts=Playouts(**parts["playouts"]),
        outcomes=outcomes,
        proofs=Proofs(**parts["proofs"]),
        branch_points=tuple(
            BranchPoint(require_whole("iteration", iteration, 1), tuple(moves), checked_c(c))
            for iteration, moves, c in _tuples(said["branch_points"])
        ),
        **parts[""],
    )
    _require_tree(trace)
    return trace


def _spec(said: Mapping[str, Any], search: MCTS | None) -> MCTS:
    """The search that was recorded: of the package's own game and policies, or the one handed in."""
    name, settings = said["game"]["name"], said["search"]
    if search is None:
        if name not in GAMES:
            raise TraceError(f"The file has a search of {short_repr(name)}: hand in yours, search=...")
        make = MCTSSolver if settings.get("solver") else MCTS
        search = make(GAMES[name](**said["game"]["parameters"]))
    spec = search.but(c=settings["c"], seed=settings["seed"])
    if _search_data(spec) != settings or type(spec.game).__name__ != name:
        raise TraceError(
            f"The file has a search of {short_repr(name)} with {short_repr(settings, 200)}: hand in one "
            "with the same game and policies, search=MCTS(game, ...)."
        )
    return spec


def _tuples(data: Any) -> Any:
    """Data from JSON, with tuples for lists, as nothing else can be hashed."""
    return tuple(map(_tuples, data)) if isinstance(data, list) else data


def _outcome(said: Any, players: int) -> Outcome:
    outcome = Outcome(*(tuple(map(float, numbers)) for numbers in said))
    known = all(-1 <= number <= 1 for number in outcome.returns)
    if not (known and np.isfinite(outcome.rewards).all() and {*map(len, outcome)} == {players}):
        raise ValueError(f"the outcome {said} is no return from -1 to 1 and reward for each player")
    return outcome


def _columns(said: Mapping[str, Any], actions: int, outcomes: int) -> dict[str, dict[str, Any]]:
    """The columns, checked, by the part of the trace to which they belong, "" for itself."""
    columns = {name: _array(said[name]) for name in COLUMNS}
    iterations, moves = len(columns["leaf"]), columns["playouts.lengths"].sum()
    sizes = {"actions": actions, "outcomes": outcomes, "nodes": len(columns["parent"])}
    sizes |= {"iterations": iterations, "moments": iterations + 1, "moves": moves}
    parts: dict[str, dict[str, Any]] = defaultdict(dict)
    for name, column in columns.items():
        of, low, high, kind = COLUMNS[name]
        high, size = sizes.get(high, high), sizes[of]
        right = column.shape == (size,) and column.dtype.kind in ("if" if kind is float else "i")
        if not right or not ((low <= column) & (column < high)).all():
            raise ValueError(f"{name!r} is not {size} numbers from {low} to below {high}")
        part, _, field = name.rpartition(".")
        parts[part][field] = column.astype(kind) if kind else smallest_ints(column)
    return parts


def _array(values: Any) -> NDArray[Any]:
    """A column as a file says it: a list, or how many zeros it has."""
    return np.array(values) if isinstance(values, list) else np.zeros(min(values, LARGEST), int)


def _require_tree(trace: Trace) -> None:
    """Raise ``ValueError`` unless parents come before their children, and so on."""
    parent, created_at, before = trace.parent, trace.created_at, trace.visits_before
    after = (parent[1:] >= 0) & (parent[1:] < np.arange(1, len(parent)))
    if parent[0] != -1 or created_at[0] or not after.all() or (np.diff(created_at) < 0).any():
        raise ValueError("its nodes are not a root and what was added after it, parents first")
    if (created_at[trace.leaf] > np.arange(1, len(trace.leaf) + 1)).any():
        raise ValueError("an iteration visits a node that is not added yet")
    below = np.bincount(parent[1:].astype(np.intp), before[1:], len(parent))
    if (before < below).any() or before[created_at > 0].any():
        raise ValueError("a node has more visits before the search than it can have")
    moves = parent.astype(np.int64) * len(trace.actions) + trace.action
    if len(np.unique(moves)) < len(moves):
        raise ValueError("a node repeats the move of its sibling")


def _players(trace: Trace) -> NDArray[Any]:
    """By node: who moved into it. All moves, of the tree and of the playouts, are played again."""
    game = trace.game

    def played(state: Any, codes: list[int], where: str) -> Any:
        for action in map(trace.actions.__getitem__, codes):
            if game.is_terminal(state) or action not in game.legal_actions(state):
                said = f"the illegal move {short_repr(action)} in {game.text(state)!r}"
                raise ValueError(f"{where} makes {said}")
            state = game.play(state, action)
        return state

    states = [trace.root_state]
    players = [(game.to_move(trace.root_state) - 1) % len(game.players)]
    moves = zip(trace.parent[1:].tolist(), trace.action[1:].tolist(), strict=True)
    for node, (parent, code) in enumerate(moves, 1):
        states.append(played(states[parent], [code], f"node {node}"))
        players.append(game.to_move(states[parent]))
    for iteration, leaf in enumerate(trace.leaf.tolist(), start=1):
        where = f"the playout of iteration {iteration}"
        state = played(game.playout_from(states[leaf]), trace.playouts[iteration].tolist(), where)
        said = trace.outcomes[trace.outcome[iteration - 1]].returns
        if game.is_terminal(state) and (found := tuple(game.returns(state))) != said:
            raise ValueError(f"{where} ends in {found}, not in {said}")
    return np.array(players, np.int8)


# Files -------------------------------------------------------------------------------------------


def write_file(path: str | Path, data: bytes) -> None:
    """Give the file this content; its mode stays, and a link to it is followed.

    It is written beside its place and moved there, so that no half file is ever left.
    """
    with _regular(path, "written") as place:
        place = place.resolve()
        if place.exists() and not os.access(place, os.W_OK):
            raise OSError("the file there is read-only")
        beside = place.with_name(f".{uuid4().hex}.part")  # short, as a name may be long already
        try:
            beside.write_bytes(data)
            if place.exists():
                shutil.copymode(place, beside)
            os.replace(beside, place)
        finally:
            beside.unlink(missing_ok=True)  # it is gone, if all went well


def read_file(path: str | Path, most: int) -> bytes:
    """The first bytes of a file."""
    with _regular(path, "read") as place, place.open("rb") as file:
        return file.read(most)


@contextmanager
def _regular(path: str | Path, deed: str) -> Iterator[Path]:
    """A regular file, or a new one: for a pipe one might wait without end."""
    try:
        place = Path(path)
        if place.exists() and not place.is_file():
            raise OSError("it is no regular file")
        yield place
    except (OSError, TypeError, ValueError) as error:
        name = short_repr(str(path) if isinstance(path, Path) else path, most=300)
        raise TraceError(
            f"The file {name} cannot be {deed} ({reason(error)}): check its name and folder."
        ) from None
