"""Name an answer's columns: unique without regard to case, and the same in both engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from askwhere.sql.identifiers import quote


def unique_names(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the names, with those that are equal without regard to case numbered.

    >>> unique_names(["name", "Name", "n", "name_1"])
    ('name_2', 'Name_3', 'n', 'name_1')
    """
    repeated = Counter(name.lower() for name in columns)
    taken = {name for name, times in repeated.items() if times == 1}
    counters: Counter[str] = Counter()
    found = []
    for name in columns:
        new = name
        while repeated[name.lower()] > 1 and (new is name or new.lower() in taken):
            counters[name.lower()] += 1
            new = f"{name}_{counters[name.lower()]}"
        taken.add(new.lower())
        found.append(new)
    return tuple(found)


def renamed(sql: str, columns: Sequence[str]) -> str:
    """Return the query with its columns under unique names, or unchanged where they already are unique."""
    names = unique_names(columns)
    if names == tuple(columns):
        return sql
    return f"WITH asked_rows({', '.join(map(quote, names))}) AS (\n{sql}\n) SELECT * FROM asked_rows"
