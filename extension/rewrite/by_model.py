"""Have a model correct a query that no rule could fix."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from askwhere.engine import Engine
from askwhere.errors import AskError, QueryError
from askwhere.indexer import forms
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline.asking import Asker
from askwhere.pipeline.correct import adjust, seen_names
from askwhere.pipeline.facts import Candidate, Linked
from askwhere.pipeline.steps import StepContext

# The most characters of the user's error that a model is shown.
MOST_OF_AN_ERROR = 500


def corrected(linked: Linked, sql: str, failed: AskError, context: StepContext) -> str:
    """Return a query that the model corrected, as execution adjustment does, and that the engine accepts.

    `failed` is why no rule could fix it. Raise `QueryError` where the model cannot either.
    """
    whole = replace(context, leave_out=frozenset())  # what is left out of a method is not left out here
    (candidate,) = adjust(linked, (Candidate(sql, context.model.name, error=failed),), whole)
    if candidate.error is None:
        return candidate.sql
    notes = "".join(f" ({note})" for note in candidate.notes)
    last = "" if candidate.sql == sql else f"; its last try, {candidate.sql}, fails: {candidate.error}"
    raise QueryError(f"{failed}\nThe model {context.model.name} did not correct it either{notes}{last}", sql)


def question(sql: str) -> str:
    """Return what a model is asked to do."""
    return f"Correct this query so that it runs, and change as little of it as possible: {sql}"


def seen_error(error: str | None, catalog: Catalog, sql: str, values_in: Callable[[str], Iterable[str]]) -> str | None:
    """Return the error that the user saw as a model is shown it, or None.

    Quoted parts that are in no schema and not in the query are left out. Values of the database, which `values_in`
    finds in a text, become `?` unless the query or the schema has them.
    """
    text = " ".join((error or "").split())[:MOST_OF_AN_ERROR]
    known = "; ".join([sql, *(name for t in catalog.tables for name in (t.name, *(c.name for c in t.columns)))])
    foreign = [value for value in values_in(text) if not forms.contains_value(known, [value])]
    seen = forms.without_values(seen_names(text, catalog, sql), foreign)
    return f"The query gave the error: {seen}" if text else None


def checking(engine: Engine, catalog: Catalog, asker: Asker) -> Callable[[Candidate], Candidate]:
    """Return a function that checks a candidate with the engine, without running it, and traces the check."""

    def checked(candidate: Candidate) -> Candidate:
        done = candidate
        if candidate.error is None:
            try:
                done = replace(candidate, checked=engine.check(candidate.sql, catalog.grant))
            except QueryError as exc:
                done = replace(candidate, error=exc)
        asker.note("check", f"failed: {done.error}" if done.error else "", sql=done.sql, before=done.before)
        return done

    return checked
