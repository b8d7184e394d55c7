"""Find every mark that the words of a question allow, and the best cuts: sequences of marks that cover all words.

Marks are names of the schema, values of the data, numbers, spans of days and operator phrases.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from askwhere.engine import Column, Table
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.reader import dates, phrases
from askwhere.reader.english import DATED
from askwhere.reader.formulas import days_of
from askwhere.reader.guessing import guessed
from askwhere.reader.held import SMALL, held_values
from askwhere.reader.holding import masses
from askwhere.reader.lexicon import READ_AS, Lexicon, Sense
from askwhere.reader.marks import Mark
from askwhere.reader.measures import ASKED, MEASURES
from askwhere.reader.money import MONEY, sums_of, unnamed
from askwhere.reader.names import called, cut_name
from askwhere.reader.periods import EVERY, NOUNS, PERIODS
from askwhere.reader.seconds import is_second
from askwhere.reader.sequence import events
from askwhere.reader.tokens import Token, is_initials, multiplier, number, stem
from askwhere.reader.types import is_date, is_dated
from askwhere.reader.units import UNITS
from askwhere.reader.verbs import PARTICIPLE, is_verb, names_an_act, names_who, says_when

LONGEST_NAME = 6
KEPT = 14


@dataclass(frozen=True)
class Cut:
    """One sequence of marks from the first word to the last, and the sum of their scores."""

    score: float
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Lattice:
    """All marks of a question: for each word, the marks that begin there."""

    by_start: tuple[tuple[Mark, ...], ...]

    @property
    def end(self) -> int:
        """Return the number of words."""
        return len(self.by_start)


def lattice(text: str, tokens: tuple[Token, ...], lexicon: Lexicon, catalog: Catalog, values: ValueIndex) -> Lattice:
    """Return all marks of a question's words; a word without a mark of its own gets one of kind 'unknown'.

    `text` is the question, `tokens` its words, and `values` the index of the database's values.
    """
    by_start: dict[int, list[Mark]] = defaultdict(list)
    days = tuple(_days(tokens, lexicon))
    held = held_values(text, tokens, catalog, values, lexicon)
    nearer = frozenset(m.start for m in held if m.end - m.start == 1 and not lexicon.writes(tokens[m.start].stem))
    for mark in (
        *_operators(tokens, lexicon),
        *(m for m in _names(tokens, lexicon, nearer) if not _guesses(m, held)),
        *_denials(tokens, lexicon),
        *held,
        *_particles(tokens, lexicon),
        *_lasting(tokens, lexicon),
        *masses(tokens, lexicon),
        *(m for m in (*_numbers(tokens), *days) if not any(_within(m, span) for span in days)),
    ):
        by_start[mark.start].append(mark)
    for place in range(len(tokens)):
        here = by_start[place]
        if not any(m.end == place + 1 for m in here):
            here.append(_unknown(tokens, place, lexicon))
        elif is_verb(tokens, place):
            here.append(Mark("link", place, place + 1, 0.8, tokens[place].text))
    return Lattice(tuple(tuple(by_start[place]) for place in range(len(tokens))))


def _guesses(mark: Mark, values: list[Mark]) -> bool:
    """Return whether a mark is only guessed from words of which one is a value, which is then what they mean."""
    guessed = bool(mark.senses) and all(s.chance < 1 for s in mark.senses)
    return guessed and any(mark.start <= value.start and value.end <= mark.end for value in values)


def _within(mark: Mark, span: Mark) -> bool:
    """Return whether a mark is a part of a span of days: the 29 and "September 2023" of "29 September 2023"."""
    return span.start <= mark.start and mark.end <= span.end and mark.end - mark.start < span.end - span.start


def cuts(words: Lattice, start: int = 0, end: int | None = None, kept: int = KEPT) -> list[Cut]:
    """Return the `kept` cuts with the highest scores, best first, of all words or of those from `start` up to `end`.

    A beam search: at each word it keeps that many partial cuts.
    """
    last = words.end if end is None else end
    best: dict[int, list[Cut]] = defaultdict(list)
    best[start] = [Cut(0.0, ())]
    for place in range(start, last):
        best[place] = sorted(best[place], key=lambda c: -c.score)[:kept]
        for mark in words.by_start[place]:
            if mark.end <= last:
                best[mark.end] += [Cut(cut.score + mark.score, (*cut.marks, mark)) for cut in best[place]]
    return sorted(best[last], key=lambda c: -c.score)[:kept]


def _unknown(tokens: tuple[Token, ...], place: int, lexicon: Lexicon) -> Mark:
    """Return the mark of a word that has no other: of kind 'fill' for a sign, 'link' for a verb, else 'unknown'."""
    token = tokens[place]
    if token.kind == "mark":
        return Mark("fill", place, place + 1, 0.0, token.text)
    if (token.stem in phrases.LINKING or token.lower in phrases.LINKING) and not _is_noun(tokens, place, lexicon):
        return Mark("link", place, place + 1, 0.2, token.text)
    done = bool(place) and tokens[place - 1].lower in _DOING
    return Mark("unknown", place, place + 1, -4.0, token.text, "verb" if done else "")


# An unknown word after one of these is taken for a verb: "what did we bill", "who signed".
_DOING = frozenset("we i you they he she who to can could will would never ever".split())


_DEGREES = {"highest", "lowest", "average", "maximum", "minimum", "total"}
_BEFORE_THINGS = {"the", "a", "an", "each", "every", "per", "of", "no", "any", "different", "distinct", "many", "most"}


def _is_noun(tokens: tuple[Token, ...], place: int, lexicon: Lexicon) -> bool:
    """Return whether a word that may be a verb is a noun where it stands: "the store", "the names and origins of"."""
    before = tokens[place - 1].lower if place else ""
    after = tokens[place + 1].lower if place + 1 < len(tokens) else ""
    if tokens[place].lower.endswith(("ed", "ing")):
        return False
    if before in _DEGREES and any(s.columns and s.score >= 0.97 for s in lexicon.named((before,))):
        return False  # in "highest attendance" it adds nothing if there is a column `Highest`
    return names_who(tokens[place].lower) or before in _BEFORE_THINGS or (before == "and" and after == "of")


def _operators(tokens: tuple[Token, ...], lexicon: Lexicon) -> list[Mark]:
    """Return the marks of operator phrases, revenue, periods and measures, without those that the context rules out."""
    words = [t.lower if t.kind != "quoted" else "\0" for t in tokens]
    found = [*_spreads(words), *_orders(words, tokens)]
    shouting = all(t.text.isupper() for t in tokens if t.kind == "word")
    for start in range(len(words)):
        for end in range(start + 1, min(start + phrases.LONGEST, len(words)) + 1):
            said = tuple(words[start:end])
            text = " ".join(said)
            weight = 0.9 * (end - start) + 0.3 * (end - start - 1)
            initials = any(is_initials(t) for t in tokens[max(start, 1) : end]) and not shouting
            for operator in phrases.WORD.get(said, ()):
                if (
                    operator.kind == "open"
                    and start > 4
                    and tokens[start - 1].kind != "mark"
                    and words[start - 1] != "and"
                ):
                    continue
                score = weight - {"fill": 0.2, "tail": 0.4}.get(operator.kind, 0.0)
                if initials and operator.kind in _SMALL_WORDS:  # neither "as" nor "a": "division AS", "starting with A"
                    if end - start == 1:
                        found.append(Mark("letters", start, end, 0.9, tokens[start].text))
                    continue
                if operator.kind == "unit" and said[0] in _COUNTED and not (start and _is_amount(tokens, start - 1)):
                    continue
                if said == ("may",) and tokens[start].text == "May":
                    continue  # the month May
                if said == ("us",) and tokens[start].text == "US":
                    continue  # the United States
                if said == ("ordered",) and words[start + 1 : start + 2] == ["by"] and operator.kind == "fill":
                    continue
                if operator.kind == "open" and "between" in words[max(start - 5, 0) : start]:
                    if end - start == 1:  # "return" is an act in "the days between rental and return"
                        found.append(Mark("link", start, end, 0.9, text))
                    continue
                if operator.kind == "open" and said[0] in _ASKING and start and words[start - 1] in _BEFORE_NOUNS:
                    continue
                if operator.kind == "open" and end - start == 1 and set(words[end : end + 1]) & _AFTER_NOUNS:
                    continue  # "state" is a noun in "and state does she live in"
                if said == ("report",) and words[end : end + 1] == ["to"]:
                    continue  # "who report to Ann" is a verb, not the request "report …"
                if operator.kind == "be" and said[-1] == "name" and words[end : end + 1] == ["of"]:
                    continue  # a name follows in "with the name Ann", but not in "with the name of its owner"
                if operator.kind == "stocked" and any(not s.columns for s in lexicon.named(("stock",))):
                    continue  # the schema has a table for stock
                if operator.argument == "soft" and _says_something(tokens[start], lexicon):
                    continue
                found.append(Mark(operator.kind, start, end, score, text, operator.argument))
            if said in MONEY and unnamed(said, lexicon) and (sums := sums_of(lexicon)):
                found.append(Mark("money", start, end, weight, text, senses=sums))
            if len(said) == 1 and said[0] in NOUNS and not lexicon.find((tokens[start].stem,)):
                found.append(Mark("period", start, end, weight, text, NOUNS[said[0]]))
            if said in PERIODS:
                found.append(Mark("period", start, end, weight, text, PERIODS[said]))
            if said in MEASURES:
                kind, measure = MEASURES[said]
                if kind == "extent" and not (start and words[start - 1] in UNITS):
                    continue  # "long" measures in "5 km long" alone
                found.append(Mark(kind, start, end, weight + 0.1, text, measure.end, measure=measure))
    return found


# Units that mean something else unless a number stands before them.
_COUNTED = frozenset({"people", *UNITS}) - frozenset(
    "dollars usd pounds meters feet miles km kilometers cm mm kg inches hours minutes seconds days m metres kilometres"
    " kilograms tonnes".split()
)


def _is_amount(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether a token is a number, in digits or words, or the "an" of "longer than an hour"."""
    before = tokens[place - 1].lower if place else ""
    return number(tokens[place]) is not None or (tokens[place].lower in ("a", "an") and before in _THAN)


