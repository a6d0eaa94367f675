"""The graph of positions and its drawing, and moments in DOT."""

import itertools
import re
import sys
from collections import Counter
from xml.etree import ElementTree

import pytest
from invariants import altered
from refusals import refused

from mcts_course import plot_positions, position_graph
from mcts_course.learning import positions
from mcts_viz import (
    MCTS,
    ConnectFour,
    Film,
    GameTree,
    MctsVizError,
    Nim,
    TicTacToe,
    graphviz_slider,
    minimax,
)
from mcts_viz.film.drawing import FONT

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = [
    (Nim((1, 2)), None),
    (Nim((2, 2)), None),
    (TicTacToe(), TicTacToe().parse("XXX OO. ...")),
    (ConnectFour(2, 3, connect=2), None),
    (GameTree({"a": {"c": 1, "d": -1}, "b": 0}), None),
]
GAMES = [
    *DRAWN,
    (Nim((1, 2, 3)), None),
    (TicTacToe(), TicTacToe().parse("XO. .X. ...")),
]


def walk(game, state):
    """The number of nodes of the game tree with each position."""
    met = Counter()
    waiting = [game.initial_state() if state is None else state]
    while waiting:
        position = waiting.pop()
        met[position] += 1
        if not game.is_terminal(position):
            waiting += [game.play(position, action) for action in game.legal_actions(position)]
    return met


# The graph


@pytest.mark.parametrize(("game", "state"), GAMES)
def test_every_position_stands_once_and_knows_how_often_the_tree_has_it(game, state):
    graph = position_graph(game, state)
    met = walk(game, state)
    assert dict(graph.nodes(data="ways")) == met
    assert met.total() == minimax(game, state).nodes
    for position, data in graph.nodes(data=True):
        over = game.is_terminal(position)
        assert data["text"] == game.text(position)
        assert data["to_move"] == (None if over else game.to_move(position))
        moves = [m for *_, moves in graph.out_edges(position, data="moves") for m in moves]
        legal = () if over else game.legal_actions(position)
        assert Counter(moves) == Counter(game.action_label(position, a) for a in legal)


def sorted_heaps(position):
    return (position[0], *sorted(position[1:]))


def test_positions_that_are_the_same_count_as_one():
    game = Nim((3, 3))
    graph = position_graph(game, same=sorted_heaps)
    met = walk(game, None)
    ways = Counter(map(sorted_heaps, met.elements()))
    assert {sorted_heaps(p): count for p, count in graph.nodes(data="ways")} == ways
    assert len(graph) == len(ways) == 17 < len(met) == 28
    assert next(iter(graph)) == game.initial_state()


def test_endless_games_and_too_many_positions_are_refused(monkeypatch):
    def play(game, state, action):
        """The heap comes back."""
        return state if state[1] == 1 else Nim.play(game, state, action)

    assert "A position of this game can come back, so" in refused(
        position_graph, altered(Nim, (2,), play=play)
    )
    monkeypatch.setattr(positions, "LIMIT", 100)
    said = refused(position_graph, TicTacToe())
    assert "Tic-tac-toe has more than 100 positions from here" in said


@pytest.mark.parametrize("game", [ConnectFour(), Nim((1000,) * 10)])
def test_a_game_that_is_too_large_is_refused_when_its_seconds_are_over(game, monkeypatch):
    """The clock, here a second a look, is looked at after each move: some positions have 10,000."""
    looks = itertools.count()
    monkeypatch.setattr(positions, "process_time", lambda: next(looks))
    with pytest.raises(MctsVizError, match="or it takes too long"):
        position_graph(game)
    assert next(looks) <= positions.SECONDS + 2


# Its drawing


def drawn_nodes(picture):
    """Of each drawing its title, and of each node the texts and the box, in points."""
    found = []
    for part in ElementTree.fromstring(picture.svg):
        kind, look = part.tag.removeprefix(SVG), part.get("class", "")
        if kind == "text" and re.match(r"\d+ (node|position)", part.text):
            found.append((part.text, []))
        elif kind == "text" and "Mono" in part.get("style", ""):
            found[-1][1][-1][0].append(part.text)
        elif kind == "rect" and "plain" in look:
            box = [float(part.get(name)) for name in ("x", "y", "width", "height")]
            found[-1][1].append(([], box))
        elif kind == "ellipse":
            x, y, wide, high = (float(part.get(name)) for name in ("cx", "cy", "rx", "ry"))
            found[-1][1].append(([], [x - wide, y - high, 2 * wide, 2 * high]))
    return found


