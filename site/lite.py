"""JupyterLite with the lessons, and with the package in Pyodide's own list of packages.

So `import mcts_viz` works in a cell as it does at home, and nothing is installed by the reader.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pages import ICON, Lesson

BROWSER = {
    "sys_platform": "emscripten",
    "platform_system": "Emscripten",
    "platform_machine": "wasm32",
    "os_name": "posix",
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
    "extra": "",
}
CORE = (
    *("pyodide.js", "pyodide.asm.js"),  # until 0.29
    *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"),
)
OF_KERNEL = ("comm", "ipython", "micropip")
COMPLETES = "jedi"  # what the kernel from 0.8 on, with a Pyodide from 314 on, completes words by
OF_PYTHON = ("sqlite3", "ssl")  # which a Pyodide before 314 has as packages of their own
FRONT_END = ("@jupyter-widgets/", "@jupyterlite/", "anywidget")
IN_THE_PAGE = {"jupyterlab-widgets", "widgetsnbextension"}  # JavaScript, which JupyterLite has
SPARED = {"openssl", "pytz"}  # no lesson asks another host, or for a time zone
LATER = {"matplotlib", "networkx"}
"""The packages for plots: mcts_course.in_browser loads them behind the first board."""


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
    """Take this Pyodide and our script; leave out extensions that happen to be installed here."""
    settings = target / "jupyter-lite.json"
    said = json.loads(settings.read_text("utf-8"))
    data = said["jupyter-config-data"]
    found = data["federated_extensions"]
    data["federated_extensions"] = [each for each in found if each["name"].startswith(FRONT_END)]
    kernel = data["litePluginSettings"]["@jupyterlite/pyodide-kernel-extension:kernel"]
    name = "pyodide.mjs" if (target / "static/pyodide/pyodide.asm.mjs").exists() else "pyodide.js"
    kernel["pyodideUrl"] = f"./static/pyodide/{name}"  # ours, and not another host's
    lock = json.loads((target / "static/pyodide/pyodide-lock.json").read_text("utf-8"))
    first = {"mcts-viz", COMPLETES, *OF_KERNEL, *OF_PYTHON} & lock["packages"].keys()
    kernel["loadPyodideOptions"] = {"packages": sorted(first)}  # all at once, while Python starts
    data["exposeAppInBrowser"] = True  # to our script
    data["faviconUrl"] = ICON  # JupyterLite's own is 324 kB, fetched twice
    settings.write_text(json.dumps(said), "utf-8")
    page = target / "lab" / "index.html"
    script = (Path(__file__).parent / "lite.js").read_text("utf-8")
    made = page.read_text("utf-8").replace(
        "</head>", f'<script type="module">{script}</script></head>'
    )
    page.write_text(made, "utf-8")
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
    """Of the distribution what the lessons need, and next to it the wheels that it lacks."""
    target.mkdir(parents=True)
    for file in CORE:
        if (pyodide / file).exists():
            shutil.copyfile(pyodide / file, target / file)
    shutil.copyfile(wheel, target / wheel.name)
    lock = json.loads((pyodide / "pyodide-lock.json").read_text("utf-8"))
    found = closure(pyodide, target, lock, wheel)
    first = found["mcts-viz"]["depends"]
    found["mcts-viz"]["depends"] = [name for name in first if name not in LATER]
    for package in found.values():
        names = map(canonicalize_name, package["depends"])
        package["depends"] = [name for name in names if name in found]
    lock["packages"] = dict(sorted(found.items()))
    (target / "pyodide-lock.json").write_text(json.dumps(lock), "utf-8")


def closure(pyodide: Path, target: Path, lock: Any, wheel: Path) -> dict[str, Any]:
    """Our package and all that it needs, by name; each file is in ``target``."""
    python, listed = lock["info"]["python"], lock["packages"]
    found = {"mcts-viz": package_of(target / wheel.name, python)}
    wanted = [*OF_KERNEL, *found["mcts-viz"]["depends"]]
    wanted += [name for name in OF_PYTHON if name in listed]
    if (pyodide / "pyodide.asm.mjs").exists():
        wanted.append(COMPLETES)
    while wanted:
        name = wanted.pop()
        if name in found or name in IN_THE_PAGE | SPARED:
            continue
        if name in listed:
            found[name] = listed[name]
            file = listed[name]["file_name"]
            shutil.copyfile(pyodide / file, target / file)
        else:
            found[name] = package_of(pure_wheel(name, target, python), python)
        wanted += map(canonicalize_name, found[name]["depends"])
    return found


def package_of(wheel: Path, python: str) -> dict[str, Any]:
    """Describe a wheel in pure Python as Pyodide's list of packages describes its own."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (about,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(about).decode())
    modules = {name.split("/")[0].removesuffix(".py") for name in names if name.endswith(".py")}
    return {
        "name": canonicalize_name(metadata["Name"]),
        "version": metadata["Version"],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(module for module in modules if module.isidentifier()),
        "depends": requirements(metadata, python),
        "unvendored_tests": False,
    }


def requirements(metadata: Message, python: str) -> list[str]:
    """The packages that a package needs in a browser."""
    short = ".".join(python.split(".")[:2])
    here = BROWSER | {"python_version": short, "python_full_version": python}
    wanted = map(Requirement, metadata.get_all("Requires-Dist") or ())
    return [
        canonicalize_name(one.name)
        for one in wanted
        if one.marker is None or one.marker.evaluate(here)
    ]


def pure_wheel(name: str, folder: Path, python: str) -> Path:
    """Fetch the newest wheel in pure Python for that version."""
    before = set(folder.glob("*.whl"))
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", folder]
    command += ["--only-binary", ":all:", "--platform", "any", "--implementation", "py"]
    command += ["--abi", "none", "--python-version", ".".join(python.split(".")[:2]), name]
    subprocess.run(command, check=True)
    (wheel,) = set(folder.glob("*.whl")) - before
    return wheel
