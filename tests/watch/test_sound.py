"""Sound searches of different style: a watch finds nothing wrong with any of them."""

from __future__ import annotations

import math
import random
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from strangers import (
    ExpandAll,
    Node,
    Student,
    bonus,
    moves,
    play,
    turn,
    watched,
    winner,
    with_parts,
)

from mcts_viz import MCTS
from mcts_viz.games import Nim, Pig
from mcts_viz.search.variants import expand_all, puct
from mcts_watch import Watch

pytestmark = pytest.mark.many

# Nodes of every kind -----------------------------------------------------------------------------


class Style:
    """UCT on tic-tac-toe, as most write it; each style keeps its nodes in another way."""

    c = 1.0
    draw, loss = 0.5, 0.0
    kind: Callable[..., Any]
    """Makes a node from its position, its parent and its move."""
    names = ("state", "children", "visits", "wins")
    start: Any = "." * 9

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.given: dict[str, Any] = {}  # the names that Watch needs
        self.prepare()
        self.root = self.kind(self.start, None, None)

    def prepare(self) -> None:
        pass

    def get(self, node: Any, name: int) -> Any:
        return getattr(node, self.names[name])

    def put(self, node: Any, name: int, value: Any) -> None:
        setattr(node, self.names[name], value)

    def state(self, node: Any) -> Any:
        return self.get(node, 0)

    def kids(self, node: Any) -> Sequence[Any]:
        return self.get(node, 1)  # type: ignore[no-any-return]

    def grow(self, node: Any, move: Any) -> Any:
        """A new child, in its place."""
        child = self.kind(self.play(self.state(node), move), node, move)
        self.get(node, 1).append(child)
        return child

    def numbers(self, node: Any) -> tuple[float, float]:
        """Visits, and wins as the program keeps them."""
        return self.get(node, 2), self.get(node, 3)

    def count(self, node: Any, reward: float) -> None:
        visits, wins = self.numbers(node)
        self.put(node, 2, visits + 1)
        self.put(node, 3, wins + reward)

    def score(self, child: Any, above: Any) -> float:
        visits, wins = self.numbers(child)
        return wins / visits + bonus(self.c, self.numbers(above)[0], visits)

    def moves(self, state: Any) -> Sequence[Any]:
        return moves(state)

    def play(self, state: Any, move: Any) -> Any:
        return play(state, move)

    def playout(self, state: Any) -> Any:
        """The last position."""
        while options := self.moves(state):
            state = self.play(state, self.random.choice(options))
        return state

    def reward(self, state: Any, end: Any) -> float:
        """The reward of the end for the player who moved into ``state``."""
        won = winner(end)
        return self.draw if won is None else self.loss if won == turn(state) else 1.0

    def credit(self, path: list[Any]) -> None:
        end = self.playout(self.state(path[-1]))
        for node in path:
            self.count(node, self.reward(self.state(node), end))

    def iterate(self) -> None:
        path = [self.root]
        while options := self.moves(self.state(path[-1])):
            node, kids = path[-1], self.kids(path[-1])
            if len(kids) < len(options):
                path.append(self.grow(node, options[len(kids)]))
                break
            path.append(max(kids, key=lambda kid: self.score(kid, node)))
        self.credit(path)


class OneViewpointWithTheSignAtSelection(Style):
    class Knoten:
        __slots__ = ("besuche", "brett", "kinder", "vater", "wert", "zug")

        def __init__(self, brett: str, vater: Any, zug: Any) -> None:
            self.brett, self.vater, self.zug = brett, vater, zug
            self.kinder: list[Any] = []
            self.besuche = self.wert = 0

    kind, c = Knoten, math.sqrt(2)
    names = ("brett", "kinder", "besuche", "wert")

    def prepare(self) -> None:
        self.given = {"children": "kinder", "visits": "besuche", "wins": "wert"}

    def score(self, child: Any, above: Any) -> float:
        sign = 1 if turn(above.brett) == "X" else -1
        return sign * child.wert / child.besuche + bonus(self.c, above.besuche, child.besuche)

    def reward(self, state: Any, end: Any) -> float:
        return {"X": 1, "O": -1, None: 0}[winner(end)]


