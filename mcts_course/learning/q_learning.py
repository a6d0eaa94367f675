"""Q-learning: a table of values for every position, instead of a search.

Source: Watkins (1989); in the notation of Sutton and Barto, "Reinforcement Learning: An
Introduction" (2018), section 6.5. Here the learner plays both sides of a game of two players
where one wins what the other loses, and improves one table from both of them (self-play).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable
from copy import copy
from typing import Any, NamedTuple

from mcts_viz.errors import require
from mcts_viz.games import Game
from mcts_viz.games.turns import largest
from mcts_viz.search.checks import (
    check_in_play,
    check_two_players,
    explain_game_error,
    player_to_move,
    require_number,
    require_whole,
    resolve_seed,
    utility,
)
from mcts_viz.search.policies import LONGEST_GAME, endless
from mcts_viz.search.running import progress_bar, rare_collections

from ..show.figures import Figure, look, new_figure


class Checkpoint(NamedTuple):
    """A point of the learning curve."""

    episodes: int
    """Games played so far."""
    positions: int
    """Positions in the table."""
    score: float | None
    """The result of ``measure(learner)``, if there is one."""


class QLearner:
    """Learns ``Q(state, action)`` by playing against itself, and plays what it has learned.

    ``Q(s, a)`` is the value of action ``a`` for the player to move in ``s``, in [-1, 1]: 1 is a
    win, -1 a loss; 0 before anything is known. After ``a`` has led to the position ``s'``::

        Q(s, a) += alpha * (target - Q(s, a))

    where ``target`` is what the player to move gets if the game is over in ``s'``, and else the
    best ``Q(s', a')``: as it is if the same player moves in ``s'``, with the sign changed if the
    opponent does, whose gain is a loss here.

    ``alpha`` is in (0, 1]. With probability ``epsilon``, in [0, 1], a move of the training is any
    legal one, else a best one so far. Both may be changed between two trainings. The same
    ``seed`` gives the same table on every machine.

    A learner is a player: ``learner(state)`` is the action of the highest value, of equals one at
    random; in a position that it has never met, any legal action. Raises ``SearchError`` for what
    cannot be.
    """

    name = "Q-learning"

    def __init__(
        self,
        game: Game[Any, Any],
        *,
        alpha: float = 0.5,
        epsilon: float = 0.3,
        seed: int | None = None,
    ) -> None:
        check_two_players(game, "Q-learning against itself is for two")
        require_number("alpha", alpha)
        require_number("epsilon", epsilon)
        self.game = game
        self.alpha, self.epsilon = float(alpha), float(epsilon)
        self.seed = resolve_seed(seed)
        self.episodes = 0
        self.curve: list[Checkpoint] = []
        self._values: dict[Any, list[float]] = {}  # by position, in the order of its legal actions
        self._random = random.Random(self.seed)

    # Playing ---------------------------------------------------------------------------------

    def __call__(self, state: Hashable) -> Any:
        values = self.action_values(state)
        return list(values)[_best(list(values.values()), self._random)]

    def fresh(self, seed: int) -> QLearner:
        """A player with the same table, that draws with ``seed``."""
        player = copy(self)
        player._random = random.Random(seed)
        return player

    def knows(self, state: Hashable) -> bool:
        """True if it has met this position, which is in play, while learning."""
        return state in self._values

    @property
    def positions(self) -> int:
        """The number of positions in the table."""
        return len(self._values)

    def action_values(self, state: Hashable) -> dict[Any, float]:
        """``Q`` of every legal action, for the player to move; zeros where nothing is known."""
        check_in_play(self.game, state)
        actions = self.game.legal_actions(state)
        return dict(zip(actions, self._values.get(state, [0.0] * len(actions)), strict=True))

    def __repr__(self) -> str:
        return (
            f"Q-learning of {self.game.name}: {self.episodes:,} games against itself, "
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
        """Play ``episodes`` games against itself, learn from every move, and return the learner.

        ``curve`` gets a :class:`Checkpoint` after each ``every`` games (at fifty places if it is
        not given), where ``measure`` is asked for a score. An interrupt is passed on, and what has
        been learned stays. A training may be continued by another.
        """
        require_whole("episodes", episodes, 1)
        every = max(1, episodes // 50) if every is None else every
        require_whole("every", every, 1)
        with progress_bar(episodes, progress, "games") as show, rare_collections():
            for done in range(1, episodes + 1):
                with explain_game_error(self.game):
                    self._episode()
                self.episodes += 1
                if done % every == 0 or done == episodes:
                    score = measure(self) if measure else None
                    self.curve.append(Checkpoint(self.episodes, self.positions, score))
                show(done)
        return self

    def _episode(self) -> None:
        """Play one game, and learn from every move of it."""
        game = self.game
        draw = random.Random(f"{self.seed} {self.episodes}")
        state = game.initial_state()
        values = self._met(state)
        moves = 0
        while values:
            moves += 1
            if moves > LONGEST_GAME:
                raise endless(game)
            to_move = player_to_move(game, state)
            explores = draw.random() < self.epsilon
            chosen = int(draw.random() * len(values)) if explores else _best(values, draw)
            state = game.play(state, game.legal_actions(state)[chosen])
            after = [] if game.is_terminal(state) else self._met(state)
            target = self._target(state, after, to_move)
            values[chosen] += self.alpha * (target - values[chosen])
            values = after

    def _target(self, state: Hashable, values: list[float], player: int) -> float:
        """Return what ``state`` is worth to ``player``, who has just moved there, in [-1, 1].

        ``values`` holds what the table says of its moves; it is empty if the game is over.
        """
        if not values:
            gain = utility(self.game, state) / largest(self.game)
            return gain if player == 0 else -gain
        best = max(values)
        return best if self.game.to_move(state) == player else -best

    def _met(self, state: Hashable) -> list[float]:
        """The values of a position in play; zeros if it is new."""
        if state not in self._values:
            self._values[state] = [0.0] * len(self.game.legal_actions(state))
        return self._values[state]


def _best(values: list[float], draw: random.Random) -> int:
    """The place of the highest value; of equals one at random."""
    highest = max(values)
    if values.count(highest) == 1:
        return values.index(highest)
    return draw.choice([place for place, value in enumerate(values) if value == highest])


def plot_learning(learner: QLearner) -> Figure:
    """The learning curve: positions met, and the score if measured.

    Raises ``SearchError`` if the learner has not been trained.
    """
    right = isinstance(learner, QLearner) and learner.curve
    require(right, "learner", "a QLearner that has been trained", learner)
    shown: dict[str, list[tuple[int, float]]] = {
        "positions in the table": [(point.episodes, point.positions) for point in learner.curve]
    }
    if scores := [(p.episodes, p.score) for p in learner.curve if p.score is not None]:
        shown["score"] = scores
    figure, row = new_figure(3.4 * len(shown), 2.8, len(shown))
    for place, (axes, (label, points)) in enumerate(zip(row, shown.items(), strict=True)):
        axes.plot(
            *zip(*points, strict=True), color=look(place)["color"], linewidth=1.6, label=label
        )
        axes.set_title(label, fontsize=10)
        axes.set_xlabel("games against itself")
        axes.set_xlim(left=0)
        axes.locator_params(axis="x", nbins=4)
        axes.set_ylim(bottom=min(0, *(value for _, value in points)))
    return figure
