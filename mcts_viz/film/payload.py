"""A film as data for the player: one small JSON object, and typed arrays packed into bytes.

The player knows no formula and no rule: it looks numbers up, and fills them in. The arrays are
little-endian, end to end, and deflated. The fields have the names that ``search_film.js`` and
``minimax_film.js`` read.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, TypeAlias
from xml.etree.ElementTree import Element, tostring

import numpy as np
from numpy.typing import NDArray

from ..games.bandit import Bandit
from ..search import ucb1
from ..trace import Trace
from ..trace.trace import nearest_above
from .boards import Board, draw_board
from .drawing import SVG, AnyFilm, Drawing, blank_card
from .minimax_film import MinimaxFilm
from .root_view import played, root_facts
from .search_film import SearchFilm
from .truth import Truth, Unknown, truth_facts
from .words import (
    PROOFS,
    algorithm,
    caption_numbers,
    move_order,
    outcome_text,
    patterns,
    plain,
    rewards_text,
    rule_label,
)

Array: TypeAlias = NDArray[Any]
Sent: TypeAlias = tuple[dict[str, Any], dict[str, Array]]
"""Facts, and columns."""


def payload(drawing: Drawing, truth: Truth | Unknown | None) -> dict[str, Any]:
    """``{"facts": JSON values, "columns": bytes}``; the facts say where each column begins."""
    data = drawing.data
    if isinstance(data, MinimaxFilm):
        facts, columns = _of_walk(data)
    else:
        assert truth is not None
        facts, columns = _of_search(data, truth)
    labels, positions = _positions(data)
    index, parts, offset = {}, [], 0
    for name, values in (positions | columns).items():
        kind = values.dtype.name.capitalize()  # as JavaScript's typed arrays are called
        index[name] = {"type": kind, "offset": offset, "length": len(values)}
        part = values.astype(values.dtype.newbyteorder("<")).tobytes()
        part += bytes(-len(part) % 8)  # typed arrays begin at multiples of their item's size
        parts.append(part)
        offset += len(part)
    # The fastest way: a reader waits for it, and hardly for the transport.
    packed = zlib.compress(b"".join(parts), 1)
    return {"facts": {**_drawing(drawing), **labels, **facts, "columns": index}, "columns": packed}


def board_facts(board: Board | None) -> dict[str, Any] | None:
    """How a board is drawn; ``None`` for a game without one."""
    if board is None:
        return None
    box = {"xmlns": SVG, "viewBox": f"0 0 {10 * board.columns} {10 * board.rows}"}
    empty = Element("svg", {"class": "mcts-board", "aria-hidden": "true", **box})
    draw_board(empty, board, (), ())
    return {
        "rows": board.rows,
        "columns": board.columns,
        "picture": tostring(empty, encoding="unicode"),
        "glow": board.glow,
        "pieces": [piece.path for piece in board.pieces],
    }


def _drawing(drawing: Drawing) -> dict[str, Any]:
    """What it is a film of, how positions and cards look, and where they stand in the tree."""
    data, templates = drawing.data, {}
    for kind, template in drawing.card_templates.items():
        card = blank_card(data, kind, template)
        card.set("xmlns", SVG)
        size = {name: template.get(name) for name in ("width", "height", "bar")}
        templates[kind] = {**size, "picture": tostring(card, encoding="unicode")}
    return {
        "kind": data.kind,
        "title": data.title,
        "subtitle": data.subtitle,
        "phases": list(data.phases),
        "iterations": len(data.iterations),
        "total": len(data.source),
        "board": board_facts(data.board),
        "arms": isinstance(data.game, Bandit),
        "card_templates": templates,
        "tree": _tree(drawing),
    }


def _tree(drawing: Drawing) -> dict[str, Any] | None:
    """Where all nodes stand; ``None`` where they are too many for cards."""
    if drawing.every is None:
        return None
    nodes, layout = drawing.every
    size = {"width": layout.width, "height": layout.height}
    return {"nodes": nodes, "corners": layout.corners, "edges": layout.edges, **size}


def _positions(data: AnyFilm) -> tuple[dict[str, Any], dict[str, Array]]:
    """By node: its parent, its move's label and order, and its cells if there is a board."""
    trace, board = data.trace, data.board
    columns: dict[str, Array] = {"parent": trace.parent, "order": move_order(trace)}
    nodes = range(len(trace.parent))
    if board and board.lands:
        labels = ["", *(plain(str(action)) for action in trace.actions)]
        columns["label"] = np.where(trace.parent < 0, 0, trace.action + 1).astype(np.uint16)
        columns["cells"] = node_cells(data).ravel()
        return {"labels": labels}, columns
    labels, columns["label"] = numbered([plain(trace.label(node)) for node in nodes])
    if board:
        cells = b"".join(bytes(board.cells(trace.state(node))) for node in nodes)
        columns["cells"] = np.frombuffer(cells, np.uint8)
    return {"labels": labels}, columns


