"""The whole report of a watch as text, for a terminal, a log, or the message of a failed test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from mcts_viz.trace.columns import Checked, Finding

from .rules import Reading


def report(
    size: str,
    rule: Reading,
    names: Mapping[str, str],
    found: Sequence[Finding],
    checked: Sequence[Checked],
) -> str:
    """The rule, the names that were taken, the findings, the notes, and what was checked."""
    findings = [one for one in found if one.fault]
    notes = [one for one in found if not one.fault]
    taken = ", ".join(f"{kind}: {name}" for kind, name in names.items())
    parts = (
        [f"Watch of {size}", f"Rule: {rule}", f"Names: {taken}"],
        ["Findings:", *listed_findings(findings)],
        ["Notes:", *listed_findings(notes)],
        ["Checked:", *(f"  {line}" for line in checked)],
    )
    return "\n".join(chain.from_iterable(parts))


def listed_findings(found: Sequence[Finding]) -> list[str]:
    """A line for each, with the iteration and the node that prove it."""
    lines = [
        f"  {one.name} (iteration {one.iteration}, node {one.node}): {one.text}" for one in found
    ]
    return lines or ["  none; see what was checked"]
