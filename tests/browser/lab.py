"""JupyterLab in a real browser, as a few verbs for tests.

    with lab.open(["from mcts_viz import ...", "player"], theme=DARK) as notebook:
        notebook.run_all()
        notebook.page.get_by_role("button", name="Next").click()
        assert notebook.python("player.step") == 1
        assert not notebook.errors

`serve` starts one JupyterLab with settings of its own, far from those of the person who runs the
tests. Every `open` is a new file and a new kernel, and the theme and the size of the window are set
every time. The page is that of the test before, if that one passed: to load JupyterLab takes longer
than most tests.
"""

from __future__ import annotations

import ast
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import nbformat
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, Page, ViewportSize

LIGHT = "JupyterLab Light"
DARK = "JupyterLab Dark"
HIGH_CONTRAST = "JupyterLab Dark High Contrast"

WINDOW = ViewportSize(width=1280, height=720)
HOST = "127.0.0.1"
PATIENCE = 180  # seconds, for a machine under load; a healthy one needs a hundredth of it

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
WITHOUT = (
    *("AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    *("DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades"),
    *("LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints"),
    *("PaintHolding", "PreconnectToSearch", "ThirdPartyStoragePartitioning", "RenderDocument"),
    "SpareRendererForSitePerProcess",
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
)
"""What Playwright turns off, as one list counts, and the two pages below the address bar, which
cost each new page as much as itself."""
CHROMIUM_FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-sync"),
    f"--disable-features={','.join(WITHOUT)}",
]


def find_chromium(downloaded: str) -> str | None:
    """The system's Chromium or Chrome, else the one that Playwright has downloaded, else None."""
    candidates = (shutil.which(name) for name in (*CHROMIUM_NAMES, downloaded))
    return next(filter(None, candidates), None)


OF_JUPYTERLAB = "/static/lab/"
OF_WIDGETS = ("/lab/extensions/", "blob:")
"""Where the scripts of JupyterLab come from, and those of widgets: of their manager, and our own.

On a busy machine JupyterLab 4.6 now and then removes an element of its own twice, or gives the
focus to a notebook that is closed already: with widgets or without. It throws such an error, or
catches it and tells the console."""
WITHOUT_PLACE = ("'removeChild' on 'Node'", "Canceled future for create_subshell_request")
"""Words of JupyterLab's errors that come without a stack: the second is a kernel that was ended
before it had answered what it was asked."""


PAINTED = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"
"""Let the page paint, and tell all that it has done so far."""


