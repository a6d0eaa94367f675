"""The oldest packages that the project promises to run with: python tools/oldest.py

Each requirement of ``pyproject.toml``, pinned to its lower bound, a line each as pip takes them.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]


def oldest() -> list[str]:
    """Each package that ours needs, in the oldest version that it asks for."""
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    return [
        f"{one.name}=={bound.version}" + (f"; {one.marker}" if one.marker else "")
        for one in map(Requirement, tomllib.loads(text)["project"]["dependencies"])
        for bound in one.specifier
        if bound.operator == ">="
    ]


if __name__ == "__main__":
    print("\n".join(oldest()))
