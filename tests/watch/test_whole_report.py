"""A report always says what was checked, and users' own tests can ask for it."""

import pytest
from kinds import SOUND
from strangers import FAULTS, Student, watched

from mcts_viz import TicTacToe, TraceError
from mcts_watch import FAMILIES, Watch


def test_each_family_has_one_line_always():
    for game in (None, TicTacToe()):
        for iterations in (1, 5, 300):
            watch = watched(Student(1), iterations, game=game)
            assert [line.family for line in watch.checked] == [family.name for family in FAMILIES]


def test_the_lines_count_what_was_seen():
    student = Student(1, "XO..X....")
    watch = watched(student, 600, game=TicTacToe())
    watch.played = max(student.root.children, key=lambda child: child.visits)
    said = {line.family: line for line in watch.checked}
    assert all(line.done for line in watch.checked)
    assert said["visits"].text == "600 of 600 paths add up"
    assert said["draws"].text.endswith("seen, paid 0.5 where rewards go from 0 to 1")
    assert said["moves"].text == f"{len(watch.nodes) - 1} of {len(watch.nodes) - 1} are legal"
    short = {line.family: line for line in watched(Student(1), 100, game=TicTacToe()).checked}
    assert not short["ends of games"].done
    assert "**none seen**" in short["ends of games"].text


@pytest.mark.parametrize(
    ("name", "whose"),
    [
        ("Student", "the player who chooses"),
        ("ForThePlayerToMove", "the player to move there"),
        ("FixedViewpoint", "one fixed player"),
    ],
)
def test_it_says_whose_wins_selection_takes(name, whose):
    said = {line.family: line.text for line in watched(SOUND[name](1)).checked}
    assert said["selection"].endswith(f"wins read as those of {whose}")


def test_the_report_is_whole():
    watch = watched(FAULTS["counted-twice"](1))
    text = str(watch)
    parts = [watch.rule.text, *watch.names.values()]
    parts += [one.text for one in [*watch.findings, *watch.notes]]
    parts += [str(line) for line in watch.checked]
    assert all(part in text for part in parts)
    assert repr(watch) == "<Watch: 300 iterations, 301 nodes>"
    assert repr(watch.checked[0]) == "<Checked, visits: 300 of 300 paths add up>"


def test_a_test_of_ones_own_can_ask_for_what_was_checked():
    watch = watched(Student(1, "XO..X...."), 600, game=TicTacToe())
    watch.require(rule="UCB1", c=1.4, checked=("visits", "draws", "ends"))
    for wrong, said in (
        ({"rule": "PUCT"}, "its rule is UCB1, not PUCT"),
        ({"c": 2}, "its c is .*, not 2"),
    ):
        with pytest.raises(AssertionError, match=said):
            watch.require(**wrong)
    with pytest.raises(AssertionError, match=r"not checked: draws: .*none seen") as error:
        watched(Student(1), 100, game=TicTacToe()).require(checked=["draws"])
    assert "Checked:" in str(error.value)
    with pytest.raises(AssertionError, match="it has the finding counted-twice"):
        watched(FAULTS["counted-twice"](1)).require()
    with pytest.raises(TraceError, match=r"checked must be some of visits, .*'drawn'"):
        watch.require(checked=["drawn"])


def test_without_a_root_or_a_look_there_is_no_answer():
    for root in (5, "a", [1]):
        with pytest.raises(TraceError, match="root must be a node"):
            Watch(root)
    watch = Watch(Student(1).root)
    for name in ("rule", "findings", "notes", "checked", "trace"):
        with pytest.raises(TraceError, match=r"watch.look\(\) must be called"):
            getattr(watch, name)
    assert str(watch) == "<Watch: 0 iterations, 1 node>"
