"""Runs an evaluation over worker processes: goes on where it was interrupted, and lets no question hang.

What comes of a question is written at once, so that nothing is lost when the run is killed; what was asked is kept
in a cache, so that no later run asks it again.
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

# Errors that another run may not meet: such questions are asked again.
PASSING = ("ModelError", "DatabaseError", "Busy", DIED)

# Told after each question: how many are done, how many there are, and the share that is right until now.
Tell = Callable[[int, int, float], None]


def run(
    plan: Plan,
    opener: Opener,
    path: Path,
    workers: int = 1,
    cache: Cache | None = None,
    tell: Tell | None = None,
) -> tuple[Run, tuple[str, ...]]:
    """Make a run, or the rest of one whose file is at `path`; what is there when it ends is in the set's order.

    Also gives what askwhere warned of. Raises `ArgumentError` where the file is another run's.
    """
    known = _resumed(plan, path) | {outcome.id: outcome for outcome in plan.missing}
    records.summary_path(path).unlink(missing_ok=True)
    records.write(path, _ordered(plan, known))
    told: dict[str, None] = {}
    with files.adding(path) as out, contextlib.closing(Pool(plan, opener, workers, cache)) as pool:
        share = _Share(plan.header, known, len(plan.items) + len(plan.missing), tell)
        for done in pool.outcomes([item for item in plan.items if item.id not in known]):
            outcome = _priced(done.outcome, plan.header)
            known[outcome.id] = outcome
            out.write(records.line(outcome))
            out.flush()
            told.update(dict.fromkeys(done.told))
            share.add(outcome)
    finished = _ordered(plan, known)
    records.write(path, finished)
    return finished, tuple(told)


def _resumed(plan: Plan, path: Path) -> dict[str, Record | Excluded]:
    """What a run that was interrupted knows, by the questions' ids, without what another try may know better."""
    if not path.exists():
        return {}
    before = records.read(path)
    if before.header != plan.header:
        names = [n for n, value in vars(plan.header).items() if value != getattr(before.header, n)]
        raise ArgumentError(f"{path} is another run's, with other {', '.join(names)}; remove it, or name another file")
    kept: list[Record | Excluded] = [r for r in before.records if not r.error.startswith(PASSING)]
    return {outcome.id: outcome for outcome in (*kept, *before.excluded)}


def _priced(outcome: Record | Excluded, header: Header) -> Record | Excluded:
    """The outcome with its cost by the prices that were given, where they were."""
    if isinstance(outcome, Excluded) or not header.prices:
        return outcome
    prompts, completions = header.prices
    cost = (outcome.prompt_tokens * prompts + outcome.completion_tokens * completions) / 1_000_000
    return replace(outcome, cost=cost)


def _ordered(plan: Plan, known: Mapping[str, Record | Excluded]) -> Run:
    found = [known[item.id] for item in plan.items if item.id in known]
    asked = tuple(one for one in found if isinstance(one, Record))
    return Run(plan.header, asked, (*plan.missing, *(one for one in found if isinstance(one, Excluded))))


class _Share:
    """The running score, told after each question."""

    def __init__(self, header: Header, known: Mapping[str, Record | Excluded], total: int, tell: Tell | None) -> None:
        self._run = Run(header)
        self._total, self._tell = total, tell
        self._done, self._asked, self._right = 0, 0, 0
        for outcome in known.values():
            self.add(outcome)

    def add(self, outcome: Record | Excluded) -> None:
        """Count one question more."""
        self._done += 1
        if isinstance(outcome, Record):
            self._asked += 1
            self._right += self._run.right(outcome)
        if self._tell:
            self._tell(self._done, self._total, self._right / self._asked if self._asked else 0.0)
