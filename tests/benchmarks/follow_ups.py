"""How many of the follow-up questions of tests/follow_ups.jsonl the reader answers, and how many rightly.

    python tests/benchmarks/follow_ups.py [--all]

An answer is right if its rows are those of the gold query, in any order: the order of equals is open. `--all` prints
each question that is not answered rightly. It needs the databases in $ASKWHERE_DATA/samples.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import askwhere
from askwhere import AskError
from askwhere.bindings import connections
from askwhere.engine import Engine, Limits
from askwhere.pipeline.outcomes import Outcome, of_rows, same

QUESTIONS = Path(__file__).resolve().parent.parent / "follow_ups.jsonl"


def outcomes(samples: Path) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Yield each question with its outcome, 'right', 'wrong' or 'refused', and its query or the error."""
    for line in QUESTIONS.read_text("utf-8").splitlines():
        item = json.loads(line)
        connection = askwhere.connect(samples / f"{item['db']}.sqlite", read_only=True)
        engine = connections.engine(connection)
        try:
            answer = askwhere.ask(connection, item["question"], follows=item["follows"])
        except AskError as exc:
            yield item, "refused", str(exc).split(" To have", 1)[0]
        else:
            gold = _outcome(connection, engine, item["sql"])
            right = same(_outcome(connection, engine, answer.sql), gold)
            yield item, "right" if right else "wrong", answer.candidates[0].sql
        finally:
            connection.close()


def _outcome(connection: Any, engine: Engine, sql: str) -> Outcome:
    grant = connections.session(connection).catalog(engine).grant
    return of_rows(engine.run(engine.check(sql, grant), grant, Limits(rows=100_000)), "SELECT 1", engine.dialect)


def main() -> None:
    """Print the totals."""
    samples = Path(os.environ.get("ASKWHERE_DATA", Path(__file__).resolve().parents[3] / "shared" / "data")) / "samples"
    found: Counter[str] = Counter()
    for item, outcome, said in outcomes(samples):
        found[outcome] += 1
        if "--all" in sys.argv and outcome != "right":
            print(f"{outcome}: {' / '.join([*item['follows'], item['question']])}\n    {said}")
    print(f"{sum(found.values())} follow-ups: " + ", ".join(f"{n} {outcome}" for outcome, n in sorted(found.items())))


if __name__ == "__main__":
    main()
