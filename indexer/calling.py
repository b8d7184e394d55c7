"""Views and generated columns that call functions of the user's own: reading them would run that code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from askwhere.engine import Engine, Table
from askwhere.guard.scan import fold, names, scan, unquote

# Functions that operators call; where somebody made one of these names, the operator calls that.
_OPERATORS = frozenset({"glob", "like", "match", "regexp"})


@dataclass(frozen=True)
class Calling:
    """What calls a function that is not allowed, and which: views by their path, columns by their table's and name."""

    views: Mapping[tuple[str, ...], str]
    columns: Mapping[tuple[tuple[str, ...], str], str]

    def notes(self) -> tuple[str, ...]:
        """What is left out of all that is asked and looked at, and how it would not be."""
        left = {".".join(path): function for path, function in self.views.items()}
        left |= {".".join((*path, column)): function for (path, column), function in self.columns.items()}
        return tuple(f"{name} is left out: it {said(function)}" for name, function in left.items())


def said(function: str) -> str:
    """What is to be said of a view that calls a function."""
    return f"calls {function}(), a function of yours; the setting allow_functions = '{function}' lets it be asked"


def calling(engine: Engine, tables: Iterable[Table], allowed: Iterable[str]) -> Calling:
    """What of these tables calls functions that somebody made, itself, by a macro or by another view."""
    tables = tuple(tables)
    computed = {(t.path, c.name): c.computed for t in tables for c in t.columns if c.computed}
    views = [t for t in tables if t.kind == "view"]
    if not computed and not views:
        return Calling({}, {})
    called = _running(engine.user_functions(), {fold(name) for name in allowed}, engine.dialect)
    columns = {key: function for key, text in computed.items() if (function := _called(text, called, engine.dialect))}
    left: dict[tuple[str, ...], str] = {}
    while True:
        found = {v.path: why for v in views if v.path not in left and (why := _why(v, called, columns, left, engine))}
        if not found:
            return Calling(left, columns)
        left |= found


def _running(functions: Mapping[str, str], allowed: set[str], dialect: str) -> dict[str, str]:
    """The functions that run code which is not allowed, with the name of that: of a macro what it calls."""
    found = {fold(name): fold(name) for name, text in functions.items() if not text and fold(name) not in allowed}
    while True:
        new = {
            fold(name): why
            for name, text in functions.items()
            if text and fold(name) not in found and (why := _called(text, found, dialect))
        }
        if not new:
            return found
        found |= new


def _why(
    view: Table,
    called: Mapping[str, str],
    columns: Mapping[tuple[tuple[str, ...], str], str],
    left: Mapping[tuple[str, ...], str],
    engine: Engine,
) -> str:
    """The function that a view calls; by another that is left out, or by a column of a table that it reads."""
    own = _called(view.definition, called, engine.dialect)
    spoken = names(view.definition, engine.dialect)
    by_view = (function for path, function in left.items() if fold(path[-1]) in spoken)
    by_column = (
        function
        for (path, column), function in columns.items()
        if fold(path[-1]) in spoken and ("*" in view.definition or fold(column) in spoken)
    )
    return own or next(by_view, "") or next(by_column, "")


def _called(text: str, functions: Mapping[str, str], dialect: str) -> str:
    """What the first of these functions runs that a text calls, `''` where it calls none."""
    tokens = [(kind, piece) for kind, piece in scan(text, dialect) if kind not in {"comment", "space"}]
    for (kind, piece), (_, after) in zip(tokens, [*tokens[1:], ("sign", "")], strict=False):  # of no text, none
        name = fold(unquote(piece)) if kind in {"word", "name"} else ""
        if name in functions and (after == "(" or name in _OPERATORS):
            return functions[name]
    return ""
