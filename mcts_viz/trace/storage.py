"""A trace as one JSON file of columns, and back. Nothing in it is executed, and all is checked.

Any damage, a missing name, a column that is cut short, a move that the rules of the game refuse,
is refused in one sentence. A file is replaced as a whole, or stays as it is.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, TypeAlias
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, TraceError, among, fits, reason, require, short_repr
from ..games import GAMES, ConnectFour, Game, Nim, TicTacToe, check_game, turns
from ..games.refusals import refusal
from ..search import MCTS, MCTSSolver, random_playout
from ..search.checks import BUILT_IN, MOST_REWARD, outcomes, paid, require_number, require_whole
from ..search.mcts import DEFAULTS, Node, own_phases
from ..search.policies import describe
from .columns import BranchPoint, Outcome, Playouts, Proofs, smallest_ints
from .ledger import MEAN, Ledger, Rows, Sums
from .trace import Trace

FORMAT: Final = "mcts_viz trace"
VERSION: Final = 4
READ: Final = (3, 4)
"""The versions that can be read: the third knew no rows."""
ASKED: Final = 10
"""Random games in which the rules must answer twice alike, before a trace of them is saved."""
DECIDING: Final = ("play(", "is_terminal(", "returns(", "to_move(")
LARGEST: Final = 30_000_000
"""Bytes of a file: some 400,000 iterations of Connect Four. Read, it takes ten times the room."""
REFUSING: Final = (TicTacToe, ConnectFour, Nim)
"""Games whose own ``play`` refuses what is not legal, so that nothing else has to be asked."""
Limits: TypeAlias = tuple[str, float, Any, Any]
Proven: TypeAlias = tuple[int, int]
"""Who wins for sure, and the iteration that proved it."""
LARGE: Final = 2.0**53
"""The largest number of a node: up to here sums of whole rewards are exact, and a film holds them.
"""
COLUMNS: Final[dict[str, Limits]] = {
    "parent": ("nodes", -1, "nodes", np.int32),
    "action": ("nodes", 0, "actions", None),
    "created_at": ("nodes", 0, "moments", np.int32),
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
ROWS: Final[dict[str, Limits]] = {
    "rows.time": ("rows", 1, "moments", np.int32),
    "rows.node": ("rows", 0, "nodes", np.int32),
}
"""Of a trace with rows, two more; and each statistic has one column of them."""


@contextmanager
def _refused(what: str, remedy: str) -> Iterator[None]:
    """Make one sentence of any error: of ours, of NumPy, of the system or of the rules of a
    game."""
    try:
        yield
    except TraceError:
        raise
    except KeyError as error:
        raise TraceError(f"{what} ({error} is missing): {remedy}.") from error
    except Exception as error:
        raise TraceError(f"{what} ({reason(error)}): {remedy}.") from error


# Writing -----------------------------------------------------------------------------------------


def save(trace: Trace, path: str | Path) -> None:
    """Do what :meth:`Trace.save` says."""
    remedy = "ask check_game(game), and let moves be numbers, strings or tuples of them"
    with _refused("The trace is not saved, as it could not be read again", remedy):
        text = to_json(trace)
        _check_read_back(trace, _trace(text, trace.first_spec))
    write_file(path, text.encode())


def _check_read_back(trace: Trace, again: Trace) -> None:
    """Raise ``TraceError`` unless what was written is read as the same, and can be played
    again."""
    game, state = trace.game, trace.root_state
    if again.root_state != state:
        text = game.text(state)
        raise TraceError(
            f"The trace is not saved, as it could not be read again: parse({text!r}) returns "
            f"{short_repr(again.root_state)}, not {short_repr(state)}. Let parse read what text "
            "writes."
        )
    if type(game) not in BUILT_IN:
        for problem in check_game(game, games=ASKED).problems:
            if "and, asked again," in problem and problem.startswith(DECIDING):
                raise ValueError(problem)
    try:
        _players(again)
    except (GameError, ValueError):
        for iteration in range(1, trace.iterations + 1):
            trace.played_out(iteration)  # a policy may have noted what was not played
        raise


def to_json(trace: Trace) -> str:
    """The trace as text; equal traces give equal text."""
    if trace.watched:
        raise TraceError("A watched search is not saved: keep its film, Film(watch).to_html().")
    game = trace.game
    columns: dict[str, NDArray[Any]] = {}
    for name in COLUMNS:
        columns[name] = attrgetter(name)(trace)
        if name == "created_at":
            columns |= _of_ledger(trace.ledger)
    start = type(game).parse is Game.parse and trace.root_state == game.initial_state()
    document = {
        "format": FORMAT,
        "version": VERSION,
        "game": {"name": type(game).__name__, "parameters": game.parameters()},
        "position": None if start else game.text(trace.root_state),  # only if it is not read
        "search": _settings(trace.first_spec),
        "branch_points": trace.branch_points,
        **({"chosen": trace.chosen} if trace.chosen else {}),
        **_root_player(trace),
        "actions": trace.actions,
        "outcomes": np.array(trace.outcomes, float).tolist(),
        "columns": {name: of.tolist() if of.any() else len(of) for name, of in columns.items()},
    }
    return json.dumps(document, separators=(",", ":"), allow_nan=False, default=_number)


def _number(value: Any) -> Any:
    """NumPy's numbers as Python's, which are equal."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def _root_player(trace: Trace) -> dict[str, int]:
    """The player whose wins the root counts, if its position does not tell, as in a kept tree."""
    player = int(trace.player_just_moved[0])
    usual = player == turns.before_the_start(trace.game, trace.root_state)
    return {} if usual else {"root_player": player}


