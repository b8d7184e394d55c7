"""The rank of a full-text table sorts, and does nothing else: compared with a text it would call a user's function."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw
import askwhere
import pytest
from askwhere.models import Scripted

TABLE = "CREATE VIRTUAL TABLE docs USING fts5(body); INSERT INTO docs VALUES ('hello'), ('hello moon'), ('sun')"
REFUSED = "a generated query may use the rank of a full-text table only as the first key of ORDER BY"


@pytest.fixture
def calls() -> list[str]:
    """The calls of the user's auxiliary function."""
    return []


@pytest.fixture
def connection(calls: list[str]) -> apsw.Connection:
    """A connection in memory with a temporary table, so that questions run on it."""
    found = apsw.Connection(":memory:")
    found.execute(f"{TABLE}; CREATE TEMP TABLE t (x)")

    def called(api: Any, *arguments: Any) -> float:
        calls.append("called")
        return 0.0

    found.register_fts5_function("yours", called)
    return found


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT bm25(docs) FROM docs WHERE docs MATCH '{many}'", "a search for 65 words takes too long with bm25()"),
        ("SELECT highlight(docs, 0, '', '') FROM docs('{many}')", "takes too long with highlight()"),
        ("SELECT snippet(docs, 0, '', '', '', 9) FROM docs WHERE docs = '{many}'", "takes too long with snippet()"),
        ("SELECT body FROM docs WHERE docs MATCH '{many}' ORDER BY rank", "takes too long with the rank"),
        ("SELECT bm25(docs) FROM docs WHERE docs MATCH replace('b', 'b', 'a OR a')", "searched for a literal text"),
        ("SELECT bm25(docs) FROM docs WHERE docs MATCH (SELECT body FROM texts)", "searched for a literal text"),
        ("SELECT bm25(docs) FROM docs, texts WHERE docs = texts.body", "searched for a literal text"),
        ("SELECT bm25(docs) FROM docs(replace('b', 'b', 'a OR a'))", "searched for a literal text"),
        ("SELECT matchinfo(old) FROM old WHERE old MATCH '{many}'", "takes too long with matchinfo()"),
        ("SELECT offsets(old) FROM old WHERE body MATCH '{many}'", "takes too long with offsets()"),
        ("SELECT bm25(docs) FROM docs WHERE docs MATCH 'a'" + " AND docs MATCH 'a'" * 32, "a search for 33 words"),
        ("SELECT body FROM docs WHERE docs MATCH '{many}'", ""),
        ("SELECT bm25(docs), snippet(docs, 0, '', '', '', 9) FROM docs WHERE docs MATCH 'a OR b'", ""),
        ("SELECT highlight(docs, 0, '', '') FROM docs('a OR b') ORDER BY rank", ""),
        ("SELECT bm25(docs) FROM docs WHERE docs = 'a OR b' AND 1", ""),
        ("SELECT rank() OVER (ORDER BY body) FROM texts", ""),
    ],
)
def test_a_function_of_full_text_is_given_few_words(query: str, said: str) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE docs USING fts5(body); CREATE VIRTUAL TABLE old USING fts4(body)")
    connection.execute("CREATE TABLE texts (body TEXT)")
    sql = query.format(many=" OR ".join(["a"] * 33))
    if said:
        with pytest.raises(askwhere.AskError) as caught:
            asked(connection, sql)
        assert said in str(caught.value)
    else:
        assert asked(connection, sql) == []


def asked(connection: apsw.Connection, sql: str) -> list[Any]:
    askwhere.register(connection, model=Scripted([sql] * 20), method="plain")
    return connection.execute("SELECT * FROM ask('q')").fetchall()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT body FROM docs WHERE docs MATCH 'hello' AND rank MATCH 'yours()'",
        "SELECT body FROM docs WHERE docs MATCH 'hello' AND rank = 'yours()'",
        "SELECT body FROM docs AS d WHERE d.docs MATCH 'hello' AND d.\"RANK\" MATCH 'yours()' ORDER BY rank",
        "SELECT * FROM (SELECT body, rank AS r FROM docs WHERE docs MATCH 'hello') WHERE r MATCH 'yours()'",
        "WITH t(a, r, b) AS (SELECT body, rank, body FROM docs WHERE docs MATCH 'hello')"
        " SELECT a FROM t WHERE r MATCH 'yours()'",
        "SELECT body FROM docs WHERE docs MATCH 'hello' ORDER BY rank MATCH 'yours()'",
    ],
)
def test_a_users_auxiliary_function_is_not_called(connection: apsw.Connection, calls: list[str], sql: str) -> None:
    with pytest.raises(askwhere.AskError, match=REFUSED):
        asked(connection, sql)
    assert calls == []


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT body FROM docs WHERE docs MATCH 'hello' ORDER BY rank",
        "SELECT body FROM docs AS d WHERE docs MATCH 'hello' ORDER BY d.rank LIMIT 5",
    ],
)
def test_the_rank_sorts(connection: apsw.Connection, sql: str) -> None:
    assert asked(connection, sql) == [("hello",), ("hello moon",)]


def test_a_model_that_compares_the_rank_is_asked_for_another_query(tmp_path: Path) -> None:
    """The refusal kept the private connection from being closed: the database was said to be locked."""
    path = tmp_path / "docs.db"
    connection = apsw.Connection(str(path))
    connection.execute("CREATE VIRTUAL TABLE docs USING fts5(body); INSERT INTO docs VALUES ('hello')")
    model = Scripted(["SELECT body FROM docs WHERE rank MATCH 'bm25()'", *["SELECT body FROM docs"] * 9])
    askwhere.register(connection, model=model, effort="balanced")
    assert askwhere.ask(connection, "zork of flurb").rows == (("hello",),)
    assert len(model.prompts) > 1
    connection.close()
