"""Write the repository's name into the badge, the addresses and the citation.

python site/owner.py OWNER/NAME       # in a fork, once; then commit
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILES = ("README.md", "pyproject.toml", "docs/PYPI.md", "CITATION.cff", "docs/TEACHING.md")


def main() -> int:
    repository = sys.argv[1] if len(sys.argv) == 2 else ""
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
        print("Give the repository's name on GitHub: python site/owner.py OWNER/NAME")
        return 1
    for name in FILES:
        path = ROOT / name
        path.write_text(named(path.read_text("utf-8"), repository), "utf-8", newline="\n")
    return 0


def named(text: str, repository: str) -> str:
    """The text with the repository in every address that names none yet, and the badge shown."""
    owner, name = repository.split("/")
    text = re.sub(r"```\n(\[!\[Binder\].*)\n```", r"\1", text)  # from a text to a button
    pages = f"https://{owner.lower()}.github.io/{name}/"
    text = text.replace("https://OWNER.github.io/mcts_viz/", pages)
    text = text.replace("OWNER%2Fmcts_viz", f"{owner}%2F{name}")
    return text.replace("OWNER/mcts_viz", repository)


if __name__ == "__main__":
    sys.exit(main())
