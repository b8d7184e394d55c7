"""Find every mark that the words of a question allow, and the best cuts: sequences of marks that cover all words.

Marks are names of the schema, values of the data, numbers, spans of days and operator phrases.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from askwhere.engine import Column, Table
from askwhere.frozen import frozen
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.indexer.values import tokens as words_of_value
from askwhere.indexer.word_forms import shortens, singular
from askwhere.reader.marking.compounds import compound_marks, shared_nouns
from askwhere.reader.marking.empty_groups import empty_group_marks
from askwhere.reader.marking.equivalents import with_equivalents
from askwhere.reader.marking.first import first_marks
from askwhere.reader.marking.formulas import AGE, days_of, flags_of_ends, says_stay, span_of
from askwhere.reader.marking.linking import is_noun, names
from askwhere.reader.marking.marks import AGO, BY_US, UPPER, Mark, is_timely, key_of, keys_of
from askwhere.reader.marking.mass_nouns import MASS, mass_nouns
from askwhere.reader.marking.mentions import mention_marks
from askwhere.reader.marking.narrowing import dates_of_act
from askwhere.reader.marking.numeric import is_price
from askwhere.reader.marking.operators import is_amount_of, operators
from askwhere.reader.marking.partial import kind_marks, partial_marks
from askwhere.reader.marking.rates import rate_marks
from askwhere.reader.marking.respelling import respelt
from askwhere.reader.marking.rounding import rounding_marks
from askwhere.reader.marking.spellings import Spelling
from askwhere.reader.marking.ties import tie_marks
from askwhere.reader.marking.unknown_values import unknown_value_marks
from askwhere.reader.marking.values import done_in_ways, is_kind, is_light, is_written_in, value_marks, value_senses
from askwhere.reader.schema.edges import Path, links
from askwhere.reader.schema.guessing import guessed
from askwhere.reader.schema.lexicon import READ_AS, Lexicon
from askwhere.reader.schema.naming import is_birth, timely, with_listed
from askwhere.reader.schema.roles import is_of_superiors, is_role
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words import dates, phrases
from askwhere.reader.words.clock import clock_spans
from askwhere.reader.words.dates import DATE_UNITS, NOUNS
from askwhere.reader.words.denials import OPEN, OWING, denied_by
from askwhere.reader.words.names import cut_name, full_stems, name_stems
from askwhere.reader.words.tokens import Token, is_singular, multiplier, number, stem
from askwhere.reader.words.types import is_dated, is_number, is_text, is_year
from askwhere.reader.words.units import POUNDS, UNITS, columns_in_unit, names_duration, unit_of
from askwhere.reader.words.verbs import PARTICLES, is_verb, names_an_act, saying, says

BEAM = 14  # the best sequences of marks that are followed at each word


@frozen
class Cut:
    """One sequence of marks from the first word to the last, and the sum of their scores."""

    score: float
    marks: tuple[Mark, ...]


@frozen
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
    tokens = with_equivalents(respelt(tokens, lexicon, values), lexicon)
    days = tuple(_days(tokens, lexicon))
    valued = value_marks(text, tokens, catalog, values, lexicon)
    done = done_in_ways(tokens, valued)
    valued = [mark for mark in valued if mark.start not in done]
    valued += partial_marks(tokens, valued, catalog, values, lexicon)
    valued += kind_marks(tokens, valued, catalog, values, lexicon)
    spoken = operators(tokens, lexicon)
    denials = tuple(_denials(tokens, lexicon))
    nearer = frozenset(m.start for m in valued if m.end - m.start == 1 and not lexicon.writes(tokens[m.start].stem))
    for mark in (
        *(m for m in spoken if m.kind != "current"),
        *_under_way((m for m in spoken if m.kind == "current"), valued, lexicon),
        *(
            _below_kinds(m, valued)
            for m in names(tokens, lexicon, nearer)
            if not _guesses(m, (*valued, *denials)) and not _is_a_state(m, valued) and not _is_in_a_value(m, values)
        ),
        *denials,
        *_not_done(tokens, valued, lexicon),
        *_denied_values(tokens, catalog, values, {m.start for m in denials}),
        *valued,
        *_particles(tokens, lexicon),
        *_working_for(tokens, lexicon),
        *_roles_before_columns(tokens, lexicon),
        *_in_the_whole(tokens, lexicon),
        *_acts_of_people(tokens, lexicon),
        *_newly(tokens, lexicon),
        *_done_by_us(tokens, lexicon),
        *_lasting(tokens, lexicon),
        *_ages(tokens, lexicon),
        *_in_each_period(tokens, lexicon),
        *_in_units(tokens, lexicon),
        *_at_a_rate(tokens, lexicon),
        *_shown_in(tokens, lexicon),
        *mass_nouns(tokens, lexicon),
        *shared_nouns(tokens, lexicon),
        *first_marks(tokens, lexicon),
        *rounding_marks(tokens),
        *tie_marks(tokens),
        *unknown_value_marks(tokens, lexicon, valued),
        *(Mark("fill", i, i + 1, 0.7, t.text) for i, t in enumerate(tokens) if i in done or is_light(tokens, i)),
        *empty_group_marks(tokens, lexicon),
        *rate_marks(tokens, catalog, values, lexicon),
        *_patterns(tokens, spoken, lexicon),
        *mention_marks(tokens, (*valued, *days), catalog, values),
        *(m for m in (*_numbers(text, tokens), *days) if not any(_within(m, span) for span in days)),
    ):
        by_start[mark.start].append(mark)
    for mark in [*compound_marks(tokens, [m for marks in by_start.values() for m in marks])]:
        by_start[mark.start].append(mark)
    shares = {place for m in spoken if m.kind == "percent" for place in range(m.start, m.end)}
    for place in range(len(tokens)):
        here = by_start[place]
        if not any(m.end == place + 1 for m in here):
            here.append(_unknown(tokens, place, lexicon, place in shares))
        elif is_verb(tokens, place):
            here.append(Mark("link", place, place + 1, 0.8, tokens[place].text))
    return Lattice(tuple(tuple(by_start[place]) for place in range(len(tokens))))


def _guesses(mark: Mark, known: Iterable[Mark]) -> bool:
    """Return whether a mark is a mere guess about words that contain a known value or state, the better reading."""
    guessed = bool(mark.senses) and all(s.chance < 1 for s in mark.senses)
    return guessed and any(mark.start <= one.start and one.end <= mark.end for one in known)


def _is_in_a_value(mark: Mark, values: ValueIndex) -> bool:
    """Return whether a noun is in some value, and only a guess takes it for a short name: "croissants" for `crt_in`.

    The whole name of a table may be short for what its rows are called, too: "centres" are `ctr`.
    """
    names = [s.columns[-1].name if s.columns else s.table.name for s in mark.senses if READ_AS in s.note]
    if any(not s.columns and len(cut_name(s.table.name)) == 1 for s in mark.senses):
        return False
    guessed = len(names) == len(mark.senses) > 0 and mark.end - mark.start == 1 and not is_singular(mark.text)
    word = singular(mark.text)
    if not guessed or not all(any(shortens(short, word) for short in cut_name(name)) for name in names):
        return False
    return any(stem(word) in map(stem, words_of_value(match.value)) for match in values.search(word, 1))


def _is_a_state(mark: Mark, values: list[Mark]) -> bool:
    """Return whether a word is a value of the columns that it names by its stem alone: "severe", of `severity`."""
    if mark.kind != "column" or mark.end - mark.start > 1:
        return False
    same = {key for v in values if (v.start, v.end) == (mark.start, mark.end) for key in keys_of(v)}
    said = mark.text.lower()
    return all(s.columns and key_of(s) in same and not is_written_in(said, s.column) for s in mark.senses)


def _below_kinds(mark: Mark, values: list[Mark]) -> Mark:
    """Return a mark, with a lower score if it names a role and there is such a kind: "mechanics", of `staff.role`."""
    roles = {s.table.path[:-1] for s in mark.senses if is_role(s.table)}
    same = (v for v in values if (v.start, v.end) == (mark.start, mark.end))
    kind = len(roles) == len(mark.senses) > 0 and any(s.table.path in roles for v in same for s in v.senses)
    return replace(mark, score=mark.score - 1.0) if kind else mark


def _patterns(tokens: tuple[Token, ...], spoken: list[Mark], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for the text of a pattern without quotes: "starting with Mc", "ends in Ltd", "with oak in the name".

    What a text contains is such a text only in capitals, or where it is called a word: "that contain API".
    """
    for mark in spoken:
        token = tokens[mark.end] if mark.kind == "like" and mark.end < len(tokens) else None
        if token is None or token.kind != "word":
            continue
        called = mark.argument != "in" or mark.text.split()[-1] in _TEXTS
        if called or token.text[:1].isupper() or any(c.isdigit() for c in token.text):
            yield Mark("value", mark.end, mark.end + 1, 1.2, token.text, "quoted")
    for place, (before, token, *behind) in enumerate(zip(*(tokens[i:] for i in range(5)), strict=False)):
        words = [t.lower for t in behind]
        inside = (
            before.lower in ("with", "have", "has") and token.kind == "word" and words[0] == "in" and words[1] in _THEIR
        )
        if inside and any(s.columns and is_text(s.column) for s in lexicon.find((stem(words[2]),))):
            yield Mark("value", place + 1, place + 2, 1.2, token.text, "quoted")


