"""The facts and columns of a search: its words here; numbers, tree and pieces beside it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...trace.columns import nearest_above
from ...trace.ledger import MEAN
from ..search_film import SearchFilm
from ..truth import Truth
from ..words import (
    LONGEST_REPORTED,
    algorithm,
    outcome_text,
    plain,
    policies_said,
    rewards_text,
    rule_label,
    step_of,
)
from .columns import Part, joined, numbered
from .numbers import exact_values, luck, notes, priors, proofs, scores, visit_counts, visits
from .pieces import playouts_and_cells
from .tree import labels_and_untried, left_out, recorded

APART: Final = 0.16
"""Numbers below the slider are at least so far apart, as a part of its width: two longer ones, as
"10,000", do not touch."""


def of_search(data: SearchFilm, truth: Truth | str) -> Part:
    """All that the player reads of a search."""
    pieces, moves = playouts_and_cells(data)
    return joined(
        [
            Part(_said(data), recorded(data.trace, data.iterations - 1)),
            scores(data),
            Part({}, {"pattern": data.patterns[1]}),
            _estimated(data),
            visits(data),
            exact_values(data, truth),
            proofs(data),
            _watched(data),
            luck(data.trace),
            notes(data),
            _returns(data),
            priors(data.trace),
            visit_counts(data),
            left_out(data),
            labels_and_untried(data, moves),
            pieces,
        ]
    )


def _said(data: SearchFilm) -> dict[str, Any]:
    """The words and the parameters of a search."""
    trace = data.trace
    explores, linear = data.bars
    bars = "mean + exploration" if explores or not trace.c else "score"
    return {
        "rule": rule_label(trace),
        "c": trace.c,
        "linear_in_c": linear,
        "asked_first": len(trace.first_moves),
        "chosen": trace.chosen_iterations,
        "players": [plain(player) for player in trace.game.players],
        "code": [] if trace.watched else algorithm(),  # a stranger's lines are not known
        "patterns": data.patterns[0],
        "step": step_of(trace.game),
        "policies": policies_said(trace),
        "outcomes": [
            {
                "result": outcome_text(trace.game, outcome.returns),
                "estimate": outcome_text(trace.game, outcome.returns, over=False),
                "rewards": rewards_text(trace.game, outcome.rewards),
            }
            for outcome in trace.outcomes
        ],
        "reward_range": list(data.reward_range),
        "gains": data.rewards.tolist(),
        "watched": trace.watched,
        "counted": trace.ledger.adds_up,
        # Else a mean is no share of wins: the card says it, or the search has its own.
        "plain_means": not data.pays and MEAN not in trace.ledger.names,
        "heads": ["move", "wins/visits", bars, rule_label(trace)],
        "results": _results(data),
        "scale": [] if data.is_whole else _scale(data),
    }


def _estimated(data: SearchFilm) -> Part:
    """For each iteration: whether its result is an estimate, if some are."""
    if all(data.is_over):
        return Part({}, {})
    return Part({}, {"estimated": ~np.array(data.is_over)})


def _results(data: SearchFilm) -> dict[str, Any] | None:
    """The winner by outcome, if it is known; see :attr:`SearchFilm.results`."""
    kinds, ended = data.results
    return {"kinds": kinds, "ended": ended.tolist()} if kinds else None


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


def _watched(data: SearchFilm) -> Part:
    """The findings of Watch, most serious first, and what it looked at."""
    search = data.source
    if not search.watched:
        return Part({}, {})
    shown = data.numbers >= 0
    node = data.numbers[nearest_above(search.parent, shown)].tolist()
    findings = [
        found._asdict() | {"text": _reported(found.text), "node": node[found.node]}
        for found in search.findings
    ]
    checked = [one._asdict() | {"text": _reported(one.text)} for one in search.checked]
    return Part({"findings": findings, "checked": checked}, {})


def _reported(text: str) -> str:
    """A sentence of Watch, in full; a page needs no stars around what is bold elsewhere."""
    return plain(text.replace("**", ""), LONGEST_REPORTED)


def _returns(data: SearchFilm) -> Part:
    """For each iteration: its return and the parts of it, if a caption shows them."""
    if not any("{parts}" in pattern for pattern in data.patterns[0]):
        return Part({}, {})
    facts, column = numbered(data.told(iteration) for iteration in data.iterations.tolist())
    return Part({"parts": facts}, {"parts": column})
