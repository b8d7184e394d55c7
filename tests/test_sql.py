"""SQL as text: one lexer that agrees with the engines, names and literals that come back, and a third engine."""

from __future__ import annotations

import ast
import re
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

import apsw
import askwhere
import duckdb
import postgres
import pytest
from askwhere import guard
from askwhere.bindings.sample import build
from askwhere.engine import Column, Grant, Table
from askwhere.errors import DatabaseError, QueryError
from askwhere.guard import functions
from askwhere.indexer.catalog import Catalog
from askwhere.pipeline.binding import grammar, names
from askwhere.reader.words import dates
from askwhere.rewrite import other_dialects
from askwhere.sql import parsing
from askwhere.sql.dialects import KNOWN, named
from askwhere.sql.identifiers import fold, quote, unquote
from askwhere.sql.lexer import _scanned, scan, tokens
from askwhere.sql.literals import literal
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp
from sqlglot.errors import SqlglotError
from test_layout import modules

# ------------------------------------------------------------------------------------------------------- the lexer

# Pieces that lexers disagree about, put together in any order.
PIECES = (
    "SELECT FROM ask ask_x a b1 x'00' 'it''s' 'open \"q\"\"r\" \"open `c``d` [e] [open 1 1.5 .5 1e5 1.5e-3 0x1F 12ab"
    " ? ?1 :p @p $p #p $$ $t$ -- /* */ /**/ -> ->> || := => == = ( ) , ; . % \\ e'a\\'b' é \ufeff \u00a0 \n é$ a$b $"
).split(" ")
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.just(" "), st.text(max_size=3))).map("".join)


def test_each_text_of_a_question_is_split_once() -> None:
    con = apsw.Connection(":memory:")
    con.execute(build.script())
    askwhere.register(con)
    _scanned.cache_clear()
    for _ in range(2):
        assert con.execute("SELECT * FROM ask(?)", ("the 3 largest cities by population",)).fetchall()
    # The statement, the query as written, as the guard wrote it, and as it stands in the statement.
    assert _scanned.cache_info().misses == 4


# The two lexers of SQLite that became one: the guard's, and that of the cursors that look for `ask(…)`.
GUARDS = re.compile(
    r"""(?P<parameter> \? | [$@:\#]\w+ )
  | (?P<comment> --[^\n]* | /\*.*?(?:\*/|\Z) )
  | (?P<text> [xX]?'(?:[^']|'')*' )
  | (?P<name> "(?:[^"]|"")*" | `(?:[^`]|``)*` | \[[^\]]*(?:\]|\Z) )
  | (?P<space> [\s\ufeff]+ )
  | (?P<word> (?: [a-zA-Z_] | [^\x00-\x7f] ) (?: \w | [^\x00-\x7f\s\ufeff] )* )
  | (?P<number> [0-9]\w* )
  | (?P<sign> . )""",
    re.DOTALL | re.VERBOSE,
)
CURSORS = re.compile(
    r"""(?P<space>\s+|--[^\n]*|/\*.*?(?:\*/|\Z))
    |(?P<literal>[xX]?'(?:[^']|'')*'|\d[\w.]*(?:(?<=[eE])[+-]\d+)?|\.\d\w*)
    |(?P<quoted>"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])
    |(?P<parameter>\?\d*|[:@$]\w+)
    |(?P<name>[^\W\d][\w$]*)
    |(?P<operator>:=|=>|==|.)""",
    re.VERBOSE | re.DOTALL,
)


@given(texts, st.sampled_from(sorted(KNOWN)))
def test_no_text_is_lost(sql: str, dialect: str) -> None:
    assert "".join(text for _, text in scan(sql, dialect)) == sql
    assert all(sql[t.start : t.end] == t.text for t in tokens(sql, dialect))


@given(texts)
def test_sqlite_is_split_as_the_guard_split_it(sql: str) -> None:
    """Only `?12` is now one parameter, `1.5e-3` one number, and `a$b` one word, as in SQLite."""
    if re.search(r"\?\d+\w", sql):
        return  # SQLite ends the parameter before the letter, which that lexer took for a part of the number
    before = [(match.lastgroup, match.group()) for match in GUARDS.finditer(sql)]
    now = [
        (kind, part)
        for kind, text in scan(sql, "sqlite")
        for kind, part in (_parts(text) if _is_longer(kind, text) else [(kind, text)])
    ]
    assert now == before


def _is_longer(kind: str, text: str) -> bool:
    return kind == "number" or ("$" in text and kind == "word") or text[:1] == "?"


def _parts(text: str) -> Iterable[tuple[str | None, str]]:
    return [(match.lastgroup, match.group()) for match in GUARDS.finditer(text)]


