"""How often each rule of the reader fires, and what becomes of the answers without it.

    python tests/benchmarks/reader_rules.py             # the practice databases that are developed on, and Spider dev
    python tests/benchmarks/reader_rules.py --every 10  # each tenth question

Rules are those of `preparing`, `settling` and `narrowing`, and what rules operators out. A rule fires on a question
where it changes what it is given, or ends a reading, in any cut of the question. Each question on which some fire is
read once more without each of them, in SQLite, and the answers are compared with gold's by the set of their rows. The
table has a line for each rule, those that fire least first: the number of questions on which it fires, and of those the
number whose answer turns from one of right, wrong and refused into another without the rule.

On 6,585 questions (the practice questions, Spider dev and Spider-Syn dev in parts, and 1,578 typed for trial) 21 of 185
rules fired on none, and 21 on one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))
from askwhere.errors import AskError
from askwhere.reader.grammar import preparing, settling
from askwhere.reader.grammar.cursor import Cursor, Stuck
from askwhere.reader.marking import linking, operators
from askwhere.reader.read import read
from databases import Database, questions
from held_out import build
from reader_weights import PRACTICE, practice

fired: set[str] = set()  # the rules that fired since it was cleared
without: set[str] = set()  # the rules that do nothing


def watch() -> list[str]:
    """Have each rule say in `fired` that it fires, and leave it out while it is in `without`; return all names."""
    names: list[str] = []

    def watched(kind: str, rules: Sequence[Any], watch_one: Callable[[str, Any], Any]) -> tuple[Any, ...]:
        new = [f"{kind} {rule.__name__}" for rule in rules]
        names.extend(new)
        return tuple(map(watch_one, new, rules))

    preparing.RULES = watched("prepare", preparing.RULES, _on_state)
    settling.RULES = watched("settle", settling.RULES, _on_state)
    linking.RULES = watched("narrow", linking.RULES, _on_senses)
    operators._RULED_OUT = watched("rule out", operators._RULED_OUT, _ruling_out)
    return names


def _on_state(name: str, rule: Callable[[Cursor], None]) -> Callable[[Cursor], None]:
    def watched(state: Cursor) -> None:
        if name in without:
            return
        before = _content(state)
        try:
            rule(state)
        except Stuck:
            fired.add(name)
            raise
        if _content(state) != before:
            fired.add(name)

    return watched


def _content(state: Cursor) -> str:
    """Return the text of all that rules change."""
    return repr({**vars(state), "lexicon": "", "out": vars(state.out)})


def _on_senses(name: str, rule: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def watched(senses: Any, span: Any) -> Any:
        kept = senses if name in without else rule(senses, span)
        if kept is not senses and kept != senses:
            fired.add(name)
        return kept

    return watched


def _ruling_out(name: str, rule: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def watched(phrase: Any, operator: Any) -> bool:
        ruled_out = name not in without and rule(phrase, operator)
        if ruled_out:
            fired.add(name)
        return ruled_out

    return watched


def outcomes(question: str, gold: str, database: Database) -> Iterator[tuple[str, str, str]]:
    """Yield for each rule that fires on a question its name and what the answer is with all rules and without it."""

    def outcome() -> str:
        try:
            readings = read(question, database.catalog, database.values, "sqlite")
        except (AskError, ValueError):  # a rule that is left out may leave half a draft behind
            return "refused"
        if len(readings) > 1:
            return "refused"
        rows = database.run(readings[0].sql, "sqlite")
        return "right" if rows is not None and set(rows) == set(database.run(gold, "sqlite") or ()) else "wrong"

    without.clear()
    fired.clear()
    first = outcome()
    for name in sorted(fired):
        without.clear()
        without.add(name)
        yield name, first, outcome()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1)
    every = parser.parse_args().every
    names = watch()
    asked: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for one in (*practice(), *questions("dev", "sqlite")):
        asked[one["db_id"]].append(one)
    fires: Counter[str] = Counter()
    turned: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder:
        for db_id, of_it in asked.items():
            exercise = PRACTICE / "databases" / f"{db_id}.sql"
            path = build(exercise, Path(folder), "sqlite") if exercise.exists() else None
            database = Database(db_id, "sqlite", path)
            for one in of_it[::every]:
                for name, first, then in outcomes(one["question"], one["sql"], database):
                    fires[name] += 1
                    turned[name][f"{first} to {then}"] += first != then
    for name in sorted(names, key=lambda name: fires[name]):
        print(
            f"{name:45} {fires[name]:5}  {', '.join(f'{count} {how}' for how, count in turned[name].items() if count)}"
        )


if __name__ == "__main__":
    main()
