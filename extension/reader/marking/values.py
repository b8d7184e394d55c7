"""Find the values of the database in a question: runs of words that the value index holds, and quotations."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import pairwise

from askwhere.engine import Column
from askwhere.frozen import frozen
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import Match, ValueIndex
from askwhere.indexer.word_forms import is_participle, singular
from askwhere.reader.marking.marks import Mark, key_of
from askwhere.reader.marking.operators import is_preposition
from askwhere.reader.marking.people import name_marks, whole_names
from askwhere.reader.marking.spellings import Spelling, other_numbers, spellings_of
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.naming import lists_kinds, name_columns
from askwhere.reader.schema.roles import is_role
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words import phrases
from askwhere.reader.words.dates import MONTHS
from askwhere.reader.words.english import BEING, INITIALS
from askwhere.reader.words.names import cut_name, full_stems
from askwhere.reader.words.tokens import Token, is_initials, number, stem
from askwhere.reader.words.types import is_dated
from askwhere.reader.words.verbs import is_act, says_when

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
_CALLED = 0.75  # the least score of a column that a word names
_SHORT = 0.6  # and of one whose name is short for a word, `blk`
_NAMED = 0.85  # the least score of a table that a word names
FEW = 30  # a column of at most so many different values has kinds or states of things
_BEFORE_MONTHS = frozenset("in during since until till before after throughout last this next every each".split())
_SIGNS = re.compile(r"[^\w\s?!.,;:'\"()]*")


@frozen
class _Run:
    """Adjacent words, from `start` up to but not including `end`, and what the data holds for them.

    `states` are the tables in which the words are a kind or a state (see `is_kind`).
    """

    start: int
    end: int
    senses: tuple[Sense, ...]
    states: frozenset[Path]


def value_marks(
    text: str, tokens: tuple[Token, ...], catalog: Catalog, values: ValueIndex, lexicon: Lexicon
) -> list[Mark]:
    """Return marks for the runs of words that spell values of the data, and for quotations that it does not hold.

    `text` is the question that `tokens` were cut from. Each mark has a sense for every column with such a value.
    """
    runs = [_closest(run, tokens, lexicon) for run in _runs(text, tokens, catalog, values, lexicon)]
    whole, single = whole_names(tokens, {(run.start, run.end): run.senses for run in runs}, lexicon.people)
    runs = [replace(run, senses=single[run.start, run.end]) for run in runs]
    runs = [run for run in runs if run.senses and (run.end > run.start + 1 or not is_light(tokens, run.start))]
    marks = [*name_marks(tokens, whole)]
    marks += [
        _value(tokens, run, lexicon, _with_signs(text, tokens[run.start].start, tokens[run.end - 1].end), state)
        for run in runs
        for small in [not _may_be_value(tokens, run.start, run.end)]  # "with status out"
        for state in [
            small or _is_state_of_thing(tokens, run, lexicon) or _is_said_as_state(tokens, run, runs, lexicon)
        ]
        if state or not _is_name(tokens, run, lexicon)
    ]
    quoted = [(i, t) for i, t in enumerate(tokens) if t.kind in ("quoted", "date") and not single.get((i, i + 1))]
    return marks + [Mark("value", i, i + 1, 3.0, t.text, t.kind) for i, t in quoted]


def _runs(text: str, tokens: tuple[Token, ...], catalog: Catalog, values: ValueIndex, lexicon: Lexicon) -> list[_Run]:
    """Return the runs of words that may be values, with the senses of all their spellings, found by one look-up."""
    spellings = {
        (start, end): spellings_of(text, tokens, start, end)
        for start in range(len(tokens))
        for end in range(start + 1, min(start + LONGEST_VALUE, len(tokens)) + 1)
        if _may_be_value(tokens, start, end) or _is_small_value(tokens, start, end)
    }
    matches = values.exact({one.text: None for some in spellings.values() for one in some})
    found = {span: [one for one in some if one.text in matches] for span, some in spellings.items()}
    return [
        _run(tokens, span, some, spellings[span][0].text, matches, catalog, lexicon) for span, some in found.items()
    ]


def _run(
    tokens: tuple[Token, ...],
    span: tuple[int, int],
    spellings: list[Spelling],
    written: str,
    matches: Mapping[str, tuple[Match, ...]],
    catalog: Catalog,
    lexicon: Lexicon,
) -> _Run:
    """Return the run of the words in `span`, `written` in the question; `matches` has all `spellings`."""
    words = tokens[slice(*span)]
    senses: list[Sense] = []
    states: set[Path] = set()
    for spelling in spellings:
        found = matches[spelling.text]
        kinds = [m for m in found if is_kind(m, catalog)]
        states |= {m.table for m in kinds}
        own = value_senses(kinds if _means_more(words) else found, catalog, spelling, written)
        own = _not_first_names(own, lexicon) if _is_month(tokens, *span) else own
        own = own if _UNITS & {t.stem for t in tokens} else [s for s in own if not _is_of_units(s.column)]
        own = own if _may_be_value(tokens, *span) else _of_column_before(own, tokens, span[0], lexicon)
        senses += [*own, *_of_seconds(own, lexicon)]
    return _Run(*span, tuple(senses), frozenset(states))


def _is_of_units(column: Column) -> bool:
    """Return whether a column says what amounts are counted in: `uom`, `unit`. Its "book" names no books."""
    words = full_stems(column.name)
    return words == ("unit",) or bool({"uom", stem("measure")} & {*words})


_UNITS = frozenset(map(stem, "unit uom measure measured per".split()))


def _closest(run: _Run, tokens: tuple[Token, ...], lexicon: Lexicon) -> _Run:
    """Return a run with its exact senses alone, if it has any, and the states of things beside it that have none.

    "Passed tests" and "tests passed" have the result `pass`, though pupils have the status `passed`.
    """
    if not (exact := tuple(s for s in run.senses if s.score == 1.0)):
        return run
    others = run.states & _things_beside(tokens, run, lexicon) - paths_of(exact)
    states = tuple(s for s in run.senses if s.table.path in others and s.columns != name_columns(s.table))
    return replace(run, senses=(*exact, *states))


def _things_beside(tokens: tuple[Token, ...], run: _Run, lexicon: Lexicon) -> set[Path]:
    """Return the paths of the tables that the word behind a run names, or the last before it but "were" or the like."""
    before = [t for t in tokens[: run.start] if t.lower not in SMALL or is_preposition(t.lower)][-1:]
    named = (s for t in (*before, *tokens[run.end : run.end + 1]) for s in lexicon.find((t.stem,)))
    return {s.table.path for s in named if not s.columns and s.score >= _NAMED}


def _not_first_names(senses: list[Sense], lexicon: Lexicon) -> list[Sense]:
    """Return the senses that are no first or last names of people."""
    return [s for s in senses if not any(s.columns[0] in pair for pair in lexicon.people[s.table.path])]


def _is_small_value(tokens: tuple[Token, ...], start: int, end: int) -> bool:
    """Return whether a small letter or word ends what is said, behind a word: "in block b", "with status out".

    So does a letter that is no article, "zone a".
    """
    alone = end == start + 1 and start > 0 and tokens[start].kind == tokens[start - 1].kind == "word"
    last = end == len(tokens) or tokens[end].kind == "mark"
    return alone and (last or (len(tokens[start].text) == 1 and tokens[start].lower not in SMALL))


def _of_column_before(senses: list[Sense], tokens: tuple[Token, ...], start: int, lexicon: Lexicon) -> list[Sense]:
    """Return the senses in columns that the word just before `start` names: those of "block" in "block b"."""
    named = {(s.table.path, s.columns) for s in lexicon.find((tokens[start - 1].stem,)) if s.score >= _SHORT}
    return [s for s in senses if (s.table.path, s.columns) in named]


def is_kind(match: Match, catalog: Catalog) -> bool:
    """Return whether a value is one of few in its column, "on hold", "to do", and nothing's name: a kind or a state.

    The names in a table that only lists such are kinds and states, too.
    """
    table = catalog.by_path.get(match.table)
    names = () if table is None or lists_kinds(table) else name_columns(table)
    return match.many <= FEW and table is not None and match.column not in {c.name for c in names}


def done_in_ways(tokens: tuple[Token, ...], valued: Collection[Mark]) -> frozenset[int]:
    """Return the places of "done" where it is no state, but stands before another kind of the same thing: "by video".

    "Jobs done by Ann" have the state.
    """
    places = (i for i, (done, way) in enumerate(pairwise(tokens)) if done.lower in _DONE and way.lower in _WAYS)

    def columns(place: int) -> set[tuple[object, ...]]:
        return {key_of(s) for m in valued if m.start == place for s in m.senses}

    def tables(place: int) -> set[Path]:
        return {s.table.path for m in valued if m.start == place for s in m.senses}

    alike = (p for p in places if tables(p + 2) and (not tables(p) or tables(p) & tables(p + 2)))
    return frozenset(p for p in alike if not columns(p + 2) & columns(p))


_DONE, _WAYS = ("done", "made"), ("by", "via", "over", "through")


def _means_more(words: tuple[Token, ...]) -> bool:
    """Return whether words are values of kinds and states alone: small words, and verbs in small letters."""
    verb = words[0].text.islower() and bool({words[0].lower, words[0].stem} & phrases.LINKING)
    return all(t.lower in SMALL for t in words) if len(words) > 1 else verb


def _is_month(tokens: tuple[Token, ...], start: int, end: int) -> bool:
    """Return whether a word is a month where it stands, and nobody's first name: "in June", "last April"."""
    before = tokens[start - 1].lower if start else ""
    return end == start + 1 and tokens[start].lower in MONTHS and before in _BEFORE_MONTHS


