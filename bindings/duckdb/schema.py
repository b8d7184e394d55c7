"""Read a DuckDB connection's schema: its tables and views, their columns and constraints, and their versions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from askwhere.bindings.duckdb import attached
from askwhere.bindings.duckdb.attached import Attached, Constraint, Path
from askwhere.bindings.duckdb.lengths import StoredLengths
from askwhere.bindings.duckdb.running import Connection
from askwhere.bindings.duckdb.storage import own_database
from askwhere.engine import Column, ForeignKey, Table
from askwhere.guard import definition_sizes
from askwhere.guard.definitions import Definitions, with_work
from askwhere.guard.estimates import MAX_WORK
from askwhere.guard.written_out import Relation
from askwhere.indexer import keys

TABLES = """
SELECT database_name, schema_name, table_name, 'table', estimated_size, coalesce(comment, ''), '' FROM duckdb_tables()
WHERE NOT internal
UNION ALL
SELECT database_name, schema_name, view_name, 'view', NULL, coalesce(comment, ''), sql FROM duckdb_views()
WHERE NOT internal
"""
_DEFINITIONS = "SELECT database_name, schema_name, view_name, sql FROM duckdb_views() WHERE NOT internal"
_IN_FILES = """
WITH files AS (SELECT database_name FROM duckdb_databases() WHERE type IN ('duckdb', 'sqlite') AND path IS NOT NULL)
SELECT database_name, schema_name || '.' || table_name, sql FROM duckdb_tables()
WHERE NOT temporary AND NOT starts_with(lower(table_name), 'askwhere_') AND database_name IN (FROM files)
UNION ALL
SELECT database_name, schema_name || '.' || view_name, sql FROM duckdb_views()
WHERE NOT temporary AND NOT internal AND database_name IN (FROM files)
UNION ALL
SELECT database_name, schema_name || '.' || function_name || '()',
  string_agg(parameters::VARCHAR || macro_definition, ';' ORDER BY parameters::VARCHAR, macro_definition)
FROM duckdb_functions() WHERE NOT internal AND macro_definition IS NOT NULL AND database_name IN (FROM files)
GROUP BY ALL
"""
COLUMNS = """
SELECT database_name, schema_name, table_name, column_name, data_type, coalesce(comment, ''),
  CASE WHEN (database_name, schema_name, table_name) IN (
    SELECT (database_name, schema_name, table_name) FROM duckdb_tables() WHERE contains(sql, 'GENERATED ALWAYS AS'))
  THEN coalesce(column_default, '') ELSE '' END
FROM duckdb_columns() WHERE NOT internal ORDER BY database_name, schema_name, table_name, column_index
"""
CONSTRAINTS = """
SELECT database_name, schema_name, table_name, constraint_type, constraint_column_names, referenced_table,
  referenced_column_names
FROM duckdb_constraints() WHERE constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY') ORDER BY constraint_index
"""
# A sum of hashes does not depend on the order in which the catalog lists things. Views that call our functions are left
# out: no question is about them, and creating one must not change the version that its own question was answered for.
# So are our own tables, which `ask_index` and a first pin replace while others ask.
_ASKS = r"(?i)\bask(_\w+)?\s*\("
_NOT_OWN = "NOT starts_with(lower(table_name), 'askwhere_')"
# One sum over all lists: DuckDB takes longer to plan a sum of each than to compute them. Views that ask are rare: if
# there are any, a second statement leaves out their columns, given their paths (`WITHOUT_ASKING`).
SCHEMA_VERSION = f"""
SELECT list([database_name, schema_name, table_name]) FILTER (kind = 't' AND lower(table_name) IN {keys.DECLARING}),
  list([database_name, schema_name, table_name]) FILTER (kind = 'v' AND regexp_matches(text, '{_ASKS}')),
  current_database(), current_schema(),
  sum(hash(kind, database_name, schema_name, table_name, name, text, comment)::HUGEINT)
    FILTER (kind = 'v' OR {_NOT_OWN})
