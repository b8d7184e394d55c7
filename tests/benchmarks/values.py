"""How fast the value index is built and searched beside other ways to do it, and how many gold values it finds.

    python tests/benchmarks/values.py speed --sizes S,M           (L takes some minutes)
    python tests/benchmarks/values.py paper --size M              (the whole component beside rank_bm25 and difflib)
    python tests/benchmarks/values.py tennis                      (the 133 MB tennis database)
    python tests/benchmarks/values.py recall --sets dev,train     (Spider's text literals among the two values shown)

Every tool has the same task: for a question, in every column, the 1,000 best values that share a word with it. They run
in processes of their own, one after the other in each round, on the same questions in the same order; medians and their
ratios are what counts, milliseconds depend on the machine. No compiler is needed. The rivals are no dependencies:
`pip install bm25s numba`, and for DuckDB's own full-text search an interpreter with `duckdb==1.5.5 duckdb-extensions
duckdb-extension-fts` of the same version, named by --fts-python.
"""

from __future__ import annotations

import argparse
import difflib
import gc
import importlib
import itertools
import json
import lzma
import os
import random
import re
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

DATA = Path(os.environ.get("ASKWHERE_DATA", Path(__file__).parents[2] / "../shared/data"))
CACHE = Path(os.environ.get("ASKWHERE_BENCHMARK_CACHE", f"{tempfile.gettempdir()}/askwhere-benchmark")) / "values"
SIZES = {"S": (50, 50_000), "M": (100, 1_000_000), "L": (200, 5_000_000)}
LARGEST = {"L": (900_000, 700_000, 600_000, 520_000)}
K = 1_000
WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    return WORD.findall(text.lower())


# ------------------------------------------------------------------------------------------------------------- data


def made(size: str) -> Path:
    """Return a database of names, titles, places, addresses, codes and dates: a table for each column, drawn by Zipf's
    law.
    """
    path = CACHE / f"{size}.sqlite"
    if path.exists():
        return path
    CACHE.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(ord(size))
    n_columns, total = SIZES[size]
    vocabulary = _vocabulary(rng, {"S": 20_000, "M": 150_000, "L": 400_000}[size])
    with sqlite3.connect(f"{path}.part") as connection:
        for number, n in enumerate(_column_sizes(size, n_columns, total)):
            kind = ("name", "title", "place", "name", "address", "title", "code", "place", "title", "date")[number % 10]
            found = _values(rng, kind, n, vocabulary)
            connection.execute(f"CREATE TABLE c{number:03} (val TEXT)")
            connection.executemany(f"INSERT INTO c{number:03} VALUES (?)", ((value,) for value in found))
    connection.close()
    os.replace(f"{path}.part", path)
    return path


def _column_sizes(size: str, n_columns: int, total: int) -> list[int]:
    first = LARGEST.get(size, ())
    shares = np.arange(1, n_columns - len(first) + 1) ** -0.95
    rest = np.maximum(20, shares / shares.sum() * (total - sum(first))).astype(int)
    return [*first, *rest.tolist()]


def _vocabulary(rng: np.random.Generator, n: int) -> list[str]:
    """Return words of Spider's questions, then made-up ones of alternating consonants and vowels."""
    asked = Counter(word for question in _questions() for word in words(question) if word.isalpha())
    found = dict.fromkeys(word for word, _ in asked.most_common())
    while len(found) < n:
        letters = zip(rng.choice(list("bcdfghklmnprstvwz"), (n, 5)), rng.choice(list("aeiou"), (n, 5)), strict=True)
        sizes = rng.integers(2, 6, n)
        found |= dict.fromkeys(
            "".join(a + b for a, b in list(zip(x, y, strict=True))[:k])
            for (x, y), k in zip(letters, sizes, strict=True)
        )
    return list(found)[:n]


def _values(rng: np.random.Generator, kind: str, n: int, vocabulary: list[str]) -> list[str]:
    """`n` different values of a kind, in random order."""
    sums = np.cumsum((np.arange(len(vocabulary)) + 2.7) ** -0.85)
    found: dict[str, None] = {}
    for attempt in itertools.count():
        if len(found) >= n:
            break
        m = int((n - len(found)) * 1.3) + 50
        picked = [[vocabulary[i] for i in row] for row in np.searchsorted(sums, rng.random((m, 6)) * sums[-1])]
        many, numbers = rng.integers(0, 100, m), rng.integers(1, 10_000, m)
        made_ = (_value(kind, row, int(a), int(b)) for row, a, b in zip(picked, many, numbers, strict=True))
        # Where a kind has too few different values of its own, numbers make them different.
        found |= dict.fromkeys(f"{value} {i}" if attempt > 2 else value for i, value in enumerate(made_))
    some = list(found)[:n]
    rng.shuffle(some)
    return some


