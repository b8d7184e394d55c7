"""Find the columns that a query may not read: those hidden by a grant, and copies of them in virtual tables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from askwhere.engine import Grant, Table
from askwhere.sql.identifiers import fold, fold_path
from askwhere.sql.lexer import words

Hidden: TypeAlias = dict[tuple[str, ...], frozenset[str]]  # folded path -> folded columns
_FULL_TEXT = re.compile(r"\bUSING\s+\W?fts[345]\b", re.IGNORECASE)


def hidden_columns(grant: Grant) -> Hidden:
    """Return the hidden columns of each table of a grant, all names folded.

    A virtual table also hides a column if any table hides a column of that name, since it may be a full-text index over
    that table. A virtual table that names such a table in its definition, and is not a full-text index (`fts5vocab`
    lists the terms of one), hides all of its columns.
    """
    return hidden_columns_of(grant.tables, grant.hidden)


def hidden_columns_of(tables: Iterable[Table], hidden: Iterable[tuple[tuple[str, ...], str]]) -> Hidden:
    """Return the hidden columns of some tables, as `hidden_columns` does; `hidden` are (path, column)."""
    listed = tuple(tables)
    hidden_of: dict[tuple[str, ...], set[str]] = {}
    for path, column in hidden:
        hidden_of.setdefault(fold_path(path), set()).add(fold(column))
    if not hidden_of:
        return {}  # nothing can be derived from it either
    everywhere = {column for columns in hidden_of.values() for column in columns}
    for table in listed:
        copied = {fold(c.name) for c in table.columns} & everywhere
        if table.kind == "virtual" and copied:
            hidden_of.setdefault(fold_path(table.path), set()).update(copied)
    hiding = {path[-1] for path in hidden_of}
    for table in listed:
        # The columns of a full-text index have the names of those that they copy, so the loop above is enough for it.
        derived = table.kind == "virtual" and not _FULL_TEXT.search(table.definition)
        if derived and not hiding.isdisjoint(words(table.definition)):
            hidden_of.setdefault(fold_path(table.path), set()).update(fold(c.name) for c in table.columns)
    return {path: frozenset(columns) for path, columns in hidden_of.items()}
