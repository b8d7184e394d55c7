"""Fix a query by rule: find the nearest text that parses and binds, by trying the likely repairs of each fault.

This is Dijkstra's search, starting from the query. Each step changes one thing; its cost is the number of typing slips
that would cause that fault. The cheapest text that the engine accepts is the repair; if two cost the same, there is
none.
"""

from __future__ import annotations

import heapq
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count

from askwhere.cells import first_of
from askwhere.engine import Engine
from askwhere.errors import Ambiguous, QueryError, Refused, TooMuch
from askwhere.frozen import frozen
from askwhere.guard.statement import check_text
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline.replies import BEGINS
from askwhere.rewrite import other_dialects, syntax
from askwhere.rewrite.grouping import grouped
from askwhere.rewrite.names import unknown
from askwhere.rewrite.repairs import CHANGE, Known, Repair, Text, Unknown
from askwhere.sql import spans
from askwhere.sql.identifiers import fold
from askwhere.sql.spans import Edit
from sqlglot import exp

# A step of the search takes time quadratic in the text's length; the benchmarks' longest query has 900 characters.
MOST_CHARACTERS = 10_000
# The cost of a query transpiled from another dialect: high, since it is rewritten whole.
REWRITTEN = 3.0
# The most repairs that an error names.
SHOWN = 5

_READS = re.compile(r"\s*\(*\s*(?:select|with|values|from|table)\b", re.IGNORECASE)


@frozen
class Bounds:
    """Limits of a search: seconds, the cost of the repair, texts that are parsed, and texts that the engine checks."""

    seconds: float = 10.0
    cost: float = float("inf")
    parsed: int = 600
    checked: int = 60


BOUNDS = Bounds()
# For candidates. Most repairs are found in hundredths of a second: two seconds are enough for all but queries with many
# mistakes. The cost allows for three new names, or for a translation from another dialect, but not for both.
REPAIR = Bounds(seconds=2.0, cost=REWRITTEN)


@frozen
class Fixed:
    """A query that the engine accepts, and the changes made to it, in words."""

    sql: str
    changes: tuple[str, ...] = ()


@dataclass(order=True)
class _State:
    """A text that the search has reached, and its cost.

    `number` keeps texts of equal cost in the order in which they were found.
    """

    cost: float
    number: int
    sql: str = field(compare=False)
    changes: tuple[str, ...] = field(compare=False, default=())


def fix(sql: str, engine: Engine, catalog: Catalog, error: str = "", bounds: Bounds = BOUNDS) -> Fixed:
    """Return the query unchanged if the engine accepts it, else the nearest text that it accepts.

    `error` is the message that the user saw; it may name one of two equally near repairs. Raise `Refused` for what the
    guard refuses, `Ambiguous` where repairs are equally near, and `QueryError` where there is none.
    """
    check_text(sql)
    failed = trouble(sql, engine, catalog)
    if failed is None:
        return Fixed(sql)
    if len(sql) > MOST_CHARACTERS:
        raise QueryError(
            f"{failed}\nIt has {len(sql):,} characters; queries of at most {MOST_CHARACTERS:,} are fixed: try a part",
            sql,
        )
    start = syntax.straight(syntax.unwrapped(sql))
    if isinstance(failed, Refused) and _is_other_statement(start):
        raise failed
    search = _Search(engine, Known.of(engine, catalog), bounds)
    repaired = search.run(start)
    if len(repaired) > 1 and error:
        repaired = _named_by(error, repaired) or repaired
    if len(repaired) == 1:
        return repaired[0]
    if repaired:
        raise _equally_near(repaired)
    raise search.refused or (failed if isinstance(failed, Refused) and not search.gap else search.failure(sql, failed))


def trouble(sql: str, engine: Engine, catalog: Catalog) -> QueryError | None:
    """Return why a query cannot be used; None where it can. Raise `TooMuch` where checking takes too long."""
    try:
        engine.check(sql, catalog.grant)
    except TooMuch:
        raise
    except QueryError as exc:
        return exc
    return None


