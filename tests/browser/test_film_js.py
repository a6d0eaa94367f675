"""The player's look-ups in JavaScript, against Python's: the same numbers, words and boards.

The modules film.js, columns.js, views.js and layout.js.
"""

from __future__ import annotations

import random
import re
from bisect import bisect_right
from collections.abc import Iterator
from math import isfinite, isnan
from typing import Any

import numpy as np
import pytest
from films import excerpts, films, hostile_film
from playwright.sync_api import Browser, Page

from mcts_viz import Film
from mcts_viz.film import board_of
from mcts_viz.film.arrangement import PAGE, arrange
from mcts_viz.film.captions import caption
from mcts_viz.film.drawing import Drawing
from mcts_viz.film.layout import lay_out
from mcts_viz.film.reel import Reel
from mcts_viz.film.words import counted, fixed, outcome_text, plain, plain_lines, short
from mcts_viz.search import PHASES
from mcts_viz.widgets.player import MODULES

from .bare import ADDRESS, bare_page, payload


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with bare_page(browser) as page:
        yield page


@pytest.fixture(params=range(17))
def film(page: Page, request: pytest.FixtureRequest) -> Film:
    """A film that the page has opened as `film`."""
    film = [*films(), hostile_film(), *excerpts()][request.param]
    page.evaluate("payload => open_(payload)", payload(film))
    return film


def some_moments(film: Film, count: int = 200) -> list[tuple[int, int]]:
    """Places of iterations in the film, and phases; among them the first and the last."""
    last, draw = len(film.iterations), random.Random(99)
    drawn = [(draw.randint(1, last), draw.randrange(4)) for _ in range(count - 2)]
    return [(1, 0), (last, 3), *drawn]


def test_frames_are_those_of_python(page: Page, film: Film) -> None:
    moments = some_moments(film)
    frames = page.evaluate(
        """moments => moments.map(([iteration, phase]) => {
            const { path, strip, added, cards, stubs } = film.frame(iteration, phase);
            return {
                path, strip, added: added ?? null,
                cards: cards.filter(card => card.shown).map(card => [
                    card.node, card.visits, card.wins,
                    Number.isFinite(card.score) ? card.score : null, card.onPath, card.added,
                    film.proof(card.node, film.frame(iteration, phase).counted)]),
                stubs: stubs.filter(stub => stub.count).map(s => [s.card, s.count, s.onPath]),
            };
        })""",
        moments,
    )
    for (place, phase), frame in zip(moments, frames, strict=True):
        expected = film.frame(film.iterations[place - 1], PHASES[phase])
        assert frame["path"] == list(expected.path)
        assert frame["strip"] == list(expected.strip)
        assert frame["added"] == expected.new_node
        assert frame["stubs"] == [list(stub) for stub in expected.stubs]
        for card, wanted in zip(frame["cards"], expected.cards, strict=True):
            score = card.pop(3)
            assert card == [*wanted[:3], *wanted[4:]]
            assert score == (None if wanted.score is None else pytest.approx(wanted.score, 1e-6))


def test_captions_are_those_of_python(page: Page, film: Film) -> None:
    moments = some_moments(film)
    words = page.evaluate("moments => moments.map(([k, phase]) => film.caption(k, phase))", moments)
    wanted = [caption(film.reel, film.iterations[k - 1], PHASES[phase]) for k, phase in moments]
    assert words == wanted