@pytest.mark.parametrize(("game", "state"), DRAWN)
def test_a_drawing_shows_every_position_and_every_node(game, state):
    met = walk(game, state)
    picture = plot_positions(game, state, tree=True)
    (of_tree, tree), (of_graph, graph) = drawn_nodes(picture)
    assert of_tree == f"{met.total()} node{'s' * (met.total() > 1)}"
    assert of_graph == f"{len(met)} position{'s' * (len(met) > 1)}"
    nodes, drawn = (["\n".join(texts) for texts, _ in found] for found in (tree, graph))
    assert Counter(nodes) == Counter({game.text(p): count for p, count in met.items()})
    assert len(drawn) == len(met)
    for position, count in met.items():
        mark = f"×{count}" if count > 1 else ""
        assert any(game.text(position) in text and text.endswith(mark) for text in drawn)
    assert picture.svg.count("grey: game over") == 1
    forms, metadata = picture._repr_mimebundle_()
    assert forms.keys() == {"image/png", "text/plain"}
    assert metadata["image/png"]["alt"]
    check_boxes(picture)
    check_boxes(plot_positions(game, state))


def check_boxes(picture):
    """Nodes stand apart, and inside the picture."""
    wide = float(re.search(r'width="([\d.]+)"', picture.svg)[1])
    for _, nodes in drawn_nodes(picture):
        boxes = [box for _, box in nodes]
        for place, (x, y, across, high) in enumerate(boxes):
            assert 0 <= x <= x + across <= wide
            assert y >= 0
            for left, top, right, down in boxes[:place]:
                beside = x + across <= left or left + right <= x
                assert beside or y + high <= top or top + down <= y


def test_moves_lead_downwards():
    graph = position_graph(Nim((2, 3)))
    depth = {node: depth for depth, row in enumerate(positions._rows(graph)) for node in row}
    assert all(depth[parent] < depth[child] for parent, child in graph.edges)


def test_what_cannot_be_read_is_not_drawn():
    assert len(drawn_nodes(plot_positions(Nim((3, 3))))) == 1
    for game, words in ((Nim((3, 3)), "245 nodes of the tree"), (TicTacToe(), "5,478 positions")):
        with pytest.raises(MctsVizError, match=f"There are {words} to draw, but no more than 100"):
            plot_positions(game, tree=True)


# A moment in DOT


def film():
    return Film(MCTS(TicTacToe(), seed=1).record(iterations=9))


DRAW = """
import sys
import pygraphviz
graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())
sys.stdout.buffer.write(graph.draw(format="svg", prog="neato"))
"""


def only_in(folder, monkeypatch):
    """Take pygraphviz away, and all programs but those of this folder."""
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    monkeypatch.setenv("PATH", str(folder))


@pytest.mark.graphviz
@pytest.mark.parametrize("engine", ["pygraphviz", "dot"])
def test_a_moment_is_drawn_and_stays_readable_as_text(engine, tmp_path, monkeypatch):
    graph = film().to_dot(5, "expand")
    if engine == "dot":  # in place of the program: the same library draws
        program = tmp_path / "dot"
        program.write_text(f"#!{sys.executable}\n{DRAW}")
        program.chmod(0o755)
        only_in(tmp_path, monkeypatch)
    bundle, metadata = graph._repr_mimebundle_()
    assert metadata["image/png"]["alt"].startswith(
        "Tic-tac-toe: X to move. An untried move is picked"
    )
    assert bundle.keys() == {"image/png", "text/plain"}
    assert bundle["text/plain"] == graph.source
    named = len(re.findall(r"^\tn\d+ \[label", graph.source, re.M))
    assert len(re.findall(r"<title>n\d+</title>", graph.svg)) == named > 5
    assert FONT in graph.svg


def test_without_graphviz_a_film_draws_itself(tmp_path, monkeypatch):
    only_in(tmp_path, monkeypatch)
    own = film()
    assert own.to_dot()._repr_mimebundle_()[0].keys() == {"image/png", "text/plain"}
    graph = own.to_dot(5, "expand")
    assert graph.svg == graph.own()


def test_a_slider_over_moments_has_a_picture_where_no_png_can_be_made(monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    slider = graphviz_slider(film().trace)
    assert {"image/svg+xml"} == {form for form in slider._repr_mimebundle_()[0] if "image" in form}
    picture, said = slider._drawn()
    assert picture.startswith("<svg")
    assert said
