"""The hand-out of one class: two pages of HTML that print."""

from __future__ import annotations

from random import Random
from typing import Final

from mcts_viz.film import Film
from mcts_viz.games import TicTacToe
from mcts_viz.search import MCTS

from ..show.feedback import inert
from ..show.paper import page
from ..work.items import Item, next_node, rewards_on_walk
from .sheets import LINE

POSITION: Final = "OX. ..O ..X"
SEED: Final = 9
"""Of the search of *four phases*, an iteration of which is the figure."""
ITERATIONS: Final = 60
PHASES: Final = (
    ("Select", "Go down the tree. At each node take the child with the highest UCB score."),
    ("Expand", "Where a move has no node yet, add one node for it."),
    ("Simulate", "Play on at random from there to the end of the game. Only the result is kept."),
    (
        "Backpropagate",
        "Go back up. Each node gets one visit, and the reward of the player who moved into it: "
        "1 for a win, ½ for a draw, 0 for a loss.",
    ),
)
SCORE: Final = (
    "UCB score = wins/visits + c · √(ln(visits of the parent) / visits). "
    "The first term says how good the move looks, the second how little we know of it. c is 1.414."
)
CHOICE: Final = "When the time is over, the search plays the move with the most visits."


def handout_items() -> list[Item]:
    """Return the two items of the second page, the same in every copy."""
    return [rewards_on_walk(Random("handout")), next_node(Random("handout"))]


def handout() -> str:
    """Return the page: the four phases with their figure, then a walk and a choice to fill in."""
    game = TicTacToe()
    search = MCTS(game, seed=SEED)
    trace = search.record(game.parse(POSITION), iterations=ITERATIONS, progress=False)
    figure = Film(trace).four_phases()
    phases = "".join(f"<li><b>{name}.</b> {inert(text)}</li>" for name, text in PHASES)
    first = (
        f"<h1>Monte Carlo Tree Search</h1><p>A search grows a tree, one node in most iterations. "
        f"An iteration has four phases:</p><ol>{phases}</ol><figure>{figure}</figure>"
        f"<p>{inert(SCORE)}</p><p>{inert(CHOICE)}</p>"
    )
    asked = "\n".join(
        f"<p><b>{number}.</b> {inert(item.question)}</p><figure>{item.picture}</figure>{LINE * 2}"
        for number, item in enumerate(handout_items(), 1)
    )
    second = f"<h2>By hand</h2>\n{asked}"
    body = f"<section class='sheet'>{first}</section>\n<section class='sheet'>{second}</section>"
    return page("Monte Carlo Tree Search: the four phases", body)
