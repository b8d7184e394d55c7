"""Store pins: questions with the queries that a user has verified, in the database file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import field
from datetime import UTC, datetime

from askwhere.cells import SURROGATE
from askwhere.errors import ArgumentError
from askwhere.frozen import frozen
from askwhere.indexer import formats, forms
from askwhere.indexer.formats import Kind, exists, prepare
from askwhere.sql.lexer import MAX_SQL_BYTES
from askwhere.storage import Storage

KIND = Kind(
    "askwhere_pins",
    "form TEXT NOT NULL, question TEXT NOT NULL, sql TEXT NOT NULL, kinds TEXT NOT NULL, columns TEXT NOT NULL,"
    " tables TEXT NOT NULL, pinned_at TEXT NOT NULL, model TEXT NOT NULL, follows TEXT",
)

MOST_PATTERNS = 10_000  # pins with parameters: each question is compared with all of them


@frozen
class Pin:
    """A question, or a pattern with parameters, and its SQL, in which `{name}` stands for a parameter's value.

    `kinds` has 'number' or 'text' for each parameter. `columns` are the query's columns and `tables` a fingerprint of
    the tables that it reads, both as of `pinned_at` (UTC, ISO 8601). `model` wrote the query; '' if a user did.
    `follows` are the earlier questions that the question refines, oldest first.
    """

    question: str
    sql: str
    kinds: dict[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    tables: str = ""
    pinned_at: str = ""
    model: str = ""
    follows: tuple[str, ...] = ()

    @property
    def form(self) -> str:
        """Return the form of the question (`askwhere.indexer.forms`), in which parameters keep their braces.

        The forms of the earlier questions stand in lines before it.
        """
        parts = forms.PARAMETER.split(self.question)
        plain = [f"{{{part}}}" if number % 2 else forms.form(part) for number, part in enumerate(parts)]
        return "\n".join((*map(forms.form, self.follows), " ".join(part for part in plain if part)))

    @property
    def whole(self) -> bool:
        """Return whether the question stands for itself: it has no parameters and refines no other."""
        return not (self.kinds or self.follows)


def as_text(follows: Sequence[str]) -> str | None:
    """Return the earlier questions of a chain as JSON; None where there are none."""
    return json.dumps(list(follows), ensure_ascii=False) if follows else None


def now() -> str:
    """Return the current time as pins and the log store it: UTC in ISO 8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def load(storages: Iterable[Storage], chain: Sequence[str] | None = None) -> tuple[Pin, ...]:
    """Return the pins, oldest first; of two for one question only the newer.

    With a chain of questions, only pins of its last and all patterns are read. Raise `DatabaseError` where a pin
    is damaged, and where there are too many.
    """
    newest: dict[str, Pin] = {}
    columns = ("question", "sql", "kinds", "columns", "tables", "pinned_at", "model", "follows")
    condition = "" if chain is None else "WHERE form = ? OR kinds <> '{}'"
    parameters = () if chain is None else ("\n".join(map(forms.form, chain)),)
    most = formats.MOST if chain is None else MOST_PATTERNS
    for pin in formats.load(storages, KIND, columns, _pin, condition, parameters, most):
        if pin.form not in newest or newest[pin.form].pinned_at <= pin.pinned_at:
            newest[pin.form] = pin
    return tuple(sorted(newest.values(), key=lambda pin: (pin.pinned_at, pin.form)))


def _pin(
    question: str, sql: str, kinds: str, columns: str, tables: str, pinned_at: str, model: str, follows: str | None
) -> Pin:
    """Return a stored pin. Raise `ValueError` or another error where it is damaged."""
    if len(sql) > MAX_SQL_BYTES:
        raise ValueError(f"the query of {question[:80]!r} has {len(sql):,} characters, and none is so long")
    earlier = tuple(json.loads(follows or "[]"))
    made = Pin(question, sql, json.loads(kinds), tuple(json.loads(columns)), tables, pinned_at, model, earlier)
    texts = (question, sql, tables, pinned_at, model, *made.columns, *earlier)
    known = sorted(made.kinds) == sorted(forms.PARAMETER.findall(question))
    if not (known and {*made.kinds.values()} <= {"number", "text"} and all(isinstance(text, str) for text in texts)):
        raise ValueError(f"what it holds for {question!r} is no pin")
    return made


