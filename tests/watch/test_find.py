"""What a finding needs to be sure: rules, positions, moves and names that Watch can read."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from kinds import PLANTED
from strangers import AS_NOTES, Student, turn, watched, with_parts

from mcts_viz import ConnectFour, Film, TicTacToe

pytestmark = pytest.mark.many


class Columns(Student):
    """Connect Four on a board that no game reads, from a position with all columns open."""

    rules = ConnectFour()
    draw = 0.0

    def new(self, position, *given):
        node = self.node(np.array([[*line] for line in self.rules.text(position).split()]), *given)
        node.position = position
        over = self.rules.is_terminal(position)
        node.untried = [] if over else [*self.rules.legal_actions(position)]
        return node

    def expand(self, node):
        if not node.untried:
            return node
        move = node.untried.pop(self.random.randrange(len(node.untried)))
        node.children.append(self.new(self.rules.play(node.position, move), node, move))
        return node.children[-1]

    def simulate(self, node):
        position = node.position
        while not self.rules.is_terminal(position):
            position = self.rules.play(
                position, self.random.choice(self.rules.legal_actions(position))
            )
        return self.rules.returns(position)

    def reward(self, node, won):
        return float(won[1 - self.rules.to_move(node.position)])


def test_moves_from_a_position_that_is_not_known_are_not_checked():
    position = Columns.rules.initial_state()
    for column in (3, 3, 2, 4, 2):
        position = Columns.rules.play(position, column)
    watch = watched(Columns(1, position), 400, game=Columns.rules)
    assert (watch.findings, [note.name for note in watch.notes]) == ([], ["moves-unread"])
    assert "state=" in watch.notes[0].text
    told = watched(Columns(1, position), 400, game=Columns.rules, state=lambda node: node.position)
    assert (told.findings, told.notes) == ([], [])
    assert told.trace.root_state == position
    empty = watched(Columns(1, Columns.rules.initial_state()), 400, game=Columns.rules)
    assert (empty.findings, empty.notes) == ([], [])


@pytest.mark.parametrize("signs", ["xo", "12", "OX"])
@pytest.mark.parametrize("state", ["." * 9, "XO......."])
def test_pieces_with_other_signs_are_no_fault(signs, state):
    table = str.maketrans("XO", signs)
    watch = watched(
        Student(1, state), 400, game=TicTacToe(), state=lambda node: node.state.translate(table)
    )
    assert watch.findings == []


@pytest.mark.parametrize("state", ["." * 9, "XO..X...."])
def test_moves_that_are_numbered_from_one_or_in_another_order_are_read(state):
    from_one = watched(Student(1, state), 400, game=TicTacToe(), move=lambda node: node.move + 1)
    assert (from_one.findings, from_one.notes) == ([], [])

    def turned(node):
        return int(3 * (node.move % 3) + node.move // 3)

    watch = watched(Student(1, state), 400, game=TicTacToe(), move=turned)
    assert (watch.findings, watch.notes) == ([], [])  # its positions say which moves are meant


@pytest.mark.parametrize("name", ["current_player", "getCurrentPlayer", "to_move"])
def test_two_players_who_get_the_same_reward_are_found_by_the_names_of_their_positions(
    name,
):
    def state(node):
        player = turn(node.state)
        return SimpleNamespace(**{name: (lambda: player) if "C" in name else player})

    watch = watched(AS_NOTES["same-reward"](1), state=state)
    assert [finding.name for finding in watch.findings] == ["same-reward"]


def test_a_second_rule_that_explains_as_much_is_named():
    def puct(self, child, parent):
        return self.mean(child, parent) + 0.5 * math.sqrt(parent.visits) / (1 + child.visits)

    program = with_parts(score=puct)
    watch = watched(program(1), 26)
    assert (watch.rule.name, watch.rule.c) == ("UCB1 or PUCT", None)
    assert "c =" not in f"{watch.rule} {Film(watch).data.subtitle}"
    assert watched(program(1), 300).rule.name == "PUCT"


@pytest.mark.parametrize(
    "name",
    ["same-reward (by the rules)", "wrong-viewpoint (of one)", "flipped-for-one-player"],
)
def test_a_wrong_viewpoint_is_not_proven_by_a_draw(name):
    """Of a draw both players get the same, in a sound search too."""
    kind, game, _ = PLANTED[name]
    for seed in (3, 6):
        watch = watched(kind(seed), 400, game=game)
        [found] = watch.findings
        now, before = (watch.trace.at(time).wins for time in (found.iteration, found.iteration - 1))
        gained = now[found.node] - (before[found.node] if found.node < len(before) else 0)
        assert gained in (0, 1), found
