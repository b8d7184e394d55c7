"""Check a SQLite query: an authorizer that allows only reading granted tables, and bounds on the size of its values.

SQLite calls the authorizer while it prepares a statement, once for each column that is read and each function that is
called, so the decision does not depend on how the text is parsed here. The authorizer has three gaps, which `qualify`
closes; it must have written the text. SQLite does not report the join columns of NATURAL JOIN and USING. It reports a
table of which no column is read (`count(*)`) without its schema. It reports a column that is read inside a common table
expression as if it were read inside a view of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from askwhere.engine import Grant, Table
from askwhere.errors import Refused
from askwhere.guard.functions import (
    SQLITE_FUNCTIONS,
    SQLITE_SEARCHED,
    SQLITE_SEARCHED_WORDS,
    SQLITE_SHORT,
    SQLITE_SLOW,
    SQLITE_SORTING,
    SQLITE_TABLE_FUNCTIONS,
    Slow,
)
from askwhere.guard.hidden import hidden_columns
from askwhere.sql.identifiers import fold, fold_path, unquote
from askwhere.sql.lexer import Token, names, tokens
from askwhere.sql.parentheses import by_depth, closing, split

OK, DENY = 0, 1  # SQLITE_OK, SQLITE_DENY
READ, SELECT, FUNCTION, RECURSIVE = 20, 21, 31, 33  # SQLITE_READ, SQLITE_SELECT, ...

_RANK = "rank"
# Words that may follow the last table t of `FROM a, t`, and cannot follow `t` where it is an operand.
_AFTER_TABLES = {"cross", "group", "inner", "join", "left", "limit", "natural", "order", "where"}
# Functions whose first argument is a full-text table.
_OF_FULL_TEXT = {"bm25", "highlight", "matchinfo", "offsets", "snippet"}
# A word of a search, or a part of one: FTS5 takes every character that is not ASCII for a letter.
_WORD = re.compile(r"[^\W_]+|[^\x00-\x7f]+|_+")


class Authorizer:
    """An authorizer for preparing a text that `qualify` wrote for `grant`.

    `tables` are all tables and views of the connection: a granted view may read ones that are not granted. `existing`
    are all names in its schemas, those of shadow and system tables too. `user_functions` are the functions that users
    registered: they shadow built-in ones of the same name, so they are refused unless the grant allows them.

    `reason` says what was refused first, '' when nothing was. `reads_rank` says whether the query reads a column `rank`
    that its table's schema does not list: the hidden column of a full-text table.
    """

    def __init__(
        self,
        grant: Grant,
        tables: Sequence[Table] = (),
        existing: Iterable[str] = (),
        user_functions: Iterable[str] = (),
    ) -> None:
        self.reason = ""
        self.reads_rank = False
        self._ranked = {fold_path(t.path) for t in grant.tables if all(fold(c.name) != _RANK for c in t.columns)}
        self._hidden = hidden_columns(grant)
        self._granted = {fold_path(table.path) for table in grant.tables}
        self._names = {path[-1] for path in self._granted}
        self._views = _reachable_views(grant.tables, tables)
        self._existing = {fold(name) for name in existing} | {fold(table.name) for table in tables}
        self._functions = (SQLITE_FUNCTIONS - {fold(f) for f in user_functions}) | {fold(f) for f in grant.functions}

    def __call__(self, action: int, first: str | None, second: str | None, schema: str | None, view: str | None) -> int:
        """Return SQLITE_OK or SQLITE_DENY for an event, whose arguments `sqlite3_set_authorizer` describes."""
        if action in {SELECT, RECURSIVE}:
            return OK
        if action == FUNCTION:
            return self._decide(self._may_call(fold(second or "")), f"calls the function {second!r}")
        if action == READ:
            column = f".{second}" if second else ""
            return self._decide(self._may_read(first, second, schema, view), f"reads {first}{column}")
        return self._decide(False, "does more than read")

    def _decide(self, allowed: bool, act: str) -> int:
        """Return the code of a decision, and keep the reason of the first refusal: `act` is what the query does."""
        if not allowed and not self.reason:
            self.reason = f"the query {act}, which it may not"
        return OK if allowed else DENY

    def _may_call(self, name: str) -> bool:
        return name in self._functions and name != "ask" and not name.startswith("ask_")

    def _may_read(self, table: str | None, column: str | None, schema: str | None, view: str | None) -> bool:
        """Return whether a column may be read; `view` is the innermost view or common table expression that reads it.

        Without a column, the statement only counts the table's rows.
        """
        name = fold(table or "")
        if view is not None and name in self._views.get(fold(view), frozenset()):
            return True
        if not column:
            return name in self._names or name not in self._existing or self._is_behind_view(name)
        path = (fold("main" if schema is None else schema), name)
        self.reads_rank |= fold(column) == _RANK and path in self._ranked
        if path in self._granted:
            return fold(column) not in self._hidden.get(path, frozenset())
        return name in SQLITE_TABLE_FUNCTIONS and name not in self._existing

    def _is_behind_view(self, name: str) -> bool:
        # For `count(*)` over a view, SQLite reports the table behind it without a column, and does not name the view.
        return any(name in mentioned for mentioned in self._views.values())


def only_orders_by_rank(sql: str) -> bool:
    """Return whether each `rank` in a query is the first key of ORDER BY, or a call of a function.

    Compared with a text, the column `rank` of a full-text table calls the function that the text names, and the
    authorizer is not told of it. The comparison may also be one that SQLite moves from an outer query into a subquery.
    """
    words = [fold(unquote(token.text)) for token in tokens(sql, "sqlite")]
    return all(_is_harmless_rank(words, place) for place, word in enumerate(words) if word == _RANK)


def refuse_rank(authorizer: Authorizer, sql: str, original: str) -> None:
    """Raise `Refused`, naming the query `original`, where `sql` compares or shows the rank of a full-text table.

    `authorizer` has authorized `sql`.
    """
    if authorizer.reads_rank and not only_orders_by_rank(sql):
        raise Refused(
            "a generated query may use the rank of a full-text table only as the first key of ORDER BY", original
        )


def _is_harmless_rank(words: list[str], place: int) -> bool:
    """Return whether the word `rank` at a place is the first key of ORDER BY, or is called."""
    after = words[place + 1] if place + 1 < len(words) else ""
    start = place
    while start >= 2 and words[start - 1] == ".":
        start -= 2
    before = words[max(start - 2, 0) : start]
    return after == "(" or (before == ["order", "by"] and after in {"", ")", ",", ";", "asc", "desc", "limit"})


def check_searches(sql: str, grant: Grant) -> None:
    """Raise `Refused` where a full-text function or `rank` could take long in a step that cannot be interrupted.

    Such a function compares each place in a row where a word of the search stands with the places of all other words.
    So a query that calls one, which `qualify` wrote for `grant`, may only search for literal texts of few words.
    """
    searched = frozenset(fold(table.name) for table in grant.tables if table.kind == "virtual")
    if not searched:
        return
    lexed = tokens(sql, "sqlite")
    words = [fold(unquote(token.text)) if token.kind in {"word", "name"} else token.text for token in lexed]
    called = {word for word, after in pairwise(words) if after == "("} & _OF_FULL_TEXT
    if not called and not ({_RANK} <= {*words} and searched & {*words}):
        return
    name = f"{min(called)}()" if called else "the rank"
    # All texts together, as FTS5 makes one search of several.
    count = sum(_count_words(token.text) for token in lexed if token.kind == "text")
    if count > SQLITE_SEARCHED_WORDS:
        raise Refused(
            f"a search for {count} words takes too long with {name}; {SQLITE_SEARCHED_WORDS} are allowed", sql
        )
    if any(
        (word == "match" and not _matches_literal(lexed, place))
        or (word in searched and not _is_only_read(lexed, place) and not _searches_literal(lexed, place))
        for place, word in enumerate(words)
    ):
        raise Refused(f"with {name}, a full-text table may only be searched for a literal text", sql)


def _count_words(text: str) -> int:
    """Return an upper bound for the words that a full-text table reads in a text."""
    return max(len(_WORD.findall(text)), len(text.split()))


def _searches_literal(lexed: list[Token], place: int) -> bool:
    """Return whether the full-text table at a place is searched by `t('words')`, or by `t = 'words'`."""
    end = place + 4 if [token.text for token in lexed[place + 1 : place + 2]] == ["("] else place + 3
    texts = [token.kind if token.kind == "text" else token.text for token in lexed[place + 1 : end]]
    return texts == ["(", "text", ")"] or (texts == ["=", "text"] and not _is_added_to(lexed, end))


def with_sorted_percentiles(sql: str, user_functions: Iterable[str] = ()) -> str:
    """Return a query whose medians and percentiles get their values in order, `median(x ORDER BY (x) + 0.0)`.

    Otherwise SQLite sorts the values in one step that cannot be interrupted, and whose time is quadratic for some
    orders of them. Raise `Refused` for a call as a window, with another order, or with such a call in its arguments.
    Calls of functions that users registered under these names are left as they are.
    """
    lexed, sorting = tokens(sql, "sqlite"), SQLITE_SORTING - {fold(name) for name in user_functions}
    pieces, place = list[str](), 0
    for number, token in enumerate(lexed[:-1]):
        if lexed[number + 1].text != "(" or fold(unquote(token.text)) not in sorting:
            continue
        end = closing(lexed, number + 1)
        inner = lexed[number + 2 : end]
        if not inner or end == len(lexed):
            continue  # a syntax error, which SQLite reports
        value = _first_argument(inner)
        ordered = _behind_order(inner)
        if ordered and [t.text for t in ordered] == ["(", *(t.text for t in value), ")", "+", "0.0"]:
            continue  # this function has written it
        called = {fold(unquote(t.text)) for t in inner if t.kind in {"word", "name"}}
        if ordered or _is_window(lexed, end) or not called.isdisjoint({"random", *sorting}):
            raise Refused(
                f"{token.text} may be called neither as a window, nor with another order, random() or a second such"
                " call in it: take the middle row of an ordered subquery",
                sql,
            )
        text = sql[value[0].start : value[-1].end]
        pieces += [sql[place : inner[-1].end], f" ORDER BY ({text}) + 0.0"]
        place = inner[-1].end
    return "".join(pieces) + sql[place:]


def _first_argument(inner: Sequence[Token]) -> Sequence[Token]:
    """Return the tokens of a call's first argument, without DISTINCT, and without ORDER BY."""
    stop = next(
        (n for n, depth, token in by_depth(inner) if not depth and (token.text == "," or token.word == "order")), None
    )
    first = inner[:stop]
    return first[1:] if len(first) > 1 and first[0].word in ("distinct", "all") else first


