"""A project: the reader's search in other games, its page, and the gallery of a class."""

import re
from html import escape
from pathlib import Path
from urllib.parse import unquote

import pytest

from mcts_course import arena, show_board, wilson_interval
from mcts_course.teacher.gallery import NAME, gallery, read_project
from mcts_course.work.own_search import SOLUTIONS, _nodes, run
from mcts_course.work.project import (
    FILE,
    ORDER,
    OwnAgent,
    best_of,
    keep_search,
    my_search,
    node_for,
    project_page,
)
from mcts_viz import MCTS, ConnectFour, Film, Game, Nim, RandomAgent, TicTacToe, check_game
from mcts_viz.errors import MctsVizError, SearchError
from mcts_viz.film import Board, Piece, set_board
from mcts_viz.games import Pig
from mcts_viz.search.agents import ExactAgent, MCTSAgent

PROGRAM = tuple(SOLUTIONS[name] for name in ORDER)


class Hexapawn(Game):
    """Three pawns a side; one goes ahead, or takes sideways."""

    name = "Hexapawn"
    players = ("White", "Black")

    def initial_state(self):
        return "BBB...WWW", 0

    def to_move(self, state):
        return state[1]

    def legal_actions(self, state):
        cells, player = state
        own, other, ahead = ("W", "B", -3) if player == 0 else ("B", "W", 3)
        found = []
        for start in (cell for cell, kind in enumerate(cells) if kind == own):
            for cell in range(start + ahead - 1, start + ahead + 2):
                near = 0 <= cell < 9 and cell // 3 == (start + ahead) // 3
                if near and cells[cell] == ("." if cell == start + ahead else other):
                    found.append((start, cell))
        return found

    def play(self, state, action):
        cells = list(state[0])
        cells[action[1]], cells[action[0]] = cells[action[0]], "."
        return "".join(cells), 1 - state[1]

    def is_terminal(self, state):
        arrived = "W" in state[0][:3] or "B" in state[0][6:]
        return arrived or not self.legal_actions(state)

    def returns(self, state):
        return (1.0, -1.0) if state[1] == 1 else (-1.0, 1.0)


PAWN = "m3 8l2 -6l2 6z"
set_board(
    Hexapawn,
    lambda game: Board(
        3, 3, (Piece(PAWN, 0), Piece(PAWN, 1)), lambda state: [".WB".index(c) for c in state[0]]
    ),
)


# Your search in your game -----------------------------------------------------------------------


helper = PROGRAM[-1]


def back_up_with_a_helper(node, returns):
    helper(node, returns)


@pytest.mark.parametrize("game", [Nim((1, 2, 2)), Hexapawn(), ConnectFour(3, 3, 3), TicTacToe()])
def test_four_functions_grow_a_tree_of_any_game(game):
    """Every node is the position and the player that the rules say, and the visits add up."""
    root = node_for(game)(game.initial_state())
    for _ in run(PROGRAM, root, 200, seed=3):
        pass
    for node in _nodes(root):
        if node.parent:
            assert node.state == game.play(node.parent.state, node.move)
            assert node.player == game.to_move(node.parent.state)
        if not game.is_terminal(node.state):
            below = sum(child.visits for child in node.children)
            assert node.visits == below + (node is not root)


def test_your_search_holds_its_own_against_perfect_play_in_your_game():
    game = Hexapawn()
    assert check_game(game).ok
    players = {"mine": OwnAgent(PROGRAM, game, 200), "exact": ExactAgent(game)}
    result = arena(players, game, games=20, progress=False)
    assert not any(played.fault for played in result.games)
    assert result.tally("mine", moving=1).score == 1  # who moves second wins


def test_a_search_without_nodes_for_luck_is_refused_where_nature_moves():
    with pytest.raises(SearchError, match=r"In Pig nature moves.*MCTSAgent"):
        OwnAgent(PROGRAM, Pig())
    with pytest.raises(SearchError, match="four functions"):
        OwnAgent(PROGRAM[:3], Nim())


def test_a_tournament_rolls_the_dice():
    """Each game can be played again by its moves, and luck falls by its probabilities."""
    game = Pig(goal=20)
    players = {"search": MCTSAgent(game, 30), "random": RandomAgent(game)}
    result = arena(players, game, games=60, opening=3, progress=False)
    rolls = []
    for played in result.games:
        state = game.initial_state()
        for action in played.actions:
            rolls += [action] if game.chances(state) else []
            state = game.play(state, action)
        assert game.is_terminal(state)
        assert game.returns(state) == played.returns
        assert not played.fault
    assert len(rolls) > 600
    assert {*rolls} == {1, 2, 3, 4, 5, 6}
    assert all(abs(rolls.count(face) / len(rolls) - 1 / 6) < 0.07 for face in {*rolls})
    assert all(not game.chances(state) for state in result.positions("search"))


def test_a_search_is_kept_and_read_back(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert my_search() == PROGRAM
    assert "No search of yours" in capsys.readouterr().out
    keep_search(PROGRAM)
    kept = my_search()
    assert [one.__name__ for one in kept] == [one.__name__ for one in PROGRAM]
    assert not {*kept} & {*PROGRAM}
    both = [OwnAgent(program, Nim((1, 2)), 50, seed=1) for program in (PROGRAM, kept)]
    assert both[0]((0, 1, 2)) == both[1]((0, 1, 2))


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ((lambda node, c: ..., *PROGRAM[1:]), "○"),
        ((*PROGRAM[:-1], back_up_with_a_helper), "NameError"),
        ((*PROGRAM[:-1], lambda node, returns: None), "○"),
    ],
)
def test_a_search_that_could_not_be_read_back_is_not_kept(
    tmp_path, monkeypatch, capsys, program, said
):
    monkeypatch.chdir(tmp_path)
    keep_search(program)
    assert said in capsys.readouterr().out
    assert not Path(FILE).exists()


