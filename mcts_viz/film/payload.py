"""A film as data for the player: one small JSON object, and typed arrays packed into bytes.

The player knows no formula and no rule: it looks numbers up, and fills them in. The arrays are
little-endian, end to end, and deflated. The fields have the names that ``search_film.js`` and
``minimax_film.js`` read.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias
from xml.etree.ElementTree import tostring

import numpy as np
from numpy.typing import NDArray

from ..errors import TraceError, short_repr
from ..games import moves_of
from ..search import random_playout, ucb1
from ..search.checks import called
from ..trace import Trace
from ..trace.columns import nearest_above
from ..trace.ledger import MEAN
from ..trace.minimax_trace import EVALUATE, MinimaxTrace
from .boards import Board, draw_board
from .minimax_film import MinimaxFilm
from .pictures import new_svg
from .search_film import SearchFilm
from .still import AnyFilm
from .truth import Truth, badge, truth_facts
from .words import (
    LONGEST_REPORTED,
    PROOFS,
    algorithm,
    move_order,
    outcome_text,
    plain,
    policies_said,
    rewards_text,
    rule_label,
    step_of,
)

APART: Final = 0.16
"""Numbers below the slider are at least so far apart, as a part of its width."""

Array: TypeAlias = NDArray[Any]
Sent: TypeAlias = tuple[dict[str, Any], dict[str, Array]]
"""Facts, and columns."""


def payload(data: AnyFilm, truth: Truth | str | None) -> dict[str, Any]:
    """``{"facts": JSON values, "columns": bytes}``; the facts say where each column begins."""
    if isinstance(data, MinimaxFilm):
        facts, columns = _of_walk(data)
    else:
        assert truth is not None
        facts, columns = _of_search(data, truth)
    columns |= {"parent": data.trace.parent, "order": move_order(data.trace)}
    index: dict[str, dict[str, Any]] = {}
    parts: list[bytes] = []
    offset = 0
    for name, values in columns.items():
        values = values if values.dtype.kind == "f" else _small(values)
        kind = values.dtype.name.capitalize()  # as JavaScript's typed arrays are called
        index[name] = {"type": kind, "offset": offset, "length": len(values)}
        part = values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes()
        parts += [part, bytes(-len(part) % 8)]  # typed arrays begin at multiples of 8 bytes
        offset += len(part) + len(parts[-1])
    # The fastest way: a reader waits for it, and hardly for the transport.
    packed = zlib.compress(b"".join(parts), 1)
    return {"facts": {**_of_film(data), **facts, "columns": index}, "columns": packed}


def _small(numbers: Array) -> Array:
    """Put whole numbers, of which there may be none, into as few bytes as hold them all."""
    least, most = int(numbers.min(initial=0)), int(numbers.max(initial=0))
    return numbers.astype(np.min_scalar_type(min(least, -1 - most) if least < 0 else most))


def board_facts(board: Board | None) -> dict[str, Any] | None:
    """The shapes of a board; ``None`` for a game without one."""
    if board is None:
        return None
    box = (0, 0, 10 * board.columns, 10 * board.rows)
    empty = new_svg(box, "mcts-board", aria_hidden="true")
    draw_board(empty, board, (), ())
    return {
        "rows": board.rows,
        "columns": board.columns,
        "picture": tostring(empty, encoding="unicode"),
        "glow": board.glow,
        "pieces": [piece.path for piece in board.pieces],
    }


def _of_film(data: AnyFilm) -> dict[str, Any]:
    """The facts of any film: its title and its size."""
    return {
        "kind": data.kind,
        "title": data.title,
        "subtitle": data.subtitle,
        "phases": list(data.phases),
        "iterations": len(data.iterations),
        "total": len(data.source),
        "board": board_facts(data.board),
    }


def numbered(texts: Sequence[Any]) -> tuple[list[Any], Array]:
    """The different texts, and each one's number among them."""
    table: dict[Any, int] = {}
    numbers = [table.setdefault(text, len(table)) for text in texts]
    return list(table), np.array(numbers, np.uint32)


