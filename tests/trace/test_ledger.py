"""A film has the numbers of its search: whatever the search counts, at every moment."""

from functools import partial
from math import sqrt
from types import SimpleNamespace

import numpy as np
import pytest
from films import tenths
from golden_traces import continued
from invariants import check_numbers
from refusals import refused
from searches import grown, uct

from mcts_viz import MCTS, Film, MCTSSolver, Recorder, TicTacToe
from mcts_viz.games import Pig, Playout, SlidingPuzzle, SlipperyLake
from mcts_viz.search import random_playout, ucb1
from mcts_viz.search.variants import ucb1_tuned, win_then_block
from mcts_viz.trace.ledger import Rows, Sums
from mcts_viz.trace.storage import from_json, to_json

ITERATIONS = 330
"""More than the iterations after which all nodes are looked at."""


class Decay(MCTS):
    """Forgets slowly."""

    def backpropagate(self, path, playout):
        super().backpropagate(path, playout)
        for node in path:
            node.wins *= 0.99
            node.mean = node.wins / node.visits


class Halved(MCTS):
    """A search in which every step halves the return that follows it."""

    def return_of_move(self, node, returns):
        return super().return_of_move(node, tuple(each / 2 for each in returns))


class Forgetful(MCTS):
    """A search in which all nodes, not only those of the walk, lose half their wins at times."""

    def backpropagate(self, path, playout):
        super().backpropagate(path, playout)
        if self.iterations % 100 == 0:
            for node in self.nodes:
                node.wins *= 0.5
                node.mean = node.wins / max(1, node.visits)


class ImplicitMinimax(MCTS):
    """Wins are the usual ones; means are mixed with a minimax value."""

    def start(self, state=None):
        self.values = {}
        return super().start(state)

    def backpropagate(self, path, playout):
        super().backpropagate(path, playout)
        for node in path[::-1]:
            below = [self.values[child] for child in node.children if child in self.values]
            self.values[node] = 1 - max(below) if below else node.wins / node.visits
            node.mean = 0.6 * node.wins / node.visits + 0.4 * self.values[node]


class Siblings(MCTS):
    """A search with "all moves as first": children beside the walk learn from it too."""

    def backpropagate(self, path, playout):
        super().backpropagate(path, playout)
        for node in path:
            for child in node.children:
                if child.action in playout.actions:
                    child.visits, child.wins = child.visits + 1, child.wins + 0.25
                    child.mean = child.wins / child.visits
                    child.inv_sqrt_visits = 1 / sqrt(child.visits)


class Consuming(Decay):
    """Its backpropagation uses up its path."""

    def backpropagate(self, path, playout):
        super().backpropagate(path, playout)
        path.clear()


class Valued(MCTS):
    """An iteration of its own: positions are valued, not played out."""

    def iteration(self):
        path = self.select()
        self.expand(path)
        self.backpropagate(path, Playout((), (0.5, -0.5)))


def touching(search, leaf):
    """An expansion rule that does what no policy should: it changes the root."""
    search.root.wins += 0.125
    search.root.mean = search.root.wins / max(1, search.root.visits)
    return MCTS.expansion(search, leaf)


KINDS = [Decay, Consuming, Forgetful, ImplicitMinimax, Siblings, Valued]
MAKERS = {kind.__name__: partial(kind, TicTacToe(), seed=4) for kind in KINDS}
MAKERS["a policy"] = partial(MCTS, TicTacToe(), seed=4, expansion=touching)


def lived(search, iterations):
    """The numbers of each node of the search, for each iteration from 0 on."""
    search.start()
    moments = [numbers(search)]
    while search.iterations < iterations:
        search.iteration()
        moments.append(numbers(search))
    return moments


def numbers(search):
    return [(node.visits, node.wins, node.mean) for node in search.nodes]


