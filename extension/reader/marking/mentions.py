"""Find words that only parts of texts or names have: "notes that mention cherry", "customers on Mill Road"."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.indexer.values import tokens as words_of
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.values import SMALL
from askwhere.reader.schema.naming import name_columns
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.tokens import Token

MENTIONED = "mentioned"  # the kind of a mark for words of which some texts have more than them
_MENTIONING = frozenset("mention mentions mentioning about regarding concerning".split())
_PLACING = frozenset("on along".split())  # before a part of an address, with a capital
_NAMING = frozenset("called named".split())
_ARTICLES = frozenset("a an the".split())
_MOST = 3  # words that are mentioned
_LOOKED_AT = 5  # values of each column


def mention_marks(
    tokens: tuple[Token, ...], valued: Collection[Mark], catalog: Catalog, values: ValueIndex
) -> Iterator[Mark]:
    """Yield two marks for each run of words that values contain among others: of "mention", and of the words.

    The senses of the second are the columns of these values. `valued` are the marks of days, and of values that are
    said in full.
    """
    in_full = {place for mark in valued for place in range(mark.start, mark.end)}
    for place, token in enumerate(tokens):
        if token.lower not in _MENTIONING | _PLACING | _NAMING:
            continue
        start = place + 1 + (place + 1 < len(tokens) and tokens[place + 1].lower in _ARTICLES)
        if start in in_full or (token.lower in _PLACING and not _begins_with_capital(tokens, start)):
            continue
        for end in range(_end_of_words(tokens, start), start, -1):
            said = " ".join(t.text for t in tokens[start:end])
            if senses := _columns_with(said, catalog, values, names=token.lower in _NAMING):
                yield Mark("like", place, start, 0.9 * (start - place), token.lower, "in")
                yield Mark(MENTIONED, start, end, 1.2 * (end - start), said, senses=senses)
                break


def _begins_with_capital(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether the word at a place is written like a name."""
    return place < len(tokens) and tokens[place].text[:1].isupper()


def _end_of_words(tokens: tuple[Token, ...], start: int) -> int:
    """Return where a run of words that are no small words ends, at most `_MOST` of them."""
    end = start
    while end < min(len(tokens), start + _MOST) and tokens[end].kind == "word" and tokens[end].lower not in SMALL:
        end += 1
    return end


def _columns_with(said: str, catalog: Catalog, values: ValueIndex, names: bool) -> tuple[Sense, ...]:
    """Return the columns of which some value contains words and has more; `names` are those of things alone."""
    words, found = words_of(said), dict[tuple[tuple[str, ...], str], Sense]()
    for match in values.search(said, _LOOKED_AT):
        table, has = catalog.by_path.get(match.table), words_of(match.value)
        if table is None or len(has) <= len(words) or not _contains(has, words):
            continue
        columns = tuple(c for c in (name_columns(table) if names else table.columns) if c.name == match.column)
        if columns:
            found.setdefault((match.table, match.column), Sense(table, columns))
    return tuple(found.values())


def _contains(value: list[str], words: list[str]) -> bool:
    """Return whether a value, as words, contains others in a row."""
    return any(value[at : at + len(words)] == words for at in range(len(value) - len(words) + 1))
