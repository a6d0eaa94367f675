"""A trace as one JSON file of columns, and back. Nothing in it is executed, and all is checked.

Whatever a damaged file leads to, a missing name, a column that is cut short, a move that the rules
of the game refuse, ends in one sentence. A file is replaced as a whole, or stays as it is.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from ..errors import MctsVizError, TraceError, reason, short_repr
from ..games import Game, game_from_parameters
from ..games.clock import Pace
from ..search.checks import check_rules, explain_game_error
from ..search.texts import Missing, describe, read_search, require_kinds, written
from .trace import Finding, Outcome, Playouts, Proofs, Rows, Trace, branch_points_of, smallest_ints

FORMAT: Final = "mcts_viz trace"
VERSION: Final = 3
LARGEST: Final = 30_000_000
"""Bytes of a file: some 400,000 iterations of Connect Four. Read, it takes ten times the room."""
SECONDS: Final = 60.0
"""Processor time in which the moves of a file are played again."""
COLUMNS: Final[dict[str, tuple[str, float, Any, Any]]] = {
    "parent": ("nodes", -1, "nodes", np.int32),
    "action": ("nodes", 0, "actions", None),
    "created_at": ("nodes", 0, "moments", np.int32),
    "visits_before": ("nodes", 0, 2**31, np.int32),
    "wins_before": ("nodes", -1e308, 1e308, np.float64),
    "proofs.sign": ("nodes", -1, 2, np.int8),
    "proofs.since": ("nodes", 0, "moments", np.int32),
    "leaf": ("iterations", 0, "nodes", np.int32),
    "outcome": ("iterations", 0, "outcomes", None),
    "playouts.lengths": ("iterations", 0, 2**31, None),
    "playouts.actions": ("moves", 0, "actions", None),
    "rows.time": ("rows", 0, "moments", np.int32),
    "rows.node": ("rows", 0, "nodes", np.int32),
    "rows.visits": ("rows", -1e308, 1e308, np.float64),
    "rows.wins": ("rows", -1e308, 1e308, np.float64),
}
"""Of each column: how long it is, its numbers from the lowest to below the highest, and its type.

Without a type it is the smallest one that holds the numbers. A watched search alone has rows.
"""


def to_json(trace: Trace) -> str:
    """The trace as text; equal traces give equal text."""
    game, spec = trace.game, trace.first_spec
    columns = {
        name: attrgetter(name)(trace)
        for name in COLUMNS
        if trace.rows or not name.startswith("rows.")
    }
    policies = {"c": spec.c, "seed": spec.seed, "selection": describe(spec.selection)}
    with explain_game_error(game, "The trace cannot be saved."):
        document = {
            "format": FORMAT,
            "version": VERSION,
            "game": {"name": type(game).__name__, "parameters": game.parameters()},
            "position": game.text(trace.root_state),
            "search": policies | written(spec),
            "branch_points": trace.branch_points,
            "actions": trace.actions,
            "outcomes": [[[*map(float, said)] for said in pair] for pair in trace.outcomes],
            "columns": {  # of one that is all 0, only how long it is
                name: column.tolist() if column.any() else len(column)
                for name, column in columns.items()
            },
        } | ({"findings": trace.findings} if trace.rows else {})
        return json.dumps(document, separators=(",", ":"), allow_nan=False, default=_plain)


def _plain(value: Any) -> Any:
    """What JSON does not know by itself: a number of NumPy's."""
    if isinstance(value, np.generic):
        return value.item()
    raise TraceError(
        f"The trace cannot be saved, as {short_repr(value)} is in it: make the game's actions and "
        "parameters numbers, strings, and tuples, lists or dicts of them."
    )


def save(trace: Trace, path: str | Path) -> None:
    """What :meth:`Trace.save` does."""
    text = to_json(trace)
    try:
        _trace(text, trace.game, trace.first_spec.given)
    except Exception as error:
        raise TraceError(
            f"The trace is not saved, as it could not be read again ({reason(error)}): ask "
            "check_game(game) what is wrong with the game, or record another search."
        ) from None
    write_file(path, text.encode())


def load(path: str | Path, game: Game[Any, Any] | None = None, **policies: Any) -> Trace:
    """What :meth:`Trace.load` does."""
    return from_json(read_file(path, LARGEST + 1), game, **policies)


def from_json(text: str | bytes, game: Game[Any, Any] | None = None, **own: Any) -> Trace:
    """The trace that ``text`` holds; raises ``TraceError`` with the first thing that is wrong."""
    require_kinds(own)
    if game is not None:
        check_rules(game)
    try:
        trace = _trace(text, game, own)
        _replay(trace)
        return trace
    except MctsVizError as error:
        raise TraceError(str(error)) from None
    except Exception as error:  # of our own, of NumPy or of the rules of the game
        raise TraceError(
            f"This is no saved trace, or a damaged one ({reason(error)}): give a file that "
            "trace.save(...) wrote."
        ) from error


