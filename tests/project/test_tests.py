"""A test that checks nothing cannot fail: each one checks something, whatever there is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from repository import ROOT

TESTS = ROOT / "tests"
FILES = sorted(TESTS.rglob("*.py"))
Function = ast.FunctionDef | ast.AsyncFunctionDef

CHECKS = {"expect", "raises", "warns", "fail"}
"""Functions of others that fail if something is not so."""
SAME_LENGTH = {"enumerate", "sorted", "reversed", "list", "tuple", "set", "map"}
SAME_LENGTH |= {"items", "keys", "values"}
"""Functions and methods that return as many things as they are given, or none for none."""


def name_of(function: ast.expr) -> str:
    """The name of the function in a call, without the module or the object before it."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


@cache
def functions() -> dict[str, list[Function]]:
    """The functions in all files of tests, by name."""
    found: dict[str, list[Function]] = {}
    for file in FILES:
        for node in ast.walk(parsed(file)):
            if isinstance(node, Function):
                found.setdefault(node.name, []).append(node)
    return found


@cache
def checking() -> set[str]:
    """The functions whose call checks something, themselves or by another one."""
    known, calls = set(CHECKS), {}
    for name, those in functions().items():
        nodes = [node for each in those for node in ast.walk(each)]
        calls[name] = {name_of(node.func) for node in nodes if isinstance(node, ast.Call)}
        if any(isinstance(node, ast.Assert) for node in nodes):
            known.add(name)
    more = True
    while more:
        found = {name for name, called in calls.items() if called & known}
        more = not found <= known
        known |= found
    return known


@cache
def makers() -> set[str]:
    """The functions that return a list which is written down in them."""
    found = set()
    for name, those in functions().items():
        nodes = [node for each in those for node in ast.walk(each)]
        ends = [node.value for node in nodes if isinstance(node, ast.Return) and node.value]
        if ends and all(isinstance(end, ast.List) and end.elts for end in ends):
            found.add(name)
    return found


def is_counted(things: ast.expr, known: set[str]) -> bool:
    """True if there is at least one thing to go through: what is written down cannot vanish."""
    if isinstance(things, ast.Tuple | ast.List | ast.Set):
        return any(not isinstance(each, ast.Starred) for each in things.elts)
    if isinstance(things, ast.Name):
        return things.id in known or things.id.isupper()
    if isinstance(things, ast.Subscript):
        return is_counted(things.value, known)
    if isinstance(things, ast.BinOp):
        return is_counted(things.left, known) or is_counted(things.right, known)
    if isinstance(things, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        return all(not each.ifs and is_counted(each.iter, known) for each in things.generators)
    if isinstance(things, ast.Call):
        return call_is_counted(things, known)
    return isinstance(things, ast.Dict) and len(things.keys) > 0


def call_is_counted(call: ast.Call, known: set[str]) -> bool:
    """``range(5)``, ``zip`` of what is counted, or a function of tests that returns such."""
    name, given = name_of(call.func), list(call.args)
    if name == "range":
        return all(isinstance(each, ast.Constant) or is_counted(each, known) for each in given)
    if name == "product":
        return all(is_counted(each, known) for each in given)
    if name == "zip":
        alike = any(
            each.arg == "strict" and ast.unparse(each.value) == "True" for each in call.keywords
        )
        return (any if alike else all)(is_counted(each, known) for each in given)
    if name in SAME_LENGTH:
        given += [call.func.value] if isinstance(call.func, ast.Attribute) else []
        return any(is_counted(each, known) for each in given)
    return name in makers()


def written_down(nodes: Iterator[ast.AST], known: set[str]) -> set[str]:
    """The names that get something counted, and nothing else."""
    given: dict[str, list[bool]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            given.setdefault(name, []).append(is_counted(node.value, known))
    return {name for name, counted in given.items() if all(counted)}


def is_sure(node: ast.AST, known: set[str]) -> bool:
    """True if a statement checks something, however many things its loops go through."""
    if isinstance(node, ast.Assert):
        return True
    if isinstance(node, ast.Call) and name_of(node.func) in checking():
        return True
    if isinstance(node, ast.For) and not is_counted(node.iter, known):
        return is_sure(node.iter, known)
    return any(is_sure(child, known) for child in ast.iter_child_nodes(node))


def checks_nothing_for_sure(file: Path) -> Iterator[str]:
    """The tests of a file that check nothing, or only in loops that may go through nothing."""
    tree = parsed(file)
    of_all = written_down(iter(tree.body), set())
    for node in ast.walk(tree):
        if isinstance(node, Function) and node.name.startswith("test_"):
            known = of_all | written_down(ast.walk(node), of_all)
            if not any(is_sure(each, known) for each in node.body):
                yield f"{file.name}:{node.lineno} {node.name}"


ROOMS = sorted(path.name for path in TESTS.iterdir() if any(path.rglob("test_*.py")))


@pytest.mark.parametrize("room", ROOMS)
def test_every_test_checks_something_whatever_there_is(room: str) -> None:
    """A loop over what is there counts first: ``assert found`` before ``for each in found``."""
    found = [said for file in FILES if room in file.parts for said in checks_nothing_for_sure(file)]
    assert found == []


@pytest.mark.parametrize(
    ("lines", "is_empty"),
    [
        ("made()", True),
        ("for one in found(): assert one", True),
        ("for one in [each for each in (1, 2) if each > 3]: assert one", True),
        ("for one in zip((1, 2), found()): assert one", True),
        ("for one in range(count): assert one", True),
        ("for one in (1, 2): assert one", False),
        ("for one in zip((1, 2), found(), strict=True): assert one", False),
        ("known = [1, 2]\n    for one in enumerate(known): assert one", False),
        ("for one in found(): print(one)\n    assert found()", False),
    ],
)
def test_a_test_that_may_check_nothing_is_seen(lines: str, is_empty: bool, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(f"def test_it():\n    {lines}\n", "utf-8")
    assert bool([*checks_nothing_for_sure(tmp_path / "one.py")]) == is_empty
