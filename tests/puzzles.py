"""Puzzles: late positions of random games in which exact play tells good moves from bad ones."""

import random
from collections import Counter
from typing import Any, NamedTuple

from mcts_viz import ConnectFour, Game, Nim, TicTacToe, solve
from mcts_viz.search.solver import Solution


class Puzzle(NamedTuple):
    """A search finds one of the best moves of the solution in so many iterations."""

    game: Game
    state: Any
    solution: Solution
    iterations: int

    def __str__(self):
        text = self.game.text(self.state).replace("\n", "/")
        return f"{self.game.name}: {text}, {self.solution.value} in {self.solution.distance}"


def puzzles():
    """Some of each kind: wins at once, wins that take their time, draws to hold, and long ones."""
    kinds = Counter()
    for game, iterations in (
        (TicTacToe(), 1_000),
        (Nim(), 5_000),
        (ConnectFour(4, 5), 1_000),
        (ConnectFour(), 1_000),
    ):
        for seed in range(50):
            draw, state = random.Random(seed), game.initial_state()
            while not game.is_terminal(state):
                if game.text(state).count(".") < 10:
                    solution = solve(game, state)
                    kind = (game, solution.value, min(solution.distance, 3))
                    matters = len(solution.best_actions) < len(solution.action_values)
                    if matters and solution.distance < 10 and kinds[kind] < 5:
                        kinds[kind] += 1
                        yield Puzzle(game, state, solution, iterations)
                state = game.play(state, draw.choice(game.legal_actions(state)))


PUZZLES = {str(puzzle): puzzle for puzzle in puzzles()}
