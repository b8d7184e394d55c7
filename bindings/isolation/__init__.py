"""Generated SQL checked and run in a process of its own."""