# A search --------------------------------------------------------------------------------------


def _of_search(data: SearchFilm, truth: Truth | str) -> Sent:
    trace, search, shown = data.trace, data.source, data.iterations - 1
    patterns, pattern = data.patterns
    explores, linear = data.bars
    bars = "mean + exploration" if explores or not trace.c else "score"
    facts: dict[str, Any] = {
        "rule": rule_label(trace),
        "c": trace.c,
        "linear_in_c": linear,
        "asked_first": len(trace.first_moves),
        "chosen": trace.chosen_iterations,
        "players": [plain(player) for player in trace.game.players],
        "code": [] if trace.watched else algorithm(),  # a stranger's lines are not known
        "patterns": patterns,
        "step": step_of(trace.game),
        "policies": policies_said(trace),
        "outcomes": [
            {
                "result": outcome_text(trace.game, outcome.returns),
                "rewards": rewards_text(trace.game, outcome.rewards),
            }
            for outcome in trace.outcomes
        ],
        "reward_range": list(data.reward_range),
        "gains": data.rewards.tolist(),
        "watched": trace.watched,
        "counted": trace.ledger.adds_up,
        "heads": ["move", "wins/visits", bars, rule_label(trace)],
        "results": _results(data),
        "scale": [] if data.is_whole else _scale(data),
        "truth": truth_facts(truth),
    }
    columns = _recorded(trace, shown) | _scores(data) | {"pattern": pattern}
    visits = data.visits
    columns |= {
        "visit_times": visits.times,
        "visit_wins": visits.columns["wins"].astype(np.float32),
    }
    columns |= {"visit_ends": visits.ends}
    every = np.arange(len(trace.parent))
    visited = np.repeat(every, np.diff(visits.ends).astype(np.intp))  # by visit: the node
    if isinstance(truth, Truth):
        facts["truth"]["badges"], numbers = numbered([badge(truth, n) for n in truth.values])
        columns["exact"] = np.zeros(len(trace.parent), np.int64)
        columns["exact"][[*truth.values]] = 1 + numbers
    if data.proves:
        facts["proofs"] = {str(sign): words for sign, words in PROOFS.items()}
        columns["proof"], columns["proven"] = trace.proofs
    if search.watched:
        facts["findings"] = _findings(data)
        facts["checked"] = [one._asdict() | {"text": _reported(one.text)} for one in search.checked]
    if trace.chance.any():
        columns |= {
            "chance": trace.chance.astype(np.uint8),
            "probability": trace.probability.astype(np.float32),
        }
    if data.noted:
        facts["notes"], columns["note"] = numbered(data.notes(visited, visits.times))
        facts["notes_before"], columns["note_before"] = numbered(data.notes(every, 0))
    if any("{parts}" in pattern for pattern in patterns):
        facts["parts"], columns["parts"] = numbered(list(map(data.told, data.iterations.tolist())))
    if trace.priors is not None:
        columns["prior"] = trace.priors.astype(np.float32)
    if not data.counts_walks:
        columns["visit_counts"] = visits.columns["visits"]
    if not data.is_whole:  # the river shows the whole tree
        whole = {"parent": search.parent, "order": move_order(search)}
        whole |= _recorded(search, np.arange(len(search))) | {"shown": data.numbers}
        columns |= {f"all_{name}": column for name, column in whole.items()}
        columns |= {"iterations": data.iterations, "left_out_ends": data.left_out_ends}
    cells = _cells(data)
    moves, codes, playouts = _playouts(data, cells)
    untried = _untried(data)
    facts["labels"], numbers = numbered([*_labels(data), *untried.labels, *moves])
    parts = np.split(numbers, np.cumsum([len(trace.parent), len(untried.labels)]))
    columns |= {"label": parts[0], "untried": parts[1], "move_label": parts[2][codes]}
    columns |= {"untried_ends": untried.ends, "untried_places": np.array(untried.places, np.int64)}
    columns["untried_counts" if data.is_whole else "all_untried_counts"] = untried.counts
    return facts, columns | cells | playouts


