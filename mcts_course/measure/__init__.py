"""Tournaments, experiments, and intervals for what they measure."""
