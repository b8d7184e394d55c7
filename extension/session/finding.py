"""Find the candidates for a question.

They come from the first of these sources that has any: this connection's cache, a pin, the answers remembered in the
database file, the reader, a model.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from askwhere import memory
from askwhere import settings as settings_
from askwhere.api_keys import redact
from askwhere.cells import counted
from askwhere.engine import Table
from askwhere.errors import AskError, TooMuch, Unread
from askwhere.indexer import calibration
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.log import Entry
from askwhere.indexer.pins import as_text, now
from askwhere.memory import Memory
from askwhere.pipeline import confidence
from askwhere.pipeline.facts import Candidate, Earlier, Linked, Step, size
from askwhere.pipeline.readings import from_reader, reading_once, sure
from askwhere.pipeline.select import choose
from askwhere.reader import Reading
from askwhere.session import trials
from askwhere.session.database import SHOWN, Database
from askwhere.session.questions import Ranking, Turn
from askwhere.session.recent import Recent
from askwhere.settings import Settings

if TYPE_CHECKING:
    from askwhere.session.showing import Showing

REMEMBERED = 1_000  # questions whose candidates are cached
TRACED = 100  # questions whose traces are cached
STOPPED_SECONDS = 10.0  # that candidates are cached where limits stopped all of their queries
SECONDS_OF_KEYS = 2.0  # of the search for missing foreign keys, made where the reader refuses a question


class Finding:
    """The search for candidates on one connection, with caches of rankings and traces.

    `last_shown` is the last question that a model was asked, with what its prompt showed of the database. Without
    `use_pins` pins are ignored. `showing` is called only where a model is asked.
    """

    def __init__(self, database: Database, memory: Memory, showing: Callable[[], Showing], use_pins: bool) -> None:
        self.last_shown: Linked | None = None
        self.rankings: Recent[Hashable, Ranking] = Recent(REMEMBERED, _ranking_bytes)
        self.traces: Recent[Hashable, tuple[Step, ...]] = Recent(TRACED, _trace_bytes)
        self._choices: Recent[tuple[tuple[str, ...], str | None], str] = Recent(REMEMBERED)
        self._database = database
        self._memory = memory
        self._showing = showing
        self._use_pins = use_pins

    def share(self, other: Finding) -> None:
        """Share the caches of rankings and traces with another session."""
        self.rankings, self.traces = other.rankings, other.traces

    def find(self, turn: Turn) -> tuple[Ranking, Candidate | AskError]:
        """Return the candidates for a question, tried and ranked, and the one that answers; log the question.

        Rankings are cached by question, schema version and settings. Earlier questions that this one follows are
        answered first, unless the whole chain is pinned. Where there are candidates but none answers, the error is
        returned in place of the answer. Raise `AskError`, which is logged too, where there is no candidate.
        """
        if turn.question.follows and self._pinned(turn, self._database.catalog(turn.engine, turn.settings)) is None:
            turn = replace(turn, earlier=self.earlier(turn))
        return self._find(turn)

    def earlier(self, turn: Turn) -> tuple[Earlier, ...]:
        """Return the earlier questions of a turn with their queries; each is answered as a follow-up to those before.

        Raise `AskError` where one has no answer.
        """
        done: tuple[Earlier, ...] = ()
        for number, text in enumerate(turn.question.follows):
            asked = replace(turn.question, text=text, follows=turn.question.follows[:number], hint=None, choose=None)
            try:
                best = self._find(replace(turn, question=asked, earlier=done))[1]
                if isinstance(best, AskError):
                    raise best
            except AskError as exc:
                raise AskError(f"the earlier question {text!r} has no answer, so none can follow it: {exc}") from exc
            done += (Earlier(text, best.sql, best.origin),)
            turn.asker.note("follow", f"{text!r} was answered by {best.sql}", sql=best.sql)
        return done

    def _find(self, turn: Turn) -> tuple[Ranking, Candidate | AskError]:
        """Do as `find` for a turn whose earlier questions have been answered."""
        time = now()
        try:
            with self._database.steady(turn.engine, turn.settings) as catalog:
                pin = self._pinned(turn, catalog)
                key = _key(turn, pin, catalog)
                if (cached := self.rankings.recall(key)) is not None and monotonic() < cached.expires:
                    return cached, self._choice(cached, turn)
                ranking, outcome = self._ranking_and_outcome(turn, pin, catalog)
                best = self._choice(ranking, turn)
                if isinstance(best, AskError):
                    self._database.refuse_changed(turn.engine, turn.settings, best)
                elif catalog.grant.hidden or turn.settings["exclude_tables"] or turn.settings["include_tables"]:
                    self._database.refuse_changed_since(turn.engine, turn.settings, catalog)
        except AskError as exc:
            # The advice of a refusal is left out: it may name values of the database.
            message = exc.reason if isinstance(exc, Unread) else exc
            self._log(turn, Ranking((), turn.asker.usage), time, f"{type(exc).__name__}: {message}")
            raise
        if isinstance(best, AskError):
            self._log(turn, ranking, time, f"{type(best).__name__}: {best}")
        else:
            self._log(turn, ranking, time, outcome, best)
        self.rankings.keep(key, replace(ranking, trials={}, expires=_expiry(ranking.candidates)))
        return ranking, best

    def _pinned(self, turn: Turn, catalog: Catalog) -> str | None:
        """Return the SQL of a question's pin; None if it has none, or has a hint, which may change its meaning."""
        engine, question, settings = turn.engine, turn.question, turn.settings
        if question.hint or question.unpinned or not self._use_pins:
            return None
        stale = settings["stale_pins"]
        return self._memory.pinned(
            engine, catalog, question.chain, stale, lambda: self._database.values(engine, settings)
        )

    def _ranking_and_outcome(self, turn: Turn, pin: str | None, catalog: Catalog) -> tuple[Ranking, str]:
        """Return the ranking of a question that is not cached, and the outcome to log.

        The outcome is 'pinned', 'remembered' (the queries were stored in the database) or 'answered'.
        """
        engine, question, settings, asker = turn.engine, turn.question, turn.settings, turn.asker
        try:
            tried = trials.trier(turn, catalog)
            if pin is not None:
                asker.note("pin", "the question is pinned")
                return trials.ranked_candidates(turn, catalog, [tried(Candidate(pin, "pin", likely=1.0))]), "pinned"
            in_database = settings["remember"] == "database" and not question.unpinned
            key = memory.key(catalog, question.text, question.hint, settings, turn.earlier) if in_database else ""
            stored = [tried(c) for c in self._memory.answered(engine, key)] if in_database else []
            if stored and stored[0].result:
                asker.note("remember", stored[0].notes[-1])
                ranked = [replace(c, rank=n, group=n) for n, c in enumerate(stored, 1)]
                return self._calibrated(turn, trials.shown(turn, ranked)), "remembered"
            ranking = trials.ranked_candidates(turn, catalog, self._candidates(turn, tried))
            if not question.unpinned:
                ranking = self._calibrated(turn, ranking)
            if in_database:
                self._memory.remember(engine, key, question.text, ranking.candidates)
            return ranking, "answered"
        finally:
            self.traces.keep(trace_key(question.chain, settings), tuple(asker.trace))

    def _calibrated(self, turn: Turn, ranking: Ranking) -> Ranking:
        """Return the ranking with calibrated confidence, or unchanged where this database has no calibration."""
        kept = calibration.load(turn.engine.storages(), answered_by(ranking.candidates, turn.settings))
        if kept is None or not any(c.result for c in ranking.candidates):
            return ranking
        candidates = confidence.calibrated(ranking.candidates, confidence.fitted(kept.answers))
        right = sum(was_right for _, was_right in kept.answers)
        basis = f"by {counted(len(kept.answers), 'pin')}, of which {right} were answered right, at {kept.made_at}"
        best = candidates[0]
        turn.asker.note("confidence", f"{best.confidence:.2f}, calibrated from {best.estimate:.2f} {basis}")
        return replace(ranking, candidates=candidates)

    def _candidates(self, turn: Turn, tried: Callable[[Candidate], Candidate]) -> list[Candidate]:
        """Return the reader's or the model's candidates, each tried.

        With effort 'fast' and no method, the reader is asked before the model. Raise `Unread` where only the reader may
        answer and it cannot read the question; `SettingError` where a method is set but no model.
        """
        settings = turn.settings
        settings.check_method()
        linked = self._database.linked(turn)
        if settings["model"] == "reader":
            return list(map(tried, from_reader(linked, turn.asker, lambda tables: self._keys(turn, tables))))
        readings = reading_once(linked, turn.asker)
        asks_reader = settings["effort"] == "fast" and not settings["method"]
        candidates = (sure(readings()) if asks_reader else ()) or self._generated(turn, linked, tried, readings)
        return [c if c.result or c.error else tried(c) for c in candidates]

    def _keys(self, turn: Turn, tables: tuple[Table, ...]) -> Iterator[tuple[str, str]]:
        """Yield likely foreign keys of some tables, each as its two sides, for `SECONDS_OF_KEYS` at most."""
        from askwhere.indexer import suggesting  # few questions lack a key

        catalog = replace(self._database.catalog(turn.engine, turn.settings), tables=tables)
        until = monotonic() + SECONDS_OF_KEYS
        for suggestion in suggesting.suggested(turn.engine, catalog, seconds=SECONDS_OF_KEYS / 4):
            yield suggestion.key, suggestion.refers_to
            if monotonic() > until:
                return

    def _generated(
        self,
        turn: Turn,
        linked: Linked,
        tried: Callable[[Candidate], Candidate],
        readings: Callable[[], tuple[Reading, ...]],
    ) -> tuple[Candidate, ...]:
        """Return the candidates that the model of the settings generates by their method."""
        from askwhere.pipeline.methods import method  # takes time to load, and the reader needs none

        chosen_method = method(turn.settings["method"], turn.settings["effort"])
        if chosen_method.repairs and "repair" not in turn.settings["leave_out"]:
            from askwhere.session import repairing  # takes time to load, and the reader's queries bind

            tried = repairing.repairer(turn, self._database.catalog(turn.engine, turn.settings), tried)
        shown, context = self._showing().context(turn, linked, tried)
        context = replace(context, readings=readings)
        candidates: tuple[Candidate, ...] = ()
        shown = self.last_shown = chosen_method.link(shown, context)
        for step in chosen_method.steps:
            candidates = step(shown, candidates, context)
        return candidates

    def _choice(self, ranking: Ranking, turn: Turn) -> Candidate | AskError:
        """Return the candidate that answers: the one of the chosen rank, else the best.

        A rank is remembered by its query, and holds when the question is asked again without one, while that query is
        among the candidates and runs. Return `Ambiguous` where two candidates are about equally likely, and another
        `AskError` where none can answer.
        """
        question, rank = turn.question, turn.question.choose
        if rank is None and (sql := self._choices.get((question.chain, question.hint))) is not None:
            rank = next((c.rank for c in ranking.candidates if c.sql == sql and c.result is not None), None)
        try:
            best = choose(ranking.candidates, rank, turn.settings["min_confidence"])
        except AskError as exc:
            return exc
        if question.choose is not None:
            self._choices.keep((question.chain, question.hint), best.sql)
        return best

    def _log(self, turn: Turn, ranking: Ranking, time: str, outcome: str, best: Candidate | None = None) -> None:
        """Log a question with its time, its outcome and the candidate that answered it.

        Values are masked where the setting `values` is 'hide'.
        """
        engine, settings = turn.engine, turn.settings
        entry = _entry(turn, ranking, time, outcome, best)
        if settings["values"] == "hide":
            has_tables = self._database.catalog(engine, settings).tables
            values = self._database.values(engine, settings) if has_tables else None
            entry = memory.masked(entry, engine.dialect, values)
        self._memory.note(engine if settings["log"] == "database" else None, entry)


