"""Widths of text are the typeface's own."""

from pathlib import Path

import matplotlib
import pytest
from fontTools.ttLib import TTFont

from mcts_viz.film.letters import WIDTHS, shortened, width, wrapped

FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")


@pytest.mark.parametrize("bold", [False, True])
def test_each_letter_is_as_wide_as_in_the_typeface(bold):
    font = TTFont(Path(matplotlib.get_data_path(), "fonts", "ttf", FONTS[bold]))
    widths, glyphs = font["hmtx"], font.getBestCmap()
    for letter, wide in WIDTHS[bold].items():
        exact = 1000 * widths[glyphs[ord(letter)]][0] / font["head"].unitsPerEm
        assert wide == round(exact), letter
    assert len(WIDTHS[bold]) > 100


def test_text_is_shortened_and_broken_to_its_room():
    for room in range(12, 200, 7):
        for text in ("12.5/37", "UCT 0.9604", "5 random moves: X wins", "Donaudampfschiff"):
            assert width(shortened(text, room, 10), 10) <= room
            assert all(width(line, 10, True) <= room for line in wrapped(text, room, 10, True))
    assert shortened("UCT 1.39", 60, 10) == "UCT 1.39"
    assert wrapped("5 random moves:", 60, 10) == ["5 random", "moves:"]
    assert wrapped("a · b · c", 30, 10, between=" · ") == ["a · b", "c"]


def test_bold_text_is_wider():
    """Each text by the widths of its own typeface."""
    for text in ("12.5/37", "UCT 0.96", "X wins"):
        for bold in (False, True):
            exact = sum(WIDTHS[bold][letter] for letter in text) / 100
            assert width(text, 10, bold) == pytest.approx(exact)
        assert width(text, 10, True) > width(text, 10)
