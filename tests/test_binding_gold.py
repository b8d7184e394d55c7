"""What binds, on real questions: gold is accepted where the grammar has its forms. And random replies are prepared."""

from __future__ import annotations

import re
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from askwhere.bindings.opening import open_database
from askwhere.engine import Column, Grant, Table
from askwhere.evaluation import sets
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline.binding.reading import bound
from askwhere.training.style import GOLD, styled
from gbnf import Grammar, accepts
from held_out import build
from hypothesis import given, settings
from hypothesis import strategies as st
from support import Database
from test_binding import accepted, opened, replies, unfenced
from test_guard_spider import AFFINITIES, questions, tables
from test_guard_spider import opened as file

pytestmark = pytest.mark.slow
ACCEPTED, PRACTISED = 0.97, 0.94
PRACTICE = Path(__file__).parent / "practice"
STEP = 4  # of the questions of train, and of the practice databases: a share of the whole is measured


def catalog_of(folder: Path, name: str, dialect: str) -> Catalog:
    """A database's tables; in DuckDB with the types that they get there."""

    def typed(type_: str) -> str:
        known = (duckdb for affinity, duckdb in AFFINITIES if affinity in type_.upper())
        return type_ if dialect == "sqlite" else next(known, "VARCHAR")

    listed = tuple(
        Table(("main", table), tuple(Column(column, typed(type_)) for column, type_ in columns))
        for table, columns in tables(file(folder, name))
    )
    return Catalog(listed, Grant(listed))


def respelled(sql: str, catalog: Catalog) -> str:
    """Gold as the grammar spells it: names as they were declared, keywords in capitals, texts in single quotes."""
    names = {c.name.lower(): c.name for table in catalog.tables for c in table.columns}
    names |= {table.name.lower(): table.name for table in catalog.tables}

    def spelled(found: re.Match[str]) -> str:
        part = found[0]
        if part[0] == '"':
            inner = part[1:-1]
            return f'"{names[inner.lower()]}"' if inner.lower() in names else "'" + inner.replace("'", "''") + "'"
        return names.get(part.lower(), part.upper()) if part[0].isalpha() else part

    sql = re.sub(r"'(?:[^']|'')*'|\"[^\"]*\"|[A-Za-z_]\w*", spelled, sql.strip().rstrip("; "))
    return re.sub(r"\b(MAX|MIN|AVG|SUM|COUNT) ?\( ?", r"\1(", re.sub(r"\s+", " ", re.sub(r"! ?=", "!=", sql)))


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize(("set_", "step"), [("dev", 1), ("train_spider", STEP)])
def test_gold_is_accepted(data: Path, dialect: str, set_: str, step: int) -> None:
    folder, refused, count = data / "spider", list[str](), 0
    sets, key = (f"{set_}.jsonl", "sql") if dialect == "sqlite" else (f"{set_}.duckdb.jsonl", "sql_duckdb")
    for name, records in questions(folder, sets).items():
        catalog = catalog_of(folder, name, dialect)
        held = bound(catalog, dialect)
        grammar = Grammar(str(held))
        for record in records[::step]:
            sql = respelled(record[key] or "", catalog)
            if sql and accepts(grammar, sql):
                count += 1
                got = accepted(held.reading, sql)
                refused += [] if got == sql + "." else [f"{name}: {got} <- {sql}"]
    print(f"{count - len(refused):,} of {count:,} accepted")
    assert count > 300
    assert len(refused) <= (1 - ACCEPTED) * count, refused[:10]


def test_whatever_is_accepted_is_prepared(database: Database) -> None:
    connection, held = opened(database)
    grammar = Grammar(str(held))
    ended: list[Any] = []

    @settings(max_examples=60)
    @given(st.integers(0, 2**32))
    def check(seed: int) -> None:
        for text in replies(grammar, held, range(seed, seed + 1)):
            connection.execute(f"EXPLAIN {unfenced(text)}").fetchall()
            ended.append(text)

    check()
    assert len(ended) > 10


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_gold_of_practice_questions_is_accepted(tmp_path: Path, dialect: str) -> None:
    refused, count = list[str](), 0
    about = defaultdict(list)
    for item in (item for found in sorted(PRACTICE.glob("questions-*.jsonl")) for item in sets.read(found)):
        about[item.db_id].append(item)
    for script in sorted((PRACTICE / "databases").glob("*.sql"))[:: 2 * STEP if dialect == "duckdb" else STEP]:
        with closing(open_database(build(script, tmp_path, dialect), dialect, {})) as database:
            catalog = database.session.catalog(database.engine)
            reading = bound(catalog, dialect).reading
            for item in about[script.stem][::2]:
                own = item.golds.get(dialect)
                sql = styled(own or item.gold, catalog, dialect, dialect if own else GOLD)
                count += 1
                refused += [] if accepted(reading, sql) == sql + "." else [item.id]
    print(f"{count - len(refused):,} of {count:,} accepted")
    assert count > 300
    assert len(refused) <= (1 - PRACTISED) * count, len(refused)