FROM (
  SELECT 't' AS kind, database_name, schema_name, table_name, '' AS name, sql AS text, comment
  FROM duckdb_tables() WHERE NOT internal
  UNION ALL
  SELECT 'v', database_name, schema_name, view_name, '', sql, comment FROM duckdb_views() WHERE NOT internal
  UNION ALL
  SELECT 'c', database_name, schema_name, table_name, column_name, data_type, comment
  FROM duckdb_columns() WHERE NOT internal
  UNION ALL
  SELECT 'k', database_name, schema_name, table_name, '', constraint_text, NULL FROM duckdb_constraints())
"""
WITHOUT_ASKING = f"{SCHEMA_VERSION} WHERE NOT list_contains(?, [database_name, schema_name, table_name])"
# There are hardly ever tables of such a name. So whether they are tables or views is asked in a second statement
# (`TABLES_NAMED`): a join would take a millisecond each time.
COLUMNS_NAMED = """
SELECT database_name, schema_name, table_name, list(column_name ORDER BY column_index)
FROM duckdb_columns() WHERE lower(table_name) = ? GROUP BY ALL ORDER BY ALL
"""
TABLES_NAMED = "SELECT database_name, schema_name, table_name FROM duckdb_tables() WHERE lower(table_name) = ?"
TEMPORARY = """
SELECT 1 FROM duckdb_tables() WHERE temporary UNION ALL SELECT 1 FROM duckdb_views() WHERE temporary AND NOT internal
"""
OF_DUCKDB = "SELECT count(*) = 1 FROM duckdb_databases() WHERE database_name = current_database() AND type = 'duckdb'"

DATA_VERSION = f"""
SELECT sum(hash(database_name, schema_name, table_name, estimated_size)::HUGEINT) FROM duckdb_tables()
WHERE NOT internal AND {_NOT_OWN}
"""


def tables(connection: Connection, macros: Callable[[], Mapping[str, str]]) -> tuple[Table, ...]:
    """Return the tables and views. Temporary tables come first, as they shadow others; then the current schema's."""
    sources = attached.sources(connection)
    attached.refresh(connection, sources)
    known_facts = {path: facts for source in sources for path, facts in attached.facts(connection, source).items()}
    here = connection.execute("SELECT current_database(), current_schema()").fetchall()[0]
    # Of views and generated columns on servers and in SQLite files, which DuckDB lists as tables and plain columns.
    computed_there = {path: sql for source in sources for path, sql in attached.definitions(connection, source).items()}
    columns = _columns(connection, sources, computed_there)
    constraints = _constraints(connection, sources)
    listed, own = attached.read(connection, TABLES), own_database(connection)
    listed = [row for row in listed if row[0] != own and not row[2].lower().startswith("askwhere_")]
    listed = [row for row in listed if not attached.is_left_out(sources, known_facts, row[:3])]
    views = {tuple(path): sql for *path, kind, _, _, sql in listed if kind == "view"}
    computes = any(column.computed for listed_columns in columns.values() for column in listed_columns)
    known_macros = macros() if views or computes else {}
    known = Definitions("duckdb", views, known_macros)
    tables = [
        _table(path, kind, rows, comment, sql, columns.get(path, ()), constraints.get(path, ()), known)
        for path, kind, rows, comment, sql in ((row[:3], *row[3:]) for row in listed)
    ]
    tables = [t if t.path not in known_facts else replace(t, rows=known_facts[t.path].rows) for t in tables]
    tables = [
        replace(t, kind="view", definition=computed_there[t.path]) if t.path in computed_there else t for t in tables
    ]
    databases, schemas = ({row[place] for row in listed} for place in (0, 1))
    short = attached.shortener(connection, sources, here, databases, schemas)
    kinds = {source.name: source.type for source in sources}
    tables = [replace(t, short=short(t.path), source=kinds.get(t.path[0], "")) for t in tables]
    lengths = StoredLengths(connection).known
    large = definition_sizes.too_large(tables, known_macros, lambda sql: _tree(connection, sql), lengths)
    tables = [_marked(t, large) for t in tables] if large else tables
    return tuple(sorted(tables, key=lambda t: (t.path[0] != "temp", t.path[:2] != here, t.path)))


