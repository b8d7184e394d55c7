"""Queries that an attached PostgreSQL or MariaDB answers whole give the rows that DuckDB would, or stay in DuckDB.

`make serving` and `make servers` install what these tests need.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from asker import Answering, Asker, executing
from servers import attachable_postgres

pytestmark = pytest.mark.slow

# Runs statements, one a line: answers with the rows. A line that begins with `?` is a query to be checked: its rows by
# DuckDB, its rows by the server, and what the server was asked; `!` sets how many rows must be saved.
CLIENT = """
import json, sys, askwhere, duckdb
from dataclasses import replace
from askwhere.bindings.duckdb import pushing
from askwhere.bindings.duckdb.engine import DuckDBEngine
from askwhere.engine import Grant, Limits
connection = askwhere.connect(":memory:", **json.loads(sys.argv[1]))
engine, limits = DuckDBEngine(connection), Limits(rows=10_000)
grant = Grant(engine.tables())
for line in sys.stdin:
    text = json.loads(line)
    try:
        if text.startswith("!"):
            pushing.LEAST_ROWS, pushing.TIMES = int(text[1:]), bool(int(text[1:])) * 10
            found = []
        elif text.startswith("?"):
            checked = engine.check(text[1:], grant)
            plain, result = (engine.run(one, grant, limits) for one in (replace(checked, pushed=None), checked))
            written = checked.pushed.written if checked.pushed and result.pushed else None
            found = [list(map(repr, plain.rows)), list(map(repr, result.rows)), written]
        else:
            found = connection.execute(text).fetchall()
    except Exception as e:
        found = f"{type(e).__name__}: {e}"
    print(json.dumps(found, default=str), flush=True)
"""
PEOPLE = """
CREATE TABLE people (id integer PRIMARY KEY, name text, city varchar(20), code char(4), age smallint, far bigint,
  debt numeric(9,2), free numeric, weight double precision, born date, seen timestamp, member boolean);
INSERT INTO people VALUES
  (1, 'Ünal', 'Bern', 'ab', -3, -9000000000000, -1.50, 1.5, 0.1, '2024-02-29', '2024-02-29 23:59:59.5', true),
  (2, 'anna', 'bern', 'ab  ', 40, 5, 20.00, 2, -2.5, '1969-12-31', NULL, false),
  (3, 'Anna', 'Åbo', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '1999-01-01 00:00:00', NULL),
  (4, 'Zoë', NULL, 'x', 7, 0, 0.00, -3, 'NaN', 'infinity', '2024-03-01 12:00:00', true),
  (5, 'zoe ', 'Bern', 'X', -40, 12, 99999.99, 0, '-0.0', '0999-05-05', '2024-12-31 00:00:00', false),
  (6, NULL, 'Zürich', '', 0, 1, 0.01, 7, 'Infinity', '2024-01-01', '2024-01-01 00:00:00', true),
  (7, 'O''Hara %_', '', 'ab', 40, 5, 20.00, 2, 2.5, '2023-07-15', '2023-07-15 08:30:00', NULL);
CREATE TABLE visits (number integer PRIMARY KEY, person integer REFERENCES people (id), day date, paid numeric(8,3));
INSERT INTO visits SELECT g, CASE WHEN g % 9 > 0 THEN 1 + g % 6 END, date '2023-12-20' + g % 40,
  CASE WHEN g % 5 > 0 THEN (g % 70) / 8.0 - 3 END FROM generate_series(1, 200) g;
