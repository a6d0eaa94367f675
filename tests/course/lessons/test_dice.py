"""Lesson "What if luck plays?": its table of Pig agrees with exact play, its shares with games."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from mcts_course import Play
from mcts_course.lessons import luck
from mcts_course.measure.intervals import wilson_interval
from mcts_course.show.figures import COLOURS, GREYS
from mcts_viz import MCTS, solve

pytestmark = pytest.mark.many

GAME = luck.GAME


@pytest.mark.parametrize("text", ["40 42 +8 A", "38 44 +0 B", "42 40 +5 A", "44 44 +0 A"])
def test_the_table_agrees_with_solve(text):
    """Both average over the die, one position by position, the other in sweeps over all."""
    state = GAME.parse(text)
    exact = {move: (1 + value) / 2 for move, value in solve(GAME, state).action_values.items()}
    assert luck.values(state) == pytest.approx(exact, abs=1e-8)


@pytest.mark.parametrize("seed", range(12))
def test_the_parts_of_a_game_add_up_and_no_move_gains(seed):
    """Best play is counted on already, so A's moves can only cost A, and B's only B. In the plot
    each part has its colour, and the line goes through A's chances."""
    states = luck.played(20, 8, seed)
    split, won = luck.move_or_luck(states), float(states[-1][0] >= luck.GOAL)
    lines = split.picture().axes[0].lines
    heights = [lines[0].get_ydata()[0], *(line.get_ydata()[1] for line in lines)]
    assert heights == pytest.approx([*map(luck.chance_of_a, states)])
    rises = Counter()
    for line, (here, after) in zip(lines, pairwise(heights), strict=True):
        rises[line.get_color()] += after - here
    parts = (COLOURS["player-0"], COLOURS["player-1"], GREYS[2])
    assert [rises[colour] for colour in parts] == pytest.approx([*split.by.values()])
    assert luck.chance_of_a(GAME.initial_state()) + sum(split.by.values()) == pytest.approx(won)
    assert split["A's moves"] <= 1e-9
    assert split["B's moves"] >= -1e-9


def test_the_share_is_that_of_games_that_are_played():
    """The computed share lies in the interval of 2,000 games between the two rules."""
    random, wins = Random(0), 0
    rules = (luck.dares, luck.holds_at(20))
    for number in range(2000):
        state = (0, 0, 0, number % 2, False)
        while not GAME.is_terminal(state):
            if state[4]:
                action = random.randint(1, 6)
            else:
                own, other = state[:2] if state[3] == 0 else state[1::-1]
                action = "roll" if rules[state[3]](own, other, state[2]) else "hold"
            state = GAME.play(state, action)
        wins += state[0] >= luck.GOAL
    low, high = wilson_interval(wins, 2000)
    assert low < luck.share_of_wins(20) < high


def test_a_search_that_prefers_an_outcome_is_told():
    usual = MCTS(GAME, seed=1)
    usual.search(GAME.parse("0 0 +20 A"), iterations=600, progress=False)
    assert luck.most_visited(luck.outcomes_of(usual, "roll")) == "none"
    counts = luck.Table((), (), {1: 20, 2: 20, 3: 20, 4: 20, 5: 20, 6: 90})
    assert luck.most_visited(counts) == "6, which is best for A"


def test_a_game_that_was_played_is_split_too():
    play = Play(GAME, MCTS(GAME, seed=1), iterations=20)
    play.play("roll")
    states = luck.positions(play.history)
    assert states[-1] == play.state
    split = luck.your_game(play)
    assert split.by == luck.move_or_luck(states).by
    assert [row[0] for row in split.rows][-1] == "now"
    assert float(split.rows[0][1]) + sum(split.by.values()) == pytest.approx(
        luck.chance_of_a(play.state), abs=0.006
    )


def test_before_the_first_move_there_is_nothing_to_split():
    assert "play a game of Pig" in repr(luck.your_game(Play(GAME, MCTS(GAME, seed=1))))
