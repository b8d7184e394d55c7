"""Write names in SQL, read them without their quotes, and compare them."""

from __future__ import annotations

from collections.abc import Sequence

from askwhere.errors import DatabaseError


def quote(name: str) -> str:
    """Return `name` as a quoted SQL identifier, in both engines: `odd "name"` becomes `"odd ""name\""`."""
    if "\0" in name:
        raise DatabaseError(f"a name holds a NUL character and cannot be written in SQL: {name!r}")
    return '"' + name.replace('"', '""') + '"'


def quote_path(path: Sequence[str]) -> str:
    """Return a table's path as SQL, every part quoted: `"main"."orders"`."""
    return ".".join(map(quote, path))


def unquote(name: str) -> str:
    """Return a name without its quotes, as the engine reads it."""
    if name[:1] in {'"', "`"} and len(name) > 1:
        return name[1:-1].replace(name[0] * 2, name[0])
    return name[1:-1] if name[:1] == "[" else name


def fold(name: str) -> str:
    """Return a name in the form by which names are compared: both engines ignore the case of ASCII letters only."""
    return name.lower() if name.isascii() else "".join(ch.lower() if ch.isascii() else ch for ch in name)
