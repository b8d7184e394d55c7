"""The sample database of the world, for a first try: its facts and what they mean are in `world.sql`."""

from askwhere.bindings.sample.build import build_duckdb, build_sqlite

__all__ = ["build_duckdb", "build_sqlite"]
