"""Estimate the value of each expression of a DuckDB query, by the class of its node.

Calls are estimated in `askwhere.guard.call_sizes`, queries inside an expression by the scope's `estimate_query`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

from askwhere.errors import Refused
from askwhere.guard.call_sizes import as_call, call
from askwhere.guard.estimates import (
    BITS,
    BYTE,
    CELL,
    COPIES,
    FIXED,
    LONG,
    MAX_TIMES,
    MAX_VALUE,
    Relation,
    Scope,
    Value,
    check_fields,
    check_not_repeated,
    check_readable,
    largest,
    one_of,
    record,
    repeating,
    within,
)
from askwhere.guard.growth import DIGITS
from askwhere.guard.tree import Node, expressions, literal_number, literal_text, walk
from askwhere.sql.identifiers import fold

_MAX_DIGITS = 1_600  # bytes of a text that is cast to BIGNUM, which takes quadratic time
_MAX_NESTED = 40  # levels of lists and records in each other
# Classes of expressions that compute no new value.
_UNCOMPUTED = ("COLUMN_REF", "CONSTANT", "POSITIONAL_REFERENCE", "STAR", "SUBQUERY", "TYPE")
_FIXED_CLASSES = ("COMPARISON", "CONJUNCTION", "BETWEEN")  # these return a boolean
_EQUALITIES = {"COMPARE_EQUAL", "COMPARE_NOTEQUAL"}
_READING = {"COLUMN_REF", "POSITIONAL_REFERENCE", "STAR"}
UNPACKING = "OPERATOR_UNPACK"
_CHOOSING = {"OPERATOR_NULLIF", "OPERATOR_TRY"}
# Operators whose time does not depend on how long their operands are.
_WITHOUT_READING = {
    "OPERATOR_IS_NOT_NULL", "OPERATOR_IS_NULL", "OPERATOR_NOT", "STRUCT_EXTRACT",
}  # fmt: skip
_EXTRACTING = {"ARRAY_EXTRACT", "ARRAY_SLICE", "STRUCT_EXTRACT"}
_TEXTS = {"bpchar", "char", "json", "nvarchar", "string", "text", "varchar"}
_BIGNUM = {"bignum", "varint"}
_BIT, _BYTES = {"bit", "bitstring"}, {"blob", "bytea", "binary", "varbinary"}
_NESTED_TYPES = {"array", "list", "struct", "row", "map", "union", "variant", "tuple"}


def estimate_value(node: Node, scope: Scope) -> Value:
    """Return bounds for an expression's value. Raise `Refused` where it may take too much memory or time."""
    scope.work.bind(scope.copies)
    kind = node["class"]
    bounds = _EXPRESSIONS.get(kind, _record)(node, scope)
    if not (bounds.stored or within(bounds.size, MAX_VALUE * scope.work.room, COPIES)):
        raise Refused("the query makes too large a value out of smaller ones; let it repeat, replace or collect less")
    most = MAX_TIMES * CELL * scope.work.room
    if kind not in _FIXED_CLASSES and not within(scope.times * bounds.size, most, MAX_TIMES):
        raise Refused("the query computes a long value again for each element of a list; use a join of tables for it")
    if kind not in _UNCOMPUTED:
        scope.work.make(bounds.size)
    if bounds.nested > _MAX_NESTED:
        raise Refused("lists and records of the query are nested too deeply")
    check_fields(bounds.fields)
    return bounds


def _constant(node: Node, scope: Scope) -> Value:
    """Return bounds for a literal: the bytes of a text, at least `FIXED` for anything else."""
    length = float(len(literal_text(node).encode()))
    literal, value = node.get("literal"), node.get("value")
    is_text = literal["kind"] == "STRING" if literal else value is not None and value["type"]["id"] == "VARCHAR"
    return Value(max(1.0, length) if is_text else max(FIXED, length))


# How many expressions each column of a row counts as, where a query names the whole row by its table. A subquery that
# names a row of the query around it reads each of its columns from there.
_ROW_COLUMN = 4


def _column(node: Node, scope: Scope) -> Value:
    """Return bounds that hold for all that a column's name may mean: a column, a field of one, an alias, or a row.

    DuckDB decides which when it binds the query, so here each part of `a.b.c` may name any of them.
    """
    names = [fold(name) for name in node["column_names"]]
    owners = [r for r in scope.relations if r.name in names[:-1]]
    meant = _named(names, owners, scope)
    if not meant:
        meant = _named(names, scope.relations, scope)
        meant += [v for name, v in scope.names.items() if name in names]
        rows = [r for r in scope.relations if r.name == names[-1]]
        scope.work.bind(0 if meant else _ROW_COLUMN * sum(len(r.columns) for r in rows))
        meant += [r.row for r in rows]
    scope.work.bind(scope.copies * max((v.stands_for[0] for v in meant), default=0))
    scope.work.join(scope.copies * max((v.stands_for[1] for v in meant), default=0))
    meant = meant or _visible(scope)
    check_readable(meant)
    bounds = largest(meant)
    scope.work.copy(bounds, scope.copies, scope.filtering)
    return bounds


