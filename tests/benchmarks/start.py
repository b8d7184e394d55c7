"""Measure what it takes to start `askwhere` and to ask one question, in processor time.

    python tests/benchmarks/start.py [--runs 15]      # the least and the median seconds of each line

Each line is a process of its own, user and system time together; the lines are run in turn, so that other work on the
machine meets them alike. Python alone, and what only imports an engine and the packages that no question does without,
stand beside the commands. The questions are about the sample database, which is built first.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from askwhere.bindings import sample

QUESTION = "How many rivers are there?"
OTHERS = "import numpy, sqlglot, rapidfuzz, Stemmer"
LINES = {
    "python -c pass": ["-c", "pass"],
    "askwhere --help": ["-m", "askwhere", "--help"],
    "import apsw and other packages": ["-c", f"import apsw; {OTHERS}"],
    "askwhere ask world.db": ["-m", "askwhere", "ask", "world.db", QUESTION],
    "import duckdb and other packages": ["-c", f"import duckdb; {OTHERS}"],
    "askwhere ask world.duckdb": ["-m", "askwhere", "ask", "world.duckdb", QUESTION],
}


def seconds(arguments: list[str], folder: Path) -> float:
    """Return the processor seconds of one process."""
    # Without compiled modules each start would compile all of them. `askwhere` sets numpy's threads itself.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment | {"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> None:
    """Print a line for each command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sample.build_sqlite(folder / "world.db")
        sample.build_duckdb(folder / "world.duckdb")
        for arguments in LINES.values():  # compiles what is not compiled
            seconds(arguments, folder)
        measured = [[seconds(arguments, folder) for arguments in LINES.values()] for _ in range(runs)]
    for line, taken in zip(LINES, zip(*measured, strict=True), strict=True):
        print(f"{line:34}{min(taken):6.3f}{statistics.median(taken):7.3f}")


if __name__ == "__main__":
    main()
