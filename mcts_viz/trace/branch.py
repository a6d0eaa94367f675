"""A recorded search taken up again: repeated up to a moment, and from there continued otherwise.

Repeating goes in legs. Each begins in its own way, from a new tree or by turning off from the leg
before, and then the search simply runs; whoever wants to run it in slices can.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from ..errors import SearchError, TraceError, shown
from ..search import MCTS, MCTSSolver, Node, Simulation
from ..search.checks import is_whole
from ..search.mcts import checked_c
from ..search.recipes import Missing
from .recorder import Recorder
from .trace import Trace

__all__ = ["Branching", "Origin", "branch", "labels_of", "search_at"]


class Origin(NamedTuple):
    """Where a branch comes from, and what is different in it."""

    trace: Trace
    """What it branched off; it knows its own origin, if it has one."""
    iteration: int
    """The iteration of ``trace`` that is iteration 1 of the branch."""
    moves: tuple[Any, ...]
    """The actions from the root with which iteration 1 of the branch begins."""
    c: float
    """The exploration constant of the branch."""


class Leg(NamedTuple):
    """A part of a search: it has ``iterations``, from 0, and ``hook`` hears of them."""

    begin: Trace | Origin
    """Whose root a new tree has; or how the leg turns off from the one before."""
    iterations: int
    hook: Check | Recorder


class Check:
    """A hook that raises ``TraceError`` as soon as a search does not repeat a trace."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    def on_simulate(self, record: Simulation) -> None:
        trace, number = self._trace, record.iteration - 1
        same = (
            trace.leaf[number] == record.node
            and trace.outcomes[trace.outcome[number]].returns == record.returns
            and tuple(trace.actions[code] for code in trace.playouts[record.iteration])
            == record.actions
        )
        if not same:
            raise TraceError(
                f"The search does not repeat itself: in iteration {record.iteration} it does not "
                "what the trace says. A policy that draws from another source than the random it "
                "is handed, or was changed since, cannot be repeated."
            )


class Branching:
    """A branch while it is searched: ``advance`` it until it is ``done``, then take ``trace``.

    Its parameters are those of :meth:`mcts_viz.Trace.branch`.
    """

    def __init__(
        self,
        trace: Trace,
        iteration: int,
        moves: Sequence[Any] | None = None,
        c: float | None = None,
        iterations: int | None = None,
    ) -> None:
        _check_moment(trace, iteration)
        if iterations is None:
            iterations = max(1, trace.iterations + 1 - iteration)
        if not is_whole(iterations) or iterations < 1:
            raise TraceError(
                f"iterations is {shown(iterations)}, but a branch has a whole number of "
                "iterations, at least 1."
            )
        actions = _checked_moves(trace, iteration, [] if moves is None else moves)
        self.origin = Origin(trace, int(iteration), actions, trace.c if c is None else checked_c(c))
        self.iterations = int(iterations)
        self.search = _search_like(trace)
        self._recorder = Recorder()
        last = Leg(self.origin, self.iterations, self._recorder)
        self._legs = [*_legs(trace, iteration), last]  # that are still to go
        self._total = sum(leg.iterations for leg in self._legs)
        self._gone = 0
        """Iterations of the legs that are over."""
        self._begun = False
        """Whether the next leg has begun."""

    @property
    def repeating(self) -> bool:
        """Whether the search has not come to the branch yet."""
        return len(self._legs) > 1 or (len(self._legs) == 1 and not self._begun)

    @property
    def done(self) -> bool:
        """Whether there is nothing left to search."""
        return not self._legs

    @property
    def share(self) -> float:
        """How much is done, in [0, 1]."""
        here = self.search.iterations if self._begun else 0
        return 1.0 if self.done else (self._gone + here) / self._total

    def advance(self, seconds: float | None = None, progress: bool | None = False) -> bool:
        """Search on to the end of the present leg, or for some ``seconds`` if that is sooner.

        Whether an interrupt ended it.
        """
        leg, search, interrupted = self._legs[0], self.search, False
        if not self._begun:
            _begin(search, leg)
            self._begun = True
        left = leg.iterations - search.iterations
        if left and not search.solved:
            run = search.run(iterations=left, seconds=seconds, hooks=[leg.hook], progress=progress)
            interrupted = run.interrupted
        if search.iterations == leg.iterations or search.solved:
            self._legs.pop(0)
            self._gone += search.iterations
            self._begun = False
        return interrupted

    @property
    def trace(self) -> Trace:
        """What has been searched of the branch; raises ``TraceError`` if that is nothing."""
        if self.repeating or not self.search.iterations:
            why = "its root is proven" if self.search.solved else "it was stopped"
            raise TraceError(
                f"The branch has no iteration, for {why} before its first: take an earlier moment, "
                "or let it run longer."
            )
        return replace(self._recorder.trace(self.search), origin=self.origin)


def search_at(trace: Trace, iteration: int) -> MCTS:
    """What :meth:`mcts_viz.Trace.search_at` answers."""
    _check_moment(trace, iteration)
    search = _search_like(trace)
    for leg in _legs(trace, iteration):
        _begin(search, leg)
        left = leg.iterations - search.iterations
        if left and search.run(iterations=left, hooks=[leg.hook]).interrupted:
            raise KeyboardInterrupt
    return search


