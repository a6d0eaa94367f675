"""Nothing foreign runs: strings of attackers as names, labels and texts, in every form."""

import re
from functools import cache
from xml.etree import ElementTree

import pytest
from films import SVG
from injections import Injected
from searches import traced

from mcts_viz import MCTS, Film, Trace, TraceError
from mcts_viz.search import PHASES

DRAWN = {"svg", "style", "g", "rect", "path", "text", "tspan", "title", "line", "circle"}
DRAWN |= {"ellipse", "defs", "use"}


UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


@cache
def film():
    """A card for every string, and the moves below them."""
    return Film(traced(700, game=Injected()), 300)


def assert_draws_only(picture):
    for element in ElementTree.fromstring(picture).iter():
        assert element.tag.removeprefix(SVG) in DRAWN
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert "href" not in name or value.startswith("#mcts-")
            spoken = name in ("aria-label", "aria-description")
            assert spoken or not re.search(r"url\(|script:|evil\.invalid", value)
        if element.tag == f"{SVG}style":
            assert not re.search(r"url\(|@import|evil", element.text or "")


def test_a_still_holds_nothing_but_shapes_and_readable_text():
    for iteration, phase in zip((1, 300, 500, 700), PHASES, strict=True):
        picture = film().to_svg(iteration, phase, "dark" if iteration == 300 else "light")
        assert_draws_only(picture)
        assert not UNFIT.search(picture)
    assert film().to_png(700, "simulate", "dark")


def test_texts_reach_the_player_and_a_terminal_as_texts():
    facts = film().payload()["facts"]
    texts = [facts["title"], *facts["labels"], *facts["players"]]
    texts += [value for outcome in facts["outcomes"] for value in outcome.values()]
    assert len(texts) > 50
    for text in (*texts, *film().to_text(160, "simulate").splitlines()):
        assert not UNFIT.search(text)
        assert not re.search("[\x09\u2028\u202e]", text)


@pytest.mark.graphviz
def test_graphviz_reads_every_label_as_text():
    import pygraphviz

    source = film().to_dot(700).source
    graph = pygraphviz.AGraph(string=source)
    try:
        known = {"label", "style", "penwidth", "shape", "fontname", "peripheries", "tooltip"}
        known |= {"color", "fillcolor", "fixedsize", "fontsize", "height", "pos", "width"}
        known |= {"fontcolor", "margin"}
        assert all(set(node.attr.to_dict()) <= known for node in graph.nodes_iter())
        picture = graph.draw(format="svg", prog="nop2").decode()
    finally:
        graph.close()
    elements = list(ElementTree.fromstring(picture).iter())
    assert {e.tag.removeprefix(SVG) for e in elements} <= DRAWN | {"polygon", "polyline", "a"}
    assert not any(
        name.endswith("href") or name.startswith("on") for e in elements for name in e.attrib
    )


def test_a_saved_trace_with_such_texts_comes_back_as_text(tmp_path):
    game = Injected(7)
    trace = traced(20, game=game)
    trace.save(tmp_path / "trace.json")
    assert repr(Trace.load(tmp_path / "trace.json", MCTS(game))) == repr(trace)
    with pytest.raises(TraceError):
        Trace.load(tmp_path / "trace.json")


def test_a_result_is_printed_on_a_line_a_move():
    result = MCTS(Injected(), seed=1).search(iterations=300)
    text = repr(result)
    assert text.encode()
    assert len(text.splitlines()) == 2 + len(result.root.children)
