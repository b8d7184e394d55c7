"""Fix a query that does not run, and explain one in plain language."""
