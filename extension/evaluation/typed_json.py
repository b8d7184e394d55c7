"""Write dataclasses as JSON text and read them back; values that do not have their field's type are refused."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from askwhere.cells import SURROGATE

Kind = TypeVar("Kind")


def dumps(value: object, indent: int | None = None) -> str:
    """Return a value as JSON with surrogates escaped, which UTF-8 cannot encode."""
    written = json.dumps(value, indent=indent, ensure_ascii=False)
    return SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", written)


def build(kind: type[Kind], parsed: object) -> Kind:
    """Build a dataclass from what JSON holds; missing names have their default.

    Raise ValueError, which names the mistake.
    """
    if not isinstance(parsed, dict):
        raise ValueError(f"expected an object, found {_short(parsed)}")
    any_kind: Any = kind  # mypy does not accept `type[Kind]` as hashable
    types = _types(any_kind)
    if unknown := parsed.keys() - types.keys():
        raise ValueError(f"unknown {', '.join(sorted(unknown))}")
    wrong = [name for name, value in parsed.items() if not _fits(value, types[name])]
    if wrong:
        raise ValueError(f"{wrong[0]} is {_short(parsed[wrong[0]])}")
    try:
        return kind(**{name: _tuples(value) for name, value in parsed.items()})
    except TypeError as exc:  # a name without a default is missing
        raise ValueError(str(exc)) from None


@cache
def _types(kind: type) -> Mapping[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def _fits(value: object, kind: Any) -> bool:
    """Return whether a value from JSON has a type; types are built from those that this function names."""
    outer, inner = get_origin(kind), get_args(kind)
    if outer is UnionType:
        return any(_fits(value, alternative) for alternative in inner)
    if outer is tuple:
        parts = value if isinstance(value, list) else None
        each = inner[:1] * len(parts or ()) if inner[-1] is Ellipsis else inner
        return parts is not None and len(parts) == len(each) and all(map(_fits, parts, each))
    if outer is Mapping:
        return isinstance(value, dict) and all(_fits(member, inner[1]) for member in value.values())
    if kind in (int, float):
        whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63
        return whole or (kind is float and isinstance(value, float) and math.isfinite(value))
    return isinstance(value, NoneType if kind is None else kind)


def _tuples(value: object) -> object:
    """Return a value with its lists, also nested ones, as tuples."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _short(value: object) -> str:
    shown = json.dumps(value)
    return shown if len(shown) <= 40 else f"{shown[:40]}…"
