"""Items of an examination: the same question for everybody, in a position of one's own.

Each kind draws a random position and a random search until the item tells those who understand
from those who follow a rule of thumb. The same generator of chance gives the same item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import inf
from random import Random
from typing import Any, Final

from mcts_viz.games import TicTacToe
from mcts_viz.search import MCTS
from mcts_viz.trace import Snapshot, Trace

from ..published.clinic import CLINIC, watched
from ..published.published import FAULTS, published

GAME: Final = TicTacToe()
FREE: Final = (4, 6)
"""Free cells of a position: three moves or more, and a sum that can be done by hand."""
ITERATIONS: Final = 40
APART: Final = 0.03
"""The least by which scores, means and rewards must differ, so that rounding decides nothing."""
LEAVES: Final = (3, 3)
"""Of a tree for alpha-beta: moves of MAX, and replies of MIN to each."""
SKIPPED: Final = (2, 4)
"""Leaves that alpha-beta may skip: enough for two cutoffs, and most of the tree is looked at."""
FILMED: Final = 60
"""Iterations of a film with a hidden fault."""


@dataclass(frozen=True)
class Item:
    """A question, a picture, and what is right."""

    question: str
    picture: str
    """SVG."""
    choices: tuple[str, ...]
    """Short answers, one of which is right; none where the answer is written."""
    key: str
    why: str
    film: Trace | None = None
    """The trace that the question is about, where the picture does not say it all."""


def _position(chance: Random) -> Any:
    """A position of random play that is not over."""
    while True:
        state, free = GAME.initial_state(), chance.randint(*FREE)
        while not GAME.is_terminal(state) and len(GAME.legal_actions(state)) > free:
            state = GAME.play(state, chance.choice(GAME.legal_actions(state)))
        if not GAME.is_terminal(state):
            return state


def _searches(chance: Random) -> Iterator[Trace]:
    while True:
        search = MCTS(GAME, seed=chance.randrange(2**31))
        yield search.record(_position(chance), iterations=ITERATIONS, progress=False)


def first_clear(values: Sequence[float], apart: float) -> int | None:
    """The place of the largest number; ``None`` if another one is nearer than ``apart``."""
    order = sorted(range(len(values)), key=lambda place: -values[place])
    clear = values[order[0]] - values[order[1]] >= apart
    return order[0] if clear else None


# Which node is next? -----------------------------------------------------------------------------


def next_node(chance: Random) -> Item:
    """Ask for the move that selection takes, where mean and visits each name another one."""
    for trace in _searches(chance):
        for iteration in range(len(trace.first_moves) + 2, ITERATIONS):
            if item := _next_in(trace, iteration):
                return item
    raise AssertionError("the searches never end")


def _next_in(trace: Trace, iteration: int) -> Item | None:
    """Ask for the next move if the most visits, the best mean and the best score all differ."""
    children = trace.children[0]
    counted = trace.visits(iteration)
    visits = [float(counted[child]) for child in children]
    if len(children) < 3 or 0 in visits:
        return None
    wins = trace.wins(iteration)
    before = trace.at(iteration)
    means = [wins[child] / count for child, count in zip(children, visits, strict=True)]
    usual = first_clear(visits, 1)
    likely = first_clear(means, APART)
    if usual is None or likely in (None, usual):
        return None
    scores = [before.score(child) or 0.0 for child in children]
    right = first_clear(scores, APART)
    if right in (None, usual, likely):
        return None
    moves = [str(trace.action_of(child)) for child in children]
    told = ", ".join(f"{move}: {score:.2f}" for move, score in zip(moves, scores, strict=True))
    question = (
        f"{_mover(trace.root_state)} is to move. The picture shows the root and its children "
        f"after {iteration} iterations, each with wins/visits. c is 1.41. Which move is selected "
        "at the root in the next iteration, and why?"
    )
    numbers = [_share(before, child) for child in children]
    return Item(
        question,
        _family(GAME.text(trace.root_state), int(before.visits[0]), moves, numbers),
        tuple(moves),
        moves[right],
        f"The UCB scores are {told}.",
    )


def _mover(state: Any) -> str:
    return GAME.players[GAME.to_move(state)]


def _share(tree: Snapshot, node: int) -> str:
    return f"{tree.wins[node]:g}/{tree.visits[node]}"


# What does each card get? ------------------------------------------------------------------------


def rewards_on_walk(chance: Random) -> Item:
    """Ask for the reward of each card on a walk of three cards or more, after a playout."""
    for trace in _searches(chance):
        for iteration in range(ITERATIONS, len(trace.first_moves), -1):
            after = trace.at(iteration)
            if len(after.path) > 3:
                return _walk(trace, after)
    raise AssertionError("the searches never end")


def _walk(trace: Trace, after: Snapshot) -> Item:
    before = trace.at(after.iteration - 1)
    returns = after.returns or (0.0, 0.0)
    winners = [player for player, gain in zip(GAME.players, returns, strict=True) if gain > 0]
    result = f"{winners[0]} won" if winners else "no one won"
    gains = {1.0: "+1", 0.5: "+½", 0.0: "+0"}
    cards = [
        (GAME.text(trace.state(node)), _share(before, node) if node < before.nodes else "new")
        for node in after.path
    ]
    added = [after.wins[n] - (before.wins[n] if n < before.nodes else 0) for n in after.path]
    key = ", ".join(gains[float(gain)] for gain in added)
    question = (
        f"The search went down this path, and {result} the playout. Write next to each card "
        "what is added to its wins: +1, +½ or +0. What is added to its visits?"
    )
    why = (
        "Each card counts for the player who moved into it, the root for who moved last; each "
        "gets a visit."
    )
    return Item(question, _column(cards), (), key, why)


# What is never looked at? ------------------------------------------------------------------------


def _values_with_a_cutoff(chance: Random) -> tuple[list[list[int]], list[int]]:
    """Different values for the leaves, and the places of those few that alpha-beta skips."""
    moves, replies = LEAVES
    while True:
        drawn = [chance.randint(-9, 9) for _ in range(moves * replies)]
        values = [drawn[start : start + replies] for start in range(0, len(drawn), replies)]
        skipped = skipped_leaves(values)
        if SKIPPED[0] <= len(skipped) <= SKIPPED[1] and len(set(drawn)) == len(drawn):
            return values, skipped


def cutoff(chance: Random) -> Item:
    """Ask which leaves alpha-beta skips, in a tree of two moves where MAX moves first."""
    values, skipped = _values_with_a_cutoff(chance)
    names = "abcdefghi"
    key = ", ".join(names[place] for place in skipped)
    question = (
        "MAX moves first, then MIN; below each leaf is its value for MAX. Alpha-beta goes from "
        "left to right. Which leaves does it never look at, and why?"
    )
    why = (
        "MIN's reply already found there is no better for MAX than a move that MAX has looked "
        "at before."
    )
    return Item(question, _tree(values, names), (), key, why)


def skipped_leaves(values: Sequence[Sequence[float]]) -> list[int]:
    """Return the places, from the left, of the leaves that alpha-beta never looks at."""
    best = -inf
    skipped = []
    place = 0
    for replies in values:
        worst = inf
        for value in replies:
            if worst <= best:
                skipped.append(place)
            else:
                worst = min(worst, value)
            place += 1
        best = max(best, worst)
    return skipped


# Which fault has it? -----------------------------------------------------------------------------


def hidden_fault(chance: Random) -> Item:
    """Ask for the fault of a published program, and for the card that proves it."""
    faults = [name for name, patient in CLINIC.items() if patient.finding]
    fault = chance.choice(faults)
    while True:
        state, seed = _position(chance), chance.randrange(2**31)
        system = published("uct").with_faults(fault)
        watch = watched(system.search(seed), state, FILMED)
        found = [finding for finding in watch.findings if finding.fault]
        if found and found[0].name == CLINIC[fault].finding:
            break
    proof = found[0]
    film = system.search(seed).record(
        system.game.parse(GAME.text(state)), iterations=FILMED, progress=False
    )
    question = (
        "This search has one fault of a published program. Which one? Name the iteration and the "
        "card that prove it, and say what the card should show instead."
    )
    path = " → ".join(str(film.action_of(node)) for node in film.path(proof.node)[1:]) or "the root"
    why = f"{FAULTS[fault].what} Iteration {proof.iteration}, the card after {path}: {proof.text}"
    return Item(question, _family(GAME.text(state), FILMED, [], []), (), fault, why, film)


KINDS: Final[dict[str, tuple[Callable[[Random], Item], ...]]] = {
    "four_phases": (next_node, rewards_on_walk),
    "perfect_play": (cutoff,),
    "bug_clinic": (hidden_fault,),
}
"""By the topic of a lesson: the items of it."""


# Pictures ----------------------------------------------------------------------------------------

CARD: Final = (96, 46)
"""Width and height of a card."""
CELL: Final = 20
"""A cell of a board."""


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    inside = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="14" role="img">'
        f'<rect width="{width:g}" height="{height:g}" fill="white"/>{inside}</svg>'
    )


def _text(x: float, y: float, words: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="middle">{escape(words)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="#555"/>'


def _card(x: float, y: float, above: str, below: str) -> str:
    """A card with two lines, its middle at ``x`` and its top at ``y``."""
    width, height = CARD
    box = f'<rect x="{x - width / 2:g}" y="{y:g}" width="{width}" height="{height}" rx="6"'
    return f'{box} fill="white" stroke="#222"/>{_text(x, y + 18, above)}{_text(x, y + 38, below)}'


def _board(x: float, y: float, text: str) -> str:
    """A board of tic-tac-toe, its left top corner there."""
    parts = []
    for place, sign in enumerate("".join(text.split())):
        left, top = x + place % 3 * CELL, y + place // 3 * CELL
        parts.append(
            f'<rect x="{left:g}" y="{top:g}" width="{CELL}" height="{CELL}" fill="none" '
            'stroke="#888"/>'
        )
        words = sign if sign != "." else str(place)
        colour = "#111" if sign != "." else "#999"
        parts.append(f'<g fill="{colour}">{_text(left + CELL / 2, top + 15, words)}</g>')
    return "".join(parts)


def _family(board: str, visits: int, moves: Sequence[str], numbers: Sequence[str]) -> str:
    """The root with its board, and its children in a row; the board alone without children."""
    if not moves:
        return _svg(80, 80, [_board(10, 10, board)])
    width, step = 140 + 110 * len(moves), 110
    middle = 130 + step * len(moves) / 2
    parts = [_board(12, 12, board), _card(middle, 10, "root", f"{visits} visits")]
    for place, (move, share) in enumerate(zip(moves, numbers, strict=True)):
        x = 130 + step * (place + 0.5)
        parts += [_line(middle, 10 + CARD[1], x, 100), _card(x, 100, f"move {move}", share)]
    return _svg(width, 160, parts)


def _column(cards: Sequence[tuple[str, str]]) -> str:
    """The cards of a path from top to bottom, each with its board and room for an answer."""
    step = 84
    parts = []
    for place, (board, share) in enumerate(cards):
        y = 8 + step * place
        name = "root" if place == 0 else f"card {place}"
        parts += [_board(12, y, board), _card(150, y + 6, name, share)]
        parts += [_text(300, y + 34, "wins + ____    visits + ____")]
        if place:
            parts.append(_line(150, y + 6 - step + CARD[1], 150, y + 6))
    return _svg(420, 8 + step * len(cards), parts)


def _tree(values: Sequence[Sequence[int]], names: str) -> str:
    """A root of MAX, moves to MIN, and leaves with their values."""
    step = 56
    place = 0
    middle = step * LEAVES[0] * LEAVES[1] / 2
    parts = []
    for number, replies in enumerate(values):
        x = step * LEAVES[1] * (number + 0.5)
        parts += [_line(middle, 34, x, 84), _text(x, 100, "MIN")]
        for value in replies:
            leaf = step * (place + 0.5)
            parts += [_line(x, 106, leaf, 150), _text(leaf, 166, names[place])]
            parts += [_text(leaf, 186, f"{value}".replace("-", "−"))]
            place += 1
    return _svg(2 * middle, 200, [_text(middle, 28, "MAX"), *parts])
