"""Extend duckdb-engine's dialect of SQLAlchemy by `ask`.

The dialect serves `create_engine("askwhere+duckdb:///world.duckdb?effort=fast")`.

duckdb-engine reads the schema from PostgreSQL's catalog tables, some of which DuckDB lacks. Here it is read from
DuckDB's own.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import askwhere
import duckdb_engine
from askwhere.bindings import database_files
from askwhere.bindings.sqlalchemy.sqlite import arguments, users
from askwhere.known_settings import SETTINGS
from sqlalchemy import types
from sqlalchemy.dialects.postgresql import UUID
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.engine.url import URL
from sqlalchemy.exc import NoSuchTableError

_TYPES: dict[str, Any] = {
    "BIGINT": types.BIGINT,
    "BLOB": types.LargeBinary,
    "BOOLEAN": types.BOOLEAN,
    "DATE": types.DATE,
    "DOUBLE": types.FLOAT,
    "ENUM": types.VARCHAR,
    "FLOAT": types.FLOAT,
    "HUGEINT": types.BIGINT,
    "INTEGER": types.INTEGER,
    "INTERVAL": types.Interval,
    "JSON": types.JSON,
    "SMALLINT": types.SMALLINT,
    "TIME": types.TIME,
    "TIMESTAMP": types.TIMESTAMP,
    "TINYINT": types.SMALLINT,
    "UBIGINT": types.BIGINT,
    "UHUGEINT": types.BIGINT,
    "UINTEGER": types.BIGINT,
    "USMALLINT": types.INTEGER,
    "UTINYINT": types.SMALLINT,
    "UUID": UUID,
    "VARCHAR": types.VARCHAR,
}
_WHERE = "database_name = current_database() AND schema_name = coalesce($1, current_schema()) AND table_name = $2"
_COLUMNS = f"""
SELECT column_name, data_type, is_nullable, column_default, comment FROM duckdb_columns() WHERE {_WHERE}
ORDER BY column_index
"""
_COMMENT = f"SELECT comment FROM duckdb_tables() WHERE {_WHERE}"
_CONSTRAINTS = f"""
SELECT constraint_column_names, referenced_table, referenced_column_names FROM duckdb_constraints()
WHERE {_WHERE} AND constraint_type = $3 ORDER BY constraint_index
"""


class AskwhereDuckDB(duckdb_engine.Dialect):
    """The dialect. A URL's query has settings by name, `read_only=1`, and DuckDB's own settings."""

    driver = "askwhere"
    supports_statement_cache = False

    def create_connect_args(self, url: URL) -> Any:
        """See SQLAlchemy."""
        ours = {setting.name for setting in SETTINGS} & set(url.query)
        given = arguments(url.set(query={name: value for name, value in url.query.items() if name in ours}))
        places, options = super().create_connect_args(url.difference_update_query([*ours, "read_only"]))
        read_only = arguments(url)["read_only"]
        del given["read_only"]
        return places, {**options, "read_only": read_only, "askwhere": given}

    def connect(self, *places: Any, **options: Any) -> Any:
        """Open a connection of duckdb-engine's and register `ask` on it. Raise `DatabaseError` for a missing file."""
        settings = options.pop("askwhere", {})
        if (database := options.get("database", ":memory:")) != ":memory:":
            database_files.kind_of_file(Path(database))  # DuckDB would create a database for a misspelt name
            options["database"] = database_files.for_duckdb(database)
        connection = super().connect(*places, **options)
        own = connection.execute("SELECT 1")  # returns DuckDB's own connection
        own.fetchall()
        askwhere.register(own, **settings)
        return connection

    def get_table_names(self, connection: Any, schema: str | None = None, **kw: Any) -> list[str]:
        """See SQLAlchemy; without askwhere's own tables."""
        return users(super().get_table_names(connection, schema=schema, **kw))

    def get_columns(self, connection: Any, table_name: str, schema: str | None = None, **kw: Any) -> Any:
        """See SQLAlchemy."""
        rows = self._read(connection, _COLUMNS, schema, table_name)
        if not rows:
            raise NoSuchTableError(table_name)
        return [
            {"name": name, "type": _type(kind), "nullable": nullable, "default": default, "comment": comment}
            for name, kind, nullable, default, comment in rows
        ]

    def get_pk_constraint(self, connection: Any, table_name: str, schema: str | None = None, **kw: Any) -> Any:
        """See SQLAlchemy."""
        constraints = self._constraints(connection, schema, table_name, "PRIMARY KEY")
        return {"name": None, "constrained_columns": list(constraints[0][0]) if constraints else []}

    def get_foreign_keys(self, connection: Any, table_name: str, schema: str | None = None, **kw: Any) -> Any:
        """See SQLAlchemy; a key refers to a table of the same schema."""
        return [
            {
                "name": None,
                "constrained_columns": list(columns),
                "referred_schema": schema,
                "referred_table": target,
                "referred_columns": list(target_columns),
                "options": {},
            }
            for columns, target, target_columns in self._constraints(connection, schema, table_name, "FOREIGN KEY")
        ]

    def get_unique_constraints(self, connection: Any, table_name: str, schema: str | None = None, **kw: Any) -> Any:
        """See SQLAlchemy."""
        constraints = self._constraints(connection, schema, table_name, "UNIQUE")
        return [{"name": None, "column_names": list(columns)} for columns, *_ in constraints]

    def get_check_constraints(self, connection: Any, table_name: str, schema: str | None = None, **kw: Any) -> Any:
        """Return none: only the database itself needs them."""
        return []

    def get_indexes(self, connection: Any, table_name: str, schema: str | None = None, **kw: Any) -> Any:
        """Return none: no program that reads a schema needs DuckDB's."""
        return []

    def get_table_comment(self, connection: Any, table_name: str, schema: str | None = None, **kw: Any) -> Any:
        """See SQLAlchemy."""
        rows = self._read(connection, _COMMENT, schema, table_name)
        return {"text": rows[0][0] if rows else None}

    def get_table_options(self, connection: Any, table_name: str, schema: str | None = None, **kw: Any) -> Any:
        """Return none: DuckDB has none."""
        return {}

    def _constraints(self, connection: Any, schema: str | None, table: str, kind: str) -> Any:
        return self._read(connection, _CONSTRAINTS, schema, table, kind)

    def _read(self, connection: Any, sql: str, schema: str | None, *values: str) -> Any:
        own = schema.rpartition(".")[2].strip('"') if schema else None
        return connection.exec_driver_sql(sql, (own, *values)).fetchall()


# SQLAlchemy 2 reads many tables at once, through PostgreSQL's catalog: read them one by one, by the methods above.
for _name in (name for name in dir(DefaultDialect) if name.startswith("get_multi_")):
    setattr(AskwhereDuckDB, _name, getattr(DefaultDialect, _name))


def _type(kind: str) -> Any:
    """Return SQLAlchemy's type for one of DuckDB's; NullType, which takes any value, for lists and structs."""
    name = re.split(r"[ _(]", kind, maxsplit=1)[0]
    if kind.endswith("]") or name not in (*_TYPES, "DECIMAL"):
        return types.NullType()
    if name == "DECIMAL":
        precision, scale = map(int, re.findall(r"\d+", kind))
        return types.DECIMAL(precision, scale)
    return types.TIMESTAMP(timezone=True) if kind == "TIMESTAMP WITH TIME ZONE" else _TYPES[name]()
