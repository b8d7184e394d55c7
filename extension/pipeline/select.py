"""Select the answer among candidates: run them, group those with equal rows, and rank the groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from askwhere.cells import counted, short, visible
from askwhere.engine import Engine, Grant, Limits, Result
from askwhere.errors import Ambiguous, ArgumentError, AskError, DatabaseError
from askwhere.pipeline.facts import Candidate
from askwhere.pipeline.outcomes import Outcome, of_rows, same
from askwhere.reader.refuse import MODEL

# Groups whose estimates are at most this far from the best are all likely: the user is asked which is meant.
MARGIN = 0.1


def try_out(candidate: Candidate, engine: Engine, grant: Grant, limits: Limits) -> Candidate:
    """Return the candidate with its checked SQL and first rows, or with the error that it met."""
    if candidate.error is not None:
        return candidate
    try:
        checked = engine.check(candidate.sql, grant)
        candidate = replace(candidate, checked=checked)  # stays known where the run fails
        result = engine.run(checked, grant, limits)
        return replace(candidate, result=result, n_rows=len(result.rows) if result.complete else None, uncut=True)
    except DatabaseError:
        raise  # the database failed, not the candidate
    except AskError as exc:
        return replace(candidate, error=exc)


def compared(
    candidates: Iterable[Candidate], dialect: str, run: Callable[[str, int | None], Result]
) -> tuple[Candidate, ...]:
    """Return the candidates with the outcomes that they are grouped by, if several of them have results.

    Where the trials of several queries with the same number of columns did not read all rows, `run` reads all rows of
    each, one query after the other, and only digests are kept. If there is only one such query, there is no need to.
    """
    tried = tuple(candidates)
    if sum(c.result is not None for c in tried) < 2:
        return tried
    cut = [c for c in tried if c.result is not None and c.outcome is None and not c.result.complete]
    by_width: dict[int, set[str]] = {}
    for c in cut:
        by_width.setdefault(_width(c), set()).add(c.sql)
    several = set().union(*(queries for queries in by_width.values() if len(queries) > 1))
    outcomes = {sql: _whole(sql, dialect, run) for sql in several}
    return tuple(with_outcome(c, dialect, outcomes.get(c.sql)) for c in tried)


def _whole(sql: str, dialect: str, run: Callable[[str, int | None], Result]) -> tuple[Outcome, float] | None:
    """Return the outcome of all of a query's rows and the seconds they took; None where they are too many."""
    try:
        result = run(sql, None)
    except DatabaseError:
        raise
    except AskError:
        return None
    return (of_rows(result, sql, dialect), result.seconds) if result.complete else None


def _width(candidate: Candidate) -> int:
    assert candidate.result is not None
    return len(candidate.result.columns)


def with_outcome(candidate: Candidate, dialect: str, whole: tuple[Outcome, float] | None = None) -> Candidate:
    """Return the candidate with its outcome, from its rows or given as `whole`; unchanged where it has no rows."""
    result = candidate.result
    if result is None or candidate.outcome is not None:
        return candidate
    if whole is None:
        return replace(candidate, outcome=of_rows(result, candidate.sql, dialect))
    outcome, seconds = whole
    return replace(candidate, outcome=outcome, n_rows=outcome.rows, result=replace(result, seconds=seconds))


def groups(candidates: Iterable[Candidate], dialect: str) -> list[list[Candidate]]:
    """Return the candidates that gave rows, grouped by equal results.

    The group of the earliest candidate comes first.
    """
    usable = [c for c in candidates if c.result is not None]
    if len(usable) < 2:
        return [[c] for c in usable]  # there is nothing to compare
    by_result: list[list[Candidate]] = []
    for candidate in (with_outcome(c, dialect) for c in usable):
        outcome = candidate.outcome
        group = next((g for g in by_result if outcome and g[0].outcome and same(outcome, g[0].outcome)), [])
        if not group:
            by_result.append(group)
        group.append(candidate)
    return by_result


def rank(candidates: Sequence[Candidate], dialect: str) -> tuple[Candidate, ...]:
    """Return the candidates best first, with rank, group and estimate; failures come last.

    A group that a method has picked comes first; the confidence is the estimate until it is calibrated.
    """
    grouped = groups(candidates, dialect)
    estimated = [
        (any(c.picked for c in group), estimate, group)
        for estimate, group in zip(estimates(grouped), grouped, strict=True)
    ]
    estimated.sort(key=lambda entry: (not entry[0], -entry[1]))
    best_first = [
        replace(c, estimate=estimate, confidence=estimate, group=number)
        for number, (_, estimate, group) in enumerate(estimated, 1)
        for c in group
    ]
    best_first += [c for c in candidates if c.result is None]
    return tuple(replace(c, rank=place) for place, c in enumerate(best_first, 1))


