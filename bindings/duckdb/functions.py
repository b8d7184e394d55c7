"""Register the SQL functions on a DuckDB connection.

DuckDB binds `query(text)` with the columns of the query in the text. So `ask` is a table macro over `query` and one
Python function. The macros are temporary: they belong to the connection and leave nothing in the file. `askwhere serve`
has clients on connections that are not ours, so there the macros are in the database, and pass the number of the
connection that calls. Arguments are passed as one JSON array, which keeps their types.
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
from askwhere.bindings.duckdb import delivering
from askwhere.bindings.duckdb.attaching import Attachments
from askwhere.bindings.duckdb.engine import DuckDBEngine
from askwhere.bindings.duckdb.reading import Deliveries
from askwhere.bindings.duckdb.running import Connection, called_by
from askwhere.bindings.duckdb.signals import noting
from askwhere.bindings.engine_errors import message
from askwhere.engine import Engine
from askwhere.errors import AskError, DatabaseError
from askwhere.session import Session
from askwhere.sql import literals
from askwhere.sql.identifiers import quote
from askwhere.udfs import BY_NAME, FUNCTIONS, Function, call

# The database's own macros with names of our functions: name, type, and whether they are ours.
_PUBLISHED = """
SELECT system.main.lower(function_name), function_type,
  system.main.regexp_matches(macro_definition, 'askwhere_(read|change)_[0-9a-f]{8}"?[(]')
FROM system.main.duckdb_functions() WHERE database_name = system.main.current_database() AND schema_name = 'main'
AND function_type IN ('macro', 'table_macro') AND system.main.list_contains(?, system.main.lower(function_name))
"""
# The function that a server calls to check a client (see `serve.server.restrict`).
_CHECKING = "askwhere_may"
# DuckDB adds to an error of a Python function that it came from one, and for a client the traceback. So our function
# returns the error, marked by its first letter, and SQL raises it. The lambda makes DuckDB evaluate the call only once.
# All functions are named with their schema, so that no macro of the user's replaces one.
_ERROR, _RESULT = "!", "="
_OF_DUCKDB = "system.main."
_RAISING = (
    f"{_OF_DUCKDB}list_extract({_OF_DUCKDB}list_transform({_OF_DUCKDB}list_value({{}}),"
    f" lambda t: CASE WHEN {_OF_DUCKDB}starts_with(t, '{_ERROR}') THEN {_OF_DUCKDB}error({_OF_DUCKDB}substr(t, 2))"
    f" ELSE {_OF_DUCKDB}substr(t, 2) END), 1)"
)
_live: weakref.WeakKeyDictionary[Connection, tuple[str, ...]] = weakref.WeakKeyDictionary()


def register(connection: Connection, session: Session, attachments: Attachments | None = None) -> None:
    """Register every SQL function on `connection`, answering for `session`."""
    deliveries = _deliveries(connection)
    call = _returning_errors(_caller(weakref.ref(connection), lambda client: session, None, deliveries, attachments))
    for macro in _macros(_functions(connection, call, deliveries), "TEMP MACRO", "NULL"):
        connection.execute(macro)


def publish(
    connection: Connection,
    session: Callable[[str], Session],
    database: str | None,
    attachments: Attachments | None = None,
    untouched: Callable[[], bool] = lambda: False,
    advised: Callable[[str], str] = str,
) -> None:
    """Put every function into the database, for all connections to it.

    `session` returns the session for a connection's number. askwhere's tables are those of `database`, see
    `DuckDBEngine`; for `untouched` see `Deliveries`. `advised` rewrites the advice in the text of an error. Macros that
    another process left are replaced. Raise `DatabaseError` where the user has a macro of such a name.
    """
    for name in (*withdraw(connection), *_own(connection, [_CHECKING])):
        raise DatabaseError(
            f"the database has a macro {name}() of its own, and a server has a function of that name: rename it"
        )
    deliveries = _deliveries(connection, untouched)
    call = _returning_errors(_caller(weakref.ref(connection), session, database, deliveries, attachments), advised)
    names = _functions(connection, call, deliveries)
    for macro in _macros(names, "MACRO", f"{_OF_DUCKDB}current_connection_id()::VARCHAR"):
        connection.execute(macro)


def withdraw(connection: Connection) -> list[str]:
    """Remove the macros of `publish` from the database, also those of a process that was killed.

    Return the names of our functions that macros of the user's have.
    """
    names = [function.name for function in FUNCTIONS]
    for name, kind, ours in connection.execute(_PUBLISHED, [names]).fetchall():
        if ours:
            connection.execute(f"DROP {'MACRO TABLE' if kind == 'table_macro' else 'MACRO'} {quote(name)}")
    return _own(connection, names)


def _own(connection: Connection, names: Sequence[str]) -> list[str]:
    """Return those of `names` that macros of the user have."""
    return [name for name, _, ours in connection.execute(_PUBLISHED, [names]).fetchall() if not ours]


def _deliveries(connection: Connection, untouched: Callable[[], bool] = lambda: False) -> Deliveries:
    """Return the reader of rows of another process, and register its Python function on the connection."""
    made, live = Deliveries(f"askwhere_rows_{secrets.token_hex(4)}", untouched), weakref.ref(connection)

    def batch(asked: str) -> str:
        with called_by(live()):
            return made.batch(asked)

    connection.create_function(made.function, batch, ["VARCHAR"], "VARCHAR", side_effects=True)
    return made


def _functions(connection: Connection, call: Any, deliveries: Deliveries) -> tuple[str, str]:
    """Register the Python functions behind the macros, and return their names.

    The first only reads; the second changes things, so that DuckDB must call it each time.
    """
    # Functions belong to the instance, which other connections share: each registration uses a name of its own.
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
    attachments: Attachments | None,
) -> Callable[[str, str, str, str], str | None]:
    """Return the Python function behind every macro: it takes a function's name and arguments, and returns text.

    The connection is busy with the calling statement. So the work is done on a cursor, which sees committed data.
    """

    def called(name: str, arguments: str, statement: str, client: str) -> str | None:
        function = BY_NAME[name]
        live = connection()
        if live is None:
            raise DatabaseError("the connection was closed; register() the one that is in use")
        if function.changes and name not in statement.lower():
            raise AskError(f"{name}() changes things and cannot be called from a view or macro; call it directly")
        with noting(), live.cursor() as cursor, called_by(live):
            if attachments is not None:
                attachments.renew(cursor)
            values, types, *settings = json.loads(arguments)
            engine: Engine = DuckDBEngine(cursor, database, deliveries, attachments, *settings)
            return _as_text(function, call(session(client), engine, name, _values(values, types)))

    return called


def _returning_errors(
    call: Callable[[str, str, str, str], str | None], advised: Callable[[str], str] = str
) -> Callable[[str, str, str, str], str | None]:
    """Return a function that returns what `call` raises, marked by `_ERROR`, see `_RAISING`; `advised` rewrites it."""

    def returning(name: str, arguments: str, statement: str, client: str) -> str | None:
        try:
            result = call(name, arguments, statement, client)
        except duckdb.InterruptException:
            raise
        except Exception as exc:
            return f"{_ERROR}{advised(message(exc))}"
        return None if result is None else f"{_RESULT}{result}"

    return returning


def _values(values: list[Any], types: list[str]) -> list[Any]:
    """Return the arguments of a call. JSON keeps all types but a blob's."""
    return [str(v).encode() if kind == "BLOB" else v for v, kind in zip(values, types, strict=True)]