def test_an_iteration_has_its_place(page: Page, film: Film) -> None:
    asked = [0, *film.iterations[:40], *range(1, film.last + 9, 1 + film.last // 90), film.last]
    told = page.evaluate(
        "asked => asked.map(k => film.number(Math.min(film.facts.iterations, film.place(k))))",
        [max(1, k) for k in asked],
    )
    assert told == [film.nearest(k) for k in asked]


def test_playouts_are_replayed_move_by_move(page: Page, film: Film) -> None:
    trace, game = film.trace, film.trace.game
    board = board_of(game)
    places = [place for place, _ in some_moments(film)]
    playouts = page.evaluate(
        """places => places.map(k => ({
            result: film.result(k),
            moves: film.playout(k).map(({ label, cells, before }) =>
                [label, cells && [...cells], before && [...before]]),
        }))""",
        places,
    )
    for place, playout in zip(places, playouts, strict=True):
        now = trace.at(film.iterations[place - 1], "simulate")
        assert playout["result"] == outcome_text(game, now.returns)
        state, moves = trace.state(now.path[-1]), []
        for action in now.playout:
            label, before = plain(game.action_label(state, action)), state
            state = game.play(state, action)
            cells = [list(board.cells(s)) for s in (state, before)] if board else [None, None]
            moves.append([label, *cells])
        assert playout["moves"] == moves


def test_comparisons_hold_the_terms_of_the_trace(page: Page, film: Film) -> None:
    moments = some_moments(film, 60)
    for place, phase in moments:
        now = film.reel.trace.at(film.iterations[place - 1], PHASES[phase])
        parents = [node for node in now.path if node in film.reel.cards]
        tables = page.evaluate(
            """([parents, place, phase]) => {
                const { counted, born } = film.frame(place, phase);
                const finite = value => Number.isFinite(value) ? value : null;
                return parents.map(parent => film.children(parent, counted, born).map(row =>
                    [row.node, row.visits, row.wins, ...row.terms.map(finite)]));
            }""",
            [parents, place, phase],
        )
        for parent, rows in zip(parents, tables, strict=True):
            assert [row[0] for row in rows] == list(now.children(parent))
            for node, visits, wins, *terms in rows:
                assert visits == now.visits[node]
                assert wins == pytest.approx(now.wins[node], rel=1e-6, abs=1e-6)
                wanted = now.terms(node)
                assert terms == ([None] * 2 if wanted is None else pytest.approx(wanted, rel=1e-6))


def test_the_root_s_choice_is_told_with_the_c_that_flips_it(page: Page, film: Film) -> None:
    places = sorted({place for place, _ in some_moments(film, 80)})
    details = page.evaluate(
        "places => places.map(k => film.comparison(film.frame(k, 0), 0).detail)", places
    )
    label = film.reel.trace.label
    for number, detail in zip(places, details, strict=True):
        flips, place = film.reel.flips, number - 1
        assert "another c" not in detail.lower() or flips is not None
        if flips is None or isnan(flips.low[place]):
            assert "c would choose" not in detail
            continue
        low, high = float(flips.low[place]), float(flips.high[place])
        if low > 0:
            assert f"c < {fixed(low)}: {plain(label(int(flips.below[place])))}" in detail
        if isfinite(high):
            assert f"c > {fixed(high)}: {plain(label(int(flips.above[place])))}" in detail
        assert ("Every c would choose the same." in detail) == (low == 0 and not isfinite(high))


def test_nodes_have_their_moves_and_positions(page: Page, film: Film) -> None:
    trace, board = film.reel.trace, board_of(film.trace.game)
    nodes = list(range(0, len(trace.parent), 7))
    told = page.evaluate(
        """nodes => nodes.map(node => [
            film.label(node), film.facts.board ? [...film.cells(node)] : film.text(node)])""",
        nodes,
    )
    for node, (label, position) in zip(nodes, told, strict=True):
        state = trace.state(node)
        assert label == plain(trace.label(node))
        if board:
            assert position == list(board.cells(state))
        else:
            assert position == "\n".join(plain_lines(trace.game.text(state)))


# Views -----------------------------------------------------------------------------------------


def random_tree(draw: random.Random, most: int, leafy: bool = False) -> list[int]:
    """The parents of a tree: of long branches, of any shape, or with many leaves."""
    reach = draw.choice([2, 5, most])
    if leafy:
        return [-1] + [draw.randrange(min(box, 6)) for box in range(1, most)]
    return [-1] + [draw.randrange(max(0, box - reach), box) for box in range(1, most)]


def numbers_in(path: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+\.?\d*", path)]


def same_paths(paths: list[str], wanted: tuple[str, ...]) -> None:
    for path, expected in zip(paths, wanted, strict=True):
        assert re.sub(r"[-\d.]+", "", path) == re.sub(r"[-\d.]+", "", expected)
        assert numbers_in(path) == pytest.approx(numbers_in(expected), abs=0.21)


def test_boxes_stand_where_the_tidy_engine_puts_them(page: Page) -> None:
    draw = random.Random(9)
    for most in (1, 2, 3, 8, 30, 30, 120, 120):
        parents = random_tree(draw, most)
        sizes = [(draw.uniform(20, 90), draw.uniform(20, 120)) for _ in parents]
        wanted = lay_out(sizes, parents, "tidy")
        layout = page.evaluate("([s, p]) => modules.layOut(s, p)", [sizes, parents])
        assert [layout["width"], layout["height"]] == pytest.approx(
            [wanted.width, wanted.height], abs=0.11
        )
        for center, expected in zip(layout["centers"], wanted.centers, strict=True):
            assert center == pytest.approx(expected, abs=0.11)
        same_paths(layout["edges"], wanted.edges)


def test_cards_are_arranged_as_in_still_pictures(page: Page) -> None:
    draw = random.Random(10)
    bundled = 0
    for most in (1, 4, 20, 40, 40, 90, 150, 300):
        parents = random_tree(draw, most, leafy=most % 20 == 0)
        size = draw.uniform(50, 95), draw.uniform(80, 120)
        wanted = arrange(parents, size, 8.0, "tidy")
        layout = page.evaluate(
            "([p, s, page]) => modules.arrange(p, s, 8, page)", [parents, size, PAGE]
        )
        bundled += any("V" in path for path in wanted.edges)
        assert [layout["width"], layout["height"]] == pytest.approx(
            [wanted.width, wanted.height], abs=0.11
        )
        for corner, expected in zip(layout["corners"], wanted.corners, strict=True):
            assert corner == pytest.approx(expected, abs=0.21)
        same_paths(layout["edges"], wanted.edges)
    assert bundled > 2


VIEW = """
view => ({
    cards: view.cards, owner: [...view.owner], longest: view.longestStrip,
    stubs: view.stubs.map(({ card, births }) => [card, births]),
    size: [view.width, view.height], strip: [view.strip.beside, view.strip.columns, view.strip.top],
    places: view.stubs.map(({ card }) => view.stubPlace(card)),
    left: [0, 90, 400].map(x => view.stripLeft(x, view.longestStrip)),
})
"""


def drawn(film: Film, cards: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a view of so many cards must say: exactly, and to a tenth of a point."""
    reel = Reel(film.trace, cards, film.reel.iterations)
    picture = Drawing(reel, "tidy")
    exact = {
        "cards": list(reel.cards),
        "owner": reel.owner.tolist(),
        "longest": reel.longest_strip,
        "stubs": [[card, births.tolist()] for card, births in reel.stubs.items()],
    }
    near = {
        "size": [picture.width, picture.height],
        "strip": [picture.beside, picture.strip_columns, picture.strip_top],
        "places": [list(picture.stub_place(card)) for card in reel.stub_cards],
        "left": [picture.strip_left(x, reel.longest_strip) for x in (0, 90, 400)],
    }
    return exact, near


@pytest.mark.parametrize("cards", [1, 7, 25, 120])
def test_a_view_is_the_film_with_so_many_cards(page: Page, film: Film, cards: int) -> None:
    default = len(film.reel.cards)
    if cards == default:
        cards += 1  # the film's own cards stand where Graphviz has put them
    seen = page.evaluate(f"n => ({VIEW})(film.view = film.views.heaviest(n))", cards)
    exact, near = drawn(film, cards)
    if list(film.reel.cards) != exact["cards"]:
        for name, wanted in near.items():
            flat = [seen[name], wanted]
            if name == "places":
                flat = [[n for pair in part for n in pair] for part in flat]
            assert flat[0] == pytest.approx(flat[1], abs=0.21), name
    assert {name: seen[name] for name in exact} == exact
    test_frames_are_those_of_python(page, Film(film.trace, cards, iterations=film.iterations))


def test_a_stub_is_opened_until_nothing_is_hidden(page: Page, film: Film) -> None:
    told = page.evaluate(
        """() => {
            let view = film.view;
            const steps = [];
            for (let turn = 0; view.stubs.length && turn < 12; turn++) {
                const { card } = view.stubs[(7 * turn) % view.stubs.length];
                const next = film.views.opened(view, card);
                steps.push([card, view.cards, next.cards, next.corners.size]);
                view = next;
            }
            return steps;
        }"""
    )
    trace = film.reel.trace
    visits = trace.visits(film.last)
    for card, before, after, placed in told:
        hidden = [node for node in trace.children[card] if node not in before]
        heaviest = sorted(hidden, key=lambda node: (-visits[node], node))[:9]
        assert hidden or film.reel.left_out_ends[card] < film.reel.left_out_ends[card + 1]
        assert after == sorted([*before, *heaviest])
        assert placed == len(after)
    assert bool(told) == bool(film.reel.stubs)


def test_a_part_of_the_tree_is_seen_alone(page: Page, film: Film) -> None:
    trace, left_out = film.reel.trace, np.diff(film.reel.left_out_ends)
    visits, draw = trace.visits(film.last), random.Random(3)
    for top in [0, *draw.choices(range(len(trace.parent)), k=4)]:
        inside = {top}
        for node in range(top + 1, len(trace.parent)):
            if int(trace.parent[node]) in inside:
                inside.add(node)
        view = page.evaluate(f"top => ({VIEW})(film.views.heaviest(15, top))", top)
        heaviest = sorted(inside, key=lambda node: (-visits[node], node))[:15]
        assert view["cards"] == sorted(heaviest)
        hidden = sum(len(births) for _, births in view["stubs"])
        assert len(view["cards"]) + hidden == len(inside) + left_out[list(inside)].sum()
        assert {node for node, owner in enumerate(view["owner"]) if owner >= 0} == inside
        without: list[int] = []  # by node: nodes without a card, on the way to it
        for node, parent in enumerate(trace.parent.tolist()):
            without.append((without[parent] if node else 0) + (node not in heaviest))
        assert view["longest"] == max(without)


# Words and counts ------------------------------------------------------------------------------


def test_numbers_are_written_as_in_python(page: Page) -> None:
    draw = random.Random(7)
    numbers = [0, -0.0, 0.005, 0.015, 0.125, -0.125, 2.675, 1.005, -1e-17, 100, 120, 0.1, 1e9, 12.3]
    numbers += [draw.uniform(-3, 3) for _ in range(2000)]
    numbers += [draw.randrange(10**6) / 8 for _ in range(2000)]  # many exact halves
    written = page.evaluate(
        "numbers => numbers.map(n => [modules.fixed(n), modules.short(n)])", numbers
    )
    assert written == [[fixed(number), short(number)] for number in numbers]
    counts = page.evaluate("() => [0, 1, 2].map(n => modules.counted(n, 'move'))")
    assert counts == [counted(n, "move") for n in range(3)]


def test_counting_agrees_with_bisection(page: Page) -> None:
    draw = random.Random(8)
    for _ in range(100):
        values = sorted(draw.choices(range(30), k=draw.randrange(20)))
        start = draw.randint(0, len(values))
        end = draw.randint(start, len(values))
        counts = page.evaluate(
            """([values, start, end]) => Array.from({ length: 32 }, (_, limit) =>
                modules.countUpTo(Uint32Array.from(values), start, end, limit))""",
            [values, start, end],
        )
        assert counts == [bisect_right(values[start:end], limit) for limit in range(32)]


def test_the_bundle_is_the_modules(page: Page) -> None:
    """What the widget is given, one file, offers all that the separate files offer together."""
    names = page.evaluate(
        """async ([address, modules]) => {
            const names = async file => Object.keys(await import(address + file));
            const apart = (await Promise.all(modules.map(names))).flat();
            return [[...new Set(apart)].sort(), (await names("bundle.js")).sort()];
        }""",
        [ADDRESS, list(MODULES)],
    )
    assert names[0] == names[1]
    assert {"openFilm", "Film", "Tree", "mount", "default"} <= set(names[1])


@pytest.mark.parametrize("harm", ["", "AAAA", "shorter"])
def test_a_damaged_film_is_an_error_not_a_picture(page: Page, harm: str) -> None:
    sent = payload(films()[0])
    columns = sent["columns"][: len(sent["columns"]) // 8 * 4] if harm == "shorter" else harm
    said = page.evaluate(
        "payload => open_(payload).then(() => 'opened', error => error.name)",
        {**sent, "columns": columns},
    )
    assert said in ("TypeError", "RangeError")
