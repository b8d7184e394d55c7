"""Define the rules that read values and conditions.

`kinds` are the kinds (`names`) that the value at a place must have one of, None for any. A rule fails where no value of
these kinds can begin with the token.
"""

from __future__ import annotations

from typing import Any

from askwhere.pipeline.binding import scope
from askwhere.pipeline.binding.columns import (
    begins_path,
    can_qualify,
    column_called,
    constant_alone,
    has_column,
    name_of,
    only,
    starred,
    unqualified,
)
from askwhere.pipeline.binding.grammar import EXPRESSIONS
from askwhere.pipeline.binding.machine import (
    Machine,
    Read,
    Token,
    clause,
    deeper,
    expect,
    listed,
    of_kind,
    of_sort,
    optional,
    passed,
    took,
    word,
)
from askwhere.pipeline.binding.names import (
    ANY,
    AS_TEXT,
    COLUMNS_ONLY,
    CONSTANT,
    DATES,
    FORMAT,
    FUNCTIONS,
    LOOSE,
    MIXED,
    NULL,
    NUMBERS,
    PART,
    TEXT,
    Kinds,
    Signature,
    comparable,
    merged,
    strict,
)
from askwhere.pipeline.binding.state import Reference
from askwhere.pipeline.binding.texts import kind_of_number, may_stand

ARITHMETIC = frozenset("+-*/%")
EQUAL = frozenset({"=", "<>", "!="})
COMPARE = EQUAL | {"<", "<=", ">", ">="}
COMPARED_LOOSELY = NUMBERS | TEXT  # kinds that DuckDB compares for equality with columns of text and of numbers alike
CONDITION = "condition"  # the kind of a condition


def value(m: Machine, t: Token, kinds: Kinds | None, no_constant: bool = False, first: bool = False) -> Read:
    """Read terms and the operators between them, with a value of one of `kinds`.

    `no_constant` forbids constants where they would mean something else: `ORDER BY 2` names an output. `first` says
    that an item of the select list begins here, so that a star or a window function may come.
    """
    if t.text != "-":
        return passed(m.then((term, kinds, no_constant, first), (operators, kinds)))
    if m.names.typed and kinds is not None and not kinds & NUMBERS:
        return None
    numbers = (kinds & (NUMBERS | {COLUMNS_ONLY, CONSTANT}) if kinds else NUMBERS) if m.names.typed else None
    return took(m.then((term, numbers, no_constant), (operators, kinds)))


def operators(m: Machine, t: Token, kinds: Kinds | None) -> Read:
    """Read operators with their terms, or nothing."""
    if only(kinds, PART) or only(kinds, FORMAT):
        return passed(m)
    computes = (m.kind in NUMBERS and (kinds is None or "f" in kinds)) or m.kind == ANY
    typed = m.names.typed
    if t.text in ARITHMETIC and t.sort == "symbol" and (computes or not typed):
        return took(m.then((term, NUMBERS if typed else None), (computed, "f"), (operators, kinds)))
    if t.text == "||" and (m.kind == "t" or not typed):
        return took(m.then((term, TEXT if typed else None), (computed, "t"), (operators, kinds)))
    return passed(m)


def computed(m: Machine, t: Token, kind: str) -> Read:
    """Set the kind of an operator's result, which is no longer just a column."""
    return passed(of_kind(m, kind)._replace(single=None))


def term(m: Machine, t: Token, kinds: Kinds | None, no_constant: bool = False, first: bool = False) -> Read:
    """Read one value: a constant, a column, a call, CASE, CAST, or parentheses."""
    if t.sort == "number":
        kind = kind_of_number(t.text, kinds)
        return took(of_kind(m, kind)) if kind and not no_constant else None
    if t.sort == "text":
        return took(of_kind(m, "t")) if may_stand(kinds, t) and not no_constant else None
    if t.text == "(":
        may_be_query = m.queries and not only(kinds, COLUMNS_ONLY)
        may_be_value = m.level < EXPRESSIONS and has_column(m, kinds)
        possible = not no_constant and not constant_alone(kinds) and (may_be_query or may_be_value)
        return took(m.then((in_parentheses, kinds), (expect, ")"))) if possible else None
    if t.sort != "word":
        return None
    if word(t) == "NULL":
        # DuckDB has several functions for two dates, and cannot choose one for NULL.
        untyped = only(kinds, COLUMNS_ONLY) or constant_alone(kinds) or kinds == DATES
        return None if no_constant or untyped else took(m._replace(kind=NULL))
    if word(t) == "CASE":
        possible = not only(kinds, COLUMNS_ONLY) and not constant_alone(kinds) and m.level < EXPRESSIONS
        return took(deeper(m, (case, strict(kinds), NULL))) if possible else None
    if word(t) == "CAST":
        fits = kinds is None or not kinds.isdisjoint(m.names.types.values())
        possible = fits and m.level < EXPRESSIONS and not constant_alone(kinds)
        to = ((expect, "AS"), (type_, kinds), (expect, ")"))
        return took(deeper(m, (expect, "("), (value, None), *to)) if possible else None
    return name(m, t, kinds, first)


