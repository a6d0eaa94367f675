"""Pictures say what the trace says, at any moment, of any game, whatever its labels hold."""

import io
import pickle
import random
import re
import zlib
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from math import nan
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import networkx
import numpy as np
import pytest
from films import films, moments, share_of, walks
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageFont

from mcts_course.faulty_rules import MisreadTicTacToe
from mcts_viz import MCTS, ConnectFour, Film, Nim, Play, Player, TicTacToe
from mcts_viz.errors import MctsVizError
from mcts_viz.film import board_of
from mcts_viz.film.boards import won_path
from mcts_viz.film.layout import PAGES, READABLE, arrange, page_scale
from mcts_viz.film.words import caption, fixed, outcome_text, plain, plain_lines, short
from mcts_viz.games import Bandit
from mcts_viz.search import PHASES, ucb1
from mcts_viz.search.variants import expand_all, puct, win_then_block

SVG = "{http://www.w3.org/2000/svg}"


@dataclass
class Seen:
    """What a picture shows: by node or card, the words and classes in it."""

    cards: dict[int, tuple[str, ...]] = field(default_factory=dict)
    classes: dict[int, set[str]] = field(default_factory=dict)
    corners: dict[int, tuple[float, float]] = field(default_factory=dict)
    joined: dict[int, float] = field(default_factory=dict)
    """Nodes to which an edge is drawn, and how thick it is."""
    tips: set[int] = field(default_factory=set)
    """Ends of paths that have no card."""
    size: tuple[float, float] = (0, 0)


def look(picture):
    """Read an SVG back, as an eye would."""
    root = ElementTree.fromstring(picture)
    seen = Seen(size=(float(root.attrib["width"]), float(root.attrib["height"])))
    for edge in (e.attrib for e in root.iter() if "data-child" in e.attrib):
        seen.joined[int(edge["data-child"])] = float(edge["style"].removeprefix("stroke-width:"))
    for element in root.iter():
        if "data-node" not in element.attrib:
            continue
        node = int(element.attrib["data-node"])
        assert node not in seen.classes, "a node is shown twice"
        seen.classes[node] = set(element.get("class", "").split())
        words = {e.get("class"): e.text or "" for e in element.iter(f"{SVG}text")}
        if element.tag == f"{SVG}circle":
            seen.tips.add(node)
            continue
        if "share" in words:
            seen.cards[node] = (words["share"], words["score"])
        x, y = re.fullmatch(r"translate\((\S+) (\S+)\)", element.attrib["transform"]).groups()
        seen.corners[node] = float(x), float(y)
    return seen


@cache
def pictures():
    """What is seen in a picture of each of the moments."""
    return [look(film.to_svg(now.iteration, now.phase)) for film, now in moments()]


# What is on the screen -----------------------------------------------------------------------


def test_every_card_says_what_the_trace_says_and_the_picture_says_it():
    for (film, now), seen in zip(moments(), pictures(), strict=True):
        frame = film.frame(now.iteration, now.phase)
        assert (frame.path, frame.new_node) == (now.path, now.new_node)
        assert [card.node for card in frame.cards] == [n for n in film.data.cards if n < now.nodes]
        for card in frame.cards:
            assert card.share == share_of(now, card.node)
            assert seen.cards[card.node] == (card.share, card.score)
            score = now.score(card.node)
            assert (card.rule == "") == (score is None)
            assert score is None or float(card.score) == pytest.approx(score, abs=0.0051)
            assert card.on_path == (card.node in now.path)
            assert card.new == (card.node == now.new_node)


def test_stubs_count_every_node_without_a_card():
    for film, now in moments():
        frame = film.frame(now.iteration, now.phase)
        cards = set(film.data.cards)
        hidden = {}
        for node in set(range(now.nodes)) - cards:
            owner = [above for above in film.trace.path(node) if above in cards][-1]
            hidden[owner] = hidden.get(owner, 0) + 1
        assert frame.hidden == hidden


def test_the_selected_path_is_never_out_of_sight():
    for (film, now), seen in zip(moments(), pictures(), strict=True):
        frame = film.frame(now.iteration, now.phase)
        shown = [card.node for card in frame.cards if card.on_path]
        rest = now.path[len(shown) :]
        assert now.path[: len(shown)] == tuple(shown)
        assert seen.tips == set(rest[-1:])
        on_path = {n for n, classes in seen.classes.items() if "on-path" in classes}
        assert on_path == set(shown)
        if now.new_node is not None and now.new_node in {*shown, *rest[-1:]}:
            assert "new" in seen.classes[now.new_node]
        assert seen.joined.keys() == {card.node for card in frame.cards} - {0}
        for node, thick in seen.joined.items():
            share = now.visits[node] / max(1, now.visits[0])
            assert thick == pytest.approx(1.2 + 4 * share, abs=0.0501)


