"""Narrow down what words may name, by the words themselves and those beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from askwhere.engine import Column, Table
from askwhere.frozen import frozen
from askwhere.indexer.word_forms import PARTICIPLE, is_participle, shortness, singular
from askwhere.reader.marking.formulas import is_of_opening
from askwhere.reader.marking.numeric import is_price, says_how_many
from askwhere.reader.marking.plain_names import plainly_named
from askwhere.reader.marking.revenue import may_be_gained, pieces_of
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.lexicon import READ_AS, Lexicon
from askwhere.reader.schema.naming import events
from askwhere.reader.schema.persons import PATRON
from askwhere.reader.schema.roles import LEADING, is_role, is_second
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.dates import EVERY, MONTHS
from askwhere.reader.words.denials import OPEN
from askwhere.reader.words.english import ALLOWING, BEFORE_TIMES, BEING, HAVING, PLACING, WORKING
from askwhere.reader.words.measures import ASKED
from askwhere.reader.words.money import WAGES
from askwhere.reader.words.months import is_by_month
from askwhere.reader.words.names import called, cut_name, full_stems, name_stems, root
from askwhere.reader.words.phrases import WORD
from askwhere.reader.words.tokens import Token, is_singular, stem
from askwhere.reader.words.types import is_date, is_dated, is_text, is_year, says_birth
from askwhere.reader.words.units import UNITS
from askwhere.reader.words.verbs import DOER, PARTICLES, is_brand, names_an_act, names_who, says, says_when

_NUMBERED = (("number",), ("num",), ("no",))
_FLAGGING = BEING | HAVING  # as names of flags begin: `has_shelter`, but "has no" is no `cust_no`
_ABLE = frozenset("can may will".split())  # as in `can_drive`
_GAINS = frozenset({"earn", *WAGES})
_PIECES = frozenset("unit units pieces".split())
COSTS = ("cost", "costs", "costing")
_COMPARED = frozenset("more less over under above below between exactly at up".split())
_OWNED = frozenset("their his her its the whose".split())
_ANYONE = {("people",), ("person",), ("persons",), ("everyone",), ("everybody",)}
_CHILDREN = {("kid",), ("kids",), ("child",), ("children",), ("youngsters",)}
_PARENTS = frozenset(map(stem, "guardian parent mother father carer".split()))
_CHILD = 0.85  # the score of a table of people as those of whom others are the parents
_COUNTED = 0.8  # the least score of a column with the number of the things that are named
_FAR = 0.15  # by how much a guess is worse than one that leaves it out
_IN_FULL = 0.97  # the least score of a table that words name in full
_THINGS = 0.8  # the least score of a table that a part of its name stands for: "claims" of `damage_claims`
_SURE = 0.9  # the score of a name that is said as it is written
_NAMED = ("name", "titl", "detail", "call", "entitl")


@frozen
class Span:
    """Some words that may be one name: in lower case, and their stems without "and".

    They begin at the place `start` among the `tokens` of the question; `follow` is the word behind them, or ''.
    """

    words: tuple[str, ...]
    stems: tuple[str, ...]
    follow: str
    tokens: tuple[Token, ...]
    start: int
    lexicon: Lexicon

    @property
    def last(self) -> str:
        """Return the last word."""
        return self.words[-1]


Senses = tuple[Sense, ...]


def _as_flags(senses: Senses, span: Span) -> Senses:
    """Keep columns named so: "has shelter" is `has_shelter`."""
    if span.words[0] not in _FLAGGING or len(span.words) == 1:
        return senses
    own = span.stems[:1]
    return tuple(s for s in senses if s.columns and any(n[:1] == own for n in span.lexicon.names(s.column)))


def _not_of_subjects(senses: Senses, span: Span) -> Senses:
    """Leave out flags named by a verb where their subject is before it: "cabins allow pets" is no name."""
    return tuple(s for s in senses if not s.columns or not _has_its_subject(s, span))


def _as_whole_names(senses: Senses, span: Span) -> Senses:
    """Keep columns called "first" or "last" alone, but for "first, middle and last names"."""
    if span.words not in (("first",), ("last",)) or span.follow in (",", "and"):
        return senses
    return tuple(s for s in senses if s.columns and span.words in span.lexicon.names(s.column))


def _as_pairs(senses: Senses, span: Span) -> Senses:
    """Keep pairs of columns where "and" is among the words, which only "first and last name" has."""
    return tuple(s for s in senses if len(s.columns) > 1) if len(span.stems) < len(span.words) else senses


def _as_numbers(senses: Senses, span: Span) -> Senses:
    """Keep columns whose names begin with "number" where the words do."""
    if span.words[0] not in ("number", "numbers") or len(span.words) == 1:
        return senses
    return tuple(s for s in senses if s.columns and any(n[:1] in _NUMBERED for n in span.lexicon.names(s.column)))


def _as_plain(senses: Senses, span: Span) -> Senses:
    """Add what "number" or "date" names plainly, in the tables that have no column called so."""
    plain = plainly_named(span.words[0], span.lexicon) if len(span.words) == 1 else ()
    if not plain or _offered(span.tokens, span.start, span.lexicon):
        return senses
    own = {s.table.path for s in senses if s.columns and s.score >= 0.9}
    return (*(s for s in senses if s.table.path in own), *(s for s in plain if s.table.path not in own))


def _as_counted(senses: Senses, span: Span) -> Senses:
    """Keep a column with the number of things where no table is named after these: "rooms", `room_count`.

    A table whose name only begins with the word, `room_types`, is of other things.
    """
    before = tuple(t.lower for t in span.tokens[max(span.start - 2, 0) : span.start])
    one = before[-1:] in (("one",), ("1",)) or (before[:1] == ("without",) and before[-1] in ("a", "an", "any"))
    if len(span.stems) > 1 or (is_singular(span.last) and not one):
        return senses
    if any(not s.columns and _ends_in(s.table, span) for s in senses):
        return senses
    counted = tuple(s for s in senses if len(s.columns) == 1 and says_how_many(s.column, span.stems[0]))
    return tuple(replace(s, score=max(s.score, _COUNTED)) for s in counted) or senses


def _ends_in(table: Table, span: Span) -> bool:
    """Return whether a name of a table ends in the last word."""
    return any(name[-1:] == span.stems[-1:] for name in span.lexicon.names(table))


def _as_asked(senses: Senses, span: Span) -> Senses:
    """Return what "how old" and the like ask for, where nothing is called so."""
    if senses or span.words not in ASKED:
        return senses
    found = (s for alternative in ASKED[span.words] for s in span.lexicon.named(alternative))
    return tuple(replace(s, score=s.score * 0.8) for s in found if s.columns)


def _as_acts(senses: Senses, span: Span) -> Senses:
    """Return the dates of an act where nothing is called so, short forms aside; these name tables of that act alone."""
    if len(span.words) > 1 or not names_an_act(span.words[0]) or any(not s.note.startswith(READ_AS) for s in senses):
        return senses
    named = (s for s in senses if s.columns or _says_act(s.table, span.words[0]))
    return dates_of_act(span.stems[0], span.lexicon) or tuple(named)


def _says_act(table: Table, act: str) -> bool:
    """Return whether a table is named after an act, given as a participle, or in short: `disp` for "disputed"."""
    short = any(len(word) > 2 and shortness(word, act) for word in full_stems(table.name))
    return short or says(table.name, stem(act))


def _as_people(senses: Senses, span: Span) -> Senses:
    """Return the tables of people for "people", where nothing is called so, short forms aside."""
    if span.words not in _ANYONE or any(not s.note.startswith(READ_AS) for s in senses):
        return senses
    people = span.lexicon.persons()
    working = any(token.stem in WORKING for token in span.tokens)
    return tuple(s for s in people if working and s.score < PATRON) or people


def _as_children(senses: Senses, span: Span) -> Senses:
    """Return the tables of people that refer to those of their parents for "kids", where nothing is called so."""
    if span.words not in _CHILDREN or any(not s.columns and s.score >= _SURE for s in senses):
        return senses
    parents = {t.path for t in span.lexicon.tables if _PARENTS & set(full_stems(t.name)[-1:])}
    theirs = (t for t in span.lexicon.tables if _refers_to(t, parents) and not is_second(t) and not is_role(t))
    return tuple(Sense(t, (), _CHILD, note=f"{READ_AS} {t.name}") for t in theirs) or senses


def _as_done(senses: Senses, span: Span) -> Senses:
    """Keep names that contain the participle in the end, where the words before it name a table."""
    if len(span.stems) == 1 or not names_an_act(span.last) or span.stems[-1] in _NAMED:
        return senses
    return _as_written(senses, span.last, span.lexicon.find(span.stems[:-1]))


def _as_dated(senses: Senses, span: Span) -> Senses:
    """Keep the dates of an act before a time, where there are some: "opened in 2023" is not `opened_by`."""
    time = span.tokens[span.start + len(span.words) + 1 :][:1]
    if not names_an_act(span.last) or span.follow not in BEFORE_TIMES:
        return senses
    if not any(t.kind in ("number", "date") or t.lower in MONTHS for t in time):
        return senses
    return tuple(s for s in senses if s.columns and is_dated(s.column)) or senses


def _not_acts(senses: Senses, span: Span) -> Senses:
    """Leave out dates of an act for a noun of its stem, where other names have it: "value" is no `valued_on`."""
    if names_an_act(span.last):
        return senses
    acts = [s for s in senses if s.columns and is_dated(s.column) and span.last not in cut_name(s.column.name)]
    acts = [s for s in acts if any(is_participle(w) and stem(w) == span.stems[-1] for w in cut_name(s.column.name))]
    rest = tuple(s for s in senses if s not in acts)
    return rest if any(s.columns and span.last in cut_name(s.column.name) for s in rest) else senses


def _as_phrasal(senses: Senses, span: Span) -> Senses:
    """Leave out what is named by a verb alone where a name has it with the particle behind it: "moved out"."""
    if span.follow not in PARTICLES or not names_an_act(span.last):
        return senses
    both = {span.stems[-1], span.follow}
    named = any(both <= {*name} for s in span.lexicon.find((span.stems[-1],)) for c in s.columns for name in _words(c))
    return tuple(s for s in senses if not s.columns) if named else senses


def _words(column: Column) -> list[tuple[str, ...]]:
    """Return the names of a column, each as its words in lower case and their stems."""
    return [(*words, *map(stem, words)) for name in called(column) if (words := cut_name(name))]


def _as_since(senses: Senses, span: Span) -> Senses:
    """Leave out `client_since` for "since" where no clients are named before, or it is denied: "not seen since May"."""
    if span.words != ("since",):
        return senses
    before = span.tokens[: span.start]
    if any(t.lower in ("not", "never") for t in before):
        return ()
    named = {s.table.path for t in before for s in span.lexicon.find((t.stem,)) if not s.columns}
    return tuple(s for s in senses if s.table.path in named or any(t.lower == "who" for t in before))


def _as_gains(senses: Senses, span: Span) -> Senses:
    """Leave out flags, dates and others' salaries for what is earned."""
    if span.stems[-1] not in _GAINS:
        return senses
    return tuple(s for s in senses if may_be_gained(s, span.tokens, span.lexicon))