def in_parentheses(m: Machine, t: Token, kinds: Kinds | None) -> Read:
    """Read a query of one column, or a value."""
    if word(t) == "SELECT":
        possible = m.queries and not only(kinds, COLUMNS_ONLY)
        return passed(m.then((m.select, 1, kinds and kinds - {AS_TEXT}, True, False))) if possible else None
    return passed(deeper(m, (value, kinds))) if m.level < EXPRESSIONS else None


def type_(m: Machine, t: Token, kinds: Kinds | None) -> Read:
    """Read the type of a CAST."""
    kind = m.names.types.get(word(t))
    if kind is None or (kinds is not None and kind not in kinds):
        return None
    return took(of_kind(m, kind))


def case(m: Machine, t: Token, kinds: Kinds | None, kind: str) -> Read:
    """Read WHEN, ELSE or END of a CASE whose results so far are of a kind."""
    result = ((value, _kinds_beside(m, kinds, kind)), (branch_ended, kinds, kind))
    if word(t) == "WHEN":
        return took(m.then(condition, (expect, "THEN"), *result))
    if word(t) == "ELSE":
        return took(m.then(*result))
    return took(m._replace(kind=kind)) if word(t) == "END" else None


def branch_ended(m: Machine, t: Token, kinds: Kinds | None, kind: str) -> Read:
    """Note the kind of a branch's result, and read the next branch."""
    return passed(m.then((case, kinds, merged(kind, m.kind))))


def _kinds_beside(m: Machine, kinds: Kinds | None, kind: str) -> Kinds | None:
    """Return the kinds that a branch or argument may have beside one of kind `kind`, where `kinds` are required."""
    if not m.names.typed or kind == NULL:
        return kinds
    allowed = comparable(kind) or frozenset()
    return allowed if kinds is None else allowed & kinds


def name(m: Machine, t: Token, kinds: Kinds | None, first: bool) -> Read:
    """Read a name: a column, a qualifier or a function, which the next token decides."""
    path_, is_constant = (t.text,), constant_alone(kinds)
    resolved = None if is_constant else unqualified(m, t.text, kinds)
    qualifier = None if is_constant else name_of(m, path_)
    is_function = _can_be_called(m, t.text.lower(), kinds, first)
    is_source = qualifier is not None and can_qualify(m, qualifier, kinds, first)
    is_qualifier = is_source or begins_path(m, path_, kinds, first)
    if not (resolved or is_qualifier or is_function):
        return None
    return took(m.then((after_name, kinds, first, path_, resolved, is_qualifier, is_function)))


def after_name(
    m: Machine,
    t: Token,
    kinds: Kinds | None,
    first: bool,
    path_: tuple[str, ...],
    resolved: Any,
    is_qualifier: bool,
    is_function: bool,
) -> Read:
    """Read what follows a name: a dot, a parenthesis, or neither."""
    if t.text == "." and is_qualifier:
        return took(m.then((column_of, kinds, first, path_)))
    if t.text == "(" and is_function:
        return call(m, path_[0].lower(), kinds)
    if resolved is None:
        return None
    column = column_called(m, path_[0])
    single = (None, column) if column else None
    return passed(m._replace(query=resolved.query, kind=resolved.kind, single=single, single_at=len(m.written)))


def column_of(m: Machine, t: Token, kinds: Kinds | None, first: bool, path_: tuple[str, ...]) -> Read:
    """Read a column after the dot, or a star."""
    qualifier = name_of(m, path_)
    if t.text == "*":
        return took(starred(m, qualifier)) if first and qualifier is not None else None
    column = column_called(m, t.text)
    if qualifier and column and (resolved := scope.named_column(m.names, m.here, qualifier, column, kinds)):
        single = (qualifier, column)
        return took(m._replace(query=resolved.query, kind=resolved.kind, single=single, single_at=len(m.written) + 1))
    longer = (*path_, t.text)
    table = m.names.paths.get(longer)
    if not (table and can_qualify(m, table.name, kinds, first)) and not begins_path(m, longer, kinds, first):
        return None
    return took(m.then((expect, "."), (column_of, kinds, first, longer)))


