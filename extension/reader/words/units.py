"""Find the unit that a column is in, `Milliseconds`, `weight_g`, and convert amounts of a question into it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from askwhere.engine import Column, Table
from askwhere.frozen import frozen
from askwhere.indexer.word_forms import CONVENTIONAL, shortens
from askwhere.reader.words.names import cut_name
from askwhere.reader.words.types import is_number

# A unit a line: what it measures, its size, and its forms. Those behind the bar may also mean something else
# (`start_hour`, `temp_min`); as the end of a column's name they count only behind a word of `_MEASURED`.
_UNITS = """
time 0.001 milliseconds millisecond millis msec ms
time 1 seconds secs sec | second s
time 60 minutes mins | minute min
time 3600 hours hrs hr | hour h
time 86400 days | day
time 604800 weeks | week
length 0.001 mm millimeters millimetres
length 0.01 cm centimeters centimetres
length 1 meters metres meter metre | m
length 1000 km kms kilometers kilometres kilometer kilometre
length 0.0254 inches inch | in
length 0.3048 feet ft | foot
length 0.9144 yards | yard
length 1609.344 miles | mile mi
mass 0.001 mg milligrams
mass 1 grams gram | g
mass 1000 kg kgs kilograms kilogram kilos kilo
mass 1000000 tonnes tonne
mass 453.59237 pounds lbs lb | pound
mass 28.349523125 ounces oz | ounce
area 1 sqm m2
area 1000000 sqkm km2
area 0.09290304 sqft ft2
area 10000 hectares hectare ha
area 4046.8564224 acres acre
volume 0.001 ml milliliters millilitres
volume 1 liters litres liter litre | l
money 0.01 cents cent pence | ct
money 1 whole_units
dollars 1 dollars dollar usd
euros 1 euros
pounds 1 pounds_sterling
"""
# What amounts of money measure: cents are of any currency, and no currency is another one.
_MONEY = frozenset(("money", "dollars", "euros", "pounds"))
_MEASURED = frozenset(
    "duration length time runtime run elapsed wait delay height width depth distance altitude elevation size weight"
    " mass volume total".split()
)
_PAID = frozenset("price cost fee fare rent amount charge pay payment rate tax claim refund salary wage total".split())


_PER = frozenset("per price cost fee rate".split())  # before a unit that is of something else: `price_per_kg`


@frozen
class Unit:
    """A form of a unit's name, what the unit measures (`dimension`), and its size: how many base units it is."""

    name: str
    dimension: str
    size: float
    plain: bool = True  # whether the name means nothing else: not of "second" or "in"

    @property
    def is_money(self) -> bool:
        """Return whether it is a unit of money."""
        return self.dimension in _MONEY

    @property
    def is_physical(self) -> bool:
        """Return whether it is a unit of length, area, volume or mass, neither of time nor of money."""
        return not self.is_money and self.dimension != "time"

    def measures_like(self, other: Unit) -> bool:
        """Return whether both measure the same: lengths, or money where not each names a currency of its own."""
        both = {self.dimension, other.dimension}
        return len(both) == 1 or ("money" in both and both <= _MONEY)


@frozen
class Quantity:
    """An amount in a unit, as a question says it."""

    number: int | float
    unit: str


def _units() -> dict[str, Unit]:
    """Return each form of `_UNITS` with its unit."""
    units = {}
    for line in _UNITS.strip().splitlines():
        dimension, size, *forms = line.split()
        bar = forms.index("|") if "|" in forms else len(forms)
        for place, form in enumerate(forms):
            units[form] = Unit(form, dimension, float(size), place < bar)
    del units["|"]
    return units


UNITS = _units()
POUNDS = "pounds_sterling"  # the form of pounds that are money
POUND_FORMS = ("pounds", "pound")  # of a mass or of money
WHOLE = "whole_units"  # the form of what a hundred cents are, of any currency
# Units that a column may be in although neither its name nor its comment says so.
UNNAMED_UNITS = frozenset(
    "minutes meters metres km kilometers kilometres cm mm kg kilograms tonnes m sqm sqft"
    " dollars usd euros pounds pound".split()
)
# Units in which a column that names none is hardly ever, each with the one that it is rather in.
ASSUMED = dict.fromkeys(("hour", "hours", "hrs", "hr"), UNITS["minutes"])


# Currencies in names of columns; "pound" may be a weight.
CURRENCIES = (
    "eur euro euros usd dollar dollars cad aud gbp chf franc francs sek nok dkk krona kroner pln jpy yen inr rupee"
    " rupees"
).split()
CENTS = ("cent", "cents", "penny", "pence")  # ends of names: hundredths of a currency's unit
# Ends of names that only say a unit: those above that mean nothing else, and others that are never converted.
SUFFIXES = frozenset([*CURRENCIES, *(form for form, unit in UNITS.items() if unit.plain)]) | frozenset(
    "w kw mw gw wh kwh mwh gwh kva hp kmh kph mph rpm m2 m3 sqm sqft ha hectare hectares acre acres km2 c f celsius hz"
    " bar psi pct percent".split()
)


