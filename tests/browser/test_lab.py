"""The means of the browser tests, tried on a widget of a few lines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .lab import JupyterLab, Notebook

COUNTER = '''
import anywidget, traitlets

class Counter(anywidget.AnyWidget):
    _esm = """
    export default { render({ model, el }) {
        const button = document.createElement("button");
        const show = () => { button.textContent = `clicked ${model.get("count")} times`; };
        button.addEventListener("click", () => {
            model.set("count", model.get("count") + 1);
            model.save_changes();
        });
        model.on("change:count", show);
        show();
        el.classList.add("counter");
        el.append(button);
        const picture = document.createElement("img");
        el.append(picture);
    } };
    """
    count = traitlets.Int(0).tag(sync=True)

counter = Counter()
counter
'''


@pytest.fixture(scope="module")
def notebook(lab: JupyterLab) -> Iterator[Notebook]:
    with lab.open([COUNTER]) as notebook:
        notebook.run_all()
        yield notebook


def test_a_click_reaches_python_and_python_reaches_the_page(notebook: Notebook) -> None:
    before = notebook.python("counter.count")
    button = notebook.output(0).get_by_role("button")
    button.click()
    button.filter(has_text=f"clicked {before + 1} times").wait_for()
    assert notebook.python("counter.count") == before + 1
    assert notebook.python("setattr(counter, 'count', 41)") is None
    button.filter(has_text="clicked 41 times").wait_for()


def test_kernel_messages_are_counted(notebook: Notebook) -> None:
    quiet = notebook.kernel_messages()
    notebook.page.keyboard.press("Shift")
    assert notebook.kernel_messages() == quiet
    notebook.output(0).get_by_role("button").click()
    notebook.wait_for_kernel()
    assert notebook.kernel_messages() > quiet


def test_axe_finds_a_picture_without_a_text(notebook: Notebook) -> None:
    assert [violation.split(" ")[0] for violation in notebook.axe(".counter")] == ["image-alt"]


def test_a_sound_page_has_no_errors_and_asks_nobody_outside(notebook: Notebook) -> None:
    notebook.settle()
    assert notebook.errors == []
    assert notebook.outside == []


def test_all_that_goes_wrong_is_noted(lab: JupyterLab) -> None:
    with lab.open(["1 / 0", "'never run'"]) as notebook:
        with pytest.raises(AssertionError, match="ZeroDivisionError: division by zero"):
            notebook.run_all()
        with pytest.raises(AssertionError, match="NameError"):
            notebook.python("nothing")
        notebook.page.evaluate("() => { setTimeout(() => { throw new Error('uncaught'); }); }")
        notebook.page.evaluate("() => console.error('said')")
        notebook.page.evaluate("() => fetch('http://outside.invalid/').catch(() => null)")
        notebook.settle()
        assert any("uncaught" in error for error in notebook.errors)
        assert any("said" in error for error in notebook.errors)
        assert notebook.outside == ["http://outside.invalid/"]
