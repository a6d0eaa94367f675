"""Experiments and exercises of the lesson *What about my game?*

The exercises are about the rules of a game: who wins in the end, and what may be played.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from graphviz import Digraph

from mcts_viz.film import draw_digraph
from mcts_viz.games import Game, Nim, Returns
from mcts_viz.search import solve

from ..exercises import Case, Question, Task, texts_of
from ..experiments import ByBudget, by_budget
from ..tables import Table

SAID: Final = texts_of(__name__)

# Experiments ---------------------------------------------------------------------


def show_house(rows: int, columns: int) -> Any:
    """Draw a house of flats, numbered row by row from the top left."""
    flat = '<td width="36" height="36" fixedsize="true">{}</td>'
    floors = (range(row * columns, (row + 1) * columns) for row in range(rows))
    table = "".join(f"<tr>{''.join(map(flat.format, floor))}</tr>" for floor in floors)
    house = Digraph(node_attr={"shape": "plaintext"})
    house.node("house", f'<<table border="0" cellborder="1" cellspacing="0">{table}</table>>')
    return draw_digraph(house)


def kinds_of_nodes() -> Any:
    """Draw decisions of both players, and a chance node between them."""
    tree = Digraph(node_attr={"fontsize": "11", "margin": "0.05"}, edge_attr={"fontsize": "11"})
    tree.node("you", "you choose", shape="box")
    tree.node("dice", "the die\ndecides", shape="circle")
    tree.node("stay", "the opponent\nchooses", shape="diamond")
    tree.edge("you", "dice", label=" move a")
    tree.edge("you", "stay", label=" move b")
    for face in ("one", "six"):
        tree.node(face, "the opponent\nchooses", shape="diamond")
        tree.edge("dice", face, label=f" {face}: 1/6", style="dashed")
    return draw_digraph(tree)


def hidden_card() -> Any:
    """Draw two worlds that fit what you know, and your decision, which is one for both."""
    tree = Digraph(
        graph_attr={"rankdir": "LR", "nodesep": "0.15"},
        node_attr={"fontsize": "11", "margin": "0.05"},
        edge_attr={"fontsize": "11"},
    )
    tree.node("deal", "you hold a queen,\nthe other card\nis hidden", shape="circle")
    with tree.subgraph(name="cluster") as same:
        same.attr(
            label="one information set:\nthe same move in both", style="dashed", fontsize="11"
        )
        for card in ("jack", "king"):
            same.node(card, f"you choose\n(it is a {card})", shape="box")
    for card, bet in {"jack": "+2", "king": "−2"}.items():
        tree.edge("deal", card, style="dashed")
        for move, gets in {"bet": bet, "pass": "0"}.items():
            tree.node(f"{card} {move}", gets, shape="plaintext")
            tree.edge(card, f"{card} {move}", label=f" {move}")
    return draw_digraph(tree)


def finds_a_win(game: Game[Any, Any], budgets: Sequence[int], seeds: int = 100) -> ByBudget:
    """Search a game from its start, and count the searches that play a winning move."""
    start = game.initial_state()
    return by_budget(game, start, solve(game, start).best_actions, budgets, seeds)


def place_in_words(found: ByBudget) -> str:
    """Say where the winning flats of a house of three by four are."""
    places = {"the middle": {5, 6}, "a corner": {0, 3, 8, 11}, "an edge": {1, 2, 4, 7, 9, 10}}
    return next(place for place, flats in places.items() if found.wanted & flats)


def who_wins(houses: Sequence[Any]) -> Table:
    """Return who wins Cats and Dogs in each of these houses, with perfect play."""
    rows = []
    for house in houses:
        cats = solve(house, house.initial_state()).value == 1
        rows.append((f"{house.rows} by {house.columns}", "cats" if cats else "dogs"))
    return Table(("house", "who wins"), rows)


# Who wins in a large house? -------------------------------------------------------------------

_PLAYERS: Final = ("cats", "dogs")


def _winners(*boards: tuple[int, int]) -> tuple[str, ...]:
    """Return who wins Cats and Dogs on boards of these rows and columns, by mirror play.

    A half turn maps each flat to its image. A flat that is its own image, or next door to it, is
    the middle: the cats take it first, and mirror from then on. Without one, the dogs mirror.
    """
    return tuple(_PLAYERS[rows % 2 == columns % 2 == 0] for rows, columns in boards)


large_boards: Final = Question(
    SAID["large_boards"],
    right=_winners((10, 10), (9, 10)),
    wrong={
        "cats": ("cats", "cats"),
        "dogs": ("dogs", "dogs"),
        "a draw": ("dogs", "draw"),
        "swapped": ("cats", "dogs"),
    },
)


# The last one loses --------------------------------------------------------------------------


def _last_loses(game: Game[Any, Any], state: Any) -> Returns:
    """The player who moved last has lost: the player to move has won."""
    return (1.0, -1.0) if game.to_move(state) == 0 else (-1.0, 1.0)


def _end(player: int, heaps: Sequence[int]) -> Case:
    game, winner = Nim(tuple(heaps)), "AB"[player]
    words = f"in Nim, where {'BA'[player]} took the last object and {winner} would be to move"
    return Case(words, (game, (player, *(0 for _ in heaps))))


write_returns: Final = Task(
    SAID["write_returns"],
    solution=_last_loses,
    cases=(_end(0, (1, 2)), _end(1, (1, 2)), _end(1, (4,))),
    wrong={
        "the usual rule": lambda game, state: game.returns(state),
        "for the player to move": lambda game, state: (1.0, -1.0),
        "player 1 always": lambda game, state: (-1.0, 1.0),
        "one number": lambda game, state: 1.0,
        "player 0's number": lambda game, state: _last_loses(game, state)[0],
        "0 for a loss": lambda game, state: tuple(
            (value + 1) / 2 for value in _last_loses(game, state)
        ),
        "the winner's number": lambda game, state: game.to_move(state),
    },
)
