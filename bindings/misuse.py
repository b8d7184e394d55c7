"""Explain how one of askwhere's functions is called, where an engine's error shows that it was called otherwise."""

from __future__ import annotations

import re
from itertools import pairwise

from askwhere.bindings.sqlite.arguments import NAMING, closing, name_and_value, tokens
from askwhere.errors import AskError
from askwhere.sql.parentheses import split
from askwhere.udfs import BY_NAME
from askwhere.udfs.function import Function, placed

# How the engines name what they do not find, and DuckDB a table that is called as a value.
_NAME = re.compile(
    r'(?:Table with name |Table Function with name |no such (?:table|function|column): |Function "|column ")(ask\w*)'
)
_ARGUMENTS = re.compile(r"Macro (ask\w*)\(\) does not support")
_COLUMN = re.compile(r'column "([^"]+)" (?:was )?not found')


def misuse(sql: str, error: str) -> str | None:
    """Return how to call the askwhere function that an engine's error is about; None for any other error.

    >>> misuse("SELECT * FROM ask_sql('…')", "no such table: ask_sql")
    "ask_sql() is a value: SELECT ask_sql('…')"
    >>> misuse("SELECT * FROM pets", "no such table: pets")
    """
    if (match := _ARGUMENTS.search(error)) and match[1] in BY_NAME:
        return _arguments(sql, BY_NAME[match[1]])
    if (match := _NAME.search(error)) and match[1] in BY_NAME:
        return BY_NAME[match[1]].use
    if (match := _COLUMN.search(error)) and re.search(rf'\bask\w*\(\s*"{re.escape(match[1])}"', sql):
        return f"a text has single quotes, and a column double ones: write '{match[1]}' for \"{match[1]}\""
    return None


def _arguments(sql: str, function: Function) -> str | None:
    """Return what is wrong with the arguments of a call of a function in a statement; None if nothing is."""
    lexed = tokens(sql)
    for place, (token, after) in enumerate(pairwise(lexed)):
        if token.word != function.name or after.text != "(":
            continue
        try:
            parts = split(lexed[place + 2 : closing(lexed, place + 1)])
            names = [name_and_value(part, (*NAMING, "="))[0] for part in parts]
            placed(function, [name for name in names if not name], {name: "" for name in names if name})
        except AskError as exc:
            return str(exc)
    return None
