"""Decide which tables a query joins by LEFT JOIN, as rows without a match there must stay.

These are the tables of what is counted in "orders per customer, including those with none", and those that only say
which rows a share is of: the departments in "what percentage of employees work in Sales".
"""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.draft import Draft
from askwhere.reader.joins import Path, Tree
from askwhere.reader.lexicon import Sense
from askwhere.reader.scope import tables_of, trimmed


def kept(draft: Draft, senses: tuple[Sense, ...]) -> Path | None:
    """Return the table of which all rows are shown; None where not just one is grouped by and shown."""
    slots = {t.slot for t in draft.outputs if not t.counts and t.slot is not None} | set(draft.groups)
    tables = {senses[slot].table.path for slot in slots}
    return next(iter(tables)) if len(tables) == 1 and not any(draft.slots[slot].part for slot in slots) else None


def optional(draft: Draft, senses: tuple[Sense, ...], tree: Tree) -> frozenset[Path]:
    """Return the tables of a tree in which a row may have no match and still counts."""
    tables = {path for edge in tree.edges for path in (edge.child, edge.parent)}
    if draft.keeps:
        return frozenset(tables - {kept(draft, senses)})
    if not draft.share:
        return frozenset()
    used = set(tables_of(replace(draft, share=[]), senses))
    rest = trimmed(tree, used)
    return frozenset(tables - used - {path for edge in rest.edges for path in (edge.child, edge.parent)})
