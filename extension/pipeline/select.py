"""Selection: run the candidates, group those with equal rows, and order the groups by how likely they are right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlglot
import sqlglot.errors
from askwhere.engine import Engine, Grant, Limits
from askwhere.errors import Ambiguous, AskError, DatabaseError
from askwhere.pipeline.facts import Candidate
from sqlglot import exp

# Of the readings that the reader gives on development questions about this share is right (docs/reader.md):
# a confidence is the share of agreeing candidates, no higher than what their source earns.
READER_RIGHT = 0.9

# Two groups this close in confidence are both likely: asking back is better than guessing.
MARGIN = 0.1


def try_out(candidate: Candidate, engine: Engine, grant: Grant, limits: Limits) -> Candidate:
    """The candidate with its checked SQL and first rows, or with the error that it met."""
    if candidate.error is not None:
        return candidate
    try:
        checked = engine.check(candidate.sql, grant)
        candidate = replace(candidate, checked=checked)  # stays known where the run fails
        result = engine.run(checked, grant, limits)
        return replace(candidate, result=result, n_rows=len(result.rows) if result.complete else None)
    except DatabaseError:
        raise  # the database's trouble, not the candidate's
    except AskError as exc:
        return replace(candidate, error=exc)


def rank(candidates: Sequence[Candidate], dialect: str) -> tuple[Candidate, ...]:
    """Candidates best first, with rank, group and confidence: those of the likeliest group, the next, failures last."""
    groups: list[list[Candidate]] = []
    outcomes: list[Outcome] = []
    for candidate in (c for c in candidates if c.result is not None):
        found = outcome(candidate, dialect)
        place = next((i for i, other in enumerate(outcomes) if same(found, other)), len(groups))
        if place == len(groups):
            groups.append([])
            outcomes.append(found)
        groups[place].append(candidate)
    total = sum(c.weight for group in groups for c in group) or 1.0
    shares = sorted(((sum(c.weight for c in group) / total, group) for group in groups), key=lambda pair: -pair[0])
    best_first = [
        replace(c, confidence=_capped(share, group), group=number)
        for number, (share, group) in enumerate(shares, 1)
        for c in group
    ]
    best_first += [c for c in candidates if c.result is None]
    return tuple(replace(c, rank=place) for place, c in enumerate(best_first, 1))


def choose(ranked: Sequence[Candidate], rank: int | None, min_confidence: float) -> Candidate:
    """The candidate to answer with. Raises `Ambiguous` when groups are close, AskError when nothing is usable."""
    if rank is not None:
        return _chosen(ranked, rank)
    usable = [c for c in ranked if c.result is not None]
    if not usable:
        raise _nothing(ranked)
    best = usable[0]
    close = {c.group: c for c in reversed(usable) if c.confidence >= best.confidence - MARGIN}
    if len(close) > 1:
        raise _ambiguous(sorted(close.values(), key=lambda c: c.rank))
    if best.confidence < min_confidence:
        raise AskError(
            f"the best answer has confidence {best.confidence:.2f}, below the setting min_confidence"
            f" {min_confidence:g}: {best.sql}"
        )
    return best


@dataclass(frozen=True)
class Outcome:
    """What a query gave, to be compared: `rows` in order, how often each occurs, and whether the query orders them."""

    rows: tuple[Hashable, ...]
    counts: frozenset[tuple[Hashable, int]]
    ordered: bool
    columns: int
    cut: str = ""


def outcome(candidate: Candidate, dialect: str) -> Outcome:
    """A tried candidate's outcome. Columns stay as given; 1 and 1.0 are equal. A cut result is like no other."""
    result = candidate.result
    assert result is not None
    rows = tuple(tuple(map(_comparable, row)) for row in result.rows)
    cut = "" if result.complete else candidate.sql
    ordered = is_ordered(candidate.sql, dialect)
    return Outcome(rows, frozenset(Counter(rows).items()), ordered, len(result.columns), cut)


def same(one: Outcome, other: Outcome) -> bool:
    """Whether two outcomes are the same answer: equal as multisets of rows, and in order where both queries order."""
    alike = (one.columns, one.cut, one.counts) == (other.columns, other.cut, other.counts)
    return alike and (one.rows == other.rows or not (one.ordered and other.ordered))


def is_ordered(sql: str, dialect: str) -> bool:
    """Whether the query itself, not a part of it, orders its rows."""
    try:
        tree = sqlglot.parse_one(sql, dialect=dialect)
    except sqlglot.errors.SqlglotError:
        return False
    return isinstance(tree, exp.Query) and tree.args.get("order") is not None


def _comparable(cell: Any) -> Hashable:
    if isinstance(cell, list | dict):
        return repr(cell)
    if isinstance(cell, float) and cell != cell:
        return "nan"  # NaN differs from itself, which would make equal rows differ
    return cell if isinstance(cell, Hashable) else repr(cell)


def _capped(share: float, group: Sequence[Candidate]) -> float:
    only_reader = all(c.origin == "reader" for c in group)
    return share * READER_RIGHT if only_reader else share


def _chosen(ranked: Sequence[Candidate], rank: int) -> Candidate:
    if not 1 <= rank <= len(ranked):
        raise AskError(f"choose: expected a rank from 1 to {len(ranked)}, found {rank}; ask_candidates() lists them")
    candidate = ranked[rank - 1]
    if candidate.result is None:
        raise candidate.error or AskError(f"candidate {rank} has no rows")
    return candidate


def _nothing(ranked: Sequence[Candidate]) -> AskError:
    last = ranked[-1]
    found = f"{last.error}" if last.error else "it gave no rows"
    kind = type(last.error) if last.error and len(ranked) == 1 else AskError
    message = f"no usable query was found. The last one failed: {found}\nSQL: {_short(last.sql)}"
    message = "\n".join([message, *last.notes])
    try:
        return kind(message, last.sql) if kind is not AskError else AskError(message)
    except TypeError:
        return AskError(message)


def _short(sql: str) -> str:
    return sql if len(sql) <= 1_000 else sql[:999] + "…"


def _ambiguous(readings: Sequence[Candidate]) -> Ambiguous:
    listed = "\n".join(f"  {c.rank}: {c.sql}" for c in readings)
    return Ambiguous(
        f"the question can be read in {len(readings)} ways; say which with choose (a rank from ask_candidates), or"
        f" ask more precisely:\n{listed}",
        tuple(c.sql for c in readings),
    )
