"""What questions cost in a database of 1,000 tables: the first, others, and one repeated, beside one of 100 tables.

    python tests/benchmarks/many_tables.py [--tables 1000]
    build/serving/bin/python tests/benchmarks/many_tables.py --postgres [--tables 1000]

It is the sample database with as many other tables, a DuckDB file: attached to another database, and then opened
itself, in the same process. With `--postgres` the tables are in a PostgreSQL that is attached (`make serving` and
`make servers` install what that needs). Printed is processor time of this process, which other work on the machine
hardly changes, and how many times that is of the same question's among a tenth of the tables.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import askwhere
import duckdb
from askwhere.bindings import sample
from askwhere.bindings.duckdb.extensions import load

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from servers import running_postgres

QUESTIONS = (
    ("the first question", "how many rivers are there"),
    ("a new one", "top 3 countries by population"),
    ("a new one", "how many cities per country"),
    ("a repeated one", "top 3 countries by population"),
)
TABLE = """
CREATE TABLE log_{0} (log_{0}_id INTEGER PRIMARY KEY, made_on DATE, entry VARCHAR, remark_{0} VARCHAR, duration DOUBLE);
INSERT INTO log_{0} VALUES (1, '2024-01-02', 'begun', 'a remark on {0}', 10), (2, '2024-02-03', 'ended', 'none', 5);
"""


def made(file: Path, tables: int) -> Path:
    """Make the database, and return its file."""
    sample.build_duckdb(file)
    with duckdb.connect(str(file)) as connection:
        connection.execute("".join(TABLE.format(f"{n:04}") for n in range(tables)))
    return file


def costs(file: Path) -> dict[str, list[float]]:
    """Return the seconds of processor time of each question, by how the database is opened."""
    with duckdb.connect(":memory:") as attached:
        attached.execute(f"ATTACH '{file}' AS far (READ_ONLY)")
        askwhere.register(attached)
        found = {"attached": [seconds(attached, question) for _, question in QUESTIONS]}
    with askwhere.connect(file) as connection:
        return found | {"in the file": [seconds(connection, question) for _, question in QUESTIONS]}


def costs_on_server(folder: Path, tables: int) -> dict[str, list[float]]:
    """Return the same for tables in a PostgreSQL that is started for them."""
    file = made(folder / "copied.duckdb", tables)
    with running_postgres(folder / "server") as port, duckdb.connect(str(file)) as connection:
        at = f"host=127.0.0.1 port={port} user=asker dbname=postgres"
        load(connection, "postgres_scanner")
        connection.execute(f"ATTACH '{at}' AS far (TYPE postgres)")
        # DuckDB itself makes no tables with foreign keys in an attached database.
        for name, sql in connection.execute(
            "SELECT table_name, sql FROM duckdb_tables() WHERE database_name = 'copied' ORDER BY table_oid"
        ).fetchall():
            connection.execute("CALL postgres_execute('far', ?)", [sql.replace(" DOUBLE", " DOUBLE PRECISION")])
            connection.execute(f"INSERT INTO far.{name} FROM copied.{name}")
        connection.execute("DETACH far")
        with askwhere.connect(attach={"far": f"postgres:{at}"}) as asked:
            return {"in PostgreSQL": [seconds(asked, question) for _, question in QUESTIONS]}


def seconds(connection: duckdb.DuckDBPyConnection, question: str) -> float:
    """Return the processor time of a question."""
    began = time.process_time()
    askwhere.ask(connection, question)
    return time.process_time() - began


def main() -> None:
    """Print a line for each question."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1_000)
    parser.add_argument("--postgres", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        costs(made(Path(folder, "none.duckdb"), 0))  # modules are imported
        if given.postgres:
            few, many = (
                costs_on_server(Path(tempfile.mkdtemp(dir=folder)), tables)
                for tables in (given.tables // 10, given.tables)
            )
        else:
            few = costs(made(Path(folder, "few.duckdb"), given.tables // 10))
            many = costs(made(Path(folder, "many.duckdb"), given.tables))
    for way, found in many.items():
        for (said, _), cost, before in zip(QUESTIONS, found, few[way], strict=True):
            print(f"{way}, {said}: {cost:.2f} s of processor time, {cost / before:.1f} times that of few tables")


if __name__ == "__main__":
    main()
