"""Pictures say what the trace says, at any moment, of any game, whatever its labels hold."""

import io
import random
import re
from functools import partial
from itertools import product
from math import nan
from xml.etree import ElementTree

import networkx
import numpy as np
import pytest
from films import READ, columns_of, excerpts, films, moments, walks
from hypothesis import given
from hypothesis import strategies as st
from invariants import Wheel
from PIL import Image
from repository import ROOT
from searches import traced

from mcts_course import Play
from mcts_course.published.faulty_rules import MisreadTicTacToe
from mcts_viz import MCTS, ConnectFour, Film, Player, TicTacToe
from mcts_viz.errors import MctsVizError
from mcts_viz.film import board_of
from mcts_viz.film.boards import won_path
from mcts_viz.film.words import caption, plain, plain_lines
from mcts_viz.search import PHASES
from mcts_viz.search.variants import puct, truncated, ucb1_tuned

pytestmark = pytest.mark.many

# What is on the screen -----------------------------------------------------------------------


def test_what_has_no_card_is_counted():
    assert films()[10].data.reward_range == (pytest.approx(-1 / 3), 1)
    for film, now in moments():
        frame, trace = film.frame(now.iteration, now.phase), film.trace
        shown = {card.node for card in frame.cards}
        for node in shown:
            born = set(now.children(node))
            assert frame.more.get(node, 0) == len(born - shown)
            assert frame.untried.get(node, 0) == trace.n_legal_moves(node) - len(born)


def test_each_column_is_read_by_the_page_and_stands_in_the_table_of_what_is_sent():
    rules = (Guided(), ucb1_tuned)
    some = [Film(MCTS(TicTacToe(), selection=rule).record(iterations=30)) for rule in rules]
    some += [READ[name]() for name in ("dice", "solver", "paid", "puct")]
    every = [*films()[9:], *excerpts(), walks()[0], *some]
    sent = {name.removeprefix("all_") for film in every for name in columns_of(film)}
    assert {"shown", "probability", "proof", "prior", "note", "parts", "means", "window"} < sent
    scripts = ROOT.glob("mcts_viz/player/**/*.js")
    words = {word for path in scripts for word in re.findall(r"\w+", path.read_text("utf-8"))}
    architecture = (ROOT / "docs" / "ARCHITECTURE.md").read_text("utf-8")
    _, table = architecture.split("## What is on the wire")
    told = set(re.findall(r"`(\w+)[`\[]", table.split("\n## ")[0]))
    assert sent - words == set(), "nothing is sent that the page does not read"
    assert sent - told == set(), "nothing is sent that the table does not name"


class Guided:
    def prior(self, state):
        legal = TicTacToe().legal_actions(state)
        return {action: (1 + action) / len(legal) for action in legal}

    def __call__(self, child, parent, c):
        return child.wins / child.visits


def test_a_guide_s_priors_are_sent_with_each_node():
    film = Film(traced(30, selection=Guided()))
    trace, sent = film.trace, columns_of(film)["prior"]
    assert len(sent) == len(trace.parent)
    for node in range(1, len(trace.parent)):
        priors = Guided().prior(trace.state(int(trace.parent[node])))
        assert sent[node] == priors[trace.action_of(node)]


def test_priors_that_leave_a_legal_move_out_are_refused_in_one_sentence():
    guide = Guided()
    guide.prior = lambda state: {99: 1.0}
    film = Film(traced(5, selection=guide))
    with pytest.raises(MctsVizError, match=r"The priors of Guided for .* no number for the move 1"):
        film.payload()


def test_scores_are_sent_with_all_their_digits_also_where_they_are_many():
    film = Film(traced(2000, game=ConnectFour(), selection=puct))
    sent, data = columns_of(film), film.data
    root, times = np.array(data.trace.children[0]), data.changes.times[: data.changes.ends[1]]
    terms = data.terms(root[:, None], np.append(0, times)).reshape(-1, 2)
    for name, column in zip(("means", "explorations"), terms.T, strict=True):
        assert len(sent[name]) > 2**16
        assert np.array_equal(sent[name][: len(column)], column, equal_nan=True)


def test_an_estimate_is_told_also_where_a_steep_discount_leaves_little_of_it():
    estimate = truncated(2, lambda _: (0.5, -0.5))
    for discount in (0.9, 1e-9):
        trace = traced(1, 2, Wheel(7, discount=discount), playout=estimate)
        assert "bring A -1 +0.5, discounted" in Film(trace).caption(1, "backpropagate")


# Forms -----------------------------------------------------------------------------------------


def test_png_shows_something_in_both_themes():
    film = films()[3]
    for theme in ("light", "dark"):
        picture = Image.open(io.BytesIO(film.to_png(None, "simulate", theme))).convert("RGB")
        root = ElementTree.fromstring(film.to_svg(None, "simulate", theme))
        size = [1.5 * float(root.get(side)) for side in ("width", "height")]
        assert picture.size == pytest.approx(size, abs=2)
        colours = picture.getcolors(picture.width * picture.height)
        assert len(colours) > 50
        assert (sum(max(colours)[1]) > 3 * 128) == (theme == "light"), "the background"


