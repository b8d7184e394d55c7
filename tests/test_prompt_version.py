"""An adapter states the version of the prompts that it learned, and one that learned others is named in the trace."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere.models import Completions, Scripted
from askwhere.pipeline import prompts
from support import Database, golden

# The first letters of the digest of all golden prompts, by version. Where a prompt's words change, raise
# `prompts.VERSION` and add a line; the lines before stay.
DIGESTS = {1: "b13721b0ae92"}
HERE = Path(__file__).parent
FILES = ("golden/dac.duckdb.txt", "golden/dac.sqlite.txt", "golden/sea.sqlite.txt", "mcs_prompts.txt")
WRONG, RIGHT = "SELECT salary FROM customers", "SELECT name FROM customers"


@pytest.fixture
def in_sqlite(tmp_path: Path) -> Iterator[Database]:
    opened = Database("sqlite", tmp_path)
    yield opened
    opened.close()


def test_the_prompts_of_sea_sql_are_these(in_sqlite: Database) -> None:
    model, eliminator = Scripted([WRONG, "it is name", "SELECT wage FROM customers", "why", RIGHT]), Scripted([WRONG])
    askwhere.ask(in_sqlite.shop(model=model, eliminator=eliminator, method="sea"), "flurb of Canada")
    golden("sea.sqlite.txt", "\n\n======\n\n".join([*model.prompts, *eliminator.prompts]) + "\n")


def test_other_words_are_another_version() -> None:
    found = sha256(b"".join((HERE / name).read_bytes() for name in FILES)).hexdigest()[:12]
    assert max(DIGESTS) == prompts.VERSION
    assert DIGESTS[prompts.VERSION] == found, "prompts changed: raise prompts.VERSION and add its digest here"


class Adapted:
    """A model with an adapter that learned the prompts of some version."""

    name, remote = "base+adapter", False

    def __init__(self, version: int | None) -> None:
        self.prompts_learned = version

    def complete(self, prompt: str, n: int = 1, **_: Any) -> Completions:
        return Completions((RIGHT,) * n)


@pytest.mark.parametrize("version", [None, prompts.VERSION, 0])
def test_an_adapter_for_other_prompts_is_named_in_the_trace(in_sqlite: Database, version: int | None) -> None:
    connection = in_sqlite.shop(model=Adapted(version), method="sea")
    askwhere.ask(connection, "flurb")
    notes = connection.execute("SELECT detail FROM ask_trace('flurb') WHERE step = 'model'").fetchall()
    assert notes == ([(prompts.outdated("base+adapter", 0),)] if version == 0 else [])


def test_it_is_said_what_to_do() -> None:
    now = prompts.VERSION
    assert prompts.outdated("m", 0) == f"m learned prompts of version 0, and these are of version {now}: train it again"
