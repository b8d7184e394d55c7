"""Find the columns of whole numbers that are flags: they hold 0 and 1, and no other number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from askwhere.engine import Column, Engine, Table
from askwhere.sql.identifiers import quote, quote_path

# Rows that are looked at first.
FIRST = 1_000
AT_ONCE = 200  # columns: SQLite's results have 2,000 at most, and two are asked for each
_WHOLE = re.compile(r"(?i)u?(tiny|small|medium|big|huge)?int(eger|\d+)?|num(ber|eric)(\(\d+(, ?0)?\))?|tinyint\(1\)")


def flags_of(engine: Engine, table: Table, columns: Sequence[Column], most: int = 1 << 62) -> list[Column]:
    """Return the columns of a table that hold only 0 and 1; none if the table has more than `most` rows.

    NULL is allowed, and keys are no flags.
    """
    whole = [column for column in columns if _WHOLE.fullmatch(column.type) and column.name not in table.primary_key]
    parts = (whole[start : start + AT_ONCE] for start in range(0, len(whole), AT_ONCE))
    return [column for part in parts for column in _among(engine, table, part, most)]


def _among(engine: Engine, table: Table, flags: Sequence[Column], most: int) -> Sequence[Column]:
    """Return the flags among columns of integers, by a query over the first rows, then one over the others."""
    for rows in (FIRST, most + 1):  # the first rows are enough for most columns, as they hold other numbers
        if not flags or table.kind != "table":
            return []
        names = [quote(column.name) for column in flags]
        # Not the values themselves: in SQLite a column of numbers may hold a text, and one that is not valid UTF-8.
        facts = ", ".join(f"MIN({name}) <> MAX({name}), MAX({name} NOT IN (0, 1))" for name in names)
        first = f"SELECT {', '.join(names)} FROM {quote_path(table.path)} LIMIT {rows}"
        ((count, *counts),) = engine.read(f"SELECT COUNT(*), {facts} FROM ({first})")
        facts_of = zip(flags, counts[::2], counts[1::2], strict=True)
        last = count < rows
        flags = [column for column, both, other in facts_of if not other and (both or not last)]
        if last:
            return flags
    return []
