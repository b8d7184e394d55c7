"""Finding the candidates for a question: pinned, remembered, found here before, or from the reader or a model."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace

from askwhere import memory
from askwhere import settings as settings_
from askwhere.errors import AskError, Unread
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.log import Entry
from askwhere.indexer.pins import now
from askwhere.memory import Memory
from askwhere.pipeline import confidence
from askwhere.pipeline.facts import Candidate, Linked, Step, size
from askwhere.pipeline.generate import from_reader
from askwhere.pipeline.methods import method
from askwhere.pipeline.select import choose
from askwhere.session import trials
from askwhere.session.database import SHOWN, Database
from askwhere.session.facts import Found, Question, Turn
from askwhere.session.recent import Recent
from askwhere.session.showing import Showing
from askwhere.settings import Settings

REMEMBERED = 1_000
TRACED = 100


class Finding:
    """What one connection has found, and the steps of finding it.

    `last_shown` is the last question that a model was asked, with what it was shown of the database. Without `use_pins`
    a question is asked as if none were pinned.
    """

    def __init__(self, database: Database, memory: Memory, showing: Showing, use_pins: bool) -> None:
        self.last_shown: Linked | None = None
        self.found: Recent[Hashable, Found] = Recent(REMEMBERED, _found_bytes)
        self.traces: Recent[Hashable, tuple[Step, ...]] = Recent(TRACED, _trace_bytes)
        self._settled_by: Recent[tuple[str, str | None], str] = Recent(REMEMBERED)
        self._database = database
        self._memory = memory
        self._showing = showing
        self._use_pins = use_pins

    def share(self, other: Finding) -> None:
        """Know what another session has found, and let it know what this one finds."""
        self.found, self.traces = other.found, other.traces

    def find(self, turn: Turn) -> Found:
        """The candidates for a question, tried and ranked; found once per connection and schema version, and logged."""
        time = now()
        try:
            catalog = self._database.settle(turn.engine, turn.chosen)
            pin = self._pinned(turn, catalog)
            key = _key(turn, pin, catalog)
            if (before := self.found.recall(key)) is not None:
                return before
            found, how = self._found_by(turn, pin, catalog)
        except AskError as exc:
            self._log(turn, Found((), turn.asker.usage), time, f"{type(exc).__name__}: {exc}")
            raise
        best = None
        try:
            best = self.choice(found, turn.question, turn.chosen)
        except AskError as exc:
            how = f"{type(exc).__name__}: {exc}"
        self._log(turn, found, time, how, best)
        self.found.keep(key, found)
        return found

    def _pinned(self, turn: Turn, catalog: Catalog) -> str | None:
        """The SQL that a question is pinned to; None for one with a hint, which says more than the pin's does."""
        engine, question, chosen = turn.engine, turn.question, turn.chosen
        if question.hint or question.unpinned or not self._use_pins:
            return None
        stale = chosen["stale_pins"]
        return self._memory.pinned(engine, catalog, question.text, stale, lambda: self._database.values(engine, chosen))

    def _found_by(self, turn: Turn, pin: str | None, catalog: Catalog) -> tuple[Found, str]:
        """What was found, and how: 'pinned', 'remembered' or 'answered'."""
        engine, question, chosen, asker = turn.engine, turn.question, turn.chosen, turn.asker
        try:
            tried = trials.trier(turn, catalog)
            if pin is not None:
                asker.note("pin", "the question is pinned")
                return trials.found(turn, catalog, [tried(Candidate(pin, "pin"))]), "pinned"
            lasting = chosen["remember"] == "database" and not question.unpinned
            key = memory.key(catalog, question.text, question.hint, chosen) if lasting else ""
            if lasting and (before := [tried(c) for c in self._memory.answered(engine, key)]) and before[0].result:
                asker.note("remember", before[0].notes[-1])
                kept = tuple(replace(c, rank=n, group=n) for n, c in enumerate(trials.kept(before), 1))
                return self._calibrated(turn, Found(kept, asker.usage)), "remembered"
            found = trials.found(turn, catalog, self._candidates(turn, tried))
            if not question.unpinned:
                found = self._calibrated(turn, found)
            if lasting:
                self._memory.remember(engine, key, question.text, found.candidates)
            return found, "answered"
        finally:
            self.traces.keep(traced(question.text, chosen), tuple(asker.trace))

    def _calibrated(self, turn: Turn, found: Found) -> Found:
        """What was found, with the confidence that the pins' own answers tell, where these are known."""
        known = self._memory.calibration(turn.engine, answered_by(found.candidates, turn.chosen))
        if known is None or not any(c.result for c in found.candidates):
            return found
        done = confidence.calibrated(found.candidates, confidence.fitted(known.answers))
        right = sum(was for _, was in known.answers)
        by = f"by {len(known.answers)} pins, of which {right} were answered right, at {known.made_at}"
        turn.asker.note("confidence", f"{done[0].confidence:.2f}, calibrated from {done[0].estimate:.2f} {by}")
        return replace(found, candidates=done)

    def _candidates(self, turn: Turn, tried: Callable[[Candidate], Candidate]) -> list[Candidate]:
        """The reader's readings or the model's candidates, each tried.

        Raises `SettingError` where a method is set, which is a model's, and nothing says who is to be asked.
        """
        chosen = turn.chosen
        chosen.check_method()
        linked = self._database.linked(turn.engine, turn.question, chosen)
        candidates: tuple[Candidate, ...] = ()
        if chosen["model"] == "reader" or (chosen["effort"] == "fast" and not chosen["method"]):
            try:
                candidates = from_reader(linked, turn.asker)
            except Unread:
                if chosen["model"] == "reader":
                    raise
        if not candidates:
            candidates = self._asked(turn, linked, tried)
        return [c if c.result or c.error else tried(c) for c in candidates]

    def _asked(self, turn: Turn, linked: Linked, tried: Callable[[Candidate], Candidate]) -> tuple[Candidate, ...]:
        """The candidates of the method that the settings name, from the model that they name."""
        done = method(turn.chosen["method"], turn.chosen["effort"])
        if done.repairs and "repair" not in turn.chosen["leave_out"]:
            tried = trials.repairer(turn, self._database.catalog(turn.engine, turn.chosen), tried)
        shown, means = self._showing.means(turn, linked, tried)
        candidates: tuple[Candidate, ...] = ()
        shown = self.last_shown = done.link(shown, means)
        for step in done.steps:
            candidates = step(shown, candidates, means)
        return candidates

    def choice(self, found: Found, question: Question, chosen: Settings) -> Candidate:
        """The candidate of the rank that is chosen, now or for this question before; else the best.

        What was chosen before counts while it is among the candidates and runs. Raises `Ambiguous` where two are about
        equally likely.
        """
        rank = question.choose
        if rank is None and (sql := self._settled_by.get((question.text, question.hint))) is not None:
            rank = next((c.rank for c in found.candidates if c.sql == sql and c.result is not None), None)
        return choose(found.candidates, rank, chosen["min_confidence"])

    def settle(self, question: Question, sql: str) -> None:
        """Let the question, asked again without a rank, have this query."""
        self._settled_by.keep((question.text, question.hint), sql)

    def _log(self, turn: Turn, found: Found, time: str, outcome: str, best: Candidate | None = None) -> None:
        """Log a question: when it was asked, how it ended, and the candidate that answered it, if one did."""
        engine, chosen = turn.engine, turn.chosen
        entry = _entry(turn, found, time, outcome, best)
        if chosen["values"] == "hide":
            values = self._database.values(engine, chosen) if self._database.catalog(engine, chosen).tables else None
            entry = memory.masked(entry, engine.dialect, values)
        self._memory.note(engine if chosen["log"] == "database" else None, entry)


