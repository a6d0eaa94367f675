"""Film any search after each iteration, and say what it computes and what is wrong with it."""

from .rules import RULES, Rule
from .watch import Watch

__all__ = ["RULES", "Rule", "Watch"]
