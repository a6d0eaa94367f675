#!/usr/bin/env bash
# nbgrader gives full marks for a NumPy score, and none for a warning.
#
# Expected: a test cell of four points that ends in 2.5 earns 2.5, whatever type of number it is, and a warning on
#   stderr changes nothing.
# Version:  nbgrader 0.9.6, nbclient 0.11.0, numpy 2.4.6, Python 3.11
# Seen:     np.float64(2.5) earns 4, as NaN and -1 do; 2.5 with a line on stderr earns 0.
#     2.5: 2.5
#     np.float64(2.5): 4.0
#     float('nan'): 4.0
#     -1: 4.0
#     2.5 after a warning: 0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet nbgrader==0.9.6 nbclient==0.11.0 numpy==2.4.6 ipykernel
export JUPYTER_PLATFORM_DIRS=1
venv/bin/python - <<'PYTHON'
import nbformat
from nbclient import NotebookClient
from nbgrader.utils import determine_grade

GRADE = {"grade": True, "grade_id": "a", "points": 4, "locked": True, "solution": False, "schema_version": 3, "task": False}
WARN = "import sys; print('careful', file=sys.stderr)\n"
cases = {
    "2.5": ("2.5", 2.5),
    "np.float64(2.5)": ("import numpy as np; np.float64(2.5)", 4),
    "float('nan')": ("float('nan')", 4),
    "-1": ("-1", 4),
    "2.5 after a warning": (WARN + "2.5", 0),
}
for name, (code, wanted) in cases.items():
    cell = nbformat.v4.new_code_cell(code, metadata={"nbgrader": {**GRADE, "cell_type": "code"}})
    notebook = nbformat.v4.new_notebook(cells=[cell])
    NotebookClient(notebook).execute()
    points, most = determine_grade(notebook.cells[0])
    print(f"{name}: {points}")
    assert points == wanted
PYTHON
