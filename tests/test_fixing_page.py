"""The examples of docs/fixing.md give what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import askwhere
import pytest
from askwhere.bindings import connections
from askwhere.udfs import FUNCTIONS
from askwhere.udfs.function import bind
from support import Database

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "fixing.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(both|sqlite|duckdb)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
EXAMPLES = [
    (engine, *example)
    for kind, block in BLOCKS
    for engine in (("sqlite", "duckdb") if kind == "both" else (kind,))
    for example in re.findall(r">>> (.*)\n((?:(?!>>> ).*\n)+)", block)
]


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) >= 24


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "call", "expected"), EXAMPLES)
def test_an_example_gives_what_the_page_says(engine: str, call: str, expected: str, tmp_path: Path) -> None:
    database = Database(engine, tmp_path)
    connection = database.shop()
    name, *arguments = re.findall(r"^\w+|'(?:[^']|'')*'", call)
    function = next(f for f in FUNCTIONS if f.name == name)
    values = [argument[1:-1].replace("''", "'") for argument in arguments]
    try:
        session = connections.session(connection)
        found = function.call(session, connections.engine(connection), **bind(function, values))
        assert connection.execute(f"SELECT {call}").fetchone()[0] == found
    except askwhere.AskError as exc:
        found = str(exc)
    database.close()
    assert found == expected.rstrip("\n")
