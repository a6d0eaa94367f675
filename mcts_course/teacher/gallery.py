"""The gallery of a class: one page with the projects that were handed in, two of them side by side.

What students have written is data. Of their pages the gallery takes a title, a name, a sentence
and a picture, as text and as an image, which runs nothing. A page itself opens in a sandboxed
frame: its film plays there, and it can neither read other files nor leave its frame.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

from mcts_viz.errors import MctsVizError

from ..show.paper import write
from ..show.tables import printable
from ..work.project import LONGEST, META

NAME: Final = "gallery.html"
HEAD: Final = 2_000_000
"""Characters of a page in which its facts are looked for: the picture is among them."""
MOST: Final = 1000
"""Pages of a gallery."""
PICTURE: Final = re.compile(r"data:image/svg\+xml;base64,[A-Za-z0-9+/=]{1,1500000}")
"""As an image, an SVG runs no script and loads nothing."""
POLICY: Final = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
    "frame-src 'self' file: http: https:"
)
STYLE: Final = """
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
body { margin: 1em auto; max-width: 90em; padding: 0 1em; }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(230px, 1fr)); gap: 14px;
  padding: 0; list-style: none; }
li { display: flex; flex-direction: column; gap: 4px; border: 1px solid #888; border-radius: 8px;
  padding: 10px; overflow-wrap: anywhere; }
li img { width: 100%; height: 150px; object-fit: contain; background: #fff; border-radius: 4px; }
h2 { font-size: 1.1em; margin: 0; }
p { margin: 0; }
.open { margin-top: auto; display: flex; gap: 8px; }
.open a { flex: 1; min-height: 44px; display: grid; place-items: center; border: 1px solid #888;
  border-radius: 6px; color: inherit; text-decoration: none; text-align: center; }
.open a:is(:hover, :focus-visible) { outline: 2px solid #8a2f7b; }
.stages { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30em), 1fr));
  gap: 12px; }
iframe { width: 100%; height: 80vh; border: 1px solid #888; border-radius: 8px; }
"""
EMPTY: Final = """<style>:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
</style><p>The project that you open SIDE appears here.</p>"""
"""In a frame, as long as nothing is open there."""


class Project(NamedTuple):
    """The entry of one page in a gallery; all its texts were written by a student."""

    path: Path
    title: str
    author: str
    result: str
    picture: str
    """An SVG as a ``data:`` address, or "" without one."""


class _Facts(HTMLParser):
    """The facts that a page's head states; nothing else of it is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name = given.get("name") or ""
        if tag == "meta" and name.startswith(META):
            self.found.setdefault(name.removeprefix(META), given.get("content") or "")


def read_project(path: Path) -> Project | None:
    """Return what a page says of itself; ``None`` for a file that is no project's page."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            head = file.read(HEAD).partition("</head>")[0]
    except OSError:
        return None
    facts = _Facts()
    facts.feed(head)
    if "title" not in facts.found:
        return None
    said = {name: printable(facts.found.get(name, ""))[:most] for name, most in LONGEST.items()}
    picture = facts.found.get("picture", "")
    return Project(path, **said, picture=picture if PICTURE.fullmatch(picture) else "")


def projects_in(folder: Path) -> Iterator[Project]:
    """The projects of a folder and of those in it; a link that leads out of it is not followed."""
    root = folder.resolve()
    for path in sorted(folder.rglob("*.html")):
        inside = path.resolve().is_relative_to(root)
        if inside and path.is_file() and path.name != NAME and (found := read_project(path)):
            yield found


def gallery(folder: Path) -> tuple[Path, int]:
    """Write ``gallery.html`` into a folder of handed-in pages; return its path and their number.

    Raises ``MctsVizError`` for what is not a folder, for one without a project's page, and for one
    with more than 1,000.
    """
    if not folder.is_dir():
        raise MctsVizError(f"{folder} is not a folder. Give the folder with the class's pages.")
    found = list(projects_in(folder))
    if not found:
        why = "Pages are made by project_page(...) in the lesson on one's own game."
        raise MctsVizError(f"In {folder} there is no page of a project. {why}")
    if len(found) > MOST:
        raise MctsVizError(f"{folder} has {len(found)} pages; a gallery shows at most {MOST}.")
    place = folder / NAME
    place = write(place, page_of(found, folder))
    return place, len(found)


def page_of(projects: list[Project], folder: Path) -> str:
    """Return the gallery as HTML: a card for each project, and two frames to open them in."""
    cards = "\n".join(_card(project, folder) for project in projects)
    frames = "".join(
        f'<iframe name="{side}" title="The project opened {side}" sandbox="allow-scripts" '
        f'srcdoc="{escape(EMPTY.replace("SIDE", side))}"></iframe>'
        for side in ("left", "right")
    )
    count = len(projects)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>Our games</title><style>{STYLE}</style></head>\n<body><h1>Our games</h1>\n"
        f"<p>{count} {'project' if count == 1 else 'projects'}. Open two of them below, "
        f"next to each other.</p>\n<ul>\n{cards}\n</ul>\n"
        f'<div class="stages" id="stages">{frames}</div>\n</body></html>\n'
    )


def _card(project: Project, folder: Path) -> str:
    """One project; ``quote`` leaves no character in its address that HTML could misread."""
    address = quote(project.path.relative_to(folder).as_posix())
    picture = f'<img alt="" src="{project.picture}">' if project.picture else ""
    links = "".join(
        f'<a href="./{address}" target="{side}" aria-label="Open {escape(project.title)} '
        f'{side}">Open {side}</a>'
        for side in ("left", "right")
    )
    return (
        f"<li>{picture}<h2>{escape(project.title)}</h2><p>by {escape(project.author)}</p>"
        f'<p>{escape(project.result)}</p><div class="open">{links}</div></li>'
    )
