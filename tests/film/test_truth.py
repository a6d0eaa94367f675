"""The exact truth beside a search agrees with exact play and with the search itself."""

from functools import cache
from itertools import count

import pytest
from invariants import Stakes, nobody_loses

from mcts_viz import MCTS, ConnectFour, Film, GameTree, Nim, TicTacToe, solve
from mcts_viz.film import truth
from mcts_viz.film.truth import Truth, truth_badge, truth_facts, truth_of
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
def test_values_are_those_of_exact_play_for_who_moved(number):
    trace, truth = film(number).trace, film(number).truth
    assert isinstance(truth, Truth)
    for node in film(number).data.heaviest(60):
        state, player_just_moved = trace.state(node), trace.player_just_moved[node]
        if trace.game.is_terminal(state):
            assert truth.values[node] == trace.game.returns(state)[player_just_moved]
            assert truth.distances[node] == 0
            continue
        solution = solve(trace.game, state)
        assert trace.game.to_move(state) != player_just_moved
        assert truth.values[node] == -solution.value
        assert truth.distances[node] == solution.distance
    best = solve(trace.game, trace.root_state)
    for child, regret in truth.regrets.items():
        lost = best.value - best.action_values[trace.action_of(child)]
        assert regret == lost / 2
        assert (regret == 0) == (trace.action_of(child) in best.best_actions)


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_the_recommended_move_is_the_search_s_own_and_known_since_when_optimal(number):
    trace, truth = film(number).trace, film(number).truth
    most = film(number).data.most_visited.tolist()
    search = MCTS(trace.game, seed=trace.seed)
    search.start(trace.root_state)
    told = [search.run(iterations=1).best_action for _ in range(trace.iterations)]
    assert [trace.action_of(node) for node in most] == told
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
    trace = MCTS(ConnectFour(), seed=1).record(iterations=30)
    unknown = truth_of(Film(trace).data)
    assert "Connect Four has more than 20,000 positions to look at" in unknown
    assert truth_facts(unknown) == {"unknown": unknown}


def test_a_game_whose_positions_are_costly_is_given_a_second(monkeypatch):
    """Here a look at the clock takes a hundredth, and the first position has a thousand moves."""
    film = Film(MCTS(Nim((100,) * 10), seed=1).record(iterations=10))
    seconds, played, play = count(step=0.01), [], Nim.play
    monkeypatch.setattr(truth, "process_time", lambda: next(seconds))
    monkeypatch.setattr(Nim, "play", lambda *given: played.append(given) or play(*given))
    assert "take more than a second" in film.truth
    assert 0 < len(played) <= 101


def test_games_of_another_kind_have_no_such_truth():
    film = Film(MCTS(nobody_loses(Nim, (2, 2)), seed=1).record(iterations=10))
    assert isinstance(film.truth, str)
    assert film.payload()["facts"]["truth"]["unknown"].startswith("The exact values are not known")


def test_values_between_win_and_loss_are_numbers():
    game = GameTree({"a": 0.5, "b": {"c": -0.25, "d": 0.75}})
    film = Film(MCTS(game, seed=1).record(iterations=40))
    child = {film.trace.action_of(node): node for node in film.trace.children[0]}
    assert truth_badge(film.truth, child["a"]) == ("▲ value 0.5", "win")
    assert truth_badge(film.truth, child["b"]) == ("▼ value -0.25", "loss")


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
    trace = MCTS(ConnectFour(), seed=1).record(iterations=20)
    again = MCTS(ConnectFour(), seed=2).record(iterations=30)
    sentences = {Film(t).truth for t in (trace, trace, again)}
    assert len(made) == 1
    assert len(sentences) == 1
    assert "more than 200 positions" in sentences.pop()
    small = MCTS(Nim((1, 2)), seed=1).record(iterations=20)
    known = Film(small).truth
    assert isinstance(known, Truth)
    count = len(made)
    again = Film(MCTS(Nim((1, 2)), seed=2).record(iterations=20))
    assert again.truth.regrets.keys() == known.regrets.keys()
    assert len(made) == count, "what one film has solved, the next one knows"


def test_larger_results_are_as_true():
    for state, value in (("XX. OO. ...", 7), ("XX. OO. X..", 9.7)):
        game = Stakes()
        truth = Film(MCTS(game, seed=1).record(game.parse(state), iterations=60)).truth
        assert isinstance(truth, Truth)
        assert truth.values[0] == -value
        assert truth_badge(truth, 0) == (f"▼ value -{value}", "loss")
