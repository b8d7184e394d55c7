"""Extend SQLAlchemy's SQLite dialect by `ask`: `create_engine("askwhere:///world.db?effort=fast")`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from askwhere.bindings.sqlalchemy import dbapi
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine.url import URL
from sqlalchemy.exc import ArgumentError

_YES = ("1", "true", "yes", "on")


class AskwhereSQLite(SQLiteDialect_pysqlite):
    """The dialect. A URL's query has settings by name, and `read_only=1`; all else is as in SQLAlchemy's `sqlite`."""

    driver = "askwhere"
    supports_statement_cache = True

    @classmethod
    def import_dbapi(cls) -> Any:
        """See SQLAlchemy."""
        return dbapi

    dbapi: Any = import_dbapi  # SQLAlchemy 1.4 calls it by this name; 2.0 puts the module there

    def create_connect_args(self, url: URL) -> Any:
        """See SQLAlchemy. Raise `ArgumentError` for a URL with a host."""
        if url.username or url.password or url.host or url.port:
            raise ArgumentError(f"expected askwhere:///FILE, askwhere:////FOLDER/FILE or askwhere://, found {url}")
        return [url.database or ":memory:"], arguments(url)

    def get_table_names(self, connection: Any, schema: Any = None, *given: Any, **kw: Any) -> Any:
        """See SQLAlchemy; without askwhere's own tables."""
        return users(super().get_table_names(connection, schema, *given, **kw))  # type: ignore[no-untyped-call]

    def retrieve_dbapi_version(self, dbapi: Any) -> Any:
        """See SQLAlchemy."""
        return dbapi.sqlite_version_info


def users(tables: Iterable[str]) -> list[str]:
    """Return the names of tables without askwhere's own, which are no data of the user's."""
    return [name for name in tables if not name.lower().startswith("askwhere_")]


def arguments(url: URL) -> dict[str, Any]:
    """Return a URL's query as arguments of `askwhere.connect`; the last value of a name that is given twice."""
    given = {name: value if isinstance(value, str) else value[-1] for name, value in url.query.items()}
    read_only = given.pop("read_only", "").lower() in _YES
    return {"read_only": read_only, **given}
