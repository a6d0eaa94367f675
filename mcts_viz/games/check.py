"""Tell the author of a game, in plain words, what is still wrong with it.

Random games are played by a referee that trusts nothing: any wrong result or error of the game's
methods becomes a sentence in the report.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from typing import Any

from ..errors import GameError, door, require, short_repr
from .protocol import Game

_MOST_GAMES = 100_000
_MAX_MOVES = 1000  # of one random game


@dataclass(frozen=True, repr=False)
class GameReport:
    """The result of :func:`check_game`; true if it found no problem."""

    game: str
    problems: tuple[str, ...]
    """One sentence for each thing that is wrong, with its remedy."""
    notes: tuple[str, ...]
    """Facts about the game that are worth knowing without being wrong."""

    def __bool__(self) -> bool:
        return not self.problems

    ok = property(__bool__)

    def __str__(self) -> str:
        count = len(self.problems)
        found = f"{count} problem{'s' * (count != 1)}" if count else "no problem found"
        lines = [f"{self.game}: {found}."]
        lines += [f"  {number}. {problem}" for number, problem in enumerate(self.problems, 1)]
        lines += [f"  Note: {note}" for note in self.notes]
        return "\n".join(lines)

    __repr__ = __str__


@door
def check_game(game: Game[Any, Any], games: int = 50, seed: int = 0) -> GameReport:
    """Play ``games`` random games of ``game`` and report what breaks the contract of a game.

    They end with the first game that could not be played to its end. The same ``seed`` plays the
    same games. Raises ``GameError`` only for wrong ``games`` or ``seed``; a fault of the game is
    reported, never raised.

    >>> from mcts_viz import TicTacToe, check_game
    >>> check_game(TicTacToe()).ok
    True
    """
    right = type(games) is int and 1 <= games <= _MOST_GAMES
    require(right, "games", f"a whole number from 1 to {_MOST_GAMES:,}", games, GameError)
    require(type(seed) is int, "seed", "a whole number", seed, GameError)
    return _Referee(game, random.Random(seed)).report(games)


def remedy_of(game: Game[Any, Any], method: str, answer: Any) -> str:
    """The remedy for a wrong result of that ``method``; "" if it is right."""
    count = len(game.players)
    match method:
        case "initial_state" | "play" if answer is None:
            return f"let {method} return a state (did you forget `return`?)"
        case "initial_state" | "play" if not _has_hash(answer):
            return "states must never change, so build them of tuples, frozensets, ints and strings"
        case "is_terminal" if not isinstance(answer, bool):
            return "return True or False"
        case "to_move" if type(answer) is not int or not 0 <= answer < count:
            return f"return the number of a player, an int from 0 to {count - 1}, as in players"
        case "legal_actions" if not isinstance(answer, Sequence) or not all(map(_has_hash, answer)):
            return "return a sequence such as a tuple or a list, of ints, strings or tuples"
        case "legal_actions" if not answer:
            return "let is_terminal be True there, or give the player who must pass an action for it"
        case "legal_actions" if len({*answer}) < len(answer):
            return "list each action once"
        case "returns" if not _are_returns(answer, count):
            return f"return a tuple of {count} numbers from -1 (a loss) to 1 (a win), as in players"
        case "action_label" | "text" if not isinstance(answer, str):
            return "return a string"
    return ""


def _has_hash(value: object) -> bool:
    with suppress(Exception):
        return hash(value) is not None
    return False


def _are_returns(numbers: object, count: int) -> bool:
    return (
        isinstance(numbers, tuple)
        and len(numbers) == count
        and not any(isinstance(n, bool) for n in numbers)
        and all(isinstance(n, Real) and abs(float(n)) <= 1 for n in numbers)
    )


class _FaultError(Exception):
    """A fault of the game; its arguments are what is wrong, and the remedy."""


def _see(right: bool, what: str, remedy: str) -> None:
    if not right:
        raise _FaultError(what, remedy)


class _Referee:
    """Plays a game, and writes down what is wrong with its answers."""

    def __init__(self, game: Any, rng: random.Random) -> None:
        self.game, self.rng = game, rng
        self.name = game.__name__ if isinstance(game, type) else type(game).__name__
        self.problems: dict[str, str] = {}  # by remedy: what has the same remedy is told once
        self.lengths: list[int] = []  # of the games that were played to their end
        self.movers: set[int] = set()
        self.asked: list[tuple[str, str, Any, Any]] = []  # call, method, arguments, answer

    def report(self, games: int) -> GameReport:
        if self.attempt(self.check_class):
            all(self.attempt(self.check_random_game) for _ in range(games))
            self.attempt(self.check_movers)
        notes: tuple[str, ...] = ()
        if self.lengths:
            low, high = min(self.lengths), max(self.lengths)
            notes = (f"{len(self.lengths)} random games of {low} to {high} moves were played.",)
        return GameReport(self.name, tuple(self.problems.values()), notes)

    def attempt(self, check: Callable[..., None], *arguments: Any) -> bool:
        """True if ``check`` went through; if not, why not is written down."""
        try:
            check(*arguments)
            return True
        except _FaultError as fault:
            what, remedy = fault.args
        except Exception as error:  # a value of the author's own class may raise when compared
            what = f"The game's values cannot be handled ({_raised(error)})"
            remedy = "make states and actions plain values such as ints, strings and tuples of them"
        self.problems.setdefault(remedy, f"{what}: {remedy}.")
        return False

    def ask(self, method: str, *arguments: Any) -> Any:
        """The game's answer: as it must be, the same twice, and no argument changed."""
        call, before = f"{method}({', '.join(map(_shown, arguments))})", [*map(inside, arguments)]
        try:
            answer = getattr(self.game, method)(*arguments)
        except Exception as error:
            remedy = f"let {method} return a value for every state that the game can reach"
            raise _FaultError(f"{call} raises {_raised(error)}", remedy) from None
        remedy = f"let {method} leave its arguments as they are and build new values"
        _see([*map(inside, arguments)] == before, f"{call} changes the value it is given", remedy)
        remedy = remedy_of(self.game, method, answer)
        _see(not remedy, f"{call} returns {_shown(answer)}", remedy)
        self.asked.append((call, method, arguments, answer))
        self.ask_again(*self.asked[-1])
        return answer

    def ask_again(self, call: str, method: str, arguments: tuple[Any, ...], answer: Any) -> None:
        """See that the answer is still the same: what a game object remembers shows."""
        try:
            again = getattr(self.game, method)(*arguments)
            other = f"{_shown(again)}, not equal"
        except Exception as error:
            again, other = error, f"raises {_raised(error)}"
        same = answer is again or answer == again
        _see(
            same and (not _has_hash(answer) or {answer} == {again}),
            f"{call} returns {_shown(answer)} and, asked again, {other}",
            f"let {method} depend on its arguments alone: keep all that changes during a game in "
            "the state, and nothing in the game object; a class of your own needs __eq__ and "
            "__hash__, which a frozen dataclass has",
        )

    def check_class(self) -> None:
        game, name = self.game, self.name
        remedy = f"write class {name}(Game) and pass what it makes, check_game({name}(...))"
        _see(isinstance(game, Game), f"{name} is not a Game, or it is a class", remedy)
        names, remedy = game.players, "make it a tuple of different names, one a player"
        proper = isinstance(names, tuple) and all(isinstance(n, str) and n for n in names)
        _see(proper and 0 < len(names) == len({*names}), f"players is {_shown(names)}", remedy)

    def check_random_game(self) -> None:
        before, self.asked = self.asked, []
        states = [self.ask("initial_state")]
        while not self.ask("is_terminal", state := states[-1]):
            what = f"After {_MAX_MOVES} random moves is_terminal({_shown(state)}) is still False"
            remedy = "every game must end, so add a rule that ends it (a search waits 100,000 moves)"
            _see(len(states) <= _MAX_MOVES, what, remedy)
            self.movers.add(self.ask("to_move", state))
            legal = self.ask("legal_actions", state)
            self.attempt(self.check_words, state, legal)
            states.append(self.ask("play", state, legal[int(self.rng.random() * len(legal))]))
        what = f"is_terminal({_shown(state)}) is True of the initial state"
        _see(len(states) > 1, what, "let a game begin before it is over")
        self.attempt(self.check_words, state)
        self.ask("returns", state)
        self.lengths.append(len(states) - 1)
        for question in reversed(before):  # not as the game went, which would go as it went then
            self.attempt(self.ask_again, *question)

    def check_movers(self) -> None:
        names = self.game.players
        for idle in {*range(len(names))} - self.movers:
            _see(
                max(self.lengths, default=0) < len(names),
                f"to_move never returns {idle}, so {names[idle]} never moves",
                "let to_move return whose turn it is, or leave players out who never move",
            )

    def check_words(self, state: Any, actions: Sequence[Any] = ()) -> None:
        labels = [self.ask("action_label", state, action) for action in actions]
        what = f"action_label calls two legal actions of {_shown(state)} alike, {_shown(labels)}"
        _see(len({*labels}) == len(labels), what, "give each legal action a label of its own")
        text = self.ask("text", state)
        if type(self.game).parse is not Game.parse:
            parsed = self.ask("parse", text)
            what = f"parse({_shown(text)}) returns {_shown(parsed)}, not {_shown(state)}"
            _see(bool(parsed == state), what, "let parse read what text writes")


def _shown(value: object) -> str:
    return short_repr(value, most=100)


def _raised(error: Exception) -> str:
    """An error in words, with the line of the author's code that raised it."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    line = "" if last.filename == __file__ else f" at line {last.lineno}, in {last.name}"
    return _shown(error) + line


def inside(value: object) -> str:
    """A text that changes when the value is changed in place."""
    return f"{value!r} {getattr(value, '__dict__', '')!r}".strip()
