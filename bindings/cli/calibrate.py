"""`askwhere calibrate`: asks the pins as if they were not pinned, and calibrates confidence by what was right."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import asdict
from typing import Any

from askwhere.bindings import connections
from askwhere.bindings.cli import options, sources
from askwhere.cells import counted
from askwhere.display import table
from askwhere.errors import AskError
from askwhere.evaluation.pins import PinOutcome, ask_pins, improves, known, reliability
from askwhere.indexer import progress
from askwhere.indexer.calibration import Calibration
from askwhere.indexer.pins import now
from askwhere.pipeline.confidence import Known, fitted

# Each answer is judged by a curve fitted to the others; 10 make a model's estimate much better (docs/methods.md).
LEAST, ENOUGH = 2, 10
_COLUMNS = ("estimate", "answers", "mean", "share right", "from now on")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    sources.add(parser)
    action = parser.add_mutually_exclusive_group()
    action.add_argument(
        "--json", action="store_true", help="print the outcome of each pin, and the reliability tables, as JSON"
    )
    action.add_argument("--drop", action="store_true", help="remove the calibration")
    options.add(parser)
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    """Ask the pins, keep the calibration in the database, and print reliability tables. Return the exit code.

    With `--drop`, remove the calibration instead. Raise `AskError` where the pins calibrate nothing.
    """
    source, chosen = sources.check_kept(parsed.database), options.chosen(parsed)
    with connections.using(sources.to_ask(source, chosen), chosen) as (session, engine):
        if parsed.drop:
            print("the calibration was dropped" if session.uncalibrate(engine) else "there was no calibration")
            return 0
        asked = list(ask_pins(session, engine, tell=progress.on_terminal("asking")))
        answers = known(asked)
        kept = {by: pairs if improves(pairs) else () for by, pairs in answers.items()}
        if kept:
            session.calibrate(engine, [Calibration(by, pairs, now()) for by, pairs in kept.items()])
    if parsed.json:
        print(
            json.dumps({"pins": list(map(asdict, asked)), "calibration": [_facts(*entry) for entry in answers.items()]})
        )
    else:
        _print(asked, answers)
    if not answers:
        raise AskError(_nothing(asked))
    no_better = [_no_better(by, answers[by]) for by, pairs in kept.items() if not pairs]
    if len(no_better) == len(answers):
        raise AskError(f"{'; '.join(no_better)}. {_count_needed(asked)}")
    for note in no_better:
        print(f"note: {note}", file=sys.stderr)
    return 0


def _facts(by: str, answers: tuple[Known, ...]) -> dict[str, Any]:
    """Return the reliability of one method's answers, for JSON."""
    estimated, calibrated = reliability(answers)
    return {"by": by, "kept": improves(answers), "estimated": asdict(estimated), "calibrated": asdict(calibrated)}


def _print(asked: list[PinOutcome], answers: dict[str, tuple[Known, ...]]) -> None:
    """Print the reliability table of each method, and on standard error the pins that were not answered right."""
    for by, pairs in answers.items():
        (estimated, calibrated), likely = reliability(pairs), fitted(pairs)
        print(f"{by}: {counted(len(pairs), 'pin')} answered, {sum(right for _, right in pairs)} of them right")
        rows = [
            (
                f"{b.low:.1f} to {b.high:.1f}",
                b.count,
                *(f"{n:.2f}" for n in (b.confidence, b.right, likely(b.confidence))),
            )
            for b in estimated.bins
        ]
        print(table(_COLUMNS, rows).rsplit("\n", 1)[0])
        print(f"as estimated: expected calibration error {estimated.ece:.3f}, Brier score {estimated.brier:.3f}")
        print(f"calibrated, each by the others: {calibrated.ece:.3f} and {calibrated.brier:.3f}")
    for pin in asked:
        if pin.outcome != "right":
            shown = pin.why.splitlines()[0].rstrip(":") if pin.why else " ".join(pin.sql.split())
            print(f"{pin.outcome}: {pin.question}: {shown}", file=sys.stderr)


def _no_better(by: str, answers: tuple[Known, ...]) -> str:
    """Return why these answers do not improve confidence."""
    estimated, calibrated = reliability(answers)
    return (
        f"{by}: not kept, as confidence is no better for it: over {counted(len(answers), 'answer')}, each calibrated"
        f" by the others, the Brier score is {calibrated.brier:.3f}, and {estimated.brier:.3f} without"
    )


def _nothing(asked: list[PinOutcome]) -> str:
    """Return why there are no answers to calibrate by."""
    if not asked:
        return (
            f"calibrating needs at least {LEAST} pinned questions that are answered, better {ENOUGH}; this database has"
            " no pins: make some with ask_pin()"
        )
    return f"calibrating needs answers, and no pinned question was answered. {_count_needed(asked)}"


def _count_needed(asked: list[PinOutcome]) -> str:
    """Return how many pins it takes, and how many there are, by their outcomes."""
    outcomes = Counter(pin.outcome for pin in asked)
    listed = ", ".join(f"{times} {outcome}" for outcome, times in sorted(outcomes.items()))
    pinned = f"{counted(len(asked), 'pin')}{listed and f' ({listed})'}"
    return (
        f"It takes {LEAST} pins that are answered, better {ENOUGH}, and the database has {pinned}. Pin more questions"
        " with ask_pin(), or name another model"
    )
