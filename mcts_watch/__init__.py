"""Film any search after each iteration, and say what it computes and what is wrong with it."""

from mcts_viz.trace.columns import Checked

from .families import FAMILIES
from .law import Family
from .rules import RULES, Rule
from .watch import Watch

__all__ = ["FAMILIES", "RULES", "Checked", "Family", "Rule", "Watch"]
