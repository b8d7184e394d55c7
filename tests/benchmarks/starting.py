"""What a command costs when it starts: processor time, beside that of Python alone and of a plain SQLite query.

    python tests/benchmarks/starting.py

Each line is the least of several runs, in milliseconds of processor time, with the ratio to `python -c pass` and to
`python -c` with a plain query of the same file through `sqlite3`. Modules are compiled in a first run.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from askwhere.bindings import sample

RUNS = 15
QUESTION = "how many countries are there"
QUERY = "import sqlite3; print(sqlite3.connect({!r}).execute('SELECT count(*) FROM countries').fetchall())"


def milliseconds(command: Sequence[str]) -> float:
    """Return the least processor time of a command over the runs, of which the first does not count."""
    found = []
    for _ in range(RUNS + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        # What runs these benchmarks may tell Python to keep no compiled modules; a user's Python does.
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        subprocess.run(command, check=True, capture_output=True, env=kept)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return min(found[1:]) * 1_000


def main() -> None:
    """Print a line a command."""
    with tempfile.TemporaryDirectory() as folder:
        sqlite, duckdb = Path(folder) / "world.db", Path(folder) / "world.duckdb"
        sample.build_sqlite(sqlite)
        sample.build_duckdb(duckdb)
        python, asking = [sys.executable], [sys.executable, "-m", "askwhere"]
        commands = {
            "python -c pass": [*python, "-c", "pass"],
            "a plain query": [*python, "-c", QUERY.format(str(sqlite))],
            "import askwhere": [*python, "-c", "import askwhere"],
            "askwhere --help": [*asking, "--help"],
            "askwhere ask, SQLite": [*asking, "ask", str(sqlite), QUESTION],
            "askwhere ask, DuckDB": [*asking, "ask", str(duckdb), QUESTION],
        }
        took = {name: milliseconds(command) for name, command in commands.items()}
    bare, plain = took["python -c pass"], took["a plain query"]
    for name, spent in took.items():
        print(f"{name:22} {spent:6.0f} ms  {spent / bare:5.1f} times Python  {spent / plain:5.1f} times a plain query")


if __name__ == "__main__":
    main()
