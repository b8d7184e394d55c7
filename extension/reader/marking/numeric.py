"""Tell what the numbers of a column are: amounts of money, prices, quantities, keys."""

from __future__ import annotations

from askwhere.engine import Column, Table
from askwhere.indexer.word_forms import is_participle
from askwhere.reader.marking.marks import Mark
from askwhere.reader.schema.lexicon import READ_AS
from askwhere.reader.schema.naming import things_limited
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.english import stems
from askwhere.reader.words.money import FLOWS, MONEY, PRICES, RATES, REVENUE
from askwhere.reader.words.names import KEY_WORDS, cut_name, full_stems
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_date, is_dated, is_number, is_year, says_yes_or_no
from askwhere.reader.words.units import CENTS, CURRENCIES, UNITS, names_duration
from askwhere.reader.words.verbs import names_an_act

_AMOUNT = frozenset(stems("total amount price paid grand"))
_WHOLE = frozenset(stems("total amount paid"))  # a price may be that of one piece
_CURRENCIES = frozenset(map(stem, (*CURRENCIES, *CENTS)))
_PIECES = frozenset({"units", "pieces", "pcs"})  # "unit" may be what is measured in
_QUANTITY = frozenset(stems("quantity unit piece pcs order sold item number count of"))
# Names are cut into words, "downtime" into "down" and "time".
_ADDED = FLOWS | set(
    stems(
        "hour minute second quantity amount cost unit piece distance mile km weight volume kwh stock sale budget down"
        " downtime"
    )
)
_TIMES = frozenset(stems("hour hourly day daily week weekly month monthly"))
STOCKS = frozenset(stems("stock inventory hand quantity qoh"))  # in names of columns of what is held
_COSTS = PRICES | {"total", "amount", "sum"}


def column_words(column: Column) -> set[str]:
    """Return the stems of a column's name, without a currency: `total_eur` and `total_cents` are totals."""
    return set(full_stems(column.name)) - _CURRENCIES


def says_amount(words: set[str], own: frozenset[str]) -> bool:
    """Return whether a column's stems, without those of its table (`own`), name an amount: "total", "amount paid"."""
    rest = words - own
    return rest <= _AMOUNT and bool(rest & _WHOLE)


def is_price(column: Column) -> bool:
    """Return whether a column's name says what something costs: `price_per_kg`, `hourly_rate`, `hr_rt`."""
    return not PRICES.isdisjoint(words := column_words(column)) or ("rt" in words and is_by_time(column))


def is_by_time(column: Column) -> bool:
    """Return whether a column's name says a time that its amounts are for: `monthly_rent`, `rate_per_day`."""
    return not _TIMES.isdisjoint(column_words(column))


def is_money(column: Column) -> bool:
    """Return whether a column's name says that its numbers are money: a price, costs, freight, or in a currency."""
    return not (MONEY | _CURRENCIES).isdisjoint(full_stems(column.name))


def is_key(table: Table, column: Column) -> bool:
    """Return whether a column belongs to the primary key or a foreign key of its table."""
    keys = (table.primary_key, *(key.columns for key in table.foreign_keys))
    return any(column.name.lower() in map(str.lower, key) for key in keys)


def numbers_in(table: Table) -> list[Column]:
    """Return the columns of a table that hold numbers and belong to no key."""
    return [c for c in table.columns if is_number(c) and not is_key(table, c)]


def says_pieces(column: Column) -> bool:
    """Return whether a column's name says that it counts pieces: `qty_ordered`, `pieces`, `lost_units`."""
    return "quantiti" in column_words(column) or not _PIECES.isdisjoint(cut_name(column.name))


def says_how_many(column: Column, thing: str) -> bool:
    """Return whether a column's name says that it is the number of some things, given as a stem: `room_count`.

    It may say what was done with them: `reminders_sent`.
    """
    counts = ((thing, "count"), (thing, "quantiti"), ("number", thing), ("number", "of", thing))
    first, *rest = cut_name(column.name) or [""]
    done = stem(first) == thing and not is_singular(first) and len(rest) == 1 and is_participle(rest[0])
    return is_number(column) and (done or full_stems(column.name) in counts)


