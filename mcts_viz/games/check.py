"""Tell the author of a game, in plain words, what is still wrong with it.

Random games are played by a referee that trusts nothing: any wrong result or error of the game's
methods becomes a sentence in the report.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ..errors import GameError, counted, fits, listed, require, short_repr
from .protocol import Game, Returns
from .turns import (
    discount,
    drawn,
    fast_playout,
    gamma,
    knows_luck,
    pays_on_the_way,
    return_before,
    value_range,
)

_MAX_MOVES = 1000  # of one random game
_LAST = 20  # of its positions, if it has not ended
_MANY = 20  # random games that do not all have the same result by chance
_MOST = 1e100  # of a number that a game pays: sums of many stay finite
_ROUNDED = 1e-9  # probabilities such as 1/3 do not sum to 1 exactly


@dataclass(frozen=True, repr=False)
class GameReport:
    """The result of :func:`check_game`; true if it found no problem."""

    game: str
    problems: tuple[str, ...]
    """One sentence for each thing that is wrong, with its remedy."""
    lengths: tuple[int, ...]
    """The moves of each random game that was played to its end."""
    notes: tuple[str, ...] = ()
    """One sentence for each thing that may be meant, or not."""

    def __bool__(self) -> bool:
        return not self.problems

    ok = property(__bool__)

    def __str__(self) -> str:
        count = len(self.problems)
        found = counted(count, "problem") if count else "no problem"
        lines = [f"{self.game}: {found} found."]
        lines += [f"  {number}. {problem}" for number, problem in enumerate(self.problems, 1)]
        if self.lengths:
            low, high = min(self.lengths), max(self.lengths)
            lines.append(
                f"  {len(self.lengths)} random games of {low} to {high} moves were played."
            )
        lines += [f"  Note: {note}" for note in self.notes]
        return "\n".join(lines)

    __repr__ = __str__


def check_game(game: Game[Any, Any], games: int = 50, seed: int = 0) -> GameReport:
    """Play ``games`` random games of ``game`` and report what breaks the contract of a game.

    They end with the first game that could not be played to its end. The same ``seed`` plays the
    same games. Raises ``GameError`` only for wrong ``games`` or ``seed``; a fault of the game is
    reported, never raised.

    >>> from mcts_viz import TicTacToe, check_game
    >>> check_game(TicTacToe()).ok
    True
    """
    right = fits(games, 1, whole=True)
    require(right, "games", "a whole number above 0", games, GameError)
    require(fits(seed, whole=True), "seed", "a whole number", seed, GameError)
    return _Referee(game, random.Random(int(seed))).report(int(games))


def remedy_of(game: Game[Any, Any], method: str, answer: Any) -> str:
    """The remedy for a wrong result of that ``method``; "" if it is right."""
    count = len(game.players)
    match method:
        case "initial_state" | "play" if answer is None:
            return f"let {method} return a state (did you forget `return`?)"
        case "initial_state" | "play" if not _has_hash(answer):
            return "states must never change, so build them of tuples, frozensets, ints and strings"
        case "is_terminal" if not isinstance(answer, bool | np.bool_):
            return "return True or False"
        case "to_move" if not fits(answer, 0, count - 1, whole=True):
            return f"return the number of a player, an int from 0 to {count - 1}, as in players"
        case "legal_actions" if not isinstance(answer, Sequence) or not all(map(_has_hash, answer)):
            return "return a sequence such as a tuple or a list, of ints, strings or tuples"
        case "legal_actions" if not answer:
            return (
                "let is_terminal be True there, or give the player who must pass an action for it"
            )
        case "legal_actions" if len({*answer}) < len(answer):
            return "list each action once"
        case "returns" if not holds(answer, count, *_range_of(game)):
            return f"return {kind_of_returns(game)}, as in players"
        case "reward" if not holds(answer, count, -_MOST, _MOST):
            numbers = counted(count, "number")
            return f"return a tuple of {numbers} from {-_MOST:g} to {_MOST:g}, one a player"
        case "chances":
            return _remedy_of_chances(answer)
        case "discount" if not fits(answer, 0, 1) or not answer:
            return "set a number above 0 and at most 1"
        case "value_range" if not _is_range(answer):
            return (
                f"set a pair of numbers from {-_MOST:g} to {_MOST:g}, the least return and a "
                "larger one, such as (-1, 1)"
            )
        case "action_label" | "text" if not isinstance(answer, str):
            return "return a string"
    return ""


def check_answer(game: Game[Any, Any], method: str, answer: Any, *arguments: Any) -> None:
    """Raise ``GameError`` for a wrong ``answer`` of that ``method``, or a wrong setting."""
    if remedy := remedy_of(game, method, answer):
        said = f"{_call(method, arguments)} returns" if arguments else f"{method} is"
        raise GameError(f"{game.name}: {said} {_shown(answer)}: {remedy}.")


def kind_of_returns(game: Game[Any, Any]) -> str:
    """The kind of returns that the game must give, in words."""
    low, high = _range_of(game)
    limits = f"from {low:g} to {high:g}, its value_range"
    if (low, high) == (-1, 1):
        limits = "from -1 (a loss) to 1 (a win)"
    return f"a tuple of {counted(len(game.players), 'number')} {limits}"


def _has_hash(value: object) -> bool:
    with suppress(Exception):
        return hash(value) is not None
    return False


def holds(answer: object, count: int, low: float, high: float) -> bool:
    """True for so many numbers in these limits."""
    if not isinstance(answer, tuple | list) or len(answer) != count:
        return False
    return all(fits(number, low, high) for number in answer)


def _range_of(game: Game[Any, Any]) -> tuple[float, float]:
    """The game's range of returns, the usual one if it has set a wrong one."""
    said = getattr(game, "value_range", Game.value_range)
    return said if _is_range(said) else Game.value_range


