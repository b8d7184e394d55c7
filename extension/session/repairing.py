"""Repair a model's candidates while they are tried: those that do not bind, and those that are implausible."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from askwhere.engine import Engine, Result
from askwhere.errors import AskError, QueryError, TooMuch
from askwhere.frozen import frozen
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline.asking import since
from askwhere.pipeline.facts import Candidate
from askwhere.rewrite import fix, key_values, mending, text_arithmetic
from askwhere.rewrite.context import MendingContext
from askwhere.session import trials
from askwhere.session.questions import Turn


@frozen
class Repairer:
    """Try candidates and, where one does not bind, the nearest query that does (`fix.fix`).

    Small models join too few tables, or name a column of another table, and seldom correct this when they see the
    error. A candidate stays as it is if several queries are equally near, or if the nearest one fails when it runs.
    Then the rules of `rewrite.mending` are applied; if they find that a query cannot be meant so, it counts as failed
    even if it runs.
    """

    turn: Turn
    context: MendingContext
    engine: Engine
    tried: Callable[[Candidate], Candidate]

    def __call__(self, candidate: Candidate) -> Candidate:
        """Return the candidate, repaired and tried."""
        done = self._tried_or_fixed(candidate)
        if not _may_be_mended(done):
            return done
        began = time.monotonic()
        try:
            sql, changes = mending.mended(done.sql, self.context)
        except QueryError as exc:
            if done.error is not None:
                return done
            self.turn.asker.note("repair", f"there is none: {exc}", since(began), done.sql)
            return replace(candidate, sql=done.sql, checked=done.checked, error=exc)
        return self._replaced(candidate, done, sql, changes, began) if changes else done

    def _tried_or_fixed(self, candidate: Candidate) -> Candidate:
        """Return the candidate, tried; if it does not bind, with the nearest query that does."""
        done = self.tried(candidate)
        if done.checked is not None or done.result is not None or not _may_be_mended(done):
            return done
        began = time.monotonic()
        try:
            bounds = replace(fix.REPAIR, seconds=min(fix.REPAIR.seconds, self.turn.asker.seconds_left()))
            fixed = fix.fix(candidate.sql, self.engine, self.context.catalog, bounds=bounds)
        except AskError:
            return done
        return self._replaced(candidate, done, fixed.sql, ", ".join(fixed.changes), began)

    def _replaced(self, candidate: Candidate, done: Candidate, sql: str, changes: str, began: float) -> Candidate:
        """Return a candidate tried with other SQL; if that fails, `done`, the candidate as it was tried before."""
        self.turn.asker.note("repair", changes, since(began), sql, done.sql)
        notes = (*done.notes, f"repaired: {changes}")
        other = self.tried(replace(candidate, sql=sql, notes=notes, before=done.sql))
        return done if other.error else other


def repairer(turn: Turn, catalog: Catalog, tried: Callable[[Candidate], Candidate]) -> Repairer:
    """Return the function that tries and repairs candidates for a question; `tried` tries them unchanged."""
    engine = trials.running(turn.engine, turn.settings)
    look = _bounded_runner(turn, catalog)
    kind = None if engine.static_types else text_arithmetic.kind_finder(look)
    context = MendingContext(
        " ".join(turn.question.chain), catalog, engine.dialect, key_values.value_finder(look), kind
    )
    return Repairer(turn, context, engine, tried)


def _may_be_mended(done: Candidate) -> bool:
    """Return whether a query runs, or fails because of how it is written."""
    return done.error is None or (isinstance(done.error, QueryError) and not isinstance(done.error, TooMuch))


def _bounded_runner(turn: Turn, catalog: Catalog) -> Callable[[str, int | None], Result]:
    """Return a function that runs the queries by which repairs look at the data, in `query_timeout` all together.

    They end with `max_seconds`, too. A query of a model can compare thousands of columns with values, and for each of
    these repairs run a query.
    """
    left = turn.settings["query_timeout"]

    def look(sql: str, rows: int | None) -> Result:
        nonlocal left
        began = time.monotonic()
        try:
            return trials.runner(turn, catalog, min(left, turn.asker.seconds_left()))(sql, rows)
        finally:
            left -= time.monotonic() - began

    return look
