"""Texts without what may not be seen, wherever it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

# Quoted names and comments are passed over; the group is a literal's inside.
_LITERAL = re.compile(r"\"(?:[^\"]|\"\")*\"|`[^`]*`|--[^\n]*|/\*.*?\*/|'((?:[^']|'')*)'", re.DOTALL)
HIDDEN = "[hidden]"
T = TypeVar("T")


def everywhere(found: T, change: Callable[[str], str]) -> T:
    """The same facts with every text in them changed: in dataclasses, tuples and lists, at any depth."""
    return _changed(found, change)  # type: ignore[no-any-return]


def _changed(found: Any, change: Callable[[str], str]) -> Any:
    if isinstance(found, str):
        return change(found)
    if isinstance(found, tuple | list):
        return type(found)(_changed(part, change) for part in found)
    if is_dataclass(found) and not isinstance(found, type):
        return replace(found, **{f.name: _changed(getattr(found, f.name), change) for f in fields(found)})
    return found


def literals(queries: Iterable[str], said: str) -> tuple[str, ...]:
    """The texts in quotes of these queries, longest first, but for those that stand in what was `said`.

    The reader writes values as the database has them, which may be other than the question does.
    """
    found = {match[1].replace("''", "'") for sql in queries for match in _LITERAL.finditer(sql) if match[1]}
    bare = {text.strip("%_ ") for text in found}  # of a pattern of LIKE, what it looks for
    secret = {text for text in bare if text and text not in said and re.search(r"\w", text)}
    return tuple(sorted(secret, key=lambda text: (-len(text), text)))


def without(secrets: Iterable[str]) -> Callable[[str], str]:
    """A function that takes these texts out of another, as they are and as SQL writes them."""
    texts = sorted({form for text in secrets for form in (text, text.replace("'", "''"))}, key=len, reverse=True)
    if not texts:
        return lambda text: text
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(t)}(?!\w)" for t in texts))
    return lambda text: pattern.sub(HIDDEN, text)
