"""DuckDB through its Python package: the engine, its functions and macros."""
