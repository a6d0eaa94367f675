"""Count the functions of the package that a call enters: python tools/calls.py

Fewer functions in fewer files are read faster. Counted are different functions, not calls.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))


def entered(call: Callable[[], object]) -> set[tuple[str, str]]:
    """File and name of each function of ``mcts_viz`` that ``call`` enters."""
    found: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and ROOT / "mcts_viz" in path.parents and path.suffix == ".py":
            name = frame.f_code.co_qualname
            if not name.endswith(">"):  # a comprehension is no function to a reader
                found.add((str(path.relative_to(ROOT)), name))

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return found


def main() -> None:
    from mcts_viz import MCTS, TicTacToe

    game = TicTacToe()
    search = MCTS(game, seed=1)
    calls: dict[str, Callable[[], object]] = {
        "MCTS(game, c=1.2)": lambda: MCTS(game, c=1.2),
        "search.record(iterations=1)": lambda: search.record(iterations=1),
    }
    for words, call in calls.items():
        found = entered(call)
        print(f"{words}: {len(found)} functions in {len({file for file, _ in found})} files")
        for file, name in sorted(found):
            print(f"    {file:32} {name}")


if __name__ == "__main__":
    main()
