"""Say where the project is published.

    python tools/publish.py --repository https://github.com/YOU/NAME

It writes the addresses into pyproject.toml, the one place that knows them, and fills the passages
of README.md that follow from them. Without an address the two are made to agree again. ``--site``
is needed for a repository that is not on GitHub; ``--on-pypi`` once a release is there.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
FIRST = "notebooks/00_can_you_beat_it.ipynb"
PASSAGE = r"(<!-- {name} -->\n).*?(<!-- end -->)"


@dataclass(frozen=True)
class Addresses:
    """The addresses of the project; "" where it is not published yet."""

    repository: str = ""
    """The page of its files, such as https://github.com/YOU/NAME."""
    site: str = ""
    """The site that site/build.py makes, with a slash at its end."""
    on_pypi: bool = False
    """True if ``pip install mcts_viz`` installs this project, and no one else's."""

    @property
    def on_github(self) -> str:
        """The part YOU/NAME of an address on GitHub; "" elsewhere."""
        parts = urlsplit(self.repository)
        return parts.path.strip("/") if parts.hostname == "github.com" else ""


def known(root: Path = ROOT) -> Addresses:
    """The addresses in pyproject.toml."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    return Addresses(**project["tool"]["hatch"]["metadata"]["hooks"]["custom"])


def version(root: Path = ROOT) -> str:
    """The version of the package, which is also the name of its tag, after a ``v``."""
    found = re.search(
        r'^__version__ = "(.+)"$', (root / "mcts_viz/__init__.py").read_text("utf-8"), re.M
    )
    assert found
    return found[1]


def run_it(where: Addresses, tag: str) -> str:
    """The passage of README.md that says how to start: in the browser where it can be, and here."""
    ways = []
    if where.site:
        ways.append(f"**[Run it in your browser]({where.site})**, with nothing to install.")
    if where.on_github:
        binder = f"https://mybinder.org/v2/gh/{where.on_github}/{tag}?urlpath=lab/tree/{FIRST}"
        colab = f"https://colab.research.google.com/github/{where.on_github}/blob/gh-pages/colab/"
        ways.append(f"[Binder]({binder}) and")
        ways.append(f"[Colab]({colab}{Path(FIRST).name}) run it, too.")
    clone = "*Download ZIP*, or `git clone` with the address of this page"
    if where.repository:
        clone = f"`git clone {where.repository}`"
    ways.append("Run it on your own machine, with Python 3.11 or newer:")
    ways.append(f"get the files ({clone}), open a terminal in their folder, and type,")
    ways.append("on Linux and macOS:")
    return "\n".join(ways)


def with_pip(where: Addresses) -> str:
    """The passage of README.md that installs the package and copies the lessons out of it."""
    package = ".[lab]"
    if where.repository:
        package = f"mcts_viz[lab] @ git+{where.repository}"
    if where.on_pypi:
        package = "mcts_viz[lab]"
    lines = [
        f'python -m pip install "{package}"',
        "python -m mcts_viz lessons",
        "python -m jupyterlab lessons",
    ]
    return "\n".join(["```", *lines, "```"])


def filled(page: str, where: Addresses, tag: str) -> str:
    """The page with its passages as the addresses have them."""
    for name, passage in {"run it": run_it(where, tag), "with pip": with_pip(where)}.items():
        pattern = PASSAGE.format(name=name)
        page, count = re.subn(
            pattern, lambda ends, said=passage: f"{ends[1]}{said}\n{ends[2]}", page, flags=re.S
        )
        if count != 1:
            raise ValueError(
                f"README.md must have one passage <!-- {name} --> … <!-- end -->; it has {count}."
            )
    return page


def publish(where: Addresses, root: Path = ROOT) -> None:
    """Write the addresses, and the passages that follow from them."""
    project = root / "pyproject.toml"
    text = project.read_text("utf-8")
    for name, value in asdict(where).items():
        text = re.sub(rf"^{name} = .*$", f"{name} = {json.dumps(value)}", text, count=1, flags=re.M)
    project.write_text(text, "utf-8")
    page = root / "README.md"
    page.write_text(filled(page.read_text("utf-8"), where, f"v{version(root)}"), "utf-8")


def given() -> Addresses:
    """The addresses on the command line; those that are known if there are none."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--repository", default="", help="https://github.com/YOU/NAME, or on another host"
    )
    parser.add_argument("--site", default="", help="where the site is; on GitHub it follows")
    parser.add_argument(
        "--on-pypi", action="store_true", help="a release is on PyPI, and it is yours"
    )
    asked = parser.parse_args()
    if not asked.repository:
        return known()
    repository = asked.repository.rstrip("/").removesuffix(".git")
    if urlsplit(repository).scheme != "https":
        parser.error(
            f"--repository must be an address such as https://github.com/YOU/NAME, not {repository}"
        )
    where = Addresses(repository, asked.site, asked.on_pypi)
    owner, _, name = where.on_github.partition("/")
    site = asked.site or (f"https://{owner.lower()}.github.io/{name}/" if owner else "")
    return Addresses(repository, site, asked.on_pypi)


if __name__ == "__main__":
    publish(given())
