"""Pictures with places to click: leaves that a search may skip, positions that are the same.

The page knows what was clicked and keeps it; a kernel is only needed to read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any, Final

import traitlets

from mcts_viz.errors import MctsVizError, require
from mcts_viz.film.pictures import THEMES
from mcts_viz.games import Game
from mcts_viz.games.protocol import State
from mcts_viz.player.base import Whole, note
from mcts_viz.player.page import POLICY, page_with, themed

from ..show.boards import MARGIN, Drawing, Picture, TreeNode, side_by_side, tree_drawing
from ..show.figures import forms_of
from ..typed import typed_door

SCALE: Final = 1.3
"""Of the picture, so that a finger finds its places."""
AROUND: Final = (3, 4)
"""Points beside a node, and above and below it, that belong to its place, for a finger."""
LARGEST: Final = 400
"""Nodes of a tree to click: more could not be read."""


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


class Picks(Whole):
    """A tree whose nodes can be clicked.

    In mode ``pick`` the names of the marked ones are in ``chosen``, from left to right. In mode
    ``merge`` two nodes that have the same ``same`` become one.
    """

    _esm = _text("picks.js")
    _css = themed(".mcts-picks") + _text("picks.css")
    title = traitlets.Unicode().tag(sync=True)
    mode = traitlets.Enum(["pick", "merge"], "pick").tag(sync=True)
    picture = traitlets.Unicode().tag(sync=True)
    size = traitlets.Dict().tag(sync=True)
    spots: traitlets.List[Any] = traitlets.List().tag(sync=True)
    chosen: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True)
    merged: traitlets.List[int] = traitlets.List(traitlets.Int()).tag(sync=True)
    """In mode ``merge``: the numbers of the nodes that are not alone any more."""

    def __init__(
        self, drawing: Drawing, spots: Sequence[tuple[int, str, str]], mode: str = "pick"
    ) -> None:
        """``spots`` has the number of a node of the drawing, its name, and what it is the same
        as."""
        drawn = side_by_side([drawing])
        self._drawn = drawn
        width, height = _size_of(drawn)
        super().__init__(
            title=drawing.title or "A tree to click",
            mode=mode,
            picture=_in_the_pages_colours(drawn.svg),
            size={"width": round(width * SCALE), "height": round(height * SCALE)},
            spots=[_spot(drawing, *each) for each in spots],
        )

    @property
    def nodes_left(self) -> int:
        """The number of nodes, where those that were merged count once."""
        groups = {self.spots[place]["same"] for place in self.merged}
        return len(self.spots) - len(self.merged) + len(groups)

    def pick(self, *names: str) -> None:
        """Mark these nodes, as clicks do. Raises ``MctsVizError`` for a name that is not there."""
        known = [spot["name"] for spot in self.spots]
        for name in names:
            require(name in known, "name", f"one of {', '.join(known)}", name, MctsVizError)
        self.chosen = [name for name in known if name in {*self.chosen, *names}]

    def merge_all(self) -> None:
        """Merge all nodes that are the same, as clicks do."""
        all_same = [spot["same"] for spot in self.spots]
        self.merged = [n for n, same in enumerate(all_same) if all_same.count(same) > 1]

    def to_html(self) -> str:
        """Return it as one HTML file, which needs no kernel and no network."""
        names = ("title", "mode", "picture", "size", "spots", "chosen", "merged")
        program = _text("picks.js").replace("export default", "const made =")
        return page_with(
            escape(self.title),
            f":root {{ color-scheme: light dark; }}\n{self._css}",
            '<div id="film"></div>',
            {name: getattr(self, name) for name in names},
            f"{program}{OPEN}",
            POLICY,
        )

    def __repr__(self) -> str:
        if self.mode == "merge":
            left = f"{len(self.spots)} nodes, {self.nodes_left} after merging."
        else:
            left = f"Marked: {', '.join(self.chosen) or 'none yet'}."
        return f"{self._drawn.text}\n\n{left}"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None, **_: Any) -> Any:
        note(self)
        still, words = self._drawn._repr_mimebundle_()
        return {**still, **forms_of(self), "text/plain": repr(self)}, words


OPEN: Final = """
const facts = JSON.parse(document.getElementById("data").textContent);
made.render({
  el: document.getElementById("film"),
  model: { get: (name) => facts[name], set: (name, value) => { facts[name] = value; },
    save_changes() {}, on() {}, off() {} },
});
"""


def _in_the_pages_colours(svg: str) -> str:
    """The picture with the page's own colours, so that it is dark on dark pages."""
    for name, colour in THEMES["light"].items():
        svg = svg.replace(f": {colour};", f": var(--mcts-{name});")
    return svg.replace("mcts-drawn-light", "mcts-picks-drawn")  # other pictures keep their own


def _size_of(drawn: Picture) -> tuple[float, float]:
    """The width and height of a picture, in points."""
    box = drawn.svg.split('viewBox="', 1)[1].split('"', 1)[0].split()
    return float(box[2]), float(box[3])


def _spot(drawing: Drawing, number: int, name: str, same: str) -> dict[str, Any]:
    (x, y), (wide, high) = drawing.centers[number], drawing.nodes[number].size
    wide, high = wide + 2 * AROUND[0], high + 2 * AROUND[1]
    corner = x - wide / 2 + MARGIN, y - high / 2 + MARGIN
    places = zip(("x", "y", "wide", "high"), (*corner, wide, high), strict=True)
    return {
        "name": name,
        "same": same,
        "said": name,
        **{key: round(SCALE * value, 1) for key, value in places},
    }


def leaves_to_pick(nodes: Sequence[TreeNode], names: Sequence[str]) -> Picks:
    """Return a tree whose leaves can be marked; ``names`` has the name of each node."""
    above = {node.parent for node in nodes}
    leaves = [(number, names[number], "") for number in range(len(nodes)) if number not in above]
    return Picks(tree_drawing("", nodes), leaves)


@typed_door
def positions_to_merge(game: Game[State, Any], state: State | None = None) -> Picks:
    """Return the whole tree of a small game, whose equal positions can be merged.

    Raises ``MctsVizError`` for a tree of more than 400 nodes.
    """
    nodes: list[TreeNode] = []

    def add(position: Any, parent: int) -> None:
        place = len(nodes)
        require(place < LARGEST, "The tree", f"one of at most {LARGEST} nodes", game.name)
        nodes.append(TreeNode(game.text(position), parent))
        if not game.is_terminal(position):
            for action in game.legal_actions(position):
                add(game.play(position, action), place)

    add(game.initial_state() if state is None else state, -1)
    spots = [(number, node.text, node.text) for number, node in enumerate(nodes)]
    return Picks(tree_drawing("", nodes), spots, "merge")
