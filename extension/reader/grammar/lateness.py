"""Read what is late: "overdue orders", "parcels delivered late"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Table
from askwhere.reader.grammar.cursor import Cursor, Stuck
from askwhere.reader.grammar.draft import Term, Test
from askwhere.reader.schema.naming import events
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.dates import Bound
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_dated

_DUE = frozenset(map(stem, "due promised required planned expected scheduled deadline target agreed".split()))
_DONE = "delivered delivery completed completion finished returned return collected closed shipped arrived arrival"
_FULFILLED = frozenset(map(stem, f"{_DONE} done actual resolved".split()))


def overdue(state: Cursor) -> None:
    """Read "late", done after the date at which it was due, and "overdue", not done by then. Raises `Stuck`."""
    mark, thing = state.take(), state.about()
    tables = [s.table for s in state.out.slots[thing].senses if not s.columns] if thing is not None else []
    found = [(_dated(table, _DUE), _dated(table, _FULFILLED, _DUE)) for table in tables]
    pairs = [(due[0], done[0]) for due, done in found if len(due) == len(done) == 1]
    if not pairs or state.negated:
        raise Stuck(mark)
    column = replace(mark, kind="column")
    due, done = (Term(state.slot(replace(column, senses=dates), thing, True)) for dates in zip(*pairs, strict=True))
    if mark.argument == "open":
        state.test(Test(done, "null"))
        state.test(Test(due, "<", (Bound(present="day"),)))
    else:
        state.test(Test(done, ">", (due,)))


def _dated(table: Table, words: frozenset[str], others: frozenset[str] = frozenset()) -> tuple[Sense, ...]:
    """Return the dates of a table whose names have one of the stems `words`, and none of `others`."""
    names = ((c, set(full_stems(c.name))) for c in events(table) if is_dated(c))
    return tuple(Sense(table, (c,)) for c, name in names if words & name and not others & name)