def _not_prices(senses: Senses, span: Span) -> Senses:
    """Leave out prices for what they are by: "hours" are no `hourly_rate`, nor are "units" a `unit_price`."""
    if len(span.words) > 1 or is_singular(span.last) or span.last not in _PIECES | UNITS.keys():
        return senses
    return tuple(s for s in senses if not s.columns or not is_price(s.column))


def _as_pieces(senses: Senses, span: Span) -> Senses:
    """Return what says how many pieces were sold for "units" or "pieces", where nothing is called so."""
    if len(span.words) > 1 or span.last not in _PIECES:
        return senses
    named = any(s.score >= 0.85 for s in senses)
    return senses if named else tuple(replace(s, score=0.85) for s in pieces_of(span.lexicon) if len(s.columns) == 1)


def _as_periods(senses: Senses, span: Span) -> Senses:
    """Leave out columns that hold no such period: "month" is no `monthly_fee` and no `pay_mthd`, "years" no `year`."""
    if span.words == ("years",) and span.start and span.tokens[span.start - 1].kind == "number":
        return tuple(s for s in senses if not any(map(is_year, s.columns)))  # "10 years" are no year
    every = EVERY.get(" ".join(span.words))
    if not every:
        return senses
    guessed = (s for s in senses if s.note.startswith(READ_AS))
    others = {s for s in guessed if any(is_text(c) and not (is_date(c) or is_by_month(c)) for c in s.columns)}
    return tuple(s for s in senses if s not in others and not any(every in c.name.lower() for c in s.columns))


