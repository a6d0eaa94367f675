"""The classical figure: every number, name and link in it is the iteration's own."""

import re
from functools import cache
from xml.etree import ElementTree

import pytest
from films import READ, SVG, films, walks

from mcts_viz import MCTS, Film, TicTacToe, TraceError
from mcts_viz.errors import MctsVizError
from mcts_viz.film.four_phases import FOOT, HIGH, LETTER, PANEL, WIDE, halves
from mcts_viz.film.pictures import THEMES
from mcts_viz.film.words import fixed, outcome_text, plain, rounded, short_name
from mcts_viz.search import PHASES
from mcts_watch import Watch

pytestmark = pytest.mark.many

LESSON = TicTacToe().parse("OX. ..O ..X")


@cache
def lesson():
    """The search of the lesson that opens with the figure."""
    return Film(MCTS(TicTacToe(), seed=19).record(LESSON, iterations=200))


@cache
def chosen():
    """All iterations of the lesson's film, and some of every other kind."""
    found = [(lesson(), k) for k in lesson().iterations]
    for film in films():
        found += [
            (film, k) for k in {*film.iterations[:3], *film.iterations[:: max(1, film.last // 9)]}
        ]
    assert len(found) > 300
    return found


@cache
def panels(film, iteration):
    """By phase, its panel."""
    root = ElementTree.fromstring(film.four_phases(iteration))
    links = root.findall(f"{SVG}a")
    assert [link.get("href") for link in links] == [f"#at={iteration}.{phase}" for phase in PHASES]
    found = {}
    for link in links:
        (panel,) = link.findall(f"{SVG}g")
        found[panel.get("class").split()[1]] = panel
    return found


def pills(panel):
    """The texts of each node and their places, from left to right and from top to bottom."""
    found = {}
    for group in panel.iter(f"{SVG}g"):
        if group.get("class") == "node":
            box = {
                name: float(group.find(f"{SVG}rect").get(name))
                for name in ("x", "y", "width", "height")
            }
            found[int(group.get("data-node"))] = (
                [text.text for text in group.iter(f"{SVG}text")],
                box,
                group,
            )
    return found


def texts(panel):
    return [text.text for text in panel.iter(f"{SVG}text")]


def share(moment, node):
    """The wins and visits on a node's card, wins in halves."""
    return f"{halves(moment.wins[node])}/{rounded(int(moment.visits[node]))}"


NAMES = ("Selection", "Expansion", "Simulation", "Backpropagation")


def test_each_panel_has_the_number_and_the_name_of_its_phase():
    for film, k in chosen():
        heads = [texts(panel)[:2] for panel in panels(film, k).values()]
        assert heads == [[str(number), name] for number, name in enumerate(NAMES, 1)]


def test_selection_shows_what_was_compared():
    for film, k in chosen():
        now, trace = film.trace.at(k, "select"), film.trace
        seen = pills(panels(film, k)["select"])
        for node, (said, _, group) in seen.items():
            score = now.score(node)
            wanted = [share(now, node)] + [fixed(score) if score is not None else "–"] * (node > 0)
            assert said == wanted
            ground, fill = group.findall(f"{SVG}rect")[:2]
            low, high = film.data.reward_range
            mean = now.wins[node] / now.visits[node] if now.visits[node] else low
            wide = (mean - low) / (high - low) * float(ground.get("width"))
            assert float(fill.get("width")) == pytest.approx(wide, abs=0.06)
            assert f"of-{trace.player_just_moved[node] % 3}" in fill.get("class")
            assert ("chosen" in pick(group)) == (node in now.path)
        drawn = {*seen} & {*now.path}
        assert drawn >= {0, *now.path[1:2], now.path[-1]}
        for node in drawn - {0}:  # beside it are those that score highest
            family = [
                n
                for n in now.children(int(trace.parent[node]))
                if n != node and now.score(n) is not None
            ]
            beside = [n for n in family if n in seen]
            assert len(beside) == min(4, len(family))
            lowest = min((now.score(n) for n in beside), default=0)
            assert all(n in seen or now.score(n) <= lowest for n in family)


def test_the_other_panels_show_the_path_before_and_after():
    for film, k in chosen():
        before, after, shown = film.trace.at(k, "simulate"), film.trace.at(k), panels(film, k)
        for phase in ("expand", "simulate"):
            for node, (said, _, group) in pills(shown[phase]).items():
                is_new = node == after.new_node
                assert said == ["new" if is_new else share(before, node)]
                assert ("fresh" in pick(group)) == is_new
        last = shown["backpropagate"]
        had, gains = (
            {int(t.get(name)): t.text for t in last.iter(f"{SVG}text") if t.get(name)}
            for name in ("data-had", "data-gain")
        )
        seen = pills(last)
        assert seen.keys() == had.keys() == gains.keys()
        assert {*seen} == {*after.path} if len(after.path) <= 4 else len(seen) == 4
        for node, (said, _, _) in seen.items():
            assert said == [share(after, node)]
            assert had[node] == f"{share(before, node)} →"
            number = float(gains[node].replace("½", ".5"))
            assert number == pytest.approx(after.wins[node] - before.wins[node], abs=0.0051)


def pick(group):
    """The classes of a pill's outline."""
    return group.findall(f"{SVG}rect")[-1].get("class").split()


def test_words_name_the_result_the_moves_and_who_moved():
    for film, k in chosen():
        trace, game, shown = film.data.trace, film.data.game, panels(film, k)
        drawn = len(pills(shown["select"]))
        left = [
            int(n)
            for text in texts(shown["select"])
            for n in re.findall(r"(\d+) nodes not drawn", text)
        ]
        there = int((film.data.source.created_at < k).sum())
        assert left == [there - drawn] * (there - drawn > 1)
        outcome = trace.outcomes[trace.outcome[k - 1]]
        said = texts(shown["simulate"])
        assert outcome_text(game, outcome.returns) in said
        moves = trace.playouts[k].tolist()
        footer = said[-1]
        if moves:
            state = game.playout_from(trace.state(int(trace.leaf[k - 1])))
            told = []
            for code in moves:
                action = trace.actions[code]
                name = short_name(plain(game.action_label(state, action)))
                told.append(f"{plain(game.players[game.to_move(state)])} {name}")
                state = game.play(state, action)
            *first, last = footer.split(", ")
            if first == told[:-1] and last == told[-1]:
                continue
            assert first == told[: len(first)]
            assert last.removeprefix("… ") == f"{len(moves)} moves"
        else:
            assert footer == "nothing is played"


def test_nothing_lies_over_anything_or_outside():
    for film, k in chosen():
        for phase, panel in panels(film, k).items():
            boxes = [box for _, box, _ in pills(panel).values()]
            for box in boxes:
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= PANEL
            for number, one in enumerate(boxes):
                for other in boxes[:number]:
                    beside = (
                        one["x"] + one["width"] <= other["x"]
                        or other["x"] + other["width"] <= one["x"]
                    )
                    above = (
                        one["y"] + one["height"] <= other["y"]
                        or other["y"] + other["height"] <= one["y"]
                    )
                    assert beside or above, (film, k, phase)
            for text in panel.iter(f"{SVG}text"):
                look, x, long = (
                    text.get("class") or "",
                    float(text.get("x")),
                    LETTER * len(text.text),
                )
                if (
                    "title" not in look
                    and "on" not in look.split()
                    and panel is not None
                    and not text_in_a_badge(text)
                ):
                    start = any(name in look.split() for name in ("said", "first"))
                    end = any(name in look.split() for name in ("told", "last"))
                    left = x if start else x - long if end else x - long / 2
                    assert left >= -1, (film, k, phase, text.text)
                    assert float(text.get("y")) <= FOOT


def text_in_a_badge(text):
    return float(text.get("x")) == 10


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
    for width, high in ((934, 300), (1600, 514)):
        for theme in THEMES:
            picture = lesson().four_phases(34, width, theme, page="film.html")
            root = ElementTree.fromstring(picture)
            assert (root.get("width"), root.get("height")) == (str(width), str(high))
            assert root.get("viewBox") == f"0 0 {WIDE:g} {HIGH:g}"
            assert 'href="film.html#at=34.simulate"' in picture
            assert f".page {{ fill: {THEMES[theme]['page']}; }}" in picture
            assert "forced-colors: active" in picture
            assert not re.search(r": [A-Z-]{3,}[0-9]?;", picture), "every colour has been filled in"
            assert (
                min(
                    map(
                        int,
                        re.findall(
                            r"font(?:-size)?: (\d+)px", picture.split("mcts-phases text")[1]
                        ),
                    )
                )
                >= 11
            )


def test_a_notebook_shows_it_with_its_words():
    forms, metadata = lesson().four_phases(34)._repr_mimebundle_()
    assert set(forms) == {"image/png", "text/plain"}
    assert metadata["image/png"]["alt"] == forms["text/plain"]
    assert forms["text/plain"].startswith("The four phases of iteration 34: At the root move ")


@pytest.mark.parametrize("name", ["random ties", "all below", "two at once", "estimates", "dice"])
def test_a_few_words_say_what_a_phase_did(name):
    """The words say if scores decided, how many nodes joined, and if the game was played out."""
    film, met = READ[name](), set()
    trace, game = film.trace, film.trace.game
    for iteration in film.iterations:
        said = {phase: texts(panel) for phase, panel in panels(film, iteration).items()}
        caption = film.caption(iteration, "select")
        assert "although another move" not in caption or "the way down" in said["select"]
        births = trace.at(iteration, "expand").nodes - trace.at(iteration, "select").nodes
        joins = {0: "no node is added", 1: "one new node joins the tree"}
        assert joins.get(births, f"{births} new nodes join the tree") in said["expand"]
        over = game.is_terminal(trace.state(trace.at(iteration).path[-1]))
        assert ("nothing to add: the game is over" in said["expand"]) == (over and not births)
        state = trace.state(int(trace.leaf[iteration - 1]))
        for code in trace.playouts[iteration].tolist():
            state = game.play(state, trace.actions[code])
        ends = [words for words in said["simulate"] if words.endswith(" to the end")]
        assert bool(ends) == (game.is_terminal(state) and len(trace.playouts[iteration]) > 0)
        met |= {*said["select"], *said["expand"], *ends}
    assert len(met) > 3


def test_what_it_cannot_show_is_said():
    with pytest.raises(TraceError, match="four_phases"):
        walks()[0].four_phases()
    with pytest.raises(TraceError, match="film shows"):
        Film(lesson().trace, iterations=range(1, 9)).four_phases(10)
    for wrong in ("34", 0, 500, True):
        with pytest.raises(TraceError, match="must be a whole number from 1 to 200; you gave"):
            lesson().four_phases(wrong)
    with pytest.raises(MctsVizError, match="theme must be"):
        lesson().four_phases(3, theme="sepia")
    with pytest.raises(MctsVizError, match="width must be"):
        lesson().four_phases(3, width=10)


def test_a_watched_search_says_that_no_playout_was_seen():
    search = MCTS(TicTacToe(), seed=1)
    watch = Watch(search.start())
    for _ in range(40):
        search.run(iterations=1)
        watch.look()
    assert "the playout was not seen" in texts(panels(Film(watch), 30)["simulate"])


def test_panels_lead_into_a_page_with_a_limit_of_its_own():
    root = ElementTree.fromstring(lesson().four_phases(34, page="film.html#end=60&view=walk"))
    links = [link.get("href") for link in root.findall(f"{SVG}a")]
    assert links == [f"film.html#end=60&view=walk&at=34.{phase}" for phase in PHASES]
