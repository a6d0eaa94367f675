"""The widget of "Be the search": the page shows and checks, Python replays each iteration.

Without a kernel the page works alone, as one HTML file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Final

import traitlets

from mcts_viz.errors import SearchError
from mcts_viz.film.pictures import tree_css
from mcts_viz.games import Game
from mcts_viz.player.base import Whole, note
from mcts_viz.player.page import DEFAULT, LOADER, enclosed, modules, page_with, themed
from mcts_viz.search import MCTS, Node, score_terms
from mcts_viz.search.agents import TreeAgent
from mcts_viz.search.checks import explain_game_error, require_whole
from mcts_viz.search.policies import PlayoutPolicy
from mcts_viz.search.variants import playout_by_position
from mcts_viz.trace import Recorder, Trace

from ..show.figures import forms_of
from ..show.tables import Table
from ..work.progress import CHOICES, UNSAVED, is_choice, keep, kept
from .deal import deal, mistakes

MODULES: Final = ("hand_tree", "naming", "hands", "tree_picture", "two_rivers", "panel", "widget")
"""The scripts of this folder, each after those that it imports."""
LEVEL: Final = 1e-9
"""Scores that differ by less are equal, as in the page."""


@cache
def script() -> str:
    """The scripts as one, with the elements and boards that they share with the player."""
    found: dict[str, str] = {}
    for name in ("picture/board.js", "picture/water.js"):
        modules(name, found)
    for name in MODULES:
        found[f"{name}.js"] = _text(f"{name}.js")
    bundled = [enclosed(name, source) for name, source in found.items()]
    return "\n".join([*bundled, *DEFAULT.findall(found["widget.js"])])


@cache
def style() -> str:
    """Their style sheet, for light and dark pages."""
    return "\n".join([themed(".mcts-hands"), tree_css(), _text("by_hand.css")])


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


class BeTheSearch(Whole):
    """An empty tree of ``game`` from ``position``; you carry out its first ``iterations``.

    All playouts are dealt before you start and depend on the position and ``seed`` alone, so UCT
    with the same ``seed`` gets the same results. ``trace`` is what you have grown, an ordinary
    trace; ``search`` is the live search. Where widgets cannot live, call ``play_on()``, which
    carries out the iterations that are left as UCT would. Raises ``SearchError`` for a position
    that cannot be searched, for luck, for steps that pay, for results other than a win, a draw
    or a loss, and where the playouts are too many to deal.
    """

    _esm = LOADER
    code = traitlets.Unicode(script()).tag(sync=True)
    _css = style()
    facts = traitlets.Dict().tag(sync=True)
    walks: traitlets.List[Any] = traitlets.List().tag(sync=True)
    """The walks so far, each a list of places among the moves of the nodes it goes through."""
    events: traitlets.List[Any] = traitlets.List().tag(sync=True)
    """The record: every choice, the mistake in it, and how long it took."""
    error = traitlets.Unicode().tag(sync=True)
    """The reason why Python refused what the page sent; "" if it accepted it."""

    def __init__(
        self,
        game: Game[Any, Any],
        position: Any = None,
        *,
        iterations: int = 12,
        seed: int = 0,
        playout: PlayoutPolicy | None = None,
    ) -> None:
        self.iterations = require_whole("iterations", iterations, 1, 60)
        self.search = MCTS(game, seed=seed, playout=playout or playout_by_position(seed))
        self.search.start(position)
        self._position = self.search.root.state
        self._recorder = Recorder()
        with explain_game_error(self.search.game):
            facts = deal(self.search, position, self.iterations)
        self._seed = seed if playout is None else None
        super().__init__(facts=facts)
        self._resume()

    @property
    def _key(self) -> str:
        """The name of this position in the record."""
        return f"{self.facts['title']}: {self.search.game.text(self._position)}"

    def _resume(self) -> None:
        """Go on where an earlier kernel of this notebook was, if it had the same playouts."""
        done = kept("hands", self._key)
        if done is None:
            return
        if self._seed is not None and done.get("seed") == self._seed:
            self.walks = done["walks"]
            if self.error or self.search.iterations != len(self.walks):
                self.walks = []
        self.events = done["events"]

    # What has been done ---------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """True once all iterations have been carried out."""
        return self.search.iterations >= self.iterations

    @property
    def trace(self) -> Trace:
        """The iterations so far, as an ordinary trace."""
        return self._recorder.trace(self.search)

    @property
    def agent(self) -> TreeAgent:
        """A player that plays from the tree so far."""
        return TreeAgent(self.search, self.search.seed)

    @property
    def events_by_mistake(self) -> Counter[str]:
        """The number of times each mistake was made, by its words in a report."""
        said = mistakes()
        return Counter(
            said[event["mistake"]]["report"] for event in self.events if event["mistake"]
        )

    def grown(self, iterations: int = 2000, **changes: Any) -> Trace:
        """Return the trace of your iterations, continued by UCT up to so many.

        ``changes``, such as ``c=0.2``, hold from your last iteration on.
        """
        iterations = require_whole("iterations", iterations, self.search.iterations + 1)
        if changes:
            more = iterations - self.search.iterations
            return self.trace.fork(self.search.iterations + 1, iterations=more, **changes)
        search, recorder = self.search.but(), Recorder()
        search.start(self._position)
        for walk in self.search.chosen:
            search.iteration_along(walk, [recorder])
        search.run(iterations=iterations - search.iterations, hooks=[recorder], progress=False)
        return recorder.trace(search)

    def uct(self, iterations: int | None = None) -> Trace:
        """Return the trace of UCT from the same position, with the same playouts."""
        count = self.iterations if iterations is None else iterations
        return self.search.but().record(self._position, iterations=count, progress=False)

    def play_on(self) -> None:
        """Carry out the iterations that are left as UCT would; untried moves come in their
        order."""
        while not self.done:
            walk, node = [], self.search.root
            while choices := right_moves(self.search, node):
                action = choices[0]
                walk.append(action)
                known = [child for child in node.children if child.action == action]
                if not known:
                    break
                node = known[0]
            self.search.iteration_along(walk, [self._recorder])
        self.walks = [self._places(walk) for walk in self.search.chosen]

    def _places(self, walk: Sequence[Any]) -> list[int]:
        """The place of each move of a walk among the moves of its position."""
        game = self.search.game
        state = self._position
        places = []
        for action in walk:
            places.append(list(game.legal_actions(state)).index(action))
            state = game.play(state, action)
        return places

    # What the page sends --------------------------------------------------------------------------

    @traitlets.observe("walks")
    def _replay(self, _: Any) -> None:
        """Carry out what the page has counted, and compare; an error is shown on the page."""
        try:
            known = [self._places(walk) for walk in self.search.chosen]
            if list(self.walks[: len(known)]) != known:  # the reader began again
                self.search.start(self._position)
                self._recorder, known = Recorder(), []
            for walk in self.walks[len(known) : self.iterations]:
                self.search.iteration_along(self._checked(walk), [self._recorder])
            self.error = ""
        except Exception as error:
            self.error = f"{type(error).__name__}: {error}"
        self._keep()

    def _checked(self, walk: Any) -> list[Any]:
        """The actions of a walk from the page; raises ``SearchError`` unless UCT could take it."""
        game = self.search.game
        node = self.search.root
        actions = list[Any]()
        for place in walk:
            right = right_moves(self.search, node)
            legal = [] if game.is_terminal(node.state) else list(game.legal_actions(node.state))
            if not (type(place) is int and 0 <= place < len(legal) and legal[place] in right):
                raise SearchError("The page sent a walk that UCT would not take. Start again.")
            actions.append(legal[place])
            known = [child for child in node.children if child.action == actions[-1]]
            if not known:  # the new node, which must end the walk: iteration_along sees to it
                break
            node = known[0]
        return [*actions, *walk[len(actions) :]]

    @traitlets.observe("events")
    def _keep(self, _: Any = None) -> None:
        """Save the record next to the notebook, for the report."""
        entries = [event for event in self.events if is_choice(event)][:CHOICES]
        if not entries:
            return
        facts = {
            "iterations": self.search.iterations,
            "events": entries,
            "walks": self.walks,
            "seed": self._seed,
        }
        unsaved = keep("hands", self._key, facts)
        if not self.error or self.error.startswith(UNSAVED):
            self.error = unsaved

    # What is shown --------------------------------------------------------------------------------

    def to_html(self) -> str:
        """Return the activity as one HTML file, which needs no kernel and no network."""
        title = f"Be the search · {escape(str(self.facts['title']))}"
        return page_with(
            title,
            f"{style()}\n{PAGE_STYLE}",
            f'<h1>{title}</h1><div id="film"></div>',
            {"facts": self.facts, "walks": self.walks},
            f"{script()}{OPEN}",
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        note(self)
        return {**forms_of(self), "text/plain": repr(self)}

    def __repr__(self) -> str:
        search = self.search
        rows = [
            (
                search.game.action_label(search.root.state, child.action),
                f"{child.wins:g}/{child.visits}",
            )
            for child in sorted(search.root.children, key=lambda child: -child.visits)
        ]
        done = f"Be the search: {search.iterations} of {self.iterations} iterations are done."
        return f"{done}\n{Table(('move', 'wins/visits'), rows)!r}" if rows else done


PAGE_STYLE: Final = (
    ":root { color-scheme: light dark; background: Canvas; }\n"
    "h1 { font: bold 16px sans-serif; margin: 8px 0; }\n"
    ".embedded body { margin: 0; }\n"
    ".embedded h1 { display: none; }\n"
    "#film > * { margin: 0 auto; }"
)
OPEN: Final = """
const { facts, walks } = JSON.parse(document.getElementById("data").textContent);
if (top !== window) document.documentElement.classList.add("embedded");
mountHands(document.getElementById("film"), facts, { walks, events: [] }, () => {});
"""


def right_moves(search: MCTS, node: Node) -> list[Any]:
    """The moves that UCT may take from a node: untried ones, else those that score highest.

    None where the game is over.
    """
    search.open(node)
    if node.untried or not node.children:
        return list(node.untried or ())
    scores = [sum(score_terms(search.selection, child, node, search.c)) for child in node.children]
    highest = max(scores) - LEVEL
    pairs = zip(node.children, scores, strict=True)
    return [child.action for child, score in pairs if score >= highest]
