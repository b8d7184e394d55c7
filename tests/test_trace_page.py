"""The page of a trace: what it shows, that nothing on it is alive, and what it must not show."""

from __future__ import annotations

import difflib
import html as html_
import re
import string
import time
from dataclasses import replace
from typing import Any

import askwhere
import pytest
import sqlglot
from askwhere.bindings import connections
from askwhere.bindings.cli import trace
from askwhere.display import table
from askwhere.engine import Column, Table
from askwhere.indexer.values import Match
from askwhere.models import Scripted
from askwhere.pages import diff, gather, hide, links
from askwhere.pages.colour import coloured, laid_out
from askwhere.pages.facts import Columns, Correction, Link, Query, Trace
from askwhere.pages.markup import text
from askwhere.pages.page import templates
from askwhere.pages.trace import html
from askwhere.pipeline.facts import Step, Usage
from askwhere.session import Question
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from markupsafe import Markup
from pages import Parsed, checked, example
from support import Database

pytestmark = [pytest.mark.slow, pytest.mark.any_engine]

HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    "</style></title></pre><script>alert(1)</script>",
    "\"><svg onload='alert(1)'>",
    "' onmouseover='alert(1)",
    "<!-- <?x ]]> &lt;b&gt; &#x3c; javascript:alert(1)",
    "https://example.com/x.png url(//example.com)",
    "\x00\x1b[31m\u202egnp.exe\ud800\ufeff",
    "{{7*7}} ${x} `id`",
)
TEXTS = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(), max_size=40))


def full(said: str) -> Trace:
    """A trace in which every text is that one."""
    bad = Query(3, said, said, error=said, notes=(said,))
    good = Query(1, said, said, 0.75, 1, 2, (said, said), ((said, 1), (None, b"\x00")), 1.5, notes=(said, said))
    return Trace(
        question=said,
        database=said,
        dialect="duckdb",
        model=said,
        effort=said,
        method=said,
        hint=said,
        asked_at=said,
        version=said,
        chosen=1,
        error=said,
        queries=(good, replace(good, rank=2, group=2, n_rows=None), bad),
        links=(
            Link(said, "exact", said, said, said, ((0, 1),), True),
            Link(said, "near", said, said, said, ((0, 2), (1, 99))),
            Link(said, "name", said, said, None, ((-1, 1),)),
            Link(said, "part", said, "", said),
        ),
        tables=(Columns(said, (said,), (said,), True),),
        corrections=(Correction(said, said, f"{said} {said}", said, said, said),),
        steps=(Step(said, said, said, said, said, 5, 6, 7.0), Step("run", said, sql=said, before=said)),
        usage=Usage(1, 2, 3, 4, 5.0, 6.0),
    )


@pytest.mark.slow
@given(TEXTS)
def test_whatever_a_text_holds_the_page_is_well_formed_and_nothing_on_it_is_alive(said: str) -> None:
    parsed = checked(html(full(said)))
    assert [name for name, _ in parsed.elements].count("section") == 5


@pytest.mark.parametrize("said", HOSTILE[:6])
def test_hostile_text_is_shown_as_it_is(said: str) -> None:
    parsed = checked(html(full(said)))
    assert parsed.whole.count(said) > 20


def filled(template: str, **facts: Any) -> str:
    """A template with some facts filled in, as the templates of pages are."""
    return templates().from_string(template).render(**facts)


@given(TEXTS)
def test_escaped_text_reads_as_it_was(said: str) -> None:
    seen = Parsed(filled("<p>{{ said }}</p>", said=said)).whole
    assert (
        re.sub("⟨U\\+([0-9A-F]{4})⟩", lambda m: chr(int(m[1], 16)), seen) == said.replace("\r\n", "\n") or "⟨" in said
    )


@given(TEXTS)
def test_attributes_hold_any_text(said: str) -> None:
    parsed = Parsed(filled('<p title="{{ said }}"></p>', said=said))
    assert parsed.elements == [("p", {"title": html_.unescape(text(said))})]


def test_a_terminal_is_shown_what_it_would_obey() -> None:
    assert table(["\x1b[2J"], [["\x1b]0;taken\x07\u202e\u200f\u061c\n"]]).count("⟨U+") == 6
    assert "\x1b" not in table(["\x1b[2J"], [["\x1b]0;taken\x07"]])


def test_only_markup_is_not_escaped() -> None:
    assert filled("<p>{{ text }}{{ made }}</p>", text="<b>", made=Markup("<br>")) == "<p>&lt;b&gt;<br></p>"


def test_a_name_that_a_template_does_not_get_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="'text' is undefined"):
        filled("<p>{{ text }}</p>")


