"""Classify errors: say how a wrong query differs from gold, by comparing the syntax trees of both.

Two ways to write the same query count as different, and gold counts as right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb

from askwhere.evaluation.recall import owners, tables, text_of
from askwhere.evaluation.rows import Rows, alike
from askwhere.indexer.catalog import Catalog
from askwhere.rewrite.scopes import Scopes
from askwhere.sql import parsing
from askwhere.sql.identifiers import fold
from sqlglot import exp

# Of the classes of a question the first in this order is the main one. 'shown': the rows are gold's, with columns too
# many or too few, or in another order. The following say which part of the trees differs; 'other': none of them does.
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

# How many choices of columns are tried when one result has more columns than the other.
_MOST_CHOICES = 500
_TESTS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.ILike, exp.In, exp.Between, exp.Is)


@dataclass(frozen=True)
class _Parts:
    """The parts of a query that are compared, one for each class that trees can give.

    `output` and `condition` are pairs: the form without columns, and the columns (with the form for conditions).
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
    gold_rows: Rows | None,
    predicted_rows: Rows | None,
) -> tuple[str, ...]:
    """Return the classes of a wrong prediction, in the order of `CLASSES`; the first is the main one.

    `predicted_sql` is '' where there was no answer; `predicted_rows` is None where the query failed.
    """
    if not predicted_sql:
        return ("unanswered",)
    if predicted_rows is None:
        return ("execution",)
    classes = ["shown"] if gold_rows and _holds(gold_rows, predicted_rows) else []
    gold, predicted = _parts(gold_sql, dialect, catalog), _parts(predicted_sql, dialect, catalog)
    return tuple(classes + (_differing(gold, predicted) if gold and predicted else [])) or ("other",)


def _differing(gold: _Parts, predicted: _Parts) -> list[str]:
    """Return the classes whose parts differ.

    Where the columns differ, outputs and conditions are compared by form alone.
    """
    if gold.column != predicted.column:
        gold, predicted = _formal(gold), _formal(predicted)
    return [name for name in CLASSES if getattr(gold, name, None) != getattr(predicted, name, None)]


def _formal(parts: _Parts) -> _Parts:
    """Return the parts without the columns of outputs and conditions."""
    return replace(parts, output=(parts.output[0], None), condition=(parts.condition[0], None))


def _holds(gold: Rows, predicted: Rows) -> bool:
    """Return whether one result has the rows of the other in some of its columns, in any order of rows and columns."""
    if len(gold) != len(predicted):
        return False
    narrow, wide = sorted((gold, predicted), key=lambda rows: len(rows[0]))
    width, choices = len(narrow[0]), len(wide[0])
    if comb(choices, width) > _MOST_CHOICES:
        return False
    picks = combinations(range(choices), width)
    return any(alike(narrow, [tuple(row[i] for i in pick) for row in wide], False) for pick in picks)


def _parts(sql: str, dialect: str, catalog: Catalog) -> _Parts | None:
    """Return the parts of a query that are compared; None where it cannot be parsed."""
    tree = parsing.parsed(sql, dialect)
    if tree is None:
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
    """Return the outermost SELECT of a query without its parentheses; of a set operation the first SELECT."""
    while isinstance(tree, (exp.SetOperation, exp.Subquery)):
        tree = tree.this
    return tree


def _count(items: Iterable[Hashable]) -> Hashable:
    """Return a hashable multiset: each item with how often it comes."""
    return frozenset(Counter(items).items())


def _form(node: exp.Expr) -> Hashable:
    """Return a node without its names: a test's kind, for others the kinds of the aggregates in it."""
    if isinstance(node, (*_TESTS, exp.Not, exp.Or)):
        return type(node).__name__
    return tuple(sorted(type(inner).__name__ for inner in node.find_all(exp.AggFunc, exp.Distinct)))


def _named(node: exp.Expr, scopes: Scopes) -> frozenset[str]:
    """Return the columns that a node names."""
    return frozenset(name for column in node.find_all(exp.Column) for name in owners(column, scopes))


def _in_group(column: exp.Column) -> bool:
    return isinstance(column.find_ancestor(exp.Group, exp.Select), exp.Group)


def _pair(test: exp.EQ, scopes: Scopes) -> frozenset[str] | None:
    """Return the two columns that an equality joins; None for another test.

    They are of two tables, or of one table under two aliases.
    """
    if not isinstance(test.this, exp.Column) or not isinstance(test.expression, exp.Column):
        return None
    one, other = owners(test.this, scopes), owners(test.expression, scopes)
    apart = test.this.table != test.expression.table or not {_of(n) for n in one} & {_of(n) for n in other}
    return frozenset(one + other) if one and other and apart else None


def _of(column: str) -> str:
    """Return the table of a column written as `table.column`."""
    return column.rpartition(".")[0]


def _using(tree: exp.Expr, scopes: Scopes) -> Iterator[frozenset[str]]:
    """Yield the columns that each name of a USING clause stands for."""
    for join in tree.find_all(exp.Join):
        scope = scopes.of(join)
        for name in join.args.get("using") or ():
            sources = scope.sources_with(name.name) if scope else ()
            yield frozenset(f"{fold(s.table.name)}.{fold(name.name)}" for s in sources if s.table)


def _values(tree: exp.Expr, scopes: Scopes) -> Iterator[str]:
    """Yield the literals of a query, except those of LIMIT and OFFSET."""
    for node in tree.find_all(exp.Literal, exp.Column):
        if isinstance(node, exp.Column):
            yield from (text for text in [text_of(node, scopes)] if text is not None)
        elif not isinstance(node.parent, (exp.Limit, exp.Offset)):
            yield _number(node.name)


def _number(text: str) -> str:
    """Return a number in its shortest form, so that 1.0 and 1 are equal; any other text as it is."""
    try:
        return f"{float(text):.12g}"
    except ValueError:
        return text


def _keys(tree: exp.Expr, scopes: Scopes) -> Iterator[str]:
    """Yield the columns of GROUP BY keys, or the text of a key that has none."""
    for group in tree.find_all(exp.Group):
        for key in group.expressions:
            yield from owners(key, scopes) or [key.sql()]


def _ordering(tree: exp.Expr) -> Iterator[Hashable]:
    """Yield the kind and direction of each ORDER BY key, and each LIMIT."""
    for key in tree.find_all(exp.Ordered):
        yield type(key.this).__name__, bool(key.args.get("desc"))
    yield from (("limit", limit.expression.sql()) for limit in tree.find_all(exp.Limit))
