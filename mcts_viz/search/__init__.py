"""The search: the four phases, the policies they follow, and exact play beside them."""

from . import variants
from .mcts import MCTS, Node, ucb1
from .mcts_solver import MCTSSolver
from .minimax import MinimaxResult, alpha_beta, minimax
from .policies import (
    Parameters,
    expand_one,
    half_for_a_draw,
    random_playout,
    robust_child,
    score_terms,
)
from .running import PHASES, Backpropagation, Expansion, SearchResult, Selection, Simulation
from .solver import Solver, solve

__all__ = [
    "MCTS",
    "PHASES",
    "Backpropagation",
    "Expansion",
    "MCTSSolver",
    "MinimaxResult",
    "Node",
    "Parameters",
    "SearchResult",
    "Selection",
    "Simulation",
    "Solver",
    "alpha_beta",
    "expand_one",
    "half_for_a_draw",
    "minimax",
    "random_playout",
    "robust_child",
    "score_terms",
    "solve",
    "ucb1",
    "variants",
]
