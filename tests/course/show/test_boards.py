"""Boards in the lessons: each piece and each free cell is where the position has it."""

import doctest
import re

import pytest

from mcts_course import show_board, show_tree
from mcts_course.show import boards
from mcts_viz import ConnectFour, GameTree, TicTacToe
from mcts_viz.errors import SearchError

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


def test_a_game_that_is_over_has_no_moves_and_names_are_text():
    shown = show_board(GAME, GAME.parse("XXX OO. ..."), names=["<b>over"])
    assert "&lt;b&gt;over" in shown.svg
    assert [text for *_, text in written(shown)] == ["&lt;b&gt;over"]


def test_without_a_board_there_is_the_text():
    game = GameTree({"a": 1, "b": 0})
    assert show_board(game, game.initial_state())._repr_mimebundle_()[0].keys() == {"text/plain"}


def test_what_is_not_a_position_is_refused():
    with pytest.raises(SearchError):
        show_board(GAME, "XX. .O. ...")


def test_its_example():
    assert doctest.testmod(boards).failed == 0


def test_a_tree_says_who_moves_what_a_leaf_is_worth_and_what_is_added():
    drawn = show_tree(GameTree({"a": 0, "<b>": {"c": -1}}), {"<b>": "3/4"})
    assert str(drawn).splitlines() == ["root", "  a 0", "  <b> 3/4", "    c −1"]
    names = re.findall(r"<(rect|ellipse|text)\b", drawn.svg)
    of_root, of_leaf, of_b = ["rect", "text"], 2 * ["text"], ["ellipse", "text", "text"]
    assert names == ["rect", *of_root, *of_leaf, *of_b, *of_leaf]
    assert drawn.svg.count('class="edge') == 3
    assert ">&lt;b&gt;</text>" in drawn.svg
    assert ">−1</text>" in drawn.svg
