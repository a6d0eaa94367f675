"""The search: what holds of every tree, whose wins they are, budgets."""

import gc
import weakref
from collections import Counter
from contextlib import suppress
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from invariants import PENCIL, Diary, check_tree, constants, games, half, plain, position, seeds
from refusals import refused
from searches import grown, uct

from mcts_viz import MCTS, GameTree, MCTSSolver, Nim, Recorder, TicTacToe
from mcts_viz.errors import SearchError
from mcts_viz.search import Node, SearchResult, Simulation, robust_child, running
from mcts_viz.search.running import progress_bar, rare_collections
from mcts_viz.trace import first_difference

# Invariants.


@given(game=games, c=constants, seed=seeds, iterations=st.integers(1, 120))
def test_a_node_counts_its_own_playouts_and_those_of_its_children(game, c, seed, iterations):
    """A child's wins belong to the opponent of the player who moved into its parent."""
    search, diary = MCTS(game, c, seed), Diary()
    search.search(position(game, seed), iterations=iterations, hooks=[diary])
    check_tree(search)
    playouts, rewards = Counter(), Counter()
    for record in diary.of(Simulation):
        playouts[record.node] += 1
        rewards[record.node] += half(record.returns, search.nodes[record.node].player_just_moved)
    for node in search.nodes:
        below = node.children
        assert node.visits == playouts[node.id] + sum(child.visits for child in below)
        assert node.wins == rewards[node.id] + sum(child.visits - child.wins for child in below)
        assert 0 <= node.wins <= node.visits
        if node is not search.root and not game.is_terminal(node.state):
            assert playouts[node.id] == 1


@given(
    game=games,
    c=constants,
    seed=st.none() | seeds,
    first=st.integers(1, 60),
    then=st.integers(1, 60),
)
def test_two_runs_are_one_and_the_same_seed_grows_the_same_tree(game, c, seed, first, then):
    """And a recorder goes on in the second one."""
    at_once = MCTS(game, c, seed)
    alone = at_once.record(iterations=first + then)
    search = MCTS(game, c, at_once.seed)
    for _ in range(2):
        recorder = Recorder()
        search.search(iterations=first, hooks=[recorder])
        part = recorder.trace(search)
        search.run(iterations=then, hooks=[recorder])
        assert plain(search) == plain(at_once)
        assert first_difference(recorder.trace(search), alone) is None
        assert first_difference(part, alone) == first + 1
        assert len(part.parent) == alone.at(first).nodes


# Going on with the tree after a move.


@given(game=games, seed=seeds, iterations=st.integers(1, 80), more=st.integers(1, 40))
def test_a_move_keeps_the_tree_below_it(game, seed, iterations, more):
    search = MCTS(game, seed=seed)
    result = search.search(position(game, seed), iterations=iterations)
    child = result.best_child
    assume(not game.is_terminal(child.state))
    kept, visits = below(child), child.visits
    assert search.advance(child.action) is search.root is child
    for iterations in (0, more):
        if iterations:
            search.run(iterations=iterations)
        assert search.nodes[: len(kept)] == kept
        check_tree(search, visits_before=visits)


def below(node):
    """The node and all below it, in order of creation."""
    nodes = [node]
    for found in nodes:
        nodes += found.children
    return sorted(nodes, key=lambda node: node.id)


@pytest.mark.parametrize("make", [MCTS, MCTSSolver])
@pytest.mark.parametrize("seed", range(6))
def test_a_result_stays_what_it_was_after_a_move(make, seed):
    search = make(Nim((1, 2, 3)), seed=seed)
    result = search.search(iterations=60)
    said, best = repr(result), result.best_action
    moves = [child.action for child in result.root.children if child.children]
    search.advance(best if best in moves else moves[0])
    for go_on in (search.run, search.search):
        go_on(iterations=20)
        assert (repr(result), result.best_action) == (said, best)


def test_after_a_move_rewards_are_seen_from_the_new_root():
    def reward(returns, player, root_player):
        seen.add(root_player)
        return returns[player]

    seen = set()
    search = grown(50, reward=reward)
    assert seen == {0}
    search.advance(4)
    search.run(iterations=50)
    assert seen == {0, 1}


def test_a_move_that_has_no_node_starts_a_new_tree():
    search, alone = grown(1), uct()
    action = search.root.untried[0]
    search.advance(action)
    search.run(iterations=20)
    alone.search(TicTacToe().play((0, 0), action), iterations=20)
    assert plain(search) == plain(alone)


def test_what_is_refused_leaves_the_tree_as_it_was():
    search = grown(20, game=GameTree({"a": 1, "b": {"c": 0}}))
    before = plain(search)
    for said, ask, wrong in (
        ("The game is over", search.advance, "a"),
        ("'z'", search.advance, "z"),
        ("'a'", search.start, ("a",)),
        ("5", search.start, 5),
    ):
        assert said in refused(ask, wrong)
        assert plain(search) == before


# Budgets and parameters.


