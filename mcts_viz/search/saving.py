"""What is kept as a file: versioned JSON, of which nothing is executed when it is read."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ..errors import MctsVizError

__all__ = ["Kind", "reason"]


class Kind:
    """A kind of saved document: ``what`` sentences call it, and ``how`` one is written.

    Whatever is wrong with a file is told in one sentence, as an ``error``.
    """

    def __init__(self, what: str, format: str, how: str, error: type[MctsVizError]) -> None:
        self.what, self.format, self.how, self.error = what, format, how, error

    def save(self, text: str, path: str | Path) -> None:
        """Write the file beside its place and move it there, so that no half file is ever left."""
        path = Path(path)
        try:
            beside = path.with_name(f"{path.name}.{os.getpid()}.part")
            try:
                beside.write_text(text, encoding="utf-8")
                os.replace(beside, path)
            finally:
                beside.unlink(missing_ok=True)  # it is gone, if all went well
        except (OSError, ValueError) as error:
            raise self.error(
                f"The {self.what} cannot be saved as {str(path)!r} ({reason(error)}): "
                "choose a folder that exists and may be written to."
            ) from None

    def text_of(self, path: str | Path) -> str:
        """The text of a file that :meth:`save` wrote."""
        try:
            return Path(path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise self.error(
                f"The file {str(path)!r} is not text, so it is no saved {self.what}: "
                f"give a file that {self.how} wrote."
            ) from None
        except (OSError, ValueError) as error:
            raise self.error(
                f"The file {str(path)!r} cannot be read ({reason(error)}): "
                "check its name and folder."
            ) from None

    def document(self, text: str) -> dict[str, Any]:
        """The JSON object in ``text``, if it says that it is of this kind."""
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            raise self.error(
                f"This is not JSON, so it is no saved {self.what} (is the file cut short?): "
                f"give a file that {self.how} wrote."
            ) from None
        if not isinstance(document, dict) or document.get("format") != self.format:
            raise self.error(
                f"This JSON does not say that its format is {self.format!r}: "
                f"give a file that {self.how} wrote."
            )
        return document


def reason(error: Exception) -> str:
    """An error in a few words, to stand in brackets."""
    said = str(getattr(error, "strerror", None) or error or type(error).__name__)
    return said.rstrip(".") if len(said) <= 300 else said[:297] + "..."
