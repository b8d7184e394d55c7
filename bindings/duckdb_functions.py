"""Registers the SQL functions on a DuckDB connection.

DuckDB binds `query(text)` with the columns of the query in the text, so `ask` is a table macro over `query` and one
Python function. Macros are temporary: they belong to the connection and leave nothing in the file. Arguments travel as
one JSON array, which keeps their types.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import secrets
import weakref
from collections.abc import Callable
from typing import Any

import duckdb
from askwhere import literals
from askwhere.bindings.duckdb import Connection, DuckDBEngine, called_by
from askwhere.engine import Engine, quote
from askwhere.errors import AskError, DatabaseError
from askwhere.session import Session
from askwhere.udfs import FUNCTIONS, Function, bind

_BY_NAME = {function.name: function for function in FUNCTIONS}
_live: weakref.WeakKeyDictionary[Connection, tuple[str, str]] = weakref.WeakKeyDictionary()


def register(connection: Connection, session: Session) -> None:
    """Put every function on `connection`, working with `session`."""
    # Functions belong to the instance, which other connections share: a name of our own for each registration.
    mark = secrets.token_hex(4)
    names = (f"askwhere_read_{mark}", f"askwhere_change_{mark}")
    call: Any = _caller(weakref.ref(connection), session)
    special: Any = "special"  # a NULL argument is one that was left out, not a NULL result
    for name, changes in zip(names, (False, True), strict=True):
        connection.create_function(
            name, call, ["VARCHAR", "VARCHAR", "VARCHAR"], "VARCHAR", null_handling=special, side_effects=changes
        )
    _live[connection] = names
    for function in FUNCTIONS:
        connection.execute(_macro(function, names[function.changes or function.volatile]))


def _caller(connection: weakref.ref[Connection], session: Session) -> Callable[[str, str, str], str | None]:
    """The Python function behind every macro: a function's name and its arguments in, its result as text out.

    The connection is running the statement that calls, so work happens on a cursor, which sees what is committed.
    """

    def call(name: str, arguments: str, statement: str) -> str | None:
        function = _BY_NAME[name]
        live = connection()
        if live is None:
            raise DatabaseError("the connection is gone; register() the one that is in use")
        if function.changes and name not in statement.lower():
            raise AskError(f"{name}() changes things and cannot be called from a view or macro; call it directly")
        with live.cursor() as cursor, called_by(live):
            return _as_text(function, function.call(session, _engine(cursor), **bind(function, _values(arguments))))

    return call


def _values(arguments: str) -> list[Any]:
    """The arguments of a call, of which JSON has all but the type of a blob."""
    values, types = json.loads(arguments)
    return [str(v).encode() if kind == "BLOB" else v for v, kind in zip(values, types, strict=True)]


def _engine(cursor: Connection) -> Engine:
    return DuckDBEngine(cursor)


def _as_text(function: Function, result: Any) -> str | None:
    if function.kind == "table":
        names = [name for name, _ in function.columns]
        return json.dumps([dict(zip(names, row, strict=True)) for row in result], default=str)
    return None if result is None else str(result)


def _macro(function: Function, name: str) -> str:
    parameters = ", ".join(f"{quote(a.name)} := {literals.literal(a.absent)}" for a in function.arguments)
    names = [quote(argument.name) for argument in function.arguments]
    types = ", ".join(f"typeof({argument})" for argument in names)
    arguments = f"json_array(json_array({', '.join(names)}), json_array({types}))"
    call = f"{name}('{function.name}', {arguments}, {'current_query()' if function.changes else 'NULL'})"
    head = f"CREATE OR REPLACE TEMP MACRO {function.name}({parameters}) AS"
    if function.kind == "answer":
        return f"{head} TABLE SELECT * FROM query({call})"
    if function.kind == "table":
        shape = json.dumps([dict(function.columns)])
        return f"{head} TABLE SELECT unnest(from_json({call}, '{shape}'), recursive := true)"
    return f"{head} {call}"


@atexit.register
def _remove_functions() -> None:
    """What DuckDB still holds of Python when it ends is reported as a leak on standard error."""
    for connection, names in list(_live.items()):
        for name in names:
            with contextlib.suppress(duckdb.Error):
                connection.remove_function(name)
    gc.collect()  # the frames of an interrupted question refer to each other
