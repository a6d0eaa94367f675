#!/usr/bin/env bash
# A graph that pygraphviz writes and reads again is laid out in another order.
#
# Expected: a graph with ordering=out that was written by to_string() and read back is drawn as it was before.
# Version:  pygraphviz 2.0.4 (Graphviz 14.1.5), Python 3.11
# Seen:     nodes added c, a, b and edges added b, a, c: the children are laid out b, a, c; after reading c, a, b.
#   DOT writes nodes and edges in another order than they were added.
#     before: b a c
#     after: c a b
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet pygraphviz==2.0.4
venv/bin/python - <<'PYTHON'
import pygraphviz


def left_to_right(graph):
    graph.layout("dot")
    places = {name: float(graph.get_node(name).attr["pos"].split(",")[0]) for name in "abc"}
    return " ".join(sorted(places, key=places.get))


graph = pygraphviz.AGraph(directed=True, ordering="out")
for name in "cab":
    graph.add_node(name)
for name in "bac":
    graph.add_edge("r", name)
text = graph.to_string()
before, after = left_to_right(graph), left_to_right(pygraphviz.AGraph(text))
print("before:", before)
print("after:", after)
assert (before, after) == ("b a c", "c a b")
PYTHON
