"""Add a second table for each foreign key of a table to itself: a table `manager` for `employees.manager_id`.

The reader then treats "employees and their managers" as two tables with an ordinary join; in SQL the second table is
written as an alias of the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from askwhere.engine import Column, ForeignKey, Table
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.word_forms import CONVENTIONAL
from askwhere.reader.english import written_out
from askwhere.reader.names import cut_name, name_stems
from askwhere.reader.naming import key_columns
from askwhere.reader.tokens import stem
from askwhere.reader.types import is_number

KIND = "second"  # the `kind` of a second table; its path is that of the first with its own name appended
KEY_WORDS = frozenset(map(stem, ("to", "id", "number", "no", "key", "code", "employee", "fk", "ref", "by")))
_OVER = frozenset(map(stem, ("reports", "manager", "supervisor", "mentor", "parent", "boss")))
# Names of superiors; each is a synonym of the others. `_SUBORDINATES` become synonyms of the first table.
_CHIEFS = frozenset({"manager", "supervisor", "boss"})
# "direct report" is written as one word, since "report" alone is no subordinate.
_SUBORDINATES = ("directreport", "subordinate")
# Stems of verbs that relate a superior to others.
LEADING = frozenset(map(stem, "reports managed supervised mentored lead led".split()))


def is_second(table: Table) -> bool:
    """Return whether a table is a second one, which `with_seconds` has added."""
    return table.kind == KIND


def says_who_is_over(table: Table, column: Column) -> bool:
    """Return whether a column without a declared key is named as a key to its own table: `ReportsTo`, `manager_id`."""
    if not is_number(column) or any(column.name in key.columns for key in table.foreign_keys):
        return False
    words = written_out(name_stems(column.name))
    return bool(words) and words[0] in _OVER and set(words[1:]) <= KEY_WORDS and words != ("report",)


def with_seconds(catalog: Catalog) -> Catalog:
    """Return the catalog with a second table for each foreign key of a table to itself.

    Each is named after the key's column and has the other columns of its table; the key then refers to it. None is
    added under a name that another table has.
    """
    found: list[Table] = []
    names = {table.name.lower() for table in catalog.tables}
    for table in catalog.tables:
        for key, name in [*_keys(table)]:
            if name in names:
                continue
            names.add(name)
            chief = name in _CHIEFS
            others = tuple(sorted(_CHIEFS - {name})) if chief else ()
            columns = tuple(c for c in table.columns if c.name not in key.columns)
            second = replace(table, path=(*table.path, name), columns=columns, kind=KIND, foreign_keys=(), comment="")
            found.append(replace(second, synonyms=others))
            kept = tuple(k for k in table.foreign_keys if k.columns != key.columns)
            said = (*table.synonyms, *(_SUBORDINATES if chief else ()))
            table = replace(table, foreign_keys=(*kept, replace(key, target=second.path)), synonyms=said)
        found.append(table)
    return replace(catalog, tables=tuple(found))


def _keys(table: Table) -> Iterator[tuple[ForeignKey, str]]:
    """Yield each foreign key of a table to itself, declared or guessed, with the name for the second table."""
    keys = [k for k in table.foreign_keys if k.target == table.path and len(k.columns) == 1]
    if not keys and len(key_columns(table)) == 1:
        over = [c.name for c in table.columns if says_who_is_over(table, c)]
        keys = [ForeignKey((name,), table.path, (key_columns(table)[0].name,), "guessed") for name in over[:1]]
    own = {stem(word) for word in cut_name(table.name)}
    for key in keys:
        words = [CONVENTIONAL.get(word, word) for word in cut_name(key.columns[0]) if stem(word) not in KEY_WORDS]
        if words and not {stem(word) for word in words} <= own:
            yield key, "manager" if stem(words[0]) == "report" else "_".join(words)
