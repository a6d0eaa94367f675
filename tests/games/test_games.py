"""The games: one suite for all, exact counts, and an independent second opinion."""

from __future__ import annotations

import json
import math
import random
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mcts_viz.errors import GameError
from mcts_viz.games import (
    ConnectFour,
    GameTree,
    Nim,
    TicTacToe,
    check_game,
    game_from_parameters,
)
from mcts_viz.games.connect_four import counting_cells
from mcts_viz.search import random_playout

PENCIL = GameTree({"a": {"c": 1, "d": -1}, "b": {"e": 0, "f": {"g": 0.5, "h": -0.25}}, "z": 0})
GAMES = [
    TicTacToe(),
    ConnectFour(),
    ConnectFour(4, 5),
    ConnectFour(4, 4, connect=3),
    ConnectFour(2, 3, connect=2),
    Nim(),
    Nim((1, 2, 3)),
    PENCIL,
]
FAST_GAMES = [game for game in GAMES if hasattr(game, "fast_playout")]

every_game = pytest.mark.parametrize("game", GAMES, ids=repr)
every_fast_game = pytest.mark.parametrize("game", FAST_GAMES, ids=repr)
seeds = st.integers(0, 2**32)


def positions(game, seed):
    """The states of one random game, from the first to the last."""
    states = [game.initial_state()]
    rng = random.Random(seed)
    while not game.is_terminal(states[-1]):
        states.append(game.play(states[-1], rng.choice(game.legal_actions(states[-1]))))
    return states


# What each game must do.


@every_game
def test_check_game_finds_no_problem(game):
    """Above all: positions are values, parse reads what text writes, returns are in [-1, 1]."""
    report = check_game(game)
    assert report.problems == ()
    assert [note[:2] for note in report.notes] == ["50"], "and nothing is worth a note"


@every_game
@given(seed=seeds)
def test_players_move_in_turn(game, seed):
    states = positions(game, seed)
    assert [game.to_move(s) for s in states] == [ply % 2 for ply in range(len(states))]


@every_game
def test_parameters_survive_json_and_rebuild_an_equal_game(game):
    parameters = json.loads(json.dumps(game.parameters()))
    rebuilt = game_from_parameters(type(game).__name__, parameters)
    assert rebuilt == game
    assert hash(rebuilt) == hash(game)
    assert rebuilt.parameters() == parameters


@every_game
@given(seed=seeds)
def test_only_a_finished_game_has_returns(game, seed):
    for state in positions(game, seed)[:-1]:
        with pytest.raises(GameError, match="play on"):
            game.returns(state)


@every_game
@given(seed=seeds)
def test_nothing_can_be_played_after_the_end(game, seed):
    end = positions(game, seed)[-1]
    for action in game.legal_actions(game.initial_state()):
        with pytest.raises(GameError) as refusal:
            game.play(end, action)
        assert repr(action) in str(refusal.value)


@every_game
@pytest.mark.parametrize("action", ["nonsense", -1, 99, None, (0, 0), (9, 1), [0, 1]])
def test_what_is_no_action_is_refused_by_name(game, action):
    with pytest.raises(GameError) as refusal:
        game.play(game.initial_state(), action)
    assert repr(action) in str(refusal.value)


@every_game
@pytest.mark.parametrize("text", ["?", "1", "X", None, 3])
def test_what_is_no_position_is_refused_by_name(game, text):
    with pytest.raises(GameError) as refusal:
        game.parse(text)
    assert repr(text) in str(refusal.value)


# Fast playouts: legal, and as likely as those of the slow loop.


@every_fast_game
@given(seed=seeds)
def test_fast_playout_plays_the_game_of_the_slow_loop(game, seed):
    for state in positions(game, seed):
        fast = game.fast_playout(state, random.Random(seed))
        slow = random_playout(game, state, random.Random(seed))
        assert list(fast.actions) == slow.actions
        assert fast.returns == slow.returns


# Tic-tac-toe: exact counts.


def reachable(game):
    found, new = set(), {game.initial_state()}
    while new:
        found |= new
        open_states = [state for state in new if not game.is_terminal(state)]
        new = {
            game.play(s, action) for s in open_states for action in game.legal_actions(s)
        } - found
    return found


