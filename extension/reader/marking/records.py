"""Find the tables that record acts, rentals for "rented", and tables whose rows belong to one row of another table."""

from __future__ import annotations

from collections.abc import Iterable

from askwhere.engine import Table
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.naming import events, refers
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.verbs import saying, says_when


def tables_of_act(tables: tuple[Table, ...], verb: str) -> tuple[Sense, ...]:
    """Return the tables that are named after a verb, given as a stem: rentals for "rented"."""
    named = {path for path, column in saying(tables, verb) if not column}
    return tuple(Sense(t) for t in tables if t.path in named)


def uses_of(tables: Iterable[Table], things: Iterable[Table]) -> tuple[Sense, ...]:
    """Return the only table that refers to one of these tables, so that its rows are their uses, or nothing."""
    things = tuple(things)
    using = [t for t in tables if t not in things and any(refers(t, thing) for thing in things)]
    return (Sense(using[0]),) if len(using) == 1 else ()


def uses_by_verb(tables: Iterable[Table], things: Iterable[Table], verb: str) -> tuple[Sense, ...]:
    """Return the only table that refers to one of these and has a column that says a verb, or nothing.

    The verb is given as a stem. So viewings with `minutes_watched` say what was watched, though ratings refer to it.
    """
    tables, things = tuple(tables), tuple(things)
    acts = {path for path, column in saying(tables, verb) if column}
    acts |= {t.path for t in tables if any(says_when(c.name, verb) for c in events(t))}
    using = [t for t in tables if t.path in acts and t not in things and any(refers(t, thing) for thing in things)]
    return (Sense(using[0]),) if len(using) == 1 else ()


def is_of_one(tables: Iterable[Table], one: Table, other: Table) -> bool:
    """Return whether each row of `one` has at most one row of `other`, by its keys and theirs: a film of a rental."""
    return other.path in tables_above(tables, one)


def tables_above(tables: Iterable[Table], table: Table) -> set[Path]:
    """Return the other tables of which each row of a table has at most one row, by its keys and theirs."""
    by_path = {t.path: t for t in tables}
    seen, open_ = {table.path}, [table]
    while open_:
        targets = {key.target for key in open_.pop().foreign_keys} - seen
        seen |= targets
        open_ += [by_path[path] for path in targets if path in by_path]
    return seen - {table.path}
