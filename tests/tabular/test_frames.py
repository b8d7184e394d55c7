"""DataFrames, Arrow tables and NumPy arrays that are asked, in a connection of ours and in one's own."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import askwhere
import duckdb
import numpy as np
import pytest
from askwhere.errors import ArgumentError, DatabaseError
from support import error, rows

SALES = {
    "city": ["Paris", "Rome", "Paris"],
    "amount": [10, 20, 5],
    "day": ["2024-01-05", "2024-02-06", "2023-12-31"],
    "shop_id": [1, 2, 1],
}
SHOPS = {"shop_id": [1, 2], "manager": ["Ann", "Bo"]}
SECRET = {"word": ["canary"]}
PARIS = "total amount of sales in Paris in 2024"


def _arrays(columns: dict[str, Any]) -> Any:
    return {name: np.array(values, object if isinstance(values[0], str) else None) for name, values in columns.items()}


def _pandas(columns: dict[str, Any]) -> Any:
    return pytest.importorskip("pandas").DataFrame(columns)


def _polars(columns: dict[str, Any]) -> Any:
    pytest.importorskip("pyarrow")  # by which DuckDB reads polars
    return pytest.importorskip("polars").DataFrame(columns)


def _arrow(columns: dict[str, Any]) -> Any:
    return pytest.importorskip("pyarrow").table(columns)


def _read_once(columns: dict[str, Any]) -> Any:
    table = _arrow(columns)
    return pytest.importorskip("pyarrow").RecordBatchReader.from_batches(table.schema, table.to_batches())


kinds = pytest.mark.parametrize("made", [_arrays, _pandas, _polars, _arrow, _read_once])


@pytest.mark.slow  # needs packages that only `make test-all` installs
@kinds
def test_objects_are_asked_in_python_and_in_sql(made: Callable[[dict[str, Any]], Any]) -> None:
    with askwhere.connect({"sales": made(SALES), "shops": made(SHOPS)}) as connection:
        assert askwhere.ask(connection, PARIS).rows == ((10,),)
        assert rows(connection, f"SELECT * FROM ask('{PARIS}')") == [(10,)]
        assert sorted(rows(connection, "SELECT * FROM ask('total amount of sales per manager')")) == [
            ("Ann", 15),
            ("Bo", 20),
        ]
        found = rows(connection, "SELECT table_name, column_name, value FROM ask_values('sales in Rome by Ann', 1)")
        assert {("sales", "city", "Rome"), ("shops", "manager", "Ann")} <= set(found)


@pytest.mark.slow  # needs packages that only `make test-all` installs
@kinds
def test_texts_that_are_dates_become_dates(made: Callable[[dict[str, Any]], Any]) -> None:
    given = SALES | {"sold": ["31.01.2024", "01.02.2024", "02.02.2024"], "code": ["00501", "00502", "00503"]}
    with askwhere.connect({"sales": made(given)}) as connection:
        assert rows(connection, "SELECT typeof(day), typeof(sold), typeof(code), sold FROM sales LIMIT 1") == [
            ("DATE", "DATE", "VARCHAR", datetime.date(2024, 1, 31))
        ]


@pytest.mark.slow  # needs packages that only `make test-all` installs
def test_texts_of_few_different_values_keep_their_order_and_dates_among_them_become_dates() -> None:
    pandas = pytest.importorskip("pandas")
    sizes = pandas.Categorical(["large", "small", "small"], ["small", "large"], ordered=True)
    frame = pandas.DataFrame({"size": sizes, "day": pandas.Categorical(SALES["day"])})
    with askwhere.connect({"parcels": frame}) as connection:
        assert rows(connection, "SELECT typeof(day), max(size) FROM parcels GROUP BY ALL") == [("DATE", "large")]
        assert askwhere.ask(connection, "how many small parcels in 2024").rows == ((1,),)


def test_names_are_taken_as_they_are() -> None:
    with askwhere.connect({'big "Sales" 2024': _arrays(SALES)}) as connection:
        assert rows(connection, 'SELECT count(*) FROM "big ""Sales"" 2024"') == [(3,)]
    with pytest.raises(ArgumentError, match="'Sales': another table has this name"):
        askwhere.connect({"sales": _arrays(SALES), "Sales": _arrays(SALES)})


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(
        ArgumentError, match=r"'sales': expected a DataFrame of pandas or polars, .* found builtins\.object"
    ):
        askwhere.connect({"sales": object()})
    with pytest.raises(ArgumentError, match=r"'sales': expected a DataFrame of pandas .* found builtins\.NoneType"):
        askwhere.connect({"sales": None})
    with pytest.raises(ArgumentError, match="found an empty list"):
        askwhere.connect({})


def test_columns_that_duckdb_cannot_read_are_an_error() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(DatabaseError, match=r"sales cannot be read: Data type 'complex128' not recognized"):
        askwhere.connect({"sales": pandas.DataFrame({"size": [1j]})})
    with pytest.raises(DatabaseError, match=r"sales cannot be read: "):
        askwhere.connect({"sales": pandas.DataFrame({"\ud800": [1]})})


def test_nothing_but_the_objects_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "secret.parquet"
    duckdb.execute(f"COPY (SELECT 'canary' AS word) TO '{file}'")
    secret = _arrays(SECRET)  # a variable, which DuckDB would find by its name
    with askwhere.connect({"sales": _arrays(SALES)}) as connection:
        assert "canary" not in error(connection, f"FROM '{file}'")
        assert "word" not in error(connection, "FROM secret")
        assert "secret" in error(connection, "SELECT ask_pin('the secret word', 'SELECT word FROM secret')")
    assert secret


def test_index_and_pins_go_to_the_file_that_is_kept(tmp_path: Path) -> None:
    for _ in range(2):
        with askwhere.connect({"sales": _arrays(SALES)}, keep=tmp_path / "kept.duckdb") as connection:
            if rows(connection, "SELECT count(*) FROM ask_pins()") == [(0,)]:
                assert rows(connection, "SELECT ask_index()")[0][0].startswith("indexed 2 values of 1 column")
                rows(connection, "SELECT ask_pin('best sale', 'SELECT max(amount) AS most FROM sales')")
            else:
                assert rows(connection, "SELECT * FROM ask('best sale')") == [(20,)]
                break
    else:
        pytest.fail("the pin was not kept")


def test_what_is_only_in_memory_is_not_asked_in_another_process() -> None:
    with (
        askwhere.connect({"sales": _arrays(SALES)}, isolation="process") as connection,
        pytest.raises(DatabaseError, match="memory"),
    ):
        askwhere.ask(connection, PARIS)


def test_what_is_registered_on_ones_own_connection_is_asked_in_python() -> None:
    """A view over a Python object belongs to the connection, and `ask()` in SQL works on another one."""
    with duckdb.connect() as connection:
        connection.register("sales", _arrays(SALES))
        askwhere.register(connection)
        answer = askwhere.ask(connection, PARIS)
        assert answer.rows == ((10,),)
        assert rows(connection, answer.sql) == [(10,)]
        connection.execute("CREATE TABLE kept_sales AS FROM sales")
        connection.unregister("sales")
        assert rows(connection, "SELECT * FROM ask('how many kept sales in Paris')") == [(2,)]
