"""Tables and macros of a database that have the names of what askwhere's own statements call."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import apsw
import askwhere
import duckdb
import pytest
from askwhere.bindings.duckdb import engine, shielding
from askwhere.bindings.duckdb.shielding import with_schema
from askwhere.guard.functions import DUCKDB_IMPLIED
from askwhere.models import Scripted

SHOP = "CREATE TABLE customers (id INTEGER, name TEXT, email TEXT); INSERT INTO customers VALUES (1, 'Al', 'a@x')"
COLUMNS = "name, type, builtin, enc, narg, flags, page_count, page_size, foreign_keys, hidden, pk"


@pytest.mark.parametrize("name", ["function_list", "table_xinfo", "collation_list", "page_count", "foreign_key_list"])
def test_a_table_named_like_a_pragma_answers_no_question_of_ours(name: str) -> None:
    called: list[str] = []
    with contextlib.closing(apsw.Connection(":memory:")) as connection:
        connection.execute(f"{SHOP}; CREATE TABLE pragma_{name} ({COLUMNS})")
        connection.execute(f"INSERT INTO main.pragma_{name} (name, builtin) VALUES ('upper', 1), ('customers', 0)")
        connection.create_scalar_function("upper", lambda text: called.append(text) or "CALLED", 1)  # type: ignore[func-returns-value]
        askwhere.register(connection, model=Scripted(["SELECT upper(name) AS n FROM customers"] * 9), effort="fast")
        with pytest.raises(askwhere.Refused, match="calls the function 'upper', which it may not"):
            connection.execute("SELECT * FROM ask('flurb')").fetchall()
        schema = connection.execute("SELECT ask_schema('customers')").fetchall()[0][0]
        assert "email" in schema
    assert called == []


def test_no_macro_is_called_by_a_statement_of_ours(tmp_path: Path) -> None:
    """Each function that occurs in our modules gets a macro of its name that raises an error."""
    path = str(tmp_path / "shop.duckdb")
    with duckdb.connect(path) as connection:
        text = "".join(file.read_text() for file in Path(engine.__file__).parent.glob("*.py"))
        called = {name.lower() for name in re.findall(r"(\w+)\(", text)}
        listed = connection.execute(
            "SELECT lower(function_name), bool_or(function_type = 'table') FROM duckdb_functions()"
            " WHERE list_contains(?, lower(function_name)) GROUP BY ALL",
            [sorted(called - shielding._BY_SYNTAX - DUCKDB_IMPLIED - {"error"})],
        ).fetchall()
        connection.execute(SHOP)
        for name, table in listed:
            lie = f"error('{name} was called')"
            parameters = [", ".join("abcdef"[:n]) for n in range(7)]
            macro = f"() AS TABLE SELECT {lie}" if table else ", ".join(f"({given}) AS {lie}" for given in parameters)
            with contextlib.suppress(duckdb.ParserException):  # a word of the grammar
                connection.execute(f"CREATE MACRO {name}{macro}")
        made = connection.execute("SELECT count(*) FROM system.main.duckdb_functions() WHERE NOT internal").fetchall()
    assert made[0][0] > 50
    model = Scripted(["SELECT name FROM customers"] * 9)
    for isolation in ("", "process"):
        options = {"effort": "fast", "isolation": isolation}
        with contextlib.closing(askwhere.connect(path, model=model, read_only=bool(isolation), **options)) as asked:
            assert asked.execute("SELECT * FROM ask('flurb')").fetchall() == [("Al",)]
            assert "email" in asked.execute("SELECT ask_schema('customers')").fetchall()[0][0]
            if not isolation:
                asked.execute("SELECT ask_index()").fetchall()
                asked.execute("SELECT ask_pin('flurb', 'SELECT name FROM customers')").fetchall()
            assert asked.execute("SELECT table_name FROM ask_values('Al')").fetchall() == [("customers",)]


def test_only_calls_get_a_schema() -> None:
    users = frozenset({"lower", "filter", "replace", "sum"})
    sql = (
        "SELECT sum(a) FILTER (b), x.sum(c), lower, lower (d), * REPLACE (e AS f), 'lower(' -- sum(\nFROM replace('a')"
    )
    assert with_schema(sql, users) == (
        "SELECT system.main.sum(a) FILTER (b), x.sum(c), lower, system.main.lower (d), * REPLACE (e AS f), 'lower(' --"
        " sum(\nFROM system.main.replace('a')"
    )


def test_a_macro_that_syntax_calls_is_an_error() -> None:
    with contextlib.closing(duckdb.connect()) as connection:
        connection.execute(f"{SHOP}; CREATE MACRO list_value(a, b, c) AS [1]")
        askwhere.register(connection, model=Scripted(["SELECT name FROM customers"] * 9), effort="fast")
        with pytest.raises(
            duckdb.Error, match=r"DuckDB calls list_value\(\) for itself, and you made a function of that"
        ):
            connection.execute("SELECT * FROM ask('flurb')")
