"""A class's work in the teacher's JupyterLab: texts that attack are shown as text."""

from __future__ import annotations

import json
from pathlib import Path

from injections import INJECTIONS

from .lab import JupyterLab, eventually

HOSTILE = [
    "``<img src='x' onerror='planted(100)'>``",
    "`<img src=x onerror=planted(101)>",
    "a` <img src=x onerror=planted(102)> `b",
    "x | <img src=x onerror=planted(103)> | `y` |",
    *INJECTIONS,
]
FOLDER = str(Path(__file__).parents[1])
CELLS = [
    f"import sys\nsys.path.insert(0, {FOLDER!r})\n"
    "from browser.test_teacher_in_lab import HOSTILE\nfrom mcts_course import *\n"
    "from mcts_course.lessons import random_games\nfrom mcts_viz import *",
    "class_report('class')",
    *(  # a cell shows fifty outputs at most
        f"for text in HOSTILE[{part}::12]:\n    random_games.games_needed.check({{text: text}})\n"
        f"for text in HOSTILE[{part}::24]:\n    predict(text, choices=[text]).reveal(text)"
        for part in range(12)
    ),
    "predictions()",
    "chance = RandomAgent(TicTacToe())\n"
    "arena(dict.fromkeys((HOSTILE[0], HOSTILE[-1], HOSTILE[7]), chance), TicTacToe(), games=2)",
]
OUTPUTS = ".jp-Cell-outputArea .jp-RenderedHTMLCommon, .mcts-predict"


def test_hostile_reports_answers_questions_and_names_are_text(lab: JupyterLab) -> None:
    folder = lab.folder / "class"
    folder.mkdir()
    for number, text in enumerate(HOSTILE):
        work = {"verdicts": ["misconception"], "misconceptions": [text], "hints": 1}
        made = {"guess": text, "measured": text}
        report = {"format": "mcts_course report 3", "name": text}
        report |= {"exercises": {text: work}, "predictions": {text: made}}
        (folder / f"{number}.json").write_text(json.dumps(report))
        name = text.encode("ascii", "ignore").decode().replace("/", "%").replace("\0", "")[:50]
        (folder / f"``{name}``.json").write_text("{")
    with lab.open(CELLS, viewport={"width": 1300, "height": 6000}) as notebook:
        page = notebook.page
        page.evaluate("window.ran = []; window.planted = (number) => window.ran.push(number); 0")
        notebook.run_all()
        eventually(lambda: page.locator(OUTPUTS).count() > 2 * len(HOSTILE), True)
        foreign = page.locator(OUTPUTS).evaluate_all(
            """roots => roots.flatMap(root => [...root.querySelectorAll("*")])
                .filter(node => /^(script|iframe|object|embed|svg|math|a|link|form|mjx-container)$/i
                    .test(node.localName) || [...node.attributes].some(a => /^on/.test(a.name))
                    || node.matches("img:not([src^='data:image/png;base64,'])"))
                .map(node => node.outerHTML.slice(0, 200))"""
        )
        assert foreign == []
        assert page.locator("mjx-container").count() == 0
        assert page.evaluate("window.ran") == []
