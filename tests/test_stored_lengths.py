"""Queries of DuckDB that compute with long stored values: refused where a step without an interrupt would be costly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from askwhere.bindings.duckdb.engine import DuckDBEngine
from askwhere.engine import Grant, Limits
from askwhere.errors import Refused

SCHEMA = """
CREATE TABLE docs AS SELECT i AS id, repeat('a', 600000) AS body, repeat('b', 10000) AS note,
    repeat('(a|b)*c?', 10000) AS pattern, repeat('[', 20000) || repeat(']', 20000) AS deep,
    '[' || repeat('1,', 300000) || '1]' AS flat, list_transform(range(30000), lambda q: 1) AS numbers,
    repeat('9', 50000) AS digits, encode(repeat('x', 200000)) AS bytes, 'abc' AS code FROM range(40) r(i);
CREATE TABLE names AS SELECT i AS id, 'name ' || i AS name, ['a', 'b'] AS tags FROM range(40) r(i);
CREATE VIEW bodies AS SELECT id, body || '!' AS text FROM docs;
"""
# Each with the columns whose length the error tells.
REFUSED = {
    "SELECT count(*) FROM docs WHERE regexp_matches(code, pattern)": "docs.pattern have up to 80,000",
    "SELECT max(length(replace(body, 'a', note))) FROM docs": "docs.body have up to 600,000",
    "SELECT max(len(list_transform(numbers, lambda q: q || body))) FROM docs": "docs.numbers have up to 720,000",
    "SELECT max(json_extract(deep, '$..a')::VARCHAR) FROM docs": "docs.deep have up to 40,000",
    "SELECT max(deep::JSON ->> '$..a') FROM docs": "docs.deep have up to 40,000",
    "SELECT max(t.value) FROM docs, json_tree(docs.flat) t": "docs.flat have up to 600,003",
    "SELECT max(t.value) FROM docs, json_each(docs.flat) t": "docs.flat have up to 600,003",
    "SELECT max(digits::BIGNUM) FROM docs": "docs.digits have up to 50,000",
    "SELECT levenshtein(body, note) FROM docs": "docs.body have up to 600,000",
    "SELECT contains(body, note) FROM docs": "docs.body have up to 600,000",
    "SELECT sum(len(string_split(body, ' '))) FROM docs": "docs.body have up to 600,000",
    "SELECT max(a.body || b.body) FROM docs a, docs b": "docs.body have up to 600,000",
    "SELECT repeat(body, 20) FROM docs": "docs.body have up to 600,000",
    "SELECT length(b || b || b || b || b) FROM docs AS d(a, b), range(99)": "docs.numbers have up to 720,000",
    f"SELECT DISTINCT {', '.join(['body'] * 50)} FROM docs": "docs.body have up to 600,000",
    f"SELECT {', '.join(['body'] * 50)} FROM docs ORDER BY id": "docs.body have up to 600,000",
    f"SELECT {', '.join(f'max(body) FILTER (id > {n})' for n in range(30))} FROM docs": "docs.body have up to 600,000",
    f"SELECT {', '.join(['CASE WHEN id > 1 THEN body END'] * 50)} FROM docs": "docs.body have up to 600,000",
    " UNION ".join(["SELECT body FROM docs"] * 4): "docs.body have up to 600,000",
    f"SELECT {', '.join(f'max(body) OVER (ORDER BY {n})' for n in range(30))} FROM docs": "docs.body have up to",
    f"SELECT DISTINCT {', '.join(['docs'] * 9)} FROM docs": "docs.numbers have up to 720,000",
    f"SELECT length({' || '.join(['text'] * 9)}) FROM bodies, range(99)": "bodies.text have up to 600,001",
    "SELECT docs::VARCHAR FROM docs": "docs.numbers have up to 720,000",
    "SELECT * REPLACE (repeat(note, 99) AS note) FROM docs": "docs.numbers have up to 720,000",
    f"SELECT {'hex(bytes), ' * 9} id FROM docs": "docs.bytes have up to 200,000",
    "WITH d AS (SELECT note z FROM docs) SELECT replace(z, 'b', z) FROM d, range(99)": "docs.note have up to 10,000",
    "SELECT max(length(replace(coalesce(body, ''), 'a', note))) FROM docs": "docs.body have up to 600,000",
    "SELECT replace(text, 'a', text) FROM bodies": "bodies.text have up to 600,001",
}
ANSWERED = (
    "SELECT count(*) FROM docs WHERE lower(body) LIKE '%zz%' OR note ILIKE '%q%'",
    "SELECT id, length(body), left(body, 20), substr(note, 2, 5), upper(code) FROM docs ORDER BY length(body) DESC",
    "SELECT max(len(string_split(note, ' '))), max(length(regexp_replace(note, 'b+', 'c', 'g'))) FROM docs",
    "SELECT body, note, max(code) FROM docs GROUP BY ALL ORDER BY ALL",
    "SELECT DISTINCT body, flat, note, code FROM docs ORDER BY code",
    "SELECT note FROM docs UNION SELECT note FROM docs UNION ALL SELECT code FROM docs",
    "SELECT list_sum(numbers), len(list_filter(numbers, lambda n: n > 0)) FROM docs",
    "SELECT levenshtein(left(body, 50), left(note, 50)), md5(body), trim(body) || '!' FROM docs",
    "SELECT a.id FROM docs a JOIN docs b ON a.id = b.id WHERE a.note || 'x' <> upper(b.note)",
    "SELECT name, list_transform(tags, lambda t: upper(t) || name), levenshtein(name, 'name 7') FROM names",
    "SELECT replace(name, 'n', name), regexp_matches(name, name) FROM names",
    "SELECT length(text), left(text, 3) FROM bodies",
)


@pytest.fixture(scope="module")
def engine() -> Iterator[DuckDBEngine]:
    with duckdb.connect() as connection:
        connection.execute(SCHEMA)
        yield DuckDBEngine(connection)


@pytest.mark.parametrize(("sql", "named"), REFUSED.items(), ids=REFUSED)
def test_a_query_that_multiplies_long_stored_values_is_refused(engine: DuckDBEngine, sql: str, named: str) -> None:
    with pytest.raises(Refused) as refused:
        engine.check(sql, Grant(engine.tables()))
    assert f"(values of {named}" in str(refused.value)


@pytest.mark.parametrize("sql", ANSWERED)
def test_a_query_that_reads_them_or_copies_them_is_not(engine: DuckDBEngine, sql: str) -> None:
    granted = Grant(engine.tables())
    assert engine.run(engine.check(sql, granted), granted, Limits()).rows


def test_the_length_counts_that_a_value_has_when_the_query_is_checked(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "texts.duckdb")) as connection:
        connection.execute("CREATE TABLE t (a VARCHAR, b VARCHAR)")
        engine = DuckDBEngine(connection)
        granted, sql = Grant(engine.tables()), "SELECT replace(a, 'x', b) FROM t, range(99)"
        engine.check(sql, granted)
        connection.execute("INSERT INTO t VALUES ('x', 'y')")
        engine.check(sql, granted)
        connection.execute("BEGIN")
        connection.execute("UPDATE t SET a = repeat('x', 20000), b = repeat('y', 20000)")
        with pytest.raises(Refused, match="have up to 20,000 bytes"):
            engine.check(sql, granted)
        connection.execute("COMMIT")
        with pytest.raises(Refused, match="have up to 20,000 bytes"):
            engine.check(sql, granted)


def test_values_of_files_and_attached_databases_are_measured_too(tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        file = tmp_path / "texts.parquet"
        connection.execute(f"COPY (SELECT repeat('x', 20000) AS a FROM range(9)) TO '{file}'")
        connection.execute(f"CREATE VIEW texts AS FROM '{file}'")
        engine = DuckDBEngine(connection)
        with pytest.raises(Refused, match=r"values of texts\.a have up to 20,000 bytes"):
            engine.check("SELECT replace(a, 'x', a) FROM texts", Grant(engine.tables()))
