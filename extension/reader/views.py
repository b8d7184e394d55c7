"""Views that repeat other tables: they are asked only about what the tables themselves do not answer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from askwhere.engine import Table
from askwhere.indexer.catalog import Catalog
from askwhere.reader.joins import Path
from askwhere.reader.marks import Mark
from askwhere.reader.place import Cut


def repeating(catalog: Catalog) -> frozenset[Path]:
    """The views over other tables of the catalog. One that reads files is no repetition: it is the data itself."""
    names = {t.name.lower() for t in catalog.tables}
    return frozenset(t.path for t in catalog.tables if t.kind == "view" and _words(t) & (names - {t.name.lower()}))


def _words(view: Table) -> set[str]:
    """What a view's text may name: its words, and what stands in quotes or brackets."""
    text = view.definition.lower()
    return set(re.findall(r"\w+", text)) | {name for found in re.findall(_QUOTED, text) for name in found if name}


_QUOTED = r'"([^"]+)"|\[([^\]]+)\]|`([^`]+)`'


def tables_alone(catalog: Catalog, views: frozenset[Path]) -> Catalog:
    """The catalog without some views."""
    return replace(catalog, tables=tuple(t for t in catalog.tables if t.path not in views))


def calls(cuts: Iterable[Cut], views: frozenset[Path]) -> bool:
    """Whether the likeliest way to cut a question has a view's full name in it."""
    return any(_is_view(mark, views) for cut in cuts for mark in cut.marks)


def _is_view(mark: Mark, views: frozenset[Path]) -> bool:
    full = [s for s in mark.senses if s.score >= 1.0]
    return mark.kind == "table" and bool(full) and all(s.table.path in views for s in full)
