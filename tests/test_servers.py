"""Questions that go to an OpenAI-compatible server, from SQL in both engines: what is sent, and what goes wrong."""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path

import askwhere
import pytest
from askwhere import settings
from askwhere.models import named, prices
from faulty import Fault, Faulty, answer, drip, head, interrupted, reply, reset, silence
from support import ERRORS, NO_BARS, PER_COUNTRY, Database

pytestmark = pytest.mark.slow

SECRET = "sk-SECRET123"


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKWHERE_API_KEY", SECRET)


def test_a_server_answers(database: Database) -> None:
    with Faulty((answer(reply(PER_COUNTRY)),)) as server:
        connection = database.shop(model="openai:house", base_url=server.url, method="sea")
        assert connection.execute("SELECT * FROM ask('flurb')").fetchall() == [("Canada", 2), ("Norway", 1)]
        ((prompt,),) = connection.execute("SELECT ask_prompt('flurb')").fetchall()
    (sent,) = server.requests
    assert sent.body["messages"] == [{"role": "user", "content": prompt}]
    assert sent.body["model"] == "house"
    assert sent.headers["authorization"] == f"Bearer {SECRET}"


def test_a_model_is_set_from_sql_and_named_in_a_call(database: Database) -> None:
    with Faulty((answer(reply(PER_COUNTRY)),)) as server:
        connection = database.shop()
        for statement in (
            f"ask_set('base_url', '{server.url}')",
            "ask_set('model', 'openai:one')",
            "ask_set('method', 'sea')",
        ):
            connection.execute(f"SELECT {statement}").fetchall()
        connection.execute("SELECT * FROM ask('flurb')").fetchall()
        where = "ask('flurb', model := 'openai:two')" if database.kind == "duckdb" else "ask('flurb', 'openai:two')"
        connection.execute(f"SELECT * FROM {where}").fetchall()
    assert [sent.body["model"] for sent in server.requests] == ["one", "two"]
    assert all(SECRET not in str(sent.headers) for sent in server.requests)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (answer({"error": {"message": "slow down"}}, 429, retry_after="99999"), "99999"),
        (drip(head(), b" " * 100), "max_seconds"),
        (answer("<html>Welcome to the hotel</html>", kind="text/html"), "text/html"),
        (reset(), "connection"),
        (answer({"error": {"message": f"wrong key {SECRET}"}}, 401), "key"),
    ],
    ids=["D35 429", "D36 slow body", "D37 portal", "D38 reset", "D42 echo"],
)
def test_a_fault_ends_in_a_clear_error(
    database: Database, fault: Fault, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    seconds = 3 if said == "max_seconds" else 600
    with Faulty((fault,)) as server:
        connection = database.shop(model="openai:house", base_url=server.url, method="sea", max_seconds=seconds)
        with pytest.raises(ERRORS) as caught:
            connection.execute("SELECT * FROM ask('flurb')").fetchall()
        shown = "".join(traceback.format_exception(caught.value))
        assert said in str(caught.value)
        trace = connection.execute("SELECT * FROM ask_trace('flurb')").fetchall()
        settings = connection.execute("SELECT * FROM ask_settings()").fetchall()
    assert 1 <= len(server.requests) <= 3
    for text in (shown, caplog.text, str(trace), str(settings)):
        assert SECRET not in text


def test_a_server_that_fails_twice_is_asked_again(database: Database) -> None:
    broken = answer("", 500)
    with Faulty((broken, broken, answer(reply(PER_COUNTRY)))) as server:
        connection = database.shop(model="openai:house", base_url=server.url, method="sea")
        answered = askwhere.ask(connection, "flurb")
    assert (len(server.requests), answered.usage.requests, answered.usage.calls) == (3, 3, 1)


def test_prose_and_several_statements_are_corrected(database: Database) -> None:
    texts = [
        "I am sure.",
        "It was prose.",
        f"{PER_COUNTRY}; DROP TABLE customers",
        "Two.",
        f"```sql\n{PER_COUNTRY};\n```",
    ]
    with Faulty(tuple(answer(reply(text)) for text in texts)) as server:
        connection = database.shop(model="openai:house", base_url=server.url, method="sea")
        assert len(connection.execute("SELECT * FROM ask('flurb')").fetchall()) == 2
    assert len(server.requests) == 5


def test_a_grammar_goes_to_servers_that_take_one(database: Database) -> None:
    with Faulty((answer(reply(PER_COUNTRY)),)) as server:
        connection = database.shop(model="openai:house", base_url=server.url, server="llama-server", method="sea")
        connection.execute("SELECT * FROM ask('flurb')").fetchall()
    assert server.requests[0].body["grammar"].startswith("root ::= ")


def test_a_key_goes_only_where_it_was_configured_to_go() -> None:
    with Faulty((answer(reply("SELECT 1")),)) as mine, Faulty((answer(reply("SELECT 1")),)) as other:
        connection = askwhere.connect(model="openai:house", base_url=mine.url, method="sea")
        connection.execute("CREATE TABLE t (a)")
        connection.execute("SELECT * FROM ask('one')").fetchall()
        connection.execute("SELECT ask_set('base_url', ?)", (other.url,)).fetchall()
        connection.execute("SELECT * FROM ask('two')").fetchall()
        connection.execute("SELECT ask_set('base_url', NULL)").fetchall()
        connection.execute("SELECT * FROM ask('three')").fetchall()
        connection.close()
    assert [SECRET in str(sent.headers) for sent in mine.requests] == [True, True]
    assert [SECRET in str(sent.headers) for sent in other.requests] == [False]


def test_a_model_is_opened_once() -> None:
    one, other = (settings.load({"model": "openai:x"}) for _ in range(2))
    assert named.open_model(one, "model") is named.open_model(other, "model")


def test_prices_of_the_file_win(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[prices]\n"house" = [1, 2.5]\n')
    assert prices.of_user(file)("openai:house", 1_000_000, 1_000_000) == 3.5
    assert prices.of_user(file)("openai:unheard-of", 1, 1) is None


@pytest.mark.parametrize("price", ["3", "[1]", '["a", "b"]'])
def test_a_wrong_price_is_said(tmp_path: Path, price: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f'[prices]\n"house" = {price}\n')
    with pytest.raises(askwhere.SettingError, match=r'"house" = \[0.2, 0.8\]'):
        prices.of_user(file)


INTERRUPTED = """
import sys
import askwhere
connection = sys.argv[1] == "sqlite" and askwhere.connect() or __import__("duckdb").connect()
askwhere.register(connection, model="openai:house", base_url=sys.argv[2], max_seconds=3_600)
connection.execute("CREATE TABLE customers (name TEXT)")
try:
    connection.execute("SELECT * FROM ask('flurb')").fetchall()
except BaseException as stopped:
    said = f"{type(stopped).__name__}: {stopped}"
print("KeyboardInterrupt" in said, connection.execute("SELECT count(*) FROM customers").fetchall())
"""


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_ctrl_c_stops_the_wait_for_a_server(kind: str) -> None:
    with Faulty((silence,)) as server:
        said, errors = interrupted([sys.executable, "-c", NO_BARS + INTERRUPTED, kind, server.url], server)
    assert said == "True [(0,)]\n", errors