def _is_range(said: Any) -> bool:
    return holds(said, 2, -_MOST, _MOST) and said[0] < said[1]


def _remedy_of_chances(answer: object) -> str:
    """The remedy for wrong chances; "" if they are right, or there are none."""
    if not isinstance(answer, Mapping):
        return "return a dict of outcomes with their probabilities, {} where a player moves"
    if not all(map(_has_hash, answer)):
        return "make outcomes of ints, strings or tuples"
    if not all(fits(each, 0, 1) and each for each in answer.values()):
        return (
            "give each outcome a probability above 0 and at most 1, and leave out what cannot "
            "happen"
        )
    if answer and abs(sum(answer.values()) - 1) > _ROUNDED:
        return f"let the probabilities sum to 1, not {sum(answer.values()):.6g}"
    return ""


def _see(right: bool, what: str, remedy: str) -> None:
    if not right:
        raise GameError(f"{what}: {remedy}.")


class _Referee:
    """Plays random games, and checks every answer."""

    def __init__(self, game: Any, rng: random.Random) -> None:
        self.game, self.rng = game, rng
        self.name = game.__name__ if isinstance(game, type) else type(game).__name__
        self.lengths: list[int] = []  # of the games that were played to their end
        self.movers: set[int] = set()
        self.states: list[Any] = []  # of the last game
        self.winners: set[str] = set()  # of all games
        self.notes: dict[str, str] = {}  # by kind: the first of it
        self.asked: list[tuple[str, tuple[Any, ...], Any]] = []  # in it: method, arguments, answer

    def report(self, games: int) -> GameReport:
        """Go on to the end of the first game that shows a fault."""
        problems = self.faults_of(self.check_class)
        while not problems and len(self.lengths) < games:
            before = self.asked
            self.states = []
            self.asked = []
            problems += self.faults_of(self.check_random_game)
            problems += self.faults_of(self.check_words)
            problems += self.faults_of(self.check_again, before)
        problems = problems or self.faults_of(self.check_movers)
        self.note_winner()
        return GameReport(
            self.name, tuple(problems), tuple(self.lengths), tuple(self.notes.values())
        )

    # What may be meant, or not ------------------------------------------------------------------

    def note_winner(self) -> None:
        """Note that all games had one and the same winner, where there could be others."""
        count = len(self.lengths)
        if count >= _MANY and len(self.winners) == 1 and len(self.game.players) > 1:
            self.notes["winner"] = (
                f"returns says of each of the {count} random games that {listed(self.winners)}: if "
                "there are other results, let it look at the state for who has won."
            )

    def note_what_comes_again(self) -> None:
        """Note a position that comes twice in a game, of which exact play sees no end."""
        game = self.game
        averaged = knows_luck(game) or pays_on_the_way(game) or len(game.players) == 1
        again, times = Counter(self.states).most_common(1)[0]
        if times > 1 and not averaged:
            self.notes["again"] = (
                f"Play can come back to a position, such as {_shown(again)}: a search goes on from "
                "there, but solve and minimax see no end. For exact values, count the moves in the "
                "state, and end the game."
            )

    def note_moves(self, actions: Sequence[Any]) -> None:
        """Note a move that no saved trace can hold."""
        for action in actions:
            if not is_plain(action):
                self.notes["moves"] = (
                    f"A trace with the move {_shown(action)} cannot be saved: for that, make moves "
                    "of numbers, strings or tuples of them."
                )

    # What is wrong -------------------------------------------------------------------------------

    def faults_of(self, check: Callable[..., None], *arguments: Any) -> list[str]:
        """The faults by this check: one sentence, or none."""
        try:
            check(*arguments)
        except GameError as fault:
            return [str(fault)]
        except Exception as error:  # a value of the author's own class may raise when compared
            return [
                f"A value of the game raises {_shown(error)}: use ints, strings and tuples of them."
            ]
        return []

    def ask(self, method: str, *arguments: Any) -> Any:
        """The game's answer, which is to be asked for once more, one game later."""
        answer = self._answer(method, *arguments)
        self.asked.append((method, arguments, answer))
        return answer

    def _answer(self, method: str, *arguments: Any) -> Any:
        """The game's answer, if it is as it must be, and no argument has changed."""
        call, before = _call(method, arguments), [*map(inside, arguments)]
        try:
            answer = getattr(self.game, method)(*arguments)
        except Exception as error:
            remedy = f"let {method} return a value for every state that the game can reach"
            if len(self.states) > 1 and hasattr(self.states[-1], "__dict__"):
                remedy += ", and play a copy that keeps what has happened (deepcopy may not)"
            raise GameError(f"{call} raises {_shown(error)}: {remedy}.") from None
        remedy = f"let {method} leave its arguments as they are and build new values"
        _see([*map(inside, arguments)] == before, f"{call} changes the value it is given", remedy)
        remedy = remedy_of(self.game, method, answer)
        _see(not remedy, f"{call} returns {_shown(answer)}", remedy)
        return answer

    def check_again(self, asked: list[tuple[str, tuple[Any, ...], Any]]) -> None:
        """See that the answers are still the same, one game later and in another order."""
        for method, arguments, answer in reversed(asked):
            again = self._answer(method, *arguments)
            same = answer == again and (not _has_hash(answer) or hash(answer) == hash(again))
            what = (
                f"{_call(method, arguments)} returns {_shown(answer)} and, asked again, "
                f"{_shown(again)}"
            )
            remedy = (
                f"let {method} depend on its arguments alone, and make your own class a "
                "frozen dataclass"
            )
            _see(same, what, remedy)

    def check_class(self) -> None:
        game, name = self.game, self.name
        remedy = f"write class {name}(Game) and pass what it makes, check_game({name}(...))"
        _see(isinstance(game, Game), f"{name} is not a Game, or it is a class", remedy)
        names, remedy = game.players, "make it a tuple of different names, one a player"
        for name in ("discount", "value_range"):
            value = getattr(game, name)
            fault = remedy_of(game, name, value)
            _see(not fault, f"{name} is {_shown(value)}", fault)
        proper = isinstance(names, tuple) and all(isinstance(n, str) and n for n in names)
        _see(proper and 0 < len(names) == len({*names}), f"players is {_shown(names)}", remedy)

    def check_random_game(self) -> None:
        self.states.append(self.ask("initial_state"))
        while not self.ask("is_terminal", state := self.states[-1]):
            if len(self.states) > _MAX_MOVES:
                self.check_end_in_sight()
            action = self.next_action(state)
            self.states.append(self.ask("play", state, action))
            if pays_on_the_way(self.game):
                self.ask("reward", state, action, self.states[-1])
        what = f"is_terminal({_shown(state)}) is True of the initial state"
        _see(len(self.states) > 1, what, "let a game begin before it is over")
        self.check_end(state)
        returns = self.ask("returns", state)
        best = [at for at, number in enumerate(returns) if number == max(returns)]
        self.winners.add(f"{self.game.players[best[0]]} won" if len(best) == 1 else "none won")
        self.note_what_comes_again()
        self.check_returns_on_the_way()
        self.check_fast_playout()
        self.lengths.append(len(self.states) - 1)

    def check_end_in_sight(self) -> None:
        """See that a game of so many moves goes on, and does not begin again with every move."""
        start, late = self.states[0], self.states[-_LAST:]
        leads = [(state, move) for state in late for move in self.game.legal_actions(state)]
        fresh = {move: self.game.play(start, move) for move in self.game.legal_actions(start)}
        what = (
            f"play forgets what was played: after {_MAX_MOVES} moves each leads where it did first"
        )
        forgets = all(
            move in fresh and _same_content(fresh[move], self.game.play(state, move))
            for state, move in leads
        )
        remedy = "let the copy keep all moves (copy.deepcopy may begin a new game, by __init__)"
        _see(not forgets, what, remedy)
        what = f"After {_MAX_MOVES} random moves is_terminal({_shown(late[-1])}) is still False"
        remedy = "every game must end, so add a rule that ends it (a search waits 100,000 moves)"
        _see(False, what, remedy)

    def check_fast_playout(self) -> None:
        """See that the faster form of a playout, if there is one, ends as the rules say."""
        if (fast := fast_playout(self.game)) is None:
            return
        state = self.states[0]
        actions, returns = fast(state, random.Random(len(self.lengths)))
        for action in actions:
            state = self.game.play(state, action)
        right = self.game.is_terminal(state) and returns == tuple(self.game.returns(state))
        what = f"fast_playout returns {_shown(returns)} after the moves {_shown(actions)}"
        _see(right, what, "let it end and count as is_terminal and returns do, or leave it out")

    def check_end(self, state: Any) -> None:
        """See that nature has no outcomes where the game is over, if she says anything there."""
        outcomes: Any = {}
        if knows_luck(self.game):
            with suppress(Exception):
                outcomes = self.game.chances(state)
        what = f"is_terminal({_shown(state)}) is True, but chances returns {_shown(outcomes)} there"
        _see(not outcomes, what, "return {} where the game is over, or end it after the outcome")

    def check_returns_on_the_way(self) -> None:
        """See that the return from any position of the game is in range, and has an end."""
        answers = {
            arguments: answer for method, arguments, answer in self.asked if method == "reward"
        }
        if not pays_on_the_way(self.game):
            return
        low, high = value_range(self.game)
        slack = (high - low) * _ROUNDED
        returns: Returns = self.asked[-1][-1]
        steps = {
            (before, after): answers[before, action, after] for before, action, after in answers
        }
        for before, after in pairwise(self.states[::-1]):
            reward = steps.get((after, before), (0.0,) * len(returns))
            returns = return_before(reward, gamma(self.game, before), returns)
            what = (
                f"From {_shown(after)} on, a game returns {_shown(returns)}, which is out of "
                "value_range"
            )
            right = all(low - slack <= number <= high + slack for number in returns)
            _see(right, what, f"let value_range hold every return, not ({low:g}, {high:g})")
        what = "A position comes twice in one game, so players may go in circles for ever"
        once = len({*self.states}) == len(self.states)
        remedy = "set a discount below 1, or count the moves in the state and end the game"
        _see(once or discount(self.game) < 1, what, remedy)

    def next_action(self, state: Hashable) -> Any:
        """A random move, or where nature moves, one of her outcomes."""
        outcomes = self.ask("chances", state) if knows_luck(self.game) else {}
        if outcomes:
            return drawn(outcomes, self.rng)
        self.movers.add(self.ask("to_move", state))
        legal = self.ask("legal_actions", state)
        return legal[int(self.rng.random() * len(legal))]

    def check_words(self) -> None:
        legal = [
            (*given, answer) for method, given, answer in self.asked if method == "legal_actions"
        ]
        for state, actions in legal:
            self.note_moves(actions)
            labels = [self.ask("action_label", state, action) for action in actions]
            what = (
                f"action_label calls two legal actions of {_shown(state)} alike, {_shown(labels)}"
            )
            _see(len({*labels}) == len(labels), what, "give each legal action a label of its own")
        for state in self.states:
            text = self.ask("text", state)
            if type(self.game).parse is not Game.parse:
                parsed = self.ask("parse", text)
                what = f"parse({_shown(text)}) returns {_shown(parsed)}, not {_shown(state)}"
                _see(bool(parsed == state), what, "let parse read what text writes")

    def check_movers(self) -> None:
        names = self.game.players
        idle = [names[number] for number in range(len(names)) if number not in self.movers]
        what = f"It is never the turn of {', '.join(idle)}"
        remedy = "let to_move return whose turn it is, or leave players out who never move"
        _see(not idle or max(self.lengths) < len(names), what, remedy)


def _same_content(one: object, other: object) -> bool:
    """True of two positions that are equal, or hold the same as far as their texts show."""
    texts = [re.sub("0x[0-9A-Fa-f]+", "", inside(each)) for each in (one, other)]
    return one == other or texts[0] == texts[1]


def is_plain(move: object) -> bool:
    """True for what a saved trace can hold: numbers, texts, and tuples of them."""
    if isinstance(move, tuple):
        return all(map(is_plain, move))
    return move is None or isinstance(move, str | int | float | np.generic)


def _call(method: str, arguments: tuple[Any, ...]) -> str:
    return f"{method}({', '.join(map(_shown, arguments))})"


def _shown(value: object) -> str:
    return short_repr(value, most=100)


def inside(value: object) -> str:
    """A text that changes when the value is changed in place."""
    return f"{value!r} {getattr(value, '__dict__', '')!r}".strip()
