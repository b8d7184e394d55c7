"""What it costs to sample many replies from a model in this process, and what the catalog's grammar costs and gives.

    python tests/benchmarks/sampling.py                      (about 8 minutes; needs llama-cpp-python and gguf)
    python tests/benchmarks/sampling.py --only grammar --rounds 50

The models are random, of about 1 million and 30 million parameters: they cost what others of their size cost, but what
they say is noise. For the grammar that is the worst case. A model that knows SQL mostly draws a token that is allowed,
for which one look is enough; of a random one the grammar refuses most tokens, and then those of a tree of the
vocabulary are gone through. Milliseconds depend on the machine; ratios and counts are what to read.
"""

from __future__ import annotations

import argparse
import itertools
import re
import statistics
import sys
import tempfile
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import apsw
import askwhere
import sqlglot
from askwhere.bindings.sample.build import build_sqlite
from askwhere.bindings.sqlite.engine import SQLiteEngine
from askwhere.indexer import catalog as catalogs
from askwhere.models.llama_cache import TOGETHER, Cache
from askwhere.models.llama_context import threads
from askwhere.models.llama_cpp import LlamaCpp
from askwhere.models.llama_library import Stop
from askwhere.models.llama_sampling import Grammar, Reply, SamplingParams
from askwhere.models.llama_weights import Weights
from askwhere.models.protocol import BoundGrammar, Reading
from askwhere.pipeline.binding.reading import bound
from sqlglot import exp

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tiny_gguf import SHAPES, write_model

PROMPT = 1_500  # tokens
REPLIES = 20
REPLY = 64  # tokens
LONGEST = 256  # tokens of a sample
COLUMNS = (10, 100, 1_000)
QUESTIONS = (
    "how many people live in Canada?",
    "cities in France with more than 500000 people",
    "which river is the longest in Brazil?",
    "how many countries speak Arabic?",
)
NOUNS = """customer product invoice payment shipment warehouse supplier employee department contract region store
campaign ticket account vehicle route driver sensor reading course student teacher lesson exam hotel room guest booking
review album artist track playlist genre match player team season stadium""".split()
FACTS = """id name title code status amount price quantity created_at updated_at country city street phone email kind
weight height color rating comment score total discount started_on""".split()

Files = dict[str, Weights]


def main() -> None:
    """Print a table for each part that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=PARTS, help="one part alone")
    parser.add_argument("--sizes", nargs="+", choices=SHAPES, default=list(SHAPES), help="of the models: both")
    parser.add_argument("--rounds", type=int, default=3, help="how often times are taken, of which the median counts")
    parser.add_argument("--samples", type=int, default=1_000, help="of the first model, over all catalogs")
    options = parser.parse_args()
    print(f"llama-cpp-python {version('llama-cpp-python')}, {threads()} thread(s)")
    with tempfile.TemporaryDirectory() as folder:
        files = {size: Weights(write_model(Path(folder) / f"{size}.gguf", size)) for size in options.sizes}
        for name, part in PARTS.items():
            if options.only in (None, name):
                part(files, options)


def seconds(work: Callable[[], Any]) -> float:
    """Return wall seconds of one run."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def table(title: str, head: str, rows: Iterable[Iterable[object]]) -> None:
    """Print a table in Markdown, each row when it is there."""
    print(f"\n{title}\n\n| {head} |\n|{'---|' * (head.count('|') + 1)}", flush=True)
    for row in rows:
        print("|", " | ".join(map(str, row)), "|", flush=True)


# ------------------------------------------------------------------------------------------- one prompt, many replies


def together(files: Files, options: argparse.Namespace) -> None:
    """20 replies to one prompt: at once, one after the other, and as a program does that forgets the prompt."""

    def rows() -> Iterator[tuple[object, ...]]:
        for size, file in files.items():
            text = prompt_of(file, PROMPT)
            took = {how: [how(file, text, seed) for seed in range(options.rounds)] for how in WAYS}
            for how, name in WAYS.items():
                times = [one for one, _ in took[how]]
                ratio = statistics.median(one / first for one, (first, _) in zip(times, took[at_once], strict=True))
                yield size, name, f"{took[how][0][1]:,}", f"{statistics.median(times):.2f}", f"{ratio:.2f}"

    title = f"{REPLIES} completions of one prompt of {PROMPT:,} tokens, {REPLY} tokens each"
    table(title, "model | completions | prompt tokens evaluated | seconds | of the time together", rows())


def at_once(file: Weights, text: str, seed: int) -> tuple[float, int]:
    model = LlamaCpp(file)
    took = seconds(lambda: model.complete(text, n=REPLIES, temperature=1.0, max_tokens=REPLY, seed=seed))
    return took, model.evaluated


