"""Each lesson's solution as one page whose players live without a kernel, and the front page.

A player is an exported film in a frame of its own, which may run its script and nothing else. All
frames of a page share one copy of the player: the page puts each together when it comes in sight.
"""

from __future__ import annotations

import base64
import html
import io
import json
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import nbformat
from latex2mathml.converter import convert
from nbconvert.filters import markdown2html
from PIL import Image, ImageOps
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from mcts_course.exported import FILM, run
from mcts_course.lessons import IN_0_2, MERGED
from mcts_course.lessons.paths import PATHS, contents, said_minutes, with_links_abroad
from mcts_viz import MCTS, Film, TicTacToe, __version__

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.append(str(ROOT / "tools"))
known = import_module("publish").known
"""The addresses of the project."""
EXPORT = HERE / "export.py"
LINK = r"\[((?:[^\[\]\\\n]|\\.)*)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)"
NAME = "Watch Monte Carlo Tree Search think"
ABOUT = (
    "Short Jupyter lessons in which you open up a Monte Carlo Tree Search and step through it: "
    "see which move it selects, which node it adds, how the playout goes, and what it learns."
)
ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cg "
    "fill='none' stroke='%2300724e' stroke-width='2'%3E%3Cpath d='M8 5v2M7 7l-3 4M9 7l3 4'/%3E"
    "%3Ccircle cx='8' cy='3' r='2'/%3E%3Ccircle cx='3' cy='13' r='2'/%3E%3Ccircle cx='13' cy='13' "
    "r='2'/%3E%3C/g%3E%3C/svg%3E"
)
WHEEL = f"mcts_viz-{__version__}-py3-none-any.whl"
TEXTS = (
    *("notebooks/GLOSSARY.md", "docs/TEACHING.md", "docs/REFERENCE.md"),
    *("docs/FRONTENDS.md", "docs/ACCESSIBILITY.md", "docs/PRIVACY.md"),
)
PLACES = {"REFERENCE": "Reference", "GLOSSARY": "Glossary", "TEACHING": "For teachers"}
MORE = {
    "FRONTENDS": "Where it runs",
    "ACCESSIBILITY": "Accessibility",
    "PRIVACY": "Privacy",
}
"""Pages to which the first one leads, and no header."""
VERBS = {
    "can_you_beat_it": "Play",
    "random_games": "Guess",
    "explore_or_exploit": "Pull",
    "four_phases": "Step",
    "what_uct_weighs": "Drag",
    "which_move": "Choose",
    "write_it_yourself": "Write",
    "perfect_play": "Prune",
    "near_the_truth": "Compare",
    "smarter_playouts": "Test",
    "bug_clinic": "Debug",
    "who_wins": "Measure",
    "my_game": "Invent",
    "luck": "Roll",
    "costs": "Plan",
    "hints": "Steer",
    "teach_itself": "Train",
    "reasoning": "Verify",
}
"""A reader's task in each lesson, in a word."""
FORMER = {
    "00_is_everything_ready": "can_you_beat_it",
    "01_what_is_a_game_tree": "perfect_play",
    "02_what_does_perfect_play_know": "perfect_play",
    "03_can_random_games_tell_a_good_move": "random_games",
    "04_explore_or_exploit": "explore_or_exploit",
    "05_what_are_the_four_phases": "four_phases",
    "06_what_does_uct_weigh": "what_uct_weighs",
    "07_which_move_and_when_to_stop": "which_move",
    "08_do_smarter_playouts_help": "smarter_playouts",
    "09_how_near_is_mcts_to_the_truth": "near_the_truth",
    "10_what_changes_in_a_larger_game": "near_the_truth",
    "11_what_is_wrong_with_this_search": "bug_clinic",
    "12_who_wins": "who_wins",
    "13_what_about_my_game": "my_game",
    "14_can_memory_guide_the_search": "hints",
    "15_can_a_search_reason": "reasoning",
    "15_hints": "hints",
    "16_teach_itself": "teach_itself",
    "17_reasoning": "reasoning",
}
FORMER |= {f"{place:02}_{topic}": MERGED.get(topic, topic) for place, topic in enumerate(IN_0_2)}
"""Addresses of pages as they were, which links elsewhere may still have."""
MIMES = ("text/html", "text/markdown", "image/svg+xml", "image/png", "text/plain")


