"""Run an evaluation over worker processes; an interrupted run is continued, and no question can hang it.

The outcome of a question is written at once, so that nothing is lost when the run is killed. Replies are
cached, so that no later run pays for them again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from askwhere import files
from askwhere.errors import ArgumentError
from askwhere.evaluation import records
from askwhere.evaluation.cache import Cache
from askwhere.evaluation.databases import Opener
from askwhere.evaluation.plans import Plan
from askwhere.evaluation.pool import DIED, Pool
from askwhere.evaluation.records import Excluded, Header, Record, Run

# Errors that may be gone in another run: questions that failed with them are asked again.
PASSING = ("ModelError", "DatabaseError", "Busy", DIED)

# Called after each question with the number done, the number in all, and the share right so far.
Tell = Callable[[int, int, float], None]


def run(
    plan: Plan, opener: Opener, path: Path, workers: int = 1, cache: Cache | None = None, tell: Tell | None = None
) -> tuple[Run, tuple[str, ...]]:
    """Make a run, or the rest of an interrupted one in the file at `path`; return it with the warnings logged.

    In the end the file has the questions in the set's order. Raise `ArgumentError` where the file is of another run.
    """
    known = _resumed(plan, path) | {outcome.id: outcome for outcome in plan.missing}
    records.summary_path(path).unlink(missing_ok=True)
    records.write(path, _ordered(plan, known))
    warnings: dict[str, None] = {}
    with files.adding(path) as out, contextlib.closing(Pool(plan, opener, workers, cache)) as pool:
        share = _Share(plan.header, known, len(plan.items) + len(plan.missing), tell)
        for done in pool.outcomes([item for item in plan.items if item.id not in known]):
            outcome = _priced(done.outcome, plan.header)
            known[outcome.id] = outcome
            files.add(out, records.line(outcome), path)
            warnings.update(dict.fromkeys(done.warnings))
            share.add(outcome)
    finished = _ordered(plan, known)
    records.write(path, finished)
    return finished, tuple(warnings)


def _resumed(plan: Plan, path: Path) -> dict[str, Record | Excluded]:
    """Return the outcomes in the file of an interrupted run, by the questions' ids.

    Errors that may be gone now are left out.
    """
    if not path.exists():
        return {}
    before = records.read(path)
    if before.header != plan.header:
        names = [n for n, value in vars(plan.header).items() if value != getattr(before.header, n)]
        raise ArgumentError(f"{path} is another run's, with other {', '.join(names)}; remove it, or name another file")
    done: list[Record | Excluded] = [r for r in before.records if not r.error.startswith(PASSING)]
    return {outcome.id: outcome for outcome in (*done, *before.excluded)}


def _priced(outcome: Record | Excluded, header: Header) -> Record | Excluded:
    """Return the outcome with its cost by the header's prices, where they were given."""
    if isinstance(outcome, Excluded) or not header.prices:
        return outcome
    prompts, completions = header.prices
    cost = (outcome.prompt_tokens * prompts + outcome.completion_tokens * completions) / 1_000_000
    return replace(outcome, cost=cost)


def _ordered(plan: Plan, known: Mapping[str, Record | Excluded]) -> Run:
    """Return the run with its outcomes in the set's order."""
    outcomes = [known[item.id] for item in plan.items if item.id in known]
    asked = tuple(outcome for outcome in outcomes if isinstance(outcome, Record))
    return Run(plan.header, asked, (*plan.missing, *(outcome for outcome in outcomes if isinstance(outcome, Excluded))))


class _Share:
    """The share of questions right so far, passed to `tell` after each question."""

    def __init__(self, header: Header, known: Mapping[str, Record | Excluded], total: int, tell: Tell | None) -> None:
        self._run = Run(header)
        self._total, self._tell = total, tell
        self._done, self._asked, self._right = 0, 0, 0
        for outcome in known.values():
            self.add(outcome)

    def add(self, outcome: Record | Excluded) -> None:
        """Count one more question."""
        self._done += 1
        if isinstance(outcome, Record):
            self._asked += 1
            self._right += self._run.right(outcome)
        if self._tell:
            self._tell(self._done, self._total, self._right / self._asked if self._asked else 0.0)
