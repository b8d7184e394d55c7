"""What each part of a correction is worth to a small model, on the same replies that failed.

    python tests/benchmarks/corrections.py MODEL.gguf --output corrections.jsonl      (0.5 billion parameters: an hour)
    python tests/benchmarks/corrections.py --show corrections.jsonl                   (the table of what was found)

Questions of Spider's training set whose gold query has a join, drawn by database, are asked with one greedy completion
that nothing holds, as a server gives it. What fails in SQLite, also as `fix` repairs it, is kept, until there are
`--failures` of them; each is then corrected in every way of `WAYS`. What is written is repaired and run as the first
reply was. A run that was stopped goes on where it ended.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from advice import binding
from askwhere import AskError
from askwhere.bindings.sqlite.engine import SQLiteEngine
from askwhere.engine import Limits
from askwhere.models import Completions, Model, llama_cpp
from askwhere.pipeline import link, prompts, replies
from askwhere.pipeline.correct import error_text
from askwhere.pipeline.facts import Candidate, Linked
from askwhere.pipeline.select import try_out
from askwhere.pipeline.steps import candidate
from askwhere.rewrite import fix
from databases import Database, Databases, questions
from tabulate import tabulate
from ways import judged

REPLY = 400  # tokens of a reply
LIMITS = Limits(seconds=10, rows=1_001)
FIRST = "first"


@dataclass(frozen=True)
class Way:
    """How a failed query is corrected: whether the error is shown, and what would bind; how often another one is
    written, at which temperature; and whether the model is asked for a reason before, and shown all that went before.
    """

    error: bool = True
    advice: bool = False
    tries: int = 1
    temperature: float = 0.0
    reasons: bool = False


WAYS = {
    "reasons (SEA-SQL)": Way(reasons=True, tries=4),
    "error": Way(),
    "error, what binds": Way(advice=True),
    "drawn anew": Way(error=False, tries=3, temperature=0.7),
    "error, drawn": Way(tries=3, temperature=0.7),
    "error, what binds, drawn": Way(advice=True, tries=3, temperature=0.7),
}


def drawn(databases: int, each: int, seed: int) -> list[dict[str, Any]]:
    """Return questions of the training set with a join: of some databases, as many of each."""
    by_database = defaultdict(list)
    for question in questions("train_spider", "sqlite"):
        if " join " in question["sql"].lower():
            by_database[question["db_id"]].append(question)
    chance = random.Random(seed)
    names = chance.sample(sorted(by_database), databases)
    return [q for name in names for q in chance.sample(by_database[name], min(each, len(by_database[name])))]


class Asked:
    """A question about a database, for a model."""

    def __init__(self, model: Model, database: Database, question: dict[str, Any], rows: Any) -> None:
        whole = Linked(question["question"], None, "sqlite", database.catalog, database.values, database.catalog)
        self.linked = link.enhance(whole, "show", 6_000, link.examples_of(database.values))
        self._model, self._database, self._question, self._rows = model, database, question, rows
        self._engine = SQLiteEngine(database.keep)

    def first(self) -> dict[str, Any]:
        """Return the outcome of the first reply."""
        return self._tried(*self._completed(prompts.generation(self.linked)))[1]

    def corrected(self, way: Way, reply: str) -> list[dict[str, Any]]:
        """Return the outcome of each further reply, until one runs."""
        failed, found = self._repaired(candidate(reply, self.linked, "")), list[dict[str, Any]]()
        history = [self._attempt(way, failed)]
        for number in range(way.tries):
            reasoned = self._reason(history) if way.reasons else None
            prompt = prompts.correction(self.linked, history) if way.error else prompts.generation(self.linked)
            done, one = self._tried(*self._completed(prompt, way.temperature, number))
            for part in ("prompt_tokens", "reply_tokens", "cpu") if reasoned else ():
                one[part] += reasoned[part]
            found.append(one)
            if one["runs"] or (way.reasons and done.sql in {attempt.sql for attempt in history}):
                break  # as `correct.adjust` ends
            if way.reasons:
                history.append(self._attempt(way, done))
        return found

    def _attempt(self, way: Way, failed: Candidate) -> prompts.Attempt:
        binds = binding(failed.sql, self._database.catalog, "sqlite") if way.advice else ""
        return prompts.Attempt(
            failed.sql, error_text(self.linked, failed) + (f"\n### What binds: {binds}" if binds else "")
        )

    def _reason(self, history: list[prompts.Attempt]) -> dict[str, Any]:
        reply, cpu = self._completed(prompts.reflection(self.linked, history))
        history[-1] = replace(history[-1], reason=replies.reason(reply.texts[0]))
        return _cost(reply, cpu)

    def _completed(self, prompt: str, temperature: float = 0.0, seed: int = 0) -> tuple[Completions, float]:
        started = time.process_time()
        reply = self._model.complete(prompt, max_tokens=REPLY, temperature=temperature, seed=seed)
        return reply, time.process_time() - started

    def _tried(self, reply: Completions, cpu: float) -> tuple[Candidate, dict[str, Any]]:
        done = self._repaired(candidate(reply.texts[0], self.linked, ""))
        runs, right = judged(self._database, self._question["sql"], self._rows, None if done.error else done.sql)
        said = {"reply": reply.texts[0], "sql": done.sql, "error": str(done.error or ""), "runs": runs, "right": right}
        return done, said | _cost(reply, cpu)

    def _repaired(self, written: Candidate) -> Candidate:
        """Return the candidate tried, and where it does not bind, the nearest query that does."""
        done = try_out(written, self._engine, self._database.catalog.grant, LIMITS)
        if done.checked is not None or isinstance(written.error, AskError):
            return done
        try:
            sql = fix.fix(done.sql, self._engine, self._database.catalog, bounds=fix.REPAIR).sql
        except AskError:
            return done
        other = try_out(replace(written, sql=sql), self._engine, self._database.catalog.grant, LIMITS)
        return done if other.error else other


def _cost(reply: Completions, cpu: float) -> dict[str, Any]:
    return {"prompt_tokens": reply.prompt_tokens, "reply_tokens": reply.completion_tokens, "cpu": cpu}


def answers(options: argparse.Namespace, before: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the first replies, until enough of them have failed, and then the outcome of each way for those."""
    model, opened = llama_cpp.open_(options.model, None, 1), Databases()
    asked = {question["id"]: question for question in drawn(options.databases, options.each, options.seed)}
    first = {one["id"]: one for one in before if one["way"] == FIRST}

    def put(question: dict[str, Any]) -> Asked | None:
        database = opened.database(question["db_id"], "sqlite")
        rows = opened.expected(database, question["db_id"], question["sql"])
        return None if rows is None else Asked(model, database, question, rows)

    for key, question in asked.items():
        if sum(not one["runs"] for one in first.values()) >= options.failures:
            break
        if key not in first and (one := put(question)):
            first[key] = {"way": FIRST, "id": key, "database": question["db_id"], **one.first()}
            yield first[key]
    done = {(one["id"], one["way"]) for one in before}
    failed = [one for one in first.values() if not one["runs"]][: options.failures]
    for one in failed:
        missing = [name for name in options.ways or WAYS if (one["id"], name) not in done]
        if missing and (to := put(asked[one["id"]])):
            for name in missing:
                yield {"way": name, "id": one["id"], "tries": to.corrected(WAYS[name], one["reply"])}