def _not_short(senses: Senses, span: Span) -> Senses:
    """Leave out short forms for an act that are neither dates nor flags, and for what things "cost" over 20.

    Where a table is a much better guess than columns, "operator" for `oprtr`, they are left out: it is no `opn_dt`.
    """
    tables = [s.score for s in senses if not s.columns and s.note.startswith(READ_AS)]
    if len(span.words) == 1 and tables and all(s.note.startswith(READ_AS) for s in senses):
        senses = tuple(s for s in senses if s.score >= max(tables) - _FAR)
    if span.words[-1] in COSTS and span.follow in _COMPARED:
        return tuple(s for s in senses if not s.note.startswith(READ_AS))
    if not names_an_act(span.last):
        return senses
    short = (s for s in senses if s.columns and s.note.startswith(READ_AS))
    acts = {s for s in short if not is_date(s.columns[0]) and span.lexicon.truth(s) is None}
    return tuple(s for s in senses if s not in acts)


def _not_brands(senses: Senses, span: Span) -> Senses:
    """Leave out the brands of things for what was done: "payments made in May" have no `make`."""
    return tuple(s for s in senses if not any(is_brand(c.name) for c in s.columns)) if span.last == "made" else senses


def _not_rates(senses: Senses, span: Span) -> Senses:
    """Leave out rates for "rated", and ratings for "rate", which have one stem: `hourly_rate`, `rating`."""
    other = "rate" if span.last == "rated" else "rating" if span.last in _RATE else ""
    return tuple(s for s in senses if not any(other in cut_name(c.name) for c in s.columns)) if other else senses


