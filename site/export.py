# The first cell of a solution that becomes a page: what a kernel would show alive becomes HTML that
# lives without one. Players become exported films, sliders frames, predictions forms.

import base64
import importlib
import io
import json
import re
import zlib

import IPython
from IPython.display import HTML, display
from nbconvert.filters import markdown2html
from PIL import Image

import mcts_course
from mcts_course.exported import show_films
from mcts_course.show.figures import Slider
from mcts_viz.film.graph import Graph

FRAMES = 12


def frames(slider):
    """The figures along a slider, at most about 12, so packed that they are small."""
    values, last = list(slider.values), len(slider.values) - 1
    places = {round(place * last / (FRAMES - 1)) for place in range(FRAMES)} if last else {0}
    places = sorted(places | {values.index(slider.start)})
    made = []
    for value in (values[place] for place in places):
        drawn = slider.draw(value)
        kind = "svg" if isinstance(drawn, Graph) else "png"
        packed = zlib.compress(drawn.svg.encode(), 9) if kind == "svg" else small(drawn.png())
        made.append([str(value), kind, base64.b64encode(packed).decode()])
    data = {"name": slider.name, "frames": made, "start": places.index(values.index(slider.start))}
    return shown("div", "frames", data)


def small(png):
    """The same figure as wide as a page and in a palette."""
    file, image = io.BytesIO(), Image.open(io.BytesIO(png)).convert("RGB")
    image.thumbnail((980, 980))
    image.quantize(16).save(file, "png", optimize=True)
    return file.getvalue()


def as_json(data):
    return json.dumps(data).replace("<", "\\u003c")


def shown(name, kind, facts, more=""):
    """An element that the page's script brings to life."""
    data = f'<script type="application/json">{as_json(facts)}</script>'
    return f'<{name} class="{kind}">{data}{more}</{name}>'


def ask(made):
    """The form of a prediction."""
    facts = {"question": made.question, "choices": made.choices}
    display(HTML(shown("form", "predict", facts)))


def reveal(made, measured):
    """Show the answer that appears once the reader's guess is locked; the page compares the two."""
    said = importlib.import_module("mcts_course.work.predict")
    found = made.nearest(measured)
    explained = said.explanations().get(made.question, "")
    explained = markdown2html(re.sub(r"\]\((\w+)\.ipynb", r"](\1.html", explained))
    display(HTML(shown("div", "reveal", {"question": made.question, "found": found}, explained)))


prediction = importlib.import_module("mcts_course.work.predict").Prediction
prediction.show, prediction.reveal = ask, reveal
mcts_course.predictions = lambda: None  # the summary of a reader's own guesses
show_films()
as_html = IPython.get_ipython().display_formatter.formatters["text/html"].for_type
as_html(Slider, frames)