def test_tic_tac_toe_has_5_478_positions_and_765_up_to_symmetry():
    game = TicTacToe()
    found = reachable(game)
    assert len(found) == 5_478

    def turned(cells):
        return "".join(cells[3 * (2 - column) + row] for row in range(3) for column in range(3))

    def symmetric(state):
        cells = game.text(state).replace("\n", "")
        images = []
        for _ in range(4):
            cells = turned(cells)
            images += [cells, cells[::-1], turned(cells)[::-1]]
            images.append("".join(reversed([cells[:3], cells[3:6], cells[6:]])))
        return min(images)

    assert len({symmetric(state) for state in found}) == 765


def test_tic_tac_toe_numbers_cells_by_rows():
    game = TicTacToe()
    state = (0, 0)
    for cell in (0, 4, 8, 2):
        state = game.play(state, cell)
    assert game.text(state) == "X.O\n.O.\n..X"
    assert game.legal_actions(state) == (1, 3, 5, 6, 7)
    assert game.action_label(state, 5) == "5"


@pytest.mark.parametrize(
    "text", ["xo. .x. ...", "XO--X----", "X O _ _ X _ _ _ _", "XO.\n.X.\n...", "XO./.X./..."]
)
def test_tic_tac_toe_reads_what_people_write(text):
    assert TicTacToe().parse(text) == (0b10001, 0b10)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("XO. .X. ..", "has 8 cells"),
        ("XO. .X. ....", "has 10 cells"),
        ("XO. .Z. ..1", "'1', 'Z'"),
        ("XX. ... ...", "2 X and 0 O"),
        ("O.. ... ...", "0 X and 1 O"),
        ("XXX OOO ...", "had a line before the last move, which was of O"),
        ("XXX OO. O..", "had a line before the last move, which was of O"),
        ("OOO XX. XX.", "had a line before the last move, which was of X"),
    ],
)
def test_tic_tac_toe_refuses_impossible_boards(text, said):
    with pytest.raises(GameError) as refusal:
        TicTacToe().parse(text)
    assert repr(text) in str(refusal.value)
    assert said in str(refusal.value)


def test_tic_tac_toe_reads_the_reachable_boards_and_no_others():
    game = TicTacToe()
    readable = set()
    for x in range(512):
        for o in (mask for mask in range(512) if not mask & x):
            readable.add(read_or_refuse(game, game.text((x, o)))[0])
    assert readable - {None} == reachable(game)


# Connect Four against a naive second opinion.


def naive_line(cells, connect):
    """Whether the set of (column, row) ``cells`` holds ``connect`` in a row."""
    return any(
        all((column + i * dc, row + i * dr) in cells for i in range(connect))
        for column, row in cells
        for dc, dr in [(0, 1), (1, 0), (1, 1), (1, -1)]
    )


sizes = st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(2, 4)).filter(
    lambda size: max(size[:2]) >= size[2]
)


@given(size=sizes, filled=st.floats(0.1, 0.7), seed=seeds)
@example(size=(4, 4, 4), filled=1.0, seed=0)
def test_counts_find_exactly_the_lines(size, filled, seed):
    rows, columns, connect = size
    game, rng = ConnectFour(rows, columns, connect), random.Random(seed)
    table = counting_cells(rows, columns, connect)
    for _ in range(20):
        cells = {(c, r) for c in range(columns) for r in range(rows) if rng.random() < filled}
        bits = sum(table[column][row] for column, row in cells)
        assert game.has_line(bits) == naive_line(cells, connect)


def cells_of(game, state, symbol):
    rows = game.text(state).split("\n")[::-1]
    return {(c, r) for r, row in enumerate(rows) for c, s in enumerate(row) if s == symbol}


@given(size=sizes, seed=seeds)
def test_connect_four_ends_with_the_first_line_or_a_full_board(size, seed):
    game = ConnectFour(*size)
    *states, last = positions(game, seed)
    for state in states:
        assert not any(naive_line(cells_of(game, state, symbol), size[2]) for symbol in "XO")
        assert "." in game.text(state)
    x_won, o_won = (naive_line(cells_of(game, last, symbol), size[2]) for symbol in "XO")
    assert game.returns(last) == (x_won - o_won, o_won - x_won)
    assert x_won or o_won or "." not in game.text(last)


