"""The facts that rules for mending a model's query use: the question, the catalog, and lookups in the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from askwhere.engine import Table
from askwhere.indexer.catalog import Catalog

# Returns whether a column of a table has a value as text, True where that is not known.
Holds = Callable[[Table, str, str], bool]
# Returns "date" or "text" for a column of a table whose values are such texts, '' for any other.
Kind = Callable[[Table, str], str]


@dataclass(frozen=True)
class Asked:
    """A question with the catalog and dialect that it was asked in.

    `holds` looks for values. `kind` tells columns of text; None in an engine that does not compute with text.
    """

    question: str
    catalog: Catalog
    dialect: str
    holds: Holds
    kind: Kind | None = None
