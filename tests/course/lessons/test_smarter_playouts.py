"""The means, the guesses and the prices of the lesson are counted once more."""

import random
from functools import partial

import pytest

from mcts_course.lessons import smarter_playouts
from mcts_course.lessons.smarter_playouts import exact_mean, four_positions
from mcts_viz import TicTacToe, random_playout
from mcts_viz.search import running
from mcts_viz.search.variants import block_then_win, blocks, win_then_block, wins_at_once

pytestmark = pytest.mark.many

GAME = TicTacToe()
POLICIES = [
    (random_playout, ()),
    (win_then_block, (wins_at_once, blocks)),
    (block_then_win, (blocks, wins_at_once)),
]


@pytest.mark.parametrize(("playout", "choices"), POLICIES)
@pytest.mark.parametrize("board", ["..O .OX XOX", "... .OX XOX", "X.. .O. ..X", "... ... ..X"])
def test_playouts_tend_to_the_exact_mean(playout, choices, board):
    state, draw = GAME.parse(board), random.Random(8)
    total = sum((playout(GAME, state, draw).returns[0] + 1) / 2 for _ in range(2000))
    assert total / 2000 == pytest.approx(float(exact_mean(state, *choices)), abs=0.045)


# Wrong playouts, as a student would write them


def wins(game, state):
    if game.is_terminal(state):
        return []
    player = game.to_move(state)
    after = {action: game.play(state, action) for action in game.legal_actions(state)}
    over = [action for action in after if game.is_terminal(after[action])]
    return [action for action in over if game.returns(after[action])[player] == 1]


def safe(game, state, legal):
    return [action for action in legal if not wins(game, game.play(state, action))]


def test_the_cases_are_what_their_words_say():
    """The winning moves of each case, and True where only some moves are safe."""
    found = [
        (wins(game, state), safe(game, state, legal) != list(legal))
        for _, (game, state, legal) in smarter_playouts.write_considered.cases
    ]
    assert found == [
        ([2], True),
        ([5], True),
        ([2], False),
        ([], True),
        ([2, 6], True),
        ([], True),
        ([], False),
        ([], True),
    ]
    assert safe(*smarter_playouts.write_considered.cases[5].arguments) == []


def test_the_guess_is_worth_something_and_the_lines_are_counted_right(monkeypatch):
    """Its evaluation against one that reads the board, and the claim under the table."""
    later = partial(four_positions, empty=11)  # which are solved in a third of the time
    monkeypatch.setattr(smarter_playouts, "four_positions", later)
    found = smarter_playouts.stop_and_guess(80)  # of the lesson's 240 positions
    low, high = found.gain[1]
    assert 0 < low < found.gain[0] < high
    more = found["a guess at once"] - found["full playouts"]
    assert found.gain[0] == pytest.approx(more / 80)
    game = smarter_playouts.FOUR
    state = game.parse("..... ..... .O... .O... XXX..")
    assert smarter_playouts.open_lines(state)[0] == pytest.approx(_by_the_board(game, state))


def _by_the_board(game, state):
    """The same guess, from the letters of the board."""
    rows = game.text(state).split("\n")
    total = 0
    for row in range(5):
        for column in range(5):
            for down, across in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * down, column + i * across) for i in range(4)]
                if all(0 <= r < 5 and 0 <= c < 5 for r, c in cells):
                    line = "".join(rows[r][c] for r, c in cells)
                    if not ("X" in line and "O" in line):
                        total += line.count("X") ** 2 - line.count("O") ** 2
    return max(-0.9, min(0.9, total / 40))


def test_the_price_is_how_many_light_iterations_a_heavy_one_takes(monkeypatch):
    """By a clock that goes on with each playout; a run that is disturbed does not count."""
    clock = [0.0]

    def playout_of(cost):
        def playout(game, state, draw):
            disturbed = 50 * (draw.random() < 0.01)
            clock[0] += cost + disturbed
            return random_playout(game, state, draw)

        return playout

    monkeypatch.setattr(running, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(
        smarter_playouts, "PLAYOUTS", {"light": playout_of(2), "heavy": playout_of(7)}
    )
    assert smarter_playouts.price(positions=3, iterations=6, times=9) == 3.5
