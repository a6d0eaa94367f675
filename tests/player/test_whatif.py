"""Python's side of "What if?": what the page may ask for, and the answers it gets."""

import asyncio

import pytest
from films import in_a_cell

from mcts_viz import MCTS, ConnectFour, Nim, Player, TicTacToe, alpha_beta, record_minimax


def player(game=None, iterations=100, **options):
    return Player(MCTS(game or TicTacToe(), seed=4, **options).record(iterations=iterations))


def ask(shown, **more):
    """Send a request of the page."""
    asked = {"act": "search_on", "iteration": 40, "move": None, "c": None, "iterations": 20}
    shown._hear(asked | more)


def test_the_page_is_told_what_it_may_change():
    shown = player(c=0.5)
    assert shown.payloads[0]["facts"]["what_if"] == {
        "moves": [str(cell) for cell in range(9)],
        "c": 0.5,
    }
    assert shown.branch is None
    walk = Player(record_minimax(alpha_beta, Nim((1, 2))))
    assert walk.payloads[0]["facts"]["what_if"] is None


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"move": 3}, "What if iteration 40 had begun with 3? The branch has 20 iterations"),
        ({"c": 0.25}, "What if c had been 0.25 from iteration 40 on?"),
        ({"move": 3, "c": 2}, "What if iteration 40 had begun with 3, and c had been 2 from there"),
        ({"c": 2, "iterations": None}, "The branch has 61 iterations from there on."),
    ],
)
def test_a_branch_is_searched_and_shown(asked, said):
    shown = player()
    ask(shown, **asked)
    assert said in shown.branching["said"]
    assert shown.branch is not None
    assert shown.branch.branch_points[-1].iteration == 40
    assert shown.branch_film["facts"]["iterations"] == len(shown.branch)
    assert "what_if" not in shown.branch_film["facts"], "one branch at a time"
    shown._hear({"act": "close"})
    assert shown.branch is None
    assert shown.branch_film == {}


@pytest.mark.parametrize(
    ("asked", "alert"),
    [
        ({}, "Nothing is changed yet: choose another move, or another c."),
        ({"c": 2, "iteration": 0}, "must be a whole number from 1 to 101"),
        ({"c": "__import__('os')"}, "must be a number of at least 0"),
        ({"c": 2, "iterations": 2.5}, "must be a whole number of at least 1"),
        ({"move": 99}, "IndexError"),
    ],
)
def test_what_cannot_be_searched_is_told(asked, alert):
    shown = player()
    ask(shown, **asked)
    assert alert in shown.branching["alert"]
    assert shown.branch is None


def test_what_the_page_may_not_ask_for_is_not_done():
    shown = player()
    for asked in ({}, {"act": "begin"}, {"act": "_guarded"}, {"act": None}, {"act": ["stop"]}):
        shown._hear(asked)
        assert shown.branch is None
        assert shown.branch_film == {}


def test_a_policy_that_fails_is_told():
    calls = iter(range(150))

    def breaks(game, state, random):
        next(calls)
        from mcts_viz import random_playout

        return random_playout(game, state, random)

    shown = player(playout=breaks)
    ask(shown, c=2)
    assert shown.branching["alert"].startswith(("StopIteration", "RuntimeError"))
    assert not shown._worker.busy


@in_a_cell
async def test_stop_ends_a_long_branch_and_close_forgets_it():
    shown = player(ConnectFour())
    ask(shown, c=2, iterations=10**9)
    assert shown._worker.busy
    while "searching on" not in shown.branching.get("words", ""):
        await asyncio.sleep(0.01)
    assert 0 <= shown.branching["share"] < 1
    shown._hear({"act": "stop"})
    while shown._worker.busy:
        await asyncio.sleep(0.01)
    assert ": then it was stopped" in shown.branching["said"]
    assert 0 < len(shown.branch) < 10**9
    ask(shown, c=2, iterations=10**9)
    await asyncio.sleep(0.1)
    shown._hear({"act": "close"})
    await asyncio.sleep(0.2)
    assert (shown.branch, shown.branch_film, shown.branching["said"]) == (None, {}, "")


@in_a_cell
async def test_a_new_question_takes_the_place_of_an_old_one():
    shown = player(ConnectFour())
    ask(shown, c=2, iterations=10**9)
    await asyncio.sleep(0.1)
    ask(shown, move=6, iterations=15)
    while shown._worker.busy:
        await asyncio.sleep(0.01)
    assert len(shown.branch) == 15
    assert shown.branch.first_moves == (6,)
