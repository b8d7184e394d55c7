"""Make the texts to train on: the product's own prompts, each with the reply that would have been right.

Prompts are those of `askwhere.pipeline.prompts`, to the letter. The reply to a prompt that ends with SELECT continues
the query.
"""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from askwhere.engine import Result
from askwhere.errors import AskError, QueryError
from askwhere.indexer.values import tokens
from askwhere.pipeline import decompose, mcs_prompts, prompts
from askwhere.pipeline.correct import ROWS_SHOWN, outcome_text
from askwhere.pipeline.demonstrations import Demonstration
from askwhere.pipeline.facts import Candidate, Linked
from askwhere.pipeline.prompts import Attempt
from askwhere.pipeline.skeleton import entities, skeleton
from askwhere.rewrite.explain import explain


@dataclass(frozen=True)
class Known:
    """A linked question with its right query, and other questions about the same database with theirs."""

    linked: Linked
    sql: str
    others: tuple[Demonstration, ...] = ()


@dataclass(frozen=True)
class Text:
    """A prompt, and the reply to learn."""

    prompt: str
    reply: str


Task = Callable[[Known, random.Random, sqlite3.Connection | None], Text | None]


def generation(known: Known, rng: random.Random, con: sqlite3.Connection | None) -> Text | None:
    """Make a text for the query of a question."""
    return Text(prompts.generation(known.linked), f"```sql\n{known.sql}\n```")


def few_shot(known: Known, rng: random.Random, con: sqlite3.Connection | None) -> Text | None:
    """Make a text for the query of a question with demonstrations."""
    if not known.others:
        return None
    return Text(prompts.few_shot(known.linked, _some(known.others, 3, rng)), _after_select(known.sql))


def skeletons(known: Known, rng: random.Random, con: sqlite3.Connection | None) -> Text | None:
    """Make a text for a query made up from the question alone (DAC's skeleton parsing)."""
    return Text(prompts.hallucination(known.linked, _some(known.others, 2, rng)), _after_select(known.sql))


def alignment(known: Known, rng: random.Random, con: sqlite3.Connection | None) -> Text | None:
    """Make a text for what each word of the question stands for (DAC's entity linking)."""
    words = tokens(known.linked.question)
    named = decompose.alignment(Demonstration(known.linked.question, known.sql), known.linked.dialect)
    reply = json.dumps([{"token": a.token, "schema": a.schema or None, "type": a.kind or None} for a in named])
    draft = _wrong(known, rng) or known.sql
    return Text(prompts.alignment(known.linked, draft, words, ()), f" {reply}")


def entity_correction(known: Known, rng: random.Random, con: sqlite3.Connection | None) -> Text | None:
    """Make a text for the right query, from one that lacks tables or columns that the question names (DAC)."""
    wrong, tables = _wrong(known, rng), known.linked.schema.tables
    if wrong is None:
        return None
    missing = sorted(_named(known.sql, known, tables) - _named(wrong, known, tables))
    if not missing:
        return None
    return Text(prompts.entity_correction(known.linked, wrong, missing), _after_select(known.sql))


def skeleton_correction(known: Known, rng: random.Random, con: sqlite3.Connection | None) -> Text | None:
    """Make a text for the right query, from one of another skeleton and the right skeleton (DAC)."""
    wrong, form = _wrong(known, rng), skeleton(known.sql, known.linked.dialect)
    if wrong is None or not form:
        return None
    return Text(prompts.skeleton_correction(known.linked, wrong, form), _after_select(known.sql))


def correction(known: Known, rng: random.Random, con: sqlite3.Connection | None) -> Text | None:
    """Make a text for the right query, from one that fails and its error."""
    broken = _misspelt(known.sql, rng)
    error = _error(broken, con) if con is not None and broken else None
    if not broken or error is None:
        return None
    return Text(prompts.correction(known.linked, (Attempt(broken, error),)), _after_select(known.sql))


def elimination(known: Known, rng: random.Random, con: sqlite3.Connection | None) -> Text | None:
    """Make a text for SEA-SQL's bias eliminator: the right query, from a first query and its result.

    Half of the first queries are right.
    """
    draft = known.sql if rng.random() < 0.5 else _wrong(known, rng)
    if draft is None or con is None:
        return None
    outcome = outcome_text(known.linked, ran(draft, con))
    return Text(prompts.elimination(known.linked, draft, outcome), _after_select(known.sql))


def explained(known: Known, rng: random.Random, con: sqlite3.Connection | None) -> Text | None:
    """Make a text for a query after an explanation (MCS-SQL, section 3.2.2); the explanation is made from the query."""
    try:
        explanation = " ".join(explain(known.sql, known.linked.catalog, known.linked.dialect).split())
    except AskError:
        return None
    shown = _some(known.others, 3, rng) if known.others and rng.random() < 0.5 else []
    return Text(mcs_prompts.generation(known.linked, (), shown), f" {explanation}\n```sql\n{known.sql}\n```")


