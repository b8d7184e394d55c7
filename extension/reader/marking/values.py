"""Find the values of the database in a question: runs of words that the value index holds, and quotations."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import Match, ValueIndex
from askwhere.indexer.word_forms import CONVENTIONAL
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.people import name_marks, whole_names
from askwhere.reader.schema.joins import Path
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.naming import name_columns
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words import phrases
from askwhere.reader.words.dates import MONTHS
from askwhere.reader.words.english import COUNTRY_CODES, INITIALS, NATIONS, SEXES, written_out
from askwhere.reader.words.names import name_stems
from askwhere.reader.words.tokens import Token, is_initials, number, stem
from askwhere.reader.words.types import is_dated
from askwhere.reader.words.verbs import is_act, says

LONGEST_VALUE = 8  # words

# Words that are never a value by themselves.
_SMALL_KINDS = ("prep", "fill", "rel", "be", "and", "or", "comma", "not", "have", "own", "all")
SMALL = {
    words[0]
    for words, meanings in phrases.WORD.items()
    if len(words) == 1 and meanings[0].argument != "soft" and meanings[0].kind in _SMALL_KINDS
} | set(
    """what which who how show list find give return tell me many much each every no is than without not both either get
    most least more less""".split()
)

FEW = 30  # a column of at most so many different values has kinds or states of things


def value_marks(
    text: str, tokens: tuple[Token, ...], catalog: Catalog, values: ValueIndex, lexicon: Lexicon
) -> list[Mark]:
    """Return marks for the runs of words that spell values of the data, and for quotations that it does not hold.

    `text` is the question that `tokens` were cut from. Each mark has a sense for every column with such a value.
    """
    spans = [
        (s, e)
        for s in range(len(tokens))
        for e in range(s + 1, min(s + LONGEST_VALUE, len(tokens)) + 1)
        if _may_be_value(tokens, s, e)
    ]
    asked: dict[str, list[tuple[int, int, float]]] = defaultdict(list)
    for start, end in spans:
        for phrase, fit in _spellings(text, tokens, start, end):
            asked[phrase].append((start, end, fit))
    matches = values.exact(asked)
    found: dict[tuple[int, int], list[Sense]] = defaultdict(list)
    kinds: dict[tuple[int, int], set[Path]] = defaultdict(set)
    for phrase, places in asked.items():
        for start, end, fit in places:
            otherwise = _means_more(tokens[start:end])
            held = [m for m in matches.get(phrase, ()) if not otherwise or is_kind(m, catalog)]
            senses = _senses(held, catalog, fit, phrase)
            kinds[start, end] |= {m.table for m in held if is_kind(m, catalog)}
            if _is_month(tokens, start, end):
                senses = [s for s in senses if not any(s.columns[0] in pair for pair in lexicon.people[s.table.path])]
            found[start, end] += [*senses, *_of_seconds(senses, lexicon)]
    for span, senses in found.items():  # exact spellings exclude similar ones
        found[span] = [s for s in senses if s.score == 1.0] or senses
    whole = whole_names(tokens, found, lexicon.people)
    marks = [*name_marks(tokens, whole)]
    marks += [
        _value(tokens, span, senses, lexicon, _with_signs(text, tokens[span[0]].start, tokens[span[1] - 1].end))
        for span, senses in found.items()
        if senses and not _is_name(tokens, span, senses, lexicon, kinds[span])
    ]
    quoted = [(i, t) for i, t in enumerate(tokens) if t.kind in ("quoted", "date")]
    marks += [Mark("value", i, i + 1, 3.0, t.text, t.kind) for i, t in quoted if not found.get((i, i + 1))]
    return marks


def is_kind(match: Match, catalog: Catalog) -> bool:
    """Return whether a value is one of few in its column, "on hold", "to do", and nothing's name: a kind or a state."""
    table = catalog.by_path.get(match.table)
    return match.many <= FEW and table is not None and match.column not in {c.name for c in name_columns(table)}


def _means_more(words: tuple[Token, ...]) -> bool:
    """Return whether words are values of kinds and states alone: small words, and verbs in small letters."""
    verb = words[0].text.islower() and bool({words[0].lower, words[0].stem} & phrases.LINKING)
    return all(t.lower in SMALL for t in words) if len(words) > 1 else verb


