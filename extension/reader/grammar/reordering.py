"""Put marks in the order in which the grammar reads them: "the premium total" is "the total premium"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from askwhere.indexer.word_forms import PARTICIPLE, is_participle, plural
from askwhere.reader.grammar.cursor import END, NAME_ENDS, Cursor, as_each, mark_at, that_are
from askwhere.reader.grammar.patterns import Marks, Place, Rule, either, maybe, of_argument, of_kind, of_text, rewrite
from askwhere.reader.grammar.ranking import COUNTING
from askwhere.reader.marking.formulas import days_until
from askwhere.reader.marking.marks import Mark, is_amount, is_column_of, is_plural, names_a_key, with_columns_of
from askwhere.reader.marking.reasons import reasons_of
from askwhere.reader.marking.revenue import charged_for
from askwhere.reader.schema.naming import is_name, sequence_columns
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.english import BY
from askwhere.reader.words.money import PAID
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_dated, is_number, is_text
from askwhere.reader.words.verbs import names_an_act

_FIRSTS = "nth|superlative"  # kinds of "last" and "latest"
_NAME_ENDS = "|".join(NAME_ENDS)
_ONLY = frozenset({"only", "just", "just the"})


def _is_date(mark: Mark) -> bool:
    """Return whether a mark names columns of dates alone."""
    return is_column_of(mark, is_dated)


def _is_kind(mark: Mark) -> bool:
    """Return whether a mark names columns of texts alone."""
    return is_column_of(mark, is_text)


def put_only_behind_colon(state: Cursor) -> None:
    """Write "…, surname only" and "…, just the names" in the end as "…: surname"."""
    before, said = _cut_last_clause(state.marks)
    named = tuple(m for m in said if m.text not in _ONLY and m.kind != "fill")
    kinds = [m.kind for m in named]
    if not before or not any(m.text in _ONLY for m in said):
        return
    if [m.text for m in named] in (["number"], ["count"]):  # "…, number only" asks how many there are
        state.marks = (Mark("count", 0, 0, 0.0, "how many"), *before[:-1])
    elif kinds[:1] == ["column"] and {*kinds} <= {"column", "and", "comma"} and not any(map(state.flags, named)):
        state.marks = (*before[:-1], replace(before[-1], kind="stop", text="."), *named)


def _cut_last_clause(marks: tuple[Mark, ...]) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """Return the marks up to and with the last comma or stop within them, and those behind it but for a stop."""
    end = len(marks) - (marks[-1].kind == "stop") if marks else 0
    start = next((i + 1 for i in range(end - 1, 0, -1) if marks[i].kind in ("comma", "stop")), 0)
    return marks[:start], marks[start:end]


def drop_amounts_again(state: Cursor) -> None:
    """Take out what only says again what groups show: "sales per shop, with the amounts"."""
    before, said = _cut_last_clause(state.marks)
    kinds = [m.kind for m in before]
    grouped = next((i for i, m in enumerate(before) if m.kind == "each" or m.text == "by"), 0)
    words = [
        w for m in said if m.text != "and" and m.argument != "with" for w in m.text.split() if w not in ("the", "their")
    ]
    first = next((m for m in before if m.kind not in ("open", "fill", "all")), END)
    added = first.kind == "money" or first.argument == "sum"
    again = _AMOUNTS if added else _AMOUNT if first.kind == "column" else frozenset()  # counts may be asked for besides
    if grouped and words and {*words} <= again and "comma" in kinds:
        state.marks = (*before[:-1], *(m for m in state.marks[-1:] if m.kind == "stop"))


_AMOUNT = frozenset("amount amounts".split())
_AMOUNTS = _AMOUNT | frozenset("total totals sum sums value values figure figures".split())


def drop_only(state: Cursor) -> None:
    """Write "sales per shop, online only" and "…, only online ones" as "sales per shop. Online"."""
    before, clause = _cut_last_clause(state.marks)
    said = tuple(m for m in clause if m.text not in ("only", "ones", "just") and m.kind != "table")
    kinds = {m.kind for m in said}
    told = kinds & {"value", "days", "number"} or any(state.flags(m) for m in said)
    if before and told and kinds <= _TOLD and any(m.text == "only" for m in clause):
        that = that_are(before[-1].end) if "column" in kinds else ()
        state.marks = (*before[:-1], replace(before[-1], kind="stop", text="."), *that, *said)


_TOLD = frozenset({"value", "days", "number", "prep", "fill", "column"})


def put_denial_last(state: Cursor) -> None:
    """Write "who failed the theory test" as "with theory failed tests", and so "failed theory tests" anywhere."""
    marks = list(state.marks)
    for place, mark in enumerate(marks):
        if mark.argument != "denied" or mark.kind != "column":
            continue
        end = place + 1
        while end < len(marks) and marks[end].kind == "fill":
            end += 1
        values = [m for m in marks[end : end + 1] if m.kind == "value" and m.senses]
        thing = mark_at(marks, end + len(values))
        own = paths_of(mark.senses)
        if thing.kind != "table" or not own & paths_of(thing.senses):
            continue
        start = place - (place > 1 and marks[place - 1].kind in ("rel", "open"))
        done_by = start > 0 and marks[start - 1].kind == "table" and not own & paths_of(marks[start - 1].senses)
        lead = [Mark("prep", mark.start, mark.start, 0.9, "with", "with")] if done_by else marks[start:place]
        if done_by or values:
            state.marks = (*marks[:start], *lead, *values, mark, *marks[end + len(values) :])
            return


def put_whole_first(state: Cursor) -> None:
    """Write "order 7, all details" and "what is order 7? show all we have on it" as "all details of order 7"."""
    marks = state.marks
    place = next((i for i in range(len(marks) - 1, 1, -1) if marks[i].kind == "whole"), 0)
    start = place
    while start > 1 and marks[start - 1].kind in ("open", "fill", "comma", "stop"):
        start -= 1
    parted = any(m.kind in ("comma", "stop") for m in marks[start:place])
    if place and start > 1 and parted and all(m.kind in ("fill", "stop", "comma") for m in marks[place + 1 :]):
        state.marks = (marks[place], *marks[:start])


@rewrite("column", of_argument("of"), _FIRSTS, "table", ignoring=of_text("the", kind="fill"))
def put_end_first(_: Place, date: Mark, of: Mark, end: Mark, thing: Mark) -> Marks | None:
    """Write "the date of the last order" as "the last order date"."""
    dates = tuple(s for s in date.senses if s.columns and is_dated(s.column))
    tables = paths_of(thing.senses)
    own = tuple(s for s in dates if s.table.path in tables) or _dates_of_rows(thing)
    return (end, thing, replace(date, senses=own)) if dates and own else None


@rewrite(_FIRSTS, _is_date, of_text("by"), "table", behind="end|stop")
def group_last_date(_: Place, end: Mark, date: Mark, by: Mark, thing: Mark) -> Marks:
    """Write "the last order date by customer" as "the last order date per customer"."""
    return end, date, as_each(by), thing


@rewrite(of_text(*COUNTING), of_kind("table", lambda m: bool(PARTICIPLE.match(m.text))), _is_kind, behind=_NAME_ENDS)
def put_most_behind(_: Place, most: Mark, done: Mark, kind: Mark) -> Marks | None:
    """Write "the most rented make", where makes are a column, as "the make with the most rentals"."""
    if names_a_key(kind):
        return None
    rows = replace(done, text=plural(done.senses[0].table.name))
    return kind, Mark("prep", kind.end, kind.end, 0.0, "with", "with"), most, rows


def ask_for_last_date(state: Cursor) -> None:
    """Write "when was the last visit of Ann" and "when did Ann last visit" as "the last visit date of Ann".

    And "when was tea last sold" and "the last time we sold tea" as "the latest date of sales of tea".
    """
    if not state.marks or state.marks[0].text != "when":
        return
    marks = [m for m in state.marks[1:] if m.kind not in ("be", "fill", "stop")]
    place = next((i for i, m in enumerate(marks) if m.kind in _FIRSTS.split("|")), len(marks))
    end, *rest = (*marks[place:], END)
    rest = rest[:-1] if end is not END else rest
    done = [m for m in rest if _is_date(m) and names_an_act(m.text)]
    subject = [*marks[:place], *(m for m in rest if m not in done and m.text != "time")]
    if end.text == "last" and len(done) == 1 and _kinds(subject) in _DONE_BY:
        rows = replace(done[0], kind="table", senses=tuple(Sense(s.table, (), s.score) for s in done[0].senses))
        of = Mark("prep", rows.end, rows.end, 0.9, "of", "of")
        state.marks = (replace(end, kind="agg", text="latest", argument="max"), done[0], of, rows, of, *subject)
        return
    subject, (thing, *behind) = marks[:place], (*rest, END)[: max(len(rest), 1)]
    dates = _dates_of_rows(thing)
    if thing.kind != "table" or not dates or (subject and (behind or _kinds(subject) not in _DONE_BY)):
        return
    if end.kind == "superlative" and not (end.measure and ("date",) in end.measure.words):
        return  # "when was the cheapest rental"
    end = replace(end, kind="nth", measure=None)
    of_whom = (Mark("prep", thing.end, thing.end, 0.9, "of", "of"),) if subject else ()
    date = replace(thing, kind="column", text="date", senses=dates)
    state.marks = (end, thing, date, *of_whom, *subject, *behind)


_DONE_BY = (["value"], ["table", "number"], ["table", "value"])


def _kinds(marks: Sequence[Mark]) -> list[str]:
    """Return the kinds of marks."""
    return [m.kind for m in marks]


def _dates_of_rows(thing: Mark) -> tuple[Sense, ...]:
    """Return the columns of dates by which the rows of a thing come one after another."""
    return tuple(Sense(s.table, (c,)) for s in thing.senses for c in sequence_columns(s.table) if is_dated(c))


@rewrite(
    "sup|superlative",
    of_kind("table", lambda m: is_singular(m.text)),
    of_text("by", kind="prep"),
    _is_kind,
    behind="end|stop",
)
def say_per_kind(_: Place, end: Mark, thing: Mark, by: Mark, kind: Mark) -> Marks:
    """Write "the largest payment by method", where methods are no numbers, as "the largest payment per method"."""
    return end, thing, as_each(by), kind


def put_maker_behind(state: Cursor) -> None:
    """Write "german made clocks" as "clocks made german": it asks for clocks, and not who is german and made them."""
    marks = state.marks
    for place, (kind, made) in enumerate(pairwise(marks)):
        joined = kind.kind == "value" and made.kind == "link" and kind.end == made.start and is_participle(made.text)
        if not joined:
            continue
        thing = next((i for i in range(place + 2, len(marks)) if marks[i].kind != "value"), len(marks) - 1)
        said = kind.text.islower() and is_singular(kind.text) and not any(map(is_name, kind.senses))
        before = any(m.kind in _DOERS or m.text in _ASKING_WHO for m in marks[:place])
        if said and not before and marks[thing].kind == "table":
            state.marks = (*marks[:place], *marks[place + 2 : thing + 1], made, kind, *marks[thing + 1 :])
        return


_DOERS = ("table", "column", "link", "value", "have")
_ASKING_WHO = ("which", "who", "what")


@rewrite(of_text("by"), "table", behind=_NAME_ENDS)
def group_by_reason(place: Place, by: Mark, rows: Mark) -> Marks | None:
    """Write "average cost by fault", where faults have costs, as "average cost by kind of fault", if these have one."""
    own = paths_of(rows.senses)
    computed = any(m.kind in ("agg", "average") for m in place.before)
    if not computed or not any(m.kind == "column" and own & paths_of(m.senses[:1]) for m in place.before):
        return None
    reasons = reasons_of(rows, place.lexicon.tables)
    return (by, replace(rows, kind="column", senses=reasons)) if reasons else None


@rewrite("their", "table|column", "own", "agg|average", maybe("column"))
def put_owner_behind_average(_: Place, their: Mark, group: Mark, own: Mark, average: Mark, amount: Mark) -> Marks:
    """Write "above their channel's average share" as "above the average share of their channel"."""
    of = Mark("prep", amount.end, amount.end, 0.0, "of", "of")
    return (average, *((amount,) if amount is not END else ()), of, their, group)


@rewrite("percent", of_argument("sum"), is_amount)
def drop_total_of_share(_: Place, percent: Mark, total: Mark, amount: Mark) -> Marks:
    """Write "percentage of total premium per office" as "percentage of premium …": a share is of a total anyhow."""
    return percent, replace(amount, start=total.start)


def put_total_first(state: Cursor) -> None:
    """Write "the premium total of all policies" as "the total premium of all policies".

    And "unpaid invoices total" as "total unpaid invoices", which have one amount.
    """
    marks = state.marks
    for place, (named, total) in enumerate(pairwise(marks)):
        if total.text not in ("total", "totals"):
            continue
        behind = mark_at(marks, place + 2)
        amounts = is_column_of(named, is_number)
        before = marks[place - 1].kind if place else "open"
        if amounts and before not in ("agg", "sup") and behind.kind in NAME_ENDS:
            state.marks = (*marks[:place], total, named, *marks[place + 2 :])
            return
        just = next((m for m in marks if m.end == total.start), END)
        first = next((i for i, m in enumerate(marks) if m.kind not in ("open", "fill")), 0)
        charged = just.kind == "table" and any(charged_for(s.table) for s in just.senses[:1])
        if charged and behind.kind in NAME_ENDS and not any(m.kind in _COMPUTED for m in marks[: place + 1]):
            state.marks = (*marks[:first], total, *marks[first : place + 1], *marks[place + 2 :])
            return


_COMPUTED = ("agg", "average", "count", "sup", "superlative", "common", "percent", "money", "much", "and", "comma")


_BEHIND_COUNTS = ("each", "period", "prep", "end", "stop", "number", "days")


def put_count_first(state: Cursor) -> None:
    """Write "visits in May, how many?" as "how many visits in May?", and "customer count by city" as "number of …"."""
    for place, (thing, count) in enumerate(pairwise(state.marks[:3])):
        behind = mark_at(state.marks, place + 2).kind
        alone = count.text in ("count", "counts") and behind in _BEHIND_COUNTS
        if (
            thing.kind == "table"
            and count.kind == "count"
            and alone
            and all(m.kind == "fill" for m in state.marks[:place])
        ):
            said = replace(count, text="number of")
            state.marks = (*state.marks[:place], said, thing, *state.marks[place + 2 :])
            return
    marks = tuple(m for m in state.marks if m.kind != "stop")
    if [m.kind for m in marks[-2:]] == ["comma", "count"] and len(marks) > 2:
        state.marks = (marks[-1], *marks[:-2])


@rewrite(maybe("count"), of_kind("value", is_plural), "period", before="end|open|fill")
def count_kind_by_period(place: Place, count: Mark, kind: Mark, period: Mark) -> Marks | None:
    """Write "false alarms by month", a kind of callout, as "number of callouts that are false alarms by month"."""
    counted = Mark("count", kind.start, kind.start, 0.9, "number of") if count is END else count
    things = place.state.things_of(kind)
    return (counted, *_of_kind(things, kind), period) if things else None


@rewrite(
    either(of_text(*COUNTING, kind="sup"), "supcount"), of_kind("value", is_plural), behind="end|stop|comma|prep|days"
)
def put_kind_behind_counted(place: Place, most: Mark, kind: Mark) -> Marks | None:
    """Write "which team has the most false alarms" as "… the most callouts that are false alarms"."""
    things = place.state.things_of(kind)
    fewest = most.argument == "min"  # who has the fewest may have none
    return (most, *_of_kind(things, kind)) if things and not fewest else None


@rewrite(of_text("gives", "gave", kind="link"), maybe("fill"), "sup", "average|agg|column")
def say_who_has(_: Place, gives: Mark, the: Mark, most: Mark, amount: Mark) -> Marks:
    """Write "which taster gives the lowest scores" as "which taster has the lowest scores"."""
    return replace(gives, kind="have", text="has"), most, amount


@rewrite(
    of_text("do", "does", "did", kind="fill"),
    either(of_text(*COUNTING, kind="sup"), "supcount"),
    "table",
    before="value",
)
def say_has_most(_: Place, does: Mark, most: Mark, things: Mark) -> Marks:
    """Write "which mechanic did the most repairs" as "has the most repairs", where mechanics are a kind of staff."""
    return replace(does, kind="have", text="has"), most, things


@rewrite(
    of_kind("value", is_plural),
    "comp|between",
    "number",
    maybe("and"),
    maybe("number"),
    maybe("unit"),
    before="end|open|fill",
    behind="end|stop|order|comma|direction",
)
def say_things_of_kind(place: Place, kind: Mark, *compared: Mark) -> Marks | None:
    """Write "laptops under 900", a kind of product, as "products that are laptops under 900"."""
    things = place.state.things_of(kind)
    if not things:
        return None
    return *_of_kind(things, kind), *(m for m in compared if m is not END)


def _of_kind(things: tuple[Sense, ...], kind: Mark) -> Marks:
    """Return the marks of "things that are of a kind"."""
    rows = Mark("table", kind.start, kind.start, 0.9, plural(things[0].table.name), senses=things)
    return rows, *that_are(kind.start), kind


def count_behind_by(state: Cursor) -> None:
    """Write "top 3 members by open loans" as "top 3 members by number of open loans"; money is no number of rows."""
    marks = state.marks
    top = next((i for i, m in enumerate(marks) if m.kind == "sup" and m.text == "top"), len(marks))
    for place in range(top + 1, len(marks)):
        thing, behind = marks[_end_of_states(state, place) :][:1], marks[_end_of_states(state, place) + 1 :][:1]
        rows = bool(thing) and thing[0].kind == "table" and not is_singular(thing[0].text)
        ends = not behind or behind[0].kind in _BEHIND_COUNTS
        if marks[place - 1].text in BY and rows and ends and stem(thing[0].text.split()[-1]) not in PAID:
            count = Mark("count", marks[place].start, marks[place].start, 0.9, "number of")
            state.marks = (*marks[:place], count, *marks[place:])
            return


def put_states_behind_counted(state: Cursor) -> None:
    """Write "the most cancelled orders" as "the most orders that are cancelled", and so behind "by number of".

    Who has the fewest may have none of them, which no row says.
    """
    marks = state.marks
    fewest = any(m.kind in ("sup", "supcount") and m.argument == "min" for m in marks)
    for place in range(1, 0 if fewest else len(marks)):
        before, by = marks[place - 1], marks[place - 2].text if place > 1 else ""
        most = (before.kind == "sup" and before.text in COUNTING) or before.kind == "supcount"
        if not (most or (before.kind == "count" and by in BY)):
            continue
        end = _end_of_states(state, place)
        if end > place and marks[end : end + 1]:
            thing = marks[end]
            if thing.kind == "table" and not is_singular(thing.text):
                told = (with_columns_of(m, thing) for m in marks[place:end])
                state.marks = (*marks[:place], thing, *that_are(thing.end), *told, *marks[end + 1 :])
                return


def _end_of_states(state: Cursor, place: int) -> int:
    """Return where the values, flags and participles end that stand from `place` on, before what they are said of."""
    told = (m.kind == "value" or bool(state.flags(m)) or _is_done(m) for m in state.marks[place:])
    return place + next((i for i, one in enumerate(told) if not one), len(state.marks) - place)


def _is_done(mark: Mark) -> bool:
    """Return whether a mark is a participle that dates say, "closed" or "unpaid"."""
    return is_column_of(mark, is_dated) and (mark.argument == "denied" or names_an_act(mark.text))


def put_column_before_numbers(state: Cursor) -> None:
    """Write "the 2nd or 5th floor" as "floor 2 or 5", and "1 or 2 star reviews" as "star 1 or 2 reviews"."""
    marks = state.marks
    for place, mark in enumerate(marks):
        if not is_column_of(mark, is_number):
            continue
        start = place
        while start and marks[start - 1].kind in ("or", "ordinal", "number"):
            start -= 1
        said = marks[start:place]
        kinds = [m.kind for m in said]
        if not said or kinds[0] == "or" or kinds[-1] == "or" or not {"or", "ordinal"} & {*kinds}:
            continue
        numbers = (
            replace(m, kind="number", number=int(m.argument), argument="") if m.kind == "ordinal" else m for m in said
        )
        state.marks = (*marks[:start], mark, *numbers, *marks[place + 1 :])
        return


@rewrite("comp", "number", of_argument(">", kind="stocked"))
def put_stock_before_number(place: Place, than: Mark, number: Mark, stocked: Mark) -> Marks:
    """Write "fewer than 20 in stock" as "stock fewer than 20"."""
    named = tuple(s for s in place.lexicon.named(("stock",)) if len(s.columns) == 1 and is_number(s.column))
    return replace(stocked, kind="column", text="stock", argument="", senses=named), than, number


def put_time_before_act(state: Cursor) -> None:
    """Write "average delivery time" as "average time to delivery", where a date says when that was done.

    The "longest delivery time" is the greatest.
    """
    marks = state.marks
    for place, (act, time) in enumerate(pairwise(marks)):
        before = mark_at(marks, place - 1)
        longest = before.measure is not None and ("duration",) in before.measure.words
        computed = not place or longest or before.kind in ("agg", "average")
        named = act.kind in ("column", "link") and time.kind == "elapsed" and time.text == "time"
        if computed and named and days_until(act, state.lexicon):
            to = Mark("prep", act.start, act.start, 0.0, "to", "to")
            first = (*marks[: place - 1], replace(before, kind="agg", measure=None)) if longest else marks[:place]
            state.marks = (*first, time, to, act, *marks[place + 2 :])
            return


def put_act_before_thing(state: Cursor) -> None:
    """Write "how long until an invoice is paid" as "how long to pay an invoice".

    So are "how long does it take for an invoice to be paid" and "how long do invoices take to be paid".
    """
    marks = tuple(m for m in state.marks if m.kind != "fill" or m.text in ("be", "is", "are"))
    asked = next((i for i, m in enumerate(marks) if m.kind == "elapsed"), len(marks))
    for place in range(asked, len(marks)):
        before, thing, *said = (mark_at(marks, place + i) for i in range(6))
        taking = said[0].text in _TAKING
        to = taking or before.text in ("until", "till") or (before.argument == "for" and said[0].argument == "to")
        be, done, *_ = (*(m for m in said[taking:] if m.argument != "to"), END, END)
        done = done if be.text in ("be", "is", "are") else END
        act = done.kind == "link" or _is_date(done)
        if to and thing.kind == "table" and act and names_an_act(done.text):
            behind = marks[marks.index(done) + 1 :]
            lead = marks[: place + taking]
            state.marks = (*lead, Mark("prep", before.start, before.start, 0.9, "to", "to"), done, thing, *behind)
            return


_TAKING = frozenset({"take", "takes", "need", "needs"})


def put_key_behind_top(state: Cursor) -> None:
    """Write "top 3 cities in Japan by population" as "top 3 cities by population. In Japan"."""
    marks = state.marks
    top = next((i for i, m in enumerate(marks) if m.text in _TOP), None)
    if top is None:
        return
    thing = next((i for i in range(top + 1, len(marks)) if marks[i].kind not in ("number", "fill")), len(marks))
    end = len(marks) - (marks[-1].kind == "stop")
    by = next((i for i in range(end - 1, thing, -1) if marks[i].text in BY), 0)
    if mark_at(marks, thing).kind != "table" or by <= thing + 1 or marks[by - 1].kind == "link":
        return  # not "the top 3 orders shipped by ferry"
    between, key = marks[thing + 1 : by], marks[by:end]
    kinds = {m.kind for m in key[1:]}
    if kinds & {"column", "money", "table"} and kinds <= _OF_KEYS and not {m.kind for m in between} & _ORDERING:
        again = Mark("stop", between[0].start, between[0].start, 0.0, ".")  # what follows is said of the cities
        state.marks = (*marks[: thing + 1], *key, again, *between, *marks[end:])


_TOP = frozenset({"top", "bottom"})
_OF_KEYS = frozenset({"column", "money", "table", "count", "agg", "fill"})
_ORDERING = frozenset({"order", "each", "period", "sup", "supcount", "superlative", "comma", "stop"})


RULES: tuple[Rule, ...] = (
    put_only_behind_colon,
    put_key_behind_top,
    drop_only,
    drop_amounts_again,
    put_maker_behind,
    put_denial_last,
    put_whole_first,
    drop_total_of_share,
    put_total_first,
    group_by_reason,
    put_owner_behind_average,
    say_per_kind,
    put_most_behind,
    ask_for_last_date,
    put_end_first,
    group_last_date,
    put_stock_before_number,
    put_time_before_act,
    put_act_before_thing,
    put_count_first,
    count_kind_by_period,
    put_kind_behind_counted,
    say_things_of_kind,
    say_has_most,
    say_who_has,
    put_column_before_numbers,
    count_behind_by,
    put_states_behind_counted,
)
