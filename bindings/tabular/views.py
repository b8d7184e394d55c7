"""Write the query of the view over the files of a table: which function reads them, and the type of each column."""

from __future__ import annotations

import csv
import glob
import gzip
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb
from askwhere.bindings.duckdb.running import Connection, stopping
from askwhere.bindings.duckdb.unreadable import unreadable
from askwhere.bindings.tabular import types
from askwhere.bindings.tabular.formats import CSV, PARQUET
from askwhere.bindings.tabular.found import FileTable
from askwhere.bindings.tabular.types import Reading
from askwhere.engine import Limits
from askwhere.sql.identifiers import quote
from askwhere.sql.literals import quoted

# The columns of each Parquet file, without its root and what is inside of nested columns.
_PARQUET = """
SELECT DISTINCT columns FROM (
  SELECT list((name, coalesce(logical_type, converted_type, type))) AS columns FROM parquet_schema({})
  WHERE name NOT IN ('duckdb_schema', 'schema', 'spark_schema', 'root', 'arrow_schema') GROUP BY file_name)
"""
_LONGEST = 1 << 20  # bytes of a first line
_DELIMITERS = ",;\t|"


@dataclass(frozen=True)
class View:
    """A view's query, and notes on what a user would not expect of it."""

    sql: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Dialect:
    """How a CSV file is written, as `sniff_csv` tells, with the names of its columns."""

    delimiter: str
    quote: str
    escape: str
    comment: str
    skip: int
    header: bool
    names: tuple[str, ...]


def view(connection: Connection, table: FileTable, seconds: float) -> View:
    """Return the view over a table's files; looking at their texts takes at most about `seconds`.

    Raises `DatabaseError` for a file that cannot be read.
    """
    try:
        if table.format is CSV:
            return _of_csv(connection, table, seconds)
        return (_of_parquet if table.format is PARQUET else _of_json)(connection, table, seconds)
    except duckdb.Error as exc:
        raise unreadable(exc, str(table.root)) from exc


def pattern(file: Path) -> str:
    """Return a file's path as DuckDB takes it, which would read a `*` in a name as a pattern."""
    return glob.escape(str(file))


def _of_parquet(connection: Connection, table: FileTable, seconds: float) -> View:
    options = _hive(table)
    notes: tuple[str, ...] = ()
    if len(table.files) > 1:
        shapes = [dict(columns) for (columns,) in connection.execute(_PARQUET.format(_listed(table.files))).fetchall()]
        if len(shapes) > 1:
            options["union_by_name"], notes = "true", (_mixed(table.name, shapes),)
    return _typed(connection, table, _call("read_parquet", table.files, options), seconds, notes)


def _of_json(connection: Connection, table: FileTable, seconds: float) -> View:
    options = {**_hive(table), "union_by_name": "true"}
    notes: tuple[str, ...] = ()
    try:
        with stopping(connection, Limits(seconds=seconds)):
            described = connection.execute(
                f"DESCRIBE FROM {_call('read_json', table.files, {**options, 'sample_size': '-1'})}"
            ).fetchall()
    except duckdb.InterruptException:
        sampled = _call("read_json", table.files, {**options, "sample_size": "20480"})
        described, notes = connection.execute(f"DESCRIBE FROM {sampled}").fetchall(), (_by_sample(table.name),)
    # Without the columns in the call, each query would look for them again.
    declared = {name: kind for name, kind, *_ in described}
    return _typed(
        connection, table, _call("read_json", table.files, {**_hive(table), "columns": declared}), seconds, notes
    )


def _typed(connection: Connection, table: FileTable, source: str, seconds: float, notes: tuple[str, ...]) -> View:
    """Return the view over files that say which columns are text: dates and grouped numbers are looked for in those."""
    described = connection.execute(f"DESCRIBE FROM {source}").fetchall()
    texts = [name for name, kind, *_ in described if kind == "VARCHAR"]
    readings, complete = types.look(connection, source, texts, types.OF_TYPED, seconds)
    if complete:
        return View(_select(source, readings), notes)
    return View(_select(source, {}), (*notes, types.stay_text(table.name, readings)) if readings else notes)