def _behind_order(inner: Sequence[Token]) -> Sequence[Token]:
    """Return the tokens behind ORDER BY in a call."""
    places = (n + 2 for n, depth, token in by_depth(inner) if not depth and token.word == "order")
    return inner[next(places, len(inner)) :]


def _is_window(lexed: Sequence[Token], end: int) -> bool:
    """Return whether a call that ends at `end` has OVER behind it, perhaps after FILTER."""
    if [t.word for t in lexed[end + 1 : end + 2]] == ["filter"]:
        end = closing(lexed, end + 2)
    return [t.word for t in lexed[end + 1 : end + 2]] == ["over"]


def needs_limits(sql: str, user_functions: Iterable[str] = ()) -> bool:
    """Return whether a query may make longer values than it reads, or may compare long ones with each other.

    It may if it names a function that does, uses `||`, or searches a full-text table for more than a literal.
    """
    return _needs_limits(sql, frozenset(user_functions))


@lru_cache(256)  # each time that a question is repeated
def _needs_limits(sql: str, user_functions: frozenset[str]) -> bool:
    growing = (SQLITE_FUNCTIONS - SQLITE_SHORT) | {fold(name) for name in user_functions}
    return "||" in sql or not growing.isdisjoint(names(sql, "sqlite")) or _slowest(sql) is not None


