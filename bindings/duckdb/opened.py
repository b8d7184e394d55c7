"""Open a database of either kind in DuckDB, with others attached to it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import duckdb
from askwhere import files
from askwhere.bindings import database_files
from askwhere.bindings.duckdb.addresses import EXTENSIONS, OF_DUCKDB, attaching, in_file, is_lake, parse
from askwhere.bindings.duckdb.attaching import Attachments, unlisted
from askwhere.bindings.duckdb.extensions import load
from askwhere.bindings.duckdb.running import Connection
from askwhere.bindings.duckdb.storage import OWN_DATABASE
from askwhere.bindings.engine_errors import unopened
from askwhere.bindings.source import Source
from askwhere.errors import ArgumentError, DatabaseError
from askwhere.frozen import frozen
from askwhere.sql.identifiers import quote
from askwhere.sql.literals import quoted

_OTHERS = """
SELECT table_name FROM system.main.duckdb_tables()
WHERE database_name = ? AND NOT system.main.starts_with(system.main.lower(table_name), 'askwhere_')
UNION ALL SELECT view_name FROM system.main.duckdb_views() WHERE database_name = ? AND NOT internal
"""


@frozen
class Opened:
    """A connection; `attached` is the name of the database of the file, where it is attached to one in memory."""

    connection: Connection
    attached: str | None


def opened(source: Source, attachments: Attachments, extensions: Sequence[str] = (), apart: bool = False) -> Opened:
    """Open a file, or `:memory:`. A SQLite file is attached to a database in memory.

    With `apart`, so is a DuckDB file, and either can only be read. askwhere's own tables are in a DuckDB file that is
    opened, else in the file `source.keep` if there is one, else in memory. Raise `DatabaseError`.
    """
    path, keep = source.paths[0], source.keep
    kind = "" if source.in_memory else database_files.kind_of_file(Path(path))
    itself = kind == "duckdb" and not apart
    if keep is not None and itself:
        raise ArgumentError(f"keep is not for {path}: it is a database, in which askwhere keeps its tables")
    connection = database_files.open_file(path, source.read_only) if itself else duckdb.connect(":memory:")
    try:
        for extension in extensions:
            load(connection, extension)
        if keep is not None:
            attach_kept(connection, str(keep), source.read_only, source.attach.values())
        name = None if itself or not kind else _name(path, source.attach)
        if name is not None:
            _attach(connection, name, path, kind, source.read_only or apart)
        attachments.attach(connection)
        return Opened(connection, name)
    except duckdb.Error as exc:
        connection.close()
        raise unopened(path, exc) from exc
    except BaseException:
        connection.close()
        raise


def _name(path: str, others: Iterable[str]) -> str:
    """Return a name for a file's database: the file's, made longer if DuckDB, askwhere or one of `others` uses it."""
    name = re.sub(r"\W", "_", Path(path).stem)
    while name.lower() in (OWN_DATABASE, *OF_DUCKDB, *map(str.lower, others)):
        name += "_"
    return name


def _attach(connection: Connection, name: str, path: str, kind: str, read_only: bool) -> None:
    """Attach a file."""
    if kind == "sqlite":
        load(connection, EXTENSIONS[kind])
    mode = "READ_ONLY" if read_only or not os.access(path, os.W_OK) else "READ_WRITE"
    connection.execute(f"ATTACH {quoted(database_files.for_duckdb(path))} AS {quote(name)} (TYPE {kind}, {mode})")
    if kind == "sqlite" and (why := unlisted(connection)):
        raise DatabaseError(f"{path}: {why}")


def attach_kept(connection: Connection, address: str, read_only: bool, others: Iterable[str]) -> None:
    """Attach the lake or file for askwhere's own tables; the file is created unless `read_only`.

    `others` are the addresses of the other attached databases.
    """
    if is_lake(address):
        lakes = [parse(OWN_DATABASE, other).address for other in others if is_lake(other)]
        _attach_lake(connection, address, read_only, lakes)
        return
    keep = Path(address)
    if keep.exists():
        if database_files.head(keep)[8:12] not in (b"DUCK", b""):
            raise DatabaseError(f"{keep} is no DuckDB database, so nothing can be kept in it; name a new file")
    elif read_only:
        return
    try:
        if not keep.exists():
            _make(keep)
        database_files.refuse_pipes(str(keep))
        mode = " (READ_ONLY)" if read_only or not os.access(keep, os.W_OK) else ""
        connection.execute(f"ATTACH {quoted(database_files.for_duckdb(keep))} AS {quote(OWN_DATABASE)}{mode}")
    except (duckdb.Error, OSError) as exc:
        raise unopened(keep, exc) from exc
    if foreign := connection.execute(_OTHERS, [OWN_DATABASE, OWN_DATABASE]).fetchall():
        raise ArgumentError(
            f"keep: {keep} holds the table {foreign[0][0]}; name a new file, in which askwhere keeps its own tables"
        )


def _attach_lake(connection: Connection, address: str, read_only: bool, others: Sequence[str]) -> None:
    """Attach a lake for askwhere's own tables; its other tables cannot be asked. Raise `DatabaseError`."""
    lake = parse(OWN_DATABASE, address)
    if lake.address in others and in_file(lake):
        raise ArgumentError(
            f"keep: {address} is attached too, and its catalog is in a file, which would lock; keep in another lake"
        )
    for extension in sorted(lake.extensions):
        load(connection, extension)
    try:
        connection.execute(attaching(OWN_DATABASE, lake.kind, lake.address, read_only=read_only))
    except duckdb.Error as exc:
        raise DatabaseError(f"keep: {address} could not be attached: {exc}") from exc


def _make(keep: Path) -> None:
    """Create an empty database file atomically, readable by its owner alone: it will hold values of other files."""
    with files.replacing(files.named(keep)) as part:
        part.unlink()
        duckdb.connect(database_files.for_duckdb(part)).close()
