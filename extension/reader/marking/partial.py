"""Find values of which the question says a part: "Homestead" for `Homestead HMO`, "pianos" for all kinds of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from askwhere.engine import Table
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import Match, ValueIndex
from askwhere.indexer.values import tokens as words_of
from askwhere.indexer.word_forms import singular
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.values import FEW
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.naming import name_columns
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.nearness import is_english
from askwhere.reader.words.phrases import LINKING, WORD
from askwhere.reader.words.tokens import Token, stem

_MOST, _LONGEST = 3, 6  # words that are said, and words of a value
_SHORTEST = 2  # letters
_LOOKED_AT = 4  # values of each column
_LEAST_KINDS = 2
_SCORE = 0.8  # of such a sense, where a value that is said in full has 1


def partial_marks(
    tokens: tuple[Token, ...], valued: Collection[Mark], catalog: Catalog, values: ValueIndex, lexicon: Lexicon
) -> Iterator[Mark]:
    """Yield a mark for each run of words like a name with which one value begins or ends, and only one of all.

    `valued` are the marks of values that are said in full. Words that name something else are no part of a value.
    """
    covered = {place for mark in valued for place in range(mark.start, mark.end)}
    free = [_may_be_part(tokens, place, lexicon) and place not in covered for place in range(len(tokens))]
    place = 0
    while place < len(tokens):
        end = place
        while end < len(tokens) and end - place < _MOST and free[end]:
            end += 1
        said = " ".join(t.text for t in tokens[place:end])
        match = _only_match(said, catalog, values) if end > place else None
        if match and (not said.islower() or _is_name(match, catalog.by_path[match.table])):
            yield _mark(tokens, place, end, match, catalog)
        place = max(end, place + 1)


def kind_marks(
    tokens: tuple[Token, ...], valued: Collection[Mark], catalog: Catalog, values: ValueIndex, lexicon: Lexicon
) -> Iterator[Mark]:
    """Yield a mark for each noun with which several kinds of one column end, and no other value.

    "Pianos" are all of `Upright piano` and `Grand piano`. `valued` are the marks of values that are said in full.
    """
    covered = {place for mark in valued for place in range(mark.start, mark.end)}
    for place, token in enumerate(tokens):
        if place in covered or not _may_be_noun(token, lexicon):
            continue
        said = " ".join({token.lower, singular(token.lower), f"{token.lower}s"})
        near = [m for m in values.search(said, FEW) if _ends_in(words_of(m.value), token)]
        columns = {(m.table, m.column) for m in near}
        table = catalog.by_path.get(near[0].table) if near else None
        if table is None or len(columns) != 1 or len(near) < _LEAST_KINDS or near[0].many > FEW:
            continue
        own = tuple(c for c in table.columns if c.name == near[0].column)
        found = tuple(sorted(m.value for m in near))
        note = f"“{token.lower}” is taken for {', '.join(map(repr, found))} in {table.name}.{near[0].column}"
        yield Mark("value", place, place + 1, 0.9, token.text, "", (Sense(table, own, _SCORE, found, note),))


def _ends_in(value: list[str], token: Token) -> bool:
    """Return whether a value of several words ends in a word, in the singular or plural."""
    return 1 < len(value) <= _LONGEST and stem(value[-1]) == token.stem


def _may_be_noun(token: Token, lexicon: Lexicon) -> bool:
    """Return whether a word in small letters names nothing in the schema, and is no operator and no verb."""
    known = (token.lower,) in WORD or (token.stem,) in WORD or bool({token.lower, token.stem} & LINKING)
    return (
        token.kind == "word"
        and token.text.islower()
        and len(token.text) > _SHORTEST
        and not (known or lexicon.find((token.stem,)))
    )


def _may_be_part(tokens: tuple[Token, ...], place: int, lexicon: Lexicon) -> bool:
    """Return whether a word is written like a name, or is no English word, and names nothing in the schema.

    A word of two letters is a name within a question only, "Jo"; capitals alone are initials, "UK".
    """
    token = tokens[place]
    capital = token.text[:1].isupper() and len(token.text) >= _SHORTEST
    capital = capital and (len(token.text) > _SHORTEST or (place > 0 and token.text.istitle()))
    named = token.kind == "word" and (capital or _is_strange(token))
    return named and (token.lower,) not in WORD and not lexicon.find((token.stem,))


def _is_strange(token: Token) -> bool:
    """Return whether a word in small letters is no English word, and so is rather a name: "visits by gary"."""
    return token.text.islower() and len(token.text) > _SHORTEST and not is_english(token.stem)


def _only_match(said: str, catalog: Catalog, values: ValueIndex) -> Match | None:
    """Return the only value, a name or one of few, that begins or ends with some words; None where several do."""
    words = words_of(said)
    near = [m for m in values.search(said, _LOOKED_AT) if not _is_address(m.value)]
    found = [m for m in near if words and _has_part(words_of(m.value), words)]
    named = [m for m in found if (table := catalog.by_path.get(m.table)) and (m.many <= FEW or _is_name(m, table))]
    return named[0] if len({(m.table, m.column, m.value) for m in found}) == len(named) == 1 else None


def _is_address(value: str) -> bool:
    """Return whether a value is an address of mail or of the web, in which people's names stand, too."""
    return " " not in value and ("@" in value or "://" in value or value.startswith("www."))


def _has_part(value: list[str], words: list[str]) -> bool:
    """Return whether a value, as words, begins or ends with others and has more."""
    size = len(words)
    return size < len(value) <= _LONGEST and words in (value[:size], value[-size:])


def _is_name(match: Match, table: Table) -> bool:
    """Return whether a value is the name of a row of its table."""
    return match.column in {c.name for c in name_columns(table)}


def _mark(tokens: tuple[Token, ...], start: int, end: int, match: Match, catalog: Catalog) -> Mark:
    """Return the mark of words that are a part of a value, with a note that says which."""
    table = catalog.by_path[match.table]
    columns = tuple(c for c in table.columns if c.name == match.column)
    text = " ".join(t.text for t in tokens[start:end])
    note = f"“{text}” is taken for {match.value!r} in {table.name}.{match.column}"
    sense = Sense(table, columns, _SCORE, match.value, note)
    return Mark("value", start, end, 0.9 * (end - start), text, "", (sense,))