@dataclass(frozen=True)
class Lesson:
    """A lesson, or its solution, and what a reader calls it."""

    path: Path

    @property
    def number(self) -> str:
        return self.path.name[:2]

    @property
    def topic(self) -> str:
        return self.path.stem[3:]

    @property
    def solution(self) -> Path:
        return self.path.parents[1] / "solutions" / self.path.name

    @cached_property
    def title(self) -> str:
        first = nbformat.read(self.path, as_version=4).cells[0].source.splitlines()[0]
        return re.sub(r"^#\s*(\d+\W+)?", "", first).strip()

    @property
    def minutes(self) -> str:
        """As the teacher's guide has them, such as "45"; "" if it does not say."""
        guide = (ROOT / "docs/TEACHING.md").read_text("utf-8")
        found = re.search(rf"^\| \[{self.number}\][^|]*\| (\d+)", guide, re.M)
        return found[1] if found else ""

    @property
    def picture(self) -> str:
        """The first picture of its solution, small, as the address of an image."""
        cells = nbformat.read(self.solution, as_version=4).cells
        outputs = (out for cell in cells for out in cell.get("outputs", ()))
        found = (out.data["image/png"] for out in outputs if "image/png" in out.get("data", {}))
        if not (first := next(found, "")):
            return ""
        image = Image.open(io.BytesIO(base64.b64decode(first))).convert("RGB")
        file = io.BytesIO()
        ImageOps.pad(image, (320, 180), color="white").quantize(32).save(file, "png", optimize=True)
        return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()

    def write(
        self, target: Path, repository: str = "", first_cell: str = "", here: str = r"(?!)"
    ) -> None:
        """The lesson, or in a folder ``solutions`` its solution, as readers elsewhere get it."""
        solution = target.parent.name == "solutions"
        notebook = nbformat.read(self.solution if solution else self.path, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = with_links_abroad(cell.source, home(repository), here)
        if first_cell:
            notebook.cells.insert(0, nbformat.v4.new_code_cell(first_cell, id="install"))
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, target)


def lessons(root: Path) -> list[Lesson]:
    return [Lesson(path) for path in sorted((root / "notebooks").glob("[0-9][0-9]_*.ipynb"))]


def home(repository: str) -> str:
    return f"https://github.com/{repository}" if repository else ""


def build_pages(chosen: list[Lesson], target: Path, repository: str) -> None:
    """A page for each lesson and each text, the front page, and the search."""
    folder = target / "lessons"
    folder.mkdir()
    pages = [Page(lesson, repository) for lesson in chosen]
    sections: list[tuple[str, str, str]] = []
    with ThreadPoolExecutor(2) as workers:  # two kernels at once: each is busy on its own
        for lesson, page, body in zip(chosen, pages, workers.map(Page.body, pages), strict=True):
            title = f"{lesson.number} · {lesson.title}"
            data = page.data() + steps_of_paths(chosen)
            text = document(lesson.title, runs(lesson, repository) + body, repository, data)
            write(folder / f"{lesson.path.stem}.html", text)
            sections += sections_of(f"lessons/{lesson.path.stem}.html", title, body)
            size = len(text.encode()) / 1000
            print(f"{lesson.path.stem}: {size:,.0f} kB, {len(page.films)} players")
    for name in TEXTS:
        path = ROOT / name
        body = prose(path.read_text("utf-8"), path, repository)
        title = (PLACES | MORE)[path.stem]
        write(folder / f"{path.stem}.html", document(title, body, repository))
        sections += sections_of(f"lessons/{path.stem}.html", title, body)
    names = {lesson.topic: lesson.path.stem for lesson in chosen}
    for old, topic in FORMER.items():
        if topic in names and old != names[topic]:
            write(folder / f"{old}.html", moved(f"{names[topic]}.html"))
    for name in PATHS:
        write(folder / f"{name}.html", path_page(name, lessons(ROOT), repository))
    write(target / "search.html", search(sections, repository))
    film = front_film()
    write(target / "film.html", film)
    shutil.copyfile(ROOT / "docs/player.png", target / "picture.png")
    write(target / "index.html", front(chosen, film, repository))


