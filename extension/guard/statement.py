"""Accept the text of one statement that reads, without comments and within limits, and parse it."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from askwhere.cells import short
from askwhere.errors import QueryError, Refused
from askwhere.sql import parsing
from askwhere.sql.dialect import Dialect
from askwhere.sql.dialects import KNOWN, named
from askwhere.sql.identifiers import fold, unquote
from askwhere.sql.lexer import MAX_SQL_BYTES, MAX_TOKENS, scan, tokens
from sqlglot import Token, TokenType, exp
from sqlglot.errors import SqlglotError

# Levels of parentheses, brackets and CASE. DuckDB 2.0 stops at 1000, sqlglot and SQLite much earlier; people and models
# stay below 20.
MAX_NESTING = 100
_QUOTED = {TokenType.STRING, TokenType.IDENTIFIER}
MAX_PREFIXES = 20  # of NOT, -, + and ~ before one another

# sqlglot logs a warning for a statement that it does not parse. Here it is an error, so the warning is not shown.
logging.getLogger("sqlglot").addHandler(logging.NullHandler())

# First words of statements that read.
READING = frozenset({"select", "with", "values", "from", "table", "summarize", "unpivot", "pivot", "("})

# SQLite reads a space that is not ASCII as a letter, other parsers as a space: it becomes a plain space.
_PLAIN: dict[str, Callable[[str], str]] = {
    "comment": lambda _: " ",
    "space": lambda text: text if text.isascii() else " ",
}
_FENCE = "```"
_MARK = re.compile(r"[ \t]*(\w*)")


def one_statement(reply: str) -> str:
    """Return the SQL statement in a model's reply, without a last `;`: its fenced block, or else the whole text.

    Of several blocks, the last that is marked as SQL counts, else the first. Raise `Refused` for a reply without SQL,
    and as `check_text` does.
    """
    blocks = list(fenced(reply))
    marked = [body for tag, body in blocks if tag.lower() in {"sql", *KNOWN}]
    text = marked[-1] if marked else blocks[0][1] if blocks else reply
    text = text.strip().rstrip("; \t\r\n")
    if not text:
        raise Refused("the reply holds no SQL", reply)
    check_text(text)
    return text


def fenced(reply: str) -> Iterator[tuple[str, str]]:
    """Yield the blocks of a reply that are fenced by three backticks, as (tag after the first fence, text).

    A block that is not closed ends with the reply.
    """
    start = reply.find(_FENCE)
    while start >= 0 and (line := reply.find("\n", start)) >= 0:
        end = reply.find(_FENCE, line + 1)
        mark = _MARK.match(reply, start + len(_FENCE))
        yield mark[1] if mark else "", reply[line + 1 : end if end >= 0 else len(reply)]
        start = reply.find(_FENCE, end + len(_FENCE)) if end >= 0 else -1


def check_text(sql: str) -> None:
    """Raise `Refused` for a text of more than `MAX_SQL_BYTES`, or with NUL or half of a surrogate pair in it."""
    try:
        size = len(sql.encode())
    except UnicodeEncodeError:
        raise Refused("the query holds half of a surrogate pair, which is no character") from None
    if size > MAX_SQL_BYTES:
        raise Refused(f"the query has {size:,} bytes; at most {MAX_SQL_BYTES:,} are run")
    if "\0" in sql:
        raise Refused("the query holds a NUL character", sql)


def plain(sql: str, dialect: str) -> str:
    """Return `sql` without comments and without a last `;`.

    Comments are removed because parsers disagree about them, and because the text may be put inside another statement.
    Raise `Refused` unless the text is one statement that reads, without parameters and calls of `ask`, and nested
    within the limits.
    """
    check_text(sql)
    pieces = list(scan(sql, dialect))
    while pieces and (pieces[-1][0] in {"comment", "space"} or pieces[-1][1] == ";"):
        pieces.pop()
    if any("/*" in text[2:] for kind, text in pieces if kind == "comment" and text[0] == "/"):
        raise Refused("the query holds a comment inside a comment", sql)
    words = [text.lower() for kind, text in pieces if kind not in {"comment", "space"}]
    _check_statement(sql, words, {kind for kind, _ in pieces})
    if any(kind == "word" and "$" in text for kind, text in pieces):
        raise Refused("the query holds a name with a dollar sign, which parsers read differently; use quotes", sql)
    if _calls_ask(pieces):
        raise Refused("a generated query may not call ask again", sql)
    _check_depth(sql, words)
    return "".join(_PLAIN.get(kind, str)(text) for kind, text in pieces).strip()


def asks(definition: str) -> bool:
    """Return whether SQL, such as a view's definition, calls `ask` or an `ask_*` function as either engine reads it."""
    return any(_calls_ask(scan(definition, dialect)) for dialect in KNOWN)


def _begins_otherwise(word: str) -> str:
    """Return the error for a statement that begins with a word that no query begins with."""
    return f"a query may only read: it must be one SELECT, and this begins with {word!r}"


def _check_statement(sql: str, words: list[str], kinds: set[str]) -> None:
    """Raise `Refused` unless the text is one statement that only reads and has no parameters."""
    if not words:
        raise Refused("there is no query", sql)
    if words[0] not in READING:
        raise Refused(_begins_otherwise(words[0]), sql)
    if words[0] == "pivot":
        raise Refused("PIVOT cannot be checked; write it with CASE inside aggregates", sql)
    if ";" in words:
        raise Refused("a generated query must be one statement, and this holds several", sql)
    if "parameter" in kinds:
        raise Refused("a generated query may not have parameters", sql)


