"""Generated SQL in a process of its own, with hard limits on memory, CPU time and files.

The worker opens the database read-only, guards and runs one query, and writes rows as JSON lines: a worker that has
been taken over can send wrong rows, but nothing that runs here. It is for people who let strangers ask; it costs the
start of a process for each query.
"""

from __future__ import annotations

import base64
import contextlib
import datetime
import decimal
import json
import math
import os
import selectors
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from askwhere.engine import Checked, Column, Engine, Grant, Limits, Result, Table, quote
from askwhere.errors import AskError, DatabaseError, QueryError, Refused, TooMuch

START_SECONDS = 60.0  # to start Python, import an engine and open the file, on a slow disk or a busy machine
GRACE_SECONDS = 1.0  # what the worker gets, after its own limit, to say that it stopped
BATCH = 1_000  # rows in one line
THREADS = 2
# What an engine maps, beside its data: DuckDB's threads reserve stacks and arenas that they never touch.
MARGIN = {"sqlite": 64 * 2**20, "duckdb": 1024 * 2**20}
OPEN_FILES = 64
ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "VIRTUAL_ENV", "PYTHONHOME", "LANG", "LC_ALL", "TZ")
ERRORS = {cls.__name__: cls for cls in (AskError, DatabaseError, QueryError, Refused, TooMuch)}

Attached = Sequence[tuple[str, str]]  # names of attached databases and their files


def run_isolated(
    engine: str, path: str | Path, attached: Attached, sql: str, grant: Grant, limits: Limits
) -> tuple[Checked, Result]:
    """`sql` checked and run in a worker on the database file at `path`; 'sqlite' or 'duckdb' is the `engine`.

    With no rows allowed it is checked and not run. Raises what `Engine.check` and `Engine.run` raise, `TooMuch` also
    when the worker hit a hard limit and was ended, and `DatabaseError` when there is no file, or when this process
    holds a DuckDB file open for writing.
    """
    if os.name != "posix":
        raise DatabaseError("isolation = 'process' needs an operating system with resource limits (Linux or macOS)")
    if str(path) in ("", ":memory:"):
        raise DatabaseError("isolation = 'process' needs a database in a file: another process cannot see memory")
    request = {
        "engine": engine,
        "path": str(Path(path).absolute()),
        "attached": [(name, str(Path(file).absolute())) for name, file in attached],
        "sql": sql,
        "grant": _grant_as_json(grant),
        "limits": asdict(limits),
    }
    with _worker() as worker:
        return _converse(worker, request, limits)


class IsolatedEngine:
    """An engine whose `check` and `run` happen in a worker process; what is asked of the catalog stays here."""

    def __init__(self, inner: Engine, path: str, attached: Attached) -> None:
        self._inner = inner
        self._path = path
        self._attached = attached

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def check(self, sql: str, grant: Grant) -> Checked:
        """See `Engine.check`."""
        return self._run(sql, grant, Limits(rows=0))[0]

    def run(self, checked: Checked, grant: Grant, limits: Limits) -> Result:
        """See `Engine.run`."""
        return self._run(checked.sql, grant, limits)[1]

    def _run(self, sql: str, grant: Grant, limits: Limits) -> tuple[Checked, Result]:
        return run_isolated(self._inner.dialect, self._path, self._attached, sql, grant, limits)


