"""How long a search runs, what stops it, and what it answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ..errors import SearchError, printable
from ..games import Game
from .checks import called
from .collector import rare_collections
from .hooks import observe
from .interrupts import StopRequest
from .policies import RecommendationRule, no_child
from .positions import explain_game_error
from .progress import Progress

if TYPE_CHECKING:
    from .mcts import MCTS, Node


@dataclass(frozen=True, repr=False)
class SearchResult:
    """What a search found; it shows itself as a table of the root's moves."""

    game: Game[Any, Any]
    root: Node
    iterations: int
    """Iterations of this run."""
    seconds: float
    interrupted: bool
    """Whether the user stopped it before its budget was used."""
    recommendation: RecommendationRule

    @property
    def best_child(self) -> Node:
        """The root's recommended child; raises ``SearchError`` if none was visited."""
        visited = [child for child in self.root.children if child.visits]
        if not visited:
            raise SearchError(
                "The search ended before its first iteration, so it has no move to recommend: "
                "give it more iterations or more seconds."
            )
        try:
            child = self.recommendation(visited)
        except Exception as error:
            error.add_note(
                f"The recommendation rule {called(self.recommendation)} was given the root's "
                "visited children: let it return the one whose move is to be made."
            )
            raise
        if child not in visited:
            raise no_child("recommendation", child)
        return child

    @property
    def best_action(self) -> Any:
        """The recommended move."""
        return self.best_child.action

    def __repr__(self) -> str:
        with explain_game_error(self.game, "The result cannot be shown."):
            return self._as_text()

    def _as_text(self) -> str:
        label, root = self.game.action_label, self.root
        rows = sorted(root.children, key=lambda child: (-child.visits, -child.mean))
        lines = [f"{'move':>12} {'wins/visits':>16} {'mean':>6}"]
        for child in rows:
            share = f"{child.wins:g}/{child.visits}"
            move = printable(label(root.state, child.action))
            lines.append(f"{move:>12} {share:>16} {child.mean:6.3f}")
        stopped = ", stopped by the user" if self.interrupted else ""
        return "\n".join([*lines, f"{self.iterations} iterations{stopped}"])


def run(
    search: MCTS,
    iterations: int | None,
    seconds: float | None,
    hooks: Iterable[object],
    progress: bool | None,
) -> SearchResult:
    """Iterate until a limit is reached, the user stops it, or the root is proven."""
    begun, done = perf_counter(), 0
    bar = Progress(iterations, progress)
    kind = type(search)
    stop = StopRequest(kind.iteration.__code__, kind.backpropagate.__code__)
    with stop, no_reentry(search), observe(search, hooks), bar, rare_collections():
        try:
            while True:  # Python hurries a loop that turns back at its end, not at its condition
                if done == iterations or stop.requested or search.solved:
                    break
                search.iteration()
                done += 1
                if seconds is not None and perf_counter() - begun >= seconds:
                    break
                if not done & 15:
                    bar.show(done)
        finally:
            forget_unfinished(search)
    seconds = perf_counter() - begun
    stopped, rule = stop.requested, search.recommendation_rule
    return SearchResult(search.game, search.root, done, seconds, stopped, rule)


@contextmanager
def no_reentry(search: MCTS) -> Iterator[None]:
    """Refuse what a hook or a policy may not do: begin the search anew while it is at work.

    An error in the game is explained to its author.
    """
    if search._running:
        raise SearchError(
            "The search is running, so it cannot be run, started or advanced now: wait until "
            "it has ended; in a hook or a policy, use another search, such as a new MCTS."
        )
    search._running = True
    try:
        with explain_game_error(search.game):
            yield
    finally:
        search._running = False


def forget_unfinished(search: MCTS) -> None:
    """Take out what an error or an interrupt left of an iteration that did not end."""
    unfinished = set()
    while search.nodes[-1].created_at > search.iterations:
        unfinished.add(search.nodes.pop())
    for node in search.nodes if unfinished else ():
        lost = [child.action for child in node.children if child in unfinished]
        if lost and node.untried is not None:
            node.children = [child for child in node.children if child not in unfinished]
            node.untried += [action for action in lost if action not in node.untried]
