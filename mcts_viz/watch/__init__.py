"""Anybody's search, filmed after each iteration: what it computes, and what is wrong with it."""

from .find import Finding, Rule
from .rules import RULES
from .watch import Watch, WatchedTrace

__all__ = ["RULES", "Finding", "Rule", "Watch", "WatchedTrace"]
