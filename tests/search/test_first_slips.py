"""Ten slips of a first hour, and the one readable sentence that answers each, word for word."""

import pytest

from mcts_course.teacher.collect import nbgrader_source
from mcts_viz import MCTS, ConnectFour, MctsVizError, Nim, Player, TicTacToe

GAME = TicTacToe()
STATE = GAME.parse("XX. OO. ...")
OF_NIM = Nim().initial_state()
NO_POSITION = (
    "The state must be a position of Tic-tac-toe, as game.parse(text) or game.play(state, action) "
    "returns it; you gave "
)
NO_BUDGET = "The search has no budget: give it iterations=1000 or seconds=1."


def searched():
    """A search that has grown a tree."""
    search = MCTS(GAME, seed=1)
    search.search(iterations=20)
    return search


SLIPS = {
    "a text as a position": (
        lambda: MCTS(GAME).search("XX. OO. ...", iterations=9),
        f"{NO_POSITION}'XX. OO. ...'. Write game.parse('XX. OO. ...').",
    ),
    "a text where the rules are asked": (
        lambda: GAME.legal_actions("XX. OO. ..."),
        f"{NO_POSITION}'XX. OO. ...'. Write game.parse('XX. OO. ...').",
    ),
    "a class for an object": (
        lambda: MCTS(TicTacToe),
        "game must be made from a class of rules, such as TicTacToe(); you gave <class "
        "'mcts_viz.games.tictactoe.TicTacToe'>.",
    ),
    "a name of an argument misspelt": (
        lambda: MCTS(GAME).search(iteration=9),
        "MCTS.search() got an unexpected keyword argument 'iteration'",
    ),
    "a name of a method misspelt": (
        lambda: MCTS(GAME).searches(iterations=9),
        "'MCTS' object has no attribute 'searches'",
    ),
    "no budget": (lambda: MCTS(GAME).search(), NO_BUDGET),
    "no budget for a recording": (lambda: MCTS(GAME).record(), NO_BUDGET),
    "a budget of 0": (
        lambda: MCTS(GAME).search(iterations=0),
        "iterations must be a whole number of at least 1; you gave 0.",
    ),
    "a move that is not legal": (
        lambda: GAME.play(STATE, 0),
        "0 is no legal move at 'XX.\\nOO.\\n...': choose one of 2, 5, 6, 7, 8.",
    ),
    "an advance by no move": (
        lambda: searched().advance(99),
        "99 is no legal move at '...\\n...\\n...': choose one of 0, 1, 2, 3, 4, 5, 6, 7, 8.",
    ),
    "a state of another game": (
        lambda: MCTS(GAME).search(OF_NIM, iterations=9),
        f"{NO_POSITION}(0, 3, 4, 5).",
    ),
    "a result before a search": (
        lambda: MCTS(GAME).best_action,
        "'MCTS' object has no attribute 'best_action'",
    ),
    "a trace's number as an index": (
        lambda: searched().record(iterations=20)[3],
        "'Trace' object is not subscriptable",
    ),
    "an iteration that a trace does not have": (
        lambda: searched().record(iterations=20).at(21),
        "iteration must be a whole number from 0 to 20; you gave 21.",
    ),
    "a search for its trace": (
        lambda: Player(MCTS(GAME, seed=4)),
        "source must be a trace, as search.record(iterations=200) returns one; you gave <MCTS of "
        "Tic-tac-toe: c = 1.41, seed 4>.",
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_first_slip_has_its_sentence(slip):
    call, sentence = SLIPS[slip]
    with pytest.raises((MctsVizError, TypeError, AttributeError)) as answer:
        call()
    assert str(answer.value) == sentence


def test_a_position_of_another_game_of_cells_is_no_position():
    other = ConnectFour().play(ConnectFour().initial_state(), 3)
    with pytest.raises(MctsVizError, match="must be a position of Tic-tac-toe"):
        MCTS(GAME).search(other, iterations=9)


def test_an_unknown_lesson_is_named(tmp_path, capsys):
    assert nbgrader_source(["99", "four_phases"], tmp_path) == 2
    said = capsys.readouterr().err
    assert said == "There is no lesson 99: give topics such as four_phases, or 03.\n"
