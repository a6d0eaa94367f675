"""The means of the browser tests: what goes wrong on a page is noted, and axe finds a fault."""

from __future__ import annotations

from typing import Any

import pytest

from .lab import OF_JUPYTERLAB, JupyterLab, eventually

PICTURE = '''
import anywidget

class Picture(anywidget.AnyWidget):
    _esm = """export default { render({ el }) {
        el.className = "picture";
        el.append(document.createElement("img"));
    } };"""

Picture()
'''

FORGIVEN = """words => {
    console.error(new Error(words));
    setTimeout(() => { throw new Error(words); });
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
        notebook.page.evaluate("() => { setTimeout(() => { throw new Error('uncaught'); }); }")
        notebook.page.evaluate("() => console.error('said')")
        for own in OF_JUPYTERLAB:
            notebook.page.evaluate(FORGIVEN, own)
            notebook.page.evaluate(FORGIVEN, f"{own} in blob:")
        notebook.page.evaluate("() => fetch('http://outside.invalid/').catch(() => null)")

        def noted() -> list[Any]:
            notebook.settle()
            of_widgets = [error for error in notebook.errors if "blob:" in error]
            other = [error.split()[0] for error in notebook.errors if error not in of_widgets]
            return [len(of_widgets), *sorted(other), *notebook.outside]

        # An address without an answer is told to the console by the browser itself.
        address = "http://outside.invalid/"
        eventually(noted, [2 * len(OF_JUPYTERLAB), "Failed", "said", "uncaught", address])
        notebook.errors.clear()
        notebook.outside.clear()