def _recorded(trace: Trace, iterations: Array) -> dict[str, Array]:
    """Of a trace by node, and by these iterations, counted from 0."""
    return {
        "created_at": trace.created_at,
        "player_just_moved": trace.player_just_moved,
        "leaf": trace.leaf[iterations],
        "outcome": trace.outcome[iterations],
        "visits_before": trace.visits_before,
        "wins_before": trace.wins_before.astype(np.float32),
    }


def _scores(data: SearchFilm) -> dict[str, Array]:
    """All scores, exactly: the browser adds two terms, and knows no formula.

    Of UCB1 by number of visits the two factors whose product, times c, is the second term; its
    first term is wins by visits. Of other rules both terms, of each child before and after each
    visit of its parent.
    """
    if data.trace.selection is ucb1 and MEAN not in data.trace.ledger.names:
        counts = data.visits.columns["visits"]
        visits = np.unique(np.concatenate([counts, data.trace.visits_before]))
        visits = visits[visits > 0]
        factors = {"parent": np.sqrt(np.log(visits)), "child": 1 / np.sqrt(visits)}
        return {f"factor_{name}": of for name, of in {"visits": visits, **factors}.items()}
    ends, times = data.visits.ends, data.visits.times
    terms = [np.zeros((0, 2))]
    for node, children in enumerate(data.trace.children):
        after = np.append(0, times[ends[node] : ends[node + 1]])
        terms.append(data.terms(np.array(children, np.intp)[:, None], after).reshape(-1, 2))
    every = np.concatenate(terms)
    kind = np.float64 if every.size < 2**17 else np.float32
    with np.errstate(over="ignore"):
        return dict(zip(("means", "explorations"), every.astype(kind).T, strict=True))


def _findings(data: SearchFilm) -> list[dict[str, Any]]:
    """The findings of Watch, most serious first, at nodes of the film."""
    shown = data.numbers >= 0
    node = data.numbers[nearest_above(data.source.parent, shown)].tolist()
    return [
        found._asdict() | {"text": _reported(found.text), "node": node[found.node]}
        for found in data.source.findings
    ]


def _reported(text: str) -> str:
    """What Watch says, in full; a page needs no stars around what is bold elsewhere."""
    return plain(text.replace("**", ""), LONGEST_REPORTED)


def _scale(data: SearchFilm) -> list[tuple[int, float]]:
    """Round numbers of iterations, rising, and where they lie: 0 is the first shown, 1 the last.

    Where iterations are left out, the numbers lie ever closer together.
    """
    iterations, parts = data.iterations, np.linspace(0, 1, len(data.iterations))
    first, last = int(iterations[0]), int(iterations[-1])
    scale = {first: 0.0, last: 1.0}
    powers = [10**power for power in range(len(str(last)))]
    for number in [*reversed(powers), *(many * power for many in (5, 2) for power in powers)]:
        part = float(np.interp(number, iterations, parts))
        apart = min(abs(part - other) for other in scale.values())
        if first < number < last and apart >= APART:
            scale[number] = part
    return sorted(scale.items())


def _labels(data: AnyFilm) -> list[str]:
    """By node: the label of its move."""
    trace = data.trace
    if data.board and data.board.lands:  # then the action is all that a label says
        names = [plain(str(action)) for action in trace.actions]
        return ["", *(names[code] for code in trace.action[1:].tolist())]
    return [plain(trace.label(node)) for node in range(len(trace.parent))]


def _results(data: SearchFilm) -> dict[str, Any] | None:
    """Who won, by outcome, if that is known; see :attr:`SearchFilm.results`."""
    kinds, ended = data.results
    return {"kinds": kinds, "ended": ended.tolist()} if kinds else None


