"""Find which words of a question refer to which names and values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from askwhere.engine import Table
from askwhere.indexer.values import Match, tokens
from askwhere.indexer.word_forms import split_capitals
from askwhere.pages.facts import Columns, Link
from askwhere.sql import parsing
from askwhere.sql.literals import quoted
from sqlglot import exp

# (table, column) in lower case, with column '' for a table itself.
Used = frozenset[tuple[str, str]]


class QuestionWords:
    """A question's words with their spans in the text."""

    def __init__(self, question: str) -> None:
        from askwhere.indexer import matching  # loads numpy

        self.text = question
        pieces = [(piece.span(), tokens(piece[0])) for piece in re.finditer(r"\w+", question)]
        self.words = [word for _, words in pieces for word in words]
        self.places = [span for span, words in pieces for _ in words]
        self.whole = matching.SearchedText(tuple(self.words))

    def run(self, words: Sequence[str]) -> tuple[tuple[int, int], str] | None:
        """Return the span of the shortest run of the question's words that matches `words`, and 'exact' or 'near'.

        None where no run matches.
        """
        from askwhere.indexer import matching  # loads numpy

        n = len(words)
        for i in range(len(self.words) - n + 1):
            if n and self.words[i : i + n] == list(words) and not matching.STOP_WORDS.issuperset(words):
                return self._span(i, i + n), "exact"
        if not matching.is_near(words, self.whole):
            return None
        for size in range(1, max(n + 1, 5) + 1):
            for i in range(len(self.words) - size + 1):
                if matching.is_near(words, matching.SearchedText(tuple(self.words[i : i + size]))):
                    return self._span(i, i + size), "near"
        return None

    def any_of(self, names: Iterable[str]) -> tuple[int, int] | None:
        """Return the span of the first name that the question contains; None if it contains none of them."""
        runs = (self.run(_words(name)) for name in names)
        return next((run[0] for run in runs if run), None)

    def shared(self, words: Iterable[str]) -> tuple[tuple[int, int], ...]:
        """Return the spans of the question's words that are among `words`."""
        sought = set(words)
        return tuple(sorted({p for p, word in zip(self.places, self.words, strict=True) if word in sought}))

    def _span(self, i: int, j: int) -> tuple[int, int]:
        return self.places[i][0], self.places[j - 1][1]


def links(question: str, matches: Iterable[Match], tables: Sequence[Table], used: Used, sql: str) -> tuple[Link, ...]:
    """Return the question's links to names and values; those that the query `sql` uses come first.

    `used` are the tables and columns of that query. Columns count only in tables that the question or the query names.
    """
    asked = QuestionWords(question)
    linked = [*_names(asked, tables, used), *_values(asked, matches, sql)]
    order = ("exact", "near", "name", "part")
    return tuple(sorted(linked, key=lambda link: (not link.used, order.index(link.how), link.spans)))


def tables_shown(tables: Sequence[Table], links_shown: Iterable[Link], used: Used) -> tuple[Columns, ...]:
    """Return the tables that the query uses, then those that only the question names, each with its columns."""
    named = {link.table for link in links_shown if link.how == "name" and not link.column}
    kept = [t for t in tables if (t.name.lower(), "") in used] + [
        t for t in tables if t.name in named and (t.name.lower(), "") not in used
    ]
    return tuple(
        Columns(
            t.name,
            tuple(c.name for c in t.columns),
            tuple(c.name for c in t.columns if (t.name.lower(), c.name.lower()) in used),
            (t.name.lower(), "") in used,
        )
        for t in kept
    )


def used_in(sql: str, dialect: str) -> Used:
    """Return the tables and columns that a query names. A column without its table counts for each of its tables."""
    tree = parsing.parsed(sql, dialect)
    if tree is None:
        return frozenset()
    tables = list(tree.find_all(exp.Table))
    by_alias = {t.alias_or_name.lower(): t.name.lower() for t in tables}
    used = {(name, "") for name in by_alias.values()}
    for column in tree.find_all(exp.Column):
        owner = by_alias.get(column.table.lower())
        used |= {(name, column.name.lower()) for name in ([owner] if owner else by_alias.values())}
    return frozenset(used)


def _names(asked: QuestionWords, tables: Sequence[Table], used: Used) -> Iterator[Link]:
    """Yield the links to names and synonyms of tables and columns."""
    for table in tables:
        own = asked.any_of((table.name, *table.synonyms))
        if own is None and (table.name.lower(), "") not in used:
            continue
        named = [("", own), *((c.name, asked.any_of((c.name, *c.synonyms))) for c in table.columns)]
        for name, span in named:
            if span:
                in_sql = (table.name.lower(), name.lower()) in used
                yield Link(asked.text[slice(*span)], "name", table.name, name, None, (span,), in_sql)


def _values(asked: QuestionWords, matches: Iterable[Match], sql: str) -> Iterator[Link]:
    """Yield the links to values; one counts as used if the query has it as a literal."""
    from askwhere.indexer import matching  # loads numpy

    for match in matches:
        words = tokens(match.value)
        in_sql = quoted(match.value) in sql
        run = asked.run(words)
        if run:
            span, how = run
            yield Link(asked.text[slice(*span)], how, match.table[-1], match.column, match.value, (span,), in_sql)
        elif spans := asked.shared(w for w in words if w not in matching.STOP_WORDS):
            shared = " ".join(asked.text[slice(*span)] for span in spans)
            yield Link(shared, "part", match.table[-1], match.column, match.value, spans, in_sql)


def _words(name: str) -> list[str]:
    """Return the words of a name, also of one written `inOneWord`."""
    return tokens(split_capitals(name).replace("_", " "))