@given(texts)
def test_sqlite_is_split_as_the_cursors_split_it(sql: str) -> None:
    """No token of the one lexer crosses a border between two tokens of the cursors' lexer, and their kinds agree."""
    kinds = {"literal": {"text", "number"}, "quoted": {"name"}, "parameter": {"parameter"}, "name": {"word"}}
    ascii_text = sql.encode("ascii", "ignore").decode()  # what is not ASCII, that one took for signs
    if re.search(r"[eE][+-]\d+[a-zA-Z_$]", ascii_text):
        return  # a number that a letter follows is no token of SQLite's
    if "#" in ascii_text or re.search(r"\[[^\]]*\Z", ascii_text):
        return  # a parameter, and a name that is not closed, were no tokens of its own
    found = {t.start: t for t in tokens(ascii_text, "sqlite")}
    ends = {t.end for t in found.values()}
    for match in CURSORS.finditer(ascii_text):
        if match.lastgroup != "space":
            assert match.start() in found
            assert match.end() in ends
            assert found[match.start()].kind in kinds.get(match.lastgroup or "", {"sign", "number"})


NUMBERS = ("7", "1.5", ".5", "1.", "1e5", "1.5e-3", ".5E+2", "1.e2", "0x1F", "1_000")


@pytest.mark.parametrize("dialect", sorted(KNOWN))
def test_a_number_is_one_token(dialect: str) -> None:
    for number in NUMBERS:
        assert [(t.kind, t.text) for t in tokens(f"{number}+x", dialect)][:2] == [("number", number), ("sign", "+")]
    assert [t.text for t in tokens("0x1E-5 1..2 t.a 1.ask(2) [1:.5]", dialect) if t.text not in "[]"][:13] == (
        "0x1E - 5 1 . .2 t . a 1. ask ( 2".split()
    )


@pytest.mark.parametrize("sql", ["SELECT 'a--b' -- 'c'\n, 1", "SELECT /* ' */ 1", "SELECT 1 AS a$b", "SELECT [a]]]"])
def test_sqlite_prepares_the_tokens_put_together_again(sql: str) -> None:
    con = sqlite3.connect(":memory:")
    apart = " ".join(t.text for t in tokens(sql, "sqlite"))
    try:
        expected: Any = con.execute(sql).fetchall()
    except sqlite3.Error as exc:
        expected = type(exc)
    try:
        found: Any = con.execute(apart).fetchall()
    except sqlite3.Error as exc:
        found = type(exc)
    assert found == expected


# ------------------------------------------------------------------------------------------- names and literals

WORDS = sorted(set().union(*(d.keywords for d in KNOWN.values())) | {"a", "order_id", "day", "type", "value", "user"})
PLACES = (
    "SELECT {w} FROM x",
    "SELECT count({w}) AS {w} FROM x WHERE {w} = 7 AND {w} IN (7) GROUP BY {w} HAVING {w} > 0 ORDER BY {w} DESC",
    "SELECT a.{w} FROM x AS a JOIN x AS b ON a.{w} = b.{w} WHERE NOT a.{w} IS NULL AND a.{w} BETWEEN 0 AND 9",
    "SELECT {w}.v FROM {w}",
    "SELECT t.v FROM x AS t JOIN {w} ON t.v = {w}.v",
    "SELECT {w}.{q} FROM x AS {w}",
)


@pytest.mark.slow
@pytest.mark.parametrize("dialect", sorted(KNOWN))
def test_exactly_the_keywords_do_not_mean_themselves_without_quotes(dialect: str) -> None:
    con: Any = sqlite3.connect(":memory:", isolation_level=None) if dialect == "sqlite" else duckdb.connect()
    listed = apsw.keywords if dialect == "sqlite" else _keywords(con)
    con.execute("CREATE TABLE y(v INT)")
    wrong = {word for word in {*WORDS, *map(str.lower, listed)} if not _means_itself(con, word, dialect)}
    assert wrong == named(dialect).keywords


def _keywords(con: Any) -> list[str]:
    return [word for (word,) in con.execute("SELECT keyword_name FROM duckdb_keywords()").fetchall()]


def _means_itself(con: Any, word: str, dialect: str) -> bool:
    quoted = quote(word)
    con.execute(f"CREATE TABLE x({quoted} INT, v INT)")
    con.execute("INSERT INTO x VALUES (7, 3)")
    con.execute(f"CREATE TABLE {quoted}(v INT)")
    con.execute(f"INSERT INTO {quoted} VALUES (3)")
    try:
        return all(
            _rows(con, bare) == _rows(con, written) and _tree(bare, dialect) == _tree(written, dialect)
            for bare, written in ((p.format(w=word, q=quoted), p.format(w=quoted, q=quoted)) for p in PLACES)
        )
    except (sqlite3.Error, duckdb.Error, SqlglotError):
        return False
    finally:
        con.execute("DROP TABLE x")
        con.execute(f"DROP TABLE {quoted}")


