"""Find the cheapest join trees over tables in the graph of their foreign keys."""

from __future__ import annotations

import heapq
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from askwhere.engine import Column, Table
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.guessing import KEYS, called_a_key, plain
from askwhere.indexer.guessing import stem as singular_of
from askwhere.reader.schema.naming import key_columns, meaning_of_code
from askwhere.reader.schema.roles import is_role
from askwhere.reader.words.names import called, name_stems, starts
from askwhere.reader.words.verbs import saying

Path = tuple[str, ...]
_GUESSED = 1.3  # the cost of a join along a guessed key; along a declared key it is 1.0
_WRITTEN = re.compile(r"(?i)updat|creat|modif|chang")
_MOST = 6  # trees of equal cost that are kept; more than one is ambiguous already
_KEYS = frozenset({"id", "code", "number", "no", "num", "nr", "key", "name", "fk", "ref"})


class Impossible(Exception):
    """The draft cannot be written in SQL with these senses and joins, or would not mean what was asked."""


@dataclass(frozen=True)
class Edge:
    """A foreign key as an edge between two tables: `columns` of `child` refer to `target_columns` of `parent`."""

    child: Path
    parent: Path
    columns: tuple[str, ...]
    target_columns: tuple[str, ...]
    guessed: bool
    between: bool = False  # whether the child is a link table: two foreign keys and no columns of its own

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

    def other(self, path: Path) -> Path:
        """Return the table at the other end of the edge than `path`."""
        return self.parent if path == self.child else self.child


@dataclass(frozen=True)
class Tree:
    """The edges that join some tables, and the sum of their costs; a single table has no edges."""

    edges: tuple[Edge, ...]
    cost: float