_THAN = frozenset("than over under above below least most exceeding".split())


_SMALL_WORDS = ("fill", "be", "prep", "rel", "have", "all")


# Verbs that begin a question, and the words beside them that show a noun: "which state", "the name".
_ASKING = {"state", "name", "report", "list", "display", "show", "print"}
_AFTER_NOUNS = {"do", "does", "did", "is", "are", "was", "were", "of"}
_BEFORE_NOUNS = {"which", "what", "the", "a", "an", "of", "each", "every", "per", "whose", "their", "its", "same"}


def _says_something(token: Token, lexicon: Lexicon) -> bool:
    """Return whether a 'soft' filler is a name in this schema, or part of one ("available" in `unavailable`)."""
    named = lexicon.find((token.stem,))
    return (bool(named) and named[0].score >= 0.6) or (
        len(token.stem) > 4 and any(token.stem in w for w in lexicon.words)
    )


def _orders(words: list[str], tokens: tuple[Token, ...]) -> Iterator[Mark]:
    """Yield the marks for "Order the cities by …" in a second sentence."""
    for start, word in enumerate(words):
        by = next((i for i in range(start + 2, min(start + 6, len(words))) if words[i] == "by"), None)
        if by and word in ("order", "sort", "rank", "arrange") and start and tokens[start - 1].kind == "mark":
            yield Mark("order", start, by + 1, 1.3 * (by + 1 - start), " ".join(words[start : by + 1]))