def _can_be_called(m: Machine, function: str, kinds: Kinds | None, first: bool) -> bool:
    """Return whether a function may be called where `kinds` are required."""
    if function not in m.names.functions or constant_alone(kinds) or m.level >= EXPRESSIONS:
        return False
    signature = FUNCTIONS.get(function, ONE_ARGUMENT)
    # Aggregates cannot be nested, and DuckDB refuses one beside a star.
    if signature.aggregate and (not m.aggregates or m.here.in_aggregate or (m.names.typed and m.here.stars)):
        return False
    if not signature.takes:
        return first  # rank() and the like only stand at the beginning of an item, with a window
    if not m.names.typed:
        return True
    if signature.gives is not None and kinds is not None and signature.gives not in kinds:
        return False
    inner = m.with_query(in_aggregate=m.here.in_aggregate or signature.aggregate)
    return all(has_column(inner, kinds if takes is None else takes) for takes in signature.takes)


# A function that `FUNCTIONS` does not have: one argument, whose kind its result has.
ONE_ARGUMENT = Signature((None,), None)


def call(m: Machine, function: str, kinds: Kinds | None) -> Read:
    """Read a function's arguments, after the parenthesis."""
    signature = FUNCTIONS.get(function, ONE_ARGUMENT)
    kinds = strict(kinds)
    back = (after_call, signature, m.here.aggregated, m.here.in_aggregate, m.queries, m.here.within)
    if signature.aggregate:
        m = m.with_query(aggregated=True, in_aggregate=True, within=frozenset())._replace(queries=False)
    if function == "count":
        return took(deeper(m.then(back), counted))
    if function in SHARED_KIND:
        return took(deeper(m.then(back), (value, kinds), (more_arguments, kinds, NULL)))
    takes = [kinds if fixed is None else fixed if m.names.typed else None for fixed in signature.takes]
    arguments = [rule for argument in takes for rule in ((expect, ","), (value, argument))][1:]
    distinct = [(optional, "DISTINCT")] if signature.aggregate else []
    return took(deeper(m.then(back), *distinct, *arguments, (expect, ")")))


# Functions of two or more arguments that all have one kind.
SHARED_KIND = frozenset({"coalesce", "ifnull", "nullif"})


def counted(m: Machine, t: Token) -> Read:
    """Read what COUNT counts."""
    if t.text == "*":
        return took(m.then((expect, ")")))
    return passed(m.then((optional, "DISTINCT"), (value, None), (expect, ")")))


def more_arguments(m: Machine, t: Token, kinds: Kinds | None, kind: str) -> Read:
    """Read further arguments, which must have the kind of the first ones."""
    kind = merged(kind, m.kind)
    if t.text == ",":
        return took(m.then((value, _kinds_beside(m, kinds, kind)), (more_arguments, kinds, kind)))
    return took(m._replace(kind=kind)) if t.text == ")" else None


def after_call(
    m: Machine,
    t: Token,
    signature: Signature,
    aggregated: bool,
    in_aggregate: bool,
    queries: bool,
    columns_before: frozenset[Reference],
) -> Read:
    """Read OVER after a call, or nothing."""
    q = m.here
    m = of_kind(m, signature.gives or m.kind)
    if not signature.aggregate and signature.takes:
        return passed(m)
    m = m._replace(queries=queries)
    if word(t) == "OVER" and q.part == "select" and not in_aggregate:
        # With OVER the function does not aggregate the query's rows: columns in its arguments are outside aggregates.
        plain = q.plain | q.within
        m = m.with_query(aggregated=aggregated, in_aggregate=in_aggregate, within=columns_before, plain=plain)
        window = ((expect, "("), *WINDOW, (restored, m.aggregates, m.queries, m.kind))
        return took(m._replace(aggregates=False, queries=False).then(*window))
    return passed(m.with_query(in_aggregate=in_aggregate, within=columns_before)) if signature.takes else None


# The rules for what follows `OVER (`: the partition and the order of a window.
_VALUE = (value, None)
WINDOW = (
    (clause, "PARTITION", (expect, "BY"), _VALUE, (listed, _VALUE)),
    (clause, "ORDER", (expect, "BY"), _VALUE, (optional, "ASC", "DESC")),
    (expect, ")"),
)