def choice(known: Known, rng: random.Random, con: sqlite3.Connection | None) -> Text | None:
    """Make a text for the right one of several queries (MCS-SQL's multiple choice)."""
    wrong = {w for w in (_wrong(known, rng) for _ in range(rng.randint(1, 3))) if w}
    if not wrong:
        return None
    queries = [known.sql, *wrong]
    rng.shuffle(queries)
    number = queries.index(known.sql) + 1
    return Text(mcs_prompts.choice(known.linked, (), (), queries), f' {{"answer": {number}}}')


# The weights that tasks are drawn with.
TASKS: tuple[tuple[Task, int], ...] = (
    (generation, 59), (few_shot, 8), (skeletons, 6), (alignment, 2), (entity_correction, 4), (skeleton_correction, 4),
    (correction, 4), (elimination, 5), (explained, 5), (choice, 3),
)  # fmt: skip


def ran(sql: str, con: sqlite3.Connection) -> Candidate:
    """Run a query and return it with its first rows or its error, as the product's steps pass it on."""
    try:
        cursor = con.execute(sql)
        rows = cursor.fetchmany(ROWS_SHOWN + 1)
    except sqlite3.Error as exc:
        return Candidate(sql, "", error=QueryError(str(exc)))
    names = tuple(column[0] for column in cursor.description)
    return Candidate(sql, "", result=Result(names, tuple(rows), len(rows) <= ROWS_SHOWN, 0.0))


def _after_select(sql: str) -> str:
    return " " + sql.removeprefix("SELECT").strip() if sql.startswith("SELECT") else sql


def _some(others: Sequence[Demonstration], most: int, rng: random.Random) -> list[Demonstration]:
    return rng.sample(list(others), min(len(others), rng.randint(1, most)))


def _named(sql: str, known: Known, tables: Iterable[object]) -> frozenset[str]:
    return entities(sql, known.linked.dialect, known.linked.schema.tables)


def _error(sql: str, con: sqlite3.Connection) -> str | None:
    try:
        con.execute(sql).fetchone()
    except sqlite3.Error as exc:
        return str(exc)
    return None


def _misspelt(sql: str, rng: random.Random) -> str:
    """Return the query with one of its names misspelt; '' where that is not possible."""
    names = [
        m for m in re.finditer(r"\b[A-Za-z_]\w{2,}\b", sql) if m[0].upper() != m[0] and not _quoted(sql, m.start())
    ]
    if not names:
        return ""
    at = rng.choice(names)
    name = at[0]
    other = rng.choice((f"{name}s", name[:-1], f"{name}_id", f"{name}_name", name.replace("_", "")))
    return sql[: at.start()] + other + sql[at.end() :] if other != name else ""


def _quoted(sql: str, at: int) -> bool:
    """Return whether a place of the query stands inside a text."""
    return sql[:at].count("'") % 2 == 1


def _wrong(known: Known, rng: random.Random) -> str | None:
    """Return a query over the same database that does not answer the question, or None.

    It is the query of another question, or this one with one part changed.
    """
    if known.others and rng.random() < 0.4:
        sql = rng.choice(known.others).sql
        return sql if sql != known.sql else None
    changed = _changed(known, rng)
    return changed if changed and changed != known.sql else None


def _changed(known: Known, rng: random.Random) -> str | None:
    """Return the query with one part changed at random: a clause, an aggregate, a comparison or a column."""
    sql = known.sql
    changes = [
        lambda: re.sub(r" WHERE .*?(?= GROUP| ORDER| LIMIT|$)", "", sql, count=1),
        lambda: re.sub(r" ORDER BY .*$", "", sql),
        lambda: sql.replace(" DESC", "", 1) if " DESC" in sql else re.sub(r"( ORDER BY \S+)", r"\1 DESC", sql),
        lambda: re.sub(r"\b(MAX|MIN|AVG|SUM)\b", lambda _: rng.choice(("MAX", "MIN", "AVG", "SUM")), sql, count=1),
        lambda: re.sub(
            r" (>|<|>=|<=) (?=\d)", lambda m: rng.choice((" > ", " < ", " >= ", " <= ", " = ")), sql, count=1
        ),
        lambda: re.sub(r" LIMIT (\d+)", " LIMIT 1" if rng.random() < 0.5 else "", sql),
        lambda: re.sub(r" HAVING .*?(?= ORDER| LIMIT|$)", "", sql),
        lambda: (
            sql.replace("SELECT ", "SELECT DISTINCT ", 1) if "DISTINCT" not in sql else sql.replace("DISTINCT ", "")
        ),
        lambda: _other_column(known, sql, rng),
        lambda: _other_column(known, sql, rng),
    ]
    return rng.choice(changes)()


def _other_column(known: Known, sql: str, rng: random.Random) -> str:
    """Return the query with one column replaced by another of its table."""
    used = [
        (table, column)
        for table in known.linked.schema.tables
        for column in table.columns
        if re.search(rf"\b{re.escape(column.name)}\b", sql) and re.search(rf"\b{re.escape(table.name)}\b", sql)
    ]
    if not used:
        return sql
    table, column = rng.choice(used)
    other = rng.choice(table.columns)
    return re.sub(rf"\b{re.escape(column.name)}\b", lambda _: other.name, sql)
