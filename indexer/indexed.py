"""Summarise an index run: the columns that were indexed, and those that were left out, with the reason."""

from __future__ import annotations

from collections.abc import Iterable

from askwhere.cells import counted, first_of
from askwhere.engine import Table
from askwhere.indexer.build import NO_TEXT, ColumnValues
from askwhere.sql.identifiers import shortest

# The most columns that are named in each list.
NAMED = 30


class Report:
    """Counts the values and columns that were read so far, and words a report about them."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._names = shortest({table.path: table.short for table in tables})
        self.values = 0
        self.taken: list[str] = []
        self.left_out: dict[str, list[str]] = {}  # by the reason

    def counted(self, column: ColumnValues) -> ColumnValues:
        """Count a column, and return it."""
        name = ".".join((*self._names[column.table.path], column.column.name))
        self.values += len(column.values)
        if column.values:
            self.taken.append(name)
        else:
            self.left_out.setdefault(column.left_out or NO_TEXT, []).append(name)
        return column

    def text(self, seconds: float) -> str:
        """Return a line about the columns that were indexed, and, if any were left out, a second line about those."""
        done = f"indexed {counted(self.values, 'value')} of {counted(len(self.taken), 'column')} in {seconds:.1f} s"
        left_out = [f"{first_of(names, NAMED)} ({why})" for why, names in self.left_out.items()]
        taken = f": {first_of(self.taken, NAMED)}" if self.taken else ""
        return done + taken + (f"\nleft out: {'; '.join(left_out)}" if left_out else "")
