"""The four phases again, compiled by Numba, for tic-tac-toe and Connect Four.

Read it beside :mod:`mcts_viz.search.mcts`: the same functions in the same order. A node is a row of
a table instead of an object, a position is two integers, and children are linked: the first one,
and from each the next. The same random numbers are used in the same order, so the same seed grows
the same tree, which the tests check bit by bit.

This module needs Numba (``pip install mcts_viz[fast]``); :meth:`MCTS.run` imports it if it can.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from math import inf, log, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from ..games import ConnectFour, Game, Returns, TicTacToe
from ..games.boards import DRAW, WIN_OF
from .mcts import MCTS, Node, expand_one, first_best, random_playout, ucb1

if TYPE_CHECKING:
    from random import Random

SLICE: Final = 4096
"""Iterations between two looks at the clock and at the stop button: a few milliseconds."""

OUTCOMES: Final[tuple[Returns, ...]] = (*WIN_OF, DRAW)
"""The results by number: who has won, or 2 for a draw."""

UNOPENED: Final = -1
"""``untried`` of a node whose position has not been asked for moves."""

NODE: Final = np.dtype(
    [
        ("wins", np.float64),
        ("mean", np.float64),
        ("width", np.float64),
        ("mine", np.int64),  # the pieces of the player to move, and
        ("theirs", np.int64),  # of the one who moved here
        ("visits", np.int32),
        ("untried", np.int32),  # a bit for each move without a child yet
        ("first", np.uint32),  # child; 0 if there is none
        ("last", np.uint32),  # child
        ("next", np.uint32),  # child of the same parent
    ],
    align=True,
)
"""A node, as the phases need it: 64 bytes, a line of the processor's cache."""


class Board(NamedTuple):
    """The rules of either game: pieces fall, in tic-tac-toe into columns of one cell.

    Each column has a bit of its own above its cells, which is never set. So no line of pieces runs
    on from one column into the next, and a sum that leaves a full column carries into that bit.
    """

    floors: NDArray[np.int64]
    """By move: the lowest cell of its column."""
    columns: NDArray[np.int64]
    """By move: all cells of its column."""
    steps: tuple[int, int, int, int]
    """From a cell to the next of a line, in each direction."""
    connect: int
    """How many in a row win."""


class Tree(NamedTuple):
    """By node: what the phases need, and what the trace tells of it."""

    nodes: NDArray[Any]
    parent: NDArray[np.int32]
    action: NDArray[np.uint8]
    birth: NDArray[np.int32]
    mover: NDArray[np.int8]
    roots: NDArray[np.float64]
    """``sqrt(log(n))`` by n, a number of visits; read, as they take long to find."""
    widths: NDArray[np.float64]
    """``1 / sqrt(n)``."""


