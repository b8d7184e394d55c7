"""Split names of tables and keys into words, key words, prefixes and singulars, and classify their types."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from askwhere.engine import Column, Table
from askwhere.indexer.word_forms import CONVENTIONAL, shortens, singular

WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
KINDS = ("whole", "number", "text")
_TEXT = re.compile("(?:CHAR|VARCHAR|NVARCHAR|TEXT|STRING|BPCHAR|CLOB)")
_WHOLE, _NUMBER = re.compile("INT|SERIAL"), re.compile("REAL|DOUB|FLOA|DEC|NUM")
KEYS = frozenset("id no num nr nbr number cd code key ref fk".split())
# Identifiers that an authority gives to things, so that they are the same in every database.
GIVEN_OUT = frozenset("vin isbn issn sku ean upc gtin iban imei msisdn iata icao barcode ticker callsign".split())
_SHORTEST_PLURAL = 4  # letters; what is shorter may be an abbreviation, `sts`
_GLUED = ("id", "no", "code", "key", "cd", "nr")


def called_a_key(column: str) -> bool:
    """Return whether a column's name ends as keys' names do: `bought_by_id`, `custNo`."""
    return (WORDS.findall(column) or [""])[-1].lower() in KEYS


def words_of(name: str) -> list[str]:
    """Return the words of a name in lower case; the name itself if it has none."""
    return [word.lower() for word in WORDS.findall(name)] or [name.lower()]


def cores(name: str) -> Iterator[tuple[list[str], str]]:
    """Yield the words of a name without its key word, and the key word, also for names such as `sellerid`."""
    words = words_of(name)
    if words[-1] in KEYS and len(words) > 1:
        yield words[:-1], words[-1]
        return
    yield words, ""
    for end in _GLUED:
        if words[-1].endswith(end) and len(words[-1]) > len(end) + 1:
            yield [*words[:-1], words[-1].removesuffix(end)], end


@lru_cache(4_096)
def prefix(table: Table) -> str:
    """Return the first word of most column names of a table, `ord` of `ord_id` and `ord_date`; '' if there is none."""
    firsts = Counter(words[0].lower() for c in table.columns if len(words := WORDS.findall(c.name)) > 1)
    word, columns = next(iter(firsts.most_common(1)), ("", 0))
    return word if columns > 1 and 4 * columns >= 3 * len(table.columns) else ""


def bare(name: str, table: Table) -> str:
    """Return a name of a table, or of its column, without the prefix that its columns share."""
    words = WORDS.findall(name)
    return "_".join(words[1:]) if len(words) > 1 and words[0].lower() == prefix(table) else name


def is_short_for(column: Column, table: Table) -> bool:
    """Return whether a column's name, without its key word, abbreviates a table's name: `cust`, `cust_no`."""
    target = short_name(column)
    return bool(target) and names_table(target, table)


def short_name(column: Column) -> str:
    """Return a column's name without its key word, `cust` of `cust_no`; '' if it cannot be a table's name.

    A column of texts without a key word is no key, and neither is one with a name in the plural, which is a count.
    """
    words = WORDS.findall(column.name)
    target = "".join(words[:-1] if words[-1:] and words[-1].lower() in KEYS else words).lower()
    has_key_word = target != "".join(words).lower()
    counts = len(target) > _SHORTEST_PLURAL and singular(target) != target
    return target if has_key_word or (kind_of(column.type) == "whole" and not counts) else ""


def names_table(word: str, table: Table) -> bool:
    """Return whether a word is the name of a table, in the singular, or short for it."""
    name = stem(table.name)
    return stem(word) == name or plain(CONVENTIONAL.get(word, "")) == name or shortens(word, name)


@lru_cache(4_096)
def plain(name: str) -> str:
    """Return a name's letters and digits in lower case."""
    return "".join(filter(str.isalnum, name.lower()))


@lru_cache(4_096)
def stem(name: str) -> str:
    """Return a name's letters and digits in lower case, in the singular."""
    return singular(plain(name))


def read_as(declared: str, other: str) -> tuple[str, str]:
    """Return the types that the values of two columns are cast to before they are compared; '' for no cast.

    The columns are given by their declared types.

    >>> read_as("VARCHAR", "BIGINT"), read_as("INTEGER", "BIGINT")
    (('BIGINT', ''), ('', ''))
    """
    if _is_text(declared) and kind_of(other) != "text":
        return other, ""
    return ("", declared) if _is_text(other) and kind_of(declared) != "text" else ("", "")


def type_of(table: Table | None, column: str) -> str:
    """Return the declared type of a table's column, named in any case; '' where there is none."""
    columns = table.columns if table is not None else ()
    return next((c.type for c in columns if c.name.lower() == column.lower()), "")


def can_be_equal(declared: str, other: str) -> bool:
    """Return whether values of two types can be equal: numbers, texts, or a number and a text that writes one."""
    return (
        kind_of(declared) == kind_of(other)
        or "text" not in (kind_of(declared), kind_of(other))
        or any(read_as(declared, other))
    )


def _is_text(declared: str) -> bool:
    """Return whether a type is one of texts, and not of dates, labels or the like."""
    return kind_of(declared) == "text" and bool(_TEXT.match(declared.upper()))


def kind_of(declared: str) -> str:
    """Return 'whole', 'number' or 'text' for a declared type."""
    upper = declared.upper()
    if upper.startswith("ENUM"):  # whatever other types its name and its labels contain
        return "text"
    if _WHOLE.search(upper):
        return "whole"
    return "number" if _NUMBER.search(upper) else "text"