def node_cells(data: AnyFilm) -> Array:
    """By node: its cells, each level of the tree at once."""
    trace, board = data.trace, data.board
    assert board
    assert board.lands
    depth, above = np.zeros(len(trace.parent), np.intp), trace.parent
    while (below := above >= 0).any():
        depth += below
        above = np.where(below, trace.parent[above], -1)
    actions = np.array([int(action) for action in trace.actions], np.int64)
    cells = np.zeros((len(depth), board.rows * board.columns), np.uint8)
    cells[0] = list(board.cells(trace.root_state))
    first = data.game.to_move(trace.root_state)
    for level in range(1, depth.max() + 1):
        nodes = np.flatnonzero(depth == level)
        before = cells[trace.parent[nodes]]
        places = board.lands(before, actions[trace.action[nodes]])
        before[np.arange(len(nodes)), places] = (first + level - 1) % 2 + 1
        cells[nodes] = before
    return cells


def numbered(labels: Sequence[str]) -> tuple[list[str], Array]:
    """The different labels, and each one's number among them."""
    table: dict[str, int] = {}
    numbers = [table.setdefault(label, len(table)) for label in labels]
    return list(table), np.array(numbers, np.uint16 if len(table) <= 2**16 else np.uint32)


# A search --------------------------------------------------------------------------------------


def _of_search(data: SearchFilm, truth: Truth | Unknown) -> Sent:
    facts, columns = _facts(data), _columns(data)
    facts["move_labels"], move_columns = _playout_moves(data)
    columns |= move_columns
    facts["root"] = root_facts(data)
    columns["play"] = _around(data, played(data))
    facts["truth"] = truth_facts(data, truth)
    if isinstance(truth, Truth):
        columns["recommended"] = _around(data, truth.recommended)
    if data.proves:
        facts["proofs"] = {str(sign): words for sign, words in PROOFS.items()}
        sign, since = data.trace.proofs
        columns |= {"proof": sign, "proven": since.astype(np.uint32)}
    if data.source.findings:
        facts["findings"] = _findings(data, data.source)
    facts["untried_labels"], untried = _untried(data)
    return facts, columns | _scores(data) | untried


def _facts(data: SearchFilm) -> dict[str, Any]:
    """All that is not a long list of numbers."""
    trace = data.trace
    return {
        "rule": rule_label(trace),
        "c": trace.c,
        "linear_in_c": bool(_explores(data) and data.scales_with_c),
        "asked_first": len(trace.first_moves),
        "players": [plain(player) for player in trace.game.players],
        "code": algorithm(),
        "patterns": list(patterns(trace)),
        "outcomes": [
            {
                "result": outcome_text(trace.game, outcome.returns),
                "rewards": rewards_text(trace.game, outcome.rewards),
            }
            for outcome in trace.outcomes
        ],
        "reward_range": list(data.reward_range),
        "gains": data.rewards.tolist(),
        "watched": bool(trace.rows),
        "to_move": f"{plain(trace.game.players[trace.game.to_move(trace.root_state)])} to move",
        "heads": ["move", "wins/visits", _bars(data), rule_label(trace)],
    }


def _findings(data: SearchFilm, trace: Trace) -> list[dict[str, Any]]:
    """What Watch found, most serious first, at nodes of the film."""
    shown = np.zeros(len(trace.parent), bool)
    shown[data.shown_nodes] = True
    number = np.cumsum(shown) - 1
    node = number[nearest_above(trace.parent, shown)].tolist()
    return [
        finding._asdict() | {"text": plain(finding.text), "node": node[finding.node]}
        for finding in trace.findings
    ]


def _bars(data: SearchFilm) -> str:
    """What the bars of a decision show: both terms of the scores, if the rule tells them apart."""
    return "mean + exploration" if _explores(data) or not data.trace.c else "score"


def _explores(data: SearchFilm) -> bool:
    """Whether the rule adds anything to the means of the root's children."""
    return bool(np.nan_to_num(data.terms(0)[:, :, 1]).any())


