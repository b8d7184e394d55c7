"""Find verbs and words of state that would restrict the answer, but that no name of the schema stands for.

Without them the query would answer another question, so it is refused: "payments that failed" are not all payments.
"""

from __future__ import annotations

from collections.abc import Iterable

from askwhere.engine import Table
from askwhere.indexer.word_forms import PARTICIPLE
from askwhere.reader.grammar.cursor import END, WHAT_DO, mark_at
from askwhere.reader.grammar.dating import ASKS_WHEN
from askwhere.reader.marking.formulas import days_of
from askwhere.reader.marking.marks import Mark
from askwhere.reader.marking.revenue import GAINED, SPENDING
from askwhere.reader.schema.naming import events
from askwhere.reader.schema.roles import LEADING
from askwhere.reader.words.english import CHOSEN, PLACING, SAME, stems
from askwhere.reader.words.names import full_stems
from askwhere.reader.words.tokens import is_singular, stem
from askwhere.reader.words.verbs import AUXILIARY, is_act, names_an_act, saying, says_when

_NOUNS = ("table", "column", "value")
_BETWEEN = ("fill", "prep", "all", "distinct", "their", "either", "both", "be", "have", "not", "without", "each")
_OBJECTS = (
    *_NOUNS,
    *("number", "comp", "sup", "supcount", "superlative", "count", "common", "between", "when", "often", "letters"),
    *("average", "agg", "like", "times", "much", "money", "rel", "null", "nth"),
)
# Verbs that are true of every record, and so restrict nothing.
HAPPENS = frozenset(
    "happen occur exist made make done do held hold record list store keep kept locat base start began submit issu"
    " regist file receiv offer".split()
)
_GIVEN = HAPPENS | frozenset(map(stem, "assigned attached given set allocated appointed named known".split()))
_PRONOUNS = frozenset("it they them he she there each we".split())
_RUNNING = LEADING - {"report"} | {"run", "head"}
_LEADERS = frozenset(stems("manager leader")).union(*SAME[frozenset({stem("manager")})])
# Verbs for what becomes of things. A place or time behind them ("failed in May") does not make them harmless.
_BECOMES = frozenset("fail die approv complet finish pai paid pay open".split())
_ARTICLES = frozenset("the a an all each any our their these those this that its my your".split())
_PRESENT = ("here", "now", "right now", "currently", "at the moment", "out", "up")
_ORDERED = frozenset("order purchas bid bet book reserv".split())  # things of which all are "placed"


_NOW = frozenset("currently presently still".split())
_TAKING = frozenset(map(stem, "take last pass run stay".split()))  # verbs of how long things last
_SO_FAR = frozenset("already still".split())


def _ends(marks: tuple[Mark, ...]) -> bool:
    """Return whether no words are left among some marks."""
    return all(m.kind in ("stop", "end") for m in marks)


def restriction(marks: tuple[Mark, ...], tables: Iterable[Table]) -> Mark | None:
    """Return the first word that restricts the answer and is not reflected in the query, None without one.

    A verb is reflected if a name of the schema says the same, or by its object or subject, which become conditions:
    "customers who live in Oslo", "albums that Queen recorded".
    """
    tables = tuple(tables)
    for place, mark in enumerate(marks):
        spoken = _next(marks, place)
        if mark.text in _NOW and spoken.kind == "table" and not any(days_of(s.table) for s in spoken.senses):
            return mark  # "currently on loan": of loans whose dates do not say when they end
        behind = mark_at(marks, place + 1)
        if mark.text in _SO_FAR and (behind.kind == "link" or (behind.kind == "table" and is_singular(behind.text))):
            return mark  # "have already arrived", "are still open": by a date or state that no word names
        if mark.text == "as a percentage" and marks[place + 1 : place + 2] and marks[place + 1].argument == "of":
            return mark  # "methods as a percentage of all sales" asks for shares
        if mark.kind == "percent" and any(m.text == "as" for m in marks[max(place - 2, 0) : place]):
            return mark  # so does "as a share of"
        if stem(mark.text) == "leav" and behind.text.split()[:1] == ["out"]:
            return mark  # what to "leave out" is said behind it
        if mark.text == "out of" and place and behind.text not in _ARTICLES and behind.kind != "number":
            return mark  # "plants out of season", where no flag says it
        if mark.text == "out" and behind.text == "of" and _ends(marks[place + 2 :]):
            return mark  # "plants we are out of", where no column is a stock
        if mark.text in ("run", "ran") and behind.text.split()[:1] == ["out"]:
            return mark  # "parts we have run out of", where no column is a stock
        timed = mark.kind == "period" or (mark.kind == "each" and behind.kind == "period")
        if timed and mark.text.startswith("every") and _done_by_those(marks[:place]):
            return mark  # "members who paid every month"
        if mark.kind in ("each", "period") and "every" in mark.text and _is_so_each_time(marks, place):
            return mark
        if mark.kind in ("all", "whole", "each") and place and _says_of_all(marks, place):
            return mark
        if mark.text == "in full" and place and names_an_act(marks[place - 1].text):
            return mark  # "not paid in full" is also what was paid in part
        if mark.text == "available" and _of_things(marks, place):
            return mark
        if mark.text == "placed" and mark.kind == "fill" and not _is_ordered(marks, place):
            return mark
        if mark.text in (*_PRESENT, *PLACING) and _is_predicate(marks, place):
            return mark
        if mark.text == "are in" and behind is END:
            return mark
        late = behind.kind == "overdue"  # "finished late": the test on the dates says that it was done
        late = late or _says_how_long(marks, place)
        if mark.kind == "link" and not late and _restricts(marks, place, tables):
            return mark
    return None


