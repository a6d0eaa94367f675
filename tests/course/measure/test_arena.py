"""Games between players: colours, seeds, errors, interrupts, and how they are shown."""

import signal
from itertools import accumulate, combinations

import numpy as np
import pytest
from invariants import answer

from mcts_course import QLearner, arena
from mcts_course.measure.arena import Tally
from mcts_viz import ConnectFour, ExactAgent, GameTree, MCTSAgent, RandomAgent, TicTacToe

GAME = TicTacToe()


def first_free(state):
    return GAME.legal_actions(state)[0]


def players():
    return {
        "MCTS 20": MCTSAgent(GAME, iterations=20),
        "chance": RandomAgent(GAME),
        "exact": ExactAgent(GAME),
        "learner": QLearner(GAME, seed=1).train(50),
        "first": first_free,
    }


def contest(**options):
    return arena(players(), GAME, games=24, seed=3, progress=False, **options)


@pytest.fixture(scope="module")
def here():
    return contest()


def of_pair(result, one, other):
    return [played for played in result.games if set(played.players) == {one, other}]


# What is played ---------------------------------------------------------------------------------


def test_every_pair_plays_every_game_by_the_rules_and_both_begin_equally_often(here):
    assert len(here.games) == 10 * 24
    for one, other in combinations(here.names, 2):
        games = of_pair(here, one, other)
        assert sorted(played.number for played in games) == list(range(24))
        assert [played.players[0] for played in games] == [one, other] * 12
        for played in games:
            *_, before, end = accumulate(played.actions, GAME.play, initial=GAME.initial_state())
            assert GAME.is_terminal(end)
            assert not GAME.is_terminal(before)
            assert played.returns == GAME.returns(end)


def test_the_same_seed_gives_the_same_games_and_another_one_others(here):
    assert contest().games == here.games
    other = arena(players(), GAME, games=24, seed=4, progress=False)
    assert of_pair(other, "chance", "exact") != of_pair(here, "chance", "exact")


def test_a_pair_plays_the_same_whoever_else_is_there(here):
    some = {name: player for name, player in players().items() if name in ("MCTS 20", "chance")}
    alone = arena(some, GAME, games=24, seed=3, progress=False)
    assert list(alone.games) == of_pair(here, "MCTS 20", "chance")


def test_an_opening_is_the_same_with_the_colours_exchanged():
    both = {"one": first_free, "two": ExactAgent(GAME)}
    result = arena(both, GAME, games=20, seed=1, opening=3, progress=False)
    openings = [played.actions[:3] for played in result.games]
    assert openings[::2] == openings[1::2]
    assert len(set(openings[::2])) > 5
    assert result.different > 10


def test_of_openings_those_that_end_the_game_are_drawn_again():
    tree = GameTree({"a": 1, "b": {"c": 1, "d": -1}})
    both = {"x": RandomAgent(tree), "y": RandomAgent(tree)}
    result = arena(both, tree, games=40, opening=1, seed=1)
    assert {played.actions[0] for played in result.games} == {"b"}


def test_a_player_who_moves_twice_in_a_row_is_asked_twice():
    class Twice(GameTree):
        def to_move(self, state):
            return 0 if len(state) < 2 else 1

    game = Twice({"a": {"a": {"a": 1, "b": 0.5}}})
    asked = []

    def told(name):
        def player(state):
            asked.append((name, state))
            return game.legal_actions(state)[-1]

        return player

    result = arena({"p": told("p"), "q": told("q")}, game, games=2)
    assert [name for name, _ in asked] == ["p", "p", "q", "q", "q", "p"]
    assert result.tally("p", moving=0) == Tally(1, 0, 0)  # more than 0 is won
    assert result.games[0].returns == (0.5, -0.5)


# Counts -----------------------------------------------------------------------------------------


def test_results_are_counted_by_player_opponent_and_colour(here):
    def counts(*asked, **of):
        tally = here.tally(*asked, **of)
        return np.array([tally.wins, tally.draws, tally.losses])

    assert len(here.names) > 1
    for name in here.names:
        others = [other for other in here.names if other != name]
        whole = counts(name).tolist()
        assert sum(whole) == here.tally(name).games == 4 * 24
        assert whole == sum(counts(name, moving=seat) for seat in (0, 1)).tolist()
        assert whole == sum(counts(name, other) for other in others).tolist()
        for other in others:
            assert counts(name, other).tolist() == counts(other, name)[::-1].tolist()


def test_the_positions_of_a_player_are_those_it_was_asked_in():
    asked = []

    def noted(state):
        asked.append(state)
        return first_free(state)

    result = arena({"noted": noted, "chance": RandomAgent(GAME)}, GAME, games=6, seed=1)
    assert list(result.positions("noted")) == asked


# Errors of players ------------------------------------------------------------------------------


@pytest.mark.parametrize("odd", [4, None, "4", [4], {}, float("nan"), np.arange(9)])
def test_an_illegal_move_loses_the_game_and_the_table_names_it(odd):
    result = arena({"odd": answer(odd), "first": first_free}, GAME, games=4, progress=False)
    assert result.tally("odd") == Tally(0, 0, 4)
    assert result.games[0].fault.startswith("odd at '")
    said = " ".join(repr(result).split())
    assert f"4 of them were lost by an error, the first thus: {result.games[0].fault}" in said


def test_a_player_that_raises_loses_that_game_and_the_others_are_played():
    def moody(state):
        if sum(state).bit_count() == 3:
            raise KeyError("lost")
        return first_free(state)

    result = arena({"moody": moody, "chance": RandomAgent(GAME)}, GAME, games=20, seed=1)
    lost = [game for game in result.games if game.fault]
    assert 0 < len(lost) <= result.tally("moody").losses
    assert all(game.returns[game.players.index("moody")] == -1 for game in lost)
    assert lost[0].fault.endswith("KeyError: 'lost'")
    assert len(result.games) == 20


def test_an_error_of_the_game_is_no_loss_of_a_player():
    class Broken(TicTacToe):
        def legal_actions(self, state):
            if sum(state).bit_count() == 3:
                raise KeyError("rules")
            return super().legal_actions(state)

    with pytest.raises(KeyError, match="rules"):
        arena({"one": first_free, "two": first_free}, Broken(), games=2, progress=False)


# Interrupts -------------------------------------------------------------------------------------


class StopsAfter:
    """A player that presses the stop button in its so many-th move."""

    def __init__(self, moves):
        self.moves = moves

    def __call__(self, state):
        self.moves -= 1
        if self.moves == 0:
            signal.raise_signal(signal.SIGINT)
        return first_free(state)


def test_an_interrupt_keeps_what_has_been_played():
    both = {"stops": StopsAfter(20), "exact": ExactAgent(GAME)}
    result = arena(both, GAME, games=100, seed=3, progress=False)
    again = arena({"stops": first_free, "exact": ExactAgent(GAME)}, GAME, games=100, seed=3)
    assert result.stopped
    assert 0 < len(result.games) < 10
    assert result.games == again.games[: len(result.games)]
    assert "They were played before you stopped it." in repr(result)


def test_an_interrupt_within_a_search_ends_the_arena_and_no_move_is_made_of_it():
    def stopping(game, state, draw):
        if draw.random() < 0.001:
            signal.raise_signal(signal.SIGINT)
        return game.fast_playout(state, draw)

    game = ConnectFour(4, 4, 3)
    both = {"search": MCTSAgent(game, iterations=100, playout=stopping), "x": RandomAgent(game)}
    result = arena(both, game, games=100, seed=3, progress=False)
    assert result.stopped
    assert len(result.games) < 100
    assert all(played.returns for played in result.games)
