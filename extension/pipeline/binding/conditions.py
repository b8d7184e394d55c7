"""Read conditions by rules: comparisons and predicates, and the values that are compared, by their kinds."""

from __future__ import annotations

from askwhere.pipeline.binding.grammar import EXPRESSIONS
from askwhere.pipeline.binding.machine import (
    Machine,
    Read,
    Token,
    deeper,
    expect,
    listed,
    of_sort,
    optional,
    passed,
    took,
    word,
)
from askwhere.pipeline.binding.names import (
    ANY,
    AS_TEXT,
    LOOSE,
    MIXED,
    NULL,
    NUMBERS,
    TEXT,
    Kinds,
    comparable,
    strict,
)
from askwhere.pipeline.binding.values import operators, term, value

# Signs of comparisons, and the kinds that DuckDB compares for equality also with columns of text.
EQUAL = frozenset({"=", "<>", "!="})
COMPARE = EQUAL | {"<", "<=", ">", ">="}
LOOSELY = NUMBERS | TEXT


def condition(m: Machine, t: Token) -> Read:
    """Read a condition."""
    return passed(m.then(either, is_condition))


def is_condition(m: Machine, t: Token) -> Read:
    """Fail unless a condition was read, and not just a value."""
    return passed(m) if m.kind == CONDITION else None


CONDITION = "condition"


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
        loose = kinds | {LOOSE} if text in EQUAL and kinds and kinds & LOOSELY else kinds
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