def slowest(sql: str, grant: Grant) -> Slow | None:
    """Return the slowest of the slow functions and full-text searches in a query, None if there is none.

    They are the functions of `SQLITE_SLOW`, and searches, with values that may be long. Stored values count, too:
    whoever wrote them may have written long ones. `qualify` wrote the query for `grant`.
    """
    return _slowest(sql, frozenset(fold(table.name) for table in grant.tables if table.kind == "virtual"))


@lru_cache(256)
def _slowest(sql: str, searched: frozenset[str] = frozenset()) -> Slow | None:
    """Return the same as `slowest`; `searched` are the folded names of tables that may be full-text tables."""
    lexed = tokens(sql, "sqlite")
    found: list[Slow] = []
    for place, token in enumerate(lexed):
        name = fold(unquote(token.text)) if token.kind in {"word", "name"} else ""
        if name in SQLITE_SLOW and not _is_fast(SQLITE_SLOW[name], lexed[place + 1 :]):
            found.append(SQLITE_SLOW[name])
        matches = name == "match" and not _matches_literal(lexed, place)
        if matches or (name in searched and not _is_only_read(lexed, place)):
            found.append(SQLITE_SEARCHED)
    return min(found, key=lambda slow: slow.bytes, default=None)


def _is_only_read(lexed: list[Token], place: int) -> bool:
    """Return whether the name of a virtual table at a place searches the table for nothing, or only for a literal.

    `t MATCH x`, `t = x` and `FROM t(x)` all search the full-text table `t`.
    """
    before = ["", "", "", "", *(fold(unquote(token.text)) for token in lexed[max(place - 4, 0) : place])][-4:]
    after = fold(lexed[place + 1].text) if place + 1 < len(lexed) else ""
    if before[3] == "(" and before[2] in _OF_FULL_TEXT:
        return True
    if before[3] == ".":
        before = ["", "", *before[:2]]
    is_table = before[3] in {"from", "join"} and before[2] != "distinct" and after != "("  # IS DISTINCT FROM t
    is_table |= before[3] == "," and after in _AFTER_TABLES  # FROM a, t WHERE
    return is_table or after == "." or (after == "match" and _matches_literal(lexed, place + 1))