def _trace(text: str | bytes, given: Game[Any, Any] | None, own: Mapping[str, Any]) -> Trace:
    """The trace as the file says it; raises whatever error a damaged file leads to."""
    if len(text) > LARGEST:
        raise TraceError(
            f"A trace of more than {LARGEST:,} bytes is not read again: make a shorter one."
        )
    document = json.loads(text)
    version = document["version"]
    if document["format"] != FORMAT or version != VERSION:
        raise TraceError(
            f"The trace has version {short_repr(version)}, but this mcts_viz reads version "
            f"{VERSION}: record the search again, or use the mcts_viz that wrote it."
        )
    of = document["game"]
    game = game_from_parameters(of["name"], of["parameters"]) if given is None else given
    spec = read_search(game, {"c": None} | document["search"], own)
    if isinstance(spec.selection, Missing):
        spec.selection()  # which says how to hand it in
    actions = tuple(map(_action, document["actions"]))
    outcomes = tuple(_outcome(said, len(game.players)) for said in document["outcomes"])
    columns = _columns(document["columns"], max(1, len(actions)), len(outcomes))
    nodes, iterations = len(columns["parent"]), len(columns["leaf"])
    rows = [columns.pop(name) for name in COLUMNS if name in columns and name.startswith("rows.")]
    trace = Trace(
        first_spec=spec,
        root_state=game.parse(document["position"]),
        actions=actions,
        player_just_moved=np.zeros(nodes, np.int8),
        playouts=Playouts(columns.pop("playouts.actions"), columns.pop("playouts.lengths")),
        outcomes=outcomes,
        proofs=Proofs(columns.pop("proofs.sign"), columns.pop("proofs.since")),
        branch_points=branch_points_of(_action(document["branch_points"])),
        rows=Rows(*rows) if rows else None,
        findings=tuple(_finding(said, nodes, iterations) for said in document.get("findings", ())),
        **columns,
    )
    _require_tree(trace)
    return trace


def _action(data: Any) -> Any:
    """An action from JSON; lists become tuples, as nothing else can be hashed."""
    return tuple(map(_action, data)) if isinstance(data, list) else data


def _outcome(said: Any, players: int) -> Outcome:
    outcome = Outcome(*(tuple(map(float, numbers)) for numbers in said))
    known = all(-1 <= number <= 1 for number in outcome.returns)
    if not (known and np.isfinite(outcome.rewards).all() and {*map(len, outcome)} == {players}):
        raise ValueError(f"the outcome {said} is no return from -1 to 1 and reward for each player")
    return outcome


def _finding(said: Any, nodes: int, iterations: int) -> Finding:
    finding = Finding(*said)
    known = [*map(type, finding)] == [str, str, int, int, bool, str]
    if not (known and 0 <= finding.iteration <= iterations and 0 <= finding.node < nodes):
        raise ValueError(f"the finding {said} has no name, text, iteration, node, kind and mark")
    return finding


def _columns(written: Mapping[str, Any], actions: int, outcomes: int) -> dict[str, NDArray[Any]]:
    """The columns, checked."""
    columns: dict[str, NDArray[Any]] = {}
    for name, (_, _, _, kind) in COLUMNS.items():
        if name.startswith("rows.") and "rows.time" not in written:
            continue
        numbers, number = written[name], np.float64 if kind is np.float64 else np.int64
        if type(numbers) is int and 0 <= numbers <= LARGEST:
            columns[name] = np.zeros(numbers, number)
        elif isinstance(numbers, list) and {*map(type, numbers)} <= {int, type(number(0).item())}:
            columns[name] = np.array(numbers, number)
        else:
            raise ValueError(f"{name!r} is no list of numbers")
    iterations, moves = len(columns["leaf"]), int(columns["playouts.lengths"].clip(0).sum())
    sizes = {"actions": actions, "outcomes": outcomes, "nodes": len(columns["parent"])}
    sizes |= {"iterations": iterations, "moments": iterations + 1, "moves": moves}
    sizes["rows"] = len(columns.get("rows.time", ()))
    for name, column in columns.items():
        of, low, high, kind = COLUMNS[name]
        high = sizes.get(high, high)
        if len(column) != sizes[of] or not ((low <= column) & (column < high)).all():
            raise ValueError(f"{name!r} is not {sizes[of]} numbers from {low} to below {high}")
        columns[name] = column.astype(kind) if kind else smallest_ints(column)
    return columns


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


def _replay(trace: Trace) -> None:
    """Play every move of the tree and of the playouts, and write down who moved into each node."""
    game, states, mover = trace.game, [trace.root_state], trace.player_just_moved.copy()
    pace = Pace(len(trace.parent) + len(trace.playouts.actions), SECONDS)

    def played(state: Any, code: int, where: str) -> Any:
        action = trace.actions[code]
        pace.done += 1
        if pace.too_slow:
            raise TraceError(
                f"Playing {pace.steps:,} moves of {game.name} would take too long: take a smaller "
                "game, or a shorter search."
            )
        if game.is_terminal(state) or action not in game.legal_actions(state):
            position = game.text(state)
            raise ValueError(f"{where} makes the illegal move {short_repr(action)} in {position!r}")
        return game.play(state, action)

    mover[0] = (game.to_move(trace.root_state) - 1) % len(game.players)
    for node, parent in enumerate(trace.parent[1:].tolist(), 1):
        states.append(played(states[parent], trace.action[node], f"node {node}"))
        mover[node] = game.to_move(states[parent])
    vars(trace)["player_just_moved"] = mover
    for iteration, leaf in enumerate(trace.leaf.tolist(), start=1):
        state, where = game.playout_from(states[leaf]), f"the playout of iteration {iteration}"
        for code in trace.playouts[iteration].tolist():
            state = played(state, code, where)
        outcome = trace.outcomes[trace.outcome[iteration - 1]]
        if game.is_terminal(state) and tuple(game.returns(state)) != outcome.returns:
            found = game.returns(state)
            raise ValueError(f"{where} ends in {found}, not in {outcome.returns}")


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