class Iterations(NamedTuple):
    """By iteration: what the trace tells of it; the moves of all playouts stand end to end."""

    leaf: NDArray[np.int32]
    length: NDArray[np.int32]
    outcome: NDArray[np.uint8]
    moves: NDArray[np.uint8]


Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile when it is first called, and keep the result in a file, where there is a place."""
    try:
        made: Function = numba.njit(function, cache=True, nogil=True)
    except RuntimeError:  # neither this folder nor the user's takes files
        made = numba.njit(function, nogil=True)
    return made


# The four phases ---------------------------------------------------------------------------------


@compiled
def run(
    board: Board,
    tree: Tree,
    count: int,
    done: int,
    random: np.random.Generator,
    c: float,
    rewards: NDArray[np.float64],
    told: Iterations,
) -> tuple[int, int]:
    """As many iterations as ``told`` has room for, after ``done`` others and ``count`` nodes."""
    path = np.empty(64, np.uint32)
    choices = np.empty(len(board.floors), np.uint8)
    played = 0
    for i in range(len(told.leaf)):
        depth = select(tree, c, path)
        if expand(board, tree, path, depth, count, done + i + 1, random):
            depth, count = depth + 1, count + 1
        node = path[depth - 1]
        outcome, length = simulate(board, tree, node, random, choices, told.moves[played:])
        backpropagate(tree, path[:depth], rewards[outcome])
        told.leaf[i], told.length[i], told.outcome[i] = node, length, outcome
        played += length
    return count, played


@compiled
def select(tree: Tree, c: float, path: NDArray[np.uint32]) -> int:
    """Walk down by the best score, to a node with an untried move or the end of a game."""
    nodes, depth = tree.nodes, 1
    path[0] = 0
    node = path[0]
    while nodes[node].first and not nodes[node].untried:
        shared = c * tree.roots[nodes[node].visits]
        child, best = nodes[node].first, -inf
        while child:
            score = nodes[child].mean + shared * nodes[child].width
            if score > best:
                best, node = score, child
            child = nodes[child].next
        path[depth] = node
        depth += 1
    return depth


@compiled
def expand(
    board: Board,
    tree: Tree,
    path: NDArray[np.uint32],
    depth: int,
    count: int,
    iteration: int,
    random: np.random.Generator,
) -> bool:
    """Add one untried move, picked at random; a leaf where the game is over stays as it is."""
    nodes, leaf = tree.nodes, path[depth - 1]
    if nodes[leaf].untried == UNOPENED:
        nodes[leaf].untried = moves_of(board, nodes[leaf].mine, nodes[leaf].theirs)
    untried = nodes[leaf].untried
    if not untried:
        return False
    action = bit_of(untried, int(random.random() * bits(untried)))
    nodes[leaf].untried = untried & ~(1 << action)
    add_child(board, tree, leaf, action, count, iteration)
    path[depth] = count
    return True


@compiled
def simulate(
    board: Board,
    tree: Tree,
    node: int,
    random: np.random.Generator,
    choices: NDArray[np.uint8],
    moves: NDArray[np.uint8],
) -> tuple[int, int]:
    """Play legal moves, each equally likely, until the game is over."""
    mine, theirs = tree.nodes[node].mine, tree.nodes[node].theirs
    last, length, left = tree.mover[node], 0, 0
    for action in range(len(choices)):
        if cell_of(board, mine | theirs, action):
            choices[left] = action
            left += 1
    while not has_line(board, theirs):
        if not left:
            return 2, length
        picked = int(random.random() * left)
        action = choices[picked]
        mine, theirs = theirs, mine | cell_of(board, mine | theirs, action)
        moves[length] = action
        last, length = 1 - last, length + 1
        if not cell_of(board, mine | theirs, action):  # the column is full now
            left -= 1
            for i in range(picked, left):
                choices[i] = choices[i + 1]
    return last, length


@compiled
def backpropagate(tree: Tree, path: NDArray[np.uint32], rewards: NDArray[np.float64]) -> None:
    """Give each node of ``path`` one visit, and the reward of the player who moved there."""
    for i in path:
        node = tree.nodes[i]
        node.visits += 1
        node.wins += rewards[tree.mover[i]]
        node.mean, node.width = node.wins / node.visits, tree.widths[node.visits]


# What the phases ask for -------------------------------------------------------------------------


@compiled
def add_child(
    board: Board, tree: Tree, parent: int, action: int, child: int, iteration: int
) -> None:
    """Put the position after ``action`` into the tree, below ``parent``, as the node ``child``."""
    above, new = tree.nodes[parent], tree.nodes[child]
    new.mine = above.theirs
    new.theirs = above.mine | cell_of(board, above.mine | above.theirs, action)
    new.visits, new.wins, new.untried, new.first, new.next = 0, 0.0, UNOPENED, 0, 0
    tree.parent[child], tree.action[child], tree.birth[child] = parent, action, iteration
    tree.mover[child] = 1 - tree.mover[parent]
    if above.first:
        tree.nodes[above.last].next = child
    else:
        above.first = child
    above.last = child


@compiled
def fill(roots: NDArray[np.float64], widths: NDArray[np.float64], begin: int) -> None:
    """The tables of a tree, from the number of visits ``begin`` on."""
    for visits in range(begin, len(roots)):
        roots[visits], widths[visits] = sqrt(log(visits)), 1 / sqrt(visits)


@compiled
def cell_of(board: Board, occupied: int, action: int) -> int:
    """The bit of the cell that a move fills; 0 if its column is full."""
    cell: int = occupied + board.floors[action] & board.columns[action]
    return cell


@compiled
def moves_of(board: Board, mine: int, theirs: int) -> int:
    """The legal moves, a bit each."""
    moves = 0
    if not has_line(board, theirs):
        for action in range(len(board.floors)):
            if cell_of(board, mine | theirs, action):
                moves |= 1 << action
    return moves


@compiled
def has_line(board: Board, pieces: int) -> bool:
    """Whether they hold ``connect`` in a row."""
    for step in board.steps:
        line = pieces
        for _ in range(board.connect - 1):
            line &= line >> step
        if line:
            return True
    return False


@compiled
def bits(mask: int) -> int:
    """How many bits are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@compiled
