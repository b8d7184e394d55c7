"""Write the DuckDB query that delivers rows which another process has read, inside a statement of the user's.

A Python function returns the rows as text, in batches, and the query casts each cell to its type: DuckDB reads a value
of nearly every type from the text that it writes. A recursive CTE fetches a batch in each step, so that the engine
holds only one at a time.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from askwhere.bindings.engine_errors import message
from askwhere.engine import Checked
from askwhere.errors import AskError, DatabaseError, QueryError
from askwhere.guard.duckdb import is_duckdb_type
from askwhere.sql.identifiers import quote
from askwhere.sql.literals import quoted

if TYPE_CHECKING:
    from askwhere.bindings.isolation.engine import Spool

MOST = 64  # answers kept, and scans under way: not every scan is read to its end

# The function returns the scan's number, padded to 16, one letter (more batches, the last one, error), and a batch.
_NUMBER = 16
_MORE, _LAST, _ERROR = "+", ".", "!"

_SQL = """WITH RECURSIVE ask_batches(t) AS (
SELECT {function}('{name}') UNION ALL SELECT {function}(t[:16]) FROM ask_batches WHERE t[17] = '+'
) SELECT {columns} FROM (SELECT
system.main.unnest(system.main.from_json(
    CASE t[17] WHEN '!' THEN system.main.error(t[18:]) ELSE t[18:] END, '[["VARCHAR"]]')) AS r
FROM ask_batches)"""

# Types whose text always casts back to the same value; values of other types are checked one by one.
_EXACT = re.compile(
    r"U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\)|BOOLEAN|VARCHAR|BLOB|BIT|UUID|DATE|TIME"
    r"|INTERVAL|TIMESTAMP(_S|_MS|_NS| WITH TIME ZONE)?|ENUM\(.*\)"
)

# Types with no text that casts back.
_NO_TEXT = re.compile(r"\b(UNION\(|VARIANT\b)")
_CANNOT = "a value of type {} cannot be delivered by another process; ask for it as text"


def written(checked: Checked) -> str:
    """Return the query with one column: each row as a JSON array of texts that cast back to its values."""
    cells = (_text(quote(name), kind) for name, kind in zip(checked.columns, checked.types, strict=True))
    return f"SELECT system.main.to_json([{', '.join(cells)}])::VARCHAR FROM (\n{checked.sql}\n)"


def casts(checked: Checked, cell: str) -> str:
    """Return the SELECT list that casts cells to a query's types and names; `cell` is their SQL, `{}` the number."""
    cells = zip(checked.columns, checked.types, strict=True)
    return ", ".join(f"CAST({cell.format(n)} AS {kind}) AS {quote(name)}" for n, (name, kind) in enumerate(cells, 1))


def _text(column: str, kind: str) -> str:
    """Return the SQL for a column's text; it raises an error for a value that does not cast back."""
    text = f"CAST({column} AS VARCHAR)"
    if _EXACT.fullmatch(kind):
        return text
    message = quoted(_CANNOT.format(kind))
    differs = f"TRY_CAST({text} AS {kind}) IS DISTINCT FROM {column}"
    return f"CASE WHEN {differs} THEN system.main.error({message}) ELSE {text} END"


class Deliveries:
    """The answers that statements of one registration may read, and the scans under way.

    `function` is the name of `batch` in SQL. `untouched` returns True if certainly only askwhere has made functions in
    the instance.
    """

    def __init__(self, function: str, untouched: Callable[[], bool] = lambda: False) -> None:
        self.function = function
        self.untouched = untouched
        self._lock = threading.Lock()
        self._answers: dict[str, Callable[[], Spool]] = {}
        self._scans: dict[str, _Scan] = {}
        self._numbers = itertools.count()

    def reading(self, checked: Checked, read: Callable[[], Spool]) -> str:
        """Return the SQL that reads the rows. It calls `read` when it begins to run.

        Raise `QueryError` for a type whose values have no text, `DatabaseError` for a text that is no type.
        """
        if without := next((kind for kind in checked.types if _NO_TEXT.search(kind)), ""):
            raise QueryError(_CANNOT.format(without), checked.sql)
        if strange := next((kind for kind in checked.types if not is_duckdb_type(kind)), ""):
            raise DatabaseError(f"the query's process sent something that is no answer: {strange!r} as a type")
        name = f"={hashlib.blake2b(checked.sql.encode('utf-8', 'replace'), digest_size=8).hexdigest()}"
        with self._lock:
            self._answers.pop(name, None)
            self._answers[name] = read
            _shorten(self._answers)
        return _SQL.format(function=self.function, name=name, columns=casts(checked, "r[{}]"))

    def batch(self, asked: str) -> str:
        """Return the first batch of an answer, given its name, or the next of a scan, given its number."""
        try:
            scan = self._new_scan(asked) if asked.startswith("=") else self._take_scan(asked)
            batch = next(scan.batches, b"[]").decode()
            scan.left -= 1
            if scan.left > 0:
                self._keep_scan(scan)
            return f"{scan.number}{_MORE if scan.left > 0 else _LAST}{batch}"
        except Exception as exc:
            return f"{'':{_NUMBER}}{_ERROR}{message(exc)}"

    def _new_scan(self, name: str) -> _Scan:
        """Return a new scan of the answer of that name. Raise `AskError` if the answer is no longer kept."""
        with self._lock:
            read = self._answers.get(name)
        if read is None:
            raise AskError("the rows of this answer are not known any more: ask again")
        spool = read()
        return _Scan(f"{next(self._numbers):{_NUMBER}}", spool.count, spool.batches())

    def _take_scan(self, number: str) -> _Scan:
        """Return the scan of that number, and remove it. Raise `AskError` if it is no longer kept."""
        with self._lock:
            scan = self._scans.pop(number, None)
        if scan is None:
            raise AskError("too many answers are read at the same time: ask again")
        return scan

    def _keep_scan(self, scan: _Scan) -> None:
        """Keep a scan for its next batch."""
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
    """Remove the oldest entries beyond `MOST`."""
    while len(kept) > MOST:
        del kept[next(iter(kept))]
