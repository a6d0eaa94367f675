"""Programs as people really write them, each a change of one part: sound ones, and faults."""

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import reduce
from operator import itemgetter
from types import SimpleNamespace
from typing import Any

from strangers import (
    AS_NOTES,
    AT_THE_END,
    WITH_GAME,
    BackedByMaximum,
    Careful,
    ExpandAll,
    Node,
    Student,
    bonus,
    moves,
    path_to,
    play,
    to_move,
    turn,
    winner,
    with_parts,
)
from strangers import FAULTS as USUAL

from mcts_viz import TicTacToe
from mcts_viz.games import Game

# What a node's number is --------------------------------------------------------------------------


def backing(update):
    """Back up: each node's number becomes what ``update`` makes of it, and then gets its visit."""

    def backpropagate(self, node, won):
        noise = self.random.random() * self.noise if hasattr(self, "noise") else 0.0
        for up, one in enumerate(path_to(node)):
            one.wins = update(one, valued(self, one, won) + noise, up)
            one.visits += 1

    return backpropagate


def valued(self, node, won):
    """The reward of a result, or of a value for X, on a scale that begins at ``low``."""
    if not isinstance(won, float):
        return self.reward(node, won)
    low = getattr(self, "low", 0)
    return float(low + (1 - low) * (won if self.player(node) == "X" else 1 - won))


def unlike(self, node):
    """The result for X, or in a game that goes on a value that never repeats itself."""
    result = {"X": 1.0, "O": 0.0}.get(winner(node.state) or "", 0.5)
    return self.random.random() if moves(node.state) else result


def is_mean(self, child, parent):
    return child.wins


def added(node, reward, up):
    return node.wins + reward


def largest(node, reward, up):
    return max(node.wins, reward) if node.visits else reward


def decayed(share, begin):
    def update(node, reward, up):
        old = node.wins if node.visits or not begin else reward
        return old + share * (reward - old)

    return update


def running(extra):
    """The running mean; with one visit more, its count is raised too early."""

    def update(node, reward, up):
        count = node.visits + extra
        return (node.wins * count + reward) / (count + 1)

    return update


def lambda_return(self, node, won):
    """Each node gets a mix of its own mean and of what the node below got."""
    below = self.reward(node, won)
    for one in path_to(node):
        own = one.wins / one.visits if one.visits else below
        mixed = 0.8 * below + 0.2 * own
        one.wins, one.visits, below = one.wins + mixed, one.visits + 1, 1 - mixed


def numbers(update, **parts):
    return with_parts(mean=is_mean, backpropagate=backing(update), **parts)


NUMBERS = {
    "the largest reward": numbers(largest),
    "a decayed mean": numbers(decayed(0.15, begin=True)),
    "a decayed mean from 0": numbers(decayed(0.3, begin=False)),
    "a running mean": numbers(running(0)),
    "a running mean of values that never repeat": numbers(running(0), noise=0.3),
    "a decayed mean of values that never repeat": numbers(decayed(0.2, begin=True), noise=0.3),
    "a sum of values that never repeat": with_parts(backpropagate=backing(added), noise=0.3),
    **{
        f"{name} of values from {low} that never repeat": numbers(update, simulate=unlike, low=low)
        for low in (0, -1)
        for name, update in (
            ("the largest reward", largest),
            ("a decayed mean from 0", decayed(0.3, begin=False)),
            ("a decayed mean", decayed(0.1, begin=True)),
            ("a running mean", running(0)),
        )
    },
    "discounted by the way up": with_parts(
        backpropagate=backing(lambda node, reward, up: node.wins + reward * 0.95**up)
    ),
    "lambda-returns": with_parts(backpropagate=lambda_return),
}
KINDS = {
    "the largest reward": "the largest reward",
    "a decayed mean": "a decayed mean",
    "a decayed mean from 0": "a decayed mean",
    "a running mean": "the mean of its rewards",
    "the largest reward of values from 0 that never repeat": "the largest reward",
    "the largest reward of values from -1 that never repeat": "the largest reward",
    "a decayed mean of values from -1 that never repeat": "neither a sum, nor a mean",
    "a running mean of values that never repeat": "the mean of its rewards",
    "a running mean of values from -1 that never repeat": "the mean of its rewards",
    "a sum of values that never repeat": "the sum of its rewards",
    "lambda-returns": "the sum of its rewards",
}


