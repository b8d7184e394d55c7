"""Link the schema by a model: first the tables that a question needs, then their columns.

MCS-SQL, section 3.1. Each step asks several prompts that differ in the order of tables and columns, and keeps all that
any reply names: a table too many does little harm, but without one that is needed the right query is impossible.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from askwhere.engine import Table
from askwhere.errors import OutOfBudget
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline import mcs_prompts, replies
from askwhere.pipeline.facts import Linked
from askwhere.pipeline.steps import StepContext
from askwhere.sql.identifiers import fold

Path = tuple[str, ...]
Column = tuple[Path, str]
_Named = TypeVar("_Named")

# Fields of a reply that hold the answer, and beginnings of fields that only give reasons.
_ANSWERS = ("answer", "tables", "columns")
_FIELDS = frozenset((*_ANSWERS, "table", "column", "name"))
_REASONS = ("reason", "why", "expla", "thought")


def link_schema(linked: Linked, context: StepContext) -> Linked:
    """Return the question with the part of the schema that the model links to it. Raise `ModelError`, `OutOfBudget`.

    The keys of the tables that remain are never left out. A step whose replies name nothing changes nothing. A question
    whose budget does not cover all calls of the method is refused before the first call.
    """
    needed, allowed = context.mcs.calls(context.leave_out), context.asker.budget.calls
    if needed > allowed:
        raise OutOfBudget(
            f"method 'mcs' asks for up to {needed} completions, and max_calls is {allowed}: SELECT ask_set('max_calls',"
            f" {needed}), or fewer prompts, samples or votes: SELECT ask_set('mcs', 'prompts=3, samples=5, votes=5')"
        )
    if "linking" in context.leave_out:
        return linked
    if tables := _names_in_replies(linked, context, "link tables", tables_named):
        linked = replace(linked, schema=of_tables(linked.schema, tables))
    if columns := _names_in_replies(linked, context, "link columns", columns_named):
        linked = replace(linked, schema=of_columns(linked.schema, columns))
    seen = {(table.path, column.name) for table in linked.schema.tables for column in table.columns}
    context.asker.note("link", ", ".join(f"{path[-1]}.{column}" for path, column in sorted(seen)))
    return replace(linked, shown=tuple(match for match in linked.shown if (match.table, match.column) in seen))


def _names_in_replies(
    linked: Linked, context: StepContext, step: str, read: Callable[[str, Catalog], frozenset[_Named]]
) -> frozenset[_Named]:
    """Return all names in the replies to a step's prompts."""
    mcs = context.mcs
    by_reply: list[frozenset[_Named]] = []
    prompts = linking_prompts(linked, context, step)
    for number, prompt in enumerate(prompts, 1):
        seed, detail = seed_of(mcs.seed, linked.question, step, number), f"prompt {number} of {len(prompts)}"
        texts = context.asker.ask(
            context.model, step, prompt, n=mcs.link_samples, temperature=mcs.temperature, seed=seed, detail=detail
        ).texts
        by_reply += (read(text, linked.schema) for text in texts)
    if empty := sum(not names for names in by_reply):
        context.asker.note(step, f"{empty} of {len(by_reply)} replies named nothing that is there")
    return frozenset().union(*by_reply)


def linking_prompts(linked: Linked, context: StepContext, step: str) -> list[str]:
    """Return the prompts of a step, 'link tables' or 'link columns', the same each time that a question is asked."""
    tables = step == "link tables"
    write = mcs_prompts.table_linking if tables else mcs_prompts.column_linking
    many = context.mcs.table_prompts if tables else context.mcs.column_prompts
    schemas = orders(linked.schema, many, (context.mcs.seed, linked.question, step))
    return [write(replace(linked, schema=schema)) for schema in schemas]


def seed_of(*parts: object) -> int:
    """Return a seed that is the same for equal arguments, in any process."""
    return random.Random(repr(parts)).randrange(2**31)


def orders(catalog: Catalog, many: int, seed: object) -> list[Catalog]:
    """Return `many` catalogs with the tables and columns shuffled, in different orders as far as there are so many.

    The same seed gives the same orders.
    """
    drawn, catalogs = random.Random(repr(seed)), []
    for _ in range(many):
        for _ in range(10):  # two of three shuffles of two tables are alike
            shuffled = _shuffled(catalog, drawn)
            if shuffled not in catalogs:
                break
        catalogs.append(shuffled)
    return catalogs


