"""Classes of errors: in what a wrong query differs from gold, read off the trees of both.

The classes are those of three error analyses: SEA-SQL (section 5.8: schema linking, JOIN, GROUP BY, nesting, other),
MCS-SQL (appendix A: incorrect gold, semantically correct, schema linking, other) and DAC (appendix B: table, column,
skeleton and execution, of which a query may have several). SEA-SQL's and MCS-SQL's authors read queries; here code
compares trees, so that two ways to write the same count as different. That gold is incorrect cannot be seen so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import sqlglot
import sqlglot.errors
from askwhere.evaluation.linking import columns, tables
from askwhere.evaluation.literals import owners, text_of
from askwhere.evaluation.rows import Rows, alike
from askwhere.evaluation.skeletons import match
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline.scopes import Scopes
from sqlglot import exp

# In the order in which the first is the main one. 'shown': the rows are gold's, but for columns too many or too few, or
# their order. The rest says which part of the trees differs; 'other' that none of these does.
CLASSES = (
    "unanswered",
    "execution",
    "shown",
    "table",
    "column",
    "value",
    "join",
    "group",
    "nesting",
    "condition",
    "order",
    "other",
)
SEA = ("schema linking", "join", "group by", "nesting", "other")
MCS = ("semantically correct", "schema linking", "other")
DAC = ("table", "column", "skeleton", "execution")

_SCHEMA_LINKING = frozenset({"table", "column", "value"})
# Choices of columns to try, at most, when one result has more than the other.
_MOST_CHOICES = 500
_TESTS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.ILike, exp.In, exp.Between, exp.Is)


@dataclass(frozen=True)
class _Parts:
    """What of a query is compared, a part for each class that trees give."""

    table: frozenset[str]
    column: frozenset[str]
    value: frozenset[str]
    join: Hashable
    group: Hashable
    nesting: Hashable
    condition: Hashable
    order: Hashable


def classify(
    gold_sql: str,
    predicted_sql: str,
    dialect: str,
    catalog: Catalog,
    gold_rows: Rows | None = None,
    predicted_rows: Rows | None = None,
) -> tuple[str, ...]:
    """The classes of a wrong prediction, of `CLASSES` in their order; the first is the main one.

    `predicted_sql` is '' where there was no answer, `predicted_rows` None where the query failed.
    """
    if not predicted_sql:
        return ("unanswered",)
    if predicted_rows is None:
        return ("execution",)
    found = ["shown"] if gold_rows and _holds(gold_rows, predicted_rows) else []
    gold, predicted = _parts(gold_sql, dialect, catalog), _parts(predicted_sql, dialect, catalog)
    if gold and predicted:
        found += [name for name in CLASSES if getattr(gold, name, None) != getattr(predicted, name, None)]
    return tuple(found) or ("other",)


def sea(classes: Sequence[str]) -> str:
    """SEA-SQL's class, one of `SEA`: of a query with several errors the first in that order.

    Other tables with the same columns outside of joins are an error of the join.
    """
    if "column" in classes or "value" in classes:
        return "schema linking"
    if "table" in classes or "join" in classes:
        return "join"
    return next((said for name, said in (("group", "group by"), ("nesting", "nesting")) if name in classes), "other")


def mcs(classes: Sequence[str]) -> str:
    """MCS-SQL's class, one of `MCS`; the paper's 'incorrect gold' is none that code could tell."""
    if "shown" in classes:
        return "semantically correct"
    return "schema linking" if {"table", "column"} & set(classes) else "other"


def dac(gold_sql: str, predicted_sql: str, dialect: str, catalog: Catalog, ran: bool) -> frozenset[str]:
    """DAC's classes, of `DAC`: tables or columns of gold that are missing, another skeleton, a query that fails."""
    shown = catalog.tables
    missing = {
        name
        for name, recall in (("table", tables), ("column", columns))
        if recall(gold_sql, dialect, catalog, shown).needed - recall(predicted_sql, dialect, catalog, shown).needed
    }
    other = set() if match(gold_sql, predicted_sql, dialect) else {"skeleton"}
    return frozenset(missing | other | (set() if ran else {"execution"}))


def _holds(gold: Rows, predicted: Rows) -> bool:
    """Whether one result has the other's rows in some of its columns, in any order of rows and columns."""
    if len(gold) != len(predicted):
        return False
    narrow, wide = sorted((gold, predicted), key=lambda rows: len(rows[0]))
    width, choices = len(narrow[0]), len(wide[0])
    if comb(choices, width) > _MOST_CHOICES:
        return False
    picks = combinations(range(choices), width)
    return any(alike(narrow, [tuple(row[i] for i in pick) for row in wide], False) for pick in picks)


def _parts(sql: str, dialect: str, catalog: Catalog) -> _Parts | None:
    """What of a query is compared; None where it cannot be parsed."""
    try:
        tree = sqlglot.parse_one(sql, dialect=dialect)
    except (sqlglot.errors.SqlglotError, RecursionError):
        return None
    scopes = Scopes(tree, catalog, dialect)
    joins = {id(test): pair for test in tree.find_all(exp.EQ) if (pair := _pair(test, scopes))}
    joining = {id(side) for test in tree.find_all(exp.EQ) if id(test) in joins for side in (test.this, test.expression)}
    used = [column for column in tree.find_all(exp.Column) if id(column) not in joining]
    return _Parts(
        table=tables(sql, dialect, catalog, ()).needed,
        column=frozenset(name for column in used for name in owners(column, scopes)),
        value=frozenset(_values(tree, scopes)),
        join=(frozenset(joins.values()), frozenset(j.side for j in tree.find_all(exp.Join) if j.side)),
        group=frozenset(_keys(tree, scopes)),
        nesting=_count(type(node).__name__ for node in tree.find_all(exp.Select, exp.SetOperation)),
        condition=_count(
            _test(test, scopes) for test in tree.find_all(*_TESTS, exp.Not, exp.Or) if id(test) not in joins
        ),
        order=_count(_ordering(tree)),
    )


def _count(items: Iterator[Hashable]) -> Hashable:
    return frozenset(Counter(items).items())


def _pair(test: exp.Expr, scopes: Scopes) -> frozenset[str] | None:
    """The two columns that a test joins; None where it joins none."""
    sides = [owners(side, scopes) for side in (test.this, test.expression)]
    tables_ = [getattr(side, "table", "") for side in (test.this, test.expression)]
    return frozenset(sides[0] + sides[1]) if all(sides) and tables_[0] != tables_[1] else None


def _values(tree: exp.Expr, scopes: Scopes) -> Iterator[str]:
    for node in tree.find_all(exp.Literal, exp.Column):
        if isinstance(node, exp.Column):
            yield from (text for text in [text_of(node, scopes)] if text is not None)
        elif not isinstance(node.parent, (exp.Limit, exp.Offset)):
            yield str(node.this)


def _keys(tree: exp.Expr, scopes: Scopes) -> Iterator[str]:
    for group in tree.find_all(exp.Group):
        for key in group.expressions:
            yield from owners(key, scopes) or [key.sql()]


def _test(test: exp.Expr, scopes: Scopes) -> Hashable:
    sides = [side for side in (test.this, test.args.get("expression")) if isinstance(side, exp.Column)]
    return type(test).__name__, frozenset(name for side in sides for name in owners(side, scopes))


def _ordering(tree: exp.Expr) -> Iterator[Hashable]:
    for key in tree.find_all(exp.Ordered):
        yield type(key.this).__name__, bool(key.args.get("desc"))
    yield from (("limit", limit.expression.sql()) for limit in tree.find_all(exp.Limit))
