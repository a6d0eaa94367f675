"""The textbook's tree, over all moments: what each picture shows, and that no card moves."""

import html
import random
import re
from functools import cache
from itertools import product
from math import isfinite

import numpy as np
import pytest
from films import READ, films, walks, wide
from searches import traced, uct

from mcts_viz import (
    MCTS,
    ConnectFour,
    Film,
    GameTree,
    Nim,
    Player,
    Recorder,
    TicTacToe,
    TraceError,
    alpha_beta,
    graphviz_slider,
)
from mcts_viz.film.drawing import Node, dot_lines, style, svg
from mcts_viz.film.four_phases import MARGIN, PANEL, tree_of
from mcts_viz.film.graph import render
from mcts_viz.film.lanes import HALF_WIDE, HIGH, LAST_ROW, ROWS, WIDE
from mcts_viz.film.letters import width
from mcts_viz.film.pictures import THEMES
from mcts_viz.film.textbook import CORNERS, THICKEST, THINNEST, Picture
from mcts_viz.film.words import short
from mcts_viz.search import PHASES
from mcts_viz.trace import record_minimax

pytestmark = pytest.mark.many

FIRST = 6
"""So many iterations are looked at in all their phases; of the others each in one, by turns."""


def deep():
    """A game of 40 moves, each of which may end it: its tree is a single long path."""
    below = 0.0
    for _ in range(40):
        below = {"on": below, "stop": 0.5}
    return Film(traced(400, game=GameTree(below), c=0.2))


@cache
def all_films():
    special = ("dice", "ice", "paid", "a wheel", "solver", "solver nim", "watched", "seldom")
    return [*films(), *(READ[name]() for name in special), wide(), deep(), *walks()]