# Operators that a value of the data says better: a status "lapsed".
_STATES = {"current", "overdue", "skipped", "stocked"}


def _is_state_of_thing(tokens: tuple[Token, ...], run: _Run, lexicon: Lexicon) -> bool:
    """Return whether a word is a state of the things beside it, and written in no name of theirs.

    "Active policies" have the status `Active`, though brokers have a flag `active`, and "severe faults" a `severity`.
    """
    word = tokens[run.start]
    named = lexicon.find((word.stem,)) if run.end == run.start + 1 and run.states else ()
    bare = is_act(word.lower) and _is_bare(tokens, run.start, lexicon)
    own = paths_of(
        s
        for s in named
        if not (bare and s.columns and is_dated(s.column))
        and (is_participle(word.lower) or not s.columns or is_written_in(word.lower, s.column))
    )
    return bool(named) and bool((run.states - own) & _things_beside(tokens, run, lexicon))


def _is_said_as_state(tokens: tuple[Token, ...], run: _Run, runs: list[_Run], lexicon: Lexicon) -> bool:
    """Return whether a state is beside its column or another of its values: "cancelled or closed", `closed_on`."""
    places = ((run.start - 1, run.start - 2), (run.end, run.end + 1))
    joined = {place for joiner, place in places if 0 <= joiner < len(tokens) and tokens[joiner].lower in _LISTING}
    own = {(s.table.path, s.columns) for s in run.senses if s.table.path in run.states}
    beside = [r.senses for r in runs if r.end - r.start == 1 and r.start in joined and r.states]
    if run.end < len(tokens):
        follow = tuple(s for s in lexicon.find((tokens[run.end].stem,)) if s.score >= _CALLED)
        beside.append(follow)  # "good condition", though goods are things
    return run.end - run.start == 1 and any(own & {(s.table.path, s.columns) for s in senses} for senses in beside)