_THEIR = frozenset({"the", "their", "its"})
_TEXTS = frozenset("word words letter letters phrase string substring".split())


def _under_way(spoken: Iterable[Mark], values: list[Mark], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield the marks for what is so now that some rows can be, with their tables: "open" and "expired" requests.

    Not those of which a state says so, `in progress`, `lapsed`. A mark without tables is of any.
    """
    for mark in spoken:
        said = {s.table.path for m in values if mark.start <= m.start and m.end == mark.end for s in m.senses}
        states = with_listed(said, lexicon.tables)
        others = [t for t in lexicon.tables if t.path not in states]
        lasting = tuple(Sense(t) for t in others if span_of(t))
        if not states or lasting:
            yield replace(mark, senses=lasting if states else ())


def _not_done(tokens: tuple[Token, ...], values: list[Mark], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for "open" where a column of yes and no says of rows that they are done: complaints not `settled`.

    Only of what the question names, and not for the rows of which dates say when they end, or a state that they are
    open.
    """
    for place, token in enumerate(tokens):
        if token.lower == OPEN and token.kind == "word":
            states = with_listed({s.table.path for m in values if m.start == place for s in m.senses}, lexicon.tables)
            named = {s.table.path for t in tokens for s in lexicon.find((t.stem,)) if not s.columns and s.score >= 0.7}
            tables = (t for t in lexicon.tables if t.path in named - states and not span_of(t))
            if senses := tuple(s for t in tables for s in flags_of_ends(t, lexicon.truth)):
                yield Mark("column", place, place + 1, 0.95, token.text, "denied", senses)


def _within(mark: Mark, span: Mark) -> bool:
    """Return whether a mark is a part of a span of days: the 29 and "September 2023" of "29 September 2023"."""
    return span.start <= mark.start and mark.end <= span.end and mark.end - mark.start < span.end - span.start


def cuts(words: Lattice, start: int = 0, end: int | None = None, beam: int = BEAM) -> list[Cut]:
    """Return the `beam` cuts with the highest scores, best first, of all words or of those from `start` up to `end`.

    A beam search: at each word it keeps that many partial cuts.
    """
    last = words.end if end is None else end
    best: dict[int, list[Cut]] = defaultdict(list)
    best[start] = [Cut(0.0, ())]
    for place in range(start, last):
        best[place] = sorted(best[place], key=lambda c: -c.score)[:beam]
        for mark in words.by_start[place]:
            if mark.end <= last:
                best[mark.end] += [Cut(cut.score + mark.score, (*cut.marks, mark)) for cut in best[place]]
    return sorted(best[last], key=lambda c: -c.score)[:beam]


def _unknown(tokens: tuple[Token, ...], place: int, lexicon: Lexicon, of_share: bool) -> Mark:
    """Return the mark of a word that has no other: of kind 'fill' for a sign, 'link' for a verb, else 'unknown'.

    A word `of_share` is no verb: "share of revenue".
    """
    token = tokens[place]
    if token.kind == "mark":
        return Mark("fill", place, place + 1, 0.0, token.text)
    linking = not of_share and (token.stem in phrases.LINKING or token.lower in phrases.LINKING)
    if linking and not is_noun(tokens, place, lexicon):
        return Mark("link", place, place + 1, 0.2, token.text)
    if names_an_act(token.lower) and saying(lexicon.tables, token.stem):
        return Mark("link", place, place + 1, 0.2, token.text)  # "registered", where `registration_date` says it
    if _relates(tokens, place, lexicon):
        return Mark("link", place, place + 1, 0.2, token.text)
    if _is_of_all_done(tokens, place):
        return Mark("fill", place, place + 1, 0.2, token.text)
    done = bool(place) and tokens[place - 1].lower in _DOING
    return Mark("unknown", place, place + 1, -4.0, token.text, "verb" if done else "")


def _relates(tokens: tuple[Token, ...], place: int, lexicon: Lexicon) -> bool:
    """Return whether an unknown participle stands between two tables that a key joins, "accounts that raised a ticket".

    So are two tables of which a third one links the rows: "puzzles installed in at least two rooms".

    A verb that says how something ended, "cancelled", would restrict the second table's rows.
    """
    token = tokens[place]
    if token.kind != "word" or not names_an_act(token.lower) or token.stem in phrases.ENDING:
        return False
    ends = place - 1
    while ends > 0 and tokens[ends].lower in _BEFORE_VERBS:
        ends -= 1
    begins = place + 1
    while begins < len(tokens) - 1 and (tokens[begins].lower in _BEFORE_OBJECTS or number(tokens[begins]) is not None):
        begins += 1
    described = ends == place - 1 and (begins == place + 1 or tokens[place + 1].lower not in _INTO)
    if begins >= len(tokens) or ends < 0 or described:
        return False
    ones, others = (_tables_called(tokens[at], lexicon) for at in (ends, begins))
    pairs = {frozenset((path, target)) for (path, _), target in lexicon.keys.items()}
    pairs |= {frozenset(key.target for key in table.foreign_keys) for table in lexicon.tables if links(table)}
    return any(frozenset((one, other)) in pairs for one in ones for other in others)


def _is_of_all_done(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether an unknown participle says only that a thing is one of ours: "the deepest well we drilled".

    So it does behind a superlative and "we". A verb that says how something ended, "lost", is one of some rows.
    """
    done = tokens[place].lower
    subject = next((t.lower for t in reversed(tokens[:place]) if t.lower not in _BEFORE_VERBS), "")
    most = any(t.lower in ("most", "least") or (len(t.lower) > 4 and t.lower.endswith("est")) for t in tokens[:place])
    return most and subject == "we" and names_an_act(done) and tokens[place].stem not in phrases.ENDING


def _tables_called(token: Token, lexicon: Lexicon) -> set[tuple[str, ...]]:
    """Return the paths of the tables that a word names in full."""
    return {s.table.path for s in lexicon.find((token.stem,)) if not s.columns and s.score >= 0.9}


_BEFORE_VERBS = frozenset("who that which have has had are were been never not ever yet already".split())
_BEFORE_OBJECTS = frozenset("a an any the some their its our no in on into at least most more fewer less than".split())
_INTO = frozenset("in on into at".split())
# An unknown word after one of these is taken for a verb: "what did we bill", "who signed".
_DOING = frozenset("we i you they he she who to can could will would never ever".split())


_DEATHS = frozenset(map(stem, ("death", "died", "deceased")))


def _denials(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield marks for negated forms: "inactive" for a flag `active`, "unshipped" for a date, "out of use"."""
    for place, token in enumerate(tokens):
        denied = denied_by(token.lower) if token.kind == "word" and not lexicon.writes(token.stem) else ""
        named = lexicon.named((denied,)) if denied else ()
        if denied == "died":
            named = tuple(Sense(t, (c,)) for t in lexicon.tables for c in timely(t) if _DEATHS & {*full_stems(c.name)})
        # "Activities" have the stem of "active".
        senses = tuple(s for s in named if s.score >= 0.6 and s.columns)
        flag = bool(senses) and lexicon.truth(senses[0]) is not None
        if denied and not flag and names_an_act(denied):
            said = (s for s in senses if s.columns and (is_timely(s) or lexicon.truth(s) is not None))
            senses = tuple(said) or dates_of_act(stem(denied), lexicon)
            if token.lower in OWING:  # nobody owes what is not `earned` yet
                senses = tuple(s for s in senses if any(says(c.name, stem(denied)) for c in s.columns))
            flag = bool(senses)
        if flag:
            yield Mark("column", place, place + 1, 0.95, token.text, "denied", senses)

    for place, (out, of, state) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False)):
        if (out.lower, of.lower) == ("out", "of"):
            named = lexicon.find((state.stem,)) or guessed(lexicon, (state.lower,), True)
            if senses := tuple(s for s in named if lexicon.truth(s) is not None):
                yield Mark("column", place, place + 3, 1.3 * 3, f"out of {state.lower}", "denied", senses)


