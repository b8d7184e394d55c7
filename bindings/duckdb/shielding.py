"""Keep users' functions out of askwhere's own statements: a macro may have the name of a function that these call."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, cast

from askwhere.bindings.duckdb.running import Connection
from askwhere.errors import DatabaseError
from askwhere.sql.identifiers import fold
from askwhere.sql.lexer import scan

# Functions that DuckDB calls for what a statement writes without their names: `[a]`, `a[1]`, `{'a': 1}`, `a || b`.
_BY_SYNTAX = frozenset(
    "!~~ !~~* % & * ** + - -> ->> / // << >> ^ ^@ | || ~ ~~ ~~* ~~~ array_extract array_slice count_star date_part"
    " ilike_escape like_escape list_value not_ilike_escape not_like_escape regexp_full_match row struct_extract"
    " struct_pack".split()
)
# A name and the token before it, where the name calls nothing although a parenthesis follows: clauses of SQL.
_CLAUSES = {("filter", ")"), ("replace", "*")}


def shielded(connection: Connection, users: Callable[[], frozenset[str]]) -> Connection:
    """Return the connection for askwhere's own statements, in which no function named in `users` is called.

    `users` returns the folded names of the functions that users made; it is called for the first statement.
    """
    return cast(Connection, _Shielded(connection, users))


class _Shielded:
    """Rewrites each statement before the connection runs it; all else is the connection's own."""

    def __init__(self, connection: Connection, users: Callable[[], frozenset[str]]) -> None:
        self._connection, self._users = connection, cache(users)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def __enter__(self) -> _Shielded:
        return self

    def __exit__(self, *raised: object) -> None:
        self._connection.close()

    def cursor(self) -> _Shielded:
        """Return another connection to the same database, shielded too."""
        return _Shielded(self._connection.cursor(), self._users)

    def execute(self, statement: str, parameters: object = None) -> Connection:
        """Run a statement whose calls are those of DuckDB's own functions.

        Raise `DatabaseError` for a user's function that it would call without naming it.
        """
        users = self._users()
        for name in sorted(users & _BY_SYNTAX):
            raise DatabaseError(f"DuckDB calls {name}() for itself, and you made a function of that name: rename yours")
        return self._connection.execute(with_schema(statement, users) if users else statement, parameters)


@lru_cache(256)
def with_schema(statement: str, users: frozenset[str]) -> str:
    """Return a statement with the schema of DuckDB's own functions before each call of one that `users` names."""
    pieces = scan(statement, "duckdb")
    texts = [text for _, text in pieces]
    places = [place for place, (kind, _) in enumerate(pieces) if kind not in ("space", "comment")]
    for before, place, after in zip((None, *places), places, places[1:], strict=False):
        name, last = fold(texts[place]), texts[before] if before is not None else ""
        called = pieces[place][0] == "word" and texts[after] == "(" and last != "." and (name, last) not in _CLAUSES
        if called and name in users:
            texts[place] = f"system.main.{texts[place]}"
    return "".join(texts)