def _is_month(tokens: tuple[Token, ...], start: int, end: int) -> bool:
    """Return whether a word is a month where it stands, and nobody's first name: "in June", "last April"."""
    before = tokens[start - 1].lower if start else ""
    return end == start + 1 and tokens[start].lower in MONTHS and before in _BEFORE_MONTHS


_BEFORE_MONTHS = frozenset("in during since until till before after throughout last this next every each".split())


def _is_name(
    tokens: tuple[Token, ...], span: tuple[int, int], senses: list[Sense], lexicon: Lexicon, kinds: set[Path]
) -> bool:
    """Return whether a single word is better read as a name of the schema or an operator than as a value.

    Capitalised words behind the first, several words, quotations and numbers are values, and so are states that have
    no column of that name in their own table; `kinds` are the tables of which the word is a state.
    """
    words = tokens[span[0] : span[1]]
    if len(words) > 1 or words[0].kind != "word" or (words[0].text[:1].isupper() and span[0] > 0):
        return False
    if words[0].lower in phrases.LINKING or words[0].stem in phrases.LINKING:
        # "Not yet shipped" has no date of shipping, where there is one.
        dated = any(says(c.name, words[0].stem) for s in senses for c in s.table.columns if is_dated(c))
        return dated and bool({"not", "yet", "never"} & {t.lower for t in tokens[max(span[0] - 2, 0) : span[0]]})
    named = lexicon.find((words[0].stem,))
    written = bool(named) and named[0].score >= 0.85 and lexicon.writes(words[0].stem)
    own = kinds - {s.table.path for s in named}
    return (words[0].lower,) in phrases.WORD or (written and not (own and is_act(words[0].lower)))


_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_CODES: dict[str, tuple[str, ...]] = {}  # what the data may write for a state, `DLVD` for "delivered"
for _short, _long in CONVENTIONAL.items():
    if _long.endswith("ed"):
        _CODES[_long] = (*_CODES.get(_long, ()), _short.upper())


def _may_be_value(tokens: tuple[Token, ...], start: int, end: int) -> bool:
    """Return whether the tokens from `start` to before `end` are worth looking up as a value."""
    span = tokens[start:end]
    if any(t.kind == "quoted" for t in span):
        return len(span) == 1
    if span[0].kind in ("mark", "own") or span[-1].kind in ("mark", "own"):
        return False
    if len(span) > 1:
        return True
    token = span[0]
    if token.kind in ("number", "date") or token.text in INITIALS or (start > 0 and is_initials(token)):
        return True
    return token.lower not in SMALL and (len(token.text) > 1 or (token.text.isupper() and start > 0))


def _spellings(text: str, tokens: tuple[Token, ...], start: int, end: int) -> list[tuple[str, float]]:
    """Return the spellings to look up for some tokens, each with a score from 0 to 1.

    They are the words as written (1.0), their singular or plural, and what initials, nationalities and words for a
    sex stand for.
    """
    span = tokens[start:end]
    phrase = span[0].text if len(span) == 1 else text[span[0].start : span[-1].end]
    found = [(phrase, 1.0)]
    if span[-1].kind == "word":
        lower = phrase.lower()
        if lower.endswith("ies"):
            found.append((phrase[:-3] + "y", 0.9))
        if lower.endswith("es"):
            found.append((phrase[:-2], 0.85))
        if lower.endswith("s"):
            found.append((phrase[:-1], 0.9))
        elif len(lower) > 2:
            found.append((phrase + "s", 0.85))
        countries = (lower, *NATIONS.get(lower, ()))
        found += [(code, _CODED) for country in countries for code in COUNTRY_CODES.get(country, ())]
        if len(span) == 1:
            found += [(place, 0.85) for place in INITIALS.get(phrase, ())]
            found += [(place, 0.85) for place in NATIONS.get(lower, ())]
            found += [(sex, 0.95) for sex in SEXES.get(lower, ())]
            found += [(short, 0.85) for short in _CODES.get(lower, ())]
            found += [(lower[:size].upper(), _STATED) for size in (3, 4) if len(lower) > size + 1 and lower.isalpha()]
            found += [(day[:3], 0.85) for day in _WEEKDAYS if lower in (day, f"{day}s")]
    return found


