"""Tell the author of a game, in plain words, what is still wrong with it.

Random games are played by a referee that trusts nothing: whatever the game's methods answer or
raise becomes a sentence in the report.
"""

from __future__ import annotations

import json
import math
import random
import traceback
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import GameError, shown
from .protocol import Game, Playout

__all__ = ["GameReport", "check_game"]

_MOST_GAMES = 100_000
_MAX_MOVES = 1000  # of one random game
_MAX_ACTIONS = 1000  # of one state that are looked at one by one
_REPLAYS = 20  # fast playouts from each position that are replayed by the rules
_DRAWS = 3000  # fast playouts from each position whose first moves are counted
_DOUBT = 1e-10  # the chance to call the count of one action unfair by mistake

_REQUIRED = ("initial_state", "to_move", "legal_actions", "play", "is_terminal", "returns")
_ANSWERS: dict[str, tuple[Any, str]] = {
    "to_move": (int, "the number of a player, an int"),
    "legal_actions": (Sequence, "a sequence such as a tuple or a list"),
    "is_terminal": (bool, "True or False"),
    "returns": (tuple, "a tuple with one number a player"),
    "action_label": (str, "a string"),
    "text": (str, "a string"),
    "parameters": (dict, "a dict"),
    "fast_playout": (Playout, "Playout(actions, returns)"),
}
_ENDLESS = "every game must end, so add a rule that ends it"


@dataclass(frozen=True, repr=False)
class GameReport:
    """What :func:`check_game` found; true if it found no problem."""

    game: str
    problems: tuple[str, ...]
    """One sentence for each thing that is wrong, with its remedy."""
    notes: tuple[str, ...]
    """What is worth knowing about the game without being wrong."""

    @property
    def ok(self) -> bool:
        return not self.problems

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        count = len(self.problems)
        found = f"{count} problem{'s' * (count != 1)}" if count else "no problem found"
        lines = [f"{self.game}: {found}."]
        lines += [f"  {number}. {problem}" for number, problem in enumerate(self.problems, 1)]
        lines += [f"  Note: {note}" for note in self.notes]
        return "\n".join(lines)

    __repr__ = __str__


def check_game(game: Game[Any, Any], games: int = 50, seed: int = 0) -> GameReport:
    """Play ``games`` random games of ``game`` and report what breaks the contract of a game.

    The same ``seed`` plays the same games. Raises ``GameError`` only if ``games`` is no number of
    games, or ``seed`` no whole number; a fault of the game itself is reported, never raised.
    """
    if type(games) is not int or not 1 <= games <= _MOST_GAMES:
        raise GameError(
            f"games={shown(games)}: give the number of games to play, from 1 to {_MOST_GAMES:,}."
        )
    if type(seed) is not int:
        raise GameError(f"seed={shown(seed)}: a seed is a whole number, such as 4.")
    return _Referee(game, random.Random(seed)).report(games)


