"""The compiled engine grows the tree of the readable one, and writes the same trace."""

from __future__ import annotations

import copy
import io
import os
import pickle
import signal
import subprocess
import sys
from contextlib import redirect_stderr
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcts_viz import MCTS, ConnectFour, Game, MCTSSolver, Nim, SearchError, TicTacToe
from mcts_viz.search import Node, half_for_a_draw, robust_child, running, variants
from mcts_viz.trace import Trace
from mcts_viz.trace.storage import to_json

pytest.importorskip("numba", reason="the compiled engine is optional", exc_type=ImportError)
from mcts_viz.search.compiled import Grown  # which needs it

GAMES = (TicTacToe(), ConnectFour(), ConnectFour(4, 5, 3))
OTHER_BOARDS = (ConnectFour(1, 9, 2), ConnectFour(20, 3, 4), ConnectFour(2, 20, 2))
FIELDS = tuple(name for name in Node.__slots__ if name != "children")


def pair(game: Game[Any, Any], *given: Any, **policies: Any) -> tuple[MCTS, MCTS]:
    readable, compiled = (
        MCTS(game, *given, engine=engine, **policies) for engine in ("readable", "compiled")
    )
    return readable, compiled


def check_same_trace(searches: tuple[MCTS, MCTS], state: Any, iterations: int) -> None:
    one, other = (
        search.record(state, iterations=iterations, progress=False) for search in searches
    )
    readable, compiled = searches
    assert compiled.grown is not None
    assert readable.grown is None
    assert columns(one) == columns(other)
    assert to_json(one) == to_json(other)
    assert readable.random.getstate() == compiled.random.getstate()


def columns(trace: Trace) -> dict[str, Any]:
    """Every array of a trace by name: its type and its bytes."""
    arrays = {**vars(trace), "moves": trace.playouts.actions, "lengths": trace.playouts.lengths}
    return {
        name: (array.dtype, array.tobytes())
        for name, array in arrays.items()
        if isinstance(array, np.ndarray)
    }


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_same_seed_gives_the_same_trace(game: Game[Any, Any]) -> None:
    for seed, iterations in enumerate((1, 2, 7, 40, 200, 4095, 4096, 4097)):
        check_same_trace(pair(game, 1.4, seed), None, iterations)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_search_that_needs_more_room_gets_it(
    game: Game[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcts_viz.search.compiled.ROOM", 5000)
    check_same_trace(pair(game, 1.4, 7), None, 10_001)


@pytest.mark.slow
@pytest.mark.parametrize("iterations", [50, 1000, 9000])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_200_seeds_give_the_same_traces(game: Game[Any, Any], iterations: int) -> None:
    for seed in range(200):
        check_same_trace(pair(game, 1.4, seed), None, iterations)


@st.composite
def searches(draw: Any) -> tuple[tuple[MCTS, MCTS], Any, int]:
    """Two engines' searches with the same policies, a position in play, and a budget."""
    game = draw(st.sampled_from(GAMES + OTHER_BOARDS))
    state = game.initial_state()
    for place in draw(st.lists(st.integers(0, 50), max_size=30)):
        actions = game.legal_actions(state)
        after = game.play(state, actions[place % len(actions)])
        if game.is_terminal(after):
            break
        state = after
    c = draw(st.floats(0, 1e300) | st.sampled_from([0, 0.2, 1.4, 1.7e308]))
    reward = draw(
        st.sampled_from([half_for_a_draw, variants.rewards_of(1, 0, 0)])
        | st.builds(variants.rewards_of, *[st.floats(-9, 9)] * 3)
    )
    recommendation = draw(st.sampled_from([robust_child, variants.max_child]))
    seed = draw(st.integers(0, 10**30))
    both = pair(game, c, seed, reward=reward, recommendation=recommendation)
    return both, state, draw(st.integers(1, 400))


@given(searches())
def test_policies_positions_and_budgets(drawn: tuple[tuple[MCTS, MCTS], Any, int]) -> None:
    check_same_trace(*drawn)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_nodes_are_those_of_the_readable_engine(game: Game[Any, Any]) -> None:
    both = readable, compiled = pair(game, 1.4, 5)
    results = [search.search(iterations=900) for search in both]
    assert str(results[0]) == str(results[1])
    check_same_nodes(readable, compiled)
    for search in both:  # which both go on with by the readable phases
        search.engine = "readable"
        search.run(iterations=100)
        search.advance(search.root.children[0].action)
        search.run(iterations=100)
    check_same_nodes(readable, compiled)


def check_same_nodes(one: MCTS, other: MCTS) -> None:
    for ours, theirs in zip(one.nodes, other.nodes, strict=True):
        for name in FIELDS:
            assert getattr(ours, name) == getattr(theirs, name), name
        assert [child.id for child in ours.children] == [child.id for child in theirs.children]
        assert all(theirs is other.nodes[theirs.id] for theirs in theirs.children)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_a_copy_is_the_same_tree(copied: Any) -> None:
    search = MCTS(TicTacToe(), seed=3, engine="compiled")
    search.search(iterations=300)
    other = copied(search)
    check_same_nodes(search, other)
    with pytest.warns(UserWarning, match="here is one already"):
        search.run(iterations=1)
    assert other.root.visits == 300


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"selection": variants.uniform}, "selection"),
        ({"tie_break": variants.random_best}, "tie_break"),
        ({"expansion": variants.expand_all}, "expansion"),
        ({"playout": variants.win_then_block}, "playout"),
        ({"initial_expansion": variants.pre_expanded(1)}, "initial_expansion"),
    ],
)
def test_what_it_does_not_know_runs_on_the_readable_one(options: Any, why: str) -> None:
    search = MCTS(TicTacToe(), seed=1, engine="compiled", **options)
    with pytest.warns(UserWarning, match=f"given as {why}, so the readable engine"):
        search.search(iterations=9)
    assert search.grown is None
    assert search.iterations == 9


