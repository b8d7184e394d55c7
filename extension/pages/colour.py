"""Write SQL as HTML: in lines by clause, with its tokens coloured by kind."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from askwhere.pages.markup import text
from askwhere.sql import parsing
from askwhere.sql.lexer import MAX_SQL_BYTES
from markupsafe import Markup
from sqlglot import Token, TokenType
from sqlglot.errors import SqlglotError

# CSS classes of tokens; other tokens of letters are keywords.
_KINDS = {
    TokenType.STRING: "string",
    TokenType.NATIONAL_STRING: "string",
    TokenType.RAW_STRING: "string",
    TokenType.HEX_STRING: "string",
    TokenType.NUMBER: "number",
    TokenType.IDENTIFIER: "",
    TokenType.VAR: "",
}
# Words that begin a line.
_CLAUSES = frozenset(
    "from where group having order limit offset union intersect except join left inner cross natural full window"
    " qualify".split()
)
# Levels of subqueries that are indented; deeper ones begin no further to the right.
_DEEPEST = 8
# First words of a join: after one of them, another and JOIN do not begin a line.
_OF_A_JOIN = frozenset(("left", "right", "full", "inner", "cross", "natural", "outer"))


def coloured(sql: str, dialect: str) -> Markup:
    """Return a query in a `code` element; its text is unchanged."""
    return Markup("<code>{}</code>").format(Markup("").join(_span(kind, part) for kind, part in _parts(sql, dialect)))


def _span(kind: str, part: str) -> Markup:
    return Markup('<span class="{}">{}</span>').format(kind, text(part)) if kind else text(part)


def laid_out(sql: str, dialect: str) -> str:
    """Return a query of one line with a line for each clause; only spaces change. Others are returned unchanged."""
    tokens = _tokens(sql, dialect)
    if "\n" in sql or not tokens:
        return sql
    # For each open parenthesis, whether a query is in it.
    parts, end, depths = [sql[: tokens[0].start]], tokens[0].start, [True]
    for before, token in zip((None, *tokens), tokens, strict=False):
        gap = sql[end : token.start]
        if (
            before
            and gap.isspace()
            and depths[-1]
            and _begins_a_line(token, before, sql[token.end + 1 : token.end + 2])
        ):
            gap = "\n" + "  " * min(len(depths) - 1, _DEEPEST)
        parts += [gap, sql[token.start : token.end + 1]]
        end = token.end + 1
        if token.token_type == TokenType.L_PAREN:
            depths.append(False)
        elif token.token_type == TokenType.R_PAREN and len(depths) > 1:
            depths.pop()
        elif token.token_type in (TokenType.SELECT, TokenType.WITH):
            depths[-1] = True  # clauses of a subquery, not the FROM of a function's arguments
    return "".join([*parts, sql[end:]])


def _begins_a_line(token: Token, before: Token, after: str) -> bool:
    """Return whether a token begins a clause, and so a line of the query."""
    word, last = token.text.lower().split(" ")[0], before.text.lower()
    if word in ("join", *_OF_A_JOIN) and last in _OF_A_JOIN:
        return False
    return word in _CLAUSES and token.token_type not in _KINDS and after != "(" and (word, last) != ("from", "distinct")


def _parts(sql: str, dialect: str) -> Iterator[tuple[str, str]]:
    """Yield the query's text in pieces, as (kind, text). A kind is keyword, function, string, number, comment or ''."""
    tokens, end = _tokens(sql, dialect), 0
    for token, after in zip_longest(tokens, tokens[1:]):
        yield from _between(sql[end : token.start])
        yield _kind(token, after), sql[token.start : token.end + 1]
        end = token.end + 1
    yield from _between(sql[end:])


def _between(gap: str) -> Iterator[tuple[str, str]]:
    """Yield the text between two tokens: spaces, or a comment."""
    if gap:
        yield ("" if gap.isspace() else "comment"), gap


def _kind(token: Token, after: Token | None) -> str:
    """Return the kind of a token, as `_parts` names it; a name before a parenthesis is a function."""
    kind = _KINDS.get(token.token_type)
    called = after is not None and after.token_type == TokenType.L_PAREN and after.start == token.end + 1
    if called and token.token_type != TokenType.IDENTIFIER and token.text.isidentifier():
        return "function"
    if kind is None:
        return "keyword" if token.text.replace(" ", "").isalpha() else ""
    return kind


def _tokens(sql: str, dialect: str) -> list[Token]:
    """Return the query's tokens; none where it cannot be split into tokens, or is longer than a query may be."""
    if len(sql) > MAX_SQL_BYTES:
        return []
    try:
        return parsing.tokens(sql, dialect)
    except SqlglotError:
        return []
