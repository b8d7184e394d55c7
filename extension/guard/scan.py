"""SQL as tokens: enough to take comments away, count statements and bound nesting before any parser sees the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from askwhere.errors import Refused

MAX_SQL_BYTES = 50_000
MAX_TOKENS = 20_000
# DuckDB 2.0 stops at 1000 by itself, sqlglot and SQLite much earlier; people and models stay below 20.
MAX_NESTING = 100
MAX_PREFIXES = 20

READING = frozenset({"select", "with", "values", "from", "table", "summarize", "unpivot", "pivot", "("})

_COMMON = r"""
    (?P<comment> --[^\n]* | /\*.*?(?:\*/|\Z) )
  | (?P<text> [xX]?'(?:[^']|'')*' )
  | (?P<name> "(?:[^"]|"")*" %s )
  | (?P<space> [\s\ufeff]+ )
  | (?P<word> (?: [a-zA-Z_] | [^\x00-\x7f] ) (?: \w | [^\x00-\x7f\s\ufeff] )* )
  | (?P<number> [0-9]\w* )
  | (?P<sign> . )
"""
_FLAGS = re.DOTALL | re.VERBOSE
_TOKENS = {
    "sqlite": re.compile(
        r"(?P<parameter> \? | [$@:\#]\w+ ) |" + _COMMON % r"| `(?:[^`]|``)*` | \[[^\]]*(?:\]|\Z)", _FLAGS
    ),
    "duckdb": re.compile(
        r"(?P<escaped> [eE]'(?:[^'\\]|\\.|'')*' ) | (?P<dollar> \$\w*\$ ) |" + _COMMON % "",
        _FLAGS,
    ),
}
# SQLite reads a space that is not ASCII as a letter, other parsers do not.
_PLAIN: dict[str, Callable[[str], str]] = {
    "comment": lambda _: " ",
    "space": lambda text: text if text.isascii() else " ",
}
_UNSAID = {"text": "?", "number": "?", "dollar": "?", "escaped": "?", "comment": ""}
# What may open or close a text in DuckDB; in `$a$b$` the same sign ends one and begins the next.
_TAGS = re.compile(r"(?=(\$\w*\$))")
_FENCE = "```"
_MARK = re.compile(r"[ \t]*(\w*)")


def one_statement(reply: str) -> str:
    """The SQL statement in a model's reply: its fenced block if there is one, else the whole text, without a last `;`.

    Of several blocks the last that is marked as SQL counts, else the first. Raises `Refused` when there is no SQL, when
    it is longer than `MAX_SQL_BYTES`, or when it holds characters that no SQL text can.
    """
    blocks = list(fenced(reply))
    marked = [body for tag, body in blocks if tag.lower() in {"sql", "sqlite", "duckdb"}]
    text = marked[-1] if marked else blocks[0][1] if blocks else reply
    text = text.strip().rstrip("; \t\r\n")
    if not text:
        raise Refused("the reply holds no SQL", reply)
    check_text(text)
    return text


def fenced(reply: str) -> Iterator[tuple[str, str]]:
    """Each block of a reply between lines that begin with three backticks: what it is marked as, and what it holds."""
    start = reply.find(_FENCE)
    while start >= 0 and (line := reply.find("\n", start)) >= 0:
        end = reply.find(_FENCE, line + 1)
        mark = _MARK.match(reply, start + len(_FENCE))
        yield mark[1] if mark else "", reply[line + 1 : end if end >= 0 else len(reply)]
        start = reply.find(_FENCE, end + len(_FENCE)) if end >= 0 else -1


def check_text(sql: str) -> None:
    """Raises `Refused` for a text that is too long, or holds NUL or half a character."""
    try:
        size = len(sql.encode())
    except UnicodeEncodeError:
        raise Refused("the query holds half of a surrogate pair, which is no character") from None
    if size > MAX_SQL_BYTES:
        raise Refused(f"the query has {size:,} bytes; at most {MAX_SQL_BYTES:,} are run")
    if "\0" in sql:
        raise Refused("the query holds a NUL character", sql)


def plain(sql: str, dialect: str) -> str:
    """`sql` without comments and a last `;`. Raises `Refused` unless it is one reading statement of bounded depth.

    Comments go because parsers disagree about them, and because the text may be put inside another statement.
    """
    check_text(sql)
    tokens = list(scan(sql, dialect))
    while tokens and (tokens[-1][0] in {"comment", "space"} or tokens[-1][1] == ";"):
        tokens.pop()
    if any("/*" in text[2:] for kind, text in tokens if kind == "comment" and text[0] == "/"):
        raise Refused("the query holds a comment inside a comment", sql)
    words = [text.lower() for kind, text in tokens if kind not in {"comment", "space"}]
    _check_statement(sql, words, {kind for kind, _ in tokens})
    if _calls_ask(tokens):
        raise Refused("a generated query may not call ask again", sql)
    _check_depth(sql, words)
    return "".join(_PLAIN.get(kind, str)(text) for kind, text in tokens).strip()


def scan(sql: str, dialect: str) -> Iterator[tuple[str, str]]:
    """The tokens of `sql` as (kind, text), in order and without loss."""
    if dialect == "duckdb" and "$" in sql:
        yield from _scan_dollars(sql)
    else:
        for match in _TOKENS[dialect].finditer(sql):
            yield match.lastgroup or "sign", match.group()


def _scan_dollars(sql: str) -> Iterator[tuple[str, str]]:
    """The tokens of a text of DuckDB's that may hold `$tag$texts$tag$`; an opening that nothing closes is a sign."""
    last = {match[1]: match.start() for match in _TAGS.finditer(sql)}
    place = 0
    while match := _TOKENS["duckdb"].match(sql, place):
        kind, text = match.lastgroup or "sign", match.group()
        if kind == "dollar":
            # Looked for only where it is known to be: else each opening would be looked for through the whole text.
            closed = last[text] >= match.end()
            end = sql.index(text, match.end()) + len(text) if closed else place + 1
            kind, text = ("dollar" if closed else "sign"), sql[place:end]
        yield kind, text
        place += len(text)


