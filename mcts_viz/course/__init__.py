"""What the lessons need beside the search: a look at the computer, and exercises that answer.

The exercises of a lesson are a module of their own, such as ``mcts_viz.course.lesson_05``.
"""

from ..search.intervals import mean_interval, wilson_interval
from .environment import check_environment
from .exercises import Case, Exercise, Misconception, Question, Task, Verdict
from .order import explain_missing_names
from .source import show_source

__all__ = [
    "Case",
    "Exercise",
    "Misconception",
    "Question",
    "Task",
    "Verdict",
    "check_environment",
    "explain_missing_names",
    "mean_interval",
    "show_source",
    "wilson_interval",
]

explain_missing_names()
