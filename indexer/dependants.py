"""Find views, generated columns, virtual tables and macros that would show a hidden column, so that they are left out.

The engine reports which columns a view or a generated column reads. It is asked only about those whose definition names
a table with hidden columns. One for which the engine cannot tell is left out too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import TypeAlias

from askwhere.engine import Engine, Source, Table
from askwhere.frozen import frozen
from askwhere.grouping import grouped
from askwhere.guard.hidden import hidden_columns_of
from askwhere.sql.identifiers import fold, fold_path
from askwhere.sql.lexer import words

Path: TypeAlias = tuple[str, ...]

# Functions of DuckDB that can read a table without naming it, and system tables that hold values of other tables.
_READ_UNNAMED = re.compile(
    r"query|query_table|getvariable|histogram|histogram_values|json_execute_serialized_sql"
    r"|(pragma|duckdb|askwhere|sqlite)_\w+",
    re.ASCII,
)


@frozen
class Dependants:
    """All hidden columns, and the tables and macros that are left out because of them, each with the reason."""

    hidden: frozenset[Source]
    left_out: Mapping[Path, str]
    functions: Mapping[str, str]


def find(engine: Engine, tables: Iterable[Table], hidden: frozenset[Source], exempt: Collection[Path]) -> Dependants:
    """Return the views and macros that would show one of the `hidden` columns of `tables`, and the columns themselves.

    `exempt` are the paths of views that may be asked although they read hidden columns.
    """
    listed = tuple(tables)
    hidden |= _computed(engine, listed, hidden)
    known = {(fold_path(path), fold(column)) for path, column in hidden}
    names = {path[-1] for path in hidden_columns_of(listed, hidden)}
    macros = engine.macros()
    # SQLite keeps the contents of a virtual table t in tables t_…, its shadow tables.
    shadows = tuple(f"{fold(t.name)}_" for t in listed if t.kind == "virtual" and fold(t.name) in names)
    mentioning = _mentioning([*((t.name, t.definition) for t in listed), *macros.items()], names, shadows)
    views = [
        t for t in listed if t.kind == "view" and t.columns and fold(t.name) in mentioning and t.path not in exempt
    ]
    read_by_view = engine.sources(
        [(v, [c.name for c in v.columns]) for v in views], listed, {path for path, _ in hidden}
    )
    # The engine cannot tell what a view in a server's database reads. Other views read it like a table, so its columns
    # count as hidden.
    unknown = [view for view, sources in zip(views, read_by_view, strict=True) if sources is None]
    known |= {(fold_path(view.path), fold(column.name)) for view in unknown for column in view.columns}
    left_out = {}
    for view, sources in zip(views, read_by_view, strict=True):
        shown = sorted(s for s in sources or () if _folded(s) in known)
        if sources is None:
            left_out[view.path] = "what it reads of tables with hidden columns cannot be told"
        elif shown:
            left_out[view.path] = f"it reads {shown[0][0][-1]}.{shown[0][1]}, which is hidden"
    left_out |= _virtual_over(listed, left_out)
    reason = "it names a table with hidden columns"
    return Dependants(hidden, left_out, {name: reason for name in macros if fold(name) in mentioning})


def _computed(engine: Engine, tables: tuple[Table, ...], hidden: frozenset[Source]) -> frozenset[Source]:
    """Return the generated columns that are computed from a hidden one."""
    known = {(fold_path(path), fold(column)) for path, column in hidden}
    paths = {path for path, _ in known}
    columns = [(t, [c.name]) for t in tables if t.kind == "table" and fold_path(t.path) in paths for c in t.columns]
    by_column = engine.sources(columns, tables, ())
    return frozenset(
        (table.path, name)
        for (table, [name]), sources in zip(columns, by_column, strict=True)
        if sources is None or any(_folded(source) in known for source in sources)
    )


def _folded(source: Source) -> Source:
    return fold_path(source[0]), fold(source[1])


def _mentioning(definitions: Iterable[tuple[str, str]], names: set[str], prefixes: tuple[str, ...]) -> set[str]:
    """Return the names of the definitions that mention one of `names`, directly or through another definition.

    A word that begins with one of `prefixes` counts as a mention, too. All names are folded. Definitions of one name,
    in several schemas, count together.
    """
    mentioned = {
        name: set().union(*found) for name, found in grouped((fold(n), words(t)) for n, t in definitions).items()
    }
    mentioning = {
        name
        for name, listed in mentioned.items()
        if any(_READ_UNNAMED.fullmatch(word) or word.startswith(prefixes) for word in listed)
    }
    while True:
        more = {name for name, listed in mentioned.items() if not listed.isdisjoint(names | mentioning)} - mentioning
        if not more:
            return mentioning
        mentioning |= more


def _virtual_over(tables: tuple[Table, ...], left_out: Mapping[Path, str]) -> dict[Path, str]:
    """Return the virtual tables over a view that is left out, or over such a virtual table, each with the reason."""
    left: dict[Path, str] = {}
    pending = list(dict.fromkeys(path[-1] for path in left_out))
    while pending:
        name = pending.pop()
        for table in tables:
            if table.kind == "virtual" and table.path not in left and fold(name) in words(table.definition):
                left[table.path] = f"it names {name}, which is left out"
                pending.append(table.name)
    return left
