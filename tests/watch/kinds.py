"""Programs as people really write them, each a change of one part: sound ones, and faults."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from strangers import Careful, Student, bonus, moves, play, turn, winner, with_parts

from mcts_viz.games import Game


def path_to(node: Any) -> list[Any]:
    """The nodes from this one up to the root."""
    path = [node]
    while path[-1].parent:
        path.append(path[-1].parent)
    return path


# What a node's number is --------------------------------------------------------------------------


def backing(update: Callable[[Any, float, int], float]) -> Any:
    """Back up: each node's number becomes what ``update`` makes of it, and then gets its visit."""

    def backpropagate(self: Any, node: Any, won: Any) -> None:
        noise = self.random.random() * self.noise if hasattr(self, "noise") else 0.0
        for up, one in enumerate(path_to(node)):
            one.wins = update(one, valued(self, one, won) + noise, up)
            one.visits += 1

    return backpropagate


def valued(self: Any, node: Any, won: Any) -> float:
    """The reward of a result, or of a value for X, on a scale that begins at ``low``."""
    if not isinstance(won, float):
        return float(self.reward(node, won))
    low = getattr(self, "low", 0)
    return float(low + (1 - low) * (won if self.player(node) == "X" else 1 - won))


def unlike(self: Any, node: Any) -> float:
    """The result for X, or in a game that goes on a value that never repeats itself."""
    result = {"X": 1.0, "O": 0.0}.get(winner(node.state) or "", 0.5)
    return float(self.random.random() if moves(node.state) else result)


def is_mean(self: Any, child: Any, parent: Any) -> float:
    return float(child.wins)


def added(node: Any, reward: float, up: int) -> float:
    return float(node.wins + reward)


def largest(node: Any, reward: float, up: int) -> float:
    return max(node.wins, reward) if node.visits else reward


def decayed(share: float, begin: bool) -> Any:
    def update(node: Any, reward: float, up: int) -> float:
        old = node.wins if node.visits or not begin else reward
        return float(old + share * (reward - old))

    return update


def running(extra: int) -> Any:
    """The running mean; with one visit more, its count is raised too early."""

    def update(node: Any, reward: float, up: int) -> float:
        count = node.visits + extra
        return float((node.wins * count + reward) / (count + 1))

    return update


def lambda_return(self: Any, node: Any, won: Any) -> None:
    """Each node gets a mix of its own mean and of what the node below got."""
    below = self.reward(node, won)
    for one in path_to(node):
        own = one.wins / one.visits if one.visits else below
        mixed = 0.8 * below + 0.2 * own
        one.wins, one.visits, below = one.wins + mixed, one.visits + 1, 1 - mixed


def numbers(update: Any, **parts: Any) -> Any:
    return with_parts(mean=is_mean, backpropagate=backing(update), **parts)


