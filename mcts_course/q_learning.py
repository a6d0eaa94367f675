"""Q-learning with a table: what a learner remembers of every position, instead of a search.

Source: Watkins (1989); in the notation of Sutton and Barto, "Reinforcement Learning: An
Introduction" (2018), section 6.5. Here the learner plays both sides of a game of two players
where one wins what the other loses, and improves one table from both of them (self-play).
"""

from __future__ import annotations

import json
import random
import sys
from array import array
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from mcts_viz.errors import MctsVizError, SearchError, reason, shown
from mcts_viz.games import Game
from mcts_viz.search.agents import check_in_play
from mcts_viz.search.checks import is_whole, picked_seed, require_number, require_whole
from mcts_viz.search.collector import rare_collections
from mcts_viz.search.interrupts import StopRequest
from mcts_viz.search.positions import check_state, check_two_players, utility
from mcts_viz.search.progress import Progress
from mcts_viz.search.saving import Document, Kind

KIND: Final = Kind("learner", "mcts_viz Q-learner", "learner.save(...)", SearchError)
VERSION: Final = 1
SMALLEST: Final = sys.float_info.min

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
        require_number("gamma", gamma, 0, 1, " from 0 to 1")
        self.alpha = _checked("alpha", alpha, SMALLEST, " above 0 and at most 1")
        self.epsilon = _checked("epsilon", epsilon, 0, " from 0 to 1")
        self.gamma, self.seed = float(gamma), picked_seed(seed)
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
        require_whole("episodes", episodes, 1)
        every = max(1, episodes // 50) if every is None else every
        require_whole("every", every, 1)
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
        return cls.from_json(KIND.content_of(path), game)

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
    def from_json(cls, text: str | bytes, game: Game[Any, Any] | None = None) -> QLearner:
        """The learner that ``text`` holds; ``SearchError`` with the first thing that is wrong."""
        document = KIND.document(text, VERSION)
        saved = document.field("game", dict)
        game = document.game(game)
        if (type(game).__name__, game.parameters()) != (saved["name"], saved["parameters"]):
            raise SearchError(
                f"The learner knows {shown(saved['name'])} with {shown(saved['parameters'])}, not "
                f"{game.name}: load it with the game that it has learned."
            )
        settings = document.field("settings", dict)
        if settings.keys() != {"alpha", "gamma", "epsilon", "seed"}:
            raise document.broken(f"'settings' is {shown(settings)}")
        try:
            learner = cls(game, **settings)
            learner.episodes = require_whole("episodes", document.at("episodes"), 0)
        except MctsVizError as error:
            raise document.broken(reason(error)) from None
        learner._read(document)
        return learner

    def _read(self, document: Document) -> None:
        checkpoints = document.entries("curve", _is_checkpoint, "a checkpoint")
        self.curve = [Checkpoint(*entry) for entry in checkpoints]
        values = document.entries("values", _are_values, "a list of values from -1 to 1")
        parents = document.entries("positions.parent", is_whole, "a number", len(values))
        moves = document.entries("positions.move", is_whole, "a number", len(values))
        states: list[Any] = []
        for number, (parent, move, row) in enumerate(zip(parents, moves, values, strict=True)):
            state = self._state(number, parent, move, states)
            if state is None or self.game.is_terminal(state) or state in self._numbers:
                raise document.broken(f"position {number} is not there, is over or is there twice")
            self._meet(state, parent, move)
            states.append(state)
            here = self._values[number]
            document.require_length(f"values.{number}", row, len(here))
            here[:] = map(float, row)

    def _state(self, number: int, parent: int, move: int, states: list[Any]) -> Any:
        """The position that a move from an earlier one leads to; ``None`` if there is none."""
        if number == 0:
            return self.game.initial_state() if (parent, move) == (-1, 0) else None
        if not 0 <= parent < number or not 0 <= move < len(self._values[parent]):
            return None
        return self.game.play(states[parent], self.game.legal_actions(states[parent])[move])


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


def _checked(name: str, schedule: Schedule, least: float, limits: str) -> Schedule:
    pair = tuple(schedule) if isinstance(schedule, tuple | list) else (schedule,)
    for value in pair if len(pair) <= 2 else (schedule,):
        require_number(name, value, least, 1, f"{limits}, or a pair of such numbers")
    return (float(pair[0]), float(pair[1])) if len(pair) == 2 else float(pair[0])


# What a file may hold -----------------------------------------------------------------------


def _are_values(row: Any) -> bool:
    return isinstance(row, list) and all(
        type(value) in (int, float) and -1 <= value <= 1 for value in row
    )


def _is_checkpoint(entry: object) -> bool:
    match entry:
        case [episodes, positions, int() | float() as error, None | int() | float() as score]:
            known = error == error and score == score  # NaN is no measure
            return is_whole(episodes) and is_whole(positions) and known
    return False
