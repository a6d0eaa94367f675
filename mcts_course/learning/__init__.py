"""The guides of a search: tables, a network, priors; and the graph of positions."""

from .network import SMALL, Network, train
from .positions import plot_positions, position_graph
from .priors import TableGuide, guided, puct_with
from .puzzle24 import Puzzle24, Thinker
from .q_learning import QLearner

__all__ = [
    "SMALL",
    "Network",
    "Puzzle24",
    "QLearner",
    "TableGuide",
    "Thinker",
    "guided",
    "plot_positions",
    "position_graph",
    "puct_with",
    "train",
]
