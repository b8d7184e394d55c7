"""Define the mark: adjacent words of the question, read in one way; and predicates on a single mark.

The same words may have several marks, one for each reading (`place`); a cut is a sequence of marks that covers the
whole question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from askwhere.engine import Column
from askwhere.frozen import frozen
from askwhere.reader.schema.naming import is_name
from askwhere.reader.schema.roles import says_who_is_over
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.dates import Span
from askwhere.reader.words.measures import Measure
from askwhere.reader.words.names import name_stems
from askwhere.reader.words.phrases import LINKING
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_date, is_number, is_year, says_birth
from askwhere.reader.words.units import UNITS, Quantity
from askwhere.reader.words.verbs import names_an_act

_OFFERING = frozenset(map(stem, "sell offer have stock carry make produce provide serve".split()))
UPPER = "upper"  # the argument of a number that ends a range with a hyphen, "5-9"
AGO = "ago"  # the argument of days so many days or years ago
BY_US = "by us"  # the argument of a column's mark that contains a verb: "countries do we ship to"


@frozen
class Mark:
    """Adjacent words of the question, from `start` up to but not including `end`, read in one way.

    `kind` is an operator kind of `phrases` or `measures`, or one of 'table', 'column', 'value', 'number', 'days' (a
    span of days), 'money' (revenue), 'computed' (from two columns), 'period' ("per month"), 'spread' ("from youngest to
    oldest"), 'often' ("once"), 'multiple' ("half"), 'rounded' (to places), 'letters' (initials), 'link' (a verb) and
    'unknown' (no reading).

    `score` is how well the reading fits; the scores of a cut's marks are added up. `argument` refines the kind, e.g.
    '>' for 'comp'. `senses` are the tables, columns or values that the words may name.
    """

    kind: str
    start: int
    end: int
    score: float
    text: str
    argument: str = ""
    senses: tuple[Sense, ...] = ()
    number: int | float | None = None
    measure: Measure | None = None
    days: Span | None = None
    parts: tuple[Mark, ...] = ()  # of kind 'computed': the columns from which it is computed


def looks_like_year(mark: Mark) -> bool:
    """Return whether a mark is a whole number of four digits from 1000 to 2100."""
    return isinstance(mark.number, int) and 1000 <= mark.number <= 2100 and len(mark.text) == 4


def is_recent_year(mark: Mark) -> bool:
    """Return whether a number behind a thing is rather a year than the number of the thing: 2023, but not 1042."""
    return looks_like_year(mark) and isinstance(mark.number, int) and mark.number >= 1900


def operand(mark: Mark) -> str | int | float:
    """Return what a test compares with: the mark's number if it has one, else its text."""
    return mark.number if mark.number is not None else mark.text


def in_unit(mark: Mark, unit: Mark | None) -> str | int | float | Quantity:
    """Return what a test compares with, in the unit behind the number if it is one that can be converted."""
    return (
        Quantity(mark.number, unit.text) if mark.number is not None and unit and unit.text in UNITS else operand(mark)
    )


def operator_of(mark: Mark) -> str:
    """Return the comparison operator of a mark of kind 'comp', 'when' or 'comparative'."""
    if mark.kind == "comparative":
        return ">" if mark.argument == "max" else "<"
    return mark.argument


def offers(marks: tuple[Mark, ...], place: int) -> bool:
    """Return whether a verb says of things only that they are ours: "what products do we sell?"."""
    said = {word for m in marks[:place] for word in m.text.split()}
    rest = {m.kind for m in marks[place + 1 :]} <= {"stop"}
    return (
        "we" in said
        and not said & {"did", "have"}
        and rest
        and stem(marks[place].text) in _OFFERING
        and marks[0].kind == "open"
    )


def names_verb(mark: Mark) -> bool:
    """Return whether the last word of a mark, which may name a table or column as well, is a verb: "rented"."""
    word = next(iter(mark.text.split()[-1:]), "-")
    return mark.kind == "link" or (bool({word, stem(word)} & LINKING) and names_an_act(word))


def is_numeric(mark: Mark) -> bool:
    """Return whether any column among the mark's best senses (at most 0.25 below the best score) holds numbers."""
    best = max((s.score for s in mark.senses), default=0.0)
    return any(len(s.columns) == 1 and is_number(s.column) for s in mark.senses if s.score >= best - 0.25)


def is_column_of(mark: Mark, test: Callable[[Column], bool]) -> bool:
    """Return whether a mark is of kind 'column' and all columns that it may name pass a test, such as `is_dated`."""
    return mark.kind == "column" and all(len(s.columns) == 1 and test(s.column) for s in mark.senses)


def is_plural(mark: Mark) -> bool:
    """Return whether a mark is a noun in the plural and no name: it has no capital but as the first word."""
    small = mark.text if mark.start else mark.text[:1].lower() + mark.text[1:]
    return small.islower() and not is_singular(mark.text.lower())


def is_amount(mark: Mark) -> bool:
    """Return whether a mark names a column of amounts: numbers that are neither keys nor years."""
    return is_numeric(mark) and not names_a_key(mark) and not is_year(mark.senses[0].column)


def none_of(mark: Mark) -> tuple[int, ...]:
    """Return the amount that means none, "without a discount": 0; nothing for texts, and for scores, which may be 0."""
    return (0,) if is_amount(mark) and not says_score(mark.senses[0].column) else ()


def says_score(column: Column) -> bool:
    """Return whether a column is called a score, a rating or the like, of which 0 is one."""
    return bool(SCORES & set(name_stems(column.name)))


SCORES = frozenset(map(stem, "score rating rate grade mark star rank level temperature latitude longitude".split()))


def names_a_key(mark: Mark) -> bool:
    """Return whether a mark's first column belongs to a foreign key or has a name ending in "id", "code" or "key"."""
    table = mark.senses[0].table
    if any(mark.senses[0].column.name in key.columns for key in table.foreign_keys):
        return True
    name = mark.senses[0].column.name.lower()
    return name.endswith(("id", "code", "key")) and not name.endswith("paid")


def refers_to_itself(mark: Mark) -> bool:
    """Return whether a mark's first column is a foreign key, declared or guessed, to its own table.

    Such a key may also refer to the second table that `roles` adds for it.
    """
    sense = mark.senses[0]
    return len(sense.columns) == 1 and (
        says_who_is_over(sense.table, sense.column)
        or any(
            sense.table.path in (key.target, key.target[:-1]) and sense.column.name in key.columns
            for key in sense.table.foreign_keys
        )
    )


def is_timely(sense: Sense) -> bool:
    """Return whether a sense has a column of dates, times or years, or a numeric one named after birth."""
    return any(is_date(c) or is_year(c) or (is_number(c) and says_birth(c)) for c in sense.columns)


def key_of(sense: Sense) -> tuple[object, ...]:
    """Return the table path and the column name of a sense, which identify its first column; of a table the path."""
    return (sense.table.path, *(c.name for c in sense.columns[:1]))


def keys_of(mark: Mark) -> list[tuple[object, ...]]:
    """Return the table path and name of each column that a mark may name."""
    return [(s.table.path, c.name) for s in mark.senses for c in s.columns]


def with_columns_of(value: Mark, thing: Mark) -> Mark:
    """Return the mark of a value before the mark of a table, "family hearings", with only that table's columns.

    It stays as it is where the table has no such value, where that names its rows ("Queen albums" are by Queen), and
    where the second mark is none of a table.
    """
    tables = paths_of(thing.senses) if thing.kind == "table" else set()
    own = tuple(s for s in value.senses if s.table.path in tables and not is_name(s))
    return replace(value, senses=own) if own else value
