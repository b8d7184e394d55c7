"""Correction: a query with what it gave is shown to a model, which may write another."""

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
from askwhere.pipeline.steps import Candidates, Means, candidate

# Rows of its result that the bias eliminator sees (SEA-SQL, section 3.3).
ROWS_SHOWN = 10


def eliminate(linked: Linked, candidates: Candidates, means: Means) -> Candidates:
    """Adaptive bias elimination (SEA-SQL, section 3.3): each query once more, by the model set as `eliminator`.

    A query that runs is never replaced by one that does not.
    """
    if means.eliminator is None or "elimination" in means.leave_out:
        return candidates
    return tuple(_eliminated(linked, c, means) for c in candidates)


def _eliminated(linked: Linked, draft: Candidate, means: Means) -> Candidate:
    assert means.eliminator is not None
    prompt = prompts.elimination(linked, draft.sql, outcome_text(linked, draft))
    try:
        (reply,) = means.asker.ask(means.eliminator, "eliminate", prompt, grammar=means.grammar())
    except OutOfBudget as exc:
        return stopped(draft, exc)
    found = candidate(reply, linked, f"{draft.origin} + eliminator", draft.sql)
    if _normal(found.sql) == _normal(draft.sql):
        return draft
    return better(draft, means.tried(found))


def adjust(linked: Linked, candidates: Candidates, means: Means) -> Candidates:
    """Dynamic execution adjustment (SEA-SQL, section 3.4): queries that fail are reflected on and corrected.

    At most `means.rounds` rounds, each shown all that went before; it ends with a query that runs, or with one that
    was there before.
    """
    if "adjustment" in means.leave_out:
        return candidates
    return tuple(_adjusted(linked, c, means) for c in candidates)


def _adjusted(linked: Linked, draft: Candidate, means: Means) -> Candidate:
    origin, history = draft.origin, list[Attempt]()
    seen = {_normal(draft.sql)}
    for number in range(1, means.rounds + 1):
        if draft.error is None or _beyond_help(draft):
            break
        attempt = Attempt(draft.sql, told(linked, draft))
        detail = f"round {number}"
        try:
            prompt = prompts.reflection(linked, (*history, attempt))
            (reason,) = means.asker.ask(means.model, "reflect", prompt, detail=detail)
            history.append(replace(attempt, reason=replies.reason(reason)))
            prompt = prompts.correction(linked, history)
            (reply,) = means.asker.ask(means.model, "correct", prompt, grammar=means.grammar(), detail=detail)
        except (ModelError, OutOfBudget) as exc:
            return stopped(draft, exc)
        found = candidate(reply, linked, f"{origin} + {detail}", draft.sql)
        if _normal(found.sql) in seen:
            means.asker.note("correct", f"{detail}: the same query again")
            return draft
        seen.add(_normal(found.sql))
        draft = replace(means.tried(found), notes=draft.notes)
    return draft


def _beyond_help(failed: Candidate) -> bool:
    """Whether a query that failed is no try at an answer: one that would ask again costs no further call."""
    return isinstance(failed.error, Refused) and guard.asks(failed.sql)


def told(linked: Linked, failed: Candidate) -> str:
    """A query's error as a model is told it: without names that it does not see, and without values that it may not."""
    error = failed.error
    if isinstance(error, Refused):
        return "it must be one SELECT over the tables and columns above, with functions that only compute"
    if isinstance(error, ModelError):
        return "the reply was not one SQL query"
    text = str(error) if linked.show == "show" else without_values(failed)
    return seen_names(" ".join(text.split("LINE ", 1)[0].split()), linked.catalog, failed.sql)[:500]


def without_values(failed: Candidate) -> str:
    """A query's error without the values that it may hold; '' where it has none.

    An engine binds a query before it reads any row, so only errors of the run can hold values.
    """
    if failed.error is None or failed.checked is None or isinstance(failed.error, TooMuch):
        return unlabelled(str(failed.error or ""))
    return f"it failed while it ran ({re.split('[:(]', str(failed.error), maxsplit=1)[0].strip()})"


def seen_names(text: str, catalog: Catalog, sql: str) -> str:
    """The text with quoted parts that stand neither in the schema nor in the query replaced by …."""
    names = {name for t in catalog.tables for name in (*t.path, *(c.name for c in t.columns))}
    known = {word.lower() for name in names for word in re.findall(r"\w+", name)}
    known |= {word.lower() for word in re.findall(r"\w+", sql)}

    parts, end = [], 0
    for start, after in _quoted(text):
        inside = re.findall(r"\w+", text[start + 1 : after - 1])
        is_known = all(word.lower() in known for word in inside)
        parts += [text[end:start], text[start:after] if is_known else f"{text[start]}…{text[start]}"]
        end = after
    return "".join(parts) + text[end:]


def _quoted(text: str) -> Iterator[tuple[int, int]]:
    """Where the quoted parts of a text begin and end; a quote inside a word, as in `it's`, is none."""
    closing = {sign: [m.start() for m in re.finditer(rf"{sign}(?!\w)", text)] for sign in "\"'`"}
    end = 0
    for opening in re.finditer(r"""(?<!\w)["'`]""", text):
        # A search from each opening, where nothing closes it, would take time with the square of the length.
        places = closing[opening[0]]
        found = bisect_left(places, opening.end())
        if opening.start() >= end and found < len(places):
            end = places[found] + 1
            yield opening.start(), end


def outcome_text(linked: Linked, tried: Candidate) -> str:
    """What a query gave, as a model is shown it: its error, or the first rows with the cells that it may see."""
    if tried.result is None:
        return f"the error {told(linked, tried)}"
    result = tried.result
    shown = {match.value for match in linked.shown}
    rows = [", ".join(_cell(cell, linked.show, shown) for cell in row) for row in result.rows[:ROWS_SHOWN]]
    more = "more than " if not result.complete else ""
    count = len(result.rows) - 1 if tried.n_rows is None else tried.n_rows
    head = f"{more}{count} rows of {', '.join(result.columns)}"
    return "\n".join([head, *(f"({row})" for row in rows)])


def _cell(cell: object, show: str, shown: set[str]) -> str:
    if cell is None:
        return "NULL"
    if show == "show" or str(cell) in shown:
        return one_line(repr(cell) if isinstance(cell, str) else str(cell))
    return f"<{'text' if isinstance(cell, str) else 'value'}>"


def better(old: Candidate, new: Candidate) -> Candidate:
    """The new query, unless it fails where the old one runs."""
    return old if old.error is None and new.error is not None else replace(new, notes=old.notes)


def stopped(draft: Candidate, why: AskError) -> Candidate:
    """The draft as it is, with a note on why it was not corrected."""
    return replace(draft, notes=(*draft.notes, f"not corrected further: {why}"))


def _normal(sql: str) -> str:
    """What a query says, whatever its spaces and last semicolon."""
    return " ".join(sql.rstrip("; \n").split())
