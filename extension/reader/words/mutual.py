"""Find tables of symmetric relations, such as countries that border each other: they have two keys to one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from askwhere.engine import ForeignKey, Table
from askwhere.reader.words.names import name_stems
from askwhere.reader.words.tokens import stem

# Stems of symmetric relations: if A borders B, B borders A, whichever of the two keys holds A.
_MUTUAL = frozenset(map(stem, "border neighbour neighbor".split()))


def is_mutual(word: str) -> bool:
    """Return whether the last word of a phrase names a symmetric relation ("border", "neighbours")."""
    return stem(word.split()[-1]) in _MUTUAL


def pair_tables(tables: Iterable[Table], thing: Table, word: str) -> Iterator[tuple[Table, ForeignKey, ForeignKey]]:
    """Yield each table that stores the relation named by `word` between rows of `thing`, with its two foreign keys.

    Such a table has exactly two foreign keys, both to the same column of `thing`, and `word` in its name or a column's.
    """
    for table in tables:
        keys = table.foreign_keys
        named = {s for name in (table.name, *(c.name for c in table.columns)) for s in name_stems(name)}
        alike = len(keys) == 2 and {k.target for k in keys} == {thing.path}
        single = all(len(k.columns) == 1 and k.target_columns == keys[0].target_columns for k in keys)
        if alike and single and stem(word.split()[-1]) in named:
            yield table, keys[0], keys[1]
