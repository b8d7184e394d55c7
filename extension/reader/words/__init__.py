"""Words: those of a question, those that names of a schema are made of, and what English says by them."""