SQL = (
    "SELECT a.x, count(*) FROM a LEFT OUTER JOIN b ON a.i = b.i WHERE x IN (SELECT y FROM c WHERE z = 'from') "
    "GROUP BY a.x HAVING count(*) > 1 ORDER BY left(a.x, 2) LIMIT 3"
)


def test_a_query_of_one_line_is_laid_out_by_its_clauses() -> None:
    assert laid_out(SQL, "sqlite").split("\n") == [
        "SELECT a.x, count(*)",
        "FROM a",
        "LEFT OUTER JOIN b ON a.i = b.i",
        "WHERE x IN (SELECT y",
        "  FROM c",
        "  WHERE z = 'from')",
        "GROUP BY a.x",
        "HAVING count(*) > 1",
        "ORDER BY left(a.x, 2)",
        "LIMIT 3",
    ]


DRAFT = "SELECT a.x, count(a.y) FROM a WHERE x IN (SELECT y FROM c) GROUP BY x LIMIT 3"


@pytest.mark.parametrize(
    "sql",
    ["SELECT extract(year FROM d), sum(x) OVER (PARTITION BY a ORDER BY b)", "SELECT 1\nFROM a", "it's no SQL", ""],
)
def test_what_is_no_clause_begins_no_line(sql: str) -> None:
    assert laid_out(sql, "duckdb") == sql


WORDS = [
    "SELECT",
    "FROM",
    "a",
    "'it''s'",
    '"A b"',
    "(",
    ")",
    "1.5",
    "-- c\n",
    "/* c */",
    "count",
    ",",
    "'",
    "é😀",
    "``",
    "$$",
]


@given(st.one_of(TEXTS, st.lists(st.sampled_from(WORDS)).map(" ".join)), st.sampled_from(["sqlite", "duckdb"]))
def test_colours_and_lines_leave_the_query_as_it_is(sql: str, dialect: str) -> None:
    laid = laid_out(sql, dialect)
    assert laid.split() == sql.split()
    assert Parsed(coloured(sql, dialect)).whole == html_.unescape(text(sql))
    try:
        tokens = [(t.token_type, t.text) for t in sqlglot.tokenize(sql, read=dialect)]
    except sqlglot.errors.SqlglotError:
        assert laid == sql
    else:
        assert [(t.token_type, t.text) for t in sqlglot.tokenize(laid, read=dialect)] == tokens


def test_words_of_a_query_are_coloured_by_what_they_are() -> None:
    page = coloured("SELECT count(*), \"from\" FROM t WHERE a = 'x' AND b > 1.5 -- why", "sqlite")
    found = re.findall(r'<span class="(\w+)">(.*?)</span>', page)
    assert [(kind, word.strip()) for kind, word in found if word.strip()] == [
        ("keyword", "SELECT"), ("function", "count"), ("keyword", "FROM"), ("keyword", "WHERE"),
        ("string", "&#39;x&#39;"), ("keyword", "AND"), ("number", "1.5"), ("comment", "-- why"),
    ]  # fmt: skip


def test_a_diff_marks_the_words_that_differ() -> None:
    before, after = diff.marked("SELECT nam FROM t WHERE a = 'New York'", "SELECT name, b FROM t WHERE a = 'Paris'")
    assert before == "SELECT <del>nam </del>FROM t WHERE a = <del>&#39;New York&#39;</del>"
    assert after == "SELECT <ins>name, b </ins>FROM t WHERE a = <ins>&#39;Paris&#39;</ins>"


@given(TEXTS, TEXTS)
def test_a_diff_keeps_both_texts(one: str, other: str) -> None:
    for said, marked in zip((one, other), diff.marked(one, other), strict=True):
        assert Parsed(marked).whole == html_.unescape(text(said)) or "\r" in said


def test_texts_too_long_to_be_compared_are_marked_whole() -> None:
    before, after = diff.marked("a " * 6_000, "b")
    assert (before, after) == (f"<del>{'a ' * 6_000}</del>", "<ins>b</ins>")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    return example(tmp_path_factory.mktemp("world"))


def test_a_trace_has_candidates_in_groups_and_both_corrections(told: Trace) -> None:
    assert [(q.rank, q.group, q.origin) for q in told.queries] == [
        (1, 1, "scripted + eliminator + round 1"),
        (2, 1, "reader"),
        (3, 2, "reader"),
    ]
    eliminated, corrected = told.corrections
    assert (eliminated.step, eliminated.error, eliminated.reason) == ("eliminate", "no such column: continent", "")
    assert (corrected.step, corrected.gave) == ("correct, round 1", "5 rows")
    assert corrected.reason.startswith("The table countries has no column area")
    assert corrected.before == eliminated.after