def quantity_of(table: Table) -> tuple[Column, ...]:
    """Return the one column that says how many pieces a row is of, `qty` of order lines, or nothing."""
    numbers = numbers_in(table)
    found = [c for c in numbers if says_pieces(c) and column_words(c) <= _QUANTITY]
    return (found[0],) if len(found) == 1 else ()


def amounts_in(table: Table) -> list[Column]:
    """Return the columns of a table that hold numbers which are no keys, years or flags."""
    numbers = [c for c in numbers_in(table) if KEY_WORDS.isdisjoint(column_words(c))]
    return [c for c in numbers if not (is_year(c) or is_dated(c) or says_yes_or_no(c))]


def only_amount(table: Table) -> tuple[Column, ...]:
    """Return the one column of amounts of a table, `cost` of repairs: its only number that is no key, year or flag.

    Of several, it is the one that says what things cost, where a date says that rows are events and no things: the
    biggest house may not be the one at the greatest price.
    """
    numbers = amounts_in(table)
    if len(numbers) > 1 and any(is_date(c) for c in table.columns):
        numbers = [c for c in numbers if column_words(c) - set(full_stems(table.name)) <= _COSTS]
    return tuple(numbers) if len(numbers) == 1 else ()


def adds_up_to(table: Table, limit: Column) -> list[Column]:
    """Return the columns of a table whose sum a column of another one limits: `amount` of expenses for a `budget`.

    Their names, or that of their table, are of what such limits are of, or they are called as the limit is without its
    first word, `hours` for `budget_hours`.
    """
    words, things, numbers = full_stems(limit.name), things_limited(limit), amounts_in(table)
    alike = [c for c in numbers if things and len(words) > 1 and full_stems(c.name) == words[1:]]
    if alike or names_duration(limit):
        return alike
    named = [c for c in numbers if things & set(full_stems(c.name))]
    return named or [*only_amount(table)] * bool(things & set(full_stems(table.name)))


def says_several(name: str) -> bool:
    """Return whether the words for amounts say that they are taken together: a plural, or "income"."""
    words = name.split()
    return not is_singular(words[0]) or words[-1] == "costs" or stem(words[-1]) in REVENUE


def adds_up(mark: Mark) -> bool:
    """Return whether a mark names amounts of what happened, which are added up "per client": hours, costs, pieces.

    A noun in the plural names what is counted in a row: "sheets used", "goals". "Income" is of all rows together. A
    name in short, `cst`, says what the words do that it is read for.
    """
    senses = [s for s in mark.senses if s.score >= mark.senses[0].score - 0.1 and len(s.columns) == 1]
    if not senses or any(is_of_one_piece(s.column) for s in senses):
        return False
    sure = all(READ_AS not in s.note for s in senses)  # "storms" are no millimetres of rain to be added up
    several = says_several(mark.text) and sure and all(not is_key(s.table, s.column) for s in senses)
    return all(
        is_number(s.column) and (several or is_of_what_happened(s.column) or _ADDED & _said_of(s, mark)) for s in senses
    )


def is_of_one_piece(column: Column) -> bool:
    """Return whether a column says what one piece or one hour costs, which nobody adds up: `unit_price`, no total."""
    words = column_words(column)
    return not words.isdisjoint({"price", *RATES}) and words.isdisjoint(_WHOLE)


def _said_of(sense: Sense, mark: Mark) -> set[str]:
    """Return the stems of a column's name, and of the words that it is short for."""
    return column_words(sense.column) | (set(stems(mark.text)) if READ_AS in sense.note else set())


def is_of_what_happened(column: Column) -> bool:
    """Return whether a column holds amounts of what happened, which add up: `hours`, `duty_eur`, but no prices."""
    words = column_words(column)
    money = is_money(column) and PRICES.isdisjoint(words)
    return is_number(column) and (money or _is_mass(column) or bool(_ADDED & words))


def _is_mass(column: Column) -> bool:
    """Return whether a column is called after a unit of mass or volume and what was done with it: `kg`, `kg_made`."""
    measured = [UNITS.get(word) for word in cut_name(column.name) if not names_an_act(word)]
    return len(measured) == 1 and measured[0] is not None and measured[0].dimension in ("mass", "volume")
