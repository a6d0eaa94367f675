"""The exercises of lesson 01, What is a game tree?"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from typing import Any, Final

from mcts_viz.games import Nim, TicTacToe

from .exercises import Case, Question, Task
from .positions import position_graph

__all__ = ["GAME", "count_by_hand", "games", "in_order", "write_count_positions"]

GAME: Final = Nim((1, 2))


def _sizes(game: Any) -> dict[str, int]:
    """Nodes and games of the whole tree, and positions."""
    data = [node for _, node in position_graph(game).nodes(data=True)]
    return {
        "nodes": sum(node["ways"] for node in data),
        "games": sum(node["ways"] for node in data if node["mover"] is None),
        "positions": len(data),
    }


# How many games are there? -------------------------------------------------------------------

_TICTACTOE: Final = _sizes(TicTacToe())
_ORDERS: Final = factorial(9)

games: Final = Question(
    text="How many different games of tic-tac-toe are there?",
    right=_TICTACTOE["games"],
    why="so many leaves has the tree, one for each way in which a game can go.",
    misconceptions=(
        (
            _ORDERS,
            "9 · 8 · … · 1 are the orders in which a board can be filled; but a game ends as soon "
            "as there are three in a row.",
        ),
        (
            _TICTACTOE["nodes"],
            "so many nodes has the tree; a game is a way from the root to a leaf, so count leaves.",
        ),
        (
            _TICTACTOE["positions"],
            "so many positions there are; two games are different if their moves come in another "
            "order, even if they end alike.",
        ),
        (
            3**9,
            "so many ways there are to put X, O or nothing into nine cells; most never come up, "
            "and the order of moves is not in them.",
        ),
    ),
    advice="The function count_nodes can find it, if an inner node counts for nothing.",
)


# Count by hand -------------------------------------------------------------------------------

_RIGHT: Final = _sizes(GAME)
_HEAPS: Final = len({state[1:] for state in position_graph(GAME)})

count_by_hand: Final = Question(
    text="Nim with heaps of 1 and 2: how many nodes, games and positions?",
    right=_RIGHT,
    why="every way to a position is a node, every way to the end is a game.",
    misconceptions=(
        (
            {**_RIGHT, "nodes": _RIGHT["nodes"] - 1, "positions": _RIGHT["positions"] - 1},
            "the start was left out; the root is a node, and a position too.",
        ),
        (
            {**_RIGHT, "games": len(GAME.legal_actions(GAME.initial_state()))},
            "those are the first moves; a game goes on to the end, so count the leaves.",
        ),
        (
            {**_RIGHT, "positions": _HEAPS},
            "the same heaps are two positions if it is A's turn in the one and B's in the other.",
        ),
        (
            {**_RIGHT, "positions": _RIGHT["positions"] - 1},
            "the empty heaps are two positions: in one of them A has won, in the other B.",
        ),
        (
            {**_RIGHT, "positions": _RIGHT["nodes"]},
            "positions and nodes are not the same: some positions are reached in several ways.",
        ),
        (
            {**_RIGHT, "nodes": _RIGHT["nodes"] - _RIGHT["games"]},
            "the leaves were left out of the nodes; where a game is over, there is a node too.",
        ),
    ),
    advice="Draw the tree, then give the same colour to nodes that are the same position.",
)


# Write it yourself ---------------------------------------------------------------------------


def _children(game: Any, state: Any) -> list[Any]:
    actions = () if game.is_terminal(state) else game.legal_actions(state)
    return [game.play(state, action) for action in actions]


def _positions(game: Any, state: Any) -> set[Any]:
    met, waiting = {state}, [state]
    while waiting:
        new = set(_children(game, waiting.pop())) - met
        met |= new
        waiting += new
    return met


def _count_positions(game: Any, state: Any) -> int:
    return len(_positions(game, state))


def _count_nodes(game: Any, state: Any) -> int:
    return 1 + sum(_count_nodes(game, child) for child in _children(game, state))


def _count_games(game: Any, state: Any) -> int:
    children = _children(game, state)
    return sum(_count_games(game, child) for child in children) if children else 1


def _only(wanted: Callable[[Any, Any], bool]) -> Callable[[Any, Any], int]:
    """Count those positions alone for which ``wanted(game, position)`` holds."""
    return lambda game, state: sum(wanted(game, position) for position in _positions(game, state))


_TEST: Final = TicTacToe()

write_count_positions: Final = Task(
    solution=_count_positions,
    cases=(
        Case("from the start of Nim (1, 2)", (GAME, GAME.initial_state())),
        Case("from the start of Nim (2, 2)", (Nim((2, 2)), Nim((2, 2)).initial_state())),
        Case("from XOX .O. .X. in tic-tac-toe", (_TEST, _TEST.parse("XOX .O. .X."))),
        Case("where the game is over", (_TEST, _TEST.parse("XXX OO. ..."))),
    ),
    misconceptions=(
        (
            _count_nodes,
            "that is the number of nodes: one set must remember, for the whole count, which "
            "positions were met, and the walk goes on only from new ones.",
        ),
        (
            _count_games,
            "that is the number of games; every position counts, on the way and at the end.",
        ),
        (
            lambda game, state: _count_positions(game, state) - 1,
            "the position to start from was left out; it counts too.",
        ),
        (
            _only(lambda game, position: not game.is_terminal(position)),
            "the positions where the game is over were left out; they count too.",
        ),
        (
            _only(lambda game, position: game.is_terminal(position)),
            "only positions where the game is over were counted; those on the way count too.",
        ),
        (
            lambda game, state: 1 + len(set(_children(game, state))),
            "only one move was looked ahead; go on from every new position.",
        ),
    ),
    why="every position is met once, however many ways lead there.",
)


# Positions that are the same -----------------------------------------------------------------


def _in_order(position: Any) -> tuple[Any, ...]:
    player, *heaps = position
    return (player, *sorted(heaps))


in_order: Final = Task(
    solution=_in_order,
    cases=(
        Case("for (0, 3, 1)", ((0, 3, 1),)),
        Case("for (1, 1, 3)", ((1, 1, 3),)),
        Case("for (1, 0, 0)", ((1, 0, 0),)),
        Case("for (0, 2, 5, 2)", ((0, 2, 5, 2),)),
    ),
    misconceptions=(
        (
            lambda position: tuple(sorted(position)),
            "the player was sorted in among the heaps; take the first number out before.",
        ),
        (
            lambda position: tuple(sorted(position[1:])),
            "the player is missing; the same heaps with another player to move are not the same.",
        ),
        (
            lambda position: (position[0], *sorted(set(position[1:]))),
            "equal heaps have become one; a set forgets how often something is in it.",
        ),
        (
            lambda position: (position[0], *sorted(heap for heap in position[1:] if heap)),
            "empty heaps have disappeared; keep them, as (1, 0, 0) is a position too.",
        ),
        (
            lambda position: (position[0], *sorted(position[1:], reverse=True)),
            "the largest heap is first; that would do as well, but here the smallest was asked.",
        ),
        (
            lambda position: position,
            "nothing has changed; (0, 3, 1) and (0, 1, 3) must give the same.",
        ),
    ),
    why="positions that differ in the order of their heaps give the same, and no others do.",
)
