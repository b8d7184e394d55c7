"""Tell keys that are named after the table that they refer to from keys with a role: `manager_staff_id`."""

from __future__ import annotations

from collections.abc import Iterable

from askwhere.engine import Table
from askwhere.reader.schema.edges import Edge, Path, goes_between, is_keyless_link
from askwhere.reader.words.names import KEY_WORDS, called, name_stems, starts
from askwhere.reader.words.tokens import stem

# Stems that say no role; short forms among them, as stems of names are not written out.
_WITHOUT_ROLE = KEY_WORDS | {"no", "num", "nr", "name", "fk", "ref"}
# Whose a thing is, which says no more than that it is theirs: the recipes of a user are those by their author.
_OWNERS = frozenset(map(stem, "author owner creator host holder publisher organiser organizer writer maker".split()))
Edges = dict[Path, list[Edge]]  # those of each table


def costs_and_roles(
    edges: Edges, tables: dict[Path, Table]
) -> tuple[dict[frozenset[Path], float], dict[Edge, frozenset[str]]]:
    """Return the costs of pairs of tables that are joined by a plain key, and the roles of all keys that say one.

    A plain key is named after the table that it refers to, and after nothing else. For "staff of the store" the
    plain `staff.store_id` is meant; `store.manager_staff_id` has the role "manager". Of two keys to one table, the one
    that is named after its own table, `friends.friend_id`, has a role as well.
    """
    every = {edge for found in edges.values() for edge in found}
    of_own_name = {e: own for e in every if (own := _other_of_two(e, edges, tables))}
    plain = {frozenset((e.child, e.parent)) for e in every if _is_plain(e, tables) and e not in of_own_name}
    roles = {edge: role for edge in every if (role := _role(edge, tables))} | of_own_name
    least: dict[frozenset[Path], float] = {}
    for edge in every:
        pair = frozenset((edge.child, edge.parent))
        if pair in plain:
            least[pair] = min(edge.cost, least.get(pair, edge.cost))
        elif edge in roles and (between := _between(edge, edges, tables)):
            least[pair] = between
    return least, roles


def _between(edge: Edge, edges: Edges, tables: dict[Path, Table]) -> float | None:
    """Return the cost of the joins over a table that lists pairs of the rows of two others, None without one.

    A key with a role between these, `missions.leader_id`, says less of them: the members of a mission are those
    that the pairs list.
    """
    ways = (
        [e for e in edges[edge.child] if e.child == other and _is_plain(e, tables)]
        + [e for e in edges[edge.parent] if e.child == other and _is_plain(e, tables)]
        for other in {e.child for e in edges[edge.child]} - {edge.child, edge.parent}
    )
    pairs = [found for found in ways if len(found) == 2 and {e.parent for e in found} == {edge.child, edge.parent}]
    keyed = [found for found in pairs if _pairs_up(tables[found[0].child], found)]
    return min((sum(e.cost for e in found) for found in keyed), default=None)


def _role(edge: Edge, tables: dict[Path, Table]) -> frozenset[str]:
    """Return the stems in a key's name that name neither of its tables nor say "id" or the like: `manager`_staff_id."""
    things = [*called(tables[edge.parent]), *called(tables[edge.child]), *edge.target_columns]
    known = _stems_of(things) | _WITHOUT_ROLE | _OWNERS
    return frozenset(word for word in _stems_of(edge.columns) if word not in known and not starts(word, known))


def _other_of_two(edge: Edge, edges: Edges, tables: dict[Path, Table]) -> frozenset[str]:
    """Return the stems of a key that is named after its own table, beside another key to the same table, or nothing."""
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
