"""Schema search: the tables and columns that a question is about, for schemas too large to be shown whole.

Each column is found by the words of its name, its table's name, its comment and its synonyms, with the scores that
values have, and by the values of it that the question holds.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

from askwhere.engine import Column, Table
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import Match

Path = tuple[str, ...]

# What a value that stands in the question says for its column; a good name says about as much.
_NAMED = 5.0
# How much of a schema that is cut may show the same tables to every question, and how much of it each of them.
_CENTRAL, _CENTRAL_EACH = 0.25, 0.05
# Tables on the way from one to another, at most: more than that are no longer one question's.
_WAY = 3


def central(catalog: Catalog, room: float, size: Callable[[Table], float]) -> tuple[Table, ...]:
    """The tables that a schema larger than `room` shows whatever is asked, so that its prompts begin alike.

    They are those that have most keys to and from others, each of them small beside the room: what a question is about
    is crowded out by none.
    """
    size = cache(size)  # the text of a table is written to be measured
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
    found: Iterable[Match],
    room: float,
    size: Callable[[Table], float],
    always: tuple[Table, ...] = (),
) -> Catalog:
    """The catalog itself if its tables' sizes are within `room`; else those that are, what the question is about first.

    Those that are `always` kept come first in it. Tables between two that the question is about are kept too. A table
    that does not fit whole is kept with its keys and the columns that the question is about.
    """
    size = cache(size)  # the text of a table is written to be measured
    if sum(map(size, catalog.tables)) <= room:
        return catalog
    scores = column_scores(catalog, question, found)
    given = {table.path: table for table in always}
    room -= sum(map(size, always))
    kept: dict[Path, Table] = {}
    for table in sorted(catalog.tables, key=lambda t: -_table_score(t, scores)):
        if table.path in kept:
            continue
        way = {t.path: t for t in _way(catalog, table, kept) if t.path not in kept}
        narrow = {path: given.get(path) or _narrow(t, scores) for path, t in way.items()}
        for tables in (way, narrow, {table.path: narrow[table.path]}):
            taken = sum(size(t) for path, t in tables.items() if path not in given)
            if taken <= room:
                kept |= tables
                room -= taken
                break
    rest = (kept[t.path] for t in catalog.tables if t.path in kept and t.path not in given)
    return replace(catalog, tables=(*always, *rest))


def column_scores(catalog: Catalog, question: str, found: Iterable[Match]) -> dict[tuple[Path, str], float]:
    """How much the question has to do with each column; the table itself is the column `''`."""
    from askwhere.indexer.bridge import STOP_WORDS, singular
    from askwhere.indexer.build import ColumnValues, MemorySink, write
    from askwhere.indexer.words import tokens

    texts: dict[str, list[tuple[Path, str]]] = {}
    for table in catalog.tables:
        for column in (Column("", comment=table.comment, synonyms=table.synonyms), *table.columns):
            words = tokens(_parted(" ".join((table.name, column.name, column.comment, *column.synonyms))))
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
    for match in found:
        if (match.table, match.column) in scores:
            scores[match.table, match.column] += _NAMED if match.exact else 0.1 * min(max(match.score, 0.0), _NAMED)
    return scores


def _parted(name: str) -> str:
    """Names written `inOneWord` part where a capital begins."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)


def _table_score(table: Table, scores: dict[tuple[Path, str], float]) -> float:
    own = sorted((scores[table.path, column.name] for column in table.columns), reverse=True)
    return scores[table.path, ""] + sum(own[:3])


def _narrow(table: Table, scores: dict[tuple[Path, str], float]) -> Table:
    """The table with its keys and the columns that the question is about."""
    keys = {*table.primary_key, *(name for key in table.foreign_keys for name in key.columns)}
    kept = tuple(c for c in table.columns if c.name in keys or scores[table.path, c.name] > scores[table.path, ""])
    return replace(table, columns=kept or table.columns[:1])


def _way(catalog: Catalog, table: Table, kept: dict[Path, Table]) -> list[Table]:
    """The table, and those on the shortest way along foreign keys from it to one that is kept."""
    edges: dict[Path, set[Path]] = {}
    for one in catalog.tables:
        for key in one.foreign_keys:
            edges.setdefault(one.path, set()).add(key.target)
            edges.setdefault(key.target, set()).add(one.path)
    ways: deque[tuple[Path, ...]] = deque([(table.path,)])
    seen = {table.path}
    while ways:
        way = ways.popleft()
        if way[-1] in kept:
            return [catalog.by_path[path] for path in way if path in catalog.by_path]
        if len(way) > _WAY:
            continue
        for path in sorted(edges.get(way[-1], set()) - seen):
            seen.add(path)
            ways.append((*way, path))
    return [table]
