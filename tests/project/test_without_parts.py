"""Without Graphviz, fonts, a home, a folder to write to or a network, a lesson completes.

So it does beside the widgets of Colab, which are old. One sentence says, once, what is missing, and
no request leaves the machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from repository import runs
from test_notebooks import LESSONS

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the paths of Linux and macOS are used")

NOWHERE = "/dev/null/nowhere"  # below a file, where not even root can write
READ_ONLY = "/proc" if Path("/proc/self").exists() else "/dev"  # a folder that takes no files
LESSON = next(path for path in LESSONS if path.name.startswith("04"))
SHORTER = {
    "budgets=(50, 200, 500)": "budgets=(5,)",
    "2**0.5, 10), iterations=100)": "2**0.5, 10), iterations=5)",
}
"""Its experiments, which run in full in its solution and need none of the parts."""

SITE = """
import os, socket, sys

class Refusal:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] == "pygraphviz":
            raise ModuleNotFoundError("No module named 'pygraphviz'", name=name)

sys.meta_path.insert(0, Refusal)

def refused(what, usual):
    def call(*arguments, **options):
        address = arguments[-1] if what == "connect" else arguments[0]
        host = address[0] if isinstance(address, tuple) else address
        if what == "connect" and not isinstance(address, tuple):  # of a pipe on this machine
            return usual(*arguments, **options)
        if host in ("127.0.0.1", "::1", "localhost", "", None, b"127.0.0.1"):
            return usual(*arguments, **options)
        with open(os.environ["ASKED"], "a") as file:
            file.write(f"{what} {address}\\n")
        raise OSError(101, "Network is unreachable")
    return call

socket.socket.connect = refused("connect", socket.socket.connect)
socket.socket.connect_ex = refused("connect", socket.socket.connect_ex)
socket.getaddrinfo = refused("getaddrinfo", socket.getaddrinfo)
socket.gethostbyname = refused("gethostbyname", socket.gethostbyname)
"""


@dataclass(frozen=True)
class Bare:
    """A machine on which nearly everything is missing."""

    environment: dict[str, str]
    asked: Path
    """Where every host that is asked for leaves a line."""

    def check_silence(self) -> None:
        assert not self.asked.exists(), self.asked.read_text()


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    site, programs, fonts = (tmp_path / name for name in ("site", "programs", "fonts.conf"))
    site.mkdir()
    programs.mkdir()
    (site / "sitecustomize.py").write_text(SITE)
    fonts.write_text('<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig/>')
    nowhere = ("HOME", "IPYTHONDIR", "MPLCONFIGDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR")
    nowhere += ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
    kept = ("LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV")
    environment = {
        **{name: os.environ[name] for name in kept if name in os.environ},
        **dict.fromkeys(nowhere, NOWHERE),
        "PATH": str(programs),
        "PYTHONPATH": str(site),
        "PYTHONDONTWRITEBYTECODE": "1",
        "FONTCONFIG_FILE": str(fonts),
        "ASKED": str(tmp_path / "asked"),
    }
    return Bare(environment, tmp_path / "asked")


def completed(path: Path, bare: Bare, tmp_path: Path) -> tuple[Any, str]:
    """The notebook after a run there, and what the kernel complained of outside its cells."""
    text = path.read_text("utf-8")
    for long, short in SHORTER.items():
        assert text.count(long) == 1, long
        text = text.replace(long, short)
    notebook = nbformat.reads(text, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell("import ipywidgets; ipywidgets.__version__"))
    client = NotebookClient(
        notebook,
        timeout=None,
        kernel_name="python3",
        resources={"metadata": {"path": READ_ONLY}},
        coalesce_streams=True,
    )
    with (tmp_path / "stderr").open("w") as complaints:
        client.execute(env=bare.environment, stderr=complaints)
    return notebook, (tmp_path / "stderr").read_text()


def complaints_of(notebook: Any) -> str:
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return "".join(o.text for cell in cells for o in cell.outputs if o.get("name") == "stderr")


def check(path: Path, bare: Bare, tmp_path: Path) -> None:
    notebook, outside = completed(path, bare, tmp_path)
    inside = complaints_of(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    film = {"application/vnd.jupyter.widget-view+json", "image/png"}  # a prediction has no picture
    trees = any(
        "plot_positions(" in cell.source
        or any(film <= o.get("data", {}).keys() for o in cell.outputs)
        for cell in cells
    )
    assert trees
    assert cells[-1].outputs[0].data["text/plain"] == "'7.7.1'"
    assert "raphviz" not in inside, "our own pictures need no Graphviz"
    assert "Traceback" not in inside + outside, inside + outside
    assert inside.count("is not a writable directory") <= 1, inside
    bare.check_silence()


@pytest.mark.long
def test_a_lesson_completes_without_them(bare: Bare, tmp_path: Path) -> None:
    old = ["ipywidgets==7.7.1", "ipython_genutils"]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
    subprocess.run([*pip, bare.environment["PYTHONPATH"], *old], check=True)
    check(LESSON, bare, tmp_path)


SILENT = """
from mcts_viz import MCTS, Compare, Film, Player, TicTacToe, Trace, minimax
from mcts_course import Play
from mcts_viz import record_minimax
from mcts_course import QLearner, plot_means

game = TicTacToe()
trace = MCTS(game, seed=1).record(iterations=30)
film = Film(trace)
assert film.to_svg() and film.to_png() and film.to_html() and film.to_text() and film.to_dot().svg
plot_means(trace).savefig("/dev/null", format="png")
player = Player(film, 9)
assert player.iteration == 9
assert Compare(film, film).to_html()
assert Player(record_minimax(minimax, game, game.parse("XO. .X. O.."))).film.to_html()
play = Play(game, iterations=9)
play.play(4)
play.look_inside()
QLearner(game, seed=1).train(3)
"""


@pytest.mark.long
def test_no_host_is_asked(bare: Bare) -> None:
    """Importing, searching, pictures, pages, the player and the board need no network."""
    said = runs(SILENT, cwd=READ_ONLY, env=bare.environment)
    assert "raphviz" not in said, "our own pictures need no Graphviz"
    bare.check_silence()


def test_a_host_that_is_asked_leaves_a_line(bare: Bare) -> None:
    source = "import urllib.request; urllib.request.urlopen('http://example.org/')"
    done = subprocess.run(
        [sys.executable, "-c", source], env=bare.environment, capture_output=True, check=False
    )
    assert done.returncode == 1
    assert "example.org" in bare.asked.read_text()


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
try:
    import mcts_fast
except ImportError as error:
    assert "pip install numba" in str(error), error
"""


def test_without_numba_the_compiled_search_says_how_to_get_it() -> None:
    runs(WITHOUT_NUMBA)
