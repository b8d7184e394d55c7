"""Run queries on a DuckDB file, in the process of `isolation.worker`."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Hashable, Mapping

import duckdb
from askwhere.bindings import engine_errors
from askwhere.bindings.database_files import duckdbs_log
from askwhere.bindings.duckdb import attached, lakes
from askwhere.bindings.duckdb import user_functions as duckdb_own
from askwhere.bindings.duckdb.engine import DuckDBEngine
from askwhere.bindings.duckdb.extensions import ALONE, Config, load
from askwhere.bindings.duckdb.reading import written
from askwhere.bindings.duckdb.running import beyond_python, stopping, translated
from askwhere.bindings.isolation.engine import MOST_BYTES
from askwhere.bindings.isolation.opened import THREADS, Send, stamp
from askwhere.bindings.isolation.process import DatabaseSpec
from askwhere.engine import Checked, Grant, Limits
from askwhere.errors import DatabaseError
from askwhere.sql.identifiers import quote
from askwhere.sql.literals import quoted

# The files that DuckDB locks, and SQLite does not.
_LOCKED = "SELECT path FROM system.main.duckdb_databases() WHERE type = 'duckdb' AND path IS NOT NULL"


class Opened:
    """See `opened.Opened`.

    An open DuckDB instance keeps a lock on its file, and never sees what others write to it. Here the lock is taken
    only while a request is answered, so that others can write in between; a file that was written is opened again.
    """

    def __init__(self, spec: DatabaseSpec) -> None:
        self._files = [file for file in (spec.path, *(file for _, file in spec.attached)) if file != ":memory:"]
        self._spec = spec
        self._stamp: Hashable = ()
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._descriptors: list[int] = []
        self._defined: Mapping[str, str] | None = None
        self._seen: Hashable = ()

    def ready(self) -> Hashable:
        """See `opened.Opened.ready`."""
        if self._connection is not None:
            try:
                self._lock(fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError as exc:
                raise _locked_by_another(self._spec.path, exc) from exc
        state = stamp([*self._files, *(str(duckdbs_log(file)) for file in self._files)])
        if self._connection is None or state != self._stamp:
            self._close()
            self._connection, self._stamp = _open(self._spec), state
            locked = self._connection.execute(_LOCKED).fetchall()
            self._descriptors = [os.open(file, os.O_RDONLY) for (file,) in locked]
            self._engine = DuckDBEngine(self._connection)
            self._defined = None
        return (self._stamp, self._shapes()) if self._spec.servers else self._stamp

    def _shapes(self) -> Hashable:
        """Return a value that changes with the schemas of servers; DuckDB would not see new tables by itself."""
        assert self._connection is not None  # `ready` has opened it
        sources = attached.sources(self._connection)
        shapes = tuple(attached.shape(self._connection, source) for source in sources)
        if shapes != self._seen:
            attached.refresh(self._connection, sources)
            self._seen = shapes
        return shapes

    def definitions(self) -> Mapping[str, str]:
        """See `opened.Opened.definitions`; they cannot change while the file is open."""
        if self._defined is None:
            self._defined = self._engine.definitions()
        return self._defined

    def check(self, sql: str, grant: Grant) -> Checked:
        """See `Engine.check`."""
        return self._engine.check(sql, grant)

    def run(self, checked: Checked, grant: Grant, limits: Limits, send: Send) -> tuple[bool, bool]:
        """See `opened.Opened.run`."""
        assert self._connection is not None  # `ready` was called
        with self._connection.cursor() as cursor, stopping(cursor, limits) as stop:
            try:
                return send(cursor.execute(checked.sql).fetchmany), False
            except (duckdb.FatalException, duckdb.InternalException):
                raise  # the instance cannot be used any more
            except duckdb.Error as exc:
                raise translated(exc, checked.sql, stop.reason) from exc
            except OverflowError as exc:
                raise beyond_python(cursor, exc, checked.sql) from exc
            finally:
                cursor.interrupt()  # DuckDB would go on computing a result that is not read to its end

    def as_text(self, checked: Checked) -> str:
        """See `opened.Opened.as_text`."""
        return written(checked)

    def rest(self) -> None:
        """Release the lock, so that others may write the file until the next request."""
        with contextlib.suppress(OSError):
            self._lock(fcntl.LOCK_UN)

    def _lock(self, how: int) -> None:
        """Take or release DuckDB's lock on each file."""
        # POSIX locks belong to the process, not to a descriptor: this changes the lock that DuckDB took.
        for file in self._descriptors:
            fcntl.lockf(file, how)

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        for file in self._descriptors:
            os.close(file)
        self._descriptors = []


def list_functions() -> None:
    """List DuckDB's own functions before memory is limited, as that takes an instance of its own; they are cached."""
    with duckdb.connect() as plain:
        duckdb_own.own(plain)


def _locked_by_another(path: str, exc: Exception) -> DatabaseError:
    """Return the error for a file that another process has open for writing."""
    return DatabaseError(
        f"{path} cannot be opened by another process ({exc}). If it is open for writing in this one, open it with"
        " read_only=True, or leave the setting isolation empty; if it was replaced, connect again"
    )


def _open(spec: DatabaseSpec) -> duckdb.DuckDBPyConnection:
    """Open the files of a database read-only, with nothing outside of them within reach. Raise `DatabaseError`."""
    config: Config = {
        **ALONE,
        "allow_persistent_secrets": "true" if spec.servers else "false",  # ATTACH looks for secrets of the user's
        "python_enable_replacements": "false",
        "threads": str(THREADS),
        "memory_limit": f"{MOST_BYTES // 2**20}MiB",
    }
    try:
        connection = duckdb.connect(spec.path, read_only=spec.path != ":memory:", config=config)
        for extension in spec.extensions:
            load(connection, extension)
        for name, file in spec.attached:
            connection.execute(f"ATTACH {quoted(file)} AS {quote(name)} (READ_ONLY)")
    except duckdb.IOException as exc:
        raise _locked_by_another(spec.path, exc) from exc
    except duckdb.Error as exc:
        raise DatabaseError(f"{spec.path} could not be opened by another process: {exc}") from exc
    try:
        for statement in spec.servers:
            connection.execute(statement)
    except duckdb.Error as exc:
        why = engine_errors.hidden(str(exc))
        raise DatabaseError(f"what is attached could not be opened by another process: {why}") from exc
    if spec.home:
        os.chdir(spec.home)
    for view in spec.views:
        with contextlib.suppress(duckdb.Error):  # a query over one that cannot be made fails, and says so
            connection.execute(view)
    if spec.readable:
        connection.execute(f"SET allowed_paths = [{', '.join(map(quoted, spec.readable))}]")
    if spec.folders:
        connection.execute(f"SET allowed_directories = [{', '.join(map(quoted, spec.folders))}]")
    lakes.allow_folders(connection)
    for setting in ("temp_directory = ''", "enable_external_access = false", "lock_configuration = true"):
        connection.execute(f"SET {setting}")
    return connection
