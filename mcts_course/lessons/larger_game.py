"""The exercises of lesson 10, What changes in a larger game?"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from statistics import fmean
from typing import Any, Final

from mcts_viz.games import ConnectFour, Game, GameTree, TicTacToe
from mcts_viz.search import MCTS, random_playout, solve
from mcts_viz.search.agents import MCTSAgent
from mcts_viz.search.variants import pre_expanded

from ..arena import ArenaResult, arena
from ..exercises import Case, Question, Task, texts_of
from ..experiments import ByBudget, by_budget
from ..tables import Table

SAID: Final = texts_of(__name__)
SMALL: Final = ConnectFour(3, 5, connect=3)
TRAP: Final = SMALL.parse(".X... .O... .X...")
"""O to move: one move wins by force, and the one that random games like best loses."""


# What the lesson measures --------------------------------------------------------------------


def pre_built(depths: Iterable[int], playouts: int, seed: int) -> Table:
    """How many nodes are built before the first playout, and how many are never visited."""
    rows, nodes, unvisited = [], {}, {}
    for depth in depths:
        search = MCTS(ConnectFour(), seed=seed, initial_expansion=pre_expanded(depth))
        search.start()
        nodes[depth] = len(search.nodes)
        search.run(iterations=playouts, progress=False)
        unvisited[depth] = sum(node.visits == 0 for node in search.nodes)
        rows.append((depth, nodes[depth], len(search.nodes), unvisited[depth]))
    heads = ("depth", "nodes", f"after {playouts} playouts", "without a visit")
    return Table(heads, rows, nodes=nodes, unvisited=unvisited)


def how_large(seed: int, iterations: int = 1000, playouts: int = 300) -> Table:
    """By game: moves at the root, the length of a random game, and how deep a search reaches."""
    rows, depth = [], {}
    games: tuple[Game[Any, Any], ...] = (TicTacToe(), SMALL, ConnectFour(4, 5), ConnectFour())
    for game in games:
        search = MCTS(game, seed=seed)
        search.search(iterations=iterations, progress=False)
        depths = {0: 0}
        for node in search.nodes:
            depths |= {child.id: depths[node.id] + 1 for child in node.children}
        depth[game.name] = fmean(depths.values())
        start = game.initial_state()
        played = (random_playout(game, start, Random(each)) for each in range(playouts))
        length = fmean(len(one.actions) for one in played)
        moves = len(game.legal_actions(start))
        rows.append((game.name, moves, f"{length:.1f}", f"{depth[game.name]:.1f}"))
    heads = ("game", "moves at the root", "moves of a playout", f"mean depth of {iterations:,}")
    return Table(heads, rows, depth=depth)


def budgets_meet(games: int, seed: int) -> ArenaResult:
    """Everybody against everybody: 10 or 40 playouts a move, with and without a pre-built tree."""
    game = ConnectFour()
    built: dict[str, Any] = {"initial_expansion": pre_expanded(2)}
    players = {
        "10": MCTSAgent(game, 10),
        "10, built": MCTSAgent(game, 10, **built),
        "40": MCTSAgent(game, 40),
        "40, built": MCTSAgent(game, 40, **built),
    }
    return arena(players, game, games=games, seed=seed)


def falls_for(state: Any, seeds: int = 100) -> ByBudget:
    """How many searches of the small board find the winning move, by budget."""
    return by_budget(SMALL, state, solve(SMALL, state).best_actions, (10, 40, 200, 1000), seeds)


# How large is the tree? ----------------------------------------------------------------------

_BOARD: Final = ConnectFour(4, 5)
_DEPTH, _PLAYOUTS, _CARDS = 3, 40, 30


def _sizes() -> dict[str, int]:
    search = MCTS(_BOARD, seed=1, initial_expansion=pre_expanded(_DEPTH))
    search.start()
    before = len(search.nodes)
    search.run(iterations=_PLAYOUTS, progress=False)
    return {
        "before": before,
        "after": len(search.nodes),
        "without a card": len(search.nodes) - _CARDS,
    }


def _answer(before: int, added: int = _PLAYOUTS, cards: int = _CARDS) -> dict[str, int]:
    return {"before": before, "after": before + added, "without a card": before + added - cards}


_RIGHT: Final = _sizes()
_BEFORE: Final = _RIGHT["before"]
_COLUMNS: Final = _BOARD.columns

tree_sizes: Final = Question(
    SAID["tree_sizes"],
    text=(
        f"{_BOARD.rows} rows and {_COLUMNS} columns, empty; the tree is built to depth {_DEPTH}; "
        f"then come {_PLAYOUTS} playouts; the player shows {_CARDS} cards."
    ),
    right=_RIGHT,
    wrong={
        "no root": _answer(_BEFORE - 1),
        "lowest level": _answer(_COLUMNS**_DEPTH),
        "five a level": _answer(1 + _COLUMNS * _DEPTH),
        "seven columns": _answer(sum(7**level for level in range(_DEPTH + 1))),
        "no growth": _answer(_BEFORE, 0),
        "before the playouts": {**_answer(_BEFORE), "without a card": _BEFORE - _CARDS},
    },
    tolerance=0.5,
)


# A forced win --------------------------------------------------------------------------------


def _forced_win(game: Game[Any, Any], state: Any, moves: int) -> bool:
    if game.is_terminal(state) or moves < 1:
        return False
    for action in game.legal_actions(state):
        after = game.play(state, action)
        if game.is_terminal(after):
            if game.returns(after)[game.to_move(state)] == 1:
                return True
        else:
            replies = [game.play(after, reply) for reply in game.legal_actions(after)]
            if all(_forced_win(game, reply, moves - 2) for reply in replies):
                return True
    return False


_DEEP: Final = GameTree(
    {
        "a": {"c": {"g": 1, "h": 0}, "d": {"i": 0, "j": 1}},
        "b": {"e": {"k": 1}, "f": {"l": 0, "m": -1}},
    }
)
_ESCAPE: Final = GameTree({"a": {"c": {"g": 1}, "d": 0}, "b": {"e": -1, "f": {"k": 1}}})
_LOST: Final = GameTree({"a": {"c": -1, "d": {"g": 1}}, "b": {"e": {"k": -1}, "f": 0}})
_OVER: Final = GameTree({"a": {"b": 0, "c": -1}})
_FIVE: Final = GameTree({"a": {"b": {"c": {"d": {"e": 1}}}}, "f": 0})

write_forced_win: Final = Task(
    SAID["write_forced_win"],
    solution=_forced_win,
    cases=(
        Case("with a win in one move and moves = 1", (GameTree({"a": 0, "b": 1}), (), 1)),
        Case("with two draws and moves = 1", (GameTree({"a": 0, "b": 0}), (), 1)),
        Case("with a win after both replies and moves = 3", (_DEEP, (), 3)),
        Case("with the same win and moves = 2", (_DEEP, (), 2)),
        Case("where the opponent can escape, moves = 3", (_ESCAPE, (), 3)),
        Case("where the opponent can win first, moves = 3", (_LOST, (), 3)),
        Case("where every reply ends the game, moves = 3", (_OVER, (), 3)),
        Case("with the second player to move, moves = 1", (_LOST, ("a",), 1)),
        Case("with a win in five moves and moves = 5", (_FIVE, (), 5)),
        Case("with a win in five moves and moves = 3", (_FIVE, (), 3)),
        Case("with a win in five moves and moves = 2", (_FIVE, (), 2)),
    ),
    wrong={
        "a helpful opponent": {"all(": "any("},
        "no limit": {"moves - 2": "moves"},
        "one side's moves": {"moves - 2": "moves - 1"},
        "a draw wins": {"== 1": ">= 0"},
        "the first player": {"[game.to_move(state)]": "[0]"},
        "the end wins": {"return False\n    for": "return game.is_terminal(state)\n    for"},
        "one move ahead": lambda game, state, moves: _forced_win(game, state, min(1, moves)),
    },
    observe=lambda arguments, result: result if result in (None, ...) else bool(result),
    say=lambda value: {0.0: "no", 1.0: "yes"}.get(value, str(value)),
)
