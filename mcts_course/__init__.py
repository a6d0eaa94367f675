"""The parts of the lessons: exercises with feedback, published systems, experiments, plots.

The exercises of a lesson are a separate module, such as ``mcts_course.lessons.four_phases``.
"""

import sys

from .arena import arena
from .boards import show_board, show_tree
from .by_hand import BeTheSearch
from .evidence import once_more
from .experiments import pull, regret, regrets
from .feedback import show_source
from .intervals import mean_interval, wilson_interval
from .plots import (
    plot_arena,
    plot_learning,
    plot_means,
    plot_regrets,
    plot_scores,
    plot_shares,
    plot_terms,
)
from .positions import plot_positions, position_graph
from .predict import predict, predictions
from .priors import TableGuide, guided, puct_with
from .progress import hand_in, write_report
from .published import FAULTS, SYSTEMS, published
from .q_learning import QLearner
from .random_play import RandomPlay, find_traps, random_and_exact
from .teacher.report import class_report

if sys.platform == "emscripten":
    from . import in_browser  # noqa: F401

__all__ = [
    "FAULTS",
    "SYSTEMS",
    "BeTheSearch",
    "QLearner",
    "RandomPlay",
    "TableGuide",
    "arena",
    "class_report",
    "find_traps",
    "guided",
    "hand_in",
    "mean_interval",
    "once_more",
    "plot_arena",
    "plot_learning",
    "plot_means",
    "plot_positions",
    "plot_regrets",
    "plot_scores",
    "plot_shares",
    "plot_terms",
    "position_graph",
    "predict",
    "predictions",
    "published",
    "puct_with",
    "pull",
    "random_and_exact",
    "regret",
    "regrets",
    "show_board",
    "show_source",
    "show_tree",
    "wilson_interval",
    "write_report",
]