def bit_of(mask: int, number: int) -> int:
    """The place of a set bit, by its number among those that are set."""
    for _ in range(number):
        mask &= mask - 1
    place = 0
    while not mask >> place & 1:
        place += 1
    return place


# From a search and back --------------------------------------------------------------------------


def unknown(search: MCTS) -> str:
    """What of a search the compiled engine does not know, as the start of a sentence; "" if all."""
    game = search.game
    if type(search) is not MCTS:
        return f"The compiled engine does not know {type(search).__name__}"
    if type(game) not in (TicTacToe, ConnectFour):
        return f"The compiled engine does not know {game.name}"
    if isinstance(game, ConnectFour) and (game.rows + 1) * game.columns > 63:
        return f"The compiled engine does not know a board of {game.rows} by {game.columns} cells"
    known = {
        "selection": ucb1,
        "choice": first_best,
        "expansion": expand_one,
        "playout": random_playout,
        "prepare": None,
    }
    for kind, policy in known.items():
        if getattr(search, kind) is not policy:
            return f"The compiled engine does not know the policy that is given as {kind}"
    if search.root.children or search.root.untried is not None:
        return "The compiled engine begins with a new tree, and here is one already"
    return ""


def board_of(game: Game[Any, Any]) -> Board:
    """The board of a game; of tic-tac-toe, each cell is a column of height one."""
    if isinstance(game, TicTacToe):
        floors = [1 << 4 * row + column for row in range(3) for column in range(3)]
        columns, side, connect = floors, 3, 3
    else:
        assert isinstance(game, ConnectFour)
        side, connect = game.rows, game.connect
        floors = [1 << column * (side + 1) for column in range(game.columns)]
        columns = [floor * ((1 << side) - 1) for floor in floors]
    steps = (1, side, side + 1, side + 2)
    return Board(np.array(floors), np.array(columns), steps, connect)


def pieces_of(game: Game[Any, Any], state: Any) -> tuple[int, int]:
    """The pieces of the player to move and of the other one, as a :class:`Board` has them."""
    rows = game.text(state).split("\n")
    if isinstance(game, ConnectFour):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
    cells = ".".join(rows)
    mine, theirs = (
        sum(1 << place for place, cell in enumerate(cells) if cell == game.players[player][0])
        for player in (game.to_move(state), 1 - game.to_move(state))
    )
    return mine, theirs


