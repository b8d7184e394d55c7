"""Read the catalog: the tables that may be asked, their keys, comments and synonyms.

`read` makes a `Catalog` of what the engine reports. Hidden and excluded tables and columns are left out; comments, and
foreign keys that users declared, are added; other foreign keys are guessed, and marked as guessed.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from askwhere.engine import Engine, Grant, Source, Table
from askwhere.errors import SettingError, shown
from askwhere.frozen import frozen
from askwhere.grouping import grouped
from askwhere.guard import definitions, written_out
from askwhere.guard.hidden import Hidden, hidden_columns
from askwhere.indexer import comments, dependants, guessing, keys, unsafe_calls
from askwhere.indexer.dependants import Dependants, Path
from askwhere.patterns import Pattern, any_fits, patterns, unmatched
from askwhere.sql.identifiers import fold, fold_path

_UNLISTED = "is a view whose columns are not listed, so that what it shows is not known"
_ADVICE = "; include_tables = '{}' would have it asked"
LONGEST_NAME = 1_000  # characters of a table's or a column's name; people's have 63 or 128 at most in most engines


@frozen
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
        tables: dict[str, Table] = {}
        for table in self.tables:
            tables.setdefault(table.name.lower(), table)
        return tables

    @cached_property
    def by_path(self) -> dict[tuple[str, ...], Table]:
        """Return the tables by their full path, as it is written in the catalog."""
        return {table.path: table for table in self.tables}

    @cached_property
    def _by_last(self) -> dict[str, list[Table]]:
        return grouped((fold(table.name), table) for table in self.tables)

    def ending(self, path: tuple[str, ...]) -> Table | None:
        """Return the first table whose path ends with `path`, or whose `short` path is `path`; None if there is none.

        Names are compared in any case.
        """
        sought = fold_path(path)
        matches = self._by_last.get(sought[-1], ())
        return next((t for t in matches if sought in (fold_path(t.path)[-len(sought) :], fold_path(t.short))), None)

    def table(self, name: str) -> Table | None:
        """Return the table of a name, in any case, or None."""
        return self.by_name.get(name.lower())


def read(
    engine: Engine,
    hide_columns: Iterable[str] = (),
    include_tables: Iterable[str] = (),
    exclude_tables: Iterable[str] = (),
    allow_functions: Iterable[str] = (),
    at: Hashable = None,
) -> Catalog:
    """Return the engine's catalog without what the settings hide. Their entries are patterns (`askwhere.patterns`).

    A view that reads a hidden column, itself or through another view, is left out unless `include_tables` names it in
    full, without a wildcard. A view or generated column that calls a user's function is left out unless
    `allow_functions` names the function. `at` is what `version` returned just before, where the caller has it.
    """
    hide, include, exclude, allowed = map(patterns, (hide_columns, include_tables, exclude_tables, allow_functions))
    listed, misnamed, name_notes = _usable(engine.tables())
    tables, notes = comments.described(listed, comments.read(engine))
    tables, key_notes = keys.declared(tables, keys.read(engine))
    too_long = definitions.too_long(tables)
    chosen = [t for t in tables if _is_included(t, include, exclude)]
    unlisted = [t for t in chosen if t.kind == "view" and not t.columns and t.path not in too_long.views]
    kept = [t for t in chosen if t.path not in too_long.views and t not in unlisted]
    named = [t.path for t in kept if any_fits([p for p in include if p.plain], t.paths())]
    dependent = _dependent(engine, tables, hide, exempt=named)
    functions = frozenset(fold(f) for f in engine.functions() if any_fits(allowed, [(f,)])) if allowed else frozenset()
    calls = unsafe_calls.find(engine, tables, functions)
    unreadable = engine.unreadable(kept)
    too_large = {t.path: f"{t.too_large}{_ADVICE.format(t.name)}" for t in kept if t.too_large and t.path not in named}
    computed_large = {(t.path, c.name): c.too_large for t in kept for c in t.columns if c.too_large}
    withheld = (
        *((t.path, written_out.REASON) for t in chosen if t.path in too_long.views),
        *((t.path, _UNLISTED) for t in unlisted),
        *((t.path, unsafe_calls.reason(calls.views[t.path])) for t in kept if t.path in calls.views),
        *too_large.items(),
    )
    grant = Grant(
        tuple(t for t in kept if not any(t.path in left for left in (dependent.left_out, calls.views, too_large))),
        dependent.hidden
        | frozenset(calls.columns)
        | too_long.columns
        | frozenset(computed_large)
        | unreadable
        | misnamed,
        functions - {fold(name) for name in dependent.functions},
        withheld,
    )
    hidden_by_table = hidden_columns(grant)
    visible = [_visible(t, hidden_by_table) for t in grant.tables]
    guessed = guessing.guessed(visible)
    return Catalog(
        tables=tuple(replace(t, foreign_keys=t.foreign_keys + guessed[t.path]) for t in visible if t.columns),
        grant=grant,
        version=version(engine) if at is None else at,
        notes=(
            *(*engine.notes(), *name_notes, *notes, *key_notes),
            *(*too_long.notes(), *calls.notes(), *_unreadable_notes(kept, unreadable)),
            *(f"{'.'.join(path)} is left out: it {why}" for path, why in too_large.items()),
            *(f"{'.'.join((*path, name))} is left out: it {why}" for (path, name), why in computed_large.items()),
        ),
        taken=engine.taken(),
        left_out=_left_out_notes(kept, dependent, functions),
    )


def _usable(tables: Iterable[Table]) -> tuple[tuple[Table, ...], frozenset[Source], tuple[str, ...]]:
    """Return the tables whose names can be used, their columns whose names cannot, and a note for each left out.

    No SQL can hold a NUL, and the time to compare names and to look for words in them grows with their length.
    """
    usable, columns, notes = list[Table](), set[Source](), list[str]()
    for table in tables:
        if why := next(filter(None, map(_unusable, table.path)), ""):
            notes.append(f"the table {shown('.'.join(table.path))} is left out: its name {why}")
            continue
        usable.append(table)
        for column in table.columns:
            if why := _unusable(column.name):
                columns.add((table.path, column.name))
                notes.append(f"the column {shown(column.name)} of {table.name} is left out: its name {why}")
    return tuple(usable), frozenset(columns), tuple(notes)


def _unusable(name: str) -> str:
    """Return why a name cannot be used, '' where it can."""
    if "\0" in name:
        return "holds a NUL character"
    return f"has more than {LONGEST_NAME:,} characters" if len(name) > LONGEST_NAME else ""


def _dependent(
    engine: Engine, tables: Sequence[Table], hide: Collection[Pattern], exempt: Collection[Path]
) -> Dependants:
    """Return the columns that a pattern in `hide` fits, and the views and macros that would show one.

    `exempt` are the paths of views that may be asked all the same.
    """
    columns = ((t, c.name) for t in tables for c in t.columns) if hide else ()
    hidden = frozenset((t.path, name) for t, name in columns if any_fits(hide, t.paths(name), 2))
    return dependants.find(engine, tables, hidden, exempt) if hidden else Dependants(hidden, {}, {})


def _left_out_notes(kept: Iterable[Table], dependent: Dependants, functions: Collection[str]) -> tuple[str, ...]:
    """Return the notes on tables, and on allowed `functions`, that are left out as they would show a hidden column."""
    macros = dependent.functions.items()
    return (
        *(_left_out_note(t, dependent.left_out[t.path]) for t in kept if t.path in dependent.left_out),
        *(f"the function {f} is not called: {why}" for f, why in macros if fold(f) in functions),
    )


def version(engine: Engine) -> Hashable:
    """Return a value, cheaply, that changes with all that `read` reads of the engine."""
    return (engine.schema_version(), keys.side_rows(engine))


def _visible(table: Table, hidden: Hidden) -> Table:
    """Return a table without its hidden columns, and without the keys that contain one.

    With a hidden primary key the number of rows is left out too: it may be the key's highest value.
    """
    if not hidden:
        return table

    def all_shown(path: tuple[str, ...], columns: Iterable[str]) -> bool:
        return hidden.get(fold_path(path), frozenset()).isdisjoint(map(fold, columns))

    keyed = all_shown(table.path, table.primary_key)
    return replace(
        table,
        columns=tuple(c for c in table.columns if all_shown(table.path, [c.name])),
        primary_key=table.primary_key if keyed else (),
        unique=tuple(columns for columns in table.unique if all_shown(table.path, columns)),
        foreign_keys=tuple(
            key
            for key in table.foreign_keys
            if all_shown(table.path, key.columns) and all_shown(key.target, key.target_columns)
        ),
        rows=table.rows if keyed else None,
    )


def _unreadable_notes(tables: Iterable[Table], unreadable: frozenset[Source]) -> tuple[str, ...]:
    """Return a note on each column that is left out because of a value."""
    return tuple(
        f"{'.'.join((*t.path, c.name))} is left out: it has a value that cannot be read as {c.type}"
        for t in tables
        for c in t.columns
        if (t.path, c.name) in unreadable
    )


def _left_out_note(table: Table, why: str) -> str:
    """Return the note on a table that is left out."""
    advice = _ADVICE.format(table.name) if table.kind == "view" else ""
    return f"the {'view' if table.kind == 'view' else 'table'} {table.name} is left out: {why}{advice}"


def same_but_rows(catalog: Catalog, other: Catalog) -> bool:
    """Return whether two catalogs are equal except for the numbers of rows."""
    return _shape(catalog) == _shape(other)


def _shape(catalog: Catalog) -> tuple[object, ...]:
    tables = [replace(t, rows=None) for t in (*catalog.tables, *catalog.grant.tables)]
    return (tables, catalog.grant.hidden, catalog.grant.functions, catalog.taken)


def check_names(
    engine: Engine,
    hide_columns: Iterable[str] = (),
    include_tables: Iterable[str] = (),
    exclude_tables: Iterable[str] = (),
    allow_functions: Iterable[str] = (),
    index_columns: Iterable[str] = (),
) -> None:
    """Raise `SettingError` for an entry of a setting that fits no table, column or function.

    Most are misspelt, and a column that is hidden under a wrong name is not hidden. Entries that end in `?` may fit
    nothing.
    """
    listed = engine.tables() if hide_columns or include_tables or exclude_tables or index_columns else ()
    tables = [path for t in listed for path in t.paths()]
    columns = [path for t in listed for c in t.columns for path in t.paths(c.name)]
    functions = [(name,) for name in engine.functions()] if allow_functions else []
    wrong = (
        unmatched("hide_columns", "column", hide_columns, columns, 2)
        or unmatched("include_tables", "table", include_tables, tables)
        or unmatched("exclude_tables", "table", exclude_tables, tables)
        or unmatched("index_columns", "column", index_columns, columns, 2)
        or unmatched("allow_functions", "function", allow_functions, functions)
    )
    if wrong:
        raise SettingError(wrong)


def _is_included(table: Table, include: tuple[Pattern, ...], exclude: tuple[Pattern, ...]) -> bool:
    return (not include or any_fits(include, table.paths())) and not any_fits(exclude, table.paths())
