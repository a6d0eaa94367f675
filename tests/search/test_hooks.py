"""Hooks observe; errors and interrupts, wherever they strike, leave the tree whole."""

import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from copy import copy
from functools import partial
from itertools import count, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariants import (
    Diary,
    PlantedError,
    Wheel,
    at_call,
    boom,
    check_numbers,
    check_tree,
    constants,
    games,
    hook,
    interrupt,
    plain,
    position,
    seeds,
)
from refusals import refused
from searches import grown, uct

from mcts_viz import MCTS, MCTSSolver, Recorder, TicTacToe, random_playout
from mcts_viz.games import Pig, Playout
from mcts_viz.search import PHASES, Backpropagation, Expansion, Selection, Simulation

# Hooks.


@given(game=games, c=constants, seed=seeds, iterations=st.integers(1, 60))
def test_hooks_hear_each_phase_of_a_search_that_is_the_same_without_them(game, c, seed, iterations):
    watched, alone, diary = MCTS(game, c, seed), MCTS(game, c, seed), Diary()
    watched.search(position(game, seed), iterations=iterations, hooks=[diary, Recorder()])
    alone.search(position(game, seed), iterations=iterations)
    assert plain(watched) == plain(alone)
    with_new_node = {node.created_at for node in watched.nodes}
    told = [(type(record), record.iteration) for record in diary.records]
    assert told == [
        (kind, iteration)
        for iteration in range(1, iterations + 1)
        for kind in (Selection, Expansion, Simulation, Backpropagation)
        if kind is not Expansion or iteration in with_new_node
    ]
    for record in diary.records:
        match record:
            case Selection():
                path = record.path
            case Expansion():
                assert (record.parent, record.action) == (
                    path[-1],
                    watched.nodes[record.node].action,
                )
                path = (*path, record.node)
            case Simulation():
                state = watched.nodes[record.node].state
                for action in record.actions:
                    state = game.play(state, action)
                assert game.returns(state) == record.returns
                assert record.node == path[-1]
            case Backpropagation():
                assert record.path == path
                nodes = [watched.nodes[number] for number in path]
                assert all(below in node.children for node, below in pairwise(nodes))


def test_hooks_are_attached_for_one_run_only():
    diary, search = Diary(), uct()
    search.search(iterations=3, hooks=[diary])
    search.run(iterations=3)
    search.run(iterations=3, hooks=iter([diary, diary]))
    heard = [record.iteration for record in diary.of(Selection)]
    assert heard == [1, 2, 3, 7, 7, 8, 8, 9, 9]


def test_what_is_no_hook_is_refused():
    search, diary = uct(), Diary()
    for wrong in (object(), print, Recorder, hook(on_selection=print), hook(on_select=None)):
        said = refused(search.search, iterations=3, hooks=[diary, wrong])
        assert "A hook must be an object, such as Recorder(), with one of on_select, on_ex" in said
    search.run(iterations=3)
    assert diary.records == []
    assert "hooks must be a list of hooks, " in refused(search.search, iterations=3, hooks=Diary())


# Errors leave the tree whole.


def breaking(game, method, call):
    """The game, which fails at the so-manieth call of one of its methods."""
    broken, fail = copy(game), at_call(call, boom)

    def failing(*arguments):
        fail()
        return getattr(game, method)(*arguments)

    object.__setattr__(broken, method, failing)
    return broken


METHODS = ("play", "to_move", "legal_actions", "is_terminal", "returns", "chances", "reward")


@pytest.mark.parametrize("game", [TicTacToe(), Pig(20), Wheel(7)])
@given(method=st.sampled_from(METHODS), call=st.integers(3, 300), seed=seeds)
def test_an_error_in_a_game_leaves_the_tree_whole(game, method, call, seed):
    """An outcome of chance that is lost does not wait to be tried: walks would end there."""
    broken = breaking(game, method, call)
    search = MCTS(broken, seed=seed, playout=lambda *given: random_playout(*given))
    for _ in range(3):
        before = search.iterations
        try:
            search.run(iterations=40)
        except PlantedError:
            assert search.iterations < before + 40
        else:
            assert search.iterations == before + 40
        check_tree(search, game)


@given(phase=st.sampled_from(PHASES), call=st.integers(1, 50), seed=seeds)
def test_an_error_in_a_hook_leaves_the_tree_whole(phase, call, seed):
    search, recorder = uct(seed), Recorder()
    hooks = [recorder, hook(**{f"on_{phase}": at_call(call, boom)})]
    with pytest.raises(PlantedError):
        search.search(iterations=60, hooks=hooks)
    assert search.iterations == (call if phase == "backpropagate" else call - 1)
    check_tree(search)
    search.run(iterations=30, hooks=[recorder])
    check_recorded(search, recorder)


