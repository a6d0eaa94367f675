"""Small trees as pictures: nodes and edges with places of their own, and two writers of them.

One writes SVG, which needs nothing; the other writes DOT, which Graphviz draws. Both show the same
shapes and words at the same places: see :data:`LOOKS` for what the names of looks mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final, NamedTuple
from xml.etree.ElementTree import Element, tostring

from .boards import Board, draw_board, grid_path
from .pictures import FORCED, MARKS, OF_EVENT, THEMES, add, new_svg, tree_css

INCH: Final = 72.0
FONT: Final = "DejaVu Sans"
FAMILY: Final = f"{FONT}, Verdana, sans-serif"
MIDDLE: Final = 0.36
"""From the middle of a line of text down to the foot of its letters, in parts of its size."""

BEND: Final = 0.25
"""A line runs level at this part of its height, above the names of the cards that it passes."""

LOOKS: Final[dict[str, dict[str, str]]] = {
    "card": {"fill": "page", "line": "line", "pen": "1"},
    "plain": {"fill": "page", "line": "ink", "pen": "1"},
    "other": {"fill": "panel", "line": "player-1"},
    "end": {"fill": "track"},
    "thick": {"pen": "2.6"},
    "pill": {"fill": "page", "line": "line", "pen": ".9"},
    **{f"of-{n}": {"line": f"player-{n}"} for n in range(3)},
    **{f"on-{n}": {"fill": f"player-{n}/12"} for n in range(3)},
    "ghost": {"fill": "page", "line": "line", "pen": "1", "dash": "4 3"},
    "cut": {"fill": "track", "line": "line", "pen": ".7"},
    "walk": {"line": "phase", "pen": "2.6"},
    "on-walk": {"line": "phase", "pen": "1.4"},
    "new": {"dash": "6 3"},
    "proven": {"fill": "track"},
    "note": {"fill": "glow/40", "line": "phase", "pen": "1.4"},
    "gain": {"fill": "phase", "line": "phase", "pen": "1"},
    "nothing": {"fill": "page", "line": "phase", "pen": "1.2"},
    "swatch": {"pen": "2"},
    "paper": {"fill": "page"},
    "edge": {"line": "line"},
    **{f"by-{n}": {"line": f"player-{n}/50"} for n in range(3)},
    "way": {"line": "phase"},
    "fall": {"line": "phase", "dash": "2 3"},
    "untried": {"line": "line/60", "dash": "2 3"},
}
"""For each name: the colours of its ground and of its line, how thick that is, and its dashes.

A node or an edge may have several looks; of two that differ the later one in this table counts.
Colours are roles of :mod:`mcts_viz.film.pictures`; "player-0/12" is 12 per cent of one on the page.
"""
INKS: Final = ("ink", "muted", "phase", "on-phase", "player-0", "player-1", "player-2")
"""The colours of text."""


class Node(NamedTuple):
    """A shape, a line of text or a board, its middle at (``x``, ``y``), in points, y down."""

    name: str
    x: float
    y: float
    wide: float
    high: float
    shape: str = ""
    """"" for none, "rounded", "box", "ellipse", "diamond", "triangle", "note" or "hatched"."""
    look: str = ""
    text: str = ""
    size: float = 10.0
    bold: bool = False
    ink: str = "ink"
    align: str = "middle"
    """Else the text begins at the left side, "start", or ends at the right one, "end"."""
    board: Board | None = None
    cells: Sequence[int] = ()
    before: Sequence[int] = ()
    """The cells before the last move: those that have changed are marked."""
    mono: bool = False
    """Letters of one width, for a position's text."""

    @property
    def style(self) -> tuple[Any, ...]:
        """The properties that several nodes may have in common."""
        return self.shape, self.look, self.size, self.bold, self.mono, self.ink


class Edge(NamedTuple):
    """A line from one node to another, upright at both ends."""

    tail: str
    head: str
    x0: float
    y0: float
    x1: float
    y1: float
    wide: float = 1.0
    look: str = "edge"

    @property
    def points(self) -> list[tuple[float, float]]:
        """The ends of a curve of third degree, and its two handles between them."""
        bend = self.y0 + BEND * (self.y1 - self.y0)
        return [(self.x0, self.y0), (self.x0, bend), (self.x1, bend), (self.x1, self.y1)]


