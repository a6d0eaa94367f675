"""Experiments and exercises of the lesson *What about my game?*

The exercises are about the rules of a game: who wins in the end, and what may be played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from mcts_viz.errors import require
from mcts_viz.film.pictures import add
from mcts_viz.games import Game, Returns
from mcts_viz.search import MCTS, solve
from mcts_viz.search.checks import check_rules

from ..measure.experiments import Counts, by_budget, moves_played
from ..show.boards import LINES, Picture, blank_picture, letters
from ..show.tables import Table
from ..typed import typed_door
from ..work.exercises import Question, texts_of

SAID: Final = texts_of(__name__)

# Experiments ---------------------------------------------------------------------


@typed_door
def show_house(rows: int, columns: int) -> Picture:
    """Draw a house of flats, numbered row by row from the top left."""
    house = blank_picture(36 * columns, 36 * rows)
    for flat in range(rows * columns):
        floor, door = divmod(flat, columns)
        add(house, "rect", x=36 * door, y=36 * floor, width=36, height=36, **LINES)
        add(house, "text", "", str(flat), x=36 * door + 18, y=36 * floor + 22, **letters("ink"))
    numbers = [range(floor * columns, (floor + 1) * columns) for floor in range(rows)]
    return Picture(house, "\n".join(" ".join(f"{n:2}" for n in floor) for floor in numbers))


@typed_door
def finds_a_win(game: Game[Any, Any], budgets: Sequence[int], seeds: int = 100) -> Counts:
    """Search a game from its start, and count the searches that play a winning move."""
    start = game.initial_state()
    return by_budget(game, start, solve(game, start).best_actions, budgets, seeds)


@typed_door
def place_in_words(found: Counts) -> str:
    """Say where the winning flats of a house of three by four are."""
    places = {"the middle": {5, 6}, "a corner": {0, 3, 8, 11}, "an edge": {1, 2, 4, 7, 9, 10}}
    return next(place for place, flats in places.items() if found.wanted & flats)


@typed_door
def who_wins(houses: Sequence[Any]) -> Table:
    """Return who wins Cats and Dogs in each of these houses, with perfect play."""
    rows = []
    for house in houses:
        check_rules(house)
        kind = "a game with rows and columns, such as CatsAndDogs(3, 4)"
        require(hasattr(house, "rows") and hasattr(house, "columns"), "A house", kind, house)
        cats = solve(house, house.initial_state()).value == 1
        rows.append((f"{house.rows} by {house.columns}", "cats" if cats else "dogs"))
    return Table(("house", "who wins"), rows)


# A hidden card ---------------------------------------------------------------------------------


class Queen(Game[tuple[str, ...], str]):
    """You hold a queen: leave for half a point, or stay, and bet against a hidden card or pass.

    A search that ``peeks`` sees the card before it bets, as one does that guesses it beforehand.
    """

    name = "Queen"
    players = ("You",)
    value_range = (-2.0, 2.0)

    def __init__(self, peeks: bool = False) -> None:
        self.peeks = peeks

    def initial_state(self) -> tuple[str, ...]:
        return ()

    def to_move(self, state: tuple[str, ...]) -> int:
        return 0

    def chances(self, state: tuple[str, ...]) -> Mapping[str, float]:
        turned = len(state) == (1 if self.peeks else 2) and state[0] == "stay"
        return {"jack": 0.5, "king": 0.5} if turned else {}

    def legal_actions(self, state: tuple[str, ...]) -> Sequence[str]:
        return ("bet", "pass") if state else ("leave", "stay")

    def play(self, state: tuple[str, ...], action: str) -> tuple[str, ...]:
        return (*state, action)

    def is_terminal(self, state: tuple[str, ...]) -> bool:
        return state == ("leave",) or len(state) == 3

    def returns(self, state: tuple[str, ...]) -> Returns:
        if "bet" not in state:
            return (0.5 if "leave" in state else 0.0,)
        return (2.0 if "jack" in state else -2.0,)


def who_peeks(seeds: int = 50, iterations: int = 1000) -> Table:
    """Count the searches that stay: of one that sees the card before it bets, and of another."""
    rows = []
    stays = {}
    for peeks, name in ((True, "sees the card first"), (False, "decides first")):
        searches = (MCTS(Queen(peeks), seed=seed) for seed in range(seeds))
        stays[name] = moves_played(searches, (), iterations).count("stay")
        worth = solve(Queen(peeks), ()).action_values["stay"]
        rows.append((name, f"{stays[name]} of {seeds}", f"{worth:g}"))
    plays = {seeds: "stay", 0: "leave"}.get(stays["sees the card first"], SOMETIMES)
    return Table(("search", "plays stay", "thinks that stay is worth"), rows, stays, plays=plays)


SOMETIMES: Final = "sometimes one, sometimes the other"

# Who wins in a large house? -------------------------------------------------------------------

large_boards: Final = Question(
    SAID["large_boards"],
    right=("dogs", "cats"),
    wrong={
        "cats": ("cats", "cats"),
        "dogs": ("dogs", "dogs"),
        "a draw": ("dogs", "draw"),
        "swapped": ("cats", "dogs"),
    },
)
