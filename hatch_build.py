"""What PyPI shows of the project: README.md, and the addresses of whoever publishes it.

The owner's name is written in README.md alone, as a part of the site's address.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class FromReadme(MetadataHookInterface):
    """Fill in ``readme`` and ``urls``."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Point README's links at the repository, since PyPI has none of its files."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        site, owner, name = re.findall(r"(https://([\w-]+)\.github\.io/([\w.-]+)/)", text)[0]
        home = f"https://github.com/{owner}/{name}"
        text = re.sub(r"(!\[[^]]*\]\()(?!https:)", rf"\1{home}/raw/HEAD/", text)
        text = re.sub(r"(\]\()(?!https:|#)", rf"\1{home}/blob/HEAD/", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = {
            "Lessons": site,
            "Source": home,
            "Changelog": f"{home}/blob/HEAD/CHANGELOG.md",
        }
