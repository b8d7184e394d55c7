"""What is kept of a question is bounded in bytes, however long the values are that it found."""

from __future__ import annotations

import askwhere
import pytest
from askwhere.engine import Checked, Result
from askwhere.models import Scripted
from askwhere.pipeline.facts import Candidate, preview, size
from askwhere.session import recent, trials
from askwhere.session.recent import Recent
from support import Database

LONG = 2_000_000


def candidate(*rows: tuple[object, ...]) -> Candidate:
    columns = tuple(f"c{n}" for n in range(len(rows[0])))
    return Candidate(
        "SELECT 1", "x", checked=Checked("SELECT 1", columns, columns), result=Result(columns, rows, True, 0.0)
    )


def test_a_long_value_is_cut_and_says_so() -> None:
    found = preview(candidate(("x" * LONG, b"x" * LONG, ["x" * LONG], 1)), 1 << 20)
    assert found.result is not None
    text, blob, nested, number = found.result.rows[0]
    assert text == "x" * 1_000 + "… (2,000,000 characters)"
    assert blob == b"x" * 1_000
    assert nested == "['" + "x" * 998 + "… (2,000,004 characters)"
    assert number == 1


@pytest.mark.parametrize("columns", [1, 30, 300, 2_000])
def test_a_preview_is_as_small_as_is_asked_for(columns: int) -> None:
    found = preview(candidate(*[("x" * 5_000,) * columns] * 9), 100_000)
    assert found.result is not None
    assert size(found.result.rows) <= 100_000
    assert len(found.result.rows) == (5 if columns == 1 else min(5, len(found.result.rows)))


def test_what_is_recalled_is_bounded_in_bytes_as_well_as_in_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent, "BYTES", 100)
    kept: Recent[int, str] = Recent(1_000, len)
    for number in range(9):
        kept.keep(number, "x" * 30)
    assert list(kept) == [6, 7, 8]
    kept.keep(9, "x" * 500)
    assert list(kept) == [9]
    kept.clear()
    kept.keep(1, "x")
    assert list(kept) == [1]


def test_candidates_with_long_values_are_compared_but_not_kept(database: Database) -> None:
    long = {"sqlite": f"printf('%.{LONG}c', 'x')", "duckdb": f"repeat('x', {LONG})"}[database.kind]
    replies = ["SELECT body AS x FROM letters", "SELECT body AS y FROM letters", "SELECT 1 AS z"]
    made = f"CREATE TABLE letters AS SELECT {long} AS body"
    connection = database.made(made, model=Scripted(replies * 20), effort="balanced")
    found = askwhere.ask(connection, "which letters", choose=1)
    assert sum(size(c.result.rows) for c in found.candidates if c.result) <= trials.ALL_BYTES
    assert len(found.rows[0][0]) == LONG
    same = {c.group for c in found.candidates if "letters" in c.sql}
    assert len(same) == 1
