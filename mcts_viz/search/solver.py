"""Exact play: the value of every position under best play. The oracle beside the search.

Alpha-beta on scores that say who wins and how soon, with a table of what is known about the
positions met so far.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from ..errors import SearchError
from ..games import NATURE, Game, turns
from ..games.protocol import State
from .checks import check_one_or_two, no_action, player_to_move, remembered, utility
from .expectation import Expectations, needs_averages
from .running import exact_play, progress_bar, stop_if_asked

POSITIONS: Final = 800_000
"""New positions before a solver says that the game is too large: 20 seconds' work, in 300 MB.
It may remember as many of before."""
PROBE: Final = 32_768
"""New positions, within a second, after which the game is too large if all are ``FAR`` away."""
FAR: Final = 6
"""Moves from the position to be solved. A game that can be solved is at 3 or fewer by then."""

Score: TypeAlias = float
"""A value as a part of the largest, and when it comes: a gain is less by ``MOVE`` for every move
until the end, a loss is less bad, so winners hurry and losers delay. Moves are counted from the
position to be solved, so the score stays the same all along the line of play that leads to it."""
MOVE: Final = 2.0**-50
GRAIN: Final = 2.0**-36
"""Values nearer to each other than this are equal, so that moves never bridge two values."""
DRAWN: Final = GRAIN / 2
"""Scores nearer to 0 are draws. A draw scores the same whenever it comes."""

Known: TypeAlias = tuple[Score, Score, Any]
"""Bounds of a position's score, with moves counted from there, and the best action found."""
NOTHING: Final[Known] = (-2.0, 2.0, None)


@dataclass(frozen=True)
class Solution:
    """The truth about one position."""

    value: float
    """For the player to move, in the game's range: of a plain game 1 is a forced win, -1 a loss.

    Where luck plays it is the expected return; where nature moves, player 0's.
    """
    distance: int
    """Moves of the principal variation; winners hurry, and losers take their time."""
    best_actions: tuple[Any, ...]
    """Every move that keeps ``value``, in the game's order; empty when the game is over."""
    action_values: dict[Any, float]
    """The value of each legal move for the player who makes it, what the move pays included."""
    principal_variation: tuple[Any, ...]
    """Best play to the end, or up to the first move of nature; of equal moves always the first."""


class TooManyError(SearchError):
    """There are too many positions."""


