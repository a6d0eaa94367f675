"""The numbers of the lesson "What if luck plays?" hold; its table of Pig agrees with exact play."""

from random import Random

import pytest

from mcts_course import Play
from mcts_course.lessons import luck
from mcts_course.measure.intervals import wilson_interval
from mcts_viz import MCTS, solve

pytestmark = pytest.mark.many

GAME = luck.GAME


@pytest.mark.parametrize("text", ["40 42 +8 A", "38 44 +0 B", "42 40 +5 A", "44 44 +0 A"])
def test_the_table_agrees_with_solve(text):
    """Both average over the die, one position by position, the other in sweeps over all."""
    state = GAME.parse(text)
    exact = {move: (1 + value) / 2 for move, value in solve(GAME, state).action_values.items()}
    assert luck.values(state) == pytest.approx(exact, abs=1e-8)


def test_the_pencil_has_the_numbers_of_exact_play():
    chances = luck.values(GAME.parse("40 42 +8 A"))
    assert luck.by_hand.right["roll"] == pytest.approx(chances["roll"], abs=0.005)
    assert luck.by_hand.right["hold"] == pytest.approx(chances["hold"], abs=0.005)
    best = luck.exact().best[0]
    assert (round(best[42, 40], 2), round(best[42, 48], 2)) == (0.75, 0.69)


def test_a_roll_gains_below_twenty_and_costs_above():
    said = {turn: luck.points_gained(turn) for turn in (2, 20, 38)}
    assert list(said.values()) == ["it adds about 3", "it changes nothing", "it costs about 3"]


@pytest.mark.parametrize("seed", range(12))
def test_the_parts_of_a_game_add_up_and_no_move_gains(seed):
    """Best play is counted on already, so A's moves can only cost A, and B's only B."""
    split = luck.move_or_luck(luck.played(20, 8, seed))
    won = float(luck.played(20, 8, seed)[-1][0] >= luck.GOAL)
    assert luck.chance_of_a(GAME.initial_state()) + sum(split.by.values()) == pytest.approx(won)
    assert split["A's moves"] <= 1e-9
    assert split["B's moves"] >= -1e-9


def test_the_game_that_is_shown_is_lost_by_the_die():
    split = luck.move_or_luck(luck.played(20, 8, 1))
    assert round(split["B's moves"], 2) == 0.98
    assert -split["the die"] > split["B's moves"]
    assert luck.played(20, 8, 1)[-1][1] >= luck.GOAL


def test_best_play_wins_as_often_as_the_lesson_says():
    shares = {points: luck.share_of_wins(points) for points in (8, 20, 23, 26, 30)}
    assert round(shares[20], 2) == 0.57
    assert 1 - round(shares[26], 3) == pytest.approx(0.491)
    assert min(shares, key=shares.__getitem__) == 26
    assert all(share > 0.5 for share in shares.values())
    needed = [n for n in range(100, 400, 10) if wilson_interval(shares[20] * n, n)[0] > 0.5]
    assert 180 <= needed[0] <= 230


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


def test_the_split_can_be_drawn():
    """Each move and each roll is one piece."""
    split = luck.move_or_luck(luck.played(20, 8, 1))
    assert len(split.picture().axes[0].lines) == len(luck.played(20, 8, 1)) - 1
    assert split.rows[-1][0] == "at the end"
