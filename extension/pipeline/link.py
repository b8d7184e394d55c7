"""Linking: which columns and values the question is about, and the schema text that shows them."""

from __future__ import annotations

from collections.abc import Iterable

from askwhere.engine import Table
from askwhere.indexer import schema
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import Match, ValueIndex
from askwhere.models import estimate
from askwhere.pipeline.facts import Linked

# SEA-SQL writes the best m = 2 values of every column into the schema text (Table 5: more does not help).
VALUES_SHOWN = 2


def link(
    question: str, hint: str | None, dialect: str, catalog: Catalog, values: ValueIndex, show: str, room: int
) -> Linked:
    """The question with its schema, within `room` tokens, and the values that `show` lets a prompt hold.

    `show` is 'show', 'matched' or 'hide'.
    """
    asked = f"{question} {hint or ''}"
    found = [] if show == "hide" else values.search(asked, VALUES_SHOWN, fill=show == "show")
    shown = tuple(match for match in found if show == "show" or match.exact)
    written = _values(shown)
    part = schema.pruned(catalog, asked, found, room, lambda table: estimate(_table_text(table, written)))
    return Linked(question, hint, dialect, catalog, values, part, shown)


def schema_text(catalog: Catalog, shown: Iterable[Match] = ()) -> str:
    """The schema as a prompt shows it: a table a block, a column a line with type, keys, comment and values."""
    values = _values(shown)
    return "\n\n".join(_table_text(table, values) for table in catalog.tables)


def _values(shown: Iterable[Match]) -> dict[tuple[tuple[str, ...], str], list[str]]:
    """The values to show by column, as (table path, column)."""
    values: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for match in shown:
        values.setdefault((match.table, match.column), []).append(match.value)
    return values


def _table_text(table: Table, values: dict[tuple[tuple[str, ...], str], list[str]]) -> str:
    lines = [f"# {table.kind} {table.name}" + (f": {_line(table.comment)}" if table.comment else "")]
    links = {
        own: f"refers to {key.target[-1]}.{other}" + (" (guessed)" if key.guessed else "")
        for key in table.foreign_keys
        for own, other in zip(key.columns, key.target_columns, strict=True)
    }
    for column in table.columns:
        facts = [
            column.type or "any",
            "primary key" if column.name in table.primary_key else "",
            links.get(column.name),
        ]
        text = f"{column.name}: {', '.join(fact for fact in facts if fact)}"
        if column.comment:
            text += f". {_line(column.comment)}"
        if found := values.get((table.path, column.name)):
            text += ". Values: " + ", ".join(repr(_line(value)) for value in found)
        lines.append(text)
    return "\n".join(lines)


def _line(text: str) -> str:
    """A cell or comment as one short line: it is data, and must not look like a part of the prompt."""
    flat = " ".join(text.split())
    return flat if len(flat) <= 100 else flat[:99] + "…"