def _expiry(candidates: Iterable[Candidate]) -> float:
    """Return when cached candidates expire, in seconds of `time.monotonic`: never, after `STOPPED_SECONDS`, or at once.

    They expire if none has rows and a limit stopped one of them, since other work may have used up the memory or the
    time; at once if the process of one was ended from outside, which says nothing of its query.
    """
    tried = tuple(candidates)
    stopped = [c.error for c in tried if isinstance(c.error, TooMuch)]
    if not stopped or any(c.result for c in tried):
        return math.inf
    return -math.inf if any(error.outside for error in stopped) else monotonic() + STOPPED_SECONDS


def _ranking_bytes(ranking: Ranking) -> int:
    """Return about how many bytes a ranking takes in memory."""
    return sum(size((c.sql, c.before, *c.notes, c.result.rows if c.result else ())) for c in ranking.candidates)


def _trace_bytes(steps: Iterable[Step]) -> int:
    """Return about how many bytes the steps of a trace take in memory."""
    return sum(size((s.detail, s.prompt, s.reply, s.sql, s.before)) for s in steps)


def trace_key(chain: tuple[str, ...], settings: Settings) -> Hashable:
    """Return the key under which the trace of a chain's last question is cached.

    It contains the settings that hide tables and columns: prompts and replies in a trace may name what has been hidden
    since.
    """
    return (chain, *(settings[name] for name in SHOWN))