@dataclass
class Notebook:
    """An open notebook, and all messages of its page since it was opened."""

    page: Page
    errors: list[str] = field(default_factory=list)
    """Errors on the browser's console, and exceptions that no script caught."""
    outside: list[str] = field(default_factory=list)
    """Addresses, other than this machine's, that the page has asked for anything."""

    def __post_init__(self) -> None:
        self.page.on("console", self._note_console)
        self.page.on("pageerror", self._note_exception)
        for event in ("request", "websocket"):
            self.page.on(event, lambda asked: self._note_address(asked.url))

    def _note_exception(self, error: Error) -> None:
        self._note(f"{error}\n{error.stack or ''}")

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._note(f"{message.text} ({message.location.get('url')})")

    def _note(self, said: str) -> None:
        stack = "".join(line for line in said.splitlines() if line.startswith("    at "))
        is_labs = OF_JUPYTERLAB in stack or any(words in said for words in WITHOUT_PLACE)
        if not is_labs or any(place in stack for place in OF_WIDGETS):
            self.errors.append(said)

    def _note_address(self, url: str) -> None:
        address = urlsplit(url)
        if address.scheme in ("http", "https", "ws", "wss") and address.hostname != HOST:
            self.outside.append(url)

    def run_all(self) -> None:
        """Run all cells to the end; an error in one of them is raised here."""
        self.page.evaluate("() => jupyterapp.commands.execute('notebook:run-all-cells')")
        self.wait_for_kernel()
        failures = self.page.wait_for_function(
            """() => {
                const cells = [...jupyterapp.shell.currentWidget.content.model.cells]
                    .filter(cell => cell.type === 'code' && cell.sharedModel.source.trim());
                const failed = cells.flatMap(cell => cell.outputs.toJSON())
                    .filter(output => output.output_type === 'error')
                    .map(({ ename, evalue }) => `${ename}: ${evalue}`);
                const ended = failed.length || cells.every(cell => cell.executionCount !== null);
                return ended && { failed };
            }"""
        ).json_value()["failed"]
        assert not failures, "\n".join(failures)

    def wait_for_kernel(self) -> None:
        """Wait until the kernel has nothing left to do."""
        self.page.wait_for_function(
            "() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"
        )

    def output(self, cell: int) -> Locator:
        """The output below the cell with this number, from 0."""
        return self.page.locator(f'[data-windowed-list-index="{cell}"] .jp-Cell-outputArea')

    def state(self) -> list[Any]:
        """The active cell, mode and number of cells, which a key that escapes a widget changes."""
        state: list[Any] = self.page.evaluate(
            """() => {
                const { content } = jupyterapp.shell.currentWidget;
                return [content.activeCellIndex, content.mode, content.widgets.length];
            }"""
        )
        return state

    def scroll_to(self, cell: int) -> None:
        """Bring a cell into sight; JupyterLab takes those far away off the page."""
        self.page.evaluate(
            "cell => jupyterapp.shell.currentWidget.content.scrollToItem(cell, 'start')", cell
        )

    def python(self, expression: str) -> Any:
        """The value of a Python expression in the kernel; it must be a literal."""
        reply = self.page.evaluate(
            """async expression => {
                const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
                const request = kernel.requestExecute({
                    code: '', store_history: false, user_expressions: { value: expression } });
                return (await request.done).content.user_expressions.value;
            }""",
            expression,
        )
        if reply["status"] != "ok":
            raise AssertionError(f"{expression}: {reply['ename']}: {reply['evalue']}")
        return ast.literal_eval(reply["data"]["text/plain"])

    def settle(self) -> None:
        """Let the page paint, and tell all that it has done so far."""
        self.page.evaluate(PAINTED)

    def set_theme(self, theme: str) -> None:
        """Change to the theme of this name, as its menu does, and wait until it is there."""
        self.page.evaluate(
            "theme => jupyterapp.commands.execute('apputils:change-theme', { theme })", theme
        )
        self.page.wait_for_function(
            "theme => document.body.dataset.jpThemeName === theme", arg=theme
        )
        self.settle()

    def axe(self, selector: str) -> list[str]:
        """Violations of accessibility inside the elements that match: rule, impact, element."""
        return axe_violations(self.page, selector)


