"""The house rules: style, types, one-way imports, and files that keep what they promise."""

from __future__ import annotations

import ast
import doctest
import os
import re
import subprocess
import sysconfig
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from pkgutil import walk_packages
from typing import Final
from urllib.parse import unquote

import nbformat
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from repository import ROOT, project_files, texts

import mcts_viz
from mcts_course import FAULTS, SYSTEMS

PACKAGE = ROOT / "mcts_viz"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def notebooks() -> list[Path]:
    return [path for path in project_files() if path.suffix == ".ipynb"]


# Style and types


def run(tool: str, *arguments: str) -> None:
    """Run a tool of this environment; fail with all that it says, unless it is content."""
    command = [Path(sysconfig.get_path("scripts"), tool), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.fail(done.stdout + done.stderr, pytrace=False)


USERS = """
from typing import assert_type

from mcts_fast import FastMCTS
from mcts_viz import MCTS, Film, Player, TicTacToe, Trace, record_minimax, minimax

search = MCTS(TicTacToe(), seed=1)
trace = search.record(iterations=9)
assert_type(trace, Trace)
assert_type(trace.fork(5, c=1.0), Trace)
assert_type(trace.search_at(5), MCTS)
assert_type(Trace.load("trace.json"), Trace)
assert_type(Film(trace).to_html(), str)
assert_type(Player(trace).film, Film)
assert_type(FastMCTS(TicTacToe()).record(iterations=9), Trace)
Film(record_minimax(minimax, TicTacToe()))
search.records()
"""
"""A program of someone who uses the package: its last line alone is wrong."""


def test_style() -> None:
    run("ruff", "check", "--output-format=concise", ".")


@pytest.mark.long
def test_types(tmp_path: Path) -> None:
    """Of the packages, and what a checker knows of them in a program that uses them."""
    (tmp_path / "mine.py").write_text(USERS, "utf-8")
    mypy = [Path(sysconfig.get_path("scripts"), "mypy"), *PYPROJECT["tool"]["mypy"]["files"]]
    command = [*mypy, tmp_path / "mine.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    wanted = f'mine.py:{len(USERS.splitlines())}: error: "MCTS" has no attribute "records"'
    assert wanted in done.stdout, done.stdout + done.stderr
    assert done.stdout.count(" error: ") == 1, done.stdout


def test_examples_in_docstrings() -> None:
    modules = [each.name for each in walk_packages(mcts_viz.__path__, "mcts_viz.")]
    done = [doctest.testmod(import_module(name)) for name in modules if name[-8:] != "__main__"]
    assert sum(each.attempted for each in done) >= 20
    assert not any(each.failed for each in done)


def test_style_of_the_scripts() -> None:
    folders = ("mcts_viz/player", "mcts_course")
    run("oxlint", "--deny-warnings", *folders)
    scripts = [
        path.read_text("utf-8") for folder in folders for path in ROOT.glob(f"{folder}/**/*.js")
    ]
    assert max(len(line) for script in scripts for line in script.splitlines()) <= 110


# Imports run one way

ROOMS: Final = {
    name: place
    for place, name in enumerate(
        [
            *(f"mcts_viz.{room}" for room in ("games", "search", "trace", "film", "player")),
            *("mcts_watch", "mcts_fast", "mcts_course.typed", "mcts_course.lessons"),
            *(f"mcts_course.{room}" for room in ("show", "measure", "published", "learning")),
            *(f"mcts_course.{room}" for room in ("work", "play", "by_hand", "exercises")),
            *("mcts_course.last", "mcts_course.teacher"),
        ]
    )
}
"""Each may import those that come before it.

In ``mcts_course.lessons`` the face, which tells the order of the lessons, comes early; its files,
here ``mcts_course.exercises``, late.
"""
LAST: Final = {f"mcts_course.{name}" for name in ("build", "exported", "in_browser")}


def room_of(module: str) -> str:
    """The room that a module is in; "" for none, such as the face of a package."""
    if re.match(r"mcts_course\.lessons\.\w", module):
        return "mcts_course.exercises"
    if ".".join(module.split(".")[:2]) in LAST:
        return "mcts_course.last"
    return next((name for name in ROOMS if f"{module}.".startswith(f"{name}.")), "")


def imports_of(path: Path) -> Iterator[str]:
    """The modules of this project that a file imports, wherever it does so.

    Types that are imported for a checker alone count too, and so do names in strings.
    """
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        modules: list[str] = []
        match node:
            case ast.Import(names):
                modules = [alias.name for alias in names]
            case ast.ImportFrom(module, names, level):
                base = ".".join([*package[: len(package) + 1 - level]] if level else [])
                source = f"{base}.{module or ''}".strip(".")
                modules = [module_of(source, alias.name) for alias in names]
            case ast.Call(func, [ast.Constant(str(name)), *_]) if "import" in ast.unparse(func):
                level = len(name) - len(name.lstrip("."))
                base = ".".join(package[: len(package) + 1 - level]) if level else ""
                modules = [f"{base}.{name.lstrip('.')}".strip(".")]
        yield from (module for module in modules if module.startswith("mcts_"))


def module_of(source: str, name: str) -> str:
    """The module ``source``, or the one within it that is called ``name``."""
    inside = ROOT / source.replace(".", "/") / name
    is_module = inside.is_dir() or inside.with_suffix(".py").is_file()
    return f"{source}.{name}" if is_module else source


DOORS: Final = {
    "mcts_viz/search/mcts.py mcts_viz.trace",
    "mcts_viz/trace/trace.py mcts_viz.player",
    "mcts_viz/film/film.py mcts_viz.player",
}
"""Methods that call a later room: ``record``, ``to_html``, and what a trace shows itself as."""


def arrows_back() -> Iterator[str]:
    """Each import of a later room, or of the face of a whole package, as "file room"."""
    for package in ("mcts_viz", "mcts_watch", "mcts_fast", "mcts_course"):
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT).with_suffix("").as_posix()
            room = room_of(name.replace("/__init__", "").replace("/", "."))
            for module in imports_of(path) if room else ():
                target = room_of(module)
                known = module == "mcts_viz.errors" or (target and ROOMS[target] <= ROOMS[room])
                if not known:
                    yield f"{path.relative_to(ROOT).as_posix()} {target or module}"


def test_imports_run_one_way() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {f"mcts_viz.{name}" for name in folders} == {r for r in ROOMS if r.startswith("mcts_v")}
    assert set(arrows_back()) == DOORS
    assert not {room_of(module) for module in imports_of(PACKAGE / "errors.py")} & {*ROOMS}


def test_each_fault_that_is_planted_has_its_place() -> None:
    faults = tomllib.loads((ROOT / "tools" / "faults.toml").read_text("utf-8"))["fault"]
    places = {
        fault["name"]: (ROOT / fault["file"]).read_text("utf-8").count(fault["before"])
        for fault in faults
    }
    assert len(places) == len(faults) > 50, "each has a name of its own"
    assert {name for name, count in places.items() if count != 1} == set()
    tests = {test.partition("::")[0] for fault in faults for test in fault["tests"]}
    assert {test for test in tests if not (ROOT / test).exists()} == set()


# Requirements


def lines(name: str) -> list[str]:
    """The lines of a requirements file, without comments."""
    stripped = [re.sub(r"(^|\s)#.*", "", line).strip() for line in (ROOT / name).open()]
    return [line for line in stripped if line]


def requirements(entries: list[str]) -> dict[str, Requirement]:
    parsed = [Requirement(entry) for entry in entries if not entry.startswith("-")]
    return {canonicalize_name(requirement.name): requirement for requirement in parsed}


OF_PACKAGE = requirements(PYPROJECT["project"]["dependencies"])
OF_STUDENT = requirements(lines("requirements.txt"))
OF_TESTS = requirements(lines("tests/quick.txt") + lines("tests/requirements.txt"))


def test_requirements_say_the_same_everywhere() -> None:
    assert "-e ." in lines("requirements.txt")
    assert "-r ../requirements.txt" in lines("tests/quick.txt")
    assert "-r quick.txt" in lines("tests/requirements.txt")
    group = requirements(PYPROJECT["dependency-groups"]["dev"])  # what `uv sync` adds
    alone = OF_STUDENT.keys() - OF_PACKAGE.keys()
    assert {n: str(r) for n, r in group.items()} == {n: str(OF_STUDENT[n]) for n in alone}
    assert [line for line in lines("binder/requirements.txt") if "==" not in line] == [], (
        "plain versions"
    )
    lab = requirements(PYPROJECT["project"]["optional-dependencies"]["lab"])
    assert lab == {name: OF_STUDENT[name] for name in alone}
    twice = OF_PACKAGE.keys() & OF_STUDENT.keys()
    assert {n: str(OF_STUDENT[n]) for n in twice} == {n: str(OF_PACKAGE[n]) for n in twice}
    assert not OF_TESTS.keys() & (OF_PACKAGE.keys() | OF_STUDENT.keys())


def test_the_exact_versions_are_within_the_ranges() -> None:
    exact = [Requirement(line) for line in lines("binder/requirements.txt")]
    assert all(re.fullmatch(r"==[\w.]+", str(pin.specifier)) for pin in exact)
    for name, wanted in (OF_PACKAGE | OF_STUDENT).items():
        pins = [pin for pin in exact if canonicalize_name(pin.name) == name]
        assert pins, f"{name} has no exact version: run .ci/lock"
        for pin in pins:
            number = str(pin.specifier).removeprefix("==")
            assert number in wanted.specifier, f"{pin} is not {wanted}: run .ci/lock"


def test_what_is_installed_is_what_is_required() -> None:
    required = [*OF_PACKAGE.values(), *OF_STUDENT.values(), *OF_TESTS.values()]
    here = [r for r in required if r.marker is None or r.marker.evaluate()]
    found: dict[Requirement, str | None] = dict.fromkeys(here)
    for requirement in here:
        with suppress(PackageNotFoundError):
            found[requirement] = version(requirement.name)
    if os.environ.get("REQUIRE_ALL") != "1":  # what is missing, its own tests say
        found = {r: number for r, number in found.items() if number}
    refused = {
        str(r): number for r, number in found.items() if not number or number not in r.specifier
    }
    assert refused == {}


def test_every_place_has_the_same_ruff_version_and_date() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    kept = [Requirement(*hook["additional_dependencies"]) for hook in hooks]
    assert kept == [OF_TESTS["ruff"]] * 2
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    last = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert last
    assert last[1] == f"{cited['version']} ({cited['date-released']})"
    assert cited["version"] == mcts_viz.__version__


def test_the_workflow_tests_what_the_package_accepts() -> None:
    wanted = SpecifierSet(PYPROJECT["project"]["requires-python"])
    for name, job in (("tests", "quick"), ("nightly", "versions")):
        flow = yaml.safe_load((ROOT / f".github/workflows/{name}.yml").read_text())
        tested = flow["jobs"][job]["strategy"]["matrix"]["python"]
        assert [number for number in tested if number not in wanted] == []
        assert {"3.11", "3.12", "3.13", "3.14"} <= {*tested}


def test_binder_has_a_python_that_the_package_accepts() -> None:
    name, number = (ROOT / "binder/runtime.txt").read_text().strip().split("-")
    assert name == "python"
    assert number in SpecifierSet(PYPROJECT["project"]["requires-python"])


# Notebooks, words and links


def complaints(path: Path) -> Iterator[str]:
    """The faults of a committed notebook, each as the end of a sentence."""
    if path.stat().st_size >= 1_000_000:
        yield "is not below 1 MB"
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    if "widgets" in notebook.metadata:
        yield "has metadata.widgets, which breaks its view on GitHub"
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        if len(cell.source.splitlines()) > 20:
            yield f"has more than 20 lines in cell {number}"
        if any(output.output_type == "error" for output in cell.outputs):
            yield f"shows an error below cell {number}"


def test_notebooks_are_fit_to_be_read() -> None:
    assert notebooks()
    found = [f"{path.name} {what}" for path in notebooks() for what in complaints(path)]
    assert found == [], "\n".join(found)


def test_no_file_knows_the_machine_that_it_was_written_on() -> None:
    personal = re.compile(
        r"(?<![\w.~])/(?:work|root|tmp/w|home/\w+|Users/\w+)\b|[A-Z]:\\+Users\b|ipykernel_\d"
    )
    found = [
        f"{name}: {match.group()}" for name, text in texts() for match in personal.finditer(text)
    ]
    assert found == [], "\n".join(found)


def prose() -> Iterator[tuple[Path, str]]:
    """Every page of Markdown and its file, the text cells of notebooks among them, without code."""
    for path in project_files():
        if path.suffix == ".md":
            text = path.read_text(encoding="utf-8")
            yield path, re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
        if path.suffix == ".ipynb":
            cells = nbformat.read(path, as_version=4).cells
            yield path, "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def test_words_are_spelled_rightly(tmp_path: Path) -> None:
    for number, (path, text) in enumerate(prose()):
        (tmp_path / f"{number}_{path.name}.txt").write_text(text, encoding="utf-8")
    sources = [path for path in project_files() if path.suffix in {".py", ".js", ".css", ".toml"}]
    run("codespell", "--ignore-words-list=fro,pointIn,childs", str(tmp_path), *map(str, sources))


def test_links_to_files_lead_to_files() -> None:
    link = re.compile(r"""\]\(<?([^)\s>]+)|(?:src|href)=["']([^"']+)""")
    lost = []
    for path, text in prose():
        if path.parent.name == "lessons":  # sources: their links are completed in the notebooks
            continue
        for match in link.finditer(text):
            target = unquote((match.group(1) or match.group(2)).split("#")[0])
            outside = re.match(r"[a-z][a-z+.-]*:", target)
            if target and not outside and not (path.parent / target).exists():
                lost.append(f"{path.relative_to(ROOT)}: {target}")
    assert lost == [], "\n".join(lost)


def test_pages_name_tests_that_are_there() -> None:
    pages = [page.read_text("utf-8") for page in (ROOT / "docs").glob("*.md")]
    named = re.findall(r"`(?:tests/)?([\w/]+/test_\w+\.py)`", "".join(pages))
    assert [name for name in named if not (ROOT / "tests" / name).is_file()] == []


WAYS = {
    "sh": ("python3 -m venv .venv", ".venv/bin/python"),
    "powershell": ("py -m venv .venv", r".venv\Scripts\python"),
}


def test_readme_has_the_two_commands_for_every_shell() -> None:
    """An environment first, since a system's Python refuses; its Python by its path."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first = min((ROOT / "notebooks").glob("00_*.ipynb")).name
    for shell, (make, python) in WAYS.items():
        assert re.findall(rf"^```{shell}\n(.*?)^```", text, re.M | re.S) == [
            f"{make}\n{python} -m pip install -r {file}\n{python} -m {run}\n"
            for file, run in (
                ("requirements.txt", f"jupyterlab notebooks/{first} --notebook-dir=."),
                ("tests/requirements.txt", "pytest -n 2 --dist loadfile"),
            )
        ]


PINS = {
    "tests/browser/test_myst.py": ("mystmd@", "@myst-theme/anywidget@"),
    "tests/browser/test_front_ends.py": ("marimo==",),
    "tests/browser/test_site.py": ("jupyterlite-core==",),
    "site/requirements.txt": ("jupyterlite-core==",),
}


def test_where_it_runs_names_the_versions_that_are_installed() -> None:
    page = (ROOT / "docs/FRONTENDS.md").read_text("utf-8")
    for file, names in PINS.items():
        text = (ROOT / file).read_text("utf-8")
        for name in names:
            (version,) = re.findall(rf"{name}([\d.]+)", text)
            assert f" {version}" in page, name + version
    pyodide = re.search(r"/pyodide-(\d+)\.", (ROOT / "site/build.py").read_text("utf-8"))
    assert pyodide
    assert f"Pyodide {pyodide[1]}" in page


def test_the_paper_cites_what_its_bibliography_has_and_counts_as_the_course_does() -> None:
    text = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    entries = re.findall(r"^@\w+\{(\w+),", (ROOT / "paper" / "paper.bib").read_text("utf-8"), re.M)
    assert set(re.findall(r"@([a-z]+\d*)\b", text)) == set(entries)
    assert len(set(entries)) == len(entries)
    assert len(text.split()) < 1800, "a paper of JOSE is short"
    faulty = [set(system.faults) & set(FAULTS) for system in SYSTEMS.values() if system.faults]
    numbers = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    faults = numbers[len(set().union(*faulty))]
    said = (
        f"The {numbers[len(faulty)]} faulty programs that the course takes apart have {faults} "
        "kinds of fault"
    )
    assert said in " ".join(text.split())
