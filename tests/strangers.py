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