def check_moments(trace, moments, every=11):
    """See that at 30 moments all numbers are those of the search, in a trace and in its film."""
    film = Film(trace)
    for moment in range(every, len(moments), every):
        snapshot, live = trace.at(moment), np.array(moments[moment])
        found = snapshot.visits, snapshot.wins, snapshot.means
        np.testing.assert_allclose(found, live.T, rtol=1e-12, atol=1e-12)
        nodes = np.arange(len(live))
        stats = film.data.stats(nodes, moment)
        assert np.allclose([each.mean for each in stats], live[:, 2], rtol=1e-6)
        for child in snapshot.children(0):
            one, root = (SimpleNamespace(visits=live[n, 0], mean=live[n, 2]) for n in (child, 0))
            assert snapshot.terms(child) == pytest.approx(ucb1(one, root, trace.c), rel=1e-9)
        found = film.data.statistics(nodes, moment)  # in 32 bits
        np.testing.assert_allclose(found, live.T[:2], rtol=1e-6, atol=1e-6)


def check_lived(make, iterations, every=11):
    """See that a recording of the search has its numbers, read from a file too; return it."""
    trace, moments = make().record(iterations=iterations), lived(make(), iterations)
    assert trace.iterations == iterations
    check_moments(trace, moments, every)
    check_moments(from_json(to_json(trace), make()), moments, every)
    return trace


@pytest.mark.parametrize("name", MAKERS)
def test_a_search_that_counts_its_own_way_is_filmed_with_its_own_numbers(name):
    trace = check_lived(MAKERS[name], ITERATIONS)
    if name != "Valued":
        assert Film(trace).data.counts_its_own
        assert "the search's own numbers" in Film(trace).data.subtitle
        assert "counts in a way of its own" in Film(trace).caption(200)


@pytest.mark.parametrize("kind", [ImplicitMinimax, Siblings])
def test_a_tree_that_went_on_is_filmed_with_its_own_numbers(kind):
    search, recorder = kind(TicTacToe(), seed=4), Recorder()
    search.advance(search.search(iterations=200).best_action)
    moments = [numbers(search)]
    for _ in range(ITERATIONS):
        search.run(iterations=1, hooks=[recorder])
        moments.append(numbers(search))
    check_moments(recorder.trace(search), moments)


@pytest.mark.parametrize("kind", [MCTS, Decay, Halved])
def test_where_steps_pay_a_way_of_its_own_is_known_by_its_numbers(kind):
    """A caption tells the returns of a walk only where the nodes were given these."""
    own = kind is not MCTS
    for game in (SlipperyLake(), SlidingPuzzle(most=6)):
        for trace in (kind(game, seed=4).record(iterations=60), continued(game, 4, kind)):
            film = Film(trace)
            assert ("the search's own numbers" in film.data.subtitle) == own
            assert ("counts in a way of its own" in film.caption(30)) == own
            assert ("each node the return of the step" in film.caption(30)) != own


def test_a_usual_search_has_sums_and_a_subclass_that_counts_as_usual_too():
    class Same(MCTS):
        def backpropagate(self, path, playout):
            super().backpropagate(path, playout)

    for kind in (MCTS, MCTSSolver, Same):
        trace = kind(TicTacToe(), seed=1).record(iterations=300)
        assert isinstance(trace.ledger, Sums)
        assert not Film(trace).data.counts_its_own
    assert isinstance(Decay(TicTacToe(), seed=1).record(iterations=3).ledger, Rows)


def test_what_cannot_be_known_is_refused_with_a_word_on_watch():
    class Late(MCTS):
        """Changes all nodes, for the first time when it is no longer looked for."""

        def backpropagate(self, path, playout):
            super().backpropagate(path, playout)
            if self.iterations == 300:
                for node in self.nodes:
                    node.wins += 1

    late = partial(Late, TicTacToe(), seed=4)
    for search, iterations, words in (
        (late(), 400, "Watch(search.root)"),
        (uct(4, expansion=touching), 20, "other wins than its walks bring them"),
    ):
        recorder = Recorder()
        search.search(iterations=iterations, hooks=[recorder])
        assert words in refused(recorder.trace, search)
    check_lived(late, 400)


