"""Handle words: tokens of a question, words in names of a schema, and the English that gives them a meaning."""