CREATE SCHEMA "Odd Names";
CREATE TABLE "Odd Names"."Big Table" ("Key" integer, "a.b" text, "WHERE" integer);
INSERT INTO "Odd Names"."Big Table" VALUES (1, 'x', 2), (2, 'X', NULL), (3, NULL, -5);
ANALYZE;
"""
DATES = ("p.born", "v.day", "p.seen")
# For MariaDB, whose text `name` has another collation than `city`, and `note` another encoding.
MARIADB = (
    """CREATE TABLE people (id int PRIMARY KEY, name text CHARACTER SET utf8mb4 COLLATE utf8mb4_german2_ci,
  city varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin, note varchar(20) CHARACTER SET latin1,
  age smallint, far bigint, debt decimal(9,2), weight double, born date, member tinyint(1), many int unsigned)""",
    """INSERT INTO people VALUES
  (1, 'Ünal', 'Bern', 'ab', -3, -9000000000000, -1.50, 0.1, '2024-02-29', 1, 1),
  (2, 'anna', 'bern', 'AB', 40, 5, 20.00, -2.5, '1969-12-31', 0, 2),
  (3, 'Anna', 'Åbo', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (4, 'Zoë', NULL, 'x', 7, 0, 0.00, 7.25, '2024-03-01', 5, 3),
  (5, 'zoe ', 'Bern ', 'X', -40, 12, 99999.99, -0.0, '0999-05-05', 0, 4),
  (6, NULL, 'Zürich', '', 0, 1, 0.01, 1e300, '2024-01-01', 1, 5),
  (7, 'O''Hara %_', '', 'ab', 40, 5, 20.00, 2.5, '2023-07-15', NULL, 6)""",
    "CREATE TABLE visits (number int PRIMARY KEY, person int, paid decimal(8,3), `odd name` int)",
    """INSERT INTO visits SELECT seq, IF(seq % 9 > 0, 1 + seq % 6, NULL), IF(seq % 5 > 0, (seq % 70) / 8.0 - 3, NULL),
  seq FROM seq_1_to_200""",
)
BOTH = "crm.visits v JOIN crm.people p ON v.person = p.id"
# Queries that the server answers.
PUSHED = (
    f"SELECT p.city, count(*) AS n, sum(v.paid) AS paid FROM {BOTH} GROUP BY p.city",
    f"SELECT p.name, max(v.day) AS d FROM {BOTH} GROUP BY p.id, p.name ORDER BY max(v.day) DESC, p.name LIMIT 4",
    "SELECT name FROM crm.people ORDER BY name LIMIT 5",
    "SELECT name FROM crm.people ORDER BY name DESC LIMIT 5",
    "SELECT name FROM crm.people ORDER BY name NULLS FIRST",
    "SELECT city, weight FROM crm.people ORDER BY weight DESC, city LIMIT 6",
    "SELECT min(name) AS a, max(city) AS b, min(born) AS c, max(seen) AS d, max(weight) AS e FROM crm.people",
    "SELECT count(DISTINCT city) AS a, count(name) AS b, sum(age) AS c, sum(far) AS d, avg(debt) AS e FROM crm.people",
    "SELECT avg(age) AS a, avg(far) AS b, sum(age * far) AS c, max(-age) AS d, sum(debt + 1) AS e FROM crm.people",
    "SELECT count(*) AS n FROM crm.people WHERE name = 'anna' OR city > 'Bern' OR city BETWEEN 'a' AND 'z'",
    "SELECT count(*) AS n FROM crm.people WHERE name LIKE '%nn_' OR name LIKE 'O''Hara %'",
    "SELECT count(*) AS n FROM crm.people WHERE born >= '2023-01-01' AND born < DATE '2024-03-01'",
    "SELECT count(*) AS n FROM crm.people WHERE seen > '2024-01-01' AND NOT member",
    "SELECT count(*) AS n FROM crm.people WHERE CAST(seen AS DATE) = '2024-01-01' AND age IN (0, -3, 40)",
    "SELECT EXTRACT(YEAR FROM born) AS y, count(*) AS n FROM crm.people GROUP BY y ORDER BY y",
    "SELECT STRFTIME(TRY_CAST(born AS DATE), '%Y-%m') AS m, count(*) AS n FROM crm.people GROUP BY m ORDER BY m",
    f"SELECT STRFTIME(v.day, '%Y') AS y, p.city, sum(v.paid) AS s FROM {BOTH} GROUP BY 1, 2 ORDER BY 1, 2",
    f"SELECT p.member, count(*) AS n FROM {BOTH} WHERE v.paid > 1.5 GROUP BY p.member HAVING count(*) > 2",
    "SELECT count(*) AS n FROM crm.people WHERE id NOT IN (SELECT person FROM crm.visits WHERE person IS NOT NULL)",
    "SELECT count(*) AS n FROM crm.people p WHERE EXISTS (SELECT 1 FROM crm.visits v WHERE v.person = p.id)",
    "SELECT name FROM crm.people p WHERE age > (SELECT avg(age) FROM crm.people) ORDER BY age, name LIMIT 3",
    "WITH a AS (SELECT person, count(*) AS n FROM crm.visits GROUP BY person) SELECT max(n) AS m, count(*) AS c FROM a",
    "SELECT DISTINCT p.city FROM crm.people p LEFT JOIN crm.visits v ON v.person = p.id WHERE v.number IS NULL",
    "SELECT sum(CASE WHEN member THEN 1 ELSE 0 END) AS m, count(coalesce(city, name)) AS c FROM crm.people",
    'SELECT "a.b", sum("WHERE") AS s FROM crm."Odd Names"."Big Table" GROUP BY "a.b" ORDER BY "A.B"',
)
# Queries that mean something else in PostgreSQL, or may.
STAY = (
    "SELECT max(code) AS c FROM crm.people",  # char(4)
    "SELECT count(*) AS n FROM crm.people WHERE code = 'ab'",
    "SELECT sum(free) AS s FROM crm.people",  # numeric without a scale
    "SELECT max(age / 2) AS h FROM crm.people",
    "SELECT max(age % 3) AS h FROM crm.people",
    "SELECT max(lower(name)) AS n FROM crm.people",
    "SELECT count(*) AS n FROM crm.people WHERE name ILIKE 'ü%'",
    "SELECT count(*) AS n FROM crm.people WHERE name LIKE 'O\\_%'",
    "SELECT count(*) AS n FROM crm.people WHERE name = age::VARCHAR",
    "SELECT max(round(weight)) AS n FROM crm.people",
    "SELECT max(born - DATE '2000-01-01') AS d FROM crm.people WHERE id < 3",
    "SELECT name, row_number() OVER (ORDER BY id) AS n FROM crm.people ORDER BY id LIMIT 3",
    "SELECT max(member) AS m FROM crm.people",
    "SELECT count(*) AS n FROM crm.people p JOIN range(3) r(i) ON r.i = p.id",
    "SELECT id FROM crm.people UNION SELECT number FROM crm.visits ORDER BY 1 LIMIT 3",
    "SELECT count(*) AS n FROM crm.people p WHERE EXISTS (SELECT code FROM crm.visits WHERE code = p.name)",
)

# Queries that MariaDB answers. It compares the texts `city` by their bytes, as DuckDB, and `name` by rules of its own.
PUSHED_TO_MARIADB = (
    f"SELECT p.city, count(*) AS n, sum(v.paid) AS paid FROM {BOTH} GROUP BY p.city",
    f"SELECT p.name, max(v.paid) AS d FROM {BOTH} GROUP BY p.id, p.name ORDER BY max(v.paid) DESC, p.name LIMIT 4",
    f"SELECT p.name, count(*) AS n FROM {BOTH} GROUP BY p.name ORDER BY p.name",
    f"SELECT min(p.name) AS a, max(p.name) AS b, count(DISTINCT p.name) AS c FROM {BOTH} WHERE v.paid > 1",
    "SELECT city FROM crm.people ORDER BY city DESC LIMIT 5",
    "SELECT city FROM crm.people ORDER BY city NULLS FIRST",
    "SELECT count(DISTINCT city) AS a, count(city) AS b, sum(age) AS c, sum(far) AS d, avg(debt) AS e FROM crm.people",
    "SELECT avg(age) AS a, avg(far) AS b, sum(age * far) AS c, max(-age) AS d, sum(debt + 1) AS e FROM crm.people",
    "SELECT sum(weight) AS s, max(weight) AS m, avg(weight) AS a FROM crm.people WHERE weight < 99",
    "SELECT count(*) AS n FROM crm.people WHERE city = 'Bern' OR city > 'bern' OR city IN ('BERN', 'Bern ')",
    "SELECT count(*) AS n FROM crm.people WHERE city LIKE 'B_rn%' OR city LIKE 'Z%'",
    "SELECT CASE WHEN age > 5 THEN 'a' ELSE 'A' END AS k, count(*) AS n FROM crm.people GROUP BY k",
    "SELECT count(*) AS n FROM crm.people p JOIN crm.people q ON p.city = q.city",
    "SELECT count(*) AS n FROM crm.people WHERE id NOT IN (SELECT person FROM crm.visits WHERE person IS NOT NULL)",
    "SELECT count(*) AS n FROM crm.people p WHERE EXISTS (SELECT 1 FROM crm.visits v WHERE v.person = p.id)",
    "WITH a AS (SELECT person, count(*) AS n FROM crm.visits GROUP BY person) SELECT max(n) AS m, count(*) AS c FROM a",
    "WITH a AS (SELECT city AS c, count(*) AS n FROM crm.people GROUP BY c) SELECT count(DISTINCT c) AS m FROM a",
    "SELECT sum(CASE WHEN age > 5 THEN 1 ELSE 0 END) AS m, count(coalesce(city, 'x')) AS c FROM crm.people",
    'SELECT sum("odd name") AS s FROM crm.visits',
)
STAY_FROM_MARIADB = (
    f"SELECT DISTINCT p.name FROM {BOTH}",
    f"SELECT DISTINCT p.city FROM {BOTH}",
    "SELECT name, count(*) AS n FROM crm.people GROUP BY name",
    "SELECT name FROM crm.people ORDER BY name LIMIT 3",
    f"SELECT count(*) AS n FROM {BOTH} WHERE p.name = 'anna'",
    f"SELECT count(*) AS n FROM {BOTH} WHERE p.name LIKE 'Z%'",
    f"SELECT count(*) AS n FROM {BOTH} WHERE p.name IN (SELECT q.name FROM crm.people q, crm.visits w)",
    "SELECT max(note) AS n FROM crm.people",  # latin1
    "SELECT max(born) AS d FROM crm.people",
    "SELECT sum(many) AS d FROM crm.people",
    "SELECT count(*) AS n FROM crm.people WHERE member",
    "SELECT weight, count(*) AS n FROM crm.people GROUP BY weight",
    "SELECT DISTINCT weight FROM crm.people",
    "SELECT max(age / 2) AS h FROM crm.people",
    "SELECT count(*) AS n FROM crm.people WHERE name ILIKE 'ü%'",
)


class Client(Answering):
    """A process that asks DuckDB, with a server attached."""

    def __init__(self, **connect: Any) -> None:
        super().__init__(CLIENT, json.dumps(connect))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The connection string of a running PostgreSQL with people and visits, and its log."""
    folder = tmp_path_factory.mktemp("pushed")
    with attachable_postgres(folder) as at:
        (folder / "make.sql").write_text(f"ATTACH '{at}' AS made (TYPE postgres);")
        maker = Client(init=str(folder / "make.sql"))
        quoted = PEOPLE.replace("'", "''")
        assert maker.run(f"CALL postgres_execute('made', '{quoted}')") == []
        maker.close()
        yield at, folder / "log"


@pytest.fixture
def client(server: tuple[str, Path]) -> Iterator[Client]:
    """A client that lets the server answer whatever it can."""
    with contextlib.closing(Client(attach={"crm": f"postgres:{server[0]}"})) as found:
        assert (said := found.run("!0")) == [], said
        yield found


def alike(sql: str, plain: list[str], other: list[str]) -> bool:
    """Return whether rows are equal, in order where the query gives one."""
    return plain == other if "ORDER BY" in sql else sorted(plain) == sorted(other)


def test_the_server_gives_the_rows_that_duckdb_would(client: Client) -> None:
    for sql in PUSHED:
        plain, other, written = client.run(f"?{sql}")
        assert written, sql
        assert alike(sql, plain, other), sql


def test_what_may_mean_something_else_stays(client: Client) -> None:
    for sql in STAY:
        found = client.run(f"?{sql}")
        assert isinstance(found, str) or (found[2] is None and alike(sql, found[0], found[1])), sql


def test_queries_made_by_chance_give_the_same_rows(client: Client) -> None:
    chance, answered = random.Random(7), 0
    for _ in range(50):
        sql = by_chance(chance, DATES)
        found = client.run(f"?{sql}")
        assert not isinstance(found, str), (sql, found)
        assert alike(sql, *found[:2]), sql
        answered += found[2] is not None
    assert answered > 30


def by_chance(chance: random.Random, dates: Sequence[str]) -> str:
    """Return a query over people and their visits; `dates` are the columns of dates that it may be about."""
    pick = chance.choice
    texts, numbers = ["p.name", "p.city"], ["p.age", "p.far", "p.debt", "v.paid", "v.number"]
    tests = [
        lambda: f"{pick(texts)} {pick(['=', '<>', '<', '>='])} {pick(texts)}",
        lambda: f"{pick(texts)} {pick(['=', '<', '>'])} '{pick(['Bern', 'a', 'Z', 'Ü', '', 'zoe '])}'",
        lambda: f"{pick(texts)} LIKE '{pick(['%n%', '_e%', 'Z%', '%ë', 'B___'])}'",
        lambda: f"{pick(numbers)} {pick(['=', '<', '>='])} {pick(['0', '-3', '7', '2.5', '20.00', *numbers])}",
        lambda: f"{pick([*texts, *numbers, *dates])} IS {pick(['', 'NOT '])}NULL",
        lambda: f"p.id IN ({pick(['1, 2', '3, 5, 6', 'SELECT person FROM crm.visits WHERE paid > 2'])})",
    ]
    of_dates = [
        lambda: f"{pick(dates)} {pick(['<', '>=', '='])} {pick(['2024-01-01', '2024-02-29', '1970-01-01'])!r}",
        lambda: f"{pick(dates)} {pick(['<', '>='])} {pick(dates)}",
    ]
    tests += of_dates if dates else []
    where = f" {pick(['AND', 'OR', 'AND NOT'])} ".join(pick(tests)() for _ in range(chance.randint(1, 3)))
    periods = ["v.day", "p.member", "EXTRACT(YEAR FROM p.born)", "STRFTIME(v.day, '%Y-%m')"]
    key = pick([*texts, "p.age", *(periods if dates else [])])
    shown = [
        "count(*) AS n",
        pick(["sum", "avg", "min", "max", "count"]) + f"({pick(numbers)}) AS a",
        pick(["min", "max", "count"]) + f"({pick([*texts, *dates])}) AS b",
    ]
    join = pick(["JOIN", "LEFT JOIN"])
    sql = f"SELECT {key} AS k, {', '.join(shown)} FROM crm.visits v {join} crm.people p ON v.person = p.id"
    order = pick(["", " ORDER BY k", f" ORDER BY {pick(['n', 'b', 'a'])} DESC, k LIMIT 3"])
    return f"{sql} WHERE {where} GROUP BY k{pick(['', ' HAVING count(*) > 3'])}{order}"


@pytest.fixture(scope="module")
def mariadb(mariadb_at: str) -> str:
    """The connection string of a running MariaDB with people and visits."""
    asker = Asker()
    executing(asker, "mysql", mariadb_at)("CREATE DATABASE pushed")
    at = mariadb_at.replace("database=mysql", "database=pushed")
    executing(asker, "mysql", at)(*MARIADB)
    asker.close()
    return at


@pytest.fixture
def asking_mariadb(mariadb: str) -> Iterator[Client]:
    """A client that lets MariaDB answer whatever it can."""
    with contextlib.closing(Client(attach={"crm": f"mariadb:{mariadb}"})) as found:
        assert (said := found.run("!0")) == [], said
        yield found


def rounded(rows: list[str]) -> list[str]:
    """Return rows with floats of 14 digits: the last ones of an average may differ."""
    return [re.sub(r"\d+\.\d{8,}(e[+-]?\d+)?", lambda found: f"{float(found[0]):.14g}", row) for row in rows]


def test_mariadb_gives_the_rows_that_duckdb_would(asking_mariadb: Client) -> None:
    for sql in PUSHED_TO_MARIADB:
        found = asking_mariadb.run(f"?{sql}")
        assert not isinstance(found, str), (sql, found)
        plain, other, written = found
        assert written, sql
        assert alike(sql, rounded(plain), rounded(other)), (sql, written, plain, other)


def test_what_may_mean_something_else_in_mariadb_stays(asking_mariadb: Client) -> None:
    for sql in STAY_FROM_MARIADB:
        found = asking_mariadb.run(f"?{sql}")
        assert isinstance(found, str) or (found[2] is None and alike(sql, found[0], found[1])), (sql, found)


def test_queries_made_by_chance_give_the_same_rows_in_mariadb(asking_mariadb: Client) -> None:
    chance, answered = random.Random(7), 0
    for _ in range(50):
        sql = by_chance(chance, ())
        found = asking_mariadb.run(f"?{sql}")
        assert not isinstance(found, str), (sql, found)
        assert alike(sql, rounded(found[0]), rounded(found[1])), (sql, found)
        answered += found[2] is not None
    assert answered > 12


def test_mariadb_stops_in_time(mariadb: str) -> None:
    tables = ", ".join(f"crm.visits v{n}" for n in range(6))
    with contextlib.closing(Client(attach={"crm": f"mariadb:{mariadb}"}, query_timeout=1)) as client:
        client.run("!0")
        pin = f"SELECT ask_pin('slow', 'SELECT sum(v0.paid * v5.paid) AS s FROM {tables}')"
        assert "the query was stopped" in str(client.run(pin))
        listed = "SELECT count(*) AS n FROM information_schema.processlist WHERE info LIKE ''SET STATEMENT%''"
        while client.run(f"SELECT * FROM mysql_query('crm', '{listed} AND id <> connection_id()')") != [[0]]:
            pass


def test_only_what_saves_many_rows_goes_there(server: tuple[str, Path]) -> None:
    with contextlib.closing(Client(attach={"crm": f"postgres:{server[0]}"})) as client:
        assert client.run("?SELECT count(*) AS n FROM crm.visits WHERE paid > 1")[2] is None
        assert client.run("!100") == []
        assert client.run("?SELECT sum(paid) AS n FROM crm.visits")[2] is not None
        assert client.run("?SELECT number, paid FROM crm.visits")[2] is None


def test_a_server_that_may_be_written_is_not_asked(server: tuple[str, Path], tmp_path: Path) -> None:
    (tmp_path / "init.sql").write_text(f"ATTACH '{server[0]}' AS crm (TYPE postgres);")
    with contextlib.closing(Client(init=str(tmp_path / "init.sql"))) as client:
        assert client.run("!0") == []
        assert client.run("?SELECT sum(paid) AS n FROM crm.visits")[2] is None


def test_what_was_asked_is_told_and_only_read(client: Client, server: tuple[str, Path]) -> None:
    asked = "average paid of visits per city of the person"
    sql = client.run(f"SELECT ask_sql('{asked}')")[0][0]
    assert "FROM crm." in sql
    assert client.run(f"SELECT detail FROM ask_trace('{asked}') WHERE step = 'push'") == [
        ["crm answered the whole query in its own SQL"]
    ]
    plan = client.run(f"EXPLAIN SELECT * FROM ask('{asked}')")
    assert "POSTGRES_QUERY" in str(plan)
    assert "POSTGRES_QUERY" not in str(client.run(f"EXPLAIN {sql}"))
    assert sorted(client.run(f"SELECT * FROM ask('{asked}')"), key=str) == sorted(client.run(sql), key=str)
    client.run("?SELECT set_config('a', 'b', false) AS c FROM crm.visits")
    assert "set_config('a'" not in server[1].read_text()


def test_the_server_stops_in_time(server: tuple[str, Path]) -> None:
    tables = ", ".join(f"crm.visits v{n}" for n in range(6))
    with contextlib.closing(Client(attach={"crm": f"postgres:{server[0]}"}, query_timeout=1)) as client:
        client.run("!0")
        pin = f"SELECT ask_pin('slow', 'SELECT sum(v0.paid * v5.paid) AS s FROM {tables}')"
        assert "the query was stopped" in str(client.run(pin))
    assert "canceling statement due to statement timeout" in server[1].read_text()
