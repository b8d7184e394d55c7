"""Say a question that is refused in other words: a near name, value or word of the reader's own for an unknown word,
the full name for a word that may mean several, or its parts in another order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product

from askwhere.engine import Column, Table
from askwhere.frozen import frozen
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.indexer.word_forms import PARTICIPLE, plural, shortness, singular
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.numeric import is_price
from askwhere.reader.refining import Meaning
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.senses import Sense, spoken
from askwhere.reader.skipping import class_of
from askwhere.reader.words.dates import MONTHS, PERIODS
from askwhere.reader.words.measures import ADJECTIVES, MEASURES
from askwhere.reader.words.money import REVENUE
from askwhere.reader.words.names import cut_name
from askwhere.reader.words.nearness import alike, is_english
from askwhere.reader.words.phrases import NEVER_LEFT_OUT, PARTS_OF_DATABASES, WORD
from askwhere.reader.words.tokens import NUMBERS, Token, stem
from rapidfuzz import fuzz, process

_SHORTEST = 4  # letters; too many shorter names are similar to each other
_SHORTEST_SHORT = 3  # letters, of a name that is short for a word: `unt` for "units"
_LONGEST_VALUE = 60  # characters of a value that a message names
_NAMES = 5_000  # of which the ones spelled like a word are looked for
_LIKE, _LIKE_VALUE = 72, 80  # how alike in spelling, of 100 (`fuzz.ratio`)
_RIVAL = 0.1  # by how much a sense may fit less than the one that was taken, and compete with it
_WORDS = re.compile(r"[\w .&/-]+")


@frozen
class Rewording:
    """Other words, `instead`, for those of a mark; they name a table, a column, a value or are the reader's own.

    `shown` says for a message what they name. `table` and `column` are set for what the mark's words could be made a
    synonym of; they are not set for a word that is only misspelt.
    """

    mark: Mark
    instead: str
    shown: str = ""
    table: Table | None = None
    column: Column | None = None

    @property
    def word(self) -> str:
        """Return the words that are replaced."""
        return self.mark.text


def replaced(
    unknown: Iterable[Mark], lexicon: Lexicon, catalog: Catalog, values: ValueIndex
) -> Iterator[tuple[Rewording, ...]]:
    """Yield what may stand for all unknown words together: by spelling first, then by meaning.

    Words of the reader's own stay beside others, as the "how" of "how mnay": only its neighbour made it unknown.
    """
    unknown = list(unknown)
    wrong = [mark for mark in unknown if mark.text.lower() not in _vocabulary()] or unknown
    choices = [_near(mark, lexicon, catalog, values) for mark in wrong]
    return product(*choices) if wrong else iter(())


def _near(mark: Mark, lexicon: Lexicon, catalog: Catalog, values: ValueIndex) -> list[Rewording]:
    """Return replacements for an unknown word, likeliest first; none for a word with a meaning of its own: "next"."""
    word = mark.text
    if word.lower() in NEVER_LEFT_OUT or stem(word.lower()) in PARTS_OF_DATABASES:
        return []
    spelled = [Rewording(mark, value, shown) for value, shown in _values_like(values, word)]
    capital = word[:1].isupper()
    misspelt = not is_english(stem(word.lower()))
    if misspelt:  # "dogs" are not meant for "does"
        spelled += [
            Rewording(mark, own.capitalize() if capital else own) for own, _ in alike(word.lower(), _vocabulary())
        ]
    meant: list[Rewording] = []
    for name, sense, by_spelling in _named_like(word, lexicon, catalog):
        if name.lower() != word.lower():
            column = sense.columns[0] if sense.columns else None
            typo = (
                misspelt and by_spelling and singular(name.lower()) not in word.lower()
            )  # but "repurchases" is a word
            table = None if typo else sense.table
            shown = spoken(sense)
            if typo and column is None and word.lower().endswith("s"):
                # "productoins" are productions, and the table is `production`
                name, shown = plural(name), plural(name) if shown == name else shown
            (spelled if by_spelling else meant).append(Rewording(mark, name, shown, table, column))
    if word.lower() in ADJECTIVES:
        meant = []  # "small" is no other word for minutes
    if stem(word.lower()) in REVENUE:
        meant = [one for one in meant if one.column is None or not is_price(one.column)]  # of a piece, and no sum
    if class_of(mark) == "verb":  # "never serviced" does not become "never customers"
        meant = [one for one in meant if PARTICIPLE.match(one.instead.lower())]
    spelled.sort(key=lambda one: -fuzz.ratio(one.instead.lower(), word.lower()))
    longer = tuple(f"{one.instead.lower()} " for one in spelled[:1])  # "customer id" beside "customer"
    return [one for one in spelled if not one.instead.lower().startswith(longer)] + meant


@cache
def _vocabulary() -> tuple[str, ...]:
    """Return the words that the reader knows in every database: "average", "expensive", "march"."""
    words = {word for phrase in (*WORD, *MEASURES, *PERIODS) for word in phrase}
    return tuple(sorted(words | MONTHS.keys() | NUMBERS.keys()))


def competing_names(meaning: Meaning) -> tuple[Rewording, ...]:
    """Return the full name of each of two tables or columns that one of a question's words may mean.

    `meaning` is that of its best reading. There are none where no two fit about equally well.
    """
    for mark in meaning.way.marks:
        senses = sorted((s for s in mark.senses if s.value is None), key=lambda s: -s.score)
        best = [s for s in senses if s.score >= senses[0].score - _RIVAL]
        if mark.kind in ("table", "column") and len(best) == 2 and len(best[0].columns) == len(best[1].columns) <= 1:
            return tuple(Rewording(mark, _in_full(s), spoken(s)) for s in best)
    return ()


# "Orders in May, how many?"; "orders in May: number and date", "orders in May - show the number and the date"
_HOW_MANY = re.compile(r"(?i)(.+?)[,:-]\s*how many(?: (?:are|were) there)?\s*[?.]*\Z")
_SHOWN = re.compile(
    r"(?i)(.+?)(?::|\s[-\u2013\u2014]|[?.]|,(?= (?:show|list|give)))\s+"
    r"(?:(?:please )?(?:show|list|give)(?: me)? )?([^:?]+?)(?: please)?[?.]*\Z"
)
_WORTH = re.compile(r"(?i)\b(?:value of (?:(?:the|our|all) )*\w+|\w+ value|worth)\b(?! at)")
_OPENING = re.compile(r"(?i)(?:and|but|or|what|which|who|how|where|when|why|is|are|was|were|do|does|did|if|for)\b")
_ASKING = re.compile(r"(?i)(?:show|list|give)(?: me)? ")


def moved(text: str) -> Iterator[str]:
    """Yield the question with its last part, which says what to show, moved to the front.

    >>> list(moved("orders in May, how many?")), list(moved("orders in May: number and date"))
    (['how many orders in May'], ['number and date of orders in May'])
    """
    if found := _HOW_MANY.match(text):
        yield f"how many {found[1]}"
    elif (found := _SHOWN.match(text)) and not (_OPENING.match(found[2]) or _OPENING.match(found[1])):
        yield f"{found[2]} of {_ASKING.sub('', found[1], count=1)}"


def valued(text: str) -> Iterator[tuple[str, str]]:
    """Yield a question for the value of stock with the price at which it is taken, and that price.

    >>> list(valued("stock value per brand"))[0]
    ('stock value at cost per brand', 'cost')
    """
    if found := _WORTH.search(text):
        yield from (
            (f"{text[: found.end()]} at {price}{text[found.end() :]}", price)
            for price in ("cost", "price", "list price")
        )


def with_replacements(text: str, tokens: tuple[Token, ...], others: Iterable[Rewording]) -> str:
    """Return a text with other words in the place of some marks'; as a quotation if they have signs."""
    for one in sorted(others, key=lambda other: -other.mark.start):
        start, end = tokens[one.mark.start].start, tokens[one.mark.end - 1].end
        said = one.instead if _WORDS.fullmatch(one.instead) else '"' + one.instead.replace('"', "") + '"'
        first = said.split(" ")[0]
        doubled = " " in said and text[:start].lower().split()[-1:] == [first.lower()]  # "ticket price" for "revenue"
        text = f"{text[:start]}{said.removeprefix(first) if doubled else said}{text[end:]}"
    return " ".join(text.split())


