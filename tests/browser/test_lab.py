"""The means of the browser tests: what goes wrong on a page is noted, and axe finds a fault."""

from __future__ import annotations

from typing import Any

import pytest

from .lab import WITHOUT_PLACE, JupyterLab, eventually

PICTURE = '''
import anywidget

class Picture(anywidget.AnyWidget):
    _esm = """export default { render({ el }) {
        el.className = "picture";
        el.append(document.createElement("img"));
        el.lastChild.onclick = () => { throw new Error("uncaught"); };
    } };"""

Picture()
'''

AN_ERROR = """places => {
    const error = new Error(places);
    error.stack = "Error\\n" + places.map(p => `    at f (http://127.0.0.1${p}:1:2)`).join("\\n");
    console.error(error);
    setTimeout(() => { throw error; });
}"""


def test_all_that_goes_wrong_is_noted(lab: JupyterLab) -> None:
    with lab.open([PICTURE, "1 / 0", "'never run'"]) as notebook:
        with pytest.raises(AssertionError, match="ZeroDivisionError: division by zero"):
            notebook.run_all()
        with pytest.raises(AssertionError, match="NameError"):
            notebook.python("nothing")
        notebook.page.locator(".picture img").wait_for(state="attached")
        assert [found.split(" ")[0] for found in notebook.axe(".picture")] == ["image-alt"]
        assert notebook.errors == []
        assert notebook.outside == []
        notebook.page.locator(".picture img").dispatch_event("click")
        notebook.page.evaluate("() => console.error('said')")
        lab_only, of_manager = "/static/lab/core.js", "/lab/extensions/manager.js"
        for places in ([lab_only], [lab_only, of_manager, lab_only]):
            notebook.page.evaluate(AN_ERROR, places)
        for words in WITHOUT_PLACE:
            notebook.page.evaluate("words => { Promise.reject(new Error(words)); }", words)
        notebook.page.evaluate("() => fetch('http://outside.invalid/').catch(() => null)")

        def noted() -> list[Any]:
            notebook.settle()
            of_widgets = [error for error in notebook.errors if "manager.js" in error]
            other = [error.split()[0] for error in notebook.errors if error not in of_widgets]
            return [len(of_widgets), sorted(other), notebook.outside]

        # The browser itself reports an address without an answer on the console.
        eventually(noted, [2, ["Failed", "said", "uncaught"], ["http://outside.invalid/"]])
        notebook.errors.clear()
        notebook.outside.clear()
