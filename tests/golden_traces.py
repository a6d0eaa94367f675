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
PENCIL = GameTree({"a": {"c": 1, "d": -1}, "b": {"e": 0, "f": {"g": 0.5, "h": -0.25}}, "z": 0})


def recorded(game, c, seed, text=None, iterations=40, kind=MCTS, **policies):
    """A search from the position ``text``, or from the start."""
    state = None if text is None else game.parse(text)
    return kind(game, c, seed, **policies).record(state, iterations=iterations)


def made(*given, **policies):
    return partial(recorded, *given, **policies)


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
    return recorded(game, 1.4, seed).fork(20, c=0.2, iterations=30)


LATE = "XO. .X. ..."
SMALL = ConnectFour(4, 4, 3)
PUBLISHED = {
    # By name of the trace: the system, what is repaired, and what is put in.
    "canvas": ("canvas", (), ()),
    "connect4_agent": ("connect4-agent", (), ()),
    "connect4_agent_blind": ("connect4-agent", (), ("blind",)),
    "liu": ("liu", (), ()),
    "liu_31_bit": ("liu", (), ("noise",)),
    "liu_forced_win": ("liu", (), ("forced win",)),
    "liu_unblocked": ("liu", ("block",), ("unblocked",)),
    "liu_pseudocode": ("canvas", ("draws",), ("view", "win rate")),
    "liu_text": ("liu", ("turns", "ends", "clock"), ("prose",)),
    "tutorial": ("tutorial", (), ()),
    "tutorial_kept_playouts": ("tutorial", (), ("kept playouts",)),
    "uct": ("uct", (), ()),
}
RECIPES = {
    "tic_tac_toe": made(TicTacToe(), 1.4, 1, None, 60),
    "tic_tac_toe_greedy": made(TicTacToe(), 0, 2, None, 60),
    "tic_tac_toe_late": made(TicTacToe(), 1.4, 4, "XO. .X. ..O", 60),
    "tic_tac_toe_most_curious": made(TicTacToe(), 1e308, 2),
    "tic_tac_toe_long_seed": made(TicTacToe(), 1.4, 10**100),
    "connect_four": made(ConnectFour(), 1.4, 5, None, 30),
    "connect_four_small": made(ConnectFour(4, 5), 0.7, 6, "..... ..... O.... X....", 40),
    "connect_three": made(ConnectFour(3, 3, 3), 1, 2**32, None, 60),
    "nim": made(Nim(), 1.4, 8, None, 60),
    "game_tree": made(PENCIL, 1.4, 10, None, 40),
    "bandit": made(Bandit((0.25, 0.5)), 1.4, 12),
    "misread": made(MisreadTicTacToe(one_symbol=True), 1.4, 12, LATE),
    # MCTS-Solver, which ends when the root is proven.
    "solver_tic_tac_toe": made(TicTacToe(), 1.4, 13, LATE, 60, MCTSSolver),
    "solver_connect_three": made(ConnectFour(3, 3, 3), 1, 14, None, 60, MCTSSolver),
    "solver_nim": made(Nim((2, 3)), 1.4, 15, None, 60, MCTSSolver),
    "solver_game_tree": made(PENCIL, 1.4, 16, None, 60, MCTSSolver),
    # Every kind of policy.
    "selection_puct": made(TicTacToe(), 1.4, 17, selection=variants.puct),
    "selection_smoothed": made(SMALL, 1, 17, selection=variants.smoothed_ucb1()),
    "selection_flat": made(
        TicTacToe(), 1, 17, selection=variants.uniform, expansion=variants.expand_root_only
    ),
    "tie_break_epsilon_greedy": made(
        TicTacToe(), 0, 18, selection=variants.win_rate, tie_break=variants.epsilon_greedy(0.2)
    ),
    "tie_break_random_best": made(Nim(), 0, 18, tie_break=variants.random_best),
    "tie_break_visited_best": made(Nim(), 0, 18, tie_break=variants.visited_best),
    "tie_break_noisy_best": made(TicTacToe(), 1, 18, tie_break=faults.noisy_best()),
    "expansion_all": made(TicTacToe(), 1.4, 19, expansion=variants.expand_all),
    "expansion_all_play_leaf": made(SMALL, 1.4, 19, expansion=variants.expand_all_play_leaf),
    "expansion_playout": made(TicTacToe(), 1.4, 19, LATE, expansion=faults.expand_playout),
    "playout_win_then_block": made(TicTacToe(), 1.4, 20, playout=variants.win_then_block),
    "playout_block_then_win": made(SMALL, 1.4, 20, playout=variants.block_then_win),
    "reward_draw_is_loss": made(TicTacToe(), 1.4, 21, reward=variants.rewards_of(1, 0, 0)),
    "reward_thirds": made(TicTacToe(), 1.4, 21, reward=variants.rewards_of(1 / 3, 0.1, -1 / 3)),
    "recommendation_secure": made(TicTacToe(), 1.4, 22, recommendation=variants.secure_child(0.5)),
    "prepared": made(TicTacToe(), 1.4, 23, LATE, initial_expansion=variants.pre_expanded(2)),
    # Trees that were there before.
    "continued_tic_tac_toe": partial(continued, TicTacToe(), 24),
    "continued_connect_four": partial(continued, SMALL, 24),
    "continued_solver": partial(continued, Nim((3, 3, 2)), 24, MCTSSolver),
    "branch": partial(branched, TicTacToe(), 25),
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
