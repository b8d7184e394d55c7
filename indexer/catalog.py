"""Read the catalog: the tables that may be asked, how they join, and what their names mean.

`read` makes a `Catalog` of what the engine reports. Hidden and excluded tables and columns are left out, comments are
added, and foreign keys that are not declared are guessed from names and types, and marked as guessed.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from askwhere.engine import Column, Engine, ForeignKey, Grant, Table
from askwhere.errors import SettingError
from askwhere.guard.tables import Hidden, fold_path, hidden_columns
from askwhere.indexer import calling, comments, dependants
from askwhere.indexer.abbreviations import CONVENTIONAL, shortens
from askwhere.patterns import Pattern, astray, patterns
from askwhere.sql.identifiers import fold

# The tables that a column may refer to, each with its key, by kind and name of the column.
_Referred = dict[tuple[str, str], list[tuple[Table, Column]]]

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_WHOLE, _NUMBER = re.compile("INT|SERIAL"), re.compile("REAL|DOUB|FLOA|DEC|NUM")
_KEYS = frozenset("id no num nr nbr number cd code key ref fk".split())


@dataclass(frozen=True)
class Catalog:
    """The tables that a question may be about, at one schema version.

    `grant` is what a generated query may use. `notes` are warnings: comments about things that do not exist, and what
    is left out because it calls a user's function. `left_out` says which tables and functions are left out because they
    would show a hidden column. `taken` is what `Engine.taken` returns.
    """

    tables: tuple[Table, ...]
    grant: Grant
    version: Hashable = None
    notes: tuple[str, ...] = ()
    taken: frozenset[str] = frozenset()
    left_out: tuple[str, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, Table]:
        """Return the tables by their own name in lower case; of equal names the first counts."""
        found: dict[str, Table] = {}
        for table in self.tables:
            found.setdefault(table.name.lower(), table)
        return found

    @cached_property
    def by_path(self) -> dict[tuple[str, ...], Table]:
        """Return the tables by their full path, as it is written in the catalog."""
        return {table.path: table for table in self.tables}

    @cached_property
    def _by_last(self) -> dict[str, list[Table]]:
        found: dict[str, list[Table]] = {}
        for table in self.tables:
            found.setdefault(fold(table.name), []).append(table)
        return found

    def ending(self, path: tuple[str, ...]) -> Table | None:
        """Return the first table whose path ends with `path`, in any case; None if there is none."""
        wanted = fold_path(path)
        alike = self._by_last.get(wanted[-1], ())
        return next((t for t in alike if fold_path(t.path)[-len(wanted) :] == wanted), None)

    def table(self, name: str) -> Table | None:
        """Return the table of a name, in any case, or None."""
        return self.by_name.get(name.lower())


def read(
    engine: Engine,
    hide_columns: Iterable[str] = (),
    include_tables: Iterable[str] = (),
    exclude_tables: Iterable[str] = (),
    allow_functions: Iterable[str] = (),
) -> Catalog:
    """Return the engine's catalog without what the settings hide. Their entries are patterns (`askwhere.patterns`).

    A view that reads a hidden column, itself or through another view, is left out unless `include_tables` names it in
    full, without a wildcard. A view or generated column that calls a user's function is left out unless
    `allow_functions` names the function.
    """
    hide, include, exclude, allowed = map(patterns, (hide_columns, include_tables, exclude_tables, allow_functions))
    tables, notes = comments.described(engine.tables(), comments.read(engine))
    wanted = [t for t in tables if _wanted(t, include, exclude) and not _asks(t)]
    hidden = frozenset((t.path, c.name) for t in tables for c in t.columns if _fits(hide, (*t.path, c.name), 2))
    named = {t.path for t in wanted if _fits([p for p in include if p.plain], t.path)}
    dependent = dependants.find(engine, tables, hidden, named) if hidden else dependants.Dependants(hidden, {}, {})
    functions = frozenset(fold(f) for f in engine.functions() if _fits(allowed, (f,))) if allowed else frozenset()
    runs = calling.calling(engine, (t for t in tables if not _asks(t)), functions)
    withheld = tuple((t.path, calling.reason(runs.views[t.path])) for t in wanted if t.path in runs.views)
    grant = Grant(
        tuple(t for t in wanted if t.path not in dependent.left_out and t.path not in runs.views),
        dependent.hidden | frozenset(runs.columns),
        functions - {fold(name) for name in dependent.functions},
        withheld,
    )
    hidden_by_table = hidden_columns(grant)
    visible = [_visible(t, hidden_by_table) for t in grant.tables]
    referred = _referred(visible)
    return Catalog(
        tables=tuple(replace(t, foreign_keys=t.foreign_keys + _guessed(t, referred)) for t in visible if t.columns),
        grant=grant,
        version=engine.schema_version(),
        notes=notes + runs.notes(),
        taken=engine.taken(),
        left_out=(
            *(_left_out(t, dependent.left_out[t.path]) for t in wanted if t.path in dependent.left_out),
            *(
                f"the function {f} is not called: {why}"
                for f, why in dependent.functions.items()
                if fold(f) in functions
            ),
        ),
    )


def _visible(table: Table, hidden: Hidden) -> Table:
    """Return a table without its hidden columns, and without the keys that contain one.

    With a hidden primary key the number of rows is left out too: it may be the key's highest value.
    """

    if not hidden:
        return table

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
    """Return the note on a table that is left out."""
    advice = f"; include_tables = '{table.name}' would have it asked" if table.kind == "view" else ""
    return f"the {'view' if table.kind == 'view' else 'table'} {table.name} is left out: {why}{advice}"


def alike(one: Catalog, other: Catalog) -> bool:
    """Return whether two catalogs are equal except for the numbers of rows."""
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
    """Raise `SettingError` for an entry of a setting that fits no table, column or function.

    Most are misspelt, and a column that is hidden under a wrong name is not hidden. Entries that end in `?` may fit
    nothing.
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
    """Return the foreign keys that `table` does not declare but its column names suggest, each marked `guessed`.

    A column refers to another table if it has the name of that table's key (`customer_id` and `customer_id`) or of the
    table and its key (`customer_id` and `customers.id`), or is short for the one table of such a name (`cust` or
    `client_ref`, `customers.id` or `clients.id`), and the types agree. Where no table declares keys, a first column
    that is called a key, `wd_cd`, is one, if the same column of other tables refers to it.
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
            or _shortened(column, referred)
            if other.path != table.path and other.path not in linked
        ]
        if targets:
            # The table that is named in the column wins over one that merely has a key of the same name.
            target, key = min(targets, key=lambda t: (_stem(t[0].name) not in _plain(column.name), len(t[0].name)))
            found.append(ForeignKey((column.name,), target.path, (key.name,), guessed=True))
    return tuple(found)


def _shortened(column: Column, referred: _Referred) -> list[tuple[Table, Column]]:
    """Return the table, with its key, that a column is short for; none where it may be short for several."""
    words = _WORDS.findall(column.name)
    said = "".join(words[:-1] if words[-1:] and words[-1].lower() in _KEYS else words).lower()
    kind = _kind(column.type)
    if not said or (said == "".join(words).lower() and kind != "whole"):
        return []  # a text is a key where it is called one
    alike = {
        (table.path, key): (table, key)
        for (of, _), found in referred.items()
        for table, key in found
        if of == kind and _is_short(said, _stem(table.name))
    }
    return list(alike.values()) if len(alike) == 1 else []


def _is_short(said: str, name: str) -> bool:
    return said == name or _plain(CONVENTIONAL.get(said, "")) == name or shortens(said, name)


def _referred(tables: Iterable[Table]) -> _Referred:
    """Return the tables that a column may refer to, each with its key, by the column's kind and plain name."""
    found: _Referred = {}
    for table in tables:
        if key := _key(table):
            own, kind = _plain(key.name), _kind(key.type)
            names = {own, _stem(table.name) + own, _plain(table.name) + own}
            # An integer column with the name of a table (`customer`) holds keys of that table.
            names |= {_stem(table.name), _plain(table.name)} if kind == "whole" else set()
            # Names that many tables share do not tell which one is meant.
            if own in {"id", "name", "code", "key", "title", "year", "date"}:
                names.remove(own)
            for name in names:
                found.setdefault((kind, name), []).append((table, key))
    return found


