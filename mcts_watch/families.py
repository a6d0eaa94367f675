"""All families of checks, in the order in which they are asked."""

from __future__ import annotations

from mcts_viz.trace.columns import Checked, Finding

from .ends import Draws, Ends
from .law import Family
from .moves import Moves, Places
from .played import Played
from .playouts import Playouts
from .replay import Replay
from .rewards import Rewards
from .selection import Selection, Viewpoint
from .visits import Visits
from .worth import Worth

FAMILIES: list[type[Family]] = [
    Visits,
    Worth,
    Places,
    Rewards,
    Ends,
    Draws,
    Playouts,
    Moves,
    Viewpoint,
    Selection,
    Played,
]
"""Add one of your own with ``FAMILIES.append``."""
BY_REWARDS = (Places, Rewards, Ends, Playouts)
"""Families of which the first that finds a fault says why the later ones would."""
BOOKKEEPING = (Rewards, Ends, Playouts, Selection)
"""Families that mean little where visits do not add up."""
BY_VISITS = ("left-out", "counted-twice")
"""Findings after which rewards per visit, and what a rule sees, are others."""
BY_POSITIONS = ("state-changed", "wrong-position")
"""Findings after which a node's moves are those of another position."""


def find(replay: Replay) -> tuple[list[Finding], list[Checked]]:
    """The findings, then the notes, the first of each name; and what each family has checked."""
    found: dict[str, Finding] = {}
    families = [family(replay) for family in FAMILIES]
    for family in families:
        if family.why_not or is_explained(family, found):
            continue
        for one in family.look():
            known = found.setdefault(one.name, one)
            found[one.name] = max(known, one, key=lambda said: said.fault)
    every = sorted(found.values(), key=lambda one: not one.fault)
    return every, [family.said() for family in families]


def is_explained(family: Family, found: dict[str, Finding]) -> bool:
    """True if a fault that was found already says why this family would find one."""
    faults = {name for name, one in found.items() if one.fault}
    by_visits, others = faults & {*BY_VISITS}, faults - {*BY_VISITS}
    if isinstance(family, BOOKKEEPING) and by_visits:
        return True
    if isinstance(family, Moves):
        return not faults.isdisjoint(BY_POSITIONS)
    return isinstance(family, BY_REWARDS) and bool(others)
