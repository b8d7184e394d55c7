"""What a run and a reply are known by: all that they depend on, and nothing else."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from askwhere import settings
from askwhere.errors import DatabaseError
from askwhere.evaluation import identity
from askwhere.evaluation.ask import Reply
from askwhere.evaluation.cache import Cache
from askwhere.evaluation.records import Header
from askwhere.evaluation.sets import Item

HEADER = Header("dev.json", settings={"grammar": "off"})
ITEM = Item("1", "shop", "How many?", "SELECT 1", evidence="many means all")
KEY = identity.key(HEADER, ITEM, "print")


def test_a_reply_is_known_by_how_it_was_asked() -> None:
    others = {
        identity.key(replace(HEADER, **changed), ITEM, "print")
        for changed in (
            {"engine": "duckdb"},
            {"method": "dac"},
            {"effort": "fast"},
            {"model": "openai:x"},
            {"settings": {}},
            {"evidence": "none"},
            {"evidence": "question"},
            {"seconds": 5.0},
        )
    }
    others |= {identity.key(HEADER, replace(ITEM, question="How much?"), "print"), identity.key(HEADER, ITEM, "other")}
    assert len(others) == 10
    assert KEY not in others


def test_a_reply_is_not_known_by_how_it_is_judged() -> None:
    judged = replace(HEADER, scores=("bird_ex",), query_seconds=1.0, sample=3, seed=4, prices=(1.0, 2.0), set="other")
    assert identity.key(judged, replace(ITEM, gold="SELECT 2", difficulty="hard"), "print") == KEY


def test_settings_count_wherever_they_come_from(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert identity.changed_settings(settings.load({})) == {}
    monkeypatch.setenv("ASKWHERE_SCHEMA_TOKENS", "500")
    examples = tmp_path / "examples.jsonl"
    examples.write_text("one")
    first = identity.changed_settings(settings.load({"examples": str(examples), "model": "openai:x", "effort": "fast"}))
    assert first.keys() == {"schema_tokens", "examples"}
    examples.write_text("two")
    assert identity.changed_settings(settings.load({"examples": str(examples)}))["examples"] != first["examples"]


def test_a_models_file_counts_with_its_content(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"weights")
    first = identity.model(settings.load({"model": f"gguf:{path}"}))
    path.write_bytes(b"other weights")
    assert first.startswith(f"gguf:{path} (")
    assert identity.model(settings.load({"model": f"gguf:{path}"})) != first
    assert identity.model(settings.load({"model": "openai:x"})) == "openai:x"


def test_code_that_judges_is_no_code_that_asks() -> None:
    assert identity.source(asking=True) != identity.source(asking=False)
    folders = {folder for folder, _ in identity._files(True)}
    assert {"askwhere.pipeline", "askwhere.reader", "askwhere.guard", "askwhere.bindings"} <= folders
    assert {"askwhere.bindings.sqlite", "askwhere.bindings.duckdb", "askwhere.bindings.isolation"} <= folders
    assert not {"askwhere.evaluation", "askwhere.bindings.serve", "askwhere.bindings.cli"} & folders


def test_a_file_is_named_by_what_the_run_is() -> None:
    assert identity.file_name(HEADER).startswith("dev-balanced-reader-sqlite-")
    named = identity.file_name(Header("data/spider", split="dk", method="sea", model="openai:a/b", engine="duckdb"))
    assert named.startswith("spider-dk-sea-openai_a_b-duckdb-")
    assert identity.file_name(replace(HEADER, seed=1)) != identity.file_name(HEADER)


def test_a_cache_keeps_replies_and_refuses_other_files(tmp_path: Path) -> None:
    reply = Reply("answered", "SELECT 1", tables=(("t", ("a", "b")),), values=(("t", "a", "x"),), cost=0.5)
    with Cache(tmp_path / "deep" / "cache.db") as cache:
        assert cache.get("k") is None
        cache.put("k", reply)
    with Cache(tmp_path / "deep" / "cache.db") as cache:
        found = cache.get("k")
    assert found is not None
    assert (found.predicted, found.cost) == ("SELECT 1", 0.5)
    assert [(t.name, [c.name for c in t.columns]) for t in found.shown()] == [("t", ["a", "b"])]
    assert [(m.table, m.column, m.value) for m in found.matches()] == [(("t",), "a", "x")]
    (tmp_path / "text").write_text("this is no database, but long enough to be taken for one" * 20)
    with pytest.raises(DatabaseError, match="cannot be used to keep replies in: file is not a database; remove it"):
        Cache(tmp_path / "text")


@pytest.mark.parametrize(
    "reply",
    ["", "{}", "[]", "null", "[" * 100_000, '{"outcome": 3}', '{"outcome": "failed", "new": 1}']
    + [f'{{"outcome": "answered", "predicted": "SELECT 1", "{n}": 7}}' for n in ("tables", "values", "error")],
)
def test_a_reply_that_was_not_written_here_is_asked_for_again(reply: str, tmp_path: Path) -> None:
    with Cache(tmp_path / "cache.db") as cache:
        cache.put("k", Reply("answered", "SELECT '\ud800'"))
        assert cache.get("k") == Reply("answered", "SELECT '\ud800'")
        with closing(sqlite3.connect(tmp_path / "cache.db")) as other:
            other.execute("UPDATE replies_1 SET reply = ?", (reply,))
            other.commit()
        assert cache.get("k") is None


def test_a_file_that_cannot_keep_replies_is_said_when_it_is_used(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE VIEW replies_1 AS SELECT 1 AS key, 2 AS reply")
    with Cache(path) as cache, pytest.raises(DatabaseError, match=r"cannot modify replies_1 because it is a view; rem"):
        cache.put("k", Reply("answered"))
    path.unlink()
    with Cache(path) as cache:
        for number in range(1_000):
            cache.put(f"key {number}", Reply("answered", "SELECT 1"))
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"U" * (len(content) - 4096))
    with Cache(path) as cache, pytest.raises(DatabaseError, match="database disk image is malformed; remove it, or na"):
        cache.get("k")
    path.unlink()
    path.symlink_to(path)
    with pytest.raises(OSError, match="symbolic links"):
        Cache(path)