def _key(table: Table) -> Column | None:
    """Return the column that identifies a row: the primary key of one column, else a first column named like a key."""
    by_name = {c.name: c for c in table.columns}
    if len(table.primary_key) == 1:
        return by_name.get(table.primary_key[0])
    if table.primary_key:
        return None
    return next((c for c in table.columns[:1] if _names_rows(c.name, table)), None)


def _names_rows(column: str, table: Table) -> bool:
    """Return whether a name is that of the table's key: `id`, `code`, `customerid`, `stuid` of students, `wd_cd`."""
    words = [word.lower() for word in _WORDS.findall(column)]
    last = (_WORDS.findall(table.name) or [table.name])[-1].lower()
    if len(words) == 2 and words[1] in _KEYS - {"id", "code"} and words[0][0] == last[0]:
        return words[0] == last or _leaves_out(words[0], last)
    column = _plain(column)
    prefix = next((column.removesuffix(end) for end in ("id", "code") if column.endswith(end)), None)
    if prefix is None or prefix in ("", _stem(table.name), _plain(table.name)):
        return prefix is not None
    # An abbreviation counts only for a table name of one word: of several, `cust_id` may be the key of another table.
    short = table.name.isalnum() and _stem(table.name).startswith(prefix)
    return len(prefix) > 2 and (short or _stem(table.name).endswith(prefix))


def _leaves_out(short: str, name: str) -> bool:
    """Return whether the letters of a short form are those of a name in their order: `wd` of `ward`."""
    letters = iter(name)
    return all(letter in letters for letter in short)


@lru_cache(4_096)
def _plain(name: str) -> str:
    """Return a name's letters and digits in lower case."""
    return "".join(filter(str.isalnum, name.lower()))


@lru_cache(4_096)
def _stem(name: str) -> str:
    """Return the singular of a plain name, by its English ending."""
    plain = _plain(name)
    if plain.endswith("ies"):
        return plain[:-3] + "y"
    if plain.endswith(("sses", "shes", "ches", "xes")):
        return plain[:-2]
    return plain[:-1] if plain.endswith("s") and not plain.endswith("ss") else plain


def _kind(declared: str) -> str:
    """Return 'whole', 'number' or 'text' for a declared type."""
    upper = declared.upper()
    if _WHOLE.search(upper):
        return "whole"
    return "number" if _NUMBER.search(upper) else "text"


def _fits(wanted: Iterable[Pattern], path: tuple[str, ...], least: int = 1) -> bool:
    return any(pattern.fits(path, least) for pattern in wanted)


def _wanted(table: Table, include: tuple[Pattern, ...], exclude: tuple[Pattern, ...]) -> bool:
    return (not include or _fits(include, table.path)) and not _fits(exclude, table.path)


def _asks(table: Table) -> bool:
    """Return whether a view calls `ask`: reading it would ask a question while one is being answered."""
    return table.kind == "view" and re.search(r"\bask(_\w+)?\s*\(", table.definition, re.IGNORECASE) is not None
