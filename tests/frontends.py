"""What works where, as the marks of the tests say: `python tests/frontends.py` writes the page.

A test that drives a front end is marked with it and with what it drives there, such as
``@pytest.mark.drives("marimo 0.25", "player", "Play")``.
"""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "FRONTENDS.md"
PLACES = (
    "JupyterLab 4",
    "Notebook 7, nbclassic 1",
    "marimo 0.25",
    "JupyterLite, Pyodide 0.27.7",
    "the site's pages",
    "a film from a disk",
    "Colab's versions, in a kernel",
    "Colab's and VS Code's pages",
)
FEATURES = (
    "player",
    "moves reach Python",
    "Play",
    "What if",
    "Compare",
    "predictions",
    "sliders",
    "dark theme",
    "lessons to the end",
)
HEAD = """# Front ends

What works where, made by `python tests/frontends.py` from the marks of the tests that drive
it. Each name is a file of tests, and (s) marks those that run with `--slow`. An empty field has no
test. In this environment's own kernel every lesson runs in every run of the tests (nbval). Colab
and VS Code themselves cannot be run here, only Colab's versions, and the colours of their pages.

"""


def page():
    """Return the text of docs/FRONTENDS.md."""
    found = defaultdict(set)
    for file in sorted(Path(__file__).parent.rglob("test_*.py")):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                marks = [ast.unparse(mark) for mark in node.decorator_list]
                name = f"`{file.stem}`" + (" (s)" if "pytest.mark.slow" in marks else "")
                drives = [mark for mark in marks if mark.startswith("pytest.mark.drives(")]
                for mark in drives:
                    place, *features = ast.literal_eval(mark.removeprefix("pytest.mark.drives"))
                    for feature in features:
                        found[PLACES[PLACES.index(place)], FEATURES[FEATURES.index(feature)]].add(name)
    rows = [("", *FEATURES), ("---",) * (len(FEATURES) + 1)]
    for place in PLACES:
        fields = [", ".join(sorted(found[place, feature])) for feature in FEATURES]
        rows.append((place, *fields))
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8", newline="\n")
