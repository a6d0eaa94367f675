"""Count the house: python tools/count.py [REV ...]

For each room: lines of code (no blanks, comments or docstrings), files, functions and exported
names. Without a revision, the working tree is counted; with some, each of them and the working tree
stand side by side.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tarfile
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
COUNTED = (
    "mcts_viz",
    "mcts_fast",
    "mcts_course",
    "tests",
    "benchmarks",
    "tools",
    "site",
    "docs",
    ".ci",
)
IGNORED = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}


class Count(NamedTuple):
    """What is counted in a file, or in a room."""

    lines: int = 0
    files: int = 0
    functions: int = 0
    names: int = 0

    def plus(self, other: Count) -> Count:
        return Count(*map(sum, zip(self, other, strict=True)))


def count_python(text: str) -> Count:
    """Count one file. A docstring is any statement that is only a string."""
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    prose: set[int] = set()
    for node in nodes:
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                prose.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in IGNORED:
            code.update(range(token.start[0], token.end[0] + 1))
    functions = sum(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in nodes)
    names = 0
    for statement in tree.body:
        if "__all__" in ast.unparse(statement).partition("=")[0]:
            names += sum(isinstance(node, ast.Constant) for node in ast.walk(statement))
    return Count(len(code - prose), 1, functions, names)


def count_script(text: str) -> Count:
    """Count one file of JavaScript: lines by sight, functions by the word."""
    bare = re.sub(r"/\*.*?\*/|^\s*//.*?$", "", text, flags=re.S | re.M)
    lines = sum(bool(line.strip()) for line in bare.splitlines())
    return Count(lines, 1, len(re.findall(r"\bfunction\b", bare)), len(re.findall(r"^export\b", bare, re.M)))


def room_of(name: str) -> str:
    """The first folder, and in ``mcts_viz`` the second."""
    first, *rest = name.split("/")
    if name.endswith(".js"):
        return f"{first} JavaScript"
    return f"{first}/{rest[0]}" if first == "mcts_viz" and len(rest) > 1 else first


def files(revision: str | None) -> Iterator[tuple[str, str]]:
    """Name and text of every counted file of a revision, or of the working tree."""
    if revision is None:
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *COUNTED]
        found = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in sorted(set(found.split("\0"))):
            if name.endswith((".py", ".js")) and (ROOT / name).is_file():
                yield name, (ROOT / name).read_text(encoding="utf-8")
        return
    archive = ["git", "archive", "--format=tar", revision]
    packed = subprocess.run(archive, cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as unpacked:
        for member in unpacked:
            if member.name.startswith(COUNTED) and member.name.endswith((".py", ".js")):
                content = unpacked.extractfile(member)
                if content is not None:
                    yield member.name, content.read().decode()


def rooms(revision: str | None) -> dict[str, Count]:
    """The count of every room, with the sum of each package."""
    counted: dict[str, Count] = defaultdict(Count)
    for name, text in files(revision):
        count = count_script(text) if name.endswith(".js") else count_python(text)
        room = room_of(name)
        counted[room] = counted[room].plus(count)
        if room.startswith("mcts_viz") and not room.endswith("JavaScript"):
            counted["mcts_viz, all Python"] = counted["mcts_viz, all Python"].plus(count)
    return counted


def main(*revisions: str) -> None:
    """Print the table in Markdown."""
    wanted = [*revisions, None]
    columns = [rooms(revision) for revision in wanted]
    heads = [f"{revision or 'working tree'}: {', '.join(Count._fields)}" for revision in wanted]
    print("| room |", " | ".join(heads), "|")
    print("|---|" + "---:|" * len(heads))
    for room in sorted({room for column in columns for room in column}):
        figures = (", ".join(f"{n:,}".rjust(6) for n in column[room]) for column in columns)
        print(f"| {room} |", " | ".join(figures), "|")


if __name__ == "__main__":
    main(*sys.argv[1:])
