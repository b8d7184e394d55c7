"""`isolation = 'process'`: generated SQL is checked and run in a process of its own."""
