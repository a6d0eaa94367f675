"""A film on a page of MyST, by what its theme does: a shadow root, and a model that keeps nothing.

With ``--slow`` by the real parts, from npm: the page that ``myst build`` makes of the directives,
and the theme's own renderer with React.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from mcts_viz import Film

from .bare import Show, film, used_page

PARTS = ["mystmd@1.8.3", "@myst-theme/anywidget@1.4.1", "react@19.2.0", "react-dom@19.2.0"]
BUNDLER = "esbuild@0.25.12"

# What the theme gives a module: a place below an open shadow root, and a model that raises where it
# would keep something.
HOST = """<!doctype html><html class="light"><title>A book</title>
<style>button { background: red !important; font-size: 40px } .dark { background: #222 }</style>
<body><h1>A page</h1><div id="first"></div><p>Between</p><div id="second"></div>"""
THEME = """async (given) => {
  const refuse = (name) => () => { throw new Error(`${name} is not there`); };
  window.leaving = [];
  for (const [id, code, state] of given) {
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    const { default: widget } = await import(url);
    const changes = new EventTarget();
    const model = {
      get: (name) => state[name],
      set: (name, value) => {
        state[name] = value;
        changes.dispatchEvent(new CustomEvent(`change:${name}`, { detail: value }));
      },
      on: (name, act) => changes.addEventListener(name, act),
      off: refuse("off"), save_changes: refuse("save_changes"), send: refuse("send"),
    };
    const root = document.getElementById(id).attachShadow({ mode: "open" });
    const el = root.appendChild(document.createElement("div"));
    await widget.initialize?.({ model });
    leaving.push(await widget.render({ model, el }));
  }
}"""
# The theme's own renderer.
ENTRY = """import { createRoot } from "react-dom/client";
import { ANY_RENDERERS } from "@myst-theme/anywidget";

const Film = ANY_RENDERERS.anywidget;
const root = createRoot(document.getElementById("book"));
window.open_ = (nodes) => root.render(nodes.map((node) => <Film key={node.key} node={node} />));
window.leave = () => root.render(<p>Another page</p>);
"""
BOOK = """<!doctype html><html class="light"><link rel="icon" href="data:,"><title>A book</title>
<style>button { background: red !important; font-size: 40px } .dark { background: #222 }</style>
<body><h1>A page</h1><div id="book"></div><script type="module" src="app.js"></script>"""


def written(folder: Path) -> list[str]:
    """Two films in a folder; returns their directives."""
    other = Film(film().trace, iterations=range(1, 81))
    return [film().to_myst(folder / "one.mjs", 60, "expand"), other.to_myst(folder / "two.mjs")]


def state_in(directive: str) -> Any:
    """The model that the middle one of three lines holds."""
    first, state, last = directive.splitlines()
    assert (first.split()[0], last) == (":::{anywidget}", ":::")
    return json.loads(state)


def place(page: Page, number: int) -> tuple[str | None, str | None]:
    player = page.locator(".mcts-player").nth(number)
    return player.get_attribute("data-iteration"), player.get_attribute("data-phase")


def check_films(page: Page) -> None:
    """Keys, slider, themes: each film hears its own, and nothing of the page's style."""
    players = page.locator(".mcts-player[data-iteration]")
    expect(players).to_have_count(2)
    assert place(page, 0) == ("60", "expand")
    assert page.evaluate("scrollY") == 0, "a page opens at its top"
    button = players.first.get_by_role("button", name="Next step")
    assert button.evaluate("one => getComputedStyle(one).fontSize") == "14px"
    second = place(page, 1)
    button.click()
    assert place(page, 0) == ("60", "simulate")
    page.keyboard.press("ArrowRight")
    assert place(page, 0) == ("60", "backpropagate")
    page.keyboard.press("End")
    assert place(page, 0) == ("200", "backpropagate")
    assert place(page, 1) == second
    page.keyboard.press("v")
    expect(players.first).to_have_attribute("data-view", "walk")

    slider = players.nth(1).locator(".track input")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()
    assert 35 <= int(place(page, 1)[0] or 0) <= 45
    assert place(page, 0) == ("200", "backpropagate")

    looks = [paper(page)]
    for theme in ("dark", "light"):
        page.evaluate("theme => { document.documentElement.className = theme; }", theme)
        page.wait_for_function(
            "([one, before]) => getComputedStyle(one).backgroundColor !== before",
            arg=[players.first.element_handle(), looks[-1]],
        )
        looks.append(paper(page))
    assert looks[0] == looks[2] == "rgb(255, 255, 255)"


def paper(page: Page) -> str:
    player = page.locator(".mcts-player").first
    return str(player.evaluate("one => getComputedStyle(one).backgroundColor"))


def test_two_films_on_a_page(show: Show, tmp_path: Path) -> None:
    directives = written(tmp_path)
    page = show(HOST)
    codes = [(tmp_path / f"{name}.mjs").read_text(encoding="utf-8") for name in ("one", "two")]
    given = zip(("first", "second"), codes, map(state_in, directives), strict=True)
    page.evaluate(THEME, [list(one) for one in given])
    check_films(page)
    page.evaluate("leaving.forEach(leave => leave())")
    expect(page.locator(".mcts-player")).to_have_count(0)
    page.set_viewport_size({"width": 500, "height": 600})  # nothing of them hears it any longer


@pytest.mark.parametrize(
    ("said", "wanted"),
    [({"open": "at=120.select&view=walk"}, ("120", "select")), ({}, ("60", "expand"))],
)
def test_the_directive_says_where_it_opens_also_on_a_dark_page(
    show: Show, tmp_path: Path, said: dict[str, str], wanted: tuple[str, str]
) -> None:
    written(tmp_path)
    page = show(HOST.replace("light", "dark"))
    page.evaluate(THEME, [["first", (tmp_path / "one.mjs").read_text(encoding="utf-8"), said]])
    assert place(page, 0) == wanted
    view = "walk" if said else "river"
    assert page.locator(".mcts-player").get_attribute("data-view") == view
    assert paper(page) != "rgb(255, 255, 255)"


def test_the_file_says_the_lines_that_show_it(tmp_path: Path) -> None:
    first, _ = written(tmp_path)
    module = (tmp_path / "one.mjs").read_text(encoding="utf-8")
    assert first in module[:300]
    assert "import " not in module.split("*/", 1)[1].split("const ", 1)[0], "it needs no other file"


# With the real parts ------------------------------------------------------------------------------


class Quiet(SimpleHTTPRequestHandler):
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}  # noqa: RUF012

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def book(tmp_path: Path) -> Iterator[tuple[str, list[Any]]]:
    """The address of what myst and the theme make of two directives, and the page's widgets."""
    npm = shutil.which("npm")
    assert npm, "this test takes npm"
    directives = written(tmp_path)
    text = "# Films\n\n{}\nBetween.\n\n{}".format(*directives)
    (tmp_path / "index.md").write_text(text, encoding="utf-8")
    (tmp_path / "myst.yml").write_text(
        "version: 1\nproject: {title: Films}\nsite: {template: none}\n"
    )
    (tmp_path / "package.json").write_text("{}")
    run = partial(subprocess.run, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    run([npm, "install", "--no-audit", "--no-fund", *PARTS, BUNDLER], check=True)
    programs = tmp_path / "node_modules" / ".bin"
    run(
        [programs / "myst", "build", "--site"]
    )  # it ends with an error: a template needs the network
    public = tmp_path / "_build" / "site" / "public"
    (tmp_path / "app.jsx").write_text(ENTRY)
    (public / "index.html").write_text(BOOK)
    bundle = ["--bundle", "--format=esm", "--jsx=automatic", f"--outfile={public / 'app.js'}"]
    run([programs / "esbuild", "app.jsx", *bundle], check=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=public))
    Thread(target=server.serve_forever, daemon=True).start()
    content = json.loads((public.parent / "content" / "index.json").read_text(encoding="utf-8"))
    yield f"http://127.0.0.1:{server.server_port}/", list(widgets(content))
    server.shutdown()


def widgets(part: Any) -> Iterator[Any]:
    """The nodes of a page that its renderer for anywidgets gets."""
    if isinstance(part, dict) and part.get("type") == "anywidget":
        yield part
    for below in (
        part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    ):
        yield from widgets(below)


@pytest.mark.slow
def test_the_real_parts(browser: Browser, book: tuple[str, list[Any]]) -> None:
    address, nodes = book
    assert len(nodes) == 2
    amiss: list[str] = []

    def note(asked: Request) -> None:
        if not asked.url.startswith((address, "data:", "blob:")):
            amiss.append(asked.url)

    with used_page(browser, locale="en") as page:
        page.on("request", note)
        page.on("pageerror", lambda error: amiss.append(str(error)))
        page.goto(address)
        page.evaluate("nodes => open_(nodes)", nodes)
        check_films(page)
        page.evaluate("leave()")
        expect(page.get_by_text("Another page")).to_be_visible()
        expect(page.locator(".mcts-player")).to_have_count(0)
    assert amiss == []
