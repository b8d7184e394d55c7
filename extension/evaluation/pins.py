"""Ask the questions of a database's pins as if they were not pinned, to calibrate confidence on known answers.

A pin is a question with the SQL that a user confirmed for it. The question is asked without its pin; its answer is
right if it has the rows of the pinned SQL.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from askwhere.engine import Checked, Engine
from askwhere.errors import AskError, DatabaseError, OutOfBudget, Unread
from askwhere.evaluation.statistics import Calibration, calibration
from askwhere.frozen import frozen
from askwhere.indexer.pins import Pin
from askwhere.indexer.progress import Tell, silent
from askwhere.pipeline.confidence import Known, fitted
from askwhere.pipeline.outcomes import Outcome, of_rows, same
from askwhere.pipeline.select import choose
from askwhere.session import Question, Session, answered_by


@frozen
class PinOutcome:
    """The outcome of asking one pin's question: 'right', 'wrong', 'not answered' or 'left out'.

    `why` says why there is no answer. Of an answer, `sql` is the query, `by` names who wrote it (the reader or a model)
    and `estimate` is its confidence before calibration (0 to 1).
    """

    question: str
    outcome: str
    why: str = ""
    sql: str = ""
    by: str = ""
    estimate: float = 0.0


def ask_pins(session: Session, engine: Engine, tell: Tell = silent) -> Iterator[PinOutcome]:
    """Ask the question of each pin without that pin, and yield the outcomes.

    Patterns (pins with parameters) and pins whose tables have changed are left out. A question that is refused or
    ambiguous counts as not answered. `tell` is called with 'the pins', the number done and the number of pins. Raise
    `ModelError` where the model cannot be asked.
    """
    pins = session.pins(engine)
    for done, (pin, changes) in enumerate(pins, 1):
        if pin.kinds:
            yield PinOutcome(pin.question, "left out", "it has parameters")
        elif changes:
            yield PinOutcome(pin.question, "left out", f"its tables have changed: {changes}")
        else:
            yield _compared(session, engine, pin)
        tell("the pins", done, len(pins))


def _compared(session: Session, engine: Engine, pin: Pin) -> PinOutcome:
    """Ask one pin's question and compare the rows of the answer with those of the pinned SQL."""
    try:
        expected = _outcome(session, engine, engine.check(pin.sql, session.catalog(engine).grant))
    except DatabaseError:
        raise
    except AskError as exc:
        return PinOutcome(pin.question, "left out", f"its query gives no rows to compare with: {exc}")
    try:
        ranking = session.find(engine, Question(pin.question, follows=pin.follows, unpinned=True))
    except (Unread, OutOfBudget) as exc:
        return PinOutcome(pin.question, "not answered", str(exc))
    try:
        best = choose(ranking.candidates, None, 0.0)
        assert best.checked is not None  # what is chosen was tried
        actual = _outcome(session, engine, best.checked)
    except DatabaseError:
        raise
    except AskError as exc:
        return PinOutcome(pin.question, "not answered", str(exc))
    by = answered_by(ranking.candidates, session.settings)
    return PinOutcome(pin.question, "right" if same(actual, expected) else "wrong", "", best.sql, by, best.estimate)


def _outcome(session: Session, engine: Engine, checked: Checked) -> Outcome:
    """Run a checked query to its last row and return what its rows are compared by."""
    return of_rows(session.rows(engine, checked), checked.sql, engine.dialect)


def known(asked: Iterable[PinOutcome]) -> dict[str, tuple[Known, ...]]:
    """Return the answers, grouped by who wrote them, each as its estimate and whether it was right."""
    by_method: dict[str, tuple[Known, ...]] = {}
    for pin in asked:
        if pin.outcome in ("right", "wrong"):
            by_method[pin.by] = (*by_method.get(pin.by, ()), (pin.estimate, pin.outcome == "right"))
    return by_method


def reliability(answers: tuple[Known, ...]) -> tuple[Calibration, Calibration]:
    """Return how well the answers' confidence is calibrated: as estimated, and after calibration.

    Each answer is calibrated by a curve that was fitted to the others (leave-one-out).
    """
    curves = {answer: fitted(_without(answers, answer)) for answer in set(answers)}
    return calibration(answers), calibration((curves[answer](answer[0]), answer[1]) for answer in answers)


def improves(answers: tuple[Known, ...]) -> bool:
    """Return whether calibrating lowers the Brier score: with few answers it may make confidence worse by chance."""
    estimated, calibrated = reliability(answers)
    return calibrated.brier < estimated.brier


def _without(answers: tuple[Known, ...], answer: Known) -> tuple[Known, ...]:
    """Return the answers without the first that equals `one`."""
    place = answers.index(answer)
    return (*answers[:place], *answers[place + 1 :])
