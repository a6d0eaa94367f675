"""Plant small faults one at a time and see which tests notice: python tools/plant.py [NAME ...]

``tools/faults.toml`` names the faults: the file, the text that is replaced, the text that replaces
it, and the tests that docs/TESTS.md names for such a change. Each fault is planted in a copy of the
working tree, so the tree itself is never touched. A fault that no test notices survives: it is a
*kind* of fault that has no oracle yet. With names, only these faults are planted. The exit code is
1 if more faults survive than ``--allow`` says (default 0), or if a fault cannot be planted.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
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
    """Arguments of pytest: what docs/TESTS.md tells somebody to run who changes this file."""

    def plant(self, root: Path) -> None:
        """Write the fault into the copy at ``root``; ``ValueError`` if its text is not there."""
        path = root / self.file
        text = path.read_text(encoding="utf-8")
        if text.count(self.before) != 1:
            occurs = text.count(self.before)
            raise ValueError(f"{self.name}: its text occurs {occurs} times in {self.file}.")
        path.write_text(text.replace(self.before, self.after), encoding="utf-8")

    def heal(self, root: Path) -> None:
        """Bring the file back as it is in the working tree."""
        shutil.copy2(ROOT / self.file, root / self.file)


def read_faults(names: list[str]) -> list[Fault]:
    """The faults with these names, or all; raises ``SystemExit`` for a name that is not there."""
    text = (ROOT / "tools" / "faults.toml").read_text(encoding="utf-8")
    faults = [Fault(**entry) for entry in tomllib.loads(text)["fault"]]
    if unknown := set(names) - {fault.name for fault in faults}:
        raise SystemExit(f"tools/faults.toml has no fault named {', '.join(sorted(unknown))}.")
    return [fault for fault in faults if not names or fault.name in names]


def is_noticed(fault: Fault, root: Path) -> bool:
    """True if one of the fault's tests fails in the copy at ``root``."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *fault.tests]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):  # 1: a test failed; all else is no verdict
        raise SystemExit(f"{fault.name}: pytest could not run.\n{run.stdout[-2000:]}{run.stderr}")
    return run.returncode == 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="faults to plant; all if none is named")
    parser.add_argument("--allow", type=int, default=0, help="faults that may survive")
    given = parser.parse_args()
    faults, survivors, lost = read_faults(given.names), [], []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        shutil.copytree(ROOT, root, ignore=LEFT_OUT)
        for fault in faults:
            begun = time.perf_counter()
            try:
                fault.plant(root)
            except ValueError as error:
                lost.append(str(error))
                print(error, flush=True)
                continue
            noticed = is_noticed(fault, root)
            fault.heal(root)
            if not noticed:
                survivors.append(fault.name)
            seconds = time.perf_counter() - begun
            print(
                f"{'seen    ' if noticed else 'SURVIVED'} {fault.name} ({seconds:.0f} s)",
                flush=True,
            )
    print(f"{len(faults) - len(lost)} planted, {len(survivors)} survived: {', '.join(survivors)}")
    return 1 if lost or len(survivors) > given.allow else 0


if __name__ == "__main__":
    sys.exit(main())
