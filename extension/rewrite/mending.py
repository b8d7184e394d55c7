"""Mend what a model's query that runs cannot mean, by rules that look at nothing but the query and the schema."""

from __future__ import annotations

from askwhere.rewrite import alternatives, correlating, joining, key_values, named_rows, text_arithmetic
from askwhere.rewrite.asked import Asked
from askwhere.sql import parsing
from sqlglot.errors import SqlglotError

# The rules take time with the square of the text's length; the benchmarks' longest query has 900 characters.
MOST_CHARACTERS = 10_000
# What is mended, in words, each by a function that changes the query's tree and returns whether it did.
RULES = (
    ("differences of dates in days", text_arithmetic.in_days),
    ("alternatives in parentheses", alternatives.grouped),
    ("a subquery about the row around it", correlating.with_outer_row),
    ("joined along the keys", joining.along_keys),
    ("keys of a value in place of the value", key_values.looked_up),
    ("names in place of keys or of all columns", named_rows.with_names),
)


def mended(sql: str, asked: Asked) -> tuple[str, str]:
    """Return a query as the rules mend it, and what they changed in words; the same text and '' where nothing is.

    Queries of more than `MOST_CHARACTERS`, and those nested deeper than can be written again, stay as they are. Raise
    `QueryError` where it is not what anybody means, and cannot be mended.
    """
    if len(sql) > MOST_CHARACTERS:
        return sql, ""
    try:
        tree = parsing.statement(sql, asked.dialect)
        changes = [description for description, rule in RULES if rule(tree, asked)]
        return (tree.sql(asked.dialect), ", ".join(changes)) if changes else (sql, "")
    except (SqlglotError, RecursionError):
        return sql, ""