class _Untried(NamedTuple):
    """The moves that have no node even at the end of the film, node after node."""

    labels: list[str]
    ends: Array
    """Those of node n of the film: from ``ends[n]`` to ``ends[n + 1]``."""
    places: list[int]
    """By move: how many of the node's children come before it in the order of moves."""
    counts: Array
    """By node of the whole search: how many."""


def _untried(data: SearchFilm) -> _Untried:
    """The untried moves of all nodes with children; of a very large tree, of those of the film."""
    source, game = data.source, data.game
    labels: list[str] = []
    places: list[int] = []
    counts = np.zeros(len(source.parent), np.int64)
    for node in range(len(counts)):
        left = data.never_tried(node)
        counts[node] = len(left)
        if left and data.numbers[node] >= 0:
            state = source.state(node)
            places += [place for place, _ in left]
            labels += [plain(game.action_label(state, action)) for _, action in left]
    of_film = np.zeros(len(data.trace.parent), np.int64)
    shown = data.numbers >= 0
    of_film[data.numbers[shown]] = counts[shown]
    return _Untried(labels, np.append(0, np.cumsum(of_film)), places, counts)


def _cells(data: AnyFilm) -> dict[str, Array]:
    """By node: its cells, if there is a board."""
    trace, board = data.trace, data.board
    if not board:
        return {}
    if not board.lands:
        states = map(trace.state, range(len(trace.parent)))
        return {"cells": np.frombuffer(b"".join(bytes(board.cells(s)) for s in states), np.uint8)}
    actions = np.array([trace.actions[code] for code in trace.action[1:].tolist()], np.int64)
    cells = np.zeros((len(trace.parent), board.rows * board.columns), np.uint8)
    cells[0] = list(board.cells(trace.root_state))
    nodes = np.zeros(1, np.int64)
    while len(nodes := np.flatnonzero(np.isin(trace.parent, nodes))):  # level by level
        cells[nodes] = cells[trace.parent[nodes]]
        mover = data.game.to_move(trace.state(int(trace.parent[nodes[0]])))  # of all of a level
        _put(board, cells, nodes, actions[nodes - 1], mover + 1)
    return {"cells": cells.ravel()}


def _put(board: Board, cells: Array, rows: Array, actions: Array, pieces: Any) -> Array:
    """Play an action in each of these rows of ``cells``; return where its piece lands."""
    assert board.lands
    places = board.lands(cells[rows], actions)
    cells[rows, places] = pieces
    return places


def _playouts(
    data: SearchFilm, cells: dict[str, Array]
) -> tuple[list[str], Array, dict[str, Array]]:
    """Labels; the place there of each playout move, end to end; how many, and what changes."""
    board, lengths = data.board, data.trace.playouts.lengths[data.iterations - 1]
    at_once = board and board.lands and data.trace.spec.playout is random_playout
    labels, codes, *columns = _pieces_put(data, cells["cells"]) if at_once else _moves_played(data)
    names = ("changes", "change_place", "change_piece")
    changed = {name: np.array(of, np.uint8) for name, of in zip(names, columns, strict=True)}
    return labels, codes, {"moves": lengths, **changed}


