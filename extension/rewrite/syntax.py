"""Repair texts that do not parse: prose around a query, a missing quote or parenthesis, a misspelt keyword."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise

from askwhere.guard.statement import fenced
from askwhere.pipeline.replies import BEGINS
from askwhere.rewrite.repairs import CHANGE, TOGETHER, Known, Repair, near
from askwhere.sql import spans
from askwhere.sql.dialects import named
from askwhere.sql.identifiers import fold, quote
from askwhere.sql.lexer import Token, tokens
from askwhere.sql.literals import quoted
from askwhere.sql.spans import WORDS, Edit

# The most places where a missing sign is tried.
PLACES = 200
# The most words that are read as one name.
MOST_WORDS = 5

_QUERY = re.compile(r"\s*\(*\s*(?:select|with)\b", re.IGNORECASE)
_PROMPT = re.compile(r"\A\s*(?:sqlite>|duckdb>|D|sql>|\w*[=-]?[#>])\s+(?=(?:select|with)\b)", re.IGNORECASE)
_CURLY = re.compile(
    r"""'(?:[^']|'')*' | "(?:[^"]|"")*" | \u2018(?P<text>[^\u2018\u2019]*)\u2019
    | [\u201c\u201d](?P<name>[^\u201c\u201d]*)[\u201c\u201d]""",
    re.VERBOSE,
)


def unwrapped(sql: str) -> str:
    """Return the query without what surrounds it: a fence, a shell's prompt, prose before or after it.

    Nothing that could be SQL is dropped; in doubt the text is unchanged.
    """
    blocks = [text for _, text in fenced(sql)] if sql.count("```") in (1, 2) else []
    text = _PROMPT.sub("", blocks[0].rstrip() if blocks else sql)
    return _without_end(_without_start(text))


def straight(sql: str) -> str:
    """Return the text with curly quotes as SQL writes them; those inside texts and names stay.

    >>> straight("SELECT \\u2018it\\u2019")
    "SELECT 'it'"
    """

    def plain(match: re.Match[str]) -> str:
        if match["text"] is not None:
            return quoted(match["text"])
        return quote(match["name"]) if match["name"] is not None else match[0]

    return _CURLY.sub(plain, sql)


def words(sql: str, known: Known) -> Iterator[Repair]:
    """Yield repairs of words: several for one name, reserved words as names, numbers as qualifiers, misspellings."""
    lexed = tokens(sql, known.dialect)
    yield from together(sql, known)
    yield from reserved(sql, known)
    yield from numbered(sql, known)
    yield from _keywords(lexed)


def signs(sql: str, known: Known) -> Iterator[Repair]:
    """Yield repairs of signs that are missing or superfluous: parentheses and quotes."""
    lexed = tokens(sql, known.dialect)
    yield from _parentheses(lexed)
    yield from _quotes(sql, lexed)


def reserved(sql: str, known: Known) -> Iterator[Repair]:
    """Yield repairs that quote a reserved word which is the name of a table or column."""
    names = _names(known)
    for token in tokens(sql, known.dialect):
        if token.kind == "word" and token.word in named(known.dialect).keywords and token.word in names:
            new = quote(token.text)
            yield Repair((Edit(token.start, token.end, new),), CHANGE, f"{token.text} → {new}")


def together(sql: str, known: Known) -> Iterator[Repair]:
    """Yield repairs of words side by side which together are the name of a table or column.

    `FROM Order Details` is read as a table with an alias where "Order Details" is meant, or order_details.
    """
    names = {_compact(name): name for name in _names(known).values()}
    lexed = tokens(sql, known.dialect)
    for first, last in ((i, j) for i in range(len(lexed)) for j in range(i + 1, min(i + MOST_WORDS, len(lexed)))):
        pieces = lexed[first : last + 1]
        name = names.get("".join(_compact(piece.text) for piece in pieces))
        if name and all(piece.kind == "word" for piece in pieces):
            start, end = pieces[0].start, pieces[-1].end
            new = named(known.dialect).written(name)
            yield Repair((Edit(start, end, new),), TOGETHER, f"{sql[start:end]} → {new}")


def _compact(name: str) -> str:
    return re.sub(r"[\s_]+", "", fold(name))


def _names(known: Known) -> dict[str, str]:
    """Return the names of tables and columns, by their folded form."""
    names = [name for t in known.catalog.tables for name in (t.name, *(c.name for c in t.columns))]
    return {fold(name): name for name in reversed(names)}


def _without_start(text: str) -> str:
    """Return the text without lines of prose before the first line that begins a query."""
    for place, line in spans.lines(text):
        if _QUERY.match(line):
            head = text[:place]
            return text if _may_be_sql(head, WORDS) or not head.strip() else text[place:]
    return text


def _without_end(text: str) -> str:
    """Return the text without prose after the query's semicolon or after an empty line."""
    lexed = tokens(text, "duckdb")
    ends = [token.end for token in lexed if token.text == ";"]
    ends += [match.start() for match in re.finditer(r"\n[ \t]*\n", text) if not _inside(lexed, match.start())]
    for end in sorted(ends):
        tail = text[end:]
        if tail.strip(" \t\r\n;") and not _may_be_sql(tail, (*WORDS, *_misspelt(tail))):
            return text[:end].rstrip()
    return text


