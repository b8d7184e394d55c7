"""`askwhere comments`: lists comments on tables and columns, adds a synonym, and imports dbt's descriptions."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from askwhere import memory, patterns
from askwhere.bindings import connections
from askwhere.bindings.cli import options, sources
from askwhere.bindings.cli.show import print_rows
from askwhere.bindings.source import Source
from askwhere.cells import counted, visible
from askwhere.engine import Engine, Table
from askwhere.errors import ArgumentError, suggestion
from askwhere.indexer import comments, dbt, keys

_NONE = "`--synonym WORDS NAME` makes words mean a table or a column; docs/comments.md says how comments are written"


Parser = options.PairParser


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    sources.add(parser)
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--json", action="store_true", help="print them as a JSON array of objects")
    action.add_argument("--dbt", type=Path, metavar="FILE", help="import the descriptions of dbt's manifest.json")
    action.add_argument(
        "--synonym", nargs=2, metavar=("WORDS", "NAME"), help="make words mean a table, or a column: TABLE.COLUMN"
    )
    parser.add_argument("--replace", action="store_true", help="overwrite comments that are there already")
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    if parsed.replace and not parsed.dbt:
        parsed.wrong("--replace goes with --dbt")
    if parsed.synonym:
        return add_synonym(sources.check_kept(parsed.database), *parsed.synonym)
    if parsed.dbt:
        return import_dbt(sources.check_kept(parsed.database), parsed.dbt, parsed.replace)
    return show(parsed.database, parsed.json)


def show(source: Source, as_json: bool) -> int:
    """List the comments and synonyms of tables and columns, the database's own included; notes go to standard error."""
    with connections.using(replace(source, read_only=True), {}) as (_, engine):
        tables, notes = comments.described(engine.tables(), comments.read(engine))
    print_rows(comments.COLUMNS, list(comments.listed(tables)), as_json, _NONE)
    for note in notes:
        print(f"askwhere: {note}", file=sys.stderr)
    return 0


def import_dbt(source: Source, manifest: Path, replacing: bool) -> int:
    """Write a manifest's descriptions and keys into the database, and print what matched. Return 1 if nothing did."""
    content = dbt.load(manifest)
    with connections.using(source, {}) as (_, engine):
        matched = dbt.matched(content, engine.tables())
        written, kept = comments.save(engine, matched.described, replacing) if matched.described else (0, 0)
        if matched.keys:
            tables = [table for pair in matched.keys for table, _ in pair]
            pairs = [
                (keys.text(child.path, [column]), keys.text(parent.path, [key]))
                for (child, column), (parent, key) in matched.keys
            ]
            memory.changed(engine, lambda storage: keys.write(engine, storage, tables, pairs))
    print(
        f"{counted(matched.tables, 'table')} and {counted(matched.columns, 'column')} matched;"
        f" {written:,} comments written"
    )
    if kept:
        advice = "" if replacing else " (--replace overwrites them)"
        print(f"{counted(kept, 'comment')} left as they were{advice}")
    if matched.keys:
        print(f"{counted(len(matched.keys), 'key')} declared")
    if matched.missing:
        print(f"not in the database: {visible(', '.join(matched.missing))}")
    return 0 if matched.described or matched.keys else 1


def add_synonym(source: Source, words: str, thing: str) -> int:
    """Make words synonyms as `synonym_added` does, and print what they mean now."""
    with connections.using(source, {}) as (_, engine):
        print(synonym_added(engine, words, thing))
    return 0


def synonym_added(engine: Engine, words: str, thing: str) -> str:
    """Make words synonyms of a table, or of a column given as TABLE.COLUMN, and return what they mean now.

    Separate several words by commas. Raise `ArgumentError` if `thing` names nothing, or several tables or columns.
    """
    table, column = _resolve(engine.tables(), thing)
    comments.add(engine, table, comments.Comment(table.name, column, synonyms=comments.split(words)))
    return f"questions may say {words} for {patterns.written([table.name, column] if column else [table.name])}"


def _resolve(tables: Sequence[Table], name: str) -> tuple[Table, str]:
    """Return the table that a name means, and the name of its column; '' where the table itself is meant."""
    sought = patterns.pattern(name)
    things = [(table, "") for table in tables] + [(table, column.name) for table in tables for column in table.columns]
    fitting = [(t, column) for t, column in things if patterns.any_fits([sought], t.paths(column), 2 if column else 1)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise ArgumentError(f"{name} is in several schemas: write SCHEMA.{name}")
    known = [patterns.written((t.name, *filter(None, [column]))) for t, column in things]
    hint = suggestion(name, known, 0.5)
    raise ArgumentError(f"there is no table or column {name}: expected TABLE or TABLE.COLUMN{hint}")