def test_a_correction_without_an_error_says_what_a_comparison_found(database: Database) -> None:
    aligned = '[{"token": "Canada", "schema": "customers.country", "type": "val"}]'
    right = "SELECT name FROM customers WHERE country = 'Canada'"
    model = Scripted(["SELECT name FROM customers", aligned, right, right])
    connection = database.shop(model=model, method="dac")
    (only,) = trace.trace_of(connection, Question("which customers are from Canada"), "shop").corrections
    assert (only.step, only.before, only.after) == ("correct entities", "SELECT name FROM customers", right)
    assert (only.error, only.reason) == ("", "entities that the query lacks: customers.country")


def test_the_page_shows_how_the_answer_came_about(told: Trace) -> None:
    page = html(told)
    parsed = checked(page)
    headings = re.findall(r"<h[1-4][^>]*>(.*?)</h[1-4]>", page)
    assert re.sub("<.*?>", "", headings[0]) == told.question
    assert headings[1:] == [
        "Answer", "Linked names and values", "Table continents", "Table countries",
        "Candidates", "Candidate 1", "Candidate 2", "Candidate 3",
        "Corrections", "Correction 1: eliminate", "Before", "After",
        "Correction 2: correct, round 1", "Before", "After",
        "Steps", "Prompts and replies",
    ]  # fmt: skip
    for said in (
        "✓ Answered",
        "Confidence 50%",
        "Algeria",
        "Democratic Republic of the Congo",
        "Nigeria",
        "exact match",
    ):
        assert said in parsed.whole
    assert '<mark class="exact" title="continents.name = Africa">Africa</mark>' in page
    assert "<del>area</del>" in page
    assert "<ins>area_km2</ins>" in page
    assert len(parsed.named("tr")) == page.count("<tr>")
    for step in told.steps:
        for part in (step.prompt, step.reply):
            assert part is None or part in parsed.whole
    # Bars: tokens of each model call, time of each step, confidence of each candidate and of the answer.
    asked = sum(1 for step in told.steps if step.reply)
    assert len(parsed.named("svg")) == asked + len(told.steps) + len(told.queries) + 1


def test_what_is_alike_for_all_is_said_once_and_nothing_is_loaded(told: Trace) -> None:
    page = html(told)
    assert page.count("<style>") == 1
    assert not re.search(r"<(script|link|img|iframe|object|embed|form|base)\b|\son\w+=|javascript:", page)
    assert len(page) < 100_000


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"chosen": 0, "error": "the question can be read in 2 ways"}, "? Several readings, none chosen"),
        ({"chosen": 0, "error": "could not place “zorb”", "queries": ()}, "✗ No answer"),
        ({"links": (), "corrections": (), "steps": ()}, "No step was recorded."),
    ],
)
def test_a_question_without_an_answer_has_a_page_too(told: Trace, change: dict[str, Any], said: str) -> None:
    parsed = checked(html(replace(told, **change)))
    assert said in parsed.whole
    assert change.get("error", "") in parsed.whole


def test_words_are_linked_to_names_and_values_exactly_or_nearly(database: Database) -> None:
    connection = database.shop()
    connection.execute("INSERT INTO customers VALUES (4, 'New Norway Shop', 'Canada')")
    told = trace.trace_of(connection, Question("How many Customers are from Norway or Canda?"), "shop")
    found = {(link.words, link.how, link.column, link.value) for link in told.links}
    assert {
        ("Customers", "name", "", None),
        ("Canda", "near", "country", "Canada"),
        ("Norway", "exact", "country", "Norway"),
    } <= found
    assert [t.table for t in told.tables] == ["customers"]


def test_a_synonym_is_a_name(database: Database) -> None:
    connection = database.shop()
    table = replace(
        connections.session(connection).catalog(connections.engine(connection)).tables[0], synonyms=("clients",)
    )
    (link,) = links.links("how many clients", (), (table,), frozenset(), "")
    assert (link.words, link.how, link.table) == ("clients", "name", "customers")


def test_a_value_that_only_shares_a_word_says_so(database: Database) -> None:
    connection = database.shop()
    connection.execute("INSERT INTO customers VALUES (4, 'The Grand Shop of Oslo', 'Norway')")
    told = trace.trace_of(connection, Question("the customers of the Oslo"), "shop")
    assert ("Oslo", "part", "The Grand Shop of Oslo") in {(link.words, link.how, link.value) for link in told.links}


