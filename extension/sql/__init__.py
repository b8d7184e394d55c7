"""Read and write SQL text: tokens, trees, names and literals, and what differs between the engines.

All other packages may import this one; it imports only the errors.

- `dialect`: what an engine must say of its SQL; `sqlite` and `duckdb` say it; `dialects` looks one up by its name
- `lexer`: tokens, `identifiers`: names, `literals`: values, `spans`: the places of clauses
- `parsing`: trees, with bounded work
"""