def path_page(name: str, chosen: list[Lesson], repository: str) -> str:
    """The contents of a path; its links say which path it is, and each lesson follows it."""
    titles = {lesson.topic: lesson.title for lesson in chosen}
    firsts = {one.topic: nbformat.read(one.path, as_version=4).cells[0].source for one in chosen}
    minutes = {topic: said_minutes(first) for topic, first in firsts.items()}
    text = contents(PATHS[name], titles, minutes)
    body = prose(text, ROOT / "notebooks" / "CONTENTS.md", repository)
    body = re.sub(r'href="(\d\d_\w+\.html)"', rf'href="\1?path={name}"', body)
    if repository:
        place = f"https://mybinder.org/v2/gh/{repository}/v{__version__}?urlpath=lab/tree/paths/"
        body += f'<p class="runs"><a class="run" href="{place}{name}/CONTENTS.md">Binder</a></p>'
    return document(PATHS[name].title, body, repository)


def steps_of_paths(chosen: list[Lesson]) -> str:
    """The pages of each path's lessons and their titles, for the page's script."""
    pages = {one.topic: [f"{one.path.stem}.html", f"{one.number} · {one.title}"] for one in chosen}
    steps = {
        name: [pages[topic] for topic in way.topics if topic in pages]
        for name, way in PATHS.items()
    }
    text = json.dumps(steps).replace("<", "\\u003c")
    return f'<script type="application/json" id="paths">{text}</script>'


def moved(place: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Moved</title>'
        f'<meta http-equiv="refresh" content="0; url={place}"></head>'
        f'<body><a href="{place}">This lesson has a new address.</a></body></html>\n'
    )


def sections_of(place: str, title: str, body: str) -> list[tuple[str, str, str]]:
    """The entries of the search index: an address, a heading, and the words below it."""
    found = []
    text = re.sub(r"<(script|svg|style)\b.*?</\1>", " ", body, flags=re.S)
    for part in re.split(r"(?=<h[1-3]\b)", text):
        anchor, heading = re.match(r'(?:<h\d id="([^"]*)">(.*?)</h\d>)?', part, re.S).groups("")  # type: ignore[union-attr]
        words = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", part)).split())
        heading = html.unescape(re.sub(r"<[^>]+>", "", heading)).strip(" ¶")
        if words:
            named = title if heading in ("", title) else f"{title}: {heading}"
            found.append((f"{place}#{anchor}" if anchor else place, named, words))
    return found


def search(sections: list[tuple[str, str, str]], repository: str) -> str:
    index = json.dumps(sections, separators=(",", ":")).replace("<", "\\u003c")
    body = (
        '<h1>Search</h1><p><label>Words <input id="words" type="search" autofocus></label> '
        '<output id="count"></output></p><ol id="found"></ol>'
        f'<script type="application/json" id="index">{index}</script>'
    )
    return document("Search", body, repository, up="")


def write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8", newline="\n")


STILLS = '(?<=<div id="film">).*?(?=</div></main>)'
"""The part of an exported film that fills the player's place until a script replaces it."""