class _FaultError(Exception):
    """Something wrong with the game. What has the same remedy is the same fault, told once."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what}: {remedy}.")
        self.remedy = remedy


class _Referee:
    """Asks a game questions and writes down what is wrong with the answers."""

    def __init__(self, game: Any, rng: random.Random) -> None:
        self.game, self.rng = game, rng
        self.name = game.__name__ if isinstance(game, type) else type(game).__name__
        self.problems: dict[str, str] = {}  # by remedy
        self.notes: dict[str, str] = {}  # by subject
        self.players: tuple[str, ...] = ()
        self.movers: set[int] = set()
        self.lengths: list[int] = []
        self.branching: list[int] = []
        self.totals: list[float] = []  # what the players got together
        self.seen: dict[Hashable, None] = {}  # some actions, in the order they were met
        self.crossroads: list[Any] = []  # some states with a choice of actions

    def report(self, games: int) -> GameReport:
        if all(map(self.attempt, (self.check_class, self.check_players, self.check_start))):
            for _ in range(games):
                if _ENDLESS not in self.problems:
                    self.attempt(self.check_random_game)
            if len(self.lengths) == games:  # by rules that are broken it could not be judged
                self.attempt(self.check_fast_playout)
            self.attempt(self.note_parameters)
            self.note_games()
        return GameReport(self.name, tuple(self.problems.values()), tuple(self.notes.values()))

    # Asking, with nothing taken for granted.

    def attempt(self, check: Callable[..., None], *arguments: Any) -> bool:
        """Whether ``check`` went through; if not, why not is written down."""
        try:
            check(*arguments)
        except _FaultError as fault:
            self.problems.setdefault(fault.remedy, str(fault))
        except Exception as error:  # a value of the author's own class may raise when compared
            remedy = "make states and actions plain values such as ints, strings and tuples of them"
            self.problems.setdefault(
                remedy, f"The game's values cannot be handled ({_told(error)}): {remedy}."
            )
        else:
            return True
        return False

    def ask(self, method: str, *arguments: Any) -> Any:
        """The game's answer: of the right kind, the same twice, and no argument changed."""
        call = f"{method}({_listed(arguments)})"
        before = _inside(arguments)
        answer, again = (self.ask_once(method, call, arguments) for _ in range(2))
        if _inside(arguments) != before:
            raise _FaultError(
                f"{call} changes the value it is given",
                f"let {method} leave its arguments as they are and build new values",
            )
        if not answer == again:
            raise _FaultError(
                f"{call} answers {_shown(answer)} and, asked again, {_shown(again)}, not equal",
                f"let {method} depend on its arguments alone; a class of your own needs __eq__ "
                "and __hash__, which a frozen dataclass has",
            )
        return answer

    def ask_once(self, method: str, call: str, arguments: Sequence[Any]) -> Any:
        try:
            answer = getattr(self.game, method)(*arguments)
        except Exception as error:
            raise _FaultError(
                f"{call} raises {_told(error)}",
                f"let {method} answer for every state that the game can reach",
            ) from None
        kind, words = _ANSWERS.get(method, (object, ""))
        if not isinstance(answer, kind) or (kind is int and isinstance(answer, bool)):
            raise _FaultError(f"{call} answers {_shown(answer)}", f"return {words}")
        if method == "returns":
            self.check_returns(call, answer)
        return answer

    def ask_state(self, method: str, *arguments: Any) -> Any:
        """The answer of ``initial_state`` or ``play``, if it can serve as a state."""
        state, again = self.ask(method, *arguments), self.ask(method, *arguments)
        if state is None:
            raise _FaultError(
                f"{method}({_listed(arguments)}) answers None",
                f"let {method} return a state (did you forget `return`?)",
            )
        part = _mutable_part(state)
        if part is not None:
            raise _FaultError(
                f"{method} answers the state {_shown(state)} with a {type(part).__name__} in it",
                "states must never change, so build them of tuples, frozensets, ints and strings",
            )
        if _hash(state) is None or _hash(state) != _hash(again):
            raise _FaultError(
                f"{method} answers the state {_shown(state)}, which has no hash or not always the "
                "same",
                "build states of tuples, ints and strings, or of a frozen dataclass of these",
            )
        return state

    # Before the first game.

    def check_class(self) -> None:
        if isinstance(self.game, type):
            raise _FaultError(
                f"{self.name} is a class",
                f"pass a game that is made from it, check_game({self.name}(...))",
            )
        missing = [m for m in _REQUIRED if not callable(getattr(self.game, m, None))]
        if missing:
            raise _FaultError(
                f"{self.name} has no method {', '.join(missing)}",
                "write what mcts_viz.Game asks for",
            )
        if not isinstance(self.game, Game):
            raise _FaultError(
                f"{self.name} is not a Game, so it lacks labels and texts",
                f"begin it with class {self.name}(Game)",
            )

    def check_players(self) -> None:
        names = self.game.players
        proper = isinstance(names, tuple) and all(isinstance(n, str) and n for n in names)
        if not proper or not 0 < len(names) == len(set(names)):
            raise _FaultError(
                f"players is {_shown(names)}", "make it a tuple of different names, one a player"
            )
        self.players = names

    def check_start(self) -> None:
        state = self.ask_state("initial_state")
        if self.ask("is_terminal", state):
            raise _FaultError(
                f"is_terminal({_shown(state)}) is True of the initial state",
                "let a game begin before it is over",
            )

    # One random game, and each of its positions.

    def check_random_game(self) -> None:
        state = self.ask_state("initial_state")
        history: list[Any] = []
        while not self.ask("is_terminal", state):
            if len(history) == _MAX_MOVES:
                raise _FaultError(
                    f"After {_MAX_MOVES} random moves is_terminal({_shown(state)}) is still False",
                    _ENDLESS,
                )
            actions = self.check_position(state)
            action = actions[int(self.rng.random() * len(actions))]
            history.append(action)
            after = self.check_move(state, action)
            self.note_refusal(state, actions)
            state = after
        self.totals.append(math.fsum(self.ask("returns", state)))
        self.attempt(self.check_text, state)
        self.check_replay(history, state)
        self.lengths.append(len(history))

    def check_position(self, state: Any) -> Sequence[Any]:
        """The legal actions, after a look at all that can be asked of ``state``."""
        self.check_mover(state)
        actions: Sequence[Any] = self.ask("legal_actions", state)
        some = _first(actions)
        self.check_actions(f"legal_actions({_shown(state)})", some)
        self.attempt(self.check_labels, state, some)
        self.attempt(self.check_text, state)
        self.branching.append(len(actions))
        if len(actions) > 1 and (not self.crossroads or self.rng.random() < 0.05):
            self.crossroads.append(state)
        return actions

    def check_mover(self, state: Any) -> None:
        mover = self.ask("to_move", state)
        if not 0 <= mover < len(self.players):
            raise _FaultError(
                f"to_move({_shown(state)}) answers {mover}",
                f"number the players from 0 to {len(self.players) - 1}, as in players",
            )
        self.movers.add(mover)

    def check_actions(self, call: str, actions: Sequence[Any]) -> None:
        if not actions:
            raise _FaultError(
                f"{call} is empty although is_terminal is False there",
                "let is_terminal be True, or give whoever must pass an action for it",
            )
        for action in actions:
            if _hash(action) is None:
                raise _FaultError(
                    f"{call} holds {_shown(action)}, which has no hash",
                    "make actions ints, strings or tuples of them",
                )
        if len(set(actions)) < len(actions):
            raise _FaultError(
                f"{call} holds {_shown(_most_frequent(actions))} more than once",
                "list each action once",
            )

    def check_labels(self, state: Any, actions: Sequence[Any]) -> None:
        labels = [self.ask("action_label", state, action) for action in actions]
        if len(set(labels)) < len(labels):
            raise _FaultError(
                f"action_label calls two legal actions of {_shown(state)} alike, "
                f"{_shown(_most_frequent(labels))}",
                "give each legal action a label of its own",
            )

    def check_text(self, state: Any) -> None:
        text = self.ask("text", state)
        if type(self.game).parse is Game.parse:
            self.notes["parse"] = "There is no parse method, so positions cannot be typed in."
            return
        parsed = self.ask("parse", text)
        if parsed != state:
            raise _FaultError(
                f"parse({_shown(text)}) answers {_shown(parsed)}, but it is text({_shown(state)})",
                "let parse read what text writes",
            )

    def check_move(self, state: Any, action: Any) -> Any:
        after = self.ask_state("play", state, action)
        if after == state:
            raise _FaultError(
                f"play({_shown(state)}, {_shown(action)}) answers an equal state",
                "let each move show in the new state, if only in who is to move",
            )
        return after

    def check_returns(self, call: str, returns: tuple[Any, ...]) -> None:
        if len(returns) != len(self.players):
            raise _FaultError(
                f"{call} answers {_shown(returns)}",
                f"return {len(self.players)} numbers, one for each name in players",
            )
        for number in returns:
            if type(number) is bool or not isinstance(number, int | float) or not abs(number) <= 1:
                raise _FaultError(
                    f"{call} answers {_shown(returns)}",
                    "return numbers from -1 (a loss) to 1 (a win)",
                )

    def check_replay(self, history: Sequence[Any], end: Any) -> None:
        state = self.ask("initial_state")
        for action in history:
            state = self.ask("play", state, action)
        if state != end:
            raise _FaultError(
                f"The same {len(history)} moves led to {_shown(end)} and then to {_shown(state)}",
                "keep all that changes during a game in the state, and nothing in the game object",
            )

    # The optional fast playout, held against the rules and against chance.

    def check_fast_playout(self) -> None:
        if getattr(self.game, "fast_playout", None) is None:
            return
        for state in self.crossroads[:3]:
            for _ in range(_REPLAYS):
                self.check_playout(state)
            self.check_first_moves(state)

    def fast_playout(self, state: Any) -> Playout:
        before = _inside((state,))
        call = f"fast_playout({_shown(state)}, random)"
        playout: Playout = self.ask_once("fast_playout", call, (state, self.rng))
        if _inside((state,)) != before:
            raise _FaultError(f"{call} changes its state", "let fast_playout work on a copy")
        if not isinstance(playout.actions, Sequence):
            raise _FaultError(f"{call} answers {_shown(playout)}", "let it list its actions")
        return playout

    def check_playout(self, start: Any) -> None:
        actions, returns = self.fast_playout(start)
        told = f"fast_playout({_shown(start)}, random) played {_shown(actions)}"
        state = start
        for number, action in enumerate(actions, 1):
            if self.ask("is_terminal", state) or action not in self.ask("legal_actions", state):
                raise _FaultError(
                    f"{told}, whose move {number} is not legal",
                    "let fast_playout follow legal_actions and stop where is_terminal is True",
                )
            state = self.ask("play", state, action)
        if not self.ask("is_terminal", state):
            raise _FaultError(
                f"{told}, which does not end the game", "let fast_playout play to the end"
            )
        if returns != self.ask("returns", state):
            raise _FaultError(
                f"{told} with the returns {_shown(returns)}, but returns({_shown(state)}) is "
                f"{_shown(self.game.returns(state))}",
                "let fast_playout answer the returns of the position it reaches",
            )

    def check_first_moves(self, state: Any) -> None:
        """Compare how often each action comes first with uniform play.

        By Bernstein's inequality a fair share strays by more than ``slack`` with a chance below
        ``_DOUBT``.
        """
        shares = Counter(self.fast_playout(state).actions[0] for _ in range(_DRAWS))
        actions = self.ask("legal_actions", state)
        fair, log = 1 / len(actions), math.log(2 / _DOUBT)
        slack = math.sqrt(2 * fair * (1 - fair) * log / _DRAWS) + 2 * log / (3 * _DRAWS)
        for action in _first(actions):
            share = shares[action] / _DRAWS
            if abs(share - fair) > slack:
                raise _FaultError(
                    f"fast_playout({_shown(state)}, random) begins with {_shown(action)} in "
                    f"{share:.1%} of {_DRAWS} playouts, where uniform play does in {fair:.1%}",
                    "let fast_playout draw each legal action with the same probability",
                )

    # Worth knowing without being wrong.

    def note_refusal(self, state: Any, actions: Sequence[Any]) -> None:
        """See what becomes of an action that is legal elsewhere."""
        if len(self.seen) < 100:
            self.seen.update(dict.fromkeys(_first(actions)[:100]))
        if "refusal" in self.notes or len(actions) > _MAX_ACTIONS:
            return
        for action in (action for action in self.seen if action not in actions):
            try:
                self.game.play(state, action)
                outcome = "answers a state"
            except GameError:
                return
            except Exception as error:
                outcome = f"raises {_told(error)}"
            self.notes["refusal"] = (
                f"play({_shown(state)}, {_shown(action)}) {outcome} although that action is not "
                "legal there; a GameError that says why would help whoever mistypes a move."
            )
            return

    def note_parameters(self) -> None:
        parameters = self.ask("parameters")
        try:
            rebuilt = type(self.game)(**json.loads(json.dumps(parameters)))
            equal = rebuilt.initial_state() == self.game.initial_state()
        except Exception:
            equal = False
        if not equal:
            self.notes["parameters"] = (
                f"From parameters(), {_shown(parameters)}, {self.name} does not build an equal "
                "game, so a saved trace cannot find its game again."
            )

    def note_games(self) -> None:
        if self.lengths:
            self.notes["games"] = (
                f"{len(self.lengths)} random games of {_span(self.lengths)} moves, with "
                f"{_span(self.branching)} legal actions at a time, were played to their end."
            )
            for idle in sorted(set(range(len(self.players))) - self.movers):
                self.notes[f"idle {idle}"] = f"{self.players[idle]} never had a move."
        if len(self.players) != 2 or any(abs(total) > 1e-9 for total in self.totals):
            self.notes["minimax"] = (
                "This is not a game of two players whose returns always add up to 0, so minimax "
                "does not apply to it."
            )