# Formulas -----------------------------------------------------------------------------------------


def puct(c, **form):
    """PUCT with priors that a node keeps; ``c`` depends on the parent's visits."""
    noise, anew, own = form.get("noise", 0.0), form.get("anew", ""), form.get("own", 1)

    def score(self, child, parent):
        prior = child.prior
        if noise and (anew == "everywhere" or parent.parent is None):
            prior = (1 - noise) * prior + noise * self.random.random()
        mean = child.wins / (child.visits + 1 - own)
        return float(
            mean + c(parent.visits) * prior * math.sqrt(parent.visits) / (1 + child.visits)
        )

    def new(self, *given):
        node = Student.new(self, *given)
        node.prior = 0.05 + self.random.random()
        return node

    return with_parts(score=score, new=new)


def among(wanted):
    """Select among the children that are wanted alone."""

    def best(self, node):
        kids = [kid for kid in node.children if wanted(kid)] or node.children
        return max(kids, key=lambda kid: self.score(kid, node))

    return best


def softmax(self, node):
    weights = [math.exp(kid.wins / kid.visits / 0.2) for kid in node.children]
    return self.random.choices(node.children, weights)[0]


def widening(self, node):
    """Select: a child is added only where there are fewer than the root of the visits."""
    while node.children and not (node.untried and len(node.children) < node.visits**0.5):
        node = self.best(node)
    return node


def with_noise(share):
    """PUCT whose priors get noise in every node, drawn anew at each selection."""

    def new(self, *given):
        node = Student.new(self, *given)
        node.prior = self.random.random() ** 3 / 3
        return node

    def score(self, child, parent):
        prior = (1 - share) * child.prior + share * self.random.expovariate(9)
        mean = child.wins / child.visits
        return mean + 2.5 * prior * math.sqrt(parent.visits) / (1 + child.visits)

    return with_parts(score=score, new=new)


FORMULAS = {
    "c that grows, base 19,652": (
        puct(lambda n: 1.25 + math.log((1 + n + 19652) / 19652)),
        "PUCT",
    ),
    "c that grows, base 100": (
        puct(lambda n: 0.5 + math.log((1 + n + 100) / 100)),
        "PUCT with a c that grows",
    ),
    "W/(1 + N)": (puct(lambda n: 1.5, own=0), "PUCT"),
    "PUCT with noise at the root": (puct(lambda n: 1.5, noise=0.5), "PUCT"),
    "c inside the root": (
        with_parts(bonus=lambda self, k, up: math.sqrt(3 * math.log(up.visits) / k.visits)),
        "UCB1",
    ),
    "log2": (
        with_parts(bonus=lambda self, k, up: 1.4 * math.sqrt(math.log2(up.visits) / k.visits)),
        "UCB1",
    ),
    "progressive widening": (with_parts(select=widening), "UCB1"),
    "one child of mean infinity": (
        with_parts(
            mean=lambda self, k, up: math.inf if winner(k.state) else Student.mean(self, k, up)
        ),
        "UCB1",
    ),
}


# Trees held otherwise -----------------------------------------------------------------------------


class Linked(Student):
    def new(self, *given):
        node = super().new(*given)
        del node.children
        node.first_child = node.next_sibling = None
        return node

    def kids(self, node):
        found, child = [], node.first_child
        while child:
            found.append(child)
            child = child.next_sibling
        return found

    def add(self, node, child):
        node.first_child, child.next_sibling = child, node.first_child


class Pairs(Student):
    def kids(self, node):
        return [child for _, child in node.children]

    def add(self, node, child):
        node.children.append((child.move, child))


class ByMoveInTheParent(Student):
    """Numbers are in the parent's dicts, by move."""

    def new(self, *given):
        node = super().new(*given)
        del node.visits, node.wins
        node.N, node.W, node.children = {}, {}, {}
        return node

    def kids(self, node):
        return list(node.children.values())

    def add(self, node, child):
        node.children[child.move], node.N[child.move], node.W[child.move] = child, 0, 0.0

    def score(self, child, parent):
        n, w = parent.N[child.move], parent.W[child.move]
        return w / n + bonus(self.c, sum(parent.N.values()), n)

    def backpropagate(self, node, won):
        for one in path_to(node)[:-1]:
            one.parent.N[one.move] += 1
            one.parent.W[one.move] += self.reward(one, won)


class Edge(SimpleNamespace):
    """A move with its own numbers, and the node it leads to."""