def _value(kind: str, some: list[str], a: int, b: int) -> str:
    if kind == "name":
        return (
            f"{some[0].title()} {some[1].title()}"
            if a < 80
            else f"{some[0].title()} {chr(65 + a % 26)}. {some[1].title()}"
        )
    if kind == "title":
        return " ".join(some[: 2 + a % 5]).capitalize()
    if kind == "place":
        return some[0].title() if a < 45 else f"{('San', 'New', 'Port', 'Saint')[a % 4]} {some[0].title()}"
    if kind == "address":
        return f"{b} {some[0].title()} {('Street', 'Avenue', 'Road', 'Lane')[min(a // 30, 3)]}"
    if kind == "code":
        return f"{('AB', 'CX', 'QR')[a % 3]}-{b * 1000 + a * 7}"
    return f"20{a % 30:02}-{1 + b % 12:02}-{1 + a % 28:02} {b % 24:02}:{b % 60:02}"


def _questions() -> list[str]:
    files = [DATA / "spider" / name for name in ("dev.jsonl", "train_spider.jsonl")]
    return sorted({json.loads(line)["question"] for file in files for line in file.read_text("utf-8").splitlines()})


def questions(database: Path, n: int = 200) -> list[str]:
    """Return questions of Spider of 8 to 15 words; every second one holds a value of the database."""
    draw = random.Random(7)
    own = [q for q in _questions() if 8 <= len(q.split()) <= 15 and q.isascii()]
    draw.shuffle(own)
    connection = sqlite3.connect(database)
    tables = [
        name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'c%'")
    ]
    asked = []
    for number, question in enumerate(own[:n]):
        parts = question.rstrip("?. ").split()
        if number % 2 and tables:
            table = draw.choice(tables)
            (rows,) = connection.execute(f"SELECT max(rowid) FROM {table}").fetchone()
            (value,) = connection.execute(
                f"SELECT val FROM {table} WHERE rowid = ?", (draw.randint(1, rows),)
            ).fetchone()
            at = draw.randint(2, len(parts))
            parts = parts[:at] + value.split() + parts[at:]
        asked.append(" ".join(parts[:15]))
    return asked


# ------------------------------------------------------------------------------------------------------------ tools


class Tool:
    """One way to index every column of a database, and to find each column's best values for a question."""

    engine = "sqlite"

    def __init__(self, base: Path) -> None:
        self.base = base
        self.path = CACHE / f"{base.stem}.{type(self).__name__}.{self.engine}"

    def prepare(self) -> None:
        """Return a fresh copy of the database."""
        self.path.unlink(missing_ok=True)
        if self.engine == "sqlite":
            shutil.copy(self.base, self.path)
            return
        duckdb = importlib.import_module("duckdb")
        with duckdb.connect(str(self.path)) as connection:
            for name, found in self.columns():
                connection.execute(f"CREATE TABLE {name} (val VARCHAR)")
                values = np.array(found, object)
                connection.register("found", {"val": values})
                connection.execute(f"INSERT INTO {name} SELECT val FROM found")

    def columns(self) -> Iterator[tuple[str, list[str]]]:
        """Return every column's values."""
        connection = sqlite3.connect(self.base)
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
        for (name,) in names:
            yield name, [value for (value,) in connection.execute(f"SELECT val FROM {name}")]

    def sqlite(self, bulk: bool = False) -> Any:
        apsw = importlib.import_module("apsw")
        connection = apsw.Connection(str(self.path))
        connection.execute("PRAGMA cache_size = -65536")
        if not bulk:
            connection.execute("PRAGMA mmap_size = 2000000000")  # mapped pages would count as memory while building
        if bulk:
            connection.execute("PRAGMA journal_mode = off; PRAGMA synchronous = off; PRAGMA temp_store = memory")
        return connection

    def build(self) -> None:
        """Index everything."""

    def open(self) -> None:
        """Make ready for questions."""

    def query(self, question: str) -> None:
        """Return the best values of each column."""