class RunningMean(Style):
    """A dataclass."""

    @dataclass(eq=False)
    class TreeNode:
        state: str
        parent: Any = None
        action: Any = None
        children: list[Any] = field(default_factory=list)
        visit_count: int = 0
        mean_value: float = 0.0

    kind, c = TreeNode, 1.2

    names = ("state", "children", "visit_count", "mean_value")

    def score(self, child: Any, above: Any) -> float:
        return float(child.mean_value + bonus(self.c, above.visit_count, child.visit_count))

    def count(self, node: Any, reward: float) -> None:
        node.visit_count += 1
        node.mean_value += (reward - node.mean_value) / node.visit_count


class NodesThatAreDicts(Style):
    draw, loss = 0, -1
    c = 1.41

    def prepare(self) -> None:
        self.given = {
            name: itemgetter(at) for name, at in zip(Style.names, self.names, strict=True)
        }

    def kind(self, board: str, parent: Any, move: Any) -> dict[str, Any]:
        return {"board": board, "move": move, "children": [], "visits": 0, "reward": 0}

    names = ("board", "children", "visits", "reward")

    def get(self, node: Any, name: int) -> Any:
        return node[self.names[name]]

    def put(self, node: Any, name: int, value: Any) -> None:
        node[self.names[name]] = value


class TablesWithoutNodes(Style):
    """A node is its position, and may be reached in several ways."""

    def prepare(self) -> None:
        self.wins: dict[str, float] = defaultdict(float)
        self.visits: dict[str, int] = defaultdict(int)
        self.below: dict[str, list[str]] = {}
        self.given = {
            "children": lambda state: self.below.get(state, ()),
            "visits": lambda state: self.visits.get(state, 0),
            "wins": lambda state: self.wins.get(state, 0),
        }

    def kind(self, board: str, parent: Any, move: Any) -> str:
        return board

    def iterate(self) -> None:
        path = [self.root]
        while below := self.below.get(path[-1]):
            if untried := [state for state in below if state not in self.below]:
                path.append(untried[-1])
                break
            path.append(max(below, key=lambda state: self.score(state, path[-1])))
        self.below.setdefault(path[-1], sorted({play(path[-1], move) for move in moves(path[-1])}))
        self.credit(path)

    def state(self, node: Any) -> Any:
        return node

    def numbers(self, node: Any) -> tuple[float, float]:
        return self.visits[node], self.wins[node]

    def count(self, node: Any, reward: float) -> None:
        self.visits[node] += 1
        self.wins[node] += reward


class TablesThatLeaveTheRootOut(TablesWithoutNodes):
    """Plays and wins by position, added once in a playout; compared once all have been played."""

    c = 1.4

    def prepare(self) -> None:
        super().prepare()
        self.given["children"] = lambda state: [o for o in self.after(state) if o in self.visits]

    def after(self, state: str) -> list[str]:
        return [play(state, move) for move in moves(state)]

    def iterate(self) -> None:
        state, path, grows = self.root, [], True
        while options := self.after(state):
            if all(option in self.visits for option in options):
                above = sum(self.visits[option] for option in options)
                scores = {
                    o: self.wins[o] / self.visits[o] + bonus(self.c, above, self.visits[o])
                    for o in options
                }
                state = max(options, key=lambda o: scores[o])
            else:
                state = self.random.choice(options)
            if grows and state not in self.visits:
                grows, self.visits[state] = False, 0
            path.append(state)
        for passed in [passed for passed in path if passed in self.visits]:
            self.count(passed, self.reward(passed, state))


