"""Registers the SQL functions on a DuckDB connection.

DuckDB binds `query(text)` with the columns of the query in the text, so `ask` is a table macro over `query` and one
Python function. Macros are temporary: they belong to the connection and leave nothing in the file. Only for a server's
clients, whose connections are not ours, they are in the database, and say whose connection calls. Arguments travel as
one JSON array, which keeps their types.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import secrets
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import duckdb
from askwhere import literals
from askwhere.bindings.duckdb.engine import DuckDBEngine
from askwhere.bindings.duckdb.reading import Deliveries
from askwhere.bindings.duckdb.running import Connection, called_by
from askwhere.bindings.file_errors import of_file
from askwhere.engine import Engine, quote
from askwhere.errors import AskError, DatabaseError
from askwhere.session import Session
from askwhere.udfs import FUNCTIONS, Function, bind

_BY_NAME = {function.name: function for function in FUNCTIONS}
# The macros of the database itself that are named as our functions are: name, type, and whether we made them.
_PUBLISHED = """
SELECT lower(function_name), function_type, regexp_matches(macro_definition, 'askwhere_(read|change)_[0-9a-f]{8}"?[(]')
FROM duckdb_functions() WHERE database_name = current_database() AND schema_name = 'main'
AND function_type IN ('macro', 'table_macro') AND list_contains(?, lower(function_name))
"""
# What the macros call, and what a server asks whether a client may do something: see `_macro` and `serve.hold`.
_USED = (
    "array_extract array_slice askwhere_may current_connection_id current_query error from_json json_array"
    " list_slice list_transform list_value query typeof unnest"
).split()
# What a Python function raises reaches the client with our files and lines. So it tells of an error by the first letter
# of what it returns, and SQL raises it; a lambda, as nothing else calls only once.
_ERROR, _RESULT = "!", "="
_HEARD = f"list_transform([{{}}], lambda said: CASE said[1] WHEN '{_ERROR}' THEN error(said[2:]) ELSE said[2:] END)[1]"
_live: weakref.WeakKeyDictionary[Connection, tuple[str, ...]] = weakref.WeakKeyDictionary()


def register(connection: Connection, session: Session) -> None:
    """Put every function on `connection`, working with `session`."""
    deliveries = _deliveries(connection)
    call = _caller(weakref.ref(connection), lambda client: session, None, deliveries)
    for macro in _macros(_functions(connection, call, deliveries), "TEMP MACRO", "NULL"):
        connection.execute(macro)


def publish(connection: Connection, session: Callable[[str], Session], database: str | None) -> None:
    """Put every function into the database, for all connections; `session` gives the one of a connection's number.

    askwhere's tables are those of `database`, see `DuckDBEngine`. Macros that were left by another process are
    replaced. Raises `DatabaseError` where the user has a macro of such a name.
    """
    for name in (*withdraw(connection), *_own(connection, _USED)):
        raise DatabaseError(
            f"the database has a macro {name}() of its own, and a server has a function of that name: rename it"
        )
    deliveries = _deliveries(connection)
    call = _told(_caller(weakref.ref(connection), session, database, deliveries))
    for macro in _macros(_functions(connection, call, deliveries), "MACRO", "current_connection_id()::VARCHAR", _HEARD):
        connection.execute(macro)


def withdraw(connection: Connection) -> list[str]:
    """Remove from the database what `publish` put there, also in a process that was killed.

    Gives the names of macros that have such a name and are the user's.
    """
    names = [function.name for function in FUNCTIONS]
    for name, kind, ours in connection.execute(_PUBLISHED, [names]).fetchall():
        if ours:
            connection.execute(f"DROP {'MACRO TABLE' if kind == 'table_macro' else 'MACRO'} {quote(name)}")
    return _own(connection, names)


def _own(connection: Connection, names: Sequence[str]) -> list[str]:
    """Those of these names that macros of the user's have."""
    return [name for name, _, ours in connection.execute(_PUBLISHED, [names]).fetchall() if not ours]


