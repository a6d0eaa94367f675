"""Every engine draws a tidy tree, and no missing or broken program ends in a traceback."""

import importlib
import os
import signal
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcts_viz.film import layout
from mcts_viz.film.layout import lay_out

SLACK = 1.0  # points: Graphviz prints five digits and rounds the sizes of boxes
PYGRAPHVIZ = pytest.param("pygraphviz", marks=pytest.mark.graphviz)
ENGINES = [PYGRAPHVIZ, "tidy"]
CARD = (64.0, 88.0)
SMALL = ([CARD] * 6, [-1, 0, 0, 1, 1, 2])


def with_path(folder):
    return patch.dict(os.environ, {"PATH": str(folder)})


def without(name, error=None):
    """A module that is not there, or that fails in its own way when it is imported."""

    def import_module(wanted):
        if wanted == name:
            raise error or ModuleNotFoundError(f"No module named '{name}'")
        return importlib.import_module(wanted)

    return patch("mcts_viz.film.graph.import_module", import_module)


@pytest.fixture(autouse=True)
def first_warning():
    layout._warn_once.cache_clear()


# --- What every layout must be ------------------------------------------------------------------


@st.composite
def trees(draw, most=40):
    count = draw(st.integers(1, most))
    side = st.integers(12, 160).map(float) | st.floats(5.0, 300.0)
    widths = draw(st.lists(side, min_size=count, max_size=count))
    parents = [-1] + [draw(st.integers(0, box - 1)) for box in range(1, count)]
    height = {box: draw(side) for row in rows(parents) for box in row[:1]}
    sizes = [(0.0, 0.0)] * count
    for row in rows(parents):  # boxes of a depth are equally high
        for box in row:
            sizes[box] = widths[box], height[row[0]]
    return sizes, parents


def preorder(parents):
    """Box numbers as a reader meets them: from the top down, from left to right."""
    order, waiting = [], [0]
    while waiting:
        order.append(waiting.pop())
        below = [box for box, parent in enumerate(parents) if parent == order[-1]]
        waiting += reversed(below)
    return order


def rows(parents):
    depths = [0] * len(parents)
    for box in range(1, len(parents)):
        depths[box] = depths[parents[box]] + 1
    found = [[] for _ in range(max(depths) + 1)]
    for box in preorder(parents):
        found[depths[box]].append(box)
    return found


def assert_tidy(drawn, sizes, parents):
    centers = drawn.centers
    assert len(centers) == len(sizes)
    left = [x - w / 2 for (x, _), (w, _) in zip(centers, sizes, strict=True)]
    right = [x + w / 2 for (x, _), (w, _) in zip(centers, sizes, strict=True)]
    top = [y - h / 2 for (_, y), (_, h) in zip(centers, sizes, strict=True)]
    bottom = [y + h / 2 for (_, y), (_, h) in zip(centers, sizes, strict=True)]

    assert min(left) >= -0.1
    assert min(top) >= -0.1
    assert max(right) <= drawn.width + 0.1
    assert max(bottom) <= drawn.height + 0.1

    floor = 0.0
    for row in rows(parents):
        for before, after in pairwise(row):  # siblings and cousins, in order, apart
            assert right[before] + layout.BOX_GAP - SLACK <= left[after]
        assert min(top[box] for box in row) >= floor - SLACK
        floor = max(bottom[box] for box in row) + layout.ROW_GAP


@pytest.mark.parametrize("engine", [PYGRAPHVIZ, "tidy"])
@given(tree=trees())
@settings(deadline=None)
def test_any_tree_is_drawn_tidily(engine, tree):
    drawn = lay_out(*tree, tidy=engine == "tidy")
    assert drawn.engine == engine
    assert_tidy(drawn, *tree)
    assert lay_out(*tree, tidy=engine == "tidy") == drawn


