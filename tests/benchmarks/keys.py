"""How many of the foreign keys of Spider's train databases are suggested where none is declared, and how many are true.

    .venv/bin/python tests/benchmarks/keys.py

Needs the data at $ASKWHERE_DATA. A database's own keys are hidden, and are what is true; where a database does not
declare one, its suggestion counts as wrong.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

import askwhere
from askwhere.bindings import connections
from askwhere.indexer import guessing, keys, suggesting

SECONDS = 1.0  # for each comparison


def counted(path: Path) -> Counter[str]:
    """Return how many keys of a database are declared, and how many are suggested and true, by names and by data."""
    found = Counter[str]()
    with contextlib.closing(askwhere.connect(str(path), read_only=True)) as connection:
        engine = connections.engine(connection)
        catalog = connections.session(connection).catalog(engine)
        declared = {
            (keys.text((t.name,), key.columns).lower(), keys.text((key.target[-1],), key.target_columns).lower())
            for t in catalog.tables
            for key in t.foreign_keys
            if not key.guessed and len(key.columns) == 1 and t.path != key.target
        }
        bare = [replace(table, foreign_keys=()) for table in catalog.tables]
        guesses = guessing.guessed(bare)
        tables = tuple(replace(table, foreign_keys=guesses[table.path]) for table in bare)
        found["declared"] = len(declared)
        for one in suggesting.suggested(engine, replace(catalog, tables=tables), seconds=SECONDS):
            true = (one.key.lower(), one.refers_to.lower()) in declared
            found[one.why] += 1
            found[f"{one.why}, true"] += true
    return found


def main() -> None:
    """Print the counts."""
    data = Path(os.environ["ASKWHERE_DATA"], "spider")
    names = {json.loads(line)["db_id"] for line in (data / "syn_train.jsonl").read_text("utf-8").splitlines()}
    paths = [path for name in sorted(names) for path in sorted((data / "databases" / name).glob("*.sqlite"))]
    total = Counter[str]()
    for path in paths:
        total += counted(path)
    print(f"{len(paths)} databases:", ", ".join(f"{name}: {number}" for name, number in sorted(total.items())))


if __name__ == "__main__":
    main()
