"""What each rule that mends a model's queries changes: the queries of a run of `askwhere eval`, with and without it.

    askwhere eval run QUESTIONS.jsonl --databases FOLDER --model gguf:FILE --method sea --set leave_out=repair --output RUN.jsonl
    python tests/benchmarks/mending.py RUN.jsonl --databases FOLDER

SQLite files, each `FOLDER/NAME.sqlite` or `FOLDER/NAME/NAME.sqlite`. For each rule alone and for all of them: how many
queries change or are refused, and how many are right before and after by BIRD's rule. With `--gold` the gold queries
take the place of the model's: there a rule should change nothing.
"""  # noqa: E501

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import cache
from pathlib import Path

import apsw
from askwhere.bindings.sqlite.engine import SQLiteEngine
from askwhere.engine import Result
from askwhere.errors import AskError, QueryError
from askwhere.evaluation import records
from askwhere.evaluation.execution import SQLiteFile
from askwhere.indexer import catalog
from askwhere.indexer.catalog import Catalog
from askwhere.rewrite.context import MendingContext
from askwhere.rewrite.key_values import value_finder
from askwhere.rewrite.mending import RULES
from askwhere.rewrite.text_arithmetic import kind_finder
from askwhere.sql import parsing
from sqlglot import exp
from sqlglot.errors import SqlglotError

SECONDS = 30.0  # of one query
Rule = Callable[[exp.Expr, MendingContext], bool]


def main() -> None:
    """Print a line for each rule."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--databases", type=Path, required=True)
    parser.add_argument("--gold", action="store_true")
    given = parser.parse_args()
    found = records.read(given.run).records
    print(f"{'rule':44}{'queries':>9}{'changed':>9}{'refused':>9}{'right':>7}{'then':>6}{'gained':>8}{'lost':>6}")
    for name, rules in (*((name, (rule,)) for name, rule in RULES), ("all", tuple(rule for _, rule in RULES))):
        counts = [0] * 7
        for record in found:
            sql = record.gold if given.gold else record.predicted
            if sql and (path := file_of(given.databases, record.db_id)) is not None:
                counts = [a + b for a, b in zip(counts, _counted(sql, record, path, rules), strict=True)]
        print(f"{name:44}" + "".join(f"{n:{w}}" for n, w in zip(counts, (9, 9, 9, 7, 6, 8, 6), strict=True)))


def _counted(sql: str, record: records.Record, path: Path, rules: tuple[Rule, ...]) -> tuple[int, ...]:
    """Return 1 for a query, and 1 or 0 for each of: changed, refused, right before, right then, gained, lost."""

    def run(look: str, _: int | None) -> Result:
        return SQLiteFile(path).run(look, SECONDS)

    asked = MendingContext(record.question, known(path), "sqlite", value_finder(run), kind_finder(run))
    changed, new = _mended(sql, asked, rules)
    gold = rows(path, record.gold)
    before, after = (one is not None and rows(path, one) == gold for one in (sql, new))
    return 1, changed, new is None, before, after, after and not before, before and not after


def _mended(sql: str, asked: MendingContext, rules: tuple[Rule, ...]) -> tuple[bool, str | None]:
    """Return whether a query changes, and the new one; None for one that is refused."""
    try:
        tree = parsing.statement(sql, "sqlite")
        changed = [rule(tree, asked) for rule in rules]
    except SqlglotError:
        return False, sql
    except QueryError:
        return False, None
    return any(changed), tree.sql("sqlite") if any(changed) else sql


def file_of(folder: Path, name: str) -> Path | None:
    """Return the file of a database, None where there is none."""
    return next((p for p in (folder / f"{name}.sqlite", folder / name / f"{name}.sqlite") if p.is_file()), None)


@cache
def known(path: Path) -> Catalog:
    """Return the catalog of a file."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    found = catalog.read(SQLiteEngine(connection))
    connection.close()
    return found


@cache
def rows(path: Path, sql: str) -> frozenset[object] | None:
    """Return the different rows of a query, which BIRD's rule compares; None where it fails."""
    file = SQLiteFile(path)
    try:
        return frozenset(map(tuple, file.run(sql, SECONDS).rows))
    except AskError:
        return None
    finally:
        file.close()


if __name__ == "__main__":
    main()
