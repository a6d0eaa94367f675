"""Experiments and exercises of the lesson *What are the four phases?*

The numbers come from one search: X to move in a tic-tac-toe position with one winning move.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from typing import Any, Final

from mcts_viz.errors import MctsVizError
from mcts_viz.games import TicTacToe
from mcts_viz.search import MCTS, Node, solve
from mcts_viz.search.checks import check_start
from mcts_viz.search.variants import playout_by_position
from mcts_viz.trace import Trace

from ..by_hand import BeTheSearch
from ..measure.experiments import Counts, by_budget
from ..show.feedback import say
from ..show.tables import Table
from ..typed import typed_door
from ..work.exercises import Case, Question, Task, texts_of

SAID: Final = texts_of(__name__)
GAME: Final = TicTacToe()
POSITION: Final = GAME.parse("OX. ..O ..X")
_TRACE = MCTS(GAME, seed=19).record(POSITION, iterations=27, progress=False)

SMALL: Final = GAME.parse("OX. XOX .O.")
"""Where the reader is the search: X to move. Cell 8 draws, and cells 2 and 6 lose."""
SMALL_SEED: Final = 1
"""The seed of its playouts: whatever is chosen among equals, the tree prefers 2 at first, then 8.
"""
TREE: Final = "my_tree.json"
"""The file next to the notebooks that keeps the reader's tree."""


# The reader's tree ----------------------------------------------------------------


@typed_door
def keep_tree(mine: BeTheSearch) -> None:
    """Save the reader's tree next to the notebook, once its iterations are done."""
    if not mine.done:
        say(f"○ Open: carry out the {mine.iterations} iterations above, then run this cell again.")
        return
    mine.trace.save(TREE)
    say(f"Kept in {TREE}.")


def my_tree() -> Trace:
    """Return the trace that the reader has grown, or UCT's from the same playouts without one."""
    search = MCTS(GAME, seed=SMALL_SEED, playout=playout_by_position(SMALL_SEED))
    with suppress(MctsVizError):
        kept = Trace.load(TREE, search)
        if kept.root_state == SMALL:
            return kept
    stand_in = BeTheSearch(GAME, SMALL, seed=SMALL_SEED)
    stand_in.play_on()
    return stand_in.trace


# Experiments --------------------------------------------------------------------


def best_cell(state: Any) -> int:
    """The best move in perfect play."""
    cell: int = solve(GAME, check_start(GAME, state)).best_actions[0]
    return cell


@typed_door
def times_found(
    state: Hashable, budgets: Sequence[int], seeds: int, cells: Sequence[int] | None = None
) -> Counts:
    """Count, by budget, the searches that play one of ``cells`` (by default the best move)."""
    return by_budget(GAME, state, cells or [best_cell(state)], budgets, seeds)


@typed_door
def compare_means(state: Any, iterations: int, seed: int, games: int = 2000) -> Table:
    """Return, by move, its mean in random games and in the tree, and its value in perfect play."""
    search = MCTS(GAME, seed=seed)
    search.search(state, iterations=iterations, progress=False)
    exact = solve(GAME, state).action_values
    rows = []
    for child in sorted(search.root.children, key=lambda child: int(child.action)):
        total = sum(search.simulate(child).returns[0] for _ in range(games))
        perfect = (exact[child.action] + 1) / 2
        in_games = (total / games + 1) / 2
        rows.append((child.action, f"{in_games:.2f}", f"{child.mean:.2f}", f"{perfect:.1f}"))
    return Table(("cell", "random games", "in the tree", "perfect play"), rows)


# Which move is selected next? ----------------------------------------------------------------

_BEFORE: Final = 17
_MOMENT: Final = _TRACE.at(_BEFORE)
SHARES: Final = {
    _TRACE.label(node): (float(_MOMENT.wins[node]), int(_MOMENT.visits[node]))
    for node in _MOMENT.children(0)
}


def _move_with_most(value: Callable[[float, int], float]) -> str:
    """The move at the root whose ``value(wins, visits)`` is highest."""
    return max(SHARES, key=lambda move: value(*SHARES[move]))


