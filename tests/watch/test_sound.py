"""Sound searches of different style: a watch finds nothing wrong with any of them."""

from __future__ import annotations

import math
import random
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from strangers import ExpandAll, Node, Student, WrongViewpoint, moves, play, turn, winner

from mcts_viz import Watch

Search = tuple[Any, Callable[[], Any], dict[str, Any]]
"""The root, one iteration, and the names that must be given."""
SOUND: dict[str, Callable[[int], Search]] = {}


def sound(make: Callable[[int], Search]) -> Callable[[int], Search]:
    SOUND[make.__name__] = make
    return make


def bonus(c: float, above: float, visits: float) -> float:
    return c * math.sqrt(math.log(above) / visits)


def rollout(board: str, rng: random.Random) -> str | None:
    while free := moves(board):
        board = play(board, rng.choice(free))
    return winner(board)


@sound
def negamax_by_recursion(seed: int) -> Search:
    rng = random.Random(seed)

    def new(board: str) -> Any:
        return SimpleNamespace(b=board, kids={}, n=0, q=0.0)

    def visit(node: Any) -> float:
        """The result for whoever is to move at the node."""
        free = moves(node.b)
        untried = [move for move in free if move not in node.kids]
        if (node.n == 0 and node is not root) or not free:
            won = rollout(node.b, rng)
            value = 0 if won is None else 1 if won == turn(node.b) else -1
        elif untried:
            move = rng.choice(untried)
            node.kids[move] = new(play(node.b, move))
            value = -visit(node.kids[move])
        else:
            kids = node.kids.values()
            value = -visit(max(kids, key=lambda k: k.q / k.n + bonus(1, node.n, k.n)))
        node.n += 1
        node.q -= value
        return value

    root = new("." * 9)
    return root, lambda: visit(root), {}


@sound
def one_viewpoint_with_the_sign_at_selection(seed: int) -> Search:
    rng = random.Random(seed)

    class Knoten:
        __slots__ = ("besuche", "brett", "kinder", "vater", "wert", "zug")

        def __init__(self, brett: str, vater: Any = None, zug: Any = None) -> None:
            self.brett, self.vater, self.zug = brett, vater, zug
            self.kinder: list[Any] = []
            self.besuche = self.wert = 0

    root = Knoten("." * 9)

    def step() -> None:
        node: Any = root
        while free := moves(node.brett):
            if len(node.kinder) < len(free):
                move = free[len(node.kinder)]
                node.kinder.append(Knoten(play(node.brett, move), node, move))
                node = node.kinder[-1]
                break
            sign, above = 1 if turn(node.brett) == "X" else -1, node.besuche
            node = max(
                node.kinder,
                key=lambda k: sign * k.wert / k.besuche + bonus(math.sqrt(2), above, k.besuche),
            )
        result = {"X": 1, "O": -1, None: 0}[rollout(node.brett, rng)]
        while node:
            node.besuche += 1
            node.wert += result
            node = node.vater

    return root, step, {}


@sound
def a_running_mean(seed: int) -> Search:
    rng = random.Random(seed)

    @dataclass(eq=False)
    class TreeNode:
        state: str
        parent: Any = None
        action: Any = None
        children: list[Any] = field(default_factory=list)
        visit_count: int = 0
        mean_value: float = 0.0

        def score(self) -> float:
            if not self.visit_count:
                return math.inf
            return self.mean_value + bonus(1.2, self.parent.visit_count, self.visit_count)

    root = TreeNode("." * 9)

    def step() -> None:
        node: Any = root
        while node.children:
            node = max(node.children, key=TreeNode.score)
        if node.visit_count and moves(node.state):
            node.children = [TreeNode(play(node.state, m), node, m) for m in moves(node.state)]
            node = node.children[0]
        won = rollout(node.state, rng)
        while node:
            reward = 0.5 if won is None else float(won != turn(node.state))
            node.visit_count += 1
            node.mean_value += (reward - node.mean_value) / node.visit_count
            node = node.parent

    return root, step, {}


