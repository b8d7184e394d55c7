"""Sort all rows by what is said to come first: "cheapest first", "highest first", "worst first", "most used on top"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from askwhere.reader.grammar.cursor import Cursor, Stuck
from askwhere.reader.grammar.draft import Key, Term
from askwhere.reader.grammar.ordering import Ordering
from askwhere.reader.marking.first import FIRST
from askwhere.reader.marking.marks import Mark, is_timely, key_of, says_score
from askwhere.reader.marking.numeric import amounts_in
from askwhere.reader.marking.ties import BY_NAME
from askwhere.reader.schema.senses import Sense, paths_of
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.tokens import stem

_DATES = ("date",)
_AGE = (("age",),)


def note_first(state: Cursor) -> None:
    """Take the words for what comes first out of the question, as their place in it says nothing, and keep them.

    So "rooms, biggest first, with the floor" is read as "rooms, with the floor", and "orders per room, top 3" as
    "orders per room".
    """
    marks = state.marks
    place = next((i for i, m in enumerate(marks) if m.kind == "direction" and m.argument.startswith(FIRST)), None)
    if place is None:
        return
    state.first = marks[place]
    before, behind = marks[:place], marks[place + 1 :]
    if before and before[-1].text == "(" and behind and behind[0].text == ")":
        behind = behind[1:]
    if before and (before[-1].kind in ("comma", "stop", "order") or before[-1].argument == "with"):
        before = before[:-1]
    state.marks = (*before, *behind)


def order_as_said(state: Ordering) -> None:
    """Add the keys of the order that was said by the way, once all else is settled. Raise `Stuck` if it is not clear.

    "Most first" says the first key, "ties in alphabetical order" the last one.
    """
    if state.first is not None:
        _put_first(state, state.first)
    out = state.out
    shown = [*map(Term, out.groups), *(term for term in out.outputs if not term.counts)]
    if BY_NAME in out.tied and out.order and shown:
        out.order.append(Key(shown[0]))


def _put_first(state: Ordering, mark: Mark) -> None:
    """Add the key of what a mark says comes first. Raise `Stuck` where it is not clear."""
    out = state.out
    if out.limit is not None or out.whether:
        raise Stuck(mark)
    out.limit = None if mark.number is None else int(mark.number)
    out.ranked = out.ranked or mark.number is not None
    periods = [Key(Term(slot)) for slot in out.groups if out.slots[slot].part]
    if out.order == periods and not _is_of_time(mark):
        out.order = []  # "by month, highest first": nobody asked for the order of the months
    if out.order:
        term = out.order[-1].term
        if term.counts or _is_timely(state, term) or _is_amount(state, term):
            added_up = bool(out.limit) and not (term.counts or term.formula)  # if many rows are of each, see `scope`
            out.order[-1] = Key(replace(term, distinct=True) if added_up else term, _falls(state, term, mark))
        elif mark.number is None:
            raise Stuck(mark)  # "revenue by industry, best first" is not sorted by industry
        return
    for rule in RULES:
        if (key := rule(state, mark)) is not None:
            out.order.append(key)
            return
    raise Stuck(mark)


def _by_name(state: Ordering, mark: Mark) -> Key | None:
    """Return what is shown and was named, "biggest total first", or else the column of such a name."""
    columns = {key_of(s) for s in mark.senses if s.columns and s.score >= mark.senses[0].score - 0.1}
    shown = [t for t in _shown(state) if columns & _columns(state, t) and _ranks(state, t)]
    if len({t.slot for t in shown}) == 1:
        return Key(shown[0], _falls(state, shown[0], mark))
    own = tuple(s for s in mark.senses if s.columns and s.table.path in _tables(state) and key_of(s) in columns)
    if shown or not own or any(t.counts for t in state.out.outputs):
        return None
    term = Term(state.slot(replace(mark, kind="column", senses=own), state.out.focus, True))
    return Key(term, _falls(state, term, mark))


def _by_time(state: Ordering, mark: Mark) -> Key | None:
    """Return the only date or period that is shown beside numbers, "oldest first"."""
    if not _is_of_time(mark):
        return None
    terms = [t for t in _shown(state) if _is_timely(state, t)]
    return Key(terms[0], _falls(state, terms[0], mark)) if len({t.slot for t in terms}) == 1 else None


def _by_computed(state: Ordering, mark: Mark) -> Key | None:
    """Return the only number that is computed: a count, a sum, an average, days."""
    terms = [t for t in state.out.outputs if t.counts or t.formula]
    return Key(terms[0], _falls(state, terms[0], mark)) if len(terms) == 1 else None


def _by_adjective(state: Ordering, mark: Mark) -> Key | None:
    """Return the column that the adjective is about, where nothing is computed: the price for "cheapest"."""
    if mark.measure is None or any(t.counts for t in state.out.outputs):
        return None
    try:
        return state.adjective_first(mark)
    except Stuck:
        return None


def _by_number(state: Ordering, mark: Mark) -> Key | None:
    """Return the only amount that is shown, or else the only one that is tested: "over 20 seats, biggest first"."""
    out = state.out
    tested = [t.term for group in out.tests for t in group if t.op in ("<", "<=", ">", ">=", "between")]
    for terms in (out.outputs, tested):
        found = [t for t in dict.fromkeys(terms) if t.slot is not None and not t.counts and _is_amount(state, t)]
        if found:
            return Key(found[0], _falls(state, found[0], mark)) if len(found) == 1 else None
    return None


RULES: tuple[Callable[[Ordering, Mark], Key | None], ...] = (
    _by_name,
    _by_time,
    _by_computed,
    _by_adjective,
    _by_number,
)


def _shown(state: Ordering) -> list[Term]:
    """Return what is shown of slots, and what is grouped by, which is shown as well."""
    return [t for t in (*state.out.outputs, *map(Term, state.out.groups)) if t.slot is not None]


def _falls(state: Ordering, term: Term, mark: Mark) -> bool:
    """Return whether the greatest value comes first. Raise `Stuck` where the adjective is not about such values.

    The oldest has the greatest age, but the earliest date. What is worst has the lowest score, but took longest.
    """
    end = mark.argument.removeprefix(FIRST).strip()
    timely = term.slot is not None and not term.rows and _is_timely(state, term)
    if timely != _is_of_time(mark):
        raise Stuck(mark)
    if end == "worst":
        scored = term.slot is not None and any(says_score(c) for s in _best(state, term) for c in s.columns)
        if not scored and not term.formula and not _is_harm(state, term):
            raise Stuck(mark)
        return not scored
    aged = timely and mark.measure is not None and mark.measure.words == _AGE
    return (end == "max") != aged


def _is_harm(state: Ordering, term: Term) -> bool:
    """Return whether the more of a term the worse: costs, delays, or the number of faults."""
    names = [n.name for s in _best(state, term) for n in ((s.table,) if term.rows else s.columns)]
    names += [state.out.slots[term.slot].text] if term.slot is not None else []
    return any(_HARM & set(full_stems(name)) for name in names)


_HARM = frozenset(
    map(
        stem,
        "cost expense delay late loss lost damage repair fault failure error defect complaint accident incident overdue"
        " arrears fine penalty absence absent waste leak wait debt breakdown".split(),
    )
)


def _is_of_time(mark: Mark) -> bool:
    """Return whether a mark orders by dates: "oldest first", "newest first"."""
    return mark.measure is not None and (_DATES in mark.measure.words or mark.measure.words == _AGE)


def _is_timely(state: Ordering, term: Term) -> bool:
    """Return whether a term is a date or a period, and no number of rows or days."""
    plain = not term.rows and not term.formula and term.agg in ("", "min", "max")
    return plain and all(bool(s.columns) and is_timely(s) for s in _best(state, term))


def _ranks(state: Ordering, term: Term) -> bool:
    """Return whether a term's values have a greatest: the "best paid job" is not the last one by name."""
    scored = any(says_score(c) for s in _best(state, term) for c in s.columns)
    return scored or term.counts or _is_timely(state, term) or _is_amount(state, term)


def _is_amount(state: Ordering, term: Term) -> bool:
    """Return whether a term is a column of amounts."""
    best = _best(state, term)
    return bool(best) and all(len(s.columns) == 1 and s.column in amounts_in(s.table) for s in best)


def _best(state: Ordering, term: Term) -> tuple[Sense, ...]:
    """Return the senses of a term's slot that fit about as well as the best."""
    senses = state.out.senses_at(term.slot)
    return tuple(s for s in senses if s.score >= senses[0].score - 0.05)


def _columns(state: Ordering, term: Term) -> set[tuple[object, ...]]:
    """Return the columns, as (table, name), that a term may show."""
    return {key_of(s) for s in _best(state, term) if s.columns}


def _tables(state: Ordering) -> set[tuple[str, ...]]:
    """Return the tables that the question may be about."""
    thing = state.out.focus if state.out.focus is not None else state.about()
    return paths_of(state.out.senses_at(thing))