class NodesThatAreTheMovesUntilThere(TablesWithoutNodes):
    """After two moves a node looks like a pair of a key and a child; wins are means."""

    c, start = 0.8, ()

    def iterate(self) -> None:
        path: list[Any] = [self.root]
        while options := self.below.get(path[-1]):
            new = [option for option in options if not self.visits[option]]
            best = max(options, key=lambda node: self.score(node, path[-1])) if not new else None
            path.append(best or self.random.choice(new))
        options = moves(self.state(path[-1]))
        self.below.setdefault(path[-1], [(*path[-1], move) for move in options])
        self.credit(path)

    def state(self, node: Any) -> str:
        board = "." * 9
        for move in node:
            board = play(board, move)
        return board

    def score(self, child: Any, above: Any) -> float:
        return self.wins[child] + bonus(self.c, self.visits[above], self.visits[child])

    def count(self, node: Any, reward: float) -> None:
        self.visits[node] += 1
        self.wins[node] += (reward - self.wins[node]) / self.visits[node]


class BoardsOfPlusAndMinusOne(Style):
    """Wins for the player to move at the node, turned round at selection, and halved."""

    class MCTSNode:
        def __init__(self, game: Any, parent: Any = None, action_taken: Any = None) -> None:
            self.game, self.parent, self.action_taken = game, parent, action_taken
            self.children: list[Any] = []
            self.visit_count = self.value_sum = 0

    class Position:
        def __init__(self, board: Any, player: int) -> None:
            self.board, self.player = board, player

        def sums(self) -> list[int]:
            b = self.board
            lines = (*b, *b.T, b.diagonal(), np.fliplr(b).diagonal())
            return [int(line.sum()) for line in lines]

    kind, c = MCTSNode, 1.41
    names = ("game", "children", "visit_count", "value_sum")
    start = Position(np.zeros((3, 3), int), 1)

    def moves(self, state: Any) -> Sequence[Any]:
        over = 3 in map(abs, state.sums())
        return [] if over else [tuple(map(int, cell)) for cell in np.argwhere(state.board == 0)]

    def play(self, state: Any, move: Any) -> Any:
        board = state.board.copy()
        board[move] = state.player
        return type(state)(board, -state.player)

    def reward(self, state: Any, end: Any) -> float:
        return float(state.player * (3 in end.sums()) - state.player * (-3 in end.sums()))

    def score(self, child: Any, above: Any) -> float:
        value = 1 - (child.value_sum / child.visit_count + 1) / 2
        return value + bonus(self.c, above.visit_count, child.visit_count)


# Other games -------------------------------------------------------------------------------------


class Walk(Style):
    """A search of a game that is not tic-tac-toe; ``at`` is its position."""

    class Walker:
        def __init__(self, at: Any, parent: Any, move: Any) -> None:
            self.at, self.parent, self.move = at, parent, move
            self.children: list[Any] = []
            self.visits, self.total = 0, 0.0

    kind = Walker
    names = ("at", "children", "visits", "total")