def perft(game, plies):
    """Sequences of ``plies`` moves, by the game itself; a finished game goes no further."""

    @cache
    def count(state, plies):
        if plies == 0:
            return 1
        below = () if game.is_terminal(state) else game.legal_actions(state)
        return sum(count(game.play(state, action), plies - 1) for action in below)

    return count(game.initial_state(), plies)


@pytest.mark.parametrize("plies", [6, 7, pytest.param(8, marks=pytest.mark.slow)])
def test_connect_four_has_as_many_lines_of_play_as_known(plies):
    known = [1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]
    assert perft(ConnectFour(), plies) == known[plies]


def test_connect_four_pieces_fall_and_full_columns_close():
    game = ConnectFour(3, 4, connect=3)
    state = game.initial_state()
    for column in (1, 1, 1, 0):
        state = game.play(state, column)
    assert game.text(state) == ".X..\n.O..\nOX.."
    assert game.legal_actions(state) == (0, 2, 3)
    assert game.to_move(state) == 0
    for column in (1, 4):
        with pytest.raises(GameError, match=f"{column} is no legal move .* choose one of 0, 2, 3"):
            game.play(state, column)


@pytest.mark.parametrize("text", ["..../.o../.xx.", ".... -O-- _XX_", ".....O...XX."])
def test_connect_four_reads_what_people_write(text):
    game = ConnectFour(3, 4, connect=3)
    assert game.text(game.parse(text)) == "....\n.O..\n.XX."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("..../..../...", "has 11 cells"),
        ("..../..../..RY", "'R', 'Y'"),
        ("..../.X../....", "a piece floats"),
        ("..../..../XX..", "2 X and 0 O"),
        ("..../OOO./XXX.", "had a line before the last move, which was of O"),
        ("..../OO../XXXO", "had a line before the last move, which was of O"),
        ("..../XX.X/OOOX", "had a line before the last move, which was of X"),
        ("XXO./OOXO/XXXO", "had a line before the last move, which was of X"),
    ],
)
def test_connect_four_refuses_impossible_boards(text, said):
    with pytest.raises(GameError) as refusal:
        ConnectFour(3, 4, connect=3).parse(text)
    assert repr(text) in str(refusal.value)
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"connect": 5}, "connect=5"),
        ({"connect": 1}, "connect=1"),
        ({"rows": 0}, "rows=0"),
        ({"rows": "6"}, "rows='6'"),
        ({"columns": 21}, "columns=21"),
        ({"columns": 7.0}, "columns=7.0"),
        ({"rows": True}, "rows=True"),
        ({"rows": 3, "columns": 3}, "No line of 4 fits on 3 rows and 3 columns"),
    ],
)
def test_connect_four_refuses_impossible_sizes(parameters, said):
    with pytest.raises(GameError, match=said):
        ConnectFour(**parameters)


# Nim against the XOR rule.


def test_nim_has_as_many_positions_as_heap_sizes_allow():
    # Any sizes with either player to move, except where each heap has lost one object or none:
    # then the number of moves is known, and with it who is to move.
    assert len(reachable(Nim())) == 2 * (4 * 5 * 6) - 2**3


def test_nim_labels_and_texts_number_heaps_from_one():
    game = Nim()
    state = game.initial_state()
    assert game.text(state) == "3 4 5 A"
    assert game.action_label(state, (0, 2)) == "2 from heap 1"
    assert game.text(game.play(state, (2, 5))) == "3 4 0 B"
    assert game.legal_actions((0, 1, 0, 2)) == ((0, 1), (2, 1), (2, 2))


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("3 4 5", (0, 3, 4, 5)),
        ("3,4,5", (0, 3, 4, 5)),
        ("1, 0, 2 b", (1, 1, 0, 2)),
        (" 0 0 0  B ", (1, 0, 0, 0)),
    ],
)
def test_nim_reads_what_people_write(text, state):
    assert Nim().parse(text) == state


