"""Writing: a draft whose words have one sense each becomes a query, as a sqlglot tree."""