def _inside(lexed: list[Token], place: int) -> bool:
    return any(token.start < place < token.end for token in lexed)


def _may_be_sql(text: str, keywords: Collection[str]) -> bool:
    """Return whether a text could belong to a query or be another statement; if so, it is not dropped."""
    if set(text) & set("=<>*()'\"`"):
        return True
    return any(w.startswith("--") or BEGINS.match(f"{w} ") or w.lower() in keywords for w in _first_words(text))


def _misspelt(text: str) -> list[str]:
    """Return the first words of lines and statements that may be misspelt keywords."""
    return [w.lower() for w in _first_words(text) if near(w, (k for k in WORDS if len(k) > 3))]


def _first_words(text: str) -> list[str]:
    return [part.split()[0].strip(",.:") for part in re.split(r"[\n;]", text) if part.split()]


def numbered(sql: str, known: Known) -> Iterator[Repair]:
    """Yield repairs of a number used as a qualifier, such as `2.name` for `t2.name`."""
    lexed = tokens(sql, known.dialect)
    qualifiers = dict.fromkeys(a.text for a, b in pairwise(lexed) if a.kind == "word" and b.text == ".")
    for number, name in pairwise(lexed):  # the point belongs to the number
        if number.kind == "number" and number.text[-1] == "." and name.kind == "word" and number.end == name.start:
            for slips, new in near(number.text[:-1], qualifiers):
                yield Repair((Edit(number.start, number.end, f"{new}."),), slips, f"{number.text} → {new}.")


def _keywords(lexed: list[Token]) -> Iterator[Repair]:
    """Yield repairs of words that are nearly keywords."""
    for token in lexed:
        if token.kind != "word" or token.word in WORDS or BEGINS.match(token.text + " "):
            continue
        for slips, keyword in near(token.text, WORDS) if len(token.text) > 2 else ():
            new = keyword.upper() if token.text.isupper() or not token.text.islower() else keyword
            yield Repair((Edit(token.start, token.end, new),), slips, f"{token.text} → {new}")


def _parentheses(lexed: list[Token]) -> Iterator[Repair]:
    """Yield repairs with one parenthesis more or less, in each place where it may be."""
    brackets = [t for t in lexed if t.kind == "sign" and t.text in "()"]
    missing = sum(1 if t.text == "(" else -1 for t in brackets)
    if missing < 0:
        for token in brackets:
            if token.text == ")":
                yield Repair((Edit(token.start, token.end, ""),), CHANGE, "one ) less")
    elif missing == 1 and len(lexed) <= PLACES:
        opened = _first_open(brackets)
        for token in reversed(lexed):
            if token.start > opened:
                yield Repair((Edit(token.end, token.end, ")"),), CHANGE, f") after {token.text}")
    elif missing > 1:
        yield Repair(
            (Edit(lexed[-1].end, lexed[-1].end, ")" * missing),), CHANGE * missing, f"{')' * missing} at the end"
        )


def _first_open(brackets: list[Token]) -> int:
    """Return where the outermost parenthesis opens that is never closed."""
    waiting: list[int] = []
    for token in brackets:
        if token.text == "(":
            waiting.append(token.start)
        elif waiting:
            waiting.pop()
    return waiting[0] if waiting else 0


def _quotes(sql: str, lexed: list[Token]) -> Iterator[Repair]:
    """Yield repairs that close the only open quote, at each place where it may end."""
    unclosed = [t for t in lexed if t.text in ("'", '"', "`")]
    if len(unclosed) != 1:
        return
    opened = unclosed[0]
    ends = {end for m in re.finditer(r"\S+", sql) for end in (m.end(), m.start() + len(m[0].rstrip(");")))}
    for end in sorted(end for end in ends if end > opened.end)[:PLACES]:
        change = f"a {opened.text} after {sql[opened.end : end]}"
        yield Repair((Edit(end, end, opened.text),), CHANGE, change)
