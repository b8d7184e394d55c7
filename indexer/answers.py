"""Store answers under a name in the database file, for `CREATE VIRTUAL TABLE … USING ask(…)`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from askwhere.errors import DatabaseError
from askwhere.frozen import frozen
from askwhere.sql.identifiers import quote

TABLE = "askwhere_answers"
Execute = Callable[[str, Sequence[Any]], list[tuple[Any, ...]]]

_CREATE = "(name TEXT PRIMARY KEY, question TEXT NOT NULL, sql TEXT NOT NULL, columns TEXT NOT NULL)"


@frozen
class StoredAnswer:
    """A virtual table: its name, its question, and the checked query with the names and types of its columns."""

    name: str
    question: str
    sql: str
    columns: tuple[str, ...]
    types: tuple[str, ...]


# SQL types by the Python types of all values of a column.
_TYPES = {
    frozenset((int,)): "INTEGER",
    frozenset((float,)): "REAL",
    frozenset((int, float)): "REAL",
    frozenset((str,)): "TEXT",
}


def types(declared: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[str, ...]:
    """Return the type of each column: the declared type, or if there is none, the common type of its values in `rows`.

    SQLite declares no type for a computed column, and other programs read a column without a type as text.
    """
    result_types = []
    for place, type_ in enumerate(declared):
        python_types = frozenset(type(row[place]) for row in rows) - {type(None)}
        result_types.append(type_ or _TYPES.get(python_types, ""))
    return tuple(result_types)


def save(execute: Execute, schema: str, answer: StoredAnswer) -> None:
    """Store an answer in the caller's transaction, in place of one of the same name."""
    execute(f"CREATE TABLE IF NOT EXISTS {_table(schema)} {_CREATE}", ())
    columns = json.dumps(list(zip(answer.columns, answer.types, strict=True)))
    row = (answer.name, answer.question, answer.sql, columns)
    execute(f"INSERT OR REPLACE INTO {_table(schema)} VALUES (?, ?, ?, ?)", row)


def load(execute: Execute, schema: str, name: str) -> StoredAnswer | None:
    """Return the answer stored under `name`, or None. Raise `DatabaseError` where it is damaged."""
    if not _exists(execute, schema):
        return None
    try:
        rows = execute(f"SELECT question, sql, columns FROM {_table(schema)} WHERE name = ?", (name,))
        if not rows:
            return None
        question, sql, columns = rows[0]
        names, types = zip(*((str(n), str(t)) for n, t in json.loads(columns)), strict=True)
    except Exception as exc:  # errors of the engine, and those that a cell of an unexpected type causes
        raise DatabaseError(f"what is stored for {name!r} is damaged; drop the table and make it again") from exc
    return StoredAnswer(name, str(question), str(sql), names, types)


def rename(execute: Execute, schema: str, name: str, new: str) -> None:
    """Rename an answer, if it is stored."""
    if _exists(execute, schema):
        execute(f"UPDATE {_table(schema)} SET name = ? WHERE name = ?", (new, name))


def delete(execute: Execute, schema: str, name: str) -> None:
    """Delete an answer, if it is stored."""
    if _exists(execute, schema):
        execute(f"DELETE FROM {_table(schema)} WHERE name = ?", (name,))


def _exists(execute: Execute, schema: str) -> bool:
    return bool(execute(f"SELECT 1 FROM {quote(schema)}.sqlite_schema WHERE name = ?", (TABLE,)))


def _table(schema: str) -> str:
    return f"{quote(schema)}.{quote(TABLE)}"
