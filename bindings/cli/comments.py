"""`askwhere comments`: lists comments on tables and columns, and imports dbt's descriptions."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import askwhere
from askwhere.bindings import connections
from askwhere.engine import Engine
from askwhere.indexer import comments, dbt
from askwhere.tables import table


def show(database: str, as_json: bool) -> int:
    """List the comments and synonyms of tables and columns, the database's own included; notes go to standard error."""
    with _engine(database, read_only=True) as engine:
        tables, notes = comments.described(engine.tables(), comments.read(engine))
    rows = list(comments.listed(tables))
    if as_json:
        json.dump([dict(zip(comments.COLUMNS, row, strict=True)) for row in rows], sys.stdout)
        print()
    else:
        print(table(comments.COLUMNS, rows))
    for note in notes:
        print(f"askwhere: {note}", file=sys.stderr)
    return 0


def import_dbt(database: str, manifest: Path, replacing: bool) -> int:
    """Write a manifest's descriptions into the database, and print what matched. Returns 1 where nothing did."""
    content = dbt.load(manifest)
    with _engine(database) as engine:
        found = dbt.matched(content, engine.tables())
        written, kept = comments.save(engine, found.described, replacing) if found.described else (0, 0)
    print(f"{_many(found.tables, 'table')} and {_many(found.columns, 'column')} matched; {written:,} comments written")
    if kept:
        advice = "" if replacing else " (--replace overwrites them)"
        print(f"{_many(kept, 'comment')} left as they were{advice}")
    if found.missing:
        print(f"not in the database: {', '.join(found.missing)}")
    return 0 if found.described else 1


@contextlib.contextmanager
def _engine(database: str, read_only: bool = False) -> Iterator[Engine]:
    connection = askwhere.connect(database, read_only=read_only)
    with contextlib.closing(connection):
        yield connections.engine(connection)


def _many(n: int, noun: str) -> str:
    """Return a number with its noun, plural unless it is 1."""
    return f"{n:,} {noun}" + ("s" if n != 1 else "")
