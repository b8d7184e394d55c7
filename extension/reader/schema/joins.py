"""Find the cheapest join trees over tables in the graph of their foreign keys."""

from __future__ import annotations

import copy
import heapq
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice, product

from askwhere.engine import Column, Table
from askwhere.indexer.catalog import Catalog
from askwhere.reader.schema.edges import Edge, Path, Tree, edges_of
from askwhere.reader.schema.key_roles import costs_and_roles
from askwhere.reader.schema.naming import key_columns, meaning_of_code
from askwhere.reader.words.verbs import saying

_PAIRED = 0.3  # what the distance of two tables is less where another one lists pairs of their rows
_DETOUR = 1.0  # what a way costs more at most that avoids the role of a table that is not asked for
_MOST = 6  # trees of equal cost that are kept; with more than one a question is ambiguous already
_SAME = 1e-9  # costs that differ by less are equal


class Graph:
    """The graph of a catalog's foreign keys. The tables in `apart` have no edges."""

    def __init__(self, catalog: Catalog, apart: frozenset[Path] = frozenset()) -> None:
        self.tables: dict[Path, Table] = catalog.by_path
        self.edges: dict[Path, list[Edge]] = defaultdict(list)
        for edge in dict.fromkeys(edges_of(catalog)):
            if {edge.child, edge.parent} & apart:
                continue
            self.edges[edge.child].append(edge)
            self.edges[edge.parent].append(edge)
        self._least, self.roles = costs_and_roles(self.edges, self.tables)
        self._paired = frozenset(pair for of_table in self.edges.values() for pair in pairs_of(of_table))
        self.distances = lru_cache(maxsize=2000)(self._distances)
        self.without = lru_cache(maxsize=200)(self._without)
        self.owns = lru_cache(maxsize=2000)(self._owns)
        self.saying = lru_cache(maxsize=500)(lambda verb: saying(self.tables.values(), verb))

    def decoded(self, table: Table, columns: tuple[Column, ...]) -> Table | None:
        """Return the lookup table that says what the codes in a table's column mean; None for other columns."""
        names = tuple(column.name for column in columns)
        if meaning_of_code(table):
            return table if names == (key_columns(table)[0].name,) else None
        parents = (e.parent for e in self.edges[table.path] if e.child == table.path and e.columns == names)
        return next((self.tables[path] for path in parents if meaning_of_code(self.tables[path])), None)

    def ends_in_codes(self, edge: Edge, tree: Tree) -> bool:
        """Return whether an edge of a tree leads to a table with `meaning_of_code`, and on to no other table."""
        ends = [path for other in tree.edges for path in (other.child, other.parent)]
        return ends.count(edge.parent) == 1 and bool(meaning_of_code(self.tables[edge.parent]))

    def cost(self, edge: Edge) -> float:
        """Return the cost of a join along a key, or the least of its two tables where `costs_and_roles` gives one.

        So a key with a role, `manager_staff_id`, costs as much as the plain one beside it, `store_id`: `trees` prefers
        the plain one, unless the question names the role.
        """
        return self._least.get(frozenset((edge.child, edge.parent)), edge.cost)

    def distance(self, one: Path, other: Path) -> float:
        """Return the cost of the cheapest path between two tables, infinity if there is none."""
        return 0.0 if one == other else self.distances(one).get(other, float("inf"))

    def remoteness(self, one: Path, other: Path) -> float:
        """Return the distance of two tables, less `_PAIRED` where a table lists pairs of their rows."""
        return self.distance(one, other) - (_PAIRED if frozenset((one, other)) in self._paired else 0.0)

    def _owns(self, one: Path, other: Path) -> bool:
        """Return whether rows of `one` own rows of `other`: some key on the path between them refers to `one`."""
        trees = self.trees((one, other)) if self.distance(one, other) < 50 else []
        return bool(trees) and any(edge.parent == one for edge in trees[0].edges)

    def _distances(self, start: Path) -> dict[Path, float]:
        """Return the cost of the cheapest path from `start` to each table in reach (Dijkstra's algorithm)."""
        distances: dict[Path, float] = {}
        queue: list[tuple[float, Path]] = [(0.0, start)]
        while queue:
            cost, path = heapq.heappop(queue)
            if path in distances:
                continue
            distances[path] = cost
            for edge in self.edges[path]:
                heapq.heappush(queue, (cost + self.cost(edge), edge.other(path)))
        return distances

    def trees(self, wanted: Iterable[Path], favoured: frozenset[Edge] = frozenset()) -> list[Tree]:
        """Return the cheapest trees that join the `wanted` tables: several if they cost the same, none if none exists.

        A tree grows by the cheapest path to the nearest missing table. Of trees of equal cost only those are returned
        that have the most `favoured` edges; of these those with the fewest keys with roles; then those with the most
        tables that list pairs of rows of two `wanted` ones; then those that do not repeat rows of the first table.

        A key with a role, `members.favourite_cinema_id`, is about the rows of its own table. Where this table is not
        `wanted`, trees without the key are preferred, if they cost `_DETOUR` more at most: the cinema of a ticket is
        that of its showing.
        """
        paths = tuple(dict.fromkeys(wanted))
        cheapest = self._cheapest(paths, favoured)
        strange = [{e for e in t.edges if e in self.roles and e.child not in paths} - favoured for t in cheapest]
        if not strange or not all(strange):
            return cheapest
        others = self.without(frozenset[Edge]().union(*strange))._cheapest(paths, favoured)
        repeats = any(self.fans_out(t, paths[0]) for t in cheapest)
        plain = [t for t in others if repeats or not self.fans_out(t, paths[0])]
        return plain if plain and plain[0].cost <= cheapest[0].cost + _DETOUR + _SAME else cheapest

    def _without(self, edges: frozenset[Edge]) -> Graph:
        """Return this graph without some edges; joins along the others cost the same."""
        graph = copy.copy(self)
        graph.edges = defaultdict(list, {path: [e for e in of if e not in edges] for path, of in self.edges.items()})
        graph.distances = lru_cache(maxsize=2000)(graph._distances)
        return graph

    def _cheapest(self, paths: tuple[Path, ...], favoured: frozenset[Edge]) -> list[Tree]:
        """Return the cheapest trees that join different tables, as `trees` does, with whatever roles their keys say."""
        grown = self._grown(paths)
        if all(self.roles.keys() & {*edges} for edges in grown):
            grown += self._grown(paths, in_order=False)  # a way without roles may join the tables in another order
        trees = {frozenset(edges): Tree(tuple(edges), sum(map(self.cost, edges))) for edges in grown}
        least = min((t.cost for t in trees.values()), default=0.0)
        cheapest = [t for t in trees.values() if t.cost <= least + _SAME]
        if len(cheapest) < 2:
            return cheapest
        ranks = [
            (
                -len(favoured & {*t.edges}),
                len(self.roles.keys() & {*t.edges}),
                -sum(pair <= {*paths} for pair in pairs_of(t.edges)),
                self.fans_out(t, paths[0]),
            )
            for t in cheapest
        ]
        return [t for t, rank in zip(cheapest, ranks, strict=True) if rank == min(ranks)][:_MOST]

    def _grown(self, paths: tuple[Path, ...], in_order: bool = True) -> list[tuple[Edge, ...]]:
        """Return the edges of trees grown from the first table to the nearest missing one each time.

        Of tables that are equally near, the first in `paths` is next, or each of them if they need not be `in_order`.
        """
        grown: list[tuple[frozenset[Path], tuple[Edge, ...]]] = [(frozenset(paths[:1]), ())]
        for _ in paths[1:]:
            steps = (step for joined, edges in grown for step in self._nearest(joined, edges, paths, in_order))
            grown = list(islice(steps, _MOST * 2))
        return [edges for _, edges in grown]

    def _nearest(
        self, joined: frozenset[Path], edges: tuple[Edge, ...], wanted: tuple[Path, ...], in_order: bool
    ) -> list[tuple[frozenset[Path], tuple[Edge, ...]]]:
        """Return a partial tree (its tables and edges) extended to a nearest missing table, in all cheapest ways."""
        missing = [p for p in wanted if p not in joined]
        if not missing:
            return [(joined, edges)]
        distances = {p: min(self.distance(j, p) for j in joined) for p in missing}
        best = min(distances.values())
        if best == float("inf"):
            return []
        nearest = [p for p, distance in distances.items() if distance <= best + _SAME]
        extended = []
        for start, goal in product(sorted(joined), nearest[:1] if in_order else nearest):
            if self.distance(start, goal) <= best + _SAME:
                for way in self._ways(start, goal):
                    touched = {p for e in way for p in (e.child, e.parent)}
                    extended.append((joined | touched, edges + way))
        return extended[: _MOST * 2]

    def _ways(self, start: Path, goal: Path) -> list[tuple[Edge, ...]]:
        """Return the cheapest paths between two tables, `_MOST` at most, each as its edges."""
        if start == goal:
            return [()]
        left = self.distance(start, goal)
        ways = []
        for edge in self.edges[start]:
            onward = edge.other(start)
            if onward != start and abs(self.cost(edge) + self.distance(onward, goal) - left) < _SAME:
                ways += [(edge, *way) for way in self._ways(onward, goal)]
        return ways[:_MOST]

    def fans_out(self, tree: Tree, root: Path) -> bool:
        """Return whether the joins of the tree may repeat rows of `root`, as one may match several rows of a table."""
        return any(self._matches_several(tree, root).values())

    def meets_several(self, tree: Tree, root: Path, other: Path) -> bool:
        """Return whether one row of `root` may match several rows of the table `other` in the tree."""
        return self._matches_several(tree, root).get(other, False)

    def _matches_several(self, tree: Tree, root: Path) -> dict[Path, bool]:
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


def pairs_of(edges: Iterable[Edge]) -> set[frozenset[Path]]:
    """Return the pairs of tables that two of the edges join to a table that lists pairs of their rows."""
    ends: dict[Path, set[Path]] = defaultdict(set)
    for edge in edges:
        if edge.of_pair:
            ends[edge.child].add(edge.parent)
    return {frozenset(parents) for parents in ends.values() if len(parents) == 2}
