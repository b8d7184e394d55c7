"""Find which column of a table another one limits: the stock for `reorder_level`, what was spent for `budget`."""

from __future__ import annotations

from askwhere.engine import Column, Table
from askwhere.reader.english import stems, written_out
from askwhere.reader.names import name_stems
from askwhere.reader.types import is_date, is_number

# Words of limits, each with words of what they are the limit of; all of a group behind the bar.
_LIMITS = """
reorder, safety, threshold | stock inventory hand quantity
budget, budgeted | cost costs spent spending expense expenses actual
capacity | enrolled enrollment enrolment occupancy occupied attendance booked registered attendees load
target, goal, quota | actual achieved reached raised sold sales result
limit | balance used usage spent owed
"""
_OF_LIMITS = [
    (frozenset(stems(limits.replace(",", " "))), frozenset(stems(things)))
    for limits, things in (line.split("|") for line in _LIMITS.strip().splitlines())
]


def limited_by(table: Table, limit: Column) -> tuple[Column, ...]:
    """Return the one column of numbers whose values a column limits: `units_in_stock` for `reorder_level`.

    It is named after what such limits are of, or is called as the limit is without its first word: `price` for
    `list_price`. Nothing is returned where several columns could be it.
    """
    words = written_out(name_stems(limit.name))
    things = frozenset(word for limits, named in _OF_LIMITS if limits & set(words) for word in named)
    others = [c for c in table.columns if c is not limit and is_number(c) and not is_date(c)]
    found = [c for c in others if things & set(written_out(name_stems(c.name)))]
    alike = [c for c in others if len(words) > 1 and written_out(name_stems(c.name)) == words[1:]]
    return tuple(found if len(found) == 1 else alike[:1] if not found else ())
