"""Build the site: a front page, each lesson as a page with live players, and JupyterLite.

    python -m pip install -r site/requirements.txt
    python site/build.py --repository YOU/NAME      # into site/dist; then publish that folder

Without ``--repository`` there is nothing for Binder and Colab. ``--pyodide`` is a folder or an
archive of the Pyodide distribution, by default the one that its project publishes. Nothing that is
built asks another host for anything, but for those two links.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pdoc
from pages import Lesson, build_pages, lessons

from mcts_viz import __version__

ROOT = Path(__file__).resolve().parents[1]
PYODIDE = "https://github.com/pyodide/pyodide/releases/download/314.0.6/pyodide-314.0.6.tar.bz2"
INSTALL = """# Colab has no mcts_viz: this installs it. Elsewhere the cell does nothing.
import importlib.util
if importlib.util.find_spec("mcts_viz") is None:
    %pip install --quiet {wheel}
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("numbers", nargs="*", help="lessons such as 05; all if none")
    parser.add_argument("--output", type=Path, default=ROOT / "site" / "dist")
    parser.add_argument("--pyodide", default=PYODIDE, help='a folder or an archive; "" for none')
    parser.add_argument("--repository", default="", help="YOU/NAME on GitHub")
    given = parser.parse_args()
    chosen = [each for each in lessons(ROOT) if not given.numbers or each.number in given.numbers]
    target = given.output.resolve()
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    wheel = the_wheel(target)
    build_pages(chosen, target, given.repository)
    build_reference(target / "api")
    if given.repository:
        build_colab(chosen, target, given.repository)
    if given.pyodide:
        from lite import build_lite  # which needs packages that pages do without

        build_lite(chosen, target / "lite", given.pyodide, wheel)
    (target / ".nojekyll").touch()  # GitHub Pages is to serve the files as they are
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    print(f"{target}: {len(chosen)} lessons, {size / 1e6:.0f} MB. Open index.html.")
    return 0


def the_wheel(target: Path) -> Path:
    """The package as a wheel."""
    folder = target / "wheels"
    if not folder.exists():
        build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
        subprocess.run([*build, "--directory", folder], cwd=ROOT, check=True)
    (wheel,) = folder.glob("mcts_viz-*.whl")
    return wheel


def build_reference(target: Path) -> None:
    """Each public name of the library, by pdoc, from its signature and its docstring."""
    names = [
        *("mcts_viz", "mcts_viz.games", "mcts_viz.search", "mcts_viz.search.variants"),
        *("mcts_viz.trace", "mcts_viz.film", "mcts_watch", "mcts_viz.player"),
        *("mcts_course", "mcts_fast"),
    ]
    pdoc.render.configure(
        docformat="restructuredtext",
        footer_text=f"mcts_viz {__version__}",
        show_source=False,
    )
    with warnings.catch_warnings():
        # It warns of each type that is imported for a checker alone, and shows it as it is written.
        warnings.simplefilter("ignore")
        pdoc.pdoc(*names, output_directory=target)


def build_colab(chosen: list[Lesson], target: Path, repository: str) -> None:
    """The lessons again, each with a first cell that installs the package where it is missing."""
    owner, _, name = repository.partition("/")
    wheel = f"https://{owner.lower()}.github.io/{name}/wheels/{the_wheel(target).name}"
    for lesson in chosen:
        lesson.write(target / "colab" / lesson.path.name, repository, INSTALL.format(wheel=wheel))


if __name__ == "__main__":
    sys.exit(main())
