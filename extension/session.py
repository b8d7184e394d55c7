"""What one connection remembers while it is asked: settings, the catalog, values, and questions already answered."""

from __future__ import annotations

import importlib
import threading
import time
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from askwhere import literals
from askwhere import settings as settings_
from askwhere.engine import Checked, Engine, Limits, Result, quote
from askwhere.errors import AskError, TooMuch
from askwhere.indexer import catalog as catalog_
from askwhere.indexer import index, progress
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.models import Model
from askwhere.pipeline.facts import Candidate, Linked, Usage
from askwhere.pipeline.generate import generate
from askwhere.pipeline.link import link
from askwhere.pipeline.select import choose, rank, try_out

# A trial shows whether a query runs and how its rows begin; it is not the answer's delivery.
TRIAL_ROWS = 1_001
REMEMBERED = 1_000


@dataclass(frozen=True)
class Question:
    """What was asked: the text, and the optional arguments of `ask`."""

    text: str
    model: str | Model | None = None
    effort: str | None = None
    hint: str | None = None
    choose: int | None = None


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
    """One connection's memory. Its methods take the engine to work on, as SQL functions work on one of their own."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.settings = settings_.load(given)
        self._lock = threading.RLock()
        self._asking = False
        self._catalog: tuple[Hashable, Catalog] | None = None
        self._values: tuple[Hashable, index.Opened] | None = None
        self._noted: set[str] = set()
        self._found: OrderedDict[Hashable, Found] = OrderedDict()
        self._sized: set[Hashable] = set()

    def set(self, name: str, value: Any, source: str = "ask_set") -> str:
        """Change a setting for this connection; returns what was done. Raises `SettingError`."""
        with self._lock:
            self.settings = self.settings.with_value(source, name, value)
        name = name.strip().lower()
        return f"{name} = {settings_.as_text(self.settings[name])}"

    def catalog(self, engine: Engine) -> Catalog:
        """The catalog as the settings show it, read again when the schema or those settings have changed."""
        chosen = {n: self.settings[n] for n in ("hide_columns", "include_tables", "exclude_tables", "allow_functions")}
        key = (engine.schema_version(), tuple(chosen.values()))
        if self._catalog is None or self._catalog[0] != key:
            self._catalog = (key, catalog_.read(engine, **chosen))
        return self._catalog[1]

    def values(self, engine: Engine) -> ValueIndex:
        """The value index of the catalog: the stored one, and in memory what that lacks; opened again when rows may
        have changed. What it has not all of is logged, once.
        """
        catalog = self.catalog(engine)
        key = (catalog.version, catalog.grant.hidden, tuple(t.path for t in catalog.tables), engine.data_version())
        if self._values is None or self._values[0] != key or not index.is_current(self._values[1], engine):
            self._values = (key, index.open_(engine, catalog))
            for note in self._values[1].notes:
                if note not in self._noted:
                    index.log.warning(note)
                self._noted.add(note)
        return index.Values(self._values[1], engine)

    def index(self, engine: Engine, table: str | None = None) -> str:
        """Index the values of all tables, or of one again, or with 'drop' none; says what was done."""
        from askwhere.indexer.build import Limits as IndexLimits  # numpy comes with it

        with self._lock:
            if table is not None and table.strip().lower() == "drop":
                return index.drop(engine)
            catalog, chosen = self.catalog(engine), self.settings
            sizes = (chosen["index_characters"], chosen["index_values"], chosen["index_words"])
            limits = IndexLimits(*sizes, numbers=chosen["index_numbers"] == "on")
            tell = progress.on_terminal("indexing")
            if table is None:
                return index.build(engine, catalog, limits, tell)
            return index.refresh(engine, catalog, table, limits, tell)

    def find(self, engine: Engine, question: Question) -> Found:
        """The candidates for a question, tried and ranked; found once per connection and schema version."""
        with self._lock:
            if self._asking:
                raise AskError("ask() was called while a question is being answered; a generated query may not ask")
            key = self._key(engine, question)
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]
            self._asking = True
            try:
                found = self._find(engine, question)
            finally:
                self._asking = False
            self._found[key] = found
            if len(self._found) > REMEMBERED:
                self._found.popitem(last=False)
            return found

    def _key(self, engine: Engine, question: Question) -> Hashable:
        settings = {s.name: self.settings[s.name] for s in settings_.SETTINGS}
        settings |= {"model": self._model(question), "effort": self._effort(question)}
        return (question.text, question.hint, engine.schema_version(), tuple(settings.values()))

    def _effort(self, question: Question) -> str:
        return str(settings_.parse("effort", question.effort or self.settings["effort"]))

    def _find(self, engine: Engine, question: Question) -> Found:
        started = time.monotonic()
        linked = self.link(engine, question)
        drafted = generate(linked, self._model(question), self._effort(question))
        if not drafted.candidates:
            raise drafted.refusal or AskError("no candidate was found")
        limits = Limits(seconds=self.settings["query_timeout"], rows=TRIAL_ROWS)
        runner = self._running(engine)
        tried = [try_out(c, runner, linked.catalog.grant, limits) for c in drafted.candidates]
        usage = replace(drafted.usage, seconds=time.monotonic() - started)
        return Found(rank(tried, engine.dialect), usage)

    def link(self, engine: Engine, question: Question) -> Linked:
        """The question with the schema and values it is about."""
        if not self.catalog(engine).tables:
            raise AskError("the database has no tables that can be asked")
        show = self.settings["values"] or ("matched" if getattr(self._model(question), "remote", False) else "show")
        catalog, values, room = self.catalog(engine), self.values(engine), self.settings["schema_tokens"]
        return link(question.text, question.hint, engine.dialect, catalog, values, show, room)

    def _model(self, question: Question) -> Model | None:
        model = settings_.parse("model", question.model or self.settings["model"])
        return None if model == "reader" else model

    def choose(self, engine: Engine, question: Question) -> tuple[Candidate, Checked]:
        """The candidate that answers the question. Raises `Ambiguous` where two are about equally likely."""
        found = self.find(engine, question)
        chosen = choose(found.candidates, question.choose, self.settings["min_confidence"])
        assert chosen.checked is not None  # only what was checked has rows to be chosen by
        return chosen, chosen.checked

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
        key = (checked.sql, most, engine.schema_version(), engine.data_version())
        if chosen.result is None or chosen.result.complete or key in self._sized:
            return
        # Counting the columns makes an engine compute them, of the rows after the trial's too.
        counts = ", ".join(f"count({quote(name)})" for name in checked.columns)
        limit = "" if most is None else f" LIMIT {most + 1}"
        counting = f"SELECT count(*) AS n, {counts} FROM (SELECT * FROM (\n{checked.sql}\n){limit})"
        limits = Limits(seconds=self.settings["query_timeout"], rows=1)
        with self._lock:
            found = engine.run(Checked(counting, ("n",), ("INTEGER",)), self.catalog(engine).grant, limits)
        if most is not None and found.rows[0][0] > most:
            raise _too_many(most, checked.sql)
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
            raise _too_many(most, checked.sql)
        return result


def _too_many(most: int, sql: str) -> TooMuch:
    return TooMuch(f"the answer has more than max_rows = {most:,} rows; ask for less or raise it", sql)
