"""Check generated SQL before it runs: one SELECT over granted tables, with harmless functions. No engine is imported.

All generated SQL is treated as hostile. `one_statement` takes the SQL out of a model's reply. `qualify` writes every
table with its full path, and replaces a table with hidden columns by a subquery of the others. The engine's own reading
of that text then decides: in SQLite the events of its authorizer (`Authorizer`), in DuckDB its syntax tree
(`duckdb.check_duckdb`, which only its binding imports). Each refuses whatever it does not know.
"""

from askwhere.guard.functions import (
    DUCKDB_FUNCTIONS,
    DUCKDB_TABLE_FUNCTIONS,
    SQLITE_FUNCTIONS,
    SQLITE_TABLE_FUNCTIONS,
    harmless,
)
from askwhere.guard.sqlite import (
    Authorizer,
    check_searches,
    needs_limits,
    refuse_rank,
    slowest,
    with_sorted_percentiles,
)
from askwhere.guard.statement import asks, one_statement
from askwhere.guard.tables import qualify, refuse_changed

__all__ = [
    "DUCKDB_FUNCTIONS",
    "DUCKDB_TABLE_FUNCTIONS",
    "SQLITE_FUNCTIONS",
    "SQLITE_TABLE_FUNCTIONS",
    "Authorizer",
    "asks",
    "check_searches",
    "harmless",
    "needs_limits",
    "one_statement",
    "qualify",
    "refuse_changed",
    "refuse_rank",
    "slowest",
    "with_sorted_percentiles",
]
