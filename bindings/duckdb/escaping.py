"""Keep texts of a query from becoming SQL on an attached server, where DuckDB writes them into the server's query.

DuckDB can have the server filter rows, and writes a text there with its quotation marks doubled. MySQL and MariaDB also
read a backslash as an escape. So the text of one backslash goes on to the next quotation mark, and what follows runs as
SQL: part of the query's texts, or of a value that is compared (mysql_scanner of DuckDB 1.5.5). PostgreSQL does the same
where `standard_conforming_strings` is off.
"""

from __future__ import annotations

import contextlib

import duckdb
from askwhere.bindings.duckdb import attached
from askwhere.bindings.duckdb.running import Connection
from askwhere.errors import Refused
from askwhere.sql.identifiers import fold
from askwhere.sql.parsing import statement
from sqlglot import exp

EXTENSION = "mysql_scanner"
_SETTING = "mysql_experimental_filter_pushdown"
_STRINGS = "SELECT pg_catalog.current_setting('standard_conforming_strings') AS a"


def filter_here(connection: Connection) -> None:
    """Have DuckDB itself filter the rows of MySQL, for all connections of the instance."""
    with contextlib.suppress(duckdb.CatalogException):  # an extension without the setting filters nothing there
        connection.execute(f"SET GLOBAL {_SETTING} = false")


def refuse_unsafe(connection: Connection, query: str, sql: str) -> None:
    """Raise `Refused` for a query that reads a server which would read the query's texts as SQL.

    `query` is the query `sql` with each table by its full path.
    """
    served = {fold(source.name): source for source in attached.sources(connection) if source.type in _UNSAFE}
    if not served:
        return
    for name in sorted({fold(table.catalog) for table in statement(query, "duckdb").find_all(exp.Table)} & {*served}):
        source = served[name]
        if why := _UNSAFE[source.type](connection, source):
            raise Refused(f"{source.name} is not asked: its server may read a text of a query as SQL; {why}", sql)


def _unsafe_mysql(connection: Connection, source: attached.Attached) -> str:
    """Return what to do so that DuckDB itself filters the rows of MySQL; '' where it does."""
    known = connection.execute("SELECT value FROM duckdb_settings() WHERE name = ?", [_SETTING]).fetchone()
    return f"run SET GLOBAL {_SETTING} = false first" if known == ("true",) else ""


def _unsafe_postgres(connection: Connection, source: attached.Attached) -> str:
    """Return what to do so that PostgreSQL reads no escapes in texts; '' where it reads none."""
    off = source.ask(connection, _STRINGS) == [("off",)]
    return "set standard_conforming_strings = on for its user, and attach it again" if off else ""


_UNSAFE = {"mysql": _unsafe_mysql, "postgres": _unsafe_postgres}
