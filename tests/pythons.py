"""Other Pythons on this machine, and copies of the project for them."""

import os
import shutil
import subprocess
from pathlib import Path

from repository import ROOT, project_files


def python_of(version):
    """A Python of that version, such as 3.12, that can make environments; ``None`` without one."""
    named = [shutil.which(f"python{version}")]
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    named += [str(path) for path in sorted(versions.glob(f"{version}.*/bin/python"))]
    for python in filter(None, named):
        asked = [python, "-c", "import ensurepip, sys; print(sys.version_info[:2])"]
        answer = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
        if answer.strip() == str(tuple(map(int, version.split(".")))):
            return python
    return None


def copy_project(target):
    """Copy the project's files as a clone would have them, and return the folder."""
    for path in project_files():
        copy = target / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return target


def environment_of(python, folder, home):
    """Make an environment in ``folder``; the variables in which its programs are to run."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    here = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return {**here, "HOME": str(home), "PATH": path, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def program_of(environment):
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
