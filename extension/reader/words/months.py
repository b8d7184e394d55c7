"""Find tables that say when by a column of years and one of months, `yr` and `mon`: together they are a date."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Column, Table
from askwhere.indexer.catalog import Catalog
from askwhere.reader.words.english import written_out
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.types import is_date, is_number

MONTHS = "DATE MONTH"  # the type of such a column of months, which is read as the first day of the month


def with_types_of_months(catalog: Catalog) -> Catalog:
    """Return the catalog with the type `MONTHS` for the months that stand beside years in a table without dates."""
    tables = tuple(_with_months(table) for table in catalog.tables)
    return replace(catalog, tables=tables) if tables != catalog.tables else catalog


def _with_months(table: Table) -> Table:
    """Return a table with the type `MONTHS` for its only such column, unless it has dates."""
    months = [c for c in table.columns if is_number(c) and "month" in _words(c) and year_beside(table, c)]
    if len(months) != 1 or any(map(is_date, table.columns)):
        return table
    columns = tuple(replace(c, type=MONTHS) if c is months[0] else c for c in table.columns)
    return replace(table, columns=columns)


def year_beside(table: Table, month: Column) -> Column | None:
    """Return the column of years that is called as a column of months is: `sale_year` beside `sale_month`."""
    wanted = sorted("year" if word == "month" else word for word in _words(month))
    return next((c for c in table.columns if is_number(c) and sorted(_words(c)) == wanted), None)


def _words(column: Column) -> tuple[str, ...]:
    """Return the stems of a column's name, with `mon` written out as a month."""
    return tuple("month" if word == "mon" else word for word in written_out(full_stems(column.name)))


def is_by_month(column: Column) -> bool:
    """Return whether a column holds months that the years beside them date."""
    return column.type == MONTHS
