"""The four phases again, compiled by Numba, for tic-tac-toe and Connect Four.

Read it beside :mod:`mcts_viz.search.mcts`: the same functions in the same order. A node is a row of
a table instead of an object, a position is two integers, and siblings are compared in a table of
their own, side by side. The same random numbers are used in the same order, so the same seed grows
the same tree, which the tests check bit by bit.

This module needs Numba (``pip install mcts_viz[fast]``); :meth:`MCTS.run` imports it if it can.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, log, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from ..games import ConnectFour, Game, Returns, TicTacToe
from ..games.boards import DRAW, WIN_OF
from . import mcts
from .mcts import MCTS, TABULATED, Node, expand_one, first_best, random_playout, ucb1

if TYPE_CHECKING:
    from random import Random

SLICE: Final = 4096
"""Iterations between two looks at the clock and at the stop button: a few milliseconds."""

ROOM: Final = 1_000_000
"""Iterations for which there is room at first, if there may be as many."""

OUTCOMES: Final[tuple[Returns, ...]] = (*WIN_OF, DRAW)
"""The results by number: who has won, or 2 for a draw."""

WIDTHS: Final = np.array(mcts.WIDTHS)
"""``1 / sqrt(visits)``, looked up, and"""
ROOTS: Final = np.array([0.0, *(sqrt(log(visits)) for visits in range(1, TABULATED))])
"""``sqrt(log(visits))``, which takes longer still to find."""

NODE: Final = np.dtype(
    [
        ("wins", np.float64),
        ("visits", np.int32),
        ("created_at", np.int32),
        ("parent", np.int32),
        ("place", np.uint32),  # its own
        ("first", np.uint32),  # place of its children; 0 until the game has been asked for moves
        ("moves", np.uint8),  # how many places it has there,
        ("tried", np.uint8),  # and how many of them are children
        ("action", np.uint8),
        ("player_just_moved", np.int8),
    ],
    align=True,
)
"""A node, as the phases need it."""

PLACE: Final = np.dtype(
    [
        ("mean", np.float64),
        ("inv_sqrt_visits", np.float64),
        ("node", np.uint32),  # the child's number; before that, a move without a child yet
    ],
    align=True,
)
"""What a parent compares its children by; siblings have their places side by side."""


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
    mine: int
    """At the root: the pieces of the player to move, and"""
    theirs: int
    """of the other one."""


class Tree(NamedTuple):
    """The nodes in order of creation, and the places of their children."""

    nodes: NDArray[Any]
    places: NDArray[Any]
    used: NDArray[np.int64]
    """How many nodes and how many places there are; the rest is room for more."""


class Iterations(NamedTuple):
    """By iteration: what the trace tells of it; the moves of all playouts stand end to end."""

    leaf: NDArray[np.int32]
    length: NDArray[np.uint8]
    outcome: NDArray[np.uint8]
    moves: NDArray[np.uint8]

    def part(self, iterations: slice, moves: slice) -> Iterations:
        """Some of the iterations and some of the moves, to be read or to be written."""
        columns = (self.leaf[iterations], self.length[iterations], self.outcome[iterations])
        return Iterations(*columns, self.moves[moves])


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
    done: int,
    random: np.random.Generator,
    c: float,
    rewards: NDArray[np.float64],
    columns: Iterations,
) -> int:
    """Fill ``columns`` with iterations after ``done`` others; answer how many moves were played."""
    path = np.empty(64, np.uint32)
    choices = np.empty(len(board.floors), np.uint8)
    played = 0
    for i in range(len(columns.leaf)):
        depth = select(tree, c, path)
        depth = expand(board, tree, path, depth, done + i + 1, random)
        node = path[depth - 1]
        moves = columns.moves[played:]
        outcome, length = simulate(board, tree, path[:depth], random, choices, moves)
        backpropagate(tree, path[:depth], rewards[outcome])
        columns.leaf[i], columns.length[i], columns.outcome[i] = node, length, outcome
        played += length
    return played


@compiled
def select(tree: Tree, c: float, path: NDArray[np.uint32]) -> int:
    """Walk down by the best score, to a node with an untried move or the end of a game."""
    nodes, places, depth = tree.nodes, tree.places, 1
    path[0] = 0
    node = path[0]
    while nodes[node].tried and nodes[node].tried == nodes[node].moves:
        visits = nodes[node].visits
        shared = c * (ROOTS[visits] if visits < TABULATED else sqrt(log(visits)))
        first = best_place = nodes[node].first
        best = -inf
        for place in range(first, first + nodes[node].moves):
            score = places[place].mean + shared * places[place].inv_sqrt_visits
            if score > best:
                best, best_place = score, place
        node = places[best_place].node
        path[depth] = node
        depth += 1
    return depth


@compiled
def expand(
    board: Board,
    tree: Tree,
    path: NDArray[np.uint32],
    depth: int,
    iteration: int,
    random: np.random.Generator,
) -> int:
    """Add one untried move, picked at random; a leaf where the game is over stays as it is."""
    leaf = tree.nodes[path[depth - 1]]
    if not leaf.first:
        open_leaf(board, tree, path[:depth])
    untried = leaf.moves - leaf.tried
    if not untried:
        return depth
    place = leaf.first + leaf.tried
    picked = place + int(random.random() * untried)
    action = tree.places[picked].node
    for i in range(picked, place, -1):
        tree.places[i].node = tree.places[i - 1].node
    path[depth] = add_child(tree, path[depth - 1], action, iteration)
    return depth + 1


@compiled
def simulate(
    board: Board,
    tree: Tree,
    path: NDArray[np.uint32],
    random: np.random.Generator,
    choices: NDArray[np.uint8],
    moves: NDArray[np.uint8],
) -> tuple[int, int]:
    """Play legal moves, each equally likely, until the game is over."""
    mine, theirs = state_of(board, tree, path)
    last, length, left = tree.nodes[path[-1]].player_just_moved, 0, 0
    for action in range(len(choices)):
        choices[left] = action  # to be overwritten by the next if it is not legal
        left += cell_of(board, mine | theirs, action) != 0
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
    for number in path:
        node = tree.nodes[number]
        visits, wins = node.visits + 1, node.wins + rewards[node.player_just_moved]
        node.visits, node.wins = visits, wins
        place = tree.places[node.place]
        place.mean = wins / visits
        place.inv_sqrt_visits = WIDTHS[visits] if visits < TABULATED else 1 / sqrt(visits)


# What the phases ask for -------------------------------------------------------------------------


@compiled
def state_of(board: Board, tree: Tree, path: NDArray[np.uint32]) -> tuple[int, int]:
    """The position at the end of ``path``: the pieces of the player to move, and of the other."""
    mine, theirs = board.mine, board.theirs
    for node in path[1:]:
        cell = cell_of(board, mine | theirs, tree.nodes[node].action)
        mine, theirs = theirs, mine | cell
    return mine, theirs


@compiled
def open_leaf(board: Board, tree: Tree, path: NDArray[np.uint32]) -> None:
    """Give a node places for its children; until these are born, the moves wait there in order."""
    leaf = tree.nodes[path[-1]]
    leaf.first = tree.used[1]
    mine, theirs = state_of(board, tree, path)
    if has_line(board, theirs):
        return
    for action in range(len(board.floors)):
        if cell_of(board, mine | theirs, action):
            tree.places[leaf.first + leaf.moves].node = action
            leaf.moves += 1
    tree.used[1] += leaf.moves


@compiled
def add_child(tree: Tree, parent: int, action: int, iteration: int) -> int:
    """Put the position after ``action`` into the tree, below ``parent``, and answer its number."""
    child: int = tree.used[0]
    above, new = tree.nodes[parent], tree.nodes[child]
    new.wins, new.visits, new.first, new.moves, new.tried = 0.0, 0, 0, 0, 0
    new.parent, new.action, new.created_at, new.player_just_moved = (
        parent,
        action,
        iteration,
        1 - above.player_just_moved,
    )
    new.place = above.first + above.tried
    tree.places[new.place].node = child
    above.tried += 1
    tree.used[0] += 1
    return child


@compiled
def cell_of(board: Board, occupied: int, action: int) -> int:
    """The bit of the cell that a move fills; 0 if its column is full."""
    cell: int = occupied + board.floors[action] & board.columns[action]
    return cell


@compiled
def has_line(board: Board, pieces: int) -> bool:
    """Whether they hold ``connect`` in a row, which are two pairs that may overlap."""
    for step in board.steps:
        pairs = pieces & pieces >> step
        if pairs & pairs >> (board.connect - 2) * step:
            return True
    return False


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
        "tie_break": first_best,
        "expansion": expand_one,
        "playout": random_playout,
        "initial_expansion": None,
    }
    for kind, policy in known.items():
        if getattr(search, kind) is not policy:
            return f"The compiled engine does not know the policy that is given as {kind}"
    if search.root.children or search.root.untried is not None:
        return "The compiled engine begins with a new tree, and here is one already"
    return ""


def board_of(game: Game[Any, Any], state: Any) -> Board:
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
    return Board(np.array(floors), np.array(columns), steps, connect, *pieces_of(game, state))


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
        root = (0.0, 0, 0, -1, 0, 0, 0, 0, 0, search.root.player_just_moved)
        place = (inf, 0.0, 0)
        self.tree = Tree(np.array([root], NODE), np.array([place], PLACE), np.ones(2, np.int64))
        self.columns = Iterations(*(np.empty(0, kind) for kind in ("i4", "u1", "u1", "u1")))
        self._done = self._played = 0
        self._board = board_of(self.game, self.root_state)
        self._c = search.c
        self._rewards = np.array([search.rewards(returns) for returns in OUTCOMES])
        self._random = np.random.Generator(np.random.MT19937())
        hand_over(search.random, self._random)

    def run(self, most: float) -> int:
        """Do a slice of iterations, of at most so many; answer how many."""
        iterations, room = int(min(most, SLICE)), len(self.columns.leaf)
        if self._done + iterations > room:
            self._make_room(int(max(2 * room, min(most, ROOM))))
        here = slice(self._done, self._done + iterations)
        columns = self.columns.part(here, slice(self._played, None))
        tree, random, c, rewards = self.tree, self._random, self._c, self._rewards
        self._played += run(self._board, tree, self._done, random, c, rewards, columns)
        self._done += iterations
        return iterations

    def _make_room(self, iterations: int) -> None:
        """For so many in all: each adds one node and asks for the moves of one, at the most."""
        nodes, places, used = self.tree
        leaf, length, outcome, moves = self.columns
        cells = sum(int(column).bit_count() for column in self._board.columns)
        self.tree = Tree(
            longer(nodes, used[0], 1 + iterations),
            longer(places, used[1], 1 + iterations * len(self._board.floors)),
            used,
        )
        self.columns = Iterations(
            longer(leaf, self._done, iterations),
            longer(length, self._done, iterations),
            longer(outcome, self._done, iterations),
            longer(moves, self._played, iterations * cells),
        )

    def give_to(self, search: MCTS) -> None:
        """The run is over: let it be as if the ``search`` had grown this tree itself."""
        nodes, places, used = self.tree
        self.tree = Tree(nodes[: used[0]], places[: used[1]], used)
        self.columns = self.columns.part(slice(self._done), slice(self._played))
        state = self._random.bit_generator.state["state"]
        version, _, gauss = search.random.getstate()
        search.random.setstate((version, (*state["key"].tolist(), int(state["pos"])), gauss))
        search.root = GrownNode(self, 0, self.root_state)
        search.iterations = self._done
        del search.nodes  # which are found from the root, when they are asked for
        search.grown = self

    def below(self, node: int) -> tuple[list[int], list[int]]:
        """The children of a node, and its moves without a child yet."""
        row = self.tree.nodes[node]
        first = int(row["first"])
        here = self.tree.places["node"][first : first + int(row["moves"])].tolist()
        return here[: row["tried"]], here[row["tried"] :]


def longer(column: NDArray[Any], used: int, length: int) -> NDArray[Any]:
    """The same column with more room, which takes no memory until something is written there."""
    copy = np.empty(length, column.dtype)
    copy[:used] = column[:used]
    return copy


class GrownNode(Node):
    """A node of a compiled tree; its children are made when they are first asked for."""

    __slots__ = ("_grown",)

    def __init__(self, grown: Grown, id: int, state: Any) -> None:
        row = grown.tree.nodes[id]
        place = grown.tree.places[row["place"]]
        action = int(row["action"]) if id else None
        super().__init__(id, action, state, int(row["player_just_moved"]), int(row["created_at"]))
        self.visits, self.wins = int(row["visits"]), float(row["wins"])
        self.mean, self.inv_sqrt_visits = float(place["mean"]), float(place["inv_sqrt_visits"])
        self._grown: Grown | None = None
        if row["first"]:
            self._grown = grown
            _, self.untried = grown.below(id)
            if row["moves"]:
                self.to_move = 1 - self.player_just_moved

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
        for child in grown.below(self.id)[0]:
            action = int(grown.tree.nodes[child]["action"])
            made.append(GrownNode(grown, child, grown.game.play(self.state, action)))
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
