"""Each lesson's solution as one page whose players live without a kernel, and the front page.

A player is an exported film in a frame of its own, which may run its script and nothing else. All
frames of a page share one copy of the player: the page puts each together when it comes in sight.
"""

from __future__ import annotations

import html
import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import nbformat
from latex2mathml.converter import convert
from nbclient import NotebookClient
from nbconvert.filters import markdown2html
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from mcts_viz import MCTS, Film, TicTacToe
from mcts_viz.__main__ import with_links_abroad

HERE = Path(__file__).parent
EXPORT = """
from IPython import get_ipython as _shell
from mcts_viz import Compare as _C, Film as _F, MinimaxTrace as _M, Player as _P, Trace as _T
_show = _shell().display_formatter.formatters["text/html"].for_type
_show(_P, lambda player: player.film.to_html(player.iteration, player.phase))
_show(_C, lambda pair: pair.to_html())
_show(_T, lambda trace: _F(trace).to_html())
_show(_M, lambda trace: _F(trace).to_html())
"""
HEADER = '<header><a href="../index.html">Watch Monte Carlo Tree Search think</a></header>'
MIMES = ("text/html", "text/markdown", "image/svg+xml", "image/png", "text/plain")


@dataclass(frozen=True)
class Lesson:
    """A lesson, or its solution, and what a reader calls it."""

    path: Path

    @property
    def number(self) -> str:
        return self.path.name[:2]

    @property
    def solution(self) -> Path:
        return self.path.parent / "solutions" / self.path.name

    @cached_property
    def title(self) -> str:
        first = nbformat.read(self.path, as_version=4).cells[0].source.splitlines()[0]
        return re.sub(r"^#\s*(\d+\W+)?", "", first).strip()

    def write(self, target: Path, repository: str = "", first_cell: str = "") -> None:
        """The lesson, or in a folder ``solutions`` its solution, as readers elsewhere get it."""
        solution = target.parent.name == "solutions"
        notebook = nbformat.read(self.solution if solution else self.path, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = with_links_abroad(cell.source, home(repository), solution=solution)
        if first_cell:
            notebook.cells.insert(0, nbformat.v4.new_code_cell(first_cell, id="install"))
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, target)


def lessons(root: Path) -> list[Lesson]:
    return [Lesson(path) for path in sorted((root / "notebooks").glob("[0-9][0-9]_*.ipynb"))]


def home(repository: str) -> str:
    return f"https://github.com/{repository}" if repository else ""


def build_pages(chosen: list[Lesson], target: Path, repository: str) -> None:
    """A page for each lesson and each text for teachers, and the front page."""
    (target / "lessons").mkdir()
    pages = [Page(lesson, repository) for lesson in chosen]
    with ThreadPoolExecutor(2) as workers:  # two kernels at once: each is busy on its own
        for lesson, page, body in zip(chosen, pages, workers.map(Page.body, pages), strict=True):
            text = document(lesson.title, runs(lesson, repository) + body, page.data())
            write(target / "lessons" / f"{lesson.path.stem}.html", text)
            size = len(text.encode()) / 1000
            print(f"{lesson.path.stem}: {size:,.0f} kB, {len(page.films)} players")
    for path in (chosen[0].path.parent / "GLOSSARY.md", HERE.parent / "docs" / "TEACHING.md"):
        name = path.stem
        text = prose(path.read_text("utf-8"), repository)
        write(target / "lessons" / f"{name}.html", document(name.capitalize(), text))
    write(target / "index.html", front(chosen, repository))


def write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8", newline="\n")


STILLS = '(?<=<div id="film">).*?(?=</div></main>)'
"""What of an exported film stands in the player's place until a script replaces it."""


class Films:
    """Exported films that share one copy of what is the same in all of them."""

    def __init__(self) -> None:
        self.films: list[str] = []

    def frame(self, film: str, title: str) -> str:
        """The place of a film, which the page's script fills when it comes in sight."""
        film = re.sub(STILLS, "", film, flags=re.S)  # the page shows none
        self.films.append(film)
        number = len(self.films) - 1
        return (
            f'<iframe class="film" data-film="{number}" sandbox="allow-scripts" '
            f'title="{html.escape(title)}"></iframe>'
        )

    def data(self) -> str:
        """What the page's script puts the films together from."""
        kinds: dict[int, list[int]] = {}
        for number, film in enumerate(self.films):
            kinds.setdefault(film.count('"columns"'), []).append(number)  # one film, or a pair
        films: list[Any] = [None] * len(self.films)
        ends: list[tuple[str, str]] = []
        for numbers in kinds.values():
            texts = [self.films[number] for number in numbers]
            head = same_beginning(texts)
            tail = same_beginning([text[len(head) :][::-1] for text in texts])[::-1]
            for number, text in zip(numbers, texts, strict=True):
                films[number] = [len(ends), text[len(head) : len(text) - len(tail)]]
            ends.append((head, tail))
        text = json.dumps({"ends": ends, "films": films}, separators=(",", ":"))
        text = text.replace("<", "\\u003c")  # nothing in it can end its element
        return f'<script type="application/json" id="films">{text}</script>'


def same_beginning(texts: list[str]) -> str:
    first, last = min(texts), max(texts)
    return next((first[:i] for i, sign in enumerate(first) if sign != last[i : i + 1]), first)


