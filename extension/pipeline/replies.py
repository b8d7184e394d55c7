"""Read what models reply, as pure functions of the text."""

from __future__ import annotations

import ast
import json
import re
from itertools import islice
from typing import Any

from askwhere import guard
from askwhere.cells import short
from askwhere.errors import ModelError
from askwhere.sql import parsing
from sqlglot.errors import SqlglotError

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
# The first words of statements, also of those that the guard refuses: its errors are clearer than a parser's.
BEGINS = re.compile(
    r"\s*\(*\s*(?:select|with|values|from|table|summarize|pivot|unpivot|explain|describe|show|insert|update|delete"
    r"|create|drop|alter|replace|merge|truncate|pragma|attach|detach|vacuum|copy|install|load|set|reset|use|call"
    r"|export|import|begin|commit|rollback|savepoint|release|reindex|analyze|checkpoint|force|execute|prepare)\b",
    re.IGNORECASE,
)
_STATEMENT = re.compile(r"^[ \t]*(select|with)\b[^;]*", re.IGNORECASE | re.MULTILINE)
_BEGINNING = re.compile(r"^[ \t]*(select|with)\b", re.IGNORECASE | re.MULTILINE)
# Characters kept of a reason, which should be a sentence or two.
_REASON = 1_000
# Characters of a reply that are searched for JSON.
_LONGEST = 50_000
# How many lines of a reply that begin like a query are tried.
_BEGINNINGS = 20
# The deepest nesting of brackets that is parsed; replies have three or four levels.
_NESTED = 50
_BRACKETS = re.compile(r"[\[\]{}]")
_TRAILING = re.compile(r",\s*([}\]])")


def query(reply: str, dialect: str) -> str:
    """Return the one SQL statement of a reply to a prompt that asks for a query.

    The reply may be the whole query or continue the SELECT that some prompts end with. It may be bare, in a fenced
    block, or below prose and thoughts. Raise `ModelError` where it holds no query, `Refused` where its text cannot be
    one.

    >>> query("name FROM customers;", "sqlite")
    'SELECT name FROM customers'
    """
    text = _THINKING.sub("", reply).strip()
    if not text:
        raise ModelError("the model's reply is empty", reply)
    sql = guard.one_statement(text)
    if BEGINS.match(sql):
        return sql
    if _parses(f"SELECT {sql}", dialect):
        return f"SELECT {sql}"
    if statement := _STATEMENT.search(sql):
        return statement[0].strip()
    raise ModelError(f"the model's reply holds no query: {short(' '.join(text.split()))!r}", reply)


def reason(reply: str) -> str:
    """Return the reason that a reflecting reply gives, as one line."""
    flat = " ".join(_THINKING.sub("", reply).split())
    return flat[:_REASON]


def prose(reply: str) -> str:
    """Return the sentences of a reply to a prompt that ends with "The query". Raise `ModelError` where it has none."""
    text = _THINKING.sub("", reply).strip()
    if not text:
        raise ModelError("the model's reply is empty", reply)
    return f"The query {text}" if text[:1].islower() else text


def explained(reply: str, dialect: str) -> str:
    """Return the query of a reply that explains first: its block of SQL, or the first line that begins a query.

    Raise as `query` does.
    """
    text = _THINKING.sub("", reply)
    if "```" not in text:
        fields = (node for node in structures(text) if isinstance(node, dict))
        written = [node[name] for node in fields for name in ("sql", "query") if isinstance(node.get(name), str)]
        begun = (_to_semicolon(text, match.start()) for match in islice(_BEGINNING.finditer(text), _BEGINNINGS))
        if sql_found := next((sql for sql in (*written, *begun) if _parses(sql, dialect)), None):
            return query(sql_found, dialect)
    return query(text, dialect)


def _to_semicolon(text: str, start: int) -> str:
    """Return the text from `start` up to the next semicolon."""
    end = text.find(";", start)
    return text[start : end if end >= 0 else len(text)]


def structures(reply: str) -> list[Any]:
    """Return what a reply holds as JSON or Python literals; nothing for prose.

    If the whole reply is one value, that value; else all complete values in it.
    """
    text = _THINKING.sub("", reply)[:_LONGEST]
    if _is_nested(text):
        return []
    start = min((place for place in (text.find("{"), text.find("[")) if place >= 0), default=len(text))
    whole = _TRAILING.sub(r"\1", text[start : max(text.rfind("}"), text.rfind("]")) + 1])
    for read in (json.loads, ast.literal_eval):
        try:
            return [read(whole)]
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
    values, decoder = [], json.JSONDecoder()
    while (begin := re.compile(r"[{\[]").search(text, start)) is not None:
        try:
            value, start = decoder.raw_decode(text, begin.start())
            values.append(value)
        except ValueError:
            start = begin.end()
        except RecursionError:
            break
    return values


def _is_nested(text: str) -> bool:
    """Return whether brackets are nested deeper than in any reply that can be read."""
    depth = 0
    for bracket in _BRACKETS.finditer(text):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > _NESTED:
            return True
    return False


def _parses(sql: str, dialect: str) -> bool:
    """Return whether a text parses as one query with a FROM."""
    try:
        return len(parsing.statements(sql, dialect)) == 1 and " from " in f" {' '.join(sql.split()).lower()} "
    except SqlglotError:
        return False