_RATE = ("rate", "rates")


def _not_rates_of_others(senses: Senses, span: Span) -> Senses:
    """Leave out prices of other tables for an "occupancy rate"; a "contractor rate" is that of contractors."""
    before = span.tokens[span.start - 1] if span.start and len(span.words) == 1 else None
    if span.last not in _RATE or before is None or before.kind != "word" or (before.lower,) in WORD:
        return senses
    own = paths_of(span.lexicon.find((before.stem,)))
    return tuple(s for s in senses if s.table.path in own or not any(map(is_price, s.columns)))


def _as_spelled(senses: Senses, span: Span) -> Senses:
    """Take a noun for the tables that are called so, not for others of its stem: "applications" are no applicants."""
    noun = singular(span.last)
    tables = [s for s in senses if not s.columns]
    if len(span.words) > 1 or len(tables) < 2 or names_an_act(span.last):
        return senses
    called_so = {s for s in tables if noun in map(singular, cut_name(s.table.name))}
    otherwise = {s for s in tables if s not in called_so and span.stems[-1] in name_stems(s.table.name)}
    if not called_so or not otherwise:
        return senses
    best = max(s.score for s in tables)
    return tuple(replace(s, score=best) if s in called_so else s for s in senses if s not in otherwise)


def _not_births(senses: Senses, span: Span) -> Senses:
    """Leave out years of birth for "year", unless a word of the question says so: "which year had the most sales"."""
    if span.words not in (("year",), ("years",)) or any(t.lower in _BIRTHS for t in span.tokens):
        return senses
    return tuple(s for s in senses if not any(map(says_birth, s.columns)))


_BIRTHS = ("born", "birth", "births", "birthday", "birthdays", "birthdate", "age", "ages", "old")


def _not_of_the_table(senses: Senses, span: Span) -> Senses:
    """Leave out columns where the words end in the name of their table."""
    several = len(span.stems) > 1
    return tuple(s for s in senses if not (several and _ends_in_its_table(s, span.stems[-1], span.lexicon)))


def _not_over(senses: Senses, span: Span) -> Senses:
    """Leave out second tables for a verb of leading: "who supervises Ann" asks for no supervisor of her own."""
    last = span.stems[-1]
    noun = span.start and span.tokens[span.start - 1].lower in _OWNED
    if last not in LEADING or last == "report" or DOER.search(span.last) or noun:
        return senses
    return tuple(s for s in senses if s.columns or not is_second(s.table))


