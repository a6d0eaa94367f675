"""The search: the four phases, the policies they follow, and exact play beside them."""

from .hooks import PHASES, Backpropagation, Expansion, Selection, Simulation
from .mcts import MCTS, SearchResult
from .minimax import Solution, Solver, minimax, solve
from .node import Node
from .policies import (
    Statistics,
    best_child,
    expand_one,
    half_for_a_draw,
    random_playout,
    robust_child,
    score_terms,
    ucb1,
)

__all__ = [
    "MCTS",
    "PHASES",
    "Backpropagation",
    "Expansion",
    "Node",
    "SearchResult",
    "Selection",
    "Simulation",
    "Solution",
    "Solver",
    "Statistics",
    "best_child",
    "expand_one",
    "half_for_a_draw",
    "minimax",
    "random_playout",
    "robust_child",
    "score_terms",
    "solve",
    "ucb1",
]
