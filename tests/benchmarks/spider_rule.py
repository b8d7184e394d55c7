"""Spider's test-suite execution match and hardness, as its evaluator has them (test-suite-sql-eval e97acc5)."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

import sqlglot
from sqlglot import exp

Rows = Sequence[Sequence[Any]]

_DISTINCT = re.compile(r"(?i)\bdistinct\b")
_QUOTED = re.compile(r"('(?:[^']|'')*'|\"(?:[^\"]|\"\")*\")")


def without_distinct(sql: str) -> str:
    """The query with every `distinct` token deleted, as both queries are before they run; quoted text is kept.

    >>> without_distinct("SELECT count(DISTINCT x) FROM t")
    'SELECT count( x) FROM t'
    """
    parts = _QUOTED.split(sql)
    return "".join(part if i % 2 else _DISTINCT.sub("", part) for i, part in enumerate(parts))


def prepared(sql: str) -> str:
    """A query as the evaluator runs it."""
    for spaced, operator in (("> =", ">="), ("< =", "<="), ("! =", "!=")):
        sql = sql.replace(spaced, operator)
    return without_distinct(re.sub(r"(?i)YEAR\s*\(\s*CURDATE\s*\(\s*\)\s*\)\s*", "2020", sql))


def order_matters(gold: str) -> bool:
    """Whether rows must come in gold's order."""
    return "order by" in gold.lower()


def same(gold: Rows, predicted: Rows, ordered: bool) -> bool:
    """Whether two results are equal under one permutation of the columns."""
    if not gold and not predicted:
        return True
    if len(gold) != len(predicted) or len(gold[0]) != len(predicted[0]):
        return False
    if not _quick(gold, predicted, ordered):
        return False
    for order in _orders(gold, predicted):
        moved = [tuple(row[i] for i in order) for row in predicted]
        if [tuple(r) for r in gold] == moved if ordered else Counter(map(tuple, gold)) == Counter(moved):
            return True
    return False


def _quick(gold: Rows, predicted: Rows, ordered: bool) -> bool:
    """Rows as bags of values must agree; values are sorted by their text and type, as the official code does."""

    def bag(row: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(sorted(row, key=lambda v: str(v) + str(type(v))))

    one, other = [bag(r) for r in gold], [bag(r) for r in predicted]
    return one == other if ordered else set(one) == set(other)


def _orders(gold: Rows, predicted: Rows) -> list[tuple[int, ...]]:
    """Permutations of the predicted columns that may work: each gold column takes one that holds its values."""
    width = len(gold[0])
    fits = [set(range(width)) for _ in range(width)]
    if width > 3:
        held = [{row[i] for row in gold} for i in range(width)]
        for row in random.Random(0).sample(list(predicted), min(20, len(predicted))):
            for i in range(width):
                fits[i] -= {j for j in fits[i] if row[j] not in held[i]}
    return [order for order in product(*fits) if len(set(order)) == width]


def hardness(sql: str) -> str:
    """'easy', 'medium', 'hard' or 'extra', counted as Spider's evaluator does."""
    try:
        tree = sqlglot.parse_one(sql, dialect="sqlite")
    except sqlglot.errors.SqlglotError:
        return "extra"
    nested = len(list(tree.find_all(exp.SetOperation)))
    select = tree.find(exp.Select)
    if select is None:
        return "extra"
    where, having = select.args.get("where"), select.args.get("having")
    conditions = [c for c in (where, having) if c is not None]
    nested += sum(len([s for s in c.find_all(exp.Select) if s.parent_select is select]) for c in conditions)
    first = sum(bool(select.args.get(part)) for part in ("where", "group", "order", "limit"))
    first += len(select.args.get("joins") or ())
    first += sum(len([o for o in c.find_all(exp.Or) if o.parent_select is select]) for c in conditions)
    first += sum(len([o for o in c.find_all(exp.Like) if o.parent_select is select]) for c in conditions)
    group = select.args.get("group")
    aggregates = [a for a in select.find_all(exp.AggFunc) if a.parent_select is select]
    ands = len([c for c in (where.find_all(exp.And, exp.Or) if where else ()) if c.parent_select is select])
    others = (
        (len(aggregates) > 1)
        + (len(select.expressions) > 1)
        + (ands > 0)
        + (len(group.expressions) > 1 if group else 0)
    )
    return _level(first, nested, others)


def _level(first: int, nested: int, others: int) -> str:
    if first <= 1 and others == 0 and nested == 0:
        return "easy"
    if nested == 0 and ((others <= 2 and first <= 1) or (first <= 2 and others < 2)):
        return "medium"
    if (others > 2 and first <= 2 and nested == 0) or (2 < first <= 3 and others <= 2 and nested == 0):
        return "hard"
    if first <= 1 and others == 0 and nested <= 1:
        return "hard"
    return "extra"
