"""The package's metadata: README.md, if it is there, and the addresses of pyproject.toml.

No text is searched for an address, so README.md can be changed or left out, and any host will do.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class FromAddresses(MetadataHookInterface):
    """Fill in ``readme`` and ``urls``."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Point README's links at the repository, since the package has none of its files.

        Without an address of the repository the links stay as they are, and there are no ``urls``.
        """
        repository = str(self.config.get("repository", "")).rstrip("/")
        page = Path(self.root, "README.md")
        text = page.read_text(encoding="utf-8") if page.is_file() else ""
        if repository:
            text = re.sub(r"(!\[[^]]*\]\()(?!https:)", rf"\g<1>{repository}/raw/HEAD/", text)
            text = re.sub(r"(\]\()(?!https:|#)", rf"\g<1>{repository}/blob/HEAD/", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = addresses(repository, str(self.config.get("site", "")))


def addresses(repository: str, site: str) -> dict[str, str]:
    """By name: the addresses that are known."""
    known = {"Lessons": site} if site else {}
    if repository:
        known |= {"Source": repository, "Changelog": f"{repository}/blob/HEAD/CHANGELOG.md"}
    return known
