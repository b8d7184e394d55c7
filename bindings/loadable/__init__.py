"""The worker process that answers for the loadable SQLite extension, whose C code is in `extension/native/`."""
