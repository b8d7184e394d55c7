"""`askwhere calibrate`: asks the pins as if they were not pinned, and learns from that how sure answers may be."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import askwhere
from askwhere import settings
from askwhere.bindings import connections
from askwhere.bindings.cli.show import table
from askwhere.errors import AskError
from askwhere.evaluation.pins import Asked, ask_pins, improves, known, reliability
from askwhere.indexer import progress
from askwhere.indexer.calibration import Calibration
from askwhere.indexer.pins import now
from askwhere.pipeline.confidence import Known, fitted

_COLUMNS = ("estimate", "answers", "mean", "share right", "from now on")


def run(database: str, chosen: Mapping[str, Any], as_json: bool, drop: bool) -> int:
    """Ask the pins with the settings `chosen`, keep what they show in the database, and print the reliability tables;
    or forget it.
    """
    # A DuckDB file that one process may write, no other can open.
    read_only = settings.load(chosen)["isolation"] == "process"
    with contextlib.closing(askwhere.connect(database, read_only=read_only, **chosen)) as connection:
        session, engine = connections.session(connection), connections.engine(connection)
        if drop:
            print("the calibration was dropped" if session.uncalibrate(engine) else "there was no calibration")
            return 0
        asked = list(ask_pins(session, engine, tell=progress.on_terminal("asking")))
        answers = known(asked)
        kept = {by: pairs if improves(pairs) else () for by, pairs in answers.items()}
        if kept:
            session.calibrate(engine, [Calibration(by, pairs, now()) for by, pairs in kept.items()])
    if as_json:
        print(json.dumps({"pins": list(map(asdict, asked)), "calibration": [_facts(*one) for one in answers.items()]}))
    else:
        _print(asked, answers)
    if not answers:
        raise AskError(_nothing(asked))
    spoilt = [_spoilt(by, answers[by]) for by, pairs in kept.items() if not pairs]
    if len(spoilt) == len(answers):
        raise AskError("; ".join(spoilt))
    for said in spoilt:
        print(f"note: {said}", file=sys.stderr)
    return 0


def _facts(by: str, answers: tuple[Known, ...]) -> dict[str, Any]:
    estimated, calibrated = reliability(answers)
    return {"by": by, "kept": improves(answers), "estimated": asdict(estimated), "calibrated": asdict(calibrated)}


def _print(asked: list[Asked], answers: dict[str, tuple[Known, ...]]) -> None:
    for by, pairs in answers.items():
        (estimated, calibrated), likely = reliability(pairs), fitted(pairs)
        print(f"{by}: {len(pairs)} pins answered, {sum(right for _, right in pairs)} of them right")
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
    for one in asked:
        if one.outcome != "right":
            told = one.why.splitlines()[0].rstrip(":") if one.why else " ".join(one.sql.split())
            print(f"{one.outcome}: {one.question}: {told}", file=sys.stderr)


def _spoilt(by: str, answers: tuple[Known, ...]) -> str:
    """Why these answers calibrate nothing."""
    estimated, calibrated = reliability(answers)
    return (
        f"{by}: not kept, as confidence is no better for it: calibrated, each answer by the others ({len(answers)} in"
        f" all), the Brier score is {calibrated.brier:.3f}, as estimated {estimated.brier:.3f}; pin more questions"
    )


def _nothing(asked: list[Asked]) -> str:
    if not asked:
        return "there are no pins to calibrate by; ask_pin() makes them"
    return f"none of the {len(asked)} pins was answered, so there is nothing to calibrate by"
