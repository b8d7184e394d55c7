"""Hostile names and values under `isolation = 'process'`: the same rows as without it, or an error of ours."""

from __future__ import annotations

import contextlib
from typing import Any

import askwhere
import pytest
from askwhere.errors import AskError
from askwhere.models import Scripted
from askwhere.sql.identifiers import quote
from support import Database, connected

pytestmark = pytest.mark.slow

NAMES = (
    'a"b', "a'b", "]x[", "a.b", "a\nb", "red\x1b[31m", "rtl\u202egnp", "\ufeffbom", "\u200b", "<script>", "{{7*7}}",
    "%s%n", "--c", "/*c*/", "select", "?", ":p", "$1", "\\", "x" * 900, "Ω" * 300,
)  # fmt: skip


def rows(database: Database, sql: str, **settings: Any) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Columns and rows of a query that a model writes."""
    given = {"model": Scripted([sql] * 9), "method": "sea", "effort": "fast", **settings}
    with contextlib.closing(askwhere.connect(str(database.path), read_only=True, **given)) as connection:
        answer = askwhere.ask(connection, "flurb of zorb")
        return answer.columns, list(answer.rows)


def test_names_are_names_and_values_are_values(database: Database) -> None:
    with contextlib.closing(connected(database.kind, database.path)) as made:
        for number, name in enumerate(NAMES):
            made.execute(f"CREATE TABLE {quote(name)} (id INTEGER, {quote(f'{name}c')} TEXT)")
            made.execute(f"INSERT INTO {quote(name)} VALUES (?, ?)", (number, f"{name}\0v"))
    for number, name in enumerate(NAMES):
        columns, found = rows(database, f"SELECT * FROM {quote(name)}", isolation="process")
        assert (columns, found) == (("id", f"{name}c"), [(number, f"{name}\0v")])


def test_many_columns_and_long_values_are_rows_or_errors_of_ours(database: Database) -> None:
    many = range(1_900)
    with contextlib.closing(connected(database.kind, database.path)) as made:
        made.execute(f"CREATE TABLE wide ({', '.join(f'c{n} INTEGER' for n in many)})")
        made.execute(f"INSERT INTO wide VALUES ({', '.join(map(str, many))})")
        made.execute("CREATE TABLE long (id INTEGER, v TEXT, b BLOB)")
        made.execute("INSERT INTO long VALUES (1, ?, ?)", ("x" * 50_000_000, b"\xff\0\xfe"))
    assert rows(database, "SELECT * FROM wide", isolation="process")[1] == [tuple(many)]
    assert rows(database, "SELECT id, b FROM long", isolation="process")[1] == [(1, b"\xff\0\xfe")]
    with contextlib.suppress(AskError):
        assert rows(database, "SELECT v FROM long", isolation="process")[1] == [("x" * 50_000_000,)]
    with pytest.raises(AskError):
        rows(database, "SELECT a.v, b.v AS w, c.v AS x FROM long a, long b, long c", isolation="process")


def test_texts_that_are_not_utf8_are_read_as_without_it(database: Database) -> None:
    if database.kind == "duckdb":
        pytest.skip("DuckDB stores no such texts")
    with contextlib.closing(connected("sqlite", database.path)) as made:
        made.execute("CREATE TABLE bad (v TEXT); INSERT INTO bad VALUES (CAST(x'ff00fe41' AS TEXT)), (char(55296))")
    sql = "SELECT v FROM bad"
    assert rows(database, sql, isolation="process") == rows(database, sql)
