"""The exact mean of random games, which flat Monte Carlo estimates."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from mcts_viz.errors import SearchError
from mcts_viz.games import Game, Returns
from mcts_viz.search import solve
from mcts_viz.search.checks import check_rules, check_two_players
from mcts_viz.search.running import exact_play
from mcts_viz.search.solver import Solver

from .tables import Table

LIMIT: Final = 500_000
"""The most positions that are looked at."""


class RandomPlay:
    """A game of random players, each legal move with the same chance.

    Every position is computed once, however many moves lead to it.
    """

    def __init__(self, game: Game[Any, Any]) -> None:
        check_rules(game)
        self.game = game
        self._known: dict[Any, Returns] = {}

    @property
    def positions(self) -> tuple[Any, ...]:
        """The positions gone through by now."""
        return tuple(self._known)

    def returns(self, state: Any) -> Returns:
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

    def _returns(self, state: Any) -> Returns:
        game = self.game
        if game.is_terminal(state):
            return game.returns(state)
        after = [self.returns(game.play(state, action)) for action in game.legal_actions(state)]
        return tuple(sum(values) / len(after) for values in zip(*after, strict=True))

    def rewards(self, state: Any) -> dict[Any, float]:
        """By move: the mean reward of who makes it, in [0, 1], if all is random after it."""
        self.returns(state)  # of all positions after this one
        game, player = self.game, self.game.to_move(state)
        return {
            action: (self.returns(game.play(state, action))[player] + 1) / 2
            for action in game.legal_actions(state)
        }


def random_and_exact(game: Game[Any, Any], state: Any = None) -> Table:
    """By move: its exact mean in random games, how perfect play ends, and what refutes it.

    ``favourite`` is the move that random games like best, ``best`` one of perfect play.
    """
    start = game.initial_state() if state is None else state
    means, values = RandomPlay(game).rewards(start), solve(game, start).action_values
    rows = []
    for move in sorted(means, key=lambda move: -means[move]):
        word = "win" if values[move] > 0 else "loss" if values[move] < 0 else "draw"
        replies = solve(game, game.play(start, move)).best_actions if word == "loss" else ()
        rows.append((move, f"{means[move]:.3f}", word, ", ".join(map(str, replies))))
    best = max(values, key=lambda move: values[move])
    heads = ("move", "mean of random games", "with perfect play", "refuted by")
    return Table(heads, rows, favourite=rows[0][0], best=best)


class Trap(NamedTuple):
    """A position where the move that random games like best gives away what perfect play has."""

    state: Any
    tempting: Any
    """The move with the highest mean reward in random games."""
    lead: float
    """By how much its mean reward is above that of the best move that gives nothing away."""
    value: float
    """The value of the position for the player to move in perfect play, in [-1, 1]."""
    left: float
    """The value that is left after the tempting move."""


def find_traps(game: Game[Any, Any], state: Any = None) -> list[Trap]:
    """All positions reachable from ``state`` (the game's start) that mislead random games.

    The clearest come first: those that give away most, then those with the largest lead. Raises
    ``SearchError`` for a game that is too large, or not one for minimax.
    """
    check_two_players(game)
    start = game.initial_state() if state is None else state
    play, solver = RandomPlay(game), Solver(game)
    with exact_play(game, start):
        play.returns(start)  # which goes through all positions
    in_play = [state for state in play.positions if not game.is_terminal(state)]
    found = [trap for state in in_play if (trap := _trap(play, solver, state))]
    return sorted(found, key=lambda trap: (trap.left - trap.value, -trap.lead))


def _trap(play: RandomPlay, solver: Solver, state: Any) -> Trap | None:
    rewards, solution = play.rewards(state), solver.solve(state)
    values = solution.action_values
    tempting = max(rewards, key=lambda action: rewards[action])
    lead = rewards[tempting] - max(rewards[action] for action in solution.best_actions)
    if lead <= 1e-9:
        return None
    return Trap(state, tempting, lead, solution.value, values[tempting])
