"""What the README shows must work as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_python_example_runs_and_says_what_its_comments_say() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(example, "README.md", "exec"), names)
    search, state = names["search"], names["state"]
    assert search.search(state, iterations=1000).best_action == 2
    assert names["solve"](names["game"], state).best_actions == (2,)


def test_every_name_in_the_table_of_wishes_exists() -> None:
    import mcts_viz

    for call in re.findall(r"`(?:\w+\()?([A-Z]\w+)\(", README):
        assert hasattr(mcts_viz, call) or call == "MyGame", call
