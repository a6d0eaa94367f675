"""The exact mean of random games, which flat Monte Carlo estimates."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final

from mcts_viz.errors import SearchError
from mcts_viz.games import Game, Returns
from mcts_viz.games.protocol import State
from mcts_viz.search import solve
from mcts_viz.search.checks import (
    check_start,
    check_two_players,
    check_without_luck,
    player_to_move,
)
from mcts_viz.search.running import exact_play
from mcts_viz.search.solver import Solver
from mcts_viz.search.variants import Consideration

from ..show.tables import Table

LIMIT: Final = 500_000
"""The most positions that are looked at."""


class RandomPlay:
    """A game of random players, each legal move with the same chance.

    With ``choices``, only the moves that the first of them with an opinion considers have a chance.
    Every position is computed once, however many moves lead to it.
    """

    def __init__(self, game: Game[Any, Any], *choices: Consideration) -> None:
        check_without_luck(game, "The exact mean of random games")
        self.game, self.choices = game, choices
        self._known: dict[Any, Returns] = {}

    @property
    def positions(self) -> tuple[Any, ...]:
        """The positions gone through by now."""
        return tuple(self._known)

    def returns(self, state: Hashable) -> Returns:
        """The mean result of each player after ``state``, in [-1, 1].

        Raises ``SearchError`` for a game that is too large to be gone through.
        """
        if state not in self._known:
            if len(self._known) >= LIMIT:
                raise SearchError(
                    f"{self.game.name} has more than {LIMIT:,} positions from here, too many for "
                    "an exact mean: let random_playout estimate it."
                )
            self._known[state] = self._returns(state)
        return self._known[state]

    def _returns(self, state: Hashable) -> Returns:
        game = self.game
        if game.is_terminal(state):
            return game.returns(state)
        legal = game.legal_actions(state)
        opinions = (choice(game, state, legal) for choice in self.choices)
        considered = next((some for some in opinions if len(some) < len(legal)), legal)
        after = [self.returns(game.play(state, action)) for action in considered]
        return tuple(sum(values) / len(after) for values in zip(*after, strict=True))

    def rewards(self, state: Hashable) -> dict[Any, float]:
        """For each move: its player's mean reward, in [0, 1], if play after it is random."""
        with exact_play(self.game, state):
            self.returns(state)  # of all positions after this one
        game, player = self.game, player_to_move(self.game, state)
        return {
            action: (self.returns(game.play(state, action))[player] + 1) / 2
            for action in game.legal_actions(state)
        }


def _how_it_ends(value: float) -> str:
    """The end of a game, by its exact value for the player to move."""
    if value == 0:
        return "draw"
    return "win" if value > 0 else "loss"


def random_and_exact(game: Game[State, Any], state: State | None = None) -> Table:
    """For each move: its exact mean in random games, how perfect play ends, and what refutes it.

    ``favourite`` is the move that random games like best, ``best`` one of perfect play.
    """
    check_two_players(game)
    random = RandomPlay(game)
    start = game.initial_state() if state is None else state
    check_start(game, start)
    means, values = random.rewards(start), solve(game, start).action_values
    rows = []
    for move in sorted(means, key=lambda move: -means[move]):
        word = _how_it_ends(values[move])
        replies = solve(game, game.play(start, move)).best_actions if word == "loss" else ()
        rows.append((move, f"{means[move]:.3f}", word, ", ".join(map(str, replies))))
    best = max(values, key=lambda move: values[move])
    heads = ("move", "mean of random games", "with perfect play", "refuted by")
    return Table(heads, rows, favourite=rows[0][0], best=best)


def find_traps(game: Game[State, Any], state: State | None = None) -> dict[Any, Any]:
    """The traps reachable from ``state`` (the game's start): each position with its tempting move.

    The move has a higher mean in random games than each move of perfect play, and gives something
    away. Raises ``SearchError`` for a game that is too large, or not one for minimax.
    """
    check_two_players(game)
    start = game.initial_state() if state is None else state
    play = RandomPlay(game)
    solver = Solver(game)
    found = {}
    with exact_play(game, start):
        play.returns(start)  # which goes through all positions
    for position in play.positions:
        if not game.is_terminal(position):
            rewards = play.rewards(position)
            tempting = max(rewards, key=lambda action: rewards[action])
            best = max(rewards[action] for action in solver.solve(position).best_actions)
            if rewards[tempting] > best + 1e-9:
                found[position] = tempting
    return found