@cache
def columns_of(film):
    """The columns of a film, as the browser reads them."""
    sent = film.payload()
    data = zlib.decompress(sent["columns"])
    return {
        name: np.frombuffer(data, column["type"].lower(), column["length"], column["offset"])
        for name, column in sent["facts"]["columns"].items()
    }


def test_the_star_and_the_most_visited_move_are_those_of_their_moment():
    for film, now in moments():
        columns = columns_of(film)
        place = 2 * film.data.place(now.iteration) + (now.phase == PHASES[-1])
        visited = [node for node in now.children(0) if now.visits[node]]
        if visited:
            best = max(visited, key=lambda n: (now.visits[n], now.wins[n] / now.visits[n]))
            assert columns["play"][place] == best
            assert "recommended" not in columns or columns["recommended"][place] == best


def test_a_guide_s_priors_are_sent_with_each_node():
    class Guided:
        def prior(self, state):
            legal = TicTacToe().legal_actions(state)
            return {action: (1 + action) / len(legal) for action in legal}

        def __call__(self, child, parent, c):
            return child.wins / child.visits

    film = Film(MCTS(TicTacToe(), seed=1, selection=Guided()).record(iterations=30))
    trace, prior = film.trace, columns_of(film)["prior"]
    for node in range(1, len(trace.parent)):
        wanted = Guided().prior(trace.state(int(trace.parent[node])))[trace.action_of(node)]
        assert prior[node] == pytest.approx(wanted)


def test_no_card_ever_moves():
    places = {}
    for (film, _), seen in zip(moments(), pictures(), strict=True):
        for node, corner in seen.corners.items():
            assert places.setdefault((films().index(film), node), corner) == corner
    assert len(places) > 250