def axe_violations(page: Page, selector: str) -> list[str]:
    """The same for any page."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(f"() => {{ {AXE_SCRIPT} }}")
    found: list[str] = page.evaluate(
        """selector => axe.run(selector, { resultTypes: ["violations"] }).then(found =>
            found.violations.flatMap(({ id, impact, nodes }) =>
                nodes.map(({ html }) => `${id} (${impact}): ${html}`)))""",
        selector,
    )
    return found


def eventually(ask: Callable[[], Any], wanted: Any) -> None:
    """Wait until the answer is the wanted one."""
    deadline, pause = time.monotonic() + PATIENCE, 0.02
    while (answer := ask()) != wanted:
        assert time.monotonic() < deadline, f"{answer!r} never became {wanted!r}"
        time.sleep(pause)
        pause = min(2 * pause, 0.3)  # each answer is work for up to four processes


@dataclass(frozen=True)
class JupyterLab:
    """A running JupyterLab, and the browser to look at it with."""

    browser: Browser
    address: str
    token: str
    folder: Path
    _free: list[Page] = field(default_factory=list)
    """Pages that show JupyterLab, and no notebook."""

    @contextmanager
    def open(
        self, cells: Sequence[str], theme: str = LIGHT, viewport: ViewportSize = WINDOW
    ) -> Iterator[Notebook]:
        """Open a notebook of these code cells, with its kernel ready; at the end nothing was
        amiss."""
        name = self.write(cells)
        page = self._free.pop() if self._free else self._page()
        try:
            notebook = Notebook(page)
            page.set_viewport_size(viewport)
            open_notebook(page, name)
            notebook.set_theme(theme)
            yield notebook
            notebook.settle()
            amiss = notebook.errors + notebook.outside
            assert not amiss, "\n".join(amiss)
            close_notebook(page)
        except BaseException:
            page.context.close()
            raise
        self._free.append(page)

    def write(self, cells: Sequence[str]) -> str:
        """Write a new notebook; returns its name."""
        name = f"test-{secrets.token_hex(4)}.ipynb"
        document = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(cell) for cell in cells],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        nbformat.write(document, self.folder / name)
        return name

    def _page(self) -> Page:
        page = self.browser.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.add_init_script("Error.stackTraceLimit = 100")  # ten places may be all JupyterLab's
        workspace = f"{self.address}/lab/workspaces/{secrets.token_hex(4)}"
        page.goto(f"{workspace}?token={self.token}")
        page.wait_for_function("() => window.jupyterapp !== undefined")
        page.evaluate("() => jupyterapp.restored")
        return page


def open_notebook(page: Page, name: str) -> None:
    """Open a notebook, and wait until its kernel is ready."""
    page.evaluate(
        "async path => { await jupyterapp.commands.execute('docmanager:open', { path }); }", name
    )
    page.wait_for_function("() => jupyterapp.shell.currentWidget?.sessionContext !== undefined")
    page.evaluate(
        """async () => {
            const panel = jupyterapp.shell.currentWidget;
            await panel.context.ready;
            await panel.sessionContext.ready;
            await panel.sessionContext.session.kernel.info;
        }"""
    )


def close_notebook(page: Page) -> None:
    """Close it and end its kernel, so that a run of tests does not end with a hundred of them."""
    page.evaluate(
        """async () => {
            const panel = jupyterapp.shell.currentWidget;
            await panel.sessionContext.shutdown();
            panel.dispose();
        }"""
    )


@contextmanager
def serve(browser: Browser, folder: Path) -> Iterator[JupyterLab]:
    """Run JupyterLab on a free port of this machine; notebooks and settings live in `folder`.

    The settings, data and start-up scripts of the person who runs the tests are not used. Kernels
    and widget extensions are found beside the interpreter, where pip has put them.
    """
    token, port = secrets.token_hex(16), free_port()
    lab = JupyterLab(browser, f"http://{HOST}:{port}", token, folder / "notebooks")
    lab.folder.mkdir()
    # Announcements ask a server outside, and lie over the notebook.
    disabled = {"@jupyterlab/apputils-extension:announcements": True}
    settings = folder / "config" / "labconfig" / "page_config.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"disabledExtensions": disabled}))
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        f"--ServerApp.ip={HOST}",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={lab.folder}",
        f"--IdentityProvider.token={lab.token}",
        "--LabApp.expose_app_in_browser=True",
        "--LabApp.extension_manager=readonly",
    ]
    own = {
        f"JUPYTER_{kind.upper()}_DIR": str(folder / kind) for kind in ("config", "data", "runtime")
    }
    own["IPYTHONDIR"] = str(folder / "ipython")
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "IPYTHON"))}
    with running(command, f"{lab.address}/api/status?token={token}", folder, inherited | own):
        yield lab


@contextmanager
def running(command: list[str], url: str, folder: Path, env: dict[str, str]) -> Iterator[None]:
    """A server, from its first answer at this address to the end of the block."""
    log = folder / "log.txt"
    options: Any = {
        "cwd": folder,
        "env": env,
        "stdin": subprocess.DEVNULL,
        "start_new_session": True,
    }
    with (
        log.open("w") as file,
        subprocess.Popen(command, stdout=file, stderr=file, **options) as process,
    ):
        try:
            deadline = time.monotonic() + PATIENCE
            while not answers(url):
                ended = process.poll() is not None or time.monotonic() > deadline
                assert not ended, f"It did not start; its log says:\n{log.read_text()[-3000:]}"
                time.sleep(0.1)
            yield
        finally:
            process.terminate()
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()  # it has stopped, and one of its threads now and then stays


def answers(url: str) -> bool:
    with suppress(OSError):
        urllib.request.urlopen(url).close()
        return True
    return False


def free_port() -> int:
    """A free port of this machine, below the ports that kernels get."""
    while True:
        port = 20_000 + secrets.randbelow(10_000)
        with suppress(OSError), socket.socket() as probe:
            probe.bind((HOST, port))
            return port
