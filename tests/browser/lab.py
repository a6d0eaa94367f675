"""JupyterLab in a real browser, as a few verbs for tests.

    with lab.open(["from mcts_viz import ...", "player"], theme=DARK) as notebook:
        notebook.run_all()
        notebook.page.get_by_role("button", name="Next").click()
        assert notebook.python("player.step") == 1
        assert not notebook.errors

`serve` starts one JupyterLab with settings of its own, far from those of the person who runs the
tests. Every `open` is a new file and a new kernel, and the theme and the size of the window are set
every time. The page is that of the test before, if that one passed and asked for no profile of its
own: to load JupyterLab takes longer than most tests.
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
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import nbformat
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Request,
    ViewportSize,
    WebSocket,
)

LIGHT = "JupyterLab Light"
DARK = "JupyterLab Dark"
HIGH_CONTRAST = "JupyterLab Dark High Contrast"

WINDOW = ViewportSize(width=1280, height=720)
HOST = "127.0.0.1"
PATIENCE = 180  # seconds, for a machine under load; a healthy one needs a hundredth of it

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium(downloaded: str) -> str | None:
    """The system's Chromium or Chrome, else the one that Playwright has downloaded, else None."""
    candidates = (shutil.which(name) for name in (*CHROMIUM_NAMES, downloaded))
    return next(filter(None, candidates), None)


@dataclass
class Notebook:
    """One open notebook, and all that its page has said since it was opened."""

    page: Page
    errors: list[str] = field(default_factory=list)
    """Errors on the browser's console, and exceptions that no script caught."""
    outside: list[str] = field(default_factory=list)
    """Addresses, other than this machine's, that the page has asked for anything."""

    def listen(self) -> None:
        """Start to note errors and requests."""
        for event, note in self._notes:
            self.page.on(event, note)

    def turn_away(self) -> None:
        """Note nothing any more."""
        for event, note in self._notes:
            self.page.remove_listener(event, note)

    @property
    def _notes(self) -> list[tuple[Any, Callable[[Any], None]]]:
        return [
            ("console", self._note_console),
            ("pageerror", self._note_exception),
            ("request", self._note_request),
            ("websocket", self._note_websocket),
        ]

    def _note_exception(self, error: Error) -> None:
        # On a busy machine JupyterLab 4.6 now and then removes an element of its own twice, with
        # widgets or without. What a widget does has its script (a blob) in the stack.
        stack = error.stack or ""
        if "'removeChild' on 'Node'" in error.message and "blob:" not in stack:
            return
        self.errors.append(f"{error}\n{stack}")

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(f"{message.text} ({message.location.get('url')})")

    def _note_request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in ("http", "https") and address.hostname != HOST:
            self.outside.append(request.url)

    def _note_websocket(self, channel: WebSocket) -> None:
        address = urlsplit(channel.url)
        if address.hostname != HOST:
            self.outside.append(channel.url)

    def run_all(self) -> None:
        """Run all cells to the end; an error in one of them is raised here."""
        self.page.evaluate("() => jupyterapp.commands.execute('notebook:run-all-cells')")
        self.wait_for_kernel()
        self.page.wait_for_function(
            """() => {
                const cells = [...jupyterapp.shell.currentWidget.content.model.cells]
                    .filter(cell => cell.type === 'code' && cell.sharedModel.source.trim());
                const failed = cell => cell.outputs.toJSON().some(o => o.output_type === 'error');
                return cells.some(failed) || cells.every(cell => cell.executionCount !== null);
            }"""
        )
        if failures := self.failures():
            raise AssertionError("\n".join(failures))

    def wait_for_kernel(self) -> None:
        """Wait until the kernel has nothing left to do."""
        self.page.wait_for_function(
            "() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"
        )

    def failures(self) -> list[str]:
        """The errors that the cells show, in their order."""
        outputs: list[dict[str, Any]] = self.page.evaluate(
            """() => [...jupyterapp.shell.currentWidget.content.model.cells]
                .flatMap(cell => cell.type === 'code' ? cell.outputs.toJSON() : [])"""
        )
        return [f"{o['ename']}: {o['evalue']}" for o in outputs if o["output_type"] == "error"]

    def output(self, cell: int) -> Locator:
        """What the cell of this number, from 0, shows below its code."""
        return self.page.locator(f'[data-windowed-list-index="{cell}"] .jp-Cell-outputArea')

    def cells(self) -> int:
        """How many cells the notebook has."""
        return int(self.page.evaluate("jupyterapp.shell.currentWidget.content.widgets.length"))

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
        self.page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"
        )

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
    violations = Axe().run(page, context=selector).response["violations"]
    return [
        f"{violation['id']} ({violation['impact']}): {node['html']}"
        for violation in violations
        for node in violation["nodes"]
    ]


def eventually(ask: Callable[[], Any], wanted: Any) -> None:
    """Wait until the answer is the wanted one."""
    deadline = time.monotonic() + PATIENCE
    while (answer := ask()) != wanted:
        assert time.monotonic() < deadline, f"{answer!r} never became {wanted!r}"
        time.sleep(0.02)


