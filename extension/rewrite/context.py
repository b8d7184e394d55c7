"""Hold what the rules that mend a model's query use: the question, the catalog, and look-ups in the data."""

from __future__ import annotations

from collections.abc import Callable

from askwhere.engine import Table
from askwhere.frozen import frozen
from askwhere.indexer.catalog import Catalog

# Returns whether a column of a table contains a value, compared as text; True where that cannot be found out.
Holds = Callable[[Table, str, str], bool]
# Returns "date" or "text" for a column of a table whose values are texts of that kind, '' for any other column.
Kind = Callable[[Table, str], str]


@frozen
class MendingContext:
    """A question with its catalog and dialect.

    `holds` looks for a value in a column. `kind` returns the kind of a column's texts; it is None in an engine that
    refuses to compute with text.
    """

    question: str
    catalog: Catalog
    dialect: str
    holds: Holds
    kind: Kind | None = None
