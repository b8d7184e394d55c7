"""`askwhere serve`: one DuckDB database for many clients."""
