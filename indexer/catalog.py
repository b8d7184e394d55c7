"""The database's tables as askwhere sees them: what may be asked, how tables join, what names mean.

`read` turns an engine's facts into a `Catalog`: hidden and excluded things are gone, keys that nobody declared are
guessed from names and types (and marked so).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property

from askwhere.engine import Column, Engine, ForeignKey, Grant, Table
from askwhere.guard.scan import fold
from askwhere.guard.tables import fold_path, hidden_columns
from askwhere.indexer import calling, comments

# By kind and name of a column.
_Referred = dict[tuple[str, str], list[tuple[Table, Column]]]


@dataclass(frozen=True)
class Catalog:
    """The tables that a question may be about, as of one schema version.

    `grant` is what a generated query over this catalog may touch. `notes` say what of the user's comments is astray,
    and what is left out because reading it would call functions of the user's;
    `taken` is as the engine tells it.
    """

    tables: tuple[Table, ...]
    grant: Grant
    version: Hashable = None
    notes: tuple[str, ...] = ()
    taken: frozenset[str] = frozenset()

    @cached_property
    def by_name(self) -> dict[str, Table]:
        """Tables by their own name in lower case; of two equal names the first stands."""
        found: dict[str, Table] = {}
        for table in self.tables:
            found.setdefault(table.name.lower(), table)
        return found

    @cached_property
    def by_path(self) -> dict[tuple[str, ...], Table]:
        """Tables by their full path as written in the catalog."""
        return {table.path: table for table in self.tables}

    def table(self, name: str) -> Table | None:
        """The table of that name (any case), or None."""
        return self.by_name.get(name.lower())


def read(
    engine: Engine,
    hide_columns: Iterable[str] = (),
    include_tables: Iterable[str] = (),
    exclude_tables: Iterable[str] = (),
    allow_functions: Iterable[str] = (),
) -> Catalog:
    """The engine's catalog less what the settings hide; patterns may use `*`, as in `hr_*` or `*.email`.

    A view that may show a hidden column, itself or through another view, is left out unless `include_tables` names it:
    whoever wrote it there meant it to be asked. A view or a generated column that calls a function of the user's is
    left out unless `allow_functions` names the function.
    """
    hide, include, exclude = (_patterns(p) for p in (hide_columns, include_tables, exclude_tables))
    tables, notes = comments.described(engine.tables(), comments.read(engine))
    granted = [t for t in tables if _wanted(t, include, exclude) and not _asks(t)]
    hidden = frozenset((t.path, c.name) for t in granted for c in t.columns if _hides(hide, t, c))
    if hidden and not include:
        granted = _showing_nothing_of(hidden, granted, engine.dialect)
    allowed = frozenset(f.lower() for f in allow_functions)
    runs = calling.calling(engine, (t for t in tables if not _asks(t)), allowed)
    withheld = tuple((t.path, calling.said(runs.views[t.path])) for t in granted if t.path in runs.views)
    granted = [t for t in granted if t.path not in runs.views]
    grant = Grant(tuple(granted), hidden | frozenset(runs.columns), allowed, withheld)
    kept_back = hidden_columns(grant)
    visible = [
        replace(t, columns=tuple(c for c in t.columns if fold(c.name) not in kept_back.get(fold_path(t.path), ())))
        for t in granted
    ]
    referred = _referred(visible)
    return Catalog(
        tables=tuple(replace(t, foreign_keys=t.foreign_keys + _guessed(t, referred)) for t in visible if t.columns),
        grant=grant,
        version=engine.schema_version(),
        notes=notes + runs.notes(),
        taken=engine.taken(),
    )


def alike(one: Catalog, other: Catalog) -> bool:
    """Whether two catalogs show the same, but for how many rows there are."""
    return _shape(one) == _shape(other)


def _shape(catalog: Catalog) -> tuple[object, ...]:
    tables = [replace(t, rows=None) for t in (*catalog.tables, *catalog.grant.tables)]
    return (tables, catalog.grant.hidden, catalog.grant.functions, catalog.taken)


def astray(engine: Engine, patterns: Iterable[str], of_columns: bool) -> list[str]:
    """Those of the patterns that match no column, or no table, of the database."""
    tables = engine.tables()
    names = {name for t in tables for name in _names(t)}
    if of_columns:
        names = {f"{name}.{c.name.lower()}" for t in tables for name in _names(t) for c in t.columns}
    return [pattern for pattern in patterns if not any(fnmatchcase(name, pattern.lower()) for name in names)]


def _guessed(table: Table, referred: _Referred) -> tuple[ForeignKey, ...]:
    """Foreign keys that `table` has by its column names but does not declare, each marked `guessed`.

    A column is taken to refer to another table when it is named like that table's key (`customer_id` and
    `customer_id`) or like the table and its key (`customer_id` and `customers.id`), and the types agree.
    """
    declared = {c.lower() for key in table.foreign_keys for c in key.columns}
    linked = {key.target for key in table.foreign_keys}
    found = []
    for column in table.columns:
        if column.name.lower() in declared or (column.name,) == table.primary_key:
            continue
        targets = [
            (other, key)
            for other, key in referred.get((_kind(column.type), _plain(column.name)), ())
            if other.path != table.path and other.path not in linked
        ]
        if targets:
            # The table that is named in the column wins over one that merely has a key of the same name.
            target, key = min(targets, key=lambda t: (_stem(t[0].name) not in _plain(column.name), len(t[0].name)))
            found.append(ForeignKey((column.name,), target.path, (key.name,), guessed=True))
    return tuple(found)


def _referred(tables: Iterable[Table]) -> _Referred:
    """For the kind and the name of a column, the tables that it may refer to, and their keys."""
    found: _Referred = {}
    for table in tables:
        if key := _key(table):
            own, kind = _plain(key.name), _kind(key.type)
            names = {own, _stem(table.name) + own, _plain(table.name) + own}
            # A whole number that is named like a table is no measure of anything: it is that table's key.
            names |= {_stem(table.name), _plain(table.name)} if kind == "whole" else set()
            if own in {"id", "name", "code", "key", "title", "year", "date"}:
                names.remove(own)
            for name in names:
                found.setdefault((kind, name), []).append((table, key))
    return found


def _key(table: Table) -> Column | None:
    """The column that identifies a row: the declared key, or the one named as a key usually is."""
    by_name = {c.name: c for c in table.columns}
    if len(table.primary_key) == 1:
        return by_name.get(table.primary_key[0])
    if table.primary_key:
        return None
    return next((c for c in table.columns[:1] if _names_rows(_plain(c.name), table)), None)


def _names_rows(column: str, table: Table) -> bool:
    """Whether a first column is named as the key of its table: `id`, `code`, `customer_id`, or `stu_id` of students."""
    said = next((column.removesuffix(end) for end in ("id", "code") if column.endswith(end)), None)
    if said is None or said in ("", _stem(table.name), _plain(table.name)):
        return said is not None
    short = table.name.isalnum() and _stem(table.name).startswith(said)  # of one word; else it may be another's key
    return len(said) > 2 and (short or _stem(table.name).endswith(said))


def _plain(name: str) -> str:
    return "".join(ch for ch in name.lower() if ch.isalnum())


def _stem(name: str) -> str:
    plain = _plain(name)
    if plain.endswith("ies"):
        return plain[:-3] + "y"
    if plain.endswith(("sses", "shes", "ches", "xes")):
        return plain[:-2]
    return plain[:-1] if plain.endswith("s") and not plain.endswith("ss") else plain


def _kind(declared: str) -> str:
    upper = declared.upper()
    if any(word in upper for word in ("INT", "SERIAL")):
        return "whole"
    if any(word in upper for word in ("REAL", "DOUB", "FLOA", "DEC", "NUM")):
        return "number"
    return "text"


def _patterns(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name.strip().lower() for name in names if name.strip())


def _names(table: Table) -> tuple[str, ...]:
    """All the ways a pattern may name a table: `orders`, `main.orders`, `shop.main.orders`."""
    return tuple(".".join(table.path[i:]).lower() for i in range(len(table.path)))


def _wanted(table: Table, include: tuple[str, ...], exclude: tuple[str, ...]) -> bool:
    def matches(patterns: tuple[str, ...]) -> bool:
        return any(fnmatchcase(name, pattern) for name in _names(table) for pattern in patterns)

    return (not include or matches(include)) and not matches(exclude)


def _asks(table: Table) -> bool:
    """Whether a view's own text asks: a question about it would ask again while it is answered."""
    return table.kind == "view" and re.search(r"\bask(_\w+)?\s*\(", table.definition, re.IGNORECASE) is not None


