"""Opens databases, and keeps one session for each registered connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from askwhere.bindings import database_files, header
from askwhere.bindings.file_errors import of_file
from askwhere.bindings.tabular import found as data
from askwhere.engine import Engine
from askwhere.errors import ArgumentError, DatabaseError
from askwhere.session import Answer, Session, chain
from askwhere.sql.identifiers import quote
from askwhere.udfs import asked

if TYPE_CHECKING:
    from askwhere.bindings.duckdb.attaching import Attachments

_sessions: WeakKeyDictionary[Any, Session] = WeakKeyDictionary()
_registered: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()
_attachments: WeakKeyDictionary[Any, Attachments] = WeakKeyDictionary()


def connect(
    path: str | Path | Sequence[str | Path],
    settings: Mapping[str, Any],
    read_only: bool = False,
    keep: str | Path | None = None,
    attach: Mapping[str, str] = MappingProxyType({}),
    init: str | Path | None = None,
) -> Any:
    """See `askwhere.connect`."""
    connection = opened(path, settings, read_only, keep, attach, init)
    try:
        register(connection, {})
    except BaseException:
        connection.close()
        raise
    return connection


def opened(
    path: str | Path | Sequence[str | Path],
    settings: Mapping[str, Any],
    read_only: bool = False,
    keep: str | Path | None = None,
    attach: Mapping[str, str] = MappingProxyType({}),
    init: str | Path | None = None,
) -> Any:
    """Open as `connect` does, to be asked from Python alone: the SQL functions take a while to register."""
    session = Session(settings)  # raises for a wrong setting before anything is opened
    connection = _open(path, read_only, keep, attach, init)
    _sessions[connection] = session
    return connection


def _open(
    path: str | Path | Sequence[str | Path],
    read_only: bool,
    keep: str | Path | None,
    attach: Mapping[str, str],
    init: str | Path | None,
) -> Any:
    """Open one database, or data files. Raises `ArgumentError` for `keep` with a database, which keeps all itself."""
    given = [str(path)] if isinstance(path, str | Path) else list(map(str, path))
    if not given:
        raise ArgumentError("expected a database or data files, found an empty list")
    in_memory = given == [":memory:"]
    for name in [] if in_memory else [*given, *([] if keep is None else [str(keep)])]:
        if fault := header.unopenable(Path(name)):
            raise DatabaseError(f"{name!a} cannot be read: {fault}")
    try:
        is_data = not in_memory and data.names_data(given)
        if not is_data and not attach and init is None:
            if keep is not None:
                raise ArgumentError(
                    f"keep is for data files: {given[0]} is a database, in which askwhere keeps its tables"
                )
            return database_files.open_file(given[0], read_only)
        return _opened_in_duckdb(given, is_data, read_only, keep, attach, init)
    except OSError as exc:
        raise DatabaseError(f"{exc.filename or ', '.join(given)} cannot be read: {exc.strerror or exc}") from exc


def _opened_in_duckdb(
    given: Sequence[str],
    is_data: bool,
    read_only: bool,
    keep: str | Path | None,
    attach: Mapping[str, str],
    init: str | Path | None,
) -> Any:
    """Open data files, or a database of either kind with others attached, in DuckDB."""
    from askwhere.bindings.duckdb import attaching  # imports duckdb
    from askwhere.bindings.duckdb import opened as duckdb_opened

    attachments = attaching.wanted(attach, init)
    if is_data:
        from askwhere.bindings.tabular import opened

        connection = opened.opened(given, keep, read_only, attachments)
    else:
        found = duckdb_opened.opened(given[0], read_only, attachments, keep)
        connection = found.connection
        if found.attached:
            connection.execute(f"USE {quote(found.attached)}")
    _attachments[connection] = attachments
    return connection


def register(connection: Any, settings: Mapping[str, Any]) -> None:
    """See `askwhere.register`."""
    kind = kind_of(connection)
    known = _sessions.get(connection)
    before = known.settings if known else None
    session = _session(connection, settings)
    try:
        session.check_names(engine(connection))
    except BaseException:
        if before is None:
            del _sessions[connection]
        else:
            session.settings = before
        raise
    if connection in _registered:
        return
    if kind == "sqlite":
        from askwhere.bindings.sqlite import functions as sqlite_functions

        sqlite_functions.register(connection, session)
    else:
        from askwhere.bindings.duckdb import functions as duckdb_functions

        duckdb_functions.register(connection, session, _attachments.get(connection))
    _registered[connection] = True


def ask(connection: Any, question: str, **options: Any) -> Answer:
    """See `askwhere.ask`."""
    # These may be Python objects here, which a call may not give.
    model, follows = options.pop("model", None), options.pop("follows", None)
    resolved = replace(asked([question], options), model=model, follows=chain(follows))
    try:
        found = engine(connection)
        return session(connection).answer(found, resolved)
    except Exception as exc:
        if (error := of_file(exc)) is not None:
            raise error from exc
        raise


def engine(connection: Any) -> Engine:
    """Return the engine over a connection; the connection must not be running a statement.

    Unlike an engine inside of a SQL function, it sees temporary tables and uncommitted rows in DuckDB too.
    """
    if kind_of(connection) == "sqlite":
        from askwhere.bindings.sqlite.engine import SQLiteEngine

        return SQLiteEngine(connection)
    from askwhere.bindings.duckdb.engine import DuckDBEngine

    attachments = _attachments.get(connection)
    if attachments is not None:
        attachments.renew(connection)
    return DuckDBEngine(connection, attachments=attachments)


def session(connection: Any) -> Session:
    """Return the connection's session; make one with no settings of its own where there is none."""
    return _session(connection, {})


def _session(connection: Any, settings: Mapping[str, Any]) -> Session:
    """Return the connection's session, with `settings` applied to it as those of `register`."""
    found = _sessions.get(connection)
    if found is None:
        found = _sessions[connection] = Session(settings)
    else:
        for name, value in settings.items():
            found.set(name, value, "register")
    return found


def interrupt(connection: Any, thread: int) -> None:
    """Stop what a thread does on a connection within `interruptible`; what it does next is not stopped."""
    if kind_of(connection) == "sqlite":
        from askwhere.bindings.sqlite import limits

        connection.interrupt()
        limits.interrupt(thread)
    else:
        from askwhere.bindings.duckdb.running import interrupt as stop

        stop(connection)


def interruptible(connection: Any) -> AbstractContextManager[None]:
    """Return a context within which `interrupt` reaches all queries of a connection, also those of its cursors."""
    if kind_of(connection) == "sqlite":
        return nullcontext()
    from askwhere.bindings.duckdb.running import called_by

    return called_by(connection)


def kind_of(connection: Any) -> str:
    """Return 'sqlite' or 'duckdb', the engine of a connection. Raises `DatabaseError` for any other object."""
    modules = {cls.__module__.split(".")[0].lstrip("_") for cls in type(connection).__mro__}
    if "apsw" in modules:
        return "sqlite"
    if "duckdb" in modules:
        return "duckdb"
    if "sqlite3" in modules:
        raise DatabaseError(
            "Python's own sqlite3 cannot be asked: open the file with askwhere.connect(path), or with"
            " apsw.Connection(path) and askwhere.register(); or load the extension of `askwhere extension-path`"
        )
    raise DatabaseError(
        "expected an apsw.Connection or a duckdb.DuckDBPyConnection, found"
        f" {type(connection).__module__}.{type(connection).__qualname__}; askwhere.connect(path) opens one"
    )
