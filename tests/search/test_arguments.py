"""Every argument of what a lesson calls, given what it is not: taken, or refused in a sentence."""

from inspect import signature
from itertools import product

import numpy as np
import pytest

from mcts_course import QLearner, arena, find_traps, plot_means, plot_positions, position_graph, published
from mcts_course.clinic import clinic
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


INNER = {"same", "make", "tools", "view", "task"}
"""Arguments that the package gives itself."""
FEW = {"iterations": 5, "seed": 1}
CALLS = [
    # With right arguments, and the kind of policy that is made; the test puts wrong ones in.
    (find_traps, {"game": GAME, "state": SMALL}, ""),
    (plot_positions, {"game": GAME, "state": SMALL}, ""),
    (position_graph, {"game": GAME, "state": SMALL}, ""),
    (variants.secure_child, {}, "recommendation"),
    (variants.pre_expanded, {"depth": 1}, "initial_expansion"),
    (variants.epsilon_greedy, {"epsilon": 0.1}, "tie_break"),
    (variants.smoothed_ucb1, {}, "selection"),
    (variants.truncated, {"moves": 2, "evaluate": lambda state: (0.0, 0.0)}, "playout"),
    (variants.rewards_of, {"win": 1, "draw": 0.5, "loss": 0}, "reward"),
    (variants.root_players_view, {"reward": half_for_a_draw}, "reward"),
    (clinic, {"fault": "view"}, ""),
    (published, {"name": "liu"}, ""),
    (arena, {"players": PLAYERS, "game": GAME, "games": 2, "progress": False}, ""),
    (ExactAgent, {"game": GAME}, ""),
    (MCTSAgent, {"game": GAME, **FEW}, ""),
    (QLearner, {"game": GAME}, ""),
    (TRACE.fork, {"iteration": 5, "moves": (4,), "iterations": 5}, ""),
    (record_minimax, {"walk": alpha_beta, "game": GAME, "state": SMALL}, ""),
    (Player, {"source": TRACE}, ""),
    (Compare, {"first": TRACE, "second": WALK}, ""),
    (Play, {"game": GAME, "iterations": 5}, ""),
    (Film, {"source": TRACE}, ""),
]

JUNK = {
    "nothing": None,
    "a text": "x",
    "below zero": -1,
    "no number": float("nan"),
    "a list of nothing": [None],
}


@pytest.mark.parametrize(("call", "right", "kind"), CALLS, ids=lambda v: getattr(v, "__name__", ""))
def test_right_arguments_are_taken_and_wrong_ones_taken_or_refused_in_a_sentence(call, right, kind):
    def ask(**given):
        made = call(**given)
        if kind:
            MCTS(GAME, seed=1, **{kind: made}).search(iterations=20)

    ask(**right)
    faults = []
    for argument, (junk, value) in product(signature(call).parameters.keys() - INNER, JUNK.items()):
        try:
            ask(**{**right, argument: value})
        except MctsVizError as refusal:
            if len(str(refusal)) < 20 or str(refusal)[-1] not in ".)":
                faults.append(f"{argument}: {junk}: {refusal}")
        except Exception as error:
            faults.append(f"{argument}: {junk}: {type(error).__name__}: {error}")
    assert faults == []


def test_what_can_be_gone_through_is_a_list():
    flat = {"initial_expansion": variants.pre_expanded(1), "expansion": variants.expand_root_only}
    for pulls in ("ABA", np.array(["A", "B", "A"])):
        search = MCTS(ARMS, seed=1, tie_break=variants.following(pulls), **flat)
        search.search(iterations=3)
        assert [child.visits for child in search.root.children] == [2, 1, 0]
    trace = MCTS(ARMS, seed=1, **flat).record(iterations=20)
    assert plot_means(trace, moves="AB")
