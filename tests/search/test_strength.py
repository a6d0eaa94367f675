"""From the empty tic-tac-toe board, UCT is never beaten, whatever the opponent tries.

The opponent tries everything: every reply is followed. Each of the searcher's moves is a new
search from the same seed, so it depends on the position alone and is searched once a position.
"""

import pytest

from mcts_viz import MCTS, TicTacToe

GAME = TicTacToe()


def lost_lines(player, seed, iterations):
    """The positions in which ``player``, who searches, has lost; and how many it had to search."""
    search, searched, lost = MCTS(GAME, seed=seed), set(), []
    waiting = [GAME.initial_state()]
    while waiting:
        state = waiting.pop()
        if GAME.is_terminal(state):
            if GAME.returns(state)[player] < 0:
                lost.append(GAME.text(state))
        elif GAME.to_move(state) != player:
            waiting += [GAME.play(state, action) for action in GAME.legal_actions(state)]
        elif state not in searched:
            searched.add(state)
            waiting.append(
                GAME.play(state, search.search(state, iterations=iterations).best_action)
            )
    return lost, len(searched)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_as_first_player_it_never_loses(seed):
    lost, positions = lost_lines(player=0, seed=seed, iterations=1_000)
    assert lost == []
    assert positions > 50
    assert lost_lines(player=0, seed=0, iterations=12)[0], "a search that is too short does lose"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_as_second_player_it_never_loses(seed):
    lost, positions = lost_lines(player=1, seed=seed, iterations=5_000)
    assert lost == []
    assert positions > 150
