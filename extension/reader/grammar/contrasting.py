"""Read comparisons of two groups, one row for each: "female vs male members", "compare sales of kettles and lamps"."""

from __future__ import annotations

from dataclasses import replace

from askwhere.engine import Table
from askwhere.reader.grammar.cursor import END, Cursor, Stuck, as_each, mark_at
from askwhere.reader.grammar.draft import Key, Term, Test
from askwhere.reader.grammar.patterns import ANYTHING, Marks, Place, Rule, either, maybe, of_text, rewrite
from askwhere.reader.marking.marks import Mark, is_amount, key_of, looks_like_year
from askwhere.reader.marking.revenue import EARNING, GAINED, sums_of
from askwhere.reader.schema.naming import is_name, things_limited
from askwhere.reader.schema.persons import PATRON
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.tokens import stem

_JOINING = ("and", "or", "versus")
_BETWEEN = ("fill", "prep", "stop")


def contrast(state: Cursor) -> None:
    """Find two values or years that are compared with each other. Raise `Stuck` for "vs" between other things."""
    said = state.marks[0] if state.marks and state.marks[0].kind == "compare" else None
    marks = tuple(m for m in state.marks if m.kind != "compare")
    versus = [i for i, m in enumerate(marks) if m.kind == "versus"]
    compares = said is not None or bool(versus)
    than = ("than",) if said else ()  # "were there more sales in May than in June"
    joins = (m.kind in (*_JOINING, *than) and (compares or _says_again(marks, i)) for i, m in enumerate(marks))
    joining = [i for i, joined in enumerate(joins) if joined]
    for place in versus or joining:
        before, after = marks[place - 1 : place], marks[place + 1 :]
        later = next((m for m in after if m.kind not in _BETWEEN), None)
        pair = alike(before[0], later) if before and later else None
        if before and (said_of := _flag_of_both(state, before[0], after)):
            flag, rest = said_of
            thing = rest[:1] if rest[:1] and rest[0].kind == "table" else ()
            lead = marks[: place - 1]
            if any(m.kind in _COMPUTED for m in lead):  # "average fee, young vs old boats"
                lead = lead[:-1] if lead[-1].kind in ("comma", "stop") else lead
                state.marks = (*lead, as_each(marks[place]), flag, *rest[len(thing) :])
            else:
                state.marks = (*lead, *thing, as_each(marks[place]), flag, *rest[len(thing) :])
            return
        if pair:
            joined = replace(marks[place], kind="and", text="and")
            rest = tuple(m for m in after if m.start > pair[1].start)
            thing = rest[:1] if rest[:1] and rest[0].kind == "table" else ()  # behind "female vs male"
            state.marks = (*marks[: place - 1], *thing, pair[0], joined, pair[1], *rest[len(thing) :])
            state.compared_at = (pair[0].start, pair[1].start)
            # "More in May than in June" shows both numbers, "more in May or in June" the one of which there are more.
            state.more_of = said.argument if said and marks[place].kind != "than" else ""
            return
    if compares:
        raise Stuck(said or marks[versus[0]])


def _flag_of_both(state: Cursor, one: Mark, after: tuple[Mark, ...]) -> tuple[Mark, tuple[Mark, ...]] | None:
    """Return the mark of a column of yes and no which one word says and the next denies, and the marks behind both.

    So of "used vs unused" and "used vs not used". None where two words do not say and deny one column.
    """
    no = bool(after) and after[0].kind == "not"
    other = mark_at(after, int(no))
    flags = [{key_of(s): s for s in state.flags(mark)} for mark in (one, other)]
    both = [key for key in flags[0] if key in flags[1]]
    if not both or (one.argument == "denied") == (no or other.argument == "denied"):
        return None
    flag = replace(one, argument="", senses=tuple(replace(flags[0][key], value=None) for key in both))
    return flag, after[1 + no :]


def _says_again(marks: tuple[Mark, ...], place: int) -> bool:
    """Return whether a preposition is said again behind "and", "the average for A and for B": of each, not of both."""
    before, after = marks[place - 2 : place - 1], marks[place + 1 : place + 2]
    computed = any(m.kind in _COMPUTED for m in marks[:place])
    return (
        computed
        and bool(before and after)
        and before[0].kind == after[0].kind == "prep"
        and (before[0].text == after[0].text and marks[place].kind == "and")
    )


_COMPUTED = ("agg", "average", "count", "money", "much")


