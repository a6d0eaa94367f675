"""The policies: which child is followed, what is added, who is rewarded, which move is made."""

from operator import itemgetter

import numpy as np
import pytest
from films import two_at_once
from hypothesis import given
from hypothesis import strategies as st
from invariants import answer, check_numbers, check_terms, check_tree, games, seeds
from refusals import refused
from searches import grown, uct

from mcts_viz import MCTS, MCTSSolver, TicTacToe, ucb1
from mcts_viz.games import Playout
from mcts_viz.search import expand_one, variants
from mcts_viz.search.policies import KINDS, first_best
from mcts_viz.trace.storage import from_json, to_json

WRONG = {
    "selection": [None, "0.5", (0.5,), (1, 2, 3), float("nan"), (1, None), [1]],
    "playout": [
        None,
        ((), (0.0, 0.0)),
        Playout((), (1.0,)),
        Playout((), (9, -9)),
        Playout(None, (0, 0)),
        "won",
    ],
    "reward": [None, "1", float("nan"), float("inf"), 1j, 1e300],
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_policy_that_returns_what_it_must_not_is_named_and_the_tree_is_whole(kind):
    for value in WRONG[kind]:
        search = uct(**{kind: answer(value)})
        said = refused(search.search, iterations=50)
        assert repr(value) in said or repr(getattr(value, "returns", None)) in said
        assert kind == "reward" or "<lambda>" in said or "The game's returns" in said
        check_tree(search)


# The package's own variants: whatever is combined, the tree is sound.


@given(
    game=games,
    seed=seeds,
    c=st.just(0) | st.floats(0.01, 1000),
    selection=st.sampled_from(
        [
            *(ucb1, variants.win_rate, variants.puct, variants.uniform),
            variants.smoothed_ucb1(1e-3, 0),
        ]
    ),
    tie_break=st.sampled_from(
        [first_best, variants.random_best, variants.visited_best, variants.epsilon_greedy(0.3)]
    ),
    expansion=st.sampled_from([expand_one, variants.expand_all, variants.expand_all_play_leaf]),
    initial_expansion=st.sampled_from([None, *map(variants.pre_expanded, range(3))]),
)
def test_all_variants_grow_sound_trees(
    game, seed, c, selection, tie_break, expansion, initial_expansion
):
    policies = {"selection": selection, "tie_break": tie_break, "expansion": expansion}
    search = MCTS(game, c, seed, **policies, initial_expansion=initial_expansion)
    trace = search.record(iterations=50)
    check_tree(search)
    check_numbers(search, trace.at(50))
    check_terms(search, trace.at(50))


# Expansion.


def test_an_expansion_that_leaves_its_move_untried_is_refused():
    def add_first(search, leaf):
        return search.add_child(leaf, leaf.untried[0])

    said = refused(uct(expansion=add_first).search, iterations=50)
    assert said.startswith("The expansion rule 'add_first' added the move 0 and left it in ")


def test_an_expansion_may_take_its_move_out_in_any_way():
    def add_first(search, leaf):
        first, *leaf.untried = leaf.untried
        return search.add_child(leaf, first)

    def add_last(search, leaf):
        child = search.add_child(leaf, leaf.untried[-1])
        leaf.untried = [move for move in leaf.untried if move != child.action]
        return child

    for rule in (add_first, add_last):
        check_tree(grown(50, expansion=rule))


def test_an_expansion_may_end_below_the_child_that_it_adds():
    search = grown(40, 0, expansion=two_at_once)
    check_tree(search)
    assert all(node.visits for node in search.nodes)


def astray(search, leaf):
    two_at_once(search, leaf)  # and answers with nothing


@pytest.mark.parametrize("rule", [astray, lambda search, leaf: search.root])
def test_an_expansion_that_answers_with_another_node_leaves_the_tree_whole(rule):
    search = grown(20)
    search.expansion = rule
    said = refused(search.run, iterations=20)
    assert "The expansion rule must return a node from the leaf on" in said
    check_tree(search)


# Final move.


def test_the_final_move_is_one_that_was_tried():
    search = uct(0, expansion=variants.expand_all, recommendation=itemgetter(-1))
    assert search.search(iterations=3).best_child.visits == 1


# All of them.


@pytest.mark.parametrize("name", list(KINDS))
def test_a_policy_that_cannot_be_called_as_it_will_be_is_refused_at_once(name):
    words = f"{name} must be a function of ({KINDS[name]}); you gave '<lambda>', which takes ("
    for policy in (lambda: 1, lambda one, two, three, four: one, lambda *one, two: one):
        assert refused(uct, **{name: policy}).startswith(words)


def test_a_policy_may_take_more_than_it_is_given_if_it_need_not():
    def rule(child, parent, c, bonus=0.0):
        return ucb1(child, parent, c)

    assert uct(selection=rule).search(iterations=20).best_action in range(9)
    first = itemgetter(0)
    assert uct(recommendation=first).recommendation is first, "C functions do not tell"


def test_a_seed_that_is_set_later_is_kept_as_the_one_that_was_used():
    search = uct()
    search.seed = np.int64(4)
    assert from_json(to_json(search.record(iterations=20))).seed == 4
    search.seed = None
    assert search.record(iterations=20).seed == search.seed is not None


@pytest.mark.parametrize("kind", [MCTS, MCTSSolver])
def test_what_is_set_later_is_checked_too(kind):
    for name, value, words in (
        ("c", "1", "c must be a number of at least 0"),
        ("seed", [], "seed must be a whole number "),
        ("selection", 7, "selection must be a function of "),
    ):
        search = kind(TicTacToe(), seed=1)
        search.search(iterations=5)
        setattr(search, name, value)
        said = refused(search.search, iterations=5)
        assert said.startswith(words)
        assert f"you gave {value!r}" in said
