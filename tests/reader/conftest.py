"""A small library and a shop in both engines, with their catalogs and their values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import duckdb
import pytest
from askwhere.bindings.duckdb.engine import DuckDBEngine
from askwhere.bindings.sqlite.engine import SQLiteEngine
from askwhere.engine import Table
from askwhere.errors import Unread
from askwhere.indexer import catalog as catalogs
from askwhere.indexer import suggesting
from askwhere.indexer.build import in_memory
from askwhere.reader import Reading, read, read_after
from askwhere.reader.refusing.helping import helped

HERE = Path(__file__).parent


class Readable:
    """A database made by a script: `read` gives readings, `rows` runs SQL. `more` goes to the catalog."""

    def __init__(self, dialect: str, script: str, **more: Any) -> None:
        self.dialect = dialect
        self.connection: Any = apsw.Connection(":memory:") if dialect == "sqlite" else duckdb.connect(":memory:")
        if script:
            self.connection.execute(script)
        self.engine = SQLiteEngine(self.connection) if dialect == "sqlite" else DuckDBEngine(self.connection)
        self.catalog = catalogs.read(self.engine, **more)
        self.values = in_memory(self.engine, self.catalog)

    def read(self, question: str) -> tuple[Reading, ...]:
        return read(question, self.catalog, self.values, self.dialect)

    def read_after(self, question: str, *earlier: str) -> tuple[Reading, ...]:
        """Return the readings of a question that follows others, each of which its best reading answers."""
        chain: list[tuple[str, str]] = []
        for asked in earlier:
            chain.append((asked, self._after(asked, chain)[0].sql))
        return self._after(question, chain)

    def _after(self, question: str, chain: list[tuple[str, str]]) -> tuple[Reading, ...]:
        return read_after(question, chain, self.catalog, self.values, self.dialect)

    def refused(self, question: str) -> Unread:
        """Return the error of a question that is refused, with what helps."""
        with pytest.raises(Unread) as caught:
            self.read(question)
        return self.help_for(caught.value, question)

    def help_for(self, error: Unread, question: str) -> Unread:
        return helped(error, question, self.catalog, self.values, self.dialect, self._keys)

    def _keys(self, tables: tuple[Table, ...]) -> list[tuple[str, str]]:
        found = suggesting.suggested(self.engine, replace(self.catalog, tables=tables))
        return [(one.key, one.refers_to) for one in found]

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        cursor = self.connection.execute(sql)
        return [tuple(row) for row in (cursor if self.dialect == "sqlite" else cursor.fetchall())]

    def answers(self, question: str, rows: list[tuple[Any, ...]]) -> None:
        """Fails unless the question has one reading, which gives these rows; they are compared sorted."""
        (reading,) = self.read(question)
        assert sorted(self.rows(reading.sql)) == rows, reading.sql

    def columns(self, sql: str) -> list[str]:
        return [c[0] for c in self.connection.execute(sql).description]


Make = Callable[..., Readable]


@pytest.fixture(params=["sqlite", "duckdb"], scope="session")
def dialect(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def make(dialect: str) -> Iterator[Make]:
    """Makes a database from a script, in each engine in turn: one for all tests with that script, which only read."""
    made: dict[str, Readable] = {}

    def build(script: str, **more: Any) -> Readable:
        key = repr((script, more))
        if key not in made:
            made[key] = Readable(dialect, script, **more)
        return made[key]

    yield build
    for one in made.values():
        one.connection.close()


@pytest.fixture(scope="session")
def library(make: Make) -> Readable:
    return make((HERE / "library.sql").read_text())


@pytest.fixture(scope="session")
def business(make: Make) -> Readable:
    return make((HERE / "shop.sql").read_text())


@pytest.fixture(scope="session")
def depot(make: Make) -> Readable:
    return make((HERE / "depot.sql").read_text())


@pytest.fixture(scope="session")
def club(make: Make) -> Readable:
    return make((HERE / "club.sql").read_text())
