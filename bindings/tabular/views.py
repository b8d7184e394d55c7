"""Write the query of the view over the files of a table: which function reads them, and the type of each column."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import duckdb
from askwhere.bindings.duckdb import buckets
from askwhere.bindings.duckdb.running import Connection, stopping
from askwhere.bindings.duckdb.unreadable import unreadable
from askwhere.bindings.tabular import sniffing, types
from askwhere.bindings.tabular.file_tables import FileTable
from askwhere.bindings.tabular.formats import CSV, PARQUET, is_remote
from askwhere.bindings.tabular.sniffing import pattern
from askwhere.bindings.tabular.types import Reading
from askwhere.cells import first_of
from askwhere.engine import Limits
from askwhere.errors import DatabaseError
from askwhere.frozen import frozen
from askwhere.sql.identifiers import quote
from askwhere.sql.literals import quoted

# The columns of each Parquet file, without its root and what is inside of nested columns.
_PARQUET = """
SELECT DISTINCT columns FROM (
  SELECT list((name, coalesce(logical_type, converted_type, type))) AS columns FROM parquet_schema({})
  WHERE name NOT IN ('duckdb_schema', 'schema', 'spark_schema', 'root', 'arrow_schema') GROUP BY file_name)
"""
COMPARED = 100  # Parquet files of one table on another machine: each takes some requests
# DuckDB reads 2,048 values of a column at a time. These may take gigabytes, even if a compressed file is small, and
# DuckDB cannot be stopped meanwhile. So their size is estimated first: from a Parquet file's metadata, and from the
# lengths of the first texts.
AT_ONCE = 2_048
MOST_AT_ONCE = 256 << 20  # bytes of `AT_ONCE` values
_LARGE = f"""
SELECT DISTINCT path_in_schema FROM parquet_metadata({{}})
WHERE total_uncompressed_size * least(1, {AT_ONCE} / row_group_num_rows) > {MOST_AT_ONCE}
"""


@frozen
class View:
    """A view's query, and notes on what a user would not expect of it."""

    sql: str
    notes: tuple[str, ...] = ()


def view(connection: Connection, table: FileTable, seconds: float) -> View:
    """Return the view over a table's files; looking at their texts takes at most about `seconds`.

    Raise `DatabaseError` for a file that cannot be read.
    """
    try:
        if table.format is CSV:
            return _csv_reading(connection, table, seconds)
        return (_parquet_reading if table.format is PARQUET else _json_reading)(connection, table, seconds)
    except duckdb.Error as exc:
        raise buckets.unreachable(exc, table.shown) or unreadable(exc, table.shown) from exc
    except TimeoutError as exc:
        raise DatabaseError(f"{table.shown} cannot be read: {exc}; it is not as such files are, or too large") from exc


def _parquet_reading(connection: Connection, table: FileTable, seconds: float) -> View:
    """Return the view over Parquet files; columns are matched by name where the files have different ones."""
    options = _hive(table)
    notes: tuple[str, ...] = ()
    looked_at = table.files[:COMPARED] if is_remote(table.files[0]) else table.files
    if len(looked_at) > 1:
        shapes = [dict(columns) for (columns,) in connection.execute(_PARQUET.format(_file_list(looked_at))).fetchall()]
        if len(shapes) > 1:
            options["union_by_name"], notes = "true", (_mixed_note(table.name, shapes),)
    if len(looked_at) < len(table.files):
        notes += (f"{table.name}: of its {len(table.files):,} files the first {COMPARED} were compared",)
    large = [path for (path,) in connection.execute(_LARGE.format(_file_list(looked_at))).fetchall()]
    return _typed(connection, table, _call("read_parquet", table.files, options), seconds, notes, large)


def _json_reading(connection: Connection, table: FileTable, seconds: float) -> View:
    """Return the view over JSON files, whose columns all rows decide or, after `seconds`, a sample."""
    options = {**_hive(table), "union_by_name": "true"}
    notes: tuple[str, ...] = ()
    try:
        with stopping(connection, Limits(seconds=seconds)):
            described = connection.execute(
                f"DESCRIBE FROM {_call('read_json', table.files, {**options, 'sample_size': '-1'})}"
            ).fetchall()
    except duckdb.InterruptException:
        sampled = _call("read_json", table.files, {**options, "sample_size": "20480"})
        described = types.rows(connection, f"DESCRIBE FROM {sampled}", Limits(seconds=types.LATER))
        notes = (_sample_note(table.name),)
    # Without the columns in the call, each query would look for them again.
    declared = {name: kind for name, kind, *_ in described}
    return _typed(
        connection, table, _call("read_json", table.files, {**_hive(table), "columns": declared}), seconds, notes
    )


def _typed(
    connection: Connection,
    table: FileTable,
    source: str,
    seconds: float,
    notes: tuple[str, ...],
    large: Collection[str] = (),
) -> View:
    """Return the view over files that declare their types: dates and grouped numbers are looked for in texts.

    The columns `large`, by their paths in a Parquet file, are left out.
    """
    described = connection.execute(f"DESCRIBE FROM {source}").fetchall()
    if len(described) > sniffing.MOST_COLUMNS:
        raise sniffing.too_wide(table.shown, len(described))
    left_out = [name for name, *_ in described if any(path == name or path.startswith(f"{name}, ") for path in large)]
    texts = [name for name, kind, *_ in described if kind == "VARCHAR" and name not in left_out]
    left_out += _bulky(connection, source, texts)
    if len(left_out) == len(described):
        raise DatabaseError(f"{table.shown} cannot be read: {_bulk(left_out)}")
    notes += (f"{table.name}: left out: {_bulk(left_out)}",) if left_out else ()
    if records := [name for name, kind, *_ in described if kind.startswith("STRUCT(") and name not in left_out]:
        notes += (f"{table.name}: {first_of(records, 5)}: records, whose fields are not asked one by one",)
    texts = [name for name in texts if name not in left_out]
    readings, complete = types.look(connection, source, texts, types.OF_TYPED, seconds)
    if complete:
        return View(_select(source, readings, left_out), notes)
    return View(_select(source, {}, left_out), (*notes, types.stay_text(table.name, readings or texts)))