@pytest.mark.parametrize("number", [0, 3, 5, 7, 9, 12])
def test_words_fit_their_cards_and_pictures(number):
    def width(text, size, bold):
        name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
        font = Path(matplotlib.get_data_path(), "fonts", "ttf", name)
        return float(ImageFont.truetype(str(font), size).getlength(text))

    film = films()[number]
    for moment in (1, film.trace.iterations // 2 + 1, film.trace.iterations):
        picture = film.to_svg(moment)
        seen = look(picture)
        for share, score in seen.cards.values():
            template = film.drawing.card_templates["tall"]
            long = width(share, 12, bold=True)
            assert template["share"][0] + long <= template["width"]
            (x, y, end), score_long = template["score"], width(score, 12, bold=False)
            right = x + score_long if end == "start" else x
            assert right <= template["width"]
            if y == template["share"][1]:
                assert template["share"][0] + long <= right - score_long, "one beside the other"
        for text in ElementTree.fromstring(picture).iterfind(f"{SVG}text"):
            long = width(text.text, int(text.attrib["font-size"]), "font-weight" in text.attrib)
            assert float(text.attrib["x"]) + long <= seen.size[0]
            assert float(text.attrib["y"]) < seen.size[1]


def test_win_bars_are_as_long_as_the_mean_reward():
    for film, now in moments()[:100]:
        low, high = film.data.reward_range
        root = ElementTree.fromstring(film.to_svg(now.iteration, now.phase))
        for group in root.iter(f"{SVG}g"):
            if "data-node" not in group.attrib:
                continue
            node = int(group.attrib["data-node"])
            bars = {rect.get("class"): rect for rect in group.iter(f"{SVG}rect")}
            if "mean" not in bars:
                continue
            mean = now.wins[node] / max(1, now.visits[node])
            full = (mean - low) / (high - low) if now.visits[node] else 0
            length, whole = (float(bars[name].attrib["width"]) for name in ("mean", "track"))
            assert length == pytest.approx(full * whole, abs=0.06)
    assert films()[10].data.reward_range == (pytest.approx(-1 / 3), 1)


# Forms -----------------------------------------------------------------------------------------


def test_png_shows_something_in_both_themes():
    film = films()[3]
    for theme in ("light", "dark"):
        picture = Image.open(io.BytesIO(film.to_png(None, "simulate", theme))).convert("RGB")
        width, height = look(film.to_svg(None, "simulate", theme)).size
        assert picture.size == pytest.approx((1.5 * width, 1.5 * height), abs=2)
        colours = picture.getcolors(picture.width * picture.height)
        assert len(colours) > 50
        _, background = max(colours)
        assert (sum(background) > 3 * 128) == (theme == "light")


def test_text_lists_the_cards_the_stubs_and_what_happens():
    for film, now in moments():
        frame, lines = film.frame(now.iteration, now.phase), []
        *tree, words = film.to_text(now.iteration, now.phase).split("\n")[2:]
        lines = [line for line in tree if re.match(r"[> ] .*: \S+", line)]
        assert words == caption(film.data, now.iteration, now.phase)
        assert len(lines) == len(frame.cards)
        for card in frame.cards:
            share = f": {card.share}"
            label = "root" if not card.node else plain(film.trace.label(card.node))
            mark = ">" if card.on_path else " "
            assert any(line.startswith(mark) and f" {label}{share}" in line for line in lines)
        counts = sorted(int(line.strip()[1:]) for line in tree if re.fullmatch(r" +\+\d+", line))
        assert counts == sorted(frame.hidden.values())
        rest = [plain(film.trace.label(n)) for n in frame.path if n not in film.data.cards]
        on_to = [line for line in tree if line.startswith("> on to ")]
        assert on_to == ([f"> on to {', '.join(rest)}"] if rest else [])


def through_graphviz(film, iteration, phase):
    """The moment's DOT, read, laid out and drawn by Graphviz."""
    import pygraphviz

    graph = pygraphviz.AGraph(string=film.to_dot(iteration, phase).source)
    try:
        graph.layout(prog="dot")
        return ElementTree.fromstring(graph.draw(format="svg"))
    finally:
        graph.close()


@pytest.mark.graphviz
@pytest.mark.parametrize("number", [0, 4, 7, 9])
def test_dot_holds_all_cards_and_graphviz_draws_it(number):
    film = films()[number]
    frame = film.frame(None, "expand")
    root = through_graphviz(film, None, "expand")
    names = {title.text for title in root.iter(f"{SVG}title")}
    assert {f"n{card.node}" for card in frame.cards} <= names
    assert {f"s{card}" for card in frame.hidden} <= names
    words = [text.text for text in root.iter(f"{SVG}text")]
    for card in frame.cards:
        counted = card.share if card.node else f"/{card.share}"  # the root's wins stand before it
        assert any(word.endswith(counted) for word in words)
    assert len([name for name in names if "->" in name]) == len(frame.cards) - 1 + len(frame.hidden)


@pytest.mark.graphviz
def test_an_empty_line_in_a_position_does_not_kill_graphviz():
    """Graphviz frees the layout of an empty line twice, and takes the process with it."""

    class Spaced(Nim):
        def text(self, state):
            return "\n\n".join(["", *map(str, state), ""])

    film = Film(MCTS(Spaced(), seed=1).record(iterations=50))
    for _ in range(5):
        through_graphviz(film, None, "select")
    assert "\n\n" not in film.to_dot().source


# Texts ------------------------------------------------------------------------------------


@given(st.text())
def test_plain_text_is_one_line_and_fit_for_xml(text):
    line = plain(text)
    assert len(line) <= 200
    assert len(line.splitlines()) <= 1
    assert ElementTree.fromstring(f"<a>{line.translate({38: None, 60: None})}</a>") is not None
    for row in plain_lines(text):
        assert len(row) <= 18
        assert row in line or row.endswith("…")


# Games with and without a board --------------------------------------------------------------


def test_boards_show_the_position_and_glow_where_it_changed():
    film = films()[0]
    root = ElementTree.fromstring(film.to_svg())
    for group in root.iter(f"{SVG}g"):
        if "data-node" not in group.attrib:
            continue
        node = int(group.attrib["data-node"])
        paths = {path.get("class", ""): path.get("d", "") for path in group.iter(f"{SVG}path")}
        text = film.trace.game.text(film.trace.state(node)).replace("\n", "")
        for letter, name in (("X", "piece player-0"), ("O", "piece player-1")):
            cells = [i for i, cell in enumerate(text) if cell == letter]
            corners = re.findall(r"M(\d+) (\d+)", paths.get(name, ""))
            assert [int(y) // 10 * 3 + int(x) // 10 for x, y in corners] == cells
        glow = re.findall(r"M(\d+) (\d+)", paths.get("glow", ""))
        changed = [int(y) // 10 * 3 + int(x) // 10 for x, y in glow]
        assert changed == ([film.trace.action_of(node)] if node else [])


@pytest.mark.parametrize(
    "game", [TicTacToe(), ConnectFour(), ConnectFour(4, 5, 3), MisreadTicTacToe()]
)
def test_a_line_joins_the_row_that_won(game):
    board, drawn = board_of(game), 0
    assert board is not None
    for seed in range(60):
        state, draw = game.initial_state(), random.Random(seed)
        while not game.is_terminal(state):
            assert not won_path(board, board.cells(state))
            state = game.play(state, draw.choice(game.legal_actions(state)))
        line, won = won_path(board, board.cells(state)), any(game.returns(state))
        assert bool(line) == (won and not game.misread)
        ends = re.findall(r"M(\d+) (\d+)L(\d+) (\d+)", line)
        for x, y, right, down in (map(int, end) for end in ends):
            steps = {abs(right - x), abs(down - y)} - {0}
            assert steps == {10 * (board.in_row - 1)}
        drawn += len(ends)
    assert drawn or game.misread


def test_too_large_a_board_is_text_in_every_form():
    game = ConnectFour(16, 16)
    trace = MCTS(game, seed=1).record(iterations=30)
    words = " ".join(ElementTree.fromstring(Film(trace).to_svg()).itertext())
    assert f"The position: {'.' * 16}" in words
    assert "image/png" in Player(trace)._repr_mimebundle_()[0]
    board = Play(game, MCTS(game, seed=1), iterations=5)
    assert "." * 16 in board._repr_mimebundle_()[0]["text/plain"]


# Where cards stand -----------------------------------------------------------------------------


def overlaps(corners, size):
    """Pairs of cards that lie over each other."""
    return [
        (one, other)
        for one, other in combinations(corners, 2)
        if abs(one[0] - other[0]) < size[0] - 0.2 and abs(one[1] - other[1]) < size[1] - 0.2
    ]


def check_arrangement(parents, size, made):
    overhang = 8.0
    assert overlaps(made.corners, (size[0], size[1] + overhang)) == []
    for card, (x, y) in enumerate(made.corners):
        assert -0.2 <= x <= made.width - size[0] + 0.2
        assert -0.2 <= y <= made.height - size[1] + 0.2
        if not card:
            assert made.edges[0] == ""
            continue
        above = made.corners[parents[card]]
        assert y >= above[1] + size[1] + overhang
        numbers = [float(n) for n in re.findall(r"-?\d+\.?\d*", made.edges[card])]
        assert numbers[1] == pytest.approx(above[1] + size[1], abs=0.2), "begins at its parent"
        assert numbers[0] == pytest.approx(above[0] + size[0] / 2, abs=0.2)
        if "H" in made.edges[card]:  # from a stem, sideways
            side, level = numbers[-1], numbers[-2]
            assert y <= level <= y + size[1]
            assert min(abs(side - x), abs(side - x - size[0])) < 0.2
        else:
            assert numbers[-2:] == pytest.approx([x + size[0] / 2, y], abs=0.2)


@given(st.data(), st.integers(1, 60), st.sampled_from([(60.0, 90.0), (200.0, 40.0)]))
def test_cards_never_lie_over_each_other(data, count, size):
    parents = [-1] + [data.draw(st.integers(max(0, i - 12), i - 1)) for i in range(1, count)]
    check_arrangement(parents, size, arrange(parents, size, 8.0, "tidy"))


def test_a_wide_tree_is_folded_and_a_narrow_one_is_not():
    wide = [-1] + [0] * 8 + [1 + i // 4 for i in range(32)]
    flat = 32 * 60.0
    folded = arrange(wide, (60.0, 90.0), tidy=True)
    assert folded.width < 0.6 * flat
    assert any("H" in edge for edge in folded.edges)
    narrow = arrange([-1] + [0] * 7, (60.0, 90.0), tidy=True)
    assert narrow.width <= PAGES[0][0]
    assert not any("H" in edge for edge in narrow.edges)
    chain = arrange(list(range(-1, 59)), (60.0, 90.0), tidy=True)
    assert chain.width == pytest.approx(60, abs=1)


# Words -----------------------------------------------------------------------------------------


def test_every_caption_is_a_whole_sentence():
    for film, now in moments():
        words = caption(film.data, now.iteration, now.phase)
        assert words[0].isupper()
        assert words.endswith(".")
        assert not re.search(r"[{}]|\b(nan|inf)\b|  |\bNone\b(?! of)", words)
        assert not re.search(r"\b1 (moves|nodes|iterations)\b", words)
        assert not re.search(r"\b(?!1\b)\d+ (move|node)\b", words)


def test_captions_tell_the_numbers_of_the_trace():
    seen = set()
    unscored = films()[9]  # where a child is chosen before it has a score
    first = [(unscored, unscored.trace.at(k, "select")) for k in range(1, 12)]
    for film, now in [*first, *moments()]:
        trace, game = film.trace, film.trace.game
        words = caption(film.data, now.iteration, now.phase)
        before, after = trace.at(now.iteration, "select"), trace.at(now.iteration)
        if now.phase == "select":
            seen.add(said_of_selection(film, before, words))
        elif now.phase == "expand":
            new = after.new_node
            assert ("A new node joins the tree" in words) == (new is not None)
            if new is not None:
                player_just_moved = game.players[trace.player_just_moved[after.path[-1]]]
                assert f"{player_just_moved} plays {plain(trace.label(after.path[-1]))}" in words
        elif now.phase == "simulate":
            moves = len(after.playout)
            assert (f" {moves} move" in words) == (moves > 0)
        else:
            assert f". {len(after.path)} node" in words
            alike = len(set(after.rewards)) == 1
            for reward in after.rewards:
                sign = "" if alike or reward < 0 else "+"
                assert f" {sign}{short(reward)} " in words
    assert {"open", "alone", "level", "close", "ahead", "behind"} <= seen


def said_of_selection(film, before, words):
    """Compare what is said of the choice at the root with the scores that the trace has there."""
    trace = film.trace
    walk = [node for node in before.path if trace.created_at[node] < before.iteration]
    assert before.path == tuple(walk)
    if len(walk) == 1:
        assert "untried move" in words
        return "open"
    taken = f"{len(walk) - 1} move{'s' * (len(walk) > 2)}"
    chosen = plain(trace.label(walk[1]))
    assert f"Selection goes down {taken} and stops" in words
    scores = {child: before.score(child) for child in before.children(0)}
    choice = scores.pop(walk[1])
    rivals = [score for score in scores.values() if score is not None]
    if choice is None or not rivals:
        assert f"move {chosen} is chosen" in words
        return "alone"
    margin = choice - max(rivals)
    if "is chosen, although" in words:
        said = re.search(r"another move scores (\d+\.\d{2,}) higher", words)
        assert float(said[1]) == pytest.approx(-margin, rel=0.51, abs=0.0051)
        return "behind"
    assert f"move {chosen} scores highest" in words
    assert margin > -1e-6
    if ", level" in words:
        assert margin == pytest.approx(0, abs=1e-6)
        return "level"
    said = re.search(r", by (\d+\.\d{2,})\.", words)
    digits = len(said[1].split(".")[1])
    assert float(said[1]) == pytest.approx(margin, abs=0.501 * 10.0**-digits)
    assert float(said[1]) > 0, "as many digits as the lead needs"
    return "close" if digits > 2 else "ahead"


def test_a_choice_without_a_visit_is_told_unless_the_rule_can_score_it():
    for rule, told in ((ucb1, True), (puct, False)):
        search = MCTS(TicTacToe(), c=20, seed=1, selection=rule, expansion=expand_all)
        film = Film(search.record(iterations=9))
        words = [film.caption(iteration, "select") for iteration in range(2, 10)]
        assert any("it has no visit yet" in said for said in words) == told


def test_who_plays_alone_wins_or_loses():
    game = Bandit()
    for value, end in ((1.0, "wins"), (-1.0, "loses")):
        assert outcome_text(game, (value,)) == f"{game.players[0]} {end}"


def test_numbers_are_rounded_as_a_reader_would():
    for number, two, least in (
        (0.0, "0.00", "0"),
        (-0.0, "0.00", "0"),
        (-1e-17, "0.00", "0"),  # what is left of 1/3 - 1/3
        (0.005, "0.01", "0.01"),  # as a float a little above the half
        (-0.125, "-0.13", "-0.13"),  # exactly a half, away from zero
        (100.0, "100.00", "100"),
        (1.005, "1.00", "1"),  # as a float a little below the half
        (12345.678, "12345.68", "12345.68"),
    ):
        assert (fixed(number), short(number)) == (two, least)


# Other forms -----------------------------------------------------------------------------------


def test_a_graph_holds_the_whole_tree_of_its_moment():
    for film, moment in moments()[:60]:
        graph = film.to_networkx(moment.iteration, moment.phase)
        assert networkx.is_arborescence(graph)
        assert list(graph) == list(range(moment.nodes))
        assert [n for n, on_path in graph.nodes(data="on_path") if on_path] == sorted(moment.path)
        for node, facts in graph.nodes(data=True):
            assert facts["visits"] == moment.visits[node]
            assert facts["wins"] == pytest.approx(moment.wins[node])
            score = moment.score(node)
            assert facts["score"] == (pytest.approx(nan, nan_ok=True) if score is None else score)
            assert None not in facts.values()
            assert facts["position"] == film.trace.game.text(film.trace.state(node))
            above = list(graph.predecessors(node))
            assert above == ([int(film.trace.parent[node])] if node else [])


def test_other_programs_read_the_graph(tmp_path):
    """By GraphML and GEXF, as Gephi and yEd do; of minimax too."""
    for film in (Film(MCTS(TicTacToe(), seed=1).record(iterations=50)), walks()[0]):
        graph = film.to_networkx(20)
        networkx.write_graphml(graph, tmp_path / "tree.graphml")
        networkx.write_gexf(graph, tmp_path / "tree.gexf")
        for again in (
            networkx.read_graphml(tmp_path / "tree.graphml", node_type=int),
            networkx.read_gexf(tmp_path / "tree.gexf", node_type=int),
        ):
            assert list(again) == list(graph)
            for node, facts in graph.nodes(data=True):
                for name, value in facts.items():
                    assert again.nodes[node][name] == pytest.approx(value, nan_ok=True), name
            for above, below, move in graph.edges(data="move"):
                assert again.edges[above, below]["move"] == move == film.trace.label(below)
        assert graph.graph["game"] == film.trace.game.name
        assert (graph.graph["iteration"], graph.graph["phase"]) == (20, film.frame(20).phase)


def test_a_film_is_pickled_with_its_iterations():
    film = Film(MCTS(TicTacToe(), seed=1).record(iterations=60), 12, iterations=[1, 2, 40])
    again = pickle.loads(pickle.dumps(film))
    assert again.iterations == [1, 2, 40]
    assert again.to_text(40) == film.to_text(40)


# Refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "ask"),
    [
        ("source must be a trace, as search.record", lambda film: Film(7)),
        ("cards must be a whole number from 1 to 300", lambda film: Film(film.trace, 0)),
        ("cards must be", lambda film: Film(film.trace, 301)),
        ("iteration must be a whole number from 1 to 600; you gave 0", lambda film: film.to_svg(0)),
        ("iteration must be", lambda film: film.to_text(601)),
        ("phase must be one of select, expand", lambda film: film.to_dot(1, "think")),
        ("theme must be 'light' or 'dark'; you gave 'pink'", lambda f: f.to_svg(theme="pink")),
    ],
)
def test_what_cannot_be_shown_is_refused_in_a_sentence(sentence, ask):
    with pytest.raises(MctsVizError, match=sentence):
        ask(films()[0])


def test_a_wide_tree_has_fewer_cards_unless_told_otherwise():
    wide = MCTS(ConnectFour(), seed=1).record(iterations=2000)
    few, many = Film(wide).drawing, Film(wide, 300).drawing
    assert 12 <= len(few.nodes) < len(many.nodes) == 300
    assert not overlaps(many.layout.corners, many.size)
    assert set(few.nodes) < set(many.nodes)
    scale = page_scale(few.arrange(few.nodes, "tidy"))
    assert scale >= READABLE or len(few.nodes) == 12
    hidden = sum(few.data.hidden_at(2000).values())
    assert len(few.nodes) + hidden == len(wide.parent)
    small = Film(MCTS(TicTacToe(), seed=1).record(iterations=8)).drawing
    assert len(small.nodes) == len(small.data.trace.parent)


def test_other_policies_are_not_said_to_play_at_random():
    def heavy(game, state, random):
        return win_then_block(game, state, random)

    for playout, name in ((win_then_block, "win_then_block"), (heavy, "heavy")):
        film = Film(MCTS(TicTacToe(), seed=1, playout=playout).record(iterations=5))
        assert f"moves by {name}: " in film.caption(1, "simulate")
        assert "An untried move is picked at random" in film.caption(1, "expand")
    film = Film(MCTS(TicTacToe(), seed=1, expansion=expand_all).record(iterations=5))
    assert "The expansion policy adds: X plays" in film.caption(1, "expand")
    assert "random moves to the end" in film.caption(1, "simulate")
