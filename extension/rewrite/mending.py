"""Mend implausible queries of a model, which may run, by rules over the query, the schema and the question."""

from __future__ import annotations

from askwhere.rewrite import alternatives, correlating, direction, joining, key_values, named_rows, text_arithmetic
from askwhere.rewrite.context import MendingContext
from askwhere.sql import parsing
from sqlglot.errors import SqlglotError

# The rules take time with the square of the text's length; the benchmarks' longest query has 900 characters.
MOST_CHARACTERS = 10_000
# The change in words, and the rule: a function that changes the query's tree and returns whether it did.
RULES = (
    ("date differences in days", text_arithmetic.in_days),
    ("OR conditions in parentheses", alternatives.grouped),
    ("a subquery correlated with the outer row", correlating.with_outer_row),
    ("tables joined along their keys", joining.along_keys),
    ("a key looked up by a value", key_values.looked_up),
    ("sorted in the direction that the question names", direction.in_asked_direction),
    ("names in place of keys or of all columns", named_rows.with_names),
)


def mended(sql: str, context: MendingContext) -> tuple[str, str]:
    """Return the mended query and the changes in words; the same text and '' where no rule applies.

    A query of more than `MOST_CHARACTERS`, or nested too deeply to be written again, is returned unchanged. Raise
    `QueryError` for a query that cannot be meant so and that no rule can mend.
    """
    if len(sql) > MOST_CHARACTERS:
        return sql, ""
    try:
        tree = parsing.statement(sql, context.dialect)
        changes = [description for description, rule in RULES if rule(tree, context)]
        return (tree.sql(context.dialect), ", ".join(changes)) if changes else (sql, "")
    except (SqlglotError, RecursionError):
        return sql, ""
