"""Some iterations of a long search, and as much of its tree as they need.

A film of a million iterations cannot hold them all, and a slider could not tell them apart.
So it shows some thousands of them: the paths that they walk, the most visited nodes, and the
children of both. Every statistic still counts the whole search.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import TraceError, fits, items, require
from .columns import Proofs, nearest_above
from .trace import Trace

LONGEST: Final = 5000
"""Iterations that are shown at most."""
FIRST: Final = 1000
"""So many at the beginning are shown one by one; after these the gaps widen."""

Array = NDArray[Any]


class Subsample(NamedTuple):
    """A part of a tree, its nodes numbered again in order of creation."""

    trace: Trace
    """The search with these nodes alone: an iteration that went on below them ends at the last."""
    visits: Array
    """For each node: its visits after the last of the iterations that are shown."""
    nodes: Array
    """For each node: its number in the whole tree."""
    owner: Array
    """By node of the whole tree: its number here, or that of the nearest above it that is here."""


def iterations_shown(trace: Trace, asked: Any = None, also: Iterable[Any] = ()) -> Array:
    """The iterations that a film of the trace shows, rising: those ``asked`` for, at most 5,000.

    Without ``asked`` all, or of a longer search the first 1,000 and then ever fewer, evenly spaced
    on a logarithmic scale, with the last and the ones that must be there ``also``. Raises
    ``TraceError`` for iterations that the trace does not have.
    """
    last = trace.iterations
    if asked is not None:
        return _checked(asked, last)
    if last <= LONGEST:
        return np.arange(1, last + 1)
    must = [moment for moment in also if fits(moment, 1, last, whole=True)]
    room = LONGEST - FIRST - len(must)
    spread = np.geomspace(FIRST, last, room).round().astype(np.int64)
    return np.unique(np.concatenate([np.arange(1, FIRST + 1), spread, np.array(must, np.int64)]))


def _checked(asked: Any, last: int) -> Array:
    moments = list(items(asked, LONGEST))
    whole = all(fits(moment, 1, last, whole=True) for moment in moments)
    right = whole and moments and moments == sorted(set(moments))
    kind = f"a rising list of at most {LONGEST:,} of the iterations 1 to {last:,}"
    require(right, "iterations", kind, asked, TraceError)
    return np.array(moments, np.int64)


def subsample(trace: Trace, iterations: Array, heaviest: int) -> Subsample:
    """The part of the tree that these iterations need, with some of its heaviest nodes."""
    count, last = len(trace.parent), int(iterations[-1])
    visits = trace.passing(trace.leaf[:last])
    if trace.ledger.adds_up:
        visits = visits + trace.visits_before
    if len(iterations) == trace.iterations:
        return Subsample(trace, visits, np.arange(count), np.arange(count))
    inside = trace.passing(trace.leaf[iterations - 1]) > 0
    last = max(0, count - heaviest)
    heavy = np.flatnonzero(visits >= np.partition(visits, last)[last])
    inside[heavy[np.argsort(-visits[heavy], kind="stable")[:heaviest]]] = True
    inside[1:] |= inside[trace.parent[1:]]  # so that a node has all its children, or none
    nodes = np.flatnonzero(inside)
    number = np.cumsum(inside) - 1
    owner = number[nearest_above(trace.parent, inside)]
    parent = np.append(-1, number[trace.parent[nodes[1:]]])
    priors = trace.own_priors
    part = replace(
        trace,
        parent=parent.astype(trace.parent.dtype),
        leaf=owner[trace.leaf],
        ledger=trace.ledger.part(nodes, inside),
        proofs=Proofs(*(column[nodes] for column in trace.proofs)),
        own_priors=None if priors is None else priors[nodes],
        action=trace.action[nodes],
        created_at=trace.created_at[nodes],
        player_just_moved=trace.player_just_moved[nodes],
    )
    return Subsample(part, visits[nodes], nodes, owner)