def _denied_values(
    tokens: tuple[Token, ...], catalog: Catalog, values: ValueIndex, named: Container[int]
) -> Iterator[Mark]:
    """Yield marks for negated forms of a state that rows have, "unpaid" where a status is 'paid'.

    `named` are the places of words that deny a column.
    """
    denied = {i: denied_by(t.lower) for i, t in enumerate(tokens) if t.kind == "word" and i not in named}
    said = {word: None for place, state in denied.items() if state for word in (state, tokens[place].lower)}
    found = values.exact(said) if said else {}
    for place, state in denied.items():
        # Of more states, "unpaid" may be some: open, and not cancelled.
        kinds = [m for m in found.get(state, ()) if is_kind(m, catalog) and m.many == 2] if state else []
        if not kinds or found.get(tokens[place].lower):
            continue
        senses = value_senses(kinds, catalog, Spelling(state, 1.0), state)
        note = f"“{tokens[place].text}” read as other than '{state}'"
        noted = tuple(replace(s, note=note) for s in senses)
        yield Mark("value", place, place + 1, 0.95, tokens[place].text, "denied", noted)


def _days(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for each span of days or time of day; none where the schema has such a name, `this_month`."""
    words = [t.lower if t.kind != "quoted" else "\0" for t in tokens]
    for start, end, span in (*dates.day_spans(words), *clock_spans(words)):
        named = lexicon.find(tuple(t.stem for t in tokens[start:end]))
        if not named or named[0].score < 0.9:
            size = end - start
            score = 1.0 * size + 0.3 * (size - 1) - (0.1 if span.first.recurs else 0.0)
            ago = AGO if words[end - 1] == AGO else ""
            yield Mark("days", start, end, score, " ".join(words[start:end]), ago, days=span)


_LASTING = frozenset("length duration time".split())


def _lasting(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for how long things last, "rental length", "length of stay": the days from beginning to end.

    Not where a column is called just so, `rental_length`.
    """
    said_of = [(i, i + 2, thing, said) for i, (thing, said) in enumerate(pairwise(tokens))]
    stays = (i for i in range(1, len(tokens)) if _is_averaged_stay(tokens, i, lexicon))
    said_of += [(i, i + 1, tokens[i], tokens[i]) for i in stays]
    for i, (said, of) in enumerate(pairwise(tokens)):
        end = i + (4 if tokens[i + 2 : i + 3] and tokens[i + 2].lower in ("a", "an", "the") else 3)
        said_of += [(i, end, tokens[end - 1], said)] if of.lower == "of" and end <= len(tokens) else []
        described = tokens[end : end + _DESCRIBED] if of.lower == "of" else ()
        said_of += [(i, i + 2, thing, said) for thing in described]  # "length of on site visits"
    for place, end, thing, said in said_of:
        if (said.lower not in _LASTING and said is not thing) or thing.kind != "word":
            continue
        both = tokens[place - 1 : place + 1] if place and tokens[place] is thing else ()
        if pair := [s.table for s in lexicon.find(tuple(t.stem for t in both)) if not s.columns and s.score >= 0.95]:
            place -= 1  # "repair job length"
        tables = pair or [s.table for s in lexicon.find((thing.stem,)) if not s.columns and s.score >= 0.85]
        if not tables and said.lower in _LASTING:
            tables = _recorded(thing, lexicon)
        if not tables and thing.lower in _STAYS:
            tables = [t for t in lexicon.tables if any(map(says_stay, days_of(t)))]
        named = any(s.columns and s.score >= 0.95 for s in lexicon.find((thing.stem, said.stem)))
        named = named or any(s.columns and s.table in tables and not s.note for s in lexicon.find((said.stem,)))
        if senses := tuple(pair for table in tables for pair in span_of(table) if not named):
            yield Mark("lasting", place, end, 1.3 * (end - place), f"{thing.lower} {said.lower}", senses=senses)
        elif not named and said.lower != "time" and (senses := tuple(filter(None, map(_minutes_of, tables)))):
            yield Mark("column", place, end, 1.3 * (end - place), f"{thing.lower} {said.lower}", senses=senses)


_STAYS = ("stay", "stays")
_DESCRIBED = 2  # words between "length of a" and the second word before the thing that lasts


def _recorded(act: Token, lexicon: Lexicon) -> list[Table]:
    """Return the only table that records how long an act took: `charging_sessions` for "charging", but no people."""
    people = {s.table.path for s in lexicon.persons()}
    named = [t for t in lexicon.tables if name_stems(t.name)[:1] == (act.stem,) and t.path not in people]
    timed = [t for t in named if span_of(t)]
    return timed if len(timed) == 1 else []


def _is_averaged_stay(tokens: tuple[Token, ...], place: int, lexicon: Lexicon) -> bool:
    """Return whether a word is a stay of which the average or total is asked for, and no name of the schema."""
    said = phrases.WORD.get((tokens[place - 1].lower,), ())
    averaged = any(operator.kind in ("agg", "average") for operator in said)
    return averaged and tokens[place].lower in _STAYS and not lexicon.find((tokens[place].stem,))


_NIGHTS = frozenset({"nights", "night"})


def _minutes_of(table: Table) -> Sense | None:
    """Return the only column of a table that says how long its rows took, `minutes` of calls, `nights` of stays."""
    nights = [c for c in table.columns if is_number(c) and _NIGHTS & {*cut_name(c.name)}]
    found = [c for c in table.columns if names_duration(c)] or nights
    return Sense(table, (found[0],)) if len(found) == 1 else None


def _ages(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for "age" and "how old" where tables only say when people were born: the years since then."""
    aged = paths_of(s for s in lexicon.find((stem("age"),)) if s.score >= 0.9)
    births = tuple(Sense(t, (c,)) for t in lexicon.tables if t.path not in aged for c in t.columns if is_birth(c))
    for place, token in enumerate(tokens if births else ()):
        if token.lower in ("age", "ages"):
            yield Mark("lasting", place, place + 1, 1.3, token.lower, AGE, senses=births)
        if [t.lower for t in tokens[place : place + 2]] == ["how", "old"]:
            yield Mark("lasting", place, place + 2, 2.6, "how old", AGE, senses=births)


def _in_units(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for a unit without a number that means what is in it: "kilos of cod", `weight_kg`.

    Where no column is in that unit, the columns that can be converted to it are meant. Of times these are hours and
    minutes, "hours per teacher" of `length_min`, unless two dates are named behind them.
    """
    for place, token in enumerate(tokens):
        unit = UNITS.get(token.lower)
        if unit is None or len(token.lower) < 4 or (place and is_amount_of(tokens, place - 1)):
            continue
        if place and tokens[place - 1].lower == "the" and is_singular(token.lower):
            continue  # "containers in the yard"
        ahead = tokens[place + 1 : place + 2]
        if unit.dimension == "time" and (token.lower not in _TIMES or any(t.lower in _BETWEEN for t in ahead)):
            continue
        found = columns_in_unit(lexicon.tables, token.lower)
        exact = [(t, c) for t, c in found if (own := unit_of(c)) and own.size == unit.size]
        senses = tuple(Sense(t, (c,), 0.85) for t, c in exact or found)
        named = [s for s in lexicon.find((token.stem,)) if not s.columns or not is_price(s.column)]
        if senses and not named and not (place and tokens[place - 1].lower in _EACH):
            yield Mark("column", place, place + 1, 0.95, token.text, MASS, senses)


_TIMES = frozenset(("hours", "minutes"))
_BETWEEN = frozenset("between from to until till before after ago".split())


def _shown_in(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for the unit in which amounts are to be shown: "in euros", "in tonnes".

    Pounds are a weight only where a column is one.
    """
    for place, (inside, unit) in enumerate(pairwise(tokens)):
        said = "euros" if unit.lower in ("euro", "eur") else unit.lower
        known = UNITS.get(said) if inside.lower == "in" and said not in _ALSO_WORDS else None
        follow = tokens[place + 2] if place + 2 < len(tokens) else None
        if known and not (follow and lexicon.writes(follow.stem)) and said not in DATE_UNITS:
            paid = said in ("pound", "pounds") and not columns_in_unit(lexicon.tables, said)
            yield Mark("shown in", place, place + 2, 2.6, POUNDS if paid else said)


_ALSO_WORDS = frozenset("in h s m l g mi ms".split())  # units whose forms are too short to be sure of


def _at_a_rate(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark that adds nothing for "an hour" in "over 30 an hour", where a column says it, `hourly_wage`.

    So for "a kilo" in "under 40 a kilo", of `price_per_kg`.
    """
    for place, (amount, each, period) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False)):
        every, unit = dates.EVERY.get(period.lower), UNITS.get(period.lower)
        if amount.kind != "number" or each.lower not in _EACH or not (every or unit):
            continue
        names = [c.name for t in lexicon.tables for c in t.columns if is_number(c)]
        said = {stem(every or ""), period.stem}
        hourly = every and any(len(words) > 1 and said & {*words} for words in map(full_stems, names))
        per = [UNITS.get(words[-1]) for words in map(cut_name, names) if words[-2:-1] == ("per",)]
        same = unit and any(u and (u.dimension, u.size) == (unit.dimension, unit.size) for u in per)
        if hourly or same:
            yield Mark("fill", place + 1, place + 3, 2.2, f"{each.lower} {period.lower}")


_EACH = frozenset("a an per each every".split())


def _in_each_period(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for how much there is in a period, "hours a week": the column `weekly_hours`."""
    for place, (thing, each, period) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False)):
        every = dates.EVERY.get(period.lower, "") if each.lower in ("a", "an", "per", "each", "every") else ""
        found = lexicon.find((thing.stem, stem(every))) if every and thing.kind == "word" else ()
        said = {thing.stem, stem(every)}  # the column says both: in "orders per year", `orders.year` says one
        if senses := tuple(s for s in found if s.columns and _is_rate(s.column, said)):
            text = f"{every} {thing.lower}"
            yield Mark("column", place, place + 3, 1.3 * 3, text, senses=senses)


def _is_rate(column: Column, said: set[str]) -> bool:
    """Return whether a column's name has some words and it holds no time: `sale_year` are no "sales per year"."""
    return said <= set(full_stems(column.name)) and not (is_year(column) or is_dated(column))


def _particles(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for each verb with a particle that the schema writes as one word: "signed up", `signup_date`.

    And for a noun for such an act, "move-ins", where dates say both, `move_in_date`.
    """
    for place, (verb, particle) in enumerate(pairwise(tokens)):
        if particle.lower in PARTICLES and verb.kind == "word" and f"{verb.stem}{particle.lower}" in lexicon.words:
            yield Mark("link", place, place + 2, 2.2, f"{verb.stem}{particle.lower}")
        if (single := particle.lower.removesuffix("s")) in PARTICLES and single != particle.lower:
            named = lexicon.find((verb.stem, single)) if verb.kind == "word" else ()
            dated = (s for s in named if s.columns and is_dated(s.column))
            if dates := tuple(s for s in dated if single in cut_name(s.column.name)):
                yield Mark("column", place, place + 2, 2.6, f"{verb.lower}-{particle.lower}", senses=dates)


def _done_by_us(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for "countries do we ship to", which a column names by its noun and verb: `ship_country`."""
    for place, (noun, do, we, verb) in enumerate(zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False)):
        if do.lower not in ("do", "did", "have") or we.lower not in ("we", "they", "you") or noun.kind != "word":
            continue
        said = {noun.stem, verb.stem}
        named = (s for s in lexicon.find((verb.stem, noun.stem)) if len(s.columns) == 1)
        if senses := tuple(s for s in named if said <= {*full_stems(s.column.name)}):
            end = place + 4 + (tokens[place + 4 : place + 5] != () and tokens[place + 4].lower in _TOWARD)
            yield Mark("column", place, end, 1.3 * (end - place), f"{verb.lower} {noun.lower}", BY_US, senses)


_TOWARD = frozenset("to in from at".split())


def _acts_of_people(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for acts whose dates people have, "new hires per year": `hire_date`. No table is called so."""
    for place, token in enumerate(tokens):
        follow = tokens[place + 1].lower if place + 1 < len(tokens) else ""
        if token.lower not in _ACTS_OF_PEOPLE or follow not in ("per", "by", "in", "this", "last", "each", "since", ""):
            continue
        senses = tuple(s for s in dates_of_act(token.stem, lexicon) if s.table.path in _people(lexicon))
        named = any(not s.columns and s.score >= 0.7 for s in lexicon.find((token.stem,)))
        if senses and not named:
            start = place - (place > 0 and tokens[place - 1].lower == "new")
            if start and [t.lower for t in tokens[max(start - 2, 0) : start]] not in (
                ["number", "of"],
                ["how", "many"],
            ):
                continue  # "salary of the hires"
            yield Mark("column", start, place + 1, 1.1 * (place + 1 - start), token.lower, senses=senses)


_ACTS_OF_PEOPLE = frozenset("hires leavers joiners resignations retirements signups registrations".split())


def _people(lexicon: Lexicon) -> set[Path]:
    """Return the paths of the tables of people."""
    return {s.table.path for s in lexicon.persons()}


def _in_the_whole(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark that adds nothing for "in the fleet" and "on our books", where no name says the noun."""
    for place, (inside, our, whole) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False)):
        said = inside.lower in ("in", "on") and our.lower in ("the", "our") and whole.lower in _WHOLES
        if said and not any(s.score >= 0.6 for s in lexicon.find((whole.stem,))):
            yield Mark("fill", place, place + 3, 2.9, f"{inside.lower} {our.lower} {whole.lower}")


_WHOLES = frozenset(
    "books catalogue catalog collection company fleet firm hospital house library list network organisation"
    " organization plant platform portfolio programme range register shelves shop system warehouse".split()
)


def _roles_before_columns(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for a word that names a role alone before a column: "pickup city" of `pickup_branch`."""
    for place, (role, named) in enumerate(pairwise(tokens) if lexicon.roles else ()):
        if tables := [t for t in lexicon.roles if _words_of_role(t) == [role.lower]]:
            columns = {s.table.path for s in lexicon.find((named.stem,)) if s.columns and s.score >= 0.9}
            if senses := tuple(Sense(t) for t in tables if t.path[:-1] in columns):
                yield Mark("table", place, place + 1, 1.3, senses[0].table.name.replace("_", " "), senses=senses)


def _words_of_role(table: Table) -> list[str]:
    """Return the words in the name of a role that do not name the thing that has it: `pickup` of `pickup_branch`."""
    own = {*full_stems(table.path[-2])}
    return [word for word in cut_name(table.name) if stem(word) not in own]


def _working_for(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a link mark for "works for" and "works under", where people have superiors: they report to them."""
    if any(is_of_superiors(table) for table in lexicon.tables):
        for place, (verb, behind) in enumerate(pairwise(tokens)):
            if verb.stem == "work" and behind.lower in ("for", "under"):
                yield Mark("link", place, place + 2, 2.2, "report")


def _newly(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Mark]:
    """Yield a mark for "new" where a time says since when: "new members per month" are the members of each month."""
    for place, (new, thing) in enumerate(pairwise(tokens)):
        rest = tokens[place + 2 :]
        timed = any((t.lower,) in NOUNS or (t.kind == "number" and len(t.text) == 4) for t in rest)
        if new.lower == "new" and timed and any(not s.columns and s.score >= 0.8 for s in lexicon.find((thing.stem,))):
            yield Mark("fill", place, place + 1, 0.7, "new")


def _numbers(text: str, tokens: tuple[Token, ...]) -> list[Mark]:
    """Return the marks of numbers in digits or words, with multipliers ("2 million"), and of "once" and "twice".

    The upper end of "5-9" has the argument `UPPER`.
    """
    found = []
    for place, token in enumerate(tokens):
        value = number(token)
        if place and token.lower in _MULTIPLES and tokens[place - 1].lower in _BEFORE_MULTIPLES:
            found.append(Mark("multiple", place, place + 1, 1.0, token.text, number=_MULTIPLES[token.lower]))
            continue
        if token.lower in ("a", "an") and is_amount_of(tokens, place) and tokens[place + 1 : place + 2]:
            if tokens[place + 1].lower in UNITS:
                found.append(Mark("number", place, place + 1, 1.0, token.text, number=1))
            continue
        if value is not None and token.lower in ("once", "twice"):
            found.append(Mark("often", place, place + 1, 1.0, token.text, number=value))
            continue
        if value is None:
            continue
        end, factor = _end_of_number(tokens, place)
        factor = factor if factor > 1 else _shared_multiplier(text, tokens, place)
        upper = UPPER if place and _is_hyphened(text, *tokens[place - 1 : place + 1]) else ""
        found.append(Mark("number", place, end, 1.0 * (end - place), token.text, upper, number=value * factor))
    return found


_MULTIPLES = {"half": 0.5, "double": 2, "triple": 3}  # behind a comparison alone: "less than half of the price"
_BEFORE_MULTIPLES = frozenset("than over above below under least most".split())


def _is_hyphened(text: str, first: Token, second: Token) -> bool:
    """Return whether only a hyphen stands between two numbers."""
    return first.kind == second.kind == "number" and text[first.end : second.start] in ("-", "\u2013")


def _end_of_number(tokens: tuple[Token, ...], place: int) -> tuple[int, int]:
    """Return where the number at a place ends with its multipliers, and their product."""
    end, factor = place + 1, 1
    while end < len(tokens) and multiplier(tokens[end]) > 1 and tokens[end - 1].lower != tokens[end].lower:
        factor, end = factor * multiplier(tokens[end]), end + 1
    return end, factor


def _shared_multiplier(text: str, tokens: tuple[Token, ...], place: int) -> int:
    """Return the multiplier of the upper end of a range, for its lower end: "between 10 and 20 million"; else 1."""
    lower, behind = tokens[place], tokens[place + 1 : place + 3]
    between = place > 0 and tokens[place - 1].lower == "between"
    if behind and _is_hyphened(text, lower, behind[0]):  # "10-20 million"
        upper = behind[0]
    elif len(behind) > 1 and behind[0].lower in (("and", "to") if between else ("to",)):
        upper = behind[1]
    else:
        return 1
    least, most = (number(token) if token.kind == "number" else None for token in (lower, upper))
    if least is None or most is None or least >= most:
        return 1
    return _end_of_number(tokens, tokens.index(upper, place))[1]
