"""Film any search after each iteration, and say what it computes and what is wrong with it."""

from .families import FAMILIES
from .law import Checked, Family
from .rules import RULES, Rule
from .watch import Watch

__all__ = ["FAMILIES", "RULES", "Checked", "Family", "Rule", "Watch"]
