"""Read amounts with their units: "3 hours", "2 weeks", and the column that is in such a unit."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.grammar.aging import Aging
from askwhere.reader.grammar.cursor import Stuck
from askwhere.reader.grammar.draft import Term
from askwhere.reader.marking.marks import Mark, in_unit
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.units import ASSUMED, UNITS, UNNAMED_UNITS, Quantity, columns_in_unit, unit_of


class Quantities(Aging):
    """The part of the grammar that reads an amount, with its unit, and finds the column in this unit."""

    def amount(self) -> str | int | float | Quantity:
        """Read and return a number, with its unit if it has one, a date or a quoted text; raises `Stuck` for others."""
        mark = self.accept("number", "value")
        if mark is None:
            raise Stuck(self.peek())
        unit = self.unit()
        if mark.kind == "value" and mark.argument not in ("quoted", "date", "number"):
            raise Stuck(mark)
        return in_unit(mark, unit)

    def unit(self) -> Mark | None:
        """Read and return the unit behind an amount, None without one.

        Raise `Stuck` where no column says that it is in this unit or in one that it can be converted to.
        """
        unit = self.accept("unit")
        known = unit is None or unit.text not in UNITS or unit.text in UNNAMED_UNITS or unit.text in ASSUMED
        if unit and not known and not columns_in_unit(self.lexicon.tables, unit.text):
            raise Stuck(unit)  # "longer than 3 hours", where the column may be in minutes
        return unit

    def in_unit_of(self, unit: Mark | None) -> Term | None:
        """Return the term for the only column of the thing spoken of in such a unit: "tracks over 3 minutes"."""
        thing = self.about()
        if unit is None or thing is None:
            return None
        tables = {s.table.path: s for s in self.out.slots[thing].senses if not s.columns}
        found = [
            Sense(table, (column,), tables[table.path].score)
            for table, column in columns_in_unit(self.lexicon.tables, unit.text)
            if table.path in tables
        ]
        said = UNITS.get(unit.text)
        # "Over 100 square metres" is of `floor_m2`, and not of `park_km2`.
        exact = [s for s in found if said and (own := unit_of(s.column)) and own.size == said.size]
        found = exact or found
        is_clear = len(paths_of(found)) == len(found) > 0
        return Term(self.slot(replace(unit, kind="column", senses=tuple(found)), thing, True)) if is_clear else None
