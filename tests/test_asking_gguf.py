"""ask() with a real GGUF file in this process: what it says is noise, that it names only what exists is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from askwhere.models import named
from support import ERRORS, Database, in_threads

pytestmark = pytest.mark.slow
NAMES = {"customers", "orders", "id", "name", "country", "customer_id", "amount"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tiny_gguf import write_lora, write_model

    folder = tmp_path_factory.mktemp("gguf")
    write_model(folder / "tiny.gguf")
    write_lora(folder / "adapter.gguf", folder / "tiny.gguf")
    return folder


def ask(connection: Any, question: str) -> list[Any]:
    """The steps that asked the model, whatever came of its noise."""
    try:
        connection.execute(f"SELECT * FROM ask('{question}')").fetchall()
    except ERRORS as error:
        assert "no usable query was found" in str(error)  # noqa: PT017
    rows = connection.execute(
        f"SELECT step, model, reply, prompt_tokens, completion_tokens FROM ask_trace('{question}')"
    )
    return [row for row in rows.fetchall() if row[1] is not None]


def test_a_file_is_set_from_sql_and_held_to_the_names_of_the_schema(database: Database, folder: Path) -> None:
    connection = database.shop(max_calls=1, max_tokens=200)
    connection.execute(f"SELECT ask_set('model', 'gguf:{folder / 'tiny.gguf'}')").fetchall()
    steps = ask(connection, "flurb")
    assert steps[0][:2] == ("generate", "gguf:tiny.gguf")
    assert steps[0][2].strip().lower().startswith("select")
    assert steps[0][3] > 100
    assert steps[0][4] > 0
    loaded = connection.execute("SELECT detail, ms > 0 FROM ask_trace('flurb') WHERE step = 'load'").fetchall()
    assert loaded == [("gguf:tiny.gguf", True)]


def test_the_next_question_evaluates_what_is_new_in_it(database: Database, folder: Path) -> None:
    connection = database.shop(model=f"gguf:{folder / 'tiny.gguf'}", method="sea", max_calls=1, max_tokens=200)
    for number in range(12):
        connection.execute(f"CREATE TABLE more_{number} (id INTEGER, label TEXT, weight DOUBLE)")
    model: Any = named.open_model(askwhere_settings(connection), "model")
    before = model.evaluated
    (first, *_) = ask(connection, "flurb one")
    between = model.evaluated
    first_prompt = first[3]
    assert between - before > 0
    ask(connection, "flurb two")
    assert model.evaluated - between <= first_prompt / 5


def askwhere_settings(connection: Any) -> Any:
    from askwhere.bindings import connections

    return connections.session(connection).settings


def test_an_adapter_of_the_same_file_eliminates_bias(database: Database, folder: Path) -> None:
    connection = database.shop(
        model=f"gguf:{folder / 'tiny.gguf'}",
        eliminator=f"lora:{folder / 'adapter.gguf'}",
        method="sea",
        max_calls=2,
        max_tokens=1_500,  # a reply has 1,024 at most, and some must be left
    )
    assert [step for step, *_ in ask(connection, "flurb")][:2] == ["generate", "eliminate"]


def test_connections_and_threads_share_one_file(database: Database, folder: Path) -> None:
    spec = f"gguf:{folder / 'tiny.gguf'}"
    connections = [database.shop(model=spec, max_calls=1, max_tokens=200) for _ in range(3)]
    assert len(in_threads(lambda number: ask(connections[number], f"flurb {number}"), range(3))) == 3
    assert len({id(named.open_model(askwhere_settings(c), "model")) for c in connections}) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "No such file"), (b"SQLite format 3\0", "is no GGUF file"), (b"GGUF\3\0\0\0", "is the file complete")],
)
def test_a_file_that_is_no_model_is_a_clear_error(
    database: Database, tmp_path: Path, content: bytes | None, said: str
) -> None:
    path = tmp_path / "x.gguf"
    if content is not None:
        path.write_bytes(content)
    connection = database.shop(model=f"gguf:{path}")
    with pytest.raises(ERRORS, match=said):
        connection.execute("SELECT * FROM ask('flurb')").fetchall()


def test_a_prompt_that_cannot_fit_is_refused_before_it_is_read(database: Database, tmp_path: Path) -> None:
    from tiny_gguf import write_model

    path = write_model(tmp_path / "short.gguf", context=128)
    connection = database.shop(model=f"gguf:{path}")
    with pytest.raises(ERRORS, match="schema_tokens"):
        connection.execute("SELECT * FROM ask('flurb')").fetchall()
