"""BI tools over ODBC: pyodbc and isql, with the loadable extension in the SQLite ODBC driver."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import odbc
import pytest
from native_hosts import extension, shop, worker

pytestmark = pytest.mark.slow
pyodbc = pytest.importorskip("pyodbc", reason="needs pyodbc: pip install -e '.[all]'")

PER_COUNTRY = "SELECT country, count(*) AS n, avg(id) AS mean FROM customers GROUP BY country ORDER BY country"
ROWS = [("Canada", 2, 1.5), ("Norway", 1, 3.0)]


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shop in a file, with a worker whose model answers once."""
    if odbc.driver() is None:
        pytest.skip("needs the SQLite ODBC driver: make odbc")
    monkeypatch.setenv("ASKWHERE_WORKER", str(worker(tmp_path, PER_COUNTRY, "SELECT count(*) FROM customers")))
    shop("shell", tmp_path / "shop.db", load=False).close()
    return tmp_path / "shop.db"


@pytest.fixture
def connect(given: Path) -> Iterator[Callable[[], Any]]:
    """Opens the shop over ODBC."""
    opened = []

    def connect() -> Any:
        text = f"DRIVER={odbc.driver()};Database={given};LoadExt={extension()};Timeout=5000"
        opened.append(pyodbc.connect(text, autocommit=True))
        return opened[-1]

    yield connect
    for connection in opened:
        with contextlib.suppress(pyodbc.ProgrammingError):  # the test has closed it
            connection.close()


@pytest.fixture
def connection(connect: Callable[[], Any]) -> Any:
    """The shop with an answer under a name."""
    connection = connect()
    connection.execute("CREATE VIRTUAL TABLE per_country USING ask('q')")
    return connection


def test_answers_are_listed_as_tables(connection: Any) -> None:
    assert "per_country" in [table.table_name for table in connection.cursor().tables()]


def test_their_columns_have_real_types(connection: Any) -> None:
    columns = [(c.column_name, c.data_type) for c in connection.cursor().columns(table="per_country")]
    assert columns == [("country", pyodbc.SQL_LONGVARCHAR), ("n", pyodbc.SQL_INTEGER), ("mean", pyodbc.SQL_DOUBLE)]
    described = connection.execute("SELECT * FROM per_country").description
    assert [(name, kind) for name, kind, *_ in described] == [("country", str), ("n", int), ("mean", float)]


def test_rows_are_read_in_blocks_with_several_statements_open(connection: Any) -> None:
    first, second = connection.cursor(), connection.cursor()
    first.execute("SELECT * FROM per_country")
    assert [tuple(row) for row in first.fetchmany(1)] == ROWS[:1]
    second.execute("SELECT mean FROM per_country WHERE country = ? AND n < ?", "Norway", 5)
    assert second.fetchone()[0] == 3.0
    assert [tuple(row) for row in first.fetchmany(10)] == ROWS[1:]


def test_answers_join_and_group(connection: Any) -> None:
    sql = "SELECT p.n, count(*) FROM customers AS c JOIN per_country AS p USING (country) GROUP BY 1 ORDER BY 1"
    assert [tuple(row) for row in connection.execute(sql)] == [(1, 1), (2, 2)]
    connection.execute("CREATE VIEW most AS SELECT country FROM per_country WHERE n > 1")
    assert connection.execute("SELECT * FROM most").fetchval() == "Canada"


def test_an_answer_stays_for_the_next_connection_and_reads_new_rows(
    connection: Any, connect: Callable[[], Any]
) -> None:
    connection.execute("INSERT INTO customers VALUES (9, 'Dag', 'Norway')")
    connection.close()
    assert connect().execute("SELECT n FROM per_country WHERE country = 'Norway'").fetchval() == 2


def test_functions_of_one_value_work(connection: Any) -> None:
    assert connection.execute("SELECT ask_sql('q')").fetchval() == PER_COUNTRY
    assert connection.execute("SELECT ask_value('r')").fetchval() == 3


def test_ask_as_a_table_is_refused_with_what_to_do(connection: Any) -> None:
    """The driver has counted the columns before the question is answered."""
    with pytest.raises(pyodbc.Error, match="use CREATE VIRTUAL TABLE answer USING ask"):
        connection.execute("SELECT * FROM ask('q')").fetchall()
    assert connection.execute("SELECT 1").fetchval() == 1


def test_isql_reads_an_answer(given: Path, connection: Any, tmp_path: Path) -> None:
    if shutil.which("isql") is None:
        pytest.skip("needs isql: make odbc")
    text = f"[shop]\nDriver={odbc.driver()}\nDatabase={given}\nLoadExt={extension()}\n"
    (tmp_path / "odbc.ini").write_text(text)
    ran = subprocess.run(
        ["isql", "shop", "-b", "-d,"],
        input="SELECT * FROM per_country;\n",
        capture_output=True,
        text=True,
        env={**os.environ, "ODBCINI": str(tmp_path / "odbc.ini")},
        timeout=600,
        check=True,
    )
    assert ran.stdout.split()[:2] == ["Canada,2,1.5", "Norway,1,3.0"]