def _named(names: Collection[str], relations: Iterable[Relation], scope: Scope) -> list[Value]:
    """Return the bounds of the columns of some relations that have one of the names."""
    found = [(r, v) for r in relations for name, v in r.columns if name in names]
    return [_as_read(v, r, scope) for r, v in found]


def _as_read(value: Value, relation: Relation, scope: Scope) -> Value:
    """Return the bounds of a relation's column as an expression reads it: repeated, if many rows may read the value.

    The step of a recursive query may read the value that it makes longer beside the tables that it joins.
    """
    own = any(relation is other for other in scope.relations[: scope.own])
    in_step = value.growing and own and scope.times <= 1
    return repeating(value) if value.size >= LONG and not in_step and _is_beside_many(relation, scope) else value


def _is_beside_many(relation: Relation, scope: Scope) -> bool:
    """Return whether a value of a relation may stand beside many rows of others, or many elements of a list."""
    return scope.times > 1 or any(not other.single for other in scope.relations if other is not relation)


def _visible(scope: Scope) -> list[Value]:
    """Return the bounds of all columns, aliases and parameters that an expression can use."""
    return [_as_read(v, r, scope) for r in scope.relations for _, v in r.columns] + list(scope.names.values())


def _star(node: Node, scope: Scope) -> Value:
    visible = _visible(scope)
    check_readable(visible)
    bounds = largest([*(estimate_value(part, scope) for part in expressions(node)), *visible])
    copied, size = sum(v.copied / v.sharing for v in visible), sum(v.copied_bytes / v.sharing for v in visible)
    scope.work.copy(replace(bounds, copied=copied, copied_bytes=size), 1, scope.filtering)
    return bounds


def _subquery(node: Node, scope: Scope) -> Value:
    """Return bounds for a subquery in an expression: those of its columns, or of a boolean for EXISTS, IN and ANY."""
    scope.work.join(scope.copies)
    if node.get("child"):
        check_not_repeated("a comparison", [estimate_value(node["child"], scope)])
    result = scope.estimate_query(node["subquery"]["node"], replace(scope, names=dict(scope.names)))
    value = largest(v for _, v in result.columns) if node["subquery_type"] == "SCALAR" else Value()
    return value if scope.once else repeating(value)


def _boolean(node: Node, scope: Scope) -> Value:
    check_not_repeated("a comparison", [estimate_value(part, scope) for part in expressions(node)])
    return Value()


def _comparison(node: Node, scope: Scope) -> Value:
    """Return bounds for a boolean, and count a comparison of columns for equality.

    DuckDB's optimizer derives further equalities from such comparisons, which takes long for many of them.
    """
    if node["type"] in _EQUALITIES and _reads(node["left"]) and _reads(node["right"]):
        scope.work.equate(scope.copies)
    return _boolean(node, scope)


def _reads(node: Node) -> bool:
    """Return whether an expression reads a column."""
    return any(part.get("class") in _READING for part in walk(node))


def _case(node: Node, scope: Scope) -> Value:
    for check in node["case_checks"]:
        estimate_value(check["when_expr"], scope)
    return _one_of([*(check["then_expr"] for check in node["case_checks"]), node["else_expr"]], scope)


def _one_of(parts: Iterable[Node], scope: Scope) -> Value:
    """Return bounds that hold for each of some expressions that get one type. A literal gets that of the others."""
    values = [(part, estimate_value(part, scope)) for part in parts]
    varying = one_of(value for part, value in values if part.get("class") != "CONSTANT")
    return replace(largest(value for _, value in values), unchecked=varying.unchecked)


def _collated(node: Node, scope: Scope) -> Value:
    """Return bounds for a value with a collation.

    Raise `Refused` for NFC, alone or as in `nocase.nfc`: DuckDB then calls `nfc_normalize`, which takes quadratic time,
    for every value that this one is compared with, or that is computed from it.
    """
    if "nfc" in fold(node["collation"]).split("."):
        raise Refused("COLLATE NFC takes too long for long texts: compare short ones by nfc_normalize(left(text, 100))")
    return estimate_value(node["child"], scope)


