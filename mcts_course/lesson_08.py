"""The exercises of lesson 08, Do smarter playouts help?, and the exact mean of a playout."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, Final

from mcts_viz.games import Game, Nim, TicTacToe
from mcts_viz.search import solve
from mcts_viz.search.variants import Choice, blocks, wins_at_once

from .exercises import Case, Question, Task

__all__ = ["GAME", "exact_mean", "find_the_bias", "order", "write_considered"]

GAME: Final = TicTacToe()


@cache
def exact_mean(state: Any, *choices: Choice) -> Fraction:
    """What X gets on average in playouts from ``state``: 1 for a win, 1/2 for a draw; in [0, 1].

    Each move is drawn among those that the first of the ``choices`` with an opinion considers,
    and among all where none has one: without choices, in a light playout.
    """
    if GAME.is_terminal(state):
        return Fraction(int(GAME.returns(state)[0]) + 1, 2)
    legal = GAME.legal_actions(state)
    opinions = (choice(GAME, state, legal) for choice in choices)
    considered = next((some for some in opinions if len(some) < len(legal)), legal)
    means = [exact_mean(GAME.play(state, action), *choices) for action in considered]
    return sum(means, Fraction()) / len(means)


# Which comes first? --------------------------------------------------------------------------

_ORDER: Final = GAME.parse("... .OX XOX")
_BOTH: Final = (wins_at_once, blocks)


def _shares(*orders: Sequence[Choice]) -> tuple[float, ...]:
    return tuple(float(exact_mean(_ORDER, *choices)) for choices in orders)


order: Final = Question(
    text=f"O is to move.\n{GAME.text(_ORDER)}",
    right=_shares(_BOTH, _BOTH[::-1]),
    why="the first policy wins for O at once; the second draws lots, and a block leads to a draw.",
    misconceptions=(
        (
            _shares(_BOTH[::-1], _BOTH),
            "the two are swapped; give win_then_block first.",
        ),
        (
            (0, 0),
            "here the order does make a difference: O can win and can block, and may do either.",
        ),
        (
            (0, float(exact_mean(GAME.play(_ORDER, 2), *_BOTH))),
            "a winning move also keeps the opponent from winning, so blocks considers it too; "
            "block_then_win draws lots between both.",
        ),
        (
            _shares((), ()),
            "these are light playouts; let the policies look for a win and a block.",
        ),
        (
            (1, 1 - _shares(_BOTH[::-1])[0]),
            "this is what O gets; the question is about X.",
        ),
    ),
    advice="Write down O's moves that each policy considers, and play on from each.",
)


# Write it yourself ---------------------------------------------------------------------------


def _considered(game: Game[Any, Any], state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    """The moves that win at once; else those that stop the opponent's win; else all."""
    wins = wins_at_once(game, state, legal)
    return wins if len(wins) < len(legal) else blocks(game, state, legal)


