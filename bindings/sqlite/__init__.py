"""SQLite through APSW: the engine, its functions and virtual tables."""