def _of_ledger(ledger: Ledger) -> dict[str, NDArray[Any]]:
    """The columns of the statistics: what was there before, and the rows if there are some."""
    columns = {f"{name}_before": of for name, of in ledger.before.items() if name != MEAN}
    if isinstance(ledger, Rows):
        columns |= {"rows.time": ledger.time, "rows.node": ledger.node}
        columns |= {f"rows.{name}": of for name, of in ledger.columns.items()}
        columns |= {f"{MEAN}_before": _finite(ledger.before[MEAN])} if MEAN in ledger.names else {}
    return columns


def _finite(means: NDArray[Any]) -> NDArray[Any]:
    """The means, with 0 for those before the first visit, which are infinite."""
    return np.where(np.isfinite(means), means, 0.0)


def _settings(search: MCTS) -> dict[str, Any]:
    """The search's settings that are not the defaults, without its game: numbers and texts."""
    said: dict[str, Any] = {
        "c": search.c,
        "seed": search.seed,
        "selection": describe(search.selection),
    }
    for kind, usual in DEFAULTS.items():
        policy = getattr(search, kind)
        if policy != usual:
            text = describe(policy)
            said[kind] = f"another {text}" if text == describe(usual) else text
    if own := own_phases(search):
        said["own"] = own
    return said | ({"solver": True} if search.solver else {})


# Reading -----------------------------------------------------------------------------------------


def from_json(text: str | bytes, search: MCTS | None = None) -> Trace:
    """The trace that ``text`` holds; raises ``TraceError`` with the first thing that is wrong."""
    kind = "an MCTS with the same game and policies, such as MCTS(game)"
    require(search is None or isinstance(search, MCTS), "search", kind, search, TraceError)
    with _refused(
        "This is no saved trace, or a damaged one", "give a file that trace.save(...) wrote"
    ):
        trace = _trace(text, search)
        return replace(trace, player_just_moved=np.array(_players(trace), np.int8))


