"""Write names in SQL, read them without their quotes, compare them, and give columns unique ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from askwhere.errors import DatabaseError

_PARTS = re.compile(r'"(?:[^"]|"")*"|[^.]+')


@lru_cache(4_096)  # statements of ours name the same tables and columns again and again
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


def parts(text: str) -> tuple[str, ...]:
    """Return the names of a path as a user writes it, without quotes: `crm."my table".id` has three."""
    return tuple(unquote(part) for part in _PARTS.findall(text))


def shortest(ways: Mapping[tuple[str, ...], tuple[str, ...]]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return for each path the shortest name that no other has; the whole path where there is none.

    A name is an end of the path, or the other way in which statements may name it, which `ways` has by path.
    """
    names = {path: [*(path[start:] for start in range(len(path) - 1, -1, -1)), way] for path, way in ways.items()}
    times = Counter(name for found in names.values() for name in {*map(fold_path, filter(None, found))})
    return {
        path: min((name for name in found if times[fold_path(name)] == 1), key=len, default=path)
        for path, found in names.items()
    }


@lru_cache(4_096)  # each check of a query folds the names of all tables and columns
def fold(name: str) -> str:
    """Return a name in the form by which names are compared: both engines ignore the case of ASCII letters only."""
    return name.lower() if name.isascii() else "".join(ch.lower() if ch.isascii() else ch for ch in name)


@lru_cache(4_096)
def fold_path(path: tuple[str, ...]) -> tuple[str, ...]:
    """Return a table's path with each part folded, the form by which paths are compared."""
    return tuple(map(fold, path))


def unique_names(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the names, with those that are equal without regard to case numbered.

    >>> unique_names(["name", "Name", "n", "name_1"])
    ('name_2', 'Name_3', 'n', 'name_1')
    """
    repeated = Counter(name.lower() for name in columns)
    taken = {name for name, times in repeated.items() if times == 1}
    counters: Counter[str] = Counter()
    unique = []
    for name in columns:
        new = name
        while repeated[name.lower()] > 1 and (new is name or new.lower() in taken):
            counters[name.lower()] += 1
            new = f"{name}_{counters[name.lower()]}"
        taken.add(new.lower())
        unique.append(new)
    return tuple(unique)


def renamed(sql: str, columns: Sequence[str]) -> str:
    """Return the query with its columns under unique names, or unchanged where they already are unique."""
    names = unique_names(columns)
    if names == tuple(columns):
        return sql
    return f"WITH asked_rows({', '.join(map(quote, names))}) AS (\n{sql}\n) SELECT * FROM asked_rows"
