"""How much of their prompts questions share where a schema is cut to them, and whether what they are about is shown.

    python tests/benchmarks/beginnings.py                          (two minutes, no model)

Training databases of Spider whose tables have different names are put into one database, until it has 120 tables.
Questions on it come in random order. For each `schema_tokens` the table has the characters that a prompt begins with as
the one before it did, and the questions whose gold query's tables and columns are all shown: with tables that are
common to all questions, as it is, and without.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import statistics
from itertools import pairwise, takewhile
from typing import Any

import apsw
from askwhere.bindings.sqlite.engine import SQLiteEngine
from askwhere.indexer import catalog as catalogs
from askwhere.indexer import schema
from askwhere.indexer.build import in_memory
from askwhere.models import estimate
from askwhere.pipeline import link, prompts
from askwhere.pipeline.facts import Linked
from askwhere.pipeline.skeleton import entities
from databases import DATA, questions
from tabulate import tabulate

TABLES = 120
ROWS = 500  # of each table
ROOMS = (2_000, 3_000, 6_000)


def merged(names: list[str]) -> tuple[apsw.Connection, set[str]]:
    """Return one database with the tables of several, and the names of those."""
    connection, taken, used = apsw.Connection(":memory:"), set[str](), set[str]()
    for name in names:
        file = DATA / "databases" / name / f"{name}.sqlite"
        source = sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)
        source.text_factory = lambda b: b.decode(errors="ignore")
        tables = source.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        found = {table.lower(): (table, sql) for table, sql in tables}
        if found.keys() & taken:
            continue
        for table, sql in found.values():
            connection.execute(sql)
            rows = source.execute(f'SELECT * FROM "{table}" LIMIT {ROWS}').fetchall()
            marks = ", ".join("?" * len(rows[0])) if rows else ""
            connection.executemany(f'INSERT OR IGNORE INTO "{table}" VALUES ({marks})', rows)
        taken |= found.keys()
        used.add(name)
        if len(taken) >= TABLES:
            break
    return connection, used


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=150)
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    chance, asked = random.Random(options.seed), questions("train_spider", "sqlite")
    names = sorted({question["db_id"] for question in asked})
    chance.shuffle(names)
    connection, used = merged(names)
    engine = SQLiteEngine(connection)
    catalog = catalogs.read(engine)
    values = in_memory(engine, catalog, seconds=60)
    some = chance.sample([question for question in asked if question["db_id"] in used], options.questions)
    whole = Linked("", None, "sqlite", catalog, values, catalog)
    size = estimate(link.schema_text(catalog, link.examples_of(values)))
    print(f"{len(catalog.tables)} tables, {size:,.0f} tokens; {len(some)} questions")
    central, rows = schema.central, list[list[Any]]()
    for room in ROOMS:
        for common in (False, True):
            schema.central = central if common else lambda *_: ()
            rows.append([room, "yes" if common else "no", *figures(whole, some, room)])
    heads = ["schema_tokens", "common tables", "prompt, tokens", "as the one before", "share", "all shown"]
    print(tabulate(rows, heads, floatfmt=",.2f", intfmt=","))


def figures(whole: Linked, some: list[dict[str, Any]], room: int) -> tuple[int, int, float, int]:
    """Return the tokens of a prompt, those shared with the one before, their share, and the questions shown all."""
    examples, written, shown = link.examples_of(whole.values), list[str](), 0
    for question in some:
        asked = Linked(question["question"], None, "sqlite", whole.catalog, whole.values, whole.catalog)
        linked = link.enhance(asked, "show", room, examples)
        tables = linked.schema.tables
        names = {table.name.lower() for table in tables}
        names |= {f"{table.name}.{column.name}".lower() for table in tables for column in table.columns}
        shown += entities(question["sql"], "sqlite", whole.catalog.tables) <= names
        written.append(prompts.generation(linked))
    shared = [beginning(*pair) for pair in pairwise(written)]
    share = statistics.mean(len(one) / len(prompt) for one, prompt in zip(shared, written[1:], strict=True))
    return round(statistics.mean(map(estimate, written))), round(statistics.mean(map(estimate, shared))), share, shown


def beginning(one: str, other: str) -> str:
    """Return what two texts begin with."""
    return "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


if __name__ == "__main__":
    main()
