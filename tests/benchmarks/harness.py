"""Measure the evaluation's harness beside a plain loop that asks and compares the same queries.

    python tests/benchmarks/harness.py          # questions a second of both, and their ratio

Both ask a model that replies at once with gold, by the method `sea`, of SQLite databases that they open themselves. The
loop is what one would write by hand, in one process: `askwhere.ask`, then gold, then whether both gave the same rows.
The harness has two workers, computes all scores, keeps every reply in its cache and writes its file.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import askwhere
from askwhere.bindings.opening import open_database
from askwhere.evaluation import plans, runner, sets
from askwhere.evaluation.cache import Cache
from askwhere.evaluation.plans import Plan, Request
from askwhere.evaluation.sets import Item

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import Told

DATA = Path(os.environ.get("ASKWHERE_DATA", Path(__file__).parents[2] / "../shared/data"))


def loop(plan: Plan) -> int:
    """Ask every question and compare its rows with gold's; gives how many are the same."""
    right, opened = 0, ""
    for item in plan.items:
        if item.db_id != opened:
            connection = askwhere.connect(plan.paths[item.db_id], read_only=True, **plan.settings)
            gold, opened = sqlite3.connect(plan.paths[item.db_id]), item.db_id
            gold.text_factory = lambda text: text.decode(errors="ignore")
        try:
            rows = askwhere.ask(connection, item.question).rows
        except askwhere.AskError:
            continue
        right += set(rows) == set(gold.execute(item.gold).fetchall())
    return right


def timed(plan: Plan, workers: int) -> tuple[float, float]:
    """Return seconds of the loop and of the harness."""
    started = time.perf_counter()
    same = loop(plan)
    by_hand = time.perf_counter() - started
    with tempfile.TemporaryDirectory() as folder, Cache(Path(folder) / "cache.db") as cache:
        started = time.perf_counter()
        run, _ = runner.run(plan, open_database, Path(folder) / "run.jsonl", workers, cache)
        harness = time.perf_counter() - started
    print(
        f"right: {same:,} in the loop by sets of rows, {sum(map(run.right, run.records)):,} in the harness by Spider EX"
    )
    return by_hand, harness


def main() -> None:
    """Time both and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3)
    parsed = parser.parse_args()
    items = sets.read(DATA / "spider", parsed.split)
    model = Told(_unambiguous(items))
    request = Request(DATA / "spider", split=parsed.split, settings={"model": model, "method": "sea"})
    plan = plans.plan(request, open_database)
    plan = replace(plan, items=tuple(item for item in plan.items if item.question in model.replies))
    for _ in range(parsed.repeat):
        by_hand, harness = timed(plan, parsed.workers)
        count = len(plan.items)
        print(
            f"{count:,} questions: loop {count / by_hand:.1f} a second, harness with {parsed.workers} workers"
            f" {count / harness:.1f} a second: {by_hand / harness:.2f} of the loop"
        )


def _unambiguous(items: Sequence[Item]) -> dict[str, str]:
    """Return gold by question, without questions that have several queries, and queries that the guard refuses.

    Those have texts in double quotes, which it takes for the names that they would be elsewhere.
    """
    found: dict[str, set[str]] = {}
    for item in items:
        found.setdefault(item.question, set()).add(item.gold)
    return {
        question: next(iter(golds))
        for question, golds in found.items()
        if len(golds) == 1 and '"' not in next(iter(golds))
    }


if __name__ == "__main__":
    main()
