"""Ask a database in plain language, from SQL, and get rows.

    con = askwhere.connect("chinook.db")
    con.execute("SELECT * FROM ask('customers per country')")

Importing this module is cheap: engines and models load when they are first used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from askwhere.errors import (
    Ambiguous,
    ArgumentError,
    AskError,
    Busy,
    DatabaseError,
    ModelError,
    OutOfBudget,
    QueryError,
    Refused,
    SettingError,
    Stale,
    TooMuch,
    Unread,
)
from askwhere.version import __version__

if TYPE_CHECKING:
    from askwhere.session import Answer

__all__ = [
    "Ambiguous",
    "ArgumentError",
    "AskError",
    "Busy",
    "DatabaseError",
    "ModelError",
    "OutOfBudget",
    "QueryError",
    "Refused",
    "SettingError",
    "Stale",
    "TooMuch",
    "Unread",
    "__version__",
    "ask",
    "connect",
    "register",
]


def connect(
    path: str | Path | Sequence[str | Path] | Mapping[str, Any] = ":memory:",
    *,
    read_only: bool = False,
    keep: str | Path | None = None,
    attach: Mapping[str, str] = MappingProxyType({}),
    init: str | Path | None = None,
    **settings: Any,
) -> Any:
    """Open a database, or data files, and register the SQL functions on it; settings by name.

    Return an `apsw.Connection` or a `DuckDBPyConnection`, by the file's first bytes, not by its name. A new or
    in-memory database is SQLite's. With `read_only`, or where the file may not be written, nothing can be changed, and
    other processes may have a DuckDB file open too. Raise `DatabaseError` for a file that is neither.

    `path` may also be Parquet, CSV or JSON files, a folder or a glob of them, or a list of these: each is a view in
    DuckDB, which can read no other file. The value index, pins and comments then go to the DuckDB file `keep`, or to a
    lake, `ducklake:CATALOG`, or last as long as the connection. So it is with a mapping of names to DataFrames or Arrow
    tables, which are copied.

    `attach` names other databases and where they are, such as `{"crm": "postgres:host=db.example.com dbname=crm"}`;
    they can only be read. `init` is a file of SQL that is run before. With either, a SQLite file is opened in DuckDB. A
    server that cannot be reached is left out, and the logger `askwhere` says so.
    """
    from askwhere.bindings import connections
    from askwhere.bindings.source import Source

    paths = (str(path),) if isinstance(path, str | Path) else tuple(map(str, path))
    frames = {str(name): frame for name, frame in path.items()} if isinstance(path, Mapping) else {}
    return connections.connect(Source(paths, read_only, keep, attach, init, frames), settings)


def load_ipython_extension(shell: Any) -> None:
    """Give IPython `%ask` and `%%ask`; IPython calls this for `%load_ext askwhere`."""
    from askwhere.bindings.magics import AskMagics, keep_question_mark

    shell.register_magics(AskMagics)
    if keep_question_mark not in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.append(keep_question_mark)


def register(connection: Any, **settings: Any) -> None:
    """Register the SQL functions on your own APSW or DuckDB connection; settings by name.

    May be called again, to change settings. Raise `DatabaseError` for another kind of connection.
    """
    from askwhere.bindings import connections

    connections.register(connection, settings)


def ask(
    connection: Any,
    question: str,
    *,
    model: Any = None,
    effort: str | None = None,
    hint: str | None = None,
    choose: int | None = None,
    follows: str | Sequence[str] | None = None,
) -> Answer:
    """Return the answer to a question about a connection's database, registered or not.

    `follows` is the earlier question that it refines, or a chain of them, oldest first.
    It is an `Answer`: sql, columns, rows, confidence, notes, candidates, usage; `.df()` for pandas.
    """
    from askwhere.bindings import connections

    return connections.ask(connection, question, model=model, effort=effort, hint=hint, choose=choose, follows=follows)
