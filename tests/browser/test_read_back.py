"""Every text that the page makes of a film is collected, without painting, and what it claims is
true.
"""

from __future__ import annotations

import re
from math import isclose
from typing import Any

import pytest
from films import READ, walks
from playwright.sync_api import Page
from read_back import (
    CARD,
    CHOICE,
    NUMBER,
    Decision,
    Walked,
    chances,
    check_title,
    holds,
    moment,
    pays,
    read,
    terms_at,
)

from mcts_viz import Film
from mcts_viz.film.words import fixed, gained, precise, rounded, score_text, short
from mcts_viz.search import PHASES, ucb1

from .bare import ask, payload

COLLECT = """async ({ sent, c }) => {
    const film = await opened(sent);
    const { facts } = film;
    const found = [];
    for (let index = 1; index <= facts.iterations; index++) {
        facts.phases.forEach((phase, number) => {
            if (film.phaseAt(index, number) !== number) return;
            const frame = film.frame(index, number);
            const walked = frame.walk.length ? frame.walk : frame.path;
            const nodes = [...new Set([0, ...walked])];
            const table = (node, other) => {
                const { rows, title, detail } = film.table(frame, node, other);
                const finite = score => (Number.isFinite(score) ? score : null);
                return { title, detail, rows: rows.map(({ node, share, said, score, chosen }) =>
                    ({ node, share, said: said ?? "", score: finite(score), chosen })) };
            };
            found.push({
                iteration: film.iterationAt(index), phase, caption: film.caption(frame),
                levels: frame.walk.map((_, level) => number ? "" : film.levelCaption(frame, level)),
                tables: nodes.map(node => [node, table(node), c === null ? null : table(node, c)]),
                story: film.rootStory?.(frame),
                told: film.told ? nodes.map(node => [node, film.told(node, frame)]) : [],
            });
        });
    }
    return found;
}"""
LEVEL = {
    "level": rf"(?P<place>At the root|After .+?): move {CHOICE}\.",
    "chance": r"(?P<place>After .+?): chance decides, (?P<move>.+)\.",
}
STORY = (
    r"(?P<most>[\d,]+) of (?P<all>[\d,]+) visits went through (?P<move>.+?)"
    r"(?:, whose mean is (?P<mean>-?\d+\.\d\d))?\."
    r"(?: Next comes (?P<next>.+) with (?P<many>[\d,]+)\.)?"
)
TOLD = r"(?P<visits>[\d,]+)(?: of (?P<all>[\d,]+))? visits?(?:, mean (?P<mean>-?\d+\.\d\d))?"


def test_the_page_writes_each_number_as_python_does(page: Page) -> None:
    numbers = [many * 10.0**power for power in range(-30, 22) for many in (1, 2.5, 9.995)]
    numbers += [0.0, 0.125, 1.005, 999.995, 99_949.99, 99_950.0, 1_234_500.0, 2.0**53]
    numbers += [-number for number in numbers]
    said = ask(
        page,
        """async numbers => {
            const { fixed, gained, precise, rounded, scored, short } =
                await module("data/words.js");
            return numbers.map(number => [fixed(number), short(number), scored(number),
                Math.abs(number) < 1e15 ? rounded(number) : "", number > 0 ? precise(number) : "",
                gained(0, number)]);
        }""",
        numbers,
    )
    assert len(said) == len(numbers) > 300
    for number, words in zip(numbers, said, strict=True):
        count = rounded(number) if abs(number) < 1e15 else ""  # no search has more wins
        lead = precise(number) if number > 0 else ""
        gain = gained(0, number)
        assert words == [fixed(number), short(number), score_text(number), count, lead, gain]