def _of_csv(connection: Connection, table: FileTable, seconds: float) -> View:
    dialects = {_dialect(connection, file): file for file in table.files}
    names = list(dict.fromkeys(name for dialect in dialects for name in dialect.names))
    if len(dialects) == 1:
        options, key = {**_hive(table), **_csv_options(next(iter(dialects)))}, "columns"
        notes: tuple[str, ...] = ()
    else:  # each file is looked at again by every query
        options, key = {**_hive(table), "union_by_name": "true"}, "types"
        differ = len({frozenset(dialect.names) for dialect in dialects}) > 1
        notes = (_mixed(table.name, [dict.fromkeys(dialect.names) for dialect in dialects]),) if differ else ()
    texts = dict.fromkeys(names, "VARCHAR")
    source = _call("read_csv", table.files, {**options, key: texts})
    described = connection.execute(f"DESCRIBE FROM {source}").fetchall()
    looked_at = [name for name, kind, *_ in described if kind == "VARCHAR" and name in texts]  # no partition's number
    readings, complete = types.look(connection, source, looked_at, types.READINGS, seconds)
    if not complete:
        notes += (_by_sample(table.name) if readings else _not_looked_at(table.name),)
    declared = texts | {name: reading.type for name, reading in readings.items() if reading.plain}
    shown = {name: reading for name, reading in readings.items() if not reading.plain}
    return View(_select(_call("read_csv", table.files, {**options, key: declared}), shown), notes)


def _dialect(connection: Connection, file: Path) -> _Dialect:
    """Return how a CSV file is written. Raises `duckdb.Error` for one whose lines have no columns in common."""
    given = ", delim = '\t'" if file.name.lower().endswith((".tsv", ".tsv.gz")) else ""
    found = connection.execute(f"FROM sniff_csv({quoted(pattern(file))}{given})").fetchall()[0]
    delimiter, quotes, escape, _, comment = ("" if sign == "(empty)" else sign for sign in found[:5])
    names = tuple(column["name"] for column in found[7])
    # Where the first rows have no quotes, later ones may.
    quotes, escape = (quotes, escape) if quotes else ('"', '"')
    dialect = _Dialect(delimiter, quotes, escape, comment, found[5], found[6], names)
    first = _first_line(file)
    other = next((d for d in _DELIMITERS if d in first), "")
    if other and (len(names) == 1 or (dialect.skip and other == delimiter)):
        # The lines have different numbers of columns. Read so, the error names the first that does.
        options = _csv_options(replace(dialect, delimiter=other, header=True, skip=0))
        columns = {f"c{n}": "VARCHAR" for n in range(len(next(csv.reader([first], delimiter=other))))}
        broken = _call("read_csv", [file], {**options, "columns": columns})
        connection.execute(f"SELECT count(COLUMNS(*)) FROM {broken}").fetchall()
    return dialect


def _first_line(file: Path) -> str:
    with gzip.open(file, "rb") if file.suffix.lower() == ".gz" else file.open("rb") as content:
        return content.readline(_LONGEST).decode(errors="replace").lstrip("\ufeff").rstrip("\r\n")


def _csv_options(dialect: _Dialect) -> dict[str, str]:
    signs = {"delim": dialect.delimiter, "quote": dialect.quote, "escape": dialect.escape, "comment": dialect.comment}
    plain = {"auto_detect": "false", "skip": str(dialect.skip), "header": str(dialect.header).lower()}
    return {**{name: quoted(sign) for name, sign in signs.items()}, **plain}


def _hive(table: FileTable) -> dict[str, str]:
    return {"hive_partitioning": "true" if table.partitioned else "false"}


def _listed(files: Iterable[Path]) -> str:
    return f"[{', '.join(quoted(pattern(file)) for file in files)}]"


def _call(reader: str, files: Iterable[Path], options: Mapping[str, str | Mapping[str, str]]) -> str:
    """Return the call of a function that reads files; an option may be a struct of texts."""
    shown = (f"{name} = {value if isinstance(value, str) else _struct(value)}" for name, value in options.items())
    return f"{reader}({', '.join((_listed(files), *shown))})"


def _struct(fields: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{quoted(name)}: {quoted(value)}" for name, value in fields.items()) + "}"


def _select(source: str, readings: Mapping[str, Reading]) -> str:
    """Return the query that casts some texts to their types."""
    shown = ", ".join(f"{reading.value.format(quote(name))} AS {quote(name)}" for name, reading in readings.items())
    return f"SELECT *{f' REPLACE ({shown})' if shown else ''} FROM {source}"


def _mixed(name: str, shapes: Sequence[Mapping[str, object]]) -> str:
    """Return the note on files with different columns, by the columns' types in each."""
    everywhere = sorted({column for shape in shapes for column in shape})
    missing = [column for column in everywhere if any(column not in shape for shape in shapes)]
    differing = [c for c in everywhere if c not in missing and len({shape[c] for shape in shapes}) > 1]
    parts = [f"{_few(missing)} only in some, NULL elsewhere"] if missing else []
    parts += [f"{_few(differing)} of different types, read as one that holds all"] if differing else []
    return f"the files of {name} differ: {'; '.join(parts) or 'in the order of their columns'}"


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _by_sample(name: str) -> str:
    return f"{name}: the types of its columns are those of its first rows, as there was no time to look at all"


def _not_looked_at(name: str) -> str:
    return f"{name}: its columns stay text, as there was no time to look at them"
