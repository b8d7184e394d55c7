"""What models reply, as pure functions of the text."""

from __future__ import annotations

import re

import sqlglot
import sqlglot.errors
from askwhere import guard
from askwhere.errors import ModelError

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
# How statements begin, also those that will be refused: the guard says why better than a parser could.
BEGINS = re.compile(
    r"\s*\(*\s*(?:select|with|values|from|table|summarize|pivot|unpivot|explain|describe|show|insert|update|delete"
    r"|create|drop|alter|replace|merge|truncate|pragma|attach|detach|vacuum|copy|install|load|set|reset|use|call"
    r"|export|import|begin|commit|rollback|savepoint|release|reindex|analyze|checkpoint|force|execute|prepare)\b",
    re.IGNORECASE,
)
_STATEMENT = re.compile(r"^[ \t]*(select|with)\b[^;]*", re.IGNORECASE | re.MULTILINE)
# A reason is a sentence or two; a model that goes on and on is cut.
_REASON = 1_000


def query(reply: str, dialect: str) -> str:
    """The one SQL statement of a reply to a prompt that ends with SELECT.

    The reply may be the whole query or go on after that word, bare, in a fenced block, or below prose and thoughts.

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


def _parses(sql: str, dialect: str) -> bool:
    try:
        return len(sqlglot.parse(sql, dialect=dialect)) == 1 and " from " in f" {' '.join(sql.split()).lower()} "
    except (sqlglot.errors.SqlglotError, RecursionError):
        return False


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 200 else flat[:199] + "…"