def _shown(value: object) -> str:
    return shown(value, most=100)


def _first(actions: Sequence[Any]) -> list[Any]:
    """As many of the ``actions`` as can be looked at; a sequence need not offer slices."""
    return [actions[i] for i in range(min(len(actions), _MAX_ACTIONS))]


def _listed(values: Sequence[object]) -> str:
    return ", ".join(map(_shown, values))


def _told(error: Exception) -> str:
    """An error in words, with the line of the author's code that raised it."""
    try:
        words = f"{type(error).__name__}({str(error)!r:.100})"
    except Exception:
        words = type(error).__name__
    last = traceback.extract_tb(error.__traceback__)[-1]
    return words if last.filename == __file__ else f"{words} at line {last.lineno}, in {last.name}"


def _inside(values: Sequence[object]) -> list[str]:
    """Texts that change when one of the ``values`` is changed in place."""
    return [f"{value!r} {getattr(value, '__dict__', '')!r}" for value in values]


def _hash(value: object) -> int | None:
    try:
        return hash(value)
    except Exception:
        return None


def _mutable_part(value: object) -> object | None:
    """The first part of ``value`` that is of a well-known mutable type, or None."""
    if isinstance(value, list | dict | set | bytearray):
        return value
    parts = value if isinstance(value, tuple | frozenset) else ()
    return next((part for part in map(_mutable_part, parts) if part is not None), None)


def _most_frequent(values: Sequence[Hashable]) -> Hashable:
    return Counter(values).most_common(1)[0][0]


def _span(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low} to {high}"
