"""Make the lessons and their solutions, each pair from one source in Markdown.

    python -m mcts_course.build                 # all of them
    python -m mcts_course.build 03 which_move   # these, by number or topic
    python -m mcts_course.build --slides 03     # one page for the projector, slides_03.html

``mcts_course/lessons/TOPIC.md`` is the source, in jupytext's Markdown. The lesson gets its cells
without those tagged ``solution``, and no outputs; the solution gets them without those tagged
``lesson``, is run, and keeps its outputs as pictures and text. What a reveal shows and what the
exercises say goes into ``TOPIC.json``. Last the glossary is written, from the tables of words. A
solution that fails, or warns, is left as it was.
"""

from __future__ import annotations

import argparse
import ast
import base64
import io
import json
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

import nbformat
from matplotlib.mathtext import math_to_image
from nbclient.exceptions import CellExecutionError
from nbconvert import HTMLExporter
from nbconvert.preprocessors import TagRemovePreprocessor
from nbformat import NotebookNode

from .exported import FILM, SHOW_FILMS, run
from .lessons import ORDER, number_of, stem_of

NO_SOURCES = (
    "The sources of the lessons are not in the installed package: clone the repository, and there "
    "run `python -m pip install -r tests/quick.txt`."
)
try:
    import jupytext
except ImportError:
    sys.exit(NO_SOURCES)

