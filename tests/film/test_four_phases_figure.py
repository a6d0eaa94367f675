"""The classical figure: every number, name and link in it is the iteration's own."""

import re
from functools import cache
from xml.etree import ElementTree

import pytest
from films import READ, SVG
from searches import uct

from mcts_viz import Film, TicTacToe
from mcts_viz.film.four_phases import HEAD
from mcts_viz.film.lanes import WIDE
from mcts_viz.film.pictures import THEMES
from mcts_viz.search import PHASES

pytestmark = pytest.mark.many

LESSON = TicTacToe().parse("OX. ..O ..X")


@cache
def lesson():
    """The search of the lesson that opens with the figure."""
    return Film(uct(19).record(LESSON, iterations=200))


@cache
def panels(film, iteration):
    """The panels of the figure, by phase."""
    root = ElementTree.fromstring(film.four_phases(iteration))
    links = root.findall(f"{SVG}a")
    assert [link.get("href") for link in links] == [f"#at={iteration}.{phase}" for phase in PHASES]
    return dict(zip(PHASES, links, strict=True))


def texts(panel):
    return [text.text for text in panel.iter(f"{SVG}text")]


NAMES = ("Selection", "Expansion", "Simulation", "Backpropagation")


def test_the_lesson_s_example_shows_what_a_teacher_looks_for():
    film = lesson()
    picture = film.four_phases()
    (k,) = {int(found) for found in re.findall(r"#at=(\d+)\.", picture)}
    trace = film.trace
    path = trace.path(int(trace.leaf[k - 1]))
    now = trace.at(k, "select")
    means = {
        node: now.wins[node] / now.visits[node] for node in now.children(0) if now.visits[node]
    }
    assert len(path) == 4
    assert len(trace.playouts[k]) > 1
    assert means[path[1]] < max(means.values())
    assert max(now.children(0), key=now.score) == path[1]
    assert picture == film.four_phases(k)


def test_it_is_as_large_as_asked_in_colours_of_both_themes_and_the_system_s():
    for wide in (934, 1600):
        for theme in THEMES:
            picture = lesson().four_phases(34, wide, theme, page="film.html#end=60")
            root = ElementTree.fromstring(picture)
            _, top, across, down = map(float, root.get("viewBox").split())
            assert (across, top) == (WIDE, -HEAD)
            assert root.get("width") == str(wide)
            assert float(root.get("height")) == pytest.approx(wide / across * down, abs=0.6)
            assert 'href="film.html#end=60&amp;at=34.simulate"' in picture
            assert f".paper {{ fill: {THEMES[theme]['page']}; }}" in picture
            assert "forced-colors: active" in picture
            assert "var(" not in picture, "every colour has been filled in"
            assert len(picture) < 80_000
            sizes = re.findall(r"font(?:-size)?: ?([\d.]+)px", picture)
            assert min(map(float, sizes)) >= 10


def test_a_notebook_shows_it_with_its_words():
    forms, metadata = lesson().four_phases(34)._repr_mimebundle_()
    assert set(forms) == {"image/png", "text/plain"}
    assert metadata["image/png"]["alt"] == forms["text/plain"]
    assert forms["text/plain"].startswith("The four phases of iteration 34: At the root move ")


def test_a_watched_search_says_that_no_playout_was_seen():
    assert {"the playout:", "not seen"} < {*texts(panels(READ["watched"](), 30)["simulate"])}


@pytest.mark.parametrize("name", ["random ties", "all below", "two at once", "estimates", "dice"])
def test_a_few_words_say_what_a_phase_did(name):
    """The words say if scores decided, how many nodes joined, and if the game was played out."""
    film, met = READ[name](), set()
    trace, game = film.trace, film.trace.game
    for iteration in film.iterations[::3]:
        said = {phase: texts(panel) for phase, panel in panels(film, iteration).items()}
        for number, words in enumerate(said.values()):
            assert {str(number + 1), NAMES[number]} < {*words}
        result = film.data.ending(film.frame(iteration)).result.split(", ")[0]
        assert result.replace("-", "−") in " ".join(said["simulate"])
        caption = film.caption(iteration, "select")
        assert "although another move" not in caption or "the way down" in said["select"]
        births = trace.at(iteration, "expand").nodes - trace.at(iteration, "select").nodes
        over = game.is_terminal(trace.state(trace.at(iteration).path[-1]))
        none = "the game is over: no new node" if over else "no node is added"
        joins = {0: none, 1: "one new node joins the tree"}
        assert joins.get(births, f"{births} new nodes join the tree") in said["expand"]
        state = trace.state(int(trace.leaf[iteration - 1]))
        for code in trace.playouts[iteration].tolist():
            state = game.play(state, trace.actions[code])
        ends = [words for words in said["simulate"] if words.endswith(" to the end")]
        assert bool(ends) == (game.is_terminal(state) and len(trace.playouts[iteration]) > 0)
        met |= {*said["select"], *said["expand"], *ends}
    assert len(met) > 3
