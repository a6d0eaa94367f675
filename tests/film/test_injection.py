"""Nothing foreign runs: strings of attackers as names, labels and texts, in every form."""

from __future__ import annotations

import re
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest
from injections import INJECTIONS, Injected

from mcts_viz import MCTS, Compare, Film, Play, Player, Trace, TraceError
from mcts_viz.search import PHASES

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {"svg", "style", "g", "rect", "path", "text", "tspan", "title", "line", "circle"}


@cache
def film() -> Film:
    """A card for every string, and the moves below them."""
    return Film(MCTS(Injected(), seed=1).record(iterations=700), 300)


def assert_draws_only(picture: str) -> None:
    for element in ElementTree.fromstring(picture).iter():
        assert element.tag.removeprefix(SVG) in DRAWN
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert "href" not in name
            spoken = name in ("aria-label", "aria-description")
            assert spoken or not re.search(r"url\(|script:|evil\.invalid", value)
        if element.tag == f"{SVG}style":
            assert not re.search(r"url\(|@import|evil", element.text or "")


def test_there_are_more_than_a_hundred_strings_and_each_is_on_a_card() -> None:
    assert len(set(INJECTIONS)) == len(INJECTIONS) >= 100
    cards = {film().trace.label(node) for node in film().data.cards}
    assert cards >= set(INJECTIONS)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("phase", PHASES)
def test_a_still_holds_nothing_but_shapes_and_text(phase: str, theme: str) -> None:
    for iteration in (1, 160, 300, 700):
        assert_draws_only(film().to_svg(iteration, phase, theme))


@pytest.mark.graphviz
def test_graphviz_reads_every_label_as_text() -> None:
    import pygraphviz

    source = film().to_dot(700).source
    graph = pygraphviz.AGraph(string=source)
    try:
        known = {"label", "style", "penwidth", "shape", "fontname", "peripheries", "tooltip"}
        known |= {"fillcolor", "color", "fontsize"}
        assert all(set(node.attr.to_dict()) <= known for node in graph.nodes_iter())
        graph.layout(prog="dot")
        picture = graph.draw(format="svg").decode()
    finally:
        graph.close()
    elements = list(ElementTree.fromstring(picture).iter())
    assert {e.tag.removeprefix(SVG) for e in elements} <= DRAWN | {"polygon", "ellipse", "a"}
    assert not any(
        name.endswith("href") or name.startswith("on") for e in elements for name in e.attrib
    )


@pytest.mark.long
def test_forms_of_a_notebook_carry_text_alone() -> None:
    play = Play(Injected())
    few = Film(film().trace, 30)
    for shown in (Player(few), Compare(few, few), play):
        data, _ = shown._repr_mimebundle_()
        assert not {"text/html", "image/svg+xml", "application/javascript"} & data.keys()


@pytest.mark.parametrize("first", range(0, len(INJECTIONS), 7))
def test_a_saved_trace_with_such_texts_comes_back_as_text(first: int, tmp_path: Any) -> None:
    game = Injected(first)
    trace = MCTS(game, seed=first).record(iterations=20)
    trace.save(tmp_path / "trace.json")
    assert repr(Trace.load(tmp_path / "trace.json", game)) == repr(trace)
    with pytest.raises(TraceError):
        Trace.load(tmp_path / "trace.json")


def test_a_result_is_printed_on_a_line_a_move() -> None:
    result = MCTS(Injected(), seed=1).search(iterations=300)
    text = repr(result)
    assert text.encode()
    assert len(text.splitlines()) == 2 + len(result.root.children)