def _columns(
    connection: Connection, sources: Iterable[Attached], computed_there: Mapping[Path, str]
) -> dict[Path, list[Column]]:
    """Return the columns of all tables and views, by the path of their table.

    `computed_there` has the expressions of generated columns of attached databases, by path and name.
    """
    columns: dict[Path, list[Column]] = {}
    flags = {column for source in sources for column in attached.flags(connection, source)}
    for *path, name, listed_type, comment, computed in connection.execute(COLUMNS).fetchall():
        declared = "BOOLEAN" if (*path, name) in flags else listed_type
        computed = computed_there.get((*path, name), computed)
        columns.setdefault(tuple(path), []).append(Column(name, declared, comment, computed=computed))
    return columns


def _constraints(connection: Connection, sources: Iterable[Attached]) -> dict[Path, list[Constraint]]:
    """Return the constraints of all tables, by the path of their table."""
    constraints: dict[Path, list[Constraint]] = {}
    for database, schema, name, kind, columns, target, others in connection.execute(CONSTRAINTS).fetchall():
        constraints.setdefault((database, schema, name), []).append((kind, columns, schema, target, others))
    for source in sources:
        for path, constraint in attached.constraints(connection, source):
            constraints.setdefault(path, []).append(constraint)
    return constraints


def _marked(table: Table, large: Mapping[tuple[Path, str], str]) -> Table:
    """Return a table with the reasons why it, or a column, is too large, by what `definition_sizes` has found."""
    columns = tuple(replace(c, too_large=large.get((table.path, c.name), "")) for c in table.columns)
    return replace(table, too_large=large.get((table.path, ""), ""), columns=columns)


def _tree(connection: Connection, sql: str) -> str:
    """Return DuckDB's syntax tree of a SELECT as JSON."""
    ((tree,),) = connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchall()
    return str(tree)


def definitions(connection: Connection) -> dict[str, str]:
    """Return the SQL of each table, view and macro in the files of a connection by path, without askwhere's own."""
    return {f"{database}.{name}": sql for database, name, sql in attached.read(connection, _IN_FILES)}


def views(connection: Connection, granted: Iterable[Table]) -> dict[Path, str]:
    """Return the definitions of all views, by path, where one is granted."""
    if all(table.kind != "view" for table in granted):
        return {}
    return {tuple(path): sql for *path, sql in attached.read(connection, _DEFINITIONS)}


def _table(
    path: Path,
    kind: str,
    rows: int | None,
    comment: str,
    sql: str,
    columns: Sequence[Column],
    constraints: Sequence[Constraint],
    known: Definitions,
) -> Table:
    """Return a table or view, given what the catalog lists of it."""
    expanded = known.relation(path) if kind == "view" else Relation()
    fits = expanded.size <= MAX_WORK
    return Table(
        path=path,
        columns=tuple(with_work(columns, expanded, "duckdb")) if fits else (),
        kind=kind,
        primary_key=next((tuple(names) for kind_, names, *_ in constraints if kind_ == "PRIMARY KEY"), ()),
        unique=tuple(tuple(names) for kind_, names, *_ in constraints if kind_ == "UNIQUE"),
        foreign_keys=tuple(
            ForeignKey(tuple(names), (path[0], schema, target), tuple(target_names))
            for kind_, names, schema, target, target_names in constraints
            if kind_ == "FOREIGN KEY"
        ),
        rows=rows,
        comment=comment,
        definition=sql,
        work=expanded.size,
    )