def moments_of(film, most=75):
    """Iterations of a film, in turns in each of the phases; of minimax its steps."""
    some = film.iterations[:: max(1, len(film.iterations) // most)]
    if film.phases != PHASES:
        return [film.moment(k) for k in some]
    first = product(film.iterations[:FIRST], PHASES)
    return [*first, *((k, PHASES[place % 4]) for place, k in enumerate(some) if k > FIRST)]


def drawn(film, k, phase, wide=WIDE):
    """The frame of a moment, its picture, and the nodes of that."""
    frame = film.data.frame(*film.moment(k, phase), wide)
    picture = Picture(film.data, frame)
    return frame, picture, picture.drawing(["title", "moment", "about"], "")


@pytest.mark.parametrize("number", range(len(all_films())))
def test_at_every_moment_the_picture_keeps_the_law(number):
    film = all_films()[number]
    places, moved, steps = {}, 0, 0
    before, told = {}, 0
    for turn, (k, phase) in enumerate(moments_of(film)):
        frame, picture, drawing = drawn(film, k, phase)
        check_walk(film, frame, picture)
        check_legend(film, frame, picture)
        check_room(drawing.nodes, 0, WIDE, 0, HIGH)
        check_overlaps(drawing.nodes)
        check_lines(picture, drawing)
        check_order(film, picture)
        if film.phases == PHASES:
            check_phase(film, k, phase, picture)
        if film.phases == PHASES and turn % 3 == 0:  # of all phases by turns
            now, figure = film.trace.at(k, phase), tree_of(film.data, k, phase)
            check_walk(film, figure.frame, figure, ROWS - 1)
            check_phase(film, k, phase, figure)
            assert (frame.path, frame.new_node) == (now.path, now.new_node)
            assert len(frame.cards) <= max(film.data.count, len(now.path))
            check_cards(film, now, frame, picture)
            told += check_hidden(film, now, frame, picture)
            check_edges(film, now, picture)
            check_figure(film, now, figure)
        now = {node: (box.x, box.row) for node, box in picture.boxes.items()}
        for node, (x, row) in now.items():
            if row <= LAST_ROW:
                assert places.setdefault(node, (x, row)) == (x, row), "a card has moved"
        stay = before.keys() & now.keys()
        moved += sum(before[node] != now[node] for node in stay)
        steps += len(stay)
        before = now
    assert moved <= (0.005 if film.phases == PHASES else 0.02) * steps, "where a fold changes"
    assert told > 9 or number not in (0, 1, 5)


def check_walk(film, frame, picture, rows=ROWS):
    """The walk is there, but what is said to be folded; the new node is dashed."""
    boxes = picture.boxes
    deepest = len(film.data.at(frame.iteration, frame.phase).way) - 1
    hidden = range(LAST_ROW + 1, LAST_ROW + 1 + max(0, deepest + 1 - rows))
    ends = [node for depth, node in enumerate(frame.path) if depth not in hidden]
    if frame.phase != PHASES[0]:
        assert {*ends} <= {*boxes}
    assert len(frame.path) - len({*frame.path} & {*boxes}) == picture.frame.layout.folded
    looks = {n.name: n.look.split() for n in picture.layers["frames"]}
    for card in frame.cards:
        assert ("walk" in looks[f"n{card.node}"]) == (card.node in frame.path)
        assert ("new" in looks[f"n{card.node}"]) == (card.node == frame.new_node)
    folded = [n.text for n in picture.layers["texts"] if "⋮" in n.text]
    assert bool(folded) == bool(frame.layout.folded)


def check_legend(film, frame, picture):
    """The phase's number is its key's, and whose a card is shows without colour, too."""
    numbers = [n.text for n in picture.layers["texts"] if n.name.startswith("badge")]
    assert numbers == [str(film.phases.index(frame.phase) + 1)]
    nodes = {n.name: n for n in picture.layers["frames"]}
    legend = {n: nodes[f"who{n}"] for n in range(len(film.data.legend))}
    assert len({node.shape for node in legend.values()}) == min(2, len(legend))
    for card in frame.cards:
        own, swatch = nodes[f"n{card.node}"], legend.get(film.data.player(card.node))
        if swatch:
            assert own.shape == swatch.shape
            assert set(re.findall(r"of-\d", own.look)) == set(re.findall(r"of-\d", swatch.look))


def check_room(nodes, left, right, top, foot):
    for node in nodes:
        assert left - 0.01 <= node.x - node.wide / 2
        assert node.x + node.wide / 2 <= right + 0.01
        assert top - 0.01 <= node.y - node.high / 2
        assert node.y + node.high / 2 <= foot + 0.01
        if node.text:
            assert node.size >= 10
            assert width(node.text, node.size, node.bold) <= node.wide + 0.01, node


def check_phase(film, k, phase, picture):
    """A playout's note from the third phase on; in the last what each node of the walk is given."""
    step, gains = PHASES.index(phase), {}
    for node in picture.layers["pills"]:
        if node.name.endswith("_gain"):
            gains[node.name] = float(node.text.replace("½", ".5").replace("−", "-"))
    assert ("end" in {node.name for node in picture.layers["frames"]}) == (step >= 2)
    given = picture.boxes.keys() & {*picture.frame.path} if step == 3 else ()
    now, before = (film.data.statistics([*given], moment)[1] for moment in (k, k - 1))
    assert gains.keys() == {f"n{node}_gain" for node in given}
    assert [gains[f"n{node}_gain"] for node in given] == pytest.approx([*now - before], abs=0.0051)


def check_figure(film, now, picture):
    """Beside each node of the path are the most visited of its siblings; nothing lies outside."""
    check_cards(film, now, picture.frame, picture)
    check_order(film, picture)
    nodes, room = [n for layer in picture.layers.values() for n in layer], PANEL - 2 * MARGIN
    check_room(nodes, -MARGIN, room + MARGIN, 0, HIGH)
    check_overlaps([n for n in nodes if n.shape in (*CORNERS, "note") and "_" not in n.name])
    number, parent = film.data.nodes, film.data.trace.parent
    for node in picture.frame.path[1 : LAST_ROW + 1]:
        beside = [n for n in picture.boxes if n and parent[n] == parent[node] and n != node]
        family = [n for n in now.children(number[parent[node]]) if n != number[node]]
        most = sorted(int(now.visits[n]) for n in family)[-3:]
        assert node in picture.boxes
        assert sorted(int(now.visits[number[n]]) for n in beside) == most


def sides(node, slack=0.0):
    half = node.wide / 2 - slack, node.high / 2 - slack
    return node.x - half[0], node.y - half[1], node.x + half[0], node.y + half[1]


@cache
def owner(name):
    """The card that a node is a part of."""
    found = re.match(r"(free\d+_\d+|n\d+|[a-z]+)", re.sub(r"^b(_|(?=\d))", r"n\1", name))[0]
    return {"n_": "end", "n": "end"}.get(found, found)


def outline(node):
    """The sides of what is drawn: of a text alone those of its letters."""
    if not node.text or node.shape:
        return sides(node, 0.2)
    half = width(node.text, node.size, node.bold) / 2
    middle = {"start": node.x - node.wide / 2 + half, "end": node.x + node.wide / 2 - half}
    return sides(node._replace(x=middle.get(node.align, node.x), wide=2 * half, high=10), 0.2)


def check_overlaps(nodes):
    """No card lies over another, nor over words that are not its own; words are apart."""
    left, top, right, foot = np.array([outline(node) for node in nodes]).T
    mine = np.array([owner(node.name) for node in nodes])
    words = np.array([bool(node.text and not node.shape) for node in nodes])
    meet = (left[:, None] < right) & (left < right[:, None])
    meet &= (top[:, None] < foot) & (top < foot[:, None])
    apart = (mine[:, None] != mine) | (words[:, None] & words)
    np.fill_diagonal(apart, False)
    assert not (meet & apart).any(), [
        (nodes[one], nodes[other]) for one, other in np.argwhere(meet & apart)[:2]
    ]


AT = np.linspace(0.02, 0.98, 25)[:, None]
ALONG = np.hstack([(1 - AT) ** 3, 3 * (1 - AT) ** 2 * AT, 3 * (1 - AT) * AT**2, AT**3])
"""How much of each of its four points an edge has, at places along it."""


def check_lines(picture, drawing):
    """No line runs through a card or a word, but where it begins and ends."""
    solid = [node for node in drawing.nodes if (node.shape or node.text) and node.y > 50]
    names = np.array([owner(node.name) for node in solid])
    left, top, right, foot = np.array([sides(node, 0.5) for node in solid]).reshape(-1, 4).T
    curves = ALONG @ np.array([edge.points for edge in picture.edges]).reshape(-1, 4, 2)
    x, y = np.moveaxis(curves, 2, 0)[..., None]
    inside = ((x > left) & (x < right) & (y > top) & (y < foot)).any(axis=1)
    ends = np.array([(edge.tail, edge.head) for edge in picture.edges]).reshape(-1, 2, 1)
    through = inside & (names != ends).all(axis=1)
    assert not through.any(), picture.edges[np.argwhere(through)[0][0]]


def check_order(film, picture):
    """Siblings are in the order of their moves."""
    for place in picture.places.values():
        below = [n for n in picture.places if n and film.data.trace.parent[n] == place.node]
        below = [n for n in below if picture.places[n].row == place.row + 1]
        below.sort(key=lambda node: picture.places[node].x)
        moves = film.data.moves(place.node)
        ranks = [moves.get(film.data.trace.action_of(n), len(moves)) for n in below]
        assert ranks == sorted(ranks)


def check_cards(film, now, frame, picture):
    texts = texts_of(picture)
    for card in frame.cards:
        said, number = texts[card.node], film.data.nodes[card.node]
        wins, visits = short(now.wins[number]), int(now.visits[number])
        assert not (card.rule and card.node and film.trace.chance[film.trace.parent[number]])
        share = "".join(said[: 2 if said[0].endswith("/") else 1]).replace("½", ".5")
        assert share == f"{wins}/{visits}".replace("-", "−"), said
        check_score(film, now, number, said)


def texts_of(picture):
    """The lines of each card, its position's text left out."""
    lines = {}
    for node in picture.layers["texts"]:
        if found := re.fullmatch(r"n(\d+)_\d+", node.name):
            lines.setdefault(int(found[1]), []).append(node.text)
    return lines


def check_score(film, now, node, said):
    score = now.score(node)
    if now.proof(node):
        assert {"proven", "is"} & {*" ".join(said).split()}
    elif node and score is not None:
        numbers = [float(word.replace("−", "-")) for line in said for word in line.split()
                   if re.fullmatch(r"−?\d+(\.\d+)?", word)]  # fmt: skip
        assert any(abs(number - score) < 0.0051 for number in numbers), (said, score)
    elif node and not (now.visits[node] or film.trace.chance[film.trace.parent[node]]):
        assert {"UCT ∞", "∞", "new"} & {*said}, said


def check_hidden(film, now, frame, picture):
    """Of siblings without a card that the chosen one was compared with, the highest score is said,
    and of no others; returns how often."""
    shown, told = {film.data.nodes[n] for n in picture.places}, 0
    for node in frame.path[:-1]:
        said = " ".join(line.text for line in picture.tags.get(node, ()))
        family = now.children(film.data.nodes[node])
        scores = [now.score(n) for n in family if n not in shown]
        scores = [score for score in scores if score is not None and isfinite(score)]
        compared = node in picture.tags and node not in frame.untried and scores
        assert ("≤" in said) == bool(compared), said
        if compared:
            best = float(said.split("≤")[1].split()[0].rstrip(",").replace("−", "-"))
            assert best == pytest.approx(max(scores), abs=0.0051)
            told += 1
    return told


def check_edges(film, now, picture):
    """Each is as wide as its share of the visits."""
    for edge in picture.edges:
        if re.fullmatch(r"n\d+", edge.head):
            node = film.data.nodes[int(edge.head[1:])]
            least = 3 if node in now.path else THINNEST
            share = int(now.visits[node]) / max(1, int(now.visits[0]))
            assert edge.wide == pytest.approx(max(least, THICKEST * share))


@pytest.mark.parametrize("number", [0, 1, 3])
def test_the_choice_among_siblings_shows_in_their_digits(number):
    film, told = films()[number], 0
    for k in film.iterations[100 :: film.last // 30]:
        now, (frame, *_) = film.trace.at(k, "select"), drawn(film, k, "select")
        chosen, shown = now.path[1], {card.node: card.score for card in frame.cards}
        others = [float(shown[n]) for n in now.children(0) if n != chosen and n in shown]
        exact = sorted((now.score(n) for n in now.children(0)), reverse=True)
        if exact[0] - exact[1] > 1e-4:
            assert float(shown[chosen]) > max(others)
            told += len(shown[chosen]) > len("0.00")
    assert told > 3


def test_films_of_any_length_show_the_same_moment():
    game = TicTacToe()
    some = [Film(traced(n, 4, game)) for n in (60, 300, 2000)]
    for k, phase in product(range(1, 61, 7), PHASES):
        pictures = [drawn(film, k, phase)[2] for film in some]
        assert len({svg(picture) for picture in pictures}) == 1


# As DOT -------------------------------------------------------------------------------------------


def words_in(source):
    """The words of a graph in DOT, its boards left out."""
    source = re.sub(r"^\tb(\d+|_end) \[.*\n", "", source, flags=re.M)
    labels = re.findall(r'label="((?:[^"\\]|\\.)*)"', source)
    return sorted(re.sub(r"\\[lr]$", "", each).replace("\\\\", "\\") for each in labels if each)


def words_of(svg):
    """The words of a picture."""
    return sorted(
        " ".join(text.split()).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    )


def test_both_writers_write_the_same_words():
    draw = random.Random(7)
    for film in all_films():
        for k in draw.choices(film.iterations, k=3):
            phase = draw.choice(PHASES) if film.phases == PHASES else None
            graph = film.to_dot(k, phase)
            own = words_of(graph.own())
            assert sorted(" ".join(word.split()) for word in words_in(graph.source)) == own
            every = [f"{edge.wide:.1f}" for edge in graph.drawing.edges]
            assert re.findall(r" -> .*penwidth=([\d.]+)", graph.source) == every
            widths = re.findall(r'<path class="edge [^>]*stroke-width="([\d.]+)"', graph.own())
            assert [f"{float(wide):.1f}" for wide in widths] == every
            assert len(own) > 5


def test_a_watched_search_says_nothing_of_a_playout_that_was_not_seen():
    """A reward of 0 is no draw."""
    film = READ["watched"]()
    for phase in ("simulate", "backpropagate"):
        said = [*words_of(film.to_dot(film.iterations[-1], phase).own())]
        assert {"the playout:", "not seen"} <= {*said}
        assert "a draw" not in said


@pytest.mark.graphviz
def test_graphviz_draws_every_node_at_its_place_and_warns_of_nothing(capfd):
    draw = random.Random(8)
    for film in all_films()[::2]:
        k = draw.choice(film.iterations)
        drawing = film.drawing(k, caption=False)
        source = film.to_dot(k).source
        places = render(source, "plain", "nop2").decode().replace("\\\n", "")
        found = {}
        for line in places.splitlines():
            if line.startswith("node "):
                _, name, x, y, *_ = line.split(" ")
                found[name] = 72 * float(x), HIGH - 72 * float(y)
        assert len(found) == len(drawing.nodes) + 2, "and two corners"
        left, top = (found["n0"][side] - (drawing_at(drawing, "n0"))[side] for side in (0, 1))
        assert abs(left) < 1
        assert abs(top) < 1
        for node in drawing.nodes:
            x, y = found[node.name]
            assert (x - left, y - top) == pytest.approx((node.x, node.y), abs=0.1)
    assert not capfd.readouterr().err


def drawing_at(drawing, name):
    return next((node.x, node.y) for node in drawing.nodes if node.name == name)


def test_sources_and_pictures_stay_small():
    films_of = [uct(4), MCTS(ConnectFour(), seed=4)]
    for film in [*(Film(search.record(iterations=2000)) for search in films_of), wide()]:
        some = film.iterations[:: len(film.iterations) // 6]
        assert len(some) > 5
        for k in some:
            assert len(film.to_svg(k)) <= 60_000
            assert len(film.to_dot(k).source) <= 60_000


def test_names_of_nodes_are_their_own_and_hostile_words_stay_words():
    film = all_films()[0]
    names = [node.name for node in film.drawing(300).nodes]
    assert len(names) == len({*names})
    hostile = Node("a", 9, 9, 9, 9, text='"\\N] -> b [label="<b>')
    drawing = film.drawing(3)._replace(nodes=[hostile], edges=[])
    [line] = [line for line in dot_lines(drawing) if line.startswith("a ")]
    assert words_in(line) == [hostile.text.replace('"', '\\"')]


def test_boards_are_text_in_dot():
    film = Film(traced(9, 4, text="XX. .O. ..."))
    assert 'label="X X ·\\n· O ·\\n· · ·" pos=' in film.to_dot(9).source


def test_dark_pictures_have_dark_colours():
    film = films()[0]
    for theme, other in (("light", "dark"), ("dark", "light")):
        source = film.to_dot(60, theme=theme).source
        assert THEMES[theme]["ink"] in source
        assert THEMES[other]["ink"] not in source
        forced = style(theme).partition("forced-colors")[2]  # where a ground would hide its piece
        assert re.findall(r"\.glow \{ fill: (\w+)", forced)[-1] == "none"


def test_a_position_with_empty_lines_is_drawn():
    """What a game's text leaves empty is left out, and the rest is drawn."""

    class Spaced(Nim):
        def text(self, state):
            return "\n\n".join(["", *map(str, state), ""])

    film = Film(traced(50, game=Spaced()))
    assert render(film.to_dot(None, "select").source, "svg", "nop2")


# With sliders -------------------------------------------------------------------------------------


def test_any_trace_has_a_slider():
    search, walk = traced(20, 4), walks()[0].trace
    for source, unit in ((search, "iteration"), (walk, "step"), (Film(search, 9), "iteration")):
        slider, last = graphviz_slider(source), len(getattr(source, "trace", source))
        assert repr(slider) == f"a figure to drag: {unit} from 1 to {last}"
        forms, words = slider._repr_mimebundle_()
        assert {"application/vnd.jupyter.widget-view+json", "image/png", "text/plain"} == {*forms}
        assert words["image/png"]["alt"]
        for value in slider.values[::4]:
            slider.iteration = value
            picture, said = slider._drawn()
            assert f'aria-label="{unit} {value}, ' in picture
            assert said == html.escape(slider.film.caption(value))
            assert "<title>" not in picture
    few = graphviz_slider(search, cards=9).draw(20)
    assert len(re.findall(r"^\tn\d+ \[label", few.source, re.M)) == 9


def test_the_slider_of_phases_opens_where_it_was_set_and_leads_on_to_the_next_iteration():
    tree = graphviz_slider(traced(20, 4))
    tree.iteration, tree.phase = 7, "expand"
    (_, place), steps = (lambda row, steps: (row.children, steps))(*tree.widget().children[:2])
    assert (tree.iteration, tree.phase, place.value, steps.value) == (7, "expand", 7, "expand")
    tree.iteration, tree.phase = 19, "backpropagate"
    assert place.value == 19
    assert [name for name, _ in steps.options[1:-1]] == [phase.capitalize() for phase in PHASES]
    assert steps.value == "backpropagate"
    steps.index += 1
    assert (tree.iteration, tree.phase, place.value, steps.value) == (20, "select", 20, "select")
    steps.index -= 1
    assert (tree.iteration, tree.phase) == (19, "backpropagate")
    tree.phase, tree.iteration = "backpropagate", 20
    steps.index += 1
    assert (tree.iteration, tree.phase) == (20, "backpropagate"), "there is no next one"
    tree.phase, tree.iteration = "select", 1
    steps.index -= 1
    assert (tree.iteration, tree.phase) == (1, "select")
    with pytest.raises(TraceError, match="phase must be one of"):
        tree.phase = "think"


def test_a_player_and_its_picture_follow_each_other():
    player = Player(traced(20, 4), 7)
    tree = graphviz_slider(player)
    assert len(tree.widget().children) == 2, "the picture and its caption"
    assert tree.iteration == 7
    player.iteration, player.phase = 9, "expand"
    assert (tree.iteration, tree.phase) == (9, "expand")
    tree.iteration, tree.phase = 3, "simulate"
    assert (player.iteration, player.phase) == (3, "simulate")
    with pytest.raises(TraceError, match="cards must be left out"):
        graphviz_slider(player, cards=3)


def test_two_trees_side_by_side_have_the_same_moves_at_the_same_places():
    game = TicTacToe()
    state = game.parse("XX. .O. ...")
    search, walk = (
        MCTS(game, seed=4).record(state, iterations=60),
        record_minimax(alpha_beta, game, state),
    )
    both = graphviz_slider(search, walk)
    forms, words = both._repr_mimebundle_()
    assert {"image/png", "text/plain"} < {*forms}
    assert "step" in forms["text/plain"]
    assert words["image/png"]["alt"]
    firsts = []
    for film, k in ((Film(search), 60), (Film(walk), len(walk))):
        _, picture, drawing = drawn(film, k, None, HALF_WIDE)
        assert drawing.wide == HALF_WIDE
        check_overlaps(drawing.nodes)
        row = [node for node, box in picture.boxes.items() if box.row == 1]
        firsts.append({film.trace.action_of(n): picture.boxes[n].x for n in row})
    assert firsts[0] == firsts[1]
    assert len(firsts[0]) == 6


def test_a_slider_over_nothing_is_refused():
    search, empty = MCTS(TicTacToe()), Recorder()
    search.start()
    with pytest.raises(TraceError, match="The trace has no iteration"):
        graphviz_slider(empty.trace(search))
    with pytest.raises(TraceError, match="source must be a trace"):
        graphviz_slider("trace")


def test_cards_say_exact_values_where_they_are_asked_to():
    film = Film(traced(60, 4, text="XX. .O. ..."))
    for k in (1, 12, 57, 60):
        drawing, frame = film.drawing(k, caption=False, truth=True), film.frame(k)
        check_room(drawing.nodes, 0, WIDE, 0, HIGH)
        check_overlaps(drawing.nodes)
        said = sorted(
            node.text.split("exact ")[1] for node in drawing.nodes if "exact" in node.text
        )
        values = [film.truth.values[card.node] for card in frame.cards]
        assert said == sorted(short(value).replace("-", "−") for value in values)
        assert len(film.to_dot(k, truth=True).source) > len(film.to_dot(k).source)