def _deliveries(connection: Connection) -> Deliveries:
    """What reads the rows of another process, with the Python function that their SQL calls."""
    made, live = Deliveries(f"askwhere_rows_{secrets.token_hex(4)}"), weakref.ref(connection)

    def batch(asked: str) -> str:
        with called_by(live()):
            return made.batch(asked)

    connection.create_function(made.function, batch, ["VARCHAR"], "VARCHAR", side_effects=True)
    return made


def _functions(connection: Connection, call: Any, deliveries: Deliveries) -> tuple[str, str]:
    """The Python functions behind the macros: one for what only reads, one for the rest. Gives their names."""
    # Functions belong to the instance, which other connections share: a name of our own for each registration.
    mark = secrets.token_hex(4)
    names = (f"askwhere_read_{mark}", f"askwhere_change_{mark}")
    special: Any = "special"  # a NULL argument is one that was left out, not a NULL result
    for name, changes in zip(names, (False, True), strict=True):
        connection.create_function(name, call, ["VARCHAR"] * 4, "VARCHAR", null_handling=special, side_effects=changes)
    _live[connection] = (*names, deliveries.function)
    return names


def _caller(
    connection: weakref.ref[Connection],
    session: Callable[[str], Session],
    database: str | None,
    deliveries: Deliveries,
) -> Callable[[str, str, str, str], str | None]:
    """The Python function behind every macro: a function's name and its arguments in, its result as text out.

    The connection is running the statement that calls, so work happens on a cursor, which sees what is committed.
    """

    def call(name: str, arguments: str, statement: str, client: str) -> str | None:
        function = _BY_NAME[name]
        live = connection()
        if live is None:
            raise DatabaseError("the connection is gone; register() the one that is in use")
        if function.changes and name not in statement.lower():
            raise AskError(f"{name}() changes things and cannot be called from a view or macro; call it directly")
        with live.cursor() as cursor, called_by(live):
            engine: Engine = DuckDBEngine(cursor, database, deliveries)
            return _as_text(function, function.call(session(client), engine, **bind(function, _values(arguments))))

    return call


def _told(call: Callable[[str, str, str, str], str | None]) -> Callable[[str, str, str, str], str | None]:
    """The function with what it raises as a result, see `_HEARD`."""

    def told(name: str, arguments: str, statement: str, client: str) -> str | None:
        try:
            result = call(name, arguments, statement, client)
        except duckdb.InterruptException:
            raise
        except AskError as exc:
            return f"{_ERROR}{exc}"
        except Exception as exc:
            return f"{_ERROR}{of_file(exc) or f'{type(exc).__name__}: {exc}'}"
        return None if result is None else f"{_RESULT}{result}"

    return told


def _values(arguments: str) -> list[Any]:
    """The arguments of a call, of which JSON has all but the type of a blob."""
    values, types = json.loads(arguments)
    return [str(v).encode() if kind == "BLOB" else v for v, kind in zip(values, types, strict=True)]


def _as_text(function: Function, result: Any) -> str | None:
    if function.kind == "table":
        names = [name for name, _ in function.columns]
        return json.dumps([dict(zip(names, row, strict=True)) for row in result], default=str)
    return None if result is None else str(result)


def _macros(names: tuple[str, str], kind: str, client: str, heard: str = "{}") -> Iterator[str]:
    """What makes the macros, of the functions of these names; `client` is SQL for whose connection calls.

    `heard` is SQL for what a call's result means.
    """
    for function in FUNCTIONS:
        name = names[function.changes or function.volatile]
        yield f"CREATE OR REPLACE {kind} {_macro(function, name, client, heard)}"


def _macro(function: Function, name: str, client: str, heard: str) -> str:
    parameters = ", ".join(f"{quote(a.name)} := {literals.literal(a.absent)}" for a in function.arguments)
    names = [quote(argument.name) for argument in function.arguments]
    types = ", ".join(f"typeof({argument})" for argument in names)
    arguments = f"json_array(json_array({', '.join(names)}), json_array({types}))"
    statement = "current_query()" if function.changes else "NULL"
    call = heard.format(f"{name}('{function.name}', {arguments}, {statement}, {client})")
    head = f"{function.name}({parameters}) AS"
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
