"""Q-learning with a table: what a learner remembers of every position, instead of a search.

Source: Watkins (1989); in the notation of Sutton and Barto, "Reinforcement Learning: An
Introduction" (2018), section 6.5. Here the learner plays both sides of a game of two players
where one wins what the other loses, and improves one table from both of them (self-play).
"""

from __future__ import annotations

import json
import random
from array import array
from collections.abc import Callable, Mapping
from copy import copy
from numbers import Real
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from mcts_viz.errors import MctsVizError, SearchError, shown
from mcts_viz.games import Game, game_from_parameters
from mcts_viz.search.agents import check_in_play
from mcts_viz.search.checks import checked_seed, is_whole
from mcts_viz.search.collector import rare_collections
from mcts_viz.search.interrupts import StopRequest
from mcts_viz.search.positions import check_state, check_two_players, utility
from mcts_viz.search.progress import Progress
from mcts_viz.search.saving import Kind, reason

__all__ = ["Checkpoint", "QLearner", "Schedule"]

KIND: Final = Kind("learner", "mcts_viz Q-learner", "learner.save(...)", SearchError)
VERSION: Final = 1

Schedule: TypeAlias = float | tuple[float, float]
"""A number, or the numbers at the first and the last episode, with a straight line between."""


class Checkpoint(NamedTuple):
    """A point of the learning curve."""

    episodes: int
    """Games played so far."""
    positions: int
    """Positions in the table."""
    error: float
    """Mean size of target minus value in the moves since the checkpoint before, in [0, 2]."""
    score: float | None
    """What ``measure(learner)`` answered, if it was asked."""


