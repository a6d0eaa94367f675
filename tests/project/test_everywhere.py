"""Outside a clone: the lessons in the wheel, links that lead somewhere, a fork's own addresses."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest
from pythons import copy_project, environment_of, python_of
from repository import ROOT

import mcts_viz
from mcts_course.lessons.paths import copy_lessons, with_links_abroad
from mcts_viz.__main__ import main
from tools.oldest import oldest


def lessons_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("[0-9][0-9]_*.ipynb"))


def test_the_lessons_are_copied_whole_and_nothing_is_written_over(tmp_path: Path) -> None:
    texts = [*(ROOT / "notebooks").glob("*.md")]
    assert copy_lessons(tmp_path) == len(lessons_of(ROOT / "notebooks") + texts)
    assert len(lessons_of(tmp_path)) == len(lessons_of(ROOT / "notebooks"))
    lesson = lessons_of(tmp_path)[0]
    lesson.write_text("my answers", "utf-8")
    assert copy_lessons(tmp_path) == 0
    assert lesson.read_text("utf-8") == "my answers"


def test_links_of_copied_lessons_stay_in_their_folder(tmp_path: Path) -> None:
    copy_lessons(tmp_path)
    broken = []
    for path in sorted(tmp_path.rglob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        for target in re.findall(r"\]\((?![a-z]+:|#)([^)#\s]+)", text):
            if not (path.parent / target).is_file():
                broken.append(f"{path.name}: {target}")
    assert broken == []


ABROAD = "https://x/blob/HEAD/mcts_viz/a.py"


@pytest.mark.parametrize(
    ("text", "here", "home", "wanted"),
    [
        ("see [it](../mcts_viz/a.py).", "x/", "", "see it."),
        ("see [it](../mcts_viz/a.py).", "x/", "https://x", f"see [it]({ABROAD})."),
        ("[`a`](../mcts_viz/a.py)", "notebooks/", "", "`a`"),
        ("[04](../notebooks/04_x.ipynb), [b](https://b/../c)", "notebooks/", "", None),
        ('"outputs": [\n1], "a": "[04](04_x.ipynb)"', "x/", "", None),
    ],
)
def test_links_that_lead_out(text: str, here: str, home: str, wanted: str | None) -> None:
    assert with_links_abroad(text, home, here) == (wanted or text)


def test_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["mcts_viz", str(tmp_path / "mine")])
    main()
    assert f"files are new in {tmp_path / 'mine'}" in capsys.readouterr().out
    assert lessons_of(tmp_path / "mine")
    (tmp_path / "file").touch()
    for given, code in ((str(tmp_path / "file"), 2), ("--version", 0)):
        monkeypatch.setattr(sys, "argv", ["mcts_viz", given])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == code
    said = capsys.readouterr()
    assert said.out == f"mcts_viz {mcts_viz.__version__}\n"
    assert "name another folder" in said.err


def test_a_closed_pipe_is_not_the_folders_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in ``python -m mcts_viz | head -1``: the lessons have been copied by then."""

    def closed(*_: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("builtins.print", closed)
    monkeypatch.setattr(sys, "argv", ["mcts_viz", str(tmp_path / "mine")])
    with pytest.raises(BrokenPipeError):
        main()
    assert lessons_of(tmp_path / "mine")


# What is installed


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the project, whose folder had stray files."""
    folder = tmp_path_factory.mktemp("wheel")
    project = copy_project(folder / "project")
    for name in (".ipynb_checkpoints/03_x.ipynb", "03_x-Copy1.ipynb", "draft.py"):
        stray = project / "notebooks" / name
        stray.parent.mkdir(exist_ok=True)
        stray.write_text("stray")
    build = f"import hatchling.build as b; print(b.build_wheel({str(folder)!r}))"
    subprocess.run([sys.executable, "-c", build], cwd=project, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.mark.long
def test_the_wheel_has_all_that_runs_and_no_answers(wheel: Path) -> None:
    with ZipFile(wheel) as files:
        (about,) = [name for name in files.namelist() if name.endswith(".dist-info/METADATA")]
        page = files.read(about).decode()
        names = {name for name in files.namelist() if ".dist-info/" not in name}
    assert "# mcts_viz" in page
    assert wheel.stat().st_size <= 850_000  # with 20 lessons; a stray picture would be more
    rooms = [file for name in PACKAGES for file in (ROOT / name).rglob("*")]
    code = {file.relative_to(ROOT).as_posix() for file in rooms if file.suffix in CODE}
    lessons = {f"mcts_viz/lessons/{file.name}" for file in lessons_of(ROOT / "notebooks")}
    texts = {f"mcts_viz/lessons/{file.name}" for file in (ROOT / "notebooks").glob("*.md")}
    assert names == code | lessons | texts
    typed = {f"{package}/py.typed" for package in PACKAGES}
    assert typed <= names, "so type checkers know the package outside the clone"


PACKAGES = [path.parent.name for path in ROOT.glob("mcts_*/__init__.py")]
CODE = {".py", ".js", ".css", ".toml", ".json", ".typed"}


def install(python: str, folder: Path, *versions: str) -> Callable[..., None]:
    """Install the wheel there and copy its lessons out; what runs a module of that Python."""
    here = environment_of(python, folder / "environment", home=folder)
    program = str(folder / "environment" / "bin" / "python")

    def run(*command: str) -> None:
        done = subprocess.run(
            [program, "-m", *command],
            cwd=folder,
            env=here,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    project = copy_project(folder / "project")
    run("pip", "wheel", "--quiet", "--no-deps", "-w", "wheel", str(project))
    (wheel,) = (folder / "wheel").glob("*.whl")
    run("pip", "install", "--quiet", str(wheel), "nbclient", "ipykernel", *versions)
    run("mcts_viz", "lessons")
    return run


def execute(run: Callable[..., None], *numbers: str) -> None:
    for number in numbers:
        (path,) = (ROOT / "notebooks").glob(f"{number}_*.ipynb")
        run("jupyter", "execute", "--inplace", f"lessons/{path.name}")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="the programs of an environment differ")
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_lessons_of_the_wheel_run(version: str, tmp_path: Path) -> None:
    """Installed from the wheel, copied out and run: they need nothing of the clone.

    And the golden traces come out the same on every Python.
    """
    python = sys.executable if sys.version.startswith(f"{version}.") else python_of(version)
    if python is None:
        pytest.skip(f"This machine has no Python {version}: install it to try.")
    run = install(python, tmp_path)
    execute(run, "00", "05")
    for name in ("golden", "golden_traces.py"):
        (tmp_path / name).symlink_to(tmp_path / "project" / "tests" / name)
    run("golden_traces")


COLAB = ["ipython==7.34", "ipywidgets==7.7.1", "traitlets==5.7.1"]


@pytest.fixture(
    scope="module", params=[("3.12", COLAB), ("3.11", oldest())], ids=["colab", "oldest"]
)
def old(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., None]:
    """A function that runs modules beside old versions of the packages that ours needs."""
    version, versions = request.param
    python = python_of(version) or sys.executable
    folder = tmp_path_factory.mktemp("old")
    return install(python, folder, *versions, "ipykernel<7", "setuptools")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="the programs of an environment differ")
@pytest.mark.parametrize("number", [path.name[:2] for path in lessons_of(ROOT / "notebooks")])
def test_a_lesson_runs_with_old_versions(number: str, old: Callable[..., None]) -> None:
    execute(old, number)