@pytest.mark.parametrize(
    "text", ["3 4", "3 4 5 6", "", "3 4 6", "3 4 -1", "3 4 5 C", "3 4 ²", "3 4 " + "9" * 5000]
)
def test_nim_refuses_impossible_positions(text):
    with pytest.raises(GameError, match="at most 3, 4, 5, and then who is to move"):
        Nim().parse(text)


@pytest.mark.parametrize(
    ("heaps", "said"),
    [
        ((), "heaps=()"),
        (5, "heaps=5"),
        ("345", "heaps='345'"),
        ((3, 0), "heaps=(3, 0)"),
        ((3, -1), "heaps=(3, -1)"),
        ((3, 2.0), "heaps=(3, 2.0)"),
        ((True,), "heaps=(True,)"),
        ((1001,), "heaps=(1001,)"),
    ],
)
def test_nim_refuses_impossible_heaps(heaps, said):
    with pytest.raises(GameError) as refusal:
        Nim(heaps)
    assert said in str(refusal.value)


# Trees written by hand.


def test_game_tree_plays_down_to_its_leaves():
    assert PENCIL.legal_actions(()) == ("a", "b", "z")
    state = PENCIL.play(PENCIL.play((), "b"), "f")
    assert state == ("b", "f")
    assert PENCIL.to_move(state) == 0
    assert PENCIL.returns(PENCIL.play(state, "h")) == (-0.25, 0.25)
    assert PENCIL.returns(("z",)) == (0.0, 0.0)
    assert PENCIL.parameters()["tree"]["b"]["f"] == {"g": 0.5, "h": -0.25}


def test_game_tree_names_the_step_that_is_unknown():
    with pytest.raises(GameError, match="'x' is no legal move at 'b': choose one of e, f"):
        PENCIL.parse("b x")
    with pytest.raises(GameError, match="'z a' is no position of this tree"):
        PENCIL.is_terminal(("z", "a"))


ENDLESS = {}
ENDLESS["a"] = ENDLESS


@pytest.mark.parametrize(
    ("tree", "said"),
    [
        (0.5, "0.5"),
        ({}, "The moves at the root are []"),
        ({"a": {}}, "The moves after 'a' are []"),
        ({"a": {"b": 2}}, "2 after 'a b' is neither"),
        ({"a": math.nan}, "nan after 'a' is neither"),
        ({"a": 10**400}, "neither a number in [-1, 1]"),
        ({"a": "won"}, "'won' after 'a'"),
        ({"a": True}, "True after 'a'"),
        ({"a b": 1}, "The moves at the root are ['a b']"),
        ({"": 1}, "The moves at the root are ['']"),
        ({".": 1}, "The moves at the root are ['.']"),
        ({7: 1}, "The moves at the root are [7]"),
        (ENDLESS, "let it end within 100 moves"),
    ],
)
def test_game_tree_refuses_what_is_no_tree(tree, said):
    with pytest.raises(GameError) as refusal:
        GameTree(tree)
    assert said in str(refusal.value)


@pytest.mark.parametrize("players", [("A",), ("A", "A"), ("A", ""), "AB", (1, 2), None])
def test_game_tree_refuses_odd_players(players):
    with pytest.raises(GameError) as refusal:
        GameTree({"a": 1}, players)
    assert repr(players) in str(refusal.value)


# Games by name.


@pytest.mark.parametrize(
    ("name", "parameters", "said"),
    [
        ("Chess", {}, "'Chess': take TicTacToe, ConnectFour, Nim, GameTree"),
        (None, {}, "None: take TicTacToe"),
        ("ConnectFour", {"row": 6}, "its parameters are rows, columns, connect"),
        ("TicTacToe", {"size": 3}, "its parameters are none"),
        ("GameTree", {}, "its parameters are tree, players"),
        ("Nim", None, "cannot be built from None"),
        ("ConnectFour", {"rows": 99}, "rows=99"),
    ],
)
def test_unknown_games_are_refused(name, parameters, said):
    with pytest.raises(GameError) as refusal:
        game_from_parameters(name, parameters)
    assert said in str(refusal.value)


def read_or_refuse(game, text):
    try:
        return game.parse(text), None
    except GameError as refusal:
        return None, str(refusal)