@sound
def statistics_in_arrays_on_the_parent(seed: int) -> Search:
    rng = np.random.default_rng(seed)
    chance = random.Random(seed)

    class AZNode:
        def __init__(self, board: str) -> None:
            self.b = board
            self.N, self.W, self.P = np.zeros(9), np.zeros(9), np.zeros(9)
            self.children: dict[int, Any] = {}
            self.expanded = False

    root = AZNode("." * 9)

    def search(node: Any) -> float:
        if not moves(node.b):
            return 1.0 if winner(node.b) else 0.0
        if not node.expanded:
            priors = rng.dirichlet(np.ones(9)) * np.array([sign == "." for sign in node.b])
            node.P, node.expanded = priors / priors.sum(), True
            won = rollout(node.b, chance)
            return 0 if won is None else -1 if won == turn(node.b) else 1
        means = np.where(node.N > 0, node.W / np.maximum(node.N, 1), 0)
        scores = means + 1.5 * node.P * math.sqrt(node.N.sum() + 1e-8) / (1 + node.N)
        move = max(moves(node.b), key=lambda move: scores[move])
        if move not in node.children:
            node.children[move] = AZNode(play(node.b, move))
        value = search(node.children[move])
        node.N[move] += 1
        node.W[move] += value
        return -value

    return root, lambda: search(root), {}


@sound
def nodes_that_are_dicts(seed: int) -> Search:
    rng = random.Random(seed)

    def new(board: str, move: Any = None) -> dict[str, Any]:
        return {"board": board, "move": move, "children": [], "visits": 0, "reward": 0}

    root = new("." * 9)

    def step() -> None:
        node, path = root, [root]
        while free := moves(node["board"]):
            tried = [kid["move"] for kid in node["children"]]
            untried = [move for move in free if move not in tried]
            above = node["visits"]
            if untried:
                node["children"].append(new(play(node["board"], untried[-1]), untried[-1]))
                path.append(node["children"][-1])
                break
            node = max(
                node["children"],
                key=lambda k: k["reward"] / k["visits"] + bonus(1.41, above, k["visits"]),
            )
            path.append(node)
        won = rollout(path[-1]["board"], rng)
        for node in path:
            node["visits"] += 1
            node["reward"] += 0 if won is None else 1 if won != turn(node["board"]) else -1

    return root, step, {}


@sound
def tables_without_nodes(seed: int) -> Search:
    rng = random.Random(seed)
    wins: dict[str, float] = defaultdict(float)
    visits: dict[str, int] = defaultdict(int)
    below: dict[str, list[str]] = {}

    def step() -> None:
        path = ["." * 9]
        while below.get(path[-1]):
            untried = [state for state in below[path[-1]] if state not in below]
            above = visits[path[-1]]
            path.append(
                untried[-1]
                if untried
                else max(
                    below[path[-1]], key=lambda s: wins[s] / visits[s] + bonus(1, above, visits[s])
                )
            )
            if untried:
                break
        board = path[-1]
        below.setdefault(board, sorted({play(board, move) for move in moves(board)}))
        won = rollout(board, rng)
        for state in path:
            visits[state] += 1
            wins[state] += 0.5 if won is None else float(won != turn(state))

    functions = {
        "children": lambda state: below.get(state, ()),
        "visits": lambda state: visits.get(state, 0),
        "wins": lambda state: wins.get(state, 0),
    }
    return "." * 9, step, functions


@sound
def tables_that_leave_the_root_out(seed: int) -> Search:
    """Plays and wins by position, added once in a playout; compared once all have been played."""
    rng = random.Random(seed)
    plays: dict[str, int] = {}
    wins: dict[str, float] = {}

    def after(state: str) -> list[str]:
        return [play(state, move) for move in moves(state)]

    def step() -> None:
        state, path, grows = "." * 9, [], True
        while options := after(state):
            if all(option in plays for option in options):
                above = sum(plays[option] for option in options)
                scores = {o: wins[o] / plays[o] + bonus(1.4, above, plays[o]) for o in options}
                state = max(options, key=lambda o: scores[o])
            else:
                state = rng.choice(options)
            if grows and state not in plays:
                grows, plays[state], wins[state] = False, 0, 0
            path.append(state)
        for passed in [passed for passed in path if passed in plays]:
            plays[passed] += 1
            won = winner(state)
            wins[passed] += 0.5 if won is None else float(won != turn(passed))

    functions = {
        "children": lambda state: [option for option in after(state) if option in plays],
        "visits": lambda state: plays.get(state, 0),
        "wins": lambda state: wins.get(state, 0),
    }
    return "." * 9, step, functions