def in_turn(file: Weights, text: str, seed: int) -> tuple[float, int]:
    return one_by_one([LlamaCpp(file)] * REPLIES, text, seed)


def anew(file: Weights, text: str, seed: int) -> tuple[float, int]:
    return one_by_one([LlamaCpp(file) for _ in range(REPLIES)], text, seed)


def one_by_one(models: list[LlamaCpp], text: str, seed: int) -> tuple[float, int]:
    def work() -> None:
        for i, model in enumerate(models):
            model.complete(text, temperature=1.0, max_tokens=REPLY, seed=seed + i)

    return seconds(work), sum(model.evaluated for model in set(models))


WAYS = {at_once: "together", in_turn: "one after the other", anew: "one after the other, the prompt forgotten"}


def prompt_of(file: Weights, tokens: int) -> str:
    """Return a schema and a question that a model sees as so many tokens."""
    schema = "".join(f"{noun} ({', '.join(f'{noun}_{fact} TEXT' for fact in FACTS)})\n" for noun in NOUNS)

    def text(size: int) -> str:
        return schema[:size] + "\n-- per country?"

    def count(size: int) -> int:
        return len(file.prompt(text(size)))

    near = bisect_left(range(len(schema)), tokens, key=count)  # a letter more may be a token less
    return text(next(size for size in range(near - 20, len(schema)) if count(size) == tokens))


def second(files: Files, _: argparse.Namespace) -> None:
    """What the next questions on a schema evaluate: the prompts that `ask` sends about the sample database."""

    def rows() -> Iterator[tuple[object, ...]]:
        for size, file in files.items():
            model, before, first = LlamaCpp(file), 0, 0
            for (prompt,) in (next(connection.execute("SELECT ask_prompt(?)", (text,))) for text in QUESTIONS):
                tokens = model.complete(prompt, max_tokens=1).prompt_tokens
                evaluated, before = model.evaluated - before, model.evaluated
                first = first or evaluated
                yield size, f"{tokens:,}", f"{evaluated:,}", f"{evaluated / first:.1%}"

    with tempfile.TemporaryDirectory() as folder:
        build_sqlite(Path(folder) / "world.db")
        connection = askwhere.connect(Path(folder) / "world.db", model=askwhere.models.Scripted([]))
        head = "model | tokens of the prompt | evaluated | of the first"
        table("questions on one schema, one after the other (aim: at most a fifth of the first)", head, rows())
        connection.close()


# ------------------------------------------------------------------------------------------------------- the grammar


def database(columns: int) -> apsw.Connection:
    """Return an in-memory database with so many columns, ten to a table, each of another name."""
    connection = apsw.Connection(":memory:")
    names = [f"{noun}_{fact}" for fact in FACTS for noun in NOUNS][:columns]
    for i in range(0, columns, 10):
        types = itertools.cycle(("INTEGER", "TEXT", "REAL"))
        listed = ", ".join(f"{name} {kind}" for name, kind in zip(names[i : i + 10], types, strict=False))
        connection.execute(f"CREATE TABLE {NOUNS[i // 10 % len(NOUNS)]}_{i // 10} ({listed})")
    return connection


def grammars_of(connection: apsw.Connection) -> tuple[catalogs.Catalog, BoundGrammar]:
    """Return the catalog, and what replies are held to so that they bind; its text is the grammar of names."""
    catalog = catalogs.read(SQLiteEngine(connection))
    return catalog, bound(catalog, "sqlite")


def held(files: Files, options: argparse.Namespace) -> None:
    """Milliseconds of processor time a token, free, held to the grammar of names, and to what binds, in turn."""

    def rows() -> Iterator[tuple[object, ...]]:
        for size, file in files.items():
            model = LlamaCpp(file)
            for columns in COLUMNS:
                _, binding = grammars_of(database(columns))
                text = str(binding)
                parsing = seconds(lambda file=file, text=text: Grammar(file, text)) * 1_000
                ways = (None, text, binding)
                times = [[each(model, way, i) for way in ways] for i in range(options.rounds * 5)]
                free, names, binds = (statistics.median(way) for way in zip(*times, strict=True))
                yield (
                    size,
                    f"{columns:,}",
                    f"{parsing:.0f}",
                    f"{free:.2f}",
                    f"{names - free:.2f}",
                    f"{binds - free:.2f}",
                )

    head = "model | columns | ms to read the grammar | ms a token, free | added by names | by what binds"
    table("time a token with the catalog's grammar (aim: at most 2 ms added at 1,000 columns)", head, rows())
    print()
    for size, file in files.items():
        took = seconds(lambda file=file: Weights.tree.func(file))
        print(f"and once for {size}, the tree of its {file.size:,} tokens: {took * 1_000:.0f} ms")


