"""Names as SQL writes them."""

from __future__ import annotations

import re

from sqlglot import exp

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")

_RESERVED = frozenset(
    """abort add all alter always analyze and any array as asc asof at attach authorization autoincrement before begin
    between both by cascade case cast check collate collation column columns commit concurrently conflict constraint
    create cross cube current current_date current_time current_timestamp database date day default deferrable deferred
    delete desc describe detach distinct do drop each else end escape except exclude exclusive exists explain extract
    fail false filter first following for foreign freeze from full generated glob global grant group grouping groups
    having hour if ignore ilike immediate in index indexed initially inner insert instead int integer intersect
    interval into is isnull join key lambda last lateral leading left like limit localtime localtimestamp map match
    materialized minute month natural new no not nothing notnull null nulls of offset old on only or order others
    outer over overlaps overlay partition percent pivot pivot_longer pivot_wider placing plan position positional pragma
    preceding primary qualify query raise range real recursive references regexp reindex release rename replace
    restrict returning returns right rollback rollup row rows savepoint schema second select semi session session_user
    set sets show similar some struct substring summarize symmetric table tables tablesample temp temporary text then
    ties time timestamp to trailing transaction trigger trim true try_cast type unbounded union unique unpivot update
    user using vacuum values value variadic verbose view virtual when where window with within without year zone anti
    map list enum row function macro""".split()
)


def identifier(name: str) -> exp.Identifier:
    """A name as SQL writes it: in quotes unless it is a plain word that means nothing else."""
    return exp.Identifier(this=name, quoted=not PLAIN.match(name) or name.lower() in _RESERVED)
