"""Reading the texts of many columns: in the order they were asked for, those of small tables of DuckDB together."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from askwhere.bindings import connections
from askwhere.bindings.duckdb import scanning
from askwhere.engine import Column, Table
from support import connected

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_the_texts_of_each_column_come_in_the_order_of_the_columns(kind: str, tmp_path: Path) -> None:
    connection = connected(kind, tmp_path / "many.db")
    for n in range(2 * scanning.TOGETHER):
        connection.execute(f"CREATE TABLE t{n:03} (id INTEGER, word VARCHAR)")
        connection.execute(f"INSERT INTO t{n:03} VALUES (1, 'b{n}'), (2, 'a{n}'), (3, 'b{n}'), (4, ''), (5, NULL)")
    engine = connections.engine(connection)
    columns = [(table, column) for table in engine.tables() for column in table.columns]
    found = [sorted(values) for values in engine.values(columns, 10)]
    assert found[::2] == [[]] * (2 * scanning.TOGETHER)
    assert found[1::2] == [[f"a{n}", f"b{n}"] for n in range(2 * scanning.TOGETHER)]
    connection.close()


def test_a_column_that_cannot_be_read_hides_no_other() -> None:
    with duckdb.connect(":memory:") as connection:
        connection.execute("CREATE TABLE one AS SELECT 'a' AS word; CREATE TABLE two AS SELECT 'b' AS word")
        tables = list(connections.engine(connection).tables())
        gone = Table(("memory", "main", "gone"), (Column("word", "VARCHAR"),), rows=1)
        columns = [(table, table.columns[0]) for table in (tables[0], gone, tables[1])]
        assert list(scanning.values(connection, columns, 10)) == [["a"], [], ["b"]]


def test_a_large_column_gives_no_more_than_are_wanted() -> None:
    with duckdb.connect(":memory:") as connection:
        connection.execute(f"CREATE TABLE many AS SELECT i::VARCHAR AS word FROM range({2 * scanning.SMALL}) AS r(i)")
        (table,) = connections.engine(connection).tables()
        assert [len(values) for values in scanning.values(connection, [(table, table.columns[0])], 7)] == [7]
