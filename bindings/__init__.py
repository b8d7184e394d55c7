"""The ways in to askwhere: each engine's functions and tables, the command line, the server, SQLAlchemy's dialects."""
