#!/usr/bin/env bash
# After the end of a game the masks of PettingZoo and pgx call moves legal, and mctx goes on searching there.
#
# Expected: when a game is over no move is legal, and a search stops at it.
# Version:  pettingzoo 1.27.0, pgx 2.6.0, mctx 0.0.71, jax 0.10.2, Python 3.11; tic-tac-toe, X on 0 and 1, O on 3
#   and 4, X plays 2 and wins
# Seen:     PettingZoo selects the loser, terminated, and its mask shows the free cells. pgx's mask is true
#   everywhere, on taken cells too. mctx spends most of 60 simulations below the win that it has found.
#     pettingzoo: [0, 0, 0, 0, 0, 1, 1, 1, 1]
#     pgx: [1, 1, 1, 1, 1, 1, 1, 1, 1]
#     mctx: 54 of 60 nodes lie below an end
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet pettingzoo==1.27.0 pygame==2.6.1 gymnasium==1.4.0 mctx==0.0.71 pgx==2.6.0 jax==0.10.2 jaxlib==0.10.2
export JAX_PLATFORMS=cpu
venv/bin/python - <<'PYTHON'
import jax
import jax.numpy as jnp
import mctx
import pgx
from pettingzoo.classic import tictactoe_v3

MOVES = (0, 3, 1, 4, 2)
game = tictactoe_v3.env()
game.reset()
for move in MOVES:
    game.step(move)
seen, _, over, _, _ = game.last()
mask = [int(legal) for legal in seen["action_mask"]]
print("pettingzoo:", mask)
assert over
assert mask == [0, 0, 0, 0, 0, 1, 1, 1, 1]

rules = pgx.make("tic_tac_toe")
states = [rules.init(jax.random.key(0))]
for move in MOVES:
    states.append(rules.step(states[-1], jnp.int32(move)))
mask = [int(legal) for legal in states[-1].legal_action_mask]
print("pgx:", mask)
assert states[-1].terminated
assert mask == [1] * 9


def step(params, key, action, before):
    after = jax.vmap(rules.step)(before, action)
    output = mctx.RecurrentFnOutput(
        reward=after.rewards[jnp.arange(1), before.current_player],
        discount=jnp.where(after.terminated, 0.0, -1.0),
        prior_logits=jnp.where(after.legal_action_mask, 0.0, -1e9),
        value=jnp.zeros(1),
    )
    return output, after


batch = jax.tree.map(lambda part: part[None], states[-2])
root = mctx.RootFnOutput(prior_logits=jnp.zeros((1, 9)), value=jnp.zeros(1), embedding=batch)
run = jax.jit(
    lambda key: mctx.muzero_policy(
        None, key, root, step, 60, invalid_actions=~batch.legal_action_mask
    )
)
tree = run(jax.random.key(0)).search_tree
parents = tree.parents[0]
ended = tree.embeddings.terminated[0]
below = sum(bool(ended[parent]) for parent in parents[1:])
print(f"mctx: {below} of 60 nodes lie below an end")
assert below > 40
PYTHON