@pytest.mark.parametrize("begin", [150, 399])
def test_a_search_that_changes_more_nodes_later_on_is_recorded_again_with_these(begin):
    class LateSiblings(Siblings):
        """Learns from the moves of others, once it has looked about."""

        def backpropagate(self, path, playout):
            learns = self.iterations >= begin
            (Siblings if learns else MCTS).backpropagate(self, path, playout)

    check_lived(partial(LateSiblings, TicTacToe(), seed=4), 400, every=7)


class Shared(MCTS):
    """A search with one node for a position, however it is reached."""

    def add_child(self, parent, action):
        state = self.game.play(parent.state, action)
        known = next((node for node in self.nodes if node.state == state), None)
        if known:
            parent.children.append(known)
        return known or super().add_child(parent, action)


def test_a_node_with_two_parents_is_refused():
    game, recorder = TicTacToe(), Recorder()
    search = Shared(game, seed=1)
    search.search(game.parse("X.. .O. ..X"), iterations=60, hooks=[recorder])
    assert "give each way to a position a node of its own" in refused(recorder.trace, search)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"c": 0.5}, "c was 5.0 when the recording began and is 0.5 now"),
        ({"playout": win_then_block}, "playout was random_playout when"),
        ({"playout": lambda *given: random_playout(*given)}, "and is <lambda> now"),
    ],
)
def test_a_recording_tells_of_one_search(change, said):
    """Else what came first would be told as if it had been done like what came last."""
    search, recorder = uct(c=5), Recorder()
    search.start()
    search.run(iterations=40, hooks=[recorder])
    before = vars(search).copy()
    vars(search).update(change)
    assert said in refused(search.run, iterations=9, hooks=[recorder])
    assert said in refused(recorder.trace, search)
    vars(search).update({name: before[name] for name in change})
    assert recorder.trace(search).iterations == 40, "nothing was lost"


def two_sizes(returns, player, root_player):
    """Whole numbers whose squares are too large to be added exactly."""
    return (1e9, 1)[player] if returns[player] > 0 else 0


@pytest.mark.parametrize("reward", [tenths, two_sizes])
@pytest.mark.parametrize("selection", [ucb1, ucb1_tuned])
def test_sums_are_rounded_as_the_search_rounds_them(reward, selection):
    """Of each node by itself, walk by walk: else tenths would break ties that the search saw."""
    search = uct(2, c=0, reward=reward, selection=selection)
    recorder, wins, names = Recorder(), {}, ["wins", *(each.name for each in search.kept)]

    def note(record):
        for node in search.nodes:
            wins[record.iteration, node.id] = [getattr(node, name) for name in names]

    search.search(iterations=80, hooks=[recorder, SimpleNamespace(on_backpropagate=note)])
    trace = recorder.trace(search)
    film = Film(trace)
    assert len(wins) > 3_000
    for (iteration, node), own in wins.items():
        assert [trace.numbers(name, iteration)[node] for name in names] == own
        known = film.data.changes.at(node, iteration)
        assert [known[name] for name in names] == own


def test_a_file_says_whose_wins_the_root_of_a_kept_tree_counts():
    """After a roll the same player moves again, so the position does not tell."""
    search = grown(200, 5, Pig(12))
    search.advance("roll")
    search.advance(4)
    recorder = Recorder()
    search.run(iterations=100, hooks=[recorder])
    trace = recorder.trace(search)
    text = to_json(trace)
    read = from_json(text)
    whose = [node.player_just_moved for node in search.nodes]
    assert whose[0] == search.game.to_move(search.root.state)
    for each in (trace, read):
        assert each.player_just_moved.tolist() == whose
        check_numbers(search, each.at(100))
    assert to_json(read) == text
    said = refused(from_json, text.replace('"root_player":0', '"root_player":2'))
    assert "root_player must be a whole number from 0 to 1" in said
