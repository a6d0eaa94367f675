"""Searches whose first iterations were chosen by hand: recorded, captioned, resumed, saved."""

import json
import random
from functools import partial

import pytest
from films import StaysAtTheRoot
from hypothesis import given
from hypothesis import strategies as st
from invariants import (
    GAMES,
    POLICIES,
    PlantedError,
    boom,
    check_numbers,
    check_tree,
    plain,
    position,
)
from refusals import refused
from searches import uct

from mcts_viz import MCTS, ExactAgent, GameTree, MCTSSolver, Recorder, TicTacToe, TreeAgent
from mcts_viz.search.variants import playout_by_position
from mcts_viz.trace.storage import from_json, to_json

LESSON = "OX. XOX .O."


def walk_by_lot(search, lot):
    """A random walk that an iteration may take: down to an untried move or the end of the game."""
    node, moves = search.root, []
    while True:
        search.open(node)
        if node.untried:
            return [*moves, lot.choice(node.untried)]
        if not node.children:
            return moves
        node = lot.choice(node.children)
        moves.append(node.action)


def by_lot(kind, game, state, seed, count, more=0, **options):
    """A search and its recorder: ``count`` walks at random, then ``more`` iterations of its own."""
    search, recorder, lot = kind(game, seed=seed, **options), Recorder(), random.Random(seed)
    search.start(state)
    for _ in range(count):
        search.iteration_along(walk_by_lot(search, lot), [recorder])
    if more:
        search.run(iterations=more, hooks=[recorder])
    return search, recorder


@pytest.mark.parametrize("by_hand", [0, 12])
@given(
    kind=st.sampled_from([MCTS, MCTSSolver]),
    game=st.sampled_from(GAMES),
    options=st.sampled_from(POLICIES[:3]),
    seed=st.integers(0, 999),
    data=st.data(),
)
def test_a_search_by_hand_is_a_trace_like_any_other(by_hand, kind, game, options, seed, data):
    """Each can be made to stand again where it stood before any of its iterations."""
    made = partial(by_lot, kind, game, position(game, seed), seed, **options)
    search, recorder = made(by_hand, 40 - by_hand)
    check_tree(search)
    trace = recorder.trace(search)
    assert trace.chosen_iterations == len(trace.chosen) == by_hand
    for walk, leaf in zip(trace.chosen, trace.leaf, strict=False):
        assert walk == tuple(map(trace.action_of, trace.path(int(leaf))[1:]))
    check_numbers(search, trace.at(len(trace)))
    iteration = data.draw(st.integers(1, len(trace) + 1))
    again = trace.search_at(iteration)
    chosen = min(by_hand, iteration - 1)
    live, _ = made(chosen, iteration - 1 - chosen)
    assert (type(again), plain(again)) == (kind, plain(live))
    assert again.random.getstate() == live.random.getstate()
    if again.solved:  # nothing is left to search
        return
    branch = trace.fork(iteration, c=0.3, iterations=9)
    assert (branch.chosen_iterations, branch.c) == (0, 0.3)
    assert branch.visits_before.sum() == trace.visits(iteration - 1).sum()
    twice = branch.fork(min(5, len(branch)), c=2, iterations=3)
    assert twice.search_at(1).root.visits == iteration - 1 + min(5, len(branch)) - 1
    for text in map(to_json, (trace, branch)):
        assert to_json(from_json(text, search.but())) == text


def test_a_walk_ends_with_one_new_node_or_where_the_game_is_over():
    search = uct()
    search.start(search.game.parse(LESSON))
    search.iteration_along([8])
    before = plain(search)
    for fault, *wrong in (
        ("ends at a node where play goes on", []),
        ("ends at a node where play goes on", [8]),
        ("adds 2 nodes", [6, 2]),
        ("choose one of 2, 6, 8", [4]),
        ("must be a list of moves", "8"),
        ("A hook must be", [2], [print]),
    ):
        assert fault in refused(search.iteration_along, *wrong)
    assert (plain(search), search.chosen) == (before, ((8,),))
    search.iteration_along(["2"])
    assert search.chosen == ((8,), (2,)), "a move may be given by its label"


def test_a_search_that_selects_a_walk_of_its_own_cannot_be_given_one():
    search = StaysAtTheRoot(TicTacToe(), seed=1)
    trace = search.record(iterations=12)
    before = plain(search)
    words = "StaysAtTheRoot.select does not go on from the path that it is given"
    assert words in refused(trace.fork, iteration=5, moves=[4])
    assert words in refused(search.iteration_along, [4, 0])
    assert (plain(search), search.chosen) == (before, ())


def test_an_error_in_a_playout_leaves_the_tree_as_it_was():
    search = uct(playout=boom)
    before = plain(search)
    with pytest.raises(PlantedError):
        search.iteration_along([4])
    assert (plain(search), search.chosen) == (before, ())


def test_a_file_whose_walks_are_not_its_iterations_is_refused():
    game = TicTacToe()
    search, recorder = by_lot(MCTS, game, game.parse(LESSON), 3, 4)
    said = json.loads(to_json(recorder.trace(search)))
    for damaged in (
        [[0]],
        said["chosen"][::-1],
        [8],
        {"8": [8]},
        1,
        [*said["chosen"], [8]],
        [[[2]]],
    ):
        text = json.dumps({**said, "chosen": damaged})
        assert "no saved trace" in refused(from_json, text)


def test_a_playout_by_position_depends_on_nothing_else():
    game = TicTacToe()
    state, policy = game.parse(LESSON), playout_by_position(5)
    assert policy(game, state, None) == policy(game, state, None), (
        "the search's own numbers are not used"
    )
    # Over all seeds it is a random playout: each of the three moves first, a third of the time.
    first = [playout_by_position(seed)(game, state, None).actions[0] for seed in range(3000)]
    assert all(900 < first.count(move) < 1100 for move in (2, 6, 8))
    assert repr(policy) == "playout_by_position(5)"


def test_a_tree_plays_what_it_recommends_and_at_random_where_it_ends():
    search = uct(2)
    game = search.game
    state = game.parse(LESSON)
    search.search(state, iterations=2000)
    player, exact = TreeAgent(search, seed=1), ExactAgent(game)
    before = plain(search)
    assert player(state) == 8 == exact(state)
    while not game.is_terminal(state):
        state = game.play(state, (player, exact)[game.to_move(state)](state))
    assert game.returns(state) == (0, 0)
    empty = game.initial_state()
    assert {TreeAgent(search, seed)(empty) for seed in range(60)} == set(range(9))
    assert player.fresh(7)(empty) == TreeAgent(search, 7)(empty)
    assert plain(search) == before
    assert "must be a search with a tree" in refused(TreeAgent, GameTree({"a": 1}))
