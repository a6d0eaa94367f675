"""Make the lessons and their solutions, each pair from one source in Markdown.

    python -m mcts_course.build                 # all of them
    python -m mcts_course.build 03 which_move   # these, by number or topic

``mcts_course/lessons/TOPIC.md`` is the source, in jupytext's Markdown. The lesson gets its cells
without those tagged ``solution``, those tagged ``answer`` folded, and no outputs; the solution gets
them without those tagged ``lesson``, is run, and keeps its outputs as pictures and text. What a
reveal shows and what the exercises say goes into ``TOPIC.json``. Each cell says its place on
slides, and a lesson ends with the cell that hands it in. Last the glossary is written, from the
tables of words. A solution that fails, or warns, is left as it was.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import nbformat
from nbclient.exceptions import CellExecutionError
from nbconvert.preprocessors import TagRemovePreprocessor
from nbformat import NotebookNode

from .exported import run
from .lessons import OPENS, ORDER, number_of, stem_of, topic_of
from .lessons.paths import NEXT
from .work.evidence import ASKED

try:
    import jupytext
except ImportError:
    sys.exit(
        "The sources of the lessons are not in the installed package: clone the repository, and "
        "there run `python -m pip install -r tests/quick.txt`."
    )

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
ANSWERED = (
    "*The [lesson](../notebooks/{name}) with its answers and outputs. Look here when you have an "
    "answer yourself.*"
)
FOLDED = """<details><summary>Compare with what you found</summary>

{text}

</details>"""
HAND_IN = """from mcts_course import hand_in