@lru_cache(maxsize=20_000)
def unit_of(column: Column) -> Unit | None:
    """Return the unit that a column of numbers is in, by the end of its name or by its comment; None for others."""
    if not is_number(column):
        return None
    *before, last = cut_name(column.name) or ("",)
    unit = UNITS.get(last)
    if unit and not unit.is_money and _PER & {CONVENTIONAL.get(word, word) for word in before}:
        unit = None
    if unit and (unit.plain or any((_is_paid if unit.is_money else _is_measured)(w) for w in before)):
        return unit
    comment = re.search(rf"(?i)(?:\bin |\()({'|'.join(UNITS)})\b", column.comment)
    return UNITS[comment[1].lower()] if comment else None


def units_apart(one: Column, other: Column) -> float | None:
    """Return how many units of the first column are one of the second: 100 for cents beside euros, 1 for equal units.

    None where that is not known: the units are of another kind, or one is in cents and the other names no unit.
    """
    first, second = (unit_of(c) or (UNITS[WHOLE] if names_currency(c) else None) for c in (one, other))
    if first and second:
        return second.size / first.size if first.measures_like(second) else None
    return None if in_hundredths(one) or in_hundredths(other) else 1.0


def _last_word(column: Column) -> str:
    """Return the last word of a column's name, "" if the name has no words."""
    return (cut_name(column.name) or ("",))[-1]


def names_currency(column: Column) -> bool:
    """Return whether the name of a column ends in a currency: `goal_eur`."""
    return _last_word(column) in CURRENCIES


def in_hundredths(column: Column) -> bool:
    """Return whether a column holds amounts of money in hundredths, `price_cents`."""
    unit = unit_of(column)
    return unit is not None and unit.is_money and unit.size == UNITS["cents"].size


def names_a_unit(column: Column) -> bool:
    """Return whether the name of a column of numbers ends in a unit that is no money: `area_sqm`, `kwh`."""
    return is_number(column) and _last_word(column) in SUFFIXES and not names_currency(column)


def names_duration(column: Column) -> bool:
    """Return whether the name of a column of numbers ends in a unit of time: `response_min`, `lead_days`."""
    unit = UNITS.get(_last_word(column))
    return is_number(column) and unit is not None and unit.dimension == "time"


def _is_measured(word: str) -> bool:
    """Return whether a word says what is measured, or is short for one: `dly_min` are minutes of delay."""
    return CONVENTIONAL.get(word, word) in _MEASURED or any(shortens(word, long) for long in ("delay", "duration"))


def _is_paid(word: str) -> bool:
    """Return whether a word says what is paid, or is short for one: `chg_ct` are cents, but `visit_ct` is a count."""
    return CONVENTIONAL.get(word, word) in _PAID or any(shortens(word, long) for long in _PAID)


def assumed_unit(column: Column, operand: Iterable[object]) -> Unit | None:
    """Return minutes for a `length` or `duration` that names no unit and is compared with hours; None for others."""
    timed = is_number(column) and bool({"length", "duration", "runtime", "time"} & set(cut_name(column.name)))
    units = [o.unit for o in operand if isinstance(o, Quantity)]
    return ASSUMED[units[0]] if timed and units and units[0] in ASSUMED else None


def unit_divisor(column: Column, unit: str) -> float | None:
    """Return the number that divides a column to show it in a unit: 100 for `price_cents` in euros.

    Return None for a column that is in no unit of what this one measures.

    >>> from askwhere.engine import Column
    >>> unit_divisor(Column("price_cents", "INTEGER"), "euros"), unit_divisor(Column("price_cents", "INTEGER"), "hours")
    (100.0, None)
    """
    own, asked = unit_of(column), UNITS[unit]
    return round(asked.size / own.size, 9) if own and own.measures_like(asked) else None


def columns_in_unit(tables: Iterable[Table], unit: str) -> tuple[tuple[Table, Column], ...]:
    """Return the columns that are in a unit of what `unit` measures, each with its table."""
    asked = UNITS.get(unit)
    columns = ((table, column, unit_of(column)) for table in tables for column in table.columns)
    return tuple((t, c) for t, c, own in columns if asked and own and own.measures_like(asked))


def converted(quantity: Quantity, unit: Unit) -> int | float | None:
    """Return a quantity's number in another unit, None where the two measure different things.

    >>> converted(Quantity(10, "minutes"), UNITS["milliseconds"])
    600000
    """
    asked = UNITS[quantity.unit]
    if not asked.measures_like(unit):
        return None
    number = round(quantity.number * asked.size / unit.size, 6)
    return int(number) if number == int(number) else number
