"""A watched search: what is read of it, and what the player shows."""

from typing import Any

from strangers import Student

from mcts_viz import MCTS, Compare, Film, Player, TicTacToe, Watch


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
    assert (cards[0].visits, cards[0].wins) == (student.root.visits, student.root.wins)
    assert Player(watch).facts["patterns"]
    Compare(watch, MCTS(TicTacToe(), seed=1).record(iterations=200))
