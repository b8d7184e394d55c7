"""Find the column that says why or of which kind events without names are: `reason` of complaints, `fault_code`."""

from __future__ import annotations

from collections.abc import Iterable

from askwhere.engine import Column, Table
from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.naming import events, key_columns, lists_kinds, meaning_of_code, name_columns
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.english import KINDS, STATES, stems
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.types import is_text

_REASONS = frozenset(KINDS) | set(stems("reason cause problem fault defect diagnosis purpose topic issue symptom"))
_DESCRIPTION = frozenset(stems("description"))


def reasons_of(thing: Mark, every: Iterable[Table]) -> tuple[Sense, ...]:
    """Return the only column that says why or of which kind events without names are: `reason` of complaints.

    Else the only key to one of the tables of `every` that lists kinds: `fault_code`, but no `status_code`, and where
    there is none, their only `description`.
    """
    tables = [s.table for s in thing.senses if thing.kind == "table" and s.score >= thing.senses[0].score - 0.1]
    if not all(events(t) and name_columns(t) == key_columns(t) for t in tables):
        return ()
    listed = frozenset(t.path for t in every if _lists_reasons(t))
    said = [(t, _texts_ending_in(t, _REASONS) or _kinds_in(t, listed)) for t in tables]
    said = [(t, columns or _texts_ending_in(t, _DESCRIPTION)) for t, columns in said]
    return tuple(Sense(t, (columns[0],)) for t, columns in said if len(columns) == 1)


def _texts_ending_in(table: Table, words: frozenset[str]) -> list[Column]:
    """Return the columns of text of a table with names that end in one of some stems."""
    return [c for c in table.columns if is_text(c) and words & {*full_stems(c.name)[-1:]}]


def _lists_reasons(table: Table) -> bool:
    """Return whether a table says what codes mean, or lists what is called a kind or reason: `fault_types`."""
    return bool(meaning_of_code(table)) or (lists_kinds(table) and bool(_REASONS & {*full_stems(table.name)[-1:]}))


def _kinds_in(table: Table, listed: frozenset[Path]) -> list[Column]:
    """Return the columns of a table that refer to one in `listed`, and say no state."""
    keys = {key.columns for key in table.foreign_keys if key.target in listed}
    return [c for c in table.columns if (c.name,) in keys and not STATES & {*full_stems(c.name)}]
