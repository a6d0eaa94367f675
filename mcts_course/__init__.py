"""The parts of the lessons: exercises with feedback, published systems, experiments, plots.

The exercises of a lesson are a separate module, such as ``mcts_course.lessons.four_phases``.
"""

import sys

from .by_hand import BeTheSearch
from .learning.positions import plot_positions, position_graph
from .learning.priors import TableGuide, guided, puct_with
from .learning.q_learning import QLearner, plot_learning
from .measure.arena import arena
from .measure.experiments import pull, regret, regrets
from .measure.intervals import mean_interval, wilson_interval
from .measure.plots import plot_arena, plot_means, plot_regrets, plot_scores, plot_shares
from .measure.random_play import RandomPlay, find_traps, random_and_exact
from .play import Play
from .published.published import FAULTS, SYSTEMS, published
from .show.boards import show_board, show_tree
from .show.feedback import show_source
from .teacher.report import class_report
from .work.evidence import once_more
from .work.predict import predict, predictions
from .work.progress import hand_in, write_report

if sys.platform == "emscripten":
    from . import in_browser  # noqa: F401

__all__ = [
    "FAULTS",
    "SYSTEMS",
    "BeTheSearch",
    "Play",
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
