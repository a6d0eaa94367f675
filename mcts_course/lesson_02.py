"""The exercises of lesson 02, What does perfect play know?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from statistics import mean
from typing import Any, Final, NamedTuple

from mcts_viz.games import GameTree, TicTacToe
from mcts_viz.search import alpha_beta, minimax, solve

from .exercises import Case, Question, Task

__all__ = ["GAME", "POSITION", "TREE", "pruned", "values", "window", "write_minimax"]

GAME: Final = TicTacToe()
POSITION: Final = GAME.parse("XO. X.. O..")

# What is each move worth? --------------------------------------------------------------------

_VALUES: Final = {str(cell): value for cell, value in solve(GAME, POSITION).action_values.items()}
_WINS: Final = next(cell for cell, value in _VALUES.items() if value == 1)
_DRAWS: Final = next(cell for cell, value in _VALUES.items() if value == 0)


def _opposite(values: Mapping[str, float]) -> dict[str, float]:
    return {cell: 0.0 - value for cell, value in values.items()}


values: Final = Question(
    text="X is to move. What is each of the five cells worth to X?",
    right=_VALUES,
    why="one cell wins, one holds the draw, and after each of the others O can win.",
    misconceptions=(
        (
            _opposite(_VALUES),
            "that is what they are worth to O; here 1 is a win for X, who is MAX.",
        ),
        (
            {**_VALUES, "5": 0},
            "after 5, O has to stop X at 4, and that makes two threats at once, at 2 and at 7.",
        ),
        (
            {**_VALUES, _DRAWS: -1},
            "one of these is not lost: after 7 neither side can force three in a row.",
        ),
        (
            {cell: float(cell == _WINS) for cell in _VALUES},
            "a move that does not win may still lose; ask for O's best reply to each.",
        ),
        (
            dict.fromkeys(_VALUES, 0),
            "a draw is not all that there is: one of these cells threatens two lines at once.",
        ),
    ),
    advice="Give 1 to a forced win of X, 0 to a draw, -1 to a loss.",
)


# A tree for the pencil -----------------------------------------------------------------------

TREE: Final = GameTree(
    {
        "a": {"c": {"i": 0.3, "j": 0.5}, "d": {"k": 0.6, "l": 0.9}},
        "b": {"e": {"m": 0.7, "n": 0.2}, "f": {"o": 0.1, "p": 0.4}},
        "g": {"q": {"s": 0.4, "t": 0.2}, "h": {"u": 0.8, "v": 0.1}},
    }
)


class _Watcher:
    """Writes down which leaves alpha-beta looks at, and the window with which it enters nodes."""

    def __init__(self, game: Any = TREE) -> None:
        self.moves: list[str] = []
        self.windows: dict[str, dict[str, float]] = {}
        alpha_beta(game, hooks=[self])

    def on_enter(self, record: Any) -> None:
        if record.node:
            self.moves.append(record.action)
            self.windows[record.action] = {"alpha": record.alpha, "beta": record.beta}


def _leaves(tree: Mapping[str, Any]) -> list[str]:
    """The moves that end the game, from left to right."""
    found = []
    for move, below in tree.items():
        found += _leaves(below) if isinstance(below, Mapping) else [move]
    return found


def _mirrored(tree: Any) -> Any:
    if not isinstance(tree, Mapping):
        return tree
    return {move: _mirrored(below) for move, below in reversed([*tree.items()])}


_SEEN: Final = _Watcher()
_LEAVES: Final = _leaves(TREE.tree)


def _unseen(seen: Sequence[str]) -> list[str]:
    return [leaf for leaf in _LEAVES if leaf not in seen]


_PRUNED: Final = _unseen(_SEEN.moves)
_BETA: Final = [leaf for leaf in _PRUNED if leaf == "l"]
_ALPHA: Final = [leaf for leaf in _PRUNED if leaf != "l"]
_BEST: Final = "".join(minimax(TREE).principal_variation[-1:])

pruned: Final = Question(
    text="Which leaves does alpha-beta never look at, from left to right?",
    right=_PRUNED,
    why="at d MAX has too much for MIN, and at g MIN has too little for MAX.",
    misconceptions=(
        (
            _ALPHA,
            "one is missing: MAX can stop, too; at d it has 0.6 already, and MIN will go to c.",
        ),
        (
            _BETA,
            "some are missing: MIN can stop, too; after q it holds MAX to 0.4, and a is better.",
        ),
        (
            [*_BETA, "h"],
            "h is cut off, that is right; but it is no leaf, so name the leaves below it.",
        ),
        (
            [leaf for leaf in _LEAVES if leaf in {*_PRUNED, "p"}],
            "p is looked at: f is MAX's, and 0.1 is only the least that MAX gets there.",
        ),
        (
            [leaf for leaf in _LEAVES if leaf in {*_PRUNED, "t"}],
            "t is looked at: q is MAX's, and until it is done it may still become better than a.",
        ),
        (
            _unseen(_Watcher(GameTree(_mirrored(TREE.tree))).moves),
            "that is the walk from the right to the left; moves are tried from left to right.",
        ),
        (
            [leaf for leaf in _LEAVES if leaf != _BEST],
            "those do not matter in the end, but alpha-beta must look at many of them to know it.",
        ),
    ),
    advice="Give a list, from left to right, and stop at a node as soon as alpha >= beta.",
)

_ASKED: Final = "f"
_WINDOW: Final = _SEEN.windows[_ASKED]

window: Final = Question(
    text=f"With which alpha and beta does the walk enter {_ASKED}?",
    right=_WINDOW,
    why="MAX is assured of 0.5 by a, and MIN can hold MAX to 0.7 by e.",
    misconceptions=(
        (
            {"alpha": _WINDOW["beta"], "beta": _WINDOW["alpha"]},
            "the two are swapped; alpha is MAX's, the lower end of the window.",
        ),
        (
            _SEEN.windows["b"],
            "that is the window of b before e is known; MIN can hold MAX to what e is worth.",
        ),
        (
            {"alpha": -inf, "beta": inf},
            "that is the window of the root at the start; what is known by then has narrowed it.",
        ),
        (
            {"alpha": -inf, "beta": _WINDOW["beta"]},
            "the better move further up was forgotten: what is MAX assured of by a?",
        ),
        (
            {"alpha": 0.2, "beta": 0.7},
            "those are the leaves below e; of these MAX takes 0.7, and alpha comes from a.",
        ),
        (
            {"alpha": _WINDOW["alpha"], "beta": 0.4},
            "beta is what MIN has found up to then, before f is looked at.",
        ),
    ),
    advice="Alpha is the best for MAX by other moves on the way down, beta the best for MIN.",
)


# Write it yourself ---------------------------------------------------------------------------


class _Side(NamedTuple):
    """What somebody takes of the values below a node, MAX and MIN, and what of a leaf."""

    maximum: Callable[[list[float]], float] = max
    minimum: Callable[[list[float]], float] = min
    player: int = 0


def _walk(game: Any, state: Any, side: _Side = _Side()) -> float:  # noqa: B008
    if game.is_terminal(state):
        return float(game.returns(state)[side.player])
    below = [_walk(game, game.play(state, move), side) for move in game.legal_actions(state)]
    return (side.minimum if game.to_move(state) else side.maximum)(below)


def _taking(*arguments: Any) -> Callable[[Any, Any], float]:
    side = _Side(*arguments)
    return lambda game, state: _walk(game, state, side)


def _by_turns(game: Any, state: Any, maximizing: bool = True) -> float:
    """MAX at the top, whoever is to move there."""
    if game.is_terminal(state):
        return float(game.returns(state)[0])
    children = [game.play(state, move) for move in game.legal_actions(state)]
    below = [_by_turns(game, child, not maximizing) for child in children]
    return max(below) if maximizing else min(below)


def _of_mover(game: Any, state: Any) -> float:
    value = _walk(game, state)
    return -value if not game.is_terminal(state) and game.to_move(state) else value


def _negamax(game: Any, state: Any) -> float:
    if game.is_terminal(state):
        return float(game.returns(state)[game.to_move(state)])
    return max(-_negamax(game, game.play(state, move)) for move in game.legal_actions(state))


_TREE_ROOT: Final = TREE.initial_state()

write_minimax: Final = Task(
    solution=_walk,
    cases=(
        Case("in a tree of five nodes", (GameTree({"a": 0, "b": {"c": -1, "d": 1}}), ())),
        Case("in the tree of exercise 1", (TREE, _TREE_ROOT)),
        Case("in that tree after a, with MIN to move", (TREE, ("a",))),
        Case("in tic-tac-toe at XOX X.O O.., with X to move", (GAME, GAME.parse("XOX X.O O.."))),
        Case("in tic-tac-toe at XO. X.X O.., with O to move", (GAME, GAME.parse("XO. X.X O.."))),
        Case("where the game is over and X has won", (GAME, GAME.parse("XXX OO. ..."))),
    ),
    misconceptions=(
        (
            _taking(max, max),
            "MAX moves at every node here; when it is player 1's turn, take the smallest.",
        ),
        (
            _taking(min, max),
            "MAX and MIN are swapped; MAX is player 0 and takes the largest.",
        ),
        (
            _taking(mean, mean),
            "that is the mean of all that can happen; but a player chooses, and not at random.",
        ),
        (
            _taking(max, mean),
            "MIN takes the mean here, like a player who draws lots; let it take the smallest.",
        ),
        (
            _taking(lambda below: below[0], lambda below: below[0]),
            "only the first move of each position counts here; look at all of them.",
        ),
        (
            _by_turns,
            "the first node is MAX's here in every case; ask game.to_move(state) at each node.",
        ),
        (
            _of_mover,
            "that is the value for the player to move; here every value is MAX's, also at MIN's "
            "turn.",
        ),
        (
            _negamax,
            "that is negamax, which speaks for the player to move; here every value is MAX's, so "
            "do without the minus signs.",
        ),
        (
            _taking(max, min, 1),
            "at the leaves you took what MIN gets; returns(state)[0] is MAX's.",
        ),
    ),
    why="MAX takes the largest, MIN the smallest, and the leaves tell what a game is worth.",
)
