"""Prints on a terminal what may hold characters that a terminal obeys."""

from __future__ import annotations

import re
from typing import IO, Any

from askwhere.cells import visible


def safe_for(text: str, out: IO[str]) -> str:
    """Return the text as `out` takes it: on a terminal, which obeys control characters, those are made visible."""
    return visible(text) if out.isatty() else text


class Screen:
    """A file for a program that writes colours: on a terminal, all other control characters are made visible."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)

    def write(self, text: str) -> int:
        """Write a text, and return its length."""
        parts = _COLOUR.split(text)  # every second part is a colour
        self._out.write("".join(part if n % 2 else safe_for(part, self._out) for n, part in enumerate(parts)))
        return len(text)


_COLOUR = re.compile("(\x1b\\[[0-9;]*m)")
