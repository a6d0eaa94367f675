"""An error is the one's who made it, Stop stops all that runs, and calls are short."""

import signal

import numpy as np
import pytest
from invariants import at_call, interrupt
from refusals import refused
from searches import grown, traced, uct

import mcts_course
from mcts_viz import MCTS, Bandit, ConnectFour, Film, Nim, Player, TicTacToe, random_playout
from mcts_viz.games import Playout
from mcts_viz.search import Solver, variants
from tools.calls import entered

GAME = TicTacToe()


def test_what_can_be_gone_through_is_a_list():
    arms = Bandit((0.2, 0.5, 0.8))
    flat = {"initial_expansion": variants.pre_expanded(1), "expansion": variants.expand_root_only}
    for pulls in ("ABA", np.array(["A", "B", "A"])):
        search = grown(3, game=arms, tie_break=variants.following(pulls), **flat)
        assert [child.visits for child in search.root.children] == [2, 1, 0]
    assert mcts_course.plot_means(traced(20, game=arms, **flat), moves="AB")


@pytest.mark.parametrize(
    ("game", "wrong"), [(TicTacToe(), 99), (TicTacToe(), "x"), (Nim(), "x"), (Nim(), None)]
)
def test_all_that_plays_it_again_names_the_policy_that_notes_an_illegal_move(game, wrong, tmp_path):
    def careless(game, state, random):
        actions, returns = random_playout(game, state, random)
        return Playout((wrong, *actions) if wrong else (*actions, *actions), returns)

    trace = traced(2, game=game, playout=careless)
    move = repr(wrong or trace.at(1).playout[0])
    film, place = Film(trace), tmp_path / "trace.json"
    said = f"The playout policy 'careless' noted the move {move} in iteration 1, which is illegal"
    for show in (film.to_svg, film.to_text, film.caption, film.four_phases):
        assert refused(show, 1).startswith(said)
    for show, *given in ((Player, trace), (film.to_html,), (trace.save, place)):
        assert refused(show, *given).startswith(said)


class OwnSimulate(MCTS):
    """It notes a move that it does not play, and has three numbers for two players."""

    returns = (1.0, -1.0)

    def simulate(self, node):
        return Playout((99,), self.returns)


def test_an_own_simulate_is_named_and_no_policy_is_blamed_for_it():
    search = OwnSimulate(GAME, seed=1)
    told = refused(Film(search.record(iterations=2)).caption, 1)
    assert told.startswith("The search's own simulate noted the move 99 in iteration 1")
    search.returns = (1.0, 0.0, 0.0)
    told = refused(search.search, iterations=1)
    assert told.startswith("The returns that the search's own simulate gave must be a tuple of 2")


def test_stop_inside_a_search_of_a_playout_stops_both():
    strike = at_call(4 * 3 + 2, interrupt)

    def struck(game, state, random):
        strike()
        return random_playout(game, state, random)

    inner = uct(game=Nim(), playout=struck)

    def playout(game, state, random):
        result = inner.search(iterations=3, progress=False)
        assert result.iterations == 3, "no playout goes on with the result of a stopped search"
        return Playout((), (0.0, 0.0))

    outer = uct(playout=playout)
    result = outer.search(iterations=50)
    assert (result.interrupted, result.iterations) == (True, 4)
    assert outer.root.visits == 4 == len(outer.nodes) - 1, "the tree is whole"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_stop_inside_a_solve_of_a_playout_ends_both_at_once():
    solver = Solver(ConnectFour(4, 5))

    def playout(game, state, random):
        interrupt()
        solver.solve(solver.game.initial_state())
        raise AssertionError("the solve goes on to its end, some seconds later")

    search = uct(playout=playout)
    result = search.search(iterations=50)
    assert (result.interrupted, result.iterations, len(search.nodes)) == (True, 0, 1)
    assert 0 < solver.positions < 10_000
    small = solver.game.parse("..... XOXOX OXOXO XOXOX")
    assert solver.solve(small) == Solver(solver.game).solve(small), "what it knows is still right"


def test_the_way_in_is_short():
    made = entered(lambda: MCTS(GAME, c=1.2))
    assert len(made) <= 15
    assert len({file for file, _ in made}) <= 5
    recorded = entered(lambda: traced(1))
    assert len(recorded) <= 91  # a third of them see that the film will be true
    assert len({file for file, _ in recorded}) <= 15
