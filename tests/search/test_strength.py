"""From the empty tic-tac-toe board, UCT is never beaten, whatever the opponent tries."""

import pytest
from searches import uct
from strength import lost_lines


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_as_first_player_it_never_loses(seed):
    lost, positions = lost_lines(uct(seed), 0, 1_000)
    assert lost == []
    assert positions > 50
    assert lost_lines(uct(0), 0, 12)[0], "a search that is too short does lose"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_as_second_player_it_never_loses(seed):
    lost, positions = lost_lines(uct(seed), 1, 5_000)
    assert lost == []
    assert positions > 150