def _hides(patterns: tuple[str, ...], table: Table, column: Column) -> bool:
    names = [f"{name}.{column.name.lower()}" for name in _names(table)]
    return any(fnmatchcase(name, pattern) for name in names for pattern in patterns)


def _showing_nothing_of(
    hidden: Iterable[tuple[tuple[str, ...], str]], tables: list[Table], dialect: str
) -> list[Table]:
    """The tables without the views that may show a hidden column, or another view that is left out."""
    names = {column.lower() for _, column in hidden}
    while True:
        shown = [t for t in tables if t.kind != "view" or not _may_show(t, names, dialect)]
        if len(shown) == len(tables):
            return tables
        names |= {t.name.lower() for t in tables} - {t.name.lower() for t in shown}
        tables = shown


def _may_show(view: Table, names: set[str], dialect: str) -> bool:
    """Whether a view's text has one of the names, or gives columns or rows without naming their columns."""
    text = view.definition.lower()
    if "*" in text or any(name in text for name in names) or re.search(r"\bcolumns\s*\(", text):
        return True
    return dialect == "duckdb" and _gives_rows(view.definition)


def _gives_rows(definition: str) -> bool:
    """Whether a query uses a table's name as a column, which in DuckDB is the whole row."""
    from askwhere.guard import parsing
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        tree = parsing.statement(definition, "duckdb")
    except SqlglotError:
        return True
    sources = {t.alias_or_name.lower() for t in tree.find_all(exp.Table, exp.Subquery)}
    return any(not c.table and c.name.lower() in sources for c in tree.find_all(exp.Column))
