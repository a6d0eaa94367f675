"""Searches as others might write them, of different style, each with the rules that it needs."""

from __future__ import annotations

import math
import random
from typing import Any

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def winner(board: str) -> str | None:
    """Who has three in a row, if anybody has."""
    for a, b, c in LINES:
        if board[a] != "." and board[a] == board[b] == board[c]:
            return board[a]
    return None


def moves(board: str) -> list[int]:
    """The free cells, none when the game is over."""
    return [] if winner(board) else [cell for cell, sign in enumerate(board) if sign == "."]


def turn(board: str) -> str:
    """Who is to move."""
    return "X" if board.count("X") == board.count("O") else "O"


def play(board: str, cell: int) -> str:
    """The board after a move."""
    return board[:cell] + turn(board) + board[cell + 1 :]


class Node:
    """A node as most students write it."""

    def __init__(self, state: str, parent: Node | None = None, move: int | None = None) -> None:
        self.state, self.parent, self.move = state, parent, move
        self.children: list[Node] = []
        self.untried = moves(state)
        self.visits = 0
        self.wins = 0.0


class Student:
    """The four functions, as most students write them; each planted fault changes one of them."""

    c = 1.4
    node: Any = Node

    def __init__(self, seed: int, state: str = "." * 9) -> None:
        self.random = random.Random(seed)
        self.root: Any = self.node(state)

    def iterate(self) -> None:
        leaf = self.expand(self.select(self.root))
        self.backpropagate(leaf, self.simulate(leaf))

    def score(self, child: Any, parent: Any) -> float:
        bonus = math.sqrt(math.log(parent.visits) / child.visits)
        return float(child.wins / child.visits + self.c * bonus)

    def best(self, node: Any) -> Any:
        return max(node.children, key=lambda child: self.score(child, node))

    def select(self, node: Any) -> Any:
        while not node.untried and node.children:
            node = self.best(node)
        return node

    def expand(self, node: Any) -> Any:
        if not node.untried:
            return node
        move = node.untried.pop(self.random.randrange(len(node.untried)))
        node.children.append(self.node(play(node.state, move), node, move))
        return node.children[-1]

    def simulate(self, node: Any) -> str | None:
        board = node.state
        while free := moves(board):
            board = play(board, self.random.choice(free))
        return winner(board)

    def reward(self, node: Any, won: str | None) -> float:
        mover = "O" if turn(node.state) == "X" else "X"
        return 0.5 if won is None else float(won == mover)

    def backpropagate(self, node: Any, won: str | None) -> None:
        while node:
            node.visits += 1
            node.wins += self.reward(node, won)
            node = node.parent


# Planted faults ----------------------------------------------------------------------------------


class SameReward(Student):
    """Both players' nodes get the first player's reward."""

    def reward(self, node: Any, won: str | None) -> float:
        return 0.5 if won is None else float(won == "X")


class WrongViewpoint(Student):
    """A node gets the reward of the player to move there, and selection takes it as it is."""

    def reward(self, node: Any, won: str | None) -> float:
        return 0.5 if won is None else float(won == turn(node.state))


class WrongSelection(Student):
    """Selection turns a reward round that speaks for the player who chooses already."""

    def score(self, child: Any, parent: Any) -> float:
        bonus = math.sqrt(math.log(parent.visits) / child.visits)
        return float(1 - child.wins / child.visits + self.c * bonus)


class TurnedTwice(Student):
    """Selection turns the reward round for O, though backpropagation has done so."""

    def score(self, child: Any, parent: Any) -> float:
        value = child.wins / child.visits
        value = value if turn(parent.state) == "X" else 1 - value
        return float(value + self.c * math.sqrt(math.log(parent.visits) / child.visits))


class RootLeftOut(Student):
    """The root gets no visit."""

    def __init__(self, seed: int, state: str = "." * 9) -> None:
        super().__init__(seed, state)
        self.root.visits = 1

    def backpropagate(self, node: Any, won: str | None) -> None:
        while node.parent:
            node.visits += 1
            node.wins += self.reward(node, won)
            node = node.parent


class RootTwice(Student):
    """The root gets two visits in each iteration."""

    def backpropagate(self, node: Any, won: str | None) -> None:
        super().backpropagate(node, won)
        self.root.visits += 1


class LeafLeftOut(Student):
    """Backpropagation starts at the parent of the new node."""

    def score(self, child: Any, parent: Any) -> float:
        return super().score(child, parent) if child.visits else math.inf

    def backpropagate(self, node: Any, won: str | None) -> None:
        super().backpropagate(node.parent, won)


class LeafTwice(Student):
    """The leaf is counted in the playout and on the way up."""

    def backpropagate(self, node: Any, won: str | None) -> None:
        node.visits += 1
        super().backpropagate(node, won)


class PathTwice(Student):
    """Backpropagation is called twice."""

    def backpropagate(self, node: Any, won: str | None) -> None:
        super().backpropagate(node, won)
        super().backpropagate(node, won)


