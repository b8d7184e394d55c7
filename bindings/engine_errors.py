"""Turn errors of the engines and the system into askwhere's: about files and limits, with passwords removed."""

from __future__ import annotations

import contextlib
import errno
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from askwhere.errors import AskError, DatabaseError, causes

if TYPE_CHECKING:
    from askwhere.engine import Limits

HIDDEN = "…"
# How the names of secrets in addresses end: libpq's, those of DuckDB's extensions, of buckets and of signed addresses.
_SECRET = r"(?:passw(?:or)?d|pwd|secret|token|signature|\bsig|(?:access|account|api)_?key|scram_(?:client|server)_key)"
# A value in quotes, also in a text that is in quotes; or up to a space, but for the signs that end the text around it.
_VALUE = r"""(?:'(?:[^'\\]|\\.|'')*'?|\\?"(?:[^"\\]|\\.)*"?|\S*[^\s"'`)\]};:,.?!]|\S+)"""
_PAIR = re.compile(rf"({_SECRET}(?:\s*=\s*|\s+(?='))){_VALUE}", re.IGNORECASE)
_URI = re.compile(r"://[^:]*:")


def is_secret(name: str) -> bool:
    """Return whether a name in an address is that of a secret."""
    return re.search(rf"{_SECRET}\Z", name, re.IGNORECASE) is not None


def hidden(text: str) -> str:
    """Return a text with passwords and other secrets of addresses replaced.

    >>> hidden("cannot connect to host=db password='s 3' user=ann, nor to postgres://ann:s3@db/crm")
    'cannot connect to host=db password=… user=ann, nor to postgres://ann:…@db/crm'
    """
    return re.sub(r"\S+", _without_password, _PAIR.sub(rf"\1{HIDDEN}", text))


def _without_password(word: re.Match[str]) -> str:
    """Return a word without the password if it is a URI: it reaches to the last @, as it may hold one."""
    before, at, after = word[0].rpartition("@")
    begins = _URI.search(before)
    return f"{before[: begins.end()]}{HIDDEN}{at}{after}" if begins else word[0]


# For each class of an engine's errors, by its name: what is wrong with the file, and what to do.
_LOCKED = "the database is locked by another connection; try again when that is done"
_DAMAGED = "the database is damaged; restore it from a copy"
_CLOSED = "the connection is closed; open the database again"
_MEANINGS = {
    "ConnectionClosedError": _CLOSED,
    "ConnectionException": _CLOSED,
    "BusyError": _LOCKED,
    "LockedError": _LOCKED,
    "CorruptError": f"{_DAMAGED}, or save what `sqlite3 FILE .recover` finds",
    "NotADBError": (
        "the file is no SQLite database that can be read: it is encrypted, damaged, or a newer SQLite wrote it; decrypt"
        " it, or restore it from a copy"
    ),
    "IOError": "the file cannot be read or written; look at its disk",
    "CantOpenError": "the file cannot be opened; look at the permissions of it and its folder",
    "ReadOnlyError": "the database is read-only; open it with permission to write",
    "FullError": "the disk is full; make room",
    "IOException": "the file cannot be read or written; look at its disk",
    "FatalException": f"{_DAMAGED} if opening it again does not help",
    "SerializationException": _DAMAGED,
}

# What DuckDB says of a virtual table of SQLite whose module it lacks, such as a stored answer: the table, and the rest
# of the message. It then lists no table of that file.
_MODULE = re.compile(r"table_info\('(.*)'\)\"?: (no such module: \w+)")
_FORMAT = (
    "the database's schema is of a format that this SQLite does not know, which reads 1 to 4: a newer SQLite wrote it,"
    " or it is damaged; update SQLite (`pip install -U apsw`), or restore the file from a copy"
)

# What DuckDB says of a view whose rows a statement would change.
_VIEW = re.compile(r"(?:(\S+) is not an? table|Can only (?:update|delete from) base tables?)\Z")

_FILES = "this process may open no more files: close connections, or raise the limit (`ulimit -n`)"
_MEMORY = "the system gives this process no more memory: free some, or raise the limit (`ulimit -v`)"
NO_THREADS = "the system starts no more threads for this process: raise the limits (`ulimit -u`, `ulimit -v`)"
# How the loader of libraries, Python and the engines say so, beside Python's own errors.
_REFUSALS = {"Too many open files": _FILES, "can't start new thread": NO_THREADS}
_REFUSALS |= dict.fromkeys(
    ("failed to map segment", "annot allocate memory", "llocation failure", "bad allocation"), _MEMORY
)
# How Python says that a module in C could not allocate, and raised nothing itself.
_REFUSALS |= dict.fromkeys(("without exception set", "without setting an exception"), _MEMORY)
_OF_SYSTEM = frozenset("ImportError RuntimeError SystemError IOException CantOpenError OutOfMemoryException".split())


