"""Pictures for a pencil: boards with the moves written in them, and trees drawn by Graphviz."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

import graphviz

from mcts_viz.errors import door, require
from mcts_viz.film import Board, board_of, draw_digraph
from mcts_viz.film.boards import draw_board
from mcts_viz.film.pictures import THEMES, output_forms, still_css
from mcts_viz.film.words import plain
from mcts_viz.games import Game, GameTree
from mcts_viz.search.checks import check_position, check_rules, require_list

CELL, GAP, HEAD, MARGIN = 30, 26, 20, 6  # points
WIDEST = 760


@door
class show_board:  # noqa: N801  (called as a function; what it returns shows itself)
    """Show positions of a game as boards, each under its name, if ``names`` are given.

    A free cell shows the label of the move that fills it; a game without a board shows its text.
    Raises ``SearchError`` for what is not a position of the game.

    >>> from mcts_viz import TicTacToe
    >>> game = TicTacToe()
    >>> print(show_board(game, game.parse("XX. .O. ...")))
    XX.
    .O.
    ...
    """

    def __init__(self, game: Game[Any, Any], *states: Any, names: Sequence[str] = ()) -> None:
        check_rules(game)
        for state in states:
            check_position(game, state)
        self.game, self.states = game, states
        self.names = [plain(str(name)) for name in require_list("names", names, "of texts")]

    def __repr__(self) -> str:
        texts = [self.game.text(state) for state in self.states]
        heads = [f"{name}\n" for name in self.names] or [""] * len(texts)
        return "\n\n".join(head + text for head, text in zip(heads, texts, strict=True))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        board = board_of(self.game)
        if board is None:
            return {"text/plain": repr(self)}
        return output_forms(self._svg(board), repr(self), 1.5)

    def _svg(self, board: Board) -> str:
        wide, high = CELL * board.columns, CELL * board.rows
        head = HEAD if self.names else 0
        in_row = max(1, (WIDEST - 2 * MARGIN + GAP) // (wide + GAP))
        columns = min(in_row, len(self.states))
        rows = -(-len(self.states) // in_row)
        size = (
            2 * MARGIN + columns * (wide + GAP) - GAP,
            2 * MARGIN + rows * (head + high + GAP) - GAP,
        )
        picture = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "class": "mcts-tree"})
        picture.attrib |= {"width": str(size[0]), "height": str(size[1])}
        SubElement(picture, "style").text = still_css("light", "select")
        paper = {"width": "100%", "height": "100%", "fill": THEMES["light"]["page"]}
        SubElement(picture, "rect", paper)
        for number, state in enumerate(self.states):
            x = MARGIN + number % in_row * (wide + GAP)
            y = MARGIN + number // in_row * (head + high + GAP)
            if self.names:
                _write(picture, self.names[number], x + wide / 2, y + 13, "ink")
            self._one(picture, board, state, x, y + head)
        return tostring(picture, encoding="unicode")

    def _one(self, picture: Element, board: Board, state: Any, x: float, y: float) -> None:
        place = {"transform": f"translate({x} {y}) scale({CELL / 10})"}
        group = SubElement(picture, "g", {"class": "board", **place})
        cells = board.cells(state)
        draw_board(group, board, cells, cells)
        if self.game.is_terminal(state):
            return
        for action in self.game.legal_actions(state):
            after = board.cells(self.game.play(state, action))
            filled = [
                cell for cell, piece in enumerate(cells) if piece != after[cell] and not piece
            ]
            if len(filled) == 1:
                row, column = divmod(filled[0], board.columns)
                middle = x + CELL * (column + 0.5), y + CELL * (row + 0.5) + 4
                _write(picture, plain(self.game.action_label(state, action)), *middle, "muted")


def _write(parent: Element, text: str, x: float, y: float, colour: str) -> None:
    look = {"font-family": "DejaVu Sans, Verdana, sans-serif", "font-size": "11"}
    look |= {"text-anchor": "middle", "fill": THEMES["light"][colour]}
    SubElement(parent, "text", {"x": f"{x:g}", "y": f"{y:g}", **look}).text = text


@door
def show_tree(game: GameTree, labels: Mapping[str, str] | None = None) -> Any:
    """Draw a game tree: boxes where player 0 moves, ellipses where player 1 does, and the leaves.

    A leaf shows what player 0 gets, in [-1, 1]. ``labels`` adds a line of text to the nodes of
    these names: ``root``, or the last move.
    """
    require(isinstance(game, GameTree), "game", 'a GameTree, such as GameTree({"a": 0})', game)
    more = labels or {}
    ink, orange, paper = (THEMES["light"][name] for name in ("ink", "player-1", "page"))
    looks = (
        {"shape": "box", "color": ink, "fillcolor": paper},
        {"shape": "ellipse", "color": orange, "fillcolor": "#fdf1ea"},
    )
    graph = graphviz.Digraph(
        graph_attr={"ranksep": "0.3", "nodesep": "0.2"},
        node_attr={"fontsize": "12", "height": "0.3", "margin": "0.09,0.05", "style": "filled"},
        edge_attr={"arrowhead": "none", "color": THEMES["light"]["line"]},
    )
    states = [game.initial_state()]
    for state in states:
        name, over = state[-1] if state else "root", game.is_terminal(state)
        value = f"{game.returns(state)[0]:g}".replace("-", "−") if over else ""
        lines = [plain(line) for line in (name, value, more.get(name, "")) if line]
        look = {"shape": "plaintext", "style": ""} if over else looks[game.to_move(state)]
        graph.node(repr(state), graphviz.nohtml(graphviz.escape("\n".join(lines))), **look)
        if not over:
            for action in game.legal_actions(state):
                states.append(game.play(state, action))
                graph.edge(repr(state), repr(states[-1]))
    return draw_digraph(graph)
