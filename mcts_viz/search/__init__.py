"""The search: the four phases, the policies they follow, and exact play beside them."""

from .alpha_beta import alpha_beta
from .hooks import PHASES, Backpropagation, Expansion, Selection, Simulation
from .mcts import MCTS, SearchResult
from .minimax import MinimaxResult, minimax
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
from .solver import Solution, Solver, solve

__all__ = [
    "MCTS",
    "PHASES",
    "Backpropagation",
    "Expansion",
    "MinimaxResult",
    "Node",
    "SearchResult",
    "Selection",
    "Simulation",
    "Solution",
    "Solver",
    "Statistics",
    "alpha_beta",
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
