"""SQLAlchemy's dialects for both engines."""
