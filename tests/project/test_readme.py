"""The code in README.md and docs/REFERENCE.md works as it is written there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib
import pytest
from repository import needs

from mcts_viz import MCTS, TicTacToe, games
from mcts_viz.search import variants

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs/REFERENCE.md").read_text(encoding="utf-8")


def only_block(page: str) -> str:
    (block,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    return str(block)


def rows() -> Iterator[Any]:
    """The code of each row of REFERENCE.md, named by what it is for."""
    for row in re.findall(r"^\| (.+) \|$", REFERENCE, re.M):
        wanted, written = row.split(" | ")
        code = [snippet for snippet in re.findall(r"`([^`]+)`", written) if "(" in snippet]
        if code:
            yield pytest.param(code, id=wanted)


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    needs("numba")
    names: dict[str, Any] = {}
    exec(only_block(REFERENCE), names)
    return names


def test_the_example_runs_and_says_what_its_comments_say() -> None:
    names: dict[str, Any] = {}
    exec(compile(only_block(README), "README.md", "exec"), names)
    search, state = names["search"], names["state"]
    assert search.search(state, iterations=1000).best_action == 2
    assert names["solve"](names["game"], state).best_actions == (2,)


def test_readme_lists_every_lesson_with_its_question() -> None:
    lessons = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
    assert len(lessons) > 15
    for path in lessons:
        first = json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"]
        number, question = "".join(first).splitlines()[0].removeprefix("# ").split(" · ")
        row = rf"\| \[{number}\]\(notebooks/{path.name}\) \| {re.escape(question)} \|"
        assert re.search(row, README), f"{path.name} · {question}"


@pytest.mark.parametrize("code", [*rows()])
def test_what_is_written_does_something(
    code: list[str], names: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    matplotlib.use("agg")
    here = dict(names)
    assert code
    for snippet in code:
        exec(snippet, here)


LUCK = REFERENCE.partition("## Luck")[2].partition("\n## ")[0]


@pytest.mark.parametrize("call", re.findall(r"`([A-Z]\w+\(.*?\))`", LUCK))
def test_a_game_named_in_the_text_is_made(call: str) -> None:
    if call.startswith("Gymnasium"):
        needs("gymnasium")
    assert isinstance(eval(call, {**vars(games)}), games.Game)


def test_the_policies_named_in_the_text_search() -> None:
    policies = re.findall(r"`((?:selection|expansion)=.*?)`", LUCK)
    assert len(policies) == 2
    names = {**vars(variants), "MCTS": MCTS, "game": TicTacToe()}
    for policy in policies:
        search = eval(f"MCTS(game, {policy})", dict(names))
        assert search.search(iterations=20, progress=False).root.visits == 20


def test_there_is_a_row_for_every_public_name_of_the_package() -> None:
    import mcts_viz

    errors = {"GameError", "MctsVizError", "SearchError", "TraceError"}
    told = {"Game", "MinimaxTrace", "Snapshot", "random_playout", "ucb1"}
    missing = {name for name in set(mcts_viz.__all__) - errors - told if name not in REFERENCE}
    assert missing == set()