def steps(start: Path, edges: Iterable[Edge]) -> Iterator[tuple[Path, Edge]]:
    """Yield each further table with the edge that joins it to `start` or to a table before it.

    Raises `Impossible` where the edges are not connected or reach a table twice.
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


class Graph:
    """The graph of a catalog's foreign keys. The tables in `apart` have no edges."""

    def __init__(self, catalog: Catalog, apart: frozenset[Path] = frozenset()) -> None:
        self.tables: dict[Path, Table] = catalog.by_path
        self.edges: dict[Path, list[Edge]] = defaultdict(list)
        for edge in dict.fromkeys(_edges(catalog)):
            if {edge.child, edge.parent} & apart:
                continue
            self.edges[edge.child].append(edge)
            self.edges[edge.parent].append(edge)
        self._least, self.roles = self._parted()
        self.distances = lru_cache(maxsize=2000)(self._distances)
        self.has = lru_cache(maxsize=2000)(self._has)
        self.saying = lru_cache(maxsize=500)(lambda verb: saying(self.tables.values(), verb))

    def decoded(self, table: Table, columns: tuple[Column, ...]) -> Table | None:
        """Return the lookup table that says what the codes in a table's column mean; None for other columns."""
        names = tuple(column.name for column in columns)
        if meaning_of_code(table):
            return table if names == (key_columns(table)[0].name,) else None
        parents = (e.parent for e in self.edges[table.path] if e.child == table.path and e.columns == names)
        return next((self.tables[path] for path in parents if meaning_of_code(self.tables[path])), None)

    def only_decodes(self, edge: Edge, tree: Tree) -> bool:
        """Return whether an edge of a tree leads to a lookup table for codes, and on to no other table."""
        ends = [path for other in tree.edges for path in (other.child, other.parent)]
        return ends.count(edge.parent) == 1 and bool(meaning_of_code(self.tables[edge.parent]))

    def cost(self, edge: Edge) -> float:
        """Return the cost of a join along a key: the least of all keys between its two tables, where these have roles.

        So the cost does not choose between keys of different roles; `trees` does.
        """
        return self._least.get(frozenset((edge.child, edge.parent)), edge.cost)

    def _parted(self) -> tuple[dict[frozenset[Path], float], dict[Edge, frozenset[str]]]:
        """Return the costs of pairs of tables that are joined by a plain key, and the roles of other keys between them.

        A plain key is named after the table that it refers to, and after nothing else. For "staff of the store" the
        plain `staff.store_id` is meant; `store.manager_staff_id` has the role "manager".
        """
        edges = {edge for found in self.edges.values() for edge in found}
        plain = {frozenset((e.child, e.parent)) for e in edges if _is_plain(e, self.tables)}
        least: dict[frozenset[Path], float] = {}
        roles = {}
        for edge in (e for e in edges if frozenset((e.child, e.parent)) in plain):
            pair = frozenset((edge.child, edge.parent))
            least[pair] = min(edge.cost, least.get(pair, edge.cost))
            if role := _role(edge, self.tables):
                roles[edge] = role
        for edge in edges:
            pair = frozenset((edge.child, edge.parent))
            between = self._between(edge) if pair not in plain else None
            if between and (role := _role(edge, self.tables)):
                roles[edge], least[pair] = role, between
        return least, roles

    def _between(self, edge: Edge) -> float | None:
        """Return the cost of the joins over a table that lists pairs of the rows of two others, None without one.

        A key with a role between these, `missions.leader_id`, says less of them: the members of a mission are those
        that the pairs list.
        """
        ways = (
            [e for e in self.edges[edge.child] if e.child == other and _is_plain(e, self.tables)]
            + [e for e in self.edges[edge.parent] if e.child == other and _is_plain(e, self.tables)]
            for other in {e.child for e in self.edges[edge.child]} - {edge.child, edge.parent}
        )
        pairs = [found for found in ways if len(found) == 2 and {e.parent for e in found} == {edge.child, edge.parent}]
        keyed = [found for found in pairs if _pairs_up(self.tables[found[0].child], found)]
        return min((sum(e.cost for e in found) for found in keyed), default=None)

    def distance(self, one: Path, other: Path) -> float:
        """Return the cost of the cheapest path between two tables, infinity if there is none."""
        return 0.0 if one == other else self.distances(one).get(other, float("inf"))

    def _has(self, one: Path, other: Path) -> bool:
        """Return whether rows of `one` own rows of `other`: some key on the path between them refers to `one`."""
        trees = self.trees((one, other)) if self.distance(one, other) < 50 else []
        return bool(trees) and any(edge.parent == one for edge in trees[0].edges)

    def _distances(self, start: Path) -> dict[Path, float]:
        """Return the cost of the cheapest path from `start` to each table in reach (Dijkstra's algorithm)."""
        found: dict[Path, float] = {}
        queue: list[tuple[float, Path]] = [(0.0, start)]
        while queue:
            cost, path = heapq.heappop(queue)
            if path in found:
                continue
            found[path] = cost
            for edge in self.edges[path]:
                heapq.heappush(queue, (cost + self.cost(edge), edge.other(path)))
        return found

    def trees(self, wanted: Iterable[Path], favoured: frozenset[Edge] = frozenset()) -> list[Tree]:
        """Return the cheapest trees that join the `wanted` tables: several if they cost the same, none if none exists.

        Trees of equal cost are ranked by the number of `favoured` edges, then by fewer keys with roles; only the
        first rank is returned. A tree grows by the cheapest path to the nearest missing table.
        """
        paths = tuple(dict.fromkeys(wanted))
        grown: list[tuple[frozenset[Path], tuple[Edge, ...]]] = [(frozenset(paths[:1]), ())]
        for _ in paths[1:]:
            grown = [step for joined, edges in grown for step in self._nearest(joined, edges, paths)][: _MOST * 2]
        trees = {frozenset(edges): Tree(tuple(edges), sum(map(self.cost, edges))) for _, edges in grown}
        least = min((t.cost for t in trees.values()), default=0.0)
        kept = [t for t in trees.values() if t.cost <= least + 1e-9]
        ranks = [(-len(favoured & set(t.edges)), len(self.roles.keys() & set(t.edges))) for t in kept]
        return [t for t, rank in zip(kept, ranks, strict=True) if rank == min(ranks)][:_MOST]

    def _nearest(
        self, joined: frozenset[Path], edges: tuple[Edge, ...], wanted: tuple[Path, ...]
    ) -> list[tuple[frozenset[Path], tuple[Edge, ...]]]:
        """Return a partial tree (its tables and edges) extended to the nearest missing table, in all cheapest ways."""
        missing = [p for p in wanted if p not in joined]
        if not missing:
            return [(joined, edges)]
        goal = min(missing, key=lambda p: min(self.distance(j, p) for j in joined))
        best = min(self.distance(j, goal) for j in joined)
        if best == float("inf"):
            return []
        found = []
        for start in sorted(joined):
            if self.distance(start, goal) <= best + 1e-9:
                for way in self._ways(start, goal):
                    touched = {p for e in way for p in (e.child, e.parent)}
                    found.append((joined | touched, edges + way))
        return found[: _MOST * 2]

    def _ways(self, start: Path, goal: Path) -> list[tuple[Edge, ...]]:
        """Return the cheapest paths between two tables, `_MOST` at most, each as its edges."""
        if start == goal:
            return [()]
        left = self.distance(start, goal)
        found = []
        for edge in self.edges[start]:
            onward = edge.other(start)
            if onward != start and abs(self.cost(edge) + self.distance(onward, goal) - left) < 1e-9:
                found += [(edge, *way) for way in self._ways(onward, goal)]
        return found[:_MOST]

    def fans_out(self, tree: Tree, root: Path) -> bool:
        """Return whether the joins of the tree may repeat rows of `root`: one may match several rows of a table."""
        return any(self._met(tree, root).values())

    def meets_several(self, tree: Tree, root: Path, other: Path) -> bool:
        """Return whether one row of `root` may match several rows of the table `other` in the tree."""
        return self._met(tree, root).get(other, False)

    def _met(self, tree: Tree, root: Path) -> dict[Path, bool]:
        """Return for each table of the tree whether one row of `root` may match several rows of it."""
        several, queue = {root: False}, [root]
        while queue:
            path = queue.pop()
            for edge in tree.edges:
                if path in (edge.child, edge.parent) and edge.other(path) not in several:
                    down = path == edge.parent and not self.is_unique(edge)
                    several[edge.other(path)] = several[path] or down
                    queue.append(edge.other(path))
        return several

    def is_unique(self, edge: Edge) -> bool:
        """Return whether a row of the parent is referred to by at most one row of the child."""
        child = self.tables[edge.child]
        keys = (child.primary_key, *child.unique)
        mine = {c.lower() for c in edge.columns}
        return any(key and {c.lower() for c in key} <= mine for key in keys)