class LevelSkipped(Student):
    """Backpropagation goes on with the grandparent."""

    def score(self, child: Any, parent: Any) -> float:
        return super().score(child, parent) if child.visits and parent.visits else math.inf

    def backpropagate(self, node: Any, won: str | None) -> None:
        while node:
            node.visits += 1
            node.wins += self.reward(node, won)
            node = node.parent and node.parent.parent


class SiblingsToo(Student):
    """The children beside the path get a visit too."""

    def backpropagate(self, node: Any, won: str | None) -> None:
        super().backpropagate(node, won)
        for sibling in node.parent.children if node.parent else ():
            sibling.visits += sibling is not node


class WinnersOnly(Student):
    """Only nodes of the winner get a visit."""

    def score(self, child: Any, parent: Any) -> float:
        return super().score(child, parent) if child.visits and parent.visits else math.inf

    def backpropagate(self, node: Any, won: str | None) -> None:
        while node:
            reward = self.reward(node, won)
            if reward:
                node.visits += 1
                node.wins += reward
            node = node.parent


class DrawAsLoss(Student):
    """A draw is worth nothing to both."""

    def reward(self, node: Any, won: str | None) -> float:
        return 0.0 if won is None else super().reward(node, won)


class DrawAsWin(Student):
    """A draw is worth as much as a win, to both."""

    def reward(self, node: Any, won: str | None) -> float:
        return 1.0 if won is None else super().reward(node, won)


class DuplicateMove(Student):
    """A move is picked and not taken off the list, so another stays untried."""

    def expand(self, node: Any) -> Any:
        if len(node.children) >= len(moves(node.state)):
            return node
        move = self.random.choice(moves(node.state))
        node.children.append(self.node(play(node.state, move), node, move))
        return node.children[-1]

    def select(self, node: Any) -> Any:
        while node.children and len(node.children) >= len(moves(node.state)):
            node = self.best(node)
        return node


class ExpandAll(Student):
    """All children at once; those without a visit come first. Nothing is wrong with it."""

    def score(self, child: Any, parent: Any) -> float:
        return super().score(child, parent) if child.visits else math.inf

    def expand(self, node: Any) -> Any:
        if not node.visits or not node.untried:
            return node
        node.children = [self.node(play(node.state, m), node, m) for m in node.untried]
        node.untried = []
        return self.random.choice(node.children)


class ChildrenLeftOut(ExpandAll):
    """Backpropagation starts at the parent, so that no child is ever visited."""

    def backpropagate(self, node: Any, won: str | None) -> None:
        super().backpropagate(node.parent or node, won)


class UnvisitedPassedOver(ExpandAll):
    """A child without a visit has the score 0."""

    def score(self, child: Any, parent: Any) -> float:
        return super().score(child, parent) if child.visits else 0.0


class NoPlayout(Student):
    """A position that is not over is worth a draw."""

    def simulate(self, node: Any) -> str | None:
        return winner(node.state)


class SameResult(Student):
    """X wins every playout."""

    def simulate(self, node: Any) -> str | None:
        return "X"


class AfterTheEnd(Student):
    """A won game goes on."""

    def __init__(self, seed: int, state: str = "." * 9) -> None:
        super().__init__(seed, state)

    def expand(self, node: Any) -> Any:
        free = [cell for cell, sign in enumerate(node.state) if sign == "."]
        tried = [child.move for child in node.children]
        node.untried = [cell for cell in free if cell not in tried]
        child = super().expand(node)
        return child

    def select(self, node: Any) -> Any:
        while node.children and len(node.children) == node.state.count("."):
            node = self.best(node)
        return node


class PlayerNotChanged(Student):
    """X makes every move in the tree and in playouts."""

    def expand(self, node: Any) -> Any:
        if not node.untried:
            return node
        move = node.untried.pop(self.random.randrange(len(node.untried)))
        board = node.state[:move] + "X" + node.state[move + 1 :]
        node.children.append(self.node(board, node, move))
        return node.children[-1]


class IllegalMove(Student):
    """The first cell may be taken again."""

    def expand(self, node: Any) -> Any:
        if node.state[0] != "." and not winner(node.state) and len(node.children) == 0:
            node.untried.append(0)
        return super().expand(node)


class MissingMove(Student):
    """The last cell is never tried."""

    def expand(self, node: Any) -> Any:
        if 8 in node.untried:
            node.untried.remove(8)
            if not node.untried:
                return node
        return super().expand(node)


class WrongResult(Student):
    """A diagonal does not count."""

    def reward(self, node: Any, won: str | None) -> float:
        return super().reward(node, won)

    def simulate(self, node: Any) -> str | None:
        board = node.state
        while free := moves(board):
            board = play(board, self.random.choice(free))
        for a, b, c in LINES[:6]:
            if board[a] != "." and board[a] == board[b] == board[c]:
                return board[a]
        return None


class NeverExplores(Student):
    """c is 0."""

    c = 0.0