def _trace(text: str | bytes, search: MCTS | None) -> Trace:
    """The trace as the file says it, but for the players below the root.

    Raises whatever goes wrong.
    """
    if len(text) > LARGEST:
        raise ValueError(f"it has more than {LARGEST:,} bytes")
    said = json.loads(text)
    if said["format"] != FORMAT or not among(said["version"], READ):
        _require_not_newer(said["version"])
        raise ValueError(f"its version is not {VERSION}")
    spec, points = _spec(said, search), _tuples(said["branch_points"])
    game, position = spec.game, said["position"]
    outcomes = np.array(said["outcomes"], float).reshape(-1, 2, len(game.players))
    names = _names(spec, said["columns"])
    limits = COLUMNS | _limits(names, "rows.time" in said["columns"])
    columns = _columns(said["columns"], limits, max(1, len(said["actions"])), len(outcomes))
    if len(outcomes) > max(1, len(columns["outcome"])):
        raise ValueError("it has more outcomes than iterations")
    parent, before = columns["parent"], columns["visits_before"]
    if columns["proofs.sign"].any() and not spec.solver:
        raise ValueError("it has proofs, which its search does not make")
    if not (
        (np.abs(outcomes) <= MOST_REWARD).all()
        and np.array_equal(parent >= 0, np.arange(len(parent)) > 0)
        and ("rows.time" in columns or (before[1:] <= before[parent[1:]]).all())
    ):
        raise ValueError("its numbers do not fit together")
    root_state = game.initial_state() if position is None else game.parse(position)
    player = said.get("root_player", turns.before_the_start(game, root_state))
    require_whole("root_player", player, 0, len(game.players) - 1)
    results = tuple(Outcome(*map(tuple, pair)) for pair in outcomes.tolist())
    _check_rewards(spec, root_state, results)
    return Trace(
        first_spec=spec,
        root_state=root_state,
        actions=tuple(map(_tuples, said["actions"])),
        player_just_moved=np.full(len(parent), player, np.int8),
        playouts=Playouts(columns.pop("playouts.actions"), columns.pop("playouts.lengths")),
        outcomes=results,
        ledger=_ledger(spec, names, columns),
        proofs=Proofs(columns.pop("proofs.sign"), columns.pop("proofs.since")),
        chosen=_chosen(said.get("chosen", [])),
        branch_points=tuple(_branch_point(*point) for point in points),
        **columns,
    )


def _check_rewards(spec: MCTS, root_state: Any, results: tuple[Outcome, ...]) -> None:
    """Raise ``ValueError`` unless the reward rule makes these rewards of these returns."""
    search = spec.but()
    search.root = Node(0, None, root_state, 0, created_at=0)
    for returns, rewards in results:
        right = search.rewards(returns)
        if not np.allclose(rewards, right, rtol=1e-9, atol=1e-12):  # another machine may round so
            raise ValueError(f"{returns} is worth the rewards {right}, not {rewards}")


def _require_not_newer(version: object) -> None:
    if fits(version, VERSION + 1, whole=True):
        raise TraceError(
            f"The file has version {version}, and this mcts_viz reads versions up to {VERSION}: "
            "install a newer one."
        )


def _names(spec: MCTS, said: Mapping[str, Any]) -> list[str]:
    """The statistics that the file must have."""
    own_means = [MEAN] if f"rows.{MEAN}" in said else []
    return ["visits", "wins", *own_means, *(each.name for each in spec.kept)]


def _limits(names: list[str], has_rows: bool) -> dict[str, Limits]:
    """The columns of the statistics, as :data:`COLUMNS` has the others."""
    limits: dict[str, Limits] = {
        f"{name}_before": ("nodes", -LARGE, LARGE, float) for name in names
    }
    if has_rows:
        return limits | ROWS | {f"rows.{name}": ("rows", -LARGE, LARGE, float) for name in names}
    return limits | {"visits_before": ("nodes", 0, 2**31, np.int32)}


def _ledger(spec: MCTS, names: list[str], columns: dict[str, Any]) -> Ledger:
    """The numbers of the columns, which are taken out."""
    before = {name: columns.pop(f"{name}_before") for name in names}
    if "rows.time" not in columns:
        return Sums(before, spec.kept)
    time, node = columns.pop("rows.time"), columns.pop("rows.node")
    if (np.diff(time) < 0).any():
        raise ValueError("its rows do not rise by time")
    if MEAN in before:
        before[MEAN] = np.where(before["visits"] > 0, before[MEAN], np.inf)
    return Rows(time, node, {name: columns.pop(f"rows.{name}") for name in names}, before)


def _spec(said: Mapping[str, Any], search: MCTS | None) -> MCTS:
    """The search that was recorded: of the package's own game and policies, or the one handed
    in."""
    name, settings = said["game"]["name"], said["search"]
    if search is None and name in GAMES:
        make = MCTSSolver if settings.get("solver") else MCTS
        search = make(GAMES[name](**said["game"]["parameters"]))
    spec = search and search.but(c=settings["c"], seed=settings["seed"])
    if spec and _settings(spec) == settings and type(spec.game).__name__ == name:
        return spec
    raise TraceError(
        f"The file has a search of {short_repr(name)} with {short_repr(settings, 200)}: hand in "
        "one with the same game and policies, search=MCTS(game, ...)."
    )