def _columns(data: SearchFilm) -> dict[str, Array]:
    """By node, by iteration shown, by moment, and over time for each node and family."""
    trace, search = data.trace, data.source
    columns = _recorded(trace, data.iterations - 1) | {
        "pattern": caption_numbers(data),
        "visit_times": data.visits.times,
        "visit_wins": data.visits.wins,
        "visit_ends": data.visits.ends.astype(np.uint32),
    }
    if hasattr(trace.selection, "prior"):
        columns["prior"] = _priors(trace)
    if trace.rows or not data.is_whole:  # else each path counts one
        columns["visit_counts"] = data.visits.counts.astype(np.uint32)
    if not data.is_whole:  # the whole tree is for the icicle
        shown = np.full(len(search.parent), -1, np.int32)  # by node: its number in the film
        shown[data.shown_nodes] = np.arange(len(data.shown_nodes))
        whole = {"parent": search.parent, "order": move_order(search), "shown": shown}
        whole |= _recorded(search, np.arange(len(search)))
        columns |= {f"all_{name}": column for name, column in whole.items()} | {
            "iterations": data.iterations.astype(np.uint32),
            "left_out_ends": data.left_out_ends.astype(np.uint32),
        }
    return columns


def _recorded(trace: Trace, iterations: Array) -> dict[str, Array]:
    """Of a trace by node, and by these iterations, counted from 0."""
    return {
        "created_at": trace.created_at.astype(np.uint32),
        "player_just_moved": trace.player_just_moved.astype(np.uint8),
        "leaf": trace.leaf[iterations].astype(np.uint32),
        "outcome": trace.outcome[iterations],
        "visits_before": trace.visits_before.astype(np.uint32),
        "wins_before": trace.wins_before.astype(np.float32),
    }


def _scores(data: SearchFilm) -> dict[str, Array]:
    """All scores, exactly: the browser adds two terms, and knows no formula.

    Of UCB1 by number of visits the two factors whose product, times c, is the second term; its
    first term is wins by visits. Of other rules both terms, at the rows of ``data.scored``.
    """
    if data.trace.selection is ucb1:
        visits = np.unique(np.concatenate([data.visits.counts, data.trace.visits_before]))
        visits = visits[visits > 0]
        return {
            "factor_visits": visits.astype(np.uint32),
            "factor_parent": np.sqrt(np.log(visits)),
            "factor_child": 1 / np.sqrt(visits),
        }
    _, terms = data.scored
    kind = np.float64 if terms.size < 2**17 else np.float32
    with np.errstate(over="ignore"):
        return dict(zip(("means", "explorations"), terms.astype(kind), strict=True))


def _untried(data: SearchFilm) -> tuple[list[str], dict[str, Array]]:
    """Of every node with children, the moves that have no node even at the end."""
    trace, game = data.trace, data.game
    labels: list[str] = []
    counts = np.zeros(len(trace.parent), np.int64)
    for node, children in enumerate(trace.children):
        if children:
            state, tried = trace.state(node), {trace.action_of(child) for child in children}
            legal = game.legal_actions(state)
            left = [game.action_label(state, action) for action in legal if action not in tried]
            labels += map(plain, left)
            counts[node] = len(left)
    table, numbers = numbered(labels)
    ends = np.append(0, np.cumsum(counts)).astype(np.uint32)
    return table, {"untried": numbers, "untried_ends": ends}


def _priors(trace: Trace) -> Array:
    """By node: what the selection rule's ``prior(state)`` gives its move; 0 for the root."""
    priors = np.zeros(len(trace.parent), np.float32)
    for parent, children in enumerate(trace.children):
        if children:
            promise = trace.selection.prior(trace.state(parent))  # type: ignore[attr-defined]
            priors[list(children)] = [promise[trace.action_of(child)] for child in children]
    return priors


def _around(data: SearchFilm, chosen: Array) -> Array:
    """By iteration shown, two entries: the node before it, -1 if there was none, and after it.

    Nothing where nothing is ever chosen.
    """
    if not len(chosen):
        return chosen
    entries = np.append(-1, chosen).astype(np.int32)
    return entries[np.stack([data.iterations - 1, data.iterations], axis=1)].ravel()


