"""The browser and the JupyterLab that the tests of this folder share.

Both end with the folder, not with the session: while Playwright runs, its event loop occupies the
thread, and the notebooks that are tested after it start event loops of their own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from .bare import Show, bare_page, noted
from .lab import CHROMIUM_FLAGS, PATIENCE, JupyterLab, Notebook, find_chromium, serve

expect.set_options(timeout=PATIENCE * 1000)  # else five seconds, which a busy machine may need

NO_BROWSER = (
    "No Chromium was found: install your system's, or run `python -m playwright install chromium`."
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A Chromium without a window. Without one, tests skip; with REQUIRE_ALL=1 they fail."""
    with sync_playwright() as playwright:
        path = find_chromium(playwright.chromium.executable_path)
        if path is None:
            missing = pytest.fail if os.environ.get("REQUIRE_ALL") == "1" else pytest.skip
            missing(NO_BROWSER)
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A bare page for all tests of a file; each test puts its own widgets on it."""
    with bare_page(browser) as page:
        yield page


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Show]:
    """Opens a file, or this HTML as one, with the network off; at the end nothing was amiss."""
    amiss: list[str] = []
    with ExitStack() as opened:

        def show(html: str | Path, at: str = "", name: str = "film.html", **profile: Any) -> Page:
            file = html if isinstance(html, Path) else tmp_path / name
            if isinstance(html, str):
                file.write_text(html, encoding="utf-8")
            page = opened.enter_context(noted(browser, amiss, **profile))
            if page.url.startswith(file.as_uri()):  # with another mark it would stay as it is
                page.goto("about:blank")
            page.goto(file.as_uri() + at)
            return page

        yield show
    assert amiss == []


@pytest.fixture(scope="package")
def lab(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterLab]:
    """A running JupyterLab; `lab.open` opens a notebook in it."""
    with serve(browser, tmp_path_factory.mktemp("lab")) as running:
        yield running


@pytest.fixture(scope="module")
def notebook(lab: JupyterLab, request: pytest.FixtureRequest) -> Iterator[Notebook]:
    """The notebook of a file of tests: its ``CELLS``, which have run, in a window of its
    ``VIEWPORT``.
    """
    with lab.open(request.module.CELLS, viewport=request.module.VIEWPORT) as notebook:
        notebook.run_all()
        yield notebook