def _rows(con: Any, sql: str) -> list[Any]:
    return list(con.execute(sql).fetchall())


def _tree(sql: str, dialect: str) -> str:
    tree = parsing.statement(sql, dialect)
    for name in tree.find_all(exp.Identifier):
        name.set("quoted", False)
    return tree.sql(dialect, identify=True)


@pytest.mark.parametrize("name", ["a", "Order", "select", 'odd "name"', "a b", "é", "1st", "", "`", "[x]"])
@pytest.mark.parametrize("dialect", sorted(KNOWN))
def test_a_written_name_is_read_as_it_was(name: str, dialect: str) -> None:
    written = named(dialect).written(name)
    assert unquote(written) == name
    assert fold(written) not in named(dialect).keywords


# --------------------------------------------------------------------------------------------------- the engines


def test_no_engine_is_told_by_its_name_outside_of_the_bindings() -> None:
    texts = {module: path.read_text("utf-8") for module, path in modules()}
    found = [
        f"{module}:{node.lineno}"
        for module, text in texts.items()
        if not module.startswith(("askwhere.bindings", "askwhere.sql")) and any(name in text for name in KNOWN)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Compare)
        and any(isinstance(n, ast.Constant) and n.value in KNOWN for n in [node.left, *node.comparators])
    ]
    assert found == []


def test_an_unknown_engine_is_an_error() -> None:
    with pytest.raises(DatabaseError) as caught:
        guard.qualify("SELECT 1", "postgres", Grant(()))
    assert str(caught.value) == (
        "there is no SQL dialect 'postgres': expected 'sqlite' or 'duckdb'; 'A third engine' in CONTRIBUTING.md says"
        " what one needs"
    )


@pytest.fixture
def third(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A third engine's name, known for one test."""
    monkeypatch.setitem(KNOWN, "postgres", postgres.POSTGRES)
    monkeypatch.setitem(functions.FUNCTIONS, "postgres", postgres.FUNCTIONS)
    monkeypatch.setitem(functions.TABLE_FUNCTIONS, "postgres", postgres.TABLE_FUNCTIONS)
    yield "postgres"
    grammar._written.cache_clear()
    names.names.cache_clear()


ORDERS = Table(("public", "Orders"), (Column("id", "BIGINT"), Column("user", "TEXT"), Column("placed", "DATE")))


def test_a_third_engine_has_names_and_literals(third: str) -> None:
    assert [named(third).written(n) for n in ("id", "user", "Placed", "a b")] == ["id", '"user"', '"Placed"', '"a b"']
    assert [kind for kind, _ in scan("$a$ it's $a$ E'\\'' \"x\"", third)] == [
        "dollar", "space", "escaped", "space", "name",
    ]  # fmt: skip
    assert literal("it's") == "'it''s'"


def test_a_third_engine_has_dates_and_limits(third: str) -> None:
    made = named(third)
    assert dates.written(dates.Bound(present="month", shift=-1, by="month"), made).sql(third) == (
        "CAST(DATE_TRUNC('MONTH', CURRENT_DATE) + INTERVAL '-1 MONTH' AS DATE)"
    )
    assert dates.part_of(exp.column("placed"), "quarter", made).sql(third) == (
        "TO_CHAR(CAST(placed AS DATE), 'YYYY') || '-Q' || (EXTRACT(QUARTER FROM CAST(placed AS DATE)))"
    )
    (edits,) = other_dialects.spelling("SELECT id FROM orders LIMIT 20, 10", third)
    assert [e.new for e in edits] == ["10 OFFSET 20"]
    assert made.nulls_first(descending=True)


def test_a_third_engine_is_guarded(third: str) -> None:
    grant = Grant((ORDERS,))
    assert guard.qualify('SELECT count(*) FROM "Orders" -- all', third, grant) == (
        'SELECT count(*) FROM "public"."Orders"'
    )
    for sql in ("SELECT * FROM pg_shadow", "SELECT * FROM pg_read_file('x')", "DELETE FROM orders", "SELECT $$a$$; --"):
        if sql.startswith("SELECT $$"):
            guard.qualify(sql, third, grant)  # a text, not two statements
            continue
        with pytest.raises(QueryError):
            guard.qualify(sql, third, grant)


def test_a_third_engine_has_a_grammar(third: str) -> None:
    catalog = Catalog((ORDERS,), Grant((ORDERS,)))
    rules = grammar.grammar(catalog, third)
    assert '"Orders\\""' in rules
    assert '"Orders"' not in rules  # bare, it would mean orders
    assert {"public", "Orders"} >= {part.strip('"') for part in names.names(catalog.tables, third).table_words}