def test_places_of_words_are_found_in_odd_texts() -> None:
    question = "Café “Saint-Étienne”, U.S. 東京 customers?"
    matches = [Match(("t",), "c", value) for value in ("Saint Etienne", "cafe", "US", "東京")]
    found = links.links(question, matches, (), frozenset(), "")
    assert sorted(question[slice(*span)] for link in found for span in link.spans) == [
        "Café", "Saint-Étienne", "U.S", "東京",
    ]  # fmt: skip


def test_used_columns_are_those_of_the_tables_that_have_the_alias() -> None:
    sql = "SELECT c.name, amount FROM customers AS c JOIN orders o ON o.customer_id = c.id"
    assert links.used_in(sql, "sqlite") >= {
        ("customers", ""), ("orders", ""), ("customers", "name"), ("orders", "customer_id"), ("customers", "id"),
        ("orders", "amount"),
    }  # fmt: skip
    assert ("orders", "name") not in links.used_in(sql, "sqlite")
    assert links.used_in("SELECT FROM WHERE (", "sqlite") == frozenset()


SECRET = "xyzzy-plugh-4711"
NUMBER = 471_147


def secrets(database: Database, **settings: Any) -> Any:
    connection = database.shop(**settings)
    connection.execute("CREATE TABLE notes (id INTEGER, n INTEGER, note TEXT, token TEXT)")
    connection.execute(f"INSERT INTO notes VALUES (1, {NUMBER}, '{SECRET}', 'token-{SECRET}')")
    return connection


def everything(told: Trace) -> str:
    """All that is shown of a trace, in any form."""
    return html(told) + repr(told)


FAILING = {"sqlite": "SELECT json_extract(note, '$') FROM notes", "duckdb": "SELECT CAST(n AS TINYINT) FROM notes"}


def test_with_values_hidden_no_cell_value_is_on_the_page(database: Database) -> None:
    """Neither of the rows, nor of the errors, nor what the question and the queries name."""
    failing = FAILING[database.kind]
    replies = [
        failing,
        f"why {SECRET}",
        f"SELECT n, note, 'no json' AS a FROM notes WHERE note = '{SECRET}' OR n = {NUMBER}",
    ]
    model, eliminator = Scripted(replies), Scripted([failing.replace("notes", "notes -- Norway")])
    connection = secrets(database, model=model, eliminator=eliminator, values="hide", method="sea")
    question = Question(f"what is {SECRET} or {NUMBER} of Norway in the notes", hint=f"{SECRET} of canada")
    told = trace.trace_of(connection, question, "shop")
    assert told.chosen
    assert told.queries[0].columns == ("n", "note", "a")
    assert told.question == "what is ? or ? of ? in the notes"
    assert told.hint == "? of ?"
    assert told.queries[0].sql == "SELECT n, note, ? AS a FROM notes WHERE note = ? OR n = ?"
    shown = everything(told)
    for secret in (SECRET, str(NUMBER), "norway", "canada", "no json"):
        assert secret not in shown.lower()
    assert "It gave 1 row of n, note, a. Cell values are left out" in checked(html(told)).whole
    assert all(step.prompt for step in told.steps if step.model)


@pytest.mark.slow
@pytest.mark.parametrize("values", ["", "show", "matched"])
def test_with_values_shown_they_are(database: Database, values: str) -> None:
    connection = secrets(database, model=Scripted(["SELECT note FROM notes"]), values=values, method="sea")
    assert SECRET in html(trace.trace_of(connection, Question("flurb"), "shop"))


def test_with_values_hidden_the_readers_own_spelling_of_a_value_is_hidden(database: Database) -> None:
    """The reader writes values as the database has them, which may be other than the question does."""
    question = Question("How many customers are canadian?")
    shown = everything(trace.trace_of(database.shop(), question, "shop"))
    assert "'Canada'" in html_.unescape(shown)
    told = trace.trace_of(database.shop(values="hide"), question, "shop")
    assert told.chosen
    assert "Canada" not in everything(told)
    assert told.queries[0].sql.endswith("country = ?")


def test_with_values_hidden_readings_in_an_error_hold_none(database: Database) -> None:
    connection = database.shop(values="hide")
    connection.execute("CREATE TABLE towns (name TEXT, size INTEGER, people INTEGER)")
    connection.execute("INSERT INTO towns VALUES ('Oslo', 1, 2)")
    model = Scripted(["SELECT size FROM towns WHERE name = 'Oslo'"])
    told = trace.trace_of(connection, Question("biggest town named Oslo", model=model), "shop")
    assert "Oslo" not in everything(told)


def test_a_pinned_question_has_a_trace(database: Database) -> None:
    connection = database.shop()
    connection.execute("SELECT ask_pin('flurb', 'SELECT name FROM customers')").fetchall()
    told = trace.trace_of(connection, Question("flurb"), "shop")
    assert (told.chosen, told.queries[0].origin, told.steps[0].step) == (1, "pin", "pin")
    checked(html(told))


