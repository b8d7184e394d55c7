"""Read and write SQL text: tokens, trees, names and literals, and what differs between the engines.

Every other package imports this one; it imports none but the errors.

- `dialect`: what an engine must say of its SQL; `sqlite` and `duckdb` say it; `dialects` looks one up by its name
- `lexer`: tokens, `identifiers`: names, `literals`: values, `spans`: the places of clauses
- `parsing`: trees, with bounded work
"""
