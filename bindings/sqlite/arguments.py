"""Bring the arguments of `ask(…)` in a SQLite statement into the order of its parameters, where some are named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from askwhere.errors import AskError
from askwhere.sql import parentheses
from askwhere.sql.lexer import Token
from askwhere.sql.lexer import tokens as tokens_of
from askwhere.udfs.function import Function, placed

NAMING = (":=", "=>")  # of an argument, as DuckDB writes it in either way


def tokens(sql: str) -> list[Token]:
    """Return the tokens of a text in SQLite, without spaces and comments."""
    return tokens_of(sql, "sqlite")


def closing(all_tokens: Sequence[Token], opening: int) -> int:
    """Return the place of the parenthesis that closes the one at `opening`. Raise AskError where there is none."""
    place = parentheses.closing(all_tokens, opening)
    if place == len(all_tokens):
        raise AskError("ask(: the closing parenthesis is missing")
    return place


def name_and_value(part: Sequence[Token], signs: Sequence[str]) -> tuple[str, Sequence[Token]]:
    """Return the name, in lower case, and the value of an argument that is named by one of `signs`, else '' and all."""
    for size in (2, 1):
        sign = part[1 : 1 + size]
        written = "".join(t.text for t in sign) if sign and sign[-1].end - sign[0].start == size else ""
        if part[0].kind == "word" and written in signs and len(part) > 1 + size and not is_double(part[1:3]):
            return part[0].word, part[1 + size :]
    return "", part


def is_double(signs: Sequence[Token]) -> bool:
    """Return whether two tokens are the sign `==`, which compares."""
    return [t.text for t in signs] == ["=", "="] and signs[0].end == signs[1].start


def named_argument(text: str) -> tuple[str, str]:
    """Return name (or '') and value of an argument written as `value`, or `name := value`, `=>` or `=`."""
    part = tokens(text)
    name, value = name_and_value(part, (*NAMING, "=")) if part else ("", [])
    return (name, text[value[0].start :]) if name else ("", text)


def positional(sql: str, functions: Mapping[str, Function]) -> str:
    """Return the text with named arguments of `functions` put in their positions.

    `ask_sql('q', effort := 'fast')` becomes `ask_sql('q', NULL, 'fast')`: SQLite has no named arguments. Raise
    `ArgumentError` as `placed` does.
    """
    all_tokens = tokens(sql)
    pieces, place = [], 0
    for number, token in enumerate(all_tokens[:-1]):
        if token.word in functions and all_tokens[number + 1].text == "(":
            end = closing(all_tokens, number + 1)
            parts = parentheses.split(all_tokens[number + 2 : end])
            if any(name_and_value(part, NAMING)[0] for part in parts):
                pieces += [sql[place : all_tokens[number + 1].end], _in_order(sql, parts, functions[token.word])]
                place = all_tokens[end].start
    return "".join(pieces) + sql[place:]


def _in_order(sql: str, parts: list[list[Token]], function: Function) -> str:
    """Return the SQL of one call's arguments in the function's order, NULL for those left out."""
    values, named = [], {}
    for part in parts:
        name, value = name_and_value(part, NAMING)
        text = sql[value[0].start : part[-1].end]
        if name:
            named[name] = text
        else:
            values.append(text)
    by_name = placed(function, values, named)
    return ", ".join(by_name.get(argument.name, "NULL") for argument in function.arguments)
