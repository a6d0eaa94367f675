#!/usr/bin/env bash
# ipywidgets' own export drops what makes an anywidget alive.
#
# Expected: ipywidgets.embed.embed_data keeps the state that shows a widget in a page.
# Version:  anywidget 0.11.0, ipywidgets 8.1.9, Python 3.11
# Seen:     of an anywidget the state has neither _esm nor _css, for they are the class's defaults; with
#   drop_defaults=False it has both.
#     as usual: ['_dom_classes', 'layout']
#     drop_defaults=False: _esm True, _css True
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet anywidget==0.11.0 ipywidgets==8.1.9
venv/bin/python - <<'PYTHON'
import anywidget
from ipywidgets.embed import embed_data


class Button(anywidget.AnyWidget):
    _esm = "export default { render({ el }) { el.append('here'); } }"
    _css = "p { color: red }"


def state(**more):
    states = embed_data([Button()], **more)["manager_state"]["state"].values()
    return next(one["state"] for one in states if one["model_module"] == "anywidget")


usual, whole = state(), state(drop_defaults=False)
print("as usual:", sorted(name for name in usual if not name.startswith("_view") and not name.startswith("_model")))
print(f"drop_defaults=False: _esm {'_esm' in whole}, _css {'_css' in whole}")
assert "_esm" not in usual
assert "_css" not in usual
assert {"_esm", "_css"} <= whole.keys()
PYTHON