def check_recorded(search, recorder):
    check_tree(search)
    trace = recorder.trace(search)
    assert trace.iterations == search.iterations
    check_numbers(search, trace.at(trace.iterations))


# Interrupts.


@pytest.fixture(autouse=True)
def handler_stays():
    before = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is before


def test_the_handler_is_restored_after_an_error_and_while_another_was_set():
    def mine(number, frame):
        raise AssertionError("not while a search runs")

    before = signal.signal(signal.SIGINT, mine)
    try:
        for strike in (interrupt, boom):
            with suppress(PlantedError):
                result = uct().search(iterations=5, hooks=[hook(on_select=at_call(2, strike))])
            assert signal.getsignal(signal.SIGINT) is mine
        assert result.interrupted
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(("phase", "at"), [*zip(PHASES, (1, 2, 17, 49), strict=True)])
def test_an_interrupt_stops_after_the_iteration(phase, at):
    search = uct()
    result = search.search(iterations=50, hooks=[hook(**{f"on_{phase}": at_call(at, interrupt)})])
    assert (result.iterations, result.interrupted) == (at, True)
    assert result.best_action in range(9)
    assert "stopped by the user" in str(result)
    check_tree(search)
    assert plain(search) == plain(grown(at))


def test_a_playout_that_never_ends_can_be_left():
    def endless(game, state, random):
        while True:
            interrupt()

    search = uct(playout=endless)
    with pytest.raises(KeyboardInterrupt):
        search.search(iterations=50)
    check_tree(search)


def test_a_bare_except_in_a_game_does_not_swallow_the_first_interrupt():
    def deaf(game, state, random):
        try:
            interrupt()
        except BaseException:
            raise AssertionError("the first interrupt raises nothing") from None
        return Playout((), (0.0, 0.0))

    result = uct(playout=deaf).search(iterations=50)
    assert (result.iterations, result.interrupted) == (1, True)


@contextmanager
def striking(line):
    """Two interrupts at one line of the package, counted over all lines that are run."""
    lines, before = count(), sys.gettrace()

    def look(frame, event, argument):
        if "mcts_viz" not in frame.f_code.co_filename:
            return None
        if event == "line" and next(lines) + 1 == line:
            interrupt()
            interrupt()
        return look

    sys.settrace(look)
    try:
        yield lines
    finally:
        sys.settrace(before)


def struck(line, fails):
    """A search that is struck in its iterations 5 to 8; in the last its playout may fail too."""
    fail = at_call(8, boom) if fails else int

    def playout(game, state, random):
        fail()
        return random_playout(game, state, random)

    search, recorder = uct(playout=playout), Recorder()
    search.search(iterations=4, hooks=[recorder])
    with striking(line) as lines, suppress(KeyboardInterrupt, PlantedError):
        search.run(iterations=4, hooks=[recorder])
    return search, recorder, next(lines)


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("every", [11, pytest.param(1, marks=pytest.mark.slow)])
def test_interrupts_at_any_line_leave_the_tree_whole(fails, every):
    lines = struck(0, fails)[-1]
    assert lines > 150
    for line in range(1, lines + 1, every):
        search, recorder, _ = struck(line, fails)
        check_tree(search)
        with suppress(PlantedError):
            search.run(iterations=3, hooks=[recorder])
        check_recorded(search, recorder)


# Threads.


def test_searches_may_run_at_the_same_time():
    with ThreadPoolExecutor(4) as threads:
        together = [*threads.map(partial(grown, 300), range(4))]
    assert [*map(plain, together)] == [plain(grown(300, seed)) for seed in range(4)]


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("kind", [MCTS, MCTSSolver])
@pytest.mark.parametrize("name", ["run", "search", "record", "start", "advance"])
def test_a_search_that_is_running_is_not_begun_anew(kind, phase, name):
    search = kind(TicTacToe(), seed=1)
    again = {"start": {}, "advance": {"action": 4}}.get(name, {"iterations": 1})
    begins = hook(**{f"on_{phase}": at_call(1, lambda: getattr(search, name)(**again))})
    said = refused(search.search, iterations=5, hooks=[begins])
    assert "The search is running, so it cannot be" in said
    check_tree(search)
    assert search.run(iterations=5).root.visits >= 5, "it can go on afterwards"


def test_an_iteration_of_ones_own_is_recorded_as_it_is():
    class Twice(MCTS):
        """Plays out twice from each new node."""

        def iteration(self):
            path = self.select()
            node = self.expand(path)
            for _ in range(2):
                self.backpropagate(path, self.simulate(node))

    alone, search = Twice(TicTacToe(), seed=1), Twice(TicTacToe(), seed=1)
    alone.search(iterations=50)
    trace = search.record(iterations=50)
    assert trace.iterations == search.iterations == 100
    check_numbers(alone, trace.at(100))
    assert trace.at(100).path == trace.at(99).path
