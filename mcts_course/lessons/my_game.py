"""The exercises of lesson 13, What about my game?

They are about the rules of a game: who wins in the end, and what may be played.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from mcts_viz.games import Game, Nim, Returns
from mcts_viz.search import solve

from ..exercises import Case, Question, Task, in_any_order, texts_of
from ..experiments import ByBudget, by_budget
from ..predict import Prediction
from ..tables import Table

SAID: Final = texts_of(__name__)

# What the lesson measures ---------------------------------------------------------------------


class FindsAWin(ByBudget):
    """How many searches play a move that wins by force, by budget."""

    def nearest(self, guess: Prediction) -> Any:
        """The winning move that was predicted, or the first one if none was."""
        named = {str(move): move for move in sorted(self.wanted)}
        return named.get(str(guess.value), next(iter(named.values())))


def finds_a_win(game: Game[Any, Any], budgets: Sequence[int], seeds: int = 100) -> FindsAWin:
    """Search a game from its start, and count the searches that play a winning move."""
    start = game.initial_state()
    found = by_budget(game, start, solve(game, start).best_actions, budgets, seeds)
    return FindsAWin(**vars(found))  # the same table, by another name


def who_wins(houses: Sequence[Any]) -> Table:
    """Who wins Cats and Dogs in each of these houses, with perfect play."""
    rows = []
    for house in houses:
        cats = solve(house, house.initial_state()).value == 1
        rows.append((f"{house.rows} by {house.columns}", "cats" if cats else "dogs"))
    return Table(("house", "who wins"), rows)


# Who wins in a large house? -------------------------------------------------------------------

_PLAYERS: Final = ("cats", "dogs")


def _winners(*boards: tuple[int, int]) -> tuple[str, ...]:
    """Who wins Cats and Dogs on boards of these rows and columns, by mirror play.

    A half turn maps each flat to its image. A flat that is its own image, or next door to it, is
    the middle: the cats take it first, and mirror from then on. Without one, the dogs mirror.
    """
    return tuple(_PLAYERS[rows % 2 == columns % 2 == 0] for rows, columns in boards)


large_boards: Final = Question(
    SAID["large_boards"],
    text="Cats begin. Who wins on 10 by 10, and who on 9 by 10?",
    right=_winners((10, 10), (9, 10)),
    wrong={
        "cats": ("cats", "cats"),
        "dogs": ("dogs", "dogs"),
        "a draw": ("dogs", "draw"),
        "swapped": ("cats", "dogs"),
    },
)


# The last one loses --------------------------------------------------------------------------


def _last_loses(game: Game[Any, Any], state: Any) -> Returns:
    """The player who moved last has lost: the player to move has won."""
    return (1.0, -1.0) if game.to_move(state) == 0 else (-1.0, 1.0)


def _end(player: int, heaps: Sequence[int]) -> Case:
    game, winner = Nim(tuple(heaps)), "AB"[player]
    words = f"in Nim, where {'BA'[player]} took the last object and {winner} would be to move"
    return Case(words, (game, (player, *(0 for _ in heaps))))


write_returns: Final = Task(
    SAID["write_returns"],
    solution=_last_loses,
    cases=(_end(0, (1, 2)), _end(1, (1, 2)), _end(1, (4,))),
    wrong={
        "the usual rule": lambda game, state: game.returns(state),
        "for the player to move": lambda game, state: (1.0, -1.0),
        "player 1 always": lambda game, state: (-1.0, 1.0),
        "one number": lambda game, state: 1.0,
        "player 0's number": lambda game, state: _last_loses(game, state)[0],
        "0 for a loss": lambda game, state: tuple(
            (value + 1) / 2 for value in _last_loses(game, state)
        ),
        "the winner's number": lambda game, state: game.to_move(state),
    },
)


# What may be played --------------------------------------------------------------------------

Knock = tuple[int, ...]


def _kayles(pins: str) -> list[Knock]:
    """One standing pin, or two that stand side by side, as tuples of their places."""
    standing = [place for place, pin in enumerate(pins) if pin == "|"]
    pairs = [(place, place + 1) for place in standing if place + 1 in standing]
    return [*((place,) for place in standing), *pairs]


_PAIRS: Final = "[(place, place + 1) for place in standing if place + 1 in standing]"

_RING: Final = "[(0, len(pins) - 1)] if len(pins) > 2 and pins[0] == pins[-1] == '|'"

write_moves: Final = Task(
    SAID["write_moves"],
    solution=_kayles,
    cases=(
        Case("with the pins '|||'", ("|||",)),
        Case("with the pins '|.||'", ("|.||",)),
        Case("with the pins '||.|'", ("||.|",)),
        Case("with the pins '..|.'", ("..|.",)),
        Case("with all pins down, '...'", ("...",)),
    ),
    observe=in_any_order,
    wrong={
        "singles": {", *pairs": ""},
        "pairs": {"*((place,) for place in standing), ": ""},
        "over gaps": {_PAIRS: "zip(standing, standing[1:])"},
        "a ring": {", *pairs": f", *pairs, *({_RING} else [])"},
        "pairs twice": {", *pairs": ", *pairs, *(pair[::-1] for pair in pairs)"},
        "fallen pins": {" if pin == '|'": ""},
        "bare numbers": {"(place,) for": "place for"},
    },
)
