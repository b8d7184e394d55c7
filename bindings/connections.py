"""Opens databases with the engine that their file is for, and keeps one session for each registered connection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import W_OK, access
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from askwhere.bindings import header
from askwhere.bindings.file_errors import of_file
from askwhere.engine import Engine
from askwhere.errors import DatabaseError
from askwhere.session import Answer, Session
from askwhere.udfs import asked

_sessions: WeakKeyDictionary[Any, Session] = WeakKeyDictionary()
_registered: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()

_OTHER_FILES = {b"PAR1": "a Parquet file", b"PK\x03\x04": "a ZIP archive or a spreadsheet", b"\x1f\x8b": "a gzip file"}


def connect(path: str | Path, settings: Mapping[str, Any], read_only: bool = False) -> Any:
    """See `askwhere.connect`."""
    session = Session(settings)  # raises for a wrong setting before anything is opened
    connection = open_file(path, read_only)
    _sessions[connection] = session
    try:
        register(connection, {})
    except BaseException:
        connection.close()
        raise
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

        duckdb_functions.register(connection, session)
    _registered[connection] = True


def ask(connection: Any, question: str, **options: Any) -> Answer:
    """See `askwhere.ask`."""
    model = options.pop("model", None)  # may be a Python object here, which a call may not give
    resolved = replace(asked([question], options), model=model)
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

    return DuckDBEngine(connection)


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


def kind_of_file(path: Path) -> str:
    """Return 'sqlite' or 'duckdb', by the file's first bytes; an empty file's engine is told by its suffix.

    Raises `DatabaseError`, which says what was found, where the file is neither, or cannot be read.
    """
    try:
        head = header.read(path)
    except FileNotFoundError:
        raise DatabaseError(f"there is no file {path}") from None
    except OSError as exc:
        raise DatabaseError(f"{path} cannot be read: {exc.strerror or exc}") from exc
    if not head:
        return "duckdb" if path.suffix in (".duckdb", ".ddb") else "sqlite"
    if head.startswith(b"SQLite format 3\0"):
        return "sqlite"
    if head[8:12] == b"DUCK":
        return "duckdb"
    raise DatabaseError(f"{path} is neither a SQLite nor a DuckDB database: it is {_looks_like(head)}")


def _looks_like(head: bytes) -> str:
    """Return a description, for an error, of a file that begins with the bytes `head`."""
    for start, name in _OTHER_FILES.items():
        if head.startswith(start):
            return name
    return f"a text file that begins {head!r}" if head.isascii() else f"a file that begins {head!r}"


def open_file(path: str | Path, read_only: bool) -> Any:
    """Open a file, or `:memory:`, with the engine that its header names, and return the connection.

    Our functions are not registered on it. Raises `DatabaseError` where the file cannot be opened.
    """
    in_memory = str(path) == ":memory:"
    if in_memory or kind_of_file(Path(path)) == "sqlite":
        import apsw

        try:
            # Without permission to write the file, SQLite itself opens it for reading.
            writing = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
            connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY if read_only else writing)
            connection.set_busy_timeout(5_000)
            return connection
        except apsw.Error as exc:
            raise DatabaseError(f"{path} could not be opened: {exc}") from exc
    import duckdb

    try:
        return duckdb.connect(str(path), read_only=read_only or not access(path, W_OK))
    except duckdb.Error as exc:
        text, shared, _ = str(exc).partition(" However, you would be able to open this database in read-only mode")
        advice = "; to share it, open it with read_only=True, on the command line with --read-only" if shared else ""
        raise DatabaseError(f"{path} could not be opened: {text}{advice}") from exc