def _key(turn: Turn, pin: str | None, catalog: Catalog) -> Hashable:
    """Return the key under which a question's candidates are cached: everything that they depend on."""
    question = turn.question
    asked = (question.chain, question.hint, question.unpinned, pin, turn.earlier)
    return (*asked, catalog.version, *turn.settings.values)


def _entry(turn: Turn, ranking: Ranking, time: str, outcome: str, best: Candidate | None) -> Entry:
    """Return a question's log entry; if no candidate answered, it has the best candidate that ran."""
    settings, used = turn.settings, ranking.usage
    best = best or next((c for c in ranking.candidates if c.result is not None), None)
    asked = best is None or outcome not in ("pinned", "remembered")
    by = "reader" if best and best.origin == "reader" else settings_.as_text(settings["model"])
    return Entry(
        time=time,
        question=redact(turn.question.text),
        sql=best.sql if best else None,
        model=by if asked else "",
        method="" if asked and by == "reader" else settings["method"],
        effort=settings["effort"],
        requests=used.requests,
        calls=used.calls,
        tokens=used.prompt_tokens + used.completion_tokens,
        cost=used.cost,
        seconds=round(used.seconds, 6),
        confidence=round(best.confidence, 4) if best else None,
        n_rows=best.n_rows if best else None,
        outcome=redact(outcome),
        max_calls=settings["max_calls"],
        follows=as_text([redact(text) for text in turn.question.follows]),
    )


def answered_by(candidates: Iterable[Candidate], settings: Settings) -> str:
    """Return who generated the candidates: 'reader', or the model with its method or effort.

    Calibrations are kept under this text.
    """
    if all(c.origin == "reader" for c in candidates):
        return "reader"
    how = f"method {settings['method']}" if settings["method"] else f"effort {settings['effort']}"
    return f"{settings_.as_text(settings['model'])}, {how}"
