"""Ask a question and gather the facts of its trace."""

from __future__ import annotations

import askwhere
from askwhere import api_keys
from askwhere import settings as settings_
from askwhere.cells import in_decimals
from askwhere.engine import Engine
from askwhere.errors import ArgumentError, AskError, DatabaseError, SettingError
from askwhere.indexer import forms
from askwhere.pages import hide, links
from askwhere.pages.facts import Correction, Query, Trace
from askwhere.pipeline.correct import without_values
from askwhere.pipeline.facts import Candidate, Step, Usage
from askwhere.pipeline.link import VALUES_SHOWN
from askwhere.session import Question, Ranking, Session

# How many values of each column are looked for in the question, to hide them.
VALUES_KNOWN = 10


def trace(session: Session, engine: Engine, question: Question, database: str, asked_at: str = "") -> Trace:
    """Ask a question, and return how it was answered, or why not.

    API keys are removed, and with `values = 'hide'` cell values too. Raise only errors that are not the question's:
    `DatabaseError`, `SettingError`, `ArgumentError`.
    """
    settings = session.settings.for_question(model=question.model, effort=question.effort)
    hidden = settings["values"] == "hide"
    ranking, rank, error = _answered(session, engine, question)
    steps, key = session.trace(question), api_keys.find()
    asked = api_keys.redact(question.text, key)
    sql = next((c.checked.sql for c in ranking.candidates if c.rank == (rank or 1) and c.checked), "")
    tables, used = session.catalog(engine).tables, links.used_in(sql, engine.dialect)
    text = f"{asked} {question.hint or ''} {' '.join(question.follows)}" if hidden else asked
    matches = session.values(engine).search(text, VALUES_KNOWN if hidden else VALUES_SHOWN) if tables else []
    known = [match.value for match in matches if match.exact]
    shown = forms.masked(asked, known) if hidden else asked
    linked = links.links(shown, () if hidden else matches, tables, used, sql)
    gathered = Trace(
        question=question.text,
        database=database,
        dialect=engine.dialect,
        model=settings_.as_text(settings["model"]),
        effort=settings["effort"],
        method=settings["method"],
        hint=question.hint or "",
        follows=question.follows,
        values=settings["values"],
        asked_at=asked_at,
        version=askwhere.__version__,
        chosen=rank,
        error=error,
        queries=tuple(_query(c, hidden, engine.static_types) for c in ranking.candidates),
        links=linked,
        tables=links.tables_shown(tables, linked, used),
        corrections=corrections(steps),
        steps=steps,
        usage=ranking.usage,
    )
    return hide.everywhere(
        hide.values(gathered, known, shown) if hidden else gathered, lambda text: api_keys.redact(text, key)
    )


def corrections(steps: tuple[Step, ...]) -> tuple[Correction, ...]:
    """Return the corrections among some steps, in order."""
    return tuple(_correction(steps[:place], step) for place, step in enumerate(steps) if step.before)


def _answered(session: Session, engine: Engine, question: Question) -> tuple[Ranking, int, str]:
    """Return the candidates, the rank of the answer (0 for none), and why there is no answer."""
    try:
        ranking, chosen = session.considered(engine, question)
    except (DatabaseError, SettingError, ArgumentError):
        raise
    except AskError as exc:
        return Ranking((), Usage()), 0, str(exc)
    if isinstance(chosen, ArgumentError):
        raise chosen
    return (ranking, 0, str(chosen)) if isinstance(chosen, AskError) else (ranking, chosen.rank, "")


def _query(candidate: Candidate, hidden: bool, static_types: bool) -> Query:
    """Return a candidate as the page shows it; with `hidden`, without its cells and the values in its error."""
    result, error = candidate.result, candidate.error
    types = candidate.checked.types if candidate.checked and static_types else ()
    return Query(
        rank=candidate.rank,
        sql=candidate.sql,
        origin=candidate.origin,
        confidence=candidate.confidence,
        group=candidate.group,
        n_rows=candidate.n_rows,
        columns=result.columns if result else (),
        rows=tuple(in_decimals(result.rows, types)) if result and not hidden else (),
        ms=result.seconds * 1000 if result else None,
        error="" if error is None else without_values(candidate) if hidden else str(error),
        notes=candidate.notes,
    )


def _correction(earlier: tuple[Step, ...], step: Step) -> Correction:
    """Return the correction that a step ran: the last model call before it whose prompt has the old query made it."""
    asked = [place for place, s in enumerate(earlier) if s.model is not None and s.prompt and step.before in s.prompt]
    runs = [outcome(s) for s in earlier if s.sql == step.before]
    failed = runs[-1].removeprefix("failed: ") if runs and runs[-1].startswith("failed: ") else ""
    by = ", ".join(filter(None, (earlier[asked[-1]].step, earlier[asked[-1]].detail))) if asked else step.step
    return Correction(by, step.before, step.sql, failed, _reason(earlier, asked), outcome(step))


def _reason(earlier: tuple[Step, ...], asked: list[int]) -> str:
    """Return the text of the step before the correction if it reflects on an error or compares queries, else ''."""
    before = earlier[asked[-1] - 1] if asked and asked[-1] else None
    if before is None or before.step not in ("reflect", "compare"):
        return ""
    return before.reply or before.detail


def outcome(run: Step) -> str:
    """Return the outcome of a query, its rows or its error, from the step that ran it."""
    return run.detail.removeprefix(run.sql).strip()
