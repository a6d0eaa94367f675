"""The rules that keep a function readable in one breath, counted room by room.

A room that is not named below a rule has no exception to it. A number is how many exceptions a room
still has: it may fall, and must not rise.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sysconfig
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from complexipy import code_complexity
from repository import ROOT

MOST_COMPLEX = 12
"""Cognitive complexity of a function: what a reader has to keep in mind."""
MOST_CLAUSES = 2
"""``for`` and ``if`` of a comprehension."""
MOST_ANY = 0.1
"""The share of parameters about whose type a room says nothing."""
MCTS_VIZ = {
    f"mcts_viz/{path.parent.name}": path.parent for path in ROOT.glob("mcts_viz/*/__init__.py")
}
ROOMS = {
    **MCTS_VIZ,
    **{
        name: ROOT / name
        for name in ("mcts_watch", "mcts_course", "mcts_fast", "tools", "site", "benchmarks")
    },
}


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.py") if "dist" not in path.parts)


def too_complex(path: Path) -> Iterator[str]:
    """The functions that take two breaths."""
    for function in code_complexity(path.read_text("utf-8")).functions:
        if function.complexity > MOST_COMPLEX:
            yield f"{function.name} has a complexity of {function.complexity}"


def is_truth(node: ast.expr) -> bool:
    """True for what can only be true or false."""
    return isinstance(node, ast.Compare | ast.BoolOp) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )


def clauses(node: ast.AST) -> int:
    """The number of ``for`` and ``if`` in a comprehension; 0 for anything else."""
    if not isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        return 0
    return sum(1 + len(each.ifs) for each in node.generators)


def multiplies_by_a_truth(node: ast.AST) -> bool:
    product = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)
    return product and (is_truth(node.left) or is_truth(node.right))


def multiplies_a_word(node: ast.AST) -> bool:
    """``"new" * is_new``: signs may be repeated, words never are."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
        return False
    texts = [part.value for part in (node.left, node.right) if isinstance(part, ast.Constant)]
    return any(isinstance(text, str) and re.search("[a-z]", text) for text in texts)


def assigns_a_tuple_of_constants(node: ast.AST) -> bool:
    """``a, b = 0, None`` sets two unrelated things on one line."""
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Tuple)
        and isinstance(node.value, ast.Tuple)
        and all(isinstance(value, ast.Constant | ast.List | ast.Dict) for value in node.value.elts)
    )


def assigns_three_things(node: ast.AST) -> bool:
    """``x, y, foot = 0, card.y, HIGH`` asks the reader to count places."""
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Tuple)
        and isinstance(node.value, ast.Tuple)
        and len(node.value.elts) > 2
    )


def hides_an_if_in_an_unpacking(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    unpacked = [given.value for given in node.args if isinstance(given, ast.Starred)]
    unpacked += [given.value for given in node.keywords if given.arg is None]
    return any(isinstance(value, ast.IfExp | ast.BoolOp) for value in unpacked)


def nests_conditional_expressions(node: ast.AST) -> bool:
    return isinstance(node, ast.IfExp) and any(
        isinstance(part, ast.IfExp) for part in (node.test, node.body, node.orelse)
    )


GOLF: dict[str, Callable[[ast.AST], bool]] = {
    "a multiplication by a truth": multiplies_by_a_truth,
    "a word multiplied by a truth": multiplies_a_word,
    "an assignment of unrelated constants": assigns_a_tuple_of_constants,
    "an assignment of three things": assigns_three_things,
    "an unpacking that hides an if": hides_an_if_in_an_unpacking,
    "a conditional expression in another": nests_conditional_expressions,
    "a lambda that is called at once": lambda node: (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Lambda)
    ),
    "a loop over one thing or another": lambda node: (
        isinstance(node, ast.For | ast.comprehension) and isinstance(node.iter, ast.IfExp)
    ),
    "a comprehension of three clauses": lambda node: clauses(node) > MOST_CLAUSES,
}


