"""Rewrite clauses about the things already named: what else is asked of them, and what or who is theirs."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from askwhere.engine import Table
from askwhere.indexer.word_forms import INVARIANT, plural
from askwhere.reader.grammar.cursor import END, PARTING, Cursor, Stuck, mark_at
from askwhere.reader.grammar.patterns import Marks, Place, Rule, maybe, of_argument, of_kind, of_text, rewrite
from askwhere.reader.marking.marks import Mark, is_column_of
from askwhere.reader.marking.revenue import SPENDING
from askwhere.reader.schema.edges import Path
from askwhere.reader.schema.lexicon import Lexicon
from askwhere.reader.schema.naming import refers
from askwhere.reader.schema.roles import is_role, is_second
from askwhere.reader.schema.senses import Sense
from askwhere.reader.words.english import PATRONS, WHOLE_NAMES, stems
from askwhere.reader.words.measures import ASKED
from askwhere.reader.words.names import full_stems, name_stems
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_dated, is_text
from askwhere.reader.words.verbs import names_doer

_ASKING = frozenset({"what", "which", "when", "where", "how"})
_THEM = frozenset("they it he she them this that those these".split())
_BESIDE = ("open", "rel", "be", "fill", "or", "prep", "have")
_NAMES = ("column", "table")


def ask_besides(state: Cursor) -> None:
    """Write "and what do they earn" as "and their earnings", "and who they report to" as "and their manager".

    So is a clause of a verb and a name, "the albums they released", beside a thing that "they" are.
    """
    marks = state.marks
    for at in range(2, len(marks)):
        if at >= len(marks):
            break  # clauses that were rewritten are shorter
        if marks[at - 1].kind not in PARTING[:2]:
            continue
        end = next((i for i in range(at, len(marks)) if marks[i].kind in PARTING), len(marks))
        said, before = marks[at:end], marks[at - 2 : at - 1]
        named = _asked_of_them(said)
        done = _done_by_them(said) if before[0].kind == "table" else None
        named = done or _who_does(said, marks[:at], state.lexicon) or named
        if named:
            start = at - 2 if before[0].kind == "comma" else at - 1
            their = Mark("their", named.start, named.start, 0.9, said[0].text.split()[0])
            marks = (*marks[:start], marks[at - 1], their, named, *marks[end:])
    state.marks = marks


@rewrite(
    of_argument("with"),
    of_text(*WHOLE_NAMES, kind="column"),
    of_argument("of"),
    maybe("their|fill"),
    "table",
    behind="and|comma|stop|end",
)
def say_whose_name(_: Place, having: Mark, name: Mark, of: Mark, their: Mark, thing: Mark) -> Marks:
    """Write "albums with the name of their artist" as "albums and their artist", who is shown by the name."""
    at = name.start
    return Mark("and", at, at, 0.9, "and"), Mark("their", at, at, 0.9, "their"), thing


@rewrite(of_text("which"), "table", "own", "column", behind="be|have|comp|between|when|days|current|prep")
def ask_which_whose(place: Place, which: Mark, thing: Mark, own: Mark, named: Mark) -> Marks | None:
    """Write "which birds' weight is above 900" as "which birds whose weight is above 900"."""
    listed = place.next.kind == "prep" and not is_column_of(named, is_dated)  # "which customers' cities in Spain"
    return None if place.before or listed else (which, thing, replace(own, kind="rel", text="whose"), named)


@rewrite(of_text("whose"), "column", behind="be|have|comp|between|when|days|current|prep")
def ask_whose(place: Place, whose: Mark, named: Mark) -> Marks | None:
    """Write "whose licence expires in May?" as "which drivers whose licence expires in May?"."""
    tables = {s.table.path: Sense(s.table) for s in named.senses if s.score >= named.senses[0].score - 0.05}
    if place.before or not tables or any(is_second(s.table) for s in tables.values()):
        return None
    things = Mark("table", whose.start, whose.start, 0.9, "things", senses=tuple(tables.values()))
    which = Mark("open", whose.start, whose.start, 0.9, "which")
    return which, things, replace(whose, kind="rel", start=whose.end), named


@rewrite(
    of_kind("table|column", lambda m: is_singular(m.text) or m.text in INVARIANT),
    of_text("of each", "of every", "for each", "for every", kind="each"),
    "table",
)
def list_one_of_each(place: Place, one: Mark, each: Mark, thing: Mark) -> Marks | None:
    """Write "driver of each departure", where departures refer to drivers, as "departures and their driver"."""
    tables = [s.table for s in thing.senses if not s.columns]
    if one.kind == "table":
        owned = tuple(s for s in one.senses if any(_has_one(t, s.table) for t in tables))
    else:
        owned = tuple(Sense(t) for t in place.lexicon.tables if t.path in _keys_named(one, tables))
    if not owned or not all(m.kind in ("open", "fill") for m in place.before):
        return None
    rows = replace(thing, start=one.start, end=one.end, text=plural(thing.text))
    their = Mark("and", each.start, each.end, 0.9, "and"), Mark("their", each.end, each.end, 0.9, "their")
    return rows, *their, replace(one, kind="table", start=thing.start, end=thing.end, senses=owned)


def _keys_named(mark: Mark, tables: list[Table]) -> set[Path]:
    """Return what keys of `tables` refer to where all best senses of a mark are keys: `mechanic_id` for "mechanic"."""
    best = [s for s in mark.senses if s.score >= mark.senses[0].score - 0.05]
    keys = [(s, key) for s in best for key in s.table.foreign_keys if key.columns == (s.columns[0].name,)]
    return {key.target for s, key in keys if s.table in tables} if len(keys) == len(best) else set()


def _has_one(table: Table, other: Table) -> bool:
    """Return whether each row of a table has one of another, which may be a role of that: `host_chapter_id`."""
    return refers(table, other) or (is_role(other) and other.foreign_keys[0].target == table.path)


def list_each(state: Cursor) -> None:
    """Take out "each" of "each artist and their albums", where nothing is counted or added up for each."""
    marks = state.marks
    first = next((i for i, m in enumerate(marks) if m.kind not in ("open", "fill")), 0)
    each, thing, behind = (mark_at(marks, first + i) for i in range(3))
    listed = (
        each.text in ("each", "every") and thing.kind == "table" and (behind.kind == "and" or behind.argument == "with")
    )
    if listed and not any(m.kind in _COUNTING for m in marks):
        state.marks = (*marks[:first], *marks[first + 1 :])


_COUNTING = ("count", "agg", "average", "sup", "supcount", "superlative", "common", "percent", "money", "nth", "much",
             "elapsed", "comp", "number")  # fmt: skip


def ask_where(state: Cursor) -> None:
    """Write "where are the blue vans" as "blue vans and their depot", and "…, and where are they" so behind the things.

    The place is a column of the things or a table that they refer to. "Where is the van Ida" asks for that alone.
    """
    marks = state.marks
    at = next((i for i, m in enumerate(marks) if m.text == "where" and (not i or marks[i - 1].kind in PARTING)), None)
    thing = next((m for m in marks if m.kind == "table"), None)
    if at is None:
        return
    rest = tuple(m for m in marks[at + 1 :] if m.kind != "stop")
    alone = tuple(m for m in rest if m.kind not in ("be", "fill"))
    asks = bool(rest) and (rest[0].kind == "be" if at == 0 else not alone and _THEM & {m.text for m in rest})
    named = [m for m in alone if m.kind == "value"]
    if not asks or any(m.kind == "link" for m in alone) or not (thing or named):
        return
    senses = _places_of(thing or named[0], state.lexicon)
    place = Mark("column" if any(s.columns for s in senses) else "table", at, at, 0.9, "location", senses=senses)
    their = Mark("and", at, at, 0.9, "and"), Mark("their", at, at, 0.9, "their")
    if not senses:
        return
    if at:
        state.marks = (*marks[: at - 1], *their, place)
    elif named and rest[0].text.split()[0] == "is":
        state.marks = (place, Mark("prep", at, at, 0.9, "of", "of"), *alone)
    elif thing:
        state.marks = (*alone, *their, place)


def _places_of(thing: Mark, lexicon: Lexicon) -> tuple[Sense, ...]:
    """Return where things are: the first of the names for places that a column of theirs has, or one they refer to."""
    own = {s.table.path: s.table for s in thing.senses if s.score >= thing.senses[0].score - _LESS}
    beyond = {key.target for table in own.values() for key in table.foreign_keys}
    named = [lexicon.named(words) for words in ASKED[("where",)]]
    columns = (tuple(s for s in senses if s.table.path in own and _is_called_so(s)) for senses in named)
    tables = (tuple(s for s in senses if s.table.path in beyond and not s.columns) for senses in named)
    return next((senses for senses in (*columns, *tables) if senses), ())


def _is_called_so(sense: Sense) -> bool:
    """Return whether a sense is one column of texts that is called just so."""
    return len(sense.columns) == 1 and sense.score >= _CALLED and is_text(sense.column)


_LESS, _CALLED = 0.1, 0.85


def _done_by_them(said: tuple[Mark, ...]) -> Mark | None:
    """Return the thing of "the THING they released", None for other words."""
    words = [m for m in said if m.text not in ("the", "all the")]
    kinds = [m.kind for m in words]
    if kinds not in (["table", "fill", "link"], ["table", "fill", "link", "prep"]) or words[1].text not in _THEM:
        return None
    return words[0]


def _who_does(said: tuple[Mark, ...], before: tuple[Mark, ...], lexicon: Lexicon) -> Mark | None:
    """Return a mark for those of "who they report to" and "who supports them", by the key whose name has the verb.

    Or by the table that is named after who does it, `owners` for "who owns them", or else by the only people that the
    things `before` are of: customers where something is paid or ordered, those at work where it is done or made, any
    where no act is said. Raise `Stuck` for a clause of this kind that asks for none.
    """
    verb = next((m for m in said if m.kind in ("link", "table", "column", "have") or m.text == "placed"), None)
    rest = {m.text for m in said if m is not verb}
    if not rest & _WHO or not rest & _THEM or not rest <= {*_WHO, *_THEM, *_TO, *_LIGHT}:
        return None
    act = stem(verb.text) if verb else "did" if "did" in rest else ""
    tables = tuple(t for t in (*lexicon.tables, *lexicon.roles) if act and _is_key_of(t, act, lexicon))
    tables = tables or tuple(t for t in lexicon.tables if act and names_doer((t.name,), act))
    thing = next((m for kind in ("table", "value") for m in before if m.kind == kind), END)
    people = [s.table for s in lexicon.persons()] if not tables else []
    if "for" in rest if not act else (verb and verb.kind == "have") or act in _BELONGING:
        beyond = {key.target for s in thing.senses[:1] for key in s.table.foreign_keys}
        tables = tables or tuple(t for t in people if t.path in beyond)
    elif act in _BUYING or act in _DOING:
        of_kind = [t for t in people if bool(PATRONS & {*full_stems(t.name)}) == (act in _BUYING)]
        things = [s.table for s in thing.senses[:1]]
        near = [t for t in lexicon.tables if any(refers(one, t) for one in things)]
        tables = tables or tuple(t for t in of_kind if t in near)
        tables = tables or tuple(t for t in of_kind if any(refers(one, t) for one in near))
    if len(tables) != 1:
        raise Stuck(said[0])
    start = verb or said[-1]
    return replace(start, kind="table", text=tables[0].name, senses=(Sense(tables[0]),))


_WHO, _LIGHT = frozenset({"who", "whom"}), frozenset({"is", "are", "do", "does", "did"})
_BELONGING = frozenset({"belong"})
_BUYING = SPENDING | frozenset(stems("buy order place book rent hire reserve borrow"))
_DOING = frozenset(stems("do did make made perform conduct handle write sign lead run"))
_TO = ("to", "for", "with", "by")


def _is_key_of(table: Table, act: str, lexicon: Lexicon) -> bool:
    """Return whether a role or second table stands for a key that says an act, `support_rep`, or its doer, `leader`."""
    words = _stems_of_key(table, lexicon)
    return act in words or (bool(words) and names_doer(tuple(words), act))


def _stems_of_key(table: Table, lexicon: Lexicon) -> frozenset[str]:
    """Return the stems in the name of the key that a role or a second table stands for; none for other tables."""
    if is_role(table):
        return frozenset(word for name in table.foreign_keys[0].target_columns for word in name_stems(name))
    if not is_second(table):
        return frozenset()
    keys = (key for t in lexicon.tables for key in t.foreign_keys if key.target == table.path)
    return frozenset(word for key in keys for name in key.columns for word in name_stems(name))


def _asked_of_them(said: tuple[Mark, ...]) -> Mark | None:
    """Return the name of "what do they NAME", a clause of one name and a pronoun; None for any other clause."""
    words = [word for m in said for word in m.text.split()]
    place = next((i for i, m in enumerate(said) if m.kind in _NAMES), None)
    if place is None or words[0] not in _ASKING or not _THEM & {*words}:
        return None
    name, before, behind = said[place], said[:place], said[place + 1 :]
    tells = any(m.kind == "have" for m in before) or any(m.kind in ("or", "rel", "open") for m in behind)
    if tells or not all(m.kind in _BESIDE for m in (*before, *behind)):
        return None  # "which has it" tells the thing
    return name


def narrow_by_clause(state: Cursor) -> None:
    """Take out the clause of "the year they were built", where the verb only says which column is meant: `year_built`.

    The name keeps the senses whose columns have the verb in their name.
    """
    marks = state.marks
    for place, (mark, subject) in enumerate(pairwise(marks)):
        if mark.kind != "column" or subject.text not in _SUBJECTS:
            continue
        end = next((i for i in range(place + 1, len(marks)) if marks[i].kind in PARTING), len(marks))
        clause = marks[place + 1 : end]
        verb = next((m for m in clause if m.kind in ("link", "column")), None)
        if verb is None:
            continue
        senses = tuple(s for s in mark.senses if stem(verb.text) in {w for c in s.columns for w in name_stems(c.name)})
        if senses and all(m is verb or m.kind in ("fill", "be", "have") or m.text in _TO for m in clause):
            state.marks = (*marks[:place], replace(mark, senses=senses), *marks[end:])
            return


_SUBJECTS = (*_THEM, "we", "you", "people")


def drop_brackets(state: Cursor) -> None:
    """Drop what stands in brackets behind a value, which only explains it: "the status L (on leave)"."""
    marks = state.marks
    opens = next((i for i, m in enumerate(marks) if m.text == "(" and i and marks[i - 1].kind == "value"), None)
    closes = next((i for i, m in enumerate(marks) if m.text == ")" and i > (opens or 0)), None)
    if opens is not None and closes is not None and closes - opens <= _LONGEST_GLOSS:
        state.marks = (*marks[:opens], *marks[closes + 1 :])


_LONGEST_GLOSS = 6  # marks in brackets


RULES: tuple[Rule, ...] = (
    drop_brackets,
    ask_which_whose,
    ask_whose,
    list_one_of_each,
    list_each,
    narrow_by_clause,
    say_whose_name,
    ask_where,
    ask_besides,
)
