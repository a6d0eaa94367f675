"""The exact truth beside a search agrees with exact play and with the search itself."""

from functools import cache
from itertools import count

import pytest
from invariants import nobody_loses
from searches import traced

from mcts_viz import MCTS, ConnectFour, Film, Nim, TicTacToe, solve
from mcts_viz.film import truth
from mcts_viz.film.truth import Truth, truth_facts, truth_of
from mcts_viz.search.checks import remembered

GAMES = [
    (TicTacToe(), "XO. .X. ..."),
    (TicTacToe(), "X.. .O. ..."),
    (TicTacToe(), "... ... ..."),
    (Nim((1, 2, 3)), None),
    (ConnectFour(3, 4, connect=3), None),
]


@cache
def film(number, iterations=300):
    game, text = GAMES[number]
    state = None if text is None else game.parse(text)
    return Film(MCTS(game, seed=number).record(state, iterations=iterations))


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_the_recommended_move_is_the_search_s_own_and_known_since_when_optimal(number):
    trace, truth = film(number).trace, film(number).truth
    most = film(number).data.most_visited.tolist()
    search = MCTS(trace.game, seed=trace.seed)
    search.start(trace.root_state)
    told = [search.run(iterations=1).best_action for _ in range(trace.iterations)]
    assert [trace.action_of(node) for node in most] == told
    best = solve(trace.game, trace.root_state)
    for child, regret in truth.regrets.items():
        lost = best.value - best.action_values[trace.action_of(child)]
        assert regret == lost / 2
        assert (regret == 0) == (trace.action_of(child) in best.best_actions)
    optimal = [truth.regrets[node] == 0 for node in most]
    last_wrong = max((place for place, right in enumerate(optimal, 1) if not right), default=0)
    assert truth.since == (None if last_wrong == len(optimal) else last_wrong + 1)


def test_a_search_that_ends_wrong_is_told_so():
    game = TicTacToe()
    state = game.parse("X.. .O. ..X")  # O must take a side; a few iterations take a corner
    ends = [Film(MCTS(game, seed=seed).record(state, iterations=9)) for seed in range(40)]
    wrong = [film for film in ends if film.truth.since is None]
    assert wrong, "nine iterations cannot always be right"
    facts = truth_facts(wrong[0].truth)
    assert facts["stays"] == "At the end of this search it is not optimal."
    assert wrong[0].truth.regrets[wrong[0].data.most_visited[-1]] == 0.5


def test_where_no_solver_reaches_it_says_so():
    trace = traced(30, game=ConnectFour())
    unknown = truth_of(Film(trace).data)
    assert "Connect Four has more than 20,000 positions to look at" in unknown
    assert truth_facts(unknown) == {"unknown": unknown}


def test_a_game_whose_positions_are_costly_is_given_a_second(monkeypatch):
    """Here a look at the clock takes a hundredth, and the first position has a thousand moves."""
    film = Film(traced(10, game=Nim((100,) * 10)))
    seconds, played, play = count(step=0.01), [], Nim.play
    monkeypatch.setattr(truth, "process_time", lambda: next(seconds))
    monkeypatch.setattr(Nim, "play", lambda *given: played.append(given) or play(*given))
    assert "take more than a second" in film.truth
    assert 0 < len(played) <= 101


def test_games_of_another_kind_have_no_such_truth():
    film = Film(traced(10, game=nobody_loses(Nim, (2, 2))))
    assert isinstance(film.truth, str)
    assert film.payload()["facts"]["truth"]["unknown"].startswith("The exact values are not known")


def test_nodes_that_may_get_a_card_have_a_value_too():
    few = Film(film(0).trace, 5)
    assert set(few.truth.values) == set(few.data.heaviest(300))
    whole = Film(film(0).trace, 300)
    assert few.truth.values == {node: whole.truth.values[node] for node in few.data.heaviest(300)}


def test_an_attempt_that_is_too_large_is_made_once(monkeypatch):
    """For the same game and position."""
    made = []

    class Counted(truth.Oracle):
        def _solution(self, state):
            made.append(state)
            return super()._solution(state)

    monkeypatch.setattr(truth, "_oracle", remembered(4, Counted))
    monkeypatch.setattr(truth, "QUICK", 200)
    trace = traced(20, game=ConnectFour())
    again = traced(30, 2, ConnectFour())
    sentences = {Film(t).truth for t in (trace, trace, again)}
    assert len(made) == 1
    assert len(sentences) == 1
    assert "more than 200 positions" in sentences.pop()
    small = traced(20, game=Nim((1, 2)))
    known = Film(small).truth
    assert isinstance(known, Truth)
    count = len(made)
    again = Film(traced(20, 2, Nim((1, 2))))
    assert again.truth.regrets.keys() == known.regrets.keys()
    assert len(made) == count, "what one film has solved, the next one knows"