def test_a_search_ends_with_its_budget():
    for iterations in (1, 2, 127, 128, 129):
        result = uct().search(iterations=iterations, seconds=1e6)
        assert result.iterations == result.root.visits == iterations
    for seconds in (0.05, 1e-9):
        result = uct().search(iterations=10**12, seconds=seconds)
        assert result.seconds >= seconds
        assert 0 < result.iterations < 10**12
        assert not result.interrupted


def test_the_bar_stands_where_the_search_does_and_is_not_red_where_it_ends_early(monkeypatch):
    class Bar:
        def __init__(self, total, **looks):
            bars.append(self)
            self.n, self.total = 0, total

        def update(self, more):
            self.n += more

        def close(self):
            self.is_red = bool(self.total and self.n < self.total)  # as tqdm.notebook decides

    bars = []
    monkeypatch.setattr("tqdm.auto.tqdm", Bar)
    monkeypatch.delenv("TQDM_DISABLE", raising=False)  # tests of notebooks set it
    for progress in (True, False):
        uct().search(iterations=160, progress=progress)
    with suppress(SearchError), progress_bar(20_000, True, "positions") as show:
        show(4096)
        raise SearchError("The time is over.")
    assert [(bar.n, bar.is_red) for bar in bars] == [(160, False), (4096, False)]


def test_without_a_budget_or_an_iteration_there_is_no_move():
    search = uct()
    assert "no budget" in refused(search.run)
    result = SearchResult(search.game, search.start(), 0, 0.0, True, robust_child)
    assert "has had no iteration yet" in refused(getattr, result, "best_action")


@pytest.mark.parametrize("game", [PENCIL, TicTacToe(), Nim()], ids=repr)
def test_a_result_reads_as_a_table_by_visits_then_means_then_birth(game):
    """The first row is the move that is made, also where moves are level."""
    for seed, iterations in product(range(5), (1, 7, 9, 12, 50)):
        result = uct(seed, game).search(iterations=iterations)
        head, *rows, end = str(result).split("\n")
        assert head.split() == ["move", "wins/visits", "mean"]
        assert end == f"{iterations} iterations"
        children = sorted(result.root.children, key=lambda child: (-child.visits, -child.mean))
        assert children[0] is result.best_child
        for row, child in zip(rows, children, strict=True):
            move, share, mean = row.rsplit(maxsplit=2)
            assert move.strip() == game.action_label(result.root.state, child.action)
            assert [*map(float, share.split("/"))] == [child.wins, child.visits]
            assert float(mean) == pytest.approx(child.wins / child.visits, abs=5.01e-4)


def test_a_search_tells_what_it_is():
    search = MCTSSolver(TicTacToe(), c=0.001, seed=10**100)
    search.run(iterations=5)
    begun, ended = repr(search).split(" seed ")
    assert begun == "<MCTSSolver of Tic-tac-toe: c = 0.001,"
    assert ended.endswith(", 5 iterations, 6 nodes>")
    assert len(repr(search)) < 200


@pytest.mark.parametrize(
    "make",
    [
        uct,
        lambda: uct(selection=lambda child, parent, c: child.mean),
        lambda: MCTSSolver(TicTacToe(), seed=1),
    ],
)
def test_a_search_that_nobody_holds_is_gone_at_once(make):
    """With its tree, whatever its rules: the collector would look for it only seldom."""
    search = make()
    search.start()
    before = nodes_alive() - len(search.nodes)
    result = search.search(iterations=50)
    gone = weakref.ref(search)
    gc.disable()
    try:
        del search, result
        assert gone() is None
        assert nodes_alive() == before
    finally:
        gc.enable()


def nodes_alive():
    return sum(type(each) is Node for each in gc.get_objects())


def test_a_search_ends_without_a_look_at_all_that_has_grown(monkeypatch):
    """The collector's first look after a search would make the search longer than it was given."""
    looked, search = [], uct()
    gc.callbacks.append(lambda phase, info: looked.append(info["generation"]))
    gc.unfreeze()
    monkeypatch.setattr(running, "_frozen", [0])
    try:
        search.search(iterations=5000)
        assert looked == []
        assert gc.get_count()[0] < 2000
    finally:
        gc.callbacks.pop()
        gc.freeze()


def test_the_collector_is_as_it_was_after_searches_side_by_side():
    """Whichever of them ends first, and what others have frozen stays frozen."""
    usual, frozen = gc.get_threshold(), gc.get_freeze_count()
    gc.set_threshold(777, 11, 12)
    gc.freeze()
    try:
        both = gc.get_freeze_count()
        first, second = rare_collections(), rare_collections()
        for block in (first, second):
            block.__enter__()
            assert gc.get_threshold()[0] > 777
        grown = [[] for _ in range(900)]
        for block in (first, second):
            assert gc.get_threshold()[0] > 777
            block.__exit__(None, None, None)
        assert len(grown) > 777
        assert gc.get_threshold() == (777, 11, 12)
        assert gc.get_freeze_count() >= both - 100 > frozen
    finally:
        gc.set_threshold(*usual)