def _not_others(senses: Senses, span: Span) -> Senses:
    """Leave out what is named by a word for a person or device, or for an act, that the last word is not.

    Nor do words for things with a table name what was done with them, "claims" are no `claimed`, or who did it: "tests"
    are none of those of `tested_by`.
    """
    things = not names_an_act(span.last) and any(not s.columns and s.score >= _THINGS for s in senses)
    senses = tuple(s for s in senses if _names_them(s, span.last) and not (things and _says_done(s, span.stems[-1])))
    if any(not s.columns and s.score >= _IN_FULL for s in senses):  # `activities` are nothing that `is_active`
        noun, truth = singular(span.last), span.lexicon.truth
        senses = tuple(s for s in senses if truth(s) is None or noun in cut_name(s.column.name))
    acts = not names_an_act(span.last) and any(not s.columns and not is_role(s.table) for s in senses)
    return tuple(s for s in senses if not (acts and is_role(s.table) and names_an_act(s.table.name)))


def _not_given(senses: Senses, span: Span) -> Senses:
    """Leave out a `given_name` that "gives" or "gave" would be."""
    if span.last not in ("give", "gives", "gave", "giving"):
        return senses
    return tuple(s for s in senses if not any("given" in cut_name(c.name) for c in s.columns))


def _rather_kinds(senses: Senses, span: Span) -> Senses:
    """Leave out tables that the last word names by a synonym alone, where a column of one has it: "test category".

    In `test_types` with a `category` that is the column.
    """
    last, tables = span.stems[-1], {s.table.path for s in senses if not s.columns}
    kinds = [s for s in senses if len(s.columns) == 1 and s.table.path in tables and last in full_stems(s.column.name)]
    if len(span.stems) < 2 or not kinds:
        return senses
    return tuple(s for s in senses if s.columns or last in full_stems(s.table.name))


def _says_done(sense: Sense, thing: str) -> bool:
    """Return whether a sense is a column named by a participle of a stem: `claimed` of claims, `listed_on`."""
    words = [w for w in cut_name(sense.column.name) if w not in PLACING] if len(sense.columns) == 1 else []
    return len(words) == 1 and names_an_act(words[0]) and stem(words[0]) == thing


def _not_doers(senses: Senses, span: Span) -> Senses:
    """Leave out the tables of those who do an act, given as a participle without "by" or as what they do it to.

    The "reviews" are not their reviewers.
    """
    if not DOER.match(span.last) and any(not is_role(s.table) and s.score >= _SURE for s in senses):
        senses = tuple(s for s in senses if s.columns or not (is_role(s.table) and DOER.match(s.table.name)))
    if not PARTICIPLE.match(span.last) or span.follow == "by":
        return senses
    return tuple(s for s in senses if s.columns or not _does(s.table, span.last))


def _not_lines(senses: Senses, span: Span) -> Senses:
    """Leave out the tables of lines that refer to what the words name: an order is no row of `order_details`."""
    whole = {s.table.path for s in senses if not s.columns and s.score >= _SURE}
    return tuple(s for s in senses if s.columns or s.score >= _SURE or not _refers_to(s.table, whole))


def _refers_to(table: Table, paths: set[Path]) -> bool:
    """Return whether a table has a key to one of some tables."""
    return any(key.target in paths for key in table.foreign_keys)


def _with_notes(senses: Senses, span: Span) -> Senses:
    """Put the words before the notes on short forms."""
    text = " ".join(span.words)
    return tuple(replace(s, note=f"“{text}” {s.note}") if s.note.startswith(READ_AS) else s for s in senses)


def _not_states(senses: Senses, span: Span) -> Senses:
    """Leave out whatever was opened for "open", which says that a thing has not ended: "open tickets"."""
    return senses if span.words != (OPEN,) else tuple(s for s in senses if not is_of_opening(s))


# Each takes what the words may name, and returns what they may name where they stand.
RULES: tuple[Callable[[Senses, Span], Senses], ...] = (
    _as_flags,
    _not_of_subjects,
    _as_whole_names,
    _as_pairs,
    _as_numbers,
    _as_plain,
    _as_counted,
    _as_asked,
    _as_acts,
    _as_people,
    _as_children,
    _as_done,
    _as_dated,
    _not_acts,
    _as_phrasal,
    _as_since,
    _as_gains,
    _not_prices,
    _as_pieces,
    _as_periods,
    _not_short,
    _not_brands,
    _not_rates,
    _not_rates_of_others,
    _not_births,
    _as_spelled,
    _not_of_the_table,
    _not_over,
    _not_given,
    _rather_kinds,
    _not_others,
    _not_doers,
    _not_lines,
    _not_states,
    _with_notes,
)


