"""Choose the tables and columns that a question is about, for schemas that are too large for a prompt.

A column's score is the BM25 score of its name, its table's name, its comment and its synonyms for the question, and
more for each of its values that the question contains.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

from askwhere.engine import Column, Table
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import Match
from askwhere.indexer.word_forms import singular, split_capitals

Path = tuple[str, ...]

# The score that a value in the question gives its column: about as much as a good match of the name.
_NAMED = 5.0
# The tables that are shown for every question may take this share of the room for the schema: all together, and each.
_CENTRAL, _CENTRAL_EACH = 0.25, 0.05
# The most foreign keys on the path between two tables that are kept together.
_LONGEST_PATH = 3


def central(catalog: Catalog, room: float, size: Callable[[Table], float]) -> tuple[Table, ...]:
    """Return the tables that prompts show for every question, so that prompts begin alike and can be cached.

    These are the tables with the most foreign keys to and from others, as many as leave room for the tables that a
    question is about. There are none if the whole catalog fits into `room`. `size` returns the size of one table, in
    the unit of `room`.
    """
    size = cache(size)  # computing a size writes the table's text
    if sum(map(size, catalog.tables)) <= room:
        return ()
    keys = Counter(path for t in catalog.tables for key in t.foreign_keys for path in {t.path, key.target})
    kept, left = [], room * _CENTRAL
    for table in sorted(catalog.tables, key=lambda t: -keys[t.path]):
        if size(table) <= min(left, room * _CENTRAL_EACH):
            kept.append(table)
            left -= size(table)
    return tuple(kept)


def pruned(
    catalog: Catalog,
    question: str,
    matches: Iterable[Match],
    room: float,
    size: Callable[[Table], float],
    always: tuple[Table, ...] = (),
) -> Catalog:
    """Return the catalog, or, if its tables are larger than `room`, only the tables with the highest scores.

    The tables of `always` are kept and come first. The tables that join a table to those that are kept are kept with
    it. Where they do not fit, they are cut to their keys and the columns that the question is about. `size` returns the
    size of one table, in the unit of `room`.
    """
    size = cache(size)  # computing a size writes the table's text
    if sum(map(size, catalog.tables)) <= room:
        return catalog
    scores = column_scores(catalog, question, matches)
    given = {table.path: table for table in always}
    room -= sum(map(size, always))
    kept: dict[Path, Table] = {}
    neighbors = _neighbors(catalog)
    smallest = size(_narrow(min(catalog.tables, key=size), scores))
    for table in sorted(catalog.tables, key=lambda t: -_table_score(t, scores)):
        if room < smallest:
            break
        if table.path in kept:
            continue
        joined = {t.path: t for t in _join_path(catalog, neighbors, table, kept) if t.path not in kept}
        narrow = {path: given.get(path) or _narrow(t, scores) for path, t in joined.items()}
        for tables in (joined, narrow, {table.path: narrow[table.path]}):
            taken = sum(size(t) for path, t in tables.items() if path not in given)
            if taken <= room:
                kept |= tables
                room -= taken
                break
    rest = (kept[t.path] for t in catalog.tables if t.path in kept and t.path not in given)
    return replace(catalog, tables=(*always, *rest))


def column_scores(catalog: Catalog, question: str, matches: Iterable[Match]) -> dict[tuple[Path, str], float]:
    """Return the score of each column, by (path of the table, column); the table itself is the column ''."""
    from askwhere.indexer.build import ColumnValues, MemorySink, write
    from askwhere.indexer.matching import STOP_WORDS
    from askwhere.indexer.words import tokens

    texts: dict[str, list[tuple[Path, str]]] = {}
    for table in catalog.tables:
        for column in (Column("", comment=table.comment, synonyms=table.synonyms), *table.columns):
            words = tokens(split_capitals(" ".join((table.name, column.name, column.comment, *column.synonyms))))
            texts.setdefault(" ".join(map(singular, words)), []).append((table.path, column.name))
    sink = MemorySink()
    write([ColumnValues(Table(("schema",), ()), Column("text"), sorted(text for text in texts if text))], sink)
    index = sink.index()
    scores = {place: 0.0 for places in texts.values() for place in places}
    for scored in index.score([singular(word) for word in tokens(question) if word not in STOP_WORDS]):
        named = index.texts(scored.values.tolist())
        for value, score in zip(scored.values.tolist(), scored.scores.tolist(), strict=True):
            for place in texts[named[value]]:
                scores[place] += max(score, 0.0)
    for match in matches:
        if (match.table, match.column) in scores:
            scores[match.table, match.column] += _NAMED if match.exact else 0.1 * min(max(match.score, 0.0), _NAMED)
    return scores


def _table_score(table: Table, scores: dict[tuple[Path, str], float]) -> float:
    """Return the score of a table: the sum of its own and of its three best columns' scores."""
    own = sorted((scores[table.path, column.name] for column in table.columns), reverse=True)
    return scores[table.path, ""] + sum(own[:3])


def _narrow(table: Table, scores: dict[tuple[Path, str], float]) -> Table:
    """Return the table with only its keys, and the columns that score higher than the table itself."""
    keys = {*table.primary_key, *(name for key in table.foreign_keys for name in key.columns)}
    kept = tuple(c for c in table.columns if c.name in keys or scores[table.path, c.name] > scores[table.path, ""])
    return replace(table, columns=kept or table.columns[:1])


def _neighbors(catalog: Catalog) -> dict[Path, list[Path]]:
    """Return the tables that a foreign key joins to each table, in the order of their paths."""
    joined: dict[Path, set[Path]] = {}
    for table in catalog.tables:
        for key in table.foreign_keys:
            joined.setdefault(table.path, set()).add(key.target)
            joined.setdefault(key.target, set()).add(table.path)
    return {path: sorted(paths) for path, paths in joined.items()}


def _join_path(
    catalog: Catalog, neighbors: dict[Path, list[Path]], table: Table, kept: dict[Path, Table]
) -> list[Table]:
    """Return a table and those on the shortest path of foreign keys from it to one that is kept."""
    if not kept:
        return [table]
    paths: deque[tuple[Path, ...]] = deque([(table.path,)])
    seen = {table.path}
    while paths:
        tables = paths.popleft()
        new = [path for path in neighbors.get(tables[-1], ()) if path not in seen]
        if reached := next((path for path in new if path in kept), None):
            return [catalog.by_path[path] for path in (*tables, reached) if path in catalog.by_path]
        seen.update(new)
        if len(tables) < _LONGEST_PATH:
            paths.extend((*tables, path) for path in new)
    return [table]