def _block_first(game: Game[Any, Any], state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    stops = blocks(game, state, legal)
    return stops if len(stops) < len(legal) else wins_at_once(game, state, legal)


def _winners(game: Game[Any, Any], state: Any, legal: Sequence[Any], player: int) -> list[Any]:
    """The moves that end the game with a win of this ``player``."""
    after = {action: game.play(state, action) for action in legal}
    over = [action for action in legal if game.is_terminal(after[action])]
    return [action for action in over if game.returns(after[action])[player] == 1]


def _dangers(game: Game[Any, Any], state: Any, action: Any) -> int:
    """How many ways to win at once the opponent has after ``action``."""
    after = game.play(state, action)
    if game.is_terminal(after):
        return 0
    return len(_winners(game, after, game.legal_actions(after), game.to_move(after)))


def _first_win(game: Game[Any, Any], state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    wins = _winners(game, state, legal, game.to_move(state))
    return wins[:1] or _considered(game, state, legal)


def _for_player_0(game: Game[Any, Any], state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    return _winners(game, state, legal, 0) or blocks(game, state, legal)


def _silent(game: Game[Any, Any], state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    some = _considered(game, state, legal)
    return some if len(some) < len(legal) else []


def _least_danger(game: Game[Any, Any], state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    wins = _winners(game, state, legal, game.to_move(state))
    dangers = {action: _dangers(game, state, action) for action in legal}
    return wins or [action for action in legal if dangers[action] == min(dangers.values())]


def _dangerous(game: Game[Any, Any], state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    wins = _winners(game, state, legal, game.to_move(state))
    return wins or [action for action in legal if _dangers(game, state, action)] or legal


def _everything(game: Game[Any, Any], state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    return legal


def _case(words: str, game: Game[Any, Any], text: str) -> Case:
    state = game.parse(text)
    return Case(f"{words}, in {text!r}", (game, state, game.legal_actions(state)))


def _in_order(arguments: tuple[Any, ...], result: Any) -> Any:
    """The moves in the order of their numbers, in which nobody need put them."""
    return sorted(result) if isinstance(result, list | tuple | set) else result


write_considered: Final = Task(
    solution=_considered,
    cases=(
        _case("where X can win at 2", GAME, "XX. OO. ..."),
        _case("where O can win at 5", GAME, "XX. OO. X.."),
        _case("where X can win at 2 and O threatens nothing", GAME, "XX. O.. ..O"),
        _case("where O must stop X at 2", GAME, "XX. O.. ..."),
        _case("where X can win at 2 and at 6", GAME, "XX. XOO ..O"),
        _case("where O cannot stop X at 2 and at 6", GAME, "XX. XO. ..O"),
        _case("where nobody threatens", GAME, "X.. ... ..."),
        _case("in Nim, with heaps of 1 and 2", Nim((1, 2)), "1 2"),
    ),
    observe=_in_order,
    misconceptions=(
        (
            _block_first,
            "your own win comes first; a block that passes over it throws the game away.",
        ),
        (
            wins_at_once,
            "the wins are right; where there is none, consider the moves that stop the opponent's.",
        ),
        (
            blocks,
            "the blocks are right; but before them, look for moves that win at once.",
        ),
        (
            _first_win,
            "you return one winning move; return them all, and let the playout draw among them.",
        ),
        (
            _for_player_0,
            "you look for the wins of player 0; ask game.to_move(state) who is to move.",
        ),
        (
            _silent,
            "where there is neither a win nor a block, nothing is left to draw from; return legal.",
        ),
        (
            _least_danger,
            "where no move stops every win of the opponent, the policy has no opinion; "
            "return legal.",
        ),
        (
            _dangerous,
            "you consider the moves after which the opponent can win; keep those after which it "
            "cannot.",
        ),
        (
            _everything,
            "you consider every move, as a light playout does; look for a win, then for a block.",
        ),
    ),
    why="your own win first, then the moves that stop the opponent's, and else all of them.",
)


# Which move do they overrate? ----------------------------------------------------------------

_BIASED: Final = GAME.parse("... ..O .X.")


def _means(*choices: Choice) -> dict[int, Fraction]:
    """The mean reward of X after each move of the position."""
    legal = GAME.legal_actions(_BIASED)
    return {action: exact_mean(GAME.play(_BIASED, action), *choices) for action in legal}


def _best(means: dict[int, Fraction], by: Callable[..., int] = max) -> int:
    return by(means, key=lambda action: means[action])


_WINNING: Final = solve(GAME, _BIASED).best_actions
_LIGHT: Final = _best(_means())

find_the_bias: Final = Question(
    text=f"X is to move.\n{GAME.text(_BIASED)}",
    right=_best(_means(*_BOTH)),
    why="no number of heavy playouts would show that this only draws, while two other cells win.",
    misconceptions=(
        (
            _LIGHT,
            "light playouts rank this first, rightly; hand both choices to exact_mean.",
        ),
        (
            next(action for action in _WINNING if action != _LIGHT),
            "this cell wins by force, but the heavy playouts do not know; compare their means.",
        ),
        (
            _best(_means(*_BOTH), min),
            "this has the lowest mean; exact_mean speaks for X, and X wants the highest.",
        ),
    ),
    advice="Compute exact_mean(game.play(state, cell), wins_at_once, blocks) for every empty cell.",
)
