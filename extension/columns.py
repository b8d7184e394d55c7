"""The names of an answer's columns: unique without regard to case, the same in both engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from askwhere.engine import quote


def unique_names(columns: Sequence[str]) -> tuple[str, ...]:
    """The names with equal ones numbered.

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
    """The query with its columns under unique names; the query itself where they already are."""
    names = unique_names(columns)
    if names == tuple(columns):
        return sql
    return f"WITH asked_rows({', '.join(map(quote, names))}) AS (\n{sql}\n) SELECT * FROM asked_rows"
