"""The oldest packages that the project promises to run with: python tools/oldest.py

Each requirement of ``pyproject.toml``, pinned to its lower bound, a line each as pip takes them.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]


def pinned(one: Requirement) -> str:
    """A requirement in the oldest version that it asks for."""
    [bound] = [each.version for each in one.specifier if each.operator == ">="]
    return f"{one.name}=={bound}" + (f"; {one.marker}" if one.marker else "")


def oldest() -> list[str]:
    """Each package that ours needs, in the oldest version that it asks for."""
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    return [pinned(Requirement(one)) for one in tomllib.loads(text)["project"]["dependencies"]]


if __name__ == "__main__":
    print("\n".join(oldest()))
