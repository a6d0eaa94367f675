"""The numbers of the nodes at every moment: visits, wins, scores and what else is known of them."""

from __future__ import annotations

from math import log

import numpy as np

from ...search import ucb1
from ...trace import Trace
from ...trace.ledger import MEAN
from ..search_film import SearchFilm, as_short
from ..truth import Truth, truth_badge, truth_facts
from ..words import PROOFS
from .columns import Array, Part, numbered


def visits(data: SearchFilm) -> Part:
    """The visits of all nodes end to end: when each was, and the node's wins from then on."""
    known = data.visits
    columns = {
        "visit_times": known.times,
        "visit_wins": as_short(known.columns["wins"]),
        "visit_ends": known.ends,
    }
    return Part({}, columns)


def visit_counts(data: SearchFilm) -> Part:
    """For each visit: how many the node has, where some moments count more than one."""
    if data.counts_walks:
        return Part({}, {})
    return Part({}, {"visit_counts": data.visits.columns["visits"]})


def scores(data: SearchFilm) -> Part:
    """All scores, exactly: the browser adds two terms, and knows no formula."""
    trace = data.trace
    is_ucb1 = trace.selection is ucb1 and MEAN not in trace.ledger.names
    return Part({}, _factors(data) if is_ucb1 else _terms(data))


def _factors(data: SearchFilm) -> dict[str, Array]:
    """The factors whose product, times c, is the second term of UCB1, by number of visits.

    The first term is wins by visits.
    """
    counts = data.visits.columns["visits"]
    every = np.unique(np.concatenate([counts, data.trace.visits_before]))
    every = every[every > 0]
    return {
        "factor_visits": every,
        # NumPy's own logarithm may differ from the search's in the last digit.
        "factor_parent": np.sqrt([log(count) for count in every.tolist()]),
        "factor_child": 1 / np.sqrt(every),
    }


def _terms(data: SearchFilm) -> dict[str, Array]:
    """Both terms of each child's score, before and after each visit of its parent."""
    ends, times = data.visits.ends, data.visits.times
    terms = [np.zeros((0, 2))]
    for node, children in enumerate(data.trace.children):
        after = np.append(0, times[ends[node] : ends[node + 1]])
        terms.append(data.terms(np.array(children, np.intp)[:, None], after).reshape(-1, 2))
    means, explorations = np.concatenate(terms).T
    return {"means": means, "explorations": explorations}


def exact_values(data: SearchFilm, truth: Truth | str) -> Part:
    """The truth beside the search, and by node its badge: a number among the badges from 1."""
    facts = truth_facts(truth)
    if isinstance(truth, str):
        return Part({"truth": facts}, {})
    facts["badges"], numbers = numbered(truth_badge(truth, node) for node in truth.values)
    column = np.zeros(len(data.trace.parent), np.int64)
    column[[*truth.values]] = 1 + numbers
    return Part({"truth": facts}, {"exact": column})


def proofs(data: SearchFilm) -> Part:
    """The proof of each node of MCTS-Solver, and its iteration."""
    if not data.proves:
        return Part({}, {})
    known = data.trace.proofs
    words = {str(sign): said for sign, said in PROOFS.items()}
    return Part({"proofs": words}, {"proof": known.sign, "proven": known.since})


def luck(trace: Trace) -> Part:
    """The nodes where nature moves, and the probability of each outcome, in a game with luck."""
    if not trace.chance.any():
        return Part({}, {})
    columns: dict[str, Array] = {
        "chance": trace.chance.astype(np.uint8),
        "probability": as_short(trace.probability),
    }
    return Part({}, columns)


def priors(trace: Trace) -> Part:
    """For each node: what a guide said of its move."""
    if trace.priors is None:
        return Part({}, {})
    return Part({}, {"prior": as_short(trace.priors)})


def notes(data: SearchFilm) -> Part:
    """The line on a card of the statistics that a search keeps for itself, from each visit on."""
    if not data.noted:
        return Part({}, {})
    every = np.arange(len(data.trace.parent))
    visited = np.repeat(every, np.diff(data.visits.ends).astype(np.intp))  # by visit: the node
    texts, column = numbered(data.notes(visited, data.visits.times))
    before, column_before = numbered(data.notes(every, 0))
    return Part(
        {"notes": texts, "notes_before": before}, {"note": column, "note_before": column_before}
    )
