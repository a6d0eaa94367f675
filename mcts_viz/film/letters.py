"""The width of text in DejaVu Sans, the typeface of all pictures, so that text fits where it is.

Painters differ by several per cent in what they take text to be wide; these are the typeface's own
numbers, in thousandths of its size.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

_REGULAR = """
318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636 636 636
636 636 337 337 838 838 838 531 1000 684 686 698 770 632 575 775 752 295 295 656 557 863 748 787
603 787 695 635 611 732 684 989 685 611 685 390 337 390 838 500 500 613 635 550 635 615 352 635
634 278 278 579 278 974 634 612 635 635 411 521 392 634 592 818 592 592 525 636 337 636 838
"""
_BOLD = """
348 456 521 838 696 1002 872 306 457 457 523 838 380 415 380 365 696 696 696 696 696 696 696 696
696 696 400 400 838 838 838 580 1000 774 762 734 830 683 683 821 837 372 372 775 637 995 837 850
733 850 770 720 682 812 774 1103 771 724 725 457 365 457 838 500 500 675 716 593 716 678 435 716
712 343 343 665 343 1042 712 687 716 716 493 595 478 712 652 924 645 652 582 712 365 712 838
"""
_OTHERS = {"½": (969, 1035), "∞": (833, 833), "α": (659, 687), "β": (638, 716), "·": (318, 380)}
_WIDEST: Final = 1000
"""A letter that is not in the table is taken to be as wide as it is high."""


def _by_letter(bold: int) -> dict[str, int]:
    widths = map(int, (_REGULAR, _BOLD)[bold].split())
    known = dict(zip(map(chr, range(32, 127)), widths, strict=True))
    known |= dict.fromkeys("−≤≥→×÷✂", 838)
    return known | {letter: both[bold] for letter, both in _OTHERS.items()}


WIDTHS: Final = (_by_letter(0), _by_letter(1))


@lru_cache(maxsize=10_000)
def width(text: str, size: float, bold: bool = False) -> float:
    """The width of a line of text, in points."""
    widths = WIDTHS[bold]
    return size / 1000 * sum(widths.get(letter, _WIDEST) for letter in text)


def shortened(text: str, room: float, size: float, bold: bool = False) -> str:
    """The text, or as much of it as fits in the room, with dots at its end."""
    if width(text, size, bold) <= room:
        return text
    while text and width(text + "…", size, bold) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def wrapped(
    text: str, room: float, size: float, bold: bool = False, between: str = " "
) -> list[str]:
    """The text in lines that fit, broken between words; a word that is too long is shortened."""
    lines: list[str] = []
    for word in filter(None, text.split(between)):
        longer = f"{lines[-1]}{between}{word}" if lines else word
        if lines and width(longer, size, bold) <= room:
            lines[-1] = longer
        else:
            lines.append(shortened(word, room, size, bold))
    return lines