def _found_bytes(found: Found) -> int:
    """About how much memory a question's candidates take."""
    return sum(size((c.sql, c.before, *c.notes, c.result.rows if c.result else ())) for c in found.candidates)


def _trace_bytes(steps: Iterable[Step]) -> int:
    """About how much memory the steps of finding an answer take."""
    return sum(size((s.detail, s.prompt, s.reply, s.sql, s.before)) for s in steps)


def traced(asked: str, chosen: Settings) -> Hashable:
    """What the trace of a question or a query is kept by: its prompts and replies show no more than was to be seen."""
    return (asked, *(chosen[name] for name in SHOWN))


def _key(turn: Turn, pin: str | None, catalog: Catalog) -> Hashable:
    """What candidates are known by: all that may make them others."""
    question, chosen = turn.question, tuple(turn.chosen[s.name] for s in settings_.SETTINGS)
    return (question.text, question.hint, question.oracle, question.unpinned, pin, catalog.version, *chosen)


def _entry(turn: Turn, found: Found, time: str, outcome: str, best: Candidate | None) -> Entry:
    chosen, used = turn.chosen, found.usage
    best = best or next((c for c in found.candidates if c.result is not None), None)
    asked = best is None or outcome not in ("pinned", "remembered")
    by = "reader" if best and best.origin == "reader" else settings_.as_text(chosen["model"])
    return Entry(
        time=time,
        question=memory.plain(turn.question.text),
        sql=best.sql if best else None,
        model=by if asked else "",
        method="" if asked and by == "reader" else chosen["method"],
        effort=chosen["effort"],
        requests=used.requests,
        calls=used.calls,
        tokens=used.prompt_tokens + used.completion_tokens,
        cost=used.cost,
        seconds=round(used.seconds, 6),
        confidence=round(best.confidence, 4) if best else None,
        n_rows=best.n_rows if best else None,
        outcome=memory.plain(outcome),
        max_calls=chosen["max_calls"],
    )


def answered_by(candidates: Iterable[Candidate], chosen: Settings) -> str:
    """Who was asked for these candidates, and how far that went: 'reader', or the model with its method or effort."""
    if all(c.origin == "reader" for c in candidates):
        return "reader"
    how = f"method {chosen['method']}" if chosen["method"] else f"effort {chosen['effort']}"
    return f"{settings_.as_text(chosen['model'])}, {how}"
