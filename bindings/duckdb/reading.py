"""Rows that another process has read, as a query of DuckDB's, so that a statement of the user's can deliver them.

They come as text, batch by batch, from a Python function, and are cast to their types: DuckDB reads a value of any type
as it writes it. Each row of the recursive part is one batch, so no more than one is in the engine at a time.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from askwhere import guard
from askwhere.bindings.file_errors import of_file
from askwhere.bindings.isolation.engine import Spool
from askwhere.engine import Checked, quote
from askwhere.errors import AskError, DatabaseError, QueryError

MOST = 64  # answers that are known, and scans that are begun: of those, some are never read to their end

# What the function returns: the number of the scan, whether there are more batches or an error, and a batch.
_NUMBER = 16
_MORE, _LAST, _ERROR = "+", ".", "!"

_SQL = """WITH RECURSIVE ask_batches(t) AS (
SELECT {function}('{name}') UNION ALL SELECT {function}(t[:16]) FROM ask_batches WHERE t[17] = '+'
) SELECT {columns} FROM (SELECT
unnest(from_json(CASE t[17] WHEN '!' THEN error(t[18:]) ELSE t[18:] END, '[["VARCHAR"]]')) AS r
FROM ask_batches)"""

# Types whose text always casts back to the same value; of others, each value is looked at. These have no such text.
_EXACT = re.compile(
    r"U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\)|BOOLEAN|VARCHAR|BLOB|BIT|UUID|DATE|TIME"
    r"|INTERVAL|TIMESTAMP(_S|_MS|_NS| WITH TIME ZONE)?|ENUM\(.*\)"
)
_NO_TEXT = re.compile(r"\b(UNION\(|VARIANT\b)")
_CANNOT = "a value of type {} cannot be delivered by another process; ask for it as text"


def written(checked: Checked) -> str:
    """The query with one column: a row's values as a JSON array of texts, each of which casts back to its value."""
    cells = (_text(quote(name), kind) for name, kind in zip(checked.columns, checked.types, strict=True))
    return f"SELECT to_json([{', '.join(cells)}])::VARCHAR FROM (\n{checked.sql}\n)"


def _text(column: str, kind: str) -> str:
    text = f"CAST({column} AS VARCHAR)"
    if _EXACT.fullmatch(kind):
        return text
    message = _CANNOT.format(kind).replace("'", "''")
    return f"CASE WHEN TRY_CAST({text} AS {kind}) IS DISTINCT FROM {column} THEN error('{message}') ELSE {text} END"


class Deliveries:
    """What one registration's statements read; `function` is the name that `batch` is registered by."""

    def __init__(self, function: str) -> None:
        self.function = function
        self._lock = threading.Lock()
        self._answers: dict[str, Callable[[], Spool]] = {}
        self._scans: dict[str, _Scan] = {}
        self._numbers = itertools.count()

    def reading(self, checked: Checked, read: Callable[[], Spool]) -> str:
        """The SQL that gives the rows. It calls `read` when it begins to run. Raises `QueryError` where no SQL can."""
        if without := next((kind for kind in checked.types if _NO_TEXT.search(kind)), ""):
            raise QueryError(_CANNOT.format(without), checked.sql)
        if strange := next((kind for kind in checked.types if not guard.is_duckdb_type(kind)), ""):
            raise DatabaseError(f"the query's process sent something that is no answer: {strange!r} as a type")
        name = f"={hashlib.blake2b(checked.sql.encode('utf-8', 'replace'), digest_size=8).hexdigest()}"
        with self._lock:
            self._answers.pop(name, None)
            self._answers[name] = read
            _shorten(self._answers)
        cells = zip(checked.columns, checked.types, strict=True)
        casts = (f"CAST(r[{place}] AS {kind}) AS {quote(column)}" for place, (column, kind) in enumerate(cells, 1))
        return _SQL.format(function=self.function, name=name, columns=", ".join(casts))

    def batch(self, asked: str) -> str:
        """The first batch of the answer of a name, or the next one of the scan of a number."""
        try:
            scan = self._begun(asked) if asked.startswith("=") else self._going_on(asked)
            batch = next(scan.batches, b"[]").decode()
            scan.left -= 1
            if scan.left > 0:
                self._keep(scan)
            return f"{scan.number}{_MORE if scan.left > 0 else _LAST}{batch}"
        except Exception as exc:
            said = exc if isinstance(exc, AskError) else of_file(exc)
            return f"{'':{_NUMBER}}{_ERROR}{said or f'{type(exc).__name__}: {exc}'}"

    def _begun(self, name: str) -> _Scan:
        with self._lock:
            read = self._answers.get(name)
        if read is None:
            raise AskError("the rows of this answer are not known any more: ask again")
        spool = read()
        return _Scan(f"{next(self._numbers):{_NUMBER}}", spool.count, spool.batches())

    def _going_on(self, number: str) -> _Scan:
        with self._lock:
            scan = self._scans.pop(number, None)
        if scan is None:
            raise AskError("too many answers are read at the same time: ask again")
        return scan

    def _keep(self, scan: _Scan) -> None:
        with self._lock:
            self._scans[scan.number] = scan
            _shorten(self._scans)


@dataclass
class _Scan:
    """The batches of an answer that are still to be read."""

    number: str
    left: int
    batches: Iterator[bytes]


def _shorten(kept: dict[str, Any]) -> None:
    """Let go of what is oldest."""
    while len(kept) > MOST:
        del kept[next(iter(kept))]