@given(tree=trees())
def test_every_parent_is_centred_over_its_children(tree):
    drawn = lay_out(*tree, tidy=True)
    assert len(drawn.centers) == len(tree[1])
    for box in range(len(tree[1])):
        xs = [drawn.centers[child][0] for child, parent in enumerate(tree[1]) if parent == box]
        if xs:
            assert drawn.centers[box][0] == pytest.approx((xs[0] + xs[-1]) / 2, abs=0.16)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("parents", [[-1, *range(299)], [-1] + [0] * 299], ids=["chain", "fan"])
def test_a_deep_chain_and_a_wide_root(engine, parents):
    assert_tidy(lay_out([CARD] * 300, parents, engine == "tidy"), [CARD] * 300, parents)


# --- Which engine -------------------------------------------------------------------------------


@pytest.mark.graphviz
def test_pygraphviz_comes_first_and_needs_no_program(tmp_path):
    with with_path(tmp_path), warnings.catch_warnings():
        warnings.simplefilter("error")
        with patch("subprocess.Popen", side_effect=AssertionError("no program is started")):
            assert lay_out(*SMALL).engine == "pygraphviz"


@pytest.mark.graphviz
@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (
            patch("pygraphviz.AGraph", side_effect=SystemError("wrong")),
            "built-in layout; .* --force-reinstall",
        ),
        (without("pygraphviz", OSError("libglib-2.0.so.0: none")), "libglib2.0-0"),
        *(
            (patch("mcts_viz.film.layout.render", return_value=said), "built-in layout")
            for said in (
                b"\xff\xfe",
                b"graph 1 1 1\nnode n0 1 1 1 1\nstop\n",
                b"node n0 nan 1 1 1\n",
            )
        ),
    ],
)
def test_a_library_that_does_not_work_or_talks_nonsense_is_passed_over(broken, said):
    """A bare container lacks libraries of the system, where ``pip install pygraphviz`` would not
    help."""
    with broken, pytest.warns(UserWarning, match=said):
        assert lay_out(*SMALL) == lay_out(*SMALL, tidy=True)


def test_without_graphviz_our_own_layout_comes_with_one_warning():
    with without("pygraphviz"):
        with pytest.warns(
            UserWarning, match="`pip install --force-reinstall pygraphviz`"
        ) as caught:
            assert lay_out(*SMALL) == lay_out(*SMALL, tidy=True)
        assert len(caught) == 1
        assert caught[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert lay_out(*SMALL).engine == "tidy"  # said once is enough


@pytest.mark.graphviz
def test_threads_draw_one_after_the_other():
    import pygraphviz

    expected, compute = lay_out(*SMALL), pygraphviz.AGraph.draw
    inside, crowds = [], []

    def slow_draw(graph, **asked):
        inside.append(1)
        time.sleep(0.005)  # time enough for another thread to come in
        crowds.append(len(inside))
        drawn = compute(graph, **asked)
        inside.pop()
        return drawn

    with patch.object(pygraphviz.AGraph, "draw", slow_draw), ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(lambda _: lay_out(*SMALL), range(20)))
    assert drawn == [expected] * 20
    assert crowds == [1] * 20


@pytest.mark.graphviz
def test_an_interrupt_waits_until_graphviz_has_cleaned_up(monkeypatch):
    """Struck between two of its calls, the library would free a graph twice and end the process."""
    import pygraphviz

    draw, close, done = pygraphviz.AGraph.draw, pygraphviz.AGraph.close, []

    def struck_draw(graph, **asked):
        signal.raise_signal(signal.SIGINT)
        drawn = draw(graph, **asked)
        done.append("laid out")
        return drawn

    def noted_close(graph):
        close(graph)
        done.append("closed")

    monkeypatch.setattr(pygraphviz.AGraph, "draw", struck_draw)
    monkeypatch.setattr(pygraphviz.AGraph, "close", noted_close)
    with pytest.raises(KeyboardInterrupt):
        lay_out([(10, 10)] * 3, [-1, 0, 0])
    assert done == ["laid out", "closed"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
