"""The facts of a trace, from a session that is asked."""

from __future__ import annotations

import askwhere
from askwhere import api_keys
from askwhere import settings as settings_
from askwhere.engine import Engine
from askwhere.errors import ArgumentError, AskError, DatabaseError, SettingError
from askwhere.indexer import forms
from askwhere.pages import hide, links
from askwhere.pages.facts import Correction, Query, Trace
from askwhere.pipeline.correct import without_values
from askwhere.pipeline.facts import Candidate, Step, Usage
from askwhere.pipeline.link import VALUES_SHOWN
from askwhere.session import Found, Question, Session

# Values of one column that a question may name, to be hidden.
VALUES_KNOWN = 10


def trace(session: Session, engine: Engine, question: Question, database: str, asked_at: str = "") -> Trace:
    """Ask, and tell how the answer came about, or why there is none; without keys, and with `values = 'hide'` without
    cell values.

    Raises what says nothing of the question: `DatabaseError`, `SettingError`, `ArgumentError`.
    """
    chosen = session.settings.for_question(model=question.model, effort=question.effort)
    hidden = chosen["values"] == "hide"
    found, rank, error = _answered(session, engine, question)
    steps, key = session.trace(question.text), api_keys.find()
    asked = api_keys.redact(question.text, key)
    sql = next((c.checked.sql for c in found.candidates if c.rank == (rank or 1) and c.checked), "")
    tables, used = session.catalog(engine).tables, links.used_in(sql, engine.dialect)
    text = f"{asked} {question.hint or ''}" if hidden else asked
    matches = session.values(engine).search(text, VALUES_KNOWN if hidden else VALUES_SHOWN) if tables else []
    known = [match.value for match in matches if match.exact]
    said = forms.masked(asked, known) if hidden else asked
    linked = links.links(said, () if hidden else matches, tables, used, sql)
    told = Trace(
        question=question.text,
        database=database,
        dialect=engine.dialect,
        model=settings_.as_text(chosen["model"]),
        effort=chosen["effort"],
        method=chosen["method"],
        hint=question.hint or "",
        values=chosen["values"],
        asked_at=asked_at,
        version=askwhere.__version__,
        chosen=rank,
        error=error,
        queries=tuple(_query(c, hidden) for c in found.candidates),
        links=linked,
        tables=links.tables_shown(tables, linked, used),
        corrections=corrections(steps),
        steps=steps,
        usage=found.usage,
    )
    return hide.everywhere(hide.values(told, known, said) if hidden else told, lambda text: api_keys.redact(text, key))


def corrections(steps: tuple[Step, ...]) -> tuple[Correction, ...]:
    """What was corrected, in order."""
    return tuple(_correction(steps[:place], step) for place, step in enumerate(steps) if step.before)


def _answered(session: Session, engine: Engine, question: Question) -> tuple[Found, int, str]:
    """The candidates, the rank of the answer's (0 for none), and why there is no answer."""
    found = Found((), Usage())
    try:
        found = session.find(engine, question)
        return found, session.choose(engine, question)[0].rank, ""
    except (DatabaseError, SettingError, ArgumentError):
        raise
    except AskError as exc:
        return found, 0, str(exc)


def _query(candidate: Candidate, hidden: bool) -> Query:
    result, error = candidate.result, candidate.error
    return Query(
        rank=candidate.rank,
        sql=candidate.sql,
        origin=candidate.origin,
        confidence=candidate.confidence,
        group=candidate.group,
        n_rows=candidate.n_rows,
        columns=result.columns if result else (),
        rows=result.rows if result and not hidden else (),
        ms=result.seconds * 1000 if result else None,
        error="" if error is None else without_values(candidate) if hidden else str(error),
        notes=candidate.notes,
    )


def _correction(earlier: tuple[Step, ...], step: Step) -> Correction:
    asked = [place for place, s in enumerate(earlier) if s.model is not None and s.prompt and step.before in s.prompt]
    runs = [outcome(s) for s in earlier if s.sql == step.before]
    failed = runs[-1].removeprefix("failed: ") if runs and runs[-1].startswith("failed: ") else ""
    by = ", ".join(filter(None, (earlier[asked[-1]].step, earlier[asked[-1]].detail))) if asked else step.step
    return Correction(by, step.before, step.sql, failed, _reason(earlier, asked), outcome(step))


def _reason(earlier: tuple[Step, ...], asked: list[int]) -> str:
    """What the step before the correcting one found: a model's reflection on an error, or a comparison; '' for none."""
    before = earlier[asked[-1] - 1] if asked and asked[-1] else None
    if before is None or before.step not in ("reflect", "compare"):
        return ""
    return before.reply or before.detail


def outcome(run: Step) -> str:
    """What a query gave, of the step that ran it."""
    return run.detail.removeprefix(run.sql).strip()
