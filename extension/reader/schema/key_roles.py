"""Tell keys that are named after the table that they refer to from keys with a role: `manager_staff_id`."""

from __future__ import annotations

from collections.abc import Iterable

from askwhere.engine import Table
from askwhere.reader.schema.edges import Edge, Path, goes_between, is_keyless_link
from askwhere.reader.words.names import KEY_WORDS, called, name_stems, starts
from askwhere.reader.words.tokens import stem

# Stems that say no role. Short forms are listed as well, as `name_stems` does not write them out.
_WITHOUT_ROLE = KEY_WORDS | {"no", "num", "nr", "name", "fk", "ref"}
# Owners, which say no role either: the recipes of a user are those whose author they are.
_OWNERS = frozenset(map(stem, "author owner creator host holder publisher organiser organizer writer maker".split()))
Edges = dict[Path, list[Edge]]  # for each table the edges of which it is the child or the parent


def costs_and_roles(
    edges: Edges, tables: dict[Path, Table]
) -> tuple[dict[frozenset[Path], float], dict[Edge, frozenset[str]]]:
    """Return for pairs of tables the cost of all joins between them, and for keys that say a role its stems.

    A pair has such a cost if it is joined by a plain key, one named after the table that it refers to and nothing
    else, or by a table that lists pairs of its rows. For "staff of the store" the plain `staff.store_id` is meant;
    `store.manager_staff_id` has the role "manager". Of two keys to one table, the one that is named after its own
    table, `friends.friend_id`, has a role as well.
    """
    every = {edge for of_table in edges.values() for edge in of_table}
    of_own_name = {e: own for e in every if (own := _role_of_own_name(e, edges, tables))}
    plain = {frozenset((e.child, e.parent)) for e in every if _is_plain(e, tables) and e not in of_own_name}
    roles = {edge: role for edge in every if (role := _role(edge, tables))} | of_own_name
    least: dict[frozenset[Path], float] = {}
    for edge in every:
        pair = frozenset((edge.child, edge.parent))
        if pair in plain:
            least[pair] = min(edge.cost, least.get(pair, edge.cost))
        elif edge in roles and (cost := _cost_over_pairs(edge, edges, tables)):
            least[pair] = cost
    return least, roles


def _cost_over_pairs(edge: Edge, edges: Edges, tables: dict[Path, Table]) -> float | None:
    """Return the cost of joining the tables of an edge over one that lists pairs of their rows; None without one.

    The members of a mission are those that the pairs list, and not the one that the key with a role,
    `missions.leader_id`, refers to.
    """
    ways = (
        [e for e in edges[edge.child] if e.child == other and _is_plain(e, tables)]
        + [e for e in edges[edge.parent] if e.child == other and _is_plain(e, tables)]
        for other in {e.child for e in edges[edge.child]} - {edge.child, edge.parent}
    )
    pairs = [pair for pair in ways if len(pair) == 2 and {e.parent for e in pair} == {edge.child, edge.parent}]
    keyed = [pair for pair in pairs if _pairs_up(tables[pair[0].child], pair)]
    return min((sum(e.cost for e in pair) for pair in keyed), default=None)


def _role(edge: Edge, tables: dict[Path, Table]) -> frozenset[str]:
    """Return the stems in a key's name that name neither of its tables nor say "id" or the like: `manager`_staff_id."""
    things = [*called(tables[edge.parent]), *called(tables[edge.child]), *edge.target_columns]
    known = _stems_of(things) | _WITHOUT_ROLE | _OWNERS
    return frozenset(word for word in _stems_of(edge.columns) if word not in known and not starts(word, known))


def _role_of_own_name(edge: Edge, edges: Edges, tables: dict[Path, Table]) -> frozenset[str]:
    """Return the stems of a key named after its own table, `friend_id`, if another one refers to the same table."""
    beside = any(e is not edge and (e.child, e.parent) == (edge.child, edge.parent) for e in edges[edge.child])
    words = _stems_of(edge.columns) - _WITHOUT_ROLE
    return words if beside and words <= _stems_of(called(tables[edge.child])) else frozenset()


def _pairs_up(table: Table, edges: list[Edge]) -> bool:
    """Return whether each row of a table is one pair of the rows that two of its keys refer to."""
    keys = {c.lower() for e in edges for c in e.columns}
    paired = any({c.lower() for c in key} == keys for key in (table.primary_key, *table.unique))
    return paired or goes_between(table) or is_keyless_link(table)


def _is_plain(edge: Edge, tables: dict[Path, Table]) -> bool:
    """Return whether a key is named after the table that it refers to, and after nothing else."""
    return bool(_stems_of(edge.columns) & _stems_of(called(tables[edge.parent]))) and not _role(edge, tables)


def _stems_of(names: Iterable[str]) -> frozenset[str]:
    """Return the stems of the words of all these names."""
    return frozenset(word for name in names for word in name_stems(name))
