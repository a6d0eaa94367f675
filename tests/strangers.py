"""Searches as others might write them, and the faults that are planted in them, one at a time."""

import math
import random
from copy import copy

from mcts_watch import Watch

OPPONENT = {"X": "O", "O": "X"}
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def winner(board, lines=LINES):
    """The sign with three in a row; ``None`` if there is none."""
    for a, b, c in lines:
        if board[a] != "." and board[a] == board[b] == board[c]:
            return board[a]
    return None


def free(board):
    """The cells without a sign."""
    return [cell for cell, sign in enumerate(board) if sign == "."]


def moves(board):
    """The free cells, none when the game is over."""
    return [] if winner(board) else free(board)


def turn(board):
    """The sign of the player to move."""
    return "X" if board.count("X") == board.count("O") else "O"


def play(board, cell, sign=""):
    """The board after a move with this sign; without one, the player to move makes it."""
    return "".join((*board[:cell], sign or turn(board), *board[cell + 1 :]))


def bonus(c, above, visits):
    """The exploration term of UCB1."""
    return c * math.sqrt(math.log(above) / visits)


def path_to(node):
    """The nodes from this one up to the root."""
    path = [node]
    while path[-1].parent:
        path.append(path[-1].parent)
    return path


class Node:
    """A node as most students write it."""

    def __init__(self, state, parent=None, move=None):
        self.state, self.parent, self.move = state, parent, move
        self.children = []
        self.untried = []
        self.visits = 0
        self.wins = 0.0


class Student:
    """The four functions, as most students write them, in parts; a planted fault changes one."""

    c = 1.4
    draw = 0.5
    node = Node

    def __init__(self, seed, state="." * 9):
        self.random, self.given = random.Random(seed), {}
        self.root = self.new(state)

    def new(self, *given):
        node = self.node(*given)
        node.untried = self.options(node.state)
        return node

    def options(self, board):
        return moves(board)

    def iterate(self):
        leaf = self.expand(self.select(self.root))
        self.backpropagate(leaf, self.simulate(leaf))

    def mean(self, child, parent):
        return child.wins / child.visits

    def bonus(self, child, parent):
        return bonus(self.c, parent.visits, child.visits)

    def score(self, child, parent):
        return self.mean(child, parent) + self.bonus(child, parent)

    def kids(self, node):
        return node.children

    def add(self, node, child):
        node.children.append(child)

    def add_all(self, node):
        node.children = [self.new(self.play(node.state, m), node, m) for m in node.untried]
        node.untried = []

    def best(self, node):
        return max(self.kids(node), key=lambda child: self.score(child, node))

    def select(self, node):
        while not node.untried and self.kids(node):
            node = self.best(node)
        return node

    def play(self, board, move):
        return play(board, move)

    def expand(self, node):
        if not node.untried:
            return node
        move = node.untried.pop(self.random.randrange(len(node.untried)))
        child = self.new(self.play(node.state, move), node, move)
        self.add(node, child)
        return child

    def result(self, board):
        return winner(board)

    def simulate(self, node):
        board = node.state
        while options := moves(board):
            board = play(board, self.random.choice(options))
        return self.result(board)

    def player(self, node):
        """The player whose wins a node counts: who moved there."""
        return OPPONENT[turn(node.state)]

    def reward(self, node, won):
        return self.draw if won is None else float(won == self.player(node))

    def counted(self, path, won):
        """The nodes that get a visit, from the last one up."""
        return path

    def backpropagate(self, node, won):
        for one in self.counted(path_to(node), won):
            one.visits += 1
            one.wins += self.reward(one, won)


class Careful(Student):
    """A child without a visit, or of a parent without one, comes first."""

    def score(self, child, parent):
        return super().score(child, parent) if child.visits and parent.visits else math.inf


class ExpandAll(Careful):
    """A sound search that adds all children at once and selects those without a visit first."""

    def expand(self, node):
        if not node.visits or not node.untried:
            return node
        self.add_all(node)
        return self.random.choice(node.children)


# Planted faults ----------------------------------------------------------------------------------


class RootLeftOut(Student):
    """The root has one visit, and gets no more."""

    def __init__(self, seed):
        super().__init__(seed)
        self.root.visits = 1

    def counted(self, path, won):
        return path[:-1]


class StateChanged(Student):
    """Boards are lists, and the playout is played on the node's own board."""

    class Lists(Node):
        def __init__(self, state, *given):
            super().__init__(state, *given)
            self.state = list(state)

    node = Lists

    def __init__(self, seed):
        super().__init__(seed)
        self.given["state"] = lambda node: "".join(node.state)

    def simulate(self, node):
        while options := moves(node.state):
            node.state[self.random.choice(options)] = turn(node.state)
        return winner(node.state)

    def player(self, node):
        return OPPONENT[self.player(node.parent)] if node.parent else "O"


