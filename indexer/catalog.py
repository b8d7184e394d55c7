"""The database's tables as askwhere sees them: what may be asked, how tables join, what names mean.

`read` turns an engine's facts into a `Catalog`: hidden and excluded things are gone, keys that nobody declared are
guessed from names and types (and marked so).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from askwhere.engine import Column, Engine, ForeignKey, Grant, Table
from askwhere.errors import SettingError
from askwhere.guard.scan import fold
from askwhere.guard.tables import Hidden, fold_path, hidden_columns
from askwhere.indexer import calling, comments, dependants
from askwhere.patterns import Pattern, astray, patterns

# By kind and name of a column.
_Referred = dict[tuple[str, str], list[tuple[Table, Column]]]


@dataclass(frozen=True)
class Catalog:
    """The tables that a question may be about, as of one schema version.

    `grant` is what a generated query over this catalog may touch. `notes` say what of the user's comments is astray,
    `left_out` what is left out because reading it would call functions of the user's, or show a hidden column;
    `taken` is as the engine tells it.
    """

    tables: tuple[Table, ...]
    grant: Grant
    version: Hashable = None
    notes: tuple[str, ...] = ()
    taken: frozenset[str] = frozenset()
    left_out: tuple[str, ...] = ()

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

    @cached_property
    def _by_last(self) -> dict[str, list[Table]]:
        found: dict[str, list[Table]] = {}
        for table in self.tables:
            found.setdefault(fold(table.name), []).append(table)
        return found

    def ending(self, path: tuple[str, ...]) -> Table | None:
        """The first table whose path ends so (any case), as a query may name it; None where there is none."""
        wanted = fold_path(path)
        alike = self._by_last.get(wanted[-1], ())
        return next((t for t in alike if fold_path(t.path)[-len(wanted) :] == wanted), None)

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
    """The engine's catalog less what the settings hide, whose entries are as `askwhere.patterns` reads them.

    A view that reads a hidden column, itself or through another view, is left out unless `include_tables` names it, by
    its name and no pattern: whoever wrote it there meant it to be asked. A view or a generated column that calls a
    function of the user's is left out unless `allow_functions` names the function.
    """
    hide, include, exclude, allowed = map(patterns, (hide_columns, include_tables, exclude_tables, allow_functions))
    tables, notes = comments.described(engine.tables(), comments.read(engine))
    wanted = [t for t in tables if _wanted(t, include, exclude) and not _asks(t)]
    hidden = frozenset((t.path, c.name) for t in tables for c in t.columns if _fits(hide, (*t.path, c.name), 2))
    named = {t.path for t in wanted if _fits([p for p in include if p.plain], t.path)}
    kept = dependants.kept(engine, tables, hidden, named) if hidden else dependants.Kept(hidden, {}, {})
    functions = frozenset(fold(f) for f in engine.functions() if _fits(allowed, (f,))) if allowed else frozenset()
    runs = calling.calling(engine, (t for t in tables if not _asks(t)), functions)
    withheld = tuple((t.path, calling.said(runs.views[t.path])) for t in wanted if t.path in runs.views)
    grant = Grant(
        tuple(t for t in wanted if t.path not in kept.left_out and t.path not in runs.views),
        kept.hidden | frozenset(runs.columns),
        functions - {fold(name) for name in kept.functions},
        withheld,
    )
    kept_back = hidden_columns(grant)
    visible = [_visible(t, kept_back) for t in grant.tables]
    referred = _referred(visible)
    return Catalog(
        tables=tuple(replace(t, foreign_keys=t.foreign_keys + _guessed(t, referred)) for t in visible if t.columns),
        grant=grant,
        version=engine.schema_version(),
        notes=notes + runs.notes(),
        taken=engine.taken(),
        left_out=(
            *(_left_out(t, kept.left_out[t.path]) for t in wanted if t.path in kept.left_out),
            *(f"the function {f} is not called: {why}" for f, why in kept.functions.items() if fold(f) in functions),
        ),
    )


def _visible(table: Table, hidden: Hidden) -> Table:
    """The table without hidden columns, and without the keys that have one.

    Of a table whose rows a hidden key numbers it is not said either how many they are: that is the key's highest value.
    """

    def shown(path: tuple[str, ...], columns: Iterable[str]) -> bool:
        return hidden.get(fold_path(path), frozenset()).isdisjoint(map(fold, columns))

    keyed = shown(table.path, table.primary_key)
    return replace(
        table,
        columns=tuple(c for c in table.columns if shown(table.path, [c.name])),
        primary_key=table.primary_key if keyed else (),
        unique=tuple(columns for columns in table.unique if shown(table.path, columns)),
        foreign_keys=tuple(
            key
            for key in table.foreign_keys
            if shown(table.path, key.columns) and shown(key.target, key.target_columns)
        ),
        rows=table.rows if keyed else None,
    )


def _left_out(table: Table, why: str) -> str:
    advice = f"; include_tables = '{table.name}' would have it asked" if table.kind == "view" else ""
    return f"the {'view' if table.kind == 'view' else 'table'} {table.name} is left out: {why}{advice}"


def alike(one: Catalog, other: Catalog) -> bool:
    """Whether two catalogs show the same, but for how many rows there are."""
    return _shape(one) == _shape(other)


def _shape(catalog: Catalog) -> tuple[object, ...]:
    tables = [replace(t, rows=None) for t in (*catalog.tables, *catalog.grant.tables)]
    return (tables, catalog.grant.hidden, catalog.grant.functions, catalog.taken)


def check_names(
    engine: Engine,
    hide_columns: Iterable[str] = (),
    include_tables: Iterable[str] = (),
    exclude_tables: Iterable[str] = (),
    allow_functions: Iterable[str] = (),
) -> None:
    """Raises `SettingError` for what is said of a table, column or function that is not there: most are misspelt.

    What is hidden by a wrong name is not hidden. Entries that end in `?` may be of what is not there.
    """
    tables = [t.path for t in engine.tables()] if hide_columns or include_tables or exclude_tables else []
    columns = [(*t.path, c.name) for t in engine.tables() for c in t.columns] if hide_columns else []
    functions = [(name,) for name in engine.functions()] if allow_functions else []
    wrong = (
        astray("hide_columns", "column", hide_columns, columns, 2)
        or astray("include_tables", "table", include_tables, tables)
        or astray("exclude_tables", "table", exclude_tables, tables)
        or astray("allow_functions", "function", allow_functions, functions)
    )
    if wrong:
        raise SettingError(wrong)


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


def _fits(wanted: Iterable[Pattern], path: tuple[str, ...], least: int = 1) -> bool:
    return any(pattern.fits(path, least) for pattern in wanted)


def _wanted(table: Table, include: tuple[Pattern, ...], exclude: tuple[Pattern, ...]) -> bool:
    return (not include or _fits(include, table.path)) and not _fits(exclude, table.path)


def _asks(table: Table) -> bool:
    """Whether a view's own text asks: a question about it would ask again while it is answered."""
    return table.kind == "view" and re.search(r"\bask(_\w+)?\s*\(", table.definition, re.IGNORECASE) is not None
