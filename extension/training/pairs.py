"""Keep pairs to train on, and make those of the bias eliminator: first queries with their results, and the right ones.

By SEA-SQL, section 3.3, the reply to learn is the first query where it gives gold's rows, else gold.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from askwhere import files
from askwhere.errors import ArgumentError, AskError
from askwhere.evaluation.databases import Database, Opener
from askwhere.evaluation.judge import Gold, Judge, judging
from askwhere.evaluation.sets import Item
from askwhere.frozen import frozen
from askwhere.pipeline import prompts
from askwhere.pipeline.correct import outcome_text
from askwhere.pipeline.facts import Candidate
from askwhere.session import Question
from askwhere.training.style import styled

# Settings for the first query: only the generation step of the method that the eliminator belongs to.
FIRST = {"method": "sea", "leave_out": "elimination,adjustment", "eliminator": ""}
_SCORE = "own_ex"
# The limit for a query that is run to judge it, in seconds.
_SECONDS = 30.0


@frozen
class Pair:
    """A prompt, exactly as the product sends it, and the reply to learn.

    `right` says whether the query that an eliminator's prompt shows gave gold's rows. Pairs that are `held_out` are
    not learned from.
    """

    id: str
    db_id: str
    prompt: str
    reply: str
    right: bool
    held_out: bool


@frozen
class LeftOut:
    """A question without a pair, and why: gold fails, or the model gave no query."""

    id: str
    db_id: str
    why: str


def held_out_databases(names: Iterable[str], share: float, seed: int) -> frozenset[str]:
    """Return the databases held out for measuring, a share of all names drawn with the seed.

    With a share above 0 it is at least one of two or more, and never all.
    """
    known = sorted(set(names))
    many = min(max(round(share * len(known)), 1 if share else 0), len(known) - 1)
    return frozenset(random.Random(seed).sample(known, max(many, 0)))


def make_pairs(
    items: Sequence[Item],
    path_of: Callable[[str], Path | None],
    opener: Opener,
    settings: Mapping[str, Any],
    held_out: frozenset[str],
    engine: str = "sqlite",
) -> Iterator[Pair | LeftOut]:
    """Yield a pair for each question, database by database; each database is opened once, read-only, in `engine`."""
    for name in dict.fromkeys(item.db_id for item in items):
        path = path_of(name)
        questions = [item for item in items if item.db_id == name]
        if path is None:
            yield from (LeftOut(item.id, name, "the database is not there") for item in questions)
            continue
        with (
            contextlib.closing(opener(path, engine, {**settings, **FIRST})) as database,
            judging(database, path, opener, _SECONDS) as judge,
        ):
            for item in questions:
                yield _pair(database, judge, item, name in held_out)


def _pair(database: Database, judge: Judge, item: Item, held_out: bool) -> Pair | LeftOut:
    """Return the pair of one question, or why there is none."""
    engine, session = database.engine, database.session
    question = Question(item.question, hint=item.evidence or None)
    try:
        gold = judge.gold(item)
        ranking = session.find(engine, question)
        linked = session.shown(engine, question)
    except AskError as exc:
        return LeftOut(item.id, item.db_id, f"{type(exc).__name__}: {exc}")
    first = next((c for c in ranking.candidates if c.origin != "reader"), None)
    if first is None:
        return LeftOut(item.id, item.db_id, "the model gave no query")
    right = _is_right(judge, first, gold)
    if not right and not (sql := styled(gold.sql, session.catalog(engine), engine.dialect, engine.dialect)):
        return LeftOut(item.id, item.db_id, "gold cannot be written in the style of replies")
    prompt = prompts.elimination(linked, first.sql, outcome_text(linked, first))
    return Pair(item.id, item.db_id, prompt, reply(first.sql if right else sql), right, held_out)


def reply(sql: str) -> str:
    """Return a query as the reply to learn: in a block, as generation's prompt asks for it."""
    return f"```sql\n{sql}\n```"


def _is_right(judge: Judge, first: Candidate, gold: Gold) -> bool:
    """Return whether the model's first query gives gold's rows."""
    if first.checked is None or first.error is not None:
        return False
    return judge.scores(gold, first.sql, (_SCORE,))[_SCORE] == 1.0


def write(pairs: Iterable[Pair | LeftOut], path: Path) -> None:
    """Append pairs to a file of JSON lines, each as soon as it is made; an incomplete last line is removed first."""
    if path.exists():
        content = path.read_bytes()
        os.truncate(path, content.rfind(b"\n") + 1)
    with files.adding(files.named(path)) as out:
        for pair in pairs:
            files.add(out, f"{json.dumps(asdict(pair), ensure_ascii=False)}\n", path)


def read(path: Path) -> tuple[list[Pair], list[LeftOut]]:
    """Return the pairs of a file, and the questions left out; an incomplete last line is ignored.

    Raise `ArgumentError` where the file is missing or holds something else.
    """
    pairs: dict[str, Pair] = {}
    left_out: dict[str, LeftOut] = {}
    if not path.is_file():
        raise ArgumentError(f"there is no file {path}; `askwhere train data` writes it")
    lines = path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines, 1):
        if not line or (number == len(lines) and not line.endswith("}")):
            continue
        try:
            record = json.loads(line)
            if "why" in record:
                left_out[record["id"]] = LeftOut(**record)
            else:
                pairs[record["id"]] = Pair(**record)
        except (ValueError, TypeError, KeyError) as exc:
            raise ArgumentError(
                f"{path}, line {number}: expected a pair as `askwhere train data` writes it, found {line[:60]!r}"
            ) from exc
    return list(pairs.values()), [pair for pair in left_out.values() if pair.id not in pairs]


def report(pairs: Sequence[Pair], left_out: Sequence[LeftOut]) -> str:
    """Return a summary: the number of pairs, how often the first query was right, and the questions left out."""
    lines = []
    for name, chosen in (
        ("to learn", [p for p in pairs if not p.held_out]),
        ("held out", [p for p in pairs if p.held_out]),
    ):
        right = sum(p.right for p in chosen)
        # Pairs without a first query, of generation, are all right.
        share = f", the first query right in {100 * right / len(chosen):.1f} %" if right < len(chosen) else ""
        lines.append(f"{len(chosen):,} pairs {name}, of {len({p.db_id for p in chosen}):,} databases{share}")
    if left_out:
        lines.append(f"{len(left_out):,} questions left out; the first: {left_out[0].why}")
    return "\n".join(lines)
