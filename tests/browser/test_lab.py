"""The means of the browser tests: what goes wrong on a page is noted, and axe finds a fault."""

from __future__ import annotations

from typing import Any

import pytest

from .lab import JupyterLab, eventually

PICTURE = '''
import anywidget

class Picture(anywidget.AnyWidget):
    _esm = """export default { render({ el }) {
        el.className = "picture";
        el.append(document.createElement("img"));
    } };"""

Picture()
'''


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
        notebook.page.evaluate("() => fetch('http://outside.invalid/').catch(() => null)")

        def noted() -> list[Any]:
            notebook.settle()
            words = ("uncaught", "said")
            return [*(any(w in e for e in notebook.errors) for w in words), notebook.outside]

        eventually(noted, [True, True, ["http://outside.invalid/"]])
        notebook.errors.clear()
        notebook.outside.clear()
