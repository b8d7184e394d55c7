"""What the guard costs a question: the time to check a query, beside the time in which the engine itself answers it.

    python tests/benchmarks/guard_speed.py            (about a minute; needs $ASKWHERE_DATA/samples/chinook.sqlite)

Thirty queries of chinook are checked, and run without askwhere, in turn, in SQLite and in DuckDB. Of each query the
quickest of several rounds counts, as other work on the machine makes the others slower. Printed are the medians over
the queries: milliseconds of the engine's own EXPLAIN, which parses and binds a query, of running it, of the check, and
of the check with a trial that reads all rows; and how many times as long the check takes as EXPLAIN and as running.
With `isolation = 'process'` the way to the other process and back is included.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import askwhere
import duckdb
from askwhere.bindings import connections
from askwhere.bindings.copying import copy
from askwhere.display import table
from askwhere.engine import Limits

DATA = Path(os.environ.get("ASKWHERE_DATA", Path(__file__).parents[2] / "../shared/data"))
CHINOOK = DATA / "samples" / "chinook.sqlite"
COLUMNS = ("engine", "isolation", "EXPLAIN", "run", "check", "check / EXPLAIN", "check / run", "check and trial")
QUERIES = """
SELECT count(*) FROM Customer
SELECT count(*) FROM Customer WHERE Country = 'Brazil'
SELECT Name FROM Genre ORDER BY Name
SELECT DISTINCT Country FROM Customer ORDER BY 1
SELECT Title FROM Album WHERE Title LIKE '%love%'
SELECT avg(Total), max(Total), min(Total) FROM Invoice
SELECT Name, UnitPrice FROM Track ORDER BY Milliseconds DESC LIMIT 10
SELECT BillingCountry, sum(Total) AS total FROM Invoice GROUP BY BillingCountry ORDER BY total DESC
SELECT BillingCity FROM Invoice GROUP BY BillingCity HAVING count(*) > 10
SELECT Composer, count(*) AS n FROM Track WHERE Composer IS NOT NULL GROUP BY Composer ORDER BY n DESC LIMIT 5
SELECT Title FROM Album a JOIN Artist r ON r.ArtistId = a.ArtistId WHERE r.Name = 'AC/DC'
SELECT g.Name, count(*) AS n FROM Track t JOIN Genre g ON g.GenreId = t.GenreId GROUP BY g.Name
SELECT p.Name, count(*) AS n FROM Playlist p JOIN PlaylistTrack t USING (PlaylistId) GROUP BY p.Name
SELECT c.FirstName, c.LastName, sum(i.Total) AS spent FROM Customer c JOIN Invoice i ON i.CustomerId = c.CustomerId GROUP BY 1, 2 ORDER BY spent DESC LIMIT 3
SELECT e.LastName, count(*) AS n FROM Employee e JOIN Customer c ON c.SupportRepId = e.EmployeeId GROUP BY e.LastName
SELECT r.Name, count(*) AS n FROM Artist r JOIN Album a USING (ArtistId) JOIN Track t USING (AlbumId) GROUP BY r.Name ORDER BY n DESC LIMIT 5
SELECT m.Name, sum(t.Bytes) AS bytes FROM MediaType m JOIN Track t ON t.MediaTypeId = m.MediaTypeId GROUP BY m.Name
SELECT c.LastName, m.LastName AS manager FROM Employee c LEFT JOIN Employee m ON m.EmployeeId = c.ReportsTo
SELECT Name FROM Artist WHERE ArtistId NOT IN (SELECT ArtistId FROM Album) ORDER BY Name
SELECT Name FROM Artist r WHERE EXISTS (SELECT 1 FROM Album a WHERE a.ArtistId = r.ArtistId AND a.Title LIKE 'The%')
SELECT Name FROM Track WHERE Milliseconds > (SELECT avg(Milliseconds) FROM Track) ORDER BY Name LIMIT 20
SELECT Country FROM Customer UNION SELECT Country FROM Employee ORDER BY 1
SELECT BillingCountry FROM Invoice EXCEPT SELECT Country FROM Employee ORDER BY 1
WITH spent AS (SELECT CustomerId, sum(Total) AS s FROM Invoice GROUP BY CustomerId) SELECT avg(s) FROM spent
WITH sold AS (SELECT TrackId, sum(Quantity) AS n FROM InvoiceLine GROUP BY TrackId) SELECT t.Name, n FROM sold JOIN Track t USING (TrackId) ORDER BY n DESC, 1 LIMIT 5
SELECT CASE WHEN Total > 10 THEN 'large' WHEN Total > 5 THEN 'middle' ELSE 'small' END AS size, count(*) AS n FROM Invoice GROUP BY 1
SELECT BillingCountry, Total, rank() OVER (PARTITION BY BillingCountry ORDER BY Total DESC) AS place FROM Invoice
SELECT round(100.0 * sum(CASE WHEN Composer IS NULL THEN 1 ELSE 0 END) / count(*), 1) AS share FROM Track
SELECT upper(substr(LastName, 1, 1)) AS letter, count(*) AS n FROM Customer GROUP BY letter ORDER BY letter
SELECT g.Name, avg(l.UnitPrice * l.Quantity) AS mean FROM InvoiceLine l JOIN Track t ON t.TrackId = l.TrackId JOIN Genre g ON g.GenreId = t.GenreId WHERE l.Quantity > 0 GROUP BY g.Name HAVING count(*) > 5 ORDER BY mean DESC
"""  # noqa: E501


def milliseconds(work: Callable[[], Any]) -> float:
    """Return the milliseconds of one run."""
    started = time.perf_counter()
    work()
    return 1_000 * (time.perf_counter() - started)


def measured(path: Path, isolation: str, rounds: int) -> Iterator[tuple[float, ...]]:
    """Yield the milliseconds of EXPLAIN, run, check, and check with trial, for each query."""
    plain: Any = duckdb.connect(str(path), read_only=True) if path.suffix == ".duckdb" else apsw.Connection(str(path))
    asked = askwhere.connect(path, read_only=True, isolation=isolation)
    engine, session = connections.engine(asked), connections.session(asked)
    grant = session.catalog(engine).grant
    checking = engine.isolated() if isolation else engine
    for sql in QUERIES.strip().splitlines():
        ways: tuple[Callable[[], Any], ...] = (
            lambda sql=sql: plain.execute(f"EXPLAIN {sql}").fetchall(),
            lambda sql=sql: plain.execute(sql).fetchall(),
            lambda sql=sql: checking.check(sql, grant),
            lambda sql=sql: checking.run(checking.check(sql, grant), grant, Limits()),
        )
        found = [[milliseconds(way) for way in ways] for _ in range(rounds)]
        yield tuple(map(min, zip(*found, strict=True)))
    plain.close()
    asked.close()


def row(path: Path, isolation: str, rounds: int) -> tuple[str, ...]:
    """Return a row of the table."""
    found = list(measured(path, isolation, rounds))
    times = [statistics.median(column) for column in zip(*found, strict=True)]
    ratios = [statistics.median(one[2] / one[beside] for one in found) for beside in (0, 1)]
    return (
        "DuckDB" if path.suffix == ".duckdb" else "SQLite",
        isolation or "none",
        *(f"{time:.2f} ms" for time in times[:3]),
        *(f"{ratio:.1f}" for ratio in ratios),
        f"{times[3]:.2f} ms",
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parsed = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder) / "chinook.duckdb"
        with duckdb.connect(str(copied)) as target:
            copy(sqlite3.connect(CHINOOK), target)
        rows = [row(path, way, parsed.rounds) for path in (CHINOOK, copied) for way in ("", "process")]
    print(table(COLUMNS, rows))


if __name__ == "__main__":
    main()