def without_literals(sql: str, dialect: str) -> str:
    """`sql` with `?` for each literal, and without comments."""
    return "".join(_UNSAID.get(kind, text) for kind, text in scan(sql, dialect))


def literal_texts(sql: str, dialect: str) -> set[str]:
    """What the text literals in `sql` hold, however they are quoted; of a pattern of LIKE, what it looks for."""
    found = set()
    for kind, text in scan(sql, dialect):
        if kind in ("text", "escaped"):
            found.add(re.sub(r"\\(.)|'(')", r"\1\2", text[text.index("'") + 1 : -1]))
            found.add(text[text.index("'") + 1 : -1].replace("''", "'"))
        elif kind == "dollar":
            found.add(text.split("$", 2)[2].rsplit("$", 2)[0])
    return {text.strip("%_ ") for text in found} - {""}


def names(sql: str, dialect: str) -> frozenset[str]:
    """All words and quoted names in `sql`, folded: what it may speak of."""
    return frozenset(fold(unquote(text)) for kind, text in scan(sql, dialect) if kind in {"word", "name"})


def words(sql: str) -> frozenset[str]:
    """All names and words in `sql`, folded, in whatever quotes they stand, also as part of a text.

    Read as either engine would read it: whatever a definition may mean is among them.
    """
    inside = re.sub(r"[^\w\x80-\U0010ffff]+", " ", sql)
    return names(sql, "sqlite") | names(sql, "duckdb") | {fold(word) for word in inside.split()}


def names_alone(sql: str) -> str:
    """SQLite text whose names cannot be read as texts: in backticks, as `"a"` means the text a where no column does.

    What such a name means would depend on the statement that the text is put into.
    """
    return "".join(
        f"`{unquote(text).replace('`', '``')}`" if kind == "name" and text[0] == '"' else text
        for kind, text in scan(sql, "sqlite")
    )


def asks(definition: str) -> bool:
    """Whether SQL (a view's, say) calls `ask` or one of the `ask_*` functions, read as either engine would."""
    return any(_calls_ask(scan(definition, dialect)) for dialect in _TOKENS)


def unquote(name: str) -> str:
    """A name as the engine reads it, without its quotes."""
    if name[:1] in {'"', "`"} and len(name) > 1:
        return name[1:-1].replace(name[0] * 2, name[0])
    return name[1:-1] if name[:1] == "[" else name


def fold(name: str) -> str:
    """A name to compare by: both engines ignore the case of ASCII letters and of no others."""
    return name.lower() if name.isascii() else "".join(ch.lower() if ch.isascii() else ch for ch in name)


def _check_statement(sql: str, words: list[str], kinds: set[str]) -> None:
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
    before = ""
    for kind, text in tokens:
        if text == "(" and (before == "ask" or before.startswith("ask_")):
            return True
        if kind not in {"comment", "space"}:
            before = fold(unquote(text)) if kind in {"word", "name"} else ""
    return False


def _check_depth(sql: str, words: list[str]) -> None:
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
