"""What to tell someone whose question could not be read: the words, near names, and what would help."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from askwhere.engine import Column, Table
from askwhere.errors import Unread
from askwhere.indexer.catalog import Catalog

MODEL = (
    "To have a language model read it: "
    "SELECT ask_set('model', 'openai:NAME') or ask_set('model', 'gguf:/path/model.gguf')"
    "; for all connections, ASKWHERE_MODEL in the environment."
)

_LONG_ENOUGH = 4  # letters: of shorter words too many are alike


def refusal(catalog: Catalog, words: Iterable[str], reason: str = "") -> Unread:
    """The error for a question, with the words that found no place and the names closest to them."""
    unplaced = tuple(dict.fromkeys(word for word in words if word))
    near = tuple(dict.fromkeys(name for word in unplaced for name in near_names(catalog, word)))[:5]
    parts = [reason or _unplaced(unplaced)]
    if near:
        parts.append(f"Did you mean {_either(near)}?")
    return Unread(" ".join([*parts, MODEL]), unplaced, near)


def misread(words: Iterable[str]) -> Unread:
    """The error for a question whose words all have a place, but do not go together in a way that is understood."""
    listed = tuple(dict.fromkeys(word for word in words if word))
    reason = (
        _unplaced(())
        if not listed
        else (f"The built-in reader knows the words of this question, but not what {_quoted(listed)} says in it.")
    )
    return Unread(f"{reason} {MODEL}", listed)


def _quoted(words: tuple[str, ...]) -> str:
    return ", ".join(f"“{word}”" for word in words[:8])


def _unplaced(words: tuple[str, ...]) -> str:
    if not words:
        return "The built-in reader could not tell how the words of this question go together."
    return f"The built-in reader could not place {_quoted(words)} in this database."


def _either(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def near_names(catalog: Catalog, word: str) -> list[str]:
    """Up to three names of tables or columns, or synonyms with what they mean, that are spelled like a word.

    Names too short to tell are left out.
    """
    names: dict[str, str] = {}
    for table in catalog.tables:
        _spell(names, table, table.name)
        for column in table.columns:
            _spell(names, column, f"{table.name}.{column.name}")
    spelled = [name for name in names if len(name) >= _LONG_ENOUGH][:5000]
    close = difflib.get_close_matches(word.lower()[:60], spelled, n=3, cutoff=0.72)
    return [names[name] for name in close]


def _spell(names: dict[str, str], thing: Table | Column, name: str) -> None:
    names.setdefault(thing.name.lower(), name)
    for synonym in thing.synonyms:
        names.setdefault(synonym.lower(), f"{synonym} ({name})")
