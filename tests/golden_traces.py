"""The golden traces: small searches of every kind, whose files must come out again byte for byte.

It needs nothing but the package, so any Python can be asked::

    python tests/golden_traces.py            # names the traces that come out otherwise
    python tests/golden_traces.py --write    # after a change that is meant to alter them

After writing them anew, read their diff.
"""

import sys
from functools import partial
from pathlib import Path

from mcts_course import published
from mcts_course.published import faults
from mcts_course.published.faulty_rules import MisreadTicTacToe
from mcts_viz import MCTS, Bandit, ConnectFour, GameTree, MCTSSolver, Nim, Recorder, TicTacToe
from mcts_viz.search import variants
from mcts_viz.trace.storage import to_json

GOLDEN = Path(__file__).parent / "golden"
GAME = TicTacToe()
PENCIL = GameTree({"a": {"c": 1, "d": -1}, "b": {"e": 0, "f": {"g": 0.5, "h": -0.25}}, "z": 0})


def recorded(seed, game=GAME, c=1.4, *, text=None, iterations=40, kind=MCTS, **policies):
    """A search from the position ``text``, or from the start."""
    state = None if text is None else game.parse(text)
    return kind(game, c, seed, **policies).record(state, iterations=iterations)


def made(*given, **named):
    return partial(recorded, *given, **named)


def of_system(name, repaired=(), put_in=(), text=None):
    """A search of a published system; of the largest on a smaller board."""
    game = SMALL if name.startswith("connect4") else None
    search = published(name, game).repair(*repaired).with_faults(*put_in).search(seed=20)
    state = None if text is None else search.game.parse(text)
    return search.record(state, iterations=20)


def continued(game, seed, kind=MCTS):
    """A search that goes on with its tree after a move."""
    search, recorder = kind(game, 1.4, seed), Recorder()
    search.advance(search.search(iterations=60).best_action)
    search.run(iterations=30, hooks=[recorder])
    return recorder.trace(search)


def branched(game, seed):
    """A fork of a recorded search: from iteration 20 on with another constant."""
    return recorded(seed, game).fork(20, c=0.2, iterations=30)


LATE = "XO. .X. ..."
SMALL = ConnectFour(4, 4, 3)
PUBLISHED = {
    # By name of the trace: the system, what is repaired, and what is put in, if so.
    "canvas": ("canvas",),
    "connect4_agent": ("connect4-agent",),
    "connect4_agent_blind": ("connect4-agent", (), ("blind",)),
    "liu": ("liu",),
    "liu_31_bit": ("liu", (), ("noise",)),
    "liu_forced_win": ("liu", (), ("forced win",)),
    "liu_unblocked": ("liu", ("block",), ("unblocked",)),
    "liu_pseudocode": ("canvas", ("draws",), ("view", "win rate")),
    "liu_text": ("liu", ("turns", "ends", "clock"), ("prose",)),
    "tutorial": ("tutorial",),
    "tutorial_kept_playouts": ("tutorial", (), ("kept playouts",)),
    "uct": ("uct",),
}
RECIPES = {
    "tic_tac_toe": made(1, iterations=60),
    "tic_tac_toe_greedy": made(2, c=0, iterations=60),
    "tic_tac_toe_late": made(4, text="XO. .X. ..O", iterations=60),
    "tic_tac_toe_most_curious": made(2, c=1e308),
    "tic_tac_toe_long_seed": made(10**100),
    "connect_four": made(5, ConnectFour(), iterations=30),
    "connect_four_small": made(6, ConnectFour(4, 5), 0.7, text="..... ..... O.... X...."),
    "connect_three": made(2**32, ConnectFour(3, 3, 3), 1, iterations=60),
    "nim": made(8, Nim(), iterations=60),
    "game_tree": made(10, PENCIL),
    "bandit": made(12, Bandit((0.25, 0.5))),
    "misread": made(12, MisreadTicTacToe(one_symbol=True), text=LATE),
    # MCTS-Solver, which ends when the root is proven.
    "solver_tic_tac_toe": made(13, text=LATE, iterations=60, kind=MCTSSolver),
    "solver_connect_three": made(14, ConnectFour(3, 3, 3), 1, iterations=60, kind=MCTSSolver),
    "solver_nim": made(15, Nim((2, 3)), iterations=60, kind=MCTSSolver),
    "solver_game_tree": made(16, PENCIL, iterations=60, kind=MCTSSolver),
    # Every kind of policy.
    "selection_puct": made(17, selection=variants.puct),
    "selection_smoothed": made(17, SMALL, 1, selection=variants.smoothed_ucb1()),
    "selection_flat": made(
        17, c=1, selection=variants.uniform, expansion=variants.expand_root_only
    ),
    "tie_break_epsilon_greedy": made(
        18, c=0, selection=variants.win_rate, tie_break=variants.epsilon_greedy(0.2)
    ),
    "tie_break_random_best": made(18, Nim(), 0, tie_break=variants.random_best),
    "tie_break_visited_best": made(18, Nim(), 0, tie_break=variants.visited_best),
    "tie_break_noisy_best": made(18, c=1, tie_break=faults.noisy_best()),
    "expansion_all": made(19, expansion=variants.expand_all),
    "expansion_all_play_leaf": made(19, SMALL, expansion=variants.expand_all_play_leaf),
    "expansion_playout": made(19, text=LATE, expansion=faults.expand_playout),
    "playout_win_then_block": made(20, playout=variants.win_then_block),
    "playout_block_then_win": made(20, SMALL, playout=variants.block_then_win),
    "reward_draw_is_loss": made(21, reward=variants.rewards_of(1, 0, 0)),
    "reward_thirds": made(21, reward=variants.rewards_of(1 / 3, 0.1, -1 / 3)),
    "recommendation_secure": made(22, recommendation=variants.secure_child(0.5)),
    "prepared": made(23, text=LATE, initial_expansion=variants.pre_expanded(2)),
    # Trees that were there before.
    "continued_tic_tac_toe": partial(continued, GAME, 24),
    "continued_connect_four": partial(continued, SMALL, 24),
    "continued_solver": partial(continued, Nim((3, 3, 2)), 24, MCTSSolver),
    "branch": partial(branched, GAME, 25),
    # The published systems.
    **{f"published_{name}": partial(of_system, *said) for name, said in PUBLISHED.items()},
    "published_liu_in_danger": partial(of_system, "liu", text="X.. .O. X.."),
}


def golden_text(name):
    return to_json(RECIPES[name]())


def changed():
    """The names of the traces that do not come out as their files."""
    return [
        name
        for name in RECIPES
        if (GOLDEN / f"{name}.json").read_bytes() != golden_text(name).encode()
    ]


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        for name in RECIPES:
            (GOLDEN / f"{name}.json").write_text(golden_text(name), encoding="utf-8")
    if different := changed():
        sys.exit(f"Python {sys.version.split()[0]}: changed are {different}")
