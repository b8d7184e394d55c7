"""Tell what engine a database file is for, and open it."""

from __future__ import annotations

from os import W_OK, access
from pathlib import Path
from typing import Any

from askwhere.bindings import header
from askwhere.bindings.file_errors import unopened
from askwhere.errors import DatabaseError
from askwhere.sql.dialects import dialect_of

_OTHER_FILES = {b"PAR1": "a Parquet file", b"PK\x03\x04": "a ZIP archive or a spreadsheet", b"\x1f\x8b": "a gzip file"}


def kind_of_file(path: Path) -> str:
    """Return the name of the engine that a file is for, by its first bytes; that of an empty file by its suffix.

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
    if (found := dialect_of(head)) is not None:
        return found.name
    raise DatabaseError(f"{path} is neither a SQLite nor a DuckDB database: it is {_looks_like(head)}")


def _looks_like(head: bytes) -> str:
    """Return a description, for an error, of a file that begins with the bytes `head`."""
    for start, name in _OTHER_FILES.items():
        if head.startswith(start):
            return name
    if not head.isascii():
        return f"a file that begins with the bytes {head.hex(' ')}"
    first = next(iter(head.decode().split("\n")), "").rstrip()
    return f"a text file that begins with {first!r}"


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
        raise unopened(path, exc) from exc
