"""A watched search: what is read of it, and what the player shows."""

from dataclasses import replace
from operator import attrgetter

import numpy as np
import pytest
from kinds import SOUND, puct
from strangers import AT_THE_END, FAULTS, ExpandAll, Student, watched

from mcts_viz import MCTS, Compare, Film, Player, TicTacToe
from mcts_viz.film.truth import Truth
from mcts_viz.trace.columns import Finding


def test_the_rule_of_a_students_search_is_read_off():
    watch = watched(Student(1))
    low, high = watch.rule.c or (0, 0)
    assert watch.rule.name == "UCB1"
    assert low <= 1.4 <= high
    assert high - low < 0.02
    assert watch.rule.explained == watch.rule.of > 500
    assert watch.names["visits"] == "visits"
    assert watch.names["wins"] == "wins"


def test_the_film_shows_the_programs_own_numbers():
    student = Student(2)
    watch = watched(student, 200)
    moment = watch.trace.at(200)
    for number, node in enumerate(watch.nodes):
        assert (moment.visits[number], moment.wins[number]) == (node.visits, node.wins)
    cards = Film(watch).frame(200).cards
    assert cards[0].share.endswith(f"/{student.root.visits}")
    assert Player(watch).payloads[0]["facts"]["patterns"]
    pair = Compare(watch, MCTS(TicTacToe(), seed=1).record(iterations=200))
    assert "WatchedGame" not in str(pair.payloads[0]["facts"])


@pytest.mark.parametrize(
    ("name", "is_known"),
    [
        ("Student", True),
        ("ForThePlayerToMove", False),  # of the other player's wins
        ("Thompson", False),
        ("Tables", False),  # its nodes have several parents
    ],
)
def test_the_film_shows_scores_only_if_it_has_all_numbers_of_the_rule(name, is_known):
    data = Film(watched(SOUND[name](1), 150)).data
    scores = [data.lead(iteration) for iteration in range(1, 151)]
    leads = np.array([own - rival for own, rival, _ in scores])
    assert np.isfinite(leads).any() == is_known
    assert np.nanmin([*leads, 0.0]) > -1e-9


def test_the_film_of_puct_has_q_p_and_u():
    student = puct(lambda visits: 1.5)(1)
    watch = watched(student, 200)
    data = Film(watch).data
    low, high = watch.rule.c or (0, 0)
    assert (watch.rule.name, low <= 1.5 <= high) == ("PUCT", True)
    columns = Film(watch).payload()["facts"]["columns"]
    assert "prior" in columns
    for number, node in enumerate(watch.nodes[1:], 1):
        if node.visits and node.parent:
            [q, u] = data.terms(number, 200).tolist()
            assert q == pytest.approx(node.wins / node.visits)
            bonus = node.prior * node.parent.visits**0.5 / (1 + node.visits)
            assert low * bonus - 1e-6 <= u <= high * bonus + 1e-6


def test_the_film_says_what_was_found_and_where():
    watch = watched(FAULTS["never-explores"](1))
    every = [found._asdict() for found in [*watch.findings, *watch.notes]]
    assert Player(watch).payloads[0]["facts"]["findings"] == every
    told = Film(watched(ExpandAll(1))).payload()["facts"]["findings"]
    assert {note["name"]: note["fault"] for note in told} == {"viewpoint-unknown": False}
    assert (
        "findings" not in Film(MCTS(TicTacToe(), seed=1).record(iterations=20)).payload()["facts"]
    )


def test_in_a_thinned_film_a_finding_is_at_the_next_node_above_that_is_shown():
    trace = watched(Student(1), 900).trace
    nodes = len(trace.parent)
    found = tuple(Finding("found", "", 900, node) for node in range(nodes))
    film = Film(replace(trace, findings=found), iterations=range(1, 51))
    shown = film.data.nodes.tolist()
    assert len(shown) < nodes
    for node, told in enumerate(film.payload()["facts"]["findings"]):
        above = node
        while above not in shown:
            above = int(trace.parent[above])
        assert shown[told["node"]] == above


def test_with_a_game_the_film_shows_boards_and_exact_values():
    watch = watched(Student(1), 60, game=TicTacToe())
    trace = watch.trace
    assert all(trace.state(n) == trace.game.parse(node.state) for n, node in enumerate(watch.nodes))
    assert isinstance(Film(trace).truth, Truth)


def test_a_board_that_is_written_is_read_by_the_rules():
    program = Student(1, "XO..X....")
    trace = watched(program, game=TicTacToe(), state=lambda node: "/".join(node.state)).trace
    assert trace.game == TicTacToe()
    assert trace.state(0) == TicTacToe().parse("XO..X....")


def test_the_card_of_a_finding_says_what_it_should_be():
    for name in ("wrong-result", "wrong-result (of a draw)"):
        program = AT_THE_END[name](1, "XO..X....")
        [found] = watched(program, 600, game=TicTacToe()).findings
        assert found.mark.startswith("yours 0")
        assert found.mark.endswith(("should be 1", "should be 0.5"))


def tree(program, node):
    """All numbers of a tree."""
    read = [program.given.get(key, attrgetter(key)) for key in ("visits", "wins", "children")]
    visits, wins, children = (one(node) for one in read)
    return visits, wins, [tree(program, child) for child in children]


@pytest.mark.parametrize("name", ["Student", "Dicts", "Tables"])
def test_a_watch_changes_nothing(name):
    seen, alone = SOUND[name](3), SOUND[name](3)
    watched(seen, 150)
    for _ in range(150):
        alone.iterate()
    assert tree(seen, seen.root) == tree(alone, alone.root)
    assert seen.random.random() == alone.random.random()


class Hostile(str):
    """A move that is written as a page's code."""

    __slots__ = ()

    def __str__(self):
        return "<img src=x onerror=alert(1)>"

    __repr__ = __str__


def test_texts_of_a_strangers_program_are_escaped():
    program = FAULTS["duplicate-move"](1)
    program.root.__dict__["<script>alert(1)</script>"] = 1
    watch = watched(
        program, 60, move=lambda node: Hostile(node.move), state=lambda node: Hostile(1)
    )
    assert watch.findings
    page = str(Film(watch).to_html())
    assert "<img src=x" not in page
    assert "<script>alert" not in page
