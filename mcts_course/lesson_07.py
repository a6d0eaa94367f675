"""The exercises of lesson 07, Which move to play, and when to stop?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import sqrt
from typing import Any, Final

from mcts_viz.games import TicTacToe
from mcts_viz.search import MCTS, Node, robust_child
from mcts_viz.search.variants import max_child, secure_child

from .exercises import Case, Question, Task

__all__ = [
    "children",
    "final_moves",
    "kept_visits",
    "search_until",
    "write_can_stop",
]

_GAME: Final = TicTacToe()


def children(shares: Mapping[Any, tuple[float, int]]) -> list[Node]:
    """Nodes as the children of a root have them, from wins and visits by move."""
    nodes = []
    for number, (move, (wins, visits)) in enumerate(shares.items(), 1):
        node = Node(number, move, None, 0, birth=number)
        node.wins, node.visits = wins, visits
        node.mean, node.width = wins / visits, 1 / sqrt(visits)
        nodes.append(node)
    return nodes


# Three rules, three moves --------------------------------------------------------------------


def _searched() -> list[Node]:
    search = MCTS(_GAME, c=1, seed=1)
    search.search(_GAME.parse("... ... XXO"), iterations=79, progress=False)
    return sorted(search.root.children, key=lambda child: -child.visits)


_CHILDREN: Final = _searched()
_ROBUST: Final = robust_child(_CHILDREN).action
_MAX: Final = max_child(_CHILDREN).action
_SECURE: Final = secure_child()(_CHILDREN).action


def _table() -> str:
    lines = ["move  wins/visits"]
    lines += [f"{c.action:>4}  {f'{c.wins:g}/{c.visits}':>11}" for c in _CHILDREN]
    return "\n".join(lines)


def _moves(robust: int, highest: int, secure: int) -> dict[str, int]:
    return {"robust": robust, "max": highest, "secure": secure}


def _by(value: Callable[[Node], float]) -> int:
    return int(max(_CHILDREN, key=value).action)


final_moves: Final = Question(
    text=_table(),
    right=_moves(_ROBUST, _MAX, _SECURE),
    why="the secure child has neither the most visits nor the highest mean, but enough of both.",
    misconceptions=(
        (
            _moves(_MAX, _ROBUST, _SECURE),
            "robust and max are swapped: robust asks who has the most visits, max who has the "
            "highest mean.",
        ),
        (
            _moves(_ROBUST, _MAX, _by(lambda child: child.mean + child.width)),
            "your secure child is the one with the highest mean; take 1/√n away from each, which "
            "is more where there are fewer visits.",
        ),
        (
            _moves(_ROBUST, _MAX, _ROBUST),
            "your secure child is the one with the most visits; they make its margin the smallest, "
            "but its mean counts too.",
        ),
        (
            _moves(_ROBUST, _by(lambda child: child.wins), _SECURE),
            "your max child is the one with the most wins; divide them by the visits.",
        ),
        (
            _moves(_ROBUST, _by(lambda child: -child.visits), _SECURE),
            "your max child has the fewest visits; its exploration term is the largest, but the "
            "final move does not explore.",
        ),
    ),
    advice="Compute the mean w/n and the lower bound w/n - 1/√n of every move.",
)


# When is it decided? -------------------------------------------------------------------------


def _can_stop(visits: Sequence[int], left: int) -> bool:
    first, second = sorted(visits, reverse=True)[:2]
    return first - second > left


write_can_stop: Final = Task(
    solution=_can_stop,
    cases=(
        Case("when 50 and 30 are 20 apart, and 19 iterations are left", ([50, 30, 20], 19)),
        Case("when 50 and 30 are 20 apart, and 20 iterations are left", ([50, 30, 20], 20)),
        Case("when 50 and 30 are 20 apart, and 40 iterations are left", ([50, 30, 20], 40)),
        Case("when the leader stands in the middle, 25 left", ([10, 60, 30], 25)),
        Case("when the leader stands last, 45 left", ([5, 10, 60], 45)),
        Case("when two lead together, 3 left", ([40, 40, 3], 3)),
        Case("when more than half of the visits went to one move, 35 left", ([60, 30, 5], 35)),
        Case("early on, when 5 and 2 are 3 apart, 92 left", ([5, 2, 1], 92)),
    ),
    observe=lambda arguments, result: result if result in (None, ...) else bool(result),
    say=lambda value: {0.0: "go on", 1.0: "stop"}.get(value, str(value)),
    misconceptions=(
        (
            lambda visits, left: sorted(visits)[-1] - sorted(visits)[-2] >= left,
            "if the second can just draw level, the means decide, and they may decide for it; the "
            "lead must be larger than what is left.",
        ),
        (
            lambda visits, left: max(visits) > left,
            "you compare the leader's visits with what is left; it is its lead over the second "
            "that the others have to make up for.",
        ),
        (
            lambda visits, left: max(visits) - min(visits) > left,
            "you compare the leader with the last; the second is the one who may catch up.",
        ),
        (
            lambda visits, left: visits[0] - visits[1] > left,
            "the moves stand in no special order; sort the visits, or look for the two highest.",
        ),
        (
            lambda visits, left: max(visits) > sum(visits) / 2,
            "having half of the visits so far decides nothing; ask whether the iterations that are "
            "left are enough to catch up.",
        ),
        (
            lambda visits, left: sorted(visits)[-1] - sorted(visits)[-2] > left / 2,
            "you give the leader a half of what is left; all of it may go to the second.",
        ),
        (
            lambda visits, left: sorted(visits)[-1] - sorted(visits)[-2] <= left,
            "the two answers are swapped; True means that the search may stop.",
        ),
    ),
    why="even if every iteration that is left goes to the second, it stays behind.",
)


def search_until(
    can_stop: Callable[[Sequence[int], int], Any],
    state: Any,
    budget: int = 1000,
    *,
    seed: int,
) -> tuple[int, Any, Any]:
    """Search tic-tac-toe, asking ``can_stop(visits, left)`` after each iteration with two children.

    Answers with the iterations that were used, the robust child's move then, and its move after
    the whole budget, which is searched in any case.
    """
    search, stopped = MCTS(_GAME, seed=seed), None
    root = search.start(state)
    while search.iterations < budget:
        search.iteration()
        if stopped is None and len(root.children) > 1:
            visits = [child.visits for child in root.children]
            if can_stop(visits, budget - search.iterations):
                stopped = search.iterations, robust_child(root.children).action
    last = robust_child(root.children).action
    return *(stopped or (budget, last)), last


# What is left of the tree? -------------------------------------------------------------------

_BUDGET: Final = 500


def _first_search() -> MCTS:
    search = MCTS(_GAME, seed=7)
    search.search(iterations=_BUDGET, progress=False)
    return search


_FIRST: Final = _first_search()
_PLAYED: Final = robust_child(_FIRST.root.children)
_REPLY: Final = robust_child(_PLAYED.children)


def _listed(nodes: Iterable[Node]) -> str:
    return ", ".join(f"{n.action}: {n.visits}" for n in sorted(nodes, key=lambda n: n.action))


kept_visits: Final = Question(
    text="\n".join(
        (
            f"After {_BUDGET} iterations from the empty board, visits by move.",
            f"X's moves      {_listed(_FIRST.root.children)}",
            f"O's replies to {_PLAYED.action}:   {_listed(_PLAYED.children)}",
            f"X's moves after {_REPLY.action}: {_listed(_REPLY.children)}",
            f"X plays {_PLAYED.action}, O replies {_REPLY.action}.",
        )
    ),
    right=_REPLY.visits,
    why="both moves have been made, so the root is now the node of O's reply; all others are gone.",
    misconceptions=(
        (
            _PLAYED.visits,
            "these are the visits of X's move; O has moved too, so the tree goes on one node "
            "further down.",
        ),
        (
            _BUDGET,
            "only what lies below the moves that were made is of use; the visits of all other "
            "moves are gone.",
        ),
        (
            0,
            "a tree that is kept brings its visits along; 0 it would be if the search began anew.",
        ),
        (
            sum(child.visits for child in _REPLY.children),
            "this adds up the moves below it; the node's own first visit, when it was added, went "
            "to none of them.",
        ),
        (
            _BUDGET - _REPLY.visits,
            "these are the visits that are lost; the question is what is kept.",
        ),
    ),
    advice="Follow the two moves down the tree, and read the visits of the node where you arrive.",
    tolerance=0.5,
)
