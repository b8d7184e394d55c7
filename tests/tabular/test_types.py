"""The types of texts in files: what all of a column's texts say, and nothing that could be read in two ways."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from askwhere.bindings.tabular import file_tables, types, views


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(":memory:") as made:
        yield made


def column(connection: duckdb.DuckDBPyConnection, folder: Path, *texts: str) -> tuple[str, object]:
    """Return the type of a CSV file's column with these texts, and its first value as text."""
    file = folder / "t.csv"
    file.write_text("".join(f'"{text}";x\n' for text in ("c", *texts)))
    (table,), _ = file_tables.tables([str(file)], lambda pattern: [])
    sql = views.view(connection, table, 60).sql
    kind = connection.execute(f"DESCRIBE {sql}").fetchall()[0][1]
    return kind, connection.execute(f"SELECT c::VARCHAR FROM ({sql})").fetchall()[0][0]


@pytest.mark.parametrize(
    ("texts", "kind", "first"),
    [
        (("1", "-2"), "BIGINT", "1"),
        (("2.5", "1"), "DOUBLE", "2.5"),
        (("true", "False"), "BOOLEAN", "true"),
        (("2024-01-02", "2023-12-31"), "DATE", "2024-01-02"),
        (("2024-01-02 10:30:00", "2023-12-31 00:00:00"), "TIMESTAMP", "2024-01-02 10:30:00"),
        (("31.12.2023", "01.02.2024"), "DATE", "2023-12-31"),
        (("12/31/2023", "01/02/2024"), "DATE", "2023-12-31"),
        (("31/12/2023", "01/02/2024"), "DATE", "2023-12-31"),
        (("31/12/2023 10:30", "01/02/2024 09:00"), "TIMESTAMP", "2023-12-31 10:30:00"),
        (("3 Mar 2024", "21 Dec 2023"), "DATE", "2024-03-03"),
        (("March 3, 2024", "May 12, 2023"), "DATE", "2024-03-03"),
        (("1,234,567", "12"), "BIGINT", "1234567"),
        (("1,234.50", "12"), "DOUBLE", "1234.5"),
        (("1.234,50", "3,1"), "DOUBLE", "1234.5"),
        (("10:30:00", "23:59:59"), "TIME", "10:30:00"),
    ],
)
def test_texts_that_are_all_alike_have_a_type(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, texts: tuple[str, ...], kind: str, first: str
) -> None:
    assert column(connection, tmp_path, *texts) == (kind, first)


@pytest.mark.parametrize(
    "texts",
    [
        ("01/02/2024", "03/04/2024"),  # days or months first
        ("1,234", "5,678"),  # thousands, or decimals
        ("00501", "10001"),  # codes
        ("12345678901234567890", "1"),  # more digits than a number keeps
        ("2024-01-02", "soon"),
        ("31.12.2023", "12/31/2023"),
        ("12", "n/a"),
        ("1,23", "4,56,7"),
    ],
)
def test_texts_that_may_be_read_in_two_ways_stay_text(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, texts: tuple[str, ...]
) -> None:
    assert column(connection, tmp_path, *texts) == ("VARCHAR", texts[0])


def test_a_text_far_down_decides_too(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    assert column(connection, tmp_path, *["2024-01-02"] * 30_000, "later") == ("VARCHAR", "2024-01-02")
    assert column(connection, tmp_path, *["01/02/2024"] * 30_000, "02/13/2024") == ("DATE", "2024-01-02")


def test_dates_in_parquet_text_are_dates_and_digits_stay_text(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    file = tmp_path / "t.parquet"
    connection.execute(f"COPY (SELECT '2024-01-02' AS day, '12' AS code, NULL::VARCHAR AS note) TO '{file}'")
    (table,), _ = file_tables.tables([str(file)], lambda pattern: [])
    described = connection.execute(f"DESCRIBE {views.view(connection, table, 60).sql}").fetchall()
    assert [(name, kind) for name, kind, *_ in described] == [("day", "DATE"), ("code", "VARCHAR"), ("note", "VARCHAR")]


def test_where_there_is_no_time_to_look_at_all_rows_it_is_said(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitting = types._fitting

    def late(connection: duckdb.DuckDBPyConnection, source: str, *rest: Any) -> dict[str, list[types.Reading]]:
        if "LIMIT" not in source:
            raise TimeoutError
        return fitting(connection, source, *rest)

    monkeypatch.setattr(types, "_fitting", late)
    rows = "SELECT '2024-01-' || lpad((1 + i % 28)::VARCHAR, 2, '0') AS day FROM range(100) AS r(i)"
    connection.execute(f"COPY ({rows}) TO '{tmp_path}/t.parquet'")
    connection.execute(f"COPY ({rows}) TO '{tmp_path}/c.csv'")
    for name, kind, note in (
        ("t.parquet", "VARCHAR", "t: day stay text, as there was no time to look at all of their rows"),
        (
            "c.csv",
            "DATE",
            "c: the types of its columns are those of its first rows, as there was no time to look at all",
        ),
    ):
        (table,), _ = file_tables.tables([str(tmp_path / name)], lambda pattern: [])
        made = views.view(connection, table, 60)
        assert connection.execute(f"DESCRIBE {made.sql}").fetchall()[0][1] == kind
        assert made.notes == (note,)


def test_columns_that_take_too_long_to_look_at_stay_text(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "c.csv").write_text("n,day\n1,2024-01-31\n")

    def too_long(*_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(types, "_fitting", too_long)
    (table,), _ = file_tables.tables([str(tmp_path / "c.csv")], lambda pattern: [])
    made = views.view(connection, table, 5)
    assert [kind for _, kind, *_ in connection.execute(f"DESCRIBE {made.sql}").fetchall()] == ["VARCHAR", "VARCHAR"]
    assert made.notes == ("c: its columns stay text, as there was no time to look at them",)


@pytest.mark.slow
def test_a_wide_file_is_looked_at_in_parts(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"{'day' if n % 2 else 'n'}{n}" for n in range(400)]
    values = ["2024-01-31" if n % 2 else "17" for n in range(400)]
    (tmp_path / "wide.csv").write_text(f"{','.join(names)}\n{','.join(values)}\n")
    asked, fitting = list[int](), types._fitting

    def counted(connection: Any, source: str, possible: Any, limits: Any) -> Any:
        asked.append(sum(map(len, possible.values())))
        return fitting(connection, source, possible, limits)

    monkeypatch.setattr(types, "_fitting", counted)
    (table,), _ = file_tables.tables([str(tmp_path / "wide.csv")], lambda pattern: [])
    described = connection.execute(f"DESCRIBE {views.view(connection, table, 600).sql}").fetchall()
    assert [kind for _, kind, *_ in described] == ["BIGINT", "DATE"] * 200
    assert len(asked) > 1
    assert max(asked) < 2 * types.TOGETHER


def test_each_reading_has_a_name_of_its_own() -> None:
    names = [reading.name for reading in types.READINGS]
    assert len({*names}) == len(names)
    assert {reading.rival for reading in types.READINGS} - {""} <= {*names}
