"""Virtual tables of SQLite with the rows that another process has read, for the user's statement to deliver."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import apsw
from askwhere.engine import Checked
from askwhere.sql.identifiers import quote

if TYPE_CHECKING:
    from askwhere.bindings.isolation.engine import Spool

MOST = 64  # tables that a connection keeps, those of the latest answers

_TYPE = re.compile(r"[A-Za-z0-9_ ]*(\([0-9 ,+-]*\))?")


def plain(kind: str) -> str:
    """Return a column's declared type for a virtual table; '' for one that would hide the column or hold other SQL."""
    return kind if _TYPE.fullmatch(kind) and "hidden" not in kind.lower() else ""


def declared(columns: Iterable[str], types: Iterable[str]) -> str:
    """Return the columns of a virtual table as CREATE TABLE has them."""
    return ", ".join(f"{quote(name)} {plain(kind)}" for name, kind in zip(columns, types, strict=True))


class Tables:
    """A connection's virtual tables, one for each answer; each exists without a CREATE statement."""

    def __init__(self) -> None:
        self._tables: dict[str, _Module] = {}

    def reading(self, connection: apsw.Connection, checked: Checked, read: Callable[[], Spool]) -> str:
        """Return the SQL that reads an answer's rows. It calls `read` once in each scan."""
        facts = repr((checked.sql, checked.columns, checked.types)).encode("utf-8", "replace")
        name = f"askwhere_rows_{hashlib.blake2b(facts, digest_size=8).hexdigest()}"
        table = self._tables.pop(name, None)
        if table is None:
            table = _Module(checked)
            module: Any = table
            connection.create_module(name, module, use_bestindex_object=True, eponymous_only=True, read_only=True)
        table.read = read
        self._tables[name] = table
        while len(self._tables) > MOST:
            oldest = next(iter(self._tables))
            del self._tables[oldest]
            connection.create_module(oldest, None)
        # The limit keeps SQLite from merging the subquery: it is computed once in any join, and may be indexed.
        return f"SELECT {', '.join(map(quote, checked.columns))} FROM {name} LIMIT -1"


class _Module:
    """The virtual table of one answer; the methods have the names that SQLite's virtual tables give them."""

    read: Callable[[], Spool]

    def __init__(self, checked: Checked) -> None:
        self._declared = f"CREATE TABLE rows({declared(checked.columns, checked.types)})"

    def Connect(self, *_: Any) -> tuple[str, _Module]:  # noqa: N802
        """Return the table's declaration, and the table."""
        return self._declared, self

    def BestIndexObject(self, info: apsw.IndexInfo) -> bool:  # noqa: N802
        """Accept any plan, and return all rows whatever is asked of them."""
        info.estimatedCost = 1_000_000.0
        return True

    def Open(self) -> _Cursor:  # noqa: N802
        """Return a cursor over the rows."""
        return _Cursor(self)

    def Disconnect(self) -> None:  # noqa: N802
        """Do nothing: there is nothing to release."""


class Scan:
    """The rows of one scan of a virtual table; the methods have the names that SQLite's cursors give them."""

    def __init__(self) -> None:
        self._rows: Iterator[tuple[Any, ...]] = iter(())
        self._row: tuple[Any, ...] | None = None
        self._number = 0

    def begin(self, rows: Iterator[tuple[Any, ...]]) -> None:
        """Go to the first of some rows."""
        self._rows, self._number = rows, 0
        self.Next()

    def Eof(self) -> bool:  # noqa: N802
        """Return whether the scan is behind the last row."""
        return self._row is None

    def Next(self) -> None:  # noqa: N802
        """Go to the next row."""
        self._row = next(self._rows, None)
        self._number += 1

    def Column(self, number: int) -> Any:  # noqa: N802
        """Return one cell of the row; the rowid for -1."""
        return self._number if number < 0 or self._row is None else self._row[number]

    def Rowid(self) -> int:  # noqa: N802
        """Return the row's number in this scan, from 1."""
        return self._number

    def Close(self) -> None:  # noqa: N802
        """Release the rows, and the query that they come from."""
        self._rows = iter(())


class _Cursor(Scan):
    """One scan of an answer; the query is run when the scan begins."""

    def __init__(self, module: _Module) -> None:
        super().__init__()
        self._module = module

    def Filter(self, *_: Any) -> None:  # noqa: N802
        """Run the query, and go to its first row."""
        self.begin(self._module.read().unpacked())