def _pieces_put(data: SearchFilm, cells: Array) -> tuple[list[str], Array, Array, Array, Array]:
    """Play all playouts at once, move by move, each of which puts one piece on the board."""
    trace, board = data.trace, data.board
    assert board
    codes = np.concatenate([trace.playouts[one] for one in data.iterations.tolist()])
    labels = [plain(str(action)) for action in trace.actions]
    cells_of = np.zeros(len(trace.actions), np.int64)
    played = np.unique(codes)  # a file may name other actions, which are no cells
    cells_of[played] = [trace.actions[code] for code in played]
    actions = cells_of[codes]
    lengths = trace.playouts.lengths[data.iterations - 1].astype(np.int64)
    starts, leaf = np.cumsum(lengths) - lengths, trace.leaf[data.iterations - 1]
    positions = cells.reshape(len(trace.parent), -1)[leaf]
    first = (trace.player_just_moved[leaf] + 1) % 2
    places, pieces = np.zeros((2, len(codes)), np.uint8)
    for move in range(int(lengths.max(initial=0))):
        rows = np.flatnonzero(lengths > move)
        at = starts[rows] + move
        pieces[at] = (first[rows] + move) % 2 + 1
        places[at] = _put(board, positions, rows, actions[at], pieces[at])
    return labels, codes, np.ones(len(codes)), places, pieces


def _moves_played(data: SearchFilm) -> tuple[list[str], Array, list[int], list[int], list[int]]:
    """Play all playouts move after move; refuse the first illegal one that a policy has noted."""
    trace, game, board = data.trace, data.game, data.board
    labels: list[str] = []
    changes: list[int] = []
    places: list[int] = []
    pieces: list[int] = []
    noted = trace.spec.playout is not random_playout  # by a policy, which may note anything
    for iteration in data.iterations.tolist():
        state = game.playout_from(trace.state(int(trace.leaf[iteration - 1])))
        before = board.cells(state) if board else ()
        for code in trace.playouts[iteration].tolist():
            action = trace.actions[code]
            if noted:
                _require_legal(trace, state, action, iteration)
            labels.append(plain(game.action_label(state, action)))
            state = game.play(state, action)
            if not board:
                continue
            after = board.cells(state)
            changed = [place for place in range(len(after)) if after[place] != before[place]]
            changes.append(len(changed))
            places += changed
            pieces += [after[place] for place in changed]
            before = after
    return labels, np.arange(len(labels)), changes, places, pieces


def _require_legal(trace: Trace, state: Any, action: Any, iteration: int) -> None:
    """Refuse a move of a playout that its policy noted and the game does not know there."""
    if action not in moves_of(trace.game, state):
        raise TraceError(
            f"The playout policy {called(trace.spec.playout)} noted the move "
            f"{short_repr(action)} in iteration {iteration}, which is illegal in "
            f"{trace.game.text(state)!r}: let it note each move that it plays, in order."
        )


# A walk by minimax -----------------------------------------------------------------------------


def _ended(trace: MinimaxTrace) -> Array:
    """By step: 0 if a game ended there and was won by MAX, 1 if it was drawn, 2 if MIN won; else
    3."""
    return np.where(trace.event == EVALUATE, 1 - np.sign(np.nan_to_num(trace.value)), 3)


def _of_walk(data: MinimaxFilm) -> Sent:
    """Each node has a short history: the steps that happened there, and what its card says then."""
    trace, (leaves, estimated) = data.trace, data.leaves
    cards = [data.card(step) for step in data.steps.tolist()]
    columns: dict[str, Array] = {
        "created_at": data.created_at,
        "event": trace.event,
        "leaf": trace.node,
        "steps": data.steps,
        "step_ends": data.step_ends,
        "cut": data.cut,
        "pruned": trace.pruned,
        "leaves": leaves.astype(np.float32),
        "ended": _ended(trace),
        "fill": np.array([card.fill for card in cards], np.float32),
    }
    heads = ["move", "value", "for MAX", "window" * data.narrows]
    facts: dict[str, Any] = {"heads": heads, "estimated": estimated}
    steps = data.iterations.tolist()
    for fact, column, texts in (
        ("labels", "label", _labels(data)),
        ("values", "value", [card.share for card in cards]),
        ("windows", "window", [card.score for card in cards]),
        ("captions", "caption", [data.caption(step) for step in steps]),
        ("code", "line", [data.line(step) for step in steps]),
    ):
        facts[fact], columns[column] = numbered(texts)
    return facts, columns | _cells(data)
