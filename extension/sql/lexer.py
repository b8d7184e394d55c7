"""Split SQL into tokens, as the engines do.

A token is (kind, text). The kinds are comment, text, name (in quotes), space, word, number, sign, and parameter
in SQLite; in DuckDB escaped (`e'…'`) and dollar (`$tag$…$tag$`), which are texts too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from askwhere.sql.dialect import Dialect
from askwhere.sql.dialects import KNOWN, named
from askwhere.sql.identifiers import fold, unquote

# The longest text and the most tokens of a query that is read.
MAX_SQL_BYTES = 50_000
MAX_TOKENS = 20_000

_PLACEHOLDERS = {"text": "?", "number": "?", "dollar": "?", "escaped": "?", "comment": ""}
# Tags that may open or close a text. They may overlap: `$a$b$` holds `$a$` and `$b$`.
_TAGS = re.compile(r"(?=(\$\w*\$))")


class Token(NamedTuple):
    """One token of a text: its kind, its text, and its place."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        """Return the text in lower case, to compare keywords and signs."""
        return self.text.lower()


def tokens(text: str, dialect: str) -> list[Token]:
    """Return the tokens of a text without spaces and comments."""
    lexed, place = [], 0
    for kind, piece in scan(text, dialect):
        if kind not in ("space", "comment"):
            lexed.append(Token(kind, piece, place, place + len(piece)))
        place += len(piece)
    return lexed


def scan(sql: str, dialect: str) -> tuple[tuple[str, str], ...]:
    """Return the tokens of `sql` as (kind, text). Their texts joined are `sql`. The last few texts are cached."""
    return _scanned(sql, named(dialect))


# The guard looks at one text several times, each time from the text alone.
@lru_cache(8)
def _scanned(sql: str, dialect: Dialect) -> tuple[tuple[str, str], ...]:
    if dialect.dollar_texts and "$" in sql:
        return tuple(_scan_dollars(sql, dialect.tokens))
    return tuple((match.lastgroup or "sign", match.group()) for match in dialect.tokens.finditer(sql))


def _scan_dollars(sql: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Yield the tokens of SQL that may hold texts as `$tag$…$tag$`. A `$` whose tag is not closed is a sign."""
    last = {match[1]: match.start() for match in _TAGS.finditer(sql)}
    place = 0
    while match := pattern.match(sql, place):
        kind, text = match.lastgroup or "sign", match.group()
        if kind == "dollar":
            # A tag that does not occur again is not searched for: searching for each would take quadratic time.
            closed = last[text] >= match.end()
            end = sql.index(text, match.end()) + len(text) if closed else place + 1
            kind, text = ("dollar" if closed else "sign"), sql[place:end]
        yield kind, text
        place += len(text)


def without_literals(sql: str, dialect: str) -> str:
    """Return `sql` with `?` in place of each literal, and without comments."""
    return "".join(_PLACEHOLDERS.get(kind, text) for kind, text in scan(sql, dialect))


def literal_texts(sql: str, dialect: str) -> set[str]:
    """Return the contents of the text literals in `sql`, without surrounding `%`, `_` and spaces (patterns of LIKE)."""
    texts = set()
    for kind, text in scan(sql, dialect):
        if kind in ("text", "escaped"):
            texts.add(re.sub(r"\\(.)|'(')", r"\1\2", text[text.index("'") + 1 : -1]))
            texts.add(text[text.index("'") + 1 : -1].replace("''", "'"))
        elif kind == "dollar":
            texts.add(text.split("$", 2)[2].rsplit("$", 2)[0])
    return {text.strip("%_ ") for text in texts} - {""}


def names(sql: str, dialect: str) -> frozenset[str]:
    """Return all words and quoted names in `sql`, folded: every name that it may refer to is among them."""
    return frozenset(fold(unquote(text)) for kind, text in scan(sql, dialect) if kind in {"word", "name"})


def words(sql: str) -> frozenset[str]:
    """Return all words in `sql`, folded: names in any quotes, and words inside texts.

    The text is split as each engine does, so that every name a definition may refer to is among them.
    """
    inside = re.sub(r"[^\w\x80-\U0010ffff]+", " ", sql)
    return frozenset().union(*(names(sql, dialect) for dialect in KNOWN), (fold(word) for word in inside.split()))


def names_alone(sql: str) -> str:
    """Return SQLite SQL with its names in backticks instead of double quotes.

    SQLite reads `"a"` as the text 'a' where there is no column a, which would depend on the statement that the text is
    put into; a name in backticks is always a name.
    """
    return "".join(
        f"`{unquote(text).replace('`', '``')}`" if kind == "name" and text[0] == '"' else text
        for kind, text in scan(sql, "sqlite")
    )
