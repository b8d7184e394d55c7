"""Encode rows and grants as JSON, for the process that runs generated SQL: nothing that is received can be code.

A batch of rows is a JSON array of arrays. Most cells are plain JSON values. In a batch where one is not, every list is
a value with its type, `[tag, content]`. Shape and types of what is received are checked.
"""

from __future__ import annotations

import base64
import datetime
import decimal
import hashlib
import json
import math
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

from askwhere.engine import Column, Grant, Table

_PLAIN = {type(None), bool, int, float, str}
_SQLITES = {type(None), int, float, str, bytes}
_LONG = re.compile(rb"\d{19}")
_TAGGED, _BARE = b"t", b"b"  # a batch's first byte: whether lists in it are tagged values


def packed(rows: Sequence[tuple[Any, ...]]) -> bytes:
    """Encode rows as one batch."""
    if set(map(type, chain.from_iterable(rows))) <= _PLAIN:
        try:
            return _BARE + json.dumps(rows, allow_nan=False, separators=(",", ":")).encode()
        except ValueError:
            pass  # a float that JSON cannot write: an infinity or NaN
    return _TAGGED + json.dumps([[encoded(cell) for cell in row] for row in rows]).encode()


def unpacked(content: bytes, width: int, plain: bool = False) -> list[tuple[Any, ...]]:
    """Return the rows of a batch, of `width` cells each. Raise ValueError, TypeError or KeyError for other bytes.

    `plain` is `Dialect.plain_values`.
    """
    rows = _decoded_rows(content, width)
    if plain:
        if not set(map(type, chain.from_iterable(rows))) <= _SQLITES:
            raise ValueError("a value that SQLite does not have")
        if _LONG.search(content) and not all(map(_fits, chain.from_iterable(rows))):
            raise ValueError("an integer of more than 64 bits")
    return rows


def _fits(cell: Any) -> bool:
    """Return whether a cell is no integer of more than 64 bits."""
    return type(cell) is not int or -(2**63) <= cell < 2**63


def _decoded_rows(content: bytes, width: int) -> list[tuple[Any, ...]]:
    """Return the rows of a batch in any engine's types. Raise as `unpacked`."""
    rows = json.loads(content[1:])
    if b"\\ud" in content.lower():
        json.dumps(rows, ensure_ascii=False).encode()  # raises for half of a character, which no engine takes
    if not isinstance(rows, list) or not all(isinstance(row, list) and len(row) == width for row in rows):
        raise ValueError(f"rows that are not of {width} cells")
    if content[:1] == _TAGGED:
        return [tuple(map(decoded, row)) for row in rows]
    if not set(map(type, chain.from_iterable(rows))) <= _PLAIN:
        raise ValueError("a cell that is no value")
    return list(map(tuple, rows))


def encoded(value: Any) -> Any:
    """Return a cell as JSON can write it: a list is a value with its type, anything else is the value itself."""
    if value is None or isinstance(value, bool | str) or type(value) is int:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    for tag, kind, write, _ in _TYPES:
        if isinstance(value, kind):
            return [tag, write(value)]
    return str(value)


def decoded(cell: Any) -> Any:
    """Return the value of an encoded cell. Raise ValueError, TypeError or KeyError for what `encoded` never writes."""
    if cell is None or isinstance(cell, bool | str | int | float):
        return cell
    tag, content = cell
    return _READERS[tag](content)


def _pairs(value: dict[Any, Any]) -> list[Any]:
    """Return a map's keys and values, encoded."""
    return [[encoded(key), encoded(item)] for key, item in value.items()]


_Type = tuple[str, type, Callable[[Any], Any], Callable[[Any], Any]]
_TYPES: tuple[_Type, ...] = (
    ("float", float, repr, float),
    ("bytes", bytes, lambda v: base64.b64encode(v).decode(), lambda c: base64.b64decode(c, validate=True)),
    ("decimal", decimal.Decimal, str, decimal.Decimal),
    ("datetime", datetime.datetime, lambda v: v.isoformat(), datetime.datetime.fromisoformat),
    ("date", datetime.date, lambda v: v.isoformat(), datetime.date.fromisoformat),
    ("time", datetime.time, lambda v: v.isoformat(), datetime.time.fromisoformat),
    ("interval", datetime.timedelta, lambda v: [v.days, v.seconds, v.microseconds], lambda c: datetime.timedelta(*c)),
    ("uuid", uuid.UUID, str, uuid.UUID),
    ("list", list, lambda v: [encoded(item) for item in v], lambda c: [decoded(item) for item in c]),
    ("tuple", tuple, lambda v: [encoded(item) for item in v], lambda c: tuple(decoded(item) for item in c)),
    ("map", dict, _pairs, lambda c: {decoded(key): decoded(item) for key, item in c}),
)
_READERS = {tag: read for tag, _, _, read in _TYPES}


def digests(definitions: Mapping[str, str]) -> dict[str, str]:
    """Return a short digest of each definition, by the same name."""
    return {name: hashlib.blake2b(sql.encode(), digest_size=16).hexdigest() for name, sql in definitions.items()}


def grant_as_json(grant: Grant) -> dict[str, Any]:
    """Return a grant as JSON can write it."""
    return {
        "tables": [
            [t.path, [[c.name, c.type, c.work] for c in t.columns], t.kind, t.definition, t.work, t.short]
            for t in grant.tables
        ],
        "hidden": sorted([path, column] for path, column in grant.hidden),
        "functions": sorted(grant.functions),
        "withheld": grant.withheld,
    }  # fmt: skip


def grant_of_json(content: Mapping[str, Any]) -> Grant:
    """Return the grant that `grant_as_json` wrote."""
    return Grant(
        tuple(
            Table(
                tuple(path),
                tuple(Column(name, declared, work=size) for name, declared, size in columns),
                kind,
                definition=definition,
                work=work,
                short=tuple(short),
            )
            for path, columns, kind, definition, work, short in content["tables"]
        ),
        frozenset((tuple(path), column) for path, column in content["hidden"]),
        frozenset(content["functions"]),
        tuple((tuple(path), str(why)) for path, why in content["withheld"]),
    )
