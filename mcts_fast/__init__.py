"""The same search, compiled: some twenty times as fast, for tic-tac-toe and Connect Four.

    from mcts_fast import FastMCTS
    FastMCTS(ConnectFour(), seed=4).record(iterations=1_000_000)

It needs Numba, which ``pip install "mcts_viz[fast]"`` brings, and compiles for a few seconds when
it is first used.
"""

from __future__ import annotations

from math import inf, sqrt
from time import perf_counter
from typing import Any, Final

import numpy as np

from mcts_viz.errors import SearchError, door
from mcts_viz.games import ConnectFour, Game, TicTacToe
from mcts_viz.games.boards import DRAW, WIN_OF
from mcts_viz.search import MCTS, Node, SearchResult
from mcts_viz.search.checks import check_budget
from mcts_viz.search.running import Progress, interrupts
from mcts_viz.trace import Trace
from mcts_viz.trace.trace import Outcome, Playouts, Proofs

try:
    from . import engine
except ImportError as error:
    raise ImportError(
        f"{error}: pip install 'mcts_viz[fast]' brings what FastMCTS needs."
    ) from None

__all__ = ["FastMCTS"]

SLICE: Final = 4096
"""Iterations between two looks at the clock and at the stop button: a few milliseconds."""
ROOM: Final = 1_000_000
"""Iterations for which there is room at first, if there may be as many."""
OUTCOMES: Final = (*WIN_OF, DRAW)
"""The results by number: who has won, or 2 for a draw."""


class FastMCTS:
    """UCT with the default policies of :class:`mcts_viz.MCTS`, compiled.

    The same ``seed`` grows the same tree as there. Raises ``SearchError`` for games other than
    tic-tac-toe and Connect Four, and for boards of more than 63 bits.
    """

    @door
    def __init__(self, game: Game[Any, Any], c: float = sqrt(2), seed: int | None = None) -> None:
        self._search = MCTS(game, c, seed)
        large = isinstance(game, ConnectFour) and (game.rows + 1) * game.columns > 63
        if type(game) not in (TicTacToe, ConnectFour) or large:
            raise SearchError(
                f"FastMCTS does not know {game.name}{' of this size' * large}, but TicTacToe and "
                "ConnectFour up to 7 by 7: take MCTS."
            )
        self.game, self.c, self.seed = game, self._search.c, self._search.seed

    @door
    def search(
        self,
        state: Any = None,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        progress: bool | None = None,
    ) -> SearchResult:
        """Search from ``state``; of the tree, the result keeps the root and its children.

        Budget and interrupts are those of :meth:`mcts_viz.MCTS.search`.
        """
        grown = self._grow(state, iterations, seconds, progress)
        root, rule = grown.result_root(), self._search.recommendation
        return SearchResult(self.game, root, grown.done, grown.seconds, grown.interrupted, rule)

    @door
    def record(
        self,
        state: Any = None,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        progress: bool | None = None,
    ) -> Trace:
        """Search from ``state``, and return the trace, from which every moment comes back."""
        return self._grow(state, iterations, seconds, progress).trace(self._search.but())

    def _grow(
        self, state: Any, iterations: int | None, seconds: float | None, progress: bool | None
    ) -> _Grown:
        check_budget(iterations, seconds)
        grown, begun = _Grown(self._search, state), perf_counter()
        with interrupts() as stop, Progress(iterations, progress) as bar:
            while grown.done != iterations and not stop.requested:
                grown.run((iterations or inf) - grown.done)
                grown.seconds = perf_counter() - begun
                if seconds is not None and grown.seconds >= seconds:
                    break
                bar.show(grown.done)
        grown.interrupted = stop.requested
        return grown


