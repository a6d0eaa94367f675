"""The exercises of lesson 06, What does UCT weigh?

Their numbers come from searches of the position of lesson 05.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import log, sqrt
from typing import Any, Final

from mcts_viz.games import TicTacToe
from mcts_viz.search import MCTS

from .exercises import Case, Question, Task

__all__ = ["GAME", "POSITION", "read_c", "which_flip", "write_crossing"]

GAME: Final = TicTacToe()
POSITION: Final = GAME.parse("OX. ..O ..X")

Share = tuple[float, int]
"""Wins and visits."""
Width = Callable[[int, int], float]
"""By visits of the parent and the child, what c is multiplied with."""


def _width(total: int, visits: int) -> float:
    return sqrt(log(total) / visits)


# Which c flips the choice? -------------------------------------------------------------------

_ITERATION: Final = 18
_TRACE = MCTS(GAME, seed=47).record(POSITION, iterations=_ITERATION, progress=False)
_TOTAL: Final = _ITERATION - 1


def _shares() -> dict[str, Share]:
    before = _TRACE.at(_TOTAL)
    return {
        _TRACE.label(node): (float(before.wins[node]), int(before.visits[node]))
        for node in before.children(0)
    }


_SHARES: Final[Mapping[str, Share]] = _shares()
_CHOSEN: Final = _TRACE.label(_TRACE.at(_ITERATION).path[1])


def _table() -> str:
    lines = [f"{_TOTAL} iterations are done; with c = 1.41 the walk takes {_CHOSEN}."]
    lines.append("move  wins/visits")
    lines += [f"{move:>4}  {f'{wins:g}/{n}':>11}" for move, (wins, n) in _SHARES.items()]
    return "\n".join(lines)


def _meetings(width: Width = _width) -> Iterator[tuple[float, str]]:
    """By rival: the c at which it is level with the move that was chosen."""
    wins, visits = _SHARES[_CHOSEN]
    for move, (rival_wins, rival_visits) in _SHARES.items():
        wider = width(_TOTAL, visits) - width(_TOTAL, rival_visits)
        if wider:
            yield (rival_wins / rival_visits - wins / visits) / wider, move


def _mean(move: str) -> float:
    wins, visits = _SHARES[move]
    return wins / visits


def _flip(width: Width = _width, pick: Callable[..., Any] = max) -> dict[str, Any]:
    """The highest meeting with a move of higher mean, or another one that ``pick`` picks."""
    c, move = pick((c, move) for c, move in _meetings(width) if _mean(move) > _mean(_CHOSEN))
    return {"c": c, "move": move}


_RIGHT: Final = _flip()
_ABOVE: Final = min((c, move) for c, move in _meetings() if c > _TRACE.c)

which_flip: Final = Question(
    text=_table(),
    right=_RIGHT,
    why="going down from 1.41, this is the first line that crosses that of the chosen move.",
    misconceptions=(
        (
            _flip(pick=min),
            "that move has the highest mean, but on the way down to this c another line crosses "
            "first.",
        ),
        (
            {"c": _ABOVE[0], "move": _ABOVE[1]},
            "that is the flip above; a smaller c is asked for, which favours a higher mean.",
        ),
        (
            {**_RIGHT, "move": _CHOSEN},
            "this c is right, but below it the chosen move is overtaken; name who comes instead.",
        ),
        (
            _flip(lambda total, visits: log(total) / visits),
            "the square root is missing: c is multiplied with √(ln N / n).",
        ),
        (
            _flip(lambda total, visits: 1 / sqrt(visits)),
            "ln N is missing: c is multiplied with √(ln N / n), N being the visits of the root.",
        ),
    ),
    advice="For each move with a higher mean, divide the lead in mean by the lead in √(ln N / n).",
)


# Where two lines cross -----------------------------------------------------------------------


def _crossing(
    one: Share, other: Share, total: int, width: Width = _width, sign: int = 1
) -> float | None:
    """The last two arguments are there to make it wrong."""
    wider = width(total, one[1]) - width(total, other[1])
    if not wider:
        return None
    c = sign * (other[0] / other[1] - one[0] / one[1]) / wider
    return c if c >= 0 else None


def _unchecked(one: Share, other: Share, total: int) -> float | None:
    wider = _width(total, one[1]) - _width(total, other[1])
    return (other[0] / other[1] - one[0] / one[1]) / wider if wider else None


def _without_none(one: Share, other: Share, total: int) -> float:
    lead = other[0] / other[1] - one[0] / one[1]
    return lead / (_width(total, one[1]) - _width(total, other[1]))


def _divides_by_zero(one: Share, other: Share, total: int) -> float | None:
    c = _without_none(one, other, total)
    return c if c >= 0 else None


def _by_wins(one: Share, other: Share, total: int) -> float | None:
    wider = _width(total, one[1]) - _width(total, other[1])
    if not wider or (other[0] - one[0]) / wider < 0:
        return None
    return (other[0] - one[0]) / wider


def _with_width(width: Width) -> Callable[..., float | None]:
    return lambda one, other, total: _crossing(one, other, total, width)


write_crossing: Final = Task(
    solution=_crossing,
    cases=(
        Case("with 3/4, 1/2 and N = 7", ((3, 4), (1, 2), 7)),
        Case("with 0/1, 1/2 and N = 7", ((0, 1), (1, 2), 7)),
        Case("with 2/2, 1/4 and N = 9, where the more visited is worse", ((2, 2), (1, 4), 9)),
        Case("with 3/4, 1/4 and N = 9, where the visits are equal", ((3, 4), (1, 4), 9)),
        Case("with 2/4, 1/2 and N = 8, where the means are equal", ((2, 4), (1, 2), 8)),
    ),
    misconceptions=(
        (
            _without_none,
            "the formula is right; but return None for equal visits, and where c is below 0.",
        ),
        (
            _divides_by_zero,
            "with equal visits the lines are parallel and never meet; return None before you "
            "divide.",
        ),
        (
            _unchecked,
            "these lines meet where c is below 0, but no search has such a c; return None there.",
        ),
        (
            lambda one, other, total: _crossing(one, other, total, sign=-1),
            "the sign is turned: whoever has the higher mean must have the smaller √(ln N / n).",
        ),
        (
            lambda one, other, total: abs(_unchecked(one, other, total) or 0),
            "a distance is never below 0, but c can be: without abs you see when there is no c.",
        ),
        (
            _by_wins,
            "those are the wins; a line begins at the mean, which is wins by visits.",
        ),
        (
            _with_width(lambda total, visits: log(total) / visits),
            "the square root is missing: c is multiplied with √(ln N / n).",
        ),
        (
            _with_width(lambda total, visits: 1 / sqrt(visits)),
            "ln N is missing: c is multiplied with √(ln N / n).",
        ),
        (
            lambda one, other, total: _crossing(one, other, one[1] + other[1]),
            "N is the visits of the parent, which has other children too; use total.",
        ),
    ),
    why="the lead in mean, divided by the lead in width; None where no c makes them level.",
)


# Read c from the tree ------------------------------------------------------------------------

_COURSES: Final = {"A": sqrt(2), "B": 10.0, "C": 0.0}
_NUMBER: Final = 100


def _visits() -> str:
    lines = [f"visits after {_NUMBER} iterations"]
    for name, c in _COURSES.items():
        root = MCTS(GAME, c, seed=3).search(POSITION, iterations=_NUMBER, progress=False).root
        visits = {child.action: child.visits for child in root.children}
        row = ", ".join(f"{move}: {visits[move]:>2}" for move in sorted(visits))
        lines.append(f"{name}   {row}")
    return "\n".join(lines)


def _in_order(*values: float) -> dict[str, float]:
    return dict(zip(_COURSES, values, strict=True))


_USUAL, _LARGE, _NONE = _COURSES.values()

read_c: Final = Question(
    text=_visits(),
    right=_COURSES,
    why="the larger c is, the more evenly the visits are shared; with 0 one move takes nearly all.",
    misconceptions=(
        (
            _in_order(_USUAL, _NONE, _LARGE),
            "the extremes are swapped: exploration shares the visits out, it does not pile them "
            "up.",
        ),
        (
            _in_order(_LARGE, _USUAL, _NONE),
            "C is right; of A and B, the one with the more even visits has the larger c.",
        ),
        (
            _in_order(_NONE, _LARGE, _USUAL),
            "B is right; with 0 only the mean counts, and one move can take nearly all visits.",
        ),
        (
            _in_order(_NONE, _USUAL, _LARGE),
            "the larger c is, the more evenly the visits are shared; put A, B and C in that order.",
        ),
        (
            _in_order(_LARGE, _NONE, _USUAL),
            "all three are elsewhere; begin with the search that has visited all moves alike.",
        ),
    ),
    advice="Give each of A, B and C one of 0, 1.41 and 10.",
)