class Edges(Student):
    def new(self, *given):
        node = super().new(*given)
        del node.visits, node.wins, node.children
        node.edges = []
        return node

    def kids(self, node):
        return [edge.child for edge in node.edges]

    def add(self, node, child):
        child.edge = Edge(move=child.move, visits=0, wins=0.0, child=child)
        node.edges.append(child.edge)

    def score(self, child, parent):
        every = sum(edge.visits for edge in parent.edges)
        edge = child.edge
        return edge.wins / edge.visits + bonus(self.c, every, edge.visits)

    def backpropagate(self, node, won):
        for one in path_to(node)[:-1]:
            one.edge.visits += 1
            one.edge.wins += self.reward(one, won)


class MadeAgain(Student):
    """The whole tree is copied before each iteration; the root is asked for."""

    def asked(self):
        return self.root

    def iterate(self):
        self.root = self.copied(self.root, None)
        super().iterate()

    def copied(self, node, parent):
        new = self.node(node.state, parent, node.move)
        new.untried, new.visits, new.wins = [*node.untried], node.visits, node.wins
        new.children = [self.copied(child, new) for child in node.children]
        return new


HELD = {
    "linked": Linked,
    "pairs": Pairs,
    "by move in the parent": ByMoveInTheParent,
    "edges": Edges,
    "made again": MadeAgain,
}


# Several players, and rewards on the way ----------------------------------------------------------


@dataclass(frozen=True)
class Take(Game[Any, int]):
    """The rules of :class:`Counters`."""

    left: int = 12
    name = "Take"
    players = ("A", "B", "C")

    def initial_state(self):
        return self.left, 0

    def to_move(self, state):
        return int(state[1])

    def legal_actions(self, state):
        return tuple(take for take in (1, 2) if take <= state[0])

    def play(self, state, action):
        return state[0] - action, (state[1] + 1) % 3

    def is_terminal(self, state):
        return not state[0]

    def returns(self, state):
        return tuple(1.0 if player == (state[1] - 1) % 3 else -0.5 for player in range(3))


class ByOwnRules(Student):
    """A search of another game: its playouts go by its own options and moves."""

    def simulate(self, node):
        board = node.state
        while options := self.options(board):
            board = self.play(board, self.random.choice(options))
        return self.result(board)


class Counters(ByOwnRules):
    """Each of several players takes 1 or 2 counters in turn; who takes the last wins."""

    players, left, rules = 3, 12, Take()
    shift = 0
    """0 pays who moved there; 1 pays the next player."""

    def __init__(self, seed, state=None):
        super().__init__(seed, state or (self.left, 0))
        self.given = {"wins": lambda node: node.wins}

    def new(self, *given):
        node = super().new(*given)
        node.player = node.state[1]
        return node

    def options(self, board):
        return [take for take in (1, 2) if take <= board[0]]

    def play(self, board, move):
        return board[0] - move, (board[1] + 1) % self.players

    def result(self, board):
        return (board[1] - 1) % self.players

    def reward(self, node, won):
        return float(won == (node.state[1] - 1 + self.shift) % self.players)


class Row(Student):
    """Two players take numbers from either end of a row; the difference counts. Each move pays."""

    rules = None

    turned, leaf = -1.0, -1.0
    is_paid = staticmethod(lambda board: True)
    row = (3, 9, 1, 2, 8, 4, 7, 5)
    discount = 1.0

    def __init__(self, seed, state=None):
        super().__init__(seed, state or self.row)

    def options(self, board):
        return [0, -1] if len(board) > 1 else [0] * len(board)

    def play(self, board, move):
        return board[1:] if move == 0 else board[:-1]

    def simulate(self, node):
        board, sign, below = node.state, 1.0, 0.0
        while options := self.options(board):
            move = self.random.choice(options)
            below += sign * board[move] * self.is_paid(board)
            sign *= self.turned * self.discount
            board = self.play(board, move)
        return below

    def backpropagate(self, node, won):
        value = won
        for one in path_to(node):
            above = one.parent.state if one.parent else (0,)
            paid = above[one.move or 0] * self.is_paid(above)
            value = paid + (self.leaf if one is node else self.turned) * self.discount * value
            one.visits += 1
            one.wins += value


# Children that leave ------------------------------------------------------------------------------


