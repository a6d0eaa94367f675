"""The lessons: their order, and by topic a source ``TOPIC.md`` and its code ``TOPIC.py``.

``README.md`` says how a lesson is written. ``TOPIC.json`` is made from the source: the sentences
that a reveal shows, and what the exercises say.

Whatever is stored, such as a student's work, names a lesson by its topic. A number is only the
place of a topic in the course, so it may change.
"""

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any, Final, NoReturn

CORE: Final = (
    "can_you_beat_it",
    "random_games",
    "explore_or_exploit",
    "four_phases",
    "what_uct_weighs",
    "which_move",
    "write_it_yourself",
    "perfect_play",
    "near_the_truth",
    "bug_clinic",
)
"""The topics that every class takes, in the order in which they are taught."""
ELECTIVES: Final = (
    "smarter_playouts",
    "who_wins",
    "my_game",
    "luck",
    "costs",
    "hints",
    "teach_itself",
    "reasoning",
)
"""The topics to choose from."""
ORDER: Final = CORE + ELECTIVES
"""All topics: the place of a topic is its number."""
OPENS: Final = {
    "four_phases": ("smarter_playouts", "luck"),
    "what_uct_weighs": ("hints",),
    "write_it_yourself": ("my_game",),
    "bug_clinic": ("who_wins",),
    "luck": ("costs",),
    "hints": ("teach_itself", "reasoning"),
}
"""For each topic: the electives that build on it, and on nothing later."""
MERGED: Final = {"game_tree": "perfect_play", "larger_game": "near_the_truth"}
"""Topics that were lessons of their own, and the lesson that has them now."""
IN_0_2: Final = (
    *CORE[:7],
    "game_tree",
    "perfect_play",
    "near_the_truth",
    "smarter_playouts",
    "larger_game",
    "bug_clinic",
    *ELECTIVES[1:],
)
"""The order of version 0.2.0, whose notebooks and files name lessons by their numbers."""


@cache
def read_texts(topic: str) -> dict[str, Any]:
    """The contents of ``TOPIC.json``: ``reveals`` by question, and ``exercises`` by name."""
    made: dict[str, Any] = json.loads(files(__name__).joinpath(f"{topic}.json").read_text("utf-8"))
    return made


def number_of(topic: str) -> str:
    """The number of a lesson as its file and its title give it, such as ``03``."""
    return f"{ORDER.index(topic):02}"


def stem_of(topic: str) -> str:
    """The name of a lesson's notebook without ``.ipynb``, such as ``03_four_phases``."""
    return f"{number_of(topic)}_{topic}"


def topic_of(name: str) -> str:
    """Return the topic of a lesson that is called so today, such as "03" or "four_phases".

    What is not the name of a lesson comes back as it is.
    """
    return next((topic for topic in ORDER if name in (number_of(topic), stem_of(topic))), name)


def stored_topic(key: str) -> str:
    """Return the topic that a stored key means: a topic, or a number or a stem of version 0.2.0.

    What names no lesson comes back as it is.
    """
    named = re.fullmatch(r"(\d\d)?_?([a-z_]*)", key)
    if named is None:
        return key
    number, topic = named.groups()
    if number and not topic and int(number) < len(IN_0_2):
        topic = IN_0_2[int(number)]
    topic = MERGED.get(topic, topic)
    return topic if topic in ORDER else key


def stored_exercise(name: str) -> str:
    """Return the full name of an exercise today: of one in a merged lesson, where it is now."""
    topic, _, own = name.partition(".")
    lesson = MERGED.get(topic, "")
    return f"{lesson}.{own}" if lesson and own in read_texts(lesson)["exercises"] else name


def __getattr__(name: str) -> NoReturn:
    if name in MERGED:
        lesson = MERGED[name]
        raise ImportError(
            f"The lesson {name} is now part of {lesson}: open {stem_of(lesson)}.ipynb, which takes "
            "over what you have answered here."
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