class Films:
    """Exported films that share one copy of what is the same in all of them."""

    def __init__(self) -> None:
        self.films: list[str] = []

    def frame(self, film: str, title: str, opens: str = "") -> str:
        """The place of a film, which the page's script fills when it comes in sight.

        It ``opens`` as an exported film's address may say.
        """
        film = re.sub(STILLS, "", film, flags=re.S)  # the page shows none
        self.films.append(film)
        number = len(self.films) - 1
        return (
            f'<iframe class="film" data-film="{number}" sandbox="allow-scripts" '
            f'data-opens="{html.escape(opens)}" title="{html.escape(title)}"></iframe>'
        )

    def data(self) -> str:
        """The data from which the page's script puts the films together; "" if there are none."""
        if not self.films:
            return ""
        kinds: dict[int, list[int]] = {}
        for number, film in enumerate(self.films):
            held = film.count('"columns":{')  # one film, a pair, or none
            kinds.setdefault(held, []).append(number)
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
        notebook.cells.insert(0, nbformat.v4.new_code_cell(EXPORT.read_text("utf-8"), id="export"))
        run(notebook, self.lesson.path.parent)
        return "\n".join(map(self.cell, notebook.cells[1:]))

    def cell(self, cell: Any) -> str:
        if cell.cell_type == "markdown":
            return f"<section>{self.prose(cell.source)}</section>"
        if re.fullmatch(r"(\w+\.value = .*|predictions\(\))", cell.source):
            return ""  # a solution's guess, where the reader makes one
        code = highlight(cell.source, PythonLexer(), HtmlFormatter(nowrap=True))
        code = f'<pre class="code" tabindex="0"><code>{code}</code></pre>'
        if cell.metadata.get("jupyter", {}).get("source_hidden"):
            code = f"<details><summary>Code</summary>{code}</details>"
        return f'<div class="cell">{code}{"".join(map(self.output, cell.outputs))}</div>'

    def output(self, output: Any) -> str:
        if output.output_type == "stream":  # what goes to stderr is a bar that was on its way
            words = html.escape(output.text)
            return f'<pre tabindex="0">{words}</pre>' if output.name == "stdout" else ""
        data = output.get("data", {})
        kind = next((mime for mime in MIMES if mime in data), None)
        if kind == "text/html" and data[kind].startswith(FILM):
            return self.frame(data[kind], data.get("text/plain", "A search, step by step")[:90])
        if kind == "image/png":
            words = html.escape(output.metadata.get(kind, {}).get("alt", "A plot"))
            source = f"data:image/png;base64,{data[kind].strip()}"
            return f'<img class="plot" alt="{words}" src="{source}">'
        if kind == "text/markdown":
            return f'<div class="output" tabindex="0">{self.prose(data[kind])}</div>'
        if kind in ("text/html", "image/svg+xml"):
            return f'<div class="output" tabindex="0">{data[kind]}</div>'
        return f'<pre tabindex="0">{html.escape(data[kind])}</pre>' if kind else ""

    def prose(self, text: str) -> str:
        return prose(text, self.lesson.solution, self.repository)


# Text ------------------------------------------------------------------------------------------


def prose(text: str, path: Path, repository: str) -> str:
    """The Markdown of the file ``path`` as HTML; formulas as MathML, links to where they lead."""

    def link(found: re.Match[str]) -> str:
        file = (path.parent / found[2]).resolve()
        part = found[3] or ""
        lesson = file.suffix == ".ipynb" and file.parent in (ROOT / "notebooks", ROOT / "solutions")
        if lesson or file.stem in PLACES:
            return f"[{found[1]}]({file.stem}.html{part})"
        place = f"{home(repository)}/blob/HEAD/{file.relative_to(ROOT).as_posix()}{part}"
        return f"[{found[1]}]({place})" if repository else found[1]

    text = re.sub(LINK, link, text)
    formulas: list[str] = []

    def formula(found: re.Match[str]) -> str:
        block = found[1] is not None
        formulas.append(convert(found[1] or found[2], display="block" if block else "inline"))
        return f"formula{len(formulas) - 1}x"

    text = re.sub(r"\$\$(.+?)\$\$|\$([^\s$][^$\n]*?)\$", formula, text, flags=re.S)
    made = markdown2html(text).replace("¶", "").replace("<pre>", '<pre tabindex="0">')
    made = made.replace("<table>", '<div class="wide" tabindex="0"><table>')
    made = made.replace("</table>", "</table></div>")
    made = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", made)  # an empty cell heads nothing
    return re.sub(r"formula(\d+)x", lambda found: formulas[int(found[1])], made)


