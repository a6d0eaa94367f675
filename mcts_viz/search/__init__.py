"""The search: the four phases, the policies they follow, and exact play beside them."""

from . import variants
from .hooks import PHASES, Backpropagation, Expansion, Selection, Simulation
from .mcts import MCTS, Node, ucb1
from .mcts_solver import MCTSSolver
from .minimax import EVENTS, MinimaxResult, alpha_beta, minimax
from .policies import expand_one, half_for_a_draw, random_playout, robust_child, score_terms
from .running import SearchResult
from .solver import Solver, solve
from .texts import Parameters

__all__ = [
    "EVENTS",
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
