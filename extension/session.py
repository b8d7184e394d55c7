"""What one connection remembers while it is asked: settings, the catalog, values, and questions already answered."""

from __future__ import annotations

import contextlib
import importlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from askwhere import literals, memory
from askwhere import settings as settings_
from askwhere.engine import Checked, Engine, Limits, Result, quote
from askwhere.errors import Ambiguous, AskError, QueryError, Refused, TooMuch, Unread
from askwhere.indexer import catalog as catalog_
from askwhere.indexer import forms, index, progress
from askwhere.indexer.calibration import Calibration
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.log import Entry
from askwhere.indexer.pins import Pin, now
from askwhere.indexer.values import Match, ValueIndex
from askwhere.memory import Memory
from askwhere.models import Model, flag, named, prices
from askwhere.pipeline import confidence, demonstrations, explain, fix, pinned, plans, prompts
from askwhere.pipeline.asking import Asker, Budget, since
from askwhere.pipeline.correct import without_values
from askwhere.pipeline.demonstrations import Pool
from askwhere.pipeline.facts import Candidate, Linked, Step, Usage
from askwhere.pipeline.generate import from_reader
from askwhere.pipeline.grammar import grammar
from askwhere.pipeline.link import cut, enhance, examples_of
from askwhere.pipeline.methods import method
from askwhere.pipeline.select import choose, compared, rank, try_out
from askwhere.pipeline.skeleton import Oracle
from askwhere.pipeline.steps import Known, Means, Retrieval
from askwhere.settings import Settings

# A trial shows whether a query runs and how its rows begin; it is not the answer's delivery.
TRIAL_ROWS = 1_001
REMEMBERED = 1_000
TRACED = 100
PREVIEWED = 5


@dataclass(frozen=True)
class Question:
    """What was asked: the text, the optional arguments of `ask`, and for a study what of the right query is given.

    `unpinned` asks as if there were no pin for it: the answer's confidence is the estimate, and it is not remembered.
    """

    text: str
    model: str | Model | None = None
    effort: str | None = None
    hint: str | None = None
    choose: int | None = None
    oracle: Oracle = field(default_factory=Oracle)
    unpinned: bool = False


@dataclass(frozen=True)
class Found:
    """The candidates for a question, best first, and what finding them cost."""

    candidates: tuple[Candidate, ...]
    usage: Usage


@dataclass
class Answer:
    """The answer to a question: its SQL, its columns, how sure we are, and the rows when they are looked at.

    `rows` is read once, on first use, and raises `TooMuch` above the setting `max_rows`. `candidates` are all that were
    considered, best first.
    """

    sql: str
    columns: tuple[str, ...]
    confidence: float
    candidates: tuple[Candidate, ...]
    usage: Usage
    _read: Any = field(repr=False)
    _rows: tuple[tuple[Any, ...], ...] | None = field(default=None, repr=False)

    @property
    def rows(self) -> tuple[tuple[Any, ...], ...]:
        """The answer's rows as tuples, in the query's order."""
        if self._rows is None:
            self._rows = self._read().rows
        return self._rows

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.rows)

    def df(self) -> Any:
        """The rows as a pandas DataFrame; needs pandas."""
        try:
            pandas: Any = importlib.import_module("pandas")
        except ImportError:
            raise AskError("Answer.df() needs pandas: pip install pandas") from None
        return pandas.DataFrame.from_records(list(self.rows), columns=list(self.columns))


