"""Count the house: python tools/count.py [REV ...]

For each room: tokens and lines of code (no blanks, comments or docstrings), files, functions, and
the sum of their complexity. Without a revision, the working tree is counted; with some, each of
them and the working tree are shown side by side.
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

from complexipy import code_complexity

ROOT = Path(__file__).resolve().parents[1]
COUNTED = (
    "mcts_viz",
    "mcts_watch",
    "mcts_fast",
    "mcts_course",
    "tests",
    "benchmarks",
    "tools",
    "site",
    "docs",
    ".ci",
)
ROOMY = ("mcts_viz", "mcts_course")
"""Packages that are counted room by room, and as a whole."""
IGNORED = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}


class Count(NamedTuple):
    """The counts of a file, or of a room."""

    tokens: int = 0
    """Words, numbers and signs: unlike lines, they do not become fewer when lines become longer."""
    lines: int = 0
    """Lines of code."""
    files: int = 0
    functions: int = 0
    complexity: int = 0
    """The sum of the cognitive complexity of all functions, as complexipy counts it."""

    def plus(self, other: Count) -> Count:
        return Count(*map(sum, zip(self, other, strict=True)))


def prose_of(nodes: list[ast.AST]) -> set[int]:
    """The lines of docstrings. A docstring is any statement that is only a string."""
    prose: set[int] = set()
    for node in nodes:
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                prose.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return prose


def count_python(text: str) -> Count:
    """Count one file of Python."""
    nodes = list(ast.walk(ast.parse(text)))
    prose = prose_of(nodes)
    tokens = [
        token
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in IGNORED and token.start[0] not in prose
    ]
    code: set[int] = set()
    for token in tokens:
        code.update(range(token.start[0], token.end[0] + 1))
    functions = sum(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in nodes)
    return Count(len(tokens), len(code), 1, functions, code_complexity(text).complexity)


def count_script(text: str) -> Count:
    """Count one file of JavaScript: lines by sight, functions by the word, no complexity."""
    bare = re.sub(r"/\*.*?\*/|^\s*//.*?$", "", text, flags=re.S | re.M)
    lines = sum(bool(line.strip()) for line in bare.splitlines())
    tokens = len(re.findall(r"\w+|[^\w\s]", bare))
    return Count(tokens, lines, 1, len(re.findall(r"\bfunction\b", bare)))


def room_of(name: str) -> str:
    """The first folder, and in ``mcts_viz`` and ``mcts_course`` the second."""
    first, *rest = name.split("/")
    if name.endswith(".js"):
        return f"{first} JavaScript"
    roomy = first in ROOMY and len(rest) > 1
    return f"{first}/{rest[0]}" if roomy else first


def is_counted(name: str) -> bool:
    return name.startswith(COUNTED) and name.endswith((".py", ".js"))


def files_here() -> Iterator[tuple[str, str]]:
    """Name and text of every counted file of the working tree."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *COUNTED]
    found = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in sorted(set(found.split("\0"))):
        if is_counted(name) and (ROOT / name).is_file():
            yield name, (ROOT / name).read_text(encoding="utf-8")


def files_of(revision: str) -> Iterator[tuple[str, str]]:
    """Name and text of every counted file of a revision."""
    archive = ["git", "archive", "--format=tar", revision]
    packed = subprocess.run(archive, cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as unpacked:
        for member in unpacked:
            content = unpacked.extractfile(member) if is_counted(member.name) else None
            if content is not None:
                yield member.name, content.read().decode()


def rooms(revision: str | None) -> dict[str, Count]:
    """The count of every room, with the sum of each package."""
    counted: dict[str, Count] = defaultdict(Count)
    counted_files = files_of(revision) if revision else files_here()
    for name, text in counted_files:
        count = count_script(text) if name.endswith(".js") else count_python(text)
        room = room_of(name)
        counted[room] = counted[room].plus(count)
        package = room.split("/")[0]
        if package in ROOMY:
            whole = f"{package}, all Python"
            counted[whole] = counted[whole].plus(count)
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
