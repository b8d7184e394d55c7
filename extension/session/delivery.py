"""Deliver an answer's rows within the limits of the settings; an answer that is too large is an error, never cut."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any

from askwhere.cells import counted
from askwhere.engine import Checked, Engine, Grant, Limits, Result
from askwhere.errors import TooMuch
from askwhere.pipeline.facts import Candidate
from askwhere.session import trials
from askwhere.session.database import Database
from askwhere.settings import Settings
from askwhere.sql.identifiers import quote

MOST_BYTES = 2**30  # of the rows of one answer, as Python objects: 1,000,000 rows of some twenty columns


class Delivery:
    """Delivery on one connection, which remembers the answers whose size has been checked."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._sized: set[Hashable] = set()

    def sql(
        self,
        engine: Engine,
        settings: Settings,
        chosen: Candidate,
        checked: Checked,
        counted: bool,
        trial: Result | None,
    ) -> str:
        """Return the SQL whose rows are the answer, as `Session.sql` does; `trial` was made just now."""
        assert chosen.result is not None  # what was chosen was tried
        if not settings["isolation"]:
            self._check_size(engine, settings, chosen, checked, settings["max_rows"] if counted else None)
            # What was kept of an earlier trial may be old, and only its first rows.
            return engine.delivery(checked, trial or replace(chosen.result, complete=False))
        return engine.isolated().delivering(checked, *self._permitted(engine, settings))

    def stream(self, engine: Engine, settings: Settings, checked: Checked) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a checked query from the isolated process, as `Session.stream` does."""
        return engine.isolated().stream(checked, *self._permitted(engine, settings))

    def _permitted(self, engine: Engine, settings: Settings) -> tuple[Grant, Limits]:
        """Return what a query may read, and the limits of a delivery of all rows."""
        limits = Limits(seconds=settings["query_timeout"], rows=settings["max_rows"], bytes=MOST_BYTES)
        return self._database.catalog(engine, settings).grant, limits

    def _check_size(
        self, engine: Engine, settings: Settings, chosen: Candidate, checked: Checked, most: int | None
    ) -> None:
        """Raise `TooMuch` if an answer takes longer than `query_timeout`, or has more than `most` rows.

        The engine delivers these rows inside the user's statement, to which no limit applies. Where the trial did not
        read all rows, they are counted here, once for each state of the data.
        """
        if chosen.result is None or chosen.result.complete:
            if most is not None and (chosen.n_rows or 0) > most:
                raise too_many(most, checked.sql)
            return
        key = (checked.sql, most, engine.schema_version(), engine.data_version())
        if key in self._sized:
            return
        # count(*) alone would let the engine skip computing the columns.
        counts = ", ".join(f"count({quote(name)})" for name in checked.columns)
        limit = "" if most is None else f" LIMIT {most + 1}"
        sql = checked.pushed.sql if checked.pushed and chosen.result.pushed else checked.sql
        counting = f"SELECT count(*) AS n, {counts} FROM (SELECT * FROM (\n{sql}\n){limit})"
        limits = Limits(seconds=settings["query_timeout"], rows=1)
        grant = self._database.catalog(engine, settings).grant
        result = engine.run(Checked(counting, ("n",), ("INTEGER",)), grant, limits)
        if most is not None and result.rows[0][0] > most:
            raise too_many(most, checked.sql)
        self._sized.add(key)

    def rows(
        self,
        engine: Engine,
        settings: Settings,
        checked: Checked,
        first: int | None = None,
        trial: Result | None = None,
    ) -> Result:
        """Return all rows of a checked query, or the `first` ones. Raise `TooMuch` if all are more than `max_rows`.

        The rows are taken from `trial` if it was made now and read enough of them.
        """
        most = first or settings["max_rows"]
        if trial is not None and (trial.complete or len(trial.rows) >= most):
            result = replace(trial, rows=trial.rows[:most], complete=trial.complete and len(trial.rows) <= most)
        else:
            grant, limits = self._permitted(engine, settings)
            result = trials.running(engine, settings).run(checked, grant, replace(limits, rows=most))
        if not result.complete and first is None:
            raise too_many(most, checked.sql)
        return result


def too_many(most: int, sql: str) -> TooMuch:
    """Return the error for an answer of more than `most` rows."""
    return TooMuch(
        f"the answer has more than max_rows = {counted(most, 'row')}; ask for less, or SELECT ask_set('max_rows', …)"
        " raises it",
        sql,
    )
