"""The lessons' own games and searches: what is shown of them is what they do, at every moment."""

from collections import Counter
from random import Random

import pytest

from mcts_course.lessons import hints, my_game, near_the_truth, perfect_play, which_move
from mcts_viz import MCTS, TicTacToe, check_game, solve

GAME = TicTacToe()
POSITION = GAME.parse("OX. ..O ..X")


def moments(make, iterations=120):
    """A search that goes on, and its own film at that moment, for each iteration."""
    trace = make().record(POSITION, iterations=iterations, progress=False)
    search = make()
    search.start(POSITION)
    for iteration in range(1, iterations + 1):
        search.run(iterations=1, progress=False)
        yield search, trace.at(iteration, "backpropagate")


@pytest.mark.parametrize("kind", [perfect_play.Shared, perfect_play.MeansShared])
def test_twins_share_what_they_should_and_the_film_says_so(kind):
    for search, moment in moments(lambda: kind(GAME, seed=1)):
        totals, twins = Counter(), {}
        for node in search.nodes:
            twins.setdefault(node.state, []).append(node)
            assert (moment.visits[node.id], moment.wins[node.id]) == (node.visits, node.wins)
            totals[node.state] += node.visits
        for same in twins.values():
            assert len({node.mean for node in same}) == 1
            if kind is perfect_play.Shared:
                assert len({(node.visits, node.wins) for node in same}) == 1
    assert max(map(len, twins.values())) > 1
    if kind is perfect_play.MeansShared:
        assert search.root.visits == search.iterations


@pytest.mark.parametrize("loss", [True, False])
@pytest.mark.parametrize("workers", [1, 4, 16])
def test_results_come_late_and_virtual_losses_go(workers, loss):
    def make():
        return which_move.with_workers(1, workers, loss)

    for search, moment in moments(make):
        for node in search.nodes:
            assert (moment.visits[node.id], moment.wins[node.id]) == (node.visits, node.wins)
        late = min(workers - 1, search.iterations)
        assert len(search.under_way) == late
        assert search.root.visits == search.iterations - (0 if loss else late)


def test_one_worker_is_the_plain_search():
    alone, plain = which_move.with_workers(3, 1, True), MCTS(GAME, seed=3)
    for search in (alone, plain):
        search.search(POSITION, iterations=200, progress=False)
    assert [(n.action, n.visits, n.wins) for n in alone.nodes] == [
        (n.action, n.visits, n.wins) for n in plain.nodes
    ]


@pytest.mark.parametrize(("peeks", "stay"), [(True, 1), (False, 0)])
def test_to_stay_is_worth_nothing_to_who_cannot_see_the_card(peeks, stay):
    game = my_game.Queen(peeks)
    assert check_game(game).ok
    assert solve(game, ()).action_values == {"leave": 0.5, "stay": stay}


@pytest.mark.parametrize("length", range(1, 8))
def test_to_go_on_is_always_best_in_the_chain(length):
    game = near_the_truth.Chain(length)
    assert check_game(game).ok
    for step in range(length):
        values = solve(game, (step, False)).action_values
        assert values == {"go on": 1, "stop": (length - step - 1) / length}


@pytest.mark.parametrize("alpha", hints.ALPHAS)
def test_noise_is_shares_that_add_up_and_priors_with_it_too(alpha):
    moves = GAME.legal_actions(POSITION)
    noise = hints.dirichlet(alpha, moves, Random(1))
    assert sum(noise.values()) == pytest.approx(1)
    search = hints.with_noise(hints._searching(0.0, 1), 0.0, alpha)
    prior = search.selection.prior(POSITION)
    assert sum(prior.values()) == pytest.approx(1)
    assert prior == search.selection.prior(POSITION), "it is picked once"
    assert prior[7] == pytest.approx(0.25 * hints.dirichlet(alpha, moves, Random(1))[7])