def collected(page: Page, film: Film, c: float | None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = ask(page, COLLECT, {"sent": payload(film), "c": c})
    return found


@pytest.mark.parametrize("name", READ)
def test_all_that_the_page_says_of_a_search_is_true(page: Page, name: str) -> None:
    film = READ[name]()
    trace = film.data.trace
    other = 0.3 if trace.selection is ucb1 and trace.c else None
    found = collected(page, film, other)
    assert len(found) == 4 * len(film.iterations) >= 40
    checked: tuple[Any, ...] = ()
    for said in found:
        iteration, phase = said["iteration"], said["phase"]
        assert said["caption"] == film.caption(iteration, phase), "held against the rules elsewhere"
        over = iteration - (phase != PHASES[-1])
        now = moment(trace, over) if over else moment(trace, 1, "select")
        check_levels(film, iteration, said["levels"], said["caption"])
        check_story(trace, now, said["story"])
        known, checked = checked, (over, said["tables"])
        for node, own, with_c in said["tables"] if known != checked else ():
            check_table(film, iteration, phase, node, own, None, now)
            if with_c:
                check_table(film, iteration, phase, node, with_c, other, now)
        for node, told in said["told"]:
            parts = re.fullmatch(TOLD, told)
            assert parts, told
            visits = int(now.visits[node]) if node < now.nodes else 0
            assert int(parts["visits"].replace(",", "")) == visits
            assert (parts["all"] is None) == (node == 0)
            assert node == 0 or int(parts["all"].replace(",", "")) == now.visits[0]
            # Where steps pay, a share of wins is no mean, and the card says what is.
            assert (parts["mean"] is None) == (not visits or pays(trace.game))
            if parts["mean"]:
                assert abs(float(parts["mean"]) - now.wins[node] / visits) <= 0.0051


def check_story(trace: Any, now: Any, story: str) -> None:
    """The sentence on the root: of all its visits, how many went through its first two moves."""
    visits = {n: int(now.visits[n]) for n in trace.children[0] if n < now.nodes}
    ranked = sorted(visits.values(), reverse=True)
    if not ranked or not ranked[0]:
        assert story == "Nothing was tried yet."
        return
    parts = re.fullmatch(STORY, story)
    assert parts, story
    assert int(parts["all"].replace(",", "")) == now.visits[0]
    for move, count, place in (("move", "most", 0), ("next", "many", 1)):
        many = int((parts[count] or "0").replace(",", ""))
        assert many == (ranked[place] if len(ranked) > place else 0)
        assert not many or parts[move] in {trace.label(n) for n in visits if visits[n] == many}
    assert (parts["mean"] is None) == pays(trace.game)
    if parts["mean"]:
        means = [now.wins[n] / ranked[0] for n in visits if visits[n] == ranked[0]]
        assert min(abs(float(parts["mean"]) - mean) for mean in means) <= 0.0051


def check_levels(film: Film, iteration: int, levels: list[str], caption: str) -> None:
    """The sentence at each level of the walk, in Select."""
    now = moment(film.data.trace, iteration, "select")
    for level, sentence in enumerate(levels):
        if not sentence:
            continue
        if level == len(now.path) - 1:
            assert sentence == caption
            continue
        node, chosen = now.path[level : level + 2]
        kind, said = read(LEVEL, sentence)
        assert said["place"] == (f"After {now.trace.label(node)}" if node else "At the root")
        assert said["move"] == now.trace.label(chosen)
        fell = bool(chances(film.trace.game, film.trace.state(node)))
        assert fell == (kind == "chance")
        if fell:
            continue
        forced = iteration == 1 and level < len(film.trace.first_moves)
        forced |= iteration <= film.trace.chosen_iterations
        assert said["how"] == "is chosen" if forced else Decision(now, node).holds(said, chosen)


def check_table(
    film: Film,
    iteration: int,
    phase: str,
    node: int,
    table: dict[str, Any],
    c: float | None,
    now: Any,
) -> None:
    """A row a move that was counted, its numbers, and one highlight: the move that the title
    names."""
    trace = film.data.trace
    forced = iteration == 1 and trace.first_moves and c is None and phase != PHASES[-1]
    forced = forced or (iteration <= trace.chosen_iterations and c is None)
    named = None if forced else check_title(film, iteration, phase, node, c, table["title"])
    rows = {row["node"]: row for row in table["rows"]}
    fell = bool(chances(trace.game, trace.state(node)))
    counted = iteration - (phase != PHASES[-1])  # the new one has been counted in the last phase
    there = {n for n in trace.children[node] if trace.created_at[n] <= counted}
    assert {*rows} == (set() if fell else there), "outcomes are no moves"
    known = terms_at(now, node)
    for child, row in rows.items():
        assert row["share"] == f"{short(now.wins[child])}/{int(now.visits[child])}"
        terms, proof = known[child]
        assert row["said"] == {1: "proven win", -1: "proven loss"}.get(proof, "")
        if terms is not None and c is None and row["score"] is not None:
            assert isclose(row["score"], sum(terms), rel_tol=1e-5, abs_tol=1e-6)
        if not forced:
            assert row["chosen"] == (child == named), "title and highlight name the same move"
    scores = sorted(
        row["score"] for row in rows.values() if row["score"] is not None and not row["said"]
    )
    if table["detail"].endswith("the visits are what it has learnt."):
        assert scores[-1] - scores[0] < 0.05 * abs(scores[-1]) + 1e-9
    elif table["detail"]:
        assert table["detail"].startswith("The moves from here are not in this film")


@pytest.mark.parametrize("number", [0, 1, 2, 5, 6])
def test_all_that_the_page_says_of_a_walk_is_true(page: Page, number: int) -> None:
    film = walks()[number]
    walked = Walked(film.trace)
    found = collected(page, film, None)
    assert len(found) == len(film.trace)
    for said in found:
        step = said["iteration"]
        assert said["caption"] == film.caption(step)
        for node, table, _ in said["tables"]:
            place = re.escape(f"After {film.trace.label(node)}" if node else "At the root")
            title = re.fullmatch(rf"{place}: (?P<share>[^,]+)(?:, .*)?", table["title"])
            assert title, table["title"]
            check_share(walked, node, title["share"])
            for row in table["rows"]:
                assert row["node"] in walked.children[node]
                check_share(walked, row["node"], row["share"])
        for node, told in said["told"]:
            parts = re.fullmatch(r"(.+?), ([\d,]+) of ([\d,]+) games end here", told)
            assert parts, told
            check_share(walked, node, parts[1])
            ends = [walked.ends(film.trace.state(one)) for one in (node, 0)]
            assert [int(part.replace(",", "")) for part in parts.groups()[1:]] == ends


def check_share(walked: Walked, node: int, share: str) -> None:
    """A value or a bound of a node, and how many of its moves were cut off."""
    value, _, cut = share.partition(" ✂")
    if value == "?":
        return
    _, said = read({"card": CARD}, value)
    assert said["whose"] == walked.whose(node)
    assert said["value"] == "?" or holds(said["value"], walked.exact(node))
    assert not cut or int(cut) == len(walked.moves(node)) - len(walked.children[node])
    assert re.search(NUMBER, value) or value.endswith("?")
