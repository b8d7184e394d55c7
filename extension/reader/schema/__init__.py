"""The schema as words find it: names of tables and columns, roles, and the joins between tables."""