hand_in("{topic}", name="")  # your name, or the number that you go by"""
ONCE_MORE = """from mcts_course import once_more

once_more("{topic}")  # one more position, if you like: now, and again in two weeks"""
CURIOUS = "## For the curious"
"""The heading of what a lesson keeps for those who want more: no exercise, and no minutes."""
AFTERWARDS = ("once-more", "hand-in")
"""The cells with which a lesson ends, by their ids."""
GLOSSARY = """# Glossary

The words of the course, as its lessons explain them, each with its name in the code.

| term | meaning | in the code | lesson |
|---|---|---|---|
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("lessons", nargs="*", help="such as 03 or which_move; all if none")
    wanted = {topic_of(name) for name in parser.parse_args().lessons}
    if unknown := wanted - {path.stem for path in sources()}:
        parser.error(
            f"no lesson is called {', '.join(sorted(unknown))}: name them like 03 or which_move"
        )
    os.environ["TQDM_DISABLE"] = "1"  # in the kernels: a progress bar is gone at the end anyway
    chosen = [path for path in sources() if not wanted or path.stem in wanted]
    for path in chosen:
        _write(json.dumps(texts(path), indent=1, ensure_ascii=False), texts_file(path))
        _write(nbformat.writes(lesson(path)), NOTEBOOKS / f"{stem_of(path.stem)}.ipynb")
    _write(glossary().rstrip(), NOTEBOOKS / "GLOSSARY.md")
    return max([_answer(path) for path in chosen], default=2)


def _write(text: str, path: Path) -> None:
    path.write_text(f"{text}\n", encoding="utf-8", newline="\n")


def sources() -> list[Path]:
    """Return the sources of all lessons, in order."""
    return [path for topic in ORDER if (path := SOURCES / f"{topic}.md").exists()]


# Texts that are shown later ---------------------------------------------------------------------


def texts_file(source: Path) -> Path:
    """The file with what a lesson says later; it is part of the package, the source is not."""
    return source.with_suffix(".json")


def texts(source: Path) -> dict[str, Any]:
    """Return what a reveal shows, by question, and what the exercises say, by name."""
    found = asked(source)
    reveals: dict[str, str] = {}
    exercises: dict[str, Any] = {}
    for kind, name, inside in BLOCK.findall(source.read_text("utf-8")):
        if kind == "texts":
            exercises[name] = tomllib.loads(inside)
        elif name in found:
            reveals[found[name]] = _linked(inside.strip())
        else:
            raise ValueError(f"{source.name}: no cell asks with {name} = predict(…).")
    return {"reveals": reveals, "exercises": exercises}


def asked(source: Path) -> dict[str, str]:
    """The names that hold predictions, each with its question, in their order."""
    return dict(pair for cell in _read(source).cells for pair in _questions(cell))


def _questions(cell: Any) -> Iterator[tuple[str, str]]:
    if cell.cell_type != "code":
        return
    for node in ast.walk(ast.parse(cell.source)):
        match node:
            case ast.Assign([target], ast.Call(ast.Name("predict"), [question])):
                yield ast.unparse(target), ast.literal_eval(question)


def _read(source: Path) -> Any:
    """The cells of a source, without texts that are shown later."""
    return jupytext.reads(BLOCK.sub("", source.read_text("utf-8")), fmt="md")


# The pair ---------------------------------------------------------------------------------------


def lesson(source: Path) -> Any:
    """The notebook of the student: nothing is answered, and nothing was run."""
    made = _without("solution", source, folded=True)
    link = nbformat.v4.new_markdown_cell(f"[Solutions](../solutions/{stem_of(source.stem)}.ipynb)")
    link.id = "solutions"
    ends = [at for at, cell in enumerate(made.cells) if cell.source.startswith("## In five")]
    made.cells.insert(ends[0] if ends else len(made.cells), link)
    topic = source.stem
    if topic in ASKED:
        made.cells.append(
            nbformat.v4.new_code_cell(ONCE_MORE.format(topic=topic), id=AFTERWARDS[0])
        )
    last = nbformat.v4.new_code_cell(HAND_IN.format(topic=topic), id=AFTERWARDS[1])
    made.cells.append(last)
    return made


def solution(source: Path) -> Any:
    """The answered notebook, before it is run; its links lead to other solutions."""
    made = _without("lesson", source)
    for cell in made.cells:
        if cell.cell_type == "markdown":
            cell.source = re.sub(r"\]\((?![a-z]+:|#|\d\d_|\.\./)", "](../notebooks/", cell.source)
    title, rest = made.cells[0].source.split("\n", 1)
    answered = ANSWERED.format(name=f"{stem_of(source.stem)}.ipynb")
    made.cells[0].source = f"{title}\n\n{answered}\n{rest}"
    return made


def _name_by_text(cells: Sequence[Any]) -> None:
    """Give each cell an id that follows from its text, so that a build changes only what is new."""
    seen: Counter[str] = Counter()
    for cell in cells:
        key = sha256(cell.source.encode()).hexdigest()[:8]
        seen[key] += 1
        cell.id = key if seen[key] == 1 else f"{key}-{seen[key]}"


def _without(tag: str, source: Path, folded: bool = False) -> Any:
    """The cells of a source but those with ``tag``, each with an id that follows from its text.

    Where answers are ``folded``, a reader opens them by a click.
    """
    made = _read(source)
    made.metadata = NotebookNode(METADATA)
    _lead(made.cells[0], source.stem)
    electives = [f"[{_name(one)}]({stem_of(one)}.ipynb)" for one in OPENS.get(source.stem, ())]
    opens = f"\n\nElectives: {', '.join(electives)}" if electives else ""
    for cell in made.cells:
        if cell.cell_type == "markdown":
            cell.source = _linked(cell.source)
            cell.source = NEXT.sub(lambda found: found[0] + opens, cell.source)
    _name_by_text(made.cells)
    made, _ = TagRemovePreprocessor(enabled=True, remove_cell_tags={tag}).preprocess(made, {})
    for cell in made.cells:
        _say_how_it_is_shown(cell, folded)
    return made


def _say_how_it_is_shown(cell: Any, folded: bool) -> None:
    """Turn the tags of a source into what a notebook knows: hidden code, slides, folded text."""
    tags = set(cell.metadata.get("tags", ()))
    if folded and "answer" in tags:
        cell.source = FOLDED.format(text=cell.source)
    tags -= {"lesson", "solution", "answer"}
    cell.metadata = NotebookNode({"tags": sorted(tags)} if tags else {})
    if tags & {"hide-input", "check"} or any(_questions(cell)):
        cell.metadata["jupyter"] = NotebookNode({"source_hidden": True})
    if place := _slide(cell):
        cell.metadata["slideshow"] = NotebookNode({"slide_type": place})


def _slide(cell: Any) -> str:
    """The place of a cell on slides, as nbconvert and RISE read it; code is below its text.

    A heading begins a slide, and the next text one below it. Asserts are on none.
    """
    if "check" in cell.metadata.get("tags", ()):
        return "skip"
    if cell.cell_type == "code":
        return ""
    return "slide" if cell.source.startswith("#") else "subslide"


def _lead(cell: Any, topic: str) -> None:
    """Give the first cell its number, and links to the lessons before and after."""
    cell.source = re.sub("^# ", f"# {number_of(topic)} · ", cell.source)
    topics = [path.stem for path in sources()]
    links = [
        f"Previous: [{_name(one)}]({one}.ipynb)"
        for one, other in pairwise(topics)
        if other == topic
    ]
    links += [
        f"Next: [{_name(other)}]({other}.ipynb)" for one, other in pairwise(topics) if one == topic
    ]
    cell.source += f"\n\n{' · '.join(links)}"


def _name(topic: str) -> str:
    """The number and the title of a lesson."""
    return (
        f"{number_of(topic)} · {(SOURCES / f'{topic}.md').read_text('utf-8').splitlines()[0][2:]}"
    )


def _linked(text: str) -> str:
    """Topics in braces become the number of their lesson, and topics in links its file."""
    topics = "|".join(ORDER)

    def named(found: re.Match[str]) -> str:
        before, topic = found.groups()
        word = "lesson" if before is None else "Lesson"  # which begins a sentence
        return f"{before or ''}[{word} {number_of(topic)}]({topic}.ipynb)"

    text = re.sub(rf"(^|[.?!]\)? )?\{{({topics})\}}", named, text)
    return re.sub(rf"\]\(({topics})\.ipynb\)", lambda m: f"]({stem_of(m[1])}.ipynb)", text)


# Running -------------------------------------------------------------------------------------


def _answer(source: Path) -> int:
    """Run a solution and write it; 1 if it fails or warns."""
    path, made = SOLUTIONS / f"{stem_of(source.stem)}.ipynb", solution(source)
    try:
        run(made, NOTEBOOKS)
    except CellExecutionError as error:
        print(f"{path.name} fails:\n{error}", file=sys.stderr)
        return 1
    outputs = [output for cell in made.cells for output in cell.get("outputs", ())]
    if warnings := "".join(o.text for o in outputs if o.get("name") == "stderr"):
        print(f"{path.name} warns:\n{warnings}", file=sys.stderr)
        return 1
    _keep_what_is_shown(made)
    _write(nbformat.writes(made), path)
    print(f"{path.name}: {path.stat().st_size:,} bytes")
    return 0


def _keep_what_is_shown(notebook: Any) -> None:
    """Pictures and text; no widget, which needs a kernel, and nothing that a run changes."""
    notebook.metadata = NotebookNode(METADATA)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            shown = map(_kept_output, cell.outputs)
            cell.outputs = [output for output in shown if output.get("data", True)]


def _kept_output(output: Any) -> Any:
    """An output without the forms that a reader of the file could not show; pictures keep words."""
    if "data" in output:
        output["data"] = {form: output.data[form] for form in SHOWN if form in output.data}
        words = {form: about for form, about in output.metadata.items() if form in output.data}
        output.metadata = NotebookNode(words)
    return output


# The glossary ----------------------------------------------------------------------------------


def glossary() -> str:
    """The words of all lessons, in alphabetical order: each is explained in one lesson."""
    found = {row: None for path in sources() for row in _words(path)}
    return GLOSSARY + "".join(f"{row}\n" for row in sorted(found, key=_letters))


def _words(source: Path) -> Iterator[str]:
    """The table of a lesson's words, each row with a link to the lesson."""
    table = re.search(r"^\| term \|.*?(?=\n\n)", source.read_text("utf-8"), re.M | re.S)
    if table is None:
        return
    for line in table[0].splitlines()[2:]:
        yield f"{line.strip()} [{number_of(source.stem)}]({stem_of(source.stem)}.ipynb) |"


def _letters(row: str) -> str:
    """The term of a row without signs, by which rows are sorted."""
    return re.sub(r"[^\w ]", "", row.split("|")[1]).strip().casefold()


if __name__ == "__main__":
    sys.exit(main())
