"""The SQLite guard: an authorizer that allows nothing but reading the granted tables.

SQLite calls it while it prepares a statement, once for every column read and function called, so it sees what is
really read, whatever the text looked like. Three gaps are closed by `qualify`, which must have written the text: the
join columns of NATURAL JOIN and USING are not reported, reading no column at all is reported without a schema, and a
column read inside a common table expression looks like one read inside a view of that name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from askwhere.engine import Grant, Table
from askwhere.guard.functions import SQLITE_FUNCTIONS, SQLITE_SHORT, SQLITE_SLOW, SQLITE_TABLE_FUNCTIONS
from askwhere.guard.scan import fold, names, scan, unquote
from askwhere.guard.tables import fold_path, hidden_columns

OK, DENY = 0, 1  # SQLITE_OK, SQLITE_DENY
READ, SELECT, FUNCTION, RECURSIVE = 20, 21, 31, 33  # SQLITE_READ, SQLITE_SELECT, ...

UNBOUNDED = 1 << 31
# Characters of a text with which any other is compared quickly, and of such a pattern.
_LITTLE, _LITTLE_PATTERN = 100, 20

Token: TypeAlias = tuple[str, str]


class Authorizer:
    """Decides on SQLite's authorizer events; `reason` says what was refused first, `''` when nothing was."""

    def __init__(
        self, grant: Grant, tables: Iterable[Table], existing: Iterable[str], user_functions: Iterable[str]
    ) -> None:
        self.reason = ""
        self._hidden = hidden_columns(grant)
        self._granted = {fold_path(table.path) for table in grant.tables}
        self._names = {path[-1] for path in self._granted}
        self._views = _reachable_views(grant.tables, tables)
        self._existing = {fold(name) for name in existing} | {fold(table.name) for table in tables}
        self._functions = (SQLITE_FUNCTIONS - {fold(f) for f in user_functions}) | {fold(f) for f in grant.functions}

    def __call__(self, action: int, first: str | None, second: str | None, schema: str | None, view: str | None) -> int:
        """SQLITE_OK or SQLITE_DENY for one event, whose arguments are those of `sqlite3_set_authorizer`."""
        if action in {SELECT, RECURSIVE}:
            return OK
        if action == FUNCTION:
            return self._answer(self._may_call(fold(second or "")), f"calls the function {second!r}")
        if action == READ:
            column = f".{second}" if second else ""
            return self._answer(self._may_read(first, second, schema, view), f"reads {first}{column}")
        return self._answer(False, "does more than read")

    def _answer(self, allowed: bool, what: str) -> int:
        if not allowed and not self.reason:
            self.reason = f"the query {what}, which it may not"
        return OK if allowed else DENY

    def _may_call(self, name: str) -> bool:
        return name in self._functions and name != "ask" and not name.startswith("ask_")

    def _may_read(self, table: str | None, column: str | None, schema: str | None, view: str | None) -> bool:
        name = fold(table or "")
        if view is not None and name in self._views.get(fold(view), frozenset()):
            return True
        if not column:
            return name in self._names or name not in self._existing or self._is_behind_view(name)
        path = (fold(schema or "main"), name)
        if path in self._granted:
            return fold(column) not in self._hidden.get(path, frozenset())
        return name in SQLITE_TABLE_FUNCTIONS and name not in self._existing

    def _is_behind_view(self, name: str) -> bool:
        # SQLite reports `count(*)` over a view as reading no column of the table behind it, and does not name the view.
        return any(name in mentioned for mentioned in self._views.values())


def sqlite_authorizer(
    grant: Grant,
    tables: Iterable[Table] = (),
    existing: Iterable[str] = (),
    user_functions: Iterable[str] = (),
) -> Authorizer:
    """An authorizer for preparing text that `qualify` wrote for `grant`.

    `tables` are all tables and views of the connection (a granted view may stand on one that is not granted),
    `existing` all names in its schemas, shadow and system tables too, and `user_functions` the functions that somebody
    registered, which hide built-in ones of the same name.
    """
    return Authorizer(grant, tuple(tables), tuple(existing), tuple(user_functions))


def may_grow(sql: str, user_functions: Iterable[str] = ()) -> bool:
    """Whether a query may make longer values than it reads: it names a function that can, or joins texts."""
    growing = (SQLITE_FUNCTIONS - SQLITE_SHORT) | {fold(name) for name in user_functions}
    return "||" in sql or not growing.isdisjoint(names(sql, "sqlite"))


def longest(sql: str, user_functions: Iterable[str] = ()) -> int:
    """The bytes that a value may have which a query makes, so that none of its calls takes much more than a second.

    Only functions whose time grows with the product of two lengths say less than a value may have anyway.
    """
    tokens = [(kind, text) for kind, text in scan(sql, "sqlite") if kind not in {"comment", "space"}]
    found = [UNBOUNDED]
    for place, (kind, text) in enumerate(tokens):
        name = fold(unquote(text)) if kind in {"word", "name"} else ""
        if name in SQLITE_SLOW and not _is_quick(tokens, place):
            found.append(SQLITE_SLOW[name])
    return min(found) if may_grow(sql, user_functions) else UNBOUNDED


def _is_quick(tokens: list[Token], place: int) -> bool:
    """Whether what stands at a place is no call, or one of the texts that it compares is short whatever the data."""
    name, rest = fold(unquote(tokens[place][1])), tokens[place + 1 :]
    if name in {"like", "glob"}:
        return _is_little(rest[:1], _LITTLE_PATTERN) and rest[1:2] != [("sign", "|")]
    if not rest or rest[0][1] != "(":
        return True
    arguments = _arguments(rest)
    return not name.endswith("_patch") and (len(arguments) < 2 or _is_little(arguments[1]))


def _arguments(tokens: list[Token]) -> list[list[Token]]:
    """The arguments of a call, given from its parenthesis on; the first begins with that."""
    found: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token[1] == "(") - (token[1] == ")")
        if not depth:
            break
        if depth == 1 and token[1] == ",":
            found.append([])
        else:
            found[-1].append(token)
    return found


def _is_little(tokens: list[Token], most: int = _LITTLE) -> bool:
    return len(tokens) == 1 and tokens[0][0] in {"text", "number"} and len(tokens[0][1]) <= most


def _reachable_views(granted: Iterable[Table], tables: Iterable[Table]) -> dict[str, frozenset[str]]:
    """Every view that a granted view stands on, itself included, with the names that its definition speaks of."""
    definitions = {fold(t.name): names(t.definition, "sqlite") for t in tables if t.kind == "view"}
    found: dict[str, frozenset[str]] = {}
    waiting = [t for t in granted if t.kind == "view"]
    definitions |= {fold(t.name): names(t.definition, "sqlite") for t in waiting}
    todo = [fold(t.name) for t in waiting]
    while todo:
        name = todo.pop()
        found[name] = definitions[name]
        todo += [other for other in definitions[name] if other in definitions and other not in found]
    return found
