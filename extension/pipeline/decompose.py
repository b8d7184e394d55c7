"""Correct a query by its parts, as DAC does: first by the entities that the question names, then by its skeleton.

Wang et al., "DAC: Decomposed Automation Correction for Text-to-SQL", section 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from askwhere.engine import Table
from askwhere.errors import ModelError, OutOfBudget, QueryError
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import tokens
from askwhere.indexer.word_forms import singular
from askwhere.pipeline import prompts, replies
from askwhere.pipeline.correct import better, error_text, stopped
from askwhere.pipeline.demonstrations import Demonstration
from askwhere.pipeline.facts import Alignment, Candidate, Linked
from askwhere.pipeline.prompts import Attempt
from askwhere.pipeline.retrieval import nearest
from askwhere.pipeline.skeleton import entities, skeleton
from askwhere.pipeline.steps import Candidates, StepContext, candidate, each, greedy
from askwhere.sql import parsing
from askwhere.sql.identifiers import fold
from sqlglot import exp

# The number of demonstrations in each prompt (section 4.1.4).
SHOTS = 5
_OBJECT = re.compile(r"\{[^{}]*\}")


def few_shot(linked: Linked, candidates: Candidates, context: StepContext) -> Candidates:
    """Add the first query, written with demonstrations (section 3.1). Raise `ModelError`."""
    return (*candidates, context.tried(greedy(linked, first_prompt(linked, context), context, context.grammar())))


def first_prompt(linked: Linked, context: StepContext) -> str:
    """Return the prompt for the first query."""
    return prompts.few_shot(linked, nearest(linked, context, SHOTS))


def _entities_corrected(linked: Linked, draft: Candidate, context: StepContext) -> Candidate:
    """Return the draft corrected by the entities that it lacks; unchanged where it lacks none."""
    used = entities(draft.sql, linked.dialect, linked.schema.tables)
    try:
        named = _linked_entities(linked, draft, used, context)
    except (ModelError, OutOfBudget) as exc:
        return stopped(draft, exc)
    missing = sorted(named - used)
    context.asker.note("compare", f"entities that the query lacks: {', '.join(missing) or 'none'}")
    if not missing:
        return draft
    return _corrected(linked, draft, prompts.entity_correction(linked, draft.sql, missing), "correct entities", context)


# Links entities, and corrects queries that lack those that the question names (sections 3.2, 3.4 and 3.5).
correct_entities = each("entities", _entities_corrected)


def _linked_entities(linked: Linked, draft: Candidate, used: frozenset[str], context: StepContext) -> frozenset[str]:
    """Return the tables and columns that the model aligns words of the question with."""
    shown = replace(linked, schema=_tables_read(linked.schema, used))
    examples = [(shot, alignment(shot, linked.dialect)) for shot in nearest(linked, context, SHOTS)]
    prompt = prompts.alignment(shown, draft.sql, tokens(linked.question), examples)
    (reply,) = context.asker.ask(context.model, "link entities", prompt).texts
    aligned = alignments(reply, linked.schema.tables)
    context.asker.note("link entities", ", ".join(f"{a.token} = {a.schema}" for a in aligned if a.schema) or "nothing")
    return frozenset(a.schema for a in aligned if a.schema)


def _tables_read(catalog: Catalog, used: Iterable[str]) -> Catalog:
    """Return the catalog with the tables that a query reads; all where it reads none."""
    names = {name.split(".")[0] for name in used}
    kept = tuple(table for table in catalog.tables if fold(table.name) in names)
    return replace(catalog, tables=kept) if kept else catalog


def _skeleton_corrected(linked: Linked, draft: Candidate, context: StepContext) -> Candidate:
    """Return the draft corrected towards the question's skeleton; unchanged where the skeletons do not differ."""
    own = skeleton(draft.sql, linked.dialect)
    try:
        expected = _parsed_skeleton(linked, context)
    except (ModelError, OutOfBudget) as exc:
        return stopped(draft, exc)
    # Without the schema, the model can only guess: a skeleton that is longer than the query's own is not to be trusted.
    differs = bool(expected) and expected != own and (not own or len(expected.split()) <= len(own.split()))
    context.asker.note("compare", f"skeleton of the query: {own or 'none'}\nof the question: {expected or 'none'}")
    if not differs:
        return draft
    prompt = prompts.skeleton_correction(linked, draft.sql, expected)
    return _corrected(linked, draft, prompt, "correct skeleton", context)


# Parses the question's skeleton, and corrects queries whose skeleton differs (sections 3.3 to 3.5).
correct_skeleton = each("skeleton", _skeleton_corrected)


