"""Names of before still lead to what they meant, and say what it is called now."""

from __future__ import annotations

from importlib import import_module

import pytest
from invariants import Diary

from mcts_viz import MCTS, Film, TicTacToe
from mcts_viz.former import NAMES

SEARCH = MCTS(TicTacToe(), seed=1)


@pytest.mark.parametrize("name", NAMES)
def test_a_former_name_leads_to_the_new_one(name: str) -> None:
    module, _, old = name.rpartition(".")
    place, _, new = NAMES[name].rpartition(".")
    with pytest.warns(DeprecationWarning, match=f"is now {NAMES[name]}"):
        found = getattr(import_module(module), old)
    assert found is getattr(import_module(place), new)


def test_what_was_never_a_name_is_none() -> None:
    for module in ("mcts_viz", "mcts_viz.search", "mcts_viz.search.policies"):
        with pytest.raises(AttributeError, match=f"module '{module}' has no attribute 'nobody'"):
            _ = import_module(module).nobody


def test_former_attributes_are_the_new_ones() -> None:
    trace, diary = SEARCH.record(iterations=9), Diary()
    film = Film(trace)
    with pytest.warns(DeprecationWarning, match=r"film\.data"):
        assert film.reel is film.data
    with pytest.warns(DeprecationWarning, match=r"plot_root\(film\)"):
        assert film.plot_root(5).axes
    with pytest.warns(DeprecationWarning, match=r"trace\.fork"):
        assert len(trace.branch(5)) == 5
    with pytest.warns(DeprecationWarning, match=r"node\.width"):
        assert SEARCH.root.inverse_root == SEARCH.root.width
    with pytest.warns(DeprecationWarning, match="telling"), SEARCH.hooked([diary]):
        SEARCH.iteration()
    assert len(diary.records) == 4