def _operator(node: Node, scope: Scope) -> Value:
    """Return bounds for an operator's result: one of its operands, a part of one, a list of them, or a boolean."""
    if node["type"] == "OPERATOR_COALESCE":
        return _one_of(expressions(node), scope)
    values = [estimate_value(part, scope) for part in expressions(node)]
    if node["type"] not in _WITHOUT_READING:
        read = [v for v in values if not (v.listed and node["type"] == "ARRAY_EXTRACT")]
        check_not_repeated(f"the operator {node['type'].split('_')[-1]}", read)
    if node["type"] in _CHOOSING:
        return one_of(values) if node["type"] == "OPERATOR_NULLIF" else largest(values)
    if node["type"] == UNPACKING:  # `row(*COLUMNS(*))` has a field for each column
        return record(_visible(scope))
    if node["type"] == "ARRAY_EXTRACT" and values[0].element < LONG:
        return Value(values[0].element)
    if node["type"] in _EXTRACTING:
        return replace(values[0], nested=max(0, values[0].nested - (node["type"] != "ARRAY_SLICE")), elements=0.0)
    if node["type"] == "ARRAY_CONSTRUCTOR":
        varying = one_of(v for v, n in zip(values, expressions(node), strict=True) if n.get("class") != "CONSTANT")
        return replace(record(values), unchecked=varying.unchecked)
    return Value()


def _record(node: Node, scope: Scope) -> Value:
    return record(estimate_value(part, scope) for part in expressions(node))


def _cast(node: Node, scope: Scope) -> Value:
    """Return bounds for the result of a cast, from the bounds of the operand and the size of the type."""
    child = estimate_value(node["child"], scope)
    check_not_repeated("a cast", [child])
    target = node.get("type_expr") or node["cast_type"]
    elements, parts, depth = _type_size(target)
    names = set(parts)
    if not within(elements, MAX_VALUE / FIXED, 0):
        raise Refused("the query casts to an array that is too long")
    if names & _BIGNUM and child.size > _MAX_DIGITS:
        raise Refused("the query casts a text to BIGNUM that it made longer than numbers are")
    nested = len(names & _NESTED_TYPES) and depth
    fields = max(child.fields, len(parts) if nested else 1)
    array = bool([*_array_sizes(target)])
    name_bytes = max(child.names, sum(map(len, names)) if nested else 0)
    growth = 3 if child.nested else 1  # as text: commas, quotes and brackets
    growth *= BITS if names & _BIT else BYTE if names & _BYTES else 1
    size = child.text_bytes if names & _TEXTS else DIGITS if names & _BIGNUM else 0.0
    size = max(size, child.as_text.size * growth, elements * FIXED)
    listed = child.listed and nested > 0 and not names & {"map", "json"}
    # DuckDB does not check the JSON that it makes of a list.
    unchecked = child.unchecked and not names <= _TEXTS - {"json"}
    if "json" in names and child.nested > max(0, nested - 1):
        unchecked, nested = True, max(nested, child.nested)
    return Value(size, nested, fields, array, names=name_bytes, listed=listed, unchecked=unchecked)


def _type_size(node: Any) -> tuple[float, list[str], int]:
    """Return (elements in a value of a type, names of the types and fields in it, number of the types in it).

    The names are listed as often as they occur.
    """
    elements = math.prod(float(size) for size in _array_sizes(node))
    names = [
        fold(str(part[key]))
        for part in walk(node)
        for key in ("type_name", "id", "name")
        if isinstance(part.get(key), str) and part[key]
    ]
    return elements, names, sum(1 for part in walk(node) if "type_name" in part or "id" in part)


def _array_sizes(node: Any) -> Iterator[int]:
    """Yield the length of each fixed-length array in a type. DuckDB 1.5 and 2.0 write it in different nodes."""
    for part in walk(node):
        if part.get("type") == "ARRAY_TYPE_INFO":
            yield int(part["size"])
        elif part.get("class") == "TYPE" and fold(part["type_name"]) == "array":
            for child in part["children"]:
                number = literal_number(child)
                if number is not None:
                    yield number


# An expression of any other class is estimated as a record of its parts, the largest value that it can have.
_EXPRESSIONS: dict[str, Callable[[Node, Scope], Value]] = {
    "BETWEEN": _boolean,
    "CASE": _case,
    "CAST": _cast,
    "COLLATE": _collated,
    "COLUMN_REF": _column,
    "COMPARISON": _comparison,
    "CONJUNCTION": _boolean,
    "CONSTANT": _constant,
    "FUNCTION": call,
    "LAMBDA": lambda node, scope: call(as_call(node), scope),
    "OPERATOR": _operator,
    "POSITIONAL_REFERENCE": _star,
    "STAR": _star,
    "SUBQUERY": _subquery,
    "TYPE": lambda node, scope: Value(),
    "WINDOW": call,
}