def _role(edge: Edge, tables: dict[Path, Table]) -> frozenset[str]:
    """Return the stems in a key's name that name neither of its tables nor say "id" or the like: `manager`_staff_id."""
    things = [*called(tables[edge.parent]), *called(tables[edge.child]), *edge.target_columns]
    known = _said(things) | _KEYS
    return frozenset(word for word in _said(edge.columns) if word not in known and not starts(word, known))


def _pairs_up(table: Table, edges: list[Edge]) -> bool:
    """Return whether each row of a table is one pair of the rows that two of its keys refer to."""
    keys = {c.lower() for e in edges for c in e.columns}
    return goes_between(table) or any({c.lower() for c in key} == keys for key in (table.primary_key, *table.unique))


def _is_plain(edge: Edge, tables: dict[Path, Table]) -> bool:
    """Return whether a key is named after the table that it refers to, and after nothing else."""
    return bool(_said(edge.columns) & _said(called(tables[edge.parent]))) and not _role(edge, tables)


def _said(names: Iterable[str]) -> frozenset[str]:
    """Return the stems of the words of all these names."""
    return frozenset(word for name in names for word in name_stems(name))


def _edges(catalog: Catalog) -> Iterable[Edge]:
    """Yield an edge for each foreign key between two tables, except over hidden columns."""
    for table in catalog.tables:
        for key in table.foreign_keys:
            if is_role(table):  # its key is the reverse of the one that it is made for
                yield Edge(key.target, table.path, key.target_columns, key.columns, key.guessed)
                continue
            names = {c.name.lower(): c.name for c in table.columns}
            target = catalog.by_path.get(key.target)
            if target is None or target.path == table.path or len(key.columns) != len(key.target_columns):
                continue
            others = {c.name.lower(): c.name for c in target.columns}
            # A key over a hidden column cannot be used.
            if all(c.lower() in names for c in key.columns) and all(c.lower() in others for c in key.target_columns):
                yield Edge(
                    table.path,
                    target.path,
                    tuple(names[c.lower()] for c in key.columns),
                    tuple(others[c.lower()] for c in key.target_columns),
                    key.guessed,
                    goes_between(table),
                )


def goes_between(table: Table) -> bool:
    """Return whether a table is a link table: it has two foreign keys and else only its own key and timestamps."""
    keys = {c.lower() for key in table.foreign_keys for c in key.columns}
    rest = [c for c in table.columns if c.name.lower() not in keys and not _WRITTEN.search(c.name)]
    single = all(len(key.columns) == 1 for key in table.foreign_keys)
    return single and len(table.foreign_keys) == 2 and {c.name for c in rest} <= set(table.primary_key)