@rewrite("value", "table", "versus|and", "value", "table")
def say_thing_once(_: Place, one: Mark, thing: Mark, joined: Mark, other: Mark, again: Mark) -> Marks | None:
    """Write "limit orders vs market orders" as "limit vs market orders"."""
    same = {(s.table.path, s.columns) for s in thing.senses} == {(s.table.path, s.columns) for s in again.senses}
    return (one, joined, other, again) if joined.kind == "versus" and same else None


@rewrite("value", "table", "and", maybe("fill"), "value", "table")
def drop_thing_of_both(
    place: Place, one: Mark, thing: Mark, joined: Mark, a: Mark, other: Mark, again: Mark
) -> Marks | None:
    """Write "hired both a tower crane and a crawler crane" as "hired both a tower and a crawler"."""
    same = paths_of(thing.senses) == paths_of(again.senses)
    both = any(m.text.startswith("both") for m in place.before)
    return (one, joined, other) if same and both and alike(one, other) else None


@rewrite(maybe("count"), "value", "and", "value", "table", before="end|open|fill|number|sup|superlative")
def list_kinds_of_thing(place: Place, count: Mark, one: Mark, joined: Mark, other: Mark, thing: Mark) -> Marks | None:
    """Write "rock and jazz tracks" as "rock or jazz tracks", where each track has one of them.

    "Number of rock and jazz tracks" asks for that of each, as "rock vs jazz tracks" does.
    """
    pair = alike(one, other)
    tables = [s.table for s in thing.senses if not s.columns]
    if pair is None or not any(_has_one(table, s) for s in pair[0].senses for table in tables):
        return None
    grouped = any(m.kind in ("each", "period") for m in place.behind)
    kind = "or" if count is END or grouped else "versus"
    marks = (pair[0], replace(joined, kind=kind, text=kind), pair[1], thing)
    return marks if count is END else (count, *marks)


def _has_one(table: Table, kind: Sense) -> bool:
    """Return whether each row of a table has one value of a column: its own, or one of a row that a key refers to."""
    return kind.table.path == table.path or any(key.target == kind.table.path for key in table.foreign_keys)


@rewrite("comma", either("count", of_text("how many")), either("each", of_text("of each")), behind="end|stop")
def drop_count_of_each(place: Place, comma: Mark, count: Mark, each: Mark) -> Marks | None:
    """Take out ", count of each" behind two groups that are compared, of which each is counted."""
    return () if any(m.kind == "versus" for m in place.before) else None


@rewrite(of_text("with", kind="prep"), "and", "without", maybe("fill"), ANYTHING)
def with_and_without(place: Place, having: Mark, joined: Mark, without: Mark, fill: Mark, said: Mark) -> Marks:
    """Write "with and without a deposit" as "per deposit", a column of yes and no. Raise `Stuck` for others."""
    flags = place.state.flags(said)
    if not flags:
        raise Stuck(without)
    return as_each(having), replace(said, senses=tuple(replace(s, value=None) for s in flags))


def compare_who_has_more(state: Cursor) -> None:
    """Write "do we sell more lamps in Rome than in Oslo" as a comparison of the lamps in both.

    So are "does Rome have more lamps than Oslo", "do Rome or Oslo have more lamps" and "do cats weigh more on average
    than dogs".
    """
    marks = tuple(m for m in state.marks if m.kind != "stop")
    place = next((i for i, m in enumerate(marks) if m.kind == "more"), 0)
    if not place or marks[0].text.split()[0] not in _AUXILIARIES:
        return
    valued = paths_of(s for m in marks if m.kind == "value" for s in m.senses)
    kinds = (m for m in marks[1:place] if not (m.kind == "table" and paths_of(m.senses) <= valued))  # "church clients"
    before = [m for m in kinds if m.kind not in ("fill", "have")]
    said, amount, rest = marks[place], mark_at(marks, place + 1), marks[place + 2 :]
    total = () if amount.kind == "table" else (replace(said, kind="agg", text="total", argument="sum"),)
    average = next((m for m in marks[place:] if m.kind == "agg" and m.argument == "avg"), END)
    if average is not END and before and is_amount(before[-1]):  # "weigh more on average"
        amount, total = before.pop(), (average,)
        rest = tuple(m for m in marks[place + 1 :] if m is not average)
    if not (amount.kind == "table" or is_amount(amount)):
        return
    named = [i for i, m in enumerate(before) if m.kind == "value"]
    end = named[-1] + 1 if named else 0
    own = {key_of(s) for s in amount.senses}
    verb = [m for m in before[end:] if not own & {key_of(s) for s in m.senses}]  # "chase" is part of `gulls_chased`
    groups, both = before[:end], any(m.kind == "than" for m in rest)
    if [m.kind for m in groups] not in ([], ["value"], ["value", "or", "value"]) or not (both or "or" in _kinds(marks)):
        return
    compared = Mark("compare", 0, 0, 0.9, "compare", "" if both else "max" if said.argument == ">" else "min")
    among = (Mark("prep", amount.end, amount.end, 0.9, "in", "in"),) if groups else ()
    state.marks = (compared, *total, amount, *verb, *among, *groups, *rest)


