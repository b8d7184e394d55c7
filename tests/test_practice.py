"""The gold of the practice questions: it runs in both engines, gives rows, and the same rows."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))
from askwhere.bindings.opening import open_database
from askwhere.evaluation import gold, sets
from askwhere.evaluation.judge import judging
from evaluation import NEVER_READ
from held_out import build

FOLDER = Path(__file__).parent / "practice"
DATABASES = tuple(sorted((FOLDER / "databases").glob("*.sql")))
STEP = 3  # of the databases, and of the questions of each: all of them take minutes
UNORDERED = "SELECT 1"  # rows of which ORDER BY puts none first come in one order or another in DuckDB
ITEMS = tuple(item for file in sorted(FOLDER.glob("questions-*.jsonl")) for item in sets.read(file))
OF_DATABASE = {name: [item for item in ITEMS if item.db_id == name] for name in {item.db_id for item in ITEMS}}


def test_each_database_has_twenty_to_fifty_questions_of_its_own() -> None:
    many = Counter(item.db_id for item in ITEMS)
    assert many.keys() == {file.stem for file in DATABASES}
    assert set(many.values()) <= set(range(20, 51))
    assert len({item.id for item in ITEMS}) == len(ITEMS)
    assert len({(item.db_id, item.question.lower()) for item in ITEMS}) == len(ITEMS)
    assert {item.difficulty for item in ITEMS} == {"easy", "medium", "hard"}


def test_the_databases_that_are_kept_back_are_there() -> None:
    assert set(NEVER_READ) < {file.stem for file in DATABASES}


@pytest.mark.slow
@pytest.mark.parametrize("file", DATABASES[::STEP], ids=lambda file: file.stem)
def test_gold_gives_the_same_rows_in_both_engines(file: Path, tmp_path: Path) -> None:
    with ExitStack() as stack:
        judges = []
        for kind in ("sqlite", "duckdb"):
            path = build(file, tmp_path, kind)
            database = stack.enter_context(closing(open_database(path, kind, {})))
            judges.append(stack.enter_context(judging(database, path, open_database, 120.0)))
        for item in OF_DATABASE[file.stem][DATABASES.index(file) // STEP % STEP :: STEP]:
            found, other = (judge.gold(item).result for judge in judges)
            assert any(cell is not None for row in found.rows for cell in row), item.id
            assert gold.same(found, other, UNORDERED), item.id