def _done_by_those(before: tuple[Mark, ...]) -> bool:
    """Return whether those who did something are asked for, or of whom it is said: "which members", "… who paid"."""
    asked = bool(before) and before[0].text in ("who", "which")
    said = any(m.kind in ("rel", "open") and m.text in ("who", "that") for m in before[1:])
    return (asked or said) and not any(m.kind in ("sup", "supcount", "count", "agg", "average") for m in before)


def _is_so_each_time(marks: tuple[Mark, ...], place: int) -> bool:
    """Return whether "every" says that things pass a test each time: "pumps below 85 in every month"."""
    compared = any(m.kind in ("comp", "between") for m in marks[:place])
    counted = any(m.kind in ("count", "agg", "average", "percent", "money", "much") for m in marks[:place])
    return compared and not counted and marks[0].kind in ("table", "open")


def _says_of_all(marks: tuple[Mark, ...], place: int) -> bool:
    """Return whether "all" says that each row of a thing must be so: "whose bills are all paid", "all their bills"."""
    mark, before, after = marks[place], marks[place - 1], mark_at(marks, place + 1)
    # "All pets whose age is 1" are any with it.
    of_whose = "whose" in [m.text for m in marks[place + 1 : place + 3]] and after.kind not in _NOUNS
    if of_whose or (before.text == "whose" and mark.kind == "each"):
        return True
    if mark.text.split()[0] != "all":
        return False
    said = {word for m in marks[1:place] for word in m.text.split()}
    if "whose" in said:
        return before.kind in ("be", "have", "fill") and before.text not in _ARTICLES
    relative, act = said & {"who", "that", "which"}, names_an_act(before.text) or before.kind in ("link", "have")
    act = act and (bool(relative) or marks[0].text in ("who", "which"))
    if (relative and after.text in _OWNERS) or (after.kind == "table" and (act or before.text in relative)):
        return True  # "who have read all books", "books that all members read"
    rest = [m for m in marks[place + 1 :] if m.kind != "fill" or m.text not in _ARTICLES]
    having = before.kind == "have" or before.argument == "with"
    done = [m.kind for m in rest[:1]] == ["table"] and len(rest) > 1 and is_act(rest[1].text)
    return having and done and rest[1].kind in ("column", "link", "value")


_OWNERS = ("their", "its", "his", "her")


def _says_how_long(marks: tuple[Mark, ...], place: int) -> bool:
    """Return whether the verb at `place` is the only one behind "how many days": "did each repair take"."""
    asks = any(m.kind == "elapsed" for m in marks[:place])
    return asks and stem(marks[place].text) in _TAKING and not any(m.kind in ("link", "rel") for m in marks[:place])


def _restricts(marks: tuple[Mark, ...], place: int, tables: tuple[Table, ...]) -> bool:
    """Return whether the verb at `place` restricts the answer and is not reflected in the query."""
    mark, verb = marks[place], stem(marks[place].text)
    after = mark_at(marks, place + 1)
    if mark.text in ("share", "shares") and _noun_before(marks, place) is not None:
        return True  # "customers who share a city" compares rows with each other
    if verb == "report" and after.text == "to" and marks[0].text in ("who", "whom"):
        return False  # "who does Ann report to" asks for her manager
    if mark.text == "used" and after.text == "to" and _next(marks, place + 1).kind == "link":
        return True  # "used to live" is of the past
    if verb in GAINED | SPENDING and (marks[0].kind == "much" or marks[0].text in WHAT_DO):
        return marks[0].kind != "much"  # "what does Ann earn" asks for an amount
    if verb in SPENDING and after.kind == "more":
        return False  # "do hotels or shops spend more" compares amounts
    before = next((m for m in reversed(marks[:place]) if m.kind not in ("be", "fill")), END)
    denied = before.kind in (*_NOUNS, "without") and any(m.kind == "without" for m in marks[max(place - 3, 0) : place])
    if denied and (marks[place - 1].text.endswith(("nobody", "no one")) or verb in _GIVEN):
        return False  # "with no driver assigned", "that nobody drives", "nobody is assigned to"
    if before.kind == "not" and any(word in before.text for word in ("never", "nobody", "no one")):
        return False  # then `Negating.done` says what there is none of
    if verb in CHOSEN and marks[place - 1].kind == "sup":
        return False  # "the most served dish" ranks by uses
    named = saying(tables, verb)
    dated = any(says_when(c.name, verb) for t in tables for c in events(t))
    recorded = any(not column for _, column in named)  # "roses ordered": there are rows of orders
    done = is_act(mark.text) and not _asks_when(marks)
    noun = _noun_before(marks, place)
    if done and _next(marks, place) is END and ((dated and not recorded) or _says_when(marks[noun or 0], verb)):
        return True  # "parcels delivered" are those with a date of delivery
    described = noun is None or marks[place - 1].kind not in ("rel", "open", "link", "be")
    if done and described and after.kind == "table" and _says_when(after, verb) and _next(marks, place + 1) is END:
        return True  # "paid invoices"
    if verb in HAPPENS or named or dated:
        return False
    object_ = next((m for m in marks[place + 1 :] if m.kind != "fill"), END)
    led = object_.kind in ("value", "table") or object_.argument == "by"
    leaders = {*_LEADERS, verb}
    if verb in _RUNNING and led and not any(leaders & {*full_stems(c.name)} for t in tables for c in t.columns):
        return True  # "who manages the Leeds branch" is not whoever works there
    if after.kind == "value" and place + 2 < len(marks) and marks[place + 2].kind == "table":
        after = marks[place + 2]  # "approved sick leave"
    if after.kind == "table" and PARTICIPLE.match(mark.text) and _noun_before(marks, place) is None:
        return not _asks_who(marks[:place])  # "approved orders"
    if verb == "fail" and _next(marks, place).kind in ("table", "value"):
        return True  # "boats that failed an inspection" are not all that had one
    if _next(marks, place).kind in _OBJECTS:
        return verb in _BECOMES and (after.kind == "when" or (after.kind == "prep" and after.argument == "in"))
    near = {w for m in marks[max(place - 2, 0) : place + 3] for w in m.text.split()}
    return not near & _PRONOUNS and not _has_subject(marks, place)