class _Search:
    """A search (Dijkstra's) for the nearest texts that the engine accepts.

    `gap` is the first unknown name that was met, preferably one that no known name is near; `refused` is the guard's
    first refusal, and `tried` has all repairs in words.
    """

    def __init__(self, engine: Engine, known: Known, bounds: Bounds) -> None:
        self.known = known
        self.gap: Unknown | None = None
        self.refused: Refused | None = None
        self.tried: dict[str, None] = {}
        self._engine = engine
        self._waiting: list[_State] = []
        self._numbers = count()
        self._read = 0
        self._checked = 0
        self._bounds = bounds
        self._until = time.monotonic() + bounds.seconds

    def run(self, sql: str) -> list[Fixed]:
        """Return the repairs of least cost, one for each meaning; an empty list where no repair is found."""
        self._waiting = [_State(0.0, next(self._numbers), sql)]
        seen: set[str] = set()
        by_meaning: dict[exp.Expr, Fixed] = {}
        least = self._bounds.cost
        start = other_dialects.parse(sql, self.known.dialect)
        in_original = _same_twice(start) if start is not None else 0
        while self._waiting and self._read < self._bounds.parsed and self._checked < self._bounds.checked:
            if time.monotonic() > self._until:
                raise TooMuch(
                    f"no repair was found within {self._bounds.seconds:.3g} seconds; ask for a part of the query", sql
                )
            state = heapq.heappop(self._waiting)
            if state.cost > least:
                break  # all repairs of least cost are found: with more than one of them it is ambiguous
            if state.sql in seen:
                continue
            seen.add(state.sql)
            tree = self._tree(state.sql)
            if self._follow(state, tree) and tree is not None and _same_twice(tree) <= in_original:
                least = state.cost
                by_meaning.setdefault(_meaning(tree), Fixed(state.sql, state.changes))
        return list(by_meaning.values())

    def _tree(self, sql: str) -> exp.Expr | None:
        """Parse a text, within the limits of the search."""
        self._read += 1
        late = self._read > self._bounds.parsed or time.monotonic() > self._until
        return None if late else other_dialects.parse(sql, self.known.dialect)

    def _follow(self, state: _State, tree: exp.Expr | None) -> bool:
        """Return whether the engine accepts a text; if not, queue the repairs of it."""
        if tree is None:
            self._push(state, self._unread(state.sql))
            return False
        text = Text(state.sql, tree, self.known)
        joined = tuple(syntax.together(state.sql, self.known))
        gap = unknown(text)
        if gap is not None:
            if self.gap is None or (self.gap.repairs and not gap.repairs):
                self.gap = gap
            self._push(state, (*joined, *gap.repairs))
            return False
        if numbered := tuple(syntax.numbered(state.sql, self.known)):
            self._push(state, numbered)  # DuckDB reads `2.name` as the number 2. with the alias `name`
            return False
        self._checked += 1
        failed = trouble(state.sql, self._engine, self.known.catalog)
        if isinstance(failed, Refused) and "::" not in state.sql:
            self.refused = self.refused or failed
        elif isinstance(failed, Refused):  # what follows `::` is a parameter in SQLite, a type elsewhere
            self._push(state, self._rewritten(state.sql))
        elif failed is not None:
            self._push(state, (*joined, *self._misfits(text, failed)))
        return failed is None

    def _push(self, state: _State, repairs: Iterable[Repair]) -> None:
        """Queue the texts that repairs make of a state's text."""
        for repair in repairs:
            self.tried.setdefault(repair.description)
            new = spans.apply(state.sql, repair.edits)
            cost = state.cost + repair.cost
            heapq.heappush(self._waiting, _State(cost, next(self._numbers), new, (*state.changes, repair.description)))

    def _unread(self, sql: str) -> Iterator[Repair]:
        """Yield repairs of a text that does not parse."""
        yield from self._spelling(sql)
        yield from syntax.words(sql, self.known)
        for repair in syntax.signs(sql, self.known):
            if self._tree(spans.apply(sql, repair.edits)) is not None:
                yield repair
        yield from self._rewritten(sql)

    def _misfits(self, text: Text, failed: QueryError) -> Iterator[Repair]:
        """Yield repairs of a query whose names are all known but which does not bind."""
        if "GROUP BY clause" in str(failed):
            yield from grouped(text)
        yield from self._spelling(text.sql)
        yield from syntax.reserved(text.sql, self.known)
        yield from self._rewritten(text.sql)

    def _spelling(self, sql: str) -> Iterator[Repair]:
        """Yield repairs of spellings that belong to another dialect."""
        for edits in other_dialects.spelling(sql, self.known.dialect):
            old = " … ".join(filter(None, (sql[e.start : e.end] for e in edits)))
            new = " … ".join(filter(None, (e.new.strip() for e in edits)))
            yield Repair(edits, CHANGE, f"{old} → {new or 'nothing'}")

    def _rewritten(self, sql: str) -> Iterator[Repair]:
        """Yield the query as other dialects mean it, transpiled whole."""
        self._read += len(other_dialects.OTHERS)
        for other, new in other_dialects.whole(sql, self.known.dialect):
            yield Repair((Edit(0, len(sql), new),), REWRITTEN, f"read as {other}'s")

    def failure(self, sql: str, failed: QueryError) -> QueryError:
        """Return the error for a query that cannot be fixed, with the fault and the repairs that were tried."""
        engine_error = " ".join(str(failed).split("LINE ", 1)[0].split("Candidate functions")[0].split()).rstrip(".")
        wrong = (
            f"there is no {self.gap.kind} {self.gap.name!r}"
            if self.gap and self.gap.kind != "ambiguous"
            else engine_error
        )
        tried = first_of(list(self.tried), SHOWN, "; ") or "nothing, as no known name is near"
        return QueryError(f"the query cannot be fixed: {wrong}. Tried: {tried}", sql)


