"""What is kept as a file: versioned JSON, of which nothing is executed when it is read."""

from __future__ import annotations

import json
import os
import stat
from errno import EACCES
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from ..errors import MctsVizError, shown

__all__ = ["Kind", "reason"]

LARGEST: Final = 20_000_000
"""Bytes of a file: some 300,000 iterations of Connect Four. Read, it takes ten times the room."""


class Kind:
    """A kind of saved document: ``what`` sentences call it, and ``how`` one is written.

    Whatever is wrong with a file is told in one sentence, as an ``error``.
    """

    def __init__(self, what: str, format: str, how: str, error: type[MctsVizError]) -> None:
        self.what, self.format, self.how, self.error = what, format, how, error

    def save(self, text: str, path: str | Path) -> None:
        """Write the file beside its place and move it there, so that no half file is ever left."""
        data = self.data_of(text)
        try:
            _replace(Path(path), data)
        except (OSError, TypeError, ValueError) as error:
            raise self.error(
                f"The {self.what} cannot be saved as {_named(path)} ({reason(error)}): "
                "choose a folder that exists and may be written to."
            ) from None

    def data_of(self, text: str) -> bytes:
        """What is written, if that is not too large to be read again."""
        data = text.encode("utf-8")
        if len(data) > LARGEST:
            raise self.error(
                f"The {self.what} takes {len(data):,} bytes, but files of at most {LARGEST:,} are "
                "read again: let it be a shorter one."
            )
        return data

    def text_of(self, path: str | Path) -> str:
        """The text of a file that :meth:`save` wrote."""
        try:
            data = _bytes_of(Path(path))
        except (OSError, TypeError, ValueError) as error:
            raise self.error(
                f"The file {_named(path)} cannot be read ({reason(error)}): "
                "check its name and folder."
            ) from None
        if len(data) > LARGEST:
            raise self._too_large(f"The file {_named(path)}")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            raise self.error(
                f"The file {_named(path)} is not text, so it is no saved {self.what}: "
                f"give a file that {self.how} wrote."
            ) from None

    def document(self, text: str) -> dict[str, Any]:
        """The JSON object in ``text``, if it says that it is of this kind."""
        if isinstance(text, str | bytes) and len(text) > LARGEST:
            raise self._too_large("The text")
        try:
            document = json.loads(text)
        except (TypeError, ValueError, RecursionError):
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

    def _too_large(self, which: str) -> MctsVizError:
        return self.error(
            f"{which} has more than {LARGEST:,} bytes, as no saved {self.what} has: give a file "
            f"that {self.how} wrote."
        )


def _replace(path: Path, data: bytes) -> None:
    """Give the file this content; its mode stays, and a link to it is followed."""
    path = path.resolve()
    mode = None
    if path.exists():
        if not path.is_file():
            raise OSError("it is no regular file")
        if not os.access(path, os.W_OK):
            raise PermissionError(EACCES, "the file there is read-only")
        mode = stat.S_IMODE(path.stat().st_mode)
    beside = path.with_name(f".{uuid4().hex}.part")  # short, as a name may be long already
    try:
        beside.touch(exist_ok=False)
        beside.write_bytes(data)
        if mode is not None:
            beside.chmod(mode)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)  # it is gone, if all went well


def _bytes_of(path: Path) -> bytes:
    """A file's first bytes; a pipe or a device is refused: one might wait for it without end."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError("it is no regular file")
    with path.open("rb") as file:
        return file.read(LARGEST + 1)


def _named(path: object) -> str:
    return shown(str(path) if isinstance(path, Path) else path, most=300)


def reason(error: Exception) -> str:
    """An error in a few words, to stand in brackets."""
    said = str(getattr(error, "strerror", None) or error or type(error).__name__)
    return said.rstrip(".") if len(said) <= 300 else said[:297] + "..."
