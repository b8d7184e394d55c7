"""Define the edge, a foreign key between two tables, and the tree of edges that joins some."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from askwhere.engine import Table
from askwhere.frozen import frozen
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.key_names import KEYS, called_a_key, plain, read_as, type_of
from askwhere.indexer.key_names import stem as singular_of
from askwhere.reader.schema.naming import foreign_columns
from askwhere.reader.schema.roles import is_role
from askwhere.reader.words.names import full_stems

Path = tuple[str, ...]
_GUESSED = 1.3  # the cost of a join along a guessed key; along a declared key it is 1.0
_TIMESTAMP = re.compile(r"(?i)updat|creat|modif|chang")


class Impossible(Exception):
    """The draft cannot be written in SQL with these senses and joins, or the query would not mean what was asked."""


@frozen
class Edge:
    """A foreign key as an edge between two tables: `columns` of `child` refer to `target_columns` of `parent`."""

    child: Path
    parent: Path
    columns: tuple[str, ...]
    target_columns: tuple[str, ...]
    guessed: bool
    read_as: tuple[tuple[str, str], ...] = ()  # for each pair of columns, as `key_names.read_as` returns
    of_pair: bool = False  # whether each row of the child pairs a row of the parent with one of another key's table

    @property
    def cost(self) -> float:
        """Return the cost of a join along this key."""
        return 1.0 if self.sure else _GUESSED

    @property
    def sure(self) -> bool:
        """Return whether the key is declared, or named in full after what it refers to: `crew_id` of `crews`."""
        column, target, parent = plain(self.columns[0]), plain(self.target_columns[0]), self.parent[-1]
        own = column == target and called_a_key(self.target_columns[0]) and column not in KEYS
        return not self.guessed or own or column in {singular_of(parent) + target, plain(parent) + target}

    def type_at(self, path: Path, place: int = 0) -> str:
        """Return the type that the column at one end is cast to, so that both ends compare; '' if it needs no cast."""
        return self.read_as[place][0 if path == self.child else 1] if self.read_as else ""

    def other(self, path: Path) -> Path:
        """Return the table at the other end of the edge than `path`."""
        return self.parent if path == self.child else self.child


@frozen
class Tree:
    """The edges that join some tables, and the sum of their costs; a single table has no edges."""

    edges: tuple[Edge, ...]
    cost: float

    @property
    def paths(self) -> set[Path]:
        """Return the paths of the tables that the edges join; none for a single table."""
        return {path for edge in self.edges for path in (edge.child, edge.parent)}


def steps(start: Path, edges: Iterable[Edge]) -> Iterator[tuple[Path, Edge]]:
    """Yield each table but `start`, with the edge that joins it to `start` or to a table that was yielded before.

    Raise `Impossible` where the edges are not connected or reach a table twice.
    """
    joined, left = {start}, list(edges)
    while left:
        edge = next((e for e in left if joined & {e.child, e.parent}), None)
        if edge is None:
            raise Impossible
        new = edge.parent if edge.child in joined else edge.child
        if new in joined:
            raise Impossible
        left.remove(edge)
        joined.add(new)
        yield new, edge


def edges_of(catalog: Catalog) -> Iterable[Edge]:
    """Yield an edge for each foreign key between two tables, except over hidden columns."""
    for table in catalog.tables:
        for key in table.foreign_keys:
            if is_role(table):  # its key is the reverse of the one that it is made for
                read = _read_as(catalog.by_path[key.target], key.target_columns, table, key.columns)
                yield Edge(key.target, table.path, key.target_columns, key.columns, key.guessed, read)
                continue
            names = {c.name.lower(): c.name for c in table.columns}
            target = catalog.by_path.get(key.target)
            if target is None or target.path == table.path or len(key.columns) != len(key.target_columns):
                continue
            others = {c.name.lower(): c.name for c in target.columns}
            if all(c.lower() in names for c in key.columns) and all(c.lower() in others for c in key.target_columns):
                yield Edge(
                    table.path,
                    target.path,
                    tuple(names[c.lower()] for c in key.columns),
                    tuple(others[c.lower()] for c in key.target_columns),
                    key.guessed,
                    _read_as(table, key.columns, target, key.target_columns),
                    _is_of_a_pair(key.columns, table),
                )


def _read_as(
    child: Table, columns: Iterable[str], parent: Table, target_columns: Iterable[str]
) -> tuple[tuple[str, str], ...]:
    """Return for each pair of columns the types that they are cast to, as `key_names.read_as` does."""
    pairs = zip(columns, target_columns, strict=True)
    return tuple(read_as(type_of(child, one), type_of(parent, other)) for one, other in pairs)


def _is_of_a_pair(columns: tuple[str, ...], table: Table) -> bool:
    """Return whether a key and another one are together the primary key of a table, or all that its rows say."""
    keys = [{c.lower() for c in key.columns} for key in table.foreign_keys]
    mine, whole = {c.lower() for c in columns}, {c.lower() for c in table.primary_key}
    return links(table) or any(mine | other == whole for other in keys if not mine & other)


def links(table: Table) -> bool:
    """Return whether each row of a table does no more than to link rows of two others, by its keys or by its name."""
    keys, whole = foreign_columns(table), {c.lower() for c in table.primary_key}
    bare = goes_between(table) and whole <= keys
    return bare or is_keyless_link(table) or _is_named_after_both(table) or (_has_two_keys(table) and whole == keys)


def linked_to(table: Table, ends: Collection[Path]) -> set[Path]:
    """Return the other tables that a link table refers to, where it refers to one of `ends`."""
    targets = {key.target for key in table.foreign_keys}
    return targets.difference(ends) if targets.intersection(ends) else set()


def _is_named_after_both(table: Table) -> bool:
    """Return whether a table with two foreign keys is named after both tables that they refer to: `room_puzzle`."""
    targets = [set(full_stems(key.target[-1])) for key in table.foreign_keys]
    return _has_two_keys(table) and set(full_stems(table.name)) == targets[0] | targets[1] and targets[0] != targets[1]


def is_keyless_link(table: Table) -> bool:
    """Return whether a table has two foreign keys and no key of its own, so that only they tell what a row is about."""
    keys = foreign_columns(table)
    own = [c for c in table.columns if c.name.lower() not in keys and called_a_key(c.name)]
    return _has_two_keys(table) and len(keys) == 2 and not (own or table.primary_key)


def goes_between(table: Table) -> bool:
    """Return whether a table is a link table: it has two foreign keys and else only its own key and timestamps."""
    keys = foreign_columns(table)
    rest = [c for c in table.columns if c.name.lower() not in keys and not _TIMESTAMP.search(c.name)]
    return _has_two_keys(table) and {c.name for c in rest} <= set(table.primary_key)


def _has_two_keys(table: Table) -> bool:
    """Return whether a table has two foreign keys of one column each, and no other foreign key."""
    return len(table.foreign_keys) == 2 and all(len(key.columns) == 1 for key in table.foreign_keys)
