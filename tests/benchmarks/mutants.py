"""How often a wrong query passes for right on one small database, and how often perturbed copies show it.

    python tests/benchmarks/mutants.py --set dev --sample 500 --seed 1 --engine both

Gold queries are changed in one literal, one column or one join; what is left is a query that runs and reads otherwise.
Spider's execution accuracy compares it with gold on the database; the second check compares it by our own rule on the
database and on perturbed copies (`askwhere.evaluation.perturb`), where it must be equal on all. Some changes change no
answer on any data that keeps its keys, GROUP BY of a name for that of its key say: they are counted as missed, too.

Beside that, gold queries are written otherwise: the first two tables of a join change places, a count of rows counts
the key. They ask the same; those that the second check tells apart are its wrong alarms, or ties that LIMIT cuts.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import duckdb
import sqlglot
from askwhere.bindings.copying import copy
from askwhere.engine import Result
from askwhere.evaluation import own, spider
from askwhere.evaluation.perturb import perturbed
from askwhere.evaluation.rows import plain
from askwhere.evaluation.statistics import wilson
from databases import DATA, questions
from sqlglot import exp

SECONDS = 10.0
# A change: the node of a tree, and what takes its place; None where the node goes.
Change = tuple[exp.Expr, exp.Expr | None]


@dataclass(frozen=True)
class Verdict:
    """Whether a query is right, by Spider's rule on the database, and by ours on the database and each copy."""

    official: bool
    own: tuple[bool, ...]


@dataclass(frozen=True)
class Mutant:
    """A gold query with one change of this kind."""

    kind: str
    gold: str
    sql: str
    verdict: Verdict


