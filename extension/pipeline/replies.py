"""What models reply, as pure functions of the text."""

from __future__ import annotations

import ast
import json
import re
from itertools import islice
from typing import Any

from askwhere import guard
from askwhere.errors import ModelError
from askwhere.guard import parsing
from sqlglot.errors import SqlglotError

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
# How statements begin, also those that will be refused: the guard says why better than a parser could.
BEGINS = re.compile(
    r"\s*\(*\s*(?:select|with|values|from|table|summarize|pivot|unpivot|explain|describe|show|insert|update|delete"
    r"|create|drop|alter|replace|merge|truncate|pragma|attach|detach|vacuum|copy|install|load|set|reset|use|call"
    r"|export|import|begin|commit|rollback|savepoint|release|reindex|analyze|checkpoint|force|execute|prepare)\b",
    re.IGNORECASE,
)
_STATEMENT = re.compile(r"^[ \t]*(select|with)\b[^;]*", re.IGNORECASE | re.MULTILINE)
_BEGINNING = re.compile(r"^[ \t]*(select|with)\b", re.IGNORECASE | re.MULTILINE)
# A reason is a sentence or two; a model that goes on and on is cut.
_REASON = 1_000
# Of a reply that is to hold JSON so many characters are looked at.
_LONGEST = 50_000
# Of a reply that is to hold a query so many beginnings of one are tried.
_BEGINNINGS = 20
# Brackets within brackets: replies have three or four.
_NESTED = 50
_BRACKETS = re.compile(r"[\[\]{}]")
_TRAILING = re.compile(r",\s*([}\]])")


def query(reply: str, dialect: str) -> str:
    """The one SQL statement of a reply to a prompt that asks for a query.

    The reply may be the whole query or go on after the SELECT that some prompts end with: bare, in a fenced block, or
    below prose and thoughts.

    >>> query("name FROM customers;", "sqlite")
    'SELECT name FROM customers'

    Raises `ModelError` where it holds no query, `Refused` where what it holds cannot be one.
    """
    text = _THINKING.sub("", reply).strip()
    if not text:
        raise ModelError("the model's reply is empty", reply)
    sql = guard.one_statement(text)
    if BEGINS.match(sql):
        return sql
    if _parses(f"SELECT {sql}", dialect):
        return f"SELECT {sql}"
    if found := _STATEMENT.search(sql):
        return found[0].strip()
    raise ModelError(f"the model's reply holds no query: {_short(text)!r}", reply)


def reason(reply: str) -> str:
    """The reason of a reflecting reply, as one line."""
    flat = " ".join(_THINKING.sub("", reply).split())
    return flat[:_REASON]


def prose(reply: str) -> str:
    """The sentences of a reply to a prompt that ends with "The query". Raises `ModelError` where it has none."""
    text = _THINKING.sub("", reply).strip()
    if not text:
        raise ModelError("the model's reply is empty", reply)
    return f"The query {text}" if text[:1].islower() else text


def explained(reply: str, dialect: str) -> str:
    """The query of a reply that explains before it writes: its block of SQL, or the first that begins a line.

    Raises as `query` does.
    """
    text = _THINKING.sub("", reply)
    if "```" not in text:
        fields = (node for node in structures(text) if isinstance(node, dict))
        written = [node[name] for node in fields for name in ("sql", "query") if isinstance(node.get(name), str)]
        begun = (_to_semicolon(text, match.start()) for match in islice(_BEGINNING.finditer(text), _BEGINNINGS))
        if found := next((sql for sql in (*written, *begun) if _parses(sql, dialect)), None):
            return query(found, dialect)
    return query(text, dialect)


def _to_semicolon(text: str, start: int) -> str:
    end = text.find(";", start)
    return text[start : end if end >= 0 else len(text)]


def structures(reply: str) -> list[Any]:
    """What a reply holds of JSON or of Python's notation: all of it, or the parts that are whole; none for prose."""
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
    found, decoder = [], json.JSONDecoder()
    while (begin := re.compile(r"[{\[]").search(text, start)) is not None:
        try:
            value, start = decoder.raw_decode(text, begin.start())
            found.append(value)
        except ValueError:
            start = begin.end()
        except RecursionError:
            break
    return found


def _is_nested(text: str) -> bool:
    """Whether brackets stand in each other deeper than any structure that is meant."""
    depth = 0
    for bracket in _BRACKETS.finditer(text):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > _NESTED:
            return True
    return False


def _parses(sql: str, dialect: str) -> bool:
    try:
        return len(parsing.statements(sql, dialect)) == 1 and " from " in f" {' '.join(sql.split()).lower()} "
    except SqlglotError:
        return False


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 200 else flat[:199] + "…"