def _parsed_skeleton(linked: Linked, context: StepContext) -> str:
    """Return the skeleton of the query that the model makes up for the question alone; '' where it makes up none."""
    prompt = prompts.hallucination(linked, nearest(linked, context, SHOTS))
    (reply,) = context.asker.ask(context.model, "parse skeleton", prompt).texts
    try:
        return skeleton(replies.query(reply, linked.dialect), linked.dialect)
    except (ModelError, QueryError):
        return ""


def _execution_corrected(linked: Linked, draft: Candidate, context: StepContext) -> Candidate:
    """Return a failed draft corrected by its error, and any other draft unchanged."""
    if not draft.error:
        return draft
    prompt = prompts.correction(linked, (Attempt(draft.sql, error_text(linked, draft)),))
    return _corrected(linked, draft, prompt, "correct execution", context)


# Corrects queries that failed, by their errors (section 3.5).
correct_execution = each("execution", _execution_corrected)


def _corrected(linked: Linked, draft: Candidate, prompt: str, step: str, context: StepContext) -> Candidate:
    """Return the query that the model writes instead, unless it fails where the draft runs."""
    try:
        (reply,) = context.asker.ask(context.model, step, prompt, grammar=context.grammar()).texts
    except (ModelError, OutOfBudget) as exc:
        return stopped(draft, exc)
    origin = f"{draft.origin} + {step.removeprefix('correct ')}"
    return better(draft, context.tried(candidate(reply, linked, origin, draft.sql)))


# ----------------------------------------------------------------------------------------------------------- alignments


def alignments(reply: str, tables: Sequence[Table]) -> tuple[Alignment, ...]:
    """Return the alignments of a reply.

    An alignment that names nothing in the schema has the `schema` ''. Replies are read leniently: JSON or Python,
    fenced or not, cut short, names in any case, a column without its table if only one table has it. Other parts of
    the reply are skipped.
    """
    aligned = []
    owners = _owners(tables)
    for record in (node for text in _OBJECT.findall(reply) for node in replies.structures(text)):
        if isinstance(record, dict) and isinstance(record.get("token"), str):
            schema = _resolved(record.get("schema"), owners)
            kind = str(record.get("type") or "") if schema else ""
            aligned.append(Alignment(record["token"], schema, kind if kind in ("tbl", "col", "val") else ""))
    return tuple(aligned)


def _owners(tables: Sequence[Table]) -> dict[str, set[str]]:
    """Return the names of the tables that have a column, by the column's name; those of all tables by ''."""
    owners: dict[str, set[str]] = {"": {fold(table.name) for table in tables}}
    for table in tables:
        for column in table.columns:
            owners.setdefault(fold(column.name), set()).add(fold(table.name))
    return owners


def _resolved(name: object, owners: Mapping[str, set[str]]) -> str:
    """Return a name as `table` or `table.column`; '' where it names nothing, or more than one thing."""
    if not isinstance(name, str):
        return ""
    parts = [fold(part.strip().strip('"`[]')) for part in name.split(".") if part.strip()]
    if not parts or (len(parts) == 1 and parts[0] in owners[""]):
        return "".join(parts)
    *before, column = parts
    tables = owners.get(column, set()) if column else set()
    own = tables & {before[-1]} if before else tables
    return f"{next(iter(own))}.{column}" if len(own) == 1 else ""


def alignment(shot: Demonstration, dialect: str) -> tuple[Alignment, ...]:
    """Return the alignments of a demonstration's question, by the names and values of its own query.

    The paper uses alignments made by people (Liu et al., 2021), which a user's own pool does not have.
    """
    words = tokens(shot.question)
    tree = parsing.parsed(shot.sql, dialect)
    if tree is None:
        return tuple(map(Alignment, words))
    known: dict[str, Alignment] = {}
    for node in tree.find_all(exp.Column):
        for word in tokens(node.name.replace("_", " ")):
            known.setdefault(singular(word), Alignment("", node.name, "col"))
    for table in tree.find_all(exp.Table):
        for word in tokens(table.name.replace("_", " ")):
            known.setdefault(singular(word), Alignment("", table.name, "tbl"))
    for literal in tree.find_all(exp.Literal):
        column = literal.parent.find(exp.Column) if literal.parent is not None else None
        for word in tokens(literal.name):
            if column is not None:
                known.setdefault(singular(word), Alignment("", column.name, "val"))
    return tuple(replace(known.get(singular(word), Alignment("")), token=word) for word in words)