class Askwhere(Tool):
    """This package's index."""

    def prepare(self) -> None:
        super().prepare()
        for name in ("bindings.sqlite", "bindings.duckdb", "indexer.index", "indexer.build"):
            importlib.import_module(f"askwhere.{name}")  # what is measured is the work

    def connect(self, bulk: bool = False) -> Any:
        from askwhere.bindings.sqlite.engine import SQLiteEngine

        self.connection = self.sqlite(bulk)
        return SQLiteEngine(self.connection)

    def build(self) -> None:
        from askwhere.indexer import build, catalog, index

        engine = self.connect(bulk=True)
        index.build(engine, catalog.read(engine), build.Limits())
        self.connection.close()

    def open(self) -> None:
        from askwhere.indexer import catalog, index, lookup

        engine = self.connect()
        opened = index.open_(engine, catalog.read(engine))
        assert opened.statistics is not None
        self.index = lookup.Index(opened.statistics, engine.storage().fetch)

    def query(self, question: str) -> None:
        from askwhere.indexer import scoring
        from askwhere.indexer.words import tokens

        for scored in self.index.score(tokens(question)):
            for _, a, b in scoring.runs(scored.regions):
                own = scored.scores[a:b]
                if b - a > K:
                    best = np.argpartition(own, b - a - K)[-K:]
                    scored.values[a:b][best], own[best]


class AskwhereDuckDB(Askwhere):
    """This package's index in DuckDB."""

    engine = "duckdb"

    def connect(self, bulk: bool = False) -> Any:
        from askwhere.bindings.duckdb.engine import DuckDBEngine

        self.connection = importlib.import_module("duckdb").connect(str(self.path), config={"threads": "2"})
        return DuckDBEngine(self.connection)


class Search(Askwhere):
    """The whole search: scores, bridging, and the texts of the best two values of each column."""

    def __init__(self, base: Path) -> None:
        super().__init__(base)
        self.path = CACHE / f"{base.stem}.Askwhere.sqlite"

    def prepare(self) -> None:
        """Another tool's index is used."""

    def build(self) -> None:
        """Another tool's index is used."""

    def query(self, question: str) -> None:
        self.index.search(question)


class FTS5(Tool):
    """One contentless full-text table a column."""

    def build(self) -> None:
        connection = self.sqlite(bulk=True)
        connection.execute("BEGIN")
        for name, _ in self._names(connection):
            options = "content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0'"
            connection.execute(f"CREATE VIRTUAL TABLE fts_{name} USING fts5(val, {options})")
            connection.execute(f"INSERT INTO fts_{name}(rowid, val) SELECT rowid, val FROM {name}")
        connection.execute("COMMIT")
        connection.close()

    def _names(self, connection: Any) -> list[Any]:
        found = "SELECT name, 1 FROM sqlite_schema WHERE type = 'table' AND name LIKE 'c___'"
        return list(connection.execute(found).fetchall())

    def open(self) -> None:
        self.connection = self.sqlite()
        ranked = "SELECT rowid, rank FROM fts_{0} WHERE fts_{0} MATCH ? ORDER BY rank LIMIT {1}"
        self.queries = [ranked.format(name, K) for name, _ in self._names(self.connection)]

    def query(self, question: str) -> None:
        asked = (" OR ".join(f'"{word}"' for word in dict.fromkeys(words(question))),)
        for sql in self.queries:
            self.connection.execute(sql, asked).fetchall()