def _offered(tokens: tuple[Token, ...], place: int, lexicon: Lexicon) -> bool:
    """Return whether "number" or "date" belongs to a word beside it: "number of loans", "by date", "phone number"."""
    described = lexicon.find((tokens[place - 1].stem,)) if place and tokens[place - 1].kind == "word" else ()
    if described and described[0].columns:
        return True
    before, after = tokens[place - 1 : place], tokens[place + 1 : place + 2]
    counted = tokens[place].lower in ("number", "numbers") and any(t.lower == "of" for t in after)
    return counted or any(t.lower in ("by", "per") or t.kind == "number" for t in before)


def _names_them(sense: Sense, word: str) -> bool:
    """Return whether a sense may be named by a word for a person or device: "reporters" are no reports.

    A word such as "reporter" shares its stem with "report". It names the sense only if a word of the sense's own name
    with this stem has such an ending, too. A noun for an act, "inspections", names no column of those who do it,
    `inspector`. Any other word may name the sense.
    """
    doer = bool(DOER.search(word))
    if not doer and not (sense.columns and names_who(word)):
        return True
    things: tuple[Column | Table, ...] = sense.columns or (sense.table,)
    alike = [w for t in things for n in called(t) for w in cut_name(n) if stem(w) == stem(word)]
    if any(singular(word) == f"{w}ator" for w in alike):
        return True  # `oper` is no act, as who acts so does not "oper"
    return not alike or any(bool(DOER.search(w)) == doer for w in alike)


def _does(table: Table, act: str) -> bool:
    """Return whether a table is of those who do an act, given as a participle: `translators`, for "translated"."""
    names = [cut_name(name)[-1] for name in called(table) if cut_name(name)]
    return any(DOER.search(n) and root(stem(n)) == root(stem(act)) and not act.startswith(singular(n)) for n in names)


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


def _ends_in_its_table(sense: Sense, last: str, lexicon: Lexicon) -> bool:
    """Return whether a sense is a column but the words end in its table: "picked products" are products.

    "Auto renewals" are renewals with a flag `auto_renew`.
    """
    short = any(not s.columns and s.table is sense.table for s in lexicon.find((last,)))
    flag = bool(sense.columns) and lexicon.truth(sense) is not None
    return (
        bool(sense.columns)
        and (short or last in lexicon.split(sense.table.name))
        and (flag or not any(last in name for c in sense.columns for name in lexicon.names(c)))
    )


def _has_its_subject(sense: Sense, span: Span) -> bool:
    """Return whether words that are not in the name of a flag stand before its verb."""
    verb = verb_of_flag(sense, span.lexicon)
    before = span.stems[: span.stems.index(verb)] if verb in span.stems else ()
    return bool(before) and not set(before) & set(name_stems(sense.column.name))


def verb_of_flag(sense: Sense, lexicon: Lexicon) -> str:
    """Return the stem of the verb of a flag that is called after a verb and its object, else ''.

    The verb comes first, `speaks_dutch`, or as a participle last, `bus_needed`.
    """
    words = cut_name(sense.column.name) if lexicon.truth(sense) is not None else ()
    if len(words) < 2 or words[0] in _FLAGGING:
        return ""
    if names_an_act(words[-1]):
        return stem(words[-1]) if stem(words[-1]) in ALLOWING else ""
    verb = stem(words[0]) in ALLOWING or words[0] in _ABLE or not is_singular(words[0])
    return stem(words[0]) if verb else ""


def dates_of_act(verb: str, lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return the dates that other words for a verb's act name, given its stem: `delivery_date` for "delivered"."""
    tables = [t for t in lexicon.tables if not is_second(t)]
    columns = ((table, column) for table in tables for column in events(table) if is_dated(column))
    return tuple(Sense(t, (c,), 0.85) for t, c in columns if says_when(c.name, verb))
