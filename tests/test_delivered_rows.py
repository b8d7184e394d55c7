"""An answer in DuckDB's SQL has the rows of its trial, where the statement that asks would read the same ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.models import Scripted
from askwhere.sql.identifiers import quote
from support import rows

pytestmark = pytest.mark.slow

ALL = "SELECT name, day, amount, share FROM sales ORDER BY day NULLS LAST, name NULLS LAST"
SALES = """
SELECT * FROM (VALUES
  ('Ünal', DATE '2024-02-29', -1.50::DECIMAL(9, 2), 0.1::DOUBLE, 1::UTINYINT, TIMESTAMP '2024-01-01 23:59:59.123456'),
  ('anna "A" \\ o''Hara', DATE '1969-12-31', NULL, 'nan', 255, TIMESTAMP '1970-01-01'),
  ('Zoë' || chr(0) || '😀', NULL, 0, '-inf', NULL, NULL),
  (NULL, DATE '2024-03-01', 9999999.99, '-0.0', 0, TIMESTAMP '2200-06-01 12:00'),
  ('', DATE '2000-01-01', 1, 1e-320, 7, TIMESTAMP '2024-01-01')) AS t(name, day, amount, share, small, made)
"""


def over_files(folder: Path) -> Any:
    """Return a connection over a Parquet file of sales."""
    duckdb.execute(f"COPY ({SALES}) TO '{folder / 'sales.parquet'}' (FORMAT parquet)")
    return askwhere.connect(folder)


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Any]:
    with over_files(tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def standing_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The same for tests that change neither the file nor the settings."""
    with over_files(tmp_path_factory.mktemp("files")) as made:
        yield made


def pinned(connection: Any, sql: str) -> Any:
    """Pin a query for the question 'q', and return the connection."""
    connection.execute("SELECT ask_pin('q', ?)", [sql])
    return connection


def reads(connection: Any) -> bool:
    """Return whether the answer to 'q', asked now, is computed by the statement that asks."""
    return "unnest" not in str(rows(connection, "EXPLAIN SELECT * FROM ask('q')")).lower()


def shown(found: list[tuple[Any, ...]]) -> list[str]:
    """Return rows as text: NaN equals no other, and -0.0 equals 0.0."""
    return list(map(repr, found))


@pytest.mark.slow
@pytest.mark.parametrize(
    "sql",
    [
        ALL,
        "SELECT small, made, NOT small > 1 AS s FROM sales ORDER BY small DESC NULLS FIRST",
        "SELECT count(*) AS n, sum(small) AS s, avg(small) AS a, min(name) AS m FROM sales",
        "SELECT name, count(*) AS n FROM sales WHERE day < DATE '1900-01-01' GROUP BY name",
        "SELECT a.name, b.day FROM sales a JOIN sales b USING (name) WHERE a.small IN (1, 2, 3, 4, 5, 6, 7) ORDER BY 1",
        "WITH d AS (SELECT day FROM sales) SELECT count(*) AS n FROM d WHERE day > (SELECT min(day) FROM d)",
    ],
)
def test_rows_of_files_are_those_of_the_trial(standing_files: Any, sql: str) -> None:
    files = standing_files
    expected, described = rows(files, sql), rows(files, f"DESCRIBE {sql}")
    pinned(files, sql)
    assert not reads(files)
    assert reads(files)  # found before: the files may have changed since
    files.execute("SELECT ask_unpin('q')")
    assert shown(rows(pinned(files, sql + " "), "SELECT * FROM ask('q')")) == shown(expected)
    assert shown(rows(files, "SELECT * FROM ask('q')")) == shown(expected)
    assert [row[:2] for row in rows(files, "DESCRIBE SELECT * FROM ask('q')")] == [row[:2] for row in described]


@pytest.mark.parametrize(
    "column",
    ["[small]", "{'a': small}", "INTERVAL 1 DAY", "TIME '12:00'", "DATE 'infinity'", "'ab'::BLOB"],
)
def test_rows_that_python_may_change_are_computed_again(standing_files: Any, column: str) -> None:
    files = standing_files
    sql = f"SELECT name, {column} AS x FROM sales ORDER BY day"
    expected = rows(files, sql)
    assert reads(pinned(files, sql))
    assert rows(files, "SELECT * FROM ask('q')") == expected


def test_rows_of_other_settings_are_computed_again(files: Any) -> None:
    files.execute("SET integer_division = true")
    assert reads(pinned(files, "SELECT max(small) / 2 AS half FROM sales"))
    assert rows(files, "SELECT * FROM ask('q')") == [(127,)]


def test_a_prepared_statement_reads_the_files_each_time(files: Any, tmp_path: Path) -> None:
    pinned(files, "SELECT count(*) AS n FROM sales")
    files.execute("PREPARE asked AS SELECT * FROM ask('q')")
    assert rows(files, "EXECUTE asked") == [(5,)]
    duckdb.execute(f"COPY ({SALES} LIMIT 2) TO '{tmp_path / 'sales.parquet'}' (FORMAT parquet)")
    assert rows(files, "EXECUTE asked") == [(2,)]


def test_a_transaction_sees_its_own_changes() -> None:
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE sales AS {SALES}")
        askwhere.register(connection)
        pinned(connection, "SELECT count(*) AS n FROM sales")
        connection.execute("BEGIN; DELETE FROM sales WHERE small IS NULL")
        assert rows(connection, "SELECT * FROM ask('q')") == [(4,)]


def test_rows_of_a_database_that_is_only_read_are_those_of_the_trial(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as made:
        made.execute(f"CREATE TABLE sales AS {SALES}")
        askwhere.register(made)
        assert reads(pinned(made, ALL))
    with askwhere.connect(tmp_path / "shop.duckdb", read_only=True) as connection:
        assert not reads(connection)


@pytest.mark.parametrize("name", ["a\nb", "a\n\n'b", '"\n"'])
def test_a_table_whose_name_has_several_lines_is_asked(tmp_path: Path, name: str) -> None:
    path = str(tmp_path / "lines.duckdb")
    with duckdb.connect(path) as made:
        made.execute(f"CREATE TABLE {quote(name)} AS SELECT 7 AS n")
    with askwhere.connect(path, model=Scripted([f"SELECT n FROM {quote(name)}"]), method="sea") as connection:
        assert rows(connection, "SELECT * FROM ask('flurb of zorb')") == [(7,)]
