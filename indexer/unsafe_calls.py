"""Find views and generated columns that call functions which users registered: reading them would run that code.

A virtual table over such a view, a full-text index with its contents there, reads it too. Functions that the setting
`allow_functions` names may be called, but never `ask` and its like: reading such a view would ask another question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from askwhere.engine import Engine, Table
from askwhere.frozen import frozen
from askwhere.sql.identifiers import fold, unquote
from askwhere.sql.lexer import names, scan, words

# Functions that operators call: a user's function of one of these names is called without parentheses.
_OPERATORS = frozenset({"glob", "like", "match", "regexp"})
_OURS = re.compile(r"ask(_\w+)?")


@frozen
class UnsafeCalls:
    """The views and columns that call a function which is not allowed, each with the function.

    Views are by their path, columns by (path of the table, name).
    """

    views: Mapping[tuple[str, ...], str]
    columns: Mapping[tuple[tuple[str, ...], str], str]

    def notes(self) -> tuple[str, ...]:
        """Return a note for each view and column that is left out, with the setting that would allow it."""
        left = {".".join(path): function for path, function in self.views.items() if not _OURS.fullmatch(function)}
        left |= {".".join((*path, column)): function for (path, column), function in self.columns.items()}
        return tuple(f"{name} is left out: it {reason(function)}" for name, function in left.items())


def reason(function: str) -> str:
    """Return why a view or column that calls a function is left out, without its subject."""
    if _OURS.fullmatch(function):
        return f"asks a question itself, by {function}()"
    return f"calls {function}(), a function of yours; the setting allow_functions = '{function}' lets it be asked"


def find(engine: Engine, tables: Iterable[Table], allowed: Iterable[str]) -> UnsafeCalls:
    """Return the views, virtual tables and columns that call forbidden functions, also by a macro or another view."""
    tables = tuple(tables)
    computed = {(t.path, c.name): c.computed for t in tables for c in t.columns if c.computed}
    views = [t for t in tables if t.kind in ("view", "virtual")]
    if not computed and not views:
        return UnsafeCalls({}, {})
    forbidden = _forbidden(engine.user_functions(), {fold(name) for name in allowed}, engine.dialect)
    columns = {
        key: function for key, text in computed.items() if (function := _called(text, forbidden, engine.dialect))
    }
    left: dict[tuple[str, ...], str] = {}
    while True:
        unsafe = {
            v.path: why
            for v in views
            if v.path not in left and (why := _forbidden_call(v, forbidden, columns, left, engine))
        }
        if not unsafe:
            return UnsafeCalls(left, columns)
        left |= unsafe


def _forbidden(functions: Mapping[str, str], allowed: set[str], dialect: str) -> dict[str, str]:
    """Return the functions that may not be called, by name, each with the function that then runs code of a user's.

    That is the function itself or, for a macro, a function that it calls.

    `functions` are all functions of users: a macro with its SQL, any other with ''.
    """
    forbidden = {fold(name): fold(name) for name, text in functions.items() if not text and fold(name) not in allowed}
    while True:
        new = {
            fold(name): why
            for name, text in functions.items()
            if text and fold(name) not in forbidden and (why := _called(text, forbidden, dialect))
        }
        if not new:
            return forbidden
        forbidden |= new


def _forbidden_call(
    view: Table,
    forbidden: Mapping[str, str],
    columns: Mapping[tuple[tuple[str, ...], str], str],
    left: Mapping[tuple[str, ...], str],
    engine: Engine,
) -> str:
    """Return the forbidden function that a view calls, itself or through a view or column that is left out; else ''."""
    virtual = view.kind == "virtual"  # its definition calls nothing, and may name a view in any quotes
    own = "" if virtual else _called(view.definition, forbidden, engine.dialect)
    mentioned = words(view.definition) if virtual else names(view.definition, engine.dialect)
    by_view = (function for path, function in left.items() if fold(path[-1]) in mentioned)
    by_column = (
        function
        for (path, column), function in columns.items()
        if fold(path[-1]) in mentioned and ("*" in view.definition or fold(column) in mentioned)
    )
    return own or next(by_view, "") or next(by_column, "")


def _called(text: str, functions: Mapping[str, str], dialect: str) -> str:
    """Return the value in `functions` of the first that a text calls, or the name of one of ours; '' for neither."""
    tokens = [(kind, piece) for kind, piece in scan(text, dialect) if kind not in {"comment", "space"}]
    for (kind, piece), (_, after) in zip(tokens, [*tokens[1:], ("sign", "")], strict=False):
        name = fold(unquote(piece)) if kind in {"word", "name"} else ""
        if after == "(" and _OURS.fullmatch(name):
            return name
        if name in functions and (after == "(" or name in _OPERATORS):
            return functions[name]
    return ""