def test_where_pieces_go_from_cell_to_cell_each_cell_has_its_number():
    game = Hexapawn()
    texts = show_board(game, game.initial_state()).svg.split("<text")[1:]
    assert [text.split(">")[1].split("<")[0] for text in texts] == [str(n) for n in range(9)]


# Its page, and the gallery ------------------------------------------------------------------------

HOSTILE = "</title><script>alert(1)</script>\"'&"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    game = Nim((1, 2))
    trace = MCTS(game, seed=1).record(iterations=20, progress=False)
    players = {"one": RandomAgent(game), HOSTILE: ExactAgent(game)}
    result = arena(players, game, games=10, progress=False)
    for name, title in {"ada": "Sticks", "bob & co": HOSTILE}.items():
        (folder / name).mkdir()
        project_page(
            folder / name / "a 'page'#1.html",
            title=title,
            author=name,
            trace=trace,
            result=result,
            about=HOSTILE,
        )
    return folder


def test_a_page_holds_the_game_the_tournament_and_the_film(pages):
    text = (pages / "ada" / "a 'page'#1.html").read_text()
    outside, frame = text.split("<iframe", 1)
    assert "won-drawn-lost" in outside
    assert "Sticks" in outside
    assert "<script" not in outside
    assert 'sandbox="allow-scripts"' in frame
    assert "mcts-player" in frame
    found = read_project(pages / "bob & co" / "a 'page'#1.html")
    assert (found.title, found.author) == (HOSTILE, "bob & co")
    assert found.picture.startswith("data:image/svg+xml;base64,")


def test_a_gallery_shows_two_pages_side_by_side_and_runs_nothing_of_theirs(pages):
    (pages / "notes.html").write_text("<title>no project</title>")
    (pages / "wild.html").write_text(
        '<meta name="mcts-project-title" content="wild"><meta name="mcts-project-picture" '
        'content="https://example.org/x.png"><script>alert(2)</script>'
    )
    outside = pages.parent / "outside.html"
    outside.write_text('<meta name="mcts-project-title" content="outside">')
    (pages / "link.html").symlink_to(outside)
    place, count = gallery(pages)
    text = place.read_text()
    assert place == pages / NAME
    assert count == 3
    assert "<script" not in text
    assert "example.org" not in text
    assert "outside" not in text
    assert text.count('sandbox="allow-scripts"') == 2
    assert "allow-same-origin" not in text
    assert text.count("<li>") == 3
    assert text.count('target="left"') == 3
    assert "./bob%20%26%20co/a%20%27page%27%231.html" in text
    assert gallery(pages)[1] == 3  # its own page is none of the projects


CARD = re.compile(r"<li>(?:<img [^>]+>)?<h2>(.*?)</h2><p>by (.*?)</p><p>(.*?)</p>(.*?)</li>", re.S)


def test_a_gallery_says_of_each_page_what_that_page_says(pages):
    place, count = gallery(pages)
    text = place.read_text()
    assert f"<p>{count} projects. " in text
    cards = CARD.findall(text)
    assert len(cards) == count
    for title, author, result, links in cards:
        opened = re.findall(r'href="(.*?)" target="(.*?)" aria-label="(.*?)">(.*?)<', links)
        assert [link[1:] for link in opened] == [
            (side, f"Open {title} {side}", f"Open {side}") for side in ("left", "right")
        ]
        [address] = {link[0] for link in opened}
        found = read_project(pages / unquote(address))
        assert (title, author, result) == (*map(escape, found[1:4]),)


def test_the_best_of_a_tournament_is_told_with_its_own_numbers():
    game = Nim((1, 2))
    players = {"exact": ExactAgent(game), "chance": RandomAgent(game)}
    result = arena(players, game, games=20, seed=2, progress=False)
    said = re.fullmatch(
        r"(.+) scored (\S+) \[(\S+), (\S+)\] in (\d+) games \((\d+)-(\d+)-(\d+) won-drawn-lost\)\.",
        best_of(result),
    )
    name, (score, low, high), counts = said[1], map(float, said.groups()[1:4]), said.groups()[4:]
    games, won, drawn, lost = map(int, counts)
    ends = [played.returns[played.players.index(name)] for played in result.games]
    assert games == len(ends) == won + drawn + lost
    assert (won, lost) == (sum(end > 0 for end in ends), sum(end < 0 for end in ends))
    assert score == round((won + drawn / 2) / games, 2) > 0.5
    assert (low, high) == tuple(round(end, 2) for end in wilson_interval(won + drawn / 2, games))


def test_a_gallery_needs_pages(tmp_path):
    with pytest.raises(MctsVizError, match="no page of a project"):
        gallery(tmp_path)
    with pytest.raises(MctsVizError, match="is not a folder"):
        gallery(tmp_path / "missing")


def test_a_page_refuses_what_is_no_search(tmp_path):
    trace = MCTS(Nim(), seed=1).record(iterations=5, progress=False)
    with pytest.raises(MctsVizError, match="title"):
        project_page(tmp_path / "x.html", title=3, author="a", trace=trace)
    with pytest.raises(MctsVizError, match="trace"):
        project_page(tmp_path / "x.html", title="a", author="a", trace=Film(trace))
