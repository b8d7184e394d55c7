"""The harness judges Spider's gold as right, and finds nearly all of it usable in DuckDB."""

from __future__ import annotations

from contextlib import closing
from itertools import groupby
from pathlib import Path

import pytest
from askwhere.bindings.opening import open_database
from askwhere.errors import QueryError
from askwhere.evaluation import sets
from askwhere.evaluation.judge import SCORES, judging

# How many gold queries of dev are unusable in DuckDB: they order ties, or take a column of any row of a group.
MOST_UNUSABLE = {"sqlite": 0, "duckdb": 60}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_gold_scores_100_against_gold(data: Path, engine: str) -> None:
    items = sorted(sets.read(data / "spider", "dev"), key=lambda item: item.db_id)
    judged, unusable, wrong = 0, 0, []
    for name, about in groupby(items, key=lambda item: item.db_id):
        path = sets.database([data / "spider" / "databases"], name)
        assert path
        with closing(open_database(path, engine, {})) as database, judging(database, path, open_database, 60) as judge:
            for item in about:
                judged += 1
                try:
                    gold = judge.gold(item)
                except QueryError:
                    unusable += 1
                    continue
                scores = judge.scores(gold, gold.sql, SCORES)
                wrong += [] if set(scores.values()) == {1.0} else [(item.id, scores)]
    assert wrong == []
    assert judged == 1034
    assert unusable <= MOST_UNUSABLE[engine]
