"""nbgrader, run as a teacher runs it."""

import os
import subprocess
import sys
from pathlib import Path


def run_nbgrader(folder, *command):
    """Run one of nbgrader's commands in ``folder``, with its programs on the path; it must
    succeed."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *command],
        cwd=folder,
        env=os.environ | {"PATH": programs},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