def _says_when(thing: Mark, verb: str) -> bool:
    """Return whether the rows of a thing have a date of their own that says a verb, given as a stem."""
    tables = (s.table for s in thing.senses if not s.columns and s.score >= thing.senses[0].score - 0.1)
    return any(says_when(c.name, verb) for table in tables for c in events(table))


def _next(marks: tuple[Mark, ...], place: int) -> Mark:
    """Return the next mark with a meaning of its own behind `place`, `END` without one."""
    return next((m for m in marks[place + 1 :] if m.kind not in _BETWEEN), END)


def _noun_before(marks: tuple[Mark, ...], place: int) -> int | None:
    """Return the index of the nearest table, column or value before `place`."""
    return next((i for i in range(place - 1, -1, -1) if marks[i].kind in _NOUNS), None)


def _asks_when(marks: tuple[Mark, ...]) -> bool:
    """Return whether any mark asks for a time: "when was it delivered"."""
    return any(ASKS_WHEN & {*mark.text.split()} for mark in marks)


def _asks_who(marks: tuple[Mark, ...]) -> bool:
    """Return whether the first mark contains "who"."""
    return any("who" in m.text.split() for m in marks[:1])


def _has_subject(marks: tuple[Mark, ...], place: int) -> bool:
    """Return whether the verb at `place` has a subject beside the thing asked for: Queen in "albums Queen recorded"."""
    noun = _noun_before(marks, place)
    if noun is None or _noun_before(marks, noun) is None:
        return False
    if any(m.kind in ("rel", "be") or set(m.text.split()) & {"who", "that", "which"} for m in marks[noun + 1 : place]):
        return False
    before = next((m for m in reversed(marks[:noun]) if m.text not in _ARTICLES), END)
    return before.kind in ("rel", "have", "be", "table", "column", "sup") or before.text in AUXILIARY


def _of_things(marks: tuple[Mark, ...], place: int) -> bool:
    """Return whether the "available" at `place` restricts things; before a column it only asks for the values."""
    after = mark_at(marks, place + 1)
    return marks[place].kind == "fill" and after.kind != "column"


def _is_predicate(marks: tuple[Mark, ...], place: int) -> bool:
    """Return whether "here", "now" or "in" is all that is said of things: "which boats are here now", "still out"."""
    before = [m for m in marks[:place] if m.kind != "fill" or m.text not in (*_PRESENT, "still")]
    before = [m for m in before if m.text not in ("who", "that", "which")][-2:]
    rest = {m.kind for m in marks[place + 1 :] if m.text not in _PRESENT} <= {"stop"}
    still = marks[place].text == "out" and place > 0 and marks[place - 1].text == "still"
    thing, be = before if len(before) == 2 else (END, END)
    return rest and (still or (thing.kind in ("table", "column") and be.text in _ARE))


_ARE = frozenset(f"{who}{be}" for be in ("is", "are") for who in ("", "that ", "who ", "which "))


def _is_ordered(marks: tuple[Mark, ...], place: int) -> bool:
    """Return whether "placed" at `place` is said of orders, bids or the like, just before it or as its object."""
    noun = _noun_before(marks, place)
    said = {stem(w) for m in (_next(marks, place), *marks[noun or 0 : place]) for w in m.text.split()}
    return noun is not None and bool(said & _ORDERED)