class Session:
    """One connection's memory. Its methods take the engine to work on, as SQL functions work on one of their own.

    `last_shown` is the last question that a model was asked, with what it was shown of the database. Without `use_pins`
    a question is asked as if none were pinned.
    """

    def __init__(self, given: Mapping[str, Any], use_pins: bool = True) -> None:
        self.settings = settings_.load(given)
        self.last_shown: Linked | None = None
        self._use_pins = use_pins
        self._cost = prices.of_user()
        self._memory = Memory()
        self._lock = threading.RLock()
        self._asking = False
        self._unpinned: str | None = None
        self._settled: Catalog | None = None
        self._catalog: tuple[Hashable, Catalog] | None = None
        self._values: tuple[Hashable, index.Opened] | None = None
        self._noted: set[str] = set()
        self._found: OrderedDict[Hashable, Found] = OrderedDict()
        self._written: OrderedDict[Hashable, str] = OrderedDict()
        self._settled_by: OrderedDict[tuple[str, str | None], str] = OrderedDict()
        self._demonstrations: tuple[object, Pool] | None = None
        self._known = Known()
        self._sized: set[Hashable] = set()
        self._examples: tuple[object, int, tuple[Match, ...]] | None = None
        self._traces: OrderedDict[str, tuple[Step, ...]] = OrderedDict()

    def share(self, other: Session) -> None:
        """Know what a session of another connection to the same database knows, and let it know what this one finds.

        Settings, and what `choose` settled, stay each one's own.
        """
        self._catalog, self._values = other._catalog, other._values
        self._found, self._traces = other._found, other._traces

    def set(self, name: str, value: Any, source: str = "ask_set") -> str:
        """Change a setting for this connection; returns what was done. Raises `SettingError`."""
        with self._lock:
            given = self.settings
            self.settings = (
                given.from_sql(name, value) if source == "ask_set" else given.with_value(source, name, value)
            )
        return self.shown_setting(name)

    def shown_setting(self, name: str) -> str:
        """A setting and its value, as `ask_set` shows them. Raises `SettingError`."""
        name = settings_.named(name).name
        return f"{name} = {settings_.as_text(self.settings[name])}"

    def catalog(self, engine: Engine) -> Catalog:
        """The catalog as the settings show it, read again when the schema or those settings have changed.

        While a question is answered it stays what it was: looking whether it has changed takes milliseconds.
        """
        if self._settled is not None:
            return self._settled
        chosen = {n: self.settings[n] for n in ("hide_columns", "include_tables", "exclude_tables", "allow_functions")}
        key = (engine.schema_version(), tuple(chosen.values()))
        if self._catalog is None or self._catalog[0] != key:
            found = catalog_.read(engine, **chosen)
            if self._catalog and catalog_.alike(self._catalog[1], found):
                # Only askwhere's own tables are others: what was answered stays answered.
                found = replace(found, version=self._catalog[1].version)
            self._catalog = (key, found)
            self._note(found.notes)
        return self._catalog[1]

    def values(self, engine: Engine) -> ValueIndex:
        """The value index of the catalog: the stored one, and in memory what that lacks; opened again when rows may
        have changed. What it has not all of is logged, once.
        """
        catalog = self.catalog(engine)
        key = (catalog.version, catalog.grant.hidden, tuple(t.path for t in catalog.tables), engine.data_version())
        if self._values is None or self._values[0] != key or not index.is_current(self._values[1], engine):
            self._values = (key, index.open_(engine, catalog))
            self._note(self._values[1].notes)
        return index.Values(self._values[1], engine)

    def _note(self, notes: Iterable[str]) -> None:
        """Log what this session has not logged before."""
        for note in notes:
            if note not in self._noted:
                index.log.warning(note)
            self._noted.add(note)

    def index(self, engine: Engine, table: str | None = None) -> str:
        """Index the values of all tables, or of one again, or with 'drop' none; says what was done."""
        from askwhere.indexer.build import Limits as IndexLimits  # numpy comes with it

        with self._lock:
            if table is not None and table.strip().lower() == "drop":
                return memory.patiently(lambda: index.drop(engine))
            catalog, chosen = self.catalog(engine), self.settings
            sizes = (chosen["index_characters"], chosen["index_values"], chosen["index_words"])
            limits = IndexLimits(*sizes, numbers=chosen["index_numbers"] == "on")
            tell = progress.on_terminal("indexing")
            if table is None:
                return memory.patiently(lambda: index.build(engine, catalog, limits, tell))
            return memory.patiently(lambda: index.refresh(engine, catalog, table, limits, tell))

    def find(self, engine: Engine, question: Question) -> Found:
        """The candidates for a question, tried and ranked; found once per connection and schema version."""
        with self._lock:
            if self._asking:
                raise AskError("ask() was called while a question is being answered; a generated query may not ask")
            self._asking, self._unpinned = True, question.text if question.unpinned else None
            try:
                return self._find(engine, question)
            finally:
                self._asking, self._unpinned, self._settled = False, None, None

    def _find(self, engine: Engine, question: Question) -> Found:
        chosen, time = self._chosen(question), now()
        asker = Asker(Budget(chosen["max_calls"], chosen["max_tokens"], chosen["max_seconds"]), self._cost)
        try:
            catalog = self._settled = self.catalog(engine)
            pin = self._pinned(engine, catalog, question, chosen)
            key = (
                question.text,
                question.hint,
                question.oracle,
                question.unpinned,
                pin,
                catalog.version,
                *(chosen[s.name] for s in settings_.SETTINGS),
            )
            with contextlib.suppress(KeyError):  # a session that shares them may forget one meanwhile
                self._found.move_to_end(key)
                return self._found[key]
            found, how = self._found_by(asker, engine, question, chosen, pin)
        except AskError as exc:
            self._log(engine, chosen, Found((), asker.usage), (time, question.text, f"{type(exc).__name__}: {exc}"))
            raise
        best = None
        try:
            best = self._choice(found, question)
        except AskError as exc:
            how = f"{type(exc).__name__}: {exc}"
        self._log(engine, chosen, found, (time, question.text, how), best)
        self._found[key] = found
        if len(self._found) > REMEMBERED:
            self._found.popitem(last=False)
        return found

    def _pinned(self, engine: Engine, catalog: Catalog, question: Question, chosen: Settings) -> str | None:
        """The SQL that a question is pinned to; None for one with a hint, which says more than the pin's does."""
        if question.hint or question.unpinned or not self._use_pins:
            return None
        stale = chosen["stale_pins"]
        return self._memory.pinned(engine, catalog, question.text, stale, lambda: self.values(engine))

    def _chosen(self, question: Question) -> Settings:
        """The settings with what the question's own arguments say."""
        return self.settings.for_question(model=question.model, effort=question.effort)

    def _found_by(
        self, asker: Asker, engine: Engine, question: Question, chosen: Settings, pin: str | None
    ) -> tuple[Found, str]:
        """What was found, and how: 'pinned', 'remembered' or 'answered'."""
        try:
            tried = self._trier(asker, engine, chosen)
            if pin is not None:
                asker.note("pin", "the question is pinned")
                return self._as_found(engine, asker, [tried(Candidate(pin, "pin"))], chosen), "pinned"
            lasting = chosen["remember"] == "database" and not question.unpinned
            key = memory.key(self.catalog(engine), question.text, question.hint, chosen) if lasting else ""
            if lasting and (before := [tried(c) for c in self._memory.answered(engine, key)]) and before[0].result:
                asker.note("remember", before[0].notes[-1])
                kept = [replace(_first_rows(c), rank=n, group=n) for n, c in enumerate(before, 1)]
                return self._calibrated(engine, asker, Found(tuple(kept), asker.usage), chosen), "remembered"
            found = self._as_found(engine, asker, self._candidates(asker, engine, question, chosen, tried), chosen)
            if not question.unpinned:
                found = self._calibrated(engine, asker, found, chosen)
            if lasting:
                self._memory.remember(engine, key, question.text, found.candidates)
            return found, "answered"
        finally:
            self._keep_trace(question.text, asker)

    def _trier(self, asker: Asker, engine: Engine, chosen: Settings) -> Callable[[Candidate], Candidate]:
        """What checks a candidate and runs it, as a step of the trace."""
        runner, grant = self._running(engine), self.catalog(engine).grant
        limits = Limits(seconds=chosen["query_timeout"], rows=TRIAL_ROWS)

        def tried(candidate: Candidate) -> Candidate:
            began = time.monotonic()
            done = try_out(candidate, runner, grant, limits)
            asker.note("run", _what_it_gave(done, chosen["values"] == "hide"), since(began), done.sql, done.before)
            return done

        return tried

    def _runner(self, engine: Engine, chosen: Settings) -> Callable[[str, int | None], Result]:
        """What checks a query and runs it for at most so many rows, None for `max_rows`, as no step of the trace."""
        runner, grant = self._running(engine), self.catalog(engine).grant

        def run(sql: str, rows: int | None) -> Result:
            limits = Limits(seconds=chosen["query_timeout"], rows=rows or chosen["max_rows"])
            return runner.run(runner.check(sql, grant), grant, limits)

        return run

    def _planner(self, engine: Engine, chosen: Settings) -> Callable[[Candidate], float | None]:
        """What says how much work a checked candidate is by the engine's plan; None under isolation."""
        catalog, limits = self.catalog(engine), Limits(seconds=chosen["query_timeout"], rows=TRIAL_ROWS)

        def planned(candidate: Candidate) -> float | None:
            if candidate.checked is None or chosen["isolation"]:
                return None
            asking = plans.explaining(candidate.checked, engine.dialect)
            try:
                plan = engine.run(asking, catalog.grant, limits).rows
            except (QueryError, TooMuch):
                return None
            return plans.work(plan, candidate.checked.sql, engine.dialect, catalog.tables)

        return planned

    def _as_found(self, engine: Engine, asker: Asker, tried: Iterable[Candidate], chosen: Settings) -> Found:
        found = compared(tried, engine.dialect, self._runner(engine, chosen))
        return Found(tuple(map(_first_rows, rank(found, engine.dialect))), asker.usage)

    def _calibrated(self, engine: Engine, asker: Asker, found: Found, chosen: Settings) -> Found:
        """What was found, with the confidence that the pins' own answers tell, where these are known."""
        known = self._memory.calibration(engine, answered_by(found.candidates, chosen))
        if known is None or not any(c.result for c in found.candidates):
            return found
        done = confidence.calibrated(found.candidates, confidence.fitted(known.answers))
        right = sum(was for _, was in known.answers)
        by = f"by {len(known.answers)} pins, of which {right} were answered right, at {known.made_at}"
        asker.note("confidence", f"{done[0].confidence:.2f}, calibrated from {done[0].estimate:.2f} {by}")
        return replace(found, candidates=done)

    def calibrate(self, engine: Engine, made: Iterable[Calibration]) -> None:
        """Keep what the pins have shown of answers; those given here before are found again."""
        with self._lock:
            self._memory.calibrate(engine, made)
            self._found.clear()

    def uncalibrate(self, engine: Engine) -> bool:
        """Forget what the pins have shown; whether anything was known."""
        with self._lock:
            self._found.clear()
            return self._memory.uncalibrate(engine)

    def _candidates(
        self,
        asker: Asker,
        engine: Engine,
        question: Question,
        chosen: Settings,
        tried: Callable[[Candidate], Candidate],
    ) -> list[Candidate]:
        """The reader's readings or the model's candidates, each tried."""
        linked = self._linked(engine, question)
        candidates: tuple[Candidate, ...] = ()
        if chosen["model"] == "reader" or (chosen["effort"] == "fast" and not chosen["method"]):
            try:
                candidates = from_reader(linked, asker)
            except Unread:
                if chosen["model"] == "reader":
                    raise
        if not candidates:
            candidates = self._asked(asker, engine, linked, chosen, tried, question.oracle)
        return [c if c.result or c.error else tried(c) for c in candidates]

    def _log(
        self,
        engine: Engine,
        chosen: Settings,
        found: Found,
        told: tuple[str, str, str],
        best: Candidate | None = None,
    ) -> None:
        """Log a question: when it was asked, its text, how it ended, and the candidate that answered it, if one did."""
        (time, question, outcome), used = told, found.usage
        best = best or next((c for c in found.candidates if c.result is not None), None)
        asked = best is None or outcome not in ("pinned", "remembered")
        by = "reader" if best and best.origin == "reader" else settings_.as_text(chosen["model"])
        entry = Entry(
            time=time,
            question=memory.plain(question),
            sql=best.sql if best else None,
            model=by if asked else "",
            method=chosen["method"],
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
        if chosen["values"] == "hide":
            values = self.values(engine) if self.catalog(engine).tables else None
            entry = memory.masked(entry, engine.dialect, values)
        self._memory.note(engine if chosen["log"] == "database" else None, entry)

    def log(self, engine: Engine) -> list[Entry]:
        """The questions that were answered or failed, oldest first: of this connection, or of the database."""
        with self._lock:
            return self._memory.log(engine, self.settings["log"] == "database")

    def pin(self, engine: Engine, question: str, sql: str | None) -> str:
        """Keep the query for a question, or the one that answers it now; says what was done.

        Raises `ArgumentError` where their parameters differ, and `QueryError` for a query that may not or cannot run.
        """
        with self._lock:
            model = ""
            if sql is None:
                answer = self.choose(engine, Question(question))[0]
                sql, model = answer.sql, self._writer(answer.origin)
            made = self._verified(engine, question, sql, model)
            replaced = self._memory.pin(engine, (made,))
            of = ", ".join(f"{{{name}}} a {kind}" for name, kind in made.kinds.items())
            done = f"pinned {question!r}" + (f", with {of}" if of else "")
            return done + (", in place of its former query" if replaced else "")

    def _writer(self, origin: str) -> str:
        """Who wrote a query of that origin, which may be a prompt of the model's."""
        model = None if origin in ("reader", "pin") else named.open_model(self.settings, "model")
        return model.name if model else origin

    def pin_all(self, engine: Engine, pins: Iterable[Pin]) -> int:
        """Keep pins that were exported, all of them or none; gives how many. Raises as `pin`, naming the question."""
        with self._lock:
            made = []
            for pin in pins:
                try:
                    fresh = self._verified(engine, pin.question, pin.sql, pin.model)
                except AskError as exc:
                    raise AskError(f"the pin {pin.question!r} cannot be imported: {exc}") from exc
                made.append(replace(fresh, pinned_at=pin.pinned_at or fresh.pinned_at))
            self._memory.pin(engine, made)
            return len(made)

    def _verified(self, engine: Engine, question: str, sql: str, model: str) -> Pin:
        made = pinned.pin(engine, self.catalog(engine).grant, question, sql.strip().rstrip("; \n\t"), model)
        if not made.kinds:
            grant, limits = self.catalog(engine).grant, Limits(seconds=self.settings["query_timeout"], rows=TRIAL_ROWS)
            done = try_out(Candidate(made.sql, "pin"), self._running(engine), grant, limits)
            if done.error is not None:
                raise done.error
        return made

    def unpin(self, engine: Engine, question: str) -> str:
        """Forget a pin; says what was done. Raises `ArgumentError` where there is none."""
        with self._lock:
            self._memory.unpin(engine, question)
            return f"unpinned {question!r}"

    def pins(self, engine: Engine) -> list[tuple[Pin, str]]:
        """All pins, oldest first, each with what has changed since, `''` for nothing."""
        with self._lock:
            return self._memory.pins(engine, self.catalog(engine))

    def _asked(
        self,
        asker: Asker,
        engine: Engine,
        linked: Linked,
        chosen: Settings,
        tried: Callable[[Candidate], Candidate],
        oracle: Oracle,
    ) -> tuple[Candidate, ...]:
        """The candidates of the method that the settings name, from the model that they name."""
        shown, means = self._means(asker, engine, linked, chosen, tried)
        means = replace(means, oracle=oracle)
        candidates: tuple[Candidate, ...] = ()
        done = method(chosen["method"], chosen["effort"])
        shown = self.last_shown = done.link(shown, means)
        for step in done.steps:
            candidates = step(shown, candidates, means)
        return candidates

    def _means(
        self,
        asker: Asker,
        engine: Engine,
        linked: Linked,
        chosen: Settings,
        tried: Callable[[Candidate], Candidate],
    ) -> tuple[Linked, Means]:
        """What the model that the settings name is shown of a question, and what steps work with."""
        model = named.open_model(chosen, "model")
        assert model is not None  # the reader answers where none is set
        shown = self._enhanced(linked, chosen, model)
        if left_out := cut(shown):
            asker.note("link", left_out)
        held = chosen["grammar"] == "on"
        embedder = (named.open_model(chosen, "embedder") if chosen["examples_by"] == "embeddings" else None) or model
        return shown, Means(
            model=model,
            eliminator=named.open_model(chosen, "eliminator"),
            asker=asker,
            tried=tried,
            grammar=lambda: grammar(shown.schema, engine.dialect) if held else None,
            rounds=method(chosen["method"], chosen["effort"]).rounds,
            pool=lambda: self._pool(engine, chosen, any(self._shows(chosen, m) != "show" for m in (model, embedder))),
            run=self._runner(engine, chosen),
            planned=self._planner(engine, chosen),
            leave_out=frozenset(chosen["leave_out"]),
            mcs=chosen["mcs"],
            retrieval=Retrieval(chosen["examples_by"], chosen["masked_by"], embedder, self._known),
        )

    def _pool(self, engine: Engine, chosen: Settings, hide: bool) -> Pool:
        """The demonstrations: the database's own pins, then those of the file that the settings name.

        With `hide` the pins are without values: those are cells of this database.
        """
        pins = tuple(pin for pin, changes in self.pins(engine) if not changes) if self._use_pins else ()
        file = demonstrations.read(chosen["examples"]) if chosen["examples"] else ()
        if self._unpinned is not None:
            own_form = forms.form(self._unpinned)
            pins = tuple(pin for pin in pins if pin.form != own_form)
            file = tuple(one for one in file if forms.form(one.question) != own_form)
        if self._demonstrations is None or self._demonstrations[0] != (pins, file, hide):
            own = demonstrations.of_pins(pins, engine.dialect, self._values_in(engine) if hide else None)
            self._demonstrations = ((pins, file, hide), Pool((*own, *file), engine.dialect))
        return self._demonstrations[1]

    def _values_in(self, engine: Engine) -> Callable[[str], list[str]]:
        """What gives the values of the database that a text may hold."""
        return lambda text: [match.value for match in self.values(engine).search(text, 10)]

    def fix(self, engine: Engine, sql: str, error: str | None = None) -> str:
        """The query as it is if it can be used; else changed as little as possible, by rule, or by the model if set.

        `error` is what the user was told of it. Raises `Refused` for what the guard refuses, `Ambiguous` where repairs
        are equally near, `QueryError` where there is none.
        """
        with self._lock:
            catalog = self.catalog(engine)
            try:
                return fix.fix(sql, engine, catalog, error or "").sql
            except (Ambiguous, QueryError) as exc:
                if isinstance(exc, Refused) or self.settings["model"] == "reader":
                    raise
                failed = exc
            seen = fix.seen_error(error, catalog, sql, self._values_in(engine))
            question = Question(fix.question(sql), hint=seen)
            return self._by_model(engine, sql, question, lambda shown, means: fix.corrected(shown, sql, failed, means))

    def explain(self, engine: Engine, sql: str) -> str:
        """A query in plain language: in the model's words where one is set. Raises `QueryError` for what is none."""
        with self._lock:
            parts = explain.explain(sql, self.catalog(engine), engine.dialect)
            if self.settings["model"] == "reader":
                return parts
            question = Question(explain.question(sql))
            return self._by_model(engine, sql, question, lambda shown, means: explain.worded(shown, parts, means))

    def _by_model(self, engine: Engine, sql: str, question: Question, work: Callable[[Linked, Means], str]) -> str:
        """What `work` writes with the model, within one question's budget; once for a query, schema and settings.

        Its steps are found by `trace` under the query's text.
        """
        if self._asking:
            raise AskError("a model was asked of a query while a question is being answered; a generated query may not")
        chosen, catalog = self._chosen(question), self.catalog(engine)
        key = (question.text, question.hint, catalog.version, *(chosen[s.name] for s in settings_.SETTINGS))
        if key not in self._written:
            asker = Asker(Budget(chosen["max_calls"], chosen["max_tokens"], chosen["max_seconds"]), self._cost)
            checked = fix.checking(engine, catalog, asker)
            self._asking = True
            try:
                self._written[key] = work(*self._means(asker, engine, self._linked(engine, question), chosen, checked))
            finally:
                self._asking = False
                self._keep_trace(sql, asker)
            if len(self._written) > REMEMBERED:
                self._written.popitem(last=False)
        return self._written[key]

    def _keep_trace(self, text: str, asker: Asker) -> None:
        self._traces.pop(text, None)
        self._traces[text] = tuple(asker.trace)
        if len(self._traces) > TRACED:
            self._traces.popitem(last=False)

    def _linked(self, engine: Engine, question: Question) -> Linked:
        """The question with the database that it is about."""
        catalog = self.catalog(engine)
        if not catalog.tables:
            raise AskError("the database has no tables that can be asked")
        return Linked(question.text, question.hint, engine.dialect, catalog, self.values(engine), catalog)

    def _enhanced(self, linked: Linked, chosen: Settings, model: Model | None) -> Linked:
        """The question with what a prompt for `model` shows."""
        show = self._shows(chosen, model)
        context = flag(model, "context")
        room = min(chosen["schema_tokens"], context // 2) if context else chosen["schema_tokens"]
        best = chosen["values_shown"]
        return enhance(linked, show, room, self._examples_of(linked, best) if show == "show" else (), best)

    @staticmethod
    def _shows(chosen: Settings, model: Model | None) -> str:
        """Which values a prompt for a model may hold."""
        return chosen["values"] or ("matched" if flag(model, "remote") else "show")

    def _examples_of(self, linked: Linked, best: int) -> tuple[Match, ...]:
        """The examples of the values as they are, so many of each column; looked up once."""
        assert self._values is not None
        if self._examples is None or self._examples[0] is not self._values or self._examples[1] != best:
            self._examples = (self._values, best, examples_of(linked.values, best))
        return self._examples[2]

    def shown(self, engine: Engine, question: Question) -> Linked:
        """The question with what a prompt shows of the schema and the values. Asks no model."""
        with self._lock:
            chosen = self._chosen(question)
            return self._enhanced(self._linked(engine, question), chosen, named.open_model(chosen, "model"))

    def prompt(self, engine: Engine, question: Question) -> str:
        """The first prompt that a model is sent for a question. Asks no model."""
        with self._lock:
            chosen = self._chosen(question)
            if chosen["model"] == "reader":  # what one would be sent
                return prompts.generation(self.shown(engine, question))
            asker = Asker(Budget(0, 0, 0.0))  # examples are chosen by what is known of them
            tried = self._trier(asker, engine, chosen)
            shown, means = self._means(asker, engine, self._linked(engine, question), chosen, tried)
            return method(chosen["method"], chosen["effort"]).prompt(shown, means)

    def trace(self, question: str) -> tuple[Step, ...]:
        """The steps of the last time that a question was asked here; none where it was not."""
        with self._lock:
            return self._traces.get(question, ())

    def choose(self, engine: Engine, question: Question) -> tuple[Candidate, Checked]:
        """The candidate that answers the question. Raises `Ambiguous` where two are about equally likely.

        A rank that is chosen settles the question here: asked again without one, it has the query of that rank.
        """
        chosen = self._choice(self.find(engine, question), question)
        assert chosen.checked is not None  # only what was checked has rows to be chosen by
        if question.choose is not None:
            with self._lock:
                self._settled_by.pop((question.text, question.hint), None)
                self._settled_by[question.text, question.hint] = chosen.sql
                if len(self._settled_by) > REMEMBERED:
                    self._settled_by.popitem(last=False)
        return chosen, chosen.checked

    def _choice(self, found: Found, question: Question) -> Candidate:
        """The candidate of the rank that is chosen, now or for this question before; else the best. Raises as `choose`.

        What was chosen before counts while it is among the candidates and runs.
        """
        rank = question.choose
        if rank is None and (sql := self._settled_by.get((question.text, question.hint))) is not None:
            rank = next((c.rank for c in found.candidates if c.sql == sql and c.result is not None), None)
        return choose(found.candidates, rank, self.settings["min_confidence"])

    def answer(self, engine: Engine, question: Question) -> Answer:
        """The answer with its rows to be read from `engine` when they are looked at."""
        chosen, checked = self.choose(engine, question)
        found = self.find(engine, question)
        return Answer(
            sql=checked.sql,
            columns=checked.columns,
            confidence=chosen.confidence,
            candidates=found.candidates,
            usage=found.usage,
            _read=lambda: self.rows(engine, checked),
        )

    def sql(self, engine: Engine, question: Question, counted: bool = False) -> str:
        """The SQL whose rows are the answer: the checked query; under isolation the rows that another process read.

        Raises `TooMuch` where the engine would deliver for longer than `query_timeout`; `counted` beyond `max_rows`.
        """
        chosen, checked = self.choose(engine, question)
        assert chosen.result is not None  # what was chosen was tried
        if not self.settings["isolation"]:
            self.check_size(engine, chosen, checked, self.settings["max_rows"] if counted else None)
            return engine.delivery(checked, chosen.result)
        result = self.rows(engine, checked)
        return literals.query(result, checked.types if engine.static_types else None)

    def _running(self, engine: Engine) -> Engine:
        """The engine that generated SQL runs on."""
        return engine.isolated() if self.settings["isolation"] else engine

    def check_size(self, engine: Engine, chosen: Candidate, checked: Checked, most: int | None) -> None:
        """Raises `TooMuch` when an answer never ends or has more than `most` rows, for who lets the engine deliver it.

        All of it is computed once while the data stay as they are, and only if the trial did not see all rows.
        """
        if chosen.result is None or chosen.result.complete:
            if most is not None and (chosen.n_rows or 0) > most:
                raise too_many(most, checked.sql)
            return
        key = (checked.sql, most, engine.schema_version(), engine.data_version())
        if key in self._sized:
            return
        # Counting the columns makes an engine compute them, of the rows after the trial's too.
        counts = ", ".join(f"count({quote(name)})" for name in checked.columns)
        limit = "" if most is None else f" LIMIT {most + 1}"
        counting = f"SELECT count(*) AS n, {counts} FROM (SELECT * FROM (\n{checked.sql}\n){limit})"
        limits = Limits(seconds=self.settings["query_timeout"], rows=1)
        with self._lock:
            found = engine.run(Checked(counting, ("n",), ("INTEGER",)), self.catalog(engine).grant, limits)
        if most is not None and found.rows[0][0] > most:
            raise too_many(most, checked.sql)
        self._sized.add(key)

    def rows(self, engine: Engine, checked: Checked, first: int | None = None) -> Result:
        """All rows of a checked query, or the `first` ones.

        Raises `TooMuch` when all are more than `max_rows`: rows are never cut silently.
        """
        most = self.settings["max_rows"]
        limits = Limits(seconds=self.settings["query_timeout"], rows=first or most, bytes=4 * 2**30)
        with self._lock:
            result = self._running(engine).run(checked, self.catalog(engine).grant, limits)
        if not result.complete and first is None:
            raise too_many(most, checked.sql)
        return result


def answered_by(candidates: Iterable[Candidate], chosen: Settings) -> str:
    """Who was asked for these candidates, and how far that went: 'reader', or the model with its method or effort."""
    if all(c.origin == "reader" for c in candidates):
        return "reader"
    how = f"method {chosen['method']}" if chosen["method"] else f"effort {chosen['effort']}"
    return f"{settings_.as_text(chosen['model'])}, {how}"


def _first_rows(candidate: Candidate) -> Candidate:
    """The candidate with the few rows that are shown of it; a session remembers many."""
    result = candidate.result
    return candidate if result is None else replace(candidate, result=replace(result, rows=result.rows[:PREVIEWED]))


def _what_it_gave(candidate: Candidate, hide: bool) -> str:
    if candidate.result is None:
        return f"{candidate.sql}\nfailed: {without_values(candidate) if hide else candidate.error}"
    more = "more than " if not candidate.result.complete else ""
    return f"{candidate.sql}\n{more}{len(candidate.result.rows) - bool(more)} rows"


def too_many(most: int, sql: str) -> TooMuch:
    """The error for an answer of more than `most` rows."""
    return TooMuch(f"the answer has more than max_rows = {most:,} rows; ask for less or raise it", sql)