def watched(program, iterations=300, **names):
    """Watch a program that has a root, or says it when asked; some are given names."""
    watch = Watch(getattr(program, "asked", program.root), **program.given, **names)
    for _ in range(iterations):
        program.iterate()
        watch.look()
    return watch


def judged_by(game, watch):
    """The same looks with these rules, which a look does not need: the program runs once."""
    again = copy(watch)
    again.game = game
    return again


def with_parts(base=Student, **parts):
    """The program, with these parts in the place of its own."""
    return type("Changed", (base,), parts)


def to_move(student, node):
    return turn(node.state)


class BackedByMaximum(Student):
    """Above the last node, wins are what the best child is worth to its parent's opponent."""

    def mean(self, child, parent):
        return child.wins

    def backpropagate(self, node, won):
        if not node.children:
            node.wins = self.reward(node, won)
        node.visits += 1
        while node := node.parent:
            node.visits += 1
            node.wins = 1 - max(child.wins for child in node.children)


FAULTS = {
    "left-out (root)": RootLeftOut,
    "counted-twice (root)": with_parts(counted=lambda self, path, won: path + path[-1:]),
    "counted-twice (leaf)": with_parts(counted=lambda self, path, won: path[:1] + path),
    "counted-twice": with_parts(counted=lambda self, path, won: path * 2),
    "counted-twice (children)": with_parts(
        counted=lambda self, path, won: (
            path + [n for up in path[1:2] for n in up.children if n is not path[0]]
        )
    ),
    "left-out": with_parts(
        Careful, counted=lambda self, path, won: [n for n in path if self.reward(n, won)]
    ),
    "duplicate-move": with_parts(
        options=lambda self, board: self.random.choices(moves(board), k=len(moves(board)))
    ),
    "never-explores": with_parts(c=0.0),
    "ignores-numbers": with_parts(best=lambda self, node: self.random.choice(node.children)),
    "chooses-the-worst": with_parts(
        best=lambda self, node: min(node.children, key=lambda k: self.score(k, node))
    ),
    "bonus-subtracted": with_parts(c=-1.4),
    "child-in-logarithm": with_parts(bonus=lambda self, k, _: bonus(self.c, k.visits, k.visits)),
    "no-root": with_parts(bonus=lambda self, k, above: self.c * math.log(above.visits) / k.visits),
    "no-logarithm": with_parts(
        bonus=lambda self, k, above: self.c * (above.visits / k.visits) ** 0.5
    ),
    "integer-division": with_parts(mean=lambda self, k, _: k.wins // k.visits),
    # With a small c the most visited child is chosen, as if the bonus were subtracted.
    "sum-for-mean": with_parts(mean=lambda self, k, _: k.wins, c=5.0),
}
AS_NOTES = {
    "same-reward": with_parts(player=lambda *_: "X"),
    "viewpoint-unknown": with_parts(player=to_move),
    "wrong-result": with_parts(draw=0.0),
    "left-out": with_parts(Careful, counted=lambda self, path, won: path[1:]),
}
WITH_GAME = {
    "same-reward": AS_NOTES["same-reward"],
    "wrong-viewpoint": with_parts(player=to_move),
    "wrong-viewpoint (selection)": with_parts(mean=lambda self, k, _: 1 - k.wins / k.visits),
    "state-changed": StateChanged,
}


def among_games_that_go_on(student, node):
    while not node.untried and (going := [kid for kid in node.children if moves(kid.state)]):
        node = max(going, key=lambda kid: student.score(kid, node))
    return node


AT_THE_END = {
    "explored-out": with_parts(select=among_games_that_go_on, c=0.5),
    "after-the-end": with_parts(options=lambda self, board: free(board)),
    "player-not-changed": with_parts(play=lambda self, board, move: play(board, move, "X")),
    "illegal-move": with_parts(
        options=lambda self, board: moves(board) + [0] * (board[0] != "." and not winner(board))
    ),
    "missing-move": with_parts(options=lambda self, board: [m for m in moves(board) if m != 8]),
    "wrong-result": with_parts(result=lambda self, board: winner(board, LINES[:6])),
    "wrong-result (of a draw)": with_parts(draw=0.0),
    "wrong-result (won by both)": with_parts(draw=1.0),
    "wrong-result (of ends alone)": with_parts(
        simulate=lambda self, node: (
            Student.simulate(self, node)
            if moves(node.state)
            else OPPONENT.get(winner(node.state) or "")
        )
    ),
    "no-playout": with_parts(simulate=lambda *_: None),
    "left-out": AS_NOTES["left-out"],
    "same-result": with_parts(simulate=lambda *_: "X"),
}
"""Found by the rules, in a position from which games end."""