def _spreads(words: list[str]) -> list[Mark]:
    """Return the marks for "from the youngest to the oldest": an order by the columns that the adjectives are about."""
    found = []
    for start, word in enumerate(words):
        said = [(i, w) for i, w in enumerate(words[start + 1 : start + 6], start + 1) if w != "the"][:3]
        if word == "from" and len(said) == 3 and said[1][1] == "to":
            kind, measure = MEASURES.get((said[0][1],), ("", None))
            if measure and kind == "superlative" and (said[2][1],) in MEASURES:
                end = said[2][0] + 1
                way = "asc" if measure.end == "min" else "desc"
                found.append(
                    Mark("spread", start, end, 1.3 * (end - start), " ".join(words[start:end]), way, measure=measure)
                )
    return found


def _names(tokens: tuple[Token, ...], lexicon: Lexicon, held: frozenset[int]) -> list[Mark]:
    """Return the marks of tables and columns for all spans of up to `LONGEST_NAME` words that may be one name.

    The words at the places `held` are values, and near to names at most: no name that they are only like is taken.
    """
    found = []
    words = [t.stem for t in tokens]
    for start, token in enumerate(tokens):
        if token.kind not in ("word", "number"):
            continue
        for end in range(start + 1, min(start + LONGEST_NAME, len(tokens)) + 1):
            if tokens[end - 1].kind not in ("word", "number") or end - 1 in held:
                break
            if (tokens[end - 1].lower in _EDGES or token.lower in _EDGES) and end - start > 1:
                continue
            if tokens[end - 1].lower in _NEVER_LAST and end - start > 1:
                continue
            if tokens[end - 1].lower in ("first", "last") and any(t.lower == "of" for t in tokens[start:end]):
                continue  # "the name of the last order" has no last name in it
            if any(t.lower in _PARTING and t.lower not in ("of", "and", "the") for t in tokens[start + 1 : end - 1]):
                break
            if any(
                t.lower == "the" and tokens[start + i].lower != "of" for i, t in enumerate(tokens[start + 1 : end - 1])
            ):
                break
            if not (_of_a_table(tokens, words, start, end, lexicon) or _done(tokens, words, start, end, lexicon)):
                found += _named(tokens, words, start, end, lexicon)
    return found


