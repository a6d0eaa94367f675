"""A moment of a film as one short text that anybody can open: what was searched, and where to look.

``mcts-viz:TicTacToe()?state=XX.+.O.+...&c=1.41&seed=4&n=200&at=120.select`` says how to search
again, and that suffices, for the same seed gives the same search. What a link does not name is the
default; ``sum``, a check sum of what was found, tells whether the same was found again. Reading a
link runs nothing but the package's own searches, of bounded size.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from itertools import count
from math import sqrt
from types import SimpleNamespace
from typing import Any, Final, NamedTuple
from urllib.parse import quote_plus, unquote_plus
from zlib import crc32

import numpy as np

from ..errors import MctsVizError, TraceError, shown
from ..games import Game
from ..games.boards import listed
from ..search import EVENTS, MCTS, PHASES, MCTSSolver, alpha_beta, minimax, ucb1
from ..search.mcts import checked_c
from ..search.policies import Policies
from ..search.recipes import LONGEST, describe, describe_game, read, read_game
from ..search.saving import reason
from .minimax_recorder import record_minimax
from .minimax_trace import MinimaxTrace
from .trace import Trace

__all__ = ["MOST", "Opened", "link_of", "open_link"]

PREFIX: Final = "mcts-viz:"
VERSION: Final = "1"
MOST: Final = 100_000
"""Iterations, or steps of minimax, of a link that is opened without further ado."""
NODES: Final = 10
"""Nodes that such a search may have, for each iteration that it is allowed."""
READABLE: Final = "()=,.'{}:/*!~"
"""Characters that stay as they are in a link, beside letters and digits."""
WALKS: Final = {"minimax": minimax, "alpha_beta": alpha_beta}
OF_SEARCHES: Final = ("c", "seed", "solver", "selection", *(f.name for f in fields(Policies)))
FIELDS: Final = ("v", "state", "method", "n", "sum", "cards", "at", *OF_SEARCHES)


class Opened(NamedTuple):
    """What a link leads to."""

    trace: Trace | MinimaxTrace
    iteration: int
    """Or the step of minimax."""
    phase: str | None
    cards: int | None
    """How many cards its film has; ``None`` for the usual number."""


# Writing -----------------------------------------------------------------------------------


def link_of(trace: Trace | MinimaxTrace, cards: int | None = None) -> str:
    """The link to a film, without the moment: ``&at=120.select`` is to be added.

    Raises ``TraceError`` for a trace that cannot be searched again from so few words.
    """
    if not len(trace):
        raise TraceError("The film has no moment yet: record an iteration to link to it.")
    said = {"state": _state_text(trace)}
    said |= _of_search(trace) if isinstance(trace, Trace) else {"method": _walk_of(trace)}
    said |= {"n": str(len(trace)), "sum": _sum_of(trace)}
    said |= {"cards": None if cards is None else str(cards)}
    query = "&".join(f"{name}={_quoted(text)}" for name, text in said.items() if text is not None)
    link = f"{PREFIX}{_quoted(describe_game(trace.game))}?{query}"
    if len(link) > LONGEST - 40:  # a moment is added to it
        raise TraceError(
            f"The link would have {len(link):,} characters, more than {LONGEST - 40:,}: save the "
            "trace instead."
        )
    return link


def _quoted(text: str) -> str:
    return quote_plus(text, safe=READABLE)


def _state_text(trace: Trace | MinimaxTrace) -> str | None:
    """The root's position as text; ``None`` for the game's start."""
    game, state = trace.game, trace.root_state
    if state == game.initial_state():
        return None
    text = game.text(state)
    for written in (" ".join(text.split()), text):  # on one line, if the game reads that too
        with suppress(Exception):  # whatever a game of one's own objects to
            if game.parse(written) == state:
                return written
    raise TraceError(
        f"{game.name} does not read its own text {shown(text)}, so no link can name the "
        "position: write its parse(text), or begin at the start of the game."
    )


def _of_search(trace: Trace) -> dict[str, str | None]:
    if trace.origin:
        raise TraceError(
            "This is a branch of another search, which no link names: link the film that it "
            "branched off, or save the branch."
        )
    if trace.visits_before.any():
        raise TraceError(
            "This search went on with the tree of another one, which no link holds: save the "
            "trace, or link a search that began with an empty tree."
        )
    said: dict[str, str | None] = {
        "c": None if trace.c == sqrt(2) else repr(trace.c).removesuffix(".0"),
        "seed": str(trace.seed),
        "solver": "1" if trace.solver else None,
        "selection": None if trace.selection is ucb1 else describe(trace.selection),
    }
    for kind in fields(Policies):
        policy = getattr(trace.policies, kind.name)
        said[kind.name] = None if policy is kind.default else describe(policy)
    return said


def _walk_of(trace: MinimaxTrace) -> str:
    """Alpha-beta minds alpha and beta, minimax knows none."""
    windows = trace.numbers[np.concatenate([trace.alpha, trace.beta])]
    return "alpha_beta" if np.isfinite(windows).any() else "minimax"


def _sum_of(trace: Trace | MinimaxTrace) -> str:
    """A check sum of where the search went, and how long its playouts were."""
    if isinstance(trace, Trace):
        columns = [trace.parent, trace.leaf, trace.playouts.lengths]
    else:
        columns = [trace.parent, trace.node, trace.event]
    return f"{crc32(np.concatenate(columns).astype('<i4').tobytes()):08x}"


# Reading -----------------------------------------------------------------------------------


def open_link(
    link: str, game: Game[Any, Any] | None = None, most: int = MOST, **policies: Any
) -> Opened:
    """Search again what the link names.

    A ``game`` and ``policies`` (``selection=my_rule``) of your own must be handed in. ``most``
    bounds the iterations. Raises ``TraceError``, ``GameError`` or ``SearchError`` with the first
    thing in the link that is wrong.
    """
    if unknown := sorted(set(policies) - set(OF_SEARCHES[3:])):
        raise TraceError(
            f"{unknown[0]!r} is no policy of a search: hand in {listed(OF_SEARCHES[3:])}."
        )
    return _Link(link, most).opened(game, policies)


class _Link:
    """A link taken apart; whatever is off ends in a sentence that names the piece."""

    def __init__(self, link: str, most: int) -> None:
        if not isinstance(link, str) or len(link) > LONGEST:
            raise TraceError(
                f"{shown(link)} is no link: give a text of at most {LONGEST} characters."
            )
        self._most = most
        link = link.strip()
        if not link.startswith(PREFIX):
            raise TraceError(
                f"{shown(link)} is no link to a moment: one begins with {PREFIX!r}, such as "
                "'mcts-viz:TicTacToe()?seed=4&n=200&at=120.select'."
            )
        game, _, query = link.removeprefix(PREFIX).partition("?")
        self._game_text = _unquoted("the game", game)
        self._said: dict[str, str] = {}
        for part in query.split("&") if query else ():
            name, equals, text = part.partition("=")
            if name not in FIELDS or not equals or name in self._said:
                raise TraceError(
                    f"The link says {shown(part)}, which cannot be understood: it names once, "
                    f"as name=value, what it needs of {listed(FIELDS)}."
                )
            self._said[name] = _unquoted(name, text)
        if self._said.get("v", VERSION) != VERSION:
            raise TraceError(
                f"The link has version {shown(self._said['v'])}, but this mcts_viz reads "
                f"version {VERSION}: copy it again from the mcts_viz you use."
            )

    def opened(self, game: Game[Any, Any] | None, policies: dict[str, Any]) -> Opened:
        length = self._whole("n", 1, self._most, remedy=", or let it have more with most=...")
        cards = self._whole("cards", 1, 300) if "cards" in self._said else None
        method = self._said.get("method")
        if method is not None and method not in WALKS:
            raise TraceError(
                f"The link's method is {shown(method)}: it is one of {listed(WALKS)}, or not "
                "there at all."
            )
        iteration, phase = self._moment(length, EVENTS if method else PHASES)
        game = self._game(game)
        state = self._state(game)
        if method is None:
            trace: Trace | MinimaxTrace = self._search(game, state, length, policies)
        else:
            trace = self._walk(WALKS[method], game, state, length)
        if iteration > len(trace):  # its root was proven before, or it was stopped
            raise TraceError(
                f"The search ended after {len(trace)} iterations, so the link's iteration "
                f"{iteration} is not in it: take an earlier one."
            )
        if self._said.get("sum", _sum_of(trace)) != _sum_of(trace):
            raise TraceError(
                f"The link's sum is {shown(self._said['sum'])}, but this search comes out as "
                f"{_sum_of(trace)!r}: a game or policy was changed since, or draws from another "
                "source than the seed; without sum=... the link opens what is found now."
            )
        return Opened(trace, iteration, phase, cards)

    def _search(
        self, game: Game[Any, Any], state: Any, iterations: int, policies: dict[str, Any]
    ) -> Trace:
        if "seed" not in self._said:
            raise TraceError("The link has no seed, so it may mean any search: add one.")
        given = {kind: read(kind, self._said[kind]) for kind in self._policies() - set(policies)}
        options = given | policies
        prepare = options.pop("prepare", None)
        kind = MCTSSolver if self._flag("solver") else MCTS
        search = kind(game, self._c(), self._whole("seed"), **options)
        search.prepare = prepare  # only now, so that its nodes are counted
        with search.hooked([_bound("expand", NODES * self._most, "nodes")]):
            trace = search.record(state, iterations=iterations)
        if len(trace) < iterations and not search.solved:
            raise TraceError(
                f"The search was stopped after {len(trace):,} of the link's {iterations:,} "
                "iterations: open the link again, and let it finish."
            )
        return trace

    def _policies(self) -> set[str]:
        return self._said.keys() & set(OF_SEARCHES[3:])

    def _walk(
        self, walk: Callable[..., Any], game: Game[Any, Any], state: Any, steps: int
    ) -> MinimaxTrace:
        if foreign := [name for name in OF_SEARCHES if name in self._said]:
            raise TraceError(
                f"The link gives {foreign[0]} to {walk.__name__}, which has none: leave it out."
            )
        bound = _bound("enter", steps, "steps")

        def bounded(game: Game[Any, Any], state: Any, hooks: list[object]) -> Any:
            return walk(game, state, hooks=[*hooks, bound])

        return record_minimax(bounded, game, state)

    def _game(self, given: Game[Any, Any] | None) -> Game[Any, Any]:
        if given is None:
            return read_game(self._game_text)
        text = describe_game(given)
        if text.replace(" ", "") != self._game_text.replace(" ", ""):
            raise TraceError(
                f"The link is of the game {shown(self._game_text)}, but {shown(text)} was "
                "handed in: hand in the game of the link."
            )
        return given

    def _state(self, game: Game[Any, Any]) -> Any:
        text = self._said.get("state")
        try:
            return None if text is None else game.parse(text)
        except MctsVizError:
            raise
        except Exception as error:  # whatever a game of one's own objects to
            raise TraceError(
                f"The link's state {shown(text)} is no position of {game.name} "
                f"({reason(error)}): copy the link again."
            ) from error

    def _moment(self, last: int, phases: tuple[str, ...]) -> tuple[int, str | None]:
        at = self._said.get("at", f"1.{phases[0]}")
        found = re.fullmatch(r"([0-9]{1,9})(?:\.([a-z_]{1,20}))?", at)
        if not found or not 1 <= int(found[1]) <= last or found[2] not in (*phases, None):
            raise TraceError(
                f"The link's moment is at={shown(at)[1:-1]}, but this film has the moments "
                f"at=1.{phases[0]} to at={last}.{phases[-1]}; its phases are {listed(phases)}."
            )
        return int(found[1]), found[2]

    def _c(self) -> float:
        text = self._said.get("c")
        if text is None:
            return sqrt(2)
        if not re.fullmatch(r"[0-9.]{1,40}(?:e[+-]?[0-9]{1,4})?", text) or text.count(".") > 1:
            raise TraceError(f"The link's c is {shown(text)}: write a number, such as c=1.41.")
        with suppress(ValueError):
            return checked_c(float(text))
        raise TraceError(f"The link's c is {shown(text)}: write a number, such as c=1.41.")

    def _flag(self, name: str) -> bool:
        text = self._said.get(name, "0")
        if text not in ("0", "1"):
            raise TraceError(f"The link's {name} is {shown(text)}: write {name}=1, or nothing.")
        return text == "1"

    def _whole(
        self, name: str, low: int | None = None, high: int | None = None, remedy: str = ""
    ) -> int:
        """A whole number, from ``low`` to ``high`` if they are given."""
        text = self._said.get(name)
        if text is None:
            raise TraceError(f"The link does not say {name}: add {name}=..., a whole number.")
        number = int(text) if re.fullmatch(r"-?[0-9]{1,400}", text) else None
        wrong = number is None or (low is not None and number < low)
        if number is None or wrong or (high is not None and number > high):
            where = "" if high is None else f" from {low:,} to {high:,}"
            raise TraceError(
                f"The link's {name} is {shown(text)}: it must be a whole number{where}{remedy}."
            )
        return number


def _bound(event: str, most: int, pieces: str) -> object:
    """A hook that hears of an event, and ends what has more than ``most`` of them."""
    heard = count(1)

    def hear(record: object) -> None:
        if next(heard) > most:
            raise TraceError(
                f"The link leads to more than {most:,} {pieces}: let it have more with most=..., "
                "or search a smaller game."
            )

    return SimpleNamespace(**{f"on_{event}": hear})


def _unquoted(name: str, text: str) -> str:
    try:
        return unquote_plus(text, errors="strict")
    except UnicodeDecodeError:
        raise TraceError(
            f"The link's text of {name}, {shown(text)}, is damaged: copy the link again."
        ) from None
