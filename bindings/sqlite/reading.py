"""Rows that another process has read, as a table of SQLite's, so that a statement of the user's can deliver them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import apsw
from askwhere.bindings.isolation.engine import Spool
from askwhere.engine import Checked, quote

MOST = 64  # tables that a connection keeps, of the answers that were asked for last

_TYPE = re.compile(r"[A-Za-z0-9_ ]*(\([0-9 ,+-]*\))?")


def plain(kind: str) -> str:
    """A column's declared type for a virtual table; '' for one that hides its column or, as files may, holds SQL."""
    return kind if _TYPE.fullmatch(kind) and "hidden" not in kind.lower() else ""


class Tables:
    """A connection's tables of rows to be read: each belongs to one answer, and exists without a CREATE."""

    def __init__(self) -> None:
        self._tables: dict[str, _Module] = {}

    def reading(self, connection: apsw.Connection, checked: Checked, read: Callable[[], Spool]) -> str:
        """The SQL that gives the rows. It calls `read` for each scan, of which a statement needs one."""
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
        # With a limit SQLite computes it once, whatever it is joined with, and may make an index for it.
        return f"SELECT {', '.join(map(quote, checked.columns))} FROM {name} LIMIT -1"


class _Module:
    """One answer's table; methods have the names SQLite's virtual tables give them."""

    read: Callable[[], Spool]

    def __init__(self, checked: Checked) -> None:
        columns = zip(checked.columns, map(plain, checked.types), strict=True)
        self._declared = f"CREATE TABLE rows({', '.join(f'{quote(name)} {kind}' for name, kind in columns)})"

    def Connect(self, *_: Any) -> tuple[str, _Module]:  # noqa: N802
        """The table's columns."""
        return self._declared, self

    def BestIndexObject(self, info: apsw.IndexInfo) -> bool:  # noqa: N802
        """All rows, whatever is asked of them."""
        info.estimatedCost = 1_000_000.0
        return True

    def Open(self) -> _Cursor:  # noqa: N802
        """A cursor over the rows."""
        return _Cursor(self)

    def Disconnect(self) -> None:  # noqa: N802
        """Nothing is held."""


class _Cursor:
    """One scan: the query is run when it begins."""

    def __init__(self, module: _Module) -> None:
        self._module = module
        self._rows: Iterator[tuple[Any, ...]] = iter(())
        self._row: tuple[Any, ...] | None = None
        self._number = 0

    def Filter(self, *_: Any) -> None:  # noqa: N802
        """Run the query and begin with its first row."""
        self._rows = self._module.read().unpacked()
        self._number = -1
        self.Next()

    def Eof(self) -> bool:  # noqa: N802
        """Whether the rows are at their end."""
        return self._row is None

    def Next(self) -> None:  # noqa: N802
        """Go to the next row."""
        self._row = next(self._rows, None)
        self._number += 1

    def Column(self, number: int) -> Any:  # noqa: N802
        """One cell; -1 is the rowid."""
        return self._number if number < 0 or self._row is None else self._row[number]

    def Rowid(self) -> int:  # noqa: N802
        """The row's number in this scan."""
        return self._number

    def Close(self) -> None:  # noqa: N802
        """Let go of the rows."""
        self._rows = iter(())