def is_done(node):
    """True if nothing is left to explore below a node."""
    return not node.untried and all(map(is_done, node.children))


class ExploredOut(Student):
    """A search that never chooses explored-out nodes again, and ends with the root."""

    def best(self, node):
        open_kids = [kid for kid in node.children if not is_done(kid)] or node.children
        return max(open_kids, key=lambda child: self.score(child, node))


class Solver(Student):
    """A proven loss for who moves there is never chosen again, and a win proves what is above."""

    def new(self, *given):
        node = super().new(*given)
        node.proof = None
        if not moves(node.state):
            node.proof = 0.5 if winner(node.state) is None else 1.0  # for who moved there
        return node

    def best(self, node):
        going = [kid for kid in node.children if kid.proof is None]
        return max(going, key=lambda child: self.score(child, node))

    def select(self, node):
        while not node.untried and any(kid.proof is None for kid in node.children):
            node = self.best(node)
        return node

    def backpropagate(self, node, won):
        super().backpropagate(node, won)
        for one in path_to(node):
            proofs = [kid.proof for kid in one.children]
            is_all = not one.untried and proofs and None not in proofs
            if 1.0 in proofs or is_all:
                one.proof = 1 - max(proof for proof in proofs if proof is not None)

    def iterate(self):
        if self.root.proof is None:
            super().iterate()


# Several walks at once, shared positions, and a root that chooses in a way of its own -------------


class InFlight(Careful):
    """Four walks at once, kept apart by a virtual loss."""

    def iterate(self):
        leaves = []
        for _ in range(4):
            leaves.append(self.expand(self.select(self.root)))
            for node in path_to(leaves[-1]):
                node.visits, node.wins = node.visits + 1, node.wins - 1
        for leaf in leaves:
            won = self.simulate(leaf)
            for node in path_to(leaf):
                node.wins += 1 + self.reward(node, won)