def explained(exc: Exception) -> AskError | None:
    """Return our error for a limit of the system, or for an engine's error about its file; None for any other."""
    if (limit := next(filter(None, map(_refusal, causes(exc))), None)) is not None:
        return AskError(limit)
    from_engine = type(exc).__module__.lstrip("_") in ("apsw", "duckdb")
    if from_engine and (virtual := unlisted(exc)):
        return DatabaseError(virtual)
    if from_engine and (view := _VIEW.search(str(exc).partition("\n")[0].rstrip("!."))):
        return DatabaseError(
            f"{view[1] or 'this'} is a view, whose rows no statement changes: data files are only read;"
            " CREATE TABLE … AS FROM it makes a table of them"
        )
    newer_format = _FORMAT if str(exc).startswith("unsupported file format") else None
    text = _MEANINGS.get(type(exc).__name__, newer_format) if from_engine else None
    return DatabaseError(f"{text} ({hidden(str(exc))})") if text else None


def unlisted(exc: Exception) -> str:
    """Return why DuckDB lists no table of a SQLite file, and what to do; '' for another error."""
    match = _MODULE.search(str(exc))
    return (
        f"DuckDB cannot open the virtual table {match[1]} ({match[2]}): drop it, or use a copy without it"
        if match
        else ""
    )


@contextlib.contextmanager
def explaining() -> Iterator[None]:
    """Raise our error in place of one of the system or of an engine that `explained` knows."""
    try:
        yield
    except AskError:
        raise
    except Exception as exc:
        if (error := explained(exc)) is not None:
            raise error from exc
        raise


def _refusal(exc: BaseException) -> str | None:
    """Return what the operating system refused, and which limit to raise; None for another cause of an exception."""
    if isinstance(exc, OSError):
        return {errno.EMFILE: _FILES, errno.ENFILE: _FILES, errno.ENOMEM: _MEMORY}.get(exc.errno or 0)
    if isinstance(exc, MemoryError) or type(exc).__name__ == "NoMemError":
        return _MEMORY
    reason = str(exc) if type(exc).__name__ in _OF_SYSTEM else ""
    return next((text for sign, text in _REFUSALS.items() if sign in reason), None)


def unopened(path: object, exc: Exception) -> DatabaseError:
    """Return the `DatabaseError` to show where an engine cannot open a file."""
    text, shared, _ = str(exc).partition(" However, you would be able to open this database in read-only mode")
    if newer := _newer(text):
        return DatabaseError(f"{path} was {newer}")
    if shared:
        advice = "; to share it, open it with read_only=True, on the command line with --read-only"
    elif _LOCKED in text:
        advice = "; close it in that program, or ask in it; `askwhere serve` shares a file among programs"
    else:
        advice = ""
    return DatabaseError(f"{path} could not be opened: {hidden(text)}{advice}")


def unattached(exc: Exception) -> str:
    """Return why a database could not be attached."""
    newer = _newer(str(exc))
    return f"it was {newer}" if newer else hidden(str(exc)).strip()


def _newer(text: str) -> str:
    """Return by what a file was written, and what to do, where it is too new for the DuckDB here; '' otherwise."""
    if _NEWER not in text:
        return ""
    import duckdb

    return (
        f"written by a newer version of DuckDB than the {duckdb.__version__} here, which cannot read it;"
        " install that version, or copy the database there into a file for older ones:"
        f" ATTACH 'older.duckdb' AS older (STORAGE_VERSION 'v{duckdb.__version__}'); COPY FROM DATABASE … TO older;"
    )


_NEWER = "database file was created with an newer version of DuckDB"  # as DuckDB writes it
_LOCKED = "Conflicting lock is held"


def message(exc: Exception) -> str:
    """Return an exception's message for an engine's caller, which begins with the type where it is no `AskError`."""
    known = exc if isinstance(exc, AskError) else explained(exc)
    return str(known) if known else hidden(f"{type(exc).__name__}: {exc}")


def too_late(limits: Limits) -> str:
    """Return the error's text for a query that exceeded its time."""
    return (
        f"the query was stopped after {limits.seconds:g} seconds; ask something narrower or raise the setting"
        " query_timeout"
    )


def too_large(limits: Limits) -> str:
    """Return the error's text for a result that exceeds the limit on bytes."""
    return f"the result is larger than {limits.bytes // 2**20} MB; ask for less of it"


def too_much_memory(most: int) -> str:
    """Return the error's text for a query that needed more than `most` bytes of memory while it ran."""
    return f"the query was stopped: it needed more than {most // 2**20} MB of memory"