def _branch_point(iteration: Any, moves: Any, c: Any) -> BranchPoint:
    if not isinstance(moves, tuple):
        raise ValueError("the moves of a branch point are not a list")
    return BranchPoint(
        require_whole("iteration", iteration, 1, 2**31), moves, require_number("c", c)
    )


def _chosen(said: Any) -> tuple[tuple[Any, ...], ...]:
    """The walks that were chosen by hand, each a list of actions."""
    if not (isinstance(said, list) and all(isinstance(walk, list) for walk in said)):
        raise ValueError("'chosen' is not a list of walks")
    return tuple(map(_tuples, said))


def _tuples(data: Any) -> Any:
    """Data from JSON, with tuples for lists, as nothing else can be hashed."""
    return tuple(map(_tuples, data)) if isinstance(data, list) else data


def _columns(
    said: Mapping[str, Any], limits: Mapping[str, Limits], actions: int, outcomes: int
) -> dict[str, Any]:
    """The columns: as long as they must be, and their numbers between their limits."""
    columns = {name: _unpacked(said[name]) for name in limits}
    iterations, moves = len(columns["leaf"]), columns["playouts.lengths"].sum()
    sizes = {"actions": actions, "outcomes": outcomes, "nodes": len(columns["parent"])}
    sizes |= {"iterations": iterations, "moments": iterations + 1, "moves": moves}
    sizes["rows"] = len(columns.get("rows.time", ()))
    for name, column in columns.items():
        of, low, high, kind = limits[name]
        high, size = sizes.get(high, high), sizes[of]
        right = column.shape == (size,) and column.dtype.kind in ("if" if kind is float else "i")
        if not right or not ((low <= column) & (column < high)).all():
            raise ValueError(f"{name!r} is not {size} numbers from {low} to below {high}")
        columns[name] = column.astype(kind) if kind else smallest_ints(column)
    return columns


def _unpacked(values: Any) -> NDArray[Any]:
    """A column as a file says it: a list, or how many zeros it has."""
    return np.array(values) if isinstance(values, list) else np.zeros(min(values, LARGEST), int)


def _players(trace: Trace) -> list[int]:
    """For each node: who moved into it. All is played again: each iteration's new nodes and its
    playout."""
    game, states = trace.game, [trace.root_state]
    players = [int(trace.player_just_moved[0])]
    parent, action = trace.parent.tolist(), trace.action.tolist()
    created_at = trace.created_at.tolist()
    actions, play = trace.actions, _checked_play(trace)
    codes, ends = trace.playouts.actions.tolist(), np.cumsum(trace.playouts.lengths).tolist()
    ends = [0, 0, *ends]  # nothing is played before iteration 1
    for iteration, leaf in enumerate([0, *trace.leaf.tolist()]):
        while (node := len(states)) < len(parent) and created_at[node] == iteration:
            above = parent[node]
            players.append(turns.counted_for(turns.mover(game, states[above]), players[above]))
            states.append(play(states[above], actions[action[node]]))
        state = game.playout_from(states[leaf])
        for code in codes[ends[iteration] : ends[iteration + 1]]:
            state = play(state, actions[code])
        _check_end(trace, state, iteration)
    if created_at[0] or len(states) < len(parent):
        raise ValueError("its nodes are not in the order in which they were added")
    _check_chosen(trace)
    if type(trace.first_spec) is MCTSSolver:  # a subclass may prove otherwise
        _check_proofs(trace, states, players)
    return players


def _check_end(trace: Trace, state: Any, iteration: int) -> None:
    """Raise ``ValueError`` unless a random playout goes to the end, and brings what that is
    worth."""
    spec = trace.first_spec
    is_usual = spec.playout is random_playout and type(spec) in (MCTS, MCTSSolver)
    if not iteration or not is_usual or spec.pays:
        return
    returns = trace.outcomes[trace.outcome[iteration - 1]].returns
    if not trace.game.is_terminal(state) or tuple(trace.game.returns(state)) != returns:
        raise ValueError(f"the playout of iteration {iteration} has another result")


def _check_chosen(trace: Trace) -> None:
    """Raise ``ValueError`` unless the walks that were chosen are those of the first iterations, and
    the first one of a fork begins with the moves that were asked for."""
    walks = (tuple(map(trace.action_of, trace.path(leaf)[1:])) for leaf in trace.leaf.tolist())
    if asked := trace.first_moves:
        right = next(walks, asked)[: len(asked)] == asked
    else:
        chosen = () if trace.branch_points else trace.chosen
        right = tuple(islice(walks, len(chosen))) == chosen
    if not right:
        raise ValueError("the walks that were chosen are not those of its first iterations")