def restored(m: Machine, t: Token, aggregates: bool, queries: bool, kind: str) -> Read:
    """Restore what may stand here, after a window."""
    return passed(m._replace(aggregates=aggregates, queries=queries, kind=kind))


# ----------------------------------------------------------------------------------------------------------- conditions


def condition(m: Machine, t: Token) -> Read:
    """Read a condition."""
    return passed(m.then(either, is_condition))


def is_condition(m: Machine, t: Token) -> Read:
    """Fail unless a condition was read, and not just a value."""
    return passed(m) if m.kind == CONDITION else None


def either(m: Machine, t: Token) -> Read:
    """Read a value or a condition; in parentheses both are possible."""
    if word(t) == "NOT":
        return took(m.then(negated, is_condition)) if m.queries or m.level < EXPRESSIONS else None
    if word(t) == "EXISTS":
        if not m.queries:
            return None
        inner = (m.select, None, None, True, False)
        return took(m.then((expect, "("), inner, (expect, ")"), conditional, more_conditions))
    if t.text == "(":
        possible = m.queries or m.level < EXPRESSIONS
        return took(m.then(inside, (expect, ")"), after_inside)) if possible else None
    return passed(m.then((value, None), tail))


def negated(m: Machine, t: Token) -> Read:
    """Read what follows NOT: EXISTS, or a condition in parentheses."""
    return passed(m.then(either)) if word(t) == "EXISTS" or t.text == "(" else None


def inside(m: Machine, t: Token) -> Read:
    """Read what stands in parentheses: a query, a value or a condition."""
    if word(t) == "SELECT":
        return passed(m.then((m.select, 1, None, True, False))) if m.queries else None
    return passed(deeper(m, either)) if m.level < EXPRESSIONS else None


def after_inside(m: Machine, t: Token) -> Read:
    """Go on after parentheses: with conditions after a condition, with operators after a value."""
    return passed(m.then(more_conditions) if m.kind == CONDITION else m.then((operators, None), tail))


def tail(m: Machine, t: Token) -> Read:
    """Read what makes a condition of a value: a comparison or a predicate; or nothing."""
    text = word(t)
    kind, kinds = m.kind, _comparable(m, m.kind)
    done = (conditional, more_conditions)
    if text == "IS":
        return took(m.then((optional, "NOT"), (expect, "NULL"), *done))
    if text in COMPARE and kind != MIXED:
        loose = kinds | {LOOSE} if text in EQUAL and kinds and kinds & COMPARED_LOOSELY else kinds
        return took(m.then((value, loose), *done))
    if text == "NOT" and kind != MIXED:
        return took(m.then((predicate, kind), *done))
    return predicate(m.then(*done), t, kind) if text in ("LIKE", "BETWEEN", "IN") else passed(m)


def predicate(m: Machine, t: Token, kind: str) -> Read:
    """Read LIKE, BETWEEN or IN after a value of a kind, or after NOT."""
    text, kinds = word(t), _comparable(m, kind)
    if text == "LIKE" and kind in ("t", ANY, NULL):
        return took(m.then((of_sort, "text")))
    if text == "BETWEEN" and kind != MIXED:
        return took(m.then((term, kinds), (expect, "AND"), (term, kinds)))
    if text == "IN" and kind != MIXED:
        return took(m.then((expect, "("), (in_list, kinds), (expect, ")")))
    return None


def in_list(m: Machine, t: Token, kinds: Kinds | None) -> Read:
    """Read what IN lists: a query or terms."""
    if word(t) == "SELECT":
        return passed(m.then((m.select, 1, strict(kinds), True, False))) if m.queries else None
    return passed(m.then((term, kinds), (listed, (term, kinds))))


def _comparable(m: Machine, kind: str) -> Kinds | None:
    """Return the kinds that a value of a kind may be compared with."""
    kinds = comparable(kind) if m.names.typed else None
    # DuckDB casts a text constant to the number that it is compared with.
    return kinds | {AS_TEXT} if kinds and kind in NUMBERS else kinds


def conditional(m: Machine, t: Token) -> Read:
    """Note that a condition was read."""
    return passed(m._replace(kind=CONDITION))


def more_conditions(m: Machine, t: Token) -> Read:
    """Read AND or OR and another condition, or nothing."""
    return took(m.then(either, is_condition)) if word(t) in ("AND", "OR") else passed(m)
