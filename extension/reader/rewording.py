"""Say a question that is refused in other words: a near name or value for an unknown word, the full name for a word
that may mean several, or its parts in another order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from askwhere.engine import Column, Table
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.reader.lexicon import Lexicon, Sense, spoken
from askwhere.reader.marks import Mark
from askwhere.reader.names import cut_name
from askwhere.reader.refining import Meaning
from askwhere.reader.tokens import Token, stem
from rapidfuzz import fuzz, process

_SHORTEST = 4  # letters; too many shorter names are similar to each other
_LONGEST_VALUE = 60  # characters of a value that a message names
_NAMES = 5_000  # of which the ones spelled like a word are looked for
_LIKE, _LIKE_VALUE = 72, 80  # how alike in spelling, of 100 (`fuzz.ratio`)
_RIVAL = 0.1  # by how much a sense may fit less than the one that was taken, and compete with it
_WORDS = re.compile(r"[\w .&/-]+")


@dataclass(frozen=True)
class Other:
    """A question with `instead` in the place of the words `word`, which stand for a table, a column or a value.

    `shown` names that for a message. `table` and `column` are set for what the word could be made a synonym of.
    """

    text: str
    word: str
    instead: str
    shown: str = ""
    table: Table | None = None
    column: Column | None = None


def replaced(
    text: str,
    tokens: tuple[Token, ...],
    unknown: Iterable[Mark],
    lexicon: Lexicon,
    catalog: Catalog,
    values: ValueIndex,
) -> Iterator[Other]:
    """Yield the question with a near value or name for each unknown word: by spelling first, then by meaning."""
    for mark in unknown:
        word = mark.text
        for value, shown in _values_like(values, word):
            yield Other(_with(text, tokens, mark, value), word, value, shown)
        for name, sense in _named_like(word, lexicon, catalog):
            if name.lower() != word.lower():
                column = sense.columns[0] if sense.columns else None
                yield Other(_with(text, tokens, mark, name), word, name, spoken(sense), sense.table, column)


def competing(text: str, tokens: tuple[Token, ...], meaning: Meaning) -> tuple[Other, ...]:
    """Return the question with the full name of each of two tables or columns that one of its words may mean.

    `meaning` is that of its best reading. There are none where no two fit about equally well.
    """
    for mark in meaning.way.marks:
        senses = sorted((s for s in mark.senses if s.value is None), key=lambda s: -s.score)
        best = [s for s in senses if s.score >= senses[0].score - _RIVAL]
        if mark.kind in ("table", "column") and len(best) == 2 and len(best[0].columns) == len(best[1].columns) <= 1:
            return tuple(Other(_with(text, tokens, mark, _in_full(s)), mark.text, _in_full(s), spoken(s)) for s in best)
    return ()


# "Orders in May, how many?"; "orders in May: number and date", "orders in May - show the number and the date"
_HOW_MANY = re.compile(r"(?i)(.+?)[,:-]\s*how many(?: (?:are|were) there)?\s*[?.]*\Z")
_SHOWN = re.compile(
    r"(?i)(.+?)(?::|\s[-\u2013\u2014]|[?.]|,(?= (?:show|list|give)))\s+"
    r"(?:(?:please )?(?:show|list|give)(?: me)? )?([^:?]+?)(?: please)?[?.]*\Z"
)
_OPENING = re.compile(r"(?i)(?:and|but|or|what|which|who|how|where|when|why|is|are|was|were|do|does|did|if|for)\b")
_ASKING = re.compile(r"(?i)(?:show|list|give)(?: me)? ")


def moved(text: str) -> Iterator[str]:
    """Yield the question with what it says last of what to show in front.

    >>> list(moved("orders in May, how many?")), list(moved("orders in May: number and date"))
    (['how many orders in May'], ['number and date of orders in May'])
    """
    if found := _HOW_MANY.match(text):
        yield f"how many {found[1]}"
    elif (found := _SHOWN.match(text)) and not (_OPENING.match(found[2]) or _OPENING.match(found[1])):
        yield f"{found[2]} of {_ASKING.sub('', found[1], count=1)}"


def _with(text: str, tokens: tuple[Token, ...], mark: Mark, instead: str) -> str:
    """Return a text with other words in the place of a mark's; as a quotation if they have signs."""
    start, end = tokens[mark.start].start, tokens[mark.end - 1].end
    said = instead if _WORDS.fullmatch(instead) else '"' + instead.replace('"', "") + '"'
    return " ".join(f"{text[:start]}{said}{text[end:]}".split())


def _words_of(sense: Sense) -> str:
    """Return a name in words: of the column, or of the table."""
    return " ".join(cut_name(sense.column.name if sense.columns else sense.table.name))


def _in_full(sense: Sense) -> str:
    """Return the name of a column with its table's before it, in words, or of a table."""
    own = cut_name(sense.table.name)
    rest = cut_name(sense.column.name) if sense.columns else []
    return " ".join([*own, *(rest[len(own) :] if rest[: len(own)] == own and rest != own else rest)])


def _named_like(word: str, lexicon: Lexicon, catalog: Catalog) -> Iterator[tuple[str, Sense]]:
    """Yield names that are near to a word, with what they name: by spelling, then by meaning of one of their words."""
    named: dict[str, tuple[str, Sense]] = {}
    for table in catalog.tables:
        for sense in (Sense(table), *(Sense(table, (c,)) for c in table.columns)):
            for name in (_words_of(sense), *((sense.column if sense.columns else table).synonyms)):
                named.setdefault(name.lower(), (name, sense))
    long_enough = [name for name in named if len(name) >= _SHORTEST][:_NAMES]
    alike = _alike(word, long_enough, 2, _LIKE)
    near = (s for other, _ in lexicon.near(stem(word)) for s in lexicon.find((other,))[:2])
    seen: set[str] = set()
    for name, sense in (*(named[name] for name in alike), *((_words_of(s), s) for s in near)):
        if spoken(sense) not in seen and len(sense.columns) <= 1:
            seen.add(spoken(sense))
            yield name, sense


def _values_like(values: ValueIndex, word: str) -> Iterator[tuple[str, str]]:
    """Yield a value spelled like a word, with how a message names it."""
    if len(word) < _SHORTEST:
        return
    matches = [match for match in values.search(word) if len(match.value) <= _LONGEST_VALUE]
    by_text = {match.value.lower(): match for match in reversed(matches)}
    for text in _alike(word, by_text, 1, _LIKE_VALUE):
        match = by_text[text]
        yield match.value, f"{match.table[-1]}.{match.column}"


def _alike(word: str, texts: Iterable[str], most: int, least: float) -> list[str]:
    """Return up to `most` texts spelled like a word, likest first, of at least `least` of 100."""
    found = process.extract(word.lower()[:60], list(texts), scorer=fuzz.ratio, limit=most, score_cutoff=least)
    return [text for text, _, _ in found]
