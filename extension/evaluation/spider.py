"""Spider's test-suite execution accuracy and hardness, by the rules of its evaluator (taoyds/test-suite-sql-eval).

The rules are those of `exec_eval.py` and `evaluation.py` at e97acc5, oddities included: DISTINCT is deleted from both
queries, `value` in a prediction becomes 1, and empty results are equal whatever their columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from askwhere.evaluation.rows import Rows, alike
from askwhere.guard import parsing
from askwhere.guard.scan import scan
from sqlglot import exp
from sqlglot.errors import SqlglotError

# Its TIMEOUT. The official code waits with asyncio around a call that blocks, so that no query is cut there.
SECONDS = 60.0
LEVELS = ("easy", "medium", "hard", "extra")

_SPACED = (("> =", ">="), ("< =", "<="), ("! =", "!="))
_THIS_YEAR = re.compile(r"YEAR\s*\(\s*CURDATE\s*\(\s*\)\s*\)\s*", re.IGNORECASE)
# Of SQL's aggregates those that the evaluator's parser knows.
_AGGREGATES = (exp.Max, exp.Min, exp.Count, exp.Sum, exp.Avg)
_QUERIES = (exp.Select, exp.SetOperation)


def prepared(gold_sql: str, predicted_sql: str, keep_distinct: bool = False) -> tuple[str, str]:
    """Gold and prediction as the evaluator runs them (`postprocess`, `remove_distinct`, `replace_cur_year`).

    Both: a space within `>=`, `<=` and `!=` goes, DISTINCT goes unless it is kept, and `YEAR(CURDATE())` is 2020. In
    the prediction, every `value` becomes `1` first, also inside a name or text.

    >>> prepared("SELECT DISTINCT a FROM t", "SELECT a FROM t WHERE value > = 2")
    ('SELECT  a FROM t', 'SELECT a FROM t WHERE 1 >= 2')
    """
    gold, predicted = _unspaced(gold_sql), _unspaced(predicted_sql.replace("value", "1"))
    if not keep_distinct:
        gold, predicted = without_distinct(gold), without_distinct(predicted)
    return _THIS_YEAR.sub("2020", gold), _THIS_YEAR.sub("2020", predicted)


def _unspaced(sql: str) -> str:
    for spaced, operator in _SPACED:
        sql = sql.replace(spaced, operator)
    return sql


def without_distinct(sql: str) -> str:
    """The query with every DISTINCT deleted, those in aggregates too (`remove_distinct`); quoted text is kept.

    >>> without_distinct("SELECT count(DISTINCT x) FROM t")
    'SELECT count( x) FROM t'
    """
    return "".join(text for _, text in scan(sql, "sqlite") if text.lower() != "distinct")


def ordered(gold_sql: str) -> bool:
    """Whether rows must come in gold's order: where it says `order by` anywhere, in a subquery or text too."""
    return "order by" in gold_sql.lower()


def equal(gold_rows: Rows, predicted_rows: Rows, ordered: bool) -> bool:
    """Whether two results are equal (`result_eq`).

    Both empty: equal. Else one order of the columns must make the rows equal by Python's `==`: in their order where
    `ordered`, otherwise each as often. A first test may refuse what is equal: see `_refused`.
    """
    if not gold_rows and not predicted_rows:
        return True
    return not _refused(gold_rows, predicted_rows, ordered) and alike(gold_rows, predicted_rows, ordered)


def _refused(gold: Rows, predicted: Rows, ordered: bool) -> bool:
    """Whether the evaluator's first test fails (`quick_rej`): rows differ when the values of each are sorted.

    They are sorted by their text and type, so 10 and 10.0 may come at different places, and rows that are equal differ.
    """
    one, other = [_sorted(row) for row in gold], [_sorted(row) for row in predicted]
    return one != other if ordered else set(one) != set(other)


def _sorted(row: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(sorted(row, key=lambda value: f"{value}{type(value)}"))


def hardness(sql: str) -> str:
    """'easy', 'medium', 'hard' or 'extra' (`eval_hardness`); 'extra' for what cannot be parsed.

    Only the outermost query counts, of a set operation its first SELECT.
    """
    try:
        tree: exp.Expr = parsing.statement(sql, "sqlite")
    except SqlglotError:
        return "extra"
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
    return _level(first, nested, _others(tree))


def _joined(select: exp.Select) -> list[exp.Expr]:
    return [join.args["on"] for join in select.args.get("joins") or () if join.args.get("on")]


def _own(node: exp.Expr) -> Iterator[exp.Expr]:
    """The nodes of a clause; of a query in it, its first node alone."""
    return node.walk(prune=lambda inner: isinstance(inner, _QUERIES))


def _others(select: exp.Select) -> int:
    """How many of four parts a query has several of (`count_others`).

    Its aggregates are those of SELECT and ORDER BY, and each NOT of a condition, which the official code takes for one.
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
    return _any(_own(shown), _AGGREGATES)


def _any(nodes: Iterable[exp.Expr], kinds: tuple[type[exp.Expr], ...]) -> bool:
    return any(isinstance(node, kinds) for node in nodes)


def _level(first: int, nested: int, others: int) -> str:
    if first <= 1 and others == 0 and nested == 0:
        return "easy"
    if nested == 0 and ((others <= 2 and first <= 1) or (first <= 2 and others < 2)):
        return "medium"
    if nested == 0 and ((others > 2 and first <= 2) or (2 < first <= 3 and others <= 2)):
        return "hard"
    return "hard" if first <= 1 and others == 0 and nested <= 1 else "extra"