class DuckDBFTS(Tool):
    """DuckDB's full-text extension: one index over all columns; its scores are those of all columns together."""

    engine = "duckdb"

    def connect(self) -> Any:
        duckdb, extensions = importlib.import_module("duckdb"), importlib.import_module("duckdb_extensions")
        connection = duckdb.connect(str(self.path), config={"allow_unsigned_extensions": "true", "threads": "2"})
        extensions.import_extension("fts", con=connection)
        connection.execute("LOAD fts")
        return connection

    def prepare(self) -> None:
        super().prepare()
        with importlib.import_module("duckdb").connect(str(self.path)) as connection:
            names = [
                name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY 1").fetchall()
            ]
            every = " UNION ALL ".join(f"SELECT {n} AS col, val FROM {name}" for n, name in enumerate(names))
            connection.execute(f"CREATE TABLE docs AS SELECT row_number() OVER () AS id, col, val FROM ({every})")

    def build(self) -> None:
        connection = self.connect()
        options = "stemmer='none', stopwords='none', ignore='[^a-z0-9\\x80-\\xff]+', strip_accents=0, lower=1"
        connection.execute(f"PRAGMA create_fts_index('docs', 'id', 'val', {options}, overwrite=1)")
        connection.execute("CHECKPOINT")
        connection.close()

    def open(self) -> None:
        self.connection = self.connect()

    def query(self, question: str) -> None:
        scored = "SELECT id, col, fts_main_docs.match_bm25(id, $1, k := 1.5, b := 0.75) AS s FROM docs"
        best = f"QUALIFY row_number() OVER (PARTITION BY col ORDER BY s DESC) <= {K}"
        sql = f"SELECT id, col, s FROM ({scored}) WHERE s IS NOT NULL {best}"
        self.connection.execute(sql, [" ".join(dict.fromkeys(words(question)))]).fetchnumpy()


class BM25S(Tool):
    """bm25s with numba, one index a column, beside the database."""

    def prepare(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir(parents=True)

    def build(self) -> None:
        bm25s = importlib.import_module("bm25s")
        for name, found in self.columns():
            split = bm25s.tokenize(found, token_pattern=r"[^\W_]+", stopwords=None, show_progress=False)
            one = bm25s.BM25(k1=1.5, b=0.75, method="atire", idf_method="robertson", csc_backend="auto")
            one.index(split, show_progress=False)
            one.save(str(self.path / name), show_progress=False)

    def open(self) -> None:
        bm25s = importlib.import_module("bm25s")
        self.columns_ = [bm25s.BM25.load(str(p), mmap=True, show_progress=False) for p in sorted(self.path.iterdir())]
        for one in self.columns_:
            one.backend = "numba"
        self.columns_[0].activate_numba_scorer()

    def query(self, question: str) -> None:
        split = words(question)
        for one in self.columns_:
            known = [word for word in split if word in one.vocab_dict]
            if known:
                one.retrieve([known], k=min(K, one.scores["num_docs"]), show_progress=False)


TOOLS = {tool.__name__: tool for tool in (Askwhere, AskwhereDuckDB, Search, FTS5, DuckDBFTS, BM25S)}


# ---------------------------------------------------------------------------------------------------------- measuring


def worker(name: str, base: Path, phase: str, seconds: float) -> None:
    """Measure one tool in this process and print what was found as JSON."""
    tool = TOOLS[name](base)
    if phase == "build":
        tool.prepare()
        importlib.import_module("numpy")
        gc.collect()  # what the imports have left is no part of the work
        started, cpu = time.perf_counter(), time.process_time()
        tool.build()
        spent, cpu = time.perf_counter() - started, time.process_time() - cpu
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"build_s": spent, "build_cpu_s": cpu, "peak_mb": peak}))
        return
    asked = questions(base)
    started = time.perf_counter()
    tool.open()
    opened = time.perf_counter() - started
    tool.query(asked[0])
    times: list[float] = []
    started = time.perf_counter()
    for question in asked:
        before = time.perf_counter()
        tool.query(question)
        times.append(time.perf_counter() - before)
        if time.perf_counter() - started > seconds:
            break
    print(json.dumps({"ms": statistics.median(times) * 1e3, "open_ms": opened * 1e3, "n": len(times)}))


