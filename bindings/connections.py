"""Open databases, and keep one session for each registered connection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet

from askwhere import udfs
from askwhere.bindings import address_space, database_files
from askwhere.bindings.engine_errors import explaining
from askwhere.bindings.source import Source
from askwhere.engine import Engine
from askwhere.errors import ArgumentError, DatabaseError
from askwhere.session import Answer, Session, chain
from askwhere.sql.identifiers import quote

if TYPE_CHECKING:
    from askwhere.bindings.duckdb.attaching import Attachments

_sessions: WeakKeyDictionary[Any, Session] = WeakKeyDictionary()
_registered: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()
_attachments: WeakKeyDictionary[Any, Attachments] = WeakKeyDictionary()
_alone: WeakSet[Any] = WeakSet()  # connections that only askwhere uses, see `duckdb.user_functions`


def connect(source: Source, settings: Mapping[str, Any]) -> Any:
    """Open a source, register the SQL functions on its connection, and return that. See `askwhere.connect`."""
    connection = _open_with_session(source, settings)
    with _closed_on_error(connection):
        register(connection, {})
    return connection


@contextmanager
def using(source: Source, settings: Mapping[str, Any]) -> Iterator[tuple[Session, Engine]]:
    """Open a source as `connect` does, yield its session and its engine, and close it in the end."""
    with closing(connect(source, settings)) as connection:
        yield session(connection), engine(connection)


def connect_to_ask(source: Source, settings: Mapping[str, Any]) -> Any:
    """Open a source for a command that only asks: without the SQL functions, which take a while to register."""
    connection = _open_with_session(source, settings)
    _alone.add(connection)
    with _closed_on_error(connection):
        session(connection).check_names(engine(connection))
    return connection


@contextmanager
def _closed_on_error(connection: Any) -> Iterator[None]:
    """Close the connection where the block fails."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


def _open_with_session(source: Source, settings: Mapping[str, Any]) -> Any:
    """Open a source, and keep a session with these settings for its connection, which is returned.

    Raise `SettingError` before anything is opened, `DatabaseError` for what cannot be read, and `ArgumentError` for
    `keep` with a database, which keeps askwhere's tables itself.
    """
    session = Session(settings)
    files = () if source.frames else source.paths
    named = [] if source.in_memory else [*files, *([] if source.keep is None else [str(source.keep)])]
    for name in named:
        if fault := database_files.unopenable(Path(name)):
            raise DatabaseError(f"{name!a} cannot be read: {fault}")
    try:
        connection = _open(source)
    except OSError as exc:
        raise DatabaseError(f"{exc.filename or source} cannot be read: {exc.strerror or exc}") from exc
    _sessions[connection] = session
    return connection


def _open(source: Source) -> Any:
    """Open a database with the engine that it is for; in DuckDB, data files and whatever attaches others."""
    if source.is_data or source.attaches:
        return _open_in_duckdb(source)
    if source.keep is not None:
        raise ArgumentError(f"keep is for data files: {source} is a database, in which askwhere keeps its tables")
    return database_files.open_file(source.paths[0], source.read_only)


def _open_in_duckdb(source: Source) -> Any:
    """Open data files, or a database and what it attaches, in DuckDB; make the one attached database the default."""
    address_space.require_to_start_duckdb()
    from askwhere.bindings.duckdb import attaching  # imports duckdb
    from askwhere.bindings.duckdb import opened as duckdb_opened

    attachments = attaching.attachments_of(source)
    if source.is_data:
        from askwhere.bindings.tabular import opened

        connection = opened.opened(source, attachments)
    else:
        database = duckdb_opened.opened(source, attachments)
        connection = database.connection
        if database.attached:
            connection.execute(f"USE {quote(database.attached)}")
    _attachments[connection] = attachments
    return connection


def register(connection: Any, settings: Mapping[str, Any]) -> None:
    """See `askwhere.register`."""
    with explaining():
        _register(connection, settings)


def _register(connection: Any, settings: Mapping[str, Any]) -> None:
    """Register the SQL functions once; where a setting names what does not exist, the settings stay as they were."""
    kind = kind_of(connection)
    connection.cursor().close()  # raises for a connection that is closed
    known = _sessions.get(connection)
    before = known.settings if known else None
    session = _session_with(connection, settings)
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
    resolved = replace(udfs.asked([question], options), model=model, follows=chain(follows))
    with explaining():
        asked = engine(connection)
        return session(connection).answer(asked, resolved)


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
    return DuckDBEngine(connection, attachments=attachments, alone=connection in _alone)


def session(connection: Any) -> Session:
    """Return the connection's session; if it has none, create one without settings of its own."""
    return _session_with(connection, {})


def call(connection: Any, name: str, *values: Any, **named: Any) -> Any:
    """Call a SQL function such as `ask_pin`, and return what `udfs.call` does; the connection runs no statement."""
    return udfs.call(session(connection), engine(connection), name, values, named)


def _session_with(connection: Any, settings: Mapping[str, Any]) -> Session:
    """Return the connection's session, with `settings` applied to it as those of `register`."""
    known = _sessions.get(connection)
    if known is None:
        known = _sessions[connection] = Session(settings)
    else:
        for name, value in settings.items():
            known.set(name, value, "register")
    return known


def interrupt(connection: Any, thread: int) -> None:
    """Stop the statement that a thread runs within `interruptible`, and none that it runs afterwards."""
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
    """Return 'sqlite' or 'duckdb', the engine of a connection. Raise `DatabaseError` for any other object."""
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
