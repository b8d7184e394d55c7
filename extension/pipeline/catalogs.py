"""Find the names of attached databases in a question: "customers in crm" asks only the tables of the database `crm`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from askwhere.engine import Column, Table
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline.facts import Linked
from askwhere.reader.words.names import cut_name
from askwhere.reader.words.tokens import stem

_CALLED = r"(?:database|catalog|db)"
_BEFORE = r"(?:in|from|of|on|within)"
# Words that may follow the name of a database: each begins another part of the question.
_NEXT = "in from of on by per with without who whose which that where when and or for since".split()
_END = rf"(?=\s*(?:$|[?.!,;])|\s+(?:{'|'.join(_NEXT)})\b)"


def named_part(linked: Linked) -> Linked:
    """Return the question without the names of databases, and with a catalog of the tables of those databases.

    A name counts if the question says "database" beside it, or if it is neither a value nor a word in the name of a
    table or column. Nothing changes unless some table must be named by its database.
    """
    tables = linked.catalog.tables
    databases = {table.path[0] for table in tables if len(table.path) > 2}
    if not any(table.short[:-1] and table.short[0] == table.path[0] for table in tables):
        return linked
    questions = " ".join((*(earlier.question for earlier in linked.earlier), linked.question))
    named = [name for name in databases if _is_named(name, questions, linked)]
    if not named:
        return linked
    part = _part(linked.catalog, frozenset(named))
    earlier = tuple(replace(one, question=_without(named, one.question)) for one in linked.earlier)
    question = _without(named, linked.question)
    return replace(linked, question=question, earlier=earlier, catalog=part, schema=part)


def _is_named(name: str, questions: str, linked: Linked) -> bool:
    """Return whether the questions name a database of this name."""
    if not re.search(_phrase(name), questions, re.IGNORECASE):
        return False
    if re.search(rf"(?i)\b(?:{_CALLED}\s+{re.escape(name)}|{re.escape(name)}\s+{_CALLED})\b", questions):
        return True
    return stem(name.lower()) not in _words(linked.catalog) and not linked.values.exact([name])


def _words(catalog: Catalog) -> set[str]:
    """Return the stems of all words of tables, columns and synonyms."""
    things: list[Table | Column] = [*catalog.tables, *(column for table in catalog.tables for column in table.columns)]
    names = (name for thing in things for name in (thing.name, *thing.synonyms))
    return {stem(word) for name in names for word in (*cut_name(name), name.lower())}


def _phrase(name: str) -> str:
    """Return a pattern for a database's name, with "database" or the like beside it."""
    written = re.escape(name).replace("_", "[_ ]")
    return rf"(?:the\s+)?\b(?:{_CALLED}\s+)?{written}(?:\s+{_CALLED})?(?:'s)?\b"


def _without(names: Iterable[str], question: str) -> str:
    """Return a question without the names of databases, and without a preposition that would be left over."""
    for name in names:
        for pattern in (rf"\b{_BEFORE}\s+{_phrase(name)}{_END}", _phrase(name)):
            question = re.sub(pattern, " ", question, flags=re.IGNORECASE)
    return re.sub(r"\s+([?.!,;]|$)", r"\1", " ".join(question.split())).lstrip(" ,;")


@lru_cache(maxsize=8)
def _part(catalog: Catalog, databases: frozenset[str]) -> Catalog:
    """Return the part of a catalog that is in some databases; cached, since the reader derives much from a catalog."""
    return replace(catalog, tables=tuple(table for table in catalog.tables if table.path[0] in databases))
