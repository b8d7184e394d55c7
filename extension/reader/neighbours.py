"""Things beside each other of one kind: countries that border a country, which a table of two keys to them lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from askwhere.engine import ForeignKey, Table
from askwhere.reader.names import name_stems
from askwhere.reader.tokens import stem

# What holds of both if it holds of one, whichever of the two keys a row has it in.
_MUTUAL = frozenset(map(stem, "border neighbour neighbor".split()))


def is_mutual(word: str) -> bool:
    """Whether a verb or noun says that two things are beside each other."""
    return stem(word.split()[-1]) in _MUTUAL


def pairs(tables: Iterable[Table], thing: Table, word: str) -> Iterator[tuple[Table, ForeignKey, ForeignKey]]:
    """The tables that list which rows of `thing` are beside each other, as a word says, each with its two keys."""
    for table in tables:
        keys = table.foreign_keys
        said = {s for name in (table.name, *(c.name for c in table.columns)) for s in name_stems(name)}
        alike = len(keys) == 2 and {k.target for k in keys} == {thing.path}
        single = all(len(k.columns) == 1 and k.target_columns == keys[0].target_columns for k in keys)
        if alike and single and stem(word.split()[-1]) in said:
            yield table, keys[0], keys[1]
