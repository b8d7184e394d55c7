"""The published table: how the built-in reader does on Spider's sets and on questions of our own.

    python tests/benchmarks/evaluation.py           # prints the table, and writes it into docs/evaluation.md
    python tests/benchmarks/evaluation.py --only "our own, held out"           # prints the rows of this set alone

Each row is a run of `askwhere eval`, asked anew. Rows without wta_1 are of the same runs: that database is rebuilt.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import askwhere
import duckdb
from askwhere.bindings.opening import open_database
from askwhere.evaluation import plans, runner, summary
from askwhere.evaluation.plans import Request
from askwhere.evaluation.records import Run

sys.path.insert(0, str(Path(__file__).parents[1]))
from held_out import DATABASES, QUESTIONS, build

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("ASKWHERE_DATA", ROOT / "../shared/data"))
PAGE = ROOT / "docs" / "evaluation.md"
SPIDER = {"dev": "Spider dev", "realistic": "Spider-Realistic", "syn_dev": "Spider-Syn dev", "dk": "Spider-DK"}
SAMPLES, HELD_OUT = "our own on samples", "our own, held out"
# Practice questions by their name in the table: the files, and whether they are about the databases in `NEVER_READ`.
PRACTICE = {
    "practice, developed on": ("questions-[ab].jsonl", False),
    "practice, kept back": ("questions-[ab].jsonl", True),
    "harder practice, developed on": ("questions-[cd].jsonl", False),
    "harder practice, kept back": ("questions-[cd].jsonl", True),
    "models' practice, first part": ("questions-e.jsonl", False),
    "models' practice, second part": ("questions-f.jsonl", False),
}
# The databases whose failures nobody who develops the reader looks at.
NEVER_READ = tuple(
    "cattle_coop cinema_chain city_permits course_school exam_office grid_operator gym_chain housing library_network"
    " podcast_network publishing_house solar_installer support_desk vet_clinics".split()
)
REBUILT = "wta_1"
BEGIN, END = "<!-- the reader's table -->", "<!-- end of the reader's table -->"
HEAD = """
| questions | engine | asked | answered | right of these | Spider EX | our EX |
|---|---|---:|---:|---:|---:|---:|
"""


def requests(engine: str, folder: Path) -> Iterator[tuple[str, Request]]:
    """Yield the runs, each with its name in the table; the databases of the held-out questions are made in `folder`."""
    settings = {"model": "reader"}
    for split, name in SPIDER.items():
        yield name, Request(DATA / "spider", split=split, engine=engine, settings=settings)
    own, samples = ROOT / "tests" / "sample_questions.jsonl", DATA / "samples"
    yield SAMPLES, Request(own, databases=samples, engine=engine, settings=settings)
    made = folder / engine
    made.mkdir()
    for file in DATABASES:
        build(file, made, engine)
    yield HELD_OUT, Request(QUESTIONS, databases=made, engine=engine, settings=settings, score="spider_ex")
    exercises = folder / f"practice-{engine}"
    exercises.mkdir()
    for file in sorted((ROOT / "tests" / "practice" / "databases").glob("*.sql")):
        build(file, exercises, engine)
    for name, (pattern, back) in PRACTICE.items():
        lines = (x for file in sorted((ROOT / "tests/practice").glob(pattern)) for x in file.open(encoding="utf-8"))
        file = folder / f"{engine} {name}.jsonl"
        file.write_text("".join(x for x in lines if (json.loads(x)["db_id"] in NEVER_READ) is back), "utf-8")
        yield name, Request(file, databases=exercises, engine=engine, settings=settings, score="spider_ex")


def rows(name: str, engine: str, run: Run) -> Iterator[str]:
    """Yield the lines of a run: of all questions, and of those about original databases."""
    yield _row(name, engine, run)
    kept = tuple(record for record in run.records if record.db_id != REBUILT)
    if len(kept) < len(run.records):
        yield _row(f"… without {REBUILT}", engine, replace(run, records=kept))


def _row(name: str, engine: str, run: Run) -> str:
    found = summary.summary(run)
    measures = ("answered", "right_of_answered", "spider_ex", "own_ex")
    cells = [_cell(found["figures"][measure]["all"]) for measure in measures]
    return f"| {name} | {engine} | {found['questions']:,} | {' | '.join(cells)} |"


def _cell(figure: dict[str, Any]) -> str:
    return f"{figure['percent']:.1f} ({figure['low']:.1f} to {figure['high']:.1f})"


def main() -> None:
    """Make the runs, print the table, and write it into the documentation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--print", action="store_true", help="leave the documentation as it is")
    parser.add_argument(
        "--only",
        choices=(*SPIDER.values(), SAMPLES, HELD_OUT, *PRACTICE),
        help="print the rows of this set alone",
    )
    parsed = parser.parse_args()
    started, lines = time.monotonic(), []
    with tempfile.TemporaryDirectory() as folder:
        for engine in ("sqlite", "duckdb"):
            for name, request in requests(engine, Path(folder)):
                if parsed.only not in (None, name):
                    continue
                path = Path(folder) / f"{engine}-{request.set.name}-{request.split}.jsonl"
                run, _ = runner.run(plans.plan(request, open_database), open_database, path, parsed.workers)
                lines += rows(name, engine, run)
                print(f"{name}, {engine}: {len(run.records):,} asked", flush=True)
    if parsed.only:
        print(*lines, sep="\n")
        return
    seconds = time.monotonic() - started
    about = (
        f"Made by `make evaluation` in {seconds / 60:.1f} minutes on {parsed.workers} cores, with askwhere"
        f" {askwhere.__version__}, SQLite {apsw.sqlite_lib_version()} and DuckDB {duckdb.__version__}. Shares are in"
        " percent, with 95 % intervals."
    )
    table = f"{BEGIN}\n{HEAD.strip()}\n" + "\n".join(lines) + f"\n\n{about}\n{END}"
    print(table)
    if not parsed.print:
        text = PAGE.read_text("utf-8")
        PAGE.write_text(re.sub(f"{BEGIN}.*{END}", lambda _: table, text, flags=re.DOTALL), "utf-8")


if __name__ == "__main__":
    main()
