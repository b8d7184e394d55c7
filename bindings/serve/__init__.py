"""`askwhere serve`: serves one database, with `ask`, to many DuckDB clients."""
