"""What the reader's confidence is worth, on questions of Spider that it did not learn from.

    python tests/benchmarks/confidence.py

Right is Spider's test-suite execution match (`askwhere.evaluation.spider`); a question whose readings tie has no
answer.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from askwhere.errors import Unread
from askwhere.evaluation import spider
from askwhere.evaluation.statistics import calibration
from askwhere.reader import read
from databases import Databases, questions


def read_set(name: str) -> list[tuple[float, bool]]:
    """Return the reader's answers to a set: confidence, and whether it is right."""
    databases, found = Databases(), []
    for question in questions(name, "sqlite"):
        database = databases.database(question["db_id"], "sqlite")
        try:
            readings = read(question["question"], database.catalog, database.values, "sqlite")
        except Unread:
            continue
        if len(readings) > 1:
            continue
        rows = database.run(spider.prepared("", readings[0].sql)[1], "sqlite")
        gold = databases.expected(database, question["db_id"], question["sql"])
        right = None not in (rows, gold) and spider.equal(gold, rows, spider.ordered(question["sql"]))
        found.append((readings[0].confidence, right))
    return found


def judge_set(name: str) -> None:
    """Print a reliability table of a set."""
    answers = read_set(name)
    found = calibration(answers)
    print(f"\n{name}: {len(answers)} answers, error {found.ece:.3f}, Brier score {found.brier:.3f}")
    print("confidence    answers   mean   right")
    for one in found.bins:
        print(f"{one.low:.1f} to {one.high:.1f}    {one.count:7}   {one.confidence:.2f}   {one.right:.2f}")


def main() -> None:
    """Judge each set that is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", default="dev,realistic", help="dev, realistic, syn_dev, dk")
    for name in parser.parse_args().set.split(","):
        judge_set(name)


if __name__ == "__main__":
    main()