class Drawing(NamedTuple):
    """All that is in a picture; later nodes lie on earlier ones, and all of them on the edges."""

    nodes: list[Node]
    edges: list[Edge]
    wide: float
    high: float
    words: str
    """What the picture tells, for who does not see it."""


@cache
def looks_of(names: str) -> dict[str, str]:
    """The look that several looks make together."""
    wanted, found = names.split(), dict[str, str]()
    for name, look in LOOKS.items():
        if name in wanted:
            found |= look
    return found


def colour(role: str, theme: dict[str, str], phase: str) -> str:
    """The colour of a role; of a part of one, mixed with the page's."""
    name, _, part = role.partition("/")
    full = theme[OF_EVENT.get(phase, phase) if name == "phase" else name]
    if not part or not full.startswith("#"):  # a system's own colours cannot be mixed
        return theme["page"] if part and int(part) < 50 else full
    page, share = theme["page"], int(part) / 100
    pairs = [(int(full[n : n + 2], 16), int(page[n : n + 2], 16)) for n in (1, 3, 5)]
    channels = [round(share * own + (1 - share) * under) for own, under in pairs]
    return "#" + "".join(f"{channel:02x}" for channel in channels)


# As SVG -------------------------------------------------------------------------------------------


def svg(drawing: Drawing, theme: str = "light", phase: str = "select") -> str:
    """The picture as a stand-alone SVG."""
    size = {"width": f"{drawing.wide:.0f}", "height": f"{drawing.high:.0f}"}
    box = (0.0, 0.0, float(size["width"]), float(size["height"]))
    look = look_of(theme, phase)
    root = new_svg(box, look, role="img", aria_label=drawing.words, **size)
    add(root, "style", text=style(theme))
    add(root, "rect", "paper", width="100%", height="100%")
    draw(root, drawing.nodes, drawing.edges)
    return tostring(root, encoding="unicode")


def look_of(theme: str, phase: str) -> str:
    """The classes of what is drawn in the colours of a theme and a phase."""
    return f"mcts-drawn-{theme} mcts-{OF_EVENT.get(phase, phase)}"


def style(theme: str) -> str:
    """The style sheet of all looks in a theme; in print a dark page is light."""
    kind = f"mcts-drawn-{theme}"
    sheet = _rules(kind, THEMES[theme])
    if theme == "dark":
        sheet += f"@media print {{{_rules(kind, THEMES['light'])}}}"
    # A filled cell would hide its piece, which has the system's one colour of text.
    outlined = f".{kind} .mcts-board .glow {{ fill: none; stroke: Highlight; }}"
    return f"{sheet}@media (forced-colors: active) {{{_rules(kind, FORCED)}{outlined}}}"


def _rules(kind: str, theme: dict[str, str]) -> str:
    own, phase = theme | {"phase": "currentColor"}, "phase"
    rules = [f"text {{ font: 10px {FAMILY}; text-anchor: middle; fill: {own['ink']}; }}"]
    rules.append("path { fill: none; }")
    for name, look in LOOKS.items():
        said = [f"fill: {colour(look['fill'], own, phase)};"] if "fill" in look else []
        said += [f"stroke: {colour(look['line'], own, phase)};"] if "line" in look else []
        said += [f"stroke-width: {look['pen']};"] if "pen" in look else []
        said += [f"stroke-dasharray: {look['dash']};"] if "dash" in look else []
        rules.append(f".{name} {{ {' '.join(said)} }}")
    rules += [f".ink-{ink} {{ fill: {colour(ink, own, phase)}; }}" for ink in INKS[1:]]
    phases = "\n".join(f".{kind}.mcts-{name} {{ color: {theme[name]}; }}" for name in MARKS)
    return "\n".join([_of_boards(kind, theme), phases, *(f".{kind} {rule}" for rule in rules)])