def table(found: list[dict[str, Any]]) -> None:
    """Print what every way came to, on the failures that all of them were shown."""
    first = {one["id"]: one for one in found if one["way"] == FIRST}
    ways = defaultdict[str, dict[str, list[dict[str, Any]]]](dict)
    for one in found:
        if one["way"] != FIRST:
            ways[one["way"]][one["id"]] = one["tries"]
    shared = set.intersection(*(set(own) for own in ways.values())) if ways else set()
    fails = sum(not one["runs"] for one in first.values())
    print(f"{len(first)} questions, {fails} replies that failed, of which {len(shared)} were corrected in every way")
    rows = [[name, *_row([ways[name][key] for key in shared])] for name in WAYS if name in ways]
    rows += [
        [f"{name}, until one repeats", *_row([_until_repeated(first[key], ways[name][key]) for key in shared])]
        for name in WAYS
        if name in ways and WAYS[name].tries > 1
    ]
    heads = ["way", "run", "right", "run at once", "right at once", "tries", "prompt_tokens", "reply_tokens", "cpu"]
    print(tabulate(rows, heads, floatfmt=".1f"))


def _row(corrections: list[list[dict[str, Any]]]) -> Iterable[float]:
    last, begun = [tries[-1] for tries in corrections], [tries[0] for tries in corrections]
    yield from (sum(one[part] for one in some) for some in (last, begun) for part in ("runs", "right"))
    count = len(corrections) or 1
    yield sum(map(len, corrections)) / count
    for part in ("prompt_tokens", "reply_tokens", "cpu"):
        yield sum(one[part] for tries in corrections for one in tries) / count


def _until_repeated(first: dict[str, Any], tries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the tries up to the first whose query was written before."""
    seen, kept = {" ".join(first["sql"].split())}, list[dict[str, Any]]()
    for one in tries:
        kept.append(one)
        sql = " ".join(one["sql"].split())
        if sql in seen:
            break
        seen.add(sql)
    return kept


def main() -> None:
    """Ask and correct, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, nargs="?")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--show", type=Path, nargs="+")
    parser.add_argument("--ways", nargs="+", choices=WAYS)
    parser.add_argument("--failures", type=int, default=40)
    parser.add_argument("--databases", type=int, default=60)
    parser.add_argument("--each", type=int, default=6)
    parser.add_argument("--seed", type=int, default=2)
    options = parser.parse_args()
    if options.show:
        table([json.loads(line) for path in options.show for line in path.open(encoding="utf-8")])
        return
    before = options.output.read_text(encoding="utf-8").splitlines() if options.output.exists() else []
    with options.output.open("a", encoding="utf-8") as file:
        for one in answers(options, [json.loads(line) for line in before]):
            file.write(json.dumps(one) + "\n")
            file.flush()


if __name__ == "__main__":
    main()