def is_written_in(word: str, column: Column) -> bool:
    """Return whether a word in lower case is in the name of a column, and not only one of the same stem."""
    return not {word, singular(word)}.isdisjoint(cut_name(column.name))


_LISTING = frozenset({"and", "or", "vs", "versus", ","})


def is_light(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether a word is a verb that says nothing of its object: "have never done a repair" asks for no state.

    Nor does "rentals that were booked with a skipper", since all were booked.
    """
    before, follow = tokens[place - 1].lower if place else "", tokens[place + 1 : place + 2]
    if tokens[place].lower in _BEGUN and before in BEING and follow and follow[0].lower in _AND_HOW:
        return True
    done = tokens[place].lower in ("done", *_BEGUN) and before in _PERFECT
    return done and bool(follow) and follow[0].lower in _BEFORE_OBJECTS


_BEGUN = ("booked", "ordered", "placed", "made", "reserved")
_AND_HOW = ("with", "through", "via", "by", "online", "for")
_PERFECT = frozenset("have has had having never ever not yet also already only who that which".split())
_BEFORE_OBJECTS = frozenset("a an any the no some more fewer less most many several their".split())


def _is_name(tokens: tuple[Token, ...], run: _Run, lexicon: Lexicon) -> bool:
    """Return whether a single word is better read as a name of the schema or an operator than as a value.

    Capitalised words behind the first, several words, quotations and numbers are values, and so are states that have
    no column of that name in their own table.
    """
    words = tokens[run.start : run.end]
    if len(words) > 1 or words[0].kind != "word" or (words[0].text[:1].isupper() and run.start > 0):
        return False
    if not _may_be_value(tokens, run.start, run.end):
        return False  # "in block b", "with status out"
    if run.start and tokens[run.start - 1].lower in ("each", "every", "per") and _names_a_table(words[0], lexicon):
        return True  # "by each officer": of the table `offr`, and none of those with the rank `officer`
    verb = words[0].lower in phrases.LINKING or words[0].stem in phrases.LINKING
    if (verb or is_participle(words[0].lower)) and _DENIALS & {
        t.lower for t in tokens[max(run.start - 2, 0) : run.start]
    }:
        # "Not yet shipped" has no date of shipping, where there is one.
        things = [s.table for s in run.senses] + [t for t in lexicon.tables if t.path in _named(tokens, lexicon)]
        if any(says_when(c.name, words[0].stem) for t in things for c in t.columns if is_dated(c)):
            return True
    if verb:
        return False
    # "Mechanics" are those of `employees.role`, though repairs have a `mechanic_id`, too.
    named = [s for s in lexicon.find((words[0].stem,)) if not (is_role(s.table) and s.table.path[:-1] in run.states)]
    written = bool(named) and named[0].score >= 0.85 and lexicon.writes(words[0].stem)
    own = run.states - paths_of(named)
    if is_act(words[0].lower) and _is_bare(tokens, run.start, lexicon):
        own |= run.states & paths_of(s for s in named if s.columns and is_dated(s.column))
    operators = phrases.WORD.get((words[0].lower,), ())
    told = {o.kind for o in operators if not (run.states and o.argument == "soft")}  # "available", as rows say
    return bool(told - _STATES if run.states else told) or (written and not (own and is_act(words[0].lower)))


def _is_bare(tokens: tuple[Token, ...], place: int, lexicon: Lexicon) -> bool:
    """Return whether a word is said of things without a time or denial: "scheduled jobs", "which are scheduled?"."""
    if _DENIALS & {t.lower for t in tokens[max(place - 2, 0) : place]}:
        return False
    behind = next((t for t in tokens[place + 1 :] if t.lower not in ("?", ".", "!")), None)
    return behind is None or behind.lower in ("and", ",") or _names_a_table(behind, lexicon)


_DENIALS = frozenset({"not", "yet", "never"})


def _named(tokens: tuple[Token, ...], lexicon: Lexicon) -> set[Path]:
    """Return the paths of the tables that single words of the question name, also by short forms."""
    return {s.table.path for t in tokens for s in lexicon.find((t.stem,)) if not s.columns and s.score >= _SHORT}


def _names_a_table(word: Token, lexicon: Lexicon) -> bool:
    """Return whether a word names a table, or is what a table's name is short for."""
    return any(not s.columns and s.chance == 1 for s in lexicon.find((word.stem,)))


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
    noun = start > 0 and token.lower == "hold" and is_preposition(tokens[start - 1].lower)  # jobs "on hold"
    return (noun or token.lower not in SMALL) and (len(token.text) > 1 or (token.text.isupper() and start > 0))


def value_senses(matches: Iterable[Match], catalog: Catalog, spelling: Spelling, said: str) -> list[Sense]:
    """Return the senses of the values that match a spelling of what is `said`.

    They have a note where the data writes it otherwise, and not only in capitals or as singular or plural.
    """
    found = []
    alike = {said.casefold(), *(other.text.casefold() for other in other_numbers(said))}
    for match in matches:
        table = catalog.by_path.get(match.table)
        columns = tuple(c for c in table.columns if c.name == match.column) if table else ()
        if table is None or not columns:
            continue
        if spelling.columns and spelling.columns.isdisjoint(full_stems(match.column)):
            continue  # "IT" is Italy in a column of countries alone
        where = f"{table.name}.{match.column}"
        note = "" if match.value.casefold() in alike else f"“{said}” is written {match.value!r} in {where}"
        respelt = match.value != spelling.text
        found.append(Sense(table, columns, spelling.score, match.value, note, respelt=respelt))
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


def _with_signs(text: str, start: int, end: int) -> str:
    """Return a part of a text with the signs just before and behind it, which tell `A+` from `A-`."""
    before = _SIGNS.match(text[:start][::-1])
    behind = _SIGNS.match(text, end)
    return text[start - (before.end() if before else 0) : behind.end() if behind else end].strip("\"'")


def _value(tokens: tuple[Token, ...], run: _Run, lexicon: Lexicon, written: str, state: bool) -> Mark:
    """Return the mark of a value, with the best sense of each column: of several, that which is `written` so.

    Quotations score highest. Other words score by their number, more if capitalised or the `state` of a thing that
    the question names, and less for a single word that has another meaning.
    """
    start, end = run.start, run.end
    words = tokens[start:end]
    best = max(s.score for s in run.senses)
    kept: dict[tuple[object, ...], Sense] = {}
    for sense in sorted(run.senses, key=lambda s: (-s.score, str(s.value) != written)):
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
    capital = state or any(t.text[:1].isupper() for t in words[(1 if start == 0 else 0) :])
    common = size == 1 and ((words[0].lower,) in phrases.WORD or bool(lexicon.find((words[0].stem,))))
    score = size * (1.1 if capital else 0.95) * best + 0.35 * (size - 1) - (0.3 if common and not capital else 0.0)
    return Mark("value", start, end, score, text, "", tuple(kept.values()))
