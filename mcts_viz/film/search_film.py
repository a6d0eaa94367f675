"""The film's columns: which nodes get a card, where cards are, and what each shows when.

The final tree is laid out once, so no card ever moves; a frame only shows, hides and fills in.
All that a frame shows lies ready here in arrays, and a frame is a handful of look-ups.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain, islice, repeat
from math import isfinite, nan
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..errors import TraceError, among, counted, require, short_repr
from ..games import NATURE, turns
from ..search import PHASES, score_terms, ucb1
from ..search.policies import can_score
from ..search.statistics import Statistic
from ..trace import Trace
from ..trace.columns import nearest_above
from ..trace.ledger import Changes
from ..trace.snapshot import Stats
from ..trace.subsample import subsample
from . import returns
from .cards import CARDS, MOST_CARDS, Card, Ending, FilmData, Frame, Moment
from .words import (
    OWN_NUMBERS,
    PROOFS,
    apart,
    caption,
    fixed,
    gained,
    outcome_text,
    patterns,
    plain,
    policies_said,
    rewards_text,
    rule_label,
    score_text,
    short,
    small,
    step_of,
)

Array = NDArray[Any]
SEEN: Final = 200
"""Below the first row a node is shown from one of so many visits on."""
MOST_DIGITS: Final = 4
UNTRIED: Final = "∞"
"""UCB1 of a node without a visit."""
SIMULATED: Final = PHASES.index("simulate")


def _winner(rewards: tuple[float, ...]) -> str | None:
    """The kind of a result; ``None`` if it is no win, draw or loss."""
    if len(rewards) > 2:
        best = max(rewards)
        return "draw" if rewards.count(best) > 1 else f"player-{rewards.index(best)}"
    # A single player who wins nothing has lost against chance.
    known = {(1.0, 0.0): "player-0", (0.5, 0.5): "draw", (0.0, 1.0): "player-1"}
    first = float(rewards[0])
    return known.get((first, float(rewards[1]) if len(rewards) == 2 else 1 - first))


def note_of(stats: Stats, noted: list[Statistic]) -> str:
    """The lines of these statistics for a node, in the order in which they are kept."""
    if not stats.visits:
        return ""
    return " · ".join(plain(each.text(stats)) for each in noted if each.text)


class SearchFilm(FilmData):
    """A trace made ready to be looked at, with at most ``cards`` cards.

    The most visited nodes get one, and as no node is visited more often than its parent, they
    hang together. ``iterations``, rising, are those that can be looked at, all if none are given.
    Raises ``TraceError`` for a trace without iterations and for an odd ``cards``.
    """

    trace: Trace
    kind = "mcts"
    unit = "iteration"
    phases = PHASES
    caption, patterns = caption, cached_property(patterns)

    def __init__(
        self, trace: Trace, cards: int = CARDS, iterations: NDArray[np.integer[Any]] | None = None
    ) -> None:
        if not trace.iterations:
            raise TraceError("The trace has no iteration, so there is nothing to show: record one.")
        self.iterations = np.arange(1, trace.iterations + 1) if iterations is None else iterations
        self.source, self.proves = trace, trace.solver
        """The whole search; where iterations are left out, ``trace`` has a part of its nodes."""
        self.is_whole = len(self.iterations) == trace.iterations
        self.moments = np.setdiff1d(np.append(self.iterations - 1, self.iterations), [0])
        """The numbers of iterations after which the film shows the tree, rising from 1."""
        self.rewards = np.array([outcome.rewards for outcome in trace.outcomes], np.float64)
        """By outcome and player: what the nodes that the player moved into are given."""
        part, visits, self.nodes, self.owner = subsample(trace, self.iterations, MOST_CARDS)
        """By node of the film: its number in the whole search. By node of the search: its number
        here, or that of the nearest above it that is here."""
        super().__init__(part, part.created_at, visits, cards)

    def place(self, iteration: int) -> int:
        """Return an iteration's place among those shown, from 0; ``TraceError`` if it has none."""
        place = int(np.searchsorted(self.iterations, iteration))
        if place < len(self.iterations) and self.iterations[place] == iteration:
            return place
        near = self.iterations[max(0, place - 1) : place + 1].tolist()
        raise TraceError(
            f"iteration is {short_repr(iteration)}, but this film shows {len(self.iterations):,} "
            f"of {self.source.iterations:,} iterations: go to {' or '.join(map(str, near))}, or "
            "choose others with Film(trace, iterations=[…])."
        )

    @cached_property
    def is_over(self) -> list[bool]:
        """True for each iteration shown whose playout went on to the end of the game.

        False where it brings only an estimate of the position where it stopped.
        """
        if self.trace.watched or self.trace.plays_at_random:
            return [True] * len(self.iterations)
        ends = (self.trace.played_out(iteration)[-1] for iteration in self.iterations.tolist())
        return [bool(self.game.is_terminal(state)) for state in ends]

    def result(self, iteration: int) -> str:
        """The result of an iteration's playout in words: ``X wins``, or the numbers of an
        estimate."""
        said: dict[str, str] = self.outcomes[self.trace.outcome[iteration - 1]]
        return said["result" if self.is_over[self.place(iteration)] else "estimate"]

    # Statistics over time ------------------------------------------------------------------------

    @cached_property
    def changes(self) -> Changes:
        """The numbers of the nodes at the moments before and after every iteration shown."""
        return self.trace.ledger.changes(self.trace, self.moments)

    def statistics(self, node: Any, iterations: Any) -> tuple[Array, Array]:
        """Visits and wins after that many iterations, of one node or of many."""
        numbers = self.changes.at(node, iterations)
        return numbers["visits"], numbers["wins"]

    def stats(self, nodes: Any, iterations: Any) -> list[Stats]:
        """The nodes' statistics after that many iterations, as a selection rule reads them."""
        node, after = np.broadcast_arrays(nodes, iterations)
        numbers = {name: np.ravel(of).tolist() for name, of in self.changes.at(node, after).items()}
        visits, wins = numbers.pop("visits"), numbers.pop("wins")
        rows = zip(*numbers.values(), strict=True) if numbers else repeat(())
        return [
            Stats(self.trace, number, n, w, dict(zip(numbers, others, strict=True)))
            for number, n, w, others in zip(
                np.ravel(node).tolist(), visits, wins, rows, strict=False
            )
        ]

    @cached_property
    def noted(self) -> list[Statistic]:
        """The statistics that have a line on each card."""
        known = self.trace.ledger.names
        return [each for each in self.trace.spec.kept if each.text and each.name in known]

    def notes(self, nodes: Any, iterations: Any) -> list[str]:
        """The line on the card of each of these nodes after that many iterations."""
        if not self.noted:
            return [""] * len(np.broadcast_arrays(nodes, iterations)[0])
        return [note_of(stats, self.noted) for stats in self.stats(nodes, iterations)]

    @cached_property
    def every_note(self) -> tuple[list[str], list[str]]:
        """The lines of all nodes: at each of their changes, and before the first iteration."""
        known, every = self.changes, np.arange(len(self.trace.parent))
        changed = np.repeat(every, np.diff(known.ends).astype(np.intp))  # by change: the node
        return self.notes(changed, known.times), self.notes(every, 0)

    def lines_beside(self, node: int, iterations: int) -> list[str]:
        """The other texts on a node's card: how likely its move is, and its other statistics."""
        trace = self.trace
        said = self.notes(np.array([node]), iterations)
        if node and trace.priors is not None:
            said.insert(0, f"P {fixed(trace.priors[node])}")
        elif trace.probability[node]:
            said.insert(0, f"p {fixed(trace.probability[node])}")
        return list(filter(None, said))

    def terms(self, nodes: Any, iterations: Any, c: float | None = None) -> NDArray[np.float64]:
        """Both terms of the scores of these nodes after that many iterations, in the last axis.

        Not-a-number without a score, and for outcomes of chance, which are not compared. Both
        may be arrays; with another ``c``, as it would have been.
        """
        trace, rule = self.trace, self.trace.selection
        c = trace.c if c is None else c
        node, after = np.broadcast_arrays(nodes, iterations)
        children, parents = self.stats(node, after), self.stats(trace.parent[node], after)
        terms = [
            score_terms(rule, child, parent, c) if can_score(rule, child) else (np.nan, np.nan)
            for child, parent in zip(children, parents, strict=True)
        ]
        found = np.array(terms, np.float64).reshape(*node.shape, 2)
        found[trace.chance[trace.parent[node]] & (node > 0)] = np.nan
        return found

    @cached_property
    def every_term(self) -> NDArray[np.float64]:
        """Both terms of each child's score, before and after each change of its parent."""
        ends, times = self.changes.ends, self.changes.times
        terms = [np.zeros((0, 2))]
        for node, children in enumerate(self.trace.children):
            after = np.append(0, times[ends[node] : ends[node + 1]])
            terms.append(self.terms(np.array(children, np.intp)[:, None], after).reshape(-1, 2))
        return np.concatenate(terms)

    def scores(self, nodes: list[int], after: int) -> list[float]:
        """The selection scores of these nodes after that many iterations, as :meth:`terms`."""
        scores: list[float] = self.terms(np.array(nodes, np.intp), after).sum(axis=1).tolist()
        return scores

    @cached_property
    def results(self) -> tuple[list[str] | None, Array]:
        """The kinds of results, in the order in which they lie in a ribbon; and by outcome which it
        is.

        "player-0" for a win of the first player, "draw" and so on. ``None``, and nothing by
        outcome, where a reward is not a win, a draw or a loss, or where the search began with
        visits whose results were not recorded: then the mean alone says how a node does.
        """
        source, players = self.source, len(self.game.players)
        ended = [_winner(outcome.rewards) for outcome in source.outcomes]
        if not source.ledger.adds_up or source.visits_before.any() or None in ended:
            return None, np.zeros(0, np.int64)
        winners = [f"player-{player}" for player in range(players if players > 2 else 2)]
        kinds = [*winners, "draw"] if players > 2 else [winners[0], "draw", winners[1]]
        return kinds, np.array([kinds.index(str(kind)) for kind in ended], np.int64)

    @property
    def reward_range(self) -> tuple[float, float]:
        """Between which rewards a win bar is empty and full: 0 to 1, or wider if the reward is."""
        return min(0.0, float(self.rewards.min())), max(1.0, float(self.rewards.max()))

    # One moment ----------------------------------------------------------------------------------

    def moment(self, iteration: int, phase: str | None) -> tuple[int, str]:
        """Return them, the last phase if there is none; ``TraceError`` for what is not shown."""
        kind = f"one of {', '.join(PHASES)}"
        require(among(phase, (None, *PHASES)), "phase", kind, phase, TraceError)
        self.place(iteration)
        return iteration, phase or PHASES[-1]

    def at(self, iteration: int, phase: str) -> Moment:
        """The tree when ``phase`` of ``iteration`` has just happened."""
        way = self.trace.path(int(self.trace.leaf[iteration - 1]))
        there, counted = iteration - (phase == PHASES[0]), iteration - (phase != PHASES[-1])
        least = max(1.0, float(self.statistics(0, counted)[0]) / SEEN)
        return Moment(self, iteration, phase, there, counted, way, least, True)

    def below(self, node: int) -> tuple[int, ...]:
        """All children that a node of the film ever has."""
        return self.trace.children[node]

    def weights(self, nodes: Sequence[int], moment: Moment) -> list[int]:
        """For each node: its visits at a moment."""
        visits: list[int] = self.statistics(np.array(nodes, np.intp), moment.counted)[0].tolist()
        return visits

    def born_below(self, node: int, there: int) -> int:
        """The number of children that a node has by then, also those that the film leaves out."""
        source = self.source
        return sum(int(source.created_at[n]) <= there for n in source.children[self.nodes[node]])

    def cards_at(self, moment: Moment, nodes: list[int]) -> list[Card]:
        """The cards of these nodes at a moment."""
        trace, counted = self.trace, moment.counted
        low, high = self.reward_range
        columns = [column.tolist() for column in self.statistics(nodes, counted)]
        digits = self._digits(moment, set(nodes))
        cards = []
        for node, visits, wins, score in zip(
            nodes, *columns, [nan, *self.scores(nodes[1:], counted)], strict=True
        ):
            mark = PROOFS.get(trace.proofs.at(node, counted), "")
            scored = isfinite(score) and not mark
            known = score_text(score, digits.get(int(trace.parent[node]), 2)) if scored else mark
            if not known and not node:
                known = "root"
            is_new = not visits and not trace.chance[trace.parent[node]]
            first = UNTRIED if trace.selection is ucb1 else "new"
            card = Card(
                node,
                share=f"{short(wins)}/{visits}",
                score=known or (first if is_new else ""),
                fill=(wins / visits - low) / (high - low) if visits else 0.0,
                on_path=node in moment.path,
                new=node == moment.new,
                visit_share=visits / max(1, columns[0][0]),
                rule=self.rule if scored or (is_new and first is UNTRIED) else "",
                mark=mark,
                note=" · ".join(self.lines_beside(node, counted)),
            )
            cards.append(card)
        return cards

    def _digits(self, moment: Moment, shown: set[int]) -> dict[int, int]:
        """The decimals at which the two best scores below each node on the walk differ."""
        found, families = {}, {n: moment.children(n) for n in shown.intersection(moment.path)}
        scores = iter(self.scores([*chain(*families.values())], moment.counted))
        for node, family in families.items():
            best = sorted(filter(isfinite, islice(scores, len(family))))[-2:]
            known = len({*best}) > 1
            found[node] = min(MOST_DIGITS, apart(best[1], best[0])) if known else 2
        return found

    def best_hidden(self, frame: Frame, node: int) -> str:
        """The best score among those that the walk's next node was compared with, and that have no
        card; "" where it was not compared, or where not all of them are in the film."""
        if node not in frame.path[:-1] or node in frame.untried or node not in frame.more:
            return ""
        moment = self.at(frame.iteration, frame.phase)
        hidden = [child for child in moment.children(node) if child not in frame.layout.shown]
        scores = [*filter(isfinite, self.scores(hidden, moment.counted))]
        if not scores or len(hidden) < frame.more[node]:
            return ""
        return score_text(max(scores), self._digits(moment, {node})[node])

    def gains(self, frame: Frame) -> dict[int, str]:
        """The growth in wins of each node on the walk, in the last phase."""
        if frame.phase != PHASES[-1]:
            return {}
        before, after = (
            self.statistics([*frame.path], iteration)[1].tolist()
            for iteration in (frame.iteration - 1, frame.iteration)
        )
        return dict(zip(frame.path, map(gained, before, after), strict=True))

    def ending(self, frame: Frame) -> Ending | None:
        """The playout, once it has been played."""
        trace, iteration = self.trace, frame.iteration
        if PHASES.index(frame.phase) < SIMULATED:
            return None
        if trace.watched:
            return Ending(None, "the playout", "not seen")  # its rewards do not tell its result
        last, moves = trace.played_out(iteration)[-1], len(trace.playouts[iteration])
        played = counted(moves, f"{'random ' if trace.plays_at_random else ''}{self.step}")
        if not moves:
            played = "the game is over" if self.game.is_terminal(last) else "no moves"
        return Ending(last, played, self.result(iteration))

    def columns_at(self, iteration: int, phase: str) -> dict[str, list[Any]]:
        """By name, of each node of the whole search what a graph of the moment carries."""
        trace, moment = self.source, self.source.at(iteration, phase)
        nodes = range(moment.nodes)
        columns: dict[str, list[Any]] = {
            "on_path": [node in moment.path for node in nodes],
            "player": [
                self.game.players[player] for player in trace.player_just_moved[: len(nodes)]
            ],
            "visits": moment.visits.tolist(),
            "wins": moment.wins.tolist(),
            "score": [nan if score is None else score for score in map(moment.score, nodes)],
        }
        if trace.solver:
            columns["proof"] = list(map(moment.proof, nodes))
        for kept in trace.spec.kept:
            if kept.name in trace.ledger.names:
                columns[kept.name] = moment.statistic(kept.name).tolist()
        if turns.knows_luck(self.game):
            columns["chance"] = trace.chance[: len(nodes)].tolist()
            columns["probability"] = trace.probability[: len(nodes)].tolist()
        return columns

    # Words -------------------------------------------------------------------------------------

    @property
    def pays(self) -> bool:
        """True if a return has parts: steps pay, or what comes later counts less."""
        return turns.pays_on_the_way(self.game) and not self.trace.watched

    @cached_property
    def counts_its_own(self) -> bool:
        """True of a search whose numbers do not follow from its paths and results."""
        source = self.source
        if self.pays:
            return not returns.are_backed_up(source)
        return not source.ledger.adds_up and not source.watched

    first_choice = "the most visited"
    """The node of a group that is drawn."""

    @property
    def legend(self) -> list[str]:
        """The meaning of the numbers in each player's colour."""
        return [f"{name}'s wins/visits" for name in self.players]

    @cached_property
    def rule(self) -> str:
        """The name of the selection score."""
        return rule_label(self.trace)

    @cached_property
    def step(self) -> str:
        """The unit in which a walk is counted."""
        return step_of(self.game)

    @cached_property
    def policies(self) -> dict[str, str]:
        """The search's own ways to play on and to add a node, as captions say them."""
        return policies_said(self.trace)

    @cached_property
    def outcomes(self) -> list[dict[str, str]]:
        """The result of each outcome in words, the same as an estimate, and its rewards."""
        game = self.game
        return [
            {
                "result": outcome_text(game, outcome.returns),
                "estimate": outcome_text(game, outcome.returns, over=False),
                "rewards": rewards_text(game, outcome.rewards),
            }
            for outcome in self.source.outcomes
        ]

    def untried_word(self, node: int) -> str:
        """The word for moves that have no node yet; of luck, for outcomes."""
        return "unseen" if self.trace.chance[node] else "untried"

    def told(self, iteration: int) -> str:
        """The returns that an iteration of such a game backs up, by their parts."""
        return returns.told(self.trace, iteration)

    @cached_property
    def all_told(self) -> list[str]:
        """The returns of each iteration that is shown; nothing where no caption tells them."""
        has_parts = any("{parts}" in pattern for pattern in self.patterns[0])
        return [self.told(iteration) for iteration in self.iterations.tolist() if has_parts]

    @property
    def title(self) -> str:
        """The game, and who is to move at the root."""
        mover = turns.mover(self.game, self.trace.root_state)
        to_move = "nature" if mover == NATURE else self.players[mover]
        return f"{plain(self.game.name)}: {to_move} to move"

    @property
    def subtitle(self) -> str:
        """The search's parameters and size."""
        trace, every = self.source, counted(self.source.iterations, "iteration")
        size = every if self.is_whole else f"{len(self.iterations):,} shown of {every}"
        if trace.watched:
            rule = getattr(trace.selection, "label", "UCB1")
            rule += f", c = {trace.c:.2f}" if trace.c > 0 else ""
            return f"{rule} · {size} · {counted(len(trace.parent), 'node')}"
        nodes = counted(len(trace.parent), "node")
        solver = " · MCTS-Solver" if trace.solver else ""
        own_numbers = OWN_NUMBERS if self.counts_its_own else ""
        return (
            f"{self.rule}, c = {small(trace.c)} · seed {trace.seed} · {size} · "
            f"{nodes}{solver}{own_numbers}"
        )

    def player(self, node: int) -> int | None:
        """Return the player who moved into the node, to whom its wins belong."""
        return int(self.trace.player_just_moved[node])

    def lead(self, iteration: int) -> tuple[float, float, int]:
        """Return the score of the root's choice, its best rival's, and how many scored the same.

        Not-a-number where nothing was compared.
        """
        trace, before = self.trace, iteration - 1
        chosen = int(self.first_steps[before])
        asked = iteration <= trace.chosen_iterations or (trace.first_moves and not before)
        if not chosen or trace.created_at[chosen] > before or asked:
            return nan, nan, 0
        own, *scores = self.scores([chosen, *self._rivals(chosen, before)], before)
        known = [score for score in scores if isfinite(score)]
        return own, max(known) if known and isfinite(own) else nan, scores.count(own)

    def _rivals(self, chosen: int, iterations: int) -> list[int]:
        """The root's other moves that were there by then; proven ones are passed over."""
        trace = self.trace
        others = [node for node in trace.children[0] if node != chosen]
        there = [node for node in others if trace.created_at[node] <= iterations]
        return [node for node in there if not trace.proofs.at(node, iterations)]

    @property
    def bars(self) -> tuple[bool, bool]:
        """True if the rule adds to the means of the root's children; if so, in proportion to c."""
        trace, last = self.trace, int(self.iterations[-1])
        children, c = np.array(trace.children[0], np.int64), trace.c
        with np.errstate(over="ignore"):  # twice the largest c is infinite, and so is its term
            terms, twice = (self.terms(children, last, factor * c) for factor in (1, 2))
            grows = np.allclose(twice, terms * (1, 2), equal_nan=True)
        explores = bool(np.nan_to_num(terms[:, 1]).any())
        return explores, bool(explores and c and grows)

    @cached_property
    def first_steps(self) -> Array:
        """The second node of each iteration's path; the root where there is none."""
        parent = self.trace.parent
        return nearest_above(parent, parent <= 0)[self.trace.leaf]

    @cached_property
    def most_visited(self) -> NDArray[np.int32]:
        """The root's most visited child after each iteration of the search.

        Of equals it is the one of better mean: the robust child of Chaslot et al. (2008). Empty
        if the root has no child.
        """
        trace, children = self.trace, self.trace.children[0]
        chosen, best = np.zeros(trace.iterations, np.int32), np.zeros(trace.iterations)
        most = np.full(trace.iterations, -2.0)  # fewer than a child has that is not there yet
        for child in children:
            visits, wins = self.root_move(child)
            visits[: max(0, int(trace.created_at[child]) - 1)] = -1
            means = wins / np.maximum(1, visits)
            better = (visits > most) | ((visits == most) & (means > best))
            for column, found in ((chosen, child), (most, visits), (best, means)):
                np.copyto(column, found, where=better)
        return chosen if len(children) else chosen[:0]

    def root_move(self, child: int) -> tuple[Array, Array]:
        """Visits and wins of a child of the root after each iteration of the search."""
        trace, mine = self.trace, self.first_steps == child
        visits, wins = (
            trace.ledger.history(trace, child, mine, name) for name in ("visits", "wins")
        )
        return visits, wins