def _senses(matches: Iterable[Match], catalog: Catalog, fit: float, phrase: str) -> list[Sense]:
    """Return the senses of the matches of a phrase; `fit` is their score.

    A note says how the data spells the phrase, if otherwise.
    """
    found = []
    for match in matches:
        table = catalog.by_path.get(match.table)
        columns = tuple(c for c in table.columns if c.name == match.column) if table else ()
        if table and columns:
            if phrase in _SEX and not re.search("(?i)sex|gender", match.column):
                continue
            if fit == _CODED and not {*written_out(name_stems(match.column))} & _COUNTRY:
                continue  # "IT" is Italy in a column of countries alone
            if fit == _STATED and not {*written_out(name_stems(match.column))} & _STATUS:
                continue
            note = (
                "" if match.value == phrase else f"“{phrase}” is written {match.value!r} in {table.name}.{match.column}"
            )
            found.append(Sense(table, columns, fit, match.value, note))
    return found


def _of_seconds(senses: list[Sense], lexicon: Lexicon) -> list[Sense]:
    """Return the senses that are names, moved to the second tables: Ann the manager in "who reports to Ann".

    A second table stands for the rows that a table's key to itself refers to (see `roles`).
    """
    return [
        replace(sense, table=second)
        for sense in senses
        if set(sense.columns) & set(name_columns(sense.table))
        for second in lexicon.seconds.get(sense.table.path, ())
    ]


_CODED = 0.8  # the score of a country's code, `NO` for "Norway"
_STATED = 0.79  # the score of the beginning of a word in a column of states, `ACT` for "active"
_STATUS = {stem(word) for word in ("status", "state", "condition", "stage")}
_COUNTRY = {stem(word) for word in ("country", "nation", "nationality")}
_SEX = {"F", "M", "Female", "Male", "Woman", "Man"}


_SIGNS = re.compile(r"[^\w\s?!.,;:'\"()]*")


def _with_signs(text: str, start: int, end: int) -> str:
    """Return a part of a text with the signs just before and behind it, which tell `A+` from `A-`."""
    before = _SIGNS.match(text[:start][::-1])
    behind = _SIGNS.match(text, end)
    return text[start - (before.end() if before else 0) : behind.end() if behind else end].strip("\"'")


def _value(
    tokens: tuple[Token, ...], span: tuple[int, int], senses: list[Sense], lexicon: Lexicon, written: str
) -> Mark:
    """Return the mark of a value, with the best sense of each column: of several, that which is `written` so.

    Quotations score highest. Other words score by their number, more if capitalised, and less for a single word that
    has another meaning.
    """
    start, end = span
    words = tokens[start:end]
    best = max(s.score for s in senses)
    kept: dict[tuple[object, ...], Sense] = {}
    for sense in sorted(senses, key=lambda s: (-s.score, str(s.value) != written)):
        kept.setdefault((sense.table.path, sense.column.name), sense)
    text = " ".join(t.text for t in words)
    if words[0].kind == "quoted":
        return Mark("value", start, end, 3.2, text, "quoted", tuple(kept.values()))
    if all(t.kind in ("number", "date") for t in words):
        value = number(words[0]) if len(words) == 1 else None
        if value is not None:
            return Mark("number", start, end, 1.01, text, "", tuple(kept.values()), value)
        return Mark("value", start, end, 0.9 + 0.4 * len(words), text, "number", tuple(kept.values()), value)
    size = end - start
    capital = any(t.text[:1].isupper() for t in words[(1 if start == 0 else 0) :])
    common = size == 1 and ((words[0].lower,) in phrases.WORD or bool(lexicon.find((words[0].stem,))))
    score = size * (1.1 if capital else 0.95) * best + 0.35 * (size - 1) - (0.3 if common and not capital else 0.0)
    return Mark("value", start, end, score, text, "", tuple(kept.values()))


def in_a_list(values: ValueIndex, table: tuple[str, ...], column: str, value: str) -> bool:
    """Return whether other values of a column are lists that contain this value: `a, b` for `a`.

    A value counts as a list only if another of its parts is a value of the column as well.
    """
    for match in values.search(value, 8):
        if (match.table, match.column) != (table, column) or match.value == value:
            continue
        parts = [part.strip() for part in re.split(r"[,;|]", match.value)]
        others = [part for part in parts if part and part != value]
        if len(others) < len(parts) and others:
            found = values.exact(others)
            if any((m.table, m.column) == (table, column) for ms in found.values() for m in ms):
                return True
    return False
