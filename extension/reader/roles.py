"""Add a table for each role in which rows of one table refer to rows of another: a message's `sender` and `receiver`.

"The sender of each message" is then a thing of its own, beside the receiver, and is joined by its own key. In SQL it is
an alias of the table of people. Unlike for a key of a table to itself (see `seconds`), only the role's name is looked
up; what is said of it ("the sender's name") is found in the table that it stands for, and moved (see `bind`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from askwhere.engine import ForeignKey, Table
from askwhere.indexer.catalog import Catalog
from askwhere.reader.names import cut_name
from askwhere.reader.seconds import KEY_WORDS, is_second
from askwhere.reader.tokens import stem
from askwhere.reader.types import is_number

KIND = "role"  # the `kind` of such a table; its path is that of the table it stands for, with the role appended
# Endings of nouns that name a role by themselves: "sender", "destination", "origin", "source". "Home" does not.
_NOUNS = ("er", "or", "ion", "ent", "ant", "ist", "gin", "rce")


def is_role(table: Table) -> bool:
    """Return whether a table is one that `with_roles` has added."""
    return table.kind == KIND


def is_alias(table: Table) -> bool:
    """Return whether a table is written as an alias of the one whose path its own begins with."""
    return is_role(table) or is_second(table)


def with_roles(catalog: Catalog) -> Catalog:
    """Return the catalog with a table for each of several numeric keys of one table to another.

    A key that is a text, such as an airport's code, says enough by itself. The key of an added table is the reverse of
    the one that it is made for, so that a join to it is one to the table that has the key.
    """
    taken = {table.name.lower() for table in catalog.tables}
    added = [role for table in catalog.tables for role in _roles(table, catalog)]
    names = [role.name for role in added]
    kept = tuple(role for role in added if role.name not in taken and names.count(role.name) == 1)
    return replace(catalog, tables=(*catalog.tables, *kept)) if kept else catalog


def _roles(table: Table, catalog: Catalog) -> Iterator[Table]:
    """Yield a table for each role that another table has for the rows of `table`."""
    keys: dict[tuple[str, ...], list[ForeignKey]] = defaultdict(list)
    types = {c.name.lower(): c for c in table.columns}
    for key in table.foreign_keys:
        single = len(key.columns) == 1 and key.columns[0].lower() in types and key.target != table.path
        if single and is_number(types[key.columns[0].lower()]) and key.target in catalog.by_path:
            keys[key.target].append(key)
    for target, several in keys.items():
        thing = catalog.by_path[target]
        own = {stem(word) for word in cut_name(thing.name)}
        for key in several if len(several) > 1 and not is_second(thing) else []:
            words = [word for word in cut_name(key.columns[0]) if stem(word) not in KEY_WORDS]
            rest = [word for word in words if stem(word) not in own]
            if rest:
                back = ForeignKey(key.target_columns, table.path, key.columns, key.origin)
                alone = (" ".join(rest),) if rest != words and rest[-1].endswith(_NOUNS) else ()
                path = (*thing.path, "_".join(words))
                yield replace(thing, path=path, kind=KIND, foreign_keys=(back,), comment="", synonyms=alone)
