"""Some words of a question and what they are taken for; what can be told of one such mark by itself."""

from __future__ import annotations

from dataclasses import dataclass

from askwhere.reader.dates import Span
from askwhere.reader.lexicon import Sense
from askwhere.reader.measures import Measure
from askwhere.reader.seconds import says_who_is_over
from askwhere.reader.types import is_date, is_number, is_year


@dataclass(frozen=True)
class Mark:
    """Some words of the question and what they are taken for; `kind` is an operator's, or one of
    'table', 'column', 'value', 'number', 'days' (a span of days), 'link' (a verb) and 'unknown'."""

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


def looks_like_year(mark: Mark) -> bool:
    """Whether a number is written as years are."""
    return isinstance(mark.number, int) and 1000 <= mark.number <= 2100 and len(mark.text) == 4


def operand(mark: Mark) -> str | int | float:
    """What a number or a value is compared as: the number, or the text as written."""
    return mark.number if mark.number is not None else mark.text


def operator_of(mark: Mark) -> str:
    """The comparison that a mark says."""
    if mark.kind == "comparative":
        return ">" if mark.argument == "max" else "<"
    return mark.argument


def is_numeric(mark: Mark) -> bool:
    """Whether the likeliest columns of a mark hold numbers."""
    best = max((s.score for s in mark.senses), default=0.0)
    return any(len(s.columns) == 1 and is_number(s.column) for s in mark.senses if s.score >= best - 0.25)


def is_amount(mark: Mark) -> bool:
    """Whether a column holds amounts: numbers that are neither keys nor years."""
    return is_numeric(mark) and not names_a_key(mark) and not is_year(mark.senses[0].column)


def names_a_key(mark: Mark) -> bool:
    """Whether a column is a key, or named as keys are."""
    table = mark.senses[0].table
    if any(mark.senses[0].column.name in key.columns for key in table.foreign_keys):
        return True
    return mark.senses[0].column.name.lower().endswith(("id", "code", "key"))


def refers_to_itself(mark: Mark) -> bool:
    """Whether a mark names a key to its own table."""
    sense = mark.senses[0]
    return (len(sense.columns) == 1 and says_who_is_over(sense.table, sense.column)) or any(
        sense.table.path in (key.target, key.target[:-1]) and sense.column.name in key.columns
        for key in sense.table.foreign_keys
    )


def is_timely(sense: Sense) -> bool:
    """Whether a sense is a column of dates, times or years."""
    return any(is_date(c) or is_year(c) or (is_number(c) and "birth" in c.name.lower()) for c in sense.columns)


def key_of(sense: Sense) -> tuple[object, ...]:
    """What tells one column from another."""
    return (sense.table.path, sense.column.name)


def keys_of(mark: Mark) -> list[tuple[object, ...]]:
    """All columns that a mark may name."""
    return [(s.table.path, c.name) for s in mark.senses for c in s.columns]
