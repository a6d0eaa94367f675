#!/usr/bin/env bash
# A page of mkdocs-jupyter holds a widget's whole state and asks for its renderer, which cannot start there.
#
# Expected: a notebook that was run with an anywidget is alive on a page of mkdocs-jupyter, as on pages of
#   nbconvert, on which it is built, and of myst-nb: they take the widgets' renderer from a network.
# Version:  mkdocs-jupyter 0.26.3 with its default settings, mkdocs 1.6.1, anywidget 0.11.0, and
#   @jupyter-widgets/html-manager 1.0.14, run in Node 20
# Seen:     the page has the state, with the widget's script, and loads embed-amd.js from unpkg.com; that file
#   begins with define(...) of an AMD loader, and the page loads none (nbconvert's page loads require.js): it
#   ends in "ReferenceError: define is not defined", and the reader sees an empty output.
#     mkdocs-jupyter: state True, renderer True, require.js False
#     nbconvert: state True, renderer True, require.js True
#     the renderer alone: ReferenceError: define is not defined
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet mkdocs-jupyter==0.26.3 mkdocs==1.6.1 anywidget==0.11.0 \
    ipywidgets==8.1.9 ipykernel==7.4.0 nbconvert==7.17.2
mkdir docs
venv/bin/python - <<'PYTHON'
import nbformat

code = """import anywidget
class Button(anywidget.AnyWidget):
    _esm = "export default { render({ el }) { el.append(document.createElement('button')); } }"
Button()"""
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
nbformat.write(notebook, "bare.ipynb")
PYTHON
export PATH=$folder/venv/bin:$PATH JUPYTER_PLATFORM_DIRS=1
jupyter nbconvert --log-level=ERROR --to notebook --execute bare.ipynb --output docs/index.ipynb
jupyter nbconvert --log-level=ERROR --to html docs/index.ipynb --output-dir .
printf 'site_name: A book\nplugins: [mkdocs-jupyter]\n' >mkdocs.yml
mkdocs build --quiet
npm install --silent --no-audit --no-fund @jupyter-widgets/html-manager@1.0.14
export renderer=node_modules/@jupyter-widgets/html-manager/dist/embed-amd.js
cat >start.js <<'SCRIPT'
try {
  require("vm").runInThisContext(require("fs").readFileSync(process.env.renderer, "utf8"));
} catch (error) {
  console.log(`${error}`);
}
SCRIPT
said=$(node start.js)
venv/bin/python - <<'PYTHON'
import re
from pathlib import Path

found = {}
for name, page in (("mkdocs-jupyter", "site/index.html"), ("nbconvert", "index.html")):
    text = Path(page).read_text(encoding="utf-8")
    found[name] = (
        "widget-state+json" in text and "_esm" in text,
        "/dist/embed-amd.js" in text,
        re.search(r'<script[^>]*src="[^"]*require(\.min)?\.js"', text) is not None,
    )
    print(f"{name}: state {found[name][0]}, renderer {found[name][1]}, require.js {found[name][2]}")
assert found == {"mkdocs-jupyter": (True, True, False), "nbconvert": (True, True, True)}
PYTHON
echo "the renderer alone: $said"
[[ $said == "ReferenceError: define is not defined" ]]
