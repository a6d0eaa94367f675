"""Films of many kinds, and moments of them: what the pictures and the player are tried on."""

import asyncio
import base64
import io
import random
import zlib
from functools import cache, wraps
from math import inf

import numpy as np
from golden_traces import PENCIL
from invariants import Wheel
from IPython.core.formatters import DisplayFormatter
from PIL import Image
from searches import traced, uct

from mcts_viz import (
    MCTS,
    Bandit,
    ConnectFour,
    Film,
    GameTree,
    MCTSSolver,
    Nim,
    TicTacToe,
    alpha_beta,
    minimax,
)
from mcts_viz.games import Pig, Playout, SlidingPuzzle, SlipperyLake
from mcts_viz.search import PHASES, expand_one
from mcts_viz.search.variants import (
    epsilon_greedy,
    expand_all,
    expand_all_play_leaf,
    expand_root_only,
    puct,
    random_best,
    rewards_of,
    truncated,
    win_then_block,
)
from mcts_viz.trace import Recorder, record_minimax
from mcts_watch import Watch


def mean_only(child, parent, c):
    """A student's rule: one number, and no score for what was never tried."""
    return child.wins / child.visits if child.visits else inf


def thirds(returns, player, root_player):
    """A reward that no float holds exactly, and that is negative for a loss."""
    return returns[player] / 3


def tenths(returns, player, root_player):
    """A reward whose sums no float holds in 4 bytes."""
    return 0.7 if returns[player] > 0 else 0.1


def two_at_once(search, leaf):
    """A chain of two new nodes an iteration, where there is room for it."""
    child = expand_one(search, leaf)
    if child is leaf:
        return leaf
    search.open(child)
    return expand_one(search, child)


def seldom(search, leaf):
    """It adds a node every second time alone, so that a walk also ends above children."""
    return expand_one(search, leaf) if leaf.visits % 2 == 0 else leaf


class OwnPhases(MCTS):
    """A search that adds the first untried move, and plays the first legal one."""

    def expand(self, path):
        leaf = path[-1]
        self.open(leaf)
        if leaf.untried:
            path.append(self.add_child(leaf, leaf.untried.pop(0)))
        return path[-1]

    def simulate(self, node):
        actions, state = [], node.state
        while not self.game.is_terminal(state):
            actions.append(self.game.legal_actions(state)[0])
            state = self.game.play(state, actions[-1])
        return Playout(actions, self.game.returns(state))


class StaysAtTheRoot(MCTS):
    """A search that selects nothing where each move of the root has its node."""

    def select(self, path=None):
        return [self.root]


class TenPoints(TicTacToe):
    """Tic-tac-toe with ten points for a win, four for a draw and none for a loss."""

    value_range = (0, 10)

    def returns(self, state):
        return tuple({1: 10.0, 0: 4.0, -1: 0.0}[each] for each in super().returns(state))


at_random = epsilon_greedy(0.5)
"""A tie_break that half the time is not the best."""


@cache
def films():
    """Wide and narrow trees, boards and texts, few cards and more than there are nodes."""
    end = TicTacToe().parse("XOX .O. ...")
    with_all = uct(9, selection=mean_only, expansion=expand_all)
    return [
        Film(traced(600)),
        Film(traced(3000, 2), 12),
        Film(uct(3).record(end, iterations=200), 5),
        Film(traced(600, 4, ConnectFour()), 60),
        Film(traced(120, 5, ConnectFour(2, 3, connect=2)), 300),
        Film(traced(400, 6, Nim()), 1),
        Film(traced(300, 7, Nim((20,)), c=0.1), 60),
        Film(traced(60, 8, PENCIL), 300),
        Film(traced(1, 4_294_967_295, PENCIL)),
        Film(with_all.record(iterations=200), 25),
        Film(traced(150, 10, reward=thirds, c=30), 30),
        Film(continued(uct(11), 4, 300), 20),
        Film(traced(150, 12, selection=puct, tie_break=at_random)),
    ]


@cache
def excerpts():
    """Films that show some iterations of a longer search, and leave nodes out."""
    solver = MCTSSolver(TicTacToe(), seed=3).record(
        TicTacToe().parse("X.. .O. ..."), iterations=900
    )
    return [
        Film(traced(6000, 4, ConnectFour()), 30),
        Film(solver, 40, iterations=range(2, len(solver) + 1, 7)),
        Film(continued(uct(11), 4, 900), 9, iterations=range(500, 560)),
    ]


def continued(search, action, iterations):
    """A trace that begins with what an earlier search has left below a move."""
    search.search(iterations=iterations)
    search.advance(action)
    recorder = Recorder()
    search.run(iterations=iterations, hooks=[recorder])
    return recorder.trace(search)


@cache
def moments():
    """Moments picked at random, some twenty of each film."""
    draw = random.Random(2024)
    chosen = 23 * films()
    return [
        (film, film.trace.at(draw.randint(1, film.trace.iterations), draw.choice(PHASES)))
        for film in chosen
    ]


BOOK = GameTree(  # the tree of many textbooks, in halves: MAX takes 1/2, and two leaves are cut off
    {
        "a": {"x": 0.5, "y": 0.75, "z": 0.875},
        "b": {"x": 0.25, "y": 0.375, "z": 0.625},
        "c": {"x": 0.9, "y": 0.5, "z": 0.125},
    }
)


@cache
def wide():
    """A game with 121 moves, as many as a board of 11 by 11 has, and three answers to each."""
    answers = {"x": 1.0, "y": 0.5, "z": 0.0}
    game = GameTree({f"{column}{row}": answers for column in "abcdefghijk" for row in range(1, 12)})
    return Film(traced(500, 3, game, c=0.4), 200)


