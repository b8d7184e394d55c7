"""Find the tables that record what a verb says was done: the rentals of "rented", and what each of them is of."""

from __future__ import annotations

from collections.abc import Iterable

from askwhere.engine import Table
from askwhere.reader.lexicon import Sense
from askwhere.reader.verbs import saying


def deeds(tables: tuple[Table, ...], verb: str) -> tuple[Sense, ...]:
    """Return the tables that are named after a verb, given as a stem: rentals for "rented"."""
    named = {path for path, column in saying(tables, verb) if not column}
    return tuple(Sense(t) for t in tables if t.path in named)


def is_of_one(tables: Iterable[Table], one: Table, other: Table) -> bool:
    """Return whether each row of `one` has at most one row of `other`, by its keys and theirs: a film of a rental."""
    by_path = {table.path: table for table in tables}
    seen, open_ = {one.path}, [one]
    while open_:
        targets = {key.target for key in open_.pop().foreign_keys} - seen
        seen |= targets
        open_ += [by_path[path] for path in targets if path in by_path]
    return other.path in seen and other.path != one.path
