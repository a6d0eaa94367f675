"""Settings of all tests: the long forms on request, Hypothesis without a clock, no progress bars.

It is at the root, so that ``--slow`` is known for the notebooks alone, too.
"""

from __future__ import annotations

import gc
import os
import re
import signal
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from nbval.plugin import IPyNbCell
from xdist.scheduler import LoadFileScheduling

# In kernels of nbval bars come only on a slow machine, and would be an output that is not stored.
os.environ["TQDM_DISABLE"] = "1"

# A busy machine is no failure, so no example has a deadline.
WITHOUT_CLOCK = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("normal", WITHOUT_CLOCK, max_examples=25)
settings.register_profile("slow", WITHOUT_CLOCK, max_examples=1000)

# Two processes end at about the same time if what remains at the end are short files.
LONGEST_FIRST = ("tests/browser/", "solutions/", "")

# A solution has all cells of its lesson but the stubs, and its outputs are compared. Lesson 04 with
# its stubs is run by project/test_without_parts.py.
RUN_AS_SOLUTION = re.compile(r"notebooks/(?!00_)\d\d_")


# The quick tests' requirements bring no driver of browsers.
WITHOUT_BROWSER = find_spec("playwright") is None and os.environ.get("REQUIRE_ALL") != "1"
collect_ignore = ["tests/browser"] if WITHOUT_BROWSER else []


def pytest_report_header() -> str:
    return "no tests in a browser: playwright is not installed" if WITHOUT_BROWSER else ""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--slow",
        action="store_true",
        help="run the long forms of the tests too, and 1,000 examples of Hypothesis instead of 25",
    )


def pytest_configure(config: pytest.Config) -> None:
    # A shell lets what it runs in the background ignore interrupts; some tests send them.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    settings.load_profile("slow" if config.getoption("--slow") else "normal")
    config.option.loadscopereorder = False  # xdist would begin with the files of most tests


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    missing = missing_graphviz()
    for item in items:
        if missing and item.get_closest_marker("graphviz"):
            item.add_marker(pytest.mark.skip(reason=missing))
        if RUN_AS_SOLUTION.match(item.nodeid):
            item.add_marker("slow")
        if isinstance(item, IPyNbCell):  # of a picture its words are compared, which are its alt
            skipped = item.parent.skip_compare
            item.parent.skip_compare = tuple(key for key in skipped if key != "metadata")
    items.sort(key=turn)
    if config.getoption("--slow"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Imported modules and collected tests stay to the end: garbage is not looked for in them."""
    gc.freeze()


def turn(item: pytest.Item) -> int:
    return next(n for n, start in enumerate(LONGEST_FIRST) if item.nodeid.startswith(start))


class OneLab(LoadFileScheduling):
    """A file a process, and the files that share one JupyterLab, by their names, as one."""

    def _split_scope(self, nodeid: str) -> str:
        file = str(super()._split_scope(nodeid))
        return "lab" if file.endswith("lab.py") else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> OneLab | None:
    return OneLab(config, log) if config.option.dist == "loadfile" else None


def missing_graphviz() -> str:
    """The reason why tests that need pygraphviz are skipped; "" if they are not.

    Its wheels for Linux want libraries of the system, which a bare container lacks. With
    REQUIRE_ALL=1 the tests run and fail.
    """
    try:
        import_module("pygraphviz")
    except ImportError as error:
        return "" if os.environ.get("REQUIRE_ALL") == "1" else f"pygraphviz does not load: {error}"
    return ""