class Page(Films):
    """The cells of a solution, run again with every player exported."""

    def __init__(self, lesson: Lesson, repository: str) -> None:
        super().__init__()
        self.lesson, self.repository = lesson, repository

    def body(self) -> str:
        notebook = nbformat.read(self.lesson.solution, as_version=4)
        notebook.cells.insert(0, nbformat.v4.new_code_cell(EXPORT, id="export"))
        NotebookClient(
            notebook,
            timeout=None,
            kernel_name="python3",
            resources={"metadata": {"path": str(self.lesson.path.parent)}},
            coalesce_streams=True,
            store_widget_state=False,
        ).execute()
        return "\n".join(map(self.cell, notebook.cells[1:]))

    def cell(self, cell: Any) -> str:
        if cell.cell_type == "markdown":
            return f"<section>{prose(cell.source, self.repository)}</section>"
        code = highlight(cell.source, PythonLexer(), HtmlFormatter(nowrap=True))
        code = f'<pre class="code" tabindex="0"><code>{code}</code></pre>'
        if cell.metadata.get("jupyter", {}).get("source_hidden"):
            code = f"<details><summary>Code</summary>{code}</details>"
        return code + "".join(map(self.output, cell.outputs))

    def output(self, output: Any) -> str:
        if output.output_type == "stream":
            return f'<pre tabindex="0">{html.escape(output.text)}</pre>'
        data = output.get("data", {})
        kind = next((mime for mime in MIMES if mime in data), None)
        if kind == "text/html" and data[kind].startswith("<!doctype html>"):
            return self.frame(data[kind], data.get("text/plain", "A search, step by step")[:90])
        if kind == "image/png":
            words = html.escape(data.get("text/plain", "A plot"))
            return f'<img alt="{words}" src="data:image/png;base64,{data[kind].strip()}">'
        if kind == "text/markdown":
            return f'<div class="output">{prose(data[kind], self.repository)}</div>'
        if kind in ("text/html", "image/svg+xml"):
            return f'<div class="output">{data[kind]}</div>'
        return f'<pre tabindex="0">{html.escape(data[kind])}</pre>' if kind else ""


# Text ------------------------------------------------------------------------------------------


def prose(text: str, repository: str) -> str:
    """Markdown as HTML; formulas as MathML, links to lessons as links to their pages."""
    text = text.replace("](../notebooks/", "](")  # the teacher's page lies in another folder
    text = with_links_abroad(text, home(repository), solution=True)
    text = with_links_abroad(text, home(repository))
    text = re.sub(r"\]\((?:solutions/)?([\w.]+)\.(?:ipynb|md)(#[^)]*)?\)", r"](\1.html\2)", text)
    formulas: list[str] = []

    def formula(found: re.Match[str]) -> str:
        block = found[1] is not None
        formulas.append(convert(found[1] or found[2], display="block" if block else "inline"))
        return f"formula{len(formulas) - 1}x"

    text = re.sub(r"\$\$(.+?)\$\$|\$([^\s$][^$\n]*?)\$", formula, text, flags=re.S)
    made = markdown2html(text).replace("¶", "").replace("<pre>", '<pre tabindex="0">')
    made = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", made)  # an empty cell heads nothing
    return re.sub(r"formula(\d+)x", lambda found: formulas[int(found[1])], made)


def runs(lesson: Lesson, repository: str) -> str:
    """Where a lesson can be run."""
    name = lesson.path.name
    places = {"Run this lesson in the browser": f"../lite/lab/index.html?path={name}"}
    if repository:
        binder = f"https://mybinder.org/v2/gh/{repository}/HEAD?urlpath=lab/tree/notebooks/{name}"
        colab = "https://colab.research.google.com/github/"
        places |= {"Binder": binder, "Colab": f"{colab}{repository}/blob/gh-pages/colab/{name}"}
    links = (f'<a class="run" href="{place}">{words}</a>' for words, place in places.items())
    return f'<p class="runs">{"".join(links)}</p>'


def document(title: str, body: str, data: str = "", above: str = HEADER) -> str:
    """A whole page; ``above`` is what stands above its text."""
    style = (HERE / "page.css").read_text("utf-8")
    script = (HERE / "page.js").read_text("utf-8") if data else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title)} · mcts_viz</title><style>{style}</style></head>"
        f"<body>{above}<main>{body}</main>{data}"
        f'<script type="module">{script}</script></body></html>\n'
    )


def front(chosen: list[Lesson], repository: str) -> str:
    """The first page, with a player on it."""
    game, films = TicTacToe(), Films()
    trace = MCTS(game, seed=4).record(game.parse("XX. .O. ..."), iterations=200)
    player = films.frame(Film(trace).to_html(61), "A search on tic-tac-toe, step by step")
    rows = "".join(
        f'<li><a href="lessons/{lesson.path.stem}.html">'
        f'<span class="number">{lesson.number}</span>{html.escape(lesson.title)}</a>'
        f'<a class="run" href="lite/lab/index.html?path={lesson.path.name}" '
        f'aria-label="Run lesson {lesson.number}">Run</a></li>'
        for lesson in chosen
    )
    body = (HERE / "front.html").read_text("utf-8")
    for name, text in {"PLAYER": player, "LESSONS": rows, "FIRST": chosen[0].path.name}.items():
        body = body.replace(f"<!-- {name} -->", text)
    return document("Watch Monte Carlo Tree Search think", body, films.data(), above="")