def _words_of(sense: Sense) -> str:
    """Return a name in words: of the column, or of the table."""
    return " ".join(cut_name(sense.column.name if sense.columns else sense.table.name))


def _in_full(sense: Sense) -> str:
    """Return the name of a column with its table's before it, in words, or of a table."""
    own = cut_name(sense.table.name)
    rest = cut_name(sense.column.name) if sense.columns else ()
    return " ".join([*own, *(rest[len(own) :] if rest[: len(own)] == own and rest != own else rest)])


def _named_like(word: str, lexicon: Lexicon, catalog: Catalog) -> Iterator[tuple[str, Sense, bool]]:
    """Yield names that are near to a word, with what they name, and whether in spelling or else in meaning."""
    named: dict[str, tuple[str, Sense]] = {}
    for table in catalog.tables:
        for sense in (Sense(table), *(Sense(table, (c,)) for c in table.columns)):
            for name in (_words_of(sense), *((sense.column if sense.columns else table).synonyms)):
                named.setdefault(name.lower(), (name, sense))
    long_enough = [name for name in named if len(name) >= _SHORTEST][:_NAMES]
    one = singular(word.lower())
    short = [name for name in named if _SHORTEST_SHORT <= len(name) < _SHORTEST and shortness(name, one)]
    spelled = [*_alike(word, long_enough, 2, _LIKE), *short[:1]]
    near = (s for other, _ in lexicon.near(stem(word)) for s in lexicon.find((other,))[:2])
    seen: set[str] = set()
    for name, sense, by_spelling in (
        *((*named[name], True) for name in spelled),
        *((_words_of(s), s, False) for s in near),
    ):
        if spoken(sense) not in seen and len(sense.columns) <= 1:
            seen.add(spoken(sense))
            yield name, sense, by_spelling


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