def add(storage: Storage, pins: Sequence[Pin]) -> int:
    """Store pins in place of those for the same questions. Return how many were replaced. The caller commits."""
    table, replaced = prepare(storage, KIND), 0
    for pin in pins:
        replaced += bool(_remove(storage, table, pin.form))
        row: tuple[str | None, ...] = (pin.form, pin.question, pin.sql, json.dumps(pin.kinds), json.dumps(pin.columns))
        row = (*row, pin.tables, pin.pinned_at, pin.model, as_text(pin.follows))
        storage.execute(f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    return replaced


def remove(storage: Storage, form: str) -> bool:
    """Delete the pin of a form. Return whether there was one. The caller commits."""
    return exists(storage, KIND) and _remove(storage, prepare(storage, KIND), form)


def _remove(storage: Storage, table: str, form: str) -> bool:
    rows = storage.execute(f"SELECT 1 FROM {table} WHERE form = ?", (form,))
    storage.execute(f"DELETE FROM {table} WHERE form = ?", (form,))
    return bool(rows)


def find(pins: Sequence[Pin], chain: Sequence[str]) -> tuple[Pin, dict[str, str]] | None:
    """Return the pin of the last question of a chain with its parameters' values, or None.

    A pin without parameters comes before patterns; of patterns the one with the most words outside parameters counts.
    Raise `ArgumentError` where a question fits a pattern in several ways, or two patterns equally well.
    """
    *earlier, question = chain
    follows = [forms.form(text) for text in earlier]
    asked = forms.form(question)
    pins = [pin for pin in pins if [forms.form(text) for text in pin.follows] == follows]
    for pin in pins:
        if not pin.kinds and forms.form(pin.question) == asked:
            return pin, {}
    fitting = [(pin, fits) for pin in pins if pin.kinds and (fits := forms.fits(pin.question, question, pin.kinds))]
    if not fitting:
        return None
    heaviest = max(forms.weight(pin.question) for pin, _ in fitting)
    best = [(pin, fits) for pin, fits in fitting if forms.weight(pin.question) == heaviest]
    if len(best) > 1:
        listed = " and ".join(repr(pin.question) for pin, _ in best)
        raise ArgumentError(f"the question fits the pins {listed} equally well; ask it in other words, or unpin one")
    pin, fits = best[0]
    if len(fits) > 1:
        listed = " or ".join(", ".join(f"{{{name}}} = {value!r}" for name, value in fit.items()) for fit in fits)
        raise ArgumentError(
            f"the question fits the pin {pin.question!r} in several ways: {listed}; put the values in quotes"
        )
    return pin, fits[0]


def to_json(pin: Pin) -> str:
    """Return a pin as one line of JSON, which `askwhere pins --export` writes."""
    shown: dict[str, object] = {
        "question": pin.question,
        "sql": pin.sql,
        "pinned_at": pin.pinned_at,
        "model": pin.model,
    }
    shown |= {"follows": list(pin.follows)} if pin.follows else {}
    return json.dumps(shown, ensure_ascii=False)


def from_json(line: str, place: str) -> Pin:
    """Return the pin in a line of JSON. Raise `ArgumentError`, which names the `place` of the line."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError) as exc:
        raise ArgumentError(f"{place}: expected a JSON object, found {line[:80]!r} ({exc})") from None
    texts = (
        {name: content.get(name, "") for name in ("question", "sql", "pinned_at", "model")}
        if isinstance(content, dict)
        else {}
    )
    if not texts.get("question") or not texts.get("sql") or not all(isinstance(t, str) for t in texts.values()):
        raise ArgumentError(f'{place}: expected {{"question": "…", "sql": "…"}}, found {line[:80]!r}')
    follows = content.get("follows", [])
    if not isinstance(follows, list) or not all(isinstance(text, str) for text in follows):
        raise ArgumentError(f"{place}: expected a list of earlier questions in follows, found {str(follows)[:80]!r}")
    if SURROGATE.search("".join((*texts.values(), *follows))):
        raise ArgumentError(f"{place}: half of a surrogate pair is no character, found {line[:80]!r}")
    return Pin(
        texts["question"], texts["sql"], pinned_at=texts["pinned_at"], model=texts["model"], follows=tuple(follows)
    )
