"""What a sample table is, and how the typed text blocks become lines of fields."""

from __future__ import annotations

from dataclasses import dataclass

Value = int | float | str | None


@dataclass(frozen=True)
class SampleTable:
    """A table: its name, a CREATE TABLE that SQLite and DuckDB both accept, and its rows."""

    name: str
    ddl: str
    rows: tuple[tuple[Value, ...], ...]


def fields(text: str) -> list[list[str]]:
    """Return the lines of a text block, each split at its bars."""
    return [line.split("|") for line in text.strip().splitlines()]


def listed(text: str, separator: str) -> list[tuple[str, list[str]]]:
    """Return the lines `key: item, item` of a text block as the key and its items, split at the separator."""
    pairs = [line.split(": ", 1) for line in text.strip().splitlines()]
    return [(key, items.split(separator)) for key, items in pairs]