class Halving(Student):
    """The root halves its children by means with noise, and visits those left alike."""

    walks = 0

    def best(self, node):
        if node is not self.root:
            return super().best(node)
        self.walks += 1
        noisy = sorted(node.children, key=lambda k: -k.wins / k.visits - 0.07 * (k.move * 5 % 9))
        return min(noisy[: max(1, len(noisy) >> self.walks // 60)], key=lambda kid: kid.visits)


class Urgent(Student):
    """All children at once; one without a visit has a mean of 0.3."""

    def new(self, *given):
        node = super().new(*given)
        node.prior = 0.05 + self.random.random()
        return node

    def select(self, node):
        while node.children:
            node = self.best(node)
        return node

    def expand(self, node):
        self.add_all(node)
        return node

    def score(self, child, parent):
        mean = child.wins / child.visits if child.visits else 0.3
        return mean + 1.5 * child.prior * math.sqrt(parent.visits) / (1 + child.visits)


class Shared(Careful):
    """Positions are shared, and the walked path alone is counted."""

    def __init__(self, seed, state="." * 9):
        self.known = {}
        super().__init__(seed, state)

    def new(self, *given):
        known = self.known.get(given[0])
        return known or self.known.setdefault(given[0], super().new(*given))

    def iterate(self):
        path = [self.root]
        while not path[-1].untried and path[-1].children:
            path.append(self.best(path[-1]))
        leaf = self.expand(path[-1])
        path += [leaf] * (leaf is not path[-1])
        won = self.simulate(leaf)
        for node in path:
            node.visits += 1
            node.wins += self.reward(node, won)


# Nodes that are dicts, positions or moves ---------------------------------------------------------


class Record(dict):
    """A node that is a dict."""

    __getattr__, __setattr__ = dict.__getitem__, dict.__setitem__

    def __init__(self, state, parent=None, move=None):
        super().__init__(state=state, parent=parent, move=move, children=[], visits=0, wins=0.0)


class Dicts(Student):
    node = Record

    def __init__(self, *given):
        super().__init__(*given)
        self.given = {key: itemgetter(key) for key in ("state", "children", "visits", "wins")}


class Tables(Student):
    """A node is its position, and may be reached in several ways."""

    def __init__(self, seed, state="." * 9):
        self.n, self.w, self.below = defaultdict(int), defaultdict(float), {}
        super().__init__(seed, state)
        self.given = {
            "children": lambda node: self.below.get(node, ()),
            "visits": lambda node: self.n.get(node, 0),
            "wins": lambda node: self.w.get(node, 0),
        }

    def new(self, state):
        return state

    def at(self, node):
        return SimpleNamespace(state=node)

    def after(self, node):
        return sorted({play(node, move) for move in moves(node)})

    def score(self, child, parent):
        return self.w[child] / self.n[child] + bonus(self.c, self.n[parent], self.n[child])

    def count(self, node, reward):
        self.n[node] += 1
        self.w[node] += reward

    def iterate(self):
        path = [self.root]
        while below := self.below.get(path[-1]):
            if untried := [node for node in below if node not in self.below]:
                path.append(untried[-1])
                break
            path.append(max(below, key=lambda node: self.score(node, path[-1])))
        self.below.setdefault(path[-1], self.after(path[-1]))
        won = self.simulate(self.at(path[-1]))
        for node in path:
            self.count(node, self.reward(self.at(node), won))


class MovesUntilThere(Tables):
    """After two moves a node looks like a pair of a key and a child; wins are means."""

    rules, c = None, 0.8

    def __init__(self, seed):
        super().__init__(seed, ())

    def at(self, node):
        return SimpleNamespace(state=reduce(play, node, "." * 9))

    def after(self, node):
        return [(*node, move) for move in moves(self.at(node).state)]

    def score(self, child, parent):
        return self.w[child] + bonus(self.c, self.n[parent], self.n[child])

    def count(self, node, reward):
        self.n[node] += 1
        self.w[node] += (reward - self.w[node]) / self.n[node]


# Other games --------------------------------------------------------------------------------------


class Way(Student):
    """One player goes right or down, and gets from 0 to 200 points."""

    rules = None

    c = 40

    def __init__(self, seed):
        super().__init__(seed, (0, 0))
        self.grid = [[self.random.randrange(20) for _ in range(6)] for _ in range(6)]

    def options(self, at):
        return ["D"] * (at[0] < 5) + ["R"] * (at[1] < 5)

    def play(self, at, move):
        return at[0] + (move == "D"), at[1] + (move == "R")

    def simulate(self, node):
        way = [one.state for one in path_to(node)[::-1]]
        while options := self.options(way[-1]):
            way.append(self.play(way[-1], self.random.choice(options)))
        return sum(self.grid[row][column] for row, column in way)

    def reward(self, node, won):
        return won


class Together(Way):
    """Two move in turn, and both get the points."""

    def new(self, *given):
        node = super().new(*given)
        node.player = sum(node.state) % 2
        return node


class MoveAgain(ByOwnRules):
    """Who leaves a multiple of four moves again; all nodes count one player's wins. A position,
    (left, to move), names no player."""

    rules, c = None, 1

    def __init__(self, seed):
        super().__init__(seed, (13, 0))

    def options(self, state):
        return [*range(1, min(3, state[0]) + 1)]

    def play(self, state, move):
        left = state[0] - move
        return left, 1 - state[1] if left % 4 else state[1]

    def result(self, state):
        return 1 - 2 * state[1]

    def reward(self, node, won):
        return won

    def mean(self, child, parent):
        return (1 - 2 * parent.state[1]) * child.wins / child.visits


# Habits that are no laws --------------------------------------------------------------------------


class AfterThePlayout(Careful):
    """A node is added after the playout, which began at its parent."""

    def iterate(self):
        leaf = self.select(self.root)
        self.backpropagate(leaf, self.simulate(leaf))
        self.expand(leaf)


class FromOne(Student):
    """Visits begin at 1, which avoids a division by 0."""

    def new(self, *given):
        node = super().new(*given)
        node.visits = 1
        return node


class FromOneAllAtOnce(FromOne):
    def expand(self, node):
        if not node.untried:
            return node
        self.add_all(node)
        return self.random.choice(node.children)


class RootNotCounted(Student):
    def bonus(self, child, parent):
        return self.c * math.sqrt(
            math.log(sum(kid.visits for kid in parent.children)) / child.visits
        )

    def counted(self, path, won):
        return path[:-1]


class TwoPlayoutsOrOne(Student):
    """Two playouts, one where the game is over."""

    def iterate(self):
        leaf = self.expand(self.select(self.root))
        for _ in range(2 if moves(leaf.state) else 1):
            self.backpropagate(leaf, self.simulate(leaf))


class Forced(Student):
    """A search that tries only a winning move, or else a block, where there is one."""

    def options(self, board):
        every, other = moves(board), {"X": "O", "O": "X"}[turn(board)]
        wins = [move for move in every if winner(play(board, move))]
        blocks = [move for move in every if winner(play(board, move, other))]
        return wins[:1] or blocks[:1] or every


class Margins(Student):
    """A quick win is worth more; a loss as much less."""

    def result(self, board):
        return winner(board), board.count(".")

    def reward(self, node, won):
        sign, left = won
        return 0.0 if sign is None else (1 + left) * (1.0 if sign == self.player(node) else -1.0)


class ShortPlayouts(Student):
    """Two moves, and then the value 0 of a draw."""

    def simulate(self, node):
        board = node.state
        for _ in range(2):
            if options := moves(board):
                board = play(board, self.random.choice(options))
        return winner(board)


class Rave(Student):
    """All moves of a playout are counted for the children that begin with them, beside the
    visits."""

    def new(self, *given):
        node = super().new(*given)
        node.amaf, node.amaf_sum = 0, 0.0
        return node

    def mean(self, child, parent):
        share = math.sqrt(50 / (3 * parent.visits + 50))
        early = child.amaf_sum / child.amaf if child.amaf else 0.5
        return (1 - share) * child.wins / child.visits + share * early

    def counted(self, path, won):
        for node in path:
            for child in node.children:
                if self.random.random() < 0.3:
                    child.amaf += 1
                    child.amaf_sum += self.reward(child, won)
        return path


class BestFew(Student):
    """The root considers three moves only."""

    def __init__(self, seed, state="." * 9):
        super().__init__(seed, state)
        self.root.untried = self.root.untried[:3]


class Again(Student):
    """The tree was searched before the first look."""

    def __init__(self, seed, state="." * 9):
        super().__init__(seed, state)
        for _ in range(100):
            self.iterate()


def turned(student, child, parent):
    """X's mean for X, one less X's mean for O."""
    mean = child.wins / child.visits
    return float(mean if turn(parent.state) == "X" else 1 - mean)


def exact_at_the_end(student, child, parent):
    """The result where the game is over, without a bonus."""
    won = winner(child.state)
    return (
        Student.score(student, child, parent) if moves(child.state) else student.reward(child, won)
    )


class InTable(Node):
    """A search with a table of all nodes, which holds the root before it has a child."""

    def __init__(self, *given):
        super().__init__(*given)
        self.table = self.parent.table if self.parent else {}
        self.table[id(self)] = self


class TwoPlayouts(Student):
    playouts = 2

    def iterate(self):
        leaf = self.expand(self.select(self.root))
        for _ in range(self.playouts):
            self.backpropagate(leaf, self.simulate(leaf))


class TwoWalks(Student):
    """Two iterations of its own in each call that is watched."""

    c = 0.05

    def iterate(self):
        super().iterate()
        super().iterate()


def epsilon_greedy(student, node):
    is_random = student.random.random() < 0.2
    return student.random.choice(node.children) if is_random else Student.best(student, node)


def random_ties(student, node):
    return max(node.children, key=lambda k: (student.score(k, node), student.random.random()))


def thompson(student, child, parent):
    return student.random.betavariate(1 + child.wins, 1 + child.visits - child.wins)


def first_moves(student, node):
    """A playout that takes the first move, always."""
    board = node.state
    while moves(board):
        board = play(board, moves(board)[0])
    return winner(board)


def value(student, node):
    """A value for X that never repeats itself, in place of a playout."""
    return student.random.random()


STYLES = {
    **{
        kind.__name__: kind
        for kind in (
            *(AfterThePlayout, FromOne, FromOneAllAtOnce, RootNotCounted, TwoPlayoutsOrOne),
            *(Forced, Margins, BackedByMaximum, ShortPlayouts, Rave, BestFew, Again),
            *(Student, ExpandAll, TwoPlayouts, TwoWalks),
        )
    },
    "FixedViewpoint": with_parts(player=lambda *_: "X", mean=turned),
    "PlusAndMinusOne": with_parts(
        draw=0.0,
        reward=lambda self, node, won: 0.0 if won is None else 2.0 * (won == self.player(node)) - 1,
    ),
    "ForThePlayerToMove": with_parts(player=to_move, mean=lambda self, k, _: 1 - k.wins / k.visits),
    "EvaluationOfZero": with_parts(simulate=lambda self, node: winner(node.state)),
    "ADrawIsAThird": with_parts(draw=1 / 3),
    "ExactAtTheEnd": with_parts(score=exact_at_the_end, c=2.0),
    "FirstMoves": with_parts(simulate=first_moves),
    "WithATable": with_parts(node=InTable),
    "EpsilonGreedy": with_parts(best=epsilon_greedy, c=0.0),
    "Thompson": with_parts(score=thompson),
    "RandomTies": with_parts(best=random_ties),
    "SeveralPlayouts": with_parts(TwoPlayouts, playouts=8),
}
SOUND = {
    **STYLES,
    **{kind.__name__: kind for kind in (Dicts, Tables, MovesUntilThere)},
    **{kind.__name__: kind for kind in (Way, Together, MoveAgain)},
    "virtual losses": InFlight,
    "a root that halves its children": Halving,
    "first-play urgency": Urgent,
    "shared positions": Shared,
    **NUMBERS,
    **{name: program for name, (program, _) in FORMULAS.items()},
    **HELD,
    "three players": Counters,
    "four players": type("Four", (Counters,), {"players": 4, "left": 16, "rules": None}),
    "rewards on the way, of two": Row,
    "rewards on the way, discounted": type("Discounted", (Row,), {"discount": 0.9}),
    "rewards on the way, of one": type(
        "One",
        (Row,),
        {"turned": 1.0, "leaf": 1.0, "is_paid": staticmethod(lambda board: len(board) % 3 > 0)},
    ),
    "softmax": with_parts(best=softmax),
    "a solver": Solver,
}


# Planted faults -----------------------------------------------------------------------------------


class SharedUp(Student):
    """Positions are shared, and a visit is passed on to each parent: the root gets several."""

    def __init__(self, seed, state="." * 9):
        self.known = {}
        super().__init__(seed, state)

    def new(self, *given):
        node = super().new(*given)
        node.parents = []
        return node

    def expand(self, node):
        if not node.untried:
            return node
        move = node.untried.pop()
        state = play(node.state, move)
        child = self.known.setdefault(state, None) or self.new(state, node, move)
        self.known[state] = child
        child.parents.append(node)
        node.children.append(child)
        return child

    def backpropagate(self, node, won):
        node.visits += 1
        node.wins += self.reward(node, won)
        for parent in node.parents:
            self.backpropagate(parent, won)


def one_level(student, node):
    """Selection with ``if`` in the place of ``while``: it goes down once."""
    return student.best(node) if not node.untried and node.children else node


def mover(board):
    """X moves once, then each player twice in a row."""
    return "XO"[(10 - board.count(".")) // 2 % 2]


class MovesTwice(Game[str, int]):
    """Three in a row, where from the second move on each player moves twice in a row."""

    name = "Moves twice"
    players = ("X", "O")

    def initial_state(self):
        return "." * 9

    def to_move(self, state):
        return "XO".index(mover(state))

    def legal_actions(self, state):
        return tuple(moves(state))

    def play(self, state, action):
        return play(state, action, mover(state))

    def is_terminal(self, state):
        return not moves(state)

    def returns(self, state):
        value = {"X": 1.0, "O": -1.0}.get(winner(state) or "", 0.0)
        return value, 0.0 - value


class TurnsAtEveryLevel(ByOwnRules):
    """A search of that game whose reward changes sides at each level."""

    def play(self, board, move):
        return play(board, move, mover(board))

    def backpropagate(self, node, won):
        reward = self.draw if won is None else float(won == mover(node.parent.state))
        while node:
            node.visits += 1
            node.wins += reward
            node, reward = node.parent, 1 - reward


class WantsItsOpponentsWins(Student):
    """X takes the child with the highest mean, and O the one with the lowest."""

    def mean(self, child, parent):
        mean = super().mean(child, parent)
        return mean if turn(parent.state) == "X" else 1 - mean


class ParentPaid(Student):
    """Each reward is added to the node above, so the last one of a path gets none."""

    def backpropagate(self, node, won):
        while node:
            node.visits += 1
            if node.parent:
                node.parent.wins += self.reward(node.parent, won)
            node = node.parent


class NeverReset(Student):
    total = 0.0

    def reward(self, node, won):
        self.total += super().reward(node, won)
        return self.total


class SiblingsToo(Student):
    def counted(self, path, won):
        for node in path[:-1]:
            for sibling in node.parent.children:
                sibling.visits += sibling is not node
        return path


class LeafOpposite(Student):
    """The last node gets what its opponent should."""

    def counted(self, path, won):
        self.last = path[0]
        return path

    def reward(self, node, won):
        reward = super().reward(node, won)
        return 1 - reward if node is self.last else reward


class WrongCell(Student):
    """Every 60th node holds another move than it says."""

    made = 0

    def expand(self, node):
        self.made += 1
        others = [move for move in node.untried if node.untried and move != node.untried[-1]]
        if self.made % 60 or not others:
            return super().expand(node)
        move = node.untried.pop()
        node.children.append(self.new(play(node.state, self.random.choice(others)), node, move))
        return node.children[-1]


class AtRandomUntilAll(Careful):
    def best(self, node):
        if all(child.visits for child in node.children):
            return super().best(node)
        return self.random.choice(node.children)

    def expand(self, node):
        if node.untried:
            self.add_all(node)
        return self.random.choice(node.children) if node.children else node


MORE = {
    "counted-twice (siblings)": SiblingsToo,
    "unpaid": ParentPaid,
    "paid-twice": with_parts(
        LeafOpposite,
        reward=lambda self, n, won: Student.reward(self, n, won) * (1 + (n is self.last)),
    ),
    "leaf-viewpoint": LeafOpposite,
    "reward-grows": NeverReset,
    "wrong-position": WrongCell,
    "random-at-first": AtRandomUntilAll,
    "parent-in-mean": with_parts(mean=lambda self, k, above: k.wins / above.visits),
    "parent-in-mean (of the player to move)": with_parts(
        player=to_move, mean=lambda self, k, above: -k.wins / above.visits
    ),
    "most-visited": with_parts(score=lambda self, k, above: float(k.visits)),
}
SOON, SOONER = "XX..O....", "XO..X...."
"""Positions from which games end soon; in the first one move wins."""
RULES = TicTacToe()
PLANTED = {
    **{name: (kind, None, ()) for name, kind in USUAL.items()},
    **{f"{name} (by the rules)": (kind, RULES, ()) for name, kind in (USUAL | WITH_GAME).items()},
    **{f"{name} (more)": (kind, RULES, ()) for name, kind in MORE.items()},
    **{f"{name} (at the end)": (kind, RULES, (SOONER,)) for name, kind in AT_THE_END.items()},
    "count-too-early": (numbers(running(1)), None, ()),
    "count-too-early (never twice)": (numbers(running(1), simulate=unlike), None, ()),
    "count-too-early (from -1)": (numbers(running(1), simulate=unlike, low=-1), None, ()),
    "counted-twice (shared nodes pass visits to all)": (SharedUp, None, ()),
    "explored-out (with a win)": (ExploredOut, RULES, (SOON,)),
    "wrong-viewpoint (the next of three)": (type("Next", (Counters,), {"shift": 1}), Take(), ()),
    "wrong-viewpoint (of one)": (WantsItsOpponentsWins, None, ()),
    "flipped-for-one-player": (TurnsAtEveryLevel, MovesTwice(), ()),
    "same-reward (values)": (with_parts(simulate=value, reward=lambda *of: of[2]), RULES, ()),
    "wrong-result (from the root down)": (
        with_parts(
            reward=lambda self, node, won: (
                0.5 if won is None else float((won == turn(node.state)) == (self.length % 2 == 0))
            ),
            backpropagate=lambda self, node, won: (
                setattr(self, "length", len(path_to(node))),
                Student.backpropagate(self, node, won),
            ),
        ),
        *(RULES, (SOON,)),
    ),
}
"""By the name of its finding: a faulty program, the rules that are given, and where it begins."""
NOTED = {
    **{name: (kind, None, ()) for name, kind in AS_NOTES.items()},
    "same-reward (on the way)": (type("OneSign", (Row,), {"turned": 1.0}), None, ()),
    "stops-early": (with_parts(select=one_level), RULES, ()),
    "left-out (new)": (AfterThePlayout, RULES, ()),
    "left-out (root)": (RootNotCounted, RULES, ()),
    "born": (FromOne, RULES, ()),
    "missing-move": (BestFew, RULES, ()),
    "no-playout": (STYLES["EvaluationOfZero"], RULES, ()),
    "walks": (TwoWalks, RULES, ()),
    "viewpoint-unknown (of three)": (Counters, None, ()),
}
"""By the name of a note: a program that may be right."""
