"""Tells whether the files that views read were written, by their sizes and times: DuckDB itself does not notice."""

from __future__ import annotations

import glob
import re
from functools import lru_cache
from pathlib import Path

import duckdb
from askwhere.bindings.duckdb import attached
from askwhere.bindings.tabular import formats
from askwhere.files import state_of

_VIEWS = r"""
SELECT database_name, schema_name, view_name, sql FROM duckdb_views()
WHERE NOT internal AND regexp_matches(sql, '(?i)[.](parquet|pq|csv|tsv|json|jsonl|ndjson)([.]gz)?''')
"""
_TEXT = re.compile(r"'((?:[^']|'')*)'")
_ESCAPED = re.compile(r"\[([*?\[])\]")  # a sign of a pattern that stands for itself


def states(connection: duckdb.DuckDBPyConnection) -> dict[tuple[str, ...], int]:
    """Return, by the path of each view that reads files on this machine, a number that changes when one is written."""
    return {tuple(path): hash(tuple(map(_state, _files(sql)))) for *path, sql in attached.read(connection, _VIEWS)}


def _state(text: str) -> tuple[tuple[int, int], ...]:
    """Return size and time of each file that a path or a pattern names."""
    if not glob.has_magic(_ESCAPED.sub("", text)):
        return (state_of(_ESCAPED.sub(r"\1", text)),)
    return tuple(map(state_of, sorted(glob.iglob(text, recursive=True))))


@lru_cache(256)
def _files(sql: str) -> tuple[str, ...]:
    """Return the paths and patterns in a view's text that may name data files."""
    texts = (text.replace("''", "'") for text in _TEXT.findall(sql))
    return tuple(text for text in texts if formats.of(Path(text)) is not None and "://" not in text)
