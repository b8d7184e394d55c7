"""Tell whether a column holds lists of values."""

from __future__ import annotations

import re

from askwhere.indexer.values import ValueIndex


def in_a_list(values: ValueIndex, table: tuple[str, ...], column: str, value: str) -> bool:
    """Return whether other values of a column are lists that contain this value: `a, b` for `a`.

    A value counts as a list only if another of its parts is a value of the column as well.
    """
    for match in values.search(value, 8):
        if (match.table, match.column) != (table, column) or match.value == value:
            continue
        parts = [part.strip() for part in re.split(r"[,;|]", match.value)]
        others = [part for part in parts if part and part != value]
        if len(others) < len(parts) and others:
            found = values.exact(others)
            if any((m.table, m.column) == (table, column) for ms in found.values() for m in ms):
                return True
    return False