def test_other_games_boards_and_kinds_of_searches_run_on_the_readable_one() -> None:
    class Own(MCTS):
        pass

    for search, why in (
        (MCTS(Nim(), engine="compiled"), "Nim"),
        (MCTS(ConnectFour(7, 8), engine="compiled"), "7 by 8"),
        (MCTSSolver(TicTacToe(), engine="compiled"), "MCTSSolver"),
        (Own(TicTacToe(), engine="compiled"), "Own"),
    ):
        with pytest.warns(UserWarning, match=why):
            search.search(iterations=9)
        assert search.grown is None


def test_a_hook_hears_the_readable_engine() -> None:
    class Heard:
        count = 0

        def on_select(self, record: object) -> None:
            self.count += 1

    search, heard = MCTS(TicTacToe(), seed=1, engine="compiled"), Heard()
    trace = search.record(iterations=9, hooks=[heard])
    assert (heard.count, len(trace), search.grown) == (9, 9, None)


def test_it_is_chosen_for_many_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MANY", 500)
    search = MCTS(TicTacToe(), seed=1)
    for budget, compiled in (
        ({"iterations": 499}, False),
        ({"iterations": 500}, True),
        ({"seconds": 0.01}, False),
        ({"iterations": 500, "seconds": 9}, True),
    ):
        search.search(**budget)  # type: ignore[arg-type]
        assert (search.grown is not None) == compiled, budget


def test_it_stops_in_time() -> None:
    search = MCTS(ConnectFour(), seed=1, engine="compiled")
    search.search(iterations=10)  # which compiles
    result = search.search(seconds=0.05)
    assert result.seconds < 2
    assert result.iterations == search.iterations == search.root.visits > 0


def test_an_interrupt_leaves_a_whole_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Grown.run

    def interrupted(grown: Grown, most: float) -> int:
        signal.raise_signal(signal.SIGINT)
        return usual(grown, most)

    monkeypatch.setattr(Grown, "run", interrupted)
    search = MCTS(TicTacToe(), seed=1, engine="compiled")
    result = search.search(iterations=10**9)
    assert result.interrupted
    assert result.iterations == search.root.visits < 10**9


def test_another_engine_is_refused() -> None:
    with pytest.raises(SearchError, match="engine is 'fast'"):
        MCTS(TicTacToe(), engine="fast")


def test_an_error_in_ones_own_reward_stays_ones_own() -> None:
    def reward(returns: Any, player: int, root_player: int) -> float:
        raise KeyError("mine")

    search = MCTS(TicTacToe(), reward=reward, engine="compiled")
    with pytest.raises(KeyError, match="mine"):
        search.search(iterations=10)


def test_the_bar_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TQDM_DISABLE", raising=False)  # tests of notebooks set it
    told = io.StringIO()
    with redirect_stderr(told):
        MCTS(TicTacToe(), seed=1, engine="compiled").search(iterations=9000, progress=True)
    assert "compiled iterations" in told.getvalue()


NOWHERE_TO_KEEP = """
from mcts_viz import MCTS, TicTacToe
search = MCTS(TicTacToe(), seed=1, engine="compiled")
assert search.record(iterations=5).iterations == 5 and search.grown
"""


@pytest.mark.slow
def test_no_folder_takes_what_was_compiled() -> None:
    run(NOWHERE_TO_KEEP, NUMBA_CACHE_DIR="/dev/null/nowhere")


def run(source: str, **environment: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", source],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