class NeverExploits(Student):
    """The mean is left out."""

    def score(self, child: Any, parent: Any) -> float:
        return math.sqrt(math.log(parent.visits) / child.visits)


class RandomWalk(Student):
    """A child is picked at random."""

    def best(self, node: Any) -> Any:
        return self.random.choice(node.children)


class ChoosesTheWorst(Student):
    """min for max."""

    def best(self, node: Any) -> Any:
        return min(node.children, key=lambda child: self.score(child, node))


class MinusSign(Student):
    """The exploration term is subtracted."""

    c = -1.4


class ChildInLogarithm(Student):
    def score(self, child: Any, parent: Any) -> float:
        bonus = math.sqrt(math.log(child.visits) / child.visits)
        return float(child.wins / child.visits + self.c * bonus)


class NoRoot(Student):
    def score(self, child: Any, parent: Any) -> float:
        return float(child.wins / child.visits + self.c * math.log(parent.visits) / child.visits)


class NoLogarithm(Student):
    def score(self, child: Any, parent: Any) -> float:
        bonus = math.sqrt(parent.visits / child.visits)
        return float(child.wins / child.visits + self.c * bonus)


class IntegerDivision(Student):
    def score(self, child: Any, parent: Any) -> float:
        bonus = math.sqrt(math.log(parent.visits) / child.visits)
        return float(child.wins // child.visits + self.c * bonus)


class SumForMean(Student):
    c = 5.0  # with a small one the most visited child is chosen, as if the bonus were subtracted

    def score(self, child: Any, parent: Any) -> float:
        bonus = math.sqrt(math.log(parent.visits) / child.visits)
        return float(child.wins + self.c * bonus)


class Stale(Student):
    """Scores are kept on the nodes of the path; siblings keep theirs."""

    def score(self, child: Any, parent: Any) -> float:
        return float(child.score)

    def backpropagate(self, node: Any, won: str | None) -> None:
        super().backpropagate(node, won)
        while node.parent:
            node.score = super().score(node, node.parent)
            node = node.parent


class StateChanged(Student):
    """Boards are lists, and the playout is played on the node's own board."""

    def __init__(self, seed: int, state: str = "." * 9) -> None:
        super().__init__(seed, state)
        self.root.state = list(self.root.state)

    def expand(self, node: Any) -> Any:
        if not node.untried:
            return node
        move = node.untried.pop(self.random.randrange(len(node.untried)))
        board = "".join(node.state)
        child = self.node(play(board, move), node, move)
        child.state = list(child.state)
        node.children.append(child)
        return child

    def simulate(self, node: Any) -> str | None:
        board = node.state
        while free := moves("".join(board)):
            board[self.random.choice(free)] = turn("".join(board))
        return winner("".join(board))

    def reward(self, node: Any, won: str | None) -> float:
        depth = 0
        while node.parent:
            node, depth = node.parent, depth + 1
        return 0.5 if won is None else float(won == "OX"[depth % 2])


FAULTS: dict[str, type[Student]] = {
    "same-reward": SameReward,
    "wrong-viewpoint": WrongViewpoint,
    "wrong-viewpoint (selection)": WrongSelection,
    "wrong-viewpoint (twice)": TurnedTwice,
    "root-left-out": RootLeftOut,
    "root-counted-twice": RootTwice,
    "leaf-left-out": LeafLeftOut,
    "leaf-left-out (of all children)": ChildrenLeftOut,
    "leaf-counted-twice": LeafTwice,
    "path-counted-twice": PathTwice,
    "level-skipped": LevelSkipped,
    "visits-do-not-add-up": SiblingsToo,
    "winners-only": WinnersOnly,
    "duplicate-move": DuplicateMove,
    "unvisited-passed-over": UnvisitedPassedOver,
    "never-explores": NeverExplores,
    "never-exploits": NeverExploits,
    "ignores-numbers": RandomWalk,
    "chooses-the-worst": ChoosesTheWorst,
    "bonus-subtracted": MinusSign,
    "child-in-logarithm": ChildInLogarithm,
    "no-root": NoRoot,
    "no-logarithm": NoLogarithm,
    "integer-division": IntegerDivision,
    "sum-for-mean": SumForMean,
    "stale-statistics": Stale,
    "state-changed": StateChanged,
}
WITH_GAME: dict[str, type[Student]] = {
    "after-the-end": AfterTheEnd,
    "player-not-changed": PlayerNotChanged,
    "illegal-move": IllegalMove,
    "missing-move": MissingMove,
    "wrong-result": WrongResult,
    "draw-as-loss": DrawAsLoss,
    "draw-as-win": DrawAsWin,
    "no-playout": NoPlayout,
    "same-result": SameResult,
}
AS_NOTES: dict[str, type[Student]] = {
    "draw-as-loss": DrawAsLoss,
    "draw-as-win": DrawAsWin,
    "same-result": SameResult,
    "no-playout": NoPlayout,
    "all-children-at-once": ExpandAll,
}
