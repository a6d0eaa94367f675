"""A watched search: what is read of it, and what the player shows."""

from dataclasses import replace
from typing import Any

from strangers import FAULTS, ExpandAll, Student

from mcts_viz import MCTS, Compare, Film, Player, TicTacToe, Watch
from mcts_viz.trace.trace import Finding


def watched(program: Student, iterations: int = 300, **names: Any) -> Watch:
    watch = Watch(program.root, **names)
    for _ in range(iterations):
        program.iterate()
        watch.look()
    return watch


def test_the_rule_of_a_students_search_is_read_off() -> None:
    watch = watched(Student(1))
    low, high = watch.rule.c or (0, 0)
    assert watch.rule.name == "UCB1"
    assert low <= 1.4 <= high
    assert high - low < 0.02
    assert watch.rule.explained == watch.rule.of > 500
    assert watch.names["visits"] == "visits"
    assert watch.names["wins"] == "wins"


def test_the_film_shows_the_programs_own_numbers() -> None:
    student = Student(2)
    watch = watched(student, 200)
    moment = watch.trace.at(200)
    for number, node in enumerate(watch.nodes):
        assert (moment.visits[number], moment.wins[number]) == (node.visits, node.wins)
    cards = Film(watch).frame(200).cards
    assert cards[0].share == str(student.root.visits)
    assert Player(watch).facts["patterns"]
    pair = Compare(watch, MCTS(TicTacToe(), seed=1).record(iterations=200))
    assert "WatchedGame" not in str(pair.first_facts)


def test_the_film_says_what_was_found_and_where() -> None:
    watch = watched(FAULTS["same-reward"](1))
    [found] = watch.findings
    assert Player(watch).facts["findings"] == [found._asdict()]
    [note] = Film(watched(ExpandAll(1))).payload()["facts"]["findings"]
    assert (note["name"], note["fault"]) == ("all-children-at-once", False)
    for sound in (watched(Student(1)), MCTS(TicTacToe(), seed=1).record(iterations=20)):
        assert "findings" not in Film(sound).payload()["facts"]


def test_in_a_thinned_film_a_finding_is_at_the_next_node_above_that_is_shown() -> None:
    trace = watched(Student(1), 900).trace
    nodes = len(trace.parent)
    found = tuple(Finding("found", "", 900, node) for node in range(nodes))
    film = Film(replace(trace, findings=found), iterations=range(1, 51))
    shown = film.data.shown_nodes.tolist()
    assert len(shown) < nodes
    for node, told in enumerate(film.payload()["facts"]["findings"]):
        above = node
        while above not in shown:
            above = int(trace.parent[above])
        assert shown[told["node"]] == above
