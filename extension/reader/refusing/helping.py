"""Suggest changes to a refused question, only such that the reader can read the changed question.

Tried in this order: a near name, value or word of the reader's own for each unknown word; synonyms for words that an
uncertain reading guesses; each of two names that compete for a word; what is to be shown put first; stock at its cost
or price; an amount in total or on average; a key between tables that nothing joins; the fewest words left out.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import combinations, islice

from askwhere.engine import Column, Table
from askwhere.errors import Unread
from askwhere.indexer import comments, keys
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.reader.bind import bindings
from askwhere.reader.grammar.cursor import Stuck
from askwhere.reader.grammar.draft import Draft
from askwhere.reader.grammar.question import draft
from askwhere.reader.known import Known, known_from, known_of
from askwhere.reader.likely import learned
from askwhere.reader.marking.place import Cut, Lattice, cuts, lattice
from askwhere.reader.marking.views import name_view
from askwhere.reader.read import LONGEST, SECONDS, readings_of_cuts, weighed
from askwhere.reader.readings import LEAST, Reading, readings_of
from askwhere.reader.refuse import refusal_text
from askwhere.reader.refusing.examples import SURE
from askwhere.reader.refusing.rewording import (
    Rewording,
    competing_names,
    moved,
    replaced,
    valued,
    with_replacements,
)
from askwhere.reader.refusing.shortening import Shorter, shortened
from askwhere.reader.schema.lexicon import READ_AS
from askwhere.reader.search import Way
from askwhere.reader.words.phrases import PARTS_OF_DATABASES
from askwhere.reader.words.tokens import plain, stem, tokenise
from askwhere.sql.literals import literal

READ = 12  # the most questions that are read to find what helps
COMPOSED = 24  # the most shorter questions of which a query is composed
THINGS = 2  # the most that is advised, beside a model and an uncertain reading
UNCERTAIN = 0.4  # the least confidence of a reading whose SQL is shown, though it is too uncertain to be run
WIDEST = 500  # columns; a synonym or key is not tried in a larger catalog, whose names take too long to learn anew
_KEYS = 3  # keys to try
_SCHEMA = "The tables and their columns: SELECT ask_schema();"
_SUMMARIES = (("total", "In total"), ("average", "On average"))

# The keys that may join some tables, each as two texts like 'orders.cust' and 'customer.id'.
Keys = Callable[[tuple[Table, ...]], Iterable[tuple[str, str]]]


def helped(
    error: Unread, question: str, catalog: Catalog, values: ValueIndex, dialect: str, keys_of: Keys, other: str = ""
) -> Unread:
    """Return the error of a refused question with what to do about it, as far as that is found within the limits.

    `other` is a line of advice that is added where no other question is advised.
    """
    text = plain(question)
    tokens = tokenise(text) if len(text) <= 2_000 else ()
    if not 0 < len(tokens) <= LONGEST or not catalog.tables:
        return Unread(refusal_text(error.reason, other), error.reason, error.words) if other else error
    trial = _Trial(text, catalog, values, dialect, keys_of)
    if trial.asks_for_schema():
        return Unread(refusal_text(error.reason, _SCHEMA), error.reason, error.words)
    advice = list(islice(trial.whole(), THINGS)) or list(islice(trial.shorter(), THINGS))
    reason, shown = error.reason, tuple[str, ...]()
    if best := trial.uncertain():
        reason = f"The built-in reader is too uncertain of its reading to run it ({best.confidence:.0%})."
        notes = f" -- {', '.join(best.notes)}" if best.notes else ""
        shown = (f"If it is what you mean, run it yourself: {best.sql};{notes}",)
    questions = tuple(asked for _, asked in advice if asked)
    lines = (*shown, *(line for line, _ in advice), *([other] if other and not questions else ()))
    return Unread(refusal_text(reason, *lines), reason, error.words, questions) if lines else error


class _Trial:
    """The attempts to make one question readable. Each yields a line of advice, and what to ask instead or ''."""

    def __init__(self, text: str, catalog: Catalog, values: ValueIndex, dialect: str, keys_of: Keys) -> None:
        self._text, self._tokens = text, tokenise(text)
        self._catalog, self._values, self._dialect, self._keys_of = catalog, values, dialect, keys_of
        self._left, self._until = READ, time.thread_time() + SECONDS
        known = known_of(catalog, values)
        found = cuts(self._lattice(text, known))
        if known.without_views and not name_view(found[:1], known.views):
            known = known.without_views
            found = cuts(self._lattice(text, known))
        self._known, self._found = known, found

    def asks_for_schema(self) -> bool:
        """Return whether a word that has no place is one for what a database consists of: "show tables"."""
        return any(m.kind == "unknown" and stem(m.text.lower()) in PARTS_OF_DATABASES for m in self._found[0].marks)

    def uncertain(self) -> Reading | None:
        """Return the only reading of all words, if it is right almost as often as not; None otherwise."""
        found = self._of_cuts
        shown = len(found) == 1 and found[0].sql and UNCERTAIN <= found[0].confidence < learned().least
        return found[0] if shown else None

    def whole(self) -> Iterator[tuple[str, str]]:
        """Yield what helps and leaves nothing out, likeliest first."""
        yield from self._replaced()
        yield from self._taught()
        yield from self._competing()
        for asked in moved(self._text):
            if self._reads(asked):
                yield f"In another order: {_ask(asked)}", asked
        for asked, price in valued(self._text):
            if self._reads(asked):
                yield f"At its {price}: {_ask(asked)}", asked
        yield from self._totalled()
        yield from self._joined()

    def shorter(self) -> Iterator[tuple[str, str]]:
        """Yield the question with the fewest words left out, and others that leave out other words."""
        before: list[set[str]] = []
        shorter = shortened(self._text, self._tokens, self._found, self._known.lexicon)
        for one in islice(shorter, COMPOSED):
            if self._left <= 0 or time.thread_time() > self._until:
                return
            removed = {word for words in one.removed for word in words.split()}
            if not any(some <= removed for some in before) and self._may_read(one) and self._reads(one.text):
                before.append(removed)
                yield f"Without {', '.join(f'“{words}”' for words in one.removed)}: {_ask(one.text)}", one.text

    def _lattice(self, text: str, known: Known) -> Lattice:
        return lattice(text, tokenise(text), known.lexicon, known.catalog, self._values)

    def _reads(self, text: str, known: Known | None = None) -> Reading | None:
        """Return the one reading that answers a question in which no word is left out, None if there is none."""
        if self._left <= 0 or time.thread_time() > self._until:
            return None
        self._left -= 1
        known = known or self._known
        found = readings_of_cuts(cuts(self._lattice(text, known)), known, self._dialect, [])
        return found[0] if len(found) == 1 and _is_likely(found[0]) else None

    def _replaced(self) -> Iterator[tuple[str, str]]:
        unknown = [mark for mark in self._found[0].marks if mark.kind == "unknown"][:3]
        known = self._known
        for others in replaced(unknown, known.lexicon, known.catalog, self._values):
            asked = with_replacements(self._text, self._tokens, others)
            if not self._reads(asked):
                continue
            yield f"With {', '.join(map(_instead, others))}: {_ask(asked)}", asked
            if len(others) == 1:
                yield from self._synonym(others[0])

    def _synonym(self, one: Rewording) -> Iterator[tuple[str, str]]:
        """Yield the statement that makes a word a synonym, if the question then reads."""
        if one.table is None:
            return
        tables = [_called(t, one.word, one.column) if t.path == one.table.path else t for t in self._catalog.tables]
        if self._assumed(tables):
            yield synonym(one.word, one.table, one.column), ""

    def _taught(self) -> Iterator[tuple[str, str]]:
        """Yield the statements that make the guessed words of an uncertain reading synonyms, if that makes it sure."""
        best = self.uncertain()
        slots = best.meaning.draft.slots if best and best.meaning else []
        guesses = {slot.text: slot.senses[0] for slot in slots if slot.senses and READ_AS in slot.senses[0].note}
        if not guesses or len(guesses) > THINGS or any(len(sense.columns) > 1 for sense in guesses.values()):
            return
        tables = list(self._catalog.tables)
        for word, sense in guesses.items():
            column = sense.column if sense.columns else None
            tables = [_called(t, word, column) if t.path == sense.table.path else t for t in tables]
        if self._assumed(tables):
            for word, sense in guesses.items():
                yield synonym(word, sense.table, sense.column if sense.columns else None), ""

    def _assumed(self, tables: Iterable[Table]) -> Reading | None:
        """Return the reading of the question that changed tables give it."""
        catalog = replace(self._catalog, tables=tuple(tables))
        if self._left <= 0 or sum(len(table.columns) for table in catalog.tables) > WIDEST:
            return None
        known = known_from(catalog, self._values)
        return self._reads(self._text, known.without_views or known)

    def _competing(self) -> Iterator[tuple[str, str]]:
        """Yield the question with each of two names that compete for a word in it, if it then reads with both."""
        best = self._of_cuts
        if not best or best[0].meaning is None or not self._left:
            return
        both = competing_names(best[0].meaning)
        asked = [with_replacements(self._text, self._tokens, (one,)) for one in both]
        if len(both) == 2 and all(map(self._reads, asked)):
            first, second = both
            said = f"“{first.word}” may be {first.shown} or {second.shown}"
            yield f"{said}. For {first.shown}: {_ask(asked[0])}", asked[0]
            yield f"For {second.shown}: {_ask(asked[1])}", asked[1]

    def _joined(self) -> Iterator[tuple[str, str]]:
        """Yield the statement that declares a key, if the question then reads."""
        tables = self._unjoined
        for key, other in list(self._keys_of(tables))[:_KEYS] if tables else ():
            changed, _ = keys.declared(self._catalog.tables, keys.Keys((keys.Row(key, other),)))
            if self._assumed(changed):
                yield f"If {key} refers to {other}: SELECT ask_key({literal(key)}, {literal(other)});", ""

    def _totalled(self) -> Iterator[tuple[str, str]]:
        """Yield the question with "total" or the like before its amount, "output per year", if that can be read."""
        first = next(iter(self._found[0].marks), None)
        for word, said in _SUMMARIES if first and first.kind == "column" else ():
            if self._reads(asked := f"{word} {_begun(self._text)}"):
                yield f"{said}: {_ask(asked)}", asked

    @cached_property
    def _of_cuts(self) -> tuple[Reading, ...]:
        """Return the readings of the question as it is, none of them likely enough."""
        return readings_of_cuts(self._found, self._known, self._dialect, [])

    @cached_property
    def _unjoined(self) -> tuple[Table, ...]:
        """Return the tables that the question is about where no keys join them."""
        graph = self._known.graph
        for meaning in self._drafts():
            paths = {max(slot.senses, key=lambda s: s.score).table.path for slot in meaning.slots if slot.senses}
            if not bindings(meaning, graph) and any(
                math.isinf(graph.distance(*pair)) for pair in combinations(paths, 2)
            ):
                return tuple(t for t in self._catalog.tables if t.path in paths)
        return ()

    def _drafts(self) -> Iterator[Draft]:
        """Yield what the best cuts say, where they can be parsed."""
        for cut in self._found[:4]:
            if any(mark.kind == "unknown" for mark in cut.marks):
                continue
            try:
                yield draft(cut.marks, self._known.lexicon)
            except Stuck:
                continue

    def _may_read(self, one: Shorter) -> bool:
        """Return whether the marks that are left give a likely query: this takes less than to read the text."""
        score = sum(mark.score for mark in one.marks)
        way, cut = Way(score, one.marks), Cut(score, one.marks)
        found = weighed(readings_of(one.draft, way, cut, self._known, self._dialect, LEAST), searched=False)
        return bool(found) and _is_likely(found[0])


def synonym(word: str, table: Table, column: Column | None) -> str:
    """Return the SQL statements, valid in both engines, that make a word a synonym of a name."""
    values = ", ".join(literal(text) for text in (table.name, column.name if column else None, word))
    return (
        f"To make “{word}” a word for {column.name if column else table.name}: {comments.create()}; "
        f"INSERT INTO {comments.TABLE} (table_name, column_name, synonyms) VALUES ({values});"
    )


def _is_likely(reading: Reading) -> bool:
    """Return whether a reading is likely enough to be advised, and guesses no word of the question."""
    guesses = any(READ_AS in note for note in reading.notes)
    return bool(reading.sql) and not guesses and reading.confidence >= SURE


def _begun(text: str) -> str:
    """Return a text without the capital letter of its beginning: "CO2" keeps it."""
    first = text.split(maxsplit=1)[0]
    return f"{text[0].lower()}{text[1:]}" if first.istitle() and first.isalpha() else text


def _called(table: Table, word: str, column: Column | None) -> Table:
    """Return a table with a synonym for it, or for one of its columns."""
    if column is None:
        return replace(table, synonyms=(*table.synonyms, word))
    columns = (replace(c, synonyms=(*c.synonyms, word)) if c.name == column.name else c for c in table.columns)
    return replace(table, columns=tuple(columns))


def _instead(one: Rewording) -> str:
    shown = f" ({one.shown})" if one.shown and one.shown.lower() != one.instead.lower() else ""
    return f"“{one.instead}”{shown} for “{one.word}”"


def _ask(question: str) -> str:
    return f"SELECT * FROM ask({literal(question)});"
