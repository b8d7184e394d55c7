"""The loadable SQLite extension and the worker process that answers for it."""