def test_text_lists_the_cards_the_stubs_and_what_happens():
    for film, now in moments()[::3]:
        frame, label = film.frame(now.iteration, now.phase), film.trace.label
        game, search, *tree, words = film.to_text(now.iteration, now.phase).split("\n")
        assert game.startswith(f"{plain(film.trace.game.name)}: ")
        assert getattr(film.trace.selection, "__name__", "").replace("ucb1", "UCT") in search
        lines = [line for line in tree if re.match(r"[> ] .*: \S+", line)]
        assert words == caption(film.data, now.iteration, now.phase)
        assert len(lines) == len(frame.cards)
        for card in frame.cards:
            said = f" {plain(label(card.node)) if card.node else 'root'}: {card.share}"
            assert any(line[0] == "> "[not card.on_path] and said in line for line in lines)
        counts = sorted(int(n) for line in tree for n in re.findall(r"[(](\d+) more", line))
        assert counts == sorted(frame.more.values())
        counts = sorted(int(n) for line in tree for n in re.findall(r"(\d+) untried[)]$", line))
        assert counts == sorted(frame.untried.values())
        rest = [plain(label(node)) for node in frame.path[4:]]
        on_to = [line for line in tree if line.startswith("> on to ")]
        assert all(line.endswith(rest[-1]) for line in on_to)


# Games with and without a board --------------------------------------------------------------


@pytest.mark.parametrize(
    "game", [TicTacToe(), ConnectFour(), ConnectFour(4, 5, 3), MisreadTicTacToe()]
)
def test_a_line_joins_the_row_that_won(game):
    board, drawn = board_of(game), 0
    for seed in range(60):
        state, draw = game.initial_state(), random.Random(seed)
        while not game.is_terminal(state):
            assert not won_path(board, board.cells(state))
            state = game.play(state, draw.choice(game.legal_actions(state)))
        line, won = won_path(board, board.cells(state)), any(game.returns(state))
        assert bool(line) == (won and not game.misread)
        ends = re.findall(r"M(\d+) (\d+)L(\d+) (\d+)", line)
        for x, y, right, down in (map(int, end) for end in ends):
            assert {abs(right - x), abs(down - y)} - {0} == {10 * (board.in_row - 1)}
        drawn += len(ends)
    assert drawn or game.misread


def test_too_large_a_board_is_text_in_every_form():
    game = ConnectFour(16, 16)
    trace = traced(30, game=game)
    words = " ".join(ElementTree.fromstring(Film(trace).to_svg()).itertext())
    assert f"The position: {'.' * 16}" in words
    assert "image/png" in Player(trace)._repr_mimebundle_()[0]
    board = Play(game, MCTS(game, seed=1), iterations=5)
    assert "." * 16 in board._repr_mimebundle_()[0]["text/plain"]


def test_there_are_as_many_cards_as_have_room_and_at_most_those_asked_for():
    wide = traced(2000, game=ConnectFour())
    few, many = (Film(wide, cards).frame() for cards in (12, 300))
    nodes = [{card.node for card in frame.cards} for frame in (few, many)]
    assert nodes[0] < nodes[1]
    assert len(nodes[0]) == 12
    assert len(nodes[1]) <= 60
    others = nodes[1] - set(many.path)
    visits = Film(wide).trace.at(2000).visits
    assert min(visits[n] for n in nodes[0] & others) >= max(visits[n] for n in others - nodes[0])


# Words -----------------------------------------------------------------------------------------


@given(st.text())
def test_plain_text_is_one_line_and_fit_for_xml(text):
    line = plain(text)
    assert len(line) <= 200
    assert len(line.splitlines()) <= 1
    assert ElementTree.fromstring(f"<a>{line.translate({38: None, 60: None})}</a>") is not None
    for row in plain_lines(text):
        assert len(row) <= 18
        assert row in line or row.endswith("…")


class Rich(MCTS):
    """Counts wins by the million million million."""

    def backpropagate(self, path, playout):
        super().backpropagate(path, playout)
        for node in path:
            node.wins = node.mean * node.visits * 1e32


@pytest.mark.filterwarnings("error")
def test_wins_without_measure_are_shown_all_over():
    film = Film(Rich(TicTacToe(), seed=1).record(iterations=30))
    for iteration, phase in product((1, 15, 30), PHASES):
        assert film.caption(iteration, phase)
        assert film.to_svg(iteration, phase)
        assert film.to_text(iteration)
        assert film.to_dot(iteration).source
    assert film.to_html()


# As a graph.

same = partial(pytest.approx, nan_ok=True)


def test_a_graph_holds_the_whole_tree_of_its_moment():
    for film, now in moments()[:60]:
        graph, trace = film.to_networkx(now.iteration, now.phase), film.trace
        assert networkx.is_arborescence(graph)
        assert list(graph) == list(range(now.nodes))
        assert {node for node, on_path in graph.nodes(data="on_path") if on_path} == {*now.path}
        assert all(graph.has_edge(trace.parent[node], node) for node in range(1, now.nodes))
        for node, facts in graph.nodes(data=True):
            assert (facts["visits"], facts["wins"]) == same((now.visits[node], now.wins[node]))
            assert facts["score"] == same(nan if now.score(node) is None else now.score(node))
            assert None not in facts.values()
            assert facts["position"] == trace.game.text(trace.state(node))


def test_other_programs_read_the_graph(tmp_path):
    """By GraphML and GEXF, as Gephi and yEd do; of minimax too."""
    for film in (Film(traced(50)), walks()[0]):
        graph = film.to_networkx(20)
        for form in ("graphml", "gexf"):
            getattr(networkx, f"write_{form}")(graph, tmp_path / form)
            again = getattr(networkx, f"read_{form}")(tmp_path / form, node_type=int)
            assert list(again) == list(graph)
            for node, facts in graph.nodes(data=True):
                assert {name: again.nodes[node][name] for name in facts} == same(facts)
            for above, below, move in graph.edges(data="move"):
                assert again.edges[above, below]["move"] == move == film.trace.label(below)
        told = (film.trace.game.name, 20, film.frame(20).phase)
        assert tuple(graph.graph[name] for name in ("game", "iteration", "phase")) == told