class QLearner:
    """Learns ``Q(state, action)`` by playing against itself, and plays what it has learned.

    ``Q(s, a)`` is the value of action ``a`` for the player to move in ``s``, in [-1, 1]: 1 is a
    win, -1 a loss; 0 before anything is known. After ``a`` has led to the position ``s'``::

        Q(s, a) += alpha * (target - Q(s, a))

    where ``target`` is what the mover gets if the game is over in ``s'``, and else ``gamma`` times
    the best ``Q(s', a')``: as it is if the same player moves in ``s'``, with the sign changed if
    the opponent does, whose gain is the mover's loss.

    ``alpha`` is in (0, 1], ``gamma`` in [0, 1]; below 1 it prefers a win that comes sooner. With
    probability ``epsilon``, in [0, 1], a move of the training is any legal one, else a best one so
    far. Both ``alpha`` and ``epsilon`` may be a pair: their values at the first and at the last
    game of a training. The same ``seed`` gives the same table on every machine.

    A learner is a player: ``learner(state)`` is the action of the highest value, of equals one at
    random; in a position that it has never met, any legal action. ``asked`` and ``unknown`` count
    how often it moved, and how often in such a position. Raises ``SearchError`` for what cannot be.
    """

    name = "Q-learning"

    def __init__(
        self,
        game: Game[Any, Any],
        *,
        alpha: Schedule = 0.5,
        gamma: float = 1.0,
        epsilon: Schedule = 0.3,
        seed: int | None = None,
    ) -> None:
        check_two_players(game)
        self.game = game
        self.alpha = _checked("alpha", alpha, positive=True)
        self.epsilon = _checked("epsilon", epsilon)
        self.gamma = _number("gamma", gamma)
        given = checked_seed(seed)
        self.seed = random.SystemRandom().randrange(2**32) if given is None else given
        self.episodes = 0
        self.interrupted = False
        """Whether the user stopped the last training."""
        self.curve: list[Checkpoint] = []
        self._numbers: dict[Any, int] = {}  # of the positions in play, in the order of meeting
        self._values: list[list[float]] = []  # by number; in the order of the legal actions
        self._parents = array("q")  # by number: from which position, and by which of its
        self._moves = array("q")  # actions, it was first met: so a file needs no positions
        self._random = random.Random(self.seed)
        self.asked = self.unknown = 0

    # Playing ---------------------------------------------------------------------------------

    def __call__(self, state: Any) -> Any:
        number = self._known(state)
        self.asked += 1
        if number is None:
            check_in_play(self.game, state)
            self.unknown += 1
            return self._random.choice(self.game.legal_actions(state))
        return self.game.legal_actions(state)[_best(self._values[number], self._random)]

    def fresh(self, seed: int) -> QLearner:
        """A player with the same table, that draws with ``seed`` and counts from 0."""
        twin = copy(self)
        twin._random = random.Random(seed)
        twin.asked = twin.unknown = 0
        return twin

    def knows(self, state: Any) -> bool:
        """Whether it has met this position, which is in play, while learning."""
        return self._known(state) is not None

    def _known(self, state: Any) -> int | None:
        """The number of a position that it has met."""
        try:
            return self._numbers.get(state)
        except TypeError:
            check_state(self.game, state)  # which says what is wrong
            raise

    @property
    def positions(self) -> int:
        """How many positions the table holds."""
        return len(self._numbers)

    def action_values(self, state: Any) -> dict[Any, float]:
        """``Q`` of every legal action, for the player to move; zeros where nothing is known."""
        number = self._known(state)
        check_in_play(self.game, state)
        actions = self.game.legal_actions(state)
        values = [0.0] * len(actions) if number is None else self._values[number]
        return dict(zip(actions, values, strict=True))

    def __repr__(self) -> str:
        stopped = ", stopped by the user" if self.interrupted else ""
        return (
            f"Q-learning of {self.game.name}: {self.episodes:,} games against itself{stopped}, "
            f"{self.positions:,} positions, seed {self.seed}"
        )

    # Learning --------------------------------------------------------------------------------

    def train(
        self,
        episodes: int,
        *,
        measure: Callable[[QLearner], float] | None = None,
        every: int | None = None,
        progress: bool | None = None,
    ) -> QLearner:
        """Play so many games against itself, and learn from every move; answers with itself.

        ``curve`` gets a :class:`Checkpoint` every so many games (at fifty places if ``every`` is
        not given), where ``measure`` is asked for a score. An interrupt ends the training between
        two games, and what has been learned stays. A training may be continued by another; then
        schedules begin anew.
        """
        _check_counts(episodes=episodes, every=1 if every is None else every)
        every = max(1, episodes // 50) if every is None else every
        stop = StopRequest(QLearner._episode.__code__, QLearner._meet.__code__)
        errors, steps = 0.0, 0
        with stop, Progress(episodes, progress, unit="games") as bar, rare_collections():
            for done in range(episodes):
                if stop.requested:
                    break
                share = done / (episodes - 1) if episodes > 1 else 0.0
                error, moves = self._episode(_at(self.alpha, share), _at(self.epsilon, share))
                self.episodes += 1
                errors, steps = errors + error, steps + moves
                if (done + 1) % every == 0 or done + 1 == episodes:
                    score = measure(self) if measure else None
                    self.curve.append(
                        Checkpoint(self.episodes, self.positions, errors / steps, score)
                    )
                    errors, steps = 0.0, 0
                bar.show(done + 1)
        self.interrupted = stop.requested
        return self

    def _episode(self, alpha: float, epsilon: float) -> tuple[float, int]:
        """Play and learn one game; answers with the sum of the errors' sizes, and the steps."""
        game, draw = self.game, random.Random(f"{self.seed} {self.episodes}")
        state, errors, steps = game.initial_state(), 0.0, 0
        number = self._number(state, -1, 0)
        while True:
            values, mover = self._values[number], game.to_move(state)
            if draw.random() < epsilon:
                chosen = int(draw.random() * len(values))
            else:
                chosen = _best(values, draw)
            state = game.play(state, game.legal_actions(state)[chosen])
            over = game.is_terminal(state)
            if over:
                gain = utility(game, state)
                target = gain if mover == 0 else -gain
            else:
                number = self._number(state, number, chosen)
                sign = 1.0 if game.to_move(state) == mover else -1.0
                target = self.gamma * sign * max(self._values[number])
            error = target - values[chosen]
            values[chosen] += alpha * error
            errors, steps = errors + abs(error), steps + 1
            if over:
                return errors, steps

    def _number(self, state: Any, parent: int, move: int) -> int:
        number = self._numbers.get(state)
        return self._meet(state, parent, move) if number is None else number

    def _meet(self, state: Any, parent: int, move: int) -> int:
        """Give a position in play a place in the table."""
        number = len(self._numbers)
        self._values.append([0.0] * len(self.game.legal_actions(state)))
        self._parents.append(parent)
        self._moves.append(move)
        self._numbers[state] = number
        return number

    # Files -----------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write what it has learned as versioned JSON."""
        KIND.save(self.to_json(), path)

    @classmethod
    def load(cls, path: str | Path, game: Game[Any, Any] | None = None) -> QLearner:
        """Read what :meth:`save` wrote; a game of your own must be handed in.

        Nothing in the file is executed, and all of it is checked by the rules of the game.
        """
        return cls.from_json(KIND.text_of(path), game)

    def to_json(self) -> str:
        """The learner as text; equal learners give equal text."""
        document = {
            "format": KIND.format,
            "version": VERSION,
            "game": {"name": type(self.game).__name__, "parameters": self.game.parameters()},
            "settings": {
                "alpha": self.alpha,
                "gamma": self.gamma,
                "epsilon": self.epsilon,
                "seed": self.seed,
            },
            "episodes": self.episodes,
            "curve": self.curve,
            "positions": {"parent": self._parents.tolist(), "move": self._moves.tolist()},
            "values": self._values,
        }
        try:
            return json.dumps(document, separators=(",", ":"), allow_nan=False)
        except (TypeError, ValueError) as error:
            raise SearchError(
                f"The learner of {self.game.name} cannot be saved ({reason(error)}): let the "
                "game's parameters and the scores of measure be JSON values."
            ) from None

    @classmethod
    def from_json(cls, text: str, game: Game[Any, Any] | None = None) -> QLearner:
        """The learner that ``text`` holds; ``SearchError`` with the first thing that is wrong."""
        document = KIND.document(text)
        if document.get("version") != VERSION or document["version"] is True:
            raise SearchError(
                f"The learner has version {shown(document.get('version'))}, but this mcts_viz "
                f"reads version {VERSION}: use the mcts_viz that wrote it, or train it again."
            )
        game = _game_of(document.get("game"), game)
        settings = document.get("settings")
        if not isinstance(settings, dict) or settings.keys() != {
            "alpha",
            "gamma",
            "epsilon",
            "seed",
        }:
            raise _broken(f"'settings' is {shown(settings)}")
        try:
            learner = cls(game, **{key: _pair(value) for key, value in settings.items()})
        except MctsVizError as error:
            raise _broken(reason(error)) from None
        learner._read(document)
        return learner

    def _read(self, document: Mapping[str, Any]) -> None:
        self.episodes = _count("episodes", document.get("episodes"))
        self.curve = [_checkpoint(entry) for entry in _list(document.get("curve"), "curve")]
        positions = document.get("positions")
        if not isinstance(positions, dict):
            raise _broken(f"'positions' is {shown(positions)}")
        values = _list(document.get("values"), "values")
        parents = _list(positions.get("parent"), "positions.parent", len(values))
        moves = _list(positions.get("move"), "positions.move", len(values))
        states: list[Any] = []
        for number, (parent, move, row) in enumerate(zip(parents, moves, values, strict=True)):
            states.append(self._place(number, parent, move, states))
            self._take(number, row)

    def _place(self, number: int, parent: Any, move: Any, states: list[Any]) -> Any:
        """The position of that number, put into the table; found by a move from an earlier one."""
        game = self.game
        if number == 0:
            if (parent, move) != (-1, 0):
                raise _broken("its first position is not the game's start")
            state = game.initial_state()
        else:
            if type(parent) is not int or not 0 <= parent < number:
                raise _broken(f"position {number} comes from {shown(parent)}, no earlier one")
            if type(move) is not int or not 0 <= move < len(self._values[parent]):
                raise _broken(f"position {number} comes by the move {shown(move)}, not there")
            state = game.play(states[parent], game.legal_actions(states[parent])[move])
        if game.is_terminal(state) or state in self._numbers:
            raise _broken(f"position {number}, {game.text(state)!r}, is over or there twice")
        self._meet(state, parent, move)
        return state

    def _take(self, number: int, row: Any) -> None:
        """The values of a position, which must be as many as it has moves."""
        here = self._values[number]
        if not isinstance(row, list) or len(row) != len(here):
            raise _broken(f"position {number} has {len(here)} moves, but {shown(row)} as values")
        for value in row:
            if type(value) not in (int, float) or not -1 <= value <= 1:
                raise _broken(f"a value of position {number} is {shown(value)}, not in [-1, 1]")
        here[:] = map(float, row)


def _best(values: list[float], draw: random.Random) -> int:
    """The place of the highest value; of equals one at random."""
    highest = max(values)
    if values.count(highest) == 1:
        return values.index(highest)
    return draw.choice([place for place, value in enumerate(values) if value == highest])


def _at(schedule: Schedule, share: float) -> float:
    """What a schedule says when that share of the training is over."""
    if not isinstance(schedule, tuple):
        return schedule
    first, last = schedule
    return first + (last - first) * share


# Bad input ---------------------------------------------------------------------------------


def _checked(name: str, schedule: Schedule, positive: bool = False) -> Schedule:
    if isinstance(schedule, tuple | list) and len(schedule) == 2:
        return _number(name, schedule[0], positive), _number(name, schedule[1], positive)
    return _number(name, schedule, positive)


def _number(name: str, value: Any, positive: bool = False) -> float:
    right = isinstance(value, Real) and not isinstance(value, bool)
    if not right or not 0 <= value <= 1 or (positive and value == 0):
        limits = "above 0 and at most 1" if positive else "from 0 to 1"
        pairs = "" if name == "gamma" else ", or a pair of such numbers"
        raise SearchError(f"{name} is {shown(value)}, but it is a number {limits}{pairs}.")
    return float(value)


def _check_counts(**counts: object) -> None:
    for name, value in counts.items():
        if not is_whole(value) or value < 1:
            raise SearchError(f"{name} is {shown(value)}, but it is a number of games, at least 1.")


# Damaged files -----------------------------------------------------------------------------


def _broken(what: str) -> SearchError:
    return SearchError(f"The saved learner is damaged: {what}. Save it again, or train it again.")


def _game_of(saved: Any, game: Game[Any, Any] | None) -> Game[Any, Any]:
    saved = saved if isinstance(saved, dict) else {}
    name, parameters = saved.get("name"), saved.get("parameters")
    if not isinstance(name, str) or not isinstance(parameters, dict):
        raise _broken("it does not say of which game it is")
    if game is None:
        try:
            return game_from_parameters(name, parameters)
        except MctsVizError as error:
            raise SearchError(
                f"The learner is of the game {shown(name)}, which cannot be built here "
                f"({reason(error)}): hand it in, QLearner.load(path, game=...)."
            ) from None
    if (type(game).__name__, game.parameters()) != (name, parameters):
        raise SearchError(
            f"The learner is of the game {shown(name)} with {shown(parameters)}, not of "
            f"{game.name}: hand in the game that it has learned."
        )
    return game


def _pair(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _list(value: Any, name: str, length: int | None = None) -> list[Any]:
    if not isinstance(value, list) or length not in (None, len(value)):
        entries = "" if length is None else f" of {length} entries"
        raise _broken(f"{name!r} is {shown(value)}, not a list{entries}")
    return value


def _count(name: str, value: Any) -> int:
    if type(value) is not int or value < 0:
        raise _broken(f"{name!r} is {shown(value)}, not a whole number of at least 0")
    return value


def _checkpoint(entry: Any) -> Checkpoint:
    if not isinstance(entry, list) or len(entry) != len(Checkpoint._fields):
        raise _broken(f"an entry of 'curve' is {shown(entry)}")
    episodes, positions, error, score = entry
    if any(type(n) not in (int, float) or n != n for n in (error, 0 if score is None else score)):
        raise _broken(f"an entry of 'curve' is {shown(entry)}")
    return Checkpoint(_count("curve", episodes), _count("curve", positions), error, score)
