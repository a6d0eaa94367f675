"""Numbers, moves and results in the words and digits that every form of a picture uses."""

from __future__ import annotations

import unicodedata
from decimal import ROUND_HALF_UP, Decimal
from math import ceil, isfinite, log10
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..games import Game, Returns
from ..search import ucb1
from ..trace import Trace
from ..trace.trace import RecordedTree

LINES: Final = 8
COLUMNS: Final = 18
LONGEST: Final = 200
UNSHOWN: Final = ("Cc", "Cf", "Cs", "Co")
"""Categories of characters that no picture shows: control, format, surrogate, private use."""
NONCHARACTERS: Final = "\ufffe\uffff"
"""Two more that no XML document may hold."""


def fixed(number: float) -> str:
    """Two decimals, halves away from zero, as JavaScript's ``toFixed`` has it; never "-0.00"."""
    number = float(number)
    if abs(number) >= 1e21:  # where decimals say nothing, and JavaScript writes none
        return repr(number).replace("inf", "Infinity")
    text = str(Decimal(number).quantize(Decimal("0.01"), ROUND_HALF_UP))
    return "0.00" if text == "-0.00" else text


def precise(difference: float) -> str:
    """A positive difference with as many decimals as it needs, at least two: 0.25, 0.0004."""
    digits = max(2, min(15, ceil(-log10(difference)))) if 0 < difference < 1 else 2
    exact = Decimal(float(difference)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return str(exact) if difference < 1e21 else fixed(difference)


def short(number: float) -> str:
    """At most two decimals, and none that say nothing: 12, 2.5, 0.33."""
    text = fixed(number)
    return text if "." not in text or "e" in text else text.rstrip("0").rstrip(".")


def bound(number: float) -> str:
    """At most two decimals; an infinite one as a sign."""
    return short(number) if isfinite(number) else "∞" if number > 0 else "−∞"


def counted(number: int, noun: str) -> str:
    """``1 move``, ``2 moves``."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


PROOFS: Final = {1: "proven win", -1: "proven loss"}
"""What a card says that is proven, of the player who moved there; and its classes in a picture."""


def plain(text: str) -> str:
    """One line of text from a game's author: no control characters, not endless."""
    return " ".join(plain_lines(text, columns=LONGEST))[:LONGEST]


def plain_lines(text: str, columns: int = COLUMNS) -> list[str]:
    """A few lines of text that fit on a card, without control or formatting characters."""
    lines = []
    for line in str(text).splitlines()[:LINES]:
        kept = "".join(filter(_shown, line))
        lines.append(kept if len(kept) <= columns else kept[: columns - 1] + "…")
    return lines


def _shown(character: str) -> bool:
    return character not in NONCHARACTERS and unicodedata.category(character) not in UNSHOWN


def rule_label(trace: Trace) -> str:
    """What a selection score is called: UCT for UCB1 in a tree, else the rule's own name."""
    if trace.selection is ucb1:
        return "UCT"
    return plain(getattr(trace.selection, "__name__", "score"))[:12]


def outcome_text(game: Game[Any, Any], returns: Returns) -> str:
    """``X wins``, ``a draw``, or each player's return; who plays alone may lose."""
    if len(returns) == 2 and set(returns) == {1.0, -1.0}:
        return f"{plain(game.players[returns.index(1.0)])} wins"
    if len(returns) == 1 and abs(returns[0]) == 1:
        return f"{plain(game.players[0])} {'wins' if returns[0] > 0 else 'loses'}"
    if not any(returns):
        return "a draw"
    pairs = zip(game.players, returns, strict=True)
    return ", ".join(f"{short(value)} for {plain(player)}" for player, value in pairs)


def rewards_text(game: Game[Any, Any], rewards: tuple[float, ...]) -> str:
    """What is added to the wins of whose nodes."""
    if len(set(rewards)) == 1:
        return f"and {short(rewards[0])} {'win' if rewards[0] == 1 else 'wins'} more"
    parts = [
        f"{'+' * (reward >= 0)}{short(reward)} for {plain(player)}"
        for player, reward in zip(game.players, rewards, strict=True)
    ]
    return "wins " + ", ".join(parts)


def move_order(trace: RecordedTree) -> NDArray[Any]:
    """By node: where its move stands among all moves of the film, in their natural order."""
    try:
        ranked = sorted(range(len(trace.actions)), key=trace.actions.__getitem__)
    except TypeError:  # a student's moves need not be comparable; then as they first occurred
        ranked = list(range(len(trace.actions)))
    rank = np.zeros(max(1, len(ranked)), np.uint16 if len(ranked) < 2**16 else np.uint32)
    rank[ranked] = np.arange(len(ranked))
    order: NDArray[Any] = rank[np.where(trace.action >= 0, trace.action, 0)]
    return order
