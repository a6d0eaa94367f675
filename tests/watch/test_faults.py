"""Planted faults of all families: each by its own name, and each sentence by its own facts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from strangers import (
    AS_NOTES,
    AT_THE_END,
    FAULTS,
    WITH_GAME,
    Careful,
    Student,
    play,
    to_move,
    turn,
    watched,
    with_parts,
)
from test_styles import turned as for_x

from mcts_viz import TicTacToe
from mcts_viz.trace.columns import Finding
from mcts_watch import Watch
from mcts_watch.ends import Playouts
from mcts_watch.replay import Replay

pytestmark = pytest.mark.many

SLUGS = (Path(__file__).parents[2] / "docs" / "WATCH.md").read_text("utf-8")
SEEDS = [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 6))]


class ParentPaid(Student):
    """Each reward is added to the node above, so the last one of a path gets none."""

    def backpropagate(self, node: Any, won: str | None) -> None:
        while node:
            node.visits += 1
            if node.parent:
                node.parent.wins += self.reward(node.parent, won)
            node = node.parent


class NeverReset(Student):
    total = 0.0

    def reward(self, node: Any, won: str | None) -> float:
        self.total += super().reward(node, won)
        return self.total


class SiblingsToo(Student):
    def counted(self, path: list[Any], won: str | None) -> list[Any]:
        for node in path[:-1]:
            for sibling in node.parent.children:
                sibling.visits += sibling is not node
        return path


class LeafOpposite(Student):
    """The last node gets what its opponent should."""

    def counted(self, path: list[Any], won: str | None) -> list[Any]:
        self.last = path[0]
        return path

    def reward(self, node: Any, won: str | None) -> float:
        reward = super().reward(node, won)
        return 1 - reward if node is self.last else reward


class WrongCell(Student):
    """Every 60th node holds another move than it says."""

    made = 0

    def expand(self, node: Any) -> Any:
        self.made += 1
        others = [move for move in node.untried if node.untried and move != node.untried[-1]]
        if self.made % 60 or not others:
            return super().expand(node)
        move = node.untried.pop()
        node.children.append(self.new(play(node.state, self.random.choice(others)), node, move))
        return node.children[-1]


class Stored(Student):
    """A score is kept from the last visit of its node."""

    def score(self, child: Any, parent: Any) -> float:
        return float(child.kept)

    def backpropagate(self, node: Any, won: str | None) -> None:
        super().backpropagate(node, won)
        while node.parent:
            node.kept = Student.score(self, node, node.parent)
            node = node.parent


class AtRandomUntilAll(Careful):
    def best(self, node: Any) -> Any:
        if all(child.visits for child in node.children):
            return super().best(node)
        return self.random.choice(node.children)

    def expand(self, node: Any) -> Any:
        node.children += [self.new(play(node.state, move), node, move) for move in node.untried]
        node.untried = []
        return self.random.choice(node.children) if node.children else node


def root_of(node: Any) -> Any:
    while node.parent:
        node = node.parent
    return node


MORE: dict[str, type[Student]] = {
    "left-out (middle)": with_parts(
        Careful, counted=lambda self, path, won: [path[0], *path[1:][-1:]]
    ),
    "counted-twice (siblings)": SiblingsToo,
    "unpaid": ParentPaid,
    "paid-twice": with_parts(
        LeafOpposite,
        reward=lambda self, n, won: Student.reward(self, n, won) * (1 + (n is self.last)),
    ),
    "leaf-viewpoint": LeafOpposite,
    "reward-grows": NeverReset,
    "wrong-viewpoint": with_parts(
        mean=lambda self, k, above: (1 if turn(above.state) == "X" else -1) * k.wins / k.visits
    ),
    "wrong-position": WrongCell,
    "stored-score": Stored,
    "random-at-first": AtRandomUntilAll,
    "root-in-logarithm": with_parts(
        bonus=lambda self, k, above: self.c * math.sqrt(math.log(root_of(above).visits) / k.visits)
    ),
    "parent-in-mean": with_parts(mean=lambda self, k, above: k.wins / above.visits),
    "parent-in-mean (of the player to move)": with_parts(
        player=to_move, mean=lambda self, k, above: -k.wins / above.visits
    ),
    "most-visited": with_parts(score=lambda self, k, above: float(k.visits)),
}


def now_and_then_twice(kind: type[Student]) -> type[Student]:
    """The program, of which every 40th call walks twice."""

    def iterate(student: Student) -> None:
        kind.iterate(student)
        student.calls = getattr(student, "calls", 0) + 1  # type: ignore[attr-defined]
        if student.calls % 40 == 0:  # type: ignore[attr-defined]
            kind.iterate(student)

    return with_parts(kind, iterate=iterate)


@pytest.mark.parametrize("name", [name for name in FAULTS if name.startswith("counted-twice")])
def test_some_looks_that_see_two_walks_hide_no_node_that_is_counted_twice(name: str) -> None:
    watch = watched(now_and_then_twice(FAULTS[name])(1), 400, game=TicTacToe())
    assert [found.name for found in watch.findings] == ["counted-twice"]
    assert "walks" in [note.name for note in watch.notes]


class EveryNewChildIsPlayedOut(Student):
    """All children are added at once, each with a playout, so few looks see one path."""

    def iterate(self) -> None:
        leaf = self.select(self.root)
        options, leaf.untried = leaf.untried, []
        leaf.children += [self.new(play(leaf.state, move), leaf, move) for move in options]
        for node in leaf.children or [leaf]:
            self.backpropagate(node, self.simulate(node))


def test_one_reward_for_all_is_found_also_where_few_looks_see_one_path() -> None:
    sound, faulty = (
        watched(kind(1, "XO..X...."), 60, game=TicTacToe())
        for kind in (
            EveryNewChildIsPlayedOut,
            with_parts(EveryNewChildIsPlayedOut, simulate=lambda *_: None),
        )
    )
    assert [found.name for found in faulty.findings] == ["no-playout"]
    assert sound.findings == []


def claims(found: Finding) -> Iterator[tuple[str, float]]:
    """The facts that a sentence claims of one node in one iteration: what it got, and where."""
    for kind, pattern in (
        ("iteration", r"iteration (\d+)"),
        ("visits", r"visits of [a-z' ]+ grow by ([\d.]+) in iteration"),
        ("no visits", r"gets no visit in iteration"),
        ("reward", r"that node gets ([-\d.]+)|last node of a path gets ([-\d.]+) per visit"),
        ("reward", r"opponent's reward: here, in iteration \d+, ([-\d.]+),"),
        ("node", r"into node (\d+),|^Node (\d+) "),
    ):
        if match := re.search(pattern, found.text):
            said = [group for group in match.groups() if group]
            yield kind, float(said[0].rstrip(".")) if said else 0.0


def facts(replay: Replay, found: Finding) -> dict[str, float]:
    """The watched numbers of the node, and of the iteration, that prove a finding."""
    [moment] = [one for one in replay.moments if one.time == found.iteration]
    at = moment.nodes.index(found.node)
    visits, gain = moment.more[at], moment.gain[at]
    return {
        "iteration": found.iteration,
        "node": found.node,
        "visits": visits,
        "no visits": visits,
        "reward": gain / visits if visits else 0.0,
    }


def check_pointers(replay: Replay, found: Finding) -> None:
    """Iterations, nodes, moves and counts that a sentence names are those of its proof."""
    times = {int(time) for time in re.findall(r"iteration (\d+)", found.text)}
    assert times <= {found.iteration}, found.text
    near = {found.node, replay.looker.parent[found.node], *replay.looker.kids[found.node]}
    assert {int(node) for node in re.findall(r"[Nn]ode (\d+)", found.text)} <= near, found.text
    for count, of in re.findall(r"selects by .* in (\d+) of (\d+) choices", found.text):
        assert (int(count), int(of)) == (replay.rule.explained, replay.rule.of), found.text
    for count, of in re.findall(r"highest mean in (\d+) of (\d+) choices", found.text):
        chosen = replay.choices.node[replay.choices.chosen]
        at_root = sum(replay.looker.parent[node] == 0 for node in chosen)
        assert int(count) == int(of) == at_root, found.text
    for move in re.findall(r"^The move (\d+) ", found.text):
        assert move == str(replay.positions.move(found.node)), found.text
    for move, visits in re.findall(r"legal move (\d+) is never tried here, in (\d+)", found.text):
        assert int(visits) == replay.n[found.node], found.text
        tried = {str(replay.action[kid]) for kid in replay.looker.kids[found.node]}
        assert move not in tried, found.text
    for move in re.findall(r"have the same move, (\d+)", found.text):
        kids = replay.looker.kids[replay.looker.parent[found.node]]
        assert [str(replay.positions.move(kid)) for kid in kids].count(move) > 1, found.text


LATE = {name: (kind, ["XO..X...."]) for name, kind in AT_THE_END.items()}
EVERY = {name: (kind, []) for name, kind in (FAULTS | WITH_GAME | MORE).items()} | {
    f"{name} at the end": case for name, case in LATE.items()
}
"""By name: the faulty search, and the position in which it begins, if that is not the first."""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", EVERY)
def test_a_planted_fault_is_found_by_its_name_and_proven_by_its_numbers(
    name: str, seed: int
) -> None:
    kind, state = EVERY[name]
    for game in [TicTacToe()] + [None] * (name in FAULTS):
        watch = watched(kind(seed, *state), 600 if state else 400, game=game)
        assert [found.name for found in watch.findings] == [name.split()[0]]
        assert all(f"`{one.name}`" in SLUGS for one in watch.findings + watch.notes)
        check_proofs(watch)


def check_proofs(watch: Watch) -> None:
    """Each sentence names a row of the record, and what it claims is what the numbers say."""
    replay = watch._result.replay
    times, nodes, *_ = watch._looker.rows
    rows = {*zip(times, nodes, strict=True)}
    assert all((one.iteration, one.node) in rows for one in watch.findings + watch.notes)
    for found in watch.findings + watch.notes:
        check_pointers(replay, found)
    for found in watch.findings:
        check_counts(watch, found)
        said = list(claims(found))
        if not {fact for fact, _ in said} & {"visits", "no visits", "reward"}:
            continue
        true = facts(replay, found)
        for fact, value in said:
            assert true[fact] == pytest.approx(value), found.text


def check_counts(watch: Watch, found: Finding) -> None:
    """A sentence about a node's visits and its children's says what the film counted there."""
    said = re.search(r"children of node (\d+) get (\d+) visits, .* itself (\d+)", found.text)
    if not said:
        return
    node, of_children, own = map(int, said.groups())
    now, before = (watch.trace.at(time) for time in (found.iteration, found.iteration - 1))
    more = now.visits.copy()
    more[: before.nodes] -= before.visits
    children = [child for child in watch.trace.children[node] if child < now.nodes]
    assert (more[children].sum(), more[node]) == (of_children, own), found


@pytest.mark.parametrize("name", AS_NOTES)
def test_what_is_no_fault_or_only_suspected_is_a_note(name: str) -> None:
    watch = watched(AS_NOTES[name](1))
    assert watch.findings == []
    assert name in [note.name for note in watch.notes]
    assert all(f"`{note.name}`" in SLUGS for note in watch.notes)
    check_proofs(watch)


def test_the_most_serious_finding_comes_first() -> None:
    """A card has room for one sign, that of the first."""
    for kind, state in EVERY.values():
        watch = watched(kind(1, *state), 120, game=TicTacToe())
        every = watch.trace.findings
        assert [*every] == watch.findings + watch.notes
        order = [one.fault for one in every]
        assert order == sorted(order, reverse=True)


def test_random_games_are_followed_or_opposed() -> None:
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


def test_a_draw_is_told_from_a_win_and_from_a_loss() -> None:
    for draw, said in ((0.0, "should be 0.5"), (0.5, ""), (1.0, "should be 0.5")):
        watch = watched(with_parts(draw=draw)(1, "XO..X...."), 600, game=TicTacToe())
        assert [found.mark[-len(said) :] for found in watch.findings] == [said] * (draw != 0.5)
        [line] = [line.text for line in watch.checked if line.family == "draws"]
        assert line == "**none seen**" or f"paid {draw:g} where rewards go from 0 to 1" in line
        assert draw == 0.0 or "seen, paid" in line  # drawn games that pay nothing are avoided


@pytest.mark.parametrize("draw", [0.0, 1.0])
def test_a_draw_that_is_paid_as_a_loss_of_one_is_a_win_of_the_other(draw: float) -> None:
    """All nodes count the wins of X: a draw that is paid 0 is a loss for X, and a win for O."""
    program = with_parts(player=lambda *_: "X", mean=for_x, draw=draw)
    watch = watched(program(1, "XOX.O...."), 400, game=TicTacToe())
    [found] = watch.findings
    is_x = watch._result.replay.chooser[found.node] == 0
    said = "as little as a loss" if is_x == (draw == 0.0) else "as much as a win"
    assert (found.name, said in found.text) == ("wrong-result", True), found
