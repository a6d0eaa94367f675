#!/usr/bin/env python3
"""Run notebooks again and keep their outputs in forms that every reader can show: PNG and text.

    python .ci/refresh_notebooks.py                 # all of them
    python .ci/refresh_notebooks.py notebooks/05*   # these

A widget needs a kernel, and where one is missing it would hide the picture and the text beside it;
so no widget is kept, nor anything that differs from run to run. A notebook that fails, or warns,
is left as it was.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).resolve().parents[1]
KEPT = ("image/png", "text/markdown", "text/plain")
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path, help="files; all lessons if none")
    given = parser.parse_args().notebooks
    return max([refresh(path) for path in given or lessons()], default=0)


def lessons() -> list[Path]:
    found = (ROOT / "notebooks").rglob("*.ipynb")
    return sorted(path for path in found if ".ipynb_checkpoints" not in path.parts)


def refresh(path: Path) -> int:
    """Run one notebook and rewrite it if anything has changed; 1 if it fails or warns."""
    notebook = nbformat.read(path, as_version=4)
    try:
        run(notebook, path.parent)
    except CellExecutionError as error:
        print(f"{path.name} fails:\n{error}", file=sys.stderr)
        return 1
    if warnings := "".join(o.text for o in outputs(notebook) if o.get("name") == "stderr"):
        print(f"{path.name} warns:\n{warnings}", file=sys.stderr)
        return 1
    clean(notebook)
    text = nbformat.writes(notebook) + "\n"
    same = path.read_text(encoding="utf-8") == text
    if not same:
        path.write_text(text, encoding="utf-8", newline="\n")
    print(f"{path.name}: {'as before' if same else 'rewritten'}, {len(text) / 1000:.0f} kB")
    return 0


def run(notebook: Any, folder: Path) -> None:
    """Restart and run all, in the notebook's own folder."""
    client = NotebookClient(
        notebook,
        timeout=None,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        coalesce_streams=True,
        record_timing=False,
        store_widget_state=False,
    )
    client.execute()


def outputs(notebook: Any) -> list[Any]:
    cells = (cell for cell in notebook.cells if cell.cell_type == "code")
    return [output for cell in cells for output in cell.outputs]


def clean(notebook: Any) -> None:
    """Keep pictures and text; drop widgets, timings, versions, and outputs with nothing left."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k == "tags"})
        if cell.cell_type != "code":
            continue
        for output in cell.outputs:
            if "data" in output:
                output["data"] = {form: output.data[form] for form in KEPT if form in output.data}
                output.metadata = nbformat.from_dict({})
        cell.outputs = [output for output in cell.outputs if output.get("data", True)]


if __name__ == "__main__":
    sys.exit(main())
