"""Translate an engine's own errors about a database file into a `DatabaseError` that says what to do."""

from __future__ import annotations

from askwhere.bindings import passwords
from askwhere.errors import AskError, DatabaseError

# For each class of an engine's errors, by its name: what is wrong with the file, and what to do.
_LOCKED = "the database is locked by another connection; try again when that is done"
_DAMAGED = "the database is damaged; restore it from a copy"
_MEANINGS = {
    "BusyError": _LOCKED,
    "LockedError": _LOCKED,
    "CorruptError": f"{_DAMAGED}, or save what `sqlite3 FILE .recover` finds",
    "NotADBError": "the file is no SQLite database, or it is encrypted",
    "IOError": "the file cannot be read or written; look at its disk",
    "CantOpenError": "the file cannot be opened; look at the permissions of it and its folder",
    "ReadOnlyError": "the database is read-only; open it with permission to write",
    "FullError": "the disk is full; make room",
    "IOException": "the file cannot be read or written; look at its disk",
    "FatalException": f"{_DAMAGED} if opening it again does not help",
    "SerializationException": _DAMAGED,
}


def of_file(exc: Exception) -> DatabaseError | None:
    """Return the `DatabaseError` to show for an engine's error about its file; None for any other exception."""
    from_engine = type(exc).__module__.lstrip("_") in ("apsw", "duckdb")
    text = _MEANINGS.get(type(exc).__name__) if from_engine else None
    return DatabaseError(f"{text} ({passwords.hidden(str(exc))})") if text else None


def unopened(path: object, exc: Exception) -> DatabaseError:
    """Return the `DatabaseError` to show where an engine cannot open a file."""
    text, shared, _ = str(exc).partition(" However, you would be able to open this database in read-only mode")
    if _NEWER in text:
        import duckdb

        return DatabaseError(
            f"{path} was written by a newer version of DuckDB than the {duckdb.__version__} here, which cannot read it;"
            " install that version, or copy the database there into a file for older ones:"
            f" ATTACH 'older.duckdb' AS older (STORAGE_VERSION 'v{duckdb.__version__}'); COPY FROM DATABASE … TO older;"
        )
    advice = "; to share it, open it with read_only=True, on the command line with --read-only" if shared else ""
    return DatabaseError(f"{path} could not be opened: {passwords.hidden(text)}{advice}")


_NEWER = "database file was created with an newer version of DuckDB"  # as DuckDB writes it


def message(exc: Exception) -> str:
    """Return an exception's message for an engine's caller, which begins with the type where it is no `AskError`."""
    known = exc if isinstance(exc, AskError) else of_file(exc)
    return str(known) if known else passwords.hidden(f"{type(exc).__name__}: {exc}")
