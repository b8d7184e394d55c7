"""Asks a database's pins as if they were not pinned: questions whose right answers are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from askwhere.engine import Checked, Engine
from askwhere.errors import AskError, DatabaseError, OutOfBudget, Unread
from askwhere.evaluation.statistics import Calibration, calibration
from askwhere.indexer.pins import Pin
from askwhere.pipeline.confidence import Known, fitted
from askwhere.pipeline.outcomes import Outcome, of_rows, same
from askwhere.pipeline.select import choose
from askwhere.session import Question, Session, answered_by

OUTCOMES = ("right", "wrong", "not answered", "left out")


@dataclass(frozen=True)
class Asked:
    """What came of a pin's question: one of `OUTCOMES`, `why` if there is no answer, else its query and who gave it.

    `estimate` is the confidence before any calibration, 0 to 1.
    """

    question: str
    outcome: str
    why: str = ""
    sql: str = ""
    by: str = ""
    estimate: float = 0.0


def ask_pins(
    session: Session, engine: Engine, effort: str | None = None, tell: Callable[[str, int, int], None] | None = None
) -> Iterator[Asked]:
    """What comes of each pin's question, asked without that pin; right is an answer with the pin's rows.

    Patterns, and pins whose tables have changed, are left out. A question that is refused or asked back has no answer.
    Raises `ModelError` where the model cannot be asked.
    """
    pins = session.pins(engine)
    for done, (pin, changes) in enumerate(pins, 1):
        if pin.kinds:
            yield Asked(pin.question, "left out", "it has parameters")
        elif changes:
            yield Asked(pin.question, "left out", f"its tables have changed: {changes}")
        else:
            yield _asked(session, engine, pin, effort)
        if tell:
            tell("the pins", done, len(pins))


def _asked(session: Session, engine: Engine, pin: Pin, effort: str | None) -> Asked:
    try:
        wanted = _outcome(session, engine, engine.check(pin.sql, session.catalog(engine).grant))
    except DatabaseError:
        raise
    except AskError as exc:
        return Asked(pin.question, "left out", f"its query gives no rows to compare with: {exc}")
    try:
        found = session.find(engine, Question(pin.question, effort=effort, unpinned=True))
    except (Unread, OutOfBudget) as exc:
        return Asked(pin.question, "not answered", str(exc))
    try:
        best = choose(found.candidates, None, 0.0)
        assert best.checked is not None  # what is chosen was tried
        given = _outcome(session, engine, best.checked)
    except DatabaseError:
        raise
    except AskError as exc:
        return Asked(pin.question, "not answered", str(exc))
    by = answered_by(found.candidates, session.settings.for_question(effort=effort))
    return Asked(pin.question, "right" if same(given, wanted) else "wrong", "", best.sql, by, best.estimate)


def _outcome(session: Session, engine: Engine, checked: Checked) -> Outcome:
    """What the rows of a query, all of them, are compared by."""
    return of_rows(session.rows(engine, checked), checked.sql, engine.dialect)


def known(asked: Iterable[Asked]) -> dict[str, tuple[Known, ...]]:
    """The answers by who gave them: the estimate of each, and whether it was right."""
    found: dict[str, tuple[Known, ...]] = {}
    for one in asked:
        if one.outcome in ("right", "wrong"):
            found[one.by] = (*found.get(one.by, ()), (one.estimate, one.outcome == "right"))
    return found


def reliability(answers: tuple[Known, ...]) -> tuple[Calibration, Calibration]:
    """How far the confidence of answers is from what they turned out to be: as estimated, and as calibrated.

    Each answer is calibrated by the others alone: a curve always fits the points that it was fitted to.
    """
    curves = {one: fitted(_without(answers, one)) for one in set(answers)}
    return calibration(answers), calibration((curves[one](one[0]), one[1]) for one in answers)


def improves(answers: tuple[Known, ...]) -> bool:
    """Whether calibrating makes confidence better, by the Brier score: few answers may spoil it by chance."""
    estimated, calibrated = reliability(answers)
    return calibrated.brier < estimated.brier


def _without(answers: tuple[Known, ...], one: Known) -> tuple[Known, ...]:
    place = answers.index(one)
    return (*answers[:place], *answers[place + 1 :])
