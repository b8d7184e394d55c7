"""Find views over other tables of the catalog, which the reader uses only if the tables alone give no answer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from askwhere.engine import Table
from askwhere.indexer.catalog import Catalog
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.place import Cut
from askwhere.reader.schema.edges import Path


def views_over_tables(catalog: Catalog) -> frozenset[Path]:
    """Return the paths of the views that name another table of the catalog in their definition.

    A view that reads files is not among them, as it is the data itself, nor one with a key that users declared.
    """
    names = {t.name.lower() for t in catalog.tables}
    keys = [(t.path, key.target) for t in catalog.tables for key in t.foreign_keys if key.declared]
    joined = {path for key in keys for path in key}
    views = [t for t in catalog.tables if t.kind == "view" and t.path not in joined]
    return frozenset(t.path for t in views if _words(t) & (names - {t.name.lower()}))


def _words(view: Table) -> set[str]:
    """Return what may be a name in a view's definition, in lower case: each word, and each quoted or bracketed text."""
    text = view.definition.lower()
    return set(re.findall(r"\w+", text)) | {name for found in re.findall(_QUOTED, text) for name in found if name}


_QUOTED = r'"([^"]+)"|\[([^\]]+)\]|`([^`]+)`'


def tables_alone(catalog: Catalog, views: frozenset[Path]) -> Catalog:
    """Return the catalog without the given views."""
    return replace(catalog, tables=tuple(t for t in catalog.tables if t.path not in views))


def name_view(cuts: Iterable[Cut], views: frozenset[Path]) -> bool:
    """Return whether any of the cuts has the full name of one of the views."""
    return any(_is_view(mark, views) for cut in cuts for mark in cut.marks)


def _is_view(mark: Mark, views: frozenset[Path]) -> bool:
    """Return whether a mark is the full name of one or several views, and of no table."""
    full = [s for s in mark.senses if s.score >= 1.0]
    return mark.kind == "table" and bool(full) and all(s.table.path in views for s in full)
