"""Answer from pinned queries: put in the values of their parameters, and check whether their tables have changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from askwhere.engine import Column, Engine, Grant, Table
from askwhere.errors import ArgumentError, QueryError, Stale
from askwhere.guard.statement import check_text
from askwhere.guard.tables import resolve
from askwhere.indexer import forms
from askwhere.indexer.pins import Pin, now
from askwhere.indexer.values import ValueIndex
from askwhere.reader.words.types import is_number
from askwhere.sql import literals, parsing
from askwhere.sql.dialects import named
from askwhere.sql.lexer import scan
from sqlglot import exp

# Stands in for a parameter while its query is parsed: a text that no query has by chance.
_MARK = "askwhere parameter {}"
_COMPARED = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.In, exp.Is)
_NUMERIC = (exp.Count, exp.Sum, exp.Avg, exp.Length, exp.Abs, exp.Round, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod)


def pin(engine: Engine, grant: Grant, question: str, sql: str, model: str = "") -> Pin:
    """Return a pin of a query that the engine has checked.

    Raise `ArgumentError` where question and SQL do not match, `QueryError` where the query cannot be used.
    """
    check_text(sql)
    names, used = forms.parameters(question), tuple(dict.fromkeys(_parameters(sql, engine.dialect)))
    if not forms.words(question):
        raise ArgumentError(f"ask_pin(): expected a question, found {question!r}")
    if set(names) != set(used):
        asked, written = (", ".join(f"{{{name}}}" for name in each) or "none" for each in (names, used))
        raise ArgumentError(
            f"question and SQL must have the same parameters: the question has {asked}, the SQL {written}"
        )
    kinds = _kinds(sql, names, engine.dialect, grant)
    checked = engine.check(_sample(sql, kinds, engine.dialect), grant)
    return Pin(question, sql, kinds, checked.columns, fingerprint(checked.sql, engine.dialect, grant), now(), model)


def _sample(sql: str, kinds: Mapping[str, str], dialect: str) -> str:
    """Return the SQL with a value of its kind for each parameter, so that the engine can check it."""
    return filled(sql, {name: 1 if kind == "number" else None for name, kind in kinds.items()}, dialect)


def filled(sql: str, values: Mapping[str, Any], dialect: str) -> str:
    """Return the SQL with each `{name}` replaced by the literal of its value, except in quotes and comments.

    A literal must not become one token with its neighbours: it gets a space where it would touch a word, number or
    quote (`E'…'`, `'…''…'`), and parentheses if it is negative (`a -{n}` would become a comment).
    """
    pieces = [("space", " "), *_pieces(sql, dialect), ("space", " ")]
    written = []
    for before, (kind, text), after in zip(pieces, pieces[1:], pieces[2:], strict=False):
        if kind == "parameter" and text[1:-1] in values:
            shown = literals.literal(values[text[1:-1]])
            shown = f"({shown})" if shown[0] == "-" else shown
            text = f"{_gap(before)}{shown}{_gap(after)}"
        written.append(text)
    return "".join(written)


def _gap(beside: tuple[str, str]) -> str:
    """Return the space that a literal needs beside a token."""
    return "" if beside[0] in ("space", "sign", "comment") else " "


def query(pin: Pin, values: Mapping[str, str], dialect: str, change: str, stale: str) -> str | None:
    """Return the SQL that answers a pinned question; None where the question is to be asked as if it was not pinned.

    `change` is the text of `change_of`. Where it is not empty, `stale` (the setting `stale_pins`) decides: 'fail'
    raises `Stale`, 'run' runs a query that still gives the same columns, 'ask' asks again.
    """
    still_runs = change == SAME
    if not change or (still_runs and stale == "run"):
        return filled(pin.sql, {name: literal_of(v, pin.kinds[name]) for name, v in values.items()}, dialect)
    if stale == "ask":
        return None
    advice = "SELECT ask_set('stale_pins', 'run') runs it" if still_runs else "ask_set('stale_pins', 'ask') asks anew"
    raise Stale(
        f"the pin {pin.question!r} is stale: the tables that it reads have changed since {pin.pinned_at}; {change}."
        f" Pin it again with ask_pin(), remove it with ask_unpin(), or {advice}"
    )


def spelled(values: Mapping[str, str], pin: Pin, index: ValueIndex) -> dict[str, str]:
    """Return the parameters' values as the database spells them: 'germany' as 'Germany'.

    A value is unchanged if a column has exactly this spelling of it, or if there are several other spellings.
    """
    known = index.exact([value for name, value in values.items() if pin.kinds[name] == "text"])
    spelled_values = dict(values)
    for name, value in values.items():
        spellings = {match.value for match in known.get(value, ())} if pin.kinds[name] == "text" else set()
        if len(spellings) == 1:
            spelled_values[name] = spellings.pop()
    return spelled_values


SAME = "it still runs and gives the same columns"


def change_of(engine: Engine, grant: Grant, pin: Pin) -> str:
    """Return how a pin is affected by changes of its tables since it was made; '' where they have not changed.

    The query is checked, not run.
    """
    try:
        checked = engine.check(_sample(pin.sql, pin.kinds, engine.dialect), grant)
    except QueryError as exc:
        return f"it no longer runs: {exc}"
    if fingerprint(checked.sql, engine.dialect, grant) == pin.tables:
        return ""
    if checked.columns != pin.columns:
        return f"its columns were {', '.join(pin.columns)} and are now {', '.join(checked.columns)}"
    return SAME


def literal_of(value: str, kind: str) -> str | int | float:
    """Return a parameter's value as a text or a number, by its kind."""
    if kind == "text":
        return value
    return float(value) if "." in value else int(value)


