"""Read a question for what two lists have in common, what only the first one has, or both together.

"Towns with a depot but no donor" is split into "towns of a depot" and "towns of a donor". Each of them is read by
itself, and the two queries are joined by EXCEPT, as others are by INTERSECT or UNION.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from askwhere.errors import Unread
from askwhere.frozen import frozen
from askwhere.indexer.catalog import Catalog
from askwhere.reader.readings import Reading
from askwhere.reader.schema.naming import name_columns, own_key
from askwhere.reader.words.tokens import plain
from askwhere.reader.writing.identifiers import identifier
from askwhere.sql.dialects import named
from sqlglot import exp, parse_one

_LESS_SURE = 0.95  # the factor for the confidence of the less certain list
_LONGEST = 300  # characters of a question
_TRIED = 2  # ways to split it
_SECONDS = 2.0  # of processor time, after which no further list is read
_OPERATIONS: dict[str, Callable[..., exp.Query]] = {"and": exp.intersect, "or": exp.union, "not": exp.except_}

_WITH = (
    r"(?:where|in which|with|(?:that|which) (?:have|has)|having|have|has|(?:that |which )?(?:are|is) home to|home to)"
)
_SMALL = r"(?:(?:we|you|there|have|has|had|got|is|are|exist|exists|live|lives)\s+)*"
_ARTICLE = r"(?:an?|any|our|the|some|all(?: the)?|a single|one)\s+"
_ALL = r"(?:all |every )?(?:the )?"
_AT = r"(?:in|at|on|for|from|with|by|during)"
_NO = r"(?:no|not? (?:an?|any|one|a single)|none of (?:our|the)|without(?: an?| any)?|never an?)"
_BUT = r"(?:but|and|where|though)"
_ENDS = r"(?:\s+(?:live|lives|is|are|exists?|on file|at all|ever|there|too))*"
_ONCE = (
    r"(?:[,:(]?\s*(?:each(?: \w+)? (?:just |only |listed )?once|(?:with)?(?:no|out) (?:doubles|duplicates|repeats)"
    r"|without (?:any )?(?:doubles|duplicates|repeats)|names? only|please|pls|thanks|thank you)\)?)"
)
_ONE_LIST = r"(?:on|in|as|into) (?:one|a single|the same) list|(?:all )?together|combined"
# What joins the lists, and patterns with the words for each and what they begin with: a noun for what is shown of both
# (`of`), or the words before (`stem`).
_PATTERNS = tuple(
    (operation, re.compile(rf"(?i)\A{pattern}\Z"))
    for operation, pattern in (
        ("and", rf"(?P<of>.+?) {_WITH} {_SMALL}both (?P<one>.+?) and (?P<other>.+)"),
        ("and", rf"(?P<of>.+?) {_WITH} {_SMALL}(?P<one>.+?) as well as (?P<other>.+)"),
        ("and", r"(?P<of>\w+) shared by (?P<one>.+?) and (?P<other>.+)"),
        ("not", rf"(?P<of>.+?) (?:{_WITH}|of|on) {_SMALL}(?P<one>.+?),? {_BUT} {_SMALL}{_NO} (?P<other>.+)"),
        ("or", rf"(?:all|every|each) (?P<of>.+?) {_WITH} {_SMALL}(?:either )?(?P<one>.+?) or (?P<other>.+)"),
        ("or", rf"one list of {_ALL}(?P<of>.+?) {_WITH} {_SMALL}(?:either )?(?P<one>.+?) (?:or|and) (?P<other>.+)"),
        ("and", rf"(?P<stem>.+? {_AT}) both (?P<one>.+?) and (?P<other>.+)"),
        ("not", rf"(?P<stem>.+?) (?P<one>(?P<at>{_AT}) .+?),? but (?:not|none|never) (?P<other>(?P=at) .+)"),
        ("not", r"(?P<stem>.+? (?:is|are|was|were)) (?P<one>.+?),? but not (?P<other>.+)"),
        ("or", r"one list of (?P<one>all .+?) and (?P<other>all .+)"),
        ("or", rf"(?:all |the )?(?P<of>(?:full )?names) of (?P<one>.+?) and (?P<other>.+?),? (?:{_ONE_LIST})"),
        ("or", rf"(?:all )?(?P<one>.+?) and (?P<other>.+?),? (?:{_ONE_LIST})"),
    )
)  # fmt: skip


@frozen
class TwoLists:
    """Two questions, each for a list, and what joins them: "and", "or" or "not"."""

    operation: str
    one: str
    other: str
    alike: bool = False  # whether both are asked for in the same words, but for values


def read_two_lists(
    question: str, catalog: Catalog, dialect: str, read: Callable[[str], tuple[Reading, ...]], own: bool = False
) -> Reading | None:
    """Return the reading of a question for two lists, None where it is none, or where one of them cannot be read.

    `read` returns the readings of a question or raises `Unread`. Each list must be the values of one column; with `own`
    these are columns of two tables that are each read alone.
    """
    until = time.thread_time() + _SECONDS
    for lists in islice(two_lists(question), _TRIED):
        read_lists: list[tuple[Reading, exp.Select] | None] = []
        for asked in (lists.one, lists.other):
            if time.thread_time() > until:
                return None
            try:
                read_lists.append(_values(read(asked), dialect))
            except Unread:
                break
        one, other = (*read_lists, None, None)[:2]
        if one and other and lists.alike and _columns(one[1]) != _columns(other[1]):
            continue  # "picked in 2022" by the harvests, and "picked in 2024" by another date
        if one and other and own and not _are_own(one[1], other[1]):
            continue
        query = _joined(lists.operation, one[1], other[1], catalog, dialect) if one and other else None
        if one and other and query:
            unsure = min(one[0], other[0], key=lambda reading: reading.confidence)
            notes = tuple(dict.fromkeys((*one[0].notes, *other[0].notes)))
            sure = round(unsure.confidence * _LESS_SURE, 4)
            return replace(unsure, sql=query.sql(dialect=dialect), notes=notes, confidence=sure, meaning=None)
    return None


def _joined(operation: str, one: exp.Select, other: exp.Select, catalog: Catalog, dialect: str) -> exp.Expr | None:
    """Return the query of both lists, None where it would take two things of one name for one.

    Where both are lists of the things of one table, "parks with a lake but no trail", their keys are compared.
    """
    (table, shown), of_other = _shown(one), _shown(other)
    found = [t for t in catalog.tables if t.name.lower() == table.name.lower()]
    named_things = any(c.name == shown.name for t in found for c in (*name_columns(t), *own_key(t)))
    if (table, shown) != of_other or not named_things:
        return _OPERATIONS[operation](one, other, copy=False)
    keys = own_key(found[0])
    if len(found) != 1 or len(keys) != 1:
        return None
    key = identifier(keys[0].name, named(dialect))
    of_table = exp.column(key.copy(), table=identifier(table.name, named(dialect)))
    inner = (query.select(of_table.copy(), append=False) for query in (one, other))
    things = exp.In(this=exp.column(key), query=_OPERATIONS[operation](*inner, copy=False).subquery())
    return exp.select(exp.column(shown.copy())).from_(table.copy()).where(things)


def _are_own(one: exp.Select, other: exp.Select) -> bool:
    """Return whether each query reads one table, and not the same."""
    tables = [{table.name for table in query.find_all(exp.Table)} for query in (one, other)]
    return all(len(names) == 1 for names in tables) and tables[0] != tables[1]


def _columns(query: exp.Select) -> set[str]:
    """Return the columns that a query names, as they are written."""
    return {column.sql() for column in query.find_all(exp.Column)}


def _shown(query: exp.Select) -> tuple[exp.Table, exp.Identifier]:
    """Return the table and the name of the only column that a query shows."""
    column = query.expressions[0]
    tables = list(query.find_all(exp.Table))
    table = next((t for t in tables if t.alias_or_name == column.table), tables[0])
    return table, column.this


def two_lists(question: str) -> Iterator[TwoLists]:
    """Yield the ways in which a question is for two lists.

    >>> list(two_lists("Towns with a depot but no donor?"))
    [TwoLists(operation='not', one='Towns of depot', other='Towns of donor', alike=False)]
    """
    text = plain(question).strip(" ?.!")
    if len(text) > _LONGEST:
        return
    while ending := re.search(rf"(?i){_ONCE}\Z", text):
        text = text[: ending.start()].strip(" ?.!,")
    for operation, pattern in _PATTERNS:
        if match := pattern.match(text):
            said = match.groupdict()
            of = f"{said['of'].strip(' ,:')} of " if said.get("of") else ""
            begun = of or f"{said['stem']} " if of or said.get("stem") else ""
            one, other = (f"{begun}{_without_small(said[name], bool(of))}" for name in ("one", "other"))
            yield TwoLists(operation, one, other, bool(said.get("stem")))


def _without_small(words: str, of: bool) -> str:
    """Return the words for the things of a list without an article, and without a verb that only places them."""
    words = re.sub(rf"(?i){_ENDS}\Z", "", words.strip(" ,"))
    return re.sub(rf"(?i)\A{_ARTICLE}", "", words) if of else words


def _values(readings: tuple[Reading, ...], dialect: str) -> tuple[Reading, exp.Select] | None:
    """Return the only reading and its query, None if that does not list the values of one column."""
    if len(readings) != 1 or not readings[0].sql or not readings[0].whole:
        return None
    query = parse_one(readings[0].sql, dialect=dialect)
    if not isinstance(query, exp.Select):
        return None
    shown = query.expressions
    if len(shown) != 1 or not isinstance(shown[0], exp.Column):
        return None
    if any(query.args.get(name) for name in ("having", "order", "limit", "offset")):
        return None
    query.set("distinct", None)
    query.set("group", None)  # no more than DISTINCT, as one column is shown and no group is tested
    present = exp.Is(this=shown[0].copy(), expression=exp.Not(this=exp.null()))
    return readings[0], query if present in query.find_all(exp.Is) else query.where(present)
