"""Input that cannot be watched gets one sentence that says what to give instead."""

import copy
import math

import pytest
from strangers import Node, Student, moves, watched

from mcts_viz import MCTS, TicTacToe, TraceError
from mcts_watch import Watch


class Still(Student):
    """A search whose tree never grows."""

    def iterate(self):
        pass


class Bare:
    """A node with two numbers that nothing tells apart."""

    __slots__ = ("aa", "bb", "children", "move", "parent", "state", "untried", "value")

    def __init__(self, state, parent=None, move=None):
        self.state, self.parent, self.move = state, parent, move
        self.children = []
        self.untried = moves(state)
        self.aa = self.bb = 0
        self.value = 0.0


class TwoNumbers(Student):
    node = Bare

    def score(self, child, parent):
        return child.value / child.aa + math.sqrt(2 * math.log(parent.aa) / child.aa)

    def backpropagate(self, node, won):
        while node:
            node.aa += 1
            node.bb += 1
            node.value += self.reward(node, won)
            node = node.parent


class Properties(Node):
    @property
    def mean(self):
        return self.wins / self.visits

    @property
    def broken(self):
        raise RuntimeError("not here")


class WithProperties(Student):
    node = Properties


@pytest.mark.parametrize(
    ("program", "names", "said"),
    [
        (Still, {}, r"children must be an attribute that grows.*children=….*'children'"),
        (
            TwoNumbers,
            {},
            r"visits must be an attribute that grows.*visits=….*None",
        ),
        (Student, {"visits": "nix"}, r"visits must be an attribute.*you gave 'nix'"),
        (Student, {"wins": "nix"}, r"wins must be an attribute.*you gave 'nix'"),
        (Student, {"move": "nix"}, r"move must be an attribute.*you gave 'nix'"),
        (Student, {"state": "nix"}, r"state must be an attribute.*you gave 'nix'"),
        (Student, {"children": "nix"}, r"children must be an attribute.*you gave 'nix'"),
        (Student, {"visits": 3}, r"visits must be an attribute.*, or a function.*you gave 3"),
        (Student, {"visit": "n"}, r"A name must be one of children, visits, .*'visit'"),
        (Student, {"game": 3}, r"game must be a Game.*you gave 3"),
    ],
)
def test_one_sentence_says_what_to_give(program, names, said):
    with pytest.raises(TraceError, match=said):
        watched(program(1), 40, **names)


def test_there_must_be_a_root():
    with pytest.raises(TraceError, match="root must be a node"):
        Watch(None).look()


def test_slots_and_a_name_that_is_given():
    watch = watched(TwoNumbers(1), visits="aa")
    assert (watch.names["wins"], watch.rule.name, watch.findings) == ("value", "UCB1", [])


def test_properties_that_raise_are_left_out():
    watch = watched(WithProperties(1))
    assert (watch.rule.name, watch.findings) == ("UCB1", [])


def test_nodes_that_are_replaced_are_no_moves_tried_twice():
    program = Student(1)
    watch = watched(program, 60)
    for child in program.root.children:
        for below in child.children:
            below.parent = None
    program.root.children = [copy.copy(child) for child in program.root.children]
    watch.look()
    assert "duplicate-move" not in [finding.name for finding in watch.findings]


@pytest.mark.slow
def test_a_hundred_thousand_iterations():
    search = MCTS(TicTacToe(), seed=1)
    watch = Watch(search.start())
    for _ in range(100_000):
        search.run(iterations=1)
        watch.look()
    assert len(watch.trace) == 100_000
    assert watch.rule.name == "UCB1"
    held = sum(column.itemsize * len(column) for column in watch._looker.rows)
    assert held < 24e6
