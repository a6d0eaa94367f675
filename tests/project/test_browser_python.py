"""A browser's Python has narrow integers, starts no processes, draws no PNG: all imposed here."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from repository import runs

from mcts_course import Play
from mcts_viz import MCTS, Compare, ConnectFour, Film, Player, TicTacToe, minimax, record_minimax

PLACES = ("arange", "argsort", "bincount", "cumsum", "flatnonzero", "searchsorted")
"""NumPy's functions that return places or counts."""


def of_places(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        result = function(*arguments, **options)
        wide = "dtype" in options or any(getattr(a, "dtype", 0) == np.int64 for a in arguments)
        return result if wide or result.dtype != np.int64 else result.astype(np.int16)

    return call


def by_counts(function: Callable[..., Any], place: int) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        counts = arguments[place]
        if isinstance(counts, np.ndarray) and not np.can_cast(counts.dtype, np.int32):
            raise TypeError(f"Cannot cast array data from {counts.dtype!r} to dtype('int32')")
        return function(*arguments, **options)

    return call


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Makes NumPy what it is on 32 bits: int64 is taken for no place, and places are narrow.

    They have 16 bits, so that a small film has already more moments than they can count.
    """

    def impose() -> None:
        monkeypatch.setattr(np, "bincount", by_counts(np.bincount, 0))
        monkeypatch.setattr(np, "repeat", by_counts(np.repeat, 1))
        for name in PLACES:
            monkeypatch.setattr(np, name, of_places(getattr(np, name)))
        monkeypatch.setattr(np, "intp", np.int32)

    return impose


def connect_four() -> Film:
    return Film(MCTS(ConnectFour(), seed=4).record(iterations=300), 60)


def subsample() -> Film:
    trace = MCTS(TicTacToe(), seed=3).record(iterations=900)
    return Film(trace, 30, iterations=range(2, 900, 7))


def exact() -> Film:
    game = TicTacToe()
    return Film(record_minimax(minimax, game, game.parse("XO. .X. O..")))


@pytest.mark.parametrize("film", [connect_four, subsample, exact])
def test_films_are_the_same_with_narrow_integers(
    film: Callable[[], Film], narrow: Callable[[], None]
) -> None:
    usual = film().payload()
    narrow()
    assert film().payload() == usual


@pytest.fixture
def without_png(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)


def test_outputs_are_svg_where_png_cannot_be_had(without_png: None) -> None:
    trace = MCTS(TicTacToe(), seed=1).record(iterations=30)
    for shown in (Player(trace), Compare(trace, trace), Play(TicTacToe(), iterations=9)):
        data = shown._repr_mimebundle_()[0]
        assert data["image/svg+xml"].startswith("<svg"), shown
        assert "image/png" not in data
        assert data["text/plain"]


def test_a_picture_asked_for_as_png_says_what_is_missing(without_png: None) -> None:
    film = Film(MCTS(TicTacToe(), seed=1).record(iterations=30))
    with pytest.raises(ImportError, match="resvg-py"):
        film.to_png()


WITHOUT_PROCESSES = """
import sys
from importlib import import_module
for name in ("_multiprocessing", "matplotlib", "networkx"):  # plots are loaded later
    sys.modules[name] = None
from mcts_course.lessons import ORDER
for topic in ORDER:
    import_module(f"mcts_course.lessons.{topic}")
from mcts_course import arena
from mcts_viz import RandomAgent, TicTacToe
chance = RandomAgent(TicTacToe())
assert len(arena({"a": chance, "b": chance}, TicTacToe(), games=2, progress=False).games) == 2
"""


def test_the_course_needs_no_processes_and_no_plots() -> None:
    runs(WITHOUT_PROCESSES)


def test_the_second_cell_waits_for_what_draws_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[Any] = []

    async def run(code: str) -> str:
        done.append(code)
        return code

    async def load(packages: list[str]) -> None:
        done.append(packages)

    kernel = SimpleNamespace(run=run)
    monkeypatch.setitem(sys.modules, "pyodide_js", SimpleNamespace(loadPackage=load))
    monkeypatch.setattr(
        "IPython.core.getipython.get_ipython", lambda: SimpleNamespace(kernel=kernel)
    )

    pause = asyncio.sleep
    monkeypatch.setattr(asyncio, "sleep", lambda seconds: pause(seconds / 100))

    async def cells() -> None:
        import_module("mcts_course.in_browser")  # the first cell does
        assert not done
        assert await kernel.run("plot") == "plot"
        assert await kernel.run("again") == "again"

    try:
        asyncio.run(cells())
    finally:
        sys.modules.pop("mcts_course.in_browser", None)
    assert done == [["matplotlib", "networkx"], "plot", "again"]
