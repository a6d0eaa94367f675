"""The facts and columns of a search: its words, and its nodes' numbers at every moment."""

from __future__ import annotations

from math import log
from typing import Any, Final

import numpy as np

from ...search import ucb1
from ...trace.ledger import MEAN
from ..search_film import SearchFilm
from ..truth import Truth, truth_badge, truth_facts
from ..words import LONGEST_REPORTED, PROOFS, algorithm, plain, tie_said
from .columns import Columns, numbered
from .tree import of_tree

APART: Final = 0.16
"""Numbers below the slider are at least so far apart, as a part of its width: two longer ones, as
"10,000", do not touch."""


def of_search(data: SearchFilm, truth: Truth | str) -> tuple[dict[str, Any], Columns]:
    """All that the player reads of a search."""
    facts = _said(data)
    facts["labels"], columns = of_tree(data)
    columns |= _numbers(data) | _of_nodes(data)
    if data.proves:
        facts["proofs"] = {str(sign): said for sign, said in PROOFS.items()}
    facts["truth"] = truth_facts(truth)
    if isinstance(truth, Truth):  # by node its badge, a number among the badges from 1
        facts["truth"]["badges"], badges = numbered(truth_badge(truth, n) for n in truth.values)
        columns["exact"] = np.zeros(len(data.trace.parent), np.int64)
        columns["exact"][[*truth.values]] = 1 + badges
    if data.noted:
        for part, texts in zip(("", "_before"), data.every_note, strict=True):
            facts[f"notes{part}"], columns[f"note{part}"] = numbered(texts)
    if data.all_told:
        facts["parts"], columns["parts"] = numbered(data.all_told)
    return facts, columns


def _said(data: SearchFilm) -> dict[str, Any]:
    """The words and the parameters of a search."""
    trace = data.trace
    explores, linear = data.bars
    bars = "mean + exploration" if explores or not trace.c else "score"
    kinds, ended = data.results
    return {
        "rule": data.rule,
        "c": trace.c,
        "linear_in_c": linear,
        "asked_first": len(trace.first_moves),
        "chosen": trace.chosen_iterations,
        "players": data.players,
        "code": [] if trace.watched else algorithm(),  # a stranger's lines are not known
        "patterns": data.patterns[0],
        "step": data.step,
        "policies": data.policies,
        "tie": tie_said(trace),
        "outcomes": data.outcomes,
        "reward_range": list(data.reward_range),
        "gains": data.rewards.tolist(),
        "watched": trace.watched,
        "counted": trace.ledger.adds_up,
        # Else a mean is no share of wins: the card says it, or the search has its own.
        "plain_means": not data.pays and MEAN not in trace.ledger.names,
        "heads": ["move", "wins/visits", bars, data.rule],
        "results": {"kinds": kinds, "ended": ended.tolist()} if kinds else None,
        "scale": [] if data.is_whole else _scale(data),
        **(_watched(data) if trace.watched else {}),
    }


def _scale(data: SearchFilm) -> list[tuple[int, float]]:
    """Round numbers of iterations, rising, and where they lie: 0 is the first shown, 1 the last.

    Where iterations are left out, the numbers lie ever closer together.
    """
    iterations, parts = data.iterations, np.linspace(0, 1, len(data.iterations))
    first, last = int(iterations[0]), int(iterations[-1])
    scale = {first: 0.0, last: 1.0}
    powers = [10**power for power in range(len(str(last)))]
    round_ones = [*reversed(powers), *(many * power for many in (5, 2) for power in powers)]
    step = max(power for power in powers if power <= max(1, last - first))
    between = range(first - first % step, last, step) if last < 10 * first else ()
    for number in [*round_ones, *between]:  # between 500 and 560 lies no other round one
        part = float(np.interp(number, iterations, parts))
        apart = min(abs(part - other) for other in scale.values())
        if first < number < last and apart >= APART:
            scale[number] = part
    return sorted(scale.items())


def _watched(data: SearchFilm) -> dict[str, Any]:
    """The findings of Watch, most serious first, and what it looked at."""
    search, owner = data.source, data.owner.tolist()
    found = [one._asdict() | {"node": owner[one.node]} for one in search.findings]
    told = {"findings": found, "checked": [one._asdict() for one in search.checked]}
    for one in [*told["findings"], *told["checked"]]:
        # In full; a page needs no stars around what is bold elsewhere.
        one["text"] = plain(one["text"].replace("**", ""), LONGEST_REPORTED)
    return told


def _numbers(data: SearchFilm) -> Columns:
    """The numbers of all nodes whenever they changed, node after node, and their scores exactly:
    the browser adds two terms, and knows no formula."""
    known, before = data.changes, data.trace.visits_before
    visits = known.columns["visits"]
    columns: Columns = {
        "visit_times": known.times,
        "visit_wins": known.columns["wins"],
        "visit_ends": known.ends,
    }
    long = np.diff(known.ends).astype(np.intp)
    each = np.arange(1, len(visits) + 1) + np.repeat(before - known.ends[:-1], long)
    if not np.array_equal(visits, each):  # some moments count more than one visit
        columns["visit_counts"] = visits
    if data.trace.selection is not ucb1 or MEAN in data.trace.ledger.names:
        columns["means"], columns["explorations"] = data.every_term.T
        return columns
    # By number of visits: the factors whose product, times c, is the second term of UCB1.
    every = np.unique(np.concatenate([visits, before]))
    every = every[every > 0]
    # NumPy's own logarithm may differ from the search's in the last digit.
    parent = np.sqrt([log(count) for count in every.tolist()])
    factors = {"visits": every, "parent": parent, "child": 1 / np.sqrt(every)}
    return columns | {f"factor_{name}": column for name, column in factors.items()}


def _of_nodes(data: SearchFilm) -> Columns:
    """The columns that only some searches have, and the numbers of the captions."""
    trace = data.trace
    columns: Columns = {"pattern": data.patterns[1]}
    if not all(data.is_over):
        columns["estimated"] = ~np.array(data.is_over)
    if data.proves:
        columns |= {"proof": trace.proofs.sign, "proven": trace.proofs.since}
    if trace.chance.any():
        columns |= {"chance": trace.chance, "probability": trace.probability}
    if trace.priors is not None:
        columns["prior"] = trace.priors
    return columns
