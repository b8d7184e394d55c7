"""Keep texts of a query from becoming SQL on an attached server, where DuckDB writes them into the server's query.

DuckDB can have the server filter rows, and writes a text there with its quotation marks doubled. MySQL and MariaDB also
read a backslash as an escape. So the text of one backslash goes on to the next quotation mark, and what follows runs as
SQL: part of the query's texts, or of a value that is compared (mysql_scanner of DuckDB 1.5.5). PostgreSQL does the same
where `standard_conforming_strings` is off.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

import duckdb
from askwhere.bindings.duckdb import attached
from askwhere.bindings.duckdb.running import Connection
from askwhere.engine import Grant, Table
from askwhere.errors import Refused
from askwhere.sql.identifiers import fold, fold_path
from askwhere.sql.parsing import statement
from sqlglot import exp

EXTENSION = "mysql_scanner"
_SETTING = "mysql_experimental_filter_pushdown"
_STRINGS = "SELECT pg_catalog.current_setting('standard_conforming_strings') AS a"


def filter_here(connection: Connection) -> None:
    """Have DuckDB itself filter the rows of MySQL, for all connections of the instance."""
    with contextlib.suppress(duckdb.CatalogException):  # an extension without the setting filters nothing there
        connection.execute(f"SET GLOBAL {_SETTING} = false")


def refuse_unsafe(connection: Connection, grant: Grant, query: str, sql: str) -> None:
    """Raise `Refused` for a query that reads a server which would read the query's texts as SQL.

    `query` is the query `sql` with each table by its full path.
    """
    text, views = fold(query), [t for t in grant.tables if t.kind == "view" and not t.source]
    # A view or a macro of the user's may read any server; what it reads is compared there with the query's texts, too.
    may_read_any = bool(grant.functions) or any(_may_name(text, view.name) for view in views)
    for source in attached.sources(connection) if may_read_any else _granted(grant):
        if source.type not in _UNSAFE or not (may_read_any or _may_name(text, source.name)):
            continue
        why = _UNSAFE[source.type](connection, source)
        if why and (grant.functions or _named(query, source, views)):
            raise Refused(f"{source.name} is not asked: its server may read a text of a query as SQL; {why}", sql)


def _granted(grant: Grant) -> Iterable[attached.Attached]:
    """Return the attached databases of granted tables."""
    return [
        attached.Attached(name, kind, "")
        for name, kind in {table.path[0]: table.source for table in grant.tables}.items()
    ]


def _may_name(text: str, name: str) -> bool:
    """Return whether a query may name a thing: `text` is the query, folded. No parser is needed for most queries."""
    return fold(name).replace('"', '""') in text


def _named(query: str, source: attached.Attached, views: Iterable[Table]) -> bool:
    """Return whether a query names a table of a source, or one of the views, which may read it."""
    known = {fold_path(view.path) for view in views}
    paths = {
        fold_path(tuple(part.name for part in table.parts)) for table in statement(query, "duckdb").find_all(exp.Table)
    }
    return any(path in known or path[0] == fold(source.name) for path in paths)


def _unsafe_mysql(connection: Connection, source: attached.Attached) -> str:
    """Return what to do so that DuckDB itself filters the rows of MySQL; '' where it does."""
    try:
        pushes = connection.execute("SELECT system.main.current_setting(?)", [_SETTING]).fetchone()
    except duckdb.CatalogException:  # an extension without the setting filters nothing there
        return ""
    return f"run SET GLOBAL {_SETTING} = false first" if pushes == (True,) else ""


def _unsafe_postgres(connection: Connection, source: attached.Attached) -> str:
    """Return what to do so that PostgreSQL reads no escapes in texts; '' where it reads none."""
    off = source.ask(connection, _STRINGS) == [("off",)]
    return "set standard_conforming_strings = on for its user, and attach it again" if off else ""


_UNSAFE = {"mysql": _unsafe_mysql, "postgres": _unsafe_postgres}
