"""What is kept as a file: versioned JSON, of which nothing is executed when it is read."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Sized
from errno import EACCES
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from ..errors import MctsVizError, reason, shown
from ..games import Game, game_from_parameters
from ..games.boards import listed

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

    def content_of(self, path: str | Path) -> bytes:
        """What is in a file; of one that is too large, as much as shows it."""
        try:
            return _bytes_of(Path(path))
        except (OSError, TypeError, ValueError) as error:
            raise self.error(
                f"The file {_named(path)} cannot be read ({reason(error)}): "
                "check its name and folder."
            ) from None

    def document(self, text: str | bytes, *versions: int) -> Document:
        """The JSON object in ``text``, if it says that it is of this kind and of such a version."""
        if isinstance(text, str | bytes) and len(text) > LARGEST:
            raise self.error(
                f"The text has more than {LARGEST:,} bytes, as no saved {self.what} has: give a "
                f"file that {self.how} wrote."
            )
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
        version = document.get("version")
        if type(version) is not int or version not in versions:
            raise self.error(
                f"The {self.what} has version {shown(version)}, but this mcts_viz reads "
                f"{listed(versions)}: use the mcts_viz that wrote it, or make it again."
            )
        return Document(self, document)


class Document:
    """A saved JSON object: asked for its values, by names such as ``nodes.parent``, it checks them.

    The first one that is not what it must be is an ``error`` of its kind.
    """

    def __init__(self, kind: Kind, values: dict[str, Any]) -> None:
        self.kind, self.values = kind, values
        self.fault = ""
        """What was found to be wrong with it."""

    def broken(self, what: str) -> MctsVizError:
        self.fault = what
        return self.kind.error(
            f"The saved {self.kind.what} is damaged: {what}. Save it again, or make it again."
        )

    def at(self, name: str) -> Any:
        """What stands there; ``None`` if nothing does."""
        value: Any = self.values
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        return value

    def field(self, name: str, kind: type) -> Any:
        """A value of that type."""
        value = self.at(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.broken(f"{name!r} is {shown(value)}, not of the type {kind.__name__}")
        return value

    def entries(
        self, name: str, right: Callable[[Any], bool], what: str, length: int | None = None
    ) -> list[Any]:
        """A list, of that ``length`` if one is given, whose entries are ``right``."""
        values: list[Any] = self.field(name, list)
        for place, value in enumerate(values):
            if not right(value):
                raise self.broken(f"entry {place} of {name!r} is {shown(value)}, not {what}")
        self.require_length(name, values, length)
        return values

    def require_length(self, name: str, values: Sized, length: int | None) -> None:
        if length not in (None, len(values)):
            raise self.broken(f"{name!r} has {len(values)} entries instead of {length}")

    def game(self, given: Game[Any, Any] | None) -> Game[Any, Any]:
        """The game that is named there, unless one is ``given``."""
        name = self.field("game.name", str)
        parameters = self.field("game.parameters", dict)
        if given is not None:
            return given
        try:
            return game_from_parameters(name, parameters)
        except MctsVizError as error:
            raise self.kind.error(
                f"The {self.kind.what} is of the game {shown(name)}, which cannot be built here "
                f"({reason(error)}): hand it in, game=MyGame()."
            ) from None


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
