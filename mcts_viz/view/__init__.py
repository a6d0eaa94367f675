"""Pictures of a trace: stills of any moment, and the film that the player shows."""

from .arms import plot_means, plot_regrets, plot_scores, plot_terms
from .boards import CROSS, DISC, RING, STICK, Board, Piece, board_of, set_board
from .contests import plot_arena, plot_learning
from .dot import draw_digraph
from .film import Film
from .layout import Layout, lay_out
from .positions import plot_positions, position_graph
from .reel import Frame
from .shares import plot_shares

__all__ = [
    "CROSS",
    "DISC",
    "RING",
    "STICK",
    "Board",
    "Film",
    "Frame",
    "Layout",
    "Piece",
    "board_of",
    "draw_digraph",
    "lay_out",
    "plot_arena",
    "plot_learning",
    "plot_means",
    "plot_positions",
    "plot_regrets",
    "plot_scores",
    "plot_shares",
    "plot_terms",
    "position_graph",
    "set_board",
]
