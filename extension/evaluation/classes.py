"""Classes of errors: in what a wrong query differs from gold, read off the trees of both.

The classes are those of two error analyses: SEA-SQL (section 5.8: schema linking, JOIN, GROUP BY, nesting, other) and
MCS-SQL (appendix A: incorrect gold, semantically correct, schema linking, other). Their authors read queries; here code
compares trees, so that two ways to write the same count as different. That gold is incorrect cannot be seen so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb

from askwhere.evaluation.linking import tables
from askwhere.evaluation.literals import owners, text_of
from askwhere.evaluation.rows import Rows, alike
from askwhere.guard import parsing
from askwhere.guard.scan import fold
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline.scopes import Scopes
from sqlglot import exp
from sqlglot.errors import SqlglotError

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
    "output",
    "condition",
    "order",
    "other",
)
SEA = ("schema linking", "join", "group by", "nesting", "other")
MCS = ("semantically correct", "schema linking", "other")

# Choices of columns to try, at most, when one result has more than the other.
_MOST_CHOICES = 500
_TESTS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.ILike, exp.In, exp.Between, exp.Is)


@dataclass(frozen=True)
class _Parts:
    """What of a query is compared, a part for each class that trees give.

    Of `output` and `condition` the first is the form, the second has the columns in it too.
    """

    table: frozenset[str]
    column: frozenset[str]
    value: frozenset[str]
    join: Hashable
    group: Hashable
    nesting: Hashable
    output: tuple[Hashable, Hashable]
    condition: tuple[Hashable, Hashable]
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
    return tuple(found + (_differing(gold, predicted) if gold and predicted else [])) or ("other",)


def _differing(gold: _Parts, predicted: _Parts) -> list[str]:
    """The classes whose parts differ; where the columns do, the forms of outputs and conditions are compared alone."""
    if gold.column != predicted.column:
        gold, predicted = _formal(gold), _formal(predicted)
    return [name for name in CLASSES if getattr(gold, name, None) != getattr(predicted, name, None)]


def _formal(parts: _Parts) -> _Parts:
    return replace(parts, output=(parts.output[0], None), condition=(parts.condition[0], None))


def sea(classes: Sequence[str]) -> str:
    """SEA-SQL's class, one of `SEA`: of a query with several errors the first in that order.

    Other tables with the same columns outside of joins are an error of the join; values that come and go with a
    subquery are one of the nesting.
    """
    if "column" in classes or ("value" in classes and "nesting" not in classes):
        return "schema linking"
    if "table" in classes or "join" in classes:
        return "join"
    return next((said for name, said in (("group", "group by"), ("nesting", "nesting")) if name in classes), "other")


def mcs(classes: Sequence[str]) -> str:
    """MCS-SQL's class, one of `MCS`; the paper's 'incorrect gold' is none that code could tell."""
    if "shown" in classes:
        return "semantically correct"
    return "schema linking" if {"table", "column"} & set(classes) else "other"


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
        tree = parsing.statement(sql, dialect)
    except SqlglotError:
        return None
    scopes = Scopes(tree, catalog, dialect)
    tests = list(tree.find_all(*_TESTS, exp.Not, exp.Or))
    joins = {id(test): pair for test in tests if isinstance(test, exp.EQ) and (pair := _pair(test, scopes))}
    tests = [test for test in tests if id(test) not in joins]
    used = [column for column in tree.find_all(exp.Column) if id(column.parent) not in joins and not _in_group(column)]
    outer = [join for join in tree.find_all(exp.Join) if join.side]
    shown = _outermost(tree).expressions
    distinct = bool(_outermost(tree).args.get("distinct"))
    return _Parts(
        table=tables(sql, dialect, catalog, ()).needed,
        column=frozenset(name for column in used for name in owners(column, scopes)),
        value=frozenset(_values(tree, scopes)),
        join=(frozenset([*joins.values(), *_using(tree, scopes)]), _count(join.side for join in outer)),
        group=frozenset(_keys(tree, scopes)),
        nesting=_count(type(node).__name__ for node in tree.find_all(exp.Select, exp.SetOperation)),
        output=((distinct, _count(map(_form, shown))), tuple(_named(expression, scopes) for expression in shown)),
        condition=(_count(map(_form, tests)), _count((_form(test), _named(test, scopes)) for test in tests)),
        order=_count(_ordering(tree)),
    )


def _outermost(tree: exp.Expr) -> exp.Expr:
    """The first SELECT of a query, its parentheses and set operations aside."""
    while isinstance(tree, (exp.SetOperation, exp.Subquery)):
        tree = tree.this
    return tree


def _count(items: Iterable[Hashable]) -> Hashable:
    return frozenset(Counter(items).items())


def _form(node: exp.Expr) -> Hashable:
    """What a node is without its names: its own kind as a test, else the aggregates in it."""
    if isinstance(node, (*_TESTS, exp.Not, exp.Or)):
        return type(node).__name__
    return tuple(sorted(type(inner).__name__ for inner in node.find_all(exp.AggFunc, exp.Distinct)))


def _named(node: exp.Expr, scopes: Scopes) -> frozenset[str]:
    return frozenset(name for column in node.find_all(exp.Column) for name in owners(column, scopes))


def _in_group(column: exp.Column) -> bool:
    return isinstance(column.find_ancestor(exp.Group, exp.Select), exp.Group)


def _pair(test: exp.EQ, scopes: Scopes) -> frozenset[str] | None:
    """The two columns that a test joins, of two tables or of one under two names; None where it joins none."""
    if not isinstance(test.this, exp.Column) or not isinstance(test.expression, exp.Column):
        return None
    one, other = owners(test.this, scopes), owners(test.expression, scopes)
    apart = test.this.table != test.expression.table or not {_of(n) for n in one} & {_of(n) for n in other}
    return frozenset(one + other) if one and other and apart else None


def _of(column: str) -> str:
    return column.rpartition(".")[0]


def _using(tree: exp.Expr, scopes: Scopes) -> Iterator[frozenset[str]]:
    """The columns that USING makes one."""
    for join in tree.find_all(exp.Join):
        scope = scopes.of(join)
        for name in join.args.get("using") or ():
            having = scope.having(name.name) if scope else ()
            yield frozenset(f"{fold(s.table.name)}.{fold(name.name)}" for s in having if s.table)


def _values(tree: exp.Expr, scopes: Scopes) -> Iterator[str]:
    for node in tree.find_all(exp.Literal, exp.Column):
        if isinstance(node, exp.Column):
            yield from (text for text in [text_of(node, scopes)] if text is not None)
        elif not isinstance(node.parent, (exp.Limit, exp.Offset)):
            yield _number(node.name)


def _number(text: str) -> str:
    """A number as it is written shortest, any other text as it is."""
    try:
        return f"{float(text):.12g}"
    except ValueError:
        return text


def _keys(tree: exp.Expr, scopes: Scopes) -> Iterator[str]:
    for group in tree.find_all(exp.Group):
        for key in group.expressions:
            yield from owners(key, scopes) or [key.sql()]


def _ordering(tree: exp.Expr) -> Iterator[Hashable]:
    for key in tree.find_all(exp.Ordered):
        yield type(key.this).__name__, bool(key.args.get("desc"))
    yield from (("limit", limit.expression.sql()) for limit in tree.find_all(exp.Limit))
