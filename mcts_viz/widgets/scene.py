"""What the page shows of a game in play: the board, whose turn it is, what may be asked for."""

from __future__ import annotations

from typing import Any

from ..film.words import plain
from .match import Match, capital
from .opponent import Opponent
from .table import Table

__all__ = ["facts", "refusal", "scene", "status"]


def facts(match: Match, opponent: Opponent, table: Table) -> dict[str, Any]:
    """What stays the same from game to game."""
    return {
        "title": f"{plain(match.game.name)} against {opponent.name}",
        "subtitle": opponent.description(),
        "board": table.facts(),
    }


def scene(match: Match, opponent: Opponent, table: Table, thinking: bool) -> dict[str, Any]:
    """All that changes with a move."""
    closed = refusal(match, opponent, thinking) if thinking or not match.is_yours() else ""
    return {
        **table.scene(match.state, match.before, closed),
        "mark": table.piece_of(match.mover()),
        "status": status(match, opponent, thinking),
        "over": match.is_over(),
        "thinking": thinking,
        "stoppable": thinking and (opponent.is_search or match.is_yours()),
        "stuck": match.is_the_opponents() and not thinking,
        "can_take_back": match.has_moved(),
        "can_look": match.searched() is not None,
    }


def status(match: Match, opponent: Opponent, thinking: bool) -> str:
    """Whose turn it is, or how the game ended."""
    if match.is_over():
        return f"Game over: {match.outcome()}."
    if thinking:
        return "Looking for a hint." if match.is_yours() else f"{capital(opponent.name)} thinks."
    if match.is_yours():
        return f"Your turn: you are {match.name(match.seat)}."
    return f"{capital(opponent.name)} has not moved."


def refusal(match: Match, opponent: Opponent, thinking: bool) -> str:
    """Why you cannot move now."""
    if match.is_over():
        return f"The game is over. {match.outcome()}: begin a new game, or take back a move."
    if thinking and match.is_yours():
        return "A hint is being looked for: wait for it, or stop it."
    if thinking:
        return f"It is not your turn, {opponent.name} is thinking: wait for it, or stop it."
    return f"It is not your turn: let {opponent.name} try again, or take back your move."
