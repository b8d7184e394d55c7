"""Define the sense: what some words of a question may mean in a schema."""

from __future__ import annotations

from collections.abc import Iterable

from askwhere.engine import Column, Table
from askwhere.frozen import frozen


@frozen
class Sense:
    """One meaning of some words: a table, a column of it (or two: a first and a last name), or a value in them.

    `note` tells the user how the words were read. For a value that was looked up in the data, `respelt` says whether it
    is spelt differently there, if only in capitals.
    """

    table: Table
    columns: tuple[Column, ...] = ()
    score: float = 1.0
    value: str | float | int | tuple[str, ...] | None = None  # a flag's for yes; several: a full name, or kinds
    note: str = ""
    chance: float = 1.0  # the probability that it is meant, if it is guessed
    respelt: bool | None = None

    @property
    def is_loose(self) -> bool:
        """Return whether the schema or the data has other words, or another spelling, than the question."""
        return bool(self.note) if self.respelt is None else self.respelt

    @property
    def column(self) -> Column:
        """Return the only or first column."""
        return self.columns[0]


def paths_of(senses: Iterable[Sense]) -> set[tuple[str, ...]]:
    """Return the paths of the tables of some senses."""
    return {sense.table.path for sense in senses}


def spoken(sense: Sense) -> str:
    """Return the name of a sense's table, or its columns as table.column, for a note."""
    return ", ".join(f"{sense.table.name}.{c.name}" for c in sense.columns) or sense.table.name
