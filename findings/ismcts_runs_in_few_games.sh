#!/usr/bin/env bash
# OpenSpiel's information-set search runs in a quarter of OpenSpiel's games with hidden information.
#
# Expected: ISMCTSBot plays nearly all sequential games of imperfect information that load by default: it is
#   the library's own search for them.
# Version:  open_spiel 2.0.2, Python 3.11
# Seen:     of 46 (bridge, which takes long, is left out) it makes a move in 10; in the others the first
#   search raises a SpielError: 24 have no ResampleFromInfostate, 11 have no InformationStateString, one has
#   no plain actions. Goofspiel counts as simultaneous, and is not among them.
#     10 of 46: bargaining blackjack colored_trails euchre gin_rummy hearts kuhn_poker leduc_poker oh_hell
#     universal_poker
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet open_spiel==2.0.2 numpy==2.4.6
venv/bin/python - <<'PYTHON'
from collections import Counter

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

KIND = pyspiel.GameType
names = [
    kind.short_name
    for kind in pyspiel.registered_games()
    if kind.default_loadable
    and kind.dynamics == KIND.Dynamics.SEQUENTIAL
    and kind.information == KIND.Information.IMPERFECT_INFORMATION
    and kind.short_name != "bridge"
]


def first_choice(name, lot):
    """Play the only legal move, or luck's, until there is a choice; return the bot's."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(lot.choice(outcomes, p=chances))
        elif len(state.legal_actions()) == 1:
            state.apply_action(state.legal_actions()[0])
        else:
            rollout = mcts.RandomRolloutEvaluator(1, lot)
            return ismcts.ISMCTSBot(game, rollout, 2.0, 20, random_state=lot).step(state)
    raise AssertionError(f"{name} offers no choice")


able, why = [], Counter()
for name in names:
    try:
        first_choice(name, np.random.RandomState(0))
        able.append(name)
    except pyspiel.SpielError as error:
        why[str(error).split()[0]] += 1
print(f"{len(able)} of {len(names)}:", *able)
print(*why.items())
assert (len(able), len(names)) == (10, 46)
PYTHON
