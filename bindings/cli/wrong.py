"""List the questions of a run that were not answered right, each with what was expected and what came."""

from __future__ import annotations

from collections.abc import Iterator

from askwhere.cells import visible
from askwhere.evaluation.records import Record, Run

LISTED = 20


def listed(run: Run, most: int) -> Iterator[str]:
    """Yield the lines of the first `most` questions that are not right; none where all are right."""
    wrong = [record for record in run.records if not run.right(record)]
    if not wrong or not most:
        return
    more = f", the first {most:,} shown" if len(wrong) > most else ""
    yield f"\nNot right: {len(wrong):,}{more}"
    for record in wrong[:most]:
        yield visible(f"\n  {record.question}  ({record.db_id}, {record.id})")
        yield f"    expected: {line(record.gold)}"
        yield f"    got:      {gave(record)}"


def gave(record: Record) -> str:
    """Return the query that answered a question, or why none did, in one line."""
    return line(record.predicted if record.predicted else f"{record.outcome}: {record.error}")


def line(text: str) -> str:
    """Return a text in one line, in which a terminal obeys nothing."""
    return visible(" ".join(text.split()))