def wait_until_open(page: Page) -> None:
    """Wait until the page shows a notebook, with its kernel ready."""
    page.wait_for_function("() => window.jupyterapp !== undefined")
    page.evaluate("() => jupyterapp.started")
    page.wait_for_function("() => jupyterapp.shell.currentWidget?.sessionContext !== undefined")
    page.evaluate(
        """async () => {
            const panel = jupyterapp.shell.currentWidget;
            await panel.context.ready;
            await panel.sessionContext.ready;
            await panel.sessionContext.session.kernel.info;
        }"""
    )


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
        self,
        cells: Sequence[str] | Path,
        theme: str = LIGHT,
        viewport: ViewportSize = WINDOW,
        **profile: Any,
    ) -> Iterator[Notebook]:
        """Open a notebook of these code cells, or a copy of this file, with its kernel ready.

        A `profile` goes to the browser: `reduced_motion="reduce"` and the like.
        """
        name = f"test-{secrets.token_hex(4)}"
        self._write(name, cells)
        page = self._page(profile)
        notebook = Notebook(page)
        try:
            notebook.listen()
            page.set_viewport_size(viewport)
            self._enter(page, name)
            notebook.set_theme(theme)
            yield notebook
            notebook.settle()
            self._leave(page)
        except BaseException:
            page.context.close()
            raise
        notebook.turn_away()
        if profile:
            page.context.close()
        else:
            self._free.append(page)

    def _page(self, profile: dict[str, Any]) -> Page:
        """A page that no test has now."""
        if self._free and not profile:
            return self._free.pop()
        context = self.browser.new_context(**profile)
        context.set_default_timeout(PATIENCE * 1000)
        return context.new_page()

    def _write(self, name: str, cells: Sequence[str] | Path) -> None:
        if isinstance(cells, Path):
            shutil.copy(cells, self.folder / f"{name}.ipynb")
            return
        document = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(cell) for cell in cells],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        nbformat.write(document, self.folder / f"{name}.ipynb")

    def _enter(self, page: Page, name: str) -> None:
        if page.url == "about:blank":
            page.goto(f"{self.address}/lab/workspaces/{name}?token={self.token}")
            page.wait_for_function("() => window.jupyterapp !== undefined")
            page.evaluate("() => jupyterapp.restored")
        page.evaluate(
            "async path => { await jupyterapp.commands.execute('docmanager:open', { path }); }",
            f"{name}.ipynb",
        )
        wait_until_open(page)

    def _leave(self, page: Page) -> None:
        """End the kernel, so that a long run of tests does not end with a hundred of them."""
        page.evaluate(
            """async () => {
                const panel = jupyterapp.shell.currentWidget;
                await panel.sessionContext.shutdown();
                panel.dispose();
            }"""
        )


@contextmanager
def serve(browser: Browser, folder: Path) -> Iterator[JupyterLab]:
    """Run JupyterLab on a free port of this machine; notebooks and settings live in `folder`."""
    token, port = secrets.token_hex(16), free_port()
    lab = JupyterLab(browser, f"http://{HOST}:{port}", token, folder / "notebooks")
    lab.folder.mkdir()
    _write_settings(folder)
    with (folder / "log.txt").open("w") as log:
        process = subprocess.Popen(
            _command(lab, port),
            env=_environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        _wait_until_up(lab, process, folder / "log.txt")
        yield lab
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()


def free_port() -> int:
    """A port of this machine that nobody listens at, below those that kernels are given."""
    while True:
        port = 20_000 + secrets.randbelow(10_000)
        with suppress(OSError), socket.socket() as probe:
            probe.bind((HOST, port))
            return port


def _command(lab: JupyterLab, port: int) -> list[str]:
    return [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        f"--ServerApp.ip={HOST}",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={lab.folder}",
        f"--IdentityProvider.token={lab.token}",
        "--LabApp.expose_app_in_browser=True",
        "--LabApp.extension_manager=readonly",
    ]


def _environment(folder: Path) -> dict[str, str]:
    """The environment without the settings, data and start-up scripts of whoever runs the tests.

    Kernels and widget extensions are found beside the interpreter, where pip has put them.
    """
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "IPYTHON"))}
    return inherited | {
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "IPYTHONDIR": str(folder / "ipython"),
    }


def _write_settings(folder: Path) -> None:
    """Switch off the announcements: they ask a server outside, and lie over the notebook."""
    labconfig = folder / "config" / "labconfig"
    labconfig.mkdir(parents=True)
    disabled = {"@jupyterlab/apputils-extension:announcements": True}
    (labconfig / "page_config.json").write_text(json.dumps({"disabledExtensions": disabled}))


def _wait_until_up(lab: JupyterLab, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"{lab.address}/api/status?token={lab.token}").close()
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"JupyterLab did not start; its log says:\n{log.read_text()[-3000:]}")
