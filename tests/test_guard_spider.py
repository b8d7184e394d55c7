"""The guard on real questions' gold SQL: nothing ordinary is refused, and writing full paths changes no row."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import duckdb
import pytest
from askwhere import guard
from askwhere.engine import Column, Grant, Table
from askwhere.errors import QueryError
from askwhere.guard.duckdb import check_duckdb
from askwhere.sql.identifiers import quote

pytestmark = pytest.mark.slow

ACCEPTED = 0.995
ROWS = 200  # of each table, in DuckDB: enough to tell results apart
AFFINITIES = (("INT", "BIGINT"), ("CHAR", "VARCHAR"), ("TEXT", "VARCHAR"), ("REAL", "DOUBLE"), ("DOUB", "DOUBLE"),
              ("FLOA", "DOUBLE"), ("NUM", "DOUBLE"), ("DEC", "DOUBLE"), ("DATE", "VARCHAR"))  # fmt: skip


def questions(folder: Path, *names: str) -> dict[str, list[dict[str, Any]]]:
    """The questions of some sets, by database: of those for training every fourth. Missing databases are left out."""
    found = defaultdict(list)
    for name in names:
        for line in (folder / name).read_text("utf-8").splitlines()[:: 4 if name.startswith("train") else 1]:
            record = json.loads(line)
            if (folder / "databases" / record["db_id"]).is_dir():
                found[record["db_id"]].append(record)
    return found


def opened(folder: Path, name: str) -> apsw.Connection:
    file = folder / "databases" / name / f"{name}.sqlite"
    return apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)


def tables(connection: apsw.Connection) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    listed = connection.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow'"
    ).fetchall()
    for (name,) in listed:
        if not str(name).startswith("sqlite_"):
            columns = connection.execute("SELECT name, type FROM pragma_table_info(?)", (name,)).fetchall()
            yield str(name), [(str(c), str(t)) for c, t in columns]


def rows(connection: Any, sql: str) -> Any:
    """All rows, undecodable text as it is told; None when the engine cannot run the query."""
    try:
        return connection.execute(sql).fetchall()
    except UnicodeDecodeError as error:
        return str(error)
    except (apsw.Error, duckdb.Error):
        return None


def report(accepted: int, refused: list[str]) -> None:
    total = accepted + len(refused)
    print(f"{accepted:,} of {total:,} accepted")
    assert total > 1_000
    assert accepted >= ACCEPTED * total, refused[:10]


def test_sqlite_gold_is_accepted_and_gives_the_same_rows(data: Path) -> None:
    folder = data / "spider"
    accepted, refused = 0, []
    for name, records in questions(folder, "dev.jsonl", "train_spider.jsonl").items():
        connection = opened(folder, name)
        grant = Grant(
            tuple(Table(("main", t), tuple(Column(*c) for c in columns)) for t, columns in tables(connection))
        )
        for record in records:
            plain = rows(connection, record["sql"])
            if plain is None:
                continue
            try:
                qualified = guard.qualify(record["sql"], "sqlite", grant)
                authorizer = guard.Authorizer(grant, grant.tables)
                connection.authorizer = authorizer
                found = rows(connection, qualified)
            except QueryError as error:
                refused.append(f"{record['sql']}: {error}")
                continue
            finally:
                connection.authorizer = None
            assert not authorizer.reason, record["sql"]
            assert found == plain, record["sql"]
            accepted += 1
        connection.close()
    report(accepted, refused)


def test_duckdb_gold_is_accepted_and_gives_the_same_rows(data: Path) -> None:
    folder = data / "spider"
    accepted, refused = 0, []
    for name, records in questions(folder, "dev.duckdb.jsonl", "train_spider.duckdb.jsonl").items():
        connection, grant = copied(folder, name)
        for record in records:
            sql = record["sql_duckdb"]
            plain = rows(connection, sql)
            if plain is None:
                continue
            try:
                qualified = guard.qualify(sql, "duckdb", grant)
                tree = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [qualified]).fetchall()[0][0]
                check_duckdb(tree, grant)
            except QueryError as error:
                refused.append(f"{sql}: {error}")
                continue
            # Groups and ties come in no particular order, which differs from run to run.
            assert (
                sorted(map(repr, rows(connection, qualified))) == sorted(map(repr, plain)) or " limit " in sql.lower()
            )
            accepted += 1
        connection.close()
    report(accepted, refused)


def copied(folder: Path, name: str) -> tuple[duckdb.DuckDBPyConnection, Grant]:
    """The first rows of every table of a SQLite file, in DuckDB."""
    source, target = opened(folder, name), duckdb.connect()
    granted = []
    for table, columns in tables(source):
        types = [next((t for part, t in AFFINITIES if part in declared.upper()), "VARCHAR") for _, declared in columns]
        listed = ", ".join(f"{quote(c)} {t}" for (c, _), t in zip(columns, types, strict=True))
        target.execute(f"CREATE TABLE {quote(table)}({listed})")
        blobs = ", ".join(f"CAST({quote(c)} AS BLOB)" for c, _ in columns)
        cells = source.execute(f"SELECT {blobs} FROM {quote(table)} LIMIT {ROWS}").fetchall()
        texts = [[None if c is None else bytes(c).decode("utf-8", "replace") for c in row] for row in cells]
        if texts:
            values = ", ".join(f"TRY_CAST(unnest(?::VARCHAR[]) AS {t})" for t in types)
            target.execute(f"INSERT INTO {quote(table)} SELECT {values}", [list(c) for c in zip(*texts, strict=True)])
        granted.append(Table(("memory", "main", table), tuple(Column(*c) for c in columns)))
    source.close()
    return target, Grant(tuple(granted))
