"""Pictures of a trace: any moment as a picture, and the film that the player shows."""

from .boards import CROSS, DISC, RING, STICK, Board, Piece, board_of, set_board
from .cards import Frame
from .film import Film
from .game_boards import DIE
from .slider import graphviz_slider

__all__ = [
    "CROSS",
    "DIE",
    "DISC",
    "RING",
    "STICK",
    "Board",
    "Film",
    "Frame",
    "Piece",
    "board_of",
    "graphviz_slider",
    "set_board",
]
