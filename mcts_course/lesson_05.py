"""The exercises of lesson 05, What are the four phases?

Their numbers come from one search: X to move in a tic-tac-toe position with one winning move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from mcts_viz.games import TicTacToe
from mcts_viz.search import MCTS, Node, solve
from mcts_viz.trace import record

from .exercises import Case, Question, Task

__all__ = ["GAME", "POSITION", "best_move", "next_move", "path_after", "write_backpropagate"]

GAME: Final = TicTacToe()
POSITION: Final = GAME.parse("OX. ..O ..X")
_TRACE = record(MCTS(GAME, seed=19), POSITION, iterations=27, progress=False)


# Which move wins? ----------------------------------------------------------------------------

best_move: Final = Question(
    text="X is to move. Which cell would you take?",
    right=solve(GAME, POSITION).best_actions[0],
    why="cell 7 threatens to complete two lines at once, and O can stop only one of them.",
    misconceptions=(
        (4, "the centre makes a single threat, at 7, and O answers it there; make two at once."),
        (6, "the corner makes a single threat, at 7, and O answers it there; make two at once."),
        (3, "this keeps O from a fork, but X can attack: find the cell that makes two threats."),
        (2, "this threatens nothing, and then O takes 3 and has two threats; do that to O first."),
    ),
    advice="Answer with an empty cell: 2, 3, 4, 6 or 7.",
)


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
    why="other moves have a higher mean, or more visits, or fewer, but none a higher sum.",
    misconceptions=(
        (
            _move_with_most(lambda wins, visits: wins / visits),
            "that move has the highest mean; UCT adds an exploration term, larger for few visits.",
        ),
        (
            _move_with_most(lambda wins, visits: visits),
            "that move has the most visits, which will decide the move to play; the walk asks UCT.",
        ),
        (
            _move_with_most(lambda wins, visits: -visits),
            "that move has the fewest visits, so the largest exploration term; UCT adds the mean.",
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
        "only the last node has changed; the result goes back up the whole path.",
    ),
    (
        lambda path, winner: _credit(path[1:], winner),
        "the root was left out; it is on the path, and its visits are the N of UCT.",
    ),
    (
        lambda path, winner: _credit(path[:-1], winner),
        "the new node was left out; the playout was its first visit.",
    ),
    (
        lambda path, winner: _credit(path, winner, lambda node: path[-1].mover == winner),
        "every node got what the new node got; but the players take turns, so ask for each mover.",
    ),
    (
        lambda path, winner: _credit(path, winner, lambda node: node.mover != winner),
        "the sides are swapped; a node's wins belong to the player who moved into it.",
    ),
    (
        lambda path, winner: _credit(path, winner, loss=-1),
        "a loss took a win away; a loss adds nothing, so that a mean stays between 0 and 1.",
    ),
    (
        _visit_winners,
        "only the winner's nodes got a visit, so every mean would be 1; all of the path did.",
    ),
    (
        _forget_visits,
        "the wins are right, but every node of the path needs its visit too.",
    ),
    (
        lambda path, winner: _credit(path, winner, lambda node: False, draw=0),
        "the visits are right, but the nodes that the winner moved into need their win too.",
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
    why="a visit for each node of the path, a win for those X moved into, and one new node.",
    misconceptions=(
        *((_after(mistake), hint) for mistake, hint in _MISTAKES),
        (
            _after(nodes=_NEW.nodes + len(_PLAYOUT)),
            "the playout's positions were counted as nodes; only the expanded one joins the tree.",
        ),
        (
            _after(nodes=_OLD.nodes),
            "the wins and visits are right, but the tree has grown: the expansion added a node.",
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
            lambda path, winner: _credit(path, winner, lambda node: path[0].mover != winner),
            "every node counts for the player to move at the root; but the opponent chooses too.",
        ),
        (
            lambda path, winner: _credit(path, winner, draw=0),
            "a draw counts like a loss, so a safe draw would be gambled away; count one half.",
        ),
        (
            lambda path, winner: _credit(path, winner, draw=1),
            "a draw counts like a win; count one half for either player.",
        ),
    ),
    why="every node of the path gets its visit, and the reward of the player who moved into it.",
)
