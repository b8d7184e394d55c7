"""Read files that a user names, which may be devices, pipes or too large: their text, and the records in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from askwhere.errors import ArgumentError

MOST = 1 << 30  # bytes, far more than the largest file of questions and its run files have


def text_of(path: Path, expected: str, encoding: str = "utf-8") -> str:
    """Return the text of a file; `expected` says in errors what the file should be.

    A pipe is read up to `MOST` bytes; a device is refused, since it may never end. Raise `ArgumentError` for a device
    and for too large a file, else OSError and UnicodeDecodeError.
    """
    if path.is_char_device() or path.is_block_device():
        raise ArgumentError(f"{path} is a device, not {expected}")
    with path.open("rb") as file:
        content = file.read(MOST + 1)
    if len(content) > MOST:
        raise ArgumentError(f"{path} is not {expected}: it has more than {MOST >> 20:,} MB")
    return content.decode(encoding)


def records(file: Path, text: str) -> Iterator[tuple[str, Any]]:
    """Yield the records in a file's text, each after its place: the elements of a JSON array, or a JSON value a line.

    Raise `ArgumentError` where it is neither.
    """
    try:
        if text.lstrip().startswith("["):
            yield from ((f"{file}, element {n}", record) for n, record in enumerate(json.loads(text)))
            return
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield f"{file}, line {number}", json.loads(line)
    except (ValueError, RecursionError) as exc:
        raise ArgumentError(f"{file}: expected a JSON array of questions, or one JSON object a line ({exc})") from None
