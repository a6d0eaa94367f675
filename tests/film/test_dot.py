"""A textbook's tree: Graphviz draws what the trace says, and no node moves from moment to
moment."""

import base64
import html
import re
import shutil
import subprocess
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from films import READ, SVG, films, walks

from mcts_viz import MCTS, Film, Nim, Recorder, TicTacToe, TraceError, graphviz_slider
from mcts_viz.film.dot import LARGE
from mcts_viz.film.layout import render
from mcts_viz.film.words import plain, short, short_name
from mcts_viz.search import PHASES

pytestmark = pytest.mark.many

SOME = [0, 3, 4, 5, 6, 7, 8, 10, 12]
NODE = re.compile(
    r"^\tn(\d+) \[label=<(.*)> color=\"?(#\w+)\"? penwidth=(\d) peripheries=(\d) "
    r"pos=\"(-?[\d.]+),(-?[\d.]+)!\" shape=(\w+) style=\"?([\w,]+)\"?\]$",
    re.M,
)
EDGE = re.compile(r"^\tn(\d+):s -> n(\d+):n \[label=(.*?) (?:color|penwidth)=", re.M)


@cache
def chosen():
    """Films, and moments from their beginning to their end."""
    found = []
    lucky = [READ[name]() for name in ("dice", "ice")]
    for film in [*(films()[number] for number in SOME), *lucky, *walks()]:
        moments = sorted(
            {*film.iterations[:6], *film.iterations[:: max(1, film.last // 6)], film.last}
        )
        found += [(film, k, PHASES[k % 4] if film.phases == PHASES else None) for k in moments]
    assert len(found) > 100
    return found


def read(source):
    """By node: the texts of its cells, the place, the shape and the look, from its DOT."""
    nodes = {}
    for number, label, colour, pen, double, x, y, shape, style in NODE.findall(source):
        cells = re.findall(r"<td[^>]*>(?:<font[^>]*>)?(?:<b>)?([^<]*)", label)
        texts = [html.unescape(cell) for cell in cells]
        changed = [
            i for i, cell in enumerate(re.findall(r"<td width[^>]*>", label)) if "bgcolor" in cell
        ]
        look = {
            "colour": colour,
            "thick": pen == "3",
            "double": double == "2",
            "dashed": "dashed" in style,
        }
        nodes[int(number)] = (texts, changed, (float(x), float(y)), shape, look)
    return nodes


def test_every_node_says_what_the_trace_says():
    for film, k, phase in chosen():
        frame, nodes = film.frame(k, phase), read(film.to_dot(k, phase).source)
        assert [*nodes] == [
            node for node in film.textbook.nodes if node in {c.node for c in frame.cards}
        ]
        for card in frame.cards:
            texts, changed, _, _, look = nodes[card.node]
            share = card.share
            if film.phases == PHASES:
                now = film.trace.at(k, phase)
                share = f"{short(now.wins[card.node])}/{int(now.visits[card.node])}"
            assert share in texts
            assert card.node == 0 or any(card.score in text for text in texts)
            assert look["thick"] == card.on_path
            assert look["dashed"] == card.new
            assert look["double"] == bool(card.mark)
            if film.data.board and not film.trace.chance[card.node]:
                check_board(film, card.node, texts, changed)
            counted = [text for text in texts if re.fullmatch(r"\+\d+( ✂\d+)?|✂\d+", text)]
            hidden, cut = (of.get(card.node) for of in (frame.hidden, frame.pruned))
            wanted = " ".join([f"+{hidden}"] * bool(hidden) + [f"✂{cut}"] * bool(cut))
            assert counted == [wanted] * bool(wanted)


def check_board(film, node, texts, changed):
    """The letters of the small board, and the cells whose ground is coloured."""
    board, trace = film.data.board, film.data.trace
    cells, before = (board.cells(trace.state(n)) for n in (node, max(0, trace.parent[node])))
    signs = [board.pieces[cell - 1].sign if cell else "" for cell in cells]
    signs = [LARGE.get(sign, sign) for sign in signs]
    inner = texts[1 : 1 + len(signs)]  # the first is the cell that holds the board
    assert inner == signs
    assert changed == [i for i, cell in enumerate(cells) if cell != before[i]]


def test_no_node_moves_and_siblings_are_in_the_order_of_their_moves():
    known = {}
    for film, k, phase in chosen():
        wide, high = film.textbook.size
        places = {node: at for node, (_, _, at, _, _) in read(film.to_dot(k, phase).source).items()}
        for node, at in places.items():
            assert known.setdefault((film, node), at) == at
        for parent in places:
            below = [node for node in places if node and film.data.trace.parent[node] == parent]
            below.sort(key=lambda node: places[node][0])
            assert len({places[node][1] for node in below}) <= 1, "on one line"
            if below and all(isinstance(film.data.trace.action_of(n), int) for n in below):
                moves = [film.data.trace.action_of(node) for node in below]
                assert moves == sorted(moves)
        rows = {}
        for x, y in places.values():
            rows.setdefault(y, []).append(x)
        for row in rows.values():
            gaps = [b - a for a, b in pairwise(sorted(row))]
            assert all(gap >= wide for gap in gaps)
        levels = sorted(rows)
        assert all(b - a > high for a, b in pairwise(levels))
    assert len(known) > 250


def test_lines_lead_from_parents_and_say_the_move():
    for film, k, phase in chosen():
        edges = EDGE.findall(film.to_dot(k, phase).source)
        trace = film.data.trace
        shown = {card.node for card in film.frame(k, phase).cards} - {0}
        assert {int(child) for _, child, _ in edges} == shown
        for parent, child, label in edges:
            assert int(parent) == trace.parent[int(child)]
            said = label.strip('"').strip().replace("\\\\", "\\")
            assert said == short_name(plain(trace.label(int(child))))


def test_a_node_where_chance_decides_is_a_diamond_and_no_other_is():
    diamonds = 0
    for film, k, phase in chosen():
        source = film.to_dot(k, phase).source
        for node, (_, _, _, shape, _) in read(source).items():
            assert (shape == "diamond") == film.trace.chance[node]
            diamonds += shape == "diamond"
        assert ("diamond: chance decides" in source) == bool(film.trace.chance.any())
    assert diamonds > 100


@pytest.mark.skipif(not shutil.which("dot"), reason="needs the program dot")
def test_graphviz_warns_of_nothing():
    moments = chosen()[::9]
    assert {"Pig to 8", "Slippery lake", "Connect Four"} <= {f.data.game.name for f, *_ in moments}
    for film, k, phase in moments:
        source = film.to_dot(k, phase).source
        done = subprocess.run(
            ["dot", "-Tsvg"], input=source, capture_output=True, text=True, check=True
        )
        assert not done.stderr, film


@pytest.mark.graphviz
def test_graphviz_draws_the_nodes_where_they_are_pinned():
    for film, k, phase in chosen()[::5]:
        source = film.to_dot(k, phase).source
        plain_form = render(source, "plain", "neato").decode().replace("\\\n", "")
        found = {
            line.split()[1]: [72 * float(number) for number in line.split()[2:4]]
            for line in plain_form.splitlines()
            if line.startswith("node n")
        }
        pinned = {f"n{node}": at for node, (_, _, at, _, _) in read(source).items()}
        assert found.keys() == pinned.keys()
        left, top = (found["n0"][side] - pinned["n0"][side] for side in (0, 1))
        for name, (x, y) in pinned.items():
            assert found[name] == pytest.approx([x + left, y + top], abs=0.1)
        sizes = {
            re.search(r'<svg width="(\S+)"\s*height="(\S+)"', film.to_dot(n).svg)[0] for n in (k, 1)
        }
        assert len(sizes) == 1, "the picture is as large at any moment"


def test_without_graphviz_the_same_is_drawn_by_ourselves(monkeypatch):
    for film, k, phase in chosen()[::7]:
        graph = film.to_dot(k, phase)
        root = ElementTree.fromstring(graph.own())
        groups = [group for group in root.iter(f"{SVG}g") if group.get("class") == "node"]
        nodes = read(graph.source)
        assert len(groups) == len(nodes)
        words = [[text.text for text in group.iter(f"{SVG}text") if text.text] for group in groups]
        for (texts, _, _, shape, _), said, group in zip(nodes.values(), words, groups, strict=True):
            assert [text for text in texts if text.strip()][-len(said) :] == said
            assert (group.find(f"{SVG}ellipse") is not None) == (shape == "ellipse")
            assert (group.find(f"{SVG}path") is not None) == (shape == "diamond")


@pytest.mark.graphviz
def test_an_empty_line_in_a_position_does_not_kill_graphviz():
    """Graphviz frees the layout of an empty line twice, and takes the process with it."""

    class Spaced(Nim):
        def text(self, state):
            return "\n\n".join(["", *map(str, state), ""])

    film = Film(MCTS(Spaced(), seed=1).record(iterations=50))
    for _ in range(5):
        assert render(film.to_dot(None, "select").source, "svg", "neato")


# With a slider ------------------------------------------------------------------------------------


def test_any_trace_has_a_slider():
    search = MCTS(TicTacToe(), seed=4).record(iterations=20)
    walk = walks()[0].trace
    for source, unit in ((search, "iteration"), (walk, "step"), (Film(search, 9), "iteration")):
        slider = graphviz_slider(source)
        assert (
            repr(slider)
            == f"a figure to drag: {unit} from 1 to {len(getattr(source, 'trace', source))}"
        )
        forms, words = slider._repr_mimebundle_()
        assert {"application/vnd.jupyter.widget-view+json", "image/png", "text/plain"} == {*forms}
        assert words["image/png"]["alt"]
        for value in slider.values:
            image = slider._picture(value)
            svg = base64.b64decode(re.search(r"base64,([^\"]+)", image)[1]).decode()
            assert svg == slider.draw(value).svg
            assert f'alt="{unit} {value}"' in image
    assert len(read(graphviz_slider(search, 9).draw(20).source)) == 9


def test_a_slider_over_nothing_is_refused():
    search, empty = MCTS(TicTacToe()), Recorder()
    search.start()
    with pytest.raises(TraceError, match="The trace has no iteration"):
        graphviz_slider(empty.trace(search))
    with pytest.raises(TraceError, match="source must be a trace"):
        graphviz_slider("trace")
