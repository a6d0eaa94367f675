"""Boards in the lessons: each piece and each free cell is where the position has it."""

import doctest
import re
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcts_course import show_board, show_tree
from mcts_course.lessons.my_game import show_house
from mcts_course.measure import experiments
from mcts_course.play import play
from mcts_course.show import boards
from mcts_viz import ConnectFour, GameTree, TicTacToe

GAME = TicTacToe()


def written(shown):
    """Each text of the picture with its place."""
    found = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)<', shown.svg)
    return [(float(x), float(y), text) for x, y, text in found]


def test_free_cells_carry_the_moves_that_fill_them():
    texts = written(show_board(GAME, GAME.parse("XX. .O. ...")))
    cells = {text: (int(x // 30), int(y // 30)) for x, y, text in texts}
    assert cells == {str(cell): (cell % 3, cell // 3) for cell in (2, 3, 5, 6, 7, 8)}


def test_a_column_is_written_where_the_piece_lands():
    game = ConnectFour(3, 5, connect=3)
    texts = written(show_board(game, game.parse(".X... .O... .X...")))
    assert [(text, y) for _, y, text in texts] == [(column, 79.0) for column in "0234"]


def test_a_house_has_the_numbers_where_its_text_has_them():
    for rows, columns in ((1, 1), (2, 5), (4, 3)):
        house = show_house(rows, columns)
        flats = [(x // 36, y // 36, text) for x, y, text in written(house)]
        assert flats == [
            (column, row, flat)
            for row, line in enumerate(str(house).splitlines())
            for column, flat in enumerate(line.split())
        ]
        assert len({text for *_, text in flats}) == rows * columns


def test_a_game_that_is_over_has_no_moves_and_names_are_text():
    shown = show_board(GAME, GAME.parse("XXX OO. ..."), names=["<b>over"])
    assert "&lt;b&gt;over" in shown.svg
    assert [text for *_, text in written(shown)] == ["&lt;b&gt;over"]


def test_without_a_board_there_is_the_text():
    game = GameTree({"a": 1, "b": 0})
    assert show_board(game, game.initial_state())._repr_mimebundle_()[0].keys() == {"text/plain"}


@pytest.mark.parametrize("module", [boards, experiments, play])
def test_examples_of_the_course(module):
    assert doctest.testmod(module).failed == 0


def test_a_tree_says_who_moves_what_a_leaf_is_worth_and_what_is_added():
    drawn = show_tree(GameTree({"a": 0, "<b>": {"c": -1}}), {"<b>": "3/4"})
    assert str(drawn).splitlines() == ["root", "  a 0", "  <b> 3/4", "    c −1"]
    names = re.findall(r"<(rect|ellipse|text)\b", drawn.svg)
    assert " ".join(names) == "rect rect text text text ellipse text text text text"
    assert drawn.svg.count('class="edge') == 3
    assert ">&lt;b&gt;</text>" in drawn.svg
    assert ">−1</text>" in drawn.svg


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(1, 90), st.integers(1, 50)), max_size=60))
def test_small_trees_have_lanes_for_their_boxes(drawn):
    """No box lies over another, rows are rows, and siblings are in order, above their parent's."""
    parents = [-1, *(number % (place + 1) for place, (number, *_) in enumerate(drawn))]
    sizes = [(40, 20), *(size for _, *size in drawn)]
    centers = boards.in_lanes(sizes, parents)
    for (one, (x, y)), (other, (right, foot)) in combinations(enumerate(centers), 2):
        gaps = abs(x - right) - (sizes[one][0] + sizes[other][0]) / 2, abs(y - foot)
        assert gaps[0] >= -0.01 or gaps[1] >= (sizes[one][1] + sizes[other][1]) / 2 - 0.01
        if parents[one] == parents[other]:
            assert x < right
            assert y == foot
        if parents[other] == one:
            assert y < foot
    assert min(x - wide / 2 for (x, _), (wide, _) in zip(centers, sizes, strict=True)) >= -0.01