def _as_text(function: Function, result: Any) -> str | None:
    """Return a function's result as text: the rows of a table as a JSON array of objects."""
    if function.kind == "table":
        names = [name for name, _ in function.columns]
        return json.dumps([dict(zip(names, row, strict=True)) for row in result], default=str)
    return None if result is None else str(result)


def _macros(names: tuple[str, str], kind: str, client: str) -> Iterator[str]:
    """Yield the statements that create the macros, over the Python functions of these names.

    `client` is SQL for the number of the connection that calls.
    """
    for function in FUNCTIONS:
        name = names[function.changes or function.volatile]
        yield f"CREATE OR REPLACE {kind} {_macro(function, name, client)}"


def _macro(function: Function, name: str, client: str) -> str:
    """Return the name, the parameters and the body of one macro, as CREATE MACRO has them."""
    parameters = ", ".join(f"{quote(a.name)} := {literals.literal(a.absent)}" for a in function.arguments)
    names = [quote(argument.name) for argument in function.arguments]
    types = ", ".join(f"{_OF_DUCKDB}typeof({argument})" for argument in names)
    array = f"{_OF_DUCKDB}json_array"
    settings = f", {delivering.SETTINGS}" if function.kind == "answer" else ""
    arguments = f"{array}({array}({', '.join(names)}), {array}({types}){settings})"
    statement = f"{_OF_DUCKDB}current_query()" if function.changes else "NULL"
    call = _RAISING.format(f"{name}('{function.name}', {arguments}, {statement}, {client})")
    head = f"{function.name}({parameters}) AS"
    if function.kind == "answer":
        return f"{head} TABLE SELECT * FROM {_OF_DUCKDB}query({call})"
    if function.kind == "table":
        shape = json.dumps([dict(function.columns)])
        return f"{head} TABLE SELECT unnest({_OF_DUCKDB}from_json({call}, '{shape}'), recursive := true)"
    return f"{head} {call}"


@atexit.register
def _remove_functions() -> None:
    """Remove our functions at exit: Python objects that DuckDB still holds are reported as a leak on standard error."""
    for connection, names in list(_live.items()):
        for name in names:
            with contextlib.suppress(duckdb.Error):
                connection.remove_function(name)
    gc.collect()  # frames of an interrupted question are a reference cycle
