"""The lesson on a larger game: its trap is one, and each wrong answer gets its own reply."""

from random import Random

import pytest

from mcts_course import RandomPlay
from mcts_course.lessons import larger_game
from mcts_viz import MCTS, minimax, solve

SMALL, TRAP = larger_game.SMALL, larger_game.TRAP


# The trap


def test_random_games_like_best_what_loses():
    """By two oracles that share no code."""
    exact = solve(SMALL, TRAP)
    assert SMALL.to_move(TRAP) == 1
    assert exact.action_values == {0: -1, 2: -1, 3: 1, 4: -1}
    for move, value in exact.action_values.items():
        assert minimax(SMALL, SMALL.play(TRAP, move)).value == -value  # of X, who is MAX
    rewards = RandomPlay(SMALL).rewards(TRAP)
    assert max(rewards, key=lambda move: rewards[move]) == 2


def test_the_refutation_takes_all_cells_that_are_left():
    after = SMALL.play(TRAP, 2)
    exact = solve(SMALL, after)
    free = SMALL.rows * SMALL.columns - sum(after[2:])
    assert (exact.value, exact.best_actions, exact.distance) == (1, (2,), free)
    assert free == 11
    rewards = RandomPlay(SMALL).rewards(after)
    best, next_best = sorted(rewards.values(), reverse=True)[:2]
    assert rewards[2] == best
    assert best - next_best < 0.1


# How far do they see?


def test_the_sizes_are_counted_node_by_node():
    sizes, level, nodes = [], [()], 1
    for _ in range(4):
        level = [(*moves, move) for moves in level for move in range(5)]
        nodes += len(level)
        sizes.append(nodes)
    right = larger_game.level_sizes.right
    assert (right["three levels"], right["four levels"]) == (sizes[2], sizes[3])
    assert right["filled by 500"] == sum(size - 1 <= 500 for size in sizes)


def test_the_solution_agrees_with_exact_play():
    """A forced win in n moves or fewer is a win of that distance: winners hurry."""
    draw, found = Random(0), set()
    for _ in range(4):
        state = SMALL.initial_state()
        while not SMALL.is_terminal(state):
            exact = solve(SMALL, state)
            found.add(exact.distance if exact.value == 1 else 0)
            for moves in range(6):
                wins = exact.value == 1 and exact.distance <= moves
                assert larger_game.write_forced_win.solution(SMALL, state, moves) == wins
            state = SMALL.play(state, draw.choice(SMALL.legal_actions(state)))
    assert {0, 1, 3, 5, 7} <= found


# The turn


def test_the_turn_is_that_of_the_film():
    trace = MCTS(SMALL, seed=7).record(TRAP, iterations=3000, progress=False)
    two, three = (
        next(node for node in trace.children[0] if trace.action_of(node) == move) for move in (2, 3)
    )
    visits = {k: trace.visits(k) for k in range(1, 3001)}
    at_1000 = visits[1000]
    right, wrong = larger_game.turn.right, larger_game.turn.wrong
    assert right["move 2 at 1,000"] == at_1000[two]
    assert right["move 3 at 1,000"] == at_1000[three]
    behind = [k for k, count in visits.items() if count[three] <= count[two]]
    assert right["move 3 leads from"] == behind[-1] + 1
    means = [trace.wins(k)[node] / at_1000[node] for k in (1000,) for node in (two, three)]
    given = wrong["the means"]
    assert [given["move 2 at 1,000"], given["move 3 at 1,000"]] == pytest.approx(means, abs=6e-3)
    early = wrong["a lead that is lost"]["move 3 leads from"]
    assert visits[early][three] > visits[early][two]
    crossed = wrong["the means cross"]["move 3 leads from"]
    lower = []
    for k in range(200, 3001):
        means_then = trace.wins(k) / visits[k].clip(1)
        if means_then[three] <= means_then[two]:
            lower.append(k)
    assert crossed == lower[-1] + 1
