"""The ways in: addresses are known in one place, and a build reads none of them from a text."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml
from pythons import copy_project, program_of
from repository import ROOT, project_files

sys.path.append(str(ROOT / "tools"))
publish = import_module("publish")
NOWHERE = publish.Addresses()
GITHUB = publish.Addresses("https://github.com/ada/trees", "https://ada.github.io/trees/")
GITLAB = publish.Addresses("https://gitlab.com/ada/group/trees", "https://ada.gitlab.io/trees/")
PYPI = publish.Addresses(GITHUB.repository, GITHUB.site, on_pypi=True)
README = (ROOT / "README.md").read_text("utf-8")


def published(where: object, folder: Path) -> str:
    """README.md of a copy that is published there."""
    for name in ("README.md", "pyproject.toml", "mcts_viz/__init__.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    publish.publish(where, folder)
    return (folder / "README.md").read_text("utf-8")


def test_readme_says_what_pyproject_knows() -> None:
    assert publish.filled(README, publish.known(), f"v{publish.version()}") == README


def test_without_an_address_no_link_leads_to_one() -> None:
    page = publish.filled(README, NOWHERE, "v1")
    assert "OWNER" not in page
    assert not re.search(r"mybinder|colab\.research|pip install mcts_viz", page)
    assert 'pip install ".[lab]"' in page
    assert page.index("-m jupyterlab") > page.index("git clone")


@pytest.mark.parametrize(
    ("where", "found", "missing"),
    [
        (
            GITHUB,
            [
                "(https://ada.github.io/trees/)",
                "gh/ada/trees/v1?",
                "git+https://github.com/ada/trees",
            ],
            [],
        ),
        (
            GITLAB,
            ["(https://ada.gitlab.io/trees/)", "git clone https://gitlab.com/ada/group/trees"],
            ["binder"],
        ),
        (PYPI, ['pip install "mcts_viz[lab]"'], ["git+"]),
    ],
    ids=["GitHub", "GitLab", "PyPI"],
)
def test_all_places_follow_one_command(
    where: object, found: list[str], missing: list[str], tmp_path: Path
) -> None:
    page = published(where, tmp_path)
    assert publish.known(tmp_path) == where
    for text in found:
        assert text.replace("v1", f"v{publish.version()}") in page
    for text in missing:
        assert text not in page
    assert published(NOWHERE, tmp_path / "back") == publish.filled(README, NOWHERE, "v1")


def test_no_page_installs_a_package_by_a_name_that_is_not_ours() -> None:
    """While our package is not on PyPI, pip would install a stranger's package of that name."""
    if publish.known().on_pypi:
        return
    by_name = re.compile(r"pip install [^\n]*(?<![\w./-])mcts_viz(?!/|\[lab\] @)")
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in project_files()
        if path.suffix in {".md", ".py", ".html", ".ipynb", ".toml"} and "tests" not in path.parts
        for match in by_name.finditer(path.read_text("utf-8"))
        if path.name != "publish.py"
    ]
    assert found == []


@pytest.mark.long
@pytest.mark.parametrize("page", ["as it is", "another one", "none"])
def test_the_package_builds_whatever_readme_says(page: str, tmp_path: Path) -> None:
    project = copy_project(tmp_path / "project")
    publish.publish(GITLAB, project)
    if page == "none":
        (project / "README.md").unlink()
    if page == "another one":
        (project / "README.md").write_text(
            "# Ours\n\n![a](b.png) [c](d.md) [e](https://f.org)\n", "utf-8"
        )
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "-w", tmp_path, project], check=True, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as archive:
        (about,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        text = archive.read(about).decode()
    assert "Project-URL: Source, https://gitlab.com/ada/group/trees" in text
    if page == "another one":
        assert "![a](https://gitlab.com/ada/group/trees/raw/HEAD/b.png)" in text
        assert "[c](https://gitlab.com/ada/group/trees/blob/HEAD/d.md) [e](https://f.org)" in text


def parts() -> dict[str, str]:
    """The tests of each part of the nightly workflow, by name."""
    flow = yaml.safe_load((ROOT / ".github/workflows/nightly.yml").read_text("utf-8"))
    return {
        part["part"]: part["tests"]
        for part in flow["jobs"]["part"]["strategy"]["matrix"]["include"]
    }


def runs(chosen: str, number: str) -> bool:
    """True if pytest's ``-k chosen`` runs the lesson of this number in JupyterLite."""
    name = f"test_a_lesson_runs_in_jupyterlite[{number}]"
    return bool(eval(re.sub(r"\b(?!not\b|or\b|and\b)\w+", lambda m: str(m[0] in name), chosen)))


def test_each_file_of_tests_is_in_one_part_of_the_night() -> None:
    files = {path for path in project_files() if re.fullmatch(r"test_\w+\.py", path.name)}
    files |= {*(ROOT / "notebooks").glob("*.ipynb"), *(ROOT / "solutions").glob("*.ipynb")}
    seen: dict[Path, list[str]] = {file: [] for file in files}
    for tests in parts().values():
        words = shlex.split(tests)
        chosen = words[words.index("-k") + 1] if "-k" in words else ""
        left_out = {ROOT / word.partition("=")[2] for word in words if word.startswith("--ignore=")}
        places = [
            ROOT / word for word in words if word.startswith(("tests", "notebooks", "solutions"))
        ]
        for file in files - left_out:
            if any(place == file or place in file.parents for place in places):
                seen[file].append(chosen)
    site = seen.pop(ROOT / "tests/browser/test_site.py")
    assert site[0] == "not jupyterlite"
    numbers = [path.name[:2] for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))]
    chosen = {number: [part for part in site[1:] if runs(part, number)] for number in numbers}
    assert {number: found for number, found in chosen.items() if len(found) != 1} == {}
    halves = [found for found in seen.values() if len(found) == 2 and found[1] == f"not {found[0]}"]
    whole = [found for found in seen.values() if found == [""]]
    assert {file.name: found for file, found in seen.items() if found not in whole + halves} == {}


@pytest.mark.slow
def test_binder_installs_the_requirements_before_it_copies(tmp_path: Path) -> None:
    """So a push that changes a lesson builds in a moment."""
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    program = program_of(environment)
    subprocess.run([program, "-m", "pip", "install", "--quiet", "jupyter-repo2docker"], check=True)
    project = copy_project(tmp_path / "project")
    command = [program, "-m", "repo2docker", "--no-build", "--debug", project]
    made = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    installed = made.index('pip install --no-cache-dir -r "binder/requirements.txt"')
    copied = made.index("COPY --chown=0:0 src/ ${REPO_DIR}/")
    assert installed < copied < made.index("RUN ./binder/postBuild")
