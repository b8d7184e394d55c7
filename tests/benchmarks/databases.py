"""Spider's databases and questions for benchmarks of parts that need no session; `askwhere eval` asks whole."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from pathlib import Path
from typing import Any

import apsw
import duckdb
from askwhere.bindings.copying import copy
from askwhere.bindings.duckdb.engine import DuckDBEngine
from askwhere.bindings.sqlite.engine import SQLiteEngine
from askwhere.engine import Engine
from askwhere.evaluation import spider
from askwhere.evaluation.rows import plain
from askwhere.indexer import catalog as catalogs
from askwhere.indexer.build import in_memory

DATA = Path(os.environ.get("ASKWHERE_DATA", Path(__file__).parents[2] / "../shared/data")) / "spider"


class Database:
    """One database, Spider's or the SQLite file `path`, open in an engine with its catalog and values."""

    def __init__(self, name: str, dialect: str, path: Path | None = None) -> None:
        self.path = path or DATA / "databases" / name / f"{name}.sqlite"
        self.dialect = dialect
        self.gold = sqlite3.connect(f"file:{self.path}?mode=ro&immutable=1", uri=True)
        self.gold.text_factory = lambda b: b.decode(errors="ignore")
        self.keep: Any = None
        engine = self._sqlite() if dialect == "sqlite" else self._duckdb()
        self.catalog = catalogs.read(engine)
        self.values = in_memory(engine, self.catalog, seconds=60)

    def _sqlite(self) -> Engine:
        self.keep = apsw.Connection(
            f"file:{self.path}?mode=ro&immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        )
        return SQLiteEngine(self.keep)

    def _duckdb(self) -> Engine:
        self.keep = duckdb.connect(":memory:")
        copy(self.gold, self.keep)
        return DuckDBEngine(self.keep)

    def run(self, sql: str, on: str) -> list[tuple[Any, ...]] | None:
        """Return the rows of a query in SQLite or in DuckDB; None where it fails."""
        with contextlib.suppress(sqlite3.Error, duckdb.Error):
            if on == "duckdb":
                return plain(self.keep.execute(sql).fetchall())
            deadline = time.monotonic() + 10
            self.gold.set_progress_handler(lambda: time.monotonic() > deadline, 100_000)
            return self.gold.execute(sql).fetchall()
        return None


class Databases:
    """Databases opened on first use, of which the last few are kept, and what gold gives on them."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], Database] = {}
        self._gold: dict[tuple[str, str], Any] = {}

    def database(self, name: str, dialect: str) -> Database:
        """Return the database of a name in an engine."""
        if (name, dialect) not in self._open:
            if len(self._open) > 3:
                self._open.pop(next(iter(self._open)))
            self._open[name, dialect] = Database(name, dialect)
        return self._open[name, dialect]

    def expected(self, database: Database, name: str, sql: str) -> Any:
        """Gold's rows in SQLite, by Spider's rule; None where it fails."""
        if (name, sql) not in self._gold:
            self._gold[name, sql] = database.run(spider.prepared(sql, "")[0], "sqlite")
        return self._gold[name, sql]


def questions(name: str, dialect: str) -> list[dict[str, Any]]:
    """Return the questions of a set whose database is at hand, in the order of the file.

    For DuckDB only those whose gold query is known to give the same there. Spider-Syn rewrites the questions of dev and
    keeps its queries, so dev's list serves for it.
    """
    path = DATA / (f"{name}.jsonl" if dialect == "sqlite" else f"{name}.duckdb.jsonl")
    if path.exists():
        found = _lines(path)
    else:
        checked = {(q["db_id"], q["sql"]) for q in _lines(DATA / "dev.duckdb.jsonl")}
        found = [q for q in _lines(DATA / f"{name}.jsonl") if (q["db_id"], q["sql"]) in checked]
    return [q for q in found if (DATA / "databases" / q["db_id"] / f"{q['db_id']}.sqlite").exists()]


def _lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]
