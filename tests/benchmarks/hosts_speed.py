"""The loadable extension in the sqlite3 shell: rows a second of a large answer, and what one question costs.

    python tests/benchmarks/hosts_speed.py

Printed first is the time of a query of a million rows, run directly, over that of the same rows through `ask()` and
through a table made by CREATE VIRTUAL TABLE, for three ways that the shell writes rows (to /dev/null): 1.00 is no
overhead. The three are run in turn, and the median ratio counts. Then the milliseconds that the reader's questions
take on the sample database, by a connection of Debian's Python, each question asked for the first time, the first one,
which starts the worker, apart.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import tempfile
from pathlib import Path

from askwhere.bindings import sample
from askwhere.bindings.loadable import library as native

ROWS = 1_000_000
ROUNDS = 7
FACTS = (
    f"CREATE TABLE facts AS WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < {ROWS})"
    " SELECT i AS id, 'name ' || (i % 1000) AS name, i * 0.5 AS amount FROM k"
)
SQL = "SELECT id, name, amount FROM facts"
WAYS = {"directly": SQL, "ask()": "SELECT * FROM ask('every fact')", "virtual table": "SELECT * FROM kept"}
MODES = ("list", "csv", "json")
QUESTIONS = (
    "How many rivers are there?", "How many lakes are there?", "top 5 cities by population", "rivers in Brazil",
    "cities of Japan", "number of countries per continent", "How many cities are there?", "countries in Europe",
    "How many countries are there?", "top 10 cities by population", "lakes in Canada",
    "mountains higher than 8000 m", "How many mountains are there?", "What languages are spoken in Switzerland?",
    "Which countries have no rivers?", "cities in France", "number of rivers per country", "top 3 lakes by area",
)  # fmt: skip
ASKING = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.enable_load_extension(True)
connection.load_extension(sys.argv[2])
for question in sys.argv[3:]:
    started = time.perf_counter()
    try:
        connection.execute("SELECT * FROM ask(?)", (question,)).fetchall()
    except sqlite3.Error as exc:
        print(question, exc, file=sys.stderr)
    print(1000 * (time.perf_counter() - started))
"""


def shell(database: Path, lines: list[str]) -> list[float]:
    """Return seconds of each statement of a script."""
    script = "\n".join((f".load {native.extension_path()}", ".timer on", ".output /dev/null", *lines))
    ran = subprocess.run(["sqlite3", database], input=script, capture_output=True, text=True, check=True)
    if ran.stderr:
        raise SystemExit(ran.stderr)
    return [float(seconds) for seconds in re.findall(r"real ([\d.]+)", ran.stdout)]


def throughput(folder: Path) -> None:
    """Print the ratios of a million rows."""
    database = folder / "facts.db"
    pin = f"SELECT ask_pin('every fact', '{SQL}');"
    shell(database, [f"{FACTS};", pin, "CREATE VIRTUAL TABLE kept USING ask('every fact');"])
    for mode in MODES:
        lines = [f".mode {mode}", "SELECT * FROM ask('every fact') LIMIT 1;"]
        lines += [f"{sql};" for _ in range(ROUNDS) for sql in WAYS.values()]
        found = shell(database, lines)[1:]
        rounds = [found[i : i + len(WAYS)] for i in range(0, len(found), len(WAYS))]
        for place, way in enumerate(WAYS):
            ratio = statistics.median(times[0] / times[place] for times in rounds)
            rate = statistics.median(ROWS / times[place] for times in rounds)
            print(f"{mode:5} {way:14} {rate:12,.0f} rows/s   {ratio:.2f} of the direct rate")


def overhead(folder: Path) -> None:
    """Print the milliseconds of the reader's questions."""
    database = folder / "world.db"
    sample.build_sqlite(database)
    command = ["/usr/bin/python3", "-c", ASKING, database, native.extension_path(), *QUESTIONS]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    first, *others = [float(line) for line in ran.stdout.split()]
    print(ran.stderr, end="")
    print(f"first question {first:.0f} ms, median of {len(others)} others {statistics.median(others):.1f} ms", end="")
    print(f", slowest {max(others):.1f} ms")


def main() -> None:
    """Print both."""
    with tempfile.TemporaryDirectory() as folder:
        throughput(Path(folder))
        overhead(Path(folder))


if __name__ == "__main__":
    main()