class Copies:
    """A database and perturbed copies of it, each open in an engine; the results of queries are kept."""

    def __init__(self, name: str, dialect: str, copies: int, golds: Iterable[str]) -> None:
        path = DATA / "databases" / name / f"{name}.sqlite"
        self.dialect = dialect
        paths = (path, *(perturbed(path, seed, queries=golds) for seed in range(copies)))
        self.open = [self._opened(p) for p in paths]
        self.found: dict[tuple[int, str], Result | None] = {}
        source = sqlite3.connect(path)
        names = [row[0].lower() for row in source.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        self.columns = {n: [c[1] for c in source.execute(f'PRAGMA table_info("{n}")')] for n in names}
        single = {n: [c[1] for c in source.execute(f'PRAGMA table_info("{n}")') if c[5]] for n in names}
        self.keys = {name: columns[0] for name, columns in single.items() if len(columns) == 1}
        source.close()

    def _opened(self, path: Path) -> Any:
        source = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        source.text_factory = lambda raw: raw.decode(errors="ignore")
        if self.dialect == "sqlite":
            return source
        target = duckdb.connect(config={"threads": 1})  # else rows that tie come now in this order, now in that
        copy(source, target)
        source.close()
        return target

    def run(self, number: int, sql: str) -> Result | None:
        """Return what a query gives on the database (0) or on a copy; None where it fails."""
        if (number, sql) not in self.found:
            connection, deadline = self.open[number], time.monotonic() + SECONDS
            if self.dialect == "sqlite":
                connection.set_progress_handler(lambda: time.monotonic() > deadline, 100_000)
            try:
                ran = connection.execute(sql)
                rows = plain(ran.fetchall())
                names = tuple(column[0] for column in ran.description)
                self.found[number, sql] = Result(names, tuple(rows), True, 0.0)
            except (sqlite3.Error, duckdb.Error):
                self.found[number, sql] = None
        return self.found[number, sql]

    def judged(self, gold: str, other: str) -> Verdict:
        """Return whether a query is right."""
        wanted, found = (self.run(0, sql) for sql in spider.prepared(gold, other))
        official = bool(wanted and found and spider.equal(wanted.rows, found.rows, spider.ordered(gold)))
        ordered = own.ordered(gold, self.dialect)
        results = [(self.run(number, gold), self.run(number, other)) for number in range(len(self.open))]
        return Verdict(official, tuple(bool(g and o and own.equal(g, o, ordered)) for g, o in results))


def literals(tree: exp.Expr, copies: Copies) -> Iterator[Change]:
    """Yield changes of literals: another value of the column, or a number one more, one less, or doubled."""
    for test in tree.find_all(exp.Predicate):
        columns = [side for side in (test.this, test.args.get("expression")) if isinstance(side, exp.Column)]
        for literal in [node for node in test.find_all(exp.Literal) if node.parent is test]:
            if not literal.is_string:
                number = float(literal.this) if "." in literal.this else int(literal.this)
                others = {number + 1, number - 1, number * 2} - {number}
                yield from ((literal, exp.Literal.number(new)) for new in sorted(others))
            for column in columns if literal.is_string else ():
                values = [value for value in _values(column, copies) if value != literal.this]
                yield from ((literal, exp.Literal.string(value)) for value in values)


def _values(column: exp.Column, copies: Copies) -> list[str]:
    table = _table(column, copies)
    found = copies.run(0, f'SELECT DISTINCT "{column.name}" FROM "{table}" LIMIT 200') if table else None
    return sorted(value for (value,) in (found.rows if found else ()) if isinstance(value, str) and value)


def _table(column: exp.Column, copies: Copies) -> str | None:
    """Return the table that a column is of, as far as the SELECT around it says."""
    select = column.parent_select
    sources = [t for t in (select.find_all(exp.Table) if select else ()) if t.parent_select is select]
    named = [t.name.lower() for t in sources if not column.table or t.alias_or_name.lower() == column.table.lower()]
    return next((t for t in named if column.name.lower() in map(str.lower, copies.columns.get(t, ()))), None)


def columns(tree: exp.Expr, copies: Copies) -> Iterator[Change]:
    """Yield another column of the same table, outside of joins."""
    for column in tree.find_all(exp.Column):
        if not column.find_ancestor(exp.Join):
            yield from _others(column, copies)


def _others(column: exp.Column, copies: Copies) -> Iterator[Change]:
    for name in copies.columns.get(_table(column, copies) or "", ()):
        if name.lower() != column.name.lower():
            quoted = exp.to_identifier(name, quoted=not name.isidentifier())
            yield column, exp.Column(this=quoted, table=column.args.get("table"))


def joins(tree: exp.Expr, copies: Copies) -> Iterator[Change]:
    """Yield changes of joins: one left out where nothing needs it, or another column on a side of its condition."""
    for join in tree.find_all(exp.Join):
        yield join, None
        for column in (join.args.get("on") or exp.Null()).find_all(exp.Column):
            yield from _others(column, copies)


def rewritten(gold: str, copies: Copies) -> str | None:
    """Return the same query in other words; None where it has neither a join nor a count of rows."""
    tree = parsed(gold, copies)
    before = tree.sql(dialect=copies.dialect)
    for select in tree.find_all(exp.Select):
        first, joined = select.args.get("from_"), select.args.get("joins")
        if first and joined and joined[0].args.get("on") and not joined[0].side:
            one, other = first.this.copy(), joined[0].this.copy()
            if not any(column.table == "" for column in select.find_all(exp.Column)) and not select.is_star:
                first.this.replace(other)
                joined[0].this.replace(one)
    for count in list(tree.find_all(exp.Count)):
        select = count.parent_select
        tables = list(select.find_all(exp.Table)) if select else []
        if isinstance(count.this, exp.Star) and len(tables) == 1 and (key := copies.keys.get(tables[0].name.lower())):
            count.this.replace(exp.column(key, quoted=not key.isidentifier()))
    after = tree.sql(dialect=copies.dialect)
    return after if after != before else None


KINDS = {"literal": literals, "column": columns, "join": joins}


def parsed(sql: str, copies: Copies) -> exp.Expr:
    """Return the tree of a gold query; a name in double quotes that is no column becomes a text, as in SQLite."""
    known = {column.lower() for names in copies.columns.values() for column in names}
    tree = sqlglot.parse_one(sql, dialect=copies.dialect)
    for column in list(tree.find_all(exp.Column)):
        if not column.table and column.this.args.get("quoted") and column.name.lower() not in known:
            column.replace(exp.Literal.string(column.name))
    return tree


def mutant(gold: str, kind: str, copies: Copies, chance: random.Random) -> Mutant | None:
    """Return a random change of that kind that runs; None where there is none."""
    count = len(list(KINDS[kind](parsed(gold, copies), copies)))
    for i in chance.sample(range(count), min(count, 20)):
        tree = parsed(gold, copies)
        node, new = list(KINDS[kind](tree, copies))[i]
        node.replace(new) if new else node.pop()
        sql = tree.sql(dialect=copies.dialect)
        if copies.run(0, sql) and copies.run(0, spider.prepared(gold, sql)[1]):
            return Mutant(kind, gold, sql, copies.judged(gold, sql))
    return None


def line(name: str, verdicts: list[Verdict], copies: int) -> str:
    """Return how many are right by Spider's rule; and of those still, by ours on the database and on so many copies."""
    missed = [v for v in verdicts if v.official]
    low, high = wilson(len(missed), len(verdicts))
    left = [sum(all(v.own[: n + 1]) for v in missed) for n in range(copies + 1)]
    whole = max(len(verdicts), 1)
    shown = "".join(f"{f'{n} ({100 * n / whole:.1f} %)':>15}" for n in left)
    span = f"{len(missed)} ({100 * len(missed) / whole:.1f} %, {100 * low:.1f} to {100 * high:.1f})"
    return f"{name:10} {len(verdicts):6} {span:>28}{shown}"


def run(args: argparse.Namespace, dialect: str) -> None:
    """Print how mutants and pairs of gold queries fare in one engine."""
    asked = questions(args.set, dialect)
    key = "sql" if dialect == "sqlite" else "sql_duckdb"
    sample = set(random.Random(args.seed).sample(range(len(asked)), min(args.sample, len(asked))))
    mutants, again, same = list[Mutant](), list[Verdict](), list[Verdict]()
    for name, numbers in groupby(range(len(asked)), key=lambda number: asked[number]["db_id"]):
        group = list(numbers)
        copies = Copies(name, dialect, args.copies, [asked[n]["sql"] for n in group])
        for number in group:
            gold = asked[number][key]
            if number in sample:
                same.append(copies.judged(gold, gold))
                found = [mutant(gold, kind, copies, random.Random(f"{args.seed} {number} {kind}")) for kind in KINDS]
                mutants += [one for one in found if one]
                other = rewritten(gold, copies)
                verdict = copies.judged(gold, other) if other else None
                again += [verdict] if verdict else []
                if verdict and "same" in args.show and not (verdict.official and all(verdict.own)):
                    print(f"{name} {verdict}\n   {gold}\n   {other}")
    for one in mutants:
        if one.kind in args.show.split(",") and one.verdict.official and all(one.verdict.own):
            print(f"{one.kind}\n   {one.gold}\n   {one.sql}")
    equal = sum(v.official and all(v.own) for v in same)
    print(f"\n{args.set}, {dialect}: {len(same)} gold queries, of which {equal} are equal to themselves everywhere")
    heads = "".join(f"{f'and on {n}':>15}" for n in range(1, args.copies + 1))
    print(f"{'changed':10} {'tried':>6} {'right by Spider EX':>28}{'and by ours':>15}{heads}  copies")
    for kind in (*KINDS, "all"):
        print(line(kind, [m.verdict for m in mutants if kind in (m.kind, "all")], args.copies))
    print(line("nothing", again, args.copies))


def main() -> None:
    """Change the queries of a set, in one engine or in both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", default="dev", help="dev or train_spider")
    parser.add_argument("--sample", type=int, default=500)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--engine", default="both", choices=("sqlite", "duckdb", "both"))
    parser.add_argument("--copies", type=int, default=3)
    parser.add_argument(
        "--show", default="", help="print what is missed (literal,column,join), and wrong alarms (same)"
    )
    args = parser.parse_args()
    for dialect in ("sqlite", "duckdb") if args.engine == "both" else (args.engine,):
        run(args, dialect)


if __name__ == "__main__":
    main()
