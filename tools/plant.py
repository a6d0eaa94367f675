"""Plant small faults one at a time and see which tests notice: python tools/plant.py [NAME ...]

``tools/faults.toml`` names the faults: the file, the text that is replaced, the text that replaces
it, and the tests that docs/TESTS.md names for such a change. Each fault is planted in a copy of the
working tree, so the tree itself is never touched. The test that fails is run again without the
fault: one that is red then too gives no verdict. A fault that no test notices survives: it is a
*kind* of fault that has no oracle yet. With names, or their beginnings, only these are planted. The
exit code is 1 if more survive than ``--allow`` says (default 0), or if one has no verdict.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[1]
VERDICTS = "seen", "SURVIVED", "no verdict"
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "*_cache", "__pycache__", ".hypothesis")


@dataclass(frozen=True)
class Fault:
    """One line of a tired developer."""

    name: str
    file: str
    before: str
    """Text that occurs exactly once in the file."""
    after: str
    tests: list[str]
    """Arguments of pytest: what docs/TESTS.md says to run after a change of this file."""

    def plant(self, root: Path) -> None:
        """Write the fault into the copy at ``root``; ``ValueError`` if its text is not there."""
        path = root / self.file
        text = path.read_text(encoding="utf-8")
        if text.count(self.before) != 1:
            occurs = text.count(self.before)
            raise ValueError(f"its text occurs {occurs} times in {self.file}.")
        path.write_text(text.replace(self.before, self.after), encoding="utf-8")

    def heal(self, root: Path) -> None:
        """Bring the file back as it is in the working tree."""
        shutil.copy2(ROOT / self.file, root / self.file)


def read_faults(names: list[str]) -> list[Fault]:
    """The faults whose names begin so, or all; raises ``SystemExit`` where there is none."""
    text = (ROOT / "tools" / "faults.toml").read_text(encoding="utf-8")
    faults = [Fault(**entry) for entry in tomllib.loads(text)["fault"]]
    for name in names:
        if not any(fault.name.startswith(name) for fault in faults):
            raise SystemExit(f"tools/faults.toml has no fault whose name begins with {name!r}.")
    return [fault for fault in faults if not names or fault.name.startswith(tuple(names))]


def first_red(tests: list[str], root: Path) -> str:
    """The first of these tests that fails in the copy at ``root``; "" if none does."""
    command = [sys.executable, "-m", "pytest", "-xqrfE", "-p", "no:cacheprovider", *tests]
    own = {**os.environ, "PYTHONPATH": str(root)}  # also for kernels, which start elsewhere
    run = subprocess.run(command, cwd=root, env=own, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):  # 1: a test failed; all else is no verdict
        raise ValueError(f"pytest could not run.\n{run.stdout[-2000:]}{run.stderr}")
    if not run.returncode:
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", run.stdout, re.M)
    return failed[1] if failed else run.stdout[-200:]


@dataclass
class Planting:
    """Copies of the working tree, in which faults are planted one after the other."""

    copies: SimpleQueue[Path]

    def try_out(self, fault: Fault) -> str:
        """Its verdict, which is printed: "seen", "SURVIVED" or "no verdict"."""
        root, begun = self.copies.get(), time.perf_counter()
        try:
            verdict, why = self._verdict(fault, root)
        except ValueError as error:
            verdict, why = "no verdict", f": {error}"
        finally:
            fault.heal(root)
            self.copies.put(root)
        spent = time.perf_counter() - begun
        print(f"{verdict:<10} {fault.name}{why} ({spent:.0f} s)", flush=True)
        return verdict

    def _verdict(self, fault: Fault, root: Path) -> tuple[str, str]:
        fault.plant(root)
        red = first_red(fault.tests, root)
        if not red:
            return "SURVIVED", ""
        fault.heal(root)
        alone = "::" in red and "::Cell" not in red  # a cell needs those above it
        if first_red([red] if alone else fault.tests, root):
            return "no verdict", f": {red} is red without it"
        return "seen", f", by {red}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="how names of faults begin; none for all")
    parser.add_argument("--allow", type=int, default=0, help="faults that may survive")
    parser.add_argument("--jobs", type=int, default=2, help="faults that are tried at a time")
    given = parser.parse_args()
    faults, copies = read_faults(given.names), SimpleQueue[Path]()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(given.jobs) as workers:
        for number in range(given.jobs):
            copies.put(shutil.copytree(ROOT, Path(folder) / str(number), ignore=LEFT_OUT))
        found = [*workers.map(Planting(copies).try_out, faults)]
    print(f"{len(faults)} faults", *(f"{found.count(v)} {v}" for v in VERDICTS), sep=", ")
    for fault, verdict in zip(faults, found, strict=True):
        if verdict != "seen":
            print(f"  {verdict}: {fault.name}")
    return 1 if "no verdict" in found or found.count("SURVIVED") > given.allow else 0


if __name__ == "__main__":
    sys.exit(main())
