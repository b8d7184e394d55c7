"""Parquet, CSV and JSON files as a DuckDB database: each table of files is a view, and nothing else can be read."""