NUMBERS: dict[str, Any] = {
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


def puct(c: Callable[[float], float], **form: Any) -> Any:
    """PUCT with priors that a node keeps; ``c`` depends on the parent's visits."""
    noise, anew, own = form.get("noise", 0.0), form.get("anew", ""), form.get("own", 1)

    def score(self: Any, child: Any, parent: Any) -> float:
        prior = child.prior
        if noise and (anew == "everywhere" or parent.parent is None):
            prior = (1 - noise) * prior + noise * self.random.random()
        mean = child.wins / (child.visits + 1 - own)
        return float(
            mean + c(parent.visits) * prior * math.sqrt(parent.visits) / (1 + child.visits)
        )

    def new(self: Any, *given: Any) -> Any:
        node = Student.new(self, *given)
        node.prior = 0.05 + self.random.random()
        return node

    return with_parts(score=score, new=new)


def among(wanted: Callable[[Any], bool]) -> Any:
    """Select among the children that are wanted alone."""

    def best(self: Any, node: Any) -> Any:
        kids = [kid for kid in node.children if wanted(kid)] or node.children
        return max(kids, key=lambda kid: self.score(kid, node))

    return best


def softmax(self: Any, node: Any) -> Any:
    weights = [math.exp(kid.wins / kid.visits / 0.2) for kid in node.children]
    return self.random.choices(node.children, weights)[0]


def widening(self: Any, node: Any) -> Any:
    """Select: a child is added only where there are fewer than the root of the visits."""
    while node.children and not (node.untried and len(node.children) < node.visits**0.5):
        node = self.best(node)
    return node


def with_noise(share: float) -> Any:
    """PUCT whose priors get noise in every node, drawn anew at each selection."""

    def new(self: Any, *given: Any) -> Any:
        node = Student.new(self, *given)
        node.prior = self.random.random() ** 3 / 3
        return node

    def score(self: Any, child: Any, parent: Any) -> float:
        prior = (1 - share) * child.prior + share * self.random.expovariate(9)
        mean = child.wins / child.visits
        return float(mean + 2.5 * prior * math.sqrt(parent.visits) / (1 + child.visits))

    return with_parts(score=score, new=new)


FORMULAS: dict[str, tuple[Any, str]] = {
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


class Held(Student):
    """Students that keep their children in another way."""

    def kids(self, node: Any) -> list[Any]:
        return list(node.children)

    def add(self, node: Any, child: Any) -> None:
        node.children.append(child)

    def best(self, node: Any) -> Any:
        return max(self.kids(node), key=lambda child: self.score(child, node))

    def select(self, node: Any) -> Any:
        while not node.untried and self.kids(node):
            node = self.best(node)
        return node

    def expand(self, node: Any) -> Any:
        if not node.untried:
            return node
        move = node.untried.pop(self.random.randrange(len(node.untried)))
        child = self.new(self.play(node.state, move), node, move)
        self.add(node, child)
        return child


class Linked(Held):
    def new(self, *given: Any) -> Any:
        node = super().new(*given)
        del node.children
        node.first_child = node.next_sibling = None
        return node

    def kids(self, node: Any) -> list[Any]:
        found, child = [], node.first_child
        while child:
            found.append(child)
            child = child.next_sibling
        return found

    def add(self, node: Any, child: Any) -> None:
        node.first_child, child.next_sibling = child, node.first_child


class Pairs(Held):
    def kids(self, node: Any) -> list[Any]:
        return [child for _, child in node.children]

    def add(self, node: Any, child: Any) -> None:
        node.children.append((child.move, child))


class ByMoveInTheParent(Held):
    """Numbers are in the parent's dicts, by move."""

    def new(self, *given: Any) -> Any:
        node = super().new(*given)
        del node.visits, node.wins
        node.N, node.W, node.children = {}, {}, {}
        return node

    def kids(self, node: Any) -> list[Any]:
        return list(node.children.values())

    def add(self, node: Any, child: Any) -> None:
        node.children[child.move], node.N[child.move], node.W[child.move] = child, 0, 0.0

    def score(self, child: Any, parent: Any) -> float:
        n, w = parent.N[child.move], parent.W[child.move]
        return float(w / n + bonus(self.c, sum(parent.N.values()), n))

    def backpropagate(self, node: Any, won: Any) -> None:
        for one in path_to(node)[:-1]:
            one.parent.N[one.move] += 1
            one.parent.W[one.move] += self.reward(one, won)


class Edge(SimpleNamespace):
    """A move with its own numbers, and the node it leads to."""


class Edges(Held):
    def new(self, *given: Any) -> Any:
        node = super().new(*given)
        del node.visits, node.wins, node.children
        node.edges = []
        return node

    def kids(self, node: Any) -> list[Any]:
        return [edge.child for edge in node.edges]

    def add(self, node: Any, child: Any) -> None:
        child.edge = Edge(move=child.move, visits=0, wins=0.0, child=child)
        node.edges.append(child.edge)

    def score(self, child: Any, parent: Any) -> float:
        every = sum(edge.visits for edge in parent.edges)
        edge = child.edge
        return float(edge.wins / edge.visits + bonus(self.c, every, edge.visits))

    def backpropagate(self, node: Any, won: Any) -> None:
        for one in path_to(node)[:-1]:
            one.edge.visits += 1
            one.edge.wins += self.reward(one, won)


class MadeAgain(Student):
    """The whole tree is copied before each iteration; the root is asked for."""

    def iterate(self) -> None:
        self.root = self.copied(self.root, None)
        super().iterate()

    def copied(self, node: Any, parent: Any) -> Any:
        new = self.node(node.state, parent, node.move)
        new.untried, new.visits, new.wins = [*node.untried], node.visits, node.wins
        new.children = [self.copied(child, new) for child in node.children]
        return new


HELD: dict[str, Any] = {
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

    def initial_state(self) -> Any:
        return self.left, 0

    def to_move(self, state: Any) -> int:
        return int(state[1])

    def legal_actions(self, state: Any) -> tuple[int, ...]:
        return tuple(take for take in (1, 2) if take <= state[0])

    def play(self, state: Any, action: int) -> Any:
        return state[0] - action, (state[1] + 1) % 3

    def is_terminal(self, state: Any) -> bool:
        return not state[0]

    def returns(self, state: Any) -> tuple[float, ...]:
        return tuple(1.0 if player == (state[1] - 1) % 3 else -0.5 for player in range(3))


class Counters(Student):
    """Each of several players takes 1 or 2 counters in turn; who takes the last wins."""

    players, left = 3, 12
    shift = 0
    """0 pays who moved there; 1 pays the next player."""

    def __init__(self, seed: int, state: Any = None) -> None:
        super().__init__(seed, state or (self.left, 0))
        self.given = {"wins": lambda node: node.wins}

    def new(self, *given: Any) -> Any:
        node = super().new(*given)
        node.player = node.state[1]
        return node

    def options(self, board: Any) -> list[int]:
        return [take for take in (1, 2) if take <= board[0]]

    def play(self, board: Any, move: int) -> Any:
        return board[0] - move, (board[1] + 1) % self.players

    def simulate(self, node: Any) -> Any:
        board = node.state
        while options := self.options(board):
            board = self.play(board, self.random.choice(options))
        return (board[1] - 1) % self.players

    def reward(self, node: Any, won: Any) -> float:
        return float(won == (node.state[1] - 1 + self.shift) % self.players)


class Row(Student):
    """Two players take numbers from either end of a row; the difference counts. Each move pays."""

    turned, leaf = -1.0, -1.0
    is_paid = staticmethod(lambda board: True)
    row = (3, 9, 1, 2, 8, 4, 7, 5)
    discount = 1.0

    def __init__(self, seed: int, state: Any = None) -> None:
        super().__init__(seed, state or self.row)

    def options(self, board: Any) -> list[int]:
        return [0, -1] if len(board) > 1 else [0] * len(board)

    def play(self, board: Any, move: int) -> Any:
        return board[1:] if move == 0 else board[:-1]

    def simulate(self, node: Any) -> Any:
        board, sign, below = node.state, 1.0, 0.0
        while options := self.options(board):
            move = self.random.choice(options)
            below += sign * board[move] * self.is_paid(board)
            sign *= self.turned * self.discount
            board = self.play(board, move)
        return below

    def backpropagate(self, node: Any, won: Any) -> None:
        value = won
        for one in path_to(node):
            above = one.parent.state if one.parent else (0,)
            paid = above[one.move or 0] * self.is_paid(above)
            value = paid + (self.leaf if one is node else self.turned) * self.discount * value
            one.visits += 1
            one.wins += value


# Children that leave ------------------------------------------------------------------------------


def is_done(node: Any) -> bool:
    """True if nothing is left to explore below a node."""
    return not node.untried and all(map(is_done, node.children))


class ExploredOut(Student):
    """A search that never chooses explored-out nodes again, and ends with the root."""

    def best(self, node: Any) -> Any:
        open_kids = [kid for kid in node.children if not is_done(kid)] or node.children
        return max(open_kids, key=lambda child: self.score(child, node))


class Solver(Student):
    """A proven loss for who moves there is never chosen again, and a win proves what is above."""

    def new(self, *given: Any) -> Any:
        node = super().new(*given)
        node.proof = None
        if not moves(node.state):
            node.proof = 0.5 if winner(node.state) is None else 1.0  # for who moved there
        return node

    def best(self, node: Any) -> Any:
        going = [kid for kid in node.children if kid.proof is None]
        return max(going, key=lambda child: self.score(child, node))

    def select(self, node: Any) -> Any:
        while not node.untried and any(kid.proof is None for kid in node.children):
            node = self.best(node)
        return node

    def backpropagate(self, node: Any, won: Any) -> None:
        super().backpropagate(node, won)
        for one in path_to(node):
            proofs = [kid.proof for kid in one.children]
            is_all = not one.untried and proofs and None not in proofs
            if 1.0 in proofs or is_all:
                one.proof = 1 - max(proof for proof in proofs if proof is not None)

    def iterate(self) -> None:
        if self.root.proof is None:
            super().iterate()


# Several walks at once, shared positions, and a root that chooses in a way of its own -------------


class InFlight(Careful):
    """Four walks at once, kept apart by a virtual loss."""

    def iterate(self) -> None:
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

    def best(self, node: Any) -> Any:
        if node is not self.root:
            return super().best(node)
        self.walks += 1
        noisy = sorted(node.children, key=lambda k: -k.wins / k.visits - 0.07 * (k.move * 5 % 9))
        return min(noisy[: max(1, len(noisy) >> self.walks // 60)], key=lambda kid: kid.visits)


class Urgent(Student):
    """All children at once; one without a visit has a mean of 0.3."""

    def new(self, *given: Any) -> Any:
        node = super().new(*given)
        node.prior = 0.05 + self.random.random()
        return node

    def select(self, node: Any) -> Any:
        while node.children:
            node = self.best(node)
        return node

    def expand(self, node: Any) -> Any:
        node.children = [self.new(play(node.state, move), node, move) for move in node.untried]
        node.untried = []
        return node

    def score(self, child: Any, parent: Any) -> float:
        mean = child.wins / child.visits if child.visits else 0.3
        return float(mean + 1.5 * child.prior * math.sqrt(parent.visits) / (1 + child.visits))


class Shared(Careful):
    """Positions are shared, and the walked path alone is counted."""

    def __init__(self, seed: int, state: str = "." * 9) -> None:
        self.known: dict[str, Any] = {}
        super().__init__(seed, state)

    def new(self, *given: Any) -> Any:
        known = self.known.get(given[0])
        return known or self.known.setdefault(given[0], super().new(*given))

    def iterate(self) -> None:
        path = [self.root]
        while not path[-1].untried and path[-1].children:
            path.append(self.best(path[-1]))
        leaf = self.expand(path[-1])
        path += [leaf] * (leaf is not path[-1])
        won = self.simulate(leaf)
        for node in path:
            node.visits += 1
            node.wins += self.reward(node, won)


SOUND: dict[str, Any] = {
    "virtual losses": InFlight,
    "a root that halves its children": Halving,
    "first-play urgency": Urgent,
    "shared positions": Shared,
    **NUMBERS,
    **{name: program for name, (program, _) in FORMULAS.items()},
    **HELD,
    "three players": Counters,
    "four players": type("Four", (Counters,), {"players": 4, "left": 16}),
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

    def __init__(self, seed: int, state: str = "." * 9) -> None:
        self.known: dict[Any, Any] = {}
        super().__init__(seed, state)

    def new(self, *given: Any) -> Any:
        node = super().new(*given)
        node.parents = []
        return node

    def expand(self, node: Any) -> Any:
        if not node.untried:
            return node
        move = node.untried.pop()
        state = play(node.state, move)
        child = self.known.setdefault(state, None) or self.new(state, node, move)
        self.known[state] = child
        child.parents.append(node)
        node.children.append(child)
        return child

    def backpropagate(self, node: Any, won: Any) -> None:
        node.visits += 1
        node.wins += self.reward(node, won)
        for parent in node.parents:
            self.backpropagate(parent, won)


FAULTS: dict[str, tuple[Any, str, bool]] = {
    "count raised too early": (numbers(running(1)), "count-too-early", False),
    "count raised too early, from 0": (numbers(running(1), draw=0.0), "count-too-early", False),
    "count raised too early, never twice": (
        numbers(running(1), simulate=unlike),
        "count-too-early",
        False,
    ),
    "count raised too early, never twice, from -1": (
        numbers(running(1), simulate=unlike, low=-1),
        "count-too-early",
        False,
    ),
    "shared nodes pass visits to all": (SharedUp, "counted-twice", False),
    "explored out, with a win": (ExploredOut, "explored-out", True),
    "the next of three players is paid": (
        type("Next", (Counters,), {"shift": 1}),
        "wrong-viewpoint",
        True,
    ),
    "one sign for two players": (
        type("OneSign", (Row,), {"turned": 1.0}),
        "same-reward",
        False,
    ),
    "backed up from the root down": (
        with_parts(
            draw=0.5,
            reward=lambda self, node, won: (
                0.5 if won is None else float((won == turn(node.state)) == (self.length % 2 == 0))
            ),
            backpropagate=lambda self, node, won: (
                setattr(self, "length", len(path_to(node))),
                Student.backpropagate(self, node, won),
            ),
        ),
        "wrong-result",
        True,
    ),
    "siblings are counted as well (AMAF)": (
        with_parts(
            counted=lambda self, path, won: (
                path + [kid for node in path[1:] for kid in node.children if kid not in path]
            )
        ),
        "counted-twice",
        False,
    ),
}
