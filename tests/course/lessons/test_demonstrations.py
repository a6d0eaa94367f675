"""The lessons' own games and searches: what is shown of them is what they do, at every moment."""

from collections import Counter

import pytest

from mcts_course.lessons import perfect_play, which_move
from mcts_viz import TicTacToe

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