def each(model: LlamaCpp, text: str | None, seed: int) -> float:
    """Return milliseconds a token of one reply."""
    started = time.process_time()
    got = model.complete("orders", temperature=1.0, max_tokens=96, seed=seed, grammar=text)
    return (time.process_time() - started) / max(got.completion_tokens, 1) * 1_000


def samples(files: Files, options: argparse.Namespace) -> None:
    """Samples held to the grammar: how many are completed, and of these how many parse, name what exists, and bind."""
    wrong: list[str] = []

    def rows() -> Iterator[tuple[object, ...]]:
        for way in ("names", "binding"):
            yield from (((f"{way}, {columns}"), *counts) for columns, *counts in held_to(way))

    def held_to(way: str) -> Iterator[tuple[object, ...]]:
        total = [0] * 5
        for i, columns in enumerate(COLUMNS):
            connection, n = database(columns), (options.samples + i) // len(COLUMNS)
            catalog, text = grammars_of(connection)
            ended = completed(next(iter(files.values())), text, text.reading if way == "binding" else None, n, columns)
            parsed = [sql for sql in ended if parses(connection, sql)]
            named = [sql for sql in parsed if exists(catalog, sql)]
            binding = [sql for sql in named if not complaint(connection, sql)]
            wrong.extend(sql for sql in ended if sql not in named)
            counts = [n, *map(len, (ended, parsed, named, binding))]
            total[:] = map(sum, zip(total, counts, strict=True))
            yield f"{columns:,}", *shares(counts)
        yield "all", *shares(total)

    head = "held to, columns | samples | completed | parse | and name only what exists | and bind"
    table("samples held to the catalog's grammar, at temperature 1 (aim: all that are completed parse)", head, rows())
    for sql in wrong[:5]:
        print(f"wrong: {sql!r}")


def shares(counts: list[int]) -> Iterator[str]:
    """Yield samples, those completed, and of these each other count as a share."""
    samples, ended, *others = counts
    yield from (f"{samples:,}", f"{ended:,}")
    yield from (f"{count:,} ({count / max(ended, 1):.1%})" for count in others)


def completed(file: Weights, text: str, reading: Reading | None, n: int, seed: int) -> list[str]:
    """Return what the model says before it has said its most tokens."""
    params = SamplingParams(1.0, LONGEST, grammar=Grammar(file, text), reading=reading)
    replies = [Reply(file, params, seed + i) for i in range(n)]
    Cache(file).grow(file.prompt("-- per country?"), iter(replies), TOGETHER, TOGETHER * LONGEST, Stop())
    return [reply.text for reply in replies if reply.count < LONGEST]


def complaint(connection: apsw.Connection, sql: str) -> str:
    """Return why SQLite does not prepare a query; '' where it does."""
    try:
        connection.execute(f"EXPLAIN {sql}").close()
    except apsw.Error as exc:
        return str(exc)
    return ""


def parses(connection: apsw.Connection, sql: str) -> bool:
    """Return whether sqlglot reads one statement in it, and SQLite has no complaint about how it is written."""
    try:
        trees = [tree for tree in sqlglot.parse(sql, dialect="sqlite") if tree]
    except sqlglot.errors.SqlglotError:
        return False
    complained = complaint(connection, sql)
    return len(trees) == 1 and not re.search(r"syntax error|unrecognized|incomplete", complained)


def exists(catalog: catalogs.Catalog, sql: str) -> bool:
    """Return whether every table and column of a query is in the catalog; what binds them together is not looked at.

    A column may be said to be of a table of the catalog, or of a name that the query gives: a letter, maybe a digit.
    """
    tree = sqlglot.parse_one(sql, dialect="sqlite")
    tables = {table.name.lower() for table in catalog.tables}
    names = {column.name.lower() for table in catalog.tables for column in table.columns}
    columns = list(tree.find_all(exp.Column))
    return (
        all(table.name.lower() in tables for table in tree.find_all(exp.Table))
        and all(c.name.lower() in names for c in columns if not isinstance(c.this, exp.Star))
        and all(c.table.lower() in tables or re.fullmatch("[a-zA-Z][0-9]?", c.table) for c in columns if c.table)
    )


PARTS = {"together": together, "second": second, "grammar": held, "samples": samples}

if __name__ == "__main__":
    main()
