"""The exercises of lesson 09, How near is MCTS to the truth?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from mcts_viz.games import TicTacToe
from mcts_viz.search import MCTS, Backpropagation, solve

from .exercises import Case, Question, Task

__all__ = ["GAME", "POSITION", "Opinion", "opinions", "regrets", "write_proof", "write_settles"]

GAME: Final = TicTacToe()
POSITION: Final = GAME.parse("XO. X.. O..")


# How long does a search change its mind? -----------------------------------------------------


class Opinion:
    """Is the move that would be played a best one? One answer after each iteration."""

    def __init__(self, search: MCTS, best: Sequence[Any]) -> None:
        self.search, self.best = search, best
        self.right: list[bool] = []

    def on_backpropagate(self, record: Backpropagation) -> None:
        move = self.search.final_rule(self.search.root.children).action
        self.right.append(move in self.best)


def opinions(kind: type[MCTS], state: Any, seed: int, iterations: int = 1000) -> list[bool]:
    """After each iteration: whether the move that would be played is a best one."""
    search = kind(GAME, seed=seed)
    opinion = Opinion(search, solve(GAME, state).best_actions)
    result = search.search(state, iterations=iterations, hooks=[opinion], progress=False)
    left = iterations - result.iterations  # a solved search stops, and stays with its move
    return opinion.right + [result.best_action in opinion.best] * left


# What does each move give away? --------------------------------------------------------------

_ASKED: Final = GAME.parse("XXO O.. ...")
_SOLUTION: Final = solve(GAME, _ASKED)
_VALUES: Final = {str(cell): value for cell, value in _SOLUTION.action_values.items()}


def _regrets(best: float = _SOLUTION.value, scale: float = 0.5) -> dict[str, float]:
    return {cell: scale * (best - value) for cell, value in _VALUES.items()}


regrets: Final = Question(
    text=f"X is to move.\n{GAME.text(_ASKED)}",
    right=_regrets(),
    why="one cell wins and costs nothing, one only draws, and after the others O wins.",
    misconceptions=(
        (
            dict(_VALUES),
            "those are the values; the regret of a move is what it gives away of the best one.",
        ),
        (
            _regrets(scale=1),
            "a win is worth one more than a draw, as a value; as a reward it is worth a half more.",
        ),
        (
            {cell: 0.5 * (value + 1) for cell, value in _VALUES.items()},
            "those are the rewards; the best move must have regret 0, and a lost game has 1.",
        ),
        (
            {cell: float(value < 1) for cell, value in _VALUES.items()},
            "mistakes are not all alike: whoever draws has given away half of a won game.",
        ),
        (
            _regrets(best=0.0),
            "the best move is the measure, not a draw; no regret is below 0.",
        ),
    ),
    advice="Take the best value less that of the move, and halve it.",
)


# From when on is it right? -------------------------------------------------------------------

_Moves = Sequence[str]


def _settles(played: _Moves, best: Collection[str]) -> int | None:
    wrong = [number for number, move in enumerate(played, 1) if move not in best]
    since = wrong[-1] + 1 if wrong else 1
    return since if since <= len(played) else None


def _first_right(played: _Moves, best: Collection[str]) -> int | None:
    return next((number for number, move in enumerate(played, 1) if move in best), None)


def _never_changes(played: _Moves, best: Collection[str]) -> int | None:
    return _settles(played, {played[-1]}) if played[-1] in best else None


def _last_wrong(played: _Moves, best: Collection[str]) -> int | None:
    since = _settles(played, best)
    return None if since is None else since - 1


def _without_none(played: _Moves, best: Collection[str]) -> int:
    return _settles(played, best) or len(played) + 1


def _counts_wrong(played: _Moves, best: Collection[str]) -> int | None:
    wrong = sum(move not in best for move in played)
    return None if played[-1] not in best else wrong + 1


def _first_of_best(played: _Moves, best: Collection[str]) -> int | None:
    return _settles(played, sorted(best)[:1])


def _course(played: str, best: str) -> Case:
    """A case from moves of one letter."""
    words = f"with {', '.join(played)} and best {' or '.join(best)}"
    return Case(words, (list(played), set(best)))


write_settles: Final = Task(
    solution=_settles,
    cases=(
        _course("abbb", "b"),
        _course("babab", "b"),
        _course("abcbc", "bc"),
        _course("bbbb", "b"),
        _course("bbab", "b"),
        _course("abba", "b"),
    ),
    misconceptions=(
        (
            _first_right,
            "that is when it is right for the first time; it may leave the best move again.",
        ),
        (
            _never_changes,
            "the move may still change from one best move to another; ask whether it is in best.",
        ),
        (
            _last_wrong,
            "in that iteration it is still wrong, if you count from 1; take the one after it.",
        ),
        (
            _without_none,
            "if the last move is wrong, it has not settled; return None, not a later iteration.",
        ),
        (
            _counts_wrong,
            "you count the wrong iterations; what matters is where the last of them is.",
        ),
        (
            _first_of_best,
            "best may hold several moves, and each of them is right.",
        ),
    ),
    why="one after the last wrong iteration, and None if that was the last of all.",
)


# What is proven? -----------------------------------------------------------------------------

_Proofs = Mapping[str, int]


def _proof(children: _Proofs, untried: Collection[str]) -> int:
    """1 if the player who moved into the node has won for sure, -1 if lost for sure, else 0."""
    if 1 in children.values():
        return -1
    lost = all(proof == -1 for proof in children.values())
    return 1 if lost and not untried else 0


def _all_must_win(children: _Proofs, untried: Collection[str]) -> int:
    if not untried and all(proof == 1 for proof in children.values()):
        return -1
    return 1 if not untried and all(proof == -1 for proof in children.values()) else 0


def _one_loss(children: _Proofs, untried: Collection[str]) -> int:
    if 1 in children.values():
        return -1
    return 1 if -1 in children.values() else 0


def _draw_is_lost(children: _Proofs, untried: Collection[str]) -> int:
    if 1 in children.values():
        return -1
    return 0 if untried else 1


def _for_mover(rule: Callable[[_Proofs, Collection[str]], int]) -> Callable[..., int]:
    return lambda children, untried: -rule(children, untried)


def _node(untried: str = "", **children: int) -> Case:
    shown = ", ".join(f"{move}: {proof}" for move, proof in children.items())
    words = f"with the children {{{shown}}} and {', '.join(untried) or 'nothing'} untried"
    return Case(words, (dict(children), list(untried)))


write_proof: Final = Task(
    solution=_proof,
    cases=(
        _node(a=0, b=1, untried="c"),
        _node(a=0, b=1),
        _node(a=-1, b=-1),
        _node(a=-1, b=-1, untried="c"),
        _node(a=-1, b=0),
        _node(a=1, b=1),
        _node(a=0, b=0),
    ),
    misconceptions=(
        (
            _for_mover(_proof),
            "the sides change: what wins for the player to move here loses for who moved into it.",
        ),
        (
            lambda children, untried: _proof(children, ()),
            "a move that is untried may still be the rescue; nothing is proven before it is seen.",
        ),
        (
            _all_must_win,
            "one won move is enough, whatever the others are: the player to move will take it.",
        ),
        (
            _one_loss,
            "one lost move proves nothing; the player to move would take another one.",
        ),
        (
            _draw_is_lost,
            "0 is not a loss: such a child is a draw, or nobody knows yet.",
        ),
        (
            lambda children, untried: 0 if untried else _proof(children, untried),
            "to prove a win of the player to move, you need not wait for the untried moves.",
        ),
    ),
    why="one won child loses the node for who moved into it; all lost, and none untried, win it.",
)
