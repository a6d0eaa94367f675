"""The exercises of lesson 05, What are the four phases?

Their numbers come from one search: X to move in a tic-tac-toe position with one winning move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from mcts_viz.games import TicTacToe
from mcts_viz.search import MCTS, Node, solve
from mcts_viz.trace import record

from ..exercises import Case, Question, Task, texts_of
from ..experiments import ByBudget, by_budget
from ..tables import Table, shares_at, shares_in_lines

SAID: Final = texts_of(__name__)
GAME: Final = TicTacToe()
POSITION: Final = GAME.parse("OX. ..O ..X")
_TRACE = record(MCTS(GAME, seed=19), POSITION, iterations=27, progress=False)


TINY: Final = {
    "a": {"c": {"g": 0, "h": 1}, "d": {"i": 0, "j": 0}},
    "b": {"e": {"k": 1, "l": 1}, "f": {"m": -1, "n": -1}},
}
"""A tree for the pencil: after ``b``, everything depends on the reply."""


# What the lesson measures --------------------------------------------------------------------


def best_cell(state: Any) -> int:
    """The best move in perfect play."""
    cell: int = solve(GAME, state).best_actions[0]
    return cell


def times_found(
    state: Any, budgets: Sequence[int], seeds: int, cells: Sequence[int] | None = None
) -> ByBudget:
    """How many searches play one of ``cells`` (the best move if none are given), by budget."""
    return by_budget(GAME, state, cells or [best_cell(state)], budgets, seeds)


def compare_means(state: Any, iterations: int, seed: int, games: int = 2000) -> Table:
    """By move: its mean in random games, its mean in the tree, and its value in perfect play."""
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
_SHARES: Final = shares_at(_TRACE, _BEFORE)


def _move_with_most(value: Callable[[float, int], float]) -> str:
    """The move at the root whose ``value(wins, visits)`` is highest."""
    return max(_SHARES, key=lambda move: value(*_SHARES[move]))


next_move: Final = Question(
    SAID["next_move"],
    text="\n".join(
        [
            f"After {_BEFORE} iterations, with c = 1.41, X chooses among",
            *shares_in_lines(_SHARES),
        ]
    ),
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


_MISTAKES: Final = (
    *("the last node", "no root", "no new node", "one view", "swapped sides", "loss subtracted"),
    *("winners' visits", "no visits", "no wins"),
)
"""Of those that write backpropagation: the ones that show in one path."""
_OLD, _NEW = _TRACE.at(_TRACE.iterations - 1), _TRACE.at(_TRACE.iterations)
_PLAYOUT: Final = tuple(map(str, _NEW.playout or ()))
_WINNER: Final = (_NEW.returns or ()).index(1.0)


def _path(stats: Sequence[tuple[float, int]]) -> list[Node]:
    """A path of nodes with these wins and visits, X to move at the root."""
    path: list[Node] = []
    for depth, (wins, visits) in enumerate(stats):
        node = Node(depth, None, None, (depth + 1) % 2, depth)
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
        Case("when nobody wins", (_path([(3, 7), (2, 3), (0, 0)]), None)),
    ),
    observe=lambda arguments, result: [(node.wins, node.visits) for node in arguments[0]],
    say=lambda path: "wins/visits " + ", ".join(f"{wins:g}/{visits:g}" for wins, visits in path),
    wrong={
        "the last node": {"in path": "in path[-1:]"},
        "no root": {"in path": "in path[1:]"},
        "no new node": {"in path": "in path[:-1]"},
        "one view": {"node.player_just_moved": "path[-1].player_just_moved"},
        "swapped sides": {"winner ==": "winner !="},
        "loss subtracted": {
            "elif winner == node.player_just_moved": "else",
            "wins += 1": "wins += 1 if winner == node.player_just_moved else -1",
        },
        "winners' visits": {
            "in path": "in [node for node in path if winner in (None, node.player_just_moved)]"
        },
        "no visits": {"visits += 1": "visits += 0"},
        "no wins": {"0.5": "0", "wins += 1": "wins += 0"},
        "a win for all": {"0.5": "1", "elif winner == node.player_just_moved": "else"},
        "0 is false": {"winner is None": "not winner"},
        "the root's view": {
            "winner == node.player_just_moved": "winner != path[0].player_just_moved"
        },
        "a draw is lost": {"0.5": "0"},
        "a draw is won": {"0.5": "1"},
    },
)


def _before() -> list[tuple[float, int]]:
    """Wins and visits of the path in the trace, before the iteration; the new node has none."""
    known = [(float(_OLD.wins[n]), int(_OLD.visits[n])) for n in _NEW.path if n < _OLD.nodes]
    return [*known, (0.0, 0)]


def _story() -> str:
    lines = [f"Iteration {_NEW.iteration}, before backpropagation. Its path:"]
    for node, (wins, visits) in zip(_NEW.path, _before(), strict=True):
        name = (
            f"{GAME.players[_TRACE.player_just_moved[node]]} plays {_TRACE.label(node)}"
            if node
            else "root"
        )
        lines.append(f"{name:>10} {f'{wins:g}/{visits}':>8}" + ("" if visits else "  just added"))
    lines.append(f"The playout: {', '.join(_PLAYOUT)}, and {GAME.players[_WINNER]} wins.")
    lines.append(f"Before this iteration the tree had {_OLD.nodes} nodes.")
    return "\n".join(lines)


def _after(
    backpropagate: Callable[..., None] = _backpropagate, nodes: int = _NEW.nodes
) -> dict[str, Any]:
    """What somebody would answer who backpropagates in that way."""
    path = _path(_before())
    backpropagate(path, _WINNER)
    names = [_TRACE.label(node) or "root" for node in _NEW.path]
    entries = {name: (node.wins, node.visits) for name, node in zip(names, path, strict=True)}
    return {**entries, "nodes": nodes}


path_after: Final = Question(
    SAID["path_after"],
    text=_story(),
    right={
        **{_TRACE.label(n) or "root": (_NEW.wins[n], _NEW.visits[n]) for n in _NEW.path},
        "nodes": _NEW.nodes,
    },
    wrong={
        **{name: _after(write_backpropagate.wrong[name]) for name in _MISTAKES},
        "playout in the tree": _after(nodes=_NEW.nodes + len(_PLAYOUT)),
        "no expansion": _after(nodes=_OLD.nodes),
    },
)
