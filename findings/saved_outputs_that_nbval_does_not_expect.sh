#!/usr/bin/env bash
# nbval wants the first form of an output that was updated, and no saved notebook has that.
#
# Expected: a notebook whose outputs were saved after a run, one of them by update_display, passes nbval in the
#   same environment.
# Version:  nbval 0.11.0, nbclient 0.11.0, Python 3.11
# Seen:     the saved notebook holds the updated output; nbval compares the one that came first, and fails.
#     saved: 'second'
#     nbval: 1 failed
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet nbval==0.11.0 nbclient==0.11.0 ipykernel pytest==8.4.2
export JUPYTER_PLATFORM_DIRS=1
venv/bin/python - <<'PYTHON'
import subprocess
import sys

import nbformat
from nbclient import NotebookClient

code = """from IPython.display import display
handle = display("first", display_id=True)
handle.update("second")"""
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
NotebookClient(notebook).execute()
saved = notebook.cells[0].outputs[0].data["text/plain"]
print("saved:", saved)
nbformat.write(notebook, "page.ipynb")
command = [sys.executable, "-m", "pytest", "-q", "--nbval", "--nbval-current-env", "page.ipynb"]
said = subprocess.run(command, capture_output=True, text=True).stdout
print("nbval:", "1 failed" if "1 failed" in said else said[-200:])
assert saved == "'second'"
assert "1 failed" in said
PYTHON
