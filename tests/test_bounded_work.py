"""Hostile replies and SQL are read in time that grows with their length, and by nothing that could take longer."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from askwhere import guard
from askwhere.bindings.cli import doctor
from askwhere.engine import Column, Grant, Table
from askwhere.errors import AskError, ModelError, Refused
from askwhere.guard.statement import parse
from askwhere.indexer import matching, words
from askwhere.indexer.catalog import Catalog
from askwhere.models import Completions, Scripted
from askwhere.pipeline import (
    asking,
    choice,
    correct,
    decompose,
    outcomes,
    replies,
    schema_linking,
    skeleton,
)
from askwhere.pipeline.asking import Asker, Budget
from askwhere.reader.words import names as reader_names
from askwhere.reader.words import tokens
from askwhere.rewrite import explain, fix, names, repairs, scopes
from askwhere.sql import parsing
from askwhere.sql.lexer import literal_texts, scan
from sqlglot import exp
from support import Database, error, rows
from test_layout import modules

pytestmark = pytest.mark.slow

SIZE = 8_000
DIALECTS = ("sqlite", "duckdb")
# What is repeated: openings that nothing closes, calls named like types, chains, and what reads like the next thing.
OPENINGS = (
    "```", "```sql\n", "```  ", "<think>", "/*", "'", '"', "`", "[", "{[", "((", "[1,", '{"a":', '["a"] ', "e'", "x'",
    "“", "DATE(", "ROW(", "STRUCT(", "DECIMAL(", "CAST(", "CASE WHEN ", "NOT ", "-", "~", "EXISTS(SELECT ", "(SELECT ",
    "SELECT * FROM (", "WITH a AS (", "SELECT 1 UNION ", "a.b.c.", "a AND ", "a OR ", "a || ", "x::", "x -> ",
    "$", "$a$", "select\n", "select a from t\n", "1. x\n", "answer is ", "[a", ",   }",
    '{"token": "a", "schema": "x"}\n',
)  # fmt: skip
CLOSED = ("DATE(", "ROW(", "STRUCT(", "CAST(1 AS DATE(", "(", "[", "list_transform(", "(SELECT ", "IF(", "MAP(")
MANY = SIZE // 30
SHAPES = {
    "tags": "SELECT " + " ".join(f"$a{i}$" for i in range(SIZE // 8)),
    "a quoted type": 'SELECT CAST(1 AS "' + "DATE(" * 40 + "1" + ")" * 40 + '")',
    "elements": "SELECT x" + "['a']" * (SIZE // 5),
    "CTEs in a row": "WITH "
    + ", ".join(f"a{i} AS (SELECT 1 FROM a{i - 1})" for i in range(1, MANY))
    + " SELECT 1 FROM a2",
    "CTEs joined": "WITH "
    + ", ".join(f"a{i} AS (SELECT 1)" for i in range(MANY))
    + " SELECT 1 FROM "
    + ", ".join(f"a{i}" for i in range(MANY)),
    "tables": "SELECT 1 FROM " + ", ".join(["wide"] * (SIZE // 6)),
    "no tables": "SELECT 1 FROM " + "a" * SIZE,
    "stars": "WITH a0 AS (SELECT 1 x), "
    + ", ".join(f"a{i} AS (SELECT a.*, b.* FROM a{i - 1} a, a{i - 1} b)" for i in range(1, 25))
    + " SELECT * FROM a24",
    "subqueries": "SELECT " + " + ".join(["(SELECT c1 FROM wide)"] * 200),
}


def texts() -> dict[str, str]:
    """The hostile texts: each opening alone or after SELECT; calls in each other as deep as the guard lets them be."""
    found = dict(SHAPES)
    for number, one in enumerate(OPENINGS):
        text = one * (SIZE // len(one))
        found |= {one: text} if number % 2 else {f"SELECT {one}": f"SELECT {text}"}
    for one in CLOSED:
        found[f"{one} closed"] = "SELECT " + one * 45 + "1" + ")" * 45
    return found


def grant(dialect: str) -> Grant:
    path = ("main",) if dialect == "sqlite" else ("memory", "main")
    columns = tuple(Column(f"c{i}", "INT") for i in range(300))
    return Grant(tuple(Table((*path, name), columns) for name in ("wide", "b" * 10_000)))


def readers() -> dict[str, Callable[[str], object]]:
    """All that reads a text from outside, by name."""
    tables = grant("sqlite").tables
    catalog = Catalog(tables, grant("sqlite"))
    found: dict[str, Callable[[str], object]] = {
        "structures": replies.structures,
        "reason": replies.reason,
        "alignments": lambda text: decompose.alignments(text, tables),
        "choice": lambda text: choice.choice_named(text, ["SELECT 1"]),
        "columns": lambda text: schema_linking.columns_named(text, catalog),
        "error": lambda text: correct.seen_names(text, catalog, text),
    }
    for dialect in DIALECTS:
        found |= {
            f"query {dialect}": lambda text, d=dialect: replies.query(text, d),
            f"explained {dialect}": lambda text, d=dialect: replies.explained(text, d),
            f"qualify {dialect}": lambda text, d=dialect: guard.qualify(text, d, grant(d)),
            f"skeleton {dialect}": lambda text, d=dialect: skeleton.skeleton(text, d),
            f"entities {dialect}": lambda text, d=dialect: skeleton.entities(text, d, grant(d).tables),
            f"ordered {dialect}": lambda text, d=dialect: outcomes.is_ordered(text, d),
            f"literals {dialect}": lambda text, d=dialect: literal_texts(text, d),
            f"explain {dialect}": lambda text, d=dialect: explain.explain(text, Catalog(grant(d).tables, grant(d)), d),
            f"names {dialect}": lambda text, d=dialect: named_wrongly(text, d),
        }
    return found


def named_wrongly(text: str, dialect: str) -> repairs.Unknown | None:
    """The first name of a query that stands for nothing; of a long query, of its beginning, as `ask_fix` does."""
    known = repairs.Known(Catalog(grant(dialect).tables, grant(dialect)), dialect, frozenset(), frozenset())
    sql = text[: fix.MOST_CHARACTERS]
    return names.unknown(repairs.Text(sql, parse(sql, dialect), known))


NAMES = tuple(readers())
SLOWEST = 10.0  # processor seconds; each takes below 1.5, and minutes or for ever without bounds


def measured(name: str) -> dict[str, float]:
    """Processor seconds that a reader takes for each text. What it raises is one of our own errors."""
    read, found = readers()[name], {}
    for what, text in texts().items():
        began = time.process_time()
        with contextlib.suppress(AskError):
            read(text)
        found[what] = time.process_time() - began
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_text_keeps_a_reader_busy(name: str) -> None:
    code = "import sys, json, test_bounded_work as t; print(json.dumps(t.measured(sys.argv[1])))"
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    ran = subprocess.run(
        [sys.executable, "-c", code, name], capture_output=True, text=True, timeout=1_200, env=here, check=False
    )
    assert ran.returncode == 0, ran.stderr
    took = json.loads(ran.stdout)
    assert {what: seconds for what, seconds in took.items() if seconds > SLOWEST} == {}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT " + "DATE(" * 18 + "1" + ")" * 18,
        "SELECT " + "DATE(" * 40,
        'SELECT CAST(1 AS "' + "DATE(" * 40 + "1" + ")" * 40 + '")',
    ],
)
def test_calls_named_like_types_in_each_other_are_not_read_again_and_again(sql: str, dialect: str) -> None:
    with pytest.raises(parsing.SqlglotError):
        parsing.statements(sql, dialect)


def test_what_takes_too_much_work_says_what_to_do() -> None:
    with pytest.raises(Refused) as raised:
        guard.qualify("SELECT " + "DATE(" * 18 + "1" + ")" * 18, "sqlite", Grant(()))
    assert str(raised.value) == "the query takes too much work to read; nest fewer calls in each other"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_honest_depth_and_length_are_read(dialect: str) -> None:
    some = ", ".join(map(str, range(5_000)))
    ors = " OR ".join(f"c1 = {i}" for i in range(150))
    calls = "round(" * 12 + "1" + ")" * 12
    sql = f"SELECT {calls}, date(date(date('now'))) FROM wide WHERE c1 IN ({some}) OR ({ors})"
    assert guard.qualify(sql, dialect, grant(dialect)).startswith("SELECT")


@pytest.mark.slow
def test_real_queries_take_a_small_part_of_the_work_allowed(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A third of what is allowed for each token, and a hundredth of what is allowed beside.
    monkeypatch.setattr(parsing, "STEPS_A_TOKEN", parsing.STEPS_A_TOKEN / 3)
    monkeypatch.setattr(parsing, "STEPS", parsing.STEPS / 100)
    sets = (("spider/dev.jsonl", "sql", "sqlite"), ("spider/train_spider.jsonl", "sql", "sqlite"),
            ("spider/dev.duckdb.jsonl", "sql_duckdb", "duckdb"), ("bird/dev.jsonl", "sql", "sqlite"),
            ("duckdb_nsql/dev.jsonl", "sql", "duckdb"))  # fmt: skip
    read = 0
    for file, field, dialect in sets:
        for line in (data / file).read_text("utf-8").splitlines():
            try:
                read += len(parsing.statements(json.loads(line)[field], dialect)) > 0
            except parsing.TooComplex as error:
                pytest.fail(f"{line}: {error}")
            except parsing.SqlglotError:
                continue
    assert read > 10_000


def test_a_query_that_grows_too_long_by_its_tables_columns_is_refused() -> None:
    allowed = grant("sqlite")
    hidden = Grant(allowed.tables, hidden=((("main", "wide"), "c0"),))
    with pytest.raises(Refused, match="too many tables, or tables of too many columns"):
        guard.qualify("SELECT 1 FROM " + ", ".join(["wide"] * 200), "sqlite", hidden)


DOUBLED = (
    "WITH a0 AS (SELECT c1 AS x, c2 AS y FROM wide), "
    + ", ".join(f"a{i} AS (SELECT {{}} FROM a{i - 1} a, a{i - 1} b)" for i in range(1, 60))
    + " SELECT {} FROM a59 a, a59 b"
)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("shown", "known"), [("a.x, b.y", ("x", "y")), ("a.*, b.*", None)])
def test_common_table_expressions_that_are_joined_with_themselves_are_read_once(
    dialect: str, shown: str, known: tuple[str, ...] | None
) -> None:
    sql = DOUBLED.replace("{}", shown)
    tree, catalog = parse(sql, dialect), Catalog(grant(dialect).tables, grant(dialect))
    last = [table for table in tree.find_all(exp.Table) if table.name == "a59"]
    assert [scopes.Scopes(tree, catalog, dialect).source(table).columns for table in last] == [known, known]
    assert "a59" in explain.explain(sql, catalog, dialect)
    if known:
        assert named_wrongly(sql, dialect) is None


def test_a_query_of_hundreds_of_tables_names_no_entities() -> None:
    few, many = (f"SELECT c1 FROM {', '.join(['wide'] * n)}" for n in (2, skeleton.MOST_TABLES))
    assert skeleton.entities(few, "sqlite", grant("sqlite").tables) == {"wide", "wide.c1"}
    assert skeleton.entities(many, "sqlite", grant("sqlite").tables) == frozenset()


def test_a_name_of_thousands_of_letters_is_like_no_other() -> None:
    assert repairs.near("a" * 150, ["a" * 149]) == [(1, "a" * 149)]
    assert repairs.near("a" * 10_000, ["a" * 9_999]) == []
    assert repairs.near("nmae", ["a" * 10_000, "name"]) == [(1, "name")]


def test_each_letter_of_a_name_is_folded_once_and_only_its_end_is_tried_as_a_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folded: list[str] = []
    monkeypatch.setattr(words, "fold", lambda letter, fold=words.fold: folded.append(letter) or fold(letter))
    long = "ŵẑŷ" * 20_000
    assert tokens.unaccented(long.capitalize()) == "W" + "zy" + "wzy" * 19_999
    assert len(folded) <= 2 * 4
    assert reader_names.parted("x" * 1_000_000 + "name", frozenset()) == ("x" * 1_000_000, "name")


def test_in_a_text_of_hundreds_of_words_nothing_is_misspelt_and_values_are_still_found() -> None:
    def asked(n: int) -> matching.SearchedText:
        return matching.text(" ".join(["Swizerland Norway", *["word"] * (n - 2)]))

    few, many = asked(matching.MOST_WORDS), asked(matching.MOST_WORDS + 1)
    assert matching.is_near(["switzerland"], few)
    assert not matching.is_near(["switzerland"], many)
    assert matching.is_exact(["norway"], many)
    assert matching.is_near(["norways"], many)  # one or many is no misspelling


def test_a_dollar_quote_that_nothing_closes_is_a_sign() -> None:
    found = list(scan("$a$ $b$x$b$ $c$ ask(", "duckdb"))
    assert [text for kind, text in found if kind == "dollar"] == ["$b$x$b$"]
    assert "".join(text for _, text in found) == "$a$ $b$x$b$ $c$ ask("


@pytest.mark.parametrize("nest", ["[" * 60 + "]" * 60, '{"a":' * 60 + "1" + "}" * 60])
def test_a_reply_of_brackets_in_brackets_is_prose(nest: str) -> None:
    assert replies.structures(nest) == []
    assert replies.structures('[{"a": [1]}]') == [[{"a": [1]}]]


def test_a_long_query_is_not_fixed_and_a_short_one_is(database: Database) -> None:
    shop = database.shop()
    assert "queries of at most 10,000 are fixed" in error(
        shop, f"SELECT ask_fix('SELECT nmae{' ' * 10_000}FROM customers')"
    )
    assert rows(shop, "SELECT ask_fix('SELECT nmae FROM customers')") == [("SELECT name FROM customers",)]


# ------------------------------------------------------------------------------------------------- what models give


class Odd(Scripted):
    """A model that gives one reply, with counts of its own."""

    def __init__(self, text: str, prompted: Any = 1, completed: Any = 1) -> None:
        super().__init__([])
        self._gives = Completions((text,), prompted, completed)

    def complete(self, prompt: str, **options: Any) -> Completions:  # type: ignore[override]
        return self._gives


def test_a_reply_that_is_too_long_is_refused_before_it_is_read() -> None:
    asker = Asker(Budget(5, 10_000, 60.0))
    with pytest.raises(ModelError, match=r"replied with 200,001 characters; at most 200,000 are read"):
        asker.ask(Odd("a" * (asking.MOST_CHARACTERS + 1)), "generate", "q")
    assert len(asker.trace) == 1
    assert not asker.trace[0].reply


@pytest.mark.parametrize("count", [2**70, 10**400, -5])
def test_counts_of_tokens_that_no_call_has_are_cut(count: int) -> None:
    asker = Asker(Budget(5, 10**10, 60.0))
    assert asker.ask(Odd("SELECT 1", count, count), "generate", "q").texts == ("SELECT 1",)
    assert asker.usage.prompt_tokens == (asking.MOST_TOKENS if count > 0 else 0)
    assert asker.usage.completion_tokens == (asking.MOST_TOKENS if count > 0 else 0)


def test_a_log_takes_any_count_of_tokens(database: Database) -> None:
    shop = database.shop(model=Odd("SELECT 1 AS x", 2**70, 10**400), log="database", method="sea", max_tokens=10**9)
    assert rows(shop, "SELECT * FROM ask('flurb zz')") == [(1,)]
    assert rows(shop, "SELECT tokens FROM ask_log()") == [(2 * asking.MOST_TOKENS,)]


# ------------------------------------------------------------------------------------------------------ one door


def named(node: ast.AST) -> str:
    """What a node takes from a module: an attribute of a name, or an import."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return ast.unparse(node) if isinstance(node, ast.ImportFrom) else ""


