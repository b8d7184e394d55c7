"""Try the candidates for one question: check and run each query, and keep a bounded part of its rows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

from askwhere.cells import counted
from askwhere.engine import Engine, Limits, Result
from askwhere.errors import TooMuch
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline.asking import since
from askwhere.pipeline.facts import Candidate, preview, size
from askwhere.pipeline.select import compared, rank, try_out, with_outcome
from askwhere.session.questions import Ranking, Turn
from askwhere.settings import Settings

# The most rows that a trial reads: it shows whether a query runs and what it returns; `delivery` reads all rows.
TRIAL_ROWS = 1_001
# Bytes of rows that are retained: of one candidate while others are tried, and then of all candidates together.
TRIAL_BYTES, ALL_BYTES = 1 << 20, 1 << 20


def running(engine: Engine, settings: Settings) -> Engine:
    """Return the engine that generated SQL runs on: the isolated one if the settings say so."""
    return engine.isolated() if settings["isolation"] else engine


def limits(settings: Settings) -> Limits:
    """Return the limits of a trial."""
    return Limits(seconds=settings["query_timeout"], rows=TRIAL_ROWS)


def trier(turn: Turn, catalog: Catalog) -> Callable[[Candidate], Candidate]:
    """Return a function that checks a candidate and runs it, as a step of the trace."""
    runner, settings = running(turn.engine, turn.settings), turn.settings

    def tried(candidate: Candidate) -> Candidate:
        began = time.monotonic()
        done = try_out(candidate, runner, catalog.grant, limits(settings))
        turn.asker.note("run", _outcome(done, settings["values"] == "hide"), since(began), done.sql, done.before)
        if done.checked and done.checked.pushed and done.result and done.result.pushed:
            pushed = done.checked.pushed
            turn.asker.note("push", f"{pushed.source} answered the whole query in its own SQL", sql=pushed.written)
        return _without_heavy_rows(done, runner.dialect)

    return tried


def runner(turn: Turn, catalog: Catalog, seconds: float | None = None) -> Callable[[str, int | None], Result]:
    """Return a function that checks and runs a query, given the most rows to read (None for `max_rows`).

    Its runs are not traced. It raises `TooMuch` after `seconds` (None for `query_timeout`), at once where these are 0.
    """
    engine, settings, grant = running(turn.engine, turn.settings), turn.settings, catalog.grant
    most_seconds = settings["query_timeout"] if seconds is None else seconds

    def run(sql: str, rows: int | None) -> Result:
        if most_seconds <= 0:
            raise TooMuch("there is no time left for another query", sql)
        most = Limits(seconds=most_seconds, rows=rows or settings["max_rows"])
        return engine.run(engine.check(sql, grant), grant, most)

    return run


def ranked_candidates(turn: Turn, catalog: Catalog, tried: Iterable[Candidate]) -> Ranking:
    """Return the tried candidates, grouped by equal rows and ranked."""
    dialect = turn.engine.dialect
    ranked = rank(compared(tried, dialect, runner(turn, catalog)), dialect)
    return shown(turn, ranked)


def shown(turn: Turn, ranked: Sequence[Candidate]) -> Ranking:
    """Return ranked candidates with the first rows of each, and the results that still have every row read."""
    retained = tuple(preview(c, ALL_BYTES // len(ranked)) for c in ranked)
    return Ranking(retained, turn.asker.usage, {c.sql: c.result for c in ranked if c.uncut and c.result})


def _without_heavy_rows(tried: Candidate, dialect: str) -> Candidate:
    """Return a candidate, with only its first rows if they take more than `TRIAL_BYTES` bytes.

    The digest of a complete result is kept, so that it can be compared with others.
    """
    result = tried.result
    if result is None or size(result.rows) <= TRIAL_BYTES:
        return tried
    return preview(with_outcome(tried, dialect) if result.complete else tried, TRIAL_BYTES)


def _outcome(candidate: Candidate, hide: bool) -> str:
    """Return the trace's text for a trial: the query, and the number of its rows or its error."""
    if candidate.result is None:
        from askwhere.pipeline.correct import without_values  # takes time to load, and most queries run

        return f"{candidate.sql}\nfailed: {without_values(candidate) if hide else candidate.error}"
    more = "more than " if not candidate.result.complete else ""
    return f"{candidate.sql}\n{more}{counted(len(candidate.result.rows) - bool(more), 'row')}"
