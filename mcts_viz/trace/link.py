"""A moment of a film as one short text that anybody can open: what was searched, and where to look.

``mcts-viz:TicTacToe()?state=XX.+.O.+...&c=1.41&seed=4&n=200&at=120.select`` says how to search
again, and that suffices, for the same seed gives the same search. What a link does not name is the
default; ``sum``, a check sum of what was found, tells whether the same was found again. Reading a
link runs nothing but the package's own searches, of bounded size.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, quote_plus, unquote_plus
from zlib import crc32

import numpy as np

from ..errors import SearchError, TraceError, reason, require, short_repr
from ..games import Game
from ..games.boards import listed
from ..games.clock import Pace
from ..search import PHASES
from ..search.checks import require_whole
from ..search.policies import KINDS
from ..search.texts import LONGEST, describe, read, read_search, written
from .fork import Rerun, repeatable
from .minimax_trace import MinimaxTrace
from .trace import Trace, branch_points_of

PREFIX: Final = "mcts-viz:"
MOST: Final = 100_000
"""Iterations of a link that is opened without further ado."""
SECONDS: Final = 20.0
"""Processor time of such a search, known after a second; of a short one, a quarter of it."""
_quoted: Final = partial(quote_plus, safe="()=,.'{}:/*!~")
VALUES: Final = ("n", "cards", "c", "seed", "solver", "branch_points")
"""The parts of a link that are read as numbers or tuples; the rest is text."""
FIELDS: Final = ("state", "sum", "at", *VALUES, *KINDS)


class Opened(NamedTuple):
    """The film and the moment that a link leads to."""

    trace: Trace
    iteration: int
    phase: str | None
    cards: int | None
    """Cards of its film; ``None`` for the usual number."""


# Writing -----------------------------------------------------------------------------------


def link_of(trace: Trace | MinimaxTrace, cards: int | None = None) -> str:
    """The link to a film, without the moment: ``&at=120.select`` is to be added.

    Raises ``TraceError`` for a trace that cannot be searched again from so few words.
    """
    if isinstance(trace, MinimaxTrace):
        raise TraceError("A walk by minimax has no link: send the line record_minimax(...).")
    if not len(trace):
        raise TraceError("The film has no moment yet: record an iteration to link to it.")
    said: dict[str, Any] = {"state": _state_text(trace)}
    for name, value in written(repeatable(trace)).items():
        known = name in KINDS  # else it is a number or a truth value
        said[name] = value if known else repr(value).removesuffix(".0").replace("True", "1")
    points = tuple(map(tuple, trace.branch_points))
    said["branch_points"] = describe(points) if points else None
    said |= {"n": len(trace), "sum": _sum_of(trace), "cards": cards}
    pairs = ((name, str(text)) for name, text in said.items() if text is not None)
    query = "&".join(f"{name}={_quoted(text)}" for name, text in pairs)
    link = f"{PREFIX}{_quoted(describe(trace.game))}?{query}"
    if len(link) > LONGEST - 40:  # a moment is added to it
        raise TraceError(f"The link would have {len(link):,} characters, too many: save the trace.")
    return link


def _state_text(trace: Trace) -> str | None:
    """The root's position as text; ``None`` for the game's start."""
    game, state = trace.game, trace.root_state
    if state == game.initial_state():
        return None
    text = game.text(state)
    for line in (" ".join(text.split()), text):  # on one line, if the game reads that too
        with suppress(Exception):  # any error of a student's own game
            if game.parse(line) == state:
                return line
    raise TraceError(f"{game.name} does not read its own text {short_repr(text)}: write parse(text).")


def _sum_of(trace: Trace) -> str:
    """A check sum of where the search went, and how long its playouts were."""
    columns = [trace.parent, trace.leaf, trace.playouts.lengths]
    return f"{crc32(np.concatenate(columns).astype('<i4').tobytes()):08x}"


# Reading -----------------------------------------------------------------------------------


def open_link(link: str, game: Game[Any, Any] | None = None, most: int = MOST, **policies: Any) -> Opened:
    """Search again what the link names.

    A ``game`` and ``policies`` (``selection=my_rule``) of your own must be handed in. ``most``
    bounds the iterations. Raises ``TraceError``, ``GameError`` or ``SearchError`` with the first
    thing in the link that is wrong.
    """
    game_text, said = _pieces(link)
    cards, seed = said.get("cards"), said.get("seed")
    length = require_whole("The link's n", said.get("n"), 1, error=TraceError)
    points = branch_points_of(said.get("branch_points", ()))
    in_all = length + sum(point.iteration for point in points)
    if in_all > most:
        raise TraceError(f"The link asks for {in_all:,} iterations: allow more with most=...")
    if cards is not None:
        cards = require_whole("The link's cards", cards, 1, 300, TraceError)
    iteration, phase = _moment(said, length)
    game = _game(game_text, game)
    state = game.parse(said["state"]) if "state" in said else game.initial_state()
    require(seed is not None, "The link's seed", "a number, such as seed=4", seed, TraceError)
    spec = read_search(game, said, policies)
    seconds = SECONDS * max(1.0, most / MOST) * max(0.25, in_all / most)
    pace = Pace("What the link asks for", "allow more (most=...)", in_all, seconds)
    rerun = Rerun(spec, state, points, length, pace=pace)
    if not rerun.finish():
        raise TraceError("The search was stopped before its end: open the link again.")
    trace = rerun.trace
    found = _sum_of(trace)
    if iteration > len(trace):  # its root was proven before, or it was stopped
        raise TraceError(f"The search ended after {len(trace)} iterations: take an earlier moment.")
    if said.get("sum", found) != found:
        raise TraceError(
            f"This search comes out as {found!r}, not {short_repr(said['sum'])}: a game or policy "
            "has changed, or uses chance of its own; leave sum=... out to see it."
        )
    return Opened(trace, iteration, phase, cards)


def _pieces(link: str) -> tuple[str, dict[str, Any]]:
    """The game's text, and by name what else the link says."""
    text = link.strip() if isinstance(link, str) else ""
    kind = f"a text of at most {LONGEST} characters, such as {PREFIX}TicTacToe()?seed=4&n=200"
    require(text.startswith(PREFIX) and len(text) <= LONGEST, "A link", kind, link, TraceError)
    game, _, query = text.removeprefix(PREFIX).partition("?")
    try:
        game = unquote_plus(game, errors="strict")
        pairs = parse_qsl(query, True, bool(query), errors="strict")
    except ValueError as error:
        raise TraceError(f"The link is damaged ({reason(error)}): copy it again.") from None
    said: dict[str, Any] = {}
    for name, value in pairs:
        kind = f"name=value, each once, of {listed(FIELDS)}"
        require(name in FIELDS and name not in said, "What a link says", kind, name, TraceError)
        said[name] = value
        if name in VALUES:
            with suppress(SearchError):  # the error comes where the value is used
                said[name] = read(value)
    return game, said


def _game(text: str, given: Game[Any, Any] | None) -> Any:
    if given is None:
        return read(text, "game")
    same = describe(given).replace(" ", "") == text.replace(" ", "")
    require(same, "game", f"that of the link, {short_repr(text)}", given, TraceError)
    return given


def _moment(said: dict[str, Any], last: int) -> tuple[int, str | None]:
    at = said.get("at", "1.select")
    iteration, _, phase = at.partition(".")
    known = iteration.isdecimal() and 1 <= int(iteration) <= last and phase in ("", *PHASES)
    kind = f"from 1.select to {last}.backpropagate, with the phases {listed(PHASES)}"
    require(known, "The link's at", kind, at, TraceError)
    return int(iteration), phase or None
