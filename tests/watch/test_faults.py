"""Planted faults of all families: each by its own name, and each sentence by its own facts."""

from functools import cache

import pytest
from kinds import NOTED, PLANTED, turned
from proofs import check_proofs
from strangers import FAULTS, Student, judged_by, to_move, watched, with_parts

from mcts_viz import TicTacToe
from mcts_watch.ends import Playouts

pytestmark = pytest.mark.many

SEEDS = [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 6))]


def now_and_then_twice(kind):
    """The program, of which every 40th call walks twice."""

    def iterate(student):
        kind.iterate(student)
        student.calls = getattr(student, "calls", 0) + 1
        if student.calls % 40 == 0:
            kind.iterate(student)

    return with_parts(kind, iterate=iterate)


@pytest.mark.parametrize("name", [name for name in FAULTS if name.startswith("counted-twice")])
def test_some_looks_that_see_two_walks_hide_no_node_that_is_counted_twice(name):
    watch = watched(now_and_then_twice(FAULTS[name])(1), 400, game=TicTacToe())
    assert [found.name for found in watch.findings] == ["counted-twice"]
    assert "walks" in [note.name for note in watch.notes]


class EveryNewChildIsPlayedOut(Student):
    """All children are added at once, each with a playout, so few looks see one path."""

    def iterate(self):
        leaf = self.select(self.root)
        self.add_all(leaf)
        for node in leaf.children or [leaf]:
            self.backpropagate(node, self.simulate(node))


def test_one_reward_for_all_is_found_also_where_few_looks_see_one_path():
    sound, faulty = (
        watched(kind(1, "XO..X...."), 60, game=TicTacToe())
        for kind in (
            EveryNewChildIsPlayedOut,
            with_parts(EveryNewChildIsPlayedOut, simulate=lambda *_: None),
        )
    )
    assert [found.name for found in faulty.findings] == ["no-playout"]
    assert sound.findings == []


@cache
def looked_at(kind, seed, *state):
    return watched(kind(seed, *state), 600 if state else 400)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found_by_its_name_and_proven_by_its_numbers(name, seed):
    kind, game, state = PLANTED[name]
    watch = judged_by(game, looked_at(kind, seed, *state))
    assert [found.name for found in watch.findings] == [name.split()[0]]
    check_proofs(watch)


@pytest.mark.parametrize("name", NOTED)
def test_what_is_no_fault_or_only_suspected_is_a_note(name):
    kind, game, state = NOTED[name]
    watch = judged_by(game, looked_at(kind, 1, *state))
    assert watch.findings == []
    assert name.split()[0] in [note.name for note in watch.notes]
    check_proofs(watch)


def test_random_games_are_followed_or_opposed():
    """A family that answered for its opposite would take one for the other."""
    for program, said, names in (
        (Student, "follow random games", []),
        (with_parts(player=to_move), "do not clearly follow", ["wrong-viewpoint"]),
    ):
        watch = watched(program(1), 400, game=TicTacToe())
        [line] = [line.text for line in watch.checked if line.family == "playouts"]
        assert said in line
        assert [found.name for found in watch.findings] == names
        [family] = [Playouts(watch._result.replay)]
        assert family.follow == (not names)


def test_a_draw_is_told_from_a_win_and_from_a_loss():
    for draw, said in ((0.0, "should be 0.5"), (0.5, ""), (1.0, "should be 0.5")):
        watch = watched(with_parts(draw=draw)(1, "XO..X...."), 600, game=TicTacToe())
        assert [found.mark[-len(said) :] for found in watch.findings] == [said] * (draw != 0.5)
        [line] = [line.text for line in watch.checked if line.family == "draws"]
        assert line == "**none seen**" or f"paid {draw:g} where rewards go from 0 to 1" in line
        assert draw == 0.0 or "seen, paid" in line  # drawn games that pay nothing are avoided


@pytest.mark.parametrize("draw", [0.0, 1.0])
def test_a_draw_that_is_paid_as_a_loss_of_one_is_a_win_of_the_other(draw):
    """All nodes count the wins of X: a draw that is paid 0 is a loss for X, and a win for O."""
    program = with_parts(player=lambda *_: "X", mean=turned, draw=draw)
    watch = watched(program(1, "XOX.O...."), 400, game=TicTacToe())
    [found] = watch.findings
    is_x = watch._result.replay.chooser[found.node] == 0
    said = "as little as a loss" if is_x == (draw == 0.0) else "as much as a win"
    assert (found.name, said in found.text) == ("wrong-result", True), found
