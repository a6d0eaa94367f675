"""Work by executors: the same answers by any workers, and what a worker's death costs."""

import operator
import os
import signal
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import partial
from multiprocessing import get_all_start_methods, get_context

import pytest
from refusals import refused

from mcts_course import arena
from mcts_course.measure.experiments import by_budget, regrets, right_by_position
from mcts_course.measure.workers import done_by
from mcts_viz import MCTS, ExactAgent, MCTSAgent, RandomAgent, TicTacToe
from mcts_viz.games.bandit import Bandit

GAME = TicTacToe()
STATE = GAME.parse("X.. .O. ..X")


def processes():
    """Copies of one process, where a system has them: what is imported is imported once."""
    how = get_context("forkserver" if "forkserver" in get_all_start_methods() else "spawn")
    if how.get_start_method() == "forkserver":
        how.set_forkserver_preload(["mcts_course", "pytest"])
    return ProcessPoolExecutor(2, how)


@contextmanager
def dask():
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client.get_executor()


@contextmanager
def engines():
    import ipyparallel

    with ipyparallel.Cluster(n=2, log_level=40) as client:
        client[:].execute(f"import sys; sys.path[:0] = {sys.path!r}", block=True)
        yield client.executor()


KINDS = [
    processes,
    pytest.param(dask, marks=pytest.mark.slow),
    pytest.param(engines, marks=pytest.mark.slow),
]


def contest(executor=None):
    players = {
        "MCTS 20": MCTSAgent(GAME, iterations=20),
        "chance": RandomAgent(GAME),
        "exact": ExactAgent(GAME),
    }
    return arena(players, GAME, games=8, seed=3, progress=False, executor=executor)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_by_any_workers(kind):
    bandit, policies = Bandit((0.3, 0.6)), {"UCB1": {}, "curious": {"c": 5.0}}

    def experiments(executor=None):
        counts = by_budget(GAME, STATE, [1], [20, 5], seeds=6, executor=executor)
        make = partial(MCTS, GAME, 1.0)
        shares = right_by_position([STATE], make, 3, [5, 9], executor=executor)
        lost = regrets(bandit, policies, pulls=9, seeds=range(3), executor=executor)
        return str(counts), shares, {name: rows.tolist() for name, rows in lost.items()}

    with kind() as pool:
        assert contest(pool).games == contest().games
        assert experiments(pool) == experiments()


def test_a_worker_that_dies_costs_its_own_piece_and_a_sentence():
    said = "1 piece of 8 .pieces. had no answer, because the worker died"
    tasks = [(os._exit if seed == 3 else abs, seed) for seed in range(8)]
    with processes() as pool, pytest.warns(UserWarning, match=said):
        answers = done_by(pool, operator.call, tasks, "pieces", False)
    assert answers.by_place == {seed: seed for seed in range(8) if seed != 3}
    assert answers.lost == 1
    assert not answers.stopped


class EngineError(Exception):
    """The error by which ipyparallel tells that a worker died; it is known by its name."""


class Deadly(TicTacToe):
    def is_terminal(self, state):
        if sum(state).bit_count() == 3:
            raise EngineError
        return super().is_terminal(state)


def test_a_lost_game_is_told():
    players = dict.fromkeys("xy", RandomAgent(GAME))
    with ThreadPoolExecutor(1) as pool, pytest.warns(UserWarning, match="4 pieces of 4"):
        result = arena(players, Deadly(), games=4, executor=pool)
    assert result.lost == 4
    assert "4 games more had no end, because a worker died" in str(result)


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, processes])
def test_an_error_of_a_piece_is_raised_and_the_rest_is_cancelled(kind):
    with kind() as pool, pytest.raises(ZeroDivisionError):
        done_by(pool, operator.floordiv, [(1, seed - 3) for seed in range(40)], "pieces", False)


def test_what_cannot_be_sent_is_refused_in_a_sentence():
    with processes() as pool:
        said = refused(done_by, pool, lambda: 1, [()], "pieces", False)
    assert "functions of a module, none of a cell and no lambda" in said
    assert "an executor, such as" in refused(done_by, 2, abs, [(1,)], "pieces", False)


@pytest.mark.parametrize("kind", [nullcontext, partial(ThreadPoolExecutor, 1)])
def test_an_interrupt_keeps_what_is_done_and_cancels_the_rest(kind):
    begun = []

    def stopping(seed):
        begun.append(seed)
        time.sleep(0.02)
        if seed == 9:
            os.kill(os.getpid(), signal.SIGINT)
        return seed

    with kind() as pool:
        answers = done_by(pool, stopping, [(seed,) for seed in range(400)], "pieces", False)
    assert answers.stopped
    assert answers.by_place == {seed: seed for seed in range(len(answers.by_place))}
    assert 5 <= len(answers.by_place) <= len(begun) < 40
