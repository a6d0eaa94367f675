"""The same search, compiled: some twenty times as fast, for tic-tac-toe and Connect Four.

    from mcts_fast import FastMCTS
    FastMCTS(ConnectFour(), seed=4).record(iterations=1_000_000)

It needs Numba, which ``pip install numba`` brings, and compiles for a few seconds when
it is first used.
"""

from __future__ import annotations

from math import inf, sqrt
from random import Random
from time import perf_counter
from typing import Any, Final

import numpy as np

from mcts_viz.errors import SearchError, require
from mcts_viz.games import ConnectFour, TicTacToe
from mcts_viz.games.boards import BoardGame
from mcts_viz.games.protocol import DRAW, WIN_OF
from mcts_viz.search import MCTS, SearchResult
from mcts_viz.search.checks import check_budget, check_start
from mcts_viz.search.running import interrupts, progress_bar
from mcts_viz.trace import Trace
from mcts_viz.trace.columns import Outcome, Playouts, Proofs
from mcts_viz.trace.ledger import Sums

try:
    from . import engine
except ImportError as error:
    raise ImportError(f"FastMCTS needs Numba ({error}): pip install numba.") from None

__all__ = ["FastMCTS"]

SLICE: Final = 4096
"""Iterations between two looks at the clock and at the stop button: a few milliseconds."""
ROOM: Final = 1_000_000
"""Iterations for which there is room at first, if there may be as many."""
RETURNS: Final = (*WIN_OF, DRAW)
"""The results by number: who has won, or 2 for a draw."""


class FastMCTS:
    """UCT with the default policies of :class:`mcts_viz.MCTS`, compiled.

    The same ``seed`` grows the same tree as there. Raises ``SearchError`` for games other than
    tic-tac-toe and Connect Four, and for boards of more than 63 bits.
    """

    def __init_subclass__(cls) -> None:
        raise SearchError(
            f"{cls.__name__} cannot change FastMCTS, whose phases are compiled: take class "
            f"{cls.__name__}(MCTS)."
        )

    def __init__(self, game: BoardGame[Any], c: float = sqrt(2), seed: int | None = None) -> None:
        self._spec = MCTS(game, c, seed)
        known = type(game) in (TicTacToe, ConnectFour) and (game.rows + 1) * game.columns <= 63
        kind = "TicTacToe, or ConnectFour up to 7 by 7: for others, take MCTS"
        require(known, "game", kind, game)
        self.game = game
        self.c = self._spec.c
        self.seed = self._spec.seed

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
        tree, state, spent, interrupted = self._grown(state, iterations, seconds, progress)
        search = self._spec.but()
        root = search.start(state)
        top = tree.places[0]
        children = tree.places[top["first"] : top["first"] + top["tried"]]
        nodes = [root, *(search.path_along([int(row["action"])])[1] for row in children)]
        for node, row in zip(nodes, [top, *children], strict=True):
            node.visits, node.wins = int(row["visits"]), float(row["wins"])
            node.mean, node.inv_sqrt_visits = float(row["mean"]), float(row["inv_sqrt_visits"])
        done = int(tree.used[2])
        return SearchResult(self.game, root, done, spent, interrupted, search.recommendation)

    def record(
        self,
        state: Any = None,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        progress: bool | None = None,
    ) -> Trace:
        """Search from ``state``, and return the trace, from which every moment comes back."""
        tree, state, *_ = self._grown(state, iterations, seconds, progress)
        count, _, done, played, _ = tree.used
        columns: dict[str, Any] = {
            name: tree.nodes[name][:count].copy() for name in engine.NODE.names or ()
        }
        leaf, length, outcome = (
            tree.iterations[name][:done].copy() for name in engine.ITERATION.names or ()
        )
        return Trace(
            **columns,
            first_spec=self._spec,
            root_state=state,
            actions=tuple(self.game.legal_actions(self.game.initial_state())),
            leaf=leaf,
            playouts=Playouts(tree.moves[:played], length),
            outcome=outcome,
            outcomes=tuple(map(Outcome, RETURNS, self._rewards(state))),
            ledger=Sums.from_nothing(count),
            proofs=Proofs.none(count),
        )

    def _grown(
        self, state: Any, iterations: int | None, seconds: float | None, progress: bool | None
    ) -> tuple[engine.Tree, Any, float, bool]:
        """The tree, the position at its root, the seconds it took, and true if interrupted."""
        check_budget(iterations, seconds)
        state = check_start(self.game, state)
        begun = perf_counter()
        given = self._given(state)
        most, limit = iterations or inf, seconds or inf
        tree = _tree(given, int(min(most, ROOM)))
        done = 0
        spent = 0.0
        before = 1 - self.game.to_move(state)
        tree.nodes[0] = (-1, 0, 0, before)
        tree.places[0]["player_just_moved"] = before
        tree.used[:2] = 1  # the root, and a place of its own
        with interrupts() as stop, progress_bar(iterations, progress) as show:
            while not done or (done < most and spent < limit and not stop.requested):
                count = int(min(most - done, SLICE))
                if done + count > len(tree.iterations):
                    tree = _tree(given, 2 * len(tree.iterations), tree)
                done = engine.run(tuple(given), tuple(tree), count)
                spent = perf_counter() - begun
                show(done)
        return tree, state, spent, stop.requested

    def _rewards(self, state: Any) -> list[tuple[float, ...]]:
        """For each result: the reward of each player."""
        rule, mover = self._spec.reward, self.game.to_move(state)
        return [tuple(rule(returns, player, mover) for player in (0, 1)) for returns in RETURNS]

    def _given(self, state: Any) -> engine.Given:
        """The input of the compiled engine for a search from ``state``."""
        game: Any = self.game
        side = game.rows + 1  # bits of a column: its cells, and one above that is never set
        cells = _cells(game)
        letters = game.text(state).replace("\n", "")
        pieces = [*zip(letters, cells, strict=True)]
        x, o = (sum(cell for letter, cell in pieces if letter == name) for name in game.players)
        if isinstance(game, TicTacToe):  # each cell is a column of height one
            floors = columns = np.array(cells)
            connect = 3
        else:
            floors, connect = np.array(cells[-game.columns :]), game.connect
            columns = floors * ((1 << game.rows) - 1)
        return engine.Given(
            floors=floors,
            columns=columns,
            steps=(1, side - 1, side, side + 1),
            connect=connect,
            board=(o, x) if game.to_move(state) else (x, o),
            c=self.c,
            rewards=np.array(self._rewards(state)),
            twister=np.array(Random(self.seed).getstate()[1][:-1], np.int64),
            numbers=np.zeros(engine.WORDS // 2),
        )


def _cells(game: BoardGame[Any]) -> list[int]:
    """The bit of each cell, in the order in which the board is read: by rows, the top one first."""
    side = game.rows + 1
    rows, columns = reversed(range(game.rows)), range(game.columns)
    return [1 << side * column + row for row in rows for column in columns]


def _tree(given: engine.Given, iterations: int, old: tuple[Any, ...] = ()) -> engine.Tree:
    """Room for so many iterations in all, with what is in the ``old`` tree.

    Each adds one node, asks for the moves of one, and plays 63 moves, at the most. The room takes
    no memory until something is written there.
    """
    sizes = 5, 1 + iterations * len(given.floors), 1 + iterations, iterations, 63 * iterations
    kinds: Any = "i8", engine.PLACE, engine.NODE, engine.ITERATION, "u1"
    tree = engine.Tree(*[np.zeros(*column) for column in zip(sizes, kinds, strict=True)])
    for new, before in zip(tree, old, strict=False):
        new[: len(before)] = before
    return tree
