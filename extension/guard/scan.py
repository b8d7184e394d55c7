"""Remove comments, count statements and bound nesting before a parser reads a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from askwhere.errors import Refused
from askwhere.sql.dialects import KNOWN
from askwhere.sql.identifiers import fold, unquote
from askwhere.sql.lexer import MAX_SQL_BYTES, MAX_TOKENS, scan

# Levels of parentheses, brackets and CASE. DuckDB 2.0 stops at 1000, sqlglot and SQLite much earlier; people and models
# stay below 20.
MAX_NESTING = 100
MAX_PREFIXES = 20  # of NOT, -, + and ~ before one another

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
    tokens = list(scan(sql, dialect))
    while tokens and (tokens[-1][0] in {"comment", "space"} or tokens[-1][1] == ";"):
        tokens.pop()
    if any("/*" in text[2:] for kind, text in tokens if kind == "comment" and text[0] == "/"):
        raise Refused("the query holds a comment inside a comment", sql)
    words = [text.lower() for kind, text in tokens if kind not in {"comment", "space"}]
    _check_statement(sql, words, {kind for kind, _ in tokens})
    if any(kind == "word" and "$" in text for kind, text in tokens):
        raise Refused("the query holds a name with a dollar sign, which parsers read differently; use quotes", sql)
    if _calls_ask(tokens):
        raise Refused("a generated query may not call ask again", sql)
    _check_depth(sql, words)
    return "".join(_PLAIN.get(kind, str)(text) for kind, text in tokens).strip()


def asks(definition: str) -> bool:
    """Return whether SQL, such as a view's definition, calls `ask` or an `ask_*` function as either engine reads it."""
    return any(_calls_ask(scan(definition, dialect)) for dialect in KNOWN)


def _check_statement(sql: str, words: list[str], kinds: set[str]) -> None:
    """Raise `Refused` unless the words are those of one statement that reads, without parameters."""
    if not words:
        raise Refused("there is no query", sql)
    if words[0] not in READING:
        raise Refused(f"a generated query may only read: it must be one SELECT, and this begins with {words[0]!r}", sql)
    if words[0] == "pivot":
        raise Refused("PIVOT cannot be checked; write it with CASE inside aggregates", sql)
    if ";" in words:
        raise Refused("a generated query must be one statement, and this holds several", sql)
    if "parameter" in kinds:
        raise Refused("a generated query may not have parameters", sql)


def _calls_ask(tokens: Iterable[tuple[str, str]]) -> bool:
    """Return whether a `(` follows `ask` or a name that begins with `ask_`."""
    before = ""
    for kind, text in tokens:
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
