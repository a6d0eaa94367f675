"""The move that a search would play at each moment, and the numbers below the slider."""

import random

import numpy as np
import pytest

from mcts_course import published
from mcts_viz import MCTS, Film, MCTSSolver, TicTacToe
from mcts_viz.search.variants import max_child, rewards_of, secure_child

SEARCHES = {
    "robust": lambda seed: MCTS(TicTacToe(), seed=seed),
    "max": lambda seed: MCTS(TicTacToe(), seed=seed, recommendation=max_child),
    "secure": lambda seed: MCTS(TicTacToe(), seed=seed, recommendation=secure_child(2)),
    "a student's": lambda seed: MCTS(TicTacToe(), seed=seed, recommendation=cautious),
    "solver": lambda seed: MCTSSolver(TicTacToe(), seed=seed, recommendation=first),
    "published": lambda seed: published("liu").search(seed=seed),
}


def first(children):
    """A rule that takes no heed of proofs itself."""
    return children[0]


def cautious(children):
    """A rule that looks at the move too."""
    visits = sum(child.visits for child in children)
    share = {child: child.visits / visits for child in children}
    return min(children, key=lambda child: (child.wins, repr(child.action), -share[child]))


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("shown", [None, [1, 2, 9, 40, 41, 90]])
def test_what_would_be_played_is_what_the_search_says(name, shown):
    search = SEARCHES[name](3)
    state = search.game.initial_state()
    if "solver" in name:
        state = search.game.parse("XX. .O. ...")  # all moves but one lose at once
    trace = SEARCHES[name](3).record(state, iterations=90)
    told = Film(trace, iterations=shown).data.played()
    moments = shown or random.Random(1).sample(range(1, trace.iterations + 1), k=20)
    for iteration in moments:
        if iteration <= trace.iterations:
            result = SEARCHES[name](3).search(state, iterations=iteration)
            assert trace.action_of(int(told[iteration - 1])) == result.best_action


def runner_up(children):
    """A rule that fails while there is one child."""
    return sorted(children, key=robust)[-2]


def their_parent(children):
    """A rule that answers none of the children."""
    return list(children)


def robust(child):
    return child.visits, child.mean


@pytest.mark.parametrize(("rule", "from_iteration"), [(their_parent, None), (runner_up, 2)])
def test_no_move_is_marked_where_the_rule_has_no_answer(rule, from_iteration):
    told = Film(MCTS(TicTacToe(), seed=1, recommendation=rule).record(iterations=30)).data.played()
    marked = np.flatnonzero(told >= 0) + 1
    assert marked.tolist() == ([] if from_iteration is None else [*range(from_iteration, 31)])


@pytest.mark.parametrize("rewards", [(0.9, 0.3, 0.1), (1, 1 / 3, 0), (1 + 1e-8, 1, 1 - 1e-8)])
def test_wins_are_added_up_as_in_the_search(rewards):
    def search():
        return MCTS(TicTacToe(), seed=2, reward=rewards_of(*rewards), recommendation=max_child)

    trace = search().record(iterations=150)
    told = Film(trace).data.played()
    for iteration in range(1, 151):
        best = search().search(iterations=iteration).best_action
        assert trace.action_of(int(told[iteration - 1])) == best


@pytest.mark.parametrize(
    ("iterations", "wanted"),
    [
        ([1, 2, 3, 10, 20, 90], [1, 2, 10, 20, 90]),
        (range(1, 90), [1, 20, 50, 89]),
        (range(40, 91), [40, 50, 90]),
        ([7], [7]),
    ],
)
def test_round_numbers_lie_where_the_slider_has_them(iterations, wanted):
    film = Film(SEARCHES["robust"](1).record(iterations=90), iterations=iterations)
    facts = film.payload()["facts"]
    assert [number for number, _ in facts["scale"]] == wanted
    shown = film.data.iterations.tolist()
    for number, part in facts["scale"]:
        if number in shown and len(shown) > 1:
            assert part == pytest.approx(shown.index(number) / (len(shown) - 1))
