"""What would cost too much is refused before it is built, whoever made the file."""

import tracemalloc

import pytest

from mcts_viz import MCTS, MctsVizError, Nim, TicTacToe, Trace

GAME = TicTacToe()
SMALL = MCTS(GAME, seed=1).record(iterations=20)
MOST_ROOM = 200_000_000


def room(call):
    """Bytes that a call, which must be refused, takes at most at a time."""
    tracemalloc.start()
    try:
        with pytest.raises(MctsVizError) as refusal:
            call()
        assert str(refusal.value).endswith(".")
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


GREEDY = {
    "a board of a million cells": lambda: GAME.parse("X." * 500_000),
    "heaps that no memory holds": lambda: Nim([1000] * 100_000),
}


@pytest.mark.parametrize("name", GREEDY)
def test_a_refusal_takes_little_room(name):
    assert room(GREEDY[name]) < MOST_ROOM


def test_a_file_larger_than_any_saved_one_is_not_read(tmp_path):
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(10**9)
    assert room(lambda: Trace.load(tmp_path / "huge.json")) < 50_000_000


def test_what_could_not_be_read_again_is_not_saved(tmp_path, monkeypatch):
    monkeypatch.setattr("mcts_viz.trace.storage.LARGEST", 500)
    with pytest.raises(MctsVizError, match="of more than 500 bytes is not read"):
        SMALL.save(tmp_path / "trace.json")
    assert list(tmp_path.iterdir()) == []
