"""The lessons: their order, and by topic a source ``TOPIC.md`` and its code ``TOPIC.py``.

``README.md`` says how a lesson is written. ``TOPIC.json`` is made from the source: the sentences
that a reveal shows, and what the exercises say.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

ORDER: Final = (
    "can_you_beat_it",
    "random_games",
    "explore_or_exploit",
    "four_phases",
    "what_uct_weighs",
    "which_move",
    "write_it_yourself",
    "game_tree",
    "perfect_play",
    "near_the_truth",
    "smarter_playouts",
    "larger_game",
    "bug_clinic",
    "who_wins",
    "my_game",
    "luck",
    "costs",
    "hints",
    "teach_itself",
    "reasoning",
)
"""The topics, in the order in which they are taught: the place of a topic is its number."""


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
