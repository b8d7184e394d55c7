"""Detect the engine of a database file by its first bytes, and open the file, without releasing locks on it.

When a process closes any descriptor of a file, POSIX releases all locks of the process on that file. In the middle of a
transaction of ours, another process could then write to the database, and damage it. So the bytes are read through a
descriptor that an engine keeps open.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from itertools import islice
from os import W_OK, access
from pathlib import Path
from typing import Any

from askwhere.bindings import address_space
from askwhere.bindings.engine_errors import unopened
from askwhere.errors import DatabaseError, suggestion
from askwhere.sql.dialect import Dialect
from askwhere.sql.dialects import HEAD, dialect_of

MOST_NAMES = 1_000  # names in a folder that are compared with that of a missing file
_OTHER_FILES = {b"PAR1": "a Parquet file", b"PK\x03\x04": "a ZIP archive or a spreadsheet", b"\x1f\x8b": "a gzip file"}


def kind_of_file(path: Path) -> str:
    """Return the engine of a database file, 'sqlite' or 'duckdb'. An empty file's engine is that of its suffix.

    Raise `DatabaseError` for any other file, with what was found, and for a file that cannot be read.
    """
    try:
        first = head(path)
    except FileNotFoundError:
        raise missing(path) from None
    except OSError as exc:
        raise DatabaseError(f"{path} cannot be read: {exc.strerror or exc}") from exc
    if not first:
        return "duckdb" if path.suffix in (".duckdb", ".ddb") else "sqlite"
    if (dialect := dialect_of(first)) is not None:
        return dialect.name
    raise DatabaseError(f"{path} is neither a SQLite nor a DuckDB database: it is {_looks_like(first)}")


def dialect(path: Path) -> Dialect | None:
    """Return the dialect of a database file; None for any other file, and for an unreadable file."""
    try:
        return dialect_of(head(path))
    except OSError:
        return None


def missing(path: str | Path) -> DatabaseError:
    """Return the error for a missing file. It suggests the file of the folder with the most similar name."""
    try:
        with os.scandir(Path(path).parent) as entries:
            names = [entry.name for entry in islice(entries, MOST_NAMES)]
    except (OSError, ValueError):
        names = []
    if address := re.search(r"(?:^|/)(\w{2,}:)", str(path)):  # it may hold a password; one letter is a Windows drive
        return DatabaseError(f"there is no file of this name, which begins with {address[1]} as an address does")
    return DatabaseError(f"there is no file {path}{suggestion(Path(path).name, names)}")


def _looks_like(first: bytes) -> str:
    """Return a description, for an error, of a file that begins with some bytes."""
    for start, name in _OTHER_FILES.items():
        if first.startswith(start):
            return name
    if not first.isascii():
        return f"a file that begins with the bytes {first.hex(' ')}"
    line = next(iter(first.decode().split("\n")), "").rstrip()
    return f"a text file that begins with {line!r}"


def open_file(path: str | Path, read_only: bool) -> Any:
    """Open a file, or `:memory:`, with the engine that its header names, and return the connection.

    Our functions are not registered on it. Raise `DatabaseError` where the file cannot be opened.
    """
    in_memory = str(path) == ":memory:"
    if in_memory or kind_of_file(Path(path)) == "sqlite":
        import apsw

        refuse_pipes(str(path))
        try:
            # Without permission to write the file, SQLite itself opens it for reading.
            writing = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
            connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY if read_only else writing)
            connection.set_busy_timeout(5_000)
            return connection
        except apsw.Error as exc:
            raise DatabaseError(f"{path} could not be opened: {exc}") from exc
    address_space.require_to_start_duckdb()
    refuse_pipes(str(path))
    import duckdb

    try:
        return duckdb.connect(for_duckdb(path), read_only=read_only or not access(path, W_OK))
    except duckdb.Error as exc:
        raise unopened(path, exc) from exc


def for_duckdb(path: str | Path) -> str:
    """Return a path by which DuckDB opens the same file as the system. Raise `DatabaseError` where it cannot.

    In a relative path DuckDB reads `~`, `:memory:` and the names of extensions (`md:`), which it may even download. It
    takes `..` for the folder that is written before, also behind a link, and a backslash for a slash.
    """
    full = Path(path).parent.resolve() / Path(path).name
    if os.sep == "/" and "\\" in str(full):
        raise DatabaseError(f"{path} cannot be opened: DuckDB takes the backslash in {full} for a slash; rename it")
    return str(full)


def duckdbs_log(path: str, ending: str = ".wal") -> Path:
    """Return the path of a DuckDB file's write-ahead log: DuckDB puts the ending before the first question mark."""
    before, mark, after = path.partition("?")
    return Path(f"{before}{ending}{mark}{after}")


def refuse_pipes(path: str) -> None:
    """Raise `DatabaseError` where a log or journal of a database is a pipe: opening it would wait without end."""
    for name in (str(duckdbs_log(path)), *(f"{path}{ending}" for ending in ("-journal", "-wal", "-shm"))):
        with contextlib.suppress(OSError, ValueError):
            if stat.S_ISFIFO(os.stat(name).st_mode):
                raise DatabaseError(f"{name} is a pipe, where the database's log would be: remove it")


# Lists the descriptors that this process has open. Windows has no such folder, and no need: it keeps the locks.
_DESCRIPTORS = Path("/dev/fd")


def head(path: Path) -> bytes:
    """Return the first `HEAD` bytes of a file, fewer where it is shorter. Raise OSError."""
    if fault := unopenable(path):
        raise OSError(errno.EINVAL, fault, str(path))
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError(0, "expected a file, found a folder, a pipe or a device", str(path))
    content = _by_descriptor(status)
    return _by_sqlite(path) if content is None else content


def unopenable(path: Path) -> str:
    """Return why no engine opens a file of this name, in this folder; '' where it could."""
    name = os.path.abspath(path)
    if "\0" in name:
        return "its name has a NUL, which no file's has"
    try:
        name.encode()
    except UnicodeEncodeError:
        return "its name, or that of a folder it is in, is not in UTF-8, and engines open no such file: rename it"
    return ""


def _by_descriptor(status: os.stat_result) -> bytes | None:
    """Read through a descriptor that some engine has open on the file; None where there is none."""
    for name in os.listdir(_DESCRIPTORS) if _DESCRIPTORS.is_dir() else ():
        with contextlib.suppress(OSError):  # the descriptor was closed meanwhile, or is open for writing only
            if os.path.samestat(os.fstat(descriptor := int(name)), status):
                return os.pread(descriptor, HEAD, 0)
    return None


def _by_sqlite(path: Path) -> bytes:
    """Read through SQLite, which keeps a descriptor open as long as it has locks on the file.

    Another thread may open the database in the meantime: its locks are safe too.
    """
    import apsw

    if not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    try:
        file = apsw.VFSFile("", str(path.resolve()), [apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_MAIN_DB, 0])
        try:
            return file.xRead(HEAD, 0)
        finally:
            file.xClose()
    except apsw.Error as exc:
        raise OSError(0, str(exc), str(path)) from exc
