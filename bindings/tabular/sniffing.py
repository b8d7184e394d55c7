"""Detect the dialect of a CSV file from its first bytes: DuckDB may read gigabytes to do so, and cannot be stopped."""

from __future__ import annotations

import contextlib
import csv
import glob
import gzip
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
from askwhere.bindings.duckdb.running import Connection, stopping
from askwhere.bindings.engine_errors import hidden
from askwhere.bindings.tabular.formats import is_on_web, is_remote, place
from askwhere.engine import Limits
from askwhere.errors import DatabaseError
from askwhere.frozen import frozen
from askwhere.sql.literals import quoted

LOOKED_AT = 8 << 20  # bytes of a file
LONGEST = 2_000_000  # bytes of a line, as DuckDB reads them
MOST_COLUMNS = 10_000  # of a table: DuckDB takes a second for each statement over 30,000
COUNTING = 30.0  # seconds to look for the line that has other columns than the first

_DELIMITERS = ",;\t|"
# Each line as one text, read in order, as a delimiter that no line has ends none before.
_LINES = (
    "columns = {'line': 'VARCHAR'}, delim = '\x1f\x1e\x1d\x1c', quote = '', escape = '', comment = '', header = false,"
    f" auto_detect = false, parallel = false, buffer_size = {LOOKED_AT}"
)
# Each column takes 32 kB of memory a time, so that lines of a million columns would take all there is.
_SMALL: dict[str, Any] = {"memory_limit": "1GB", "threads": "2"}


@frozen
class Dialect:
    """How a CSV file is written, as `sniff_csv` tells, with the names of its columns."""

    delimiter: str
    quote: str
    escape: str
    comment: str
    skip: int
    header: bool
    names: tuple[str, ...]

    @property
    def options(self) -> dict[str, str]:
        """Return the options with which `read_csv` reads such a file, as SQL."""
        signs = {"delim": self.delimiter, "quote": self.quote, "escape": self.escape, "comment": self.comment}
        plain = {"auto_detect": "false", "skip": str(self.skip), "header": str(self.header).lower()}
        return {**{name: quoted(sign) for name, sign in signs.items()}, **plain}


def dialect(connection: Connection, file: str) -> Dialect:
    """Return how a CSV file is written.

    Raise `duckdb.Error` for one whose lines have no columns in common, `DatabaseError` for too long lines or too many
    columns.
    """
    begins = _beginning_elsewhere(connection, file) if is_remote(file) else _beginning(Path(file))
    _refuse_long(file, begins)
    sniffed = _sniffed(file, begins)
    if len(sniffed.names) > MOST_COLUMNS:
        raise too_wide(hidden(file), len(sniffed.names))
    first = begins.splitlines()[0].decode(errors="replace").lstrip("\ufeff") if begins else ""
    other = next((d for d in _DELIMITERS if d in first), "")
    if other and (len(sniffed.names) == 1 or (sniffed.skip and other == sniffed.delimiter)):
        # The lines have different numbers of columns. Read so, the error names the first that does.
        width = len(next(csv.reader([first], delimiter=other)))
        _count(connection, file, replace(sniffed, delimiter=other, header=True, skip=0), width)
    return sniffed


def too_wide(file: str, count: int) -> DatabaseError:
    """Return the error for a file of too many columns."""
    return DatabaseError(
        f"{file} has {count:,} columns: expected at most {MOST_COLUMNS:,}; leave some out, or make rows of them"
    )


def _beginning(file: Path) -> bytes:
    """Return the first bytes of a file, which may be compressed. Raise `DatabaseError` where they cannot be read."""
    try:
        with gzip.open(file, "rb") if file.suffix.lower() == ".gz" else file.open("rb") as content:
            return content.read(LOOKED_AT)
    except (OSError, EOFError, zlib.error) as exc:
        raise DatabaseError(f"{file} cannot be read: {exc}") from exc


