"""Experiments and exercises of the lesson *What changes in a larger game?*"""

from __future__ import annotations

from random import Random
from statistics import fmean
from typing import Any, Final

from mcts_viz.games import ConnectFour, Game, GameTree, TicTacToe
from mcts_viz.games.protocol import State
from mcts_viz.search import MCTS, random_playout, solve

from ..measure.experiments import Counts, by_budget
from ..show.tables import Table
from ..typed import typed_door
from ..work.exercises import Case, Question, Task, texts_of

SAID: Final = texts_of(__name__)
SMALL: Final = ConnectFour(3, 5, connect=3)
TRAP: Final = SMALL.parse(".X... .O... .X...")
"""O to move: one move wins by force, and the one that random games like best loses."""


# Experiments --------------------------------------------------------------------


@typed_door
def filled_levels(branching: int, iterations: int) -> Table:
    """Count the levels below the root that these iterations fill, with a node per iteration.

    ``filled`` is their number. The table ends with the first level that is not full.
    """
    rows: list[tuple[int, int, int]] = []
    needed = 0
    while needed <= iterations:
        nodes = branching ** (len(rows) + 1)
        needed += nodes
        rows.append((len(rows) + 1, nodes, needed))
    heads = ("level", "nodes in it", "iterations until it is full")
    return Table(heads, rows, filled=len(rows) - 1)


@typed_door
def how_large(seed: int, iterations: int = 1000, playouts: int = 300) -> Table:
    """Return, by game, moves at the root, the length of a random game, and a search's depth."""
    rows = []
    games: tuple[Game[Any, Any], ...] = (TicTacToe(), SMALL, ConnectFour(4, 5), ConnectFour())
    for game in games:
        search, start = MCTS(game, seed=seed), game.initial_state()
        search.search(iterations=iterations, progress=False)
        depths = {0: 0}
        for node in search.nodes:
            depths |= {child.id: depths[node.id] + 1 for child in node.children}
        played = (random_playout(game, start, Random(each)) for each in range(playouts))
        length, mean = fmean(len(one.actions) for one in played), fmean(depths.values())
        moves, deepest = len(game.legal_actions(start)), max(depths.values())
        rows.append((game.name, moves, f"{length:.1f}", f"{mean:.1f}", deepest))
    return Table(
        ("game", "moves at first", "moves of a playout", "mean depth", "deepest node"), rows
    )


@typed_door
def falls_for(state: Any, seeds: int = 200) -> Counts:
    """Count, by budget, the searches of the small board that find the winning move."""
    budgets = (10, 40, 200, 1000, 2000, 3000)
    return by_budget(SMALL, state, solve(SMALL, state).best_actions, budgets, seeds)


# The turn ------------------------------------------------------------------------------------


def _turn(two: float, three: float, leads: int) -> dict[str, float]:
    return {"move 2 at 1,000": two, "move 3 at 1,000": three, "move 3 leads from": leads}


turn: Final = Question(
    SAID["turn"],
    right=_turn(615, 202, 1791),
    wrong={
        "swapped": _turn(202, 615, 1791),
        "the means": _turn(0.57, 0.46, 1791),
        "the end": _turn(774, 1961, 1791),
        "a lead that is lost": _turn(615, 202, 208),
        "the means cross": _turn(615, 202, 1620),
    },
    tolerance=5,
)

# How far do they see? ------------------------------------------------------------------------

level_sizes: Final = Question(
    SAID["level_sizes"],
    right={"three levels": 156, "four levels": 781, "filled by 500": 3},
    wrong={
        "no root": {"three levels": 155, "four levels": 780, "filled by 500": 3},
        "lowest level": {"three levels": 125, "four levels": 625, "filled by 500": 3},
        "five a level": {"three levels": 16, "four levels": 21, "filled by 500": 100},
        "one too many": {"three levels": 156, "four levels": 781, "filled by 500": 4},
    },
    tolerance=0.5,
)


# A forced win --------------------------------------------------------------------------------