def fingerprint(sql: str, dialect: str, grant: Grant) -> str:
    """Return a digest of the columns, types and definitions of the tables that a checked query reads."""
    facts = sorted({_facts(table) for table in tables_of(sql, dialect, grant)})
    return hashlib.blake2b(repr(facts).encode(), digest_size=12).hexdigest()


def tables_of(sql: str, dialect: str, grant: Grant) -> Iterator[Table]:
    """Yield the granted tables that a checked query reads; checked queries name tables by their full paths."""
    for node in parsing.statement(sql, dialect).find_all(exp.Table):
        path = tuple(part.name for part in node.parts)
        if len(path) > 1:
            yield resolve(path, grant)


def _facts(table: Table) -> tuple[Any, ...]:
    # Without the database's own name, which in DuckDB is that of the file.
    return (table.path[1:], table.definition, tuple((c.name, c.type) for c in table.columns))


def _pieces(sql: str, dialect: str) -> Iterator[tuple[str, str]]:
    """Yield the tokens of a query, each parameter as one token; other braces stay as they are."""
    tokens = list(scan(sql, dialect))
    place = 0
    while place < len(tokens):
        three = tokens[place : place + 3]
        text = "".join(part for _, part in three)
        if len(three) == 3 and forms.PARAMETER.fullmatch(text):
            yield "parameter", text
            place += 3
        else:
            yield tokens[place]
            place += 1


def _parameters(sql: str, dialect: str) -> Iterator[str]:
    """Yield the names of a query's parameters. Raise `ArgumentError` for one inside quotes."""
    for kind, text in _pieces(sql, dialect):
        if kind == "parameter" and text[0] == "{":  # the engine's own (?, :name) are refused by the guard
            yield text[1:-1]
        elif kind in ("text", "name", "dollar", "escaped") and (inside := forms.PARAMETER.search(text)):
            raise ArgumentError(
                f"the parameter {inside.group()} stands inside quotes, where it is text: join it on, as in"
                f" '%' || {inside.group()} || '%'"
            )


def _kinds(sql: str, names: tuple[str, ...], dialect: str, grant: Grant) -> dict[str, str]:
    """Return the kind of each parameter, 'number' or 'text', by what it is compared with.

    Raise `ArgumentError` in SQLite for a parameter that is compared with an expression of unknown kind: a text never
    equals a number there.
    """
    marked = filled(sql, {name: _MARK.format(name) for name in names}, dialect)
    tree = parsing.parsed(marked, dialect)
    if tree is None:
        return dict.fromkeys(names, "text")  # the guard says what is wrong with it
    columns = {c.name.lower(): c for t in grant.tables for c in t.columns}
    kinds = {}
    for name in names:
        marks = [node for node in tree.find_all(exp.Literal) if node.this == _MARK.format(name)]
        meant = {_kind(node, columns, dialect, name) for node in marks}
        kinds[name] = "number" if "number" in meant else "text"
    return kinds


def _kind(node: exp.Expr, known: Mapping[str, Column], dialect: str, name: str) -> str:
    """Return the kind of one parameter by the expression that it stands in."""
    parent = node.parent
    while isinstance(parent, (exp.Paren, exp.Neg)):
        node, parent = parent, parent.parent
    if isinstance(parent, (exp.Limit, exp.Offset, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod)):
        return "number"
    if isinstance(parent, exp.Cast):
        return _type(parent, known)
    if not isinstance(parent, _COMPARED):
        return "text"
    others = [child for child in parent.iter_expressions() if child is not node]
    types = {_type(other.unnest(), known) for other in others}
    if "" in types and not named(dialect).static_types:
        raise ArgumentError(
            f"the parameter {{{name}}} is compared with {others[0].sql(dialect)}, which may be a number or a text:"
            f" write CAST({{{name}}} AS INTEGER), REAL or TEXT"
        )
    return "number" if "number" in types else "text"


def _type(node: exp.Expr, known: Mapping[str, Column]) -> str:
    """Return 'number' or 'text' for an expression, '' for one of unknown kind."""
    if isinstance(node, exp.Column):
        column = known.get(node.name.lower(), Column(""))
        return "number" if is_number(column) else "text" if column.type else ""
    if isinstance(node, exp.Cast):
        return "number" if is_number(Column("", node.to.sql())) else "text"
    if isinstance(node, exp.Literal):
        return "text" if node.is_string else "number"
    if isinstance(node, _NUMERIC):
        return "number"
    if isinstance(node, (exp.Func, exp.DPipe)):
        from sqlglot.optimizer.annotate_types import annotate_types

        kind = annotate_types(node.copy()).type
        if kind is not None and kind.is_type(*exp.DataType.TEXT_TYPES):
            return "text"
        if kind is not None and kind.is_type(*exp.DataType.NUMERIC_TYPES):
            return "number"
    return ""