def choose(ranked: Sequence[Candidate], rank: int | None, min_confidence: float) -> Candidate:
    """Return the candidate to answer with.

    Raise `Ambiguous` where groups are close, unless a method has picked one, and AskError where nothing is usable or
    the confidence is too low.
    """
    if rank is not None:
        return _chosen(ranked, rank)
    usable = [c for c in ranked if c.result is not None]
    if not usable:
        raise _none_usable(ranked)
    best = usable[0]
    close = {c.group: c for c in reversed(usable) if c.estimate >= best.estimate - MARGIN}
    if len(close) > 1 and not best.picked:
        raise _ambiguous(sorted(close.values(), key=lambda c: c.rank))
    if best.confidence < min_confidence:
        raise AskError(
            f"the best answer has confidence {best.confidence:.2f}, below the setting min_confidence"
            f" {min_confidence:g}: {best.sql}"
        )
    return best


def estimates(grouped: Sequence[Sequence[Candidate]]) -> list[float]:
    """Return how likely each group is right (0 to 1): its share of all weight.

    Where a model wrote some of the candidates (they have no `likely`), the possibility that all are wrong has the
    weight 1: a single candidate of weight w is estimated at w / (w + 1), so one completion, of weight 1, at a half.
    Where no candidate is a model's, the share is multiplied by the highest `likely` of the group.
    """
    weights = [sum(c.weight for c in group) for group in grouped]
    if any(c.likely is None for group in grouped for c in group):
        return [weight / (sum(weights) + 1) for weight in weights]
    best = [max(c.likely or 0.0 for c in group) for group in grouped]
    return [weight / sum(weights) * likely for weight, likely in zip(weights, best, strict=True)]


def _chosen(ranked: Sequence[Candidate], rank: int) -> Candidate:
    """Return the candidate of a rank. Raise `ArgumentError` for no such rank, or the candidate's error."""
    if not 1 <= rank <= len(ranked):
        there_are = "is 1 candidate" if len(ranked) == 1 else f"are {counted(len(ranked), 'candidate')}"
        raise ArgumentError(f"choose: there {there_are}, and no rank {rank}; ask_candidates() lists them")
    candidate = ranked[rank - 1]
    if candidate.result is None:
        raise candidate.error or AskError(f"candidate {rank} has no rows; choose another rank of ask_candidates()")
    return candidate


def _none_usable(ranked: Sequence[Candidate]) -> AskError:
    """Return the error for candidates that all failed."""
    last = ranked[-1]
    # Cut the engine's excerpt: it shows the query as it was checked, with other names than the one below.
    why = str(last.error).partition("\n\nLINE ")[0] if last.error else "it gave no rows"
    kind = type(last.error) if last.error and len(ranked) == 1 else AskError
    message = f"no usable query was found. The last one failed: {why}\nSQL: {short(last.sql, 1_000)}"
    advice = [MODEL] if all(candidate.origin == "reader" for candidate in ranked) else []
    message = visible("\n".join([message, *last.notes, *advice]))
    try:
        return kind(message, last.sql) if kind is not AskError else AskError(message)
    except TypeError:
        return AskError(message)


def own_notes(candidates: Sequence[Candidate]) -> list[list[str]]:
    """Return the notes of each candidate without those that all candidates have: the rest tells them apart."""
    return [[note for note in c.notes if any(note not in other.notes for other in candidates)] for c in candidates]


def _ambiguous(readings: Sequence[Candidate]) -> Ambiguous:
    """Return the error that lists the readings, each with a comment of the notes that not all of them have."""
    comments = [f" -- {', '.join(notes)}" if notes else "" for notes in own_notes(readings)]
    listed = "\n".join(f"  {c.rank}: {c.sql}{comment}" for c, comment in zip(readings, comments, strict=True))
    return Ambiguous(
        f"the question can be read in {len(readings)} ways; say which with choose (a rank from ask_candidates), or"
        f" ask more precisely:\n{listed}",
        tuple(c.sql for c in readings),
    )