next_move: Final = Question(
    SAID["next_move"],
    right=_TRACE.label(_TRACE.at(_BEFORE + 1).path[1]),
    wrong={
        "highest mean": _move_with_most(lambda wins, visits: wins / visits),
        "most visits": _move_with_most(lambda wins, visits: visits),
        "fewest visits": _move_with_most(lambda wins, visits: -visits),
        "neither": "2",
    },
)


# What does a backpropagation change? ---------------------------------------------------------


def _backpropagate(path: Sequence[Node], winner: int | None) -> None:
    for node in path:
        node.visits += 1
        if winner is None:
            node.wins += 0.5
        elif winner == node.player_just_moved:
            node.wins += 1


def _minus_a_loss(path: Sequence[Node], winner: int | None) -> None:
    _backpropagate(path, winner)
    for node in path:
        node.wins -= winner not in (None, node.player_just_moved)


def _path(stats: Sequence[tuple[float, int]], first: int = 0, twice: bool = False) -> list[Node]:
    """A path of nodes with these wins and visits; the player ``first`` is to move at the root,
    and makes the second move, too, if ``twice``.
    """
    path: list[Node] = []
    for depth, (wins, visits) in enumerate(stats):
        turn = depth - (twice and depth > 1)
        node = Node(depth, None, None, (turn + 1 + first) % 2, depth)
        node.wins, node.visits = wins, visits
        path.append(node)
    return path


write_backpropagate: Final = Task(
    SAID["write_backpropagate"],
    solution=_backpropagate,
    cases=(
        Case("when X wins below two nodes", (_path([(0, 0), (0, 0)]), 0)),
        Case("when O wins below two nodes", (_path([(0, 0), (0, 0)]), 1)),
        Case("when X wins below three nodes", (_path([(3, 7), (2, 3), (0, 0)]), 0)),
        Case("when O wins below three nodes", (_path([(3, 7), (2, 3), (0, 0)]), 1)),
        Case("when no one wins", (_path([(3, 7), (2, 3), (0, 0)]), None)),
        Case("when X wins, O to move at the root", (_path([(4, 7), (2, 3), (0, 0)], 1), 0)),
        Case("when O wins, O to move at the root", (_path([(4, 7), (2, 3), (0, 0)], 1), 1)),
        Case(
            "when X, who moves twice in a row, wins", (_path([(3, 7), (2, 3), (0, 0)], 0, True), 0)
        ),
    ),
    observe=lambda arguments, result: [(node.wins, node.visits) for node in arguments[0]],
    say=lambda path: "wins/visits " + ", ".join(f"{wins:g}/{visits:g}" for wins, visits in path),
    wrong={
        "the last node": {"in path": "in path[-1:]"},
        "no root": {"in path": "in path[1:]"},
        "no new node": {"in path": "in path[:-1]"},
        "swapped sides": {"winner ==": "winner !="},
        "no visits": {"visits += 1": "visits += 0"},
        "a win for all": {"0.5": "1", "elif winner == node.player_just_moved": "else"},
        "0 is false": {"winner is None": "not winner"},
        "the root's view": {
            "winner == node.player_just_moved": "winner != path[0].player_just_moved"
        },
        "a draw is lost": {"0.5": "0"},
        "X's reward": {"winner == node.player_just_moved": "winner == 0"},
        "O's reward": {"winner == node.player_just_moved": "winner == 1"},
        "the new node's reward": {
            "winner == node.player_just_moved": "winner == path[-1].player_just_moved"
        },
        "a draw is won": {"0.5": "1"},
        "by depth": {
            "winner == node.player_just_moved": (
                "(winner == path[0].player_just_moved) == (path.index(node) % 2 == 0)"
            )
        },
        "draws alone": {"node.wins += 1": "pass"},
        "winners alone": {
            "node.visits += 1": "node.visits += winner in (None, node.player_just_moved)"
        },
        "a loss takes away": _minus_a_loss,
        "set, not added": {"wins += 0.5": "wins = 0.5", "wins += 1": "wins = 1"},
    },
)
