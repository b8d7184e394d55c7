"""Translate constructs of other SQL dialects into this database's, and leave everything else as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from askwhere.sql import parsing, spans
from askwhere.sql.dialects import named
from askwhere.sql.identifiers import quote, unquote
from askwhere.sql.lexer import Token, tokens
from askwhere.sql.spans import Edit
from sqlglot import ErrorLevel, exp
from sqlglot.errors import SqlglotError

# The dialects that are tried, the most used first.
OTHERS = ("postgres", "mysql", "tsql", "sqlite", "duckdb", "snowflake", "bigquery", "oracle")
_NOW = {"now": "CURRENT_TIMESTAMP", "getdate": "CURRENT_TIMESTAMP", "sysdate": "CURRENT_TIMESTAMP",
        "curdate": "CURRENT_DATE", "today": "CURRENT_DATE", "curtime": "CURRENT_TIME"}  # fmt: skip
_RENAMED = {"len": "length", "nvl": "coalesce", "isnull": "coalesce", "ucase": "upper", "lcase": "lower",
            "average": "avg", "mean": "avg"}  # fmt: skip
_FETCH = re.compile(r"fetch (?:first|next) \d+ rows? only")
_NUMBER_NAMES = re.compile(r"\b\d+\.[A-Za-z_]")


def same_call(call: str, dialect: str) -> list[str]:
    """Return what other databases mean by a function call, in this one's SQL, if they mean anything else by it.

    >>> same_call("YEAR(born)", "sqlite")
    ["CAST(strftime('%Y', born) AS INTEGER)"]
    """
    if own := list(_own(call, dialect)):
        return own
    plain = _transpiled(call, dialect, dialect)
    calls = (_transpiled(call, other, dialect) for other in OTHERS if other != dialect)
    return list(dict.fromkeys(new for new in calls if new and new not in (plain, call)))


def whole(sql: str, dialect: str) -> Iterator[tuple[str, str]]:
    """Yield the query as each other database would mean it, after that database's name; each text once."""
    seen = {sql}
    if _NUMBER_NAMES.search(sql):
        return  # some databases read `2.name` as a number with an alias, others as a text
    # There a name in double quotes would become a text.
    left_out = ("mysql", "bigquery") if '"' in sql else ()
    for other in OTHERS:
        new = _transpiled(sql, other, dialect) if other != dialect and other not in left_out else None
        if new and new not in seen and _texts(new, dialect) == _texts(sql, dialect):
            seen.add(new)
            yield other, new


def spelling(sql: str, dialect: str) -> Iterator[tuple[Edit, ...]]:
    """Yield edits for each spelling that the text alone shows to be another database's."""
    lexed = tokens(sql, dialect)
    for rule in (_top, _limit, _fetch, _ilike, _extract, _quoted, _commas):
        if edits := tuple(rule(sql, lexed, dialect)):
            yield edits


def _own(call: str, dialect: str) -> Iterator[str]:
    """Yield replacements of a call by rules of our own, which come before sqlglot's."""
    match = re.fullmatch(r"(\w+)\s*\((.*)\)", call, re.DOTALL)
    name, inside = (match[1].lower(), match[2].strip()) if match else ("", "")
    arguments = _arguments(call, dialect)
    if name in _RENAMED and inside:
        yield f"{_RENAMED[name]}({inside})"
    elif name in _NOW and not inside:
        yield _NOW[name]
    elif (rewriting := named(dialect).calls.get((name, len(arguments)))) and (new := rewriting(*arguments)):
        yield new


def _arguments(call: str, dialect: str) -> list[str]:
    """Return the texts of a call's arguments."""
    arguments, depth, start = [], 0, 0
    for token in tokens(call, dialect):
        depth += (token.text in "([") - (token.text in ")]") if token.kind == "sign" else 0
        if token.text == "(" and depth == 1:
            start = token.end
        elif (token.text == "," and depth == 1) or (token.text == ")" and depth == 0):
            arguments.append(call[start : token.start].strip())
            start = token.end
    return [argument for argument in arguments if argument]


def _transpiled(sql: str, read: str, write: str) -> str | None:
    """Return a query transpiled between dialects; None where that is not possible."""
    try:
        texts = parsing.transpiled(sql, read, write, unsupported_level=ErrorLevel.RAISE)
    except (SqlglotError, ValueError, AttributeError):
        return None
    return texts[0] if len(texts) == 1 else None


