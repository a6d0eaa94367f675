"""Searches by mctx, recorded, as mctx is too large to be installed for one test.

``python tests/golden_mctx.py`` records them again, where mctx is installed.
"""

import json
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from mcts_watch.mctx_tree import ARRAYS

FILE = Path(__file__).parent / "watch" / "mctx.json"
READ = (*ARRAYS, "node_values")
"""The arrays of a tree that are recorded: what is read of one, and what the film must agree with.
"""
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
BOARD = (1, -1, 0, 0, 1, -1, 0, 0, 0)
"""Tic-tac-toe: X for 1, O for -1; X is to move, and wins at once with the last cell."""
BATCH = 2


def recorded(name):
    """The recorded part of what the policy of mctx returned."""
    arrays = json.loads(FILE.read_text("utf-8"))[name]
    tree = {name: np.array(values) for name, values in arrays.items()}
    return SimpleNamespace(search_tree=SimpleNamespace(**tree))


def tic_tac_toe(jax, mctx):
    """A game of two: an end pays who moved, and what follows it is worth nothing."""
    jnp = jax.numpy
    lines = jnp.array(LINES)

    def step(_, key, action, board):
        sign = jnp.where(board.sum(axis=1) == 0, 1.0, -1.0)
        was_over = is_over(board)
        after = board.at[jnp.arange(BATCH), action].set(sign)
        board = jnp.where(was_over[:, None], board, after)
        is_won = won(board) & ~was_over
        output = mctx.RecurrentFnOutput(
            reward=is_won.astype(float),
            discount=jnp.where(is_over(board), 0.0, -1.0),
            prior_logits=jnp.where(board == 0, 0.0, -1e9),
            value=jnp.where(is_over(board), 0.0, jax.random.uniform(key, (BATCH,), minval=-0.5)),
        )
        return output, board

    def won(board):
        return (abs(board[:, lines].sum(axis=2)) == 3).any(axis=1)

    def is_over(board):
        return won(board) | (board != 0).all(axis=1)

    board = jnp.array([BOARD] * BATCH, float)
    logits = jnp.where(board == 0, 0.0, -1e9)
    root = mctx.RootFnOutput(prior_logits=logits, value=jnp.zeros(BATCH), embedding=board)
    return root, step, board != 0


def rewards_on_the_way(jax, mctx):
    """One player, a reward at each move, and a discount of 0.9."""
    jnp, moves = jax.numpy, 4

    def step(_, key, action, state):
        keys = jax.random.split(key, 3)
        output = mctx.RecurrentFnOutput(
            reward=jax.random.normal(keys[0], (BATCH,)),
            discount=jnp.full(BATCH, 0.9),
            prior_logits=jax.random.normal(keys[1], (BATCH, moves)),
            value=jax.random.normal(keys[2], (BATCH,)),
        )
        return output, state

    logits = jax.random.normal(jax.random.PRNGKey(1), (BATCH, moves))
    value, state = jnp.ones(BATCH) / 4, jnp.zeros(BATCH)
    return mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state), step, None


def record():
    """Run the searches, and write their trees."""
    jax, mctx = import_module("jax"), import_module("mctx")
    trees = {}
    for name, game in (("tic-tac-toe", tic_tac_toe), ("rewards", rewards_on_the_way)):
        root, step, illegal = game(jax, mctx)
        output = mctx.muzero_policy(
            (), jax.random.PRNGKey(2), root, step, num_simulations=60, invalid_actions=illegal
        )
        arrays = {kind: np.asarray(getattr(output.search_tree, kind)) for kind in READ}
        trees[name] = {kind: array.tolist() for kind, array in arrays.items()}
    FILE.write_text(json.dumps(trees) + "\n", "utf-8")


if __name__ == "__main__":
    record()