def test_sql_is_parsed_in_one_place() -> None:
    texts = {module: path.read_text("utf-8") for module, path in modules() if module != "askwhere.sql.parsing"}
    trees = {module: ast.parse(text) for module, text in texts.items() if "sqlglot" in text}
    taken = {(module, named(node)) for module, tree in trees.items() for node in ast.walk(tree)}
    assert trees
    assert [use for use in taken if use[1].startswith(DOORS)] == []  # nothing bounds the work of these


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """sqlglot as it is found where the package sqlglotc is installed."""
    monkeypatch.setattr("sqlglot.parser.__file__", "sqlglot/parser.cpython-311-x86_64-linux-gnu.so")
    parsing._counting.cache_clear()
    yield
    parsing._counting.cache_clear()


@pytest.mark.usefixtures("compiled")
def test_a_compiled_sqlglot_is_not_used_and_the_error_says_what_to_do() -> None:
    with pytest.raises(AskError, match=r"cannot be bounded: .* found it as .* sqlglotc has it; run pip uninstall"):
        parsing.statements("SELECT 1", "sqlite")
    (line,) = [line for line in doctor.report() if line[0] == "sqlglotc"]
    assert line[1] == doctor.BROKEN
    assert "pip uninstall sqlglotc" in line[2]


def test_doctor_says_nothing_of_sqlglotc_where_it_is_not() -> None:
    assert "sqlglotc" not in [what for what, _, _ in doctor.report()]


DOORS = (
    *(f"sqlglot.{name}" for name in ("parse", "tokenize", "transpile", "Dialect", "Parser", "maybe_parse")),
    *(f"from sqlglot import {name}" for name in ("parse", "tokenize", "transpile", "Dialect", "Parser")),
    "exp.maybe_parse",
    "from sqlglot.parser", "from sqlglot.dialects", "from sqlglot.tokens",
)  # fmt: skip
