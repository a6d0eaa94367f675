"""Interrupts at random instants while a tree is drawn or a trace is saved.

Those during a search or a recording are in ``test_hooks.py``, and by the thousand in
``benchmarks/budgets.py``.
"""

import os
import signal
from collections import Counter
from random import Random
from time import perf_counter

import pytest

from mcts_viz import MCTS, Film, TicTacToe
from mcts_viz.film.layout import lay_out
from mcts_viz.trace import Trace
from mcts_viz.trace.storage import to_json

SHORT, LONG = 12, 1_000
TIMES = pytest.mark.parametrize("times", [SHORT, pytest.param(LONG, marks=pytest.mark.slow)])


@pytest.fixture(scope="module")
def trace():
    return MCTS(TicTacToe(), seed=4).record(iterations=400)


def struck(delay, work):
    """Work, with a keyboard interrupt after so many seconds; whether it was let out."""

    def strike(number, frame):
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGALRM, strike)
    try:
        signal.setitimer(signal.ITIMER_REAL, delay)
        try:
            work()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        return True
    finally:
        signal.signal(signal.SIGALRM, before)
    return False


def usual_seconds(work):
    work()  # the first time it is longer
    begun = perf_counter()
    work()
    return perf_counter() - begun


@TIMES
def test_a_film_that_was_interrupted_is_drawn_as_ever(trace, times):
    def draw(film):
        return film.to_svg(300, "expand"), film.to_html(300, "expand")

    text, wanted = to_json(trace), draw(Film(trace, 40))
    random, interrupted = Random(times), 0
    usual = usual_seconds(lambda: draw(Film(trace, 40)))
    for turn in range(times):
        film, most = Film(trace, 40), usual * (turn + 1) / times  # the first come in time
        interrupted += struck(random.uniform(0.0001, most), lambda film=film: draw(film))
        assert draw(film) == wanted, "the same film, not a new one"
    assert to_json(trace) == text
    assert interrupted


@TIMES
def test_of_a_file_that_was_interrupted_the_old_or_the_new_is_whole(trace, times, tmp_path):
    path = tmp_path / "trace.json"
    old, new = MCTS(TicTacToe(), seed=1).record(iterations=5), trace
    texts = {to_json(old): "old", to_json(new): "new"}
    random, found = Random(times), Counter()
    usual = usual_seconds(lambda: new.save(path))
    for turn in range(times):
        old.save(path)
        most = 1.2 * usual * (turn + 1) / times
        let_out = struck(random.uniform(0.0001, most), lambda: new.save(path))
        found[texts[path.read_text()], let_out] += 1
        assert Trace.load(path).iterations in (5, 400)
    assert found["old", True], "some came in time, however busy the machine is"
    assert not found["old", False]
    new.save(path)
    assert os.listdir(tmp_path) == ["trace.json"], "what an interrupt left is gone after the next"


@pytest.mark.graphviz
def test_an_interrupt_waits_until_graphviz_has_cleaned_up(monkeypatch):
    """Struck between two of its calls, the library would free a graph twice and end the process."""
    import pygraphviz

    layout, close, done = pygraphviz.AGraph.layout, pygraphviz.AGraph.close, []

    def struck_layout(graph, prog):
        signal.raise_signal(signal.SIGINT)
        layout(graph, prog=prog)
        done.append("laid out")

    def noted_close(graph):
        close(graph)
        done.append("closed")

    monkeypatch.setattr(pygraphviz.AGraph, "layout", struck_layout)
    monkeypatch.setattr(pygraphviz.AGraph, "close", noted_close)
    with pytest.raises(KeyboardInterrupt):
        lay_out([(10, 10)] * 3, [-1, 0, 0])
    assert done == ["laid out", "closed"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