def _forced_win(game: Game[State, Any], state: State, plies: int) -> bool:
    if game.is_terminal(state) or plies < 1:
        return False
    for action in game.legal_actions(state):
        after = game.play(state, action)
        if game.is_terminal(after):
            wins = game.returns(after)[game.to_move(state)] == 1
        else:
            replies = game.legal_actions(after)
            wins = all(_forced_win(game, game.play(after, reply), plies - 2) for reply in replies)
        if wins:
            return True
    return False


_DEEP: Final = GameTree({"a": {"c": {"g": 1, "h": 0}, "d": {"i": 0, "j": 1}}, "b": 0})
_ESCAPE: Final = GameTree({"a": {"c": {"g": 1}, "d": 0}, "b": {"e": -1, "f": {"k": 1}}})
_LOST: Final = GameTree({"a": {"c": -1, "d": {"g": 1}}, "b": {"e": {"k": -1}, "f": 0}})
_LETS: Final = GameTree({"z": {"a": {"b": 1}}})
_BOTH: Final = GameTree({"z": {"a": {"b": {"h": -1}, "c": {"d": 1, "k": -1}}, "e": 0}})
_FIVE: Final = GameTree({"a": {"b": {"c": {"d": {"e": 1}}}}, "f": 0})


def _drawn(seed: int) -> Case:
    """A small tree at random, for either player and from one ply to five.

    No one loses by a move of their own, which a student may count as forced or not.
    """
    draw = Random(seed)

    def grown(mover: int, depth: int) -> Any:
        if depth == 0 or draw.random() < 0.15:
            return draw.choice((0, 1 - 2 * mover))
        return {move: grown(1 - mover, depth - 1) for move in "ab"}

    tree = {"a": grown(0, 4)}
    start = ("a",) if seed % 2 and isinstance(tree["a"], dict) else ()
    plies = draw.randint(1, 5)
    whose = "after a, " if start else ""
    return Case(f"in the tree {tree}, {whose}with plies = {plies}", (GameTree(tree), start, plies))


write_forced_win: Final = Task(
    SAID["write_forced_win"],
    solution=_forced_win,
    cases=(
        Case("with a win in one move and plies = 1", (GameTree({"a": 0, "b": 1}), (), 1)),
        Case("with a win in one move and plies = 3", (GameTree({"a": 0, "b": 1}), (), 3)),
        Case("with two draws and plies = 1", (GameTree({"a": 0, "b": 0}), (), 1)),
        Case("with a win after both replies and plies = 3", (_DEEP, (), 3)),
        Case("with the same win and plies = 2", (_DEEP, (), 2)),
        Case("with the same win and plies = 5", (_DEEP, (), 5)),
        Case("where the opponent can escape, plies = 3", (_ESCAPE, (), 3)),
        Case("where the opponent can win first, plies = 3", (_LOST, (), 3)),
        Case("with the second player to move, plies = 1", (_LOST, ("a",), 1)),
        Case("with a win in five plies and plies = 5", (_FIVE, (), 5)),
        Case("with a win in five plies and plies = 3", (_FIVE, (), 3)),
        Case("with a win in five plies and plies = 2", (_FIVE, (), 2)),
        Case("where each move loses at once, plies = 3", (GameTree({"a": -1, "b": -1}), (), 3)),
        Case(
            "where the second player's only move lets the other win, plies = 3", (_LETS, ("z",), 3)
        ),
        Case("where the second player wins after both replies, plies = 3", (_BOTH, ("z",), 3)),
        *map(_drawn, range(24)),
    ),
    wrong={
        "a helpful opponent": {"all(": "any("},
        "no limit": {"plies - 2": "plies"},
        "one side's moves": {"plies - 2": "plies - 1"},
        "a draw wins": {"== 1": ">= 0"},
        "the first player": {"[game.to_move(state)]": "[0]"},
        "one ply too many": {"plies < 1": "plies < 0"},
        "one ply too few": {"plies < 1": "plies <= 1"},
        "the opponent's win": {"[game.to_move(state)]": "[1 - game.to_move(state)]"},
        "at once alone": {"all((forced_win": "False and all((forced_win"},
        "two moves for one": {"plies - 2": "plies - 3"},
    },
    observe=lambda arguments, result: result if result in (None, ...) else bool(result),
    say=lambda value: {0.0: "no", 1.0: "yes"}.get(value, str(value)),
)
