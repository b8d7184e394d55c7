"""Correct queries: a model is shown a query with its result or error, and may write another."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

from askwhere import guard
from askwhere.errors import AskError, ModelError, OutOfBudget, Refused, TooMuch
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline import prompts, replies
from askwhere.pipeline.facts import Candidate, Linked
from askwhere.pipeline.link import one_line, unlabelled
from askwhere.pipeline.prompts import Attempt
from askwhere.pipeline.steps import StepContext, candidate, each
from askwhere.sql import spans
from askwhere.sql.spans import Edit

# The number of result rows that the bias eliminator is shown (SEA-SQL, section 3.3).
ROWS_SHOWN = 10


def _eliminated(linked: Linked, draft: Candidate, context: StepContext) -> Candidate:
    """Return the eliminator's query for a draft, unless it is the same or fails where the draft runs."""
    if context.eliminator is None:
        return draft
    prompt = prompts.elimination(linked, draft.sql, outcome_text(linked, draft))
    try:
        (reply,) = context.asker.ask(context.eliminator, "eliminate", prompt, grammar=context.grammar()).texts
    except OutOfBudget as exc:
        return stopped(draft, exc)
    reduced = candidate(reply, linked, f"{draft.origin} + eliminator", draft.sql)
    if _normal(reduced.sql) == _normal(draft.sql):
        return draft
    return better(draft, context.tried(reduced))


# Adaptive bias elimination (SEA-SQL, section 3.3): the model set as `eliminator` may replace each query.
eliminate = each("elimination", _eliminated)


def _adjusted(linked: Linked, draft: Candidate, context: StepContext) -> Candidate:
    """Return the draft corrected in at most `context.rounds` rounds of reflection and correction.

    Each round is shown all earlier tries. They end with a query that runs, or where the model repeats a query.
    """
    origin, history = draft.origin, list[Attempt]()
    seen = {_normal(draft.sql)}
    for number in range(1, context.rounds + 1):
        if draft.error is None or _beyond_help(draft):
            break
        attempt = Attempt(draft.sql, error_text(linked, draft))
        detail = f"round {number}"
        try:
            prompt = prompts.reflection(linked, (*history, attempt))
            (reason,) = context.asker.ask(context.model, "reflect", prompt, detail=detail).texts
            history.append(replace(attempt, reason=replies.reason(reason)))
            prompt = prompts.correction(linked, history)
            (reply,) = context.asker.ask(
                context.model, "correct", prompt, grammar=context.grammar(), detail=detail
            ).texts
        except (ModelError, OutOfBudget) as exc:
            return stopped(draft, exc)
        corrected = candidate(reply, linked, f"{origin} + {detail}", draft.sql)
        if _normal(corrected.sql) in seen:
            context.asker.note("correct", f"{detail}: the same query again")
            return draft
        seen.add(_normal(corrected.sql))
        draft = replace(context.tried(corrected), notes=draft.notes)
    return draft


# Dynamic execution adjustment (SEA-SQL, section 3.4): failing queries are reflected on and corrected.
adjust = each("adjustment", _adjusted)


def _beyond_help(failed: Candidate) -> bool:
    """Return whether a query that failed is not to be corrected, since it calls `ask` itself."""
    return isinstance(failed.error, Refused) and guard.asks(failed.sql)


def error_text(linked: Linked, failed: Candidate) -> str:
    """Return a query's error as a model is shown it: without names and values that the model may not see."""
    error = failed.error
    if isinstance(error, Refused):
        return "it must be one SELECT over the tables and columns above, with functions that only compute"
    if isinstance(error, ModelError):
        return "the reply was not one SQL query"
    text = str(error) if linked.show == "show" else without_values(failed)
    return seen_names(" ".join(text.split("LINE ", 1)[0].split()), linked.catalog, failed.sql)[:500]


def without_values(failed: Candidate) -> str:
    """Return a query's error without the database values that it may hold; '' where there is no error.

    Engines bind a query before they read any row, so only errors at run time can hold values.
    """
    if failed.error is None or failed.checked is None or isinstance(failed.error, TooMuch):
        return unlabelled(str(failed.error or ""))
    return f"it failed while it ran ({re.split('[:(]', str(failed.error), maxsplit=1)[0].strip()})"


def seen_names(text: str, catalog: Catalog, sql: str) -> str:
    """Return the text with each quoted part that is in neither the schema nor the query replaced by '…'."""
    names = {name for t in catalog.tables for name in (*t.path, *(c.name for c in t.columns))}
    known = {word.lower() for name in names for word in re.findall(r"\w+", name)}
    known |= {word.lower() for word in re.findall(r"\w+", sql)}

    def is_known(start: int, end: int) -> bool:
        return all(word.lower() in known for word in re.findall(r"\w+", text[start:end]))

    hidden = [(start, end) for start, end in _quoted(text) if not is_known(start, end)]
    return spans.apply(text, [Edit(start, end, f"{text[start]}…{text[start]}") for start, end in hidden])


def _quoted(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the quoted parts of a text begin and end; a quote inside a word, as in `it's`, does not count."""
    closing = {sign: [m.start() for m in re.finditer(rf"{sign}(?!\w)", text)] for sign in "\"'`"}
    end = 0
    for opening in re.finditer(r"""(?<!\w)["'`]""", text):
        # Searching the text from each opening quote would take quadratic time where nothing closes them.
        places = closing[opening[0]]
        place = bisect_left(places, opening.end())
        if opening.start() >= end and place < len(places):
            end = places[place] + 1
            yield opening.start(), end


def outcome_text(linked: Linked, tried: Candidate) -> str:
    """Return a query's outcome as a model is shown it: its error, or the first rows with the cells that it may see."""
    if tried.result is None:
        return f"the error {error_text(linked, tried)}"
    result = tried.result
    shown = {match.value for match in linked.shown}
    rows = [", ".join(_cell(cell, linked.show, shown) for cell in row) for row in result.rows[:ROWS_SHOWN]]
    more = "more than " if not result.complete else ""
    count = len(result.rows) - 1 if tried.n_rows is None else tried.n_rows
    head = f"{more}{count} rows of {', '.join(result.columns)}"
    return "\n".join([head, *(f"({row})" for row in rows)])


def _cell(cell: object, show: str, shown: set[str]) -> str:
    """Return a cell as a model is shown it; where it may not see values, only its type."""
    if cell is None:
        return "NULL"
    if show == "show" or str(cell) in shown:
        return one_line(repr(cell) if isinstance(cell, str) else str(cell))
    return f"<{'text' if isinstance(cell, str) else 'value'}>"


def better(old: Candidate, new: Candidate) -> Candidate:
    """Return the new query, unless it fails and the old one runs."""
    return old if old.error is None and new.error is not None else replace(new, notes=old.notes)


def stopped(draft: Candidate, why: AskError) -> Candidate:
    """Return the draft with a note on why it was not corrected."""
    return replace(draft, notes=(*draft.notes, f"not corrected further: {why}"))


def _normal(sql: str) -> str:
    """Return a query with single spaces and without a last semicolon, to be compared with others."""
    return " ".join(sql.rstrip("; \n").split())