class Grown:
    """A tree that grows by compiled iterations, and what a trace tells of them."""

    outcomes = OUTCOMES

    def __init__(self, search: MCTS) -> None:
        self.game = search.game
        self.root_state = search.root.state
        self.count = 1
        """Of the nodes; the columns of ``tree`` are longer."""
        kinds = (NODE, "i4", "u1", "i4", "i1", "f8", "f8")
        self.tree = Tree(*(np.empty(SLICE, kind) for kind in kinds))
        fill(self.tree.roots, self.tree.widths, 1)
        self.slices = deque[Iterations]()
        self._done = 0
        self._board = board_of(self.game)
        self._cells = sum(int(column).bit_count() for column in self._board.columns)
        self._c = search.c
        self._rewards = np.array([search.rewards(returns) for returns in OUTCOMES])
        pieces = pieces_of(self.game, self.root_state)
        self.tree.nodes[0] = (0.0, inf, 0.0, *pieces, 0, UNOPENED, 0, 0, 0)
        self.tree.parent[0], self.tree.action[0] = -1, 0
        self.tree.birth[0], self.tree.mover[0] = 0, search.root.mover
        self._random = np.random.Generator(np.random.MT19937())
        hand_over(search.random, self._random)

    def run(self, most: float) -> int:
        """Do a slice of iterations, of at most so many; answer how many."""
        iterations = int(min(most, SLICE))
        room = len(self.tree.parent)
        if max(self.count, self._done) + iterations >= room:
            self.tree = Tree(*(np.concatenate([part, np.empty_like(part)]) for part in self.tree))
            fill(self.tree.roots, self.tree.widths, room)
        told = Iterations(
            np.empty(iterations, np.int32),
            np.empty(iterations, np.int32),
            np.empty(iterations, np.uint8),
            np.empty(iterations * self._cells, np.uint8),
        )
        random, c, rewards = self._random, self._c, self._rewards
        self.count, played = run(
            self._board, self.tree, self.count, self._done, random, c, rewards, told
        )
        self.slices.append(told._replace(moves=told.moves[:played].copy()))
        self._done += iterations
        return iterations

    def give_to(self, search: MCTS) -> None:
        """Let it be as if the ``search`` had grown this tree itself."""
        state = self._random.bit_generator.state["state"]
        version, _, gauss = search.random.getstate()
        search.random.setstate((version, (*state["key"].tolist(), int(state["pos"])), gauss))
        search.root = GrownNode(self, 0, None, self.root_state)
        search.iterations = self._done
        del search.nodes  # which are found from the root, when they are asked for
        search.grown = self


class GrownNode(Node):
    """A node of a compiled tree; its children are made when they are first asked for."""

    __slots__ = ("_grown",)

    def __init__(self, grown: Grown, id: int, action: Any, state: Any) -> None:
        mover, birth = int(grown.tree.mover[id]), int(grown.tree.birth[id])
        super().__init__(id, action, state, mover, birth)
        row = grown.tree.nodes[id]
        self.visits, self.wins = int(row["visits"]), float(row["wins"])
        self.mean, self.width = float(row["mean"]), float(row["width"])
        self._grown: Grown | None = None
        if row["untried"] != UNOPENED:
            self._grown = grown
            mask = int(row["untried"])
            self.untried = [action for action in range(mask.bit_length()) if mask >> action & 1]
            if mask or row["first"]:
                self.to_move = 1 - mover

    @property
    def children(self) -> Sequence[Node]:
        if self._grown is not None:
            self.children = self._made(self._grown)
        children: Sequence[Node] = CHILDREN.__get__(self)
        return children

    @children.setter
    def children(self, children: Sequence[Node]) -> None:
        self._grown = None
        CHILDREN.__set__(self, children)

    def _made(self, grown: Grown) -> list[Node]:
        made: list[Node] = []
        child = int(grown.tree.nodes[self.id]["first"])
        while child:
            action = int(grown.tree.action[child])
            made.append(GrownNode(grown, child, action, grown.game.play(self.state, action)))
            child = int(grown.tree.nodes[child]["next"])
        return made


CHILDREN: Final[Any] = vars(Node)["children"]
"""Where a node keeps its children."""


def hand_over(ours: Random, theirs: np.random.Generator) -> None:
    """Let NumPy's Mersenne Twister go on where Python's is: both make the same floats of it."""
    *key, position = ours.getstate()[1]
    theirs.bit_generator.state = {
        "bit_generator": "MT19937",
        "state": {"key": np.array(key, np.uint32), "pos": position},
    }
