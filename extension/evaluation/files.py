"""The text of a file that a user names, which may be anything."""

from __future__ import annotations

from pathlib import Path

from askwhere.errors import ArgumentError

MOST = 1 << 30  # bytes; the largest file of questions, and a run over it, is far smaller


def text_of(path: Path, what: str, encoding: str = "utf-8") -> str:
    """The text of a file. Raises `ArgumentError` for what cannot be `what`, OSError and UnicodeDecodeError.

    A device, which may give bytes for ever, is none; a pipe may be one, up to `MOST` bytes.
    """
    if path.is_char_device() or path.is_block_device():
        raise ArgumentError(f"{path} is a device, not {what}")
    with path.open("rb") as file:
        content = file.read(MOST + 1)
    if len(content) > MOST:
        raise ArgumentError(f"{path} is not {what}: it has more than {MOST >> 20:,} MB")
    return content.decode(encoding)
