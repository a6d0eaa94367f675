"""A file is replaced as a whole, or stays as it is; what is no regular file is left alone."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from ..errors import TraceError, reason, short_repr


def write(path: str | Path, data: bytes) -> None:
    """Give the file this content; its mode stays, and a link to it is followed.

    It is written beside its place and moved there, so that no half file is ever left.
    """
    with _explained(path, "written"):
        path = Path(path).resolve()
        _require_regular(path)
        if path.exists() and not os.access(path, os.W_OK):
            raise OSError("the file there is read-only")
        beside = path.with_name(f".{uuid4().hex}.part")  # short, as a name may be long already
        try:
            beside.write_bytes(data)
            if path.exists():
                shutil.copymode(path, beside)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)  # it is gone, if all went well


def read(path: str | Path, most: int) -> bytes:
    """The first bytes of a file; a pipe is refused: one might wait for it without end."""
    with _explained(path, "read"):
        _require_regular(Path(path))
        with Path(path).open("rb") as file:
            return file.read(most)


def _require_regular(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise OSError("it is no regular file")


@contextmanager
def _explained(path: str | Path, deed: str) -> Iterator[None]:
    name = short_repr(str(path) if isinstance(path, Path) else path, most=300)
    try:
        yield
    except (OSError, TypeError, ValueError) as error:
        raise TraceError(
            f"The file {name} cannot be {deed} ({reason(error)}): check its name and folder."
        ) from None
