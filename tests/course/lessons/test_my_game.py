"""The questions and hints of the lesson say what is true."""

import pytest

from mcts_viz import Game, check_game, solve

# Who wins in a large house?


class Flats(Game[str, int]):
    """Cats and Dogs by its rules, to see whether what is said of large houses holds in small."""

    players = ("cats", "dogs")

    def __init__(self, rows, columns):
        self.size = (rows, columns)

    def initial_state(self):
        return "." * self.size[0] * self.size[1]

    def to_move(self, state):
        return (len(state) - state.count(".")) % 2

    def legal_actions(self, state):
        other = "dc"[self.to_move(state)]
        others = [divmod(flat, self.size[1]) for flat, who in enumerate(state) if who == other]
        places = [(flat, *divmod(flat, self.size[1])) for flat, who in enumerate(state)]
        return [
            flat
            for flat, row, column in places
            if state[flat] == "." and all(abs(row - r) + abs(column - c) > 1 for r, c in others)
        ]

    def play(self, state, action):
        return state[:action] + "cd"[self.to_move(state)] + state[action + 1 :]

    def is_terminal(self, state):
        return not self.legal_actions(state)

    def returns(self, state):
        return (-1.0, 1.0) if self.to_move(state) == 0 else (1.0, -1.0)


SIZES = [(rows, columns) for rows in range(1, 4) for columns in range(rows, 5)] + [(1, 7), (2, 6)]


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_small_houses_are_won_by_whom_the_half_turn_says(rows, columns):
    """A flat that is its own image by the half turn, or next door to it, is the middle: cats
    win."""
    game = Flats(rows, columns)
    value = solve(game, game.initial_state()).value
    assert (value > 0) == (rows % 2 == 1 or columns % 2 == 1)


def test_the_rules_are_sound():
    assert check_game(Flats(3, 3)).ok