def _shuffled(catalog: Catalog, drawn: random.Random) -> Catalog:
    tables = [replace(t, columns=tuple(drawn.sample(t.columns, len(t.columns)))) for t in catalog.tables]
    return replace(catalog, tables=tuple(drawn.sample(tables, len(tables))))


# ---------------------------------------------------------------------------------------------------------- the schema


def of_tables(catalog: Catalog, paths: Iterable[Path]) -> Catalog:
    """Return the catalog with only these tables and the foreign keys between them."""
    kept = frozenset(paths)
    tables = [
        replace(t, foreign_keys=tuple(key for key in t.foreign_keys if key.target in kept))
        for t in catalog.tables
        if t.path in kept
    ]
    return replace(catalog, tables=tuple(tables))


def of_columns(catalog: Catalog, columns: Iterable[Column]) -> Catalog:
    """Return the catalog with these columns and its keys; a table that would lose all columns keeps them."""
    kept = set(columns)
    for table in catalog.tables:
        kept |= {(table.path, name) for name in table.primary_key}
        for key in table.foreign_keys:
            kept |= {(table.path, name) for name in key.columns} | {(key.target, name) for name in key.target_columns}
    tables = []
    for table in catalog.tables:
        shown = tuple(column for column in table.columns if (table.path, column.name) in kept)
        tables.append(replace(table, columns=shown) if shown else table)
    return replace(catalog, tables=tuple(tables))


# --------------------------------------------------------------------------------------------------------- the replies


def tables_named(reply: str, catalog: Catalog) -> frozenset[Path]:
    """Return the tables of the catalog that a reply to the table-linking prompt names."""
    known = {name: table.path for table in reversed(catalog.tables) for name in _names(table)}
    return frozenset(known[name] for _, name in _named_in(reply) if name in known)


def columns_named(reply: str, catalog: Catalog) -> frozenset[Column]:
    """Return the columns of the catalog that a reply to the column-linking prompt names.

    A column may be named as `table.column`, under its table's name, or alone if only one table has it.
    """
    known: dict[str, Column] = {}
    alone: dict[str, list[Column]] = {}
    for table in reversed(catalog.tables):
        for column in table.columns:
            known |= {f"{name}.{_plain(column.name)}": (table.path, column.name) for name in _names(table)}
            alone.setdefault(_plain(column.name), []).append((table.path, column.name))
    known |= {name: owners[0] for name, owners in alone.items() if len(owners) == 1 and name not in known}
    columns = [known.get(f"{above}.{name}", known.get(name)) for above, name in _named_in(reply)]
    return frozenset(column for column in columns if column is not None)


def _names(table: Table) -> list[str]:
    return [_plain(".".join(table.path[place:])) for place in range(len(table.path))]


def _plain(name: str) -> str:
    """Return a name folded and without quotes, to compare it."""
    return fold(re.sub(r'["`\[\]]', "", name).strip())


def _named_in(reply: str) -> Iterator[tuple[str, str]]:
    """Yield the names of a reply, each after the name that it stands under; in prose, the items of lists."""
    structures = replies.structures(reply)
    for node in structures:
        yield from _walked(node, "")
    if not structures:
        for part in re.split(r"[\n,]", reply):
            yield "", _plain(re.sub(r"^[\s\-*•\d.)]+(?=\D)", "", part).split(":")[0])


def _walked(node: object, above: str) -> Iterator[tuple[str, str]]:
    """Yield the names in a parsed reply."""
    if isinstance(node, str):
        yield above, _plain(node)
    elif isinstance(node, list | tuple | set):
        for part in node:
            yield from _walked(part, above)
    elif isinstance(node, Mapping):
        answers = [node[key] for key in _ANSWERS if node.get(key)] if "table" not in node else []
        if answers:
            yield from _walked(answers, above)
            return
        if _FIELDS & set(node) and any(part is False for part in node.values()):
            return  # the reply lists it as not needed
        owner = node.get("table")
        for key, part in node.items():
            if part and not str(key).lower().startswith(_REASONS):
                if key not in _FIELDS:
                    yield above, _plain(str(key))
                yield from _walked(part, _plain(owner if isinstance(owner, str) else str(key)))