def _bulky(connection: Connection, source: str, texts: Sequence[str]) -> list[str]:
    """Return the columns whose first `AT_ONCE` texts, which are read at a time, take more than `MOST_AT_ONCE` bytes."""
    if not texts:
        return []
    lengths = ", ".join(f"strlen({quote(name)}) AS l{n}" for n, name in enumerate(texts))
    sums = ", ".join(f"sum(l{n})" for n in range(len(texts)))
    # DuckDB collects the texts of a plain number as LIMIT before it takes their lengths.
    sql = f"SELECT {sums} FROM (SELECT {lengths} FROM {source} LIMIT (SELECT {AT_ONCE}))"
    (sizes,) = types.rows(connection, sql, Limits(seconds=types.LATER))
    return [name for name, size in zip(texts, sizes, strict=True) if (size or 0) > MOST_AT_ONCE]


def _bulk(names: Sequence[str]) -> str:
    """Return the part of a message on columns whose values are too long, and what to do."""
    return (
        f"{first_of(names, 5)}, as {AT_ONCE:,} values, which are read at a time, take more than"
        f" {MOST_AT_ONCE >> 20} MB; to ask it, shorten the values,"
        " or make a view over the file in DuckDB, and call askwhere.register()"
    )


def _csv_reading(connection: Connection, table: FileTable, seconds: float) -> View:
    """Return the view over CSV files, each read by its own dialect; columns are matched by name."""
    dialects = {sniffing.dialect(connection, file): file for file in table.files}
    names = list(dict.fromkeys(name for dialect in dialects for name in dialect.names))
    if len(dialects) == 1:
        options, key = {**_hive(table), **next(iter(dialects)).options}, "columns"
        notes: tuple[str, ...] = ()
    else:  # each file is looked at again by every query
        options, key = {**_hive(table), "union_by_name": "true"}, "types"
        differ = len({frozenset(dialect.names) for dialect in dialects}) > 1
        notes = (_mixed_note(table.name, [dict.fromkeys(dialect.names) for dialect in dialects]),) if differ else ()
    texts = dict.fromkeys(names, "VARCHAR")
    source = _call("read_csv", table.files, {**options, key: texts})
    described = connection.execute(f"DESCRIBE FROM {source}").fetchall()
    looked_at = [name for name, kind, *_ in described if kind == "VARCHAR" and name in texts]  # no partition's number
    readings, complete = types.look(connection, source, looked_at, types.READINGS, seconds)
    if not complete:
        notes += (_sample_note(table.name) if readings else _no_time_note(table.name),)
    declared = texts | {name: reading.type for name, reading in readings.items() if reading.plain}
    shown = {name: reading for name, reading in readings.items() if not reading.plain}
    return View(_select(_call("read_csv", table.files, {**options, key: declared}), shown), notes)


def _hive(table: FileTable) -> dict[str, str]:
    return {"hive_partitioning": "true" if table.partitioned else "false"}


def _file_list(files: Iterable[str]) -> str:
    return f"[{', '.join(quoted(pattern(file)) for file in files)}]"


def _call(reader: str, files: Iterable[str], options: Mapping[str, str | Mapping[str, str]]) -> str:
    """Return the call of a function that reads files; an option may be a struct of texts."""
    shown = (f"{name} = {value if isinstance(value, str) else _struct(value)}" for name, value in options.items())
    return f"{reader}({', '.join((_file_list(files), *shown))})"


def _struct(fields: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{quoted(name)}: {quoted(value)}" for name, value in fields.items()) + "}"


def _select(source: str, readings: Mapping[str, Reading], left_out: Iterable[str] = ()) -> str:
    """Return the query that casts some texts to their types, and leaves out some columns."""
    without = ", ".join(map(quote, left_out))
    shown = ", ".join(f"{reading.value.format(quote(name))} AS {quote(name)}" for name, reading in readings.items())
    return f"SELECT *{f' EXCLUDE ({without})' if without else ''}{f' REPLACE ({shown})' if shown else ''} FROM {source}"


def _mixed_note(name: str, shapes: Sequence[Mapping[str, object]]) -> str:
    """Return the note on files with different columns, by the columns' types in each."""
    everywhere = sorted({column for shape in shapes for column in shape})
    missing = [column for column in everywhere if any(column not in shape for shape in shapes)]
    differing = [c for c in everywhere if c not in missing and len({shape[c] for shape in shapes}) > 1]
    parts = [f"{first_of(missing, 5)} only in some, NULL elsewhere"] if missing else []
    parts += [f"{first_of(differing, 5)} of different types, read as one that holds all"] if differing else []
    return f"the files of {name} differ: {'; '.join(parts) or 'in the order of their columns'}"


def _sample_note(name: str) -> str:
    return f"{name}: the types of its columns are those of its first rows, as there was no time to look at all"


def _no_time_note(name: str) -> str:
    return f"{name}: its columns stay text, as there was no time to look at them"