def test_a_database_without_tables_has_a_trace(database: Database) -> None:
    connection = database.raw()
    for values in ("show", "hide"):
        askwhere.register(connection, values=values)
        told = trace.trace_of(connection, Question("flurb"), "empty")
        assert "no tables" in told.error
        checked(html(told))


def test_a_hidden_column_is_not_on_the_page(database: Database) -> None:
    model = Scripted(["SELECT id, note FROM notes"])
    connection = secrets(database, model=model, hide_columns="notes.token?", method="sea")
    shown = everything(trace.trace_of(connection, Question(f"token-{SECRET[:5]} of the notes"), "shop"))
    assert SECRET in shown
    assert f"token-{SECRET}" not in shown
    assert "token" not in re.sub(f"token-{SECRET[:5]}|_tokens?|tokens", "", shown.split("</style>")[1].lower())


def test_a_key_is_never_on_the_page(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "house-key-123456789"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    model = Scripted([f"I was told Bearer abcdef and {key}", f"why {key}", f"SELECT '{key}' AS k FROM customers"])
    connection = database.shop(model=model, method="sea")
    told = trace.trace_of(connection, Question(f"flurb {key} of sk-abc123"), "shop")
    shown = everything(told)
    assert told.chosen
    for secret in (key, "abcdef", "sk-abc123"):
        assert secret not in shown
    assert "[key]" in shown


@given(st.lists(st.text(string.ascii_letters + "' %_é-", min_size=1, max_size=12), max_size=5), st.text(max_size=20))
def test_hidden_texts_stand_nowhere(values: list[str], around: str) -> None:
    queries = ["SELECT * FROM t WHERE a = '" + value.replace("'", "''") + "'" for value in values]
    found = {literal for sql in queries for literal in hide.literals(sql, "sqlite")}
    hidden = hide.without(found)
    for value in (literal for literal in found if re.search(r"\w", literal)):
        for said in (f"{around} {value} x", f"'{value}'", *queries):
            assert not re.search(rf"(?<!\w){re.escape(value)}(?!\w)", hidden(said))


def test_changing_texts_everywhere_leaves_all_else() -> None:
    told = full("a")
    assert hide.everywhere(told, lambda said: said) == told
    changed = hide.everywhere(told, str.upper)
    assert "'a'" not in repr(changed)
    assert changed.usage == told.usage


def test_why_there_is_no_answer_is_told_and_what_is_no_fault_of_the_question_is_raised(database: Database) -> None:
    connection = database.shop()
    told = trace.trace_of(connection, Question("zorb the flux"), "shop")
    assert (told.chosen, told.queries) == (0, ())
    assert "zorb" in told.error
    with pytest.raises(askwhere.SettingError):
        trace.trace_of(connection, Question("x", effort="lazy"), "shop")


def test_a_question_asked_before_has_the_same_trace(database: Database) -> None:
    connection = database.shop()
    asked = Question("How many customers are there?")
    session, engine = connections.session(connection), connections.engine(connection)
    assert gather.trace(session, engine, asked, "shop") == gather.trace(session, engine, asked, "shop")


def test_a_diff_marks_no_more_than_it_must() -> None:
    """Judged by the standard library's own comparison of words."""
    for before, after in ((DRAFT, SQL), (SQL, DRAFT), (SQL, "SELECT 1")):
        words = [re.findall(r"\w+", sql) for sql in (before, after)]
        kept = sum(block.size for block in difflib.SequenceMatcher(None, *words, autojunk=False).get_matching_blocks())
        left, _ = diff.marked(before, after)
        assert len(re.findall(r"\w+", re.sub("<del>.*?</del>", " ", html_.unescape(left)))) >= kept


@pytest.mark.slow
def test_hostile_texts_are_shown_in_time() -> None:
    """Some ways to compare words or to lay lines out take minutes for these."""
    began = time.thread_time()
    diff.marked("a, " * 3_300, "b, " * 3_300)
    for said in ("SELECT a FROM b WHERE (" * 2_000, "'" * 40_000, "a " * 20_000):
        html(full(said))
    assert time.thread_time() - began < 60


def test_a_long_question_about_many_tables_is_linked_in_time() -> None:
    tables = [Table((f"table_{n}",), (Column("id"), Column("name"))) for n in range(2_000)]
    began = time.thread_time()
    assert links.links("the names of the largest countries and their people " * 20, (), tables, frozenset(), "") == ()
    assert time.thread_time() - began < 60