def _matches_literal(lexed: list[Token], place: int) -> bool:
    """Return whether the MATCH at a place searches for a literal text, which no operator makes longer."""
    return [token.kind for token in lexed[place + 1 : place + 2]] == ["text"] and not _is_added_to(lexed, place + 2)


def _is_added_to(lexed: list[Token], place: int) -> bool:
    """Return whether the operator at a place may make the operand before it longer: `||`, also behind a COLLATE."""
    return place < len(lexed) and fold(lexed[place].text) in {"|", "collate"}


def _is_fast(slow: Slow, behind: list[Token]) -> bool:
    """Return whether a slow function is not called, or is given a short literal. `behind` are the tokens after it."""
    if slow.place is None:
        return _is_short(behind[:1], slow.literal) and not _is_added_to(behind, 1)
    if not behind or behind[0].text != "(":
        return True
    arguments = split(behind[1 : closing(behind, 0)])
    return slow.place >= len(arguments) or _is_short(arguments[slow.place], slow.literal)


def _is_short(lexed: list[Token], most: int) -> bool:
    """Return whether some tokens are one literal of at most `most` characters, quotes included."""
    return len(lexed) == 1 and lexed[0].kind in {"text", "number"} and len(lexed[0].text) <= most


def _reachable_views(granted: Iterable[Table], tables: Iterable[Table]) -> dict[str, frozenset[str]]:
    """Return the names in the definition of each view that is granted, or that such a view reads. All are folded."""
    definitions = {fold(t.name): names(t.definition, "sqlite") for t in tables if t.kind == "view"}
    reached: dict[str, frozenset[str]] = {}
    views = [t for t in granted if t.kind == "view"]
    definitions |= {fold(t.name): names(t.definition, "sqlite") for t in views}
    pending = [fold(t.name) for t in views]
    while pending:
        name = pending.pop()
        reached[name] = definitions[name]
        pending += [other for other in definitions[name] if other in definitions and other not in reached]
    return reached