def _check_proofs(trace: Trace, states: list[Any], players: list[int]) -> None:
    """Raise ``ValueError`` unless the proofs are those that follow from the games it played."""
    game = trace.game
    walks = list(enumerate(trace.leaf.tolist(), 1))
    ended_at = {leaf: iteration for iteration, leaf in reversed(walks)}  # for the first time
    before = trace.visits_before > 0
    if trace.first_spec.initial_expansion:  # it may give an end visits that prove nothing
        before &= (trace.proofs.sign != 0) & (trace.proofs.since == 0)
    ended_at |= dict.fromkeys(np.flatnonzero(before).tolist(), 0)
    children: list[list[Proven]] = [[] for _ in states]
    sign, since = np.zeros((2, len(states)), int)
    for node in reversed(range(len(states))):
        proven = _proven(game, states[node], children[node], ended_at.get(node))
        if not proven:
            continue
        winner, since[node] = proven
        sign[node] = 1 if winner == players[node] else -1
        if node:
            children[trace.parent[node]].append(proven)
    if not (np.array_equal(sign, trace.proofs.sign) and np.array_equal(since, trace.proofs.since)):
        raise ValueError("its proofs do not follow from its games")


def _proven(
    game: Game[Any, Any], state: Any, children: list[Proven], ended_at: int | None
) -> Proven | None:
    """The winner for sure from a state and since when; ``None`` if nothing decides that yet."""
    if ended_at is not None and game.is_terminal(state):
        returns = game.returns(state)
        return (returns.index(1), ended_at) if sorted(returns) == [-1, 1] else None
    if not children:
        return None
    mover = game.to_move(state)
    won = [since for winner, since in children if winner == mover]
    if won:
        return mover, min(won)
    if len(children) < len(game.legal_actions(state)):
        return None
    return 1 - mover, max(since for _, since in children)


def _checked_play(trace: Trace) -> Callable[[Any, Any], Any]:
    """``play(state, action)``: the position after an action, which must be legal, and what it pays
    a number a player."""
    game, pays = trace.game, trace.first_spec.pays

    def play(state: Any, action: Any) -> Any:
        if action not in (outcomes(game, state) or turns.moves_of(game, state)):
            raise refusal(game, state, action)
        after = game.play(state, action)
        if pays:
            paid(game, state, action, after)
        return after

    return game.play if type(game) in REFUSING else play


# Files -------------------------------------------------------------------------------------------


def write_file(path: str | Path, data: bytes) -> None:
    """Give the file this content; a link to it is followed."""
    with _file(path, "written") as place:
        put(place, data)


def put(place: Path, data: bytes) -> None:
    """Write beside a place, and move there what is whole: no half file is ever left."""
    beside = place.with_name(f".{uuid4().hex}.part")  # short, as a name may be long already
    try:
        beside.write_bytes(data)
        _replace(beside, place)
    finally:
        beside.unlink(missing_ok=True)  # it is gone, if all went well


WAITS: Final = (0.02, 0.05, 0.1, 0.2, 0.4) if sys.platform == "win32" else ()
"""Seconds until another try: Windows replaces no file while a scanner or a sync of the cloud reads
it.
"""


def _replace(beside: Path, place: Path) -> None:
    """Move a file to its place; on Windows try again while another program has that open."""
    for wait in WAITS:
        try:
            beside.replace(place)
            return
        except PermissionError:
            time.sleep(wait)
    beside.replace(place)


def read_file(path: str | Path, most: int) -> bytes:
    """The first bytes of a file."""
    with _file(path, "read") as place, place.open("rb") as file:
        return file.read(most)


@contextmanager
def _file(path: str | Path, deed: str) -> Iterator[Path]:
    """A regular file, or a new one: for a pipe one might wait without end."""
    name = short_repr(path if isinstance(path, str) else str(path), most=300)
    with _refused(f"The file {name} cannot be {deed}", "check its name and folder"):
        place = Path(os.fsdecode(path)).resolve()
        if place.exists() and not place.is_file():
            raise OSError("it is no regular file")
        yield place
