"""Experiments and exercises of the lesson *What about my game?*

The exercises are about the rules of a game: who wins in the end, and what may be played.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from mcts_viz.errors import require
from mcts_viz.film.pictures import add
from mcts_viz.games import Game
from mcts_viz.search import solve
from mcts_viz.search.checks import check_rules

from ..measure.experiments import Counts, by_budget
from ..show.boards import LINES, Picture, TreeNode, blank_picture, draw_tree, letters
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


def kinds_of_nodes() -> Picture:
    """Draw decisions of both players, and a chance node between them."""
    opponent = "the opponent\nchooses"
    return draw_tree(
        [
            TreeNode("you choose"),
            TreeNode("the die\ndecides", 0, "circle", "move a"),
            TreeNode(opponent, 1, "ellipse", "one: 1/6"),
            TreeNode(opponent, 1, "ellipse", "six: 1/6"),
            TreeNode(opponent, 0, "ellipse", "move b"),
        ]
    )


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
