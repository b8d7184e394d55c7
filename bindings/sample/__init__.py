"""The sample database about the world, for a first try; its content, with comments, is in `world.sql`."""

from askwhere.bindings.sample.build import build_duckdb, build_sqlite

__all__ = ["build_duckdb", "build_sqlite"]
