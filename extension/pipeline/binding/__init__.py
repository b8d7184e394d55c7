"""Hold what a model writes to queries that can bind, word by word while it writes."""
