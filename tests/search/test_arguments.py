"""Every argument of what a lesson calls, given what it is not: taken, or refused in a sentence."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from mcts_course import (
    QLearner,
    arena,
    find_traps,
    plot_means,
    plot_positions,
    position_graph,
    published,
)
from mcts_course.clinic import clinic, unnamed
from mcts_viz import (
    MCTS,
    Bandit,
    Compare,
    ExactAgent,
    Film,
    MCTSAgent,
    MctsVizError,
    Play,
    Player,
    RandomAgent,
    TicTacToe,
    alpha_beta,
    record_minimax,
)
from mcts_viz.search import half_for_a_draw, variants

GAME = TicTacToe()
SMALL = GAME.parse("XOX OX. O..")
TRACE = MCTS(GAME, seed=1).record(iterations=30)
WALK = record_minimax(alpha_beta, GAME, SMALL)
ARMS = Bandit((0.2, 0.5, 0.8))
PLAYERS = {"a": RandomAgent(GAME), "b": RandomAgent(GAME)}


def searched(**policies: Any) -> Any:
    return MCTS(GAME, seed=1, **policies).search(iterations=20).best_action


CALLS: dict[str, Callable[..., Any]] = {
    # Each argument has a right value as its default; the test puts a wrong one in its place.
    "find_traps": lambda game=GAME, state=SMALL: find_traps(game, state),
    "plot_positions": lambda game=GAME, state=SMALL, tree=False: plot_positions(
        game, state, tree=tree
    ),
    "position_graph": lambda game=GAME, state=SMALL: position_graph(game, state),
    "secure_child": lambda caution=1.0: searched(recommendation=variants.secure_child(caution)),
    "pre_expanded": lambda depth=1: searched(initial_expansion=variants.pre_expanded(depth)),
    "epsilon_greedy": lambda epsilon=0.1: searched(tie_break=variants.epsilon_greedy(epsilon)),
    "epsilon_heavy": lambda heavy=variants.win_then_block, epsilon=0.1: searched(
        playout=variants.epsilon_heavy(heavy, epsilon)
    ),
    "smoothed_ucb1": lambda epsilon=1e-6, offset=1: searched(
        selection=variants.smoothed_ucb1(epsilon, offset)
    ),
    "truncated": lambda moves=2, evaluate=lambda state: (0.0, 0.0): searched(
        playout=variants.truncated(moves, evaluate)
    ),
    "rewards_of": lambda win=1, draw=0.5, loss=0: searched(
        reward=variants.rewards_of(win, draw, loss)
    ),
    "root_players_view": lambda reward=half_for_a_draw: searched(
        reward=variants.root_players_view(reward)
    ),
    "following": lambda actions=(4,) * 20: searched(
        tie_break=variants.following(actions),
        initial_expansion=variants.pre_expanded(1),
        expansion=variants.expand_root_only,
    ),
    "clinic": lambda fault="view": clinic(fault),
    "unnamed": lambda fault="view", iterations=20, seed=0: unnamed(
        fault, iterations=iterations, seed=seed
    ),
    "published": lambda name="liu", game=None: published(name, game),
    "arena": lambda players=PLAYERS, game=GAME, games=2, seed=0, opening=0: arena(
        players, game, games=games, seed=seed, opening=opening, progress=False
    ),
    "ExactAgent": lambda game=GAME: ExactAgent(game),
    "MCTSAgent": lambda game=GAME, iterations=5, seconds=None, seed=1: MCTSAgent(
        game, iterations, seconds, seed=seed
    ),
    "QLearner": lambda game=GAME, alpha=0.5: QLearner(game, alpha=alpha),
    "fork": lambda iteration=5, moves=(4,), c=None, iterations=5: TRACE.fork(
        iteration=iteration, moves=moves, c=c, iterations=iterations
    ),
    "record_minimax": lambda walk=alpha_beta, game=GAME, state=SMALL: record_minimax(
        walk, game, state
    ),
    "Player": lambda source=TRACE, iteration=1, phase="select", cards=20, large=False: Player(
        source, iteration, phase, cards, large
    ),
    "Compare": lambda first=TRACE, second=WALK, iteration=1, cards=20, large=False: Compare(
        first, second, iteration, cards, large
    ),
    "Play": lambda game=GAME, opponent=None, iterations=5, first="you", state=None: Play(
        game, opponent, iterations=iterations, first=first, state=state
    ),
    "Film": lambda trace=TRACE, cards=20, iterations=None: Film(
        trace, cards, iterations=iterations
    ),
}

JUNK: dict[str, Any] = {
    "nothing": None,
    "a text": "x",
    "below zero": -1,
    "no number": float("nan"),
    "a list of nothing": [None],
}


@pytest.mark.parametrize("name", CALLS)
def test_right_arguments_are_taken_and_wrong_ones_taken_or_refused_in_a_sentence(name: str) -> None:
    call, faults = CALLS[name], []
    call()
    for argument, (junk, value) in product(inspect.signature(call).parameters, JUNK.items()):
        try:
            call(**{argument: value})
        except MctsVizError as refusal:
            if len(str(refusal)) < 20 or str(refusal)[-1] not in ".)":
                faults.append(f"{argument}: {junk}: {refusal}")
        except Exception as error:
            faults.append(f"{argument}: {junk}: {type(error).__name__}: {error}")
    assert faults == []


def test_what_can_be_gone_through_is_a_list() -> None:
    flat = {"initial_expansion": variants.pre_expanded(1), "expansion": variants.expand_root_only}
    for pulls in ("ABA", np.array(["A", "B", "A"])):
        search = MCTS(ARMS, seed=1, tie_break=variants.following(pulls), **flat)
        search.search(iterations=3)
        assert [child.visits for child in search.root.children] == [2, 1, 0]
    trace = MCTS(ARMS, seed=1, **flat).record(iterations=20)
    assert plot_means(trace, moves="AB")