def _calls_ask(pieces: Iterable[tuple[str, str]]) -> bool:
    """Return whether a `(` follows `ask` or a name that begins with `ask_`."""
    before = ""
    for kind, text in pieces:
        if text == "(" and (before == "ask" or before.startswith("ask_")):
            return True
        if kind not in {"comment", "space"}:
            before = fold(unquote(text)) if kind in {"word", "name"} else ""
    return False


def _check_depth(sql: str, words: list[str]) -> None:
    """Raise `Refused` for too many words, too deep a nesting, or too many prefix operators in a row."""
    if len(words) > MAX_TOKENS:
        raise Refused(f"the query has more than {MAX_TOKENS:,} words", sql)
    depth = prefixes = 0
    for word in words:
        prefixes = prefixes + 1 if word in {"not", "-", "+", "~"} else 0
        if word in {"(", "[", "{", "case"}:
            depth += 1
        elif word in {")", "]", "}", "end"}:
            depth -= 1
        if depth > MAX_NESTING or prefixes > MAX_PREFIXES:
            raise Refused("the query is nested too deeply", sql)


def check_collations(text: str, dialect: Dialect) -> None:
    """Raise `Refused` where a text names a collation that is not built in: the code that a user registered would run.

    SQLite does not ask its authorizer about collations.
    """
    built_in = dialect.collations or frozenset()
    for before, piece in pairwise(token.text for token in tokens(text, dialect.name)):
        name = piece[1:-1] if piece[0] == "'" else unquote(piece)
        if fold(before) == "collate" and fold(name) not in built_in:
            known = ", ".join(sorted(built_in)).upper()
            raise Refused(f"the query names the collation {name!r}; it may name {known}, and columns keep their own")


def check_windows(text: str, dialect: str, most: int) -> None:
    """Raise `Refused` for a text of more than `most` windows. They are counted before anything parses the text."""
    count = sum(token.kind == "word" and token.word == "over" for token in tokens(text, dialect))
    if count > most:
        raise Refused(f"the query has {count:,} windows (OVER), and {most:,} are allowed; compute fewer at once", text)


def parse(text: str, dialect: str) -> exp.Expr:
    """Return the tree of a text that is one query.

    Raise `QueryError` for a text that is not a query; `Refused` for several statements, for too much work to parse, and
    for a text that the engine and sqlglot would split differently, where the engine does not show its own tree.
    """
    try:
        lexed = parsing.tokens(text, dialect)
        alike = not named(dialect).authorizer or _splits_alike(text, lexed, dialect)
        trees = parsing.statements(text, dialect, lexed)
    except parsing.TooComplex as error:
        raise Refused(str(error), text) from None
    except SqlglotError as error:
        raise QueryError(f"the query cannot be read: {_reason(error)}", text) from None
    if not alike:
        raise Refused("the query holds a name or number that parsers read differently; use double quotes", text)
    if len(trees) != 1:
        raise Refused("a generated query must be one statement, and this holds several", text)
    if not isinstance(trees[0], (exp.Query, exp.Values, exp.Summarize, exp.Pivot)):
        first = lexed[0].text.lower() if lexed else ""
        raise QueryError(
            "the query cannot be read as one SELECT" if first in READING else _begins_otherwise(first), text
        )
    return trees[0]


def _splits_alike(text: str, theirs: list[Token], dialect: str) -> bool:
    """Return whether sqlglot's tokens of a text have names and texts at the same places as the engine's.

    Otherwise sqlglot could miss a table, or take something else for one.
    """
    types = {(t.start, t.end + 1): t.token_type for t in theirs}
    spans: dict[str, set[tuple[int, int]]] = {"text": set(), "name": set(), "word": set()}
    edges, end = {0}, 0
    for kind, piece in scan(text, dialect):
        start, end = end, end + len(piece)
        edges.add(end)
        spans.setdefault(kind, set()).add((start, end))
    quoted = spans["text"] | spans["name"]
    foreign = {span for span in spans["word"] if not text[slice(*span)].isascii()}
    return (
        all(start in edges and end in edges for start, end in types)
        and {span for span, kind in types.items() if kind in _QUOTED} <= quoted <= types.keys()
        and foreign <= {span for span, kind in types.items() if kind is TokenType.VAR} <= spans["word"]
    )


# How sqlglot begins its descriptions of errors, and how they are told; what it found there is added in quotes.
_DESCRIPTIONS = {
    "Required keyword": "something is missing at",
    "Invalid expression / Unexpected token": "unexpected",
    "Expected table name": "expected the name of a table at",
}


def _reason(error: SqlglotError) -> str:
    """Return a parser's error in one line of plain words, with its place."""
    facts = getattr(error, "errors", None)
    if not facts:
        return str(error).splitlines()[0]
    described = facts[0]["description"]
    told = next((text for start, text in _DESCRIPTIONS.items() if described.startswith(start)), "")
    told = told or f"{described.partition(' but got <Token')[0].rstrip('.').replace('Expecting', 'expected')} at"
    return f"{told} “{short(facts[0]['highlight'], 40)}” (line {facts[0]['line']}, column {facts[0]['col']})"
