"""JupyterLite with the lessons, and with the package in Pyodide's own list of packages.

So `import mcts_viz` works in a cell as it does at home, and nothing is installed by the reader.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterator
from email import message_from_string
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pages import Lesson
from pyodide_lock import PyodideLockSpec
from pyodide_lock.utils import add_wheels_to_spec

BROWSER = {
    "sys_platform": "emscripten",
    "platform_system": "Emscripten",
    "platform_machine": "wasm32",
    "os_name": "posix",
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
    "extra": "",
}
CORE = ("pyodide.js", "pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")
OF_KERNEL = ("comm", "ipython", "jedi", "micropip", "sqlite3", "ssl")
FRONT_END = ("@jupyter-widgets/", "@jupyterlite/", "anywidget")
IN_THE_PAGE = {"jupyterlab-widgets", "widgetsnbextension"}  # JavaScript, which JupyterLite has


def build_lite(chosen: list[Lesson], target: Path, pyodide: str, wheel: Path) -> None:
    """Lessons, solutions and all that runs them, into ``target``."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        contents = folder / "contents"
        for lesson in chosen:
            for place in ("notebooks", "solutions"):
                here = r"(notebooks|solutions)/\d\d_"
                lesson.write(contents / place / lesson.path.name, here=here)
        select(unpacked(pyodide, folder), folder / "static" / "pyodide", wheel)
        build = ["lite", "build", "--lite-dir", folder, "--contents", contents, "--apps", "lab"]
        slim = ["--no-unused-shared-packages", "--no-sourcemaps", "--no-libarchive"]
        subprocess.run(
            [sys.executable, "-m", "jupyter", *build, *slim, "--output-dir", target],
            cwd=folder,  # where it leaves a file of its own
            check=True,
            stdout=subprocess.DEVNULL,
        )
    adapt(target)


def adapt(target: Path) -> None:
    """Take this Pyodide, and leave out other extensions that happen to be installed here."""
    settings = target / "jupyter-lite.json"
    said = json.loads(settings.read_text("utf-8"))
    data = said["jupyter-config-data"]
    found = data["federated_extensions"]
    data["federated_extensions"] = [each for each in found if each["name"].startswith(FRONT_END)]
    kernel = data["litePluginSettings"]["@jupyterlite/pyodide-kernel-extension:kernel"]
    kernel["pyodideUrl"] = "./static/pyodide/pyodide.js"  # ours, and not another host's
    settings.write_text(json.dumps(said), "utf-8")
    for each in found:
        if not each["name"].startswith(FRONT_END):
            shutil.rmtree(target / "extensions" / each["name"])


def unpacked(pyodide: str, folder: Path) -> Path:
    """The folder of a Pyodide distribution; an archive is fetched and unpacked."""
    if not pyodide.startswith("https://") and Path(pyodide).is_dir():
        return Path(pyodide)
    archive = Path(pyodide)
    if pyodide.startswith("https://"):
        archive = folder / "pyodide.tar.bz2"
        urllib.request.urlretrieve(pyodide, archive)
    with tarfile.open(archive) as tar:
        tar.extractall(folder / "unpacked", filter="data")
    return folder / "unpacked" / "pyodide"


def select(pyodide: Path, target: Path, wheel: Path) -> None:
    """Of the distribution what the lessons need, and beside it the wheels that it lacks."""
    target.mkdir(parents=True)
    for file in CORE:
        shutil.copyfile(pyodide / file, target / file)
    lock = PyodideLockSpec.from_json(pyodide / "pyodide-lock.json")
    python = lock.info.python
    shutil.copyfile(wheel, target / wheel.name)
    wheels = {"mcts-viz": target / wheel.name}
    wanted, needed = [*OF_KERNEL, *requirements(wheel, python)], set()
    while wanted:
        name = wanted.pop()
        if name in needed or name in wheels or name in IN_THE_PAGE:
            continue
        if name in lock.packages:
            needed.add(name)
            wanted += map(canonicalize_name, lock.packages[name].depends)
        else:
            wheels[name] = pure_wheel(name, target, python)
            wanted += requirements(wheels[name], python)
    lock.packages = {name: lock.packages[name] for name in sorted(needed)}
    for package in lock.packages.values():
        shutil.copyfile(pyodide / package.file_name, target / package.file_name)
    found = add_wheels_to_spec(
        lock, list(wheels.values()), base_path=target, ignore_missing_dependencies=True
    )
    for package in found.packages.values():
        names = map(canonicalize_name, package.depends)
        package.depends = [name for name in names if name in found.packages]
    found.to_json(target / "pyodide-lock.json")


def requirements(wheel: Path, python: str) -> Iterator[str]:
    """What a wheel asks for in a browser."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = message_from_string(archive.read(name).decode())
    short = ".".join(python.split(".")[:2])
    here = BROWSER | {"python_version": short, "python_full_version": python}
    for line in metadata.get_all("Requires-Dist") or ():
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate(here):
            yield canonicalize_name(requirement.name)


def pure_wheel(name: str, folder: Path, python: str) -> Path:
    """Fetch the newest wheel in pure Python for that version."""
    before = set(folder.glob("*.whl"))
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", folder]
    command += ["--only-binary", ":all:", "--platform", "any", "--implementation", "py"]
    command += ["--abi", "none", "--python-version", ".".join(python.split(".")[:2]), name]
    subprocess.run(command, check=True)
    (wheel,) = set(folder.glob("*.whl")) - before
    return wheel
