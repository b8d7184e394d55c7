"""Read and keep what a database file holds for questions: catalog, value index, pins, answers, comments and the log."""
