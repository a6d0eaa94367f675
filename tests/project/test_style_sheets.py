"""Every class that a style sheet knows is set by some script: old looks do not stay behind."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from repository import ROOT

SHEETS = sorted((ROOT / "mcts_viz").rglob("*.css"))
WORD = re.compile(r"[A-Za-z][\w-]*")
QUOTED = [re.compile(rf"{mark}[^{mark}\n]*{mark}") for mark in "\"'`"]
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
OF_OTHERS = ("jp-",)
"""How classes begin that JupyterLab sets."""


def said_in(path: Path) -> set[str]:
    """The words in the texts of a script."""
    source = path.read_text("utf-8")
    if path.suffix == ".py":
        texts = [
            node.value
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
    else:  # one kind of quotes may be inside another
        code = re.sub(r"^\s*(//|\*|/\*\*).*$", "", source, flags=re.MULTILINE)
        texts = [text for kind in QUOTED for text in kind.findall(code)]
    return {word for text in texts for word in WORD.findall(text)}


@pytest.fixture(scope="module")
def said() -> set[str]:
    rooms = ("mcts_viz", "mcts_watch", "mcts_course", "site")
    paths = [path for room in rooms for path in (ROOT / room).rglob("*.*") if path.is_file()]
    scripts = [path for path in paths if path.suffix in (".py", ".js")]
    return {word for path in scripts if "dist" not in path.parts for word in said_in(path)}


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_class_is_left_over(sheet: Path, said: set[str]) -> None:
    heads = "".join(re.findall(r"([^{}]*)\{", COMMENT.sub("", sheet.read_text("utf-8"))))
    classes = set(re.findall(r"\.([A-Za-z][\w-]*)", heads))
    assert classes, "a style sheet without classes: is it read rightly?"
    stems = {name: re.sub(r"\d+$", "", name) for name in classes}  # player-0 is `player-${side}`
    unknown = {
        name
        for name, stem in stems.items()
        if not said & {name, stem} and not name.startswith(OF_OTHERS)
    }
    assert not unknown
