"""Each method from end to end with a real model in this process, on Spider's questions in both engines.

The model's weights are random: its answers are noise, and that nothing breaks is the point.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.bindings.copying import copy
from askwhere.errors import DatabaseError
from askwhere.pipeline import asking
from askwhere.setting_values import Mcs

pytestmark = pytest.mark.slow
QUESTIONS = 4
# Tokens of a reply: noise seldom comes to an end by itself.
SHORT = 16
# Every part of MCS-SQL with several prompts and samples, in 2 + 2 + 4 + 2 completions; of SEA-SQL three rounds.
FEW = Mcs(table_prompts=2, column_prompts=2, link_samples=1, prompts=2, samples=2, votes=2, examples=3)
# Its examples are chosen by its vectors.
BY_MODEL = {"examples_by": "embeddings"}
CALLS = {"sea": 7, "dac": 6, "mcs": 10, "": 16}
# The steps that noise comes to; it seldom writes a query that runs.
STEPS = {
    "sea": {"generate", "reflect", "correct"},
    "dac": {"generate", "link entities", "parse skeleton", "correct execution"},
    "mcs": {"link tables", "link columns", "generate"},
    "": {"generate", "reflect", "correct", "sample"},
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    from tiny_gguf import write_model

    return f"gguf:{write_model(tmp_path_factory.mktemp('gguf') / 'tiny.gguf', context=16_384)}"


@pytest.fixture
def questions(data: Path) -> list[dict[str, str]]:
    """Questions of as many development databases."""
    records = map(json.loads, (data / "spider" / "dev.jsonl").read_text("utf-8").splitlines())
    return list({record["db_id"]: record for record in records}.values())[:QUESTIONS]


@pytest.fixture
def examples(data: Path, tmp_path: Path) -> Path:
    """A hundred training questions with their queries, the shortest: reading them is most of the work."""
    lines = (data / "spider" / "train_spider.jsonl").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "examples.jsonl").write_text("".join(sorted(lines, key=len)[:100]), "utf-8")
    return tmp_path / "examples.jsonl"


class Opened:
    """Databases of Spider in one engine."""

    def __init__(self, engine: str, folder: Path, copies: Path) -> None:
        self._engine, self._folder, self._copies = engine, folder, copies
        self._open: list[Any] = []

    def __call__(self, name: str, **settings: Any) -> Any:
        file = self._folder / name / f"{name}.sqlite"
        if self._engine == "duckdb":
            target = self._copies / f"{name}.duckdb"
            with sqlite3.connect(file) as source, duckdb.connect(target) as made:
                source.text_factory = lambda raw: raw.decode("utf-8", "replace")
                copy(source, made)
            source.close()
            file = target
        self._open.append(askwhere.connect(file, **settings))
        return self._open[-1]

    def close(self) -> None:
        for connection in self._open:
            connection.close()


@pytest.fixture(params=["sqlite", "duckdb"])
def opened(request: pytest.FixtureRequest, data: Path, tmp_path: Path) -> Iterator[Opened]:
    found = Opened(request.param, data / "spider" / "databases", tmp_path)
    yield found
    found.close()


def asked(connection: Any, question: str) -> tuple[Counter[str], str]:
    """The completions that each step had, and how it ended; they are what the log says."""
    try:
        askwhere.ask(connection, question)
        outcome = "answered"
    except DatabaseError:
        raise
    except askwhere.AskError as error:
        outcome = f"{type(error).__name__}: {error}"
    steps = connection.execute("SELECT step, detail, reply FROM ask_trace(?)", (question,)).fetchall()
    calls = Counter({step: 0 for step, *_ in steps})
    for step, detail, reply in steps:
        assert "Traceback" not in detail
        assert not detail.startswith("failed:"), detail
        calls[step] += reply.count("\n----\n") + 1 if reply is not None else 0
    (logged,) = connection.execute("SELECT calls, outcome FROM ask_log()").fetchall()
    assert logged == (calls.total(), outcome)
    return calls, outcome


@pytest.mark.parametrize("method", ["sea", "dac", "mcs", ""])
def test_noise_breaks_no_method(
    opened: Opened,
    examples: Path,
    model: str,
    questions: list[dict[str, str]],
    method: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asking, "REPLY_TOKENS", SHORT)
    assert len(questions) == QUESTIONS
    used: Counter[str] = Counter()
    for record in questions:
        con = opened(
            record["db_id"],
            model=model,
            method=method,
            mcs=FEW,
            max_calls=CALLS[method],
            examples=str(examples),
            **(BY_MODEL if method == "mcs" else {}),
        )
        calls, _ = asked(con, record["question"])
        used += calls
        if method == "mcs":
            linked = calls["link tables"], calls["link columns"]
            assert (*linked, calls["generate"]) == (2, 2, 4)
            assert "embed" in calls
        assert calls.total() <= CALLS[method]
    assert STEPS[method] <= {step for step, n in used.items() if n}


def test_noise_breaks_nothing_at_the_papers_settings(
    opened: Opened, examples: Path, model: str, questions: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "REPLY_TOKENS", SHORT)
    record = questions[0]
    con = opened(record["db_id"], model=model, method="mcs", examples=str(examples))
    calls, _ = asked(con, record["question"])
    assert (calls["link tables"], calls["link columns"], calls["generate"]) == (60, 60, 100)