class APuzzleOfOnePlayer(Walk):
    """Choose numbers of which the sum is a half of all; rewards are near 1."""

    c, start = 0.3, (0, 0)

    def prepare(self) -> None:
        self.given_numbers = [self.random.randrange(10, 99) for _ in range(14)]

    def moves(self, state: Any) -> Sequence[Any]:
        return [0, 1] if state[0] < 14 else []

    def play(self, state: Any, move: Any) -> Any:
        return state[0] + 1, state[1] + move * self.given_numbers[state[0]]

    def reward(self, state: Any, end: Any) -> float:
        return 1 - abs(sum(self.given_numbers) // 2 - end[1]) / sum(self.given_numbers)


class PointsFrom0To200OnAWay(Walk):
    c, start = 40, (0, 0)

    def prepare(self) -> None:
        self.grid = [[self.random.randrange(20) for _ in range(6)] for _ in range(6)]

    def moves(self, state: Any) -> Sequence[Any]:
        return ["D"] * (state[0] < 5) + ["R"] * (state[1] < 5)

    def play(self, state: Any, move: Any) -> Any:
        return state[0] + (move == "D"), state[1] + (move == "R")

    def credit(self, path: list[Any]) -> None:
        way = [node.at for node in path]
        while options := self.moves(way[-1]):
            way.append(self.play(way[-1], self.random.choice(options)))
        for node in path:
            self.count(node, sum(self.grid[row][column] for row, column in way))


class TwoWhoPlayTogether(PointsFrom0To200OnAWay):
    """They move in turn, and both get the points."""

    def kind(self, at: tuple[int, int], parent: Any, move: Any) -> Any:
        node = self.Walker(at, parent, move)
        node.player = sum(at) % 2
        return node


class RewardsThatAreDiscountedOnTheWay(Walk):
    c, start = 2, 0

    def prepare(self) -> None:
        self.chain = [[self.random.random() for _ in range(3)] for _ in range(8)]

    def moves(self, state: Any) -> Sequence[Any]:
        return [0, 1, 2] if state < 8 else []

    def play(self, state: Any, move: Any) -> Any:
        return state + 1

    def credit(self, path: list[Any]) -> None:
        value = 0.0
        for depth in reversed(range(path[-1].at, 8)):
            value = self.random.choice(self.chain[depth]) + 0.9 * value
        for node in path[:0:-1]:
            value = self.chain[node.at - 1][node.move] + 0.9 * value
            self.count(node, value)
        self.count(path[0], value)


class OneViewpointWherePlayersMoveAgain(Walk):
    """A player who leaves a multiple of four moves again. A position, (left, to move), names no
    player."""

    start = 13, 0
    names = ("state", "children", "visits", "wins")

    def kind(self, state: Any, parent: Any, move: Any) -> Any:
        return SimpleNamespace(state=state, parent=parent, children=[], visits=0, wins=0.0)

    def moves(self, state: Any) -> Sequence[Any]:
        return range(1, min(3, state[0]) + 1)

    def play(self, state: Any, move: Any) -> Any:
        left = state[0] - move
        return left, 1 - state[1] if left % 4 else state[1]

    def reward(self, state: Any, end: Any) -> float:
        return float(1 - 2 * end[1])

    def score(self, child: Any, above: Any) -> float:
        sign = 1 - 2 * above.state[1]
        return float(sign * child.wins / child.visits + bonus(1, above.visits, child.visits))


class TheLastOneLoses(Walk):
    """Nim with three heaps, and nothing that says who is to move."""

    c, start = math.sqrt(2), (3, 4, 5)

    def moves(self, state: Any) -> Sequence[Any]:
        return [
            (*state[:i], state[i] - take, *state[i + 1 :])
            for i in range(3)
            for take in range(1, state[i] + 1)
        ]

    def play(self, state: Any, move: Any) -> Any:
        return move

    def credit(self, path: list[Any]) -> None:
        heaps, turns = path[-1].at, len(path)
        while options := self.moves(heaps):
            heaps, turns = self.random.choice(options), turns + 1
        for depth, node in enumerate(path):
            self.count(node, float((turns - depth) % 2 == 0))


class BothMoveAtOnce(Style):
    """A child for each pair of moves; wins are kept by each player's own move, on the parent."""

    class Joint:
        def __init__(self, depth: int) -> None:
            self.depth, self.n = depth, 0
            self.children: dict[tuple[int, ...], Any] = {}
            self.counts, self.gains = np.zeros((2, 3)), np.zeros((2, 3))

    def kind(self, state: Any, parent: Any, move: Any) -> Any:
        return self.Joint(0)

    def prepare(self) -> None:
        self.pays = [[self.random.random() for _ in range(3)] for _ in range(3)]

    def iterate(self) -> None:
        node, path, total, is_new = self.root, [], 0.0, False
        while node.depth < 3 and not is_new:
            with np.errstate(all="ignore"):
                scores = node.gains / node.counts + np.sqrt(np.log(node.n) / node.counts)
            joint = tuple(np.where(node.counts, scores, np.inf).argmax(axis=1).tolist())
            path.append((node, joint))
            is_new = joint not in node.children
            node = node.children.setdefault(joint, self.Joint(node.depth + 1))
            total += self.pays[joint[0]][joint[1]] / 3
        for _ in range(node.depth, 3):
            total += self.random.choice(self.random.choice(self.pays)) / 3
        node.n += 1
        for passed, (row, column) in path:
            passed.n += 1
            passed.counts[0, row] += 1
            passed.counts[1, column] += 1
            passed.gains[0, row] += total
            passed.gains[1, column] += 1 - total


# By recursion ------------------------------------------------------------------------------------


class NegamaxByRecursion(Style):
    draw, loss = 0, -1

    def kind(self, board: str, parent: Any, move: Any) -> Any:
        return SimpleNamespace(b=board, kids={}, n=0, q=0.0)

    def visit(self, node: Any) -> float:
        """The result for the player to move at the node."""
        options = moves(node.b)
        untried = [move for move in options if move not in node.kids]
        if (node.n == 0 and node is not self.root) or not options:
            value = -self.reward(node.b, self.playout(node.b))
        elif untried:
            move = self.random.choice(untried)
            node.kids[move] = self.kind(play(node.b, move), node, move)
            value = -self.visit(node.kids[move])
        else:
            kids, above = node.kids.values(), node.n
            value = -self.visit(max(kids, key=lambda k: k.q / k.n + bonus(1, above, k.n)))
        node.n += 1
        node.q -= value
        return value

    def iterate(self) -> None:
        self.visit(self.root)


# Students ----------------------------------------------------------------------------------------


class InTable(Node):
    """A search with a table of all nodes, which holds the root before it has a child."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.table: dict[int, Any] = self.parent.table if self.parent else {}  # type: ignore[attr-defined]
        self.table[id(self)] = self


class Tuned(Student):
    def new(self, *given: Any) -> Any:
        node = super().new(*given)
        node.squares = 0.0
        return node

    def score(self, child: Any, parent: Any) -> float:
        mean, share = child.wins / child.visits, math.log(parent.visits) / child.visits
        spread = child.squares / child.visits - mean**2 + math.sqrt(2 * share)
        return float(mean + math.sqrt(share * min(0.25, spread)))

    def counted(self, path: list[Any], won: str | None) -> list[Any]:
        for node in path:
            node.squares += self.reward(node, won) ** 2
        return path


class TwoPlayouts(Student):
    playouts = 2

    def iterate(self) -> None:
        leaf = self.expand(self.select(self.root))
        for _ in range(self.playouts):
            self.backpropagate(leaf, self.simulate(leaf))


class TwoWalks(Student):
    """Two iterations of its own in each call that is watched."""

    c = 0.05

    def iterate(self) -> None:
        super().iterate()
        super().iterate()


def first_play_urgency(student: Student, child: Any, parent: Any) -> float:
    """A child without a visit has the score 1.1."""
    return Student.score(student, child, parent) if child.visits else 1.1


def one_visit_more(student: Student, child: Any, parent: Any) -> float:
    """PUCT whose mean counts each child once more than it was visited."""
    total = sum(kid.visits for kid in parent.children)
    return float((child.wins + 1.5 * math.sqrt(total)) / (1 + child.visits))


def epsilon_greedy(student: Student, node: Any) -> Any:
    is_random = student.random.random() < 0.2
    return student.random.choice(node.children) if is_random else Student.best(student, node)


def random_ties(student: Student, node: Any) -> Any:
    return max(node.children, key=lambda k: (student.score(k, node), student.random.random()))


def thompson(student: Student, child: Any, parent: Any) -> float:
    return student.random.betavariate(1 + child.wins, 1 + child.visits - child.wins)


STYLES = (
    *(NegamaxByRecursion, OneViewpointWithTheSignAtSelection, RunningMean, NodesThatAreDicts),
    *(TablesWithoutNodes, TablesThatLeaveTheRootOut),
    *(NodesThatAreTheMovesUntilThere, BoardsOfPlusAndMinusOne),
    *(
        TwoWhoPlayTogether,
        APuzzleOfOnePlayer,
        PointsFrom0To200OnAWay,
        RewardsThatAreDiscountedOnTheWay,
    ),
    *(OneViewpointWherePlayersMoveAgain, TheLastOneLoses),
    *(BothMoveAtOnce,),
    *(Tuned, TwoPlayouts, TwoWalks),
)
SOUND: dict[str, type[Style] | type[Student]] = {kind.__name__: kind for kind in STYLES} | {
    "WithATable": with_parts(node=InTable),
    "EpsilonGreedy": with_parts(best=epsilon_greedy, c=0.0),
    "Thompson": with_parts(score=thompson),
    "RandomTies": with_parts(best=random_ties),
    "FirstPlayUrgency": with_parts(ExpandAll, score=first_play_urgency, c=0.5),
    "SeveralPlayouts": with_parts(TwoPlayouts, playouts=8),
    "OneVisitMore": with_parts(score=one_visit_more),
}
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", SOUND)
def test_a_sound_search_of_another_style_gives_no_finding(name: str, seed: int) -> None:
    assert watched(SOUND[name](seed)).findings == []


@pytest.mark.parametrize(("c", "seed"), [(0.2, 2), (0.2, 1), (1.5, 1)])
def test_what_two_walks_in_one_look_leave_open_is_no_finding(c: float, seed: int) -> None:
    search = MCTS(Nim((1, 2, 2)), c, seed, selection=puct, expansion=expand_all)
    watch = Watch(search.start())
    for _ in range(120):
        search.run(iterations=2)
        watch.look()
    assert watch.findings == []


@pytest.mark.parametrize("seed", [1, 2])
def test_two_playouts_that_mostly_end_alike_are_not_one_counted_twice(seed: int) -> None:
    assert watched(TwoPlayouts(seed, "XO..X....")).findings == []


def test_a_note_says_that_looks_see_several_walks() -> None:
    watch = watched(TwoWalks(1))
    (note,) = [note for note in watch.notes if note.name == "walks"]
    assert re.search(r"in \d+ of 300 iterations the visits part", note.text)
    parts = [*watch.trace.children[note.node]]
    before, after = (watch.trace.visits(note.iteration - past)[parts] for past in (1, 0))
    assert ((after - before) > 0).sum() > 1, "its proof"
    assert "300 of 300 iterations add up" in str(watch)
    assert "walks" not in {note.name for note in watched(Student(1)).notes}


def test_looks_that_see_the_root_alone_among_several_walks_are_no_fault() -> None:
    """Every fifth iteration stops at the root, and the others walk twice."""
    program = TwoWalks(1)
    watch = Watch(program.root)
    for time in range(200):
        if time % 5:
            program.iterate()
        else:
            program.root.visits += 1
        watch.look()
    assert watch.findings == []
    assert "walks" in [note.name for note in watch.notes]


def test_without_wins_a_note_says_which_name_to_give() -> None:
    watch = watched(SOUND["BothMoveAtOnce"](1))
    assert [note.name for note in watch.notes] == ["wins-unread"]
    assert "wins=" in watch.notes[0].text


def test_luck_is_no_choice_of_the_search() -> None:
    search = MCTS(Pig(), seed=1)
    watch = Watch(search.start(), game=Pig())
    for _ in range(100):
        search.run(iterations=1)
        watch.look()
    assert (watch.rule.name, watch.findings) == ("UCB1", [])


def test_a_table_of_all_nodes_is_not_taken_for_the_children() -> None:
    assert watched(SOUND["WithATable"](1)).names["children"] == "children"


def test_a_look_reads_a_path_and_its_siblings_also_where_positions_have_several_parents() -> None:
    program, read = SOUND["TablesWithoutNodes"](1), list[str]()
    visits = program.given["visits"]
    program.given["visits"] = lambda state: (read.append(state), visits(state))[1]
    watch = watched(program, 500)
    assert len(watch.nodes) > 400
    assert len(read) < 100 * 500