def _of_boards(kind: str, theme: dict[str, str]) -> str:
    """The rules for boards alone, within what has the class ``kind``."""
    sheet = tree_css()
    for name, own in theme.items():
        sheet = sheet.replace(f"var(--mcts-{name})", own)
    rules = [rule.split("{") for rule in sheet.split("}") if ".mcts-board" in rule]
    return "\n".join(
        ", ".join(
            f".{kind} {which.strip()}" for which in names.split(",") if ".mcts-board" in which
        )
        + f" {{{said}}}"
        for names, said in rules
    )


def boards_svg(boards: Sequence[Node], high: float, theme: str) -> str:
    """Boards as a part of the SVG that Graphviz writes of a picture so ``high``."""
    kind = f"mcts-boards-{theme}"
    group = Element("g", {"class": kind, "transform": f"translate(0 {-high:g})"})
    add(group, "style", text=_of_boards(kind, THEMES[theme]))
    draw(group, boards, ())
    return tostring(group, encoding="unicode")


def draw(parent: Element, nodes: Sequence[Node], edges: Iterable[Edge]) -> None:
    """Add edges and nodes to an SVG element, and the lines that their boards share."""
    _share_grids(parent, [node.board for node in nodes if node.board])
    for edge in edges:
        (x0, y0), *others = edge.points
        curve = " ".join(f"{x:.1f} {y:.1f}" for x, y in others)
        path = f"M{x0:.1f} {y0:.1f}C{curve}"
        add(parent, "path", f"edge {edge.look}", d=path, stroke_width=edge.wide)
    for node in nodes:
        if node.shape:
            _draw_shape(parent, node)
        if node.board:
            _draw_position(parent, node, node.board)
        if node.text:
            _draw_text(parent, node)


def _share_grids(parent: Element, boards: Iterable[Board]) -> None:
    """Draw the lines of each kind of board once, by their name."""
    for name, board in {_grid(board): board for board in boards}.items():
        add(add(parent, "defs"), "path", d=grid_path(board), id=name, style="fill:inherit")


def _draw_position(parent: Element, node: Node, board: Board) -> None:
    scale = node.wide / (10 * board.columns)
    left, top = node.x - node.wide / 2, node.y - node.high / 2
    at = f"translate({left:.1f} {top:.1f}) scale({scale:.3f})"
    group = add(parent, "g", "mcts-board", transform=at)
    draw_board(group, board, node.cells, node.before, _grid(board))


def _grid(board: Board) -> str:
    """The name by which all boards of a picture share their lines."""
    return f"mcts-{board.grid}-{board.rows}-{board.columns}"


def _draw_text(parent: Element, node: Node) -> None:
    left = {"start": -node.wide / 2, "end": node.wide / 2}.get(node.align, 0.0)
    said: dict[str, Any] = {"x": node.x + left, "y": node.y + MIDDLE * node.size}
    if node.align != "middle":
        said["text_anchor"] = node.align
    # As a style: an attribute would count for less than the sheet's own font.
    own = [f"font-size:{node.size:g}px"] if node.size != 10 else []
    own += ["font-weight:bold"] if node.bold else []
    own += [f"font-family:{FONT} Mono,monospace"] if node.mono else []
    own += [f"text-anchor:{node.align}"] if node.align != "middle" else []
    if own:
        said["style"] = ";".join(own)
    add(parent, "text", f"ink-{node.ink}" if node.ink != "ink" else "", node.text, **said)


def _draw_shape(parent: Element, node: Node) -> None:
    x = node.x
    y = node.y
    wide = node.wide
    high = node.high
    left, top = x - wide / 2, y - high / 2
    if node.shape == "ellipse":
        add(parent, "ellipse", node.look, cx=x, cy=y, rx=wide / 2, ry=high / 2)
        return
    path = {
        "diamond": f"M{x:.1f} {top:.1f}l{wide / 2:g} {high / 2:g}l{-wide / 2:g} {high / 2:g}"
        f"l{-wide / 2:g} {-high / 2:g}z",
        "triangle": f"M{x:.1f} {top:.1f}l{wide / 2:g} {high:g}h{-wide:g}z",
        "note": f"M{left:.1f} {top:.1f}h{wide - 8:g}l8 8v{high - 8:g}h{-wide:g}z",
    }.get(node.shape)
    if path:
        add(parent, "path", node.look, d=path)
        return
    box: dict[str, Any] = {"x": left, "y": top, "width": wide, "height": high}
    if node.shape == "rounded":
        box["rx"] = min(6.0, high / 3)
    add(parent, "rect", node.look, **box)
    if node.shape == "hatched":
        lines = "".join(_hatching(wide, high))
        add(parent, "path", node.look, d=lines, transform=f"translate({left:.1f} {top:.1f})")


