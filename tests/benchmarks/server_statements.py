"""How many statements PostgreSQL gets for a question, by its own log: the first, others, and one repeated.

    build/serving/bin/python tests/benchmarks/server_statements.py [--tables 100]

Needs `make servers` and `make serving`. The server has a shop, and as many other tables. Counts do not depend on what
else the machine does.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import askwhere
import duckdb

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from servers import running_postgres

SHOP = """
CREATE TABLE client (id INTEGER PRIMARY KEY, name VARCHAR(20), country VARCHAR(20));
CREATE TABLE deal (number INTEGER PRIMARY KEY, client_id INTEGER REFERENCES client (id), amount DOUBLE PRECISION);
INSERT INTO client VALUES (1, 'Ann', 'Canada'), (2, 'Bo', 'Norway');
INSERT INTO deal VALUES (1, 1, 10), (2, 1, 20), (3, 2, 5);
"""
LOG = "CREATE TABLE log_{0} (log_{0}_id INTEGER PRIMARY KEY, made_on DATE, entry VARCHAR(20), remark_{0} VARCHAR(20));"
QUESTIONS = (
    ("the first question", "total amount per country"),
    ("a new one", "how many clients in Norway"),
    ("a new one", "top 3 clients by total amount"),
    ("a repeated one", "total amount per country"),
)


def statements(log: Path) -> int:
    """Return how many statements the server has logged."""
    return log.read_text("utf-8", "replace").count("LOG:  statement: ")


def main() -> None:
    """Make the database, and ask its questions without and with an index."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running_postgres(Path(folder)) as port:
        at = f"host=127.0.0.1 port={port} user=asker dbname=postgres"
        (Path(folder) / "make.sql").write_text(f"ATTACH '{at}' AS made (TYPE postgres);")
        with askwhere.connect(":memory:", init=Path(folder) / "make.sql") as made:
            for statement in (
                SHOP + "".join(LOG.format(f"{n:04}") for n in range(given.tables)),
                "ALTER ROLE asker SET log_statement = 'all'",
            ):
                made.execute("CALL postgres_execute('made', ?)", [statement])
        for said in ("", ", with an index"):
            kept = Path(folder) / "kept.duckdb"
            with askwhere.connect(":memory:", attach={"crm": f"postgres:{at}"}, keep=kept) as connection:
                count(connection, Path(folder) / "log", said)
                connection.execute("SELECT ask_index()")


def count(connection: duckdb.DuckDBPyConnection, log: Path, how: str) -> None:
    """Print a line for each question."""
    for said, question in QUESTIONS:
        before = statements(log)
        answer = askwhere.ask(connection, question)
        asked = statements(log) - before
        connection.execute(answer.sql).fetchall()
        alone = statements(log) - before - asked
        print(f"{said}{how}: {asked} statements; its query alone: {alone}")


if __name__ == "__main__":
    main()