def _pieces_put(data: SearchFilm) -> tuple[list[str], dict[str, Array]]:
    """The same where a move puts one piece on the board: move by move, all playouts at once."""
    trace, board = data.trace, data.board
    assert board
    assert board.lands
    every, shown = trace.playouts.lengths.astype(np.int64), data.iterations - 1
    lengths, leaf = every[shown], trace.leaf[shown]
    starts = np.cumsum(lengths) - lengths
    before = np.cumsum(every)[shown] - lengths - starts
    codes = trace.playouts.actions[
        np.repeat(before, lengths.astype(np.intp)) + np.arange(lengths.sum())
    ]
    actions = np.array([int(action) for action in trace.actions], np.int64)[codes]
    cells, player_just_moved = (
        node_cells(data)[leaf],
        trace.player_just_moved[leaf].astype(np.int64),
    )
    place, piece = np.zeros((2, len(codes)), np.uint8)
    for move in range(int(lengths.max(initial=0))):
        on = np.flatnonzero(lengths > move)
        row = starts[on] + move
        place[row], piece[row] = (
            board.lands(cells[on], actions[row]),
            (player_just_moved[on] + 1 + move) % 2 + 1,
        )
        cells[on, place[row]] = piece[row]
    return [plain(str(action)) for action in trace.actions], {
        "move_label": codes.astype(np.uint16),
        "moves": lengths.astype(np.uint16),
        "changes": np.ones(len(codes), np.uint8),
        "change_place": place,
        "change_piece": piece,
    }


def _playout_moves(data: SearchFilm) -> tuple[list[str], dict[str, Array]]:
    """The labels of moves; each playout move's, and on a board the cells it changes, end to end."""
    trace, game, board = data.trace, data.game, data.board
    if board and board.lands:
        return _pieces_put(data)
    labels: list[str] = []
    changes, places, pieces = [], bytearray(), bytearray()
    for iteration in data.iterations.tolist():
        state = game.playout_from(trace.state(int(trace.leaf[iteration - 1])))
        before = board.cells(state) if board else ()
        for code in trace.playouts[iteration].tolist():
            action = trace.actions[code]
            labels.append(plain(game.action_label(state, action)))
            state = game.play(state, action)
            if board:
                after = board.cells(state)
                changed = [i for i, cell in enumerate(after) if cell != before[i]]
                changes.append(len(changed))
                places.extend(changed)
                pieces.extend([after[i] for i in changed])
                before = after
    table, numbers = numbered(labels)
    return table, {
        "move_label": numbers,
        "moves": trace.playouts.lengths[data.iterations - 1].astype(np.uint16),
        "changes": np.array(changes, np.uint8),
        "change_place": np.frombuffer(bytes(places), np.uint8),
        "change_piece": np.frombuffer(bytes(pieces), np.uint8),
    }


# A walk by minimax -----------------------------------------------------------------------------


def _of_walk(data: MinimaxFilm) -> Sent:
    """Each node has a short history: the steps that happened there, and what its card says then."""
    facts: dict[str, Any] = {
        "heads": ["move", "value", "for MAX", "window" if data.narrows else ""],
    }
    trace = data.trace
    columns: dict[str, Array] = {
        "created_at": data.entry.astype(np.uint32),
        "event": trace.event.astype(np.uint8),
        "leaf": trace.node.astype(np.uint32),
        "steps": data.steps,
        "step_ends": data.step_ends.astype(np.uint32),
        "cut": data.cut,
        "pruned": trace.pruned.astype(np.uint16),
        "leaves": data.leaves.astype(np.float32),
    }
    cards = [data.card(step) for step in data.steps.tolist()]
    columns["fill"] = np.array([card.fill for card in cards], np.float32)
    facts["values"], columns["value"] = numbered([card.share for card in cards])
    facts["windows"], columns["window"] = numbered([card.score for card in cards])
    captions = [data.caption(step) for step in data.iterations.tolist()]
    facts["captions"], columns["caption"] = numbered(captions)
    facts["code"], columns["line"] = numbered(code(data))
    return facts, columns


def code(data: MinimaxFilm) -> list[str]:
    """By step: the line of the algorithm, as a textbook writes it, in which it happens."""
    best = {
        "MAX": "best = max(best, value)" + "; alpha = max(alpha, best)" * data.narrows,
        "MIN": "best = min(best, value)" + "; beta = min(beta, best)" * data.narrows,
    }
    called = (
        "value = self.value(child, alpha, beta)" if data.narrows else "value = self.value(child)"
    )
    lines = [called, "return self.utility(state)", "", "if alpha >= beta: break"]
    pairs = zip(data.trace.event.tolist(), data.trace.node.tolist(), strict=True)
    return [lines[event] or best[data.whose(node)] for event, node in pairs]
