"""Whether the advice of a refusal helps: what the first statement that it offers leads to, run as it is written.

    python tests/benchmarks/refusals.py            # the practice databases, and 300 questions of Spider's training set
    python tests/benchmarks/refusals.py --show     # each refused question, with what is advised and what that gives

Each question that the built-in reader refuses is asked in SQLite, on a copy of its database. The first statement of the
message that is no setting (a question to ask instead, a synonym, a key) is run, after the last two the question is
asked again, and its rows are compared with gold's, by Spider's rule.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))
import askwhere
from askwhere.errors import AskError, Unread
from askwhere.evaluation import spider
from databases import DATA, questions
from held_out import build
from reader_weights import PRACTICE, practice

SAMPLE, SEED = 300, 1
_TEXT = r"'(?:[^']|'')*'"
_QUESTION = rf"SELECT \* FROM ask\({_TEXT}\)"
_STATEMENT = re.compile(rf"{_QUESTION}|CREATE TABLE IF NOT EXISTS [^;]+; INSERT INTO [^;]+|SELECT ask_key\([^;]+\)")


def asked() -> dict[str, list[dict[str, Any]]]:
    """Return the questions by set and database."""
    found: dict[str, list[dict[str, Any]]] = {}
    sample = random.Random(SEED).sample(questions("train_spider", "sqlite"), SAMPLE)
    for one in (*practice(), *sample):
        found.setdefault(one["db_id"], []).append(one)
    return found


def opened(db_id: str, folder: Path) -> Any:
    """Return a connection to a copy of a database, in a folder."""
    exercise = PRACTICE / "databases" / f"{db_id}.sql"
    if exercise.exists():
        return askwhere.connect(build(exercise, folder, "sqlite"))
    return askwhere.connect(shutil.copy(DATA / "databases" / db_id / f"{db_id}.sqlite", folder / "copy.sqlite"))


def refusals(some: list[dict[str, Any]], connection: Any) -> Iterator[tuple[dict[str, Any], str, float]]:
    """Yield the questions that are refused, with the message, and the processor seconds that it took."""
    for one in some:
        began = time.process_time()
        try:
            askwhere.ask(connection, one["question"])
        except Unread as exc:
            yield one, str(exc), time.process_time() - began
        except AskError:
            continue  # ambiguous


def outcome(one: dict[str, Any], message: str, connection: Any) -> tuple[str, str]:
    """Return the first statement of a message, and what it leads to: 'right', 'answer' or 'none'."""
    found = _STATEMENT.search(message)
    if found is None:
        return "", "none"
    try:
        if not re.match(_QUESTION, found[0]):
            connection.execute(found[0])
        question = found[0].partition("(")[2][1:-2].replace("''", "'") if re.match(_QUESTION, found[0]) else ""
        answer = askwhere.ask(connection, question or one["question"])
    except AskError:
        return found[0], "none"
    finally:
        for table in ("askwhere_comments", "askwhere_keys"):
            connection.execute(f"DROP TABLE IF EXISTS {table}")
    right = _right(connection, one["sql"], answer.sql)
    return found[0], "right" if right else "answer"


def _right(connection: Any, gold: str, sql: str) -> bool:
    try:
        first = connection.execute(spider.prepared(gold, "")[0]).fetchall()
        second = connection.execute(spider.prepared("", sql)[1]).fetchall()
    except Exception:  # of the engine, or the guard
        return False
    return bool(spider.equal(first, second, spider.ordered(gold)))


def main() -> None:
    """Print what the advice leads to, for the practice questions and for Spider's."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true")
    show = parser.parse_args().show
    found: dict[str, Counter[str]] = {"practice": Counter(), "train_spider": Counter()}
    seconds = []
    for db_id, some in asked().items():
        name = "practice" if (PRACTICE / "databases" / f"{db_id}.sql").exists() else "train_spider"
        with tempfile.TemporaryDirectory() as folder:
            connection = opened(db_id, Path(folder))
            for one, message, took in list(refusals(some, connection)):
                statement, led = outcome(one, message, connection)
                found[name].update([led, "refused"])
                seconds.append(took)
                if show:
                    print(f"{db_id}: {one['question']}\n  {led}: {statement}\n")
            connection.close()
    for name, counts in found.items():
        answers = counts["answer"] + counts["right"]
        print(f"{name}: {counts['refused']} refused; {answers} led to an answer, {counts['right']} to the right one")
    print(f"median {1000 * sorted(seconds)[len(seconds) // 2]:.0f} ms, longest {1000 * max(seconds):.0f} ms")


if __name__ == "__main__":
    main()