def _refuse_long(file: str, begins: bytes) -> None:
    """Raise `DatabaseError` where a line is longer than any may be."""
    start = 0
    while len(begins) - start > LONGEST:
        end = max(begins.rfind(mark, start, start + LONGEST + 1) for mark in (b"\n", b"\r"))
        if end < 0:
            line = begins.count(b"\n", 0, start) + 1
            raise DatabaseError(f"{hidden(file)}, line {line:,}: expected at most {LONGEST:,} bytes; correct that line")
        start = end + 1


def _beginning_elsewhere(connection: Connection, file: str) -> bytes:
    """Return the first lines of a file on another machine. Raise `duckdb.Error` where they cannot be read."""
    pieces, size = [], 0
    lines = connection.execute(f"SELECT coalesce(line, '') FROM read_csv({quoted(pattern(file))}, {_LINES})")
    while size < LOOKED_AT and (batch := lines.fetchmany(1_000)):
        pieces += [line.encode() for (line,) in batch]
        size += sum(map(len, pieces[-len(batch) :]))
    return b"".join(line + b"\n" for line in pieces)


def _sniffed(file: str, begins: bytes) -> Dialect:
    """Return how a CSV file that begins so is written, as DuckDB finds it out."""
    given = ", delim = '\t'" if place(file).name.lower().endswith((".tsv", ".tsv.gz")) else ""
    with _shortened(file, begins) as path, duckdb.connect(config=_SMALL) as alone:
        try:
            (sniffed,) = alone.execute(f"FROM sniff_csv({quoted(pattern(str(path)))}{given})").fetchall()
        except duckdb.OutOfMemoryException as exc:
            raise DatabaseError(
                f"{hidden(file)} cannot be read: a line has too many columns; expected at most {MOST_COLUMNS:,}"
            ) from exc
        except duckdb.Error as exc:
            raise type(exc)(str(exc).replace(str(path), file)) from exc
    delimiter, quotes, escape, _, comment = ("" if sign == "(empty)" else sign for sign in sniffed[:5])
    # Where the first rows have no quotes, later ones may.
    quotes, escape = (quotes, escape) if quotes else ('"', '"')
    names = tuple(column["name"] for column in sniffed[7])
    return Dialect(delimiter, quotes, escape, comment, sniffed[5], sniffed[6], names)


@contextlib.contextmanager
def _shortened(file: str, begins: bytes) -> Iterator[Path]:
    """Yield a file with the first complete rows of `file`; `file` itself if it is short."""
    whole = len(begins) < LOOKED_AT
    if whole and not is_remote(file):
        yield Path(file)
        return
    with tempfile.NamedTemporaryFile(suffix=".csv") as short:  # its owner alone can read it
        short.write(begins if whole else _whole_rows(begins))
        short.flush()
        yield Path(short.name)


def _whole_rows(begins: bytes) -> bytes:
    """Return the lines up to the last one that ends outside of quotes; everything where there is none."""
    mark = b"\n" if b"\n" in begins else b"\r"
    end, odd = len(begins), begins.count(b'"') % 2
    while (before := begins.rfind(mark, 0, end)) >= 0:
        odd ^= begins.count(b'"', before, end) % 2
        if not odd:
            return begins[: before + 1]
        end = before
    return begins


def _count(connection: Connection, file: str, read_as: Dialect, width: int) -> None:
    """Read a file's lines as `width` columns. Raise `duckdb.Error` if a line has more or fewer."""
    columns = "{" + ", ".join(f"c{number}: 'VARCHAR'" for number in range(width)) + "}"
    options = ", ".join(f"{name} = {value}" for name, value in read_as.options.items())
    broken = f"read_csv({quoted(pattern(file))}, {options}, columns = {columns})"
    try:
        with stopping(connection, Limits(seconds=COUNTING)) as stop:
            connection.execute(f"SELECT count(COLUMNS(*)) FROM {broken}").fetchall()
    except duckdb.InterruptException:
        if not stop.reason:
            raise


def pattern(file: str) -> str:
    """Return a file's path or address as DuckDB takes it, which would read a `*` in a name as a pattern."""
    return file if is_on_web(file) else glob.escape(file)
