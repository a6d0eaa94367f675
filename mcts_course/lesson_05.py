"""The exercises of lesson 05, What are the four phases?

Their numbers come from one search: X to move in a tic-tac-toe position with one winning move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from mcts_viz.games import TicTacToe
from mcts_viz.search import MCTS, Node, solve
from mcts_viz.trace import record

from .budgets import ByBudget, by_budget
from .exercises import Case, Question, Task
from .tables import Table

__all__ = [
    "GAME",
    "POSITION",
    "TINY",
    "best_cell",
    "compare_means",
    "next_move",
    "path_after",
    "times_found",
    "write_backpropagate",
]

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
_MOMENT: Final = _TRACE.at(_BEFORE)


def _table() -> str:
    lines = [f"After {_BEFORE} iterations, with c = 1.41, X chooses among", "move  wins/visits"]
    for node in _MOMENT.children(0):
        share = f"{_MOMENT.wins[node]:g}/{_MOMENT.visits[node]}"
        lines.append(f"{_TRACE.label(node):>4}  {share:>11}")
    return "\n".join(lines)


def _move_with_most(value: Callable[[float, int], float]) -> str:
    """The move at the root whose ``value(wins, visits)`` is highest."""
    wins, visits = _MOMENT.wins.tolist(), _MOMENT.visits.tolist()
    return _TRACE.label(max(_MOMENT.children(0), key=lambda n: value(wins[n], visits[n])))


next_move: Final = Question(
    text=_table(),
    right=_TRACE.label(_TRACE.at(_BEFORE + 1).path[1]),
    why="other moves have a higher mean, or more visits, or fewer, but none has a higher sum.",
    misconceptions=(
        (
            _move_with_most(lambda wins, visits: wins / visits),
            "that move has the highest mean. UCT adds a term that is larger for few visits.",
        ),
        (
            _move_with_most(lambda wins, visits: visits),
            "that move has the most visits, which decides the move to *play*. The walk asks UCT.",
        ),
        (
            _move_with_most(lambda wins, visits: -visits),
            "that move has the fewest visits, so the largest exploration term. UCT adds the mean.",
        ),
    ),
    advice="Compute w/n + 1.41 · √(ln N / n) for each move: n its visits, N those of the root.",
)


# What does a backpropagation change? ---------------------------------------------------------


def _credit(
    path: Sequence[Node],
    winner: int | None,
    wins: Callable[[Node], bool] | None = None,
    draw: float = 0.5,
    loss: float = 0.0,
) -> None:
    """Backpropagation; the last three arguments are there to make it wrong."""
    for node in path:
        node.visits += 1
        if winner is None:
            node.wins += draw
        else:
            won = node.mover == winner if wins is None else wins(node)
            node.wins += 1 if won else loss


def _visit_winners(path: Sequence[Node], winner: int | None) -> None:
    _credit([node for node in path if winner in (None, node.mover)], winner)


def _forget_visits(path: Sequence[Node], winner: int | None) -> None:
    _credit(path, winner)
    for node in path:
        node.visits -= 1


_MISTAKES: Final = (
    (
        lambda path, winner: _credit(path[-1:], winner),
        "you changed only the last node. The result goes up the whole path.",
    ),
    (
        lambda path, winner: _credit(path[1:], winner),
        "you left out the root. It is on the path, and UCT needs its visits.",
    ),
    (
        lambda path, winner: _credit(path[:-1], winner),
        "you left out the new node. The playout was its first visit.",
    ),
    (
        lambda path, winner: _credit(path, winner, lambda node: path[-1].mover == winner),
        "you gave every node what the new node got. But the players take turns: ask each node "
        "for its mover.",
    ),
    (
        lambda path, winner: _credit(path, winner, lambda node: node.mover != winner),
        "you swapped the sides. A node's wins belong to the player who moved into it.",
    ),
    (
        lambda path, winner: _credit(path, winner, loss=-1),
        "you subtracted for a loss. A loss adds nothing, so that a mean stays between 0 and 1.",
    ),
    (
        _visit_winners,
        "you gave a visit only to the winner's nodes. Then every mean would be 1.",
    ),
    (
        _forget_visits,
        "the wins are right, but every node of the path needs a visit too.",
    ),
    (
        lambda path, winner: _credit(path, winner, lambda node: False, draw=0),
        "the visits are right, but some nodes need a win too. Which ones?",
    ),
)
"""Wrong forms of backpropagation, and the hint for each."""

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


def _before() -> list[tuple[float, int]]:
    """Wins and visits of the path in the trace, before the iteration; the new node has none."""
    known = [(float(_OLD.wins[n]), int(_OLD.visits[n])) for n in _NEW.path if n < _OLD.nodes]
    return [*known, (0.0, 0)]


def _story() -> str:
    lines = [f"Iteration {_NEW.iteration}, before backpropagation. Its path:"]
    for node, (wins, visits) in zip(_NEW.path, _before(), strict=True):
        name = f"{GAME.players[_TRACE.mover[node]]} plays {_TRACE.label(node)}" if node else "root"
        lines.append(f"{name:>10} {f'{wins:g}/{visits}':>8}" + ("" if visits else "  just added"))
    lines.append(f"The playout: {', '.join(_PLAYOUT)}, and {GAME.players[_WINNER]} wins.")
    lines.append(f"Before this iteration the tree had {_OLD.nodes} nodes.")
    return "\n".join(lines)


def _after(backpropagate: Callable[..., None] = _credit, nodes: int = _NEW.nodes) -> dict[str, Any]:
    """What somebody would answer who backpropagates in that way."""
    path = _path(_before())
    backpropagate(path, _WINNER)
    names = [_TRACE.label(node) or "root" for node in _NEW.path]
    entries = {name: (node.wins, node.visits) for name, node in zip(names, path, strict=True)}
    return {**entries, "nodes": nodes}


path_after: Final = Question(
    text=_story(),
    right={
        **{_TRACE.label(n) or "root": (_NEW.wins[n], _NEW.visits[n]) for n in _NEW.path},
        "nodes": _NEW.nodes,
    },
    why="each node of the path has a visit more, those that X moved into a win, and one is new.",
    misconceptions=(
        *((_after(mistake), hint) for mistake, hint in _MISTAKES),
        (
            _after(nodes=_NEW.nodes + len(_PLAYOUT)),
            "you counted the positions of the playout as nodes. Only the expanded one is in "
            "the tree.",
        ),
        (
            _after(nodes=_OLD.nodes),
            "the wins and visits are right. But did the expansion change the tree?",
        ),
    ),
    advice="Every node of the path gains one visit, and a win if the winner moved into it.",
)


# Write it yourself ---------------------------------------------------------------------------

write_backpropagate: Final = Task(
    solution=_credit,
    cases=(
        Case("when X wins below two nodes", (_path([(0, 0), (0, 0)]), 0)),
        Case("when O wins below two nodes", (_path([(0, 0), (0, 0)]), 1)),
        Case("when X wins below three nodes", (_path([(3, 7), (2, 3), (0, 0)]), 0)),
        Case("when O wins below three nodes", (_path([(3, 7), (2, 3), (0, 0)]), 1)),
        Case("when nobody wins", (_path([(3, 7), (2, 3), (0, 0)]), None)),
    ),
    observe=lambda arguments, result: [(node.wins, node.visits) for node in arguments[0]],
    say=lambda path: "wins/visits " + ", ".join(f"{wins:g}/{visits:g}" for wins, visits in path),
    misconceptions=(
        *_MISTAKES,
        (
            lambda path, winner: _credit(path, winner, lambda node: True, draw=1),
            "you add 1 to every node, whoever won. Whose wins does a node count?",
        ),
        (
            lambda path, winner: _credit(path, winner or None),
            "when player 0 wins, you count a draw: in Python 0 is false, so `not winner` holds "
            "for player 0 too. Compare with None.",
        ),
        (
            lambda path, winner: _credit(path, winner, lambda node: path[0].mover != winner),
            "every node counts for the player to move at the root. But the opponent chooses too.",
        ),
        (
            lambda path, winner: _credit(path, winner, draw=0),
            "a draw counts like a loss. Then a search would rather gamble than take a safe draw.",
        ),
        (
            lambda path, winner: _credit(path, winner, draw=1),
            "a draw counts like a win, for both players at once.",
        ),
    ),
    why="every node of the path gets a visit, and the reward of the player who moved into it.",
)