SOURCES = Path(__file__).resolve().parent / "lessons"
NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
SOLUTIONS = NOTEBOOKS.parent / "solutions"
BLOCK = re.compile(r"^```(reveal|texts) (\w+)\n(.*?)^```\n*", re.M | re.S)
"""Texts that the lesson shows only later: ``reveal`` a prediction, or ``texts`` of an exercise."""
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
SHOWN = ("image/png", "text/html", "text/markdown", "text/plain")  # all readers show these
SLIDES = """<style>
html { scroll-snap-type: y proximity; }
body { --jp-content-font-size1: 20px; --jp-ui-font-size1: 18px; }
.jp-Cell:has(h1, h2) { scroll-snap-align: start; break-before: page; margin-top: 70vh; }
.jp-Cell:has(h1) { margin-top: 0; }
.jp-Cell-outputWrapper { margin-left: calc(var(--jp-cell-prompt-width) + 9px); }
.jp-OutputArea-output img { zoom: 1.5; max-height: 50vh; max-width: 100%; }
iframe { border: 0; display: block; height: max(500px, 74vh); width: 100%; }
@media (min-height: 900px) { iframe { zoom: 1.4; height: 53vh; } }
</style>
"""
ANSWERED = (
    "*The [lesson](../notebooks/{name}) with its answers and outputs. "
    "Look here when you have an answer yourself.*"
)
GLOSSARY = """# Glossary

The words of the course, as its lessons explain them, each with its name in the code.

| term | meaning | in the code | lesson |
|---|---|---|---|
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("lessons", nargs="*", help="such as 03 or which_move; all if none")
    parser.add_argument("--slides", action="store_true", help="pages of slides, in this folder")
    given = parser.parse_args()
    os.environ["TQDM_DISABLE"] = "1"  # in the kernels: a progress bar is gone at the end anyway
    chosen = [
        path
        for path in sources()
        if not given.lessons or {path.stem, number_of(path.stem)} & set(given.lessons)
    ]
    if given.slides:
        for path in chosen:
            target = Path(f"slides_{number_of(path.stem)}.html")
            _write_text(slides(path), target)
            print(f"The slides of lesson {number_of(path.stem)} are {target}: open it in a browser.")
        return 0 if chosen else 2
    for path in chosen:
        _write_text(json.dumps(texts(path), indent=1, ensure_ascii=False) + "\n", texts_file(path))
        _write(lesson(path), NOTEBOOKS / f"{stem_of(path.stem)}.ipynb")
    _write_text(glossary(), NOTEBOOKS / "GLOSSARY.md")
    return max([_answer(path) for path in chosen], default=2)


def sources() -> list[Path]:
    """Return the sources of all lessons, in order."""
    found = [path for topic in ORDER if (path := SOURCES / f"{topic}.md").exists()]
    return found or sys.exit(NO_SOURCES)


def texts_file(source: Path) -> Path:
    """The file with what a lesson says later; it is part of the package, the source is not."""
    return source.with_suffix(".json")


def texts(source: Path) -> dict[str, Any]:
    """Return what a reveal shows, by question, and what the exercises say, by name."""
    text = source.read_text("utf-8")
    asked = dict(_asked(_without_blocks(source)))
    reveals, exercises = {}, {}
    for kind, name, inside in BLOCK.findall(text):
        if kind == "texts":
            exercises[name] = tomllib.loads(inside)
        elif name in asked:
            reveals[asked[name]] = _linked(inside.strip())
        else:
            raise ValueError(f"{source.name}: no cell asks with {name} = predict(…).")
    return {"reveals": reveals, "exercises": exercises}


def _asked(made: Any) -> Iterator[tuple[str, str]]:
    """The names that hold predictions, each with its question."""
    for cell in made.cells:
        for node in ast.walk(ast.parse(cell.source)) if cell.cell_type == "code" else ():
            if isinstance(node, ast.Assign) and _is_predict(node.value):
                (target,) = node.targets
                yield ast.unparse(target), ast.literal_eval(node.value.args[0])  # type: ignore[attr-defined]


def _is_predict(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "predict"


def _asks(cell: Any) -> bool:
    """True if a cell asks for a prediction: the student reads its field, and not its code."""
    return cell.cell_type == "code" and any(map(_is_predict, ast.walk(ast.parse(cell.source))))


def lesson(source: Path) -> Any:
    """The notebook of the student: nothing is answered, and nothing was run."""
    made = _without("solution", source)
    link = nbformat.v4.new_markdown_cell(f"[Solutions](../solutions/{stem_of(source.stem)}.ipynb)")
    link.id = "solutions"
    ends = [at for at, cell in enumerate(made.cells) if cell.source.startswith("## In five")]
    made.cells.insert(ends[0] if ends else len(made.cells), link)
    return made


def solution(source: Path) -> Any:
    """The answered notebook, before it is run."""
    made = _without("lesson", source)
    for cell in made.cells:
        if cell.cell_type == "markdown":
            cell.source = _seen_from_solutions(cell.source)
    title, *rest = made.cells[0].source.split("\n", 1)
    made.cells[0].source = "\n".join(
        [title, "", ANSWERED.format(name=f"{stem_of(source.stem)}.ipynb"), *rest]
    )
    return made


def slides(source: Path) -> str:
    """One page of a lesson for the projector, from its solution, which is run.

    Each section is a slide, with its first paragraph, pictures and films; title, words, algorithm
    and recap are shown whole. It needs no network: formulas are pictures, and a film has its
    script in its frame.
    """
    made = solution(source)
    made.cells.insert(0, nbformat.v4.new_code_cell(SHOW_FILMS))
    run(made, NOTEBOOKS)
    _keep_what_is_shown(made)
    whole = ("# ", "## The words", "## The algorithm", "## In five")
    cells = []
    for cell in made.cells:
        if cell.cell_type == "markdown" and cell.source.startswith("#"):
            parts = cell.source.split("\n\n")
            parts = parts[:2] if not cell.source.startswith(whole) else parts
            parts = [part for part in parts if not re.match(r"\*The \[lesson\]|Previous:|Next:", part)]
            cell.source = re.sub(r"\[([^]]*)\]\((?!https?:)[^)]*\)", r"\1", "\n\n".join(parts))
            cell.source = re.sub(r"\$\$(.+?)\$\$", _formula, cell.source, flags=re.S)
            cells.append(cell)
        elif cell.cell_type == "code":
            cell.outputs = [out for out in cell.outputs if "image/png" in out.get("data", {})]
            for output in cell.outputs:
                _frame(output.data)
            cells += [cell] if cell.outputs else []
    made.cells = cells
    exporter = HTMLExporter(exclude_input=True, exclude_output_prompt=True)
    page: str = exporter.from_notebook_node(made)[0]
    page = re.sub(r"<script.*?</script>", "", page, flags=re.S)
    return page.replace("</head>", f"{SLIDES}</head>", 1)


def _frame(data: Any) -> None:
    """Put a film into a frame, as light as the page, that runs its script and nothing else."""
    if (film := data.get("text/html", "")).startswith(FILM):
        title = escape(data["text/plain"].partition("\n")[0])
        film = film.replace("<html", '<html theme="light" style="color-scheme: light"', 1)
        frame = f'<iframe title="{title}" sandbox="allow-scripts" allow="fullscreen"'
        data["text/html"] = f'{frame} srcdoc="{escape(film)}"></iframe>'


def _formula(found: re.Match[str]) -> str:
    """A formula as a picture, with its source as the text."""
    picture, formula = io.BytesIO(), found[1].replace(r"\text", r"\mathrm")
    math_to_image(f"${formula}$", picture, dpi=160, format="png")
    data = base64.b64encode(picture.getvalue()).decode("ascii")
    return f'<img alt="{escape(found[1])}" src="data:image/png;base64,{data}">'


def _without_blocks(source: Path) -> Any:
    return jupytext.reads(BLOCK.sub("", source.read_text("utf-8")), fmt="md")


def _without(tag: str, source: Path) -> Any:
    """The cells of a source but those with ``tag``, each with an id that follows from its text."""
    made = _without_blocks(source)
    made.metadata = NotebookNode(METADATA)
    _lead(made.cells[0], source.stem)
    for cell in made.cells:
        if cell.cell_type == "markdown":
            cell.source = _linked(cell.source)
    seen: dict[str, int] = {}
    for cell in made.cells:
        key = sha256(cell.source.encode()).hexdigest()[:8]
        seen[key] = seen.get(key, 0) + 1
        cell.id = key if seen[key] == 1 else f"{key}-{seen[key]}"
    made, _ = TagRemovePreprocessor(enabled=True, remove_cell_tags={tag}).preprocess(made, {})
    for cell in made.cells:
        tags = set(cell.metadata.get("tags", ())) - {"lesson", "solution"}
        cell.metadata = NotebookNode({"tags": sorted(tags)} if tags else {})
        if tags & {"hide-input", "check"} or _asks(cell):
            cell.metadata["jupyter"] = NotebookNode({"source_hidden": True})
    return made


def _lead(cell: Any, topic: str) -> None:
    """Give the first cell its number, and links to the lessons before and after."""
    cell.source = re.sub("^# ", f"# {number_of(topic)} · ", cell.source)
    topics = [path.stem for path in sources()]
    at = topics.index(topic)
    links = {"Previous": topics[max(at - 1, 0) : at], "Next": topics[at + 1 : at + 2]}
    words = [f"{word}: [{_name(one)}]({one}.ipynb)" for word, found in links.items() for one in found]
    cell.source += f"\n\n{' · '.join(words)}"


def _name(topic: str) -> str:
    """The number and the title of a lesson."""
    return f"{number_of(topic)} · {(SOURCES / f'{topic}.md').read_text('utf-8').splitlines()[0][2:]}"


def _linked(text: str) -> str:
    """Topics in braces become the number of their lesson, and topics in links its file.

    The title of a lesson that is not written yet is no link.
    """
    topics = "|".join(ORDER)
    text = re.sub(rf"\{{({topics})\}}", lambda m: f"[lesson {number_of(m[1])}]({m[1]}.ipynb)", text)

    def link(found: re.Match[str]) -> str:
        words, topic = found.groups()
        written = (SOURCES / f"{topic}.md").exists()
        return f"[{words}]({stem_of(topic)}.ipynb)" if written else words

    return re.sub(rf"\[([^\]]*)\]\(({topics})\.ipynb\)", link, text)


def _seen_from_solutions(text: str) -> str:
    """Lead links to the same files from the other folder, and to the solutions of other lessons."""
    return re.sub(r"\]\((?![a-z]+:|#|\d\d_|\.\./)", "](../notebooks/", text)


# Running -------------------------------------------------------------------------------------


def _answer(source: Path) -> int:
    """Run a solution and write it; 1 if it fails or warns."""
    path = SOLUTIONS / f"{stem_of(source.stem)}.ipynb"
    made = solution(source)
    try:
        run(made, NOTEBOOKS)
    except CellExecutionError as error:
        print(f"{path.name} fails:\n{error}", file=sys.stderr)
        return 1
    if warnings := "".join(o.text for o in _outputs(made) if o.get("name") == "stderr"):
        print(f"{path.name} warns:\n{warnings}", file=sys.stderr)
        return 1
    _keep_what_is_shown(made)
    written = _write(made, path)
    print(f"{path.name}: {'rewritten' if written else 'as before'}, {path.stat().st_size:,} bytes")
    return 0


def _outputs(notebook: Any) -> list[Any]:
    return [o for cell in notebook.cells if cell.cell_type == "code" for o in cell.outputs]


def _keep_what_is_shown(notebook: Any) -> None:
    """Pictures and text; no widget, which needs a kernel, and nothing that a run changes."""
    notebook.metadata = NotebookNode(METADATA)
    for output in _outputs(notebook):
        if "data" in output:
            output["data"] = {form: output.data[form] for form in SHOWN if form in output.data}
            output.metadata = NotebookNode({})
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("data", True)]


def _write(notebook: Any, path: Path) -> bool:
    return _write_text(nbformat.writes(notebook) + "\n", path)


def _write_text(text: str, path: Path) -> bool:
    """Write a text that is not there yet; True if it was written."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.write_text(text, encoding="utf-8", newline="\n")
    return True


# The glossary ----------------------------------------------------------------------------------


def glossary() -> str:
    """The words of all lessons, in alphabetical order: each is explained in one lesson."""
    found = {row: None for path in sources() for row in _words(path)}
    return GLOSSARY + "".join(f"{row}\n" for row in sorted(found, key=_letters))


def _words(source: Path) -> Iterator[str]:
    """The table of a lesson's words, each row with a link to the lesson."""
    table = re.search(r"^\| term \|.*?(?=\n\n)", source.read_text("utf-8"), re.M | re.S)
    for line in table[0].splitlines()[2:] if table else []:
        yield f"{line.strip()} [{number_of(source.stem)}]({stem_of(source.stem)}.ipynb) |"


def _letters(row: str) -> str:
    """The term of a row without signs, by which rows are sorted."""
    return re.sub(r"[^\w ]", "", row.split("|")[1]).strip().casefold()


if __name__ == "__main__":
    sys.exit(main())