def _dated(verb: str, lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the dates that other words for a verb's act name, given its stem: `end_date` for "left"."""
    tables = [t for t in lexicon.tables if not is_second(t)] if verb in DATED else []
    columns = ((table, column) for table in tables for column in events(table) if is_dated(column))
    return tuple(Sense(t, (c,), 0.85) for t, c in columns if says_when(c.name, verb))


_DENIED = re.compile(r"(?:in|un|non)(\w{4,})\Z")


def _denials(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield marks for negated forms: "inactive" for a flag `active`, "unshipped" for a date `shipped_at`."""
    for place, token in enumerate(tokens):
        match = _DENIED.match(token.lower) if token.kind == "word" and not lexicon.find((token.stem,)) else None
        senses = lexicon.named((match[1],)) if match else ()
        flag = bool(senses) and lexicon.truth(senses[0]) is not None and senses[0].score >= 0.85
        if match and not flag and names_an_act(match[1]):
            senses = tuple(s for s in senses if s.columns and is_dated(s.column)) or _dated(stem(match[1]), lexicon)
            flag = bool(senses)
        if flag:
            yield Mark("column", place, place + 1, 0.95, token.text, "denied", senses)


def _of_a_table(tokens: tuple[Token, ...], words: list[str], start: int, end: int, lexicon: Lexicon) -> bool:
    """Return whether a span like "details of the investors" is a column followed by its table, and so not one name."""
    cut = next((i for i in range(start + 1, end - 1) if tokens[i].lower == "of"), None)
    if cut is None:
        return False
    if tokens[start].stem == "number" and any(
        s.columns and s.score >= 1 for s in lexicon.find(tuple(words[start:end]))
    ):
        return False  # `Number_of_hosts` is the name of one column
    rest = tuple(w for t, w in zip(tokens[cut + 1 : end], words[cut + 1 : end], strict=True) if t.lower != "the")
    return any(not s.columns and s.score >= 0.9 for s in lexicon.find(rest))


def _done(tokens: tuple[Token, ...], words: list[str], start: int, end: int, lexicon: Lexicon) -> bool:
    """Return whether a span is a table and a verb, not one name: "orders shipped" in "orders shipped to Oslo"."""
    if end - start == 1 or not PARTICIPLE.match(tokens[end - 1].lower):
        return False
    if not (
        end + 1 < len(tokens) and tokens[end].lower in ("to", "from", "on", "at") and tokens[end + 1].kind != "mark"
    ):
        return False
    things = lexicon.find(tuple(words[start : end - 1]))
    return bool(things) and not things[0].columns


_EDGES = {"of", "the", "for", "in", "and", "by", "to", "from", "a", "an", "or", "with", "that", "who"}
_NUMBERED = (("number",), ("num",), ("no",))
_BEING = {"is", "are", "was", "were"}
_NEVER_LAST = _BEING | {"has", "have", "had", "at", "on"}
_PARTING = _EDGES | _BEING  # "order was shipped" is no name, though "is shipped" may be one


def _named(tokens: tuple[Token, ...], words: list[str], start: int, end: int, lexicon: Lexicon) -> list[Mark]:
    """Return the table mark and the column mark that one span of words may be, at most one of each."""
    if end - start == 1 and tokens[start].lower in SMALL:
        return []
    if words[end - 1] == "report" and tokens[end : end + 1] and tokens[end].lower == "to":
        return []  # "report to" is a verb
    asked = tuple(t.lower for t in tokens[start:end])
    said = tuple(w for t, w in zip(tokens[start:end], words[start:end], strict=True) if t.lower != "and")
    if len(set(said)) < len(said) and lexicon.find(tuple(words[end : end + 1])):
        return []  # "open date of open year" names two columns
    senses = lexicon.find(said) or _run_together(asked, lexicon) or _guessed(tokens, start, end, lexicon)
    listed = end < len(tokens) and tokens[end].lower in (",", "and")  # "first, middle and last names"
    if asked[0] in _BEING and len(asked) > 1:
        senses = tuple(s for s in senses if s.columns and any(n[:1] == said[:1] for n in lexicon.names(s.column)))
    if asked in (("first",), ("last",)) and not listed:
        senses = tuple(s for s in senses if s.columns and asked in lexicon.names(s.column))
    if len(said) < end - start:  # "and" is part of a name only in "first and last name"
        senses = tuple(s for s in senses if len(s.columns) > 1)
    if asked[0] in ("number", "numbers") and len(asked) > 1:
        senses = tuple(s for s in senses if s.columns and any(n[:1] in _NUMBERED for n in lexicon.names(s.column)))
    if not senses and asked in ASKED:
        senses = tuple(
            replace(s, score=s.score * 0.8)
            for alternative in ASKED[asked]
            for s in lexicon.named(alternative)
            if s.columns
        )
    if not senses and len(asked) == 1 and names_an_act(asked[0]):
        senses = _dated(said[0], lexicon)
    if not senses and asked in _ANYONE:
        senses = lexicon.persons()
    if len(said) > 1 and names_an_act(asked[-1]) and said[-1] not in _NAMED:
        senses = _as_written(senses, asked[-1], lexicon.find(said[:-1]))
    if every := EVERY.get(" ".join(asked)):  # a "month" is no `monthly_fee`, nor an "hour" an `hourly_rate`
        senses = tuple(s for s in senses if not any(every in c.name.lower() for c in s.columns))
    if names_an_act(asked[-1]):
        senses = tuple(s for s in senses if not (s.columns and s.note.startswith(READ_AS)) or is_date(s.columns[0]))
    senses = tuple(s for s in senses if not (len(said) > 1 and _ends_in_its_table(s, said[-1], lexicon)))
    senses = tuple(s for s in senses if _names_them(s, asked[-1]))
    senses = tuple(
        replace(s, note=f"“{' '.join(asked)}” {s.note}") if s.note.startswith(READ_AS) else s for s in senses
    )
    found = []
    for kind, of_kind in (
        ("table", [s for s in senses if not s.columns]),
        ("column", [s for s in senses if s.columns]),
    ):
        if of_kind:
            best = max(s.score for s in of_kind)
            size = end - start
            score = size * (0.35 + 0.65 * best) + 0.3 * (size - 1) + (0.03 if kind == "table" else 0.0)
            if asked in (("number",), ("numbers",)) and end < len(tokens) and tokens[end].lower == "of":
                score -= 0.6
            text = " ".join(asked)
            found.append(Mark(kind, start, end, score, text, senses=tuple(of_kind)))
    return found


_ANYONE = {("people",), ("person",), ("persons",)}
_NAMED = ("name", "titl", "detail", "call", "entitl")


def _names_them(sense: Sense, word: str) -> bool:
    """Return whether a sense may be named by a word for a person or device: "reporters" are no reports.

    A word such as "reporter" shares its stem with "report". It names the sense only if a word of the sense's own name
    with this stem has such an ending, too. Any other word may name the sense.
    """
    if not _DOER.search(word):
        return True
    things: tuple[Column | Table, ...] = sense.columns or (sense.table,)
    alike = [w for t in things for n in called(t) for w in cut_name(n) if stem(w) == stem(word)]
    return not alike or any(_DOER.search(w) for w in alike)


_DOER = re.compile(r"\w{3,}(?:er|or|ant|ist)s?\Z")


def _as_written(senses: tuple[Sense, ...], done: str, things: tuple[Sense, ...]) -> tuple[Sense, ...]:
    """Return only the senses whose names contain the participle `done`, if the words before it name a table.

    "Films opened" is then not read as some other column of films, nor as the date at which they were. `things` is what
    the words before the participle name; if that is no table, all senses are returned.
    """
    if not things or things[0].columns:
        return senses
    return tuple(
        s
        for s in senses
        if any(done in n.lower() for n in [c.name for c in s.columns if not is_date(c)] or [s.table.name])
    )


def _guessed(tokens: tuple[Token, ...], start: int, end: int, lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the senses guessed for a span; none for one with a word for money, which is computed or refused."""
    if any((token.lower,) in MONEY for token in tokens[start:end]):
        return ()
    return guessed(lexicon, tuple(t.text for t in tokens[start:end]), _is_noun(tokens, start, lexicon))


def _run_together(asked: tuple[str, ...], lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the senses of two words that the schema writes as one: `Highschooler` for "high schoolers"."""
    if len(asked) != 2 or not all(word.isalpha() and len(word) > 2 for word in asked):
        return ()
    return tuple(s for s in lexicon.find((stem("".join(asked)),)) if s.score >= 0.95)


def _ends_in_its_table(sense: Sense, last: str, lexicon: Lexicon) -> bool:
    """Return whether a sense is a column but the words end in its table: "picked products" are products."""
    return (
        bool(sense.columns)
        and last in lexicon.split(sense.table.name)
        and not any(last in name for c in sense.columns for name in lexicon.names(c))
    )


def _days(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for each span of days, unless its words name something in the schema: `this_month`."""
    words = [t.lower if t.kind != "quoted" else "\0" for t in tokens]
    for start, end, span in dates.spans(words):
        named = lexicon.find(tuple(t.stem for t in tokens[start:end]))
        if not named or named[0].score < 0.9:
            size = end - start
            score = 1.0 * size + 0.3 * (size - 1) - (0.1 if span.first.day.startswith("--") else 0.0)
            yield Mark("days", start, end, score, " ".join(words[start:end]), days=span)


_LASTING = frozenset("length duration time".split())


def _lasting(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for how long things last, "rental length": the days from their rows' beginning to the end.

    Not where a column is called just so, `rental_length`.
    """
    for place, (thing, said) in enumerate(pairwise(tokens)):
        if said.lower not in _LASTING or thing.kind != "word":
            continue
        tables = [s.table for s in lexicon.find((thing.stem,)) if not s.columns and s.score >= 0.95]
        named = any(s.columns and s.score >= 0.95 for s in lexicon.find((thing.stem, said.stem)))
        if senses := tuple(pair for table in tables for pair in days_of(table) if not named):
            yield Mark("lasting", place, place + 2, 2.6, f"{thing.lower} {said.lower}", senses=senses)


_PARTICLES = frozenset("up in out off on back over down away".split())


def _particles(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a link mark for each verb and particle that the schema writes as one word: "signed up", `signup_date`."""
    for place, (verb, particle) in enumerate(pairwise(tokens)):
        if particle.lower in _PARTICLES and verb.kind == "word" and f"{verb.stem}{particle.lower}" in lexicon.words:
            yield Mark("link", place, place + 2, 2.2, f"{verb.stem}{particle.lower}")


def _numbers(tokens: tuple[Token, ...]) -> list[Mark]:
    """Return the marks of numbers in digits or words, with multipliers ("2 million"), and of "once" and "twice"."""
    found = []
    for place, token in enumerate(tokens):
        value = number(token)
        if token.lower in ("a", "an") and _is_amount(tokens, place) and tokens[place + 1 : place + 2]:
            if tokens[place + 1].lower in UNITS:
                found.append(Mark("number", place, place + 1, 1.0, token.text, number=1))
            continue
        if value is not None and token.lower in ("once", "twice"):
            found.append(Mark("often", place, place + 1, 1.0, token.text, number=value))
            continue
        if value is None:
            continue
        end = place + 1
        while end < len(tokens) and multiplier(tokens[end]) > 1 and tokens[end - 1].lower != tokens[end].lower:
            value, end = value * multiplier(tokens[end]), end + 1
        found.append(Mark("number", place, end, 1.0 * (end - place), token.text, number=value))
    return found
