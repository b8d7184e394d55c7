"""Link a question to the part of the schema that it is about and the values that it may mean, and write the schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import TypeAlias

from askwhere.cells import short
from askwhere.engine import Column, Table
from askwhere.grouping import grouped
from askwhere.indexer import schema
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import Match, ValueIndex, tokens
from askwhere.models import estimate
from askwhere.pipeline.facts import Linked
from askwhere.reader.marking.values import SMALL
from askwhere.reader.words.names import cut_name
from askwhere.reader.words.tokens import stem
from askwhere.sql.dialects import KNOWN
from askwhere.sql.identifiers import quote, shortest
from askwhere.sql.literals import quoted
from rapidfuzz import fuzz

# The default of `values_shown`: SEA-SQL shows the best m = 2 values of every column (Table 4: a third does not help).
VALUES_SHOWN = 2
# The most characters of a cell or comment in a prompt.
_LONGEST = 100
# How a prompt names each table, by its path.
_Names: TypeAlias = dict[tuple[str, ...], str]
# Words of a value and of the question at least as alike as this (0 to 100) are taken for one word, misspelt.
_NEAR = 80
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def examples_of(values: ValueIndex, best: int = VALUES_SHOWN) -> tuple[Match, ...]:
    """Return the example values that a prompt shows beside each column for every question, `best` for a column."""
    return tuple(values.search("", best, fill=True)) if best else ()


def enhance(linked: Linked, show: str, room: int, examples: tuple[Match, ...], best: int = VALUES_SHOWN) -> Linked:
    """Return the question with its semantic-enhanced schema (SEA-SQL, section 3.1), within about `room` tokens.

    Each column's `best` values for the question are shown, and `examples`. `show` is 'show', 'matched' (only values
    that the question itself holds) or 'hide'. What is the same for every question comes first in the text, so that a
    model that caches prefixes need not read it again.
    """
    full_question = linked.whole_text
    matches = [] if show == "hide" or not best else linked.values.search(full_question, best)
    shown = tuple(
        mentioned(matches, full_question, linked.catalog) if show == "show" else (m for m in matches if m.exact)
    )
    written = _by_column(examples)
    # The schema gets at least half of the room, however many values were found.
    names = _shown_names(linked.catalog)
    left = max(room - estimate(_meant_text(shown, names)), room / 2)
    seen_by = linked.catalog if show == "show" else without_labels(linked.catalog)

    def size(table: Table) -> float:
        return estimate(_table_text(table, written, names))

    always = schema.central(seen_by, room, size)
    part = schema.pruned(seen_by, full_question, matches, left, size, always)
    kept = {(table.path, column.name) for table in part.tables for column in table.columns}
    seen = tuple(match for match in shown if (match.table, match.column) in kept)
    return replace(linked, schema=part, common=always, shown=seen, examples=examples, show=show)


def mentioned(matches: Iterable[Match], question: str, catalog: Catalog) -> Iterator[Match]:
    """Yield those of `matches` that a question probably means.

    They are the values that the question contains exactly, or with all words in some form ("nurses" for `Nurse`), or
    with half of their words, perhaps misspelt. For this half, small words and words of the schema's names do not count:
    shown `Rankin` for "ranking", a small model writes a condition with it.
    """
    words = [word for word in tokens(question) if word not in SMALL]
    names = _names_by_stems(catalog)
    named = {part for name in names for part in name}
    asked = {stem(word) for word in words}
    words = [word for word in words if stem(word) not in named]
    for match in matches:
        parts = [part for part in tokens(match.value) if part not in SMALL and len(part) > 1]
        n_shared = sum(any(_alike(part, word) for word in words) for part in parts)
        stems = tuple(map(stem, parts))
        is_named = asked.issuperset(stems) and stems not in names  # a value spelt as a name is more likely that name
        if match.exact or (parts and (is_named or n_shared * 2 >= len(parts))):
            yield match


def _alike(part: str, word: str) -> bool:
    """Return whether a word of a value is a word of a question, perhaps misspelt."""
    return part == word or (len(part) > 3 and fuzz.ratio(part, word) >= _NEAR)


def _names_by_stems(catalog: Catalog) -> set[tuple[str, ...]]:
    """Return the names of tables and columns, each as the stems of its words."""
    names = (name for table in catalog.tables for name in (table.name, *(column.name for column in table.columns)))
    return {tuple(map(stem, cut_name(name))) for name in names}


def without_labels(catalog: Catalog) -> Catalog:
    """Return the catalog with `ENUM` for each type that lists its labels: labels are values."""

    def plain(column: Column) -> Column:
        return replace(column, type=unlabelled(column.type))

    tables = (replace(table, columns=tuple(map(plain, table.columns))) for table in catalog.tables)
    return replace(catalog, tables=tuple(tables))


def unlabelled(text: str) -> str:
    """Return a type, or a message that names one, without the labels of an ENUM."""
    return _LABELS.sub("ENUM", text)


_LABELS = re.compile(r"\bENUM\s*\(\s*'(?:[^']|'')*'(?:\s*,\s*'(?:[^']|'')*')*\s*\)", re.IGNORECASE)


def cut(linked: Linked) -> str:
    """Return a sentence that says which tables and columns a prompt leaves out; '' where it shows the whole schema."""
    whole, part = linked.catalog.tables, linked.schema.tables
    columns = sum(len(t.columns) for t in whole) - sum(len(t.columns) for t in part)
    if not columns:
        return ""
    shown = ", ".join(t.name for t in part)
    return f"shows {len(part)} of {len(whole)} tables and leaves out {columns} columns: {shown}"


def schema_text(catalog: Catalog, examples: Iterable[Match] = (), shown: Iterable[Match] = ()) -> str:
    """Return the schema as a prompt shows it: a CREATE statement for each table, with further facts as comments.

    A column's comment has its description, its synonyms and example values; a key that was guessed says so. After
    the tables come the values that were found for a question, a column a line.
    """
    values = _by_column(examples)
    names = _shown_names(catalog)
    blocks = [*(_table_text(table, values, names) for table in catalog.tables), _meant_text(shown, names)]
    return "\n\n".join(block for block in blocks if block)


def declarations(catalog: Catalog) -> str:
    """Return the tables as CREATE statements with their declared keys and no comments."""
    names = _shown_names(catalog)
    return "\n\n".join(_table_text(_declared(table), {}, names) for table in catalog.tables)


def _shown_names(catalog: Catalog) -> _Names:
    """Return how a prompt names each table: by the shortest name that no other table has."""
    ways = {t.path: t.short for t in (*catalog.grant.tables, *catalog.tables)}  # the prompt may show only some
    return {path: ".".join(map(_written, short)) for path, short in shortest(ways).items()}


def _declared(table: Table) -> Table:
    """Return a table without comments, synonyms and guessed keys."""
    columns = tuple(replace(column, comment="", synonyms=()) for column in table.columns)
    keys = tuple(key for key in table.foreign_keys if not key.guessed)
    return replace(table, columns=columns, foreign_keys=keys, comment="", synonyms=())


def _table_text(table: Table, values: dict[tuple[tuple[str, ...], str], list[str]], names: _Names) -> str:
    """Return the CREATE statement of a table, with comments and example values as SQL comments."""
    lines = [
        (f"{_written(column.name)} {column.type}".rstrip(), _comment(column, values.get((table.path, column.name), ())))
        for column in table.columns
    ]
    if table.primary_key:
        lines.append((f"PRIMARY KEY ({_column_list(table.primary_key)})", ""))
    lines += [
        (
            f"FOREIGN KEY ({_column_list(key.columns)})"
            f" REFERENCES {names.get(key.target) or _written(key.target[-1])} ({_column_list(key.target_columns)})",
            "guessed" if key.guessed else "",
        )
        for key in table.foreign_keys
    ]
    commas = [","] * (len(lines) - 1) + [""]
    head = _with_comment(f"CREATE {_KINDS[table.kind]} {names[table.path]} (", _comment(table))
    body = [_with_comment(f"  {text}{comma}", comment) for (text, comment), comma in zip(lines, commas, strict=True)]
    return "\n".join([head, *body, ");"])


_KINDS = {"table": "TABLE", "view": "VIEW", "virtual": "VIRTUAL TABLE"}


def _with_comment(line: str, comment: str) -> str:
    return f"{line} -- {comment}" if comment else line


def _comment(thing: Table | Column, values: Iterable[str] = ()) -> str:
    """Return a table's or column's comment, synonyms and example values on one line; '' for none."""
    also = f"Also: {one_line(', '.join(thing.synonyms))}" if thing.synonyms else ""
    return ". ".join(text for text in (one_line(thing.comment).removesuffix("."), also, ", ".join(values)) if text)


def _column_list(columns: Iterable[str]) -> str:
    return ", ".join(map(_written, columns))


def one_line(text: str) -> str:
    """Return a cell or comment as one short line: it is data, and must not look like a part of the prompt."""
    flat = " ".join(_CONTROL.sub(" ", text).split())
    return short(flat, _LONGEST)


def _written(name: str) -> str:
    """Return a name as SQL writes it in either engine, always on one line."""
    return name if re.fullmatch(r"\w+", name) and name.lower() not in _reserved() else quote(one_line(name))


@cache
def _reserved() -> frozenset[str]:
    return frozenset().union(*(dialect.keywords for dialect in KNOWN.values()))


def _by_column(matches: Iterable[Match]) -> dict[tuple[tuple[str, ...], str], list[str]]:
    """Return values as SQL literals, by table path and column."""
    return grouped(((match.table, match.column), quoted(one_line(match.value))) for match in matches)


def _meant_text(shown: Iterable[Match], names: _Names) -> str:
    """Return the block of values that were found for the question; '' for none."""
    lines = [
        f"{names.get(path) or _written(path[-1])}.{_written(column)}: {', '.join(matches)}"
        for (path, column), matches in _by_column(shown).items()
    ]
    return "\n".join(["# values that the question may mean", *lines]) if lines else ""