@sound
def two_numbers_in_a_list(seed: int) -> Search:
    rng = random.Random(seed)

    class Entry:
        def __init__(self, board: str, parent: Any = None, move: Any = None) -> None:
            self.board, self.parent, self.move = board, parent, move
            self.stats, self.kids = [0, 0.0], deque[Any]()

    root = Entry("." * 9)

    def step() -> None:
        node: Any = root
        while free := moves(node.board):
            if len(node.kids) < len(free):
                move = free[len(node.kids)]
                node.kids.append(Entry(play(node.board, move), node, move))
                node = node.kids[-1]
                break
            above = node.stats[0]
            node = max(
                node.kids, key=lambda k: k.stats[1] / k.stats[0] + bonus(1, above, k.stats[0])
            )
        won = rollout(node.board, rng)
        while node:
            node.stats[0] += 1
            node.stats[1] += 0.5 if won is None else float(won != turn(node.board))
            node = node.parent

    return root, step, {}


@sound
def nodes_that_are_the_moves_until_there(seed: int) -> Search:
    """After two moves a node looks like a pair of a key and a child."""
    rng = random.Random(seed)
    means: dict[Any, float] = {}
    visits: dict[Any, int] = {}
    below: dict[Any, list[Any]] = {}

    def step() -> None:
        path: list[Any] = [()]
        while options := below.get(path[-1]):
            new = [option for option in options if option not in visits]
            above = visits[path[-1]]
            path.append(
                rng.choice(new)
                if new
                else max(options, key=lambda o: means[o] + bonus(0.8, above, visits[o]))
            )
        board = "." * 9
        for move in path[-1]:
            board = play(board, move)
        below.setdefault(path[-1], [(*path[-1], move) for move in moves(board)])
        won = rollout(board, rng)
        for node in path:
            reward = 0.5 if won is None else float(won == "OX"[len(node) % 2])
            visits[node] = visits.get(node, 0) + 1
            means[node] = means.get(node, 0) + (reward - means.get(node, 0)) / visits[node]

    functions = {"visits": lambda n: visits.get(n, 0), "wins": lambda n: means.get(n, 0)}
    return (), step, functions | {"children": lambda node: below.get(node, ())}


@sound
def arrays_that_are_no_board(seed: int) -> Search:
    """A heap of 15; each node has an array of visits that changes, and no position."""
    rng = random.Random(seed)

    class Position:
        def __init__(self, left: int) -> None:
            self.left, size = left, min(3, left)
            self.child_N, self.child_W = np.zeros(size), np.zeros(size)
            self.children: list[Any] = [None] * size

    root = Position(15)

    def step() -> None:
        node, path, new = root, [], False
        while node.left and not new:
            with np.errstate(all="ignore"):
                share = np.log(node.child_N.sum()) / node.child_N
                scores = node.child_W / node.child_N + np.sqrt(share)
            take = int(np.where(node.child_N == 0, np.inf, scores).argmax())
            path.append((node, take))
            new = node.children[take] is None
            node.children[take] = node.children[take] or Position(node.left - take - 1)
            node = node.children[take]
        left, turns = node.left, len(path)
        while left:
            left, turns = left - rng.randint(1, min(3, left)), turns + 1
        for depth, (above, take) in enumerate(path):
            above.child_N[take] += 1
            above.child_W[take] += (turns - 1 - depth) % 2 == 0

    return root, step, {}


class Walker:
    """A node of a game that is not tic-tac-toe; ``at`` is its position."""

    def __init__(self, at: Any, parent: Any = None, move: Any = None, player: int = 0) -> None:
        self.at, self.parent, self.move, self.player = at, parent, move, player
        self.children: list[Walker] = []
        self.visits, self.total = 0, 0.0

    def path(self) -> list[Any]:
        return [*(self.parent.path() if self.parent else []), self]


