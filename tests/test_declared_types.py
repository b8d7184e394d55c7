"""Columns whose declared type is any text, as somebody's file may have them, in stored answers."""

from __future__ import annotations

import apsw
import askwhere
from askwhere.models import Scripted


def test_a_declared_type_is_no_sql_in_a_stored_answer() -> None:
    connection = apsw.Connection(":memory:")
    connection.execute("""CREATE TABLE odd (a "it's", b "x, y, z", c "INT, d HIDDEN", e "DECIMAL(10, 2)")""")
    connection.execute("INSERT INTO odd VALUES (1, 2, 3, 4)")
    askwhere.register(connection, model=Scripted(["SELECT * FROM odd"]), method="sea")
    connection.execute("CREATE VIRTUAL TABLE kept USING ask('q')")
    assert connection.execute("SELECT * FROM kept").fetchall() == [(1, 2, 3, 4)]
    declared = connection.execute("SELECT name, type FROM pragma_table_info('kept')").fetchall()
    assert declared == [("a", ""), ("b", ""), ("c", ""), ("e", "DECIMAL(10, 2)")]
