"""The means of the browser tests, tried on a widget of a few lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .lab import DARK, HIGH_CONTRAST, LIGHT, JupyterLab, Notebook

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
    with lab.open([COUNTER, "print('below', counter.count)"]) as notebook:
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


def test_outputs_are_found_by_the_number_of_their_cell(notebook: Notebook) -> None:
    assert "below 0" in notebook.output(1).inner_text()


def test_kernel_messages_are_counted(notebook: Notebook) -> None:
    quiet = notebook.kernel_messages()
    notebook.page.keyboard.press("Shift")
    assert notebook.kernel_messages() == quiet
    notebook.output(0).get_by_role("button").click()
    notebook.wait_for_kernel()
    assert notebook.kernel_messages() > quiet


@pytest.mark.parametrize("theme", [DARK, HIGH_CONTRAST, LIGHT])
def test_themes_change_the_colours(notebook: Notebook, theme: str, tmp_path: Path) -> None:
    notebook.set_theme(theme)
    picture = notebook.screenshot(".jp-Notebook", tmp_path / "notebook.png")
    assert (tmp_path / "notebook.png").stat().st_size > 0
    colours = picture.getcolors(picture.width * picture.height)
    assert len(colours) > 10, "a picture of one colour shows nothing"
    _, background = max(colours)
    assert (sum(background) / 3 > 128) == (theme == LIGHT)


def test_axe_finds_a_picture_without_a_text(notebook: Notebook) -> None:
    assert [violation.split(" ")[0] for violation in notebook.axe(".counter")] == ["image-alt"]


def test_a_sound_page_has_no_errors_and_asks_nobody_outside(notebook: Notebook) -> None:
    notebook.settle()
    assert notebook.errors == []
    assert notebook.outside == []


def test_errors_and_outside_requests_are_noted(lab: JupyterLab) -> None:
    with lab.open([]) as notebook:
        notebook.page.evaluate("() => { setTimeout(() => { throw new Error('uncaught'); }); }")
        notebook.page.evaluate("() => console.error('said')")
        notebook.page.evaluate("() => fetch('http://outside.invalid/').catch(() => null)")
        notebook.settle()
        assert any("uncaught" in error for error in notebook.errors)
        assert any("said" in error for error in notebook.errors)
        assert notebook.outside == ["http://outside.invalid/"]


def test_an_error_in_a_cell_is_raised(lab: JupyterLab) -> None:
    with lab.open(["1 / 0", "'never run'"]) as notebook:
        with pytest.raises(AssertionError, match="ZeroDivisionError: division by zero"):
            notebook.run_all()
        with pytest.raises(AssertionError, match="NameError"):
            notebook.python("nothing")


def test_a_file_opens_as_a_copy_in_the_chosen_theme(lab: JupyterLab, tmp_path: Path) -> None:
    source = tmp_path / "source.ipynb"
    with lab.open(["value = 6 * 7"]) as notebook:
        notebook.page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
        name = notebook.page.evaluate("() => jupyterapp.shell.currentWidget.context.path")
        source.write_bytes((lab.folder / name).read_bytes())
    with lab.open(source, theme=DARK, viewport={"width": 700, "height": 500}) as notebook:
        notebook.run_all()
        assert notebook.python("value") == 42
        assert notebook.page.evaluate("() => [innerWidth, innerHeight]") == [700, 500]
        assert notebook.page.evaluate("() => document.body.dataset.jpThemeLight") == "false"
