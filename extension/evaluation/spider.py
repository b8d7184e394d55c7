"""Score by Spider's test-suite execution accuracy, and grade hardness, by the rules of taoyds/test-suite-sql-eval.

The rules are those of `exec_eval.py` and `evaluation.py` at e97acc5, oddities included: DISTINCT is deleted from both
queries, `value` in a prediction becomes 1, and empty results are equal whatever their columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from askwhere.evaluation.rows import Rows, alike
from askwhere.sql import parsing
from askwhere.sql.lexer import scan
from sqlglot import exp

_SPACED = (("> =", ">="), ("< =", "<="), ("! =", "!="))
_THIS_YEAR = re.compile(r"YEAR\s*\(\s*CURDATE\s*\(\s*\)\s*\)\s*", re.IGNORECASE)
# The aggregates that the evaluator's parser knows.
_AGGREGATES = (exp.Max, exp.Min, exp.Count, exp.Sum, exp.Avg)
_QUERIES = (exp.Select, exp.SetOperation)


def prepared(gold_sql: str, predicted_sql: str) -> tuple[str, str]:
    """Return gold and prediction in the form that the evaluator runs.

    In both (`postprocess`, `remove_distinct`, `replace_cur_year`), a space within `>=`, `<=` and `!=` goes, DISTINCT
    goes, and `YEAR(CURDATE())` becomes 2020. In the prediction, every `value` becomes `1` before
    that, even inside a name or text.

    >>> prepared("SELECT DISTINCT a FROM t", "SELECT a FROM t WHERE value > = 2")
    ('SELECT  a FROM t', 'SELECT a FROM t WHERE 1 >= 2')
    """
    gold, predicted = _unspaced(gold_sql), _unspaced(predicted_sql.replace("value", "1"))
    gold, predicted = without_distinct(gold), without_distinct(predicted)
    return _THIS_YEAR.sub("2020", gold), _THIS_YEAR.sub("2020", predicted)


def _unspaced(sql: str) -> str:
    for spaced, operator in _SPACED:
        sql = sql.replace(spaced, operator)
    return sql


def without_distinct(sql: str) -> str:
    """Return the query with every DISTINCT deleted, also in aggregates (`remove_distinct`); quoted text stays.

    >>> without_distinct("SELECT count(DISTINCT x) FROM t")
    'SELECT count( x) FROM t'
    """
    return "".join(text for _, text in scan(sql, "sqlite") if text.lower() != "distinct")


def ordered(gold_sql: str) -> bool:
    """Return whether rows must come in gold's order: it has `order by` anywhere, even in a subquery or text."""
    return "order by" in gold_sql.lower()


def equal(gold_rows: Rows, predicted_rows: Rows, ordered: bool) -> bool:
    """Return whether two results are equal (`result_eq`).

    Two empty results are. Otherwise one order of the columns must make the rows equal by Python's `==`: as lists where
    `ordered`, else as multisets. A first test may refuse results that are equal: see `_refused`.
    """
    if not gold_rows and not predicted_rows:
        return True
    return not _refused(gold_rows, predicted_rows, ordered) and alike(gold_rows, predicted_rows, ordered)


def _refused(gold: Rows, predicted: Rows, ordered: bool) -> bool:
    """Return whether the evaluator's first test fails (`quick_rej`): rows differ after sorting the values of each row.

    Values are sorted by text and type. So 10 and 10.0 may be sorted to different places, and rows that are equal
    differ.
    """
    golds, predictions = [_sorted(row) for row in gold], [_sorted(row) for row in predicted]
    return golds != predictions if ordered else set(golds) != set(predictions)


def _sorted(row: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(sorted(row, key=lambda value: f"{value}{type(value)}"))


def hardness(sql: str) -> str:
    """Return 'easy', 'medium', 'hard' or 'extra' (`eval_hardness`); 'extra' for a query that cannot be parsed.

    Only the outermost query counts; of a set operation, its first SELECT.
    """
    tree = parsing.parsed(sql, "sqlite")
    united = isinstance(tree, exp.SetOperation)
    while isinstance(tree, (exp.SetOperation, exp.Subquery)):
        tree = tree.this
    if not isinstance(tree, exp.Select):
        return "extra"
    conditions = [*_joined(tree), *(tree.args[part] for part in ("where", "having") if tree.args.get(part))]
    within = [node for condition in conditions for node in _own(condition)]
    first = sum(bool(tree.args.get(part)) for part in ("where", "group", "order", "limit"))
    first += len(tree.args.get("joins") or ())
    first += sum(isinstance(node, (exp.Or, exp.Like)) for node in within)
    nested = united + sum(isinstance(node, _QUERIES) for node in within)
    return _level(first, nested, _repeated_parts(tree))


def _joined(select: exp.Select) -> list[exp.Expr]:
    return [join.args["on"] for join in select.args.get("joins") or () if join.args.get("on")]


def _own(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the nodes of a clause; of a query nested in it, only the root."""
    return node.walk(prune=lambda inner: isinstance(inner, _QUERIES))


def _repeated_parts(select: exp.Select) -> int:
    """Return how many of four parts a query has more than one of: aggregates, outputs, conditions, group keys.

    This is `count_others`. The aggregates are those of SELECT and ORDER BY, and each NOT of a condition, which the
    official code counts as one.
    """
    where, having, order, group = (select.args.get(part) for part in ("where", "having", "order", "group"))
    aggregates = sum(_aggregates(shown) for shown in select.expressions)
    aggregates += sum(_aggregates(key) for key in order.expressions) if order else 0
    aggregates += sum(isinstance(n, exp.Not) for clause in (where, having) if clause for n in _own(clause))
    return (
        (aggregates > 1)
        + (len(select.expressions) > 1)
        + (where is not None and any(isinstance(node, exp.Connector) for node in _own(where)))
        + (group is not None and len(group.expressions) > 1)
    )


def _aggregates(shown: exp.Expr) -> bool:
    return any(isinstance(node, _AGGREGATES) for node in _own(shown))


def _level(first: int, nested: int, others: int) -> str:
    """Return the hardness for the counts of the evaluator's first components, nested queries and other components."""
    if first <= 1 and others == 0 and nested == 0:
        return "easy"
    if nested == 0 and ((others <= 2 and first <= 1) or (first <= 2 and others < 2)):
        return "medium"
    if nested == 0 and ((others > 2 and first <= 2) or (2 < first <= 3 and others <= 2)):
        return "hard"
    return "hard" if first <= 1 and others == 0 and nested <= 1 else "extra"
