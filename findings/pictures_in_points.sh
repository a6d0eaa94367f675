#!/usr/bin/env bash
# resvg takes a length in points for 0, so Graphviz's own SVG has no size.
#
# Expected: an SVG that Graphviz writes becomes a PNG by resvg.
# Version:  resvg-py 0.5.0, pygraphviz 2.0.4 (Graphviz 14.1.5), Python 3.11
# Seen:     "SVG has an invalid size", also with a width in pixels given; with dpi=96 it works.
#     as it is: ValueError
#     width=300: ValueError
#     dpi=96: a PNG
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet resvg-py==0.5.0 pygraphviz==2.0.4
venv/bin/python - <<'PYTHON'
import pygraphviz
from resvg_py import svg_to_bytes

svg = pygraphviz.AGraph("digraph { a -> b }").draw(format="svg", prog="dot").decode()
assert 'width="' in svg and 'pt"' in svg
for name, more, works in (("as it is", {}, False), ("width=300", {"width": 300}, False), ("dpi=96", {"dpi": 96}, True)):
    try:
        found = bytes(svg_to_bytes(svg_string=svg, **more))[1:4].decode()
    except ValueError:
        found = "ValueError"
    print(f"{name}: {found}")
    assert (found == "PNG") is works
PYTHON
