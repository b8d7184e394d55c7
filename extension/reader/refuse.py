"""Build the error for a question that is refused: the words at fault, similar names, and how to set a model."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from askwhere.engine import Column, Table
from askwhere.errors import Unread
from askwhere.indexer import comments
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import ValueIndex
from askwhere.sql.literals import literal

MODEL = (
    "To have a language model read it: "
    "SELECT ask_set('model', 'openai:NAME') or ask_set('model', 'gguf:/path/model.gguf')"
    "; for all connections, ASKWHERE_MODEL in the environment."
)

_LONG_ENOUGH = 4  # letters; too many shorter names are similar to each other
_LONGEST_VALUE = 60  # characters of a value that a message names


def refusal(catalog: Catalog, words: Iterable[str], reason: str = "", values: ValueIndex | None = None) -> Unread:
    """Return the error for a question: its words that have no place in the database, and what is spelled like them.

    That is names and, where `values` are given, the values of columns. `reason` replaces the first sentence.
    """
    unplaced = tuple(dict.fromkeys(word for word in words if word))
    spelled = _spelled(catalog)
    found = {name: word for word in unplaced for name in _near(spelled, word)}
    near = tuple(dict.fromkeys(spelled[name].shown for name in found))[:5]
    parts = [reason or _unplaced(unplaced)]
    if near:
        name, word = next(iter(found.items()))
        parts += [f"Did you mean {_either(near)}?", _synonym(word, spelled[name])]
    if alike := _alike(values, unplaced):
        parts.append(f"The data has {_either(alike)}.")
    return Unread(" ".join([*parts, MODEL]), unplaced, near)


@dataclass(frozen=True)
class _Name:
    """A table or column: how a message shows it, and its table and column."""

    shown: str
    table: str
    column: str | None


def _synonym(word: str, name: _Name) -> str:
    """Return the SQL statements, valid in both engines, that make a word a synonym of a name."""
    values = ", ".join(literal(text) for text in (name.table, name.column, word))
    return (
        f"To make “{word}” a word for {name.column or name.table}: {comments.create()}; "
        f"INSERT INTO {comments.TABLE} (table_name, column_name, synonyms) VALUES ({values});"
    )


def misread(words: Iterable[str]) -> Unread:
    """Return the error for a question whose words are all known, but that the grammar or composer could not read.

    `words` are those at which parsing failed.
    """
    listed = tuple(dict.fromkeys(word for word in words if word))
    reason = (
        _unplaced(())
        if not listed
        else (f"The built-in reader knows the words of this question, but not what {_quoted(listed)} says in it.")
    )
    return Unread(f"{reason} {MODEL}", listed)


def _quoted(words: tuple[str, ...]) -> str:
    """Return up to eight words in quotation marks, separated by commas."""
    return ", ".join(f"“{word}”" for word in words[:8])


def _unplaced(words: tuple[str, ...]) -> str:
    """Return the first sentence of the message, which names the words that have no place, if there are any."""
    if not words:
        return "The built-in reader could not tell how the words of this question go together."
    return f"The built-in reader could not place {_quoted(words)} in this database."


def _either(names: tuple[str, ...]) -> str:
    """Return names as a list with "or" before the last."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _near(spelled: dict[str, _Name], word: str) -> list[str]:
    """Return up to three names spelled like a word (`difflib`, ratio at least 0.72); short names are not compared."""
    long_enough = [name for name in spelled if len(name) >= _LONG_ENOUGH][:5000]
    return difflib.get_close_matches(word.lower()[:60], long_enough, n=3, cutoff=0.72)


def _alike(values: ValueIndex | None, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return up to three values spelled like one of the words (`difflib`, ratio at least 0.8), with their columns."""
    found: dict[str, str] = {}
    if values is None:
        return ()
    for word in (w for w in words[:5] if len(w) >= _LONG_ENOUGH):
        matches = [match for match in values.search(word) if len(match.value) <= _LONGEST_VALUE]
        by_text = {match.value.lower(): match for match in reversed(matches)}
        for text in difflib.get_close_matches(word.lower()[:60], by_text, 1, 0.8):
            match = by_text[text]
            found.setdefault(text, f"“{match.value}” ({match.table[-1]}.{match.column})")
    return tuple(found.values())[:3]


def _spelled(catalog: Catalog) -> dict[str, _Name]:
    """Return the names of tables and columns and their synonyms, keyed by their spelling in lower case."""
    names: dict[str, _Name] = {}
    for table in catalog.tables:
        _spell(names, table, _Name(table.name, table.name, None))
        for column in table.columns:
            _spell(names, column, _Name(f"{table.name}.{column.name}", table.name, column.name))
    return names


def _spell(names: dict[str, _Name], thing: Table | Column, name: _Name) -> None:
    """Add the name and the synonyms of a table or column to `names`, without replacing entries."""
    names.setdefault(thing.name.lower(), name)
    for synonym in thing.synonyms:
        names.setdefault(synonym.lower(), replace(name, shown=f"{synonym} ({name.shown})"))