class Solver:
    """Alpha-beta with a table of the positions already looked at (transpositions).

    For two players whose returns sum to zero, or one; with luck, rewards on the way or one player
    it works out all positions instead, see :mod:`mcts_viz.search.expectation`. How far it goes
    without these: any position of tic-tac-toe, of Nim
    with heaps up to (7, 7, 7) and more, and of Connect Four up to 4 by 5, that one from the empty
    board in five seconds; on 5 by 5, 6 by 6 and 6 by 7 positions with 14 empty cells or fewer in
    about a second at most. With 20 it may take seconds; with 24 the table may be full, after some
    twenty. ``limit`` bounds the positions that it adds to those it remembers; what is far beyond it
    is refused within a second or so, and from the second second on, a bar shows how many they are.

    Sources: Knuth and Moore (1975), "An analysis of alpha-beta pruning"; for the table Greenblatt
    et al. (1967), "The Greenblatt chess program", and Plaat et al. (1996), "Exploiting graph
    properties of game trees".
    """

    def __init__(self, game: Game[Any, Any], limit: int = POSITIONS) -> None:
        check_one_or_two(game)
        self.game = game
        self.limit = limit
        self._averages: Expectations | None = None
        if needs_averages(game):
            self._averages = Expectations(game, limit, self._too_many, self._found)
        self._table: dict[Any, Known] = {}
        self._largest = turns.largest(game)
        self._values: dict[Score, float] = {}
        self._show: Callable[[int], object] = int  # which does nothing, until there is a bar

    @property
    def positions(self) -> int:
        """Positions that it remembers."""
        return len(self._table if self._averages is None else self._averages)

    def solve(self, state: Hashable) -> Solution:
        """The exact value of ``state`` and the best moves; raises ``SearchError`` if too large."""
        if self.positions >= self.limit:
            (self._table if self._averages is None else self._averages).clear()
        self._before, self._most = self.positions, min(self.limit, PROBE)
        bar = progress_bar(self.limit, None, "positions")
        with bar as self._show, exact_play(self.game, state):
            return (
                self._solution(state)
                if self._averages is None
                else self._averaged(self._averages, state)
            )

    def _averaged(self, averages: Expectations, state: Hashable) -> Solution:
        """The solution of a game with luck, with rewards on the way, or for one player."""
        place = averages.place(state)
        sign = -1.0 if place.mover == 1 else 1.0
        steps = [] if place.mover == NATURE else place.steps
        values = {step.action: sign * step.worth() + 0.0 for step in steps}
        value = max(values.values(), default=sign * place.value) + 0.0
        best = tuple(action for action in values if averages.is_equal(values[action], value))
        line = tuple(averages.line(place))
        return Solution(value, len(line), best, values, line)

    def _solution(self, state: Hashable) -> Solution:
        game, sign = self.game, self._sign(state)
        if game.is_terminal(state):
            return Solution(sign * utility(game, state) + 0.0, 0, (), {}, ())
        score = self._search(state, 0, *NOTHING[:2])
        level = _level(sign * score)
        values = {
            action: self._value(sign, game.play(state, action), level)
            for action in self._actions(state)
        }
        value = self._values[level] + 0.0  # no negative zero
        best = tuple(action for action in values if values[action] == value)
        line = tuple(self._line(state, score))
        return Solution(value, len(line), best, values, line)

    # The search --------------------------------------------------------------------------------

    def _search(self, state: Hashable, ply: int, alpha: Score, beta: Score) -> Score:
        """The score of ``state`` for player 0, if between ``alpha`` and ``beta``; else a bound.

        The game is not over in ``state``, which ``ply`` moves have led to.
        """
        known = self._table.get(state, NOTHING)
        if known is not NOTHING:
            low, high = _later(known[0], ply), _later(known[1], ply)
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
        sign = self._sign(state)
        window = (alpha, beta) if sign > 0 else (-beta, -alpha)
        score, action = self._look_ahead(sign, state, known[2], ply + 1, *window)
        score *= sign
        if (
            abs(score) < 1 - (ply + 1) * MOVE
        ):  # else it wins by this move, which is found again as fast
            relative = _later(score, -ply)
            low = relative if score > alpha else known[0]
            high = relative if score < beta else known[1]
            self._remember(state, ply, (low, high, action))
        return score

    def _look_ahead(
        self, sign: float, state: Hashable, first: Any, ply: int, alpha: Score, beta: Score
    ) -> tuple[Score, Any]:
        """The best score for the player to move, and its action; ``first`` is tried first.

        If a child need not be searched, since the game is over there or the table knows enough,
        no other is searched.
        """
        beta = min(beta, 1 - ply * MOVE)  # a win by this move: nothing is better
        if alpha >= beta:
            return beta, first
        best, best_action = -2.0, first
        children: list[tuple[Any, Any]] = []
        for action in self._actions(state):
            child = self.game.play(state, action)
            if self.game.is_terminal(child):
                score = sign * self._final_score(child, ply)
            else:
                children.insert(0 if action == first else len(children), (action, child))
                known = self._table.get(child, NOTHING)
                if known is NOTHING:
                    continue
                score = _later(known[0] if sign > 0 else -known[1], ply)
            if score > best:
                best, best_action = score, action
                if best >= beta:
                    return best, best_action
        if best_action is None and not children:
            raise no_action(self.game, state)
        for action, child in children:
            score = self._seen_by(sign, child, ply, max(alpha, best), beta)
            if score > best:
                best, best_action = score, action
                if best >= beta:
                    break
        return best, best_action

    def _seen_by(self, sign: float, state: Hashable, ply: int, alpha: Score, beta: Score) -> Score:
        """The same as ``_search``, with all scores for the player of that ``sign``."""
        if sign > 0:
            return self._search(state, ply, alpha, beta)
        return -self._search(state, ply, -beta, -alpha)

    def _actions(self, state: Hashable) -> Iterable[Any]:
        """The legal moves; a subclass may look at its clock between them."""
        return self.game.legal_actions(state)

    def _sign(self, state: Hashable) -> float:
        """1 if player 0 is to move, -1 if player 1."""
        mover = self.game.to_move(state)
        if mover == 0:
            return 1.0
        if mover == 1:
            return -1.0
        return float(player_to_move(self.game, state))  # which raises an error

    def _final_score(self, state: Hashable, ply: int) -> Score:
        """For player 0, of a game that ended after ``ply`` moves."""
        value = utility(self.game, state)
        level = _level(value / self._largest)
        self._values.setdefault(level, value)
        self._values.setdefault(-level, -value)
        return _later(level, ply)

    def _remember(self, state: Hashable, ply: int, known: Known) -> None:
        self._table[state] = known
        if ply < FAR:
            self._most = self.limit
        found = len(self._table) - self._before
        if found > self._most:
            raise self._too_many()
        if not found & 4095:
            stop_if_asked()
            self._show(found)

    def _found(self, count: int) -> None:
        """So many positions were found by now."""
        self._show(count)

    def _too_many(self) -> TooManyError:
        many = f"{self.game.name} has more than {self.limit:,} positions from here"
        return TooManyError(
            f"{many}: take a smaller board or a later position, or Solver(game, limit)."
        )

    # What follows from it ----------------------------------------------------------------------

    def _bound(self, sign: float, state: Hashable, ply: int, score: Score) -> Score:
        """At least ``score`` if ``state`` is worth that to the player of ``sign``, else less."""
        if self.game.is_terminal(state):
            return sign * self._final_score(state, ply)
        return self._seen_by(sign, state, ply, score - MOVE, score)

    def _value(self, sign: float, child: Any, level: Score) -> float:
        """The value of a move to ``child`` for who makes it; it is of that ``level`` or lower."""
        while (bound := self._bound(sign, child, 1, level - DRAWN)) < level - DRAWN:
            level = _level(bound)
        return self._values[level] + 0.0

    def _line(self, state: Hashable, score: Score) -> Iterator[Any]:
        """Moves that keep the ``score``, which is player 0's, to the end of the game."""
        ply = 0
        while not self.game.is_terminal(state):
            sign = self._sign(state)
            before = state
            ply = ply + 1
            for action in self._actions(before):
                state = self.game.play(before, action)
                if self._bound(sign, state, ply, sign * score) >= sign * score:
                    yield action
                    break


def _level(score: Score) -> Score:
    """The value in a score, whenever it comes."""
    return round(score / GRAIN) * GRAIN


def _later(score: Score, moves: int) -> Score:
    """The score of a line of play before which so many moves are put."""
    if score > DRAWN:
        return score - moves * MOVE
    if score < -DRAWN:
        return score + moves * MOVE
    return score


_solver = remembered(8, Solver)


def solve(game: Game[State, Any], state: State) -> Solution:
    """The exact value of ``state`` for the player to move, and the best moves.

    >>> from mcts_viz import TicTacToe, solve
    >>> solve(TicTacToe(), TicTacToe().parse("XX. OO. ...")).best_actions
    (2,)

    Positions are remembered from call to call. Raises ``SearchError`` when the game is too large
    for that, or not a game of one player, or of two whose returns sum to zero. Where luck plays,
    values are averages over her outcomes; where steps pay, what they pay is counted.
    """
    return _solver(game).solve(state)