def walk(
    start: Walker,
    c: float,
    below: Callable[[Walker], list[Any]],
    after: Callable[[Walker, Any], Walker],
    credit: Callable[[Walker], None],
) -> Search:
    """A search that tries moves in their order; ``credit`` plays on, and adds the rewards."""

    def step() -> None:
        node = start
        while options := below(node):
            if len(node.children) < len(options):
                node.children.append(after(node, options[len(node.children)]))
                node = node.children[-1]
                break
            above = node.visits
            node = max(node.children, key=lambda k: k.total / k.visits + bonus(c, above, k.visits))
        for passed in node.path():
            passed.visits += 1
        credit(node)

    return start, step, {}


@sound
def a_puzzle_of_one_player(seed: int) -> Search:
    """Choose numbers of which the sum is a half of all; rewards are near 1."""
    rng = random.Random(seed)
    numbers = [rng.randrange(10, 99) for _ in range(14)]

    def credit(node: Walker) -> None:
        at, total = node.at
        total += sum(n for n in numbers[at:] if rng.random() < 0.5)
        for passed in node.path():
            passed.total += 1 - abs(sum(numbers) // 2 - total) / sum(numbers)

    return walk(
        Walker((0, 0)),
        0.3,
        lambda node: [0, 1] if node.at[0] < len(numbers) else [],
        lambda node, m: Walker((node.at[0] + 1, node.at[1] + m * numbers[node.at[0]]), node, m),
        credit,
    )


@sound
def points_from_0_to_200_on_a_way(seed: int) -> Search:
    rng = random.Random(seed)
    grid = [[rng.randrange(20) for _ in range(6)] for _ in range(6)]

    def steps(at: tuple[int, int]) -> list[str]:
        return ["D"] * (at[0] < 5) + ["R"] * (at[1] < 5)

    def go(at: tuple[int, int], move: str) -> tuple[int, int]:
        return at[0] + (move == "D"), at[1] + (move == "R")

    def credit(node: Walker) -> None:
        points, at = sum(grid[n.at[0]][n.at[1]] for n in node.path()), node.at
        while options := steps(at):
            at = go(at, rng.choice(options))
            points += grid[at[0]][at[1]]
        for passed in node.path():
            passed.total += points

    def after(node: Walker, move: str) -> Walker:
        return Walker(go(node.at, move), node, move)

    return walk(Walker((0, 0)), 40, lambda node: steps(node.at), after, credit)


@sound
def rewards_that_are_discounted_on_the_way(seed: int) -> Search:
    rng = random.Random(seed)
    chain = [[rng.random() for _ in range(3)] for _ in range(8)]

    def credit(node: Walker) -> None:
        value = 0.0
        for depth in reversed(range(node.at, 8)):
            value = rng.choice(chain[depth]) + 0.9 * value
        for passed in reversed(node.path()):
            if passed.parent:
                value = chain[passed.at - 1][passed.move] + 0.9 * value
            passed.total += value

    return walk(
        Walker(0),
        2,
        lambda node: [0, 1, 2] if node.at < 8 else [],
        lambda node, move: Walker(node.at + 1, node, move),
        credit,
    )


def heap(seed: int, size: int, after: Callable[[int, int, int], int]) -> Search:
    """Nim with one heap; whoever takes the last wins, and ``after`` says who moves next."""
    rng = random.Random(seed)

    def takes(left: int) -> list[int]:
        return [take for take in (1, 2, 3) if take <= left]

    def credit(node: Walker) -> None:
        left, player = node.at, node.player
        last = node.parent.player if node.parent else 0
        while left:
            take, last = rng.choice(takes(left)), player
            left, player = left - take, after(left - take, player, take)
        for passed in node.path()[1:]:
            passed.total += float(passed.parent.player == last)

    def child(node: Walker, take: int) -> Walker:
        left = node.at - take
        return Walker(left, node, take, after(left, node.player, take))

    return walk(Walker(size), 1, lambda node: takes(node.at), child, credit)


@sound
def three_players(seed: int) -> Search:
    return heap(seed, 15, lambda left, player, take: (player + 1) % 3)


@sound
def a_player_who_may_move_again(seed: int) -> Search:
    return heap(seed, 14, lambda left, player, take: 1 - player if left % 4 else player)


@sound
def one_viewpoint_where_players_move_again(seed: int) -> Search:
    """Who leaves a multiple of four moves again. A position, (left, to move), names no player."""
    rng = random.Random(seed)

    def take(at: tuple[int, int], some: int) -> tuple[int, int]:
        left = at[0] - some
        return left, 1 - at[1] if left % 4 else at[1]

    def options(at: tuple[int, int]) -> range:
        return range(1, min(3, at[0]) + 1)

    root = SimpleNamespace(state=(13, 0), parent=None, children=[], visits=0, wins=0.0)

    def step() -> None:
        node = root
        while free := options(node.state):
            if len(node.children) < len(free):
                at = take(node.state, free[len(node.children)])
                child = SimpleNamespace(state=at, parent=node, children=[], visits=0, wins=0.0)
                node.children.append(child)
                node = child
                break
            sign, above = 1 - 2 * node.state[1], node.visits
            node = max(
                node.children, key=lambda k: sign * k.wins / k.visits + bonus(1, above, k.visits)
            )
        at = node.state
        while free := options(at):
            at = take(at, rng.choice(free))
        while node:
            node.visits += 1
            node.wins += 1 - 2 * at[1]
            node = node.parent

    return root, step, {}


@sound
def the_last_one_loses(seed: int) -> Search:
    rng = random.Random(seed)
    root = SimpleNamespace(h=(3, 4, 5), parent=None, kids=[], n=0, w=0.0)

    def options(heaps: tuple[int, ...]) -> list[tuple[int, ...]]:
        return [
            (*heaps[:i], heaps[i] - take, *heaps[i + 1 :])
            for i in range(3)
            for take in range(1, heaps[i] + 1)
        ]

    def step() -> None:
        node, depth = root, 0
        while after := options(node.h):
            depth += 1
            if len(node.kids) < len(after):
                heaps = after[len(node.kids)]
                node.kids.append(SimpleNamespace(h=heaps, parent=node, kids=[], n=0, w=0.0))
                node = node.kids[-1]
                break
            above = node.n
            node = max(node.kids, key=lambda k: k.w / k.n + bonus(math.sqrt(2), above, k.n))
        heaps, winning = node.h, depth % 2  # who is to move when nothing is left
        while after := options(heaps):
            heaps, winning = rng.choice(after), 1 - winning
        while node:
            node.n += 1
            node.w += float(winning != depth % 2)
            node, depth = node.parent, depth - 1

    return root, step, {}


@sound
def boards_of_plus_and_minus_one(seed: int) -> Search:
    """Wins for the player to move at the node, turned round at selection, and halved."""
    rng = np.random.default_rng(seed)

    class Position:
        def __init__(self, board: Any, player: int) -> None:
            self.board, self.player = board, player

        def result(self) -> int | None:
            b = self.board
            for line in (*b, *b.T, b.diagonal(), np.fliplr(b).diagonal()):
                if abs(line.sum()) == 3:
                    return int(np.sign(line.sum()))
            return None if (b == 0).any() else 0

        def legal(self) -> list[Any]:
            return [] if self.result() is not None else [*map(tuple, np.argwhere(self.board == 0))]

        def move(self, cell: Any) -> Any:
            board = self.board.copy()
            board[cell] = self.player
            return Position(board, -self.player)

    class MCTSNode:
        def __init__(self, game: Any, parent: Any = None, action_taken: Any = None) -> None:
            self.game, self.parent, self.action_taken = game, parent, action_taken
            self.children: list[Any] = []
            self.visit_count = self.value_sum = 0
            self.expandable = game.legal()
            rng.shuffle(self.expandable)

        def ucb(self) -> float:
            value = 1 - (self.value_sum / self.visit_count + 1) / 2
            return value + bonus(1.41, self.parent.visit_count, self.visit_count)

    root = MCTSNode(Position(np.zeros((3, 3), int), 1))

    def step() -> None:
        node: Any = root
        while not node.expandable and node.children:
            node = max(node.children, key=MCTSNode.ucb)
        if node.expandable:
            cell = tuple(map(int, node.expandable.pop()))
            node.children.append(MCTSNode(node.game.move(cell), node, cell))
            node = node.children[-1]
        end = node.game
        while free := end.legal():
            end = end.move(free[rng.integers(len(free))])
        value = end.result() * node.game.player
        while node:
            node.value_sum += value
            node.visit_count += 1
            node, value = node.parent, -value

    return root, step, {}


@sound
def the_best_result_is_kept(seed: int) -> Search:
    """One player, whose nodes keep the best of all results in the place of their sum."""
    rng = random.Random(seed)
    points = {(depth, move): rng.random() for depth in range(8) for move in range(3)}

    def credit(node: Walker) -> None:
        path = [*node.at, *(rng.randrange(3) for _ in range(8 - len(node.at)))]
        reward = sum(points[place] for place in enumerate(path)) / 8
        for passed in node.path():
            passed.total = max(passed.total, reward)

    root = Walker(())

    def step() -> None:
        node = root
        while len(node.at) < 8:
            if len(node.children) < 3:
                node.children.append(Walker((*node.at, len(node.children)), node))
                node = node.children[-1]
                break
            above = node.visits
            node = max(node.children, key=lambda k: k.total + bonus(0.3, above, k.visits))
        for passed in node.path():
            passed.visits += 1
        credit(node)

    return root, step, {}


@sound
def both_move_at_once(seed: int) -> Search:
    """A child for each pair of moves; wins are kept by each player's own move, on the parent."""
    rng = random.Random(seed)
    pays = [[rng.random() for _ in range(3)] for _ in range(3)]

    class Joint:
        def __init__(self, depth: int) -> None:
            self.depth, self.n = depth, 0
            self.children: dict[tuple[int, ...], Any] = {}
            self.counts, self.gains = np.zeros((2, 3)), np.zeros((2, 3))

    root = Joint(0)

    def step() -> None:
        node, path, total, is_new = root, [], 0.0, False
        while node.depth < 3 and not is_new:
            with np.errstate(all="ignore"):
                scores = node.gains / node.counts + np.sqrt(np.log(node.n) / node.counts)
            moves = tuple(np.where(node.counts, scores, np.inf).argmax(axis=1).tolist())
            path.append((node, moves))
            is_new = moves not in node.children
            node = node.children.setdefault(moves, Joint(node.depth + 1))
            total += pays[moves[0]][moves[1]] / 3
        total += sum(pays[rng.randrange(3)][rng.randrange(3)] / 3 for _ in range(node.depth, 3))
        node.n += 1
        for passed, (row, column) in path:
            passed.n += 1
            passed.counts[0, row] += 1
            passed.counts[1, column] += 1
            passed.gains[0, row] += total
            passed.gains[1, column] += 1 - total

    return root, step, {}


class FromOne(Student):
    """Each node starts with a visit and half a win."""

    class OneVisit(Node):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            self.visits, self.wins = 1, 0.5

    node = OneVisit


class WithATable(Student):
    """Each node holds the table of all nodes, in which the root is before it has a child."""

    class InTable(Node):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            self.table: dict[int, Any] = self.parent.table if self.parent else {}
            self.table[id(self)] = self

    node = InTable


class Tuned(Student):
    class Squares(Node):
        squares = 0.0

        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            self.squares = 0.0

    node = Squares

    def score(self, child: Any, parent: Any) -> float:
        mean, share = child.wins / child.visits, math.log(parent.visits) / child.visits
        spread = child.squares / child.visits - mean**2 + math.sqrt(2 * share)
        return float(mean + math.sqrt(share * min(0.25, spread)))

    def backpropagate(self, node: Any, won: str | None) -> None:
        passed = node
        while passed:
            passed.squares += self.reward(passed, won) ** 2
            passed = passed.parent
        super().backpropagate(node, won)


class OneVisitMore(Student):
    """PUCT whose mean counts each child once more than it was visited."""

    def score(self, child: Any, parent: Any) -> float:
        total = sum(kid.visits for kid in parent.children)
        return float((child.wins + 1.5 * math.sqrt(total)) / (1 + child.visits))


class WorthOfTheBestChild(Student):
    """Above the last node, wins are what the best child is worth to its parent's opponent."""

    def score(self, child: Any, parent: Any) -> float:
        return float(child.wins + bonus(1, parent.visits, child.visits))

    def backpropagate(self, node: Any, won: str | None) -> None:
        if not node.children:
            node.wins = self.reward(node, won)
        node.visits += 1
        while node := node.parent:
            node.visits += 1
            node.wins = 1 - max(child.wins for child in node.children)


class EpsilonGreedy(Student):
    def best(self, node: Any) -> Any:
        if self.random.random() < 0.2:
            return self.random.choice(node.children)
        return max(node.children, key=lambda k: k.wins / k.visits)


class Thompson(Student):
    def best(self, node: Any) -> Any:
        draw = self.random.betavariate
        return max(node.children, key=lambda k: draw(1 + k.wins, 1 + k.visits - k.wins))


class RandomTies(Student):
    def best(self, node: Any) -> Any:
        scores = [self.score(child, node) for child in node.children]
        top = [k for k, score in zip(node.children, scores, strict=True) if score == max(scores)]
        return self.random.choice(top)


class FirstPlayUrgency(ExpandAll):
    """A child without a visit has the score 1.1."""

    c = 0.5

    def score(self, child: Any, parent: Any) -> float:
        return super().score(child, parent) if child.visits else 1.1


class SeveralPlayouts(Student):
    playouts = 8

    def iterate(self) -> None:
        leaf = self.expand(self.select(self.root))
        for _ in range(self.playouts):
            self.backpropagate(leaf, self.simulate(leaf))


class TwoPlayouts(SeveralPlayouts):
    playouts = 2


class Widening(Student):
    """A node gets another child only as its visits grow."""

    def select(self, node: Any) -> Any:
        while node.children and (
            not node.untried or len(node.children) >= 1 + math.sqrt(node.visits)
        ):
            node = self.best(node)
        return node


class OneMinusMean(WrongViewpoint):
    """Wins for the player to move, and selection turns them round."""

    def score(self, child: Any, parent: Any) -> float:
        return 1 - child.wins / child.visits + bonus(1, parent.visits, child.visits)


def student(kind: type[Student]) -> Callable[[int], Search]:
    def make(seed: int) -> Search:
        program = kind(seed)
        return program.root, program.iterate, {}

    return make


for kind in (FromOne, WithATable, Tuned, EpsilonGreedy, Thompson, RandomTies, FirstPlayUrgency):
    SOUND[kind.__name__] = student(kind)
for kind in (
    WorthOfTheBestChild,
    SeveralPlayouts,
    TwoPlayouts,
    Widening,
    OneMinusMean,
    OneVisitMore,
):
    SOUND[kind.__name__] = student(kind)

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", SOUND)
def test_a_sound_search_of_another_style_gives_no_finding(name: str, seed: int) -> None:
    root, step, names = SOUND[name](seed)
    watch = Watch(root, **names)
    for _ in range(300):
        step()
        watch.look()
    assert watch.findings == []


def watched(name: str) -> Watch:
    root, step, names = SOUND[name](1)
    watch = Watch(root, **names)
    for _ in range(300):
        step()
        watch.look()
    return watch


def test_who_moves_is_read_from_positions_where_a_player_may_move_again() -> None:
    rule = watched("one_viewpoint_where_players_move_again").rule
    assert (rule.name, rule.viewpoint) == ("UCB1", "one fixed player")


def test_a_mean_that_counts_the_child_once_more_is_read() -> None:
    rule = watched("OneVisitMore").rule
    assert rule.name == "PUCT"
    assert rule.c == pytest.approx((1.5, 1.5), abs=0.02)


@pytest.mark.parametrize("name", ["the_best_result_is_kept", "WorthOfTheBestChild"])
def test_wins_that_are_no_sum_and_no_mean_are_noted(name: str) -> None:
    assert "no-mean" in [note.name for note in watched(name).notes]


def test_without_wins_a_note_says_which_name_to_give() -> None:
    watch = watched("both_move_at_once")
    assert [note.name for note in watch.notes] == ["wins-unread"]
    assert "wins=" in watch.notes[0].text


def test_a_table_of_all_nodes_is_not_taken_for_the_children() -> None:
    assert watched("WithATable").names["children"] == "children"


def test_a_list_of_two_numbers_is_not_taken_for_a_table_of_the_children() -> None:
    watch = watched("two_numbers_in_a_list")
    found = {"visits": "stats[0]", "wins": "stats[1]", "children": "kids"}
    assert watch.names == found
    assert watch.rule.name == "UCB1"