def golf(path: Path) -> Iterator[str]:
    """The places of a file that save a line and cost the reader a minute."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        for name, is_found in GOLF.items():
            if is_found(node):
                yield f"line {getattr(node, 'lineno', '?')} has {name}"


STILL_COMPLEX = {
    # In two parts the walk of minimax is slower by a seventh, the look ahead by a twentieth.
    "mcts_viz/search": 2,
}
"""Hot loops, each with what a split costs."""
RULES: dict[str, tuple[Callable[[Path], Iterator[str]], dict[str, int]]] = {
    "complexity": (too_complex, STILL_COMPLEX),
    "golf": (golf, {}),
}
"""By rule: what finds its exceptions, and how many a room still has."""


def exceptions(room: str, rule: str) -> list[str]:
    find, _ = RULES[rule]
    return [
        f"{path.relative_to(ROOT)}: {said}" for path in files(ROOMS[room]) for said in find(path)
    ]


@pytest.mark.parametrize("room", sorted(ROOMS))
@pytest.mark.parametrize("rule", RULES)
def test_a_room_has_no_new_exception(rule: str, room: str) -> None:
    found = exceptions(room, rule)
    most = RULES[rule][1].get(room, 0)
    assert len(found) <= most, "\n".join([f"{len(found)} and not {most}:", *found[:30]])


def share_of_any(folder: Path) -> float:
    """The share of annotated parameters that say ``Any``."""
    said: Counter[bool] = Counter()
    for path in files(folder):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.arg) and node.annotation is not None:
                said[ast.unparse(node.annotation) == "Any"] += 1
    return said[True] / max(1, said.total())


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_parameters_have_types(room: str) -> None:
    assert share_of_any(ROOMS[room]) <= MOST_ANY


SCRIPT_RULES = {
    "eslint/complexity": ["error", {"max": MOST_COMPLEX}],
    "eslint/max-depth": ["error", 3],
    "eslint/max-params": ["error", 5],
    "eslint/max-lines-per-function": [
        "error",
        {"max": 60, "skipBlankLines": True, "skipComments": True},
    ],
}


def said_of_scripts(config: Path, *folders: Path) -> list[str]:
    """The faults that oxlint finds in the scripts of these folders, a line each."""
    rules = {"categories": {"correctness": "off"}, "rules": SCRIPT_RULES}
    config.write_text(json.dumps(rules), "utf-8")
    program = Path(sysconfig.get_path("scripts"), "oxlint")
    command = [program, "--config", config, "--format", "unix", "--ignore-pattern", "dist"]
    said = subprocess.run([*command, *folders], capture_output=True, text=True, check=False).stdout
    return re.findall(r"^.*\[Error/.*$", said, re.M)


def test_functions_of_javascript_are_short(tmp_path: Path) -> None:
    folders = [ROOT / name for name in ("mcts_viz", "mcts_course", "site")]
    found = said_of_scripts(tmp_path / "rules.json", *folders)
    assert not found, "\n".join(found)


def test_a_long_function_of_javascript_is_seen(tmp_path: Path) -> None:
    body = "if (a) b();\n" * (MOST_COMPLEX + 1)
    (tmp_path / "one.js").write_text(f"function f(a, b) {{\n{body}}}\n", "utf-8")
    assert len(said_of_scripts(tmp_path / "rules.json", tmp_path)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "'s' * (n > 1)",
        "'new' * is_new",
        "a, b = 0, None",
        "x, y, z = card.x, card.y, HIGH",
        "f(*(a if b else ()))",
        "f(**(a or {}))",
        "1 if a else 2 if b else 3",
        "(lambda x: x)(1)",
        "[x for x in (a if b else ())]",
        "[x for y in z for x in y if x]",
    ],
)
def test_golf_is_seen(line: str, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(line, "utf-8")
    assert list(golf(tmp_path / "one.py"))
