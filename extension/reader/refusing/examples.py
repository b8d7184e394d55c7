"""Propose questions about a database to someone who sees it for the first time: only such that the reader reads."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Set
from functools import partial

from askwhere.engine import Column, Table
from askwhere.errors import Unread
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.indexer.word_forms import CONVENTIONAL, plural, singular
from askwhere.reader.read import SECONDS, read
from askwhere.reader.words.names import cut_name
from askwhere.reader.words.nearness import is_english
from askwhere.reader.words.tokens import stem
from askwhere.reader.words.types import is_date, is_number, is_year
from askwhere.reader.words.units import UNITS

TABLES = 6  # the largest ones, of which questions are made
SURE = 0.75  # the least confidence of a reading


def examples(catalog: Catalog, values: ValueIndex, dialect: str, most: int = 3) -> tuple[str, ...]:
    """Return up to `most` questions that the reader reads in one way, each of another form, on other tables if it can.

    They are about the largest tables that hold more than keys, first about those whose names are English words.
    """
    until = time.thread_time() + SECONDS
    own = sorted((t for t in catalog.tables if _own(t)), key=lambda t: (not _is_english(t.name), -(t.rows or 0)))
    tables = own[:TABLES]
    used: Counter[tuple[str, ...]] = Counter()
    found: list[str] = []
    amounts = partial(_amounts, flags=values.flags)
    forms = (partial(_per, catalog), partial(_top, amounts), partial(_average, amounts), _monthly, _count)
    for form in forms:
        least_used = sorted(tables, key=lambda t: (not _is_english(t.name), used[t.path]))
        questions = ((t, q) for t in least_used for q in form(t))
        for table, question in questions:
            if len(found) == most or time.thread_time() > until:
                return tuple(found)
            if _reads(question, catalog, values, dialect):
                found.append(question)
                used[table.path] += 1
                break
    return tuple(found)


def _reads(question: str, catalog: Catalog, values: ValueIndex, dialect: str) -> bool:
    try:
        readings = read(question, catalog, values, dialect)
    except Unread:
        return False
    return len(readings) == 1 and readings[0].confidence >= SURE and not readings[0].notes


def _per(catalog: Catalog, table: Table) -> Iterator[str]:
    referred = (catalog.by_path.get(key.target) for key in table.foreign_keys if key.target != table.path)
    yield from (
        f"number of {plural(_words(table.name))} per {_of_one(_words(other.name))}" for other in referred if other
    )


def _top(amounts: Callable[[Table], list[str]], table: Table) -> Iterator[str]:
    yield from (f"the 3 {plural(_words(table.name))} with the highest {amount}" for amount in amounts(table))


def _average(amounts: Callable[[Table], list[str]], table: Table) -> Iterator[str]:
    yield from (f"average {amount} of {plural(_words(table.name))}" for amount in amounts(table))


def _monthly(table: Table) -> Iterator[str]:
    if any(map(is_date, table.columns)):
        yield f"number of {plural(_words(table.name))} per month"


def _count(table: Table) -> Iterator[str]:
    yield f"how many {plural(_words(table.name))} are there?"


def _own(table: Table) -> list[Column]:
    """Return the columns that belong to no key."""
    keys = {name for key in table.foreign_keys for name in key.columns} | set(table.primary_key)
    return [column for column in table.columns if column.name not in keys]


def _amounts(table: Table, flags: Set[tuple[tuple[str, ...], str]]) -> list[str]:
    """Return in words the names of the columns that hold numbers, except for flags, years and what is called a key.

    Names of English words come first.
    """
    named = ("id", "code", "key", "no", "number")
    found = [
        column.name
        for column in _own(table)
        if is_number(column)
        and not is_year(column)
        and (table.path, column.name) not in flags
        and not column.name.lower().endswith(named)
    ]
    return [_without_unit(_words(name)) for name in sorted(found, key=lambda name: not _is_english(name))]


def _without_unit(words: str) -> str:
    """Return the words of a name without the unit at its end: `height_m`, `total_eur`."""
    rest, _, last = words.rpartition(" ")
    return rest if rest and last in UNITS else words


def _words(name: str) -> str:
    """Return the words of a name, short forms written out: `mth_amt` as "month amount"."""
    return " ".join(CONVENTIONAL.get(word, word) for word in cut_name(name))


def _is_english(name: str) -> bool:
    """Return whether all words of a name are English, short forms written out."""
    return all(is_english(stem(word)) for word in _words(name).split())


def _of_one(words: str) -> str:
    """Return the words of a name with the last one in the singular."""
    rest, space, last = words.rpartition(" ")
    return rest + space + singular(last)