def compare_who_earns_more(state: Cursor) -> None:
    """Write "do we earn more from lamps than from kettles" as a comparison of the revenue of both.

    So are "do hotels or shops pay more" and, of the pieces sold, "did we sell more lamps or kettles".
    """
    marks = tuple(m for m in state.marks if m.kind != "stop")
    values = [i for i, m in enumerate(marks) if m.kind == "value"]
    verb = next((m for m in marks if m.kind in ("link", "column") and stem(m.text.split()[-1]) in EARNING), None)
    if len(values) < 2 or verb is None or marks[0].text.split()[0] not in _AUXILIARIES:
        return
    lead, (first, second) = marks[: values[1]], values[:2]
    behind = values[1] + 1
    while mark_at(marks, behind).kind in ("fill", "more") or mark_at(marks, behind) is verb:
        behind += 1
    said = next((m for m in marks[:behind] if m.kind == "more" or m.text in ("more than", "less than")), None)
    between = {m.kind for m in marks[first + 1 : second]} & {"than", "or", "comp"}
    others = [m for m in lead if m.kind not in _EARNING_MORE and m is not verb]
    if said is None or not between or others or any(m.kind in _COMPUTED for m in marks):
        return
    act = stem(verb.text.split()[-1])
    workers = paths_of(s for s in state.lexicon.persons() if s.score < PATRON)
    if act in GAINED and workers & paths_of(marks[first].senses):
        return  # "does Ann earn more than Bo" is of their wages
    sold = marks.index(said) == first - 1 and said.kind == "more"  # "sell more lamps than kettles"
    sums = () if sold else sums_of(state.lexicon)
    if not (sums or (sold and act == "sell")):
        return
    place = verb.start
    compared = Mark(
        "compare", 0, 0, 0.9, "compare", "" if "or" not in between else "max" if said.argument == ">" else "min"
    )
    amount = (
        (Mark("count", place, place, 0.9, "how many"),)
        if sold
        else (Mark("money", place, place, 0.9, "revenue", "", sums), Mark("prep", place, place, 0.9, "of", "of"))
    )
    end = marks[second].end
    did = [replace(m, start=end, end=end) for m in lead if m.kind == "fill" or m is verb] if sold else []
    joined = replace(said, kind="or" if "or" in between else "than", text="or", senses=())
    state.marks = (compared, *amount, marks[first], joined, marks[second], *did, *marks[behind:])


_EARNING_MORE = ("fill", "link", "prep", "more", "comp", "than", "or", "value")
_AUXILIARIES = frozenset("do does did have has".split())


def _kinds(marks: tuple[Mark, ...]) -> set[str]:
    """Return the kinds of marks."""
    return {m.kind for m in marks}


def compare_columns(state: Cursor) -> None:
    """Write "more home goals than away goals" as a comparison of the two columns: "home goals above away goals".

    So is "a higher salary than their manager", or "than the list's price". Raise `Stuck` where no amounts stand there.
    """
    place = next((i for i, m in enumerate(state.marks) if m.kind == "more"), None)
    if place is None:
        return
    more = state.marks[place]
    rest = [m for m in state.marks[place + 1 :] if m.kind not in ("fill", "their")]
    if [m.kind for m in rest[1:3]] in (["than", "average"], ["than", "agg"]):
        return  # `Averaging` reads these
    kinds = [m.kind for m in rest[:3]]
    if kinds[:2] != ["column", "than"] or not all(is_amount(m) for m in rest[0:3:2] if m.kind == "column"):
        raise Stuck(more)
    if kinds[2:] not in (["column"], ["table"], ["number"]):
        raise Stuck(more)
    than = replace(rest[1], kind="comp", argument=more.argument, text="above" if more.argument == ">" else "below")
    behind = state.marks[state.marks.index(rest[1]) + 1 :]
    state.marks = (*state.marks[:place], rest[0], than, *behind)