def branch(
    trace: Trace,
    iteration: int,
    moves: Sequence[Any] | None,
    c: float | None,
    iterations: int | None,
) -> Trace:
    """What :meth:`mcts_viz.Trace.branch` answers."""
    branching = Branching(trace, iteration, moves, c, iterations)
    while not branching.done and not branching.advance(progress=None):
        pass
    return branching.trace


def _legs(trace: Trace, iteration: int) -> list[Leg]:
    """The way to the moment before ``iteration``."""
    origin, last = trace.origin, Check(trace)
    if origin is None:
        return [Leg(trace, iteration - 1, last)]
    return [*_legs(origin.trace, origin.iteration), Leg(origin, iteration - 1, last)]


def _search_like(trace: Trace) -> MCTS:
    """A new search with all that the recorded one was given at its very beginning."""
    while trace.origin:
        trace = trace.origin.trace
    if trace.visits_before.any():
        raise TraceError(
            "This search went on with the tree of another one, which the trace does not hold, so "
            "it cannot be repeated: branch or link a search that began with an empty tree."
        )
    policies = {"selection": trace.selection, **vars(trace.policies)}
    for policy in policies.values():
        if isinstance(policy, Missing):
            policy()  # which says what to do
    kind = MCTSSolver if trace.solver else MCTS
    return kind(trace.game, trace.c, trace.seed, **policies)


def _begin(search: MCTS, leg: Leg) -> None:
    if isinstance(leg.begin, Trace):
        search.start(leg.begin.root_state)
        _compare_rewards(search, leg.begin)
        return
    search.count_anew()
    search.c = leg.begin.c
    if leg.iterations and leg.begin.moves and not search.solved:
        with search.hooked([leg.hook]):
            _follow(search, leg.begin.moves)


def _compare_rewards(search: MCTS, trace: Trace) -> None:
    """See that results are worth what they were worth."""
    for returns, rewards in trace.outcomes:
        if search.rewards(returns) != rewards:
            raise TraceError(
                f"The credit rule makes {search.rewards(returns)} of the returns {returns}, but in "
                f"the trace they are worth {rewards}: hand in the rule that was recorded."
            )


def _follow(search: MCTS, moves: Sequence[Any]) -> None:
    """One iteration whose path begins with these moves from the root."""
    path = [search.root]
    usual = search.expansion
    try:
        for move in moves:
            search.open(path[-1])
            child = next((node for node in path[-1].children if node.action == move), None)
            if child is None:
                search.expansion = partial(_add, move=move)
            else:
                path.append(child)
        grown = search.expansion is usual
        path = search.select(path) if grown else path
        node = search.expand(path)
    finally:
        search.expansion = usual
    search.backpropagate(path, search.simulate(node))


def _add(search: MCTS, leaf: Node, move: Any) -> Node:
    """An expansion that adds this move."""
    assert leaf.untried is not None  # it was opened
    leaf.untried.remove(move)
    return search.add_child(leaf, move)


def _check_moment(trace: Trace, iteration: int) -> None:
    last = trace.iterations + 1
    if not is_whole(iteration) or not 1 <= iteration <= last:
        raise TraceError(
            f"iteration is {shown(iteration)}, but a search can be taken up again before the "
            f"iterations 1 to {last}."
        )


def _checked_moves(trace: Trace, iteration: int, moves: Sequence[Any]) -> tuple[Any, ...]:
    """The moves as actions; each but the last leads to a node that the tree has by then."""
    if isinstance(moves, str) or not isinstance(moves, Sequence):
        raise TraceError(
            f"moves is {shown(moves)}, but moves come in a list: write moves=[{shown(moves)}]."
        )
    known, node, state = trace.at(iteration - 1).nodes, 0, trace.root_state
    actions: list[Any] = []
    for place, move in enumerate(moves):
        if node < 0:
            raise TraceError(
                f"The tree of that moment has no node yet after {labels_of(trace, actions)}, so no "
                f"move can follow: give {place} moves, or branch from a later moment."
            )
        action = _action(trace, state, move)
        actions.append(action)
        state = trace.game.play(state, action)
        children = [child for child in trace.children[node] if child < known]
        node = next((child for child in children if trace.action_of(child) == action), -1)
    return tuple(actions)


def _action(trace: Trace, state: Any, move: Any) -> Any:
    """The legal action that is ``move``, or is called so."""
    game = trace.game
    legal = [] if game.is_terminal(state) else list(game.legal_actions(state))
    labels = [game.action_label(state, action) for action in legal]
    for names in (legal, labels):
        if move in names:
            return legal[names.index(move)]
    raise SearchError(
        f"{shown(move)} is no move at {game.text(state)!r}: choose one of "
        f"{', '.join(labels) or 'none'}."
    )


def labels_of(trace: Trace, actions: Sequence[Any]) -> str:
    """Moves from the root, as the game's reader calls them."""
    state, labels = trace.root_state, []
    for action in actions:
        labels.append(trace.game.action_label(state, action))
        state = trace.game.play(state, action)
    return ", ".join(labels)
