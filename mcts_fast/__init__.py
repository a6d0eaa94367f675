"""The same search, compiled: some twenty times as fast, for tic-tac-toe and Connect Four.

    from mcts_fast import FastMCTS
    FastMCTS(ConnectFour(), seed=4).record(iterations=1_000_000)

It needs Numba, which ``pip install "mcts_viz[fast]"`` brings, and compiles for a few seconds when
it is first used.
"""

from __future__ import annotations

from math import inf, sqrt
from random import Random
from time import perf_counter
from typing import Any, Final

import numpy as np

from mcts_viz.errors import SearchError, door
from mcts_viz.games import ConnectFour, Game, TicTacToe
from mcts_viz.games.boards import DRAW, WIN_OF
from mcts_viz.search import MCTS, Node, SearchResult
from mcts_viz.search.checks import check_budget
from mcts_viz.search.running import interrupts, progress_bar
from mcts_viz.trace import Trace
from mcts_viz.trace.trace import Outcome, Playouts, Proofs

try:
    from . import engine
except ImportError as error:
    raise ImportError(f"FastMCTS needs Numba ({error}): pip install 'mcts_viz[fast]'.") from None

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
        return self._grow(state, iterations, seconds, progress)[0]

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
        result, tree = self._grow(state, iterations, seconds, progress)
        nodes, done = tree.nodes[: tree.used[0]], result.iterations
        names = ("parent", "action", "created_at", "player_just_moved")
        columns: dict[str, Any] = {name: nodes[name].copy() for name in names}
        return Trace(
            **columns,
            first_spec=self._search.but(),
            root_state=result.root.state,
            actions=tuple(self.game.legal_actions(self.game.initial_state())),
            visits_before=np.zeros(len(nodes), np.int32),
            wins_before=np.zeros(len(nodes)),
            leaf=tree.leaf[:done],
            playouts=Playouts(tree.moves[: tree.used[2]], tree.length[:done]),
            outcome=tree.outcome[:done],
            outcomes=tuple(Outcome(returns, self._search.rewards(returns)) for returns in OUTCOMES),
            proofs=Proofs.none(len(nodes)),
        )

    def _grow(
        self, state: Any, iterations: int | None, seconds: float | None, progress: bool | None
    ) -> tuple[SearchResult, engine.Tree]:
        check_budget(iterations, seconds)
        search, begun = self._search, perf_counter()
        root = search.start(state)
        given, tree = self._given(root.state), _tree(root)
        most, done, random = iterations or inf, 0, _numpys(search.random)
        with interrupts() as stop, progress_bar(iterations, progress) as show:
            while True:
                count = int(min(most - done, SLICE))
                if done + count > len(tree.leaf):
                    tree = _with_room(given, tree, int(max(2 * len(tree.leaf), min(most, ROOM))))
                done = engine.run(given, tree, count, random)
                spent = perf_counter() - begun
                if done == most or stop.requested or (seconds is not None and spent >= seconds):
                    break
                show(done)
        places = tree.places[tree.nodes[0]["first"] :][: tree.nodes[0]["tried"]]
        root = _node(tree, 0, None, root.state)
        root.children = [
            _node(tree, number, action, self.game.play(root.state, action))
            for number in places["node"].tolist()
            for action in [int(tree.nodes[number]["action"])]
        ]
        stopped, rule = stop.requested, search.recommendation
        return SearchResult(self.game, root, done, spent, stopped, rule), tree

    def _given(self, state: Any) -> engine.Given:
        """The board; of tic-tac-toe, each cell is a column of height one."""
        game: Any = self.game
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
            sum(1 << at for at, cell in enumerate(".".join(rows)) if cell == game.players[player])
            for player in (game.to_move(state), 1 - game.to_move(state))
        )
        steps = (1, side, side + 1, side + 2)
        rewards = np.array([self._search.rewards(returns) for returns in OUTCOMES])
        board = (np.array(floors), np.array(columns), steps, connect, mine, theirs)
        return engine.Given(*board, self.c, rewards)


def _tree(root: Node) -> engine.Tree:
    """A tree of its root, without room for more."""
    nodes = np.array([(0.0, 0, 0, -1, 0, 0, 0, 0, 0, root.player_just_moved)], engine.NODE)
    places = np.array([(inf, 0.0, 0)], engine.PLACE)
    told = [np.empty(0, kind) for kind in ("i4", "u1", "u1", "u1")]
    columns: list[Any] = [nodes, places, *told, np.array([1, 1, 0, 0])]
    return engine.Tree(*columns)


def _with_room(given: engine.Given, tree: engine.Tree, iterations: int) -> engine.Tree:
    """Room for so many in all: each adds one node and asks for the moves of one, at the most.

    It takes no memory until something is written there.
    """
    cells, nodes = sum(int(column).bit_count() for column in given.columns), 1 + iterations
    places = 1 + iterations * len(given.floors)
    sizes = (nodes, places, iterations, iterations, iterations, iterations * cells, 4)
    columns: list[Any] = []
    for size, old in zip(sizes, list[Any](tree), strict=True):
        columns.append(np.empty(size, old.dtype))
        columns[-1][: len(old)] = old
    return engine.Tree(*columns)


def _node(tree: engine.Tree, number: int, action: Any, state: Any) -> Node:
    """One node as :class:`mcts_viz.MCTS` has it, without what is below."""
    row = tree.nodes[number]
    node = Node(number, action, state, int(row["player_just_moved"]), int(row["created_at"]))
    node.visits, node.wins = int(row["visits"]), float(row["wins"])
    node.mean, node.inv_sqrt_visits = node.wins / node.visits, 1 / sqrt(node.visits)
    return node


def _numpys(random: Random) -> np.random.Generator:
    """NumPy's Mersenne Twister where Python's is: both make the same floats of it."""
    made = np.random.Generator(np.random.MT19937())
    *key, position = random.getstate()[1]
    state = {"key": np.array(key, np.uint32), "pos": position}
    made.bit_generator.state = {"bit_generator": "MT19937", "state": state}
    return made