_REACHING = frozenset("reached reach reaches met meets meet hit hits".split())


@rewrite(of_text(*_REACHING))
def say_at_least(place: Place, verb: Mark) -> Marks | None:
    """Write "that reached their goal" as "that at least their goal", where a column limits what is added up."""
    limit = next((m for m in place.behind if m.kind not in ("fill", "their")), END)
    limited = limit.kind == "column" and all(things_limited(s.column) for s in limit.senses)
    return (replace(verb, kind="comp", argument=">=", text="at least", senses=()),) if limited else None


def note_change(state: Cursor) -> None:
    """Drop "growth" or "change in" from what is asked for by period, and note that its change is to be shown."""
    said = next((m for m in state.marks if m.kind == "change"), None)
    if said is None:
        return
    percent = state.out.percent or any("percent" in m.text or "%" in m.text or "rate" in m.text for m in state.marks)
    state.out.change = "percent" if percent else "amount"
    state.marks = tuple(m for m in state.marks if m is not said and m.kind != "percent")


def alike(one: Mark, other: Mark) -> tuple[Mark, Mark] | None:
    """Return two marks with their senses in the same columns, or two years; None where they have no such senses."""
    if looks_like_year(one) and looks_like_year(other):
        return one, other
    if one.kind != "value" or other.kind != "value":
        return None
    shared = {key_of(s) for s in one.senses} & {key_of(s) for s in other.senses}
    if not shared:
        return None
    first, second = (tuple(s for s in m.senses if key_of(s) in shared) for m in (one, other))
    return replace(one, senses=first), replace(other, senses=second)


def settle_contrast(state: Cursor) -> None:
    """Group by the column of the two values that are compared, or by the year, and count what is only named."""
    if state.compared_at is None:
        return
    out = state.out
    tests = [t for group in out.tests for t in group if _is_compared(state, t)]
    if len(tests) != 2 or out.groups or out.order or out.limit is not None or len(out.outputs) != 1:
        raise Stuck(state.marks[0])
    out.tests = [*([t for t in g if t not in tests] for g in out.tests if any(t not in tests for t in g)), tests]
    slot = tests[0].term.slot or 0
    if tests[0].op == "=":
        out.slots.append(replace(out.slots[slot], part="year"))
        slot = len(out.slots) - 1
    out.groups.append(slot)
    only = out.outputs[0]
    counted = only if only.counts else Term(only.slot, rows=True)
    if not only.counts and (only.slot is None or out.slots[only.slot].senses[0].columns):
        raise Stuck(state.marks[0])
    if not only.counts and only.slot is not None:
        thing, compared = out.slots[only.slot], out.slots[slot].senses
        # Of "loan and purchase jobs" the kinds of job have one row each; what is compared are the rows of each kind.
        several = tuple(s for s in thing.senses if not any(s.table is c.table and is_name(c) for c in compared))
        out.slots[only.slot] = replace(thing, senses=several or thing.senses)
    out.outputs = [counted]
    if state.more_of:
        out.outputs, out.order, out.limit = [Term(slot)], [Key(counted, state.more_of == "max")], 1


def _is_compared(state: Cursor, test: Test) -> bool:
    """Return whether a test is of one of the two values or years that are compared."""
    if test.op == "=":
        return not test.term.counts and len(test.operand) == 1 and _is_one_year(state, test)
    return test.op == "is" and state.out.slots[test.term.slot or 0].start in (state.compared_at or ())


def _is_one_year(state: Cursor, test: Test) -> bool:
    """Return whether a test is of a year that is compared."""
    years = {m.number for m in state.marks if m.start in (state.compared_at or ()) and looks_like_year(m)}
    return test.operand[0] in years


def settle_change(state: Cursor) -> None:
    """Raise `Stuck` for a change of ANYTHING but one number of each period."""
    out = state.out
    periods = [slot for slot in out.groups if out.slots[slot].part]
    if out.periods:
        return
    if out.change and (len(periods) != 1 or len(out.groups) != 1 or len(out.outputs) != 1 or out.limit is not None):
        raise Stuck(state.marks[-1])
    if out.change and not out.outputs[0].counts:
        raise Stuck(state.marks[-1])


RULES: tuple[Rule, ...] = (
    say_at_least,
    compare_who_earns_more,
    compare_who_has_more,
    compare_columns,
    note_change,
    with_and_without,
    drop_count_of_each,
    say_thing_once,
    drop_thing_of_both,
    list_kinds_of_thing,
    contrast,
)
