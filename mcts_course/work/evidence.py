"""One more item at the end of a lesson, and another two weeks later: a measure of what stays.

Both ask the same question about another position, and both are optional. Only the day and whether
the answer was right are kept, in the same file as all the work, so a class report can compare the
two.
"""

from __future__ import annotations

import re
from datetime import date
from random import Random, SystemRandom
from typing import Any, Final

from IPython.core.getipython import get_ipython
from IPython.display import display

from mcts_viz.errors import MctsVizError, require

from ..lessons import stored_topic
from ..show.feedback import say
from .items import KINDS, Item
from .progress import SERIES, keep, record

ASKED: Final = ("four_phases", "perfect_play")
"""Lessons whose item has a short answer."""


def once_more(lesson: str, answer: object = None) -> None:
    """Show one more item of a lesson, by its topic; with an ``answer`` say if it is right.

    After an answer the next call shows another item. Raises ``MctsVizError`` for another lesson.
    """
    lesson = stored_topic(lesson) if isinstance(lesson, str) else lesson
    require(lesson in ASKED, "The lesson", f"one of {', '.join(ASKED)}", lesson, MctsVizError)
    series = _series(lesson)
    number = len(series["answers"])
    item = KINDS[lesson][0](Random(f"{series['token']} {number}"))
    if answer is None or answer is ...:
        _show(lesson, item)
        return
    right = letters_of(answer) == letters_of(item.key)
    answers = [*series["answers"], [date.today().toordinal(), right]][-SERIES:]
    unsaved = keep("again", lesson, {**series, "answers": answers})
    told = f"✓ Right: {item.why}" if right else f"✗ Not yet: it is {item.key}. {item.why}"
    say(told, *filter(None, [unsaved]))


def letters_of(answer: object) -> list[str]:
    """Return the moves or leaves of an answer in order, however it is written: "h, i", ["i",
    "h"]."""
    return sorted(re.findall(r"[a-z0-9]", str(answer).casefold()))


def _series(lesson: str) -> dict[str, Any]:
    """The lesson's earlier answers, and the token that decides which items come next."""
    before: dict[str, Any] | None = record()["again"].get(lesson)
    if before is None:
        before = {"token": SystemRandom().randrange(2**31), "answers": []}
        keep("again", lesson, before)
    return before


def _show(lesson: str, item: Item) -> None:
    say(item.question)
    if get_ipython() is not None:
        forms = {"image/svg+xml": item.picture, "text/plain": "a picture"}
        display(forms, raw=True)  # type: ignore[no-untyped-call]
    say(
        f'If you like, answer with once_more("{lesson}", "..."): now, and again in two weeks. Your '
        "file then says whether each answer was right, and on which day."
    )
