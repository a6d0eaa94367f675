"""Experiments find the same wherever they run."""

from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

import pytest
from executors import Failing
from refusals import refused

from mcts_course.experiments import run_searches
from mcts_viz import MCTS, TicTacToe
from mcts_viz.search.variants import rewards_of, win_then_block

GAME = TicTacToe()
POLICIES = {"light": {}, "heavy": {"playout": win_then_block, "reward": rewards_of(1, 0.5, 0)}}


def experiment(executor=None):
    return run_searches(
        GAME,
        seeds=range(20),
        iterations=[20, 60],
        states=[None, GAME.parse("XX. .O. ...")],
        policies=POLICIES,
        executor=executor,
        progress=False,
    )


@pytest.fixture(scope="module")
def here():
    return experiment()


@pytest.mark.parametrize(
    ("name", "given"),
    [("seeds", 3), ("iterations", 5), ("states", 5), ("policies", 5), ("policies", {"k": 3})],
)
def test_what_is_no_list_is_refused(name, given):
    settings = {"seeds": [1], "iterations": [5]}
    said = refused(run_searches, GAME, **{**settings, name: given})
    assert said.startswith(f"{name} must be a ")
    assert "; you gave " in said
    assert "seed" in refused(run_searches, GAME, **{**settings, "seeds": []})


def test_every_combination_in_order(here):
    keys = [(run.policy, run.state, run.iterations, run.seed) for run in here]
    assert len(set(keys)) == len(keys) == 2 * 2 * 2 * 20
    assert [key[0] for key in keys] == ["light"] * 80 + ["heavy"] * 80
    assert [key[3] for key in keys[:20]] == list(range(20))


def test_a_run_is_the_search_it_names(here):
    run = here[25]
    search = MCTS(GAME, seed=run.seed, **POLICIES[run.policy])
    assert search.search(run.state, iterations=run.iterations).best_action == run.best_action
    assert run.visits == {child.action: child.visits for child in search.root.children}
    assert sum(run.visits.values()) == run.iterations


@pytest.mark.slow
def test_processes_find_the_same(here):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert experiment(processes) == here


@pytest.mark.slow
def test_a_dask_cluster_finds_the_same(here):
    from distributed import Client, LocalCluster

    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(**settings) as cluster, Client(cluster) as client, client.get_executor() as executor:
        assert experiment(executor) == here


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (BrokenProcessPool("gone"), "a worker of the executor died"),
        (type("KilledWorker", (Exception,), {})("gone"), "a worker of the executor died"),
        (KeyboardInterrupt(), "you stopped it"),
    ],
)
def test_what_came_back_is_kept(here, capsys, error, said):
    assert experiment(Failing(error)) == here[:20]
    assert capsys.readouterr().out == (f"Only 20 of 160 searches came back before {said}. These are kept.\n")


def test_an_error_of_a_policy_is_no_death_of_a_worker():
    with pytest.raises(ZeroDivisionError):
        experiment(Failing(ZeroDivisionError()))