class _Grown:
    """A tree that grows by compiled iterations, and what a trace tells of them."""

    seconds = 0.0
    interrupted = False

    def __init__(self, search: MCTS, state: Any) -> None:
        self.game, self.root = search.game, search.start(state)
        nodes = np.array([(0.0, 0, 0, -1, 0, 0, 0, 0, 0, self.root.player_just_moved)], engine.NODE)
        places = np.array([(inf, 0.0, 0)], engine.PLACE)
        self.tree = engine.Tree(nodes, places, np.ones(2, np.int64))
        self.columns = engine.Iterations(*(np.empty(0, kind) for kind in ("i4", "u1", "u1", "u1")))
        self.done = self._played = 0
        self._board = _board_of(self.game, self.root.state)
        self._c, self._rewards = search.c, [search.rewards(returns) for returns in OUTCOMES]
        # NumPy's Mersenne Twister goes on where Python's is: both make the same floats of it.
        self._random = np.random.Generator(np.random.MT19937())
        *key, position = search.random.getstate()[1]
        self._random.bit_generator.state = {
            "bit_generator": "MT19937",
            "state": {"key": np.array(key, np.uint32), "pos": position},
        }

    def run(self, most: float) -> None:
        """Do a slice of iterations, of at most so many."""
        iterations, room = int(min(most, SLICE)), len(self.columns.leaf)
        if self.done + iterations > room:
            self._make_room(int(max(2 * room, min(most, ROOM))))
        leaf, length, outcome, moves = self.columns
        here = slice(self.done, self.done + iterations)
        part = engine.Iterations(leaf[here], length[here], outcome[here], moves[self._played :])
        rewards = np.array(self._rewards)
        self._played += engine.run(
            self._board, self.tree, self.done, self._random, self._c, rewards, part
        )
        self.done += iterations

    def _make_room(self, iterations: int) -> None:
        """For so many in all: each adds one node and asks for the moves of one, at the most."""
        cells = sum(int(column).bit_count() for column in self._board.columns)
        nodes, places, used = self.tree
        places = _longer(places, 1 + iterations * len(self._board.floors))
        self.tree = engine.Tree(_longer(nodes, 1 + iterations), places, used)
        leaf, length, outcome, moves = self.columns
        self.columns = engine.Iterations(
            _longer(leaf, iterations),
            _longer(length, iterations),
            _longer(outcome, iterations),
            _longer(moves, iterations * cells),
        )

    def result_root(self) -> Node:
        """The root with its children, as :class:`mcts_viz.MCTS` has them, without what is below."""
        root, row = self.root, self.tree.nodes[0]
        places = self.tree.places["node"][row["first"] :][: row["tried"]]
        root.children = [self._child(self.tree.nodes[place], int(place)) for place in places]
        return _with_statistics(root, row)

    def _child(self, row: Any, number: int) -> Node:
        action = int(row["action"])
        state, mover = self.game.play(self.root.state, action), int(row["player_just_moved"])
        return _with_statistics(Node(number, action, state, mover, int(row["created_at"])), row)

    def trace(self, spec: MCTS) -> Trace:
        nodes, (leaf, length, outcome, moves) = self.tree.nodes[: self.tree.used[0]], self.columns
        names = ("parent", "action", "created_at", "player_just_moved")
        columns: dict[str, Any] = {name: nodes[name].copy() for name in names}
        return Trace(
            **columns,
            first_spec=spec,
            root_state=self.root.state,
            actions=tuple(range(len(self._board.floors))),
            visits_before=np.zeros(len(nodes), np.int32),
            wins_before=np.zeros(len(nodes)),
            leaf=leaf[: self.done],
            playouts=Playouts(moves[: self._played], length[: self.done]),
            outcome=outcome[: self.done],
            outcomes=tuple(map(Outcome, OUTCOMES, self._rewards)),
            proofs=Proofs.none(len(nodes)),
        )


def _with_statistics(node: Node, row: Any) -> Node:
    node.visits, node.wins = int(row["visits"]), float(row["wins"])
    node.mean, node.inv_sqrt_visits = node.wins / node.visits, 1 / sqrt(node.visits)
    return node


def _board_of(game: Any, state: Any) -> engine.Board:
    """The board of a game; of tic-tac-toe, each cell is a column of height one."""
    rows = game.text(state).split("\n")
    if isinstance(game, TicTacToe):
        floors = [1 << 4 * row + column for row in range(3) for column in range(3)]
        columns, side, connect = floors, 3, 3
    else:
        side, connect = game.rows, game.connect
        floors = [1 << column * (side + 1) for column in range(game.columns)]
        columns = [floor * ((1 << side) - 1) for floor in floors]
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
    mine, theirs = (
        sum(1 << at for at, cell in enumerate(".".join(rows)) if cell == game.players[player][0])
        for player in (game.to_move(state), 1 - game.to_move(state))
    )
    steps = (1, side, side + 1, side + 2)
    return engine.Board(np.array(floors), np.array(columns), steps, connect, mine, theirs)


def _longer(column: Any, length: int) -> Any:
    """The same column with more room, which takes no memory until something is written there."""
    longer = np.empty(length, column.dtype)
    longer[: len(column)] = column
    return longer