@cache
def walks():
    game = TicTacToe()
    return [
        Film(record_minimax(alpha_beta, BOOK)),
        Film(record_minimax(minimax, BOOK), 5),
        Film(record_minimax(alpha_beta, game, game.parse("XO. ... ..."))),
        Film(record_minimax(minimax, game, game.parse("XOX .O. ...")), 12),
        Film(record_minimax(alpha_beta, ConnectFour(3, 4, connect=3)), 100),
        Film(record_minimax(alpha_beta, Nim((2, 3))), 300),
        Film(record_minimax(minimax, Nim((1,)))),
        Film(record_minimax(alpha_beta, game, game.parse("XXX OO. ..."))),  # over already
    ]


def shown(thing):
    """The representations of a thing that a notebook would store, made by IPython itself."""
    return DisplayFormatter().format(thing)[0]


def picture_in(data):
    return Image.open(io.BytesIO(base64.b64decode(data["image/png"])))


def _watched(text="... ... ...", **policies):
    search = MCTS(TicTacToe(), seed=1, **policies)
    watch = Watch(search.start(TicTacToe().parse(text)))
    for _ in range(60):
        search.run(iterations=1)
        watch.look()
    return Film(watch)


def _proved(seed=2):
    game = TicTacToe()
    return MCTSSolver(game, seed=seed).record(game.parse("X.. .O. ..."), iterations=200)


def _by_hand():
    """Ten iterations whose walks are picked at random, and then the search's own."""
    search, recorder, lot = uct(6), Recorder(), random.Random(6)
    search.start()
    for _ in range(10):
        node, moves = search.root, []
        search.open(node)
        while not node.untried:
            node = lot.choice(node.children)
            search.open(node)
            moves.append(node.action)
        search.iteration_along([*moves, lot.choice(node.untried)], [recorder])
    search.run(iterations=60, hooks=[recorder])
    return Film(recorder.trace(search))


def filmed(*given, **policies):
    return lambda: Film(traced(*given, **policies))


READ = {
    "tic-tac-toe": filmed(100, 4),
    "late": filmed(150, 4, text="XX. .O. ..."),
    "c beyond all digits": lambda: Film(MCTS(TicTacToe(), 1e16, 1).record(iterations=40)),
    "leads beyond all decimals": lambda: Film(
        MCTS(TicTacToe(), 1e-300, 1, reward=rewards_of(1e-300, 5e-301, 0)).record(iterations=40)
    ),
    "greedy": filmed(80, 4, c=0.1),
    "random ties": filmed(120, 5, tie_break=random_best),
    "puct": filmed(90, 12, selection=puct),
    "a student's": filmed(60, 9, selection=mean_only, expansion=expand_all),
    "thirds": lambda: Film(traced(80, 10, reward=thirds, c=30), 30),
    "continued": lambda: Film(continued(uct(11), 4, 90), 20),
    "bandit": filmed(60, 8, Bandit([0.2, 0.8])),
    "nim": filmed(100, 6, Nim()),
    "tree": lambda: films()[7],
    "solver": lambda: Film(_proved()),
    "solver nim": lambda: Film(MCTSSolver(Nim((1, 2, 2)), seed=1).record(iterations=200)),
    "asked": lambda: Film(traced(80, 3).fork(30, moves=["4"])),
    "asked anew": lambda: Film(traced(80, 3).fork(5, moves=["7"])),
    "watched": _watched,
    "watched late": lambda: _watched("XX. .O. ..."),
    "one level": filmed(60, 3, expansion=expand_root_only),
    "valued": filmed(60, 3, playout=truncated(0, lambda _: (0.5, -0.5))),
    "with rules": filmed(60, 3, playout=win_then_block),
    "dice": filmed(100, 2, Pig(8)),
    "ice": filmed(80, 3, SlipperyLake()),
    "paid": filmed(80, game=SlidingPuzzle()),
    "a wheel": filmed(80, game=Wheel(7)),
    "a steep discount": filmed(80, game=Wheel(7, discount=1e-9)),
    "by hand": _by_hand,
    "all below": filmed(60, 2, expansion=expand_all_play_leaf),
    "two at once": filmed(60, 2, expansion=two_at_once),
    "seldom": filmed(80, 2, expansion=seldom),
    "own phases": lambda: Film(OwnPhases(TicTacToe(), seed=2).record(iterations=60)),
    "stays at the root": lambda: Film(StaysAtTheRoot(TicTacToe(), seed=2).record(iterations=40)),
    "estimates": filmed(60, 2, playout=truncated(1, lambda _: (1.0, -1.0))),
    "ten points": filmed(60, 2, TenPoints()),
    "level tenths": filmed(80, 2, c=0, reward=tenths),
    "large rewards": filmed(60, 2, reward=rewards_of(1e8 + 0.1, 1e7, -7.7)),
    "small rewards": filmed(60, 2, c=0.004, reward=rewards_of(0.004, 0.002, 0)),
    "watched, all children": lambda: _watched(expansion=expand_all),
    "watched, all below": lambda: _watched(expansion=expand_all_play_leaf),
}
"""Films of every kind whose sentences are read back."""


SVG = "{http://www.w3.org/2000/svg}"


def in_a_cell(test):
    """A test that runs as a cell does: within an event loop."""

    @wraps(test)
    def run(*given, **named):
        asyncio.run(test(*given, **named))

    return run


def columns_of(film):
    """The columns of a film, as the browser reads them."""
    sent = film.payload()
    data = zlib.decompress(sent["columns"])
    return {
        name: np.frombuffer(data, column["type"].lower(), column["length"], column["offset"])
        for name, column in sent["facts"]["columns"].items()
    }