def _texts(sql: str, dialect: str) -> set[str]:
    """Return the texts of a query in single quotes, with their quotes."""
    return {token.text for token in tokens(sql, dialect) if token.kind == "text"}


def _top(sql: str, lexed: list[Token], dialect: str) -> Iterator[Edit]:
    """Yield edits from `SELECT TOP 5 …` to `SELECT … LIMIT 5`."""
    for place, token in enumerate(lexed):
        after = [t.word for t in lexed[place + 1 : place + 6]]
        if token.word != "top" or not place or lexed[place - 1].word not in ("select", "distinct", "all"):
            continue
        size = 3 if after[:1] == ["("] and after[2:3] == [")"] else 1
        number = "".join(after[:size]).strip("()")
        select = spans.at(sql, dialect, token.start)
        rest = "".join(after[size : size + 1])
        plain = number.isdecimal() and rest not in ("", "%", "percent", "with")
        if plain and select and "limit" not in select.clauses:
            yield Edit(token.start, lexed[place + size + 1].start, "")
            yield Edit(select.end, select.end, f" LIMIT {number}")


def _limit(sql: str, lexed: list[Token], dialect: str) -> Iterator[Edit]:
    """Yield edits from `LIMIT 20, 10` to `LIMIT 10 OFFSET 20`."""
    for limit, skipped, comma, number in zip(lexed, lexed[1:], lexed[2:], lexed[3:], strict=False):
        if not named(dialect).limit_comma and limit.word == "limit" and comma.text == ",":
            yield Edit(skipped.start, number.end, f"{number.text} OFFSET {skipped.text}")


def _fetch(sql: str, lexed: list[Token], dialect: str) -> Iterator[Edit]:
    """Yield edits from `FETCH FIRST 5 ROWS ONLY` to `LIMIT 5`, also after an OFFSET."""
    for place, token in enumerate(lexed):
        words = [t.word for t in lexed[place : place + 5]]
        if not named(dialect).fetch_first and _FETCH.fullmatch(" ".join(words)):
            yield Edit(token.start, lexed[place + 4].end, f"LIMIT {words[2]}")


def _extract(sql: str, lexed: list[Token], dialect: str) -> Iterator[Edit]:
    """Yield edits from `EXTRACT(YEAR FROM born)` to what the engine has instead."""
    calls = named(dialect).calls
    for call, _, part, from_ in zip(lexed, lexed[1:], lexed[2:], lexed[3:], strict=False):
        if (call.word, from_.word) == ("extract", "from") and (part.word, 1) in calls:
            end = spans.closing(sql, dialect, call.end)
            inside = sql[from_.end : end - 1].strip()
            new = calls[part.word, 1](inside) if end > 0 else None
            if new:
                yield Edit(call.start, end, new)


def _ilike(sql: str, lexed: list[Token], dialect: str) -> Iterator[Edit]:
    """Yield edits from ILIKE to LIKE where that ignores the case of letters."""
    if not named(dialect).ilike:
        yield from (Edit(t.start, t.end, "LIKE") for t in lexed if t.word == "ilike")


def _quoted(sql: str, lexed: list[Token], dialect: str) -> Iterator[Edit]:
    """Yield edits from names in backticks or brackets to names in double quotes."""
    if "`" not in named(dialect).name_quotes:
        names = (t for t in tokens(sql, "sqlite") if t.kind == "name" and t.text[0] in "`[")
        yield from (Edit(t.start, t.end, quote(unquote(t.text))) for t in names)


def _commas(sql: str, lexed: list[Token], dialect: str) -> Iterator[Edit]:
    """Yield edits that delete a comma before the end of a list."""
    for comma, after in zip_longest(lexed, lexed[1:]):
        if comma.text == "," and (after is None or after.word in (*spans.CLAUSES, ")", ";")):
            yield Edit(comma.start, comma.end, "")


def parse(sql: str, dialect: str) -> exp.Expr | None:
    """Return the tree of a text that is one query; None for any other text."""
    try:
        trees = parsing.statements(sql, dialect)
    except SqlglotError:
        return None
    tree = trees[0] if len(trees) == 1 else None
    return tree if isinstance(tree, exp.Query) else None
