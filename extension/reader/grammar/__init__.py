"""The grammar: reads marks from left to right into a draft, which says what to show, test, group and order."""