@contextlib.contextmanager
def _worker() -> Iterator[subprocess.Popen[bytes]]:
    """A worker process, which is ended and waited for at the latest when the block is left."""
    environment = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(entry for entry in sys.path if entry)
    worker = subprocess.Popen(
        [sys.executable, "-m", "askwhere.bindings.isolation"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env=environment,
        start_new_session=True,
    )
    try:
        yield worker
    finally:
        with contextlib.suppress(ProcessLookupError):
            worker.kill()
        worker.wait()
        for pipe in (worker.stdin, worker.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _converse(worker: subprocess.Popen[bytes], request: Mapping[str, Any], limits: Limits) -> tuple[Checked, Result]:
    lines = _Lines(worker, most=2 * limits.bytes + 2**20)
    try:
        assert worker.stdin is not None
        worker.stdin.write(json.dumps(request).encode())
        worker.stdin.close()
    except BrokenPipeError:
        pass  # it ended at once; what it said, if anything, is read below
    try:
        _expect(lines.next(START_SECONDS), "ready")
        head = _expect(lines.next(limits.seconds + GRACE_SECONDS), "columns")
        checked = Checked(str(head["sql"]), _texts(head["columns"]), _texts(head["types"]))
        rows: list[tuple[Any, ...]] = []
        while "rows" in (line := lines.next(limits.seconds + GRACE_SECONDS)):
            rows += [tuple(decoded(cell) for cell in row) for row in line["rows"]]
            if len(rows) > limits.rows:
                raise ValueError("more rows than asked for")
        end = _expect(line, "complete")
        return checked, Result(
            checked.columns, tuple(rows), bool(end["complete"]), float(end["seconds"]), bool(end["undecodable"])
        )
    except (ValueError, TypeError, KeyError, RecursionError, ArithmeticError) as error:
        raise DatabaseError(f"the worker process sent something that is no answer: {error}") from error


def _expect(line: dict[str, Any], key: str) -> dict[str, Any]:
    """The line if it holds `key`; raises the error it tells of instead, if it does."""
    if "error" in line:
        kind = ERRORS.get(line["error"], AskError)
        message, sql = str(line["message"]), str(line["sql"])
        raise kind(message, sql) if issubclass(kind, QueryError) else kind(message)
    if key not in line:
        raise ValueError(f"no {key!r} in its answer")
    return line


def _texts(values: Any) -> tuple[str, ...]:
    return tuple(str(value) for value in values)


class _Lines:
    """The JSON lines that a worker writes, each awaited for a limited time."""

    def __init__(self, worker: subprocess.Popen[bytes], most: int) -> None:
        assert worker.stdout is not None
        self._worker = worker
        self._pipe = worker.stdout.fileno()
        self._left = most
        self._unread = b""

    def next(self, seconds: float) -> dict[str, Any]:
        """The next line. Raises `TooMuch` when it is late, too long, or the worker ended before it."""
        pieces = [self._unread]
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._pipe, selectors.EVENT_READ)
            while b"\n" not in pieces[-1]:
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise TooMuch(f"the query was ended with its process after {seconds:g} seconds")
                piece = os.read(self._pipe, 2**20)
                self._left -= len(piece)
                if not piece:
                    raise TooMuch(self._why_ended())
                if self._left < 0:
                    raise TooMuch("the result is larger than the limit on memory; ask for less of it")
                pieces.append(piece)
        line, _, self._unread = b"".join(pieces).partition(b"\n")
        found = json.loads(line)
        if not isinstance(found, dict):
            raise ValueError("a line that is no object")
        return found

    def _why_ended(self) -> str:
        status = self._worker.wait()
        if status == -signal.SIGXCPU:
            return "the query used more CPU time than its process may"
        if status < 0:
            name = signal.Signals(-status).name
            return f"the query's process ended ({name}), most likely for want of memory; ask something narrower"
        return f"the query's process ended with status {status} and no answer"


# --- values as JSON: a list is a tagged value, everything else stands for itself ----------------------------------


def encoded(value: Any) -> Any:
    """A cell as JSON can hold it, with its type."""
    if value is None or isinstance(value, bool | str) or type(value) is int:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    for tag, kind, write, _ in _TYPES:
        if isinstance(value, kind):
            return [tag, write(value)]
    return str(value)


def decoded(cell: Any) -> Any:
    """The value of an encoded cell. Raises ValueError, TypeError or KeyError for what `encoded` does not write."""
    if cell is None or isinstance(cell, bool | str | int | float):
        return cell
    tag, content = cell
    return _READERS[tag](content)


def _pairs(value: dict[Any, Any]) -> list[Any]:
    return [[encoded(key), encoded(item)] for key, item in value.items()]


_Type = tuple[str, type, Callable[[Any], Any], Callable[[Any], Any]]
_TYPES: tuple[_Type, ...] = (
    ("float", float, repr, float),
    ("bytes", bytes, lambda v: base64.b64encode(v).decode(), lambda c: base64.b64decode(c, validate=True)),
    ("decimal", decimal.Decimal, str, decimal.Decimal),
    ("datetime", datetime.datetime, lambda v: v.isoformat(), datetime.datetime.fromisoformat),
    ("date", datetime.date, lambda v: v.isoformat(), datetime.date.fromisoformat),
    ("time", datetime.time, lambda v: v.isoformat(), datetime.time.fromisoformat),
    ("interval", datetime.timedelta, lambda v: [v.days, v.seconds, v.microseconds], lambda c: datetime.timedelta(*c)),
    ("uuid", uuid.UUID, str, uuid.UUID),
    ("list", list, lambda v: [encoded(item) for item in v], lambda c: [decoded(item) for item in c]),
    ("tuple", tuple, lambda v: [encoded(item) for item in v], lambda c: tuple(decoded(item) for item in c)),
    ("map", dict, _pairs, lambda c: {decoded(key): decoded(item) for key, item in c}),
)
_READERS = {tag: read for tag, _, _, read in _TYPES}


def _grant_as_json(grant: Grant) -> dict[str, Any]:
    return {
        "tables": [
            [t.path, [[c.name, c.type] for c in t.columns], t.kind, t.definition] for t in grant.tables
        ],
        "hidden": sorted([path, column] for path, column in grant.hidden),
        "functions": sorted(grant.functions),
        "withheld": grant.withheld,
    }  # fmt: skip


def _grant(content: Mapping[str, Any]) -> Grant:
    return Grant(
        tuple(
            Table(tuple(path), tuple(Column(*c) for c in columns), kind, definition=definition)
            for path, columns, kind, definition in content["tables"]
        ),
        frozenset((tuple(path), column) for path, column in content["hidden"]),
        frozenset(content["functions"]),
        tuple((tuple(path), str(why)) for path, why in content["withheld"]),
    )


# --- the worker ----------------------------------------------------------------------------------------------------


def main() -> None:
    """Answer the one request on standard input."""
    output = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a library prints must not stand among the lines
    try:
        request = json.load(sys.stdin)
        limits = Limits(**request["limits"])
        open_ = _open_sqlite if request["engine"] == "sqlite" else _open_duckdb
        connection, engine = open_(request["path"], request["attached"], limits)
        _send(output, {"ready": True})
        _answer(output, engine, request["sql"], _grant(request["grant"]), limits)
        del connection
    except AskError as error:
        _send(output, {"error": type(error).__name__, "message": str(error), "sql": getattr(error, "sql", "")})
    except MemoryError:
        message = "the query needed more memory than its process may use; ask something narrower"
        _send(output, {"error": "TooMuch", "message": message, "sql": ""})
    except Exception as error:
        message = f"the query's process failed: {type(error).__name__}: {error}"
        _send(output, {"error": "AskError", "message": message, "sql": ""})
    os._exit(0)  # an engine may still be busy in a thread; nothing here needs cleaning up


def _answer(output: IO[str], engine: Engine, sql: str, grant: Grant, limits: Limits) -> None:
    checked = engine.check(sql, grant)
    empty = Result(checked.columns, (), False, 0.0)
    result = engine.run(checked, grant, limits) if limits.rows else empty
    _send(output, {"sql": checked.sql, "columns": checked.columns, "types": checked.types})
    for start in range(0, len(result.rows), BATCH):
        rows = result.rows[start : start + BATCH]
        _send(output, {"rows": [[encoded(cell) for cell in row] for row in rows]})
    end = {"complete": result.complete, "seconds": result.seconds, "undecodable": result.undecodable}
    _send(output, end)


def _send(output: IO[str], line: dict[str, Any]) -> None:
    output.write(json.dumps(line) + "\n")
    output.flush()


def _open_sqlite(path: str, attached: Attached, limits: Limits) -> tuple[Any, Engine]:
    """A read-only connection, which the engine holds only weakly, and the engine."""
    import apsw
    from askwhere.bindings import sqlite

    _limit("sqlite", limits)
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        connection = apsw.Connection(Path(path).as_uri() + "?mode=ro", flags=flags)
        for name, file in attached:
            connection.execute(f"ATTACH ? AS {quote(name)}", (Path(file).as_uri() + "?mode=ro",))
        # A file in WAL mode that nobody has open needs two more files, which may not be written here.
        connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()
    except apsw.Error as error:
        raise DatabaseError(f"{path} could not be opened by another process: {error}") from error
    return connection, sqlite.SQLiteEngine(connection)


def _open_duckdb(path: str, attached: Attached, limits: Limits) -> tuple[Any, Engine]:
    import duckdb
    from askwhere.bindings import duckdb as binding

    _limit("duckdb", limits)
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoload_known_extensions": "false",
        "autoinstall_known_extensions": "false",
        "allow_community_extensions": "false",
        "allow_persistent_secrets": "false",
        "python_enable_replacements": "false",
        "threads": str(THREADS),
        "memory_limit": f"{max(limits.bytes // 2**20, 64)}MiB",
    }
    try:
        connection = duckdb.connect(path, read_only=True, config=config)
        for name, file in attached:
            literal = file.replace("'", "''")
            connection.execute(f"ATTACH '{literal}' AS {quote(name)} (READ_ONLY)")
    except duckdb.IOException as error:
        raise DatabaseError(
            f"{path} cannot be opened by another process, most likely because it is open for writing in this one:"
            " open it with read_only=True, or leave the setting isolation empty"
        ) from error
    except duckdb.Error as error:
        raise DatabaseError(f"{path} could not be opened by another process: {error}") from error
    for setting in ("temp_directory = ''", "enable_external_access = false", "lock_configuration = true"):
        connection.execute(f"SET {setting}")
    return connection, binding.DuckDBEngine(connection)


def _limit(engine: str, limits: Limits) -> None:
    """Hard limits on this process, from here on: nothing it runs can raise them."""
    import resource

    cpu = math.ceil(limits.seconds * THREADS + GRACE_SECONDS + time.process_time())
    hard = {
        resource.RLIMIT_CPU: cpu,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_AS: _mapped() + limits.bytes + MARGIN[engine],
    }
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # writing fails, and the engine says so
    for kind, value in hard.items():
        _, most = resource.getrlimit(kind)
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        # macOS refuses limits below what is mapped already; the others still hold there.
        with contextlib.suppress(ValueError, OSError):
            # One above, so that the signal for too much CPU time comes before the one that cannot be told from others.
            resource.setrlimit(kind, (value, value + 1 if kind == resource.RLIMIT_CPU else value))


def _mapped() -> int:
    """Bytes of address space that this process has mapped so far."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 2**30
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
