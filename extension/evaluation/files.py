"""Read the text of a file that a user names, which may be a device, a pipe or too large."""

from __future__ import annotations

from pathlib import Path

from askwhere.errors import ArgumentError

MOST = 1 << 30  # bytes, far more than the largest file of questions and its run files have


def text_of(path: Path, expected: str, encoding: str = "utf-8") -> str:
    """Return the text of a file; `expected` says in errors what the file should be.

    A pipe is read up to `MOST` bytes; a device is refused, since it may never end. Raises `ArgumentError` for a device
    and for too large a file, else OSError and UnicodeDecodeError.
    """
    if path.is_char_device() or path.is_block_device():
        raise ArgumentError(f"{path} is a device, not {expected}")
    with path.open("rb") as file:
        content = file.read(MOST + 1)
    if len(content) > MOST:
        raise ArgumentError(f"{path} is not {expected}: it has more than {MOST >> 20:,} MB")
    return content.decode(encoding)
