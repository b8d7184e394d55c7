"""Columns that say yes or no, and how each of them says yes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from askwhere.engine import Column, Table
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.reader.joins import Path
from askwhere.reader.types import is_flag, is_number

Truth = str | int
Truths = dict[tuple[Path, str], Truth]

_NAMED = re.compile(
    r"(?i:is|has|was|are)_|(?:is|has|was)(?=[A-Z])|(?:Is|Has|Was)(?=[A-Z])|.*_(?i:yn|flg|flag|fl|ind)\Z"
)
_SAID = re.compile(r"(?i:on)_|[Oo]n(?=[A-Z])|(?i:(?<=[a-z]{3})ed|active|available)\Z")
_SIGNS = (("yes", "no"), ("true", "false"), ("y", "n"), ("1", "0"), ("t", "f"))


def says_yes_or_no(column: Column) -> bool:
    """Whether a column's type or name says that it holds yes or no."""
    return is_flag(column) or bool(_NAMED.match(column.name))


def truths(catalog: Catalog, values: ValueIndex) -> Truths:
    """What says yes in each column that says yes or no: TRUE, 1, or a word as the data spells it."""
    spelt = _spelt(values)
    return {
        (table.path, column.name): truth
        for table in catalog.tables
        for column in table.columns
        for truth in _truths_of(table, column, spelt)
    }


def _truths_of(table: Table, column: Column, spelt: dict[tuple[Path, str, str], str]) -> Iterator[Truth]:
    named = bool(_NAMED.match(column.name))
    if is_flag(column):
        yield True
    elif is_number(column):
        yield from (1,) if named else ()
    else:
        pairs = _SIGNS if named or _SAID.search(column.name) else ()
        found = ([spelt.get((table.path, column.name, word), "") for word in pair] for pair in pairs)
        yield from [yes for yes, no in found if yes and no][:1]


def _spelt(values: ValueIndex) -> dict[tuple[Path, str, str], str]:
    """The spelling of each word for yes and no in each column that holds it."""
    words = [word for pair in _SIGNS for word in pair]
    found = values.exact(words)
    return {(m.table, m.column, word): m.value for word in words for m in found.get(word, ())}