def runs(lesson: Lesson, repository: str) -> str:
    """The places where a lesson can be run."""
    name = lesson.path.name
    places = {"Run this lesson in the browser": f"../lite/lab/index.html?path=notebooks/{name}"}
    if repository:
        binder = f"https://mybinder.org/v2/gh/{repository}/v{__version__}"
        binder += f"?urlpath=lab/tree/notebooks/{name}"
        colab = "https://colab.research.google.com/github/"
        places |= {"Binder": binder, "Colab": f"{colab}{repository}/blob/gh-pages/colab/{name}"}
    links = [f'<a class="run" href="{place}">{words}</a>' for words, place in places.items()]
    fresh = f'<a class="fresh" href="../lite/lab/index.html?path=notebooks/{name}">Start afresh</a>'
    return f'<p class="runs">{"".join(links)}{fresh}</p>'


def document(title: str, body: str, repository: str, data: str = "", up: str = "../") -> str:
    """A whole page; ``up`` leads to the site's first page."""
    style = (HERE / "page.css").read_text("utf-8")
    script = (HERE / "page.js").read_text("utf-8")
    places = {f"{up}index.html": "Lessons"}
    places |= {f"{up}lessons/{name}.html": words for name, words in PLACES.items()}
    places |= {f"{up}search.html": "Search"}
    seen = ""
    if repository:
        places |= {home(repository): "GitHub"}
        owner, _, name = repository.partition("/")
        picture = f"https://{owner.lower()}.github.io/{name}/picture.png"
        seen = f'<meta property="og:image" content="{picture}">'
    links = "".join(f'<a href="{place}">{words}</a>' for place, words in places.items())
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="description" content="{html.escape(ABOUT)}">'
        f'<meta property="og:title" content="{html.escape(title)}">{seen}'
        f'<link rel="icon" href="{ICON}">'
        f"<title>{html.escape(title)} · mcts_viz</title><style>{style}</style></head>"
        f"<body><header><nav>{links}</nav></header><main>{body}</main>{data}"
        f'<script type="module">{script}</script></body></html>\n'
    )


def front_film() -> str:
    """README's search: in iteration 61 it picks a move that has lost all four of its games."""
    game = TicTacToe()
    trace = MCTS(game, c=1.41, seed=4).record(game.parse("XX. .O. ..."), iterations=200)
    return Film(trace).to_html(60, "backpropagate")


def front(chosen: list[Lesson], film: str, repository: str) -> str:
    """The first page, with a player that goes through one iteration by itself."""
    films = Films()
    opens = "at=60.backpropagate&end=61&autoplay"
    player = films.frame(film, "A search on tic-tac-toe, step by step", opens)
    cards = "".join(map(card, chosen))
    body = (HERE / "front.html").read_text("utf-8")
    places = {"PLAYER": player, "LESSONS": cards, "FIRST": chosen[0].path.name}
    places |= {"WHEEL": WHEEL, "PACKAGE": html.escape(package(repository))}
    for name, text in places.items():
        body = body.replace(f"<!-- {name} -->", text)
    return document(NAME, body, repository, films.data(), up="")


def package(repository: str) -> str:
    """The package that pip installs: a name only where it is ours, else the wheel of the site."""
    if known().on_pypi:
        return "mcts_viz[lab]"
    if not repository:
        return f"./{WHEEL}[lab]"
    owner, _, name = repository.partition("/")
    return f"mcts_viz[lab] @ https://{owner.lower()}.github.io/{name}/wheels/{WHEEL}"


def card(lesson: Lesson) -> str:
    about = " · ".join(filter(None, [VERBS[lesson.topic], f"{lesson.minutes} minutes"]))
    picture = f'<img class="plot" alt="" src="{lesson.picture}">' if lesson.picture else ""
    return (
        f'<li><a href="lessons/{lesson.path.stem}.html">{picture}<span class="number">'
        f"{lesson.number}</span> <strong>{html.escape(lesson.title)}</strong></a>"
        f'<p>{about}<a class="run" href="lite/lab/index.html?path={lesson.path.name}" '
        f'aria-label="Run lesson {lesson.number}">Run</a></p></li>'
    )