def _hatching(wide: float, high: float) -> Iterator[str]:
    """Slanting lines within a box."""
    for place in range(6, int(wide + high), 6):
        x0, y1 = min(place, wide), min(place, high)
        yield f"M{x0:g} {place - x0:g}L{place - y1:g} {y1:g}"


# As DOT -------------------------------------------------------------------------------------------

STRIPES: Final = 7
LINE_HEIGHT: Final = 1.2
"""By so much Graphviz takes a line of text to be higher than its letters are large."""
STYLES: Final = {"rounded": "rounded,filled", "hatched": "striped"}


def dot_lines(drawing: Drawing, theme: str = "light", phase: str = "select") -> Iterator[str]:
    """The statements of the picture in DOT; places and lines are given, for its engine nop2."""
    colours, last = THEMES[theme], None
    for corner, (x, y) in enumerate(((0.0, 0.0), (drawing.wide, drawing.high))):
        yield f'corner{corner} [pos="{x:g},{y:g}" shape=point width=0 height=0 style=invis]'
    for node in drawing.nodes:
        if node.style != last:
            last = node.style
            yield f"node [{_style_of(*last, theme, phase)}]"
        yield f"{node.name} [{_own(node, drawing.high)}]"
    for edge in drawing.edges:
        look = looks_of(f"edge {edge.look}")
        pos = " ".join(f"{x:.1f},{drawing.high - y:.1f}" for x, y in edge.points)
        dashes = " style=dashed" if "dash" in look else " style=solid"
        said = f'color="{colour(look["line"], colours, phase)}" penwidth={edge.wide:.1f}{dashes}'
        yield f'{edge.tail} -> {edge.head} [pos="{pos}" {said}]'


@cache
def _style_of(
    shape: str, look: str, size: float, bold: bool, mono: bool, ink: str, theme: str, phase: str
) -> str:
    """The attributes of a node's style."""
    colours, own = THEMES[theme], looks_of(look)
    own = {"fill": "page", "line": own.get("fill", "line"), "pen": "1"} | own
    drawn = {"rounded": "box", "hatched": "box", "": "plaintext"}.get(shape, shape)
    fill = colour(own["fill"], colours, phase)
    style = STYLES.get(shape, "filled" if shape else "solid")
    if shape == "hatched":
        fill = ":".join([fill, colours["page"]] * STRIPES)
    if "dash" in own:
        style += ",dashed"
    font = FONT + (" Mono" if mono else "") + (" Bold" if bold else "")
    return (
        f'shape={drawn} style="{style}" fillcolor="{fill}" '
        f'color="{colour(own["line"], colours, phase)}" penwidth={own["pen"]} '
        f'fontname="{font}" fontsize={size:g} fontcolor="{colour(ink, colours, phase)}"'
    )


def _own(node: Node, high: float) -> str:
    """The attributes of one node."""
    end = {"start": r"\l", "end": r"\r"}.get(node.align, "")
    label, look = _quoted(node.text), ""
    if node.board:
        label = r"\n".join(map(_quoted, _rows(node, node.board)))
        size = min(node.high / node.board.rows, node.wide / node.board.columns) / LINE_HEIGHT
        look = f' fontname="{FONT} Mono" fontsize={size:.1f}'
    return (
        f'label="{label}{end}" pos="{node.x:.1f},{high - node.y:.1f}" '
        f"width={node.wide / INCH:.3f} height={node.high / INCH:.3f}{look}"
    )


def _quoted(text: str) -> str:
    """Text that Graphviz takes as it is."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _rows(node: Node, board: Board) -> Iterator[str]:
    """A board as text, row by row: a letter a piece, a dot for an empty cell."""
    signs = [board.pieces[number - 1].sign if number else "·" for number in node.cells]
    for start in range(0, len(signs), board.columns):
        yield " ".join(signs[start : start + board.columns])
