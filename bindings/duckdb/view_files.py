"""Notice by size and time that a file was written which a view reads: DuckDB does not report that."""

from __future__ import annotations

import glob
import re
from functools import lru_cache
from pathlib import Path

import duckdb
from askwhere.bindings.duckdb import attached
from askwhere.bindings.globs import Globs, TooManyEntries
from askwhere.bindings.tabular import formats
from askwhere.files import state_of

# Entries of folders that are looked at for all views together: whoever makes a view may name any folders.
MOST_ENTRIES = 100_000

_VIEWS = r"""
SELECT database_name, schema_name, view_name, sql FROM duckdb_views()
WHERE NOT internal AND regexp_matches(sql, '(?i)[.](parquet|pq|csv|tsv|json|jsonl|ndjson)([.]gz)?''')
"""
_TEXT = re.compile(r"'((?:[^']|'')*)'")
_ESCAPED = re.compile(r"\[([*?\[])\]")  # a sign of a pattern that stands for itself


def states(connection: duckdb.DuckDBPyConnection) -> dict[tuple[str, ...], int]:
    """Return, by the path of each view that reads files on this machine, a number that changes when one is written."""
    globs = Globs(MOST_ENTRIES)
    views = attached.read(connection, _VIEWS)
    return {tuple(path): hash(tuple(_state(text, globs) for text in _files(sql))) for *path, sql in views}


def _state(text: str, globs: Globs) -> tuple[tuple[int, int], ...]:
    """Return size and time of each file that a path or a pattern names; none where there is too much to look at."""
    if not glob.has_magic(_ESCAPED.sub("", text)):
        return (state_of(_ESCAPED.sub(r"\1", text)),)
    try:
        return tuple(map(state_of, sorted({*globs.matching(text)})))
    except TooManyEntries:
        return ()


@lru_cache(256)
def _files(sql: str) -> tuple[str, ...]:
    """Return the paths and patterns in a view's text that may name data files."""
    texts = (text.replace("''", "'") for text in _TEXT.findall(sql))
    return tuple(text for text in texts if formats.format_of(Path(text)) is not None and "://" not in text)