def measured(name: str, base: Path, phase: str, python: str, seconds: float) -> dict[str, float] | None:
    """Return what a process of the tool's own prints; None where it cannot run here."""
    command = [
        python,
        __file__,
        "worker",
        "--tool",
        name,
        "--base",
        str(base),
        "--phase",
        phase,
        "--seconds",
        str(seconds),
    ]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode:
        print(f"  {name}: {ran.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    found: dict[str, float] = json.loads(ran.stdout.splitlines()[-1])
    return found


def speed(sizes: list[str], tools: list[str], rounds: int, builds: int, fts_python: str, seconds: float) -> None:
    """Print medians and ratios of every tool for each size."""
    for size in sizes:
        base = made(size)
        pythons = {name: fts_python if name == "DuckDBFTS" else sys.executable for name in tools}
        built: dict[str, list[dict[str, float]]] = {name: [] for name in tools}
        asked: dict[str, list[dict[str, float]]] = {name: [] for name in tools}
        for phase, times, into in (("build", builds, built), ("query", rounds, asked)):
            for _ in range(times):
                for name in tools:
                    found = measured(name, base, phase, pythons[name], seconds)
                    into[name] += [found] if found else []
        print(f"\n{size}: {SIZES[size][1]:,} values in {SIZES[size][0]} columns\n")
        print("| tool | build s | CPU s | peak MB | query ms | times Askwhere's: query | build | build, CPU |")
        print("|---|---|---|---|---|---|---|---|")
        for name in tools:
            wall, cpu, peak = (_median(built[name], key) for key in ("build_s", "build_cpu_s", "peak_mb"))
            query = _median(asked[name], "ms")
            ratios = f"{query / _median(asked['Askwhere'], 'ms'):.1f} | {_paired(built, name, 'build_s'):.2f}"
            ratios += f" | {_paired(built, name, 'build_cpu_s'):.2f}"
            print(f"| {name} | {wall:.2f} | {cpu:.2f} | {peak:.0f} | {query:.2f} | {ratios} |")


def _median(found: list[dict[str, float]], key: str) -> float:
    return statistics.median(one[key] for one in found) if found else float("nan")


def _paired(found: dict[str, list[dict[str, float]]], name: str, key: str) -> float:
    """Return the median of a tool's figure divided by Askwhere's of the same round."""
    pairs = zip(found[name], found["Askwhere"], strict=False)
    return statistics.median([a[key] / b[key] for a, b in pairs] or [float("nan")])


def paper(size: str, n: int) -> None:
    """The whole component beside the paper's: rank_bm25 of each column, then difflib on up to 1,000 values of each."""
    rank_bm25 = importlib.import_module("rank_bm25")
    base = made(size)
    tool = Askwhere(base)
    tool.prepare()
    tool.build()
    tool.open()
    columns = [(values, rank_bm25.BM25Okapi([words(v) or [""] for v in values])) for _, values in tool.columns()]
    asked = questions(base)
    ours = [_timed(lambda q=question: tool.index.search(q)) for question in asked]  # type: ignore[misc]
    theirs = [_timed(lambda q=question: _as_published(q, columns)) for question in asked[:n]]  # type: ignore[misc]
    a, b = statistics.median(ours), statistics.median(theirs)
    print(f"{size}: ours {a * 1e3:.1f} ms, rank_bm25 + difflib {b * 1e3:,.0f} ms ({n} questions): {b / a:.0f} times")


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _as_published(question: str, columns: list[tuple[list[str], Any]]) -> list[list[str]]:
    """SEA-SQL: the 1,000 best of each column, those that match a span of the question by 0.85 first, then two shown."""
    split, lower, found = words(question), question.lower(), []
    for values, scorer in columns:
        scores = scorer.get_scores(split)
        best = np.argsort(scores)[::-1][:K]
        found.append(sorted((values[i] for i in best), key=lambda value: -_alike(lower, value.lower()))[:2])
    return found


def _alike(question: str, value: str) -> float:
    match = difflib.SequenceMatcher(None, question, value).find_longest_match(0, len(question), 0, len(value))
    ratio = (
        difflib.SequenceMatcher(None, value, question[match.a : match.a + match.size]).ratio() if match.size else 0.0
    )
    return ratio if ratio >= 0.85 else 0.0


def tennis() -> None:
    """Indexing and searching a real database of 133 MB."""
    from askwhere.bindings.sqlite.engine import SQLiteEngine
    from askwhere.indexer import build, catalog, index

    path = CACHE / "tennis.sqlite"
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        path.write_bytes(lzma.decompress((DATA / "large" / "tennis_wta.sqlite.xz").read_bytes()))
    copy = CACHE / "tennis.indexed.sqlite"
    shutil.copy(path, copy)
    apsw = importlib.import_module("apsw")
    connection = apsw.Connection(str(copy))
    engine = SQLiteEngine(connection)
    read = catalog.read(engine)
    print(index.build(engine, read, build.Limits()))
    print(f"the file grew from {path.stat().st_size / 1e6:.0f} to {copy.stat().st_size / 1e6:.0f} MB")
    values = index.Values(index.open_(engine, read), engine, read)
    for question in ("matches of Serena Williams in Wimbledon", "how many players are from Chekia", "finals on clay"):
        times = [_timed(lambda q=question: values.search(q)) for _ in range(20)]  # type: ignore[misc]
        shown = [f"{m.table[-1]}.{m.column} = {m.value!r}" for m in values.search(question) if m.exact]
        print(f"{statistics.median(times) * 1e3:.1f} ms: {question}: {', '.join(shown[:4])}")


# ------------------------------------------------------------------------------------------------------------- recall


def recall(sets: list[str], engines: list[str]) -> None:
    """Of gold text literals that some column holds: how many are among the two values shown of that column."""
    sys.path.insert(0, str(Path(__file__).parent))
    reader = importlib.import_module("reader")
    sqlglot = importlib.import_module("sqlglot")
    for name in sets:
        file = DATA / "spider" / {"dev": "dev.jsonl", "train": "train_spider.jsonl"}[name]
        asked = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        for engine in engines:
            counts: Counter[str] = Counter()
            there = {path.name for path in (DATA / "spider" / "databases").iterdir()}
            for database in sorted({one["db_id"] for one in asked} & there):
                opened = reader.Database(database, engine)
                index = opened.values._index
                for one in (one for one in asked if one["db_id"] == database):
                    _count(counts, sqlglot, index, one["question"], one["sql"])
            held, said = max(counts["held"], 1), max(counts["said"], 1)
            print(
                f"{name} in {engine}: {counts['literals']:,} text literals, {counts['held']:,} of them in the data;"
                f" shown {100 * counts['bridged'] / held:.1f} % with bridging, {100 * counts['scored'] / held:.1f} %"
                f" without; of the {counts['said']:,} said word for word {100 * counts['said_shown'] / said:.1f} %"
            )


def _count(counts: Counter[str], sqlglot: Any, index: Any, question: str, gold: str) -> None:
    from askwhere.indexer import scoring
    from askwhere.indexer.words import tokens

    try:
        tree = sqlglot.parse_one(gold, dialect="sqlite")
    except sqlglot.errors.ParseError:
        return
    literals = {e.this.strip("%").strip() for e in tree.find_all(sqlglot.exp.Literal) if e.is_string} - {""}
    # Spider writes text in double quotes, which SQL reads as a column's name.
    literals |= {e.name.strip("%").strip() for e in tree.find_all(sqlglot.exp.Column) if e.this.quoted}
    counts["literals"] += len(literals)
    held = index.exact(literals)
    if not held:
        return
    shown = {match.value for match in index.search(question, 2, fill=True)}
    best: set[str] = set()
    for scored in index.score(tokens(question)):
        places = [p for _, a, b in scoring.runs(scored.regions) for p in scoring.top(scored.scores, a, b, 2)]
        best |= set(index.texts(scored.values[places].tolist()).values())
    said = f" {' '.join(tokens(question))} "
    for literal, matches in held.items():
        values = {match.value for match in matches}
        counts["held"] += 1
        counts["bridged"] += bool(values & shown)
        counts["scored"] += bool(values & best)
        if f" {' '.join(tokens(literal))} " in said:
            counts["said"] += 1
            counts["said_shown"] += bool(values & shown)
        elif not values & shown and os.environ.get("SHOW_MISSED"):
            print(f"  missed {literal!r}: {question}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("speed", "paper", "tennis", "recall", "worker"))
    parser.add_argument("--sizes", default="S,M")
    parser.add_argument("--size", default="M")
    parser.add_argument("--tools", default=",".join(TOOLS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--builds", type=int, default=3)
    parser.add_argument("--questions", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--fts-python", default=sys.executable)
    parser.add_argument("--sets", default="dev,train")
    parser.add_argument("--engines", default="sqlite,duckdb")
    for name in ("tool", "base", "phase"):
        parser.add_argument(f"--{name}")
    given = parser.parse_args()
    if given.what == "worker":
        worker(given.tool, Path(given.base), given.phase, given.seconds)
    elif given.what == "speed":
        tools = given.tools.split(",")
        speed(given.sizes.split(","), tools, given.rounds, given.builds, given.fts_python, given.seconds)
    elif given.what == "paper":
        paper(given.size, given.questions)
    elif given.what == "tennis":
        tennis()
    else:
        recall(given.sets.split(","), given.engines.split(","))


if __name__ == "__main__":
    main()
