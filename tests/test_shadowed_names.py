"""Tables and macros of a database that have the names of what askwhere's own statements call."""

from __future__ import annotations

import contextlib

import apsw
import askwhere
import pytest
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