def _is_other_statement(sql: str) -> bool:
    """Return whether a text is a statement other than a query."""
    return bool(BEGINS.match(sql)) and not _READS.match(sql)


def _meaning(tree: exp.Expr) -> exp.Expr:
    """Return the tree without redundant parentheses, quotes and case of names.

    Texts with equal trees mean the same.
    """

    def plain(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Paren):
            return plain(node.this)
        return exp.to_identifier(fold(node.name), quoted=False) if isinstance(node, exp.Identifier) else node

    return tree.transform(plain)


def _same_twice(tree: exp.Expr) -> int:
    """Return how many comparisons of a column with itself a query has: a repair that makes one is never meant."""
    pairs = [[_meaning(n.left), _meaning(n.right)] for n in tree.find_all(exp.EQ) if isinstance(n.left, exp.Column)]
    return sum(left == right for left, right in pairs)


def _named_by(error: str, fixes: list[Fixed]) -> list[Fixed]:
    """Return the only repair whose new words are all in an error's text; nothing where several are, or none is."""
    words = _words(error)
    named = [fixed for fixed in fixes if all(_words(change.rpartition("→")[2]) <= words for change in fixed.changes)]
    return named if len(named) == 1 else []


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def _equally_near(fixes: list[Fixed]) -> Ambiguous:
    """Return the error that lists repairs of equal cost, `SHOWN` of them."""
    listed = "\n".join(f"  {', '.join(f.changes)}: {f.sql}" for f in fixes[:SHOWN])
    more = f"\n  and {len(fixes) - SHOWN} more" if len(fixes) > SHOWN else ""
    message = f"the query can be fixed in {len(fixes)} ways that are equally near; say which is meant:\n{listed}{more}"
    return Ambiguous(message, tuple(f.sql for f in fixes))
