"""Put marks in the order in which the grammar reads them: "the premium total" is "the total premium"."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from askwhere.indexer.word_forms import PARTICIPLE, is_participle, plural
from askwhere.reader.grammar.cursor import END, NAME_ENDS, Cursor, as_each, mark_at, that_are
from askwhere.reader.grammar.ranking import COUNTING
from askwhere.reader.marking.formulas import days_until
from askwhere.reader.marking.marks import Mark, is_amount, is_column_of, names_a_key
from askwhere.reader.marking.reasons import reasons_of
from askwhere.reader.marking.revenue import charged_for
from askwhere.reader.schema.naming import is_name, sequence_columns
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.english import BY
from askwhere.reader.words.money import PAID
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.types import is_dated, is_number, is_text
from askwhere.reader.words.verbs import names_an_act

_FIRSTS = ("nth", "superlative")  # kinds of "last" and "latest"
_ONLY = frozenset({"only", "just", "just the"})


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


def put_end_first(state: Cursor) -> None:
    """Write "the date of the last order" as "the last order date", and "the last order date by customer" as "… per"."""
    marks = tuple(m for m in state.marks if m.kind != "fill" or m.text != "the")
    for place in range(len(marks) - 3):
        date, of, end, thing = marks[place : place + 4]
        if date.kind != "column" or of.argument != "of" or end.kind not in _FIRSTS or thing.kind != "table":
            continue
        dates = tuple(s for s in date.senses if s.columns and is_dated(s.column))
        tables = paths_of(thing.senses)
        own = tuple(s for s in dates if s.table.path in tables) or _dates_of_rows(thing)
        if dates and own:
            state.marks = (*marks[:place], end, thing, replace(date, senses=own), *marks[place + 4 :])
            return
    for place in range(len(state.marks) - 3):
        end, date, by, thing = state.marks[place : place + 4]
        behind = mark_at(state.marks, place + 4).kind
        dated = is_column_of(date, is_dated)
        if end.kind in _FIRSTS and dated and by.text == "by" and thing.kind == "table" and behind in ("end", "stop"):
            state.marks = (*state.marks[: place + 2], as_each(by), *state.marks[place + 3 :])
            return


def put_most_behind(state: Cursor) -> None:
    """Write "the most rented make", where makes are a column, as "the make with the most rentals"."""
    for place, (most, done, kind) in enumerate(zip(state.marks, state.marks[1:], state.marks[2:], strict=False)):
        if most.text not in COUNTING or done.kind != "table" or not PARTICIPLE.match(done.text):
            continue
        behind = mark_at(state.marks, place + 3)
        kinds = is_column_of(kind, is_text)
        if kinds and not names_a_key(kind) and behind.kind in NAME_ENDS:
            rows = replace(done, text=plural(done.senses[0].table.name))
            ranking = (Mark("prep", kind.end, kind.end, 0.0, "with", "with"), most, rows)
            state.marks = (*state.marks[:place], kind, *ranking, *state.marks[place + 3 :])
            return


def ask_for_last_date(state: Cursor) -> None:
    """Write "when was the last visit of Ann" and "when did Ann last visit" as "the last visit date of Ann"."""
    if not state.marks or state.marks[0].text != "when":
        return
    marks = [m for m in state.marks[1:] if m.kind not in ("be", "fill", "stop")]
    place = next((i for i, m in enumerate(marks) if m.kind in _FIRSTS), len(marks))
    subject, (end, thing) = marks[:place], (*marks[place : place + 2], END, END)[:2]
    dates = _dates_of_rows(thing)
    behind = marks[place + 2 :]
    done_by = [m.kind for m in subject] in (["value"], ["table", "number"], ["table", "value"]) and not behind
    if thing.kind != "table" or not dates or not (not subject or done_by):
        return
    if end.kind == "superlative" and not (end.measure and ("date",) in end.measure.words):
        return  # "when was the cheapest rental"
    end = replace(end, kind="nth", measure=None)
    of = (Mark("prep", thing.end, thing.end, 0.9, "of", "of"),) if subject else ()
    date = replace(thing, kind="column", text="date", senses=dates)
    state.marks = (end, thing, date, *of, *subject, *behind)


def _dates_of_rows(thing: Mark) -> tuple[Sense, ...]:
    """Return the columns of dates by which the rows of a thing come one after another."""
    return tuple(Sense(s.table, (c,)) for s in thing.senses for c in sequence_columns(s.table) if is_dated(c))


def say_per_kind(state: Cursor) -> None:
    """Write "the largest payment by method", where methods are no numbers, as "the largest payment per method"."""
    marks = state.marks
    for place in range(len(marks) - 3):
        end, thing, by, kind = marks[place : place + 4]
        ranked = end.kind in ("sup", "superlative") and thing.kind == "table" and is_singular(thing.text)
        if not ranked:
            continue
        behind = mark_at(marks, place + 4).kind
        kinds = is_column_of(kind, is_text)
        if by.kind == "prep" and by.text == "by" and kinds and behind in ("end", "stop"):
            state.marks = (*marks[: place + 2], as_each(by), *marks[place + 3 :])
            return


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


def group_by_reason(state: Cursor) -> None:
    """Write "average cost by fault", where faults have costs, as "average cost by kind of fault", if these have one."""
    marks = state.marks
    for place, (by, rows) in enumerate(pairwise(marks)):
        computed = any(m.kind in ("agg", "average") for m in marks[:place])
        if not computed or by.text != "by" or rows.kind != "table" or mark_at(marks, place + 2).kind not in NAME_ENDS:
            continue
        own = paths_of(rows.senses)
        has_amount = any(m.kind == "column" and own & paths_of(m.senses[:1]) for m in marks[:place])
        if has_amount and (reasons := reasons_of(rows, state.lexicon.tables)):
            state.marks = (*marks[: place + 1], replace(rows, kind="column", senses=reasons), *marks[place + 2 :])
            return


def put_total_first(state: Cursor) -> None:
    """Write "the premium total of all policies" as "the total premium of all policies".

    And "unpaid invoices total" as "total unpaid invoices", which have one amount. A share is of a total anyhow:
    "percentage of total premium per office".
    """
    marks = state.marks
    for place, (named, total) in enumerate(pairwise(marks)):
        if named.kind == "percent" and total.argument == "sum" and is_amount(mark_at(marks, place + 2)):
            state.marks = (*marks[: place + 1], *marks[place + 2 :])
            return
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
                state.marks = (*marks[:place], thing, *that_are(thing.end), *marks[place:end], *marks[end + 1 :])
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


def put_stock_before_number(state: Cursor) -> None:
    """Write "fewer than 20 in stock" as "stock fewer than 20"."""
    marks = state.marks
    kinds = [m.kind for m in marks]
    for place in range(2, len(marks)):
        if kinds[place - 2 : place + 1] == ["comp", "number", "stocked"] and marks[place].argument == ">":
            named = tuple(s for s in state.lexicon.named(("stock",)) if len(s.columns) == 1 and is_number(s.column))
            stock = replace(marks[place], kind="column", text="stock", argument="", senses=named)
            state.marks = (*marks[: place - 2], stock, *marks[place - 2 : place], *marks[place + 1 :])
            return


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
