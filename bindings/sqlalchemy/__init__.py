"""SQLAlchemy's dialects for SQLite and DuckDB, with `ask`."""
