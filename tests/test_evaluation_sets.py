"""Sets of questions in their makers' formats, and where their databases lie."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from askwhere.errors import ArgumentError
from askwhere.evaluation import sets
from askwhere.evaluation.sets import Item
from askwhere.indexer.pins import Pin

SPIDER = {
    "db_id": "shop",
    "query": "SELECT count(*) FROM orders",
    "query_toks": ["SELECT"],
    "question": "How many orders are there?",
    "sql": {"select": []},  # Spider's parsed tree is no text
}
BIRD = {
    "question_id": 17,
    "db_id": "shop",
    "question": "How many are open?",
    "evidence": "open means status = 1",
    "SQL": "SELECT count(*) FROM orders WHERE status = 1",
    "difficulty": "simple",
}
OURS = {"id": "dev-0", "db_id": "shop", "question": "How many?", "sql": "SELECT 1", "sql_duckdb": "SELECT 1 AS n"}


def written(path: Path, *records: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.suffix == ".jsonl"
    path.write_text("\n".join(map(json.dumps, records)) + "\n" if lines else json.dumps(records), "utf-8")
    return path


def test_spiders_file_is_read_as_it_is(tmp_path: Path) -> None:
    found = sets.read(written(tmp_path / "dev.json", SPIDER))
    assert found == (Item("dev-0", "shop", "How many orders are there?", "SELECT count(*) FROM orders"),)


def test_birds_file_is_read_as_it_is(tmp_path: Path) -> None:
    (found,) = sets.read(written(tmp_path / "dev.json", BIRD))
    assert (found.id, found.gold, found.difficulty) == ("17", BIRD["SQL"], "simple")
    assert found.evidence == "open means status = 1"


def test_kaggledbqa_has_a_file_for_each_database(tmp_path: Path) -> None:
    written(tmp_path / "examples" / "A_test.json", {**SPIDER, "db_id": "A"})
    written(tmp_path / "examples" / "A_fewshot.json", {**SPIDER, "db_id": "A"}, SPIDER)
    written(tmp_path / "examples" / "B_test.json", {**SPIDER, "db_id": "B"})
    assert [(i.id, i.db_id) for i in sets.read(tmp_path, "test")] == [("A_test-0", "A"), ("B_test-0", "B")]
    assert len(sets.read(tmp_path, "fewshot")) == 2


def test_json_lines_may_bring_duckdbs_gold(tmp_path: Path) -> None:
    (found,) = sets.read(written(tmp_path / "dev.jsonl", OURS))
    assert found == Item("dev-0", "shop", "How many?", "SELECT 1", golds={"duckdb": "SELECT 1 AS n"})


def test_a_folder_has_the_split_that_is_asked_for(tmp_path: Path) -> None:
    written(tmp_path / "dev.jsonl", OURS)
    written(tmp_path / "train.json", SPIDER, SPIDER)
    assert len(sets.read(tmp_path)) == 1
    assert len(sets.read(tmp_path, "train")) == 2
    with pytest.raises(ArgumentError, match=r"has no test\.jsonl, test\.json or .*; there are dev\.jsonl, train\.json"):
        sets.read(tmp_path, "test")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.jsonl", "hello\n", r"expected a JSON array of questions, or one JSON object a line \(Expecting value"),
        ("x.json", "[" * 100_000, r"expected a JSON array of questions, .*recursion"),
        ("x.json", "[1]", r"element 0: expected an object with question, db_id and sql, found '1'"),
        ("x.jsonl", '\n{"db_id": "a", "sql": "x"}\n', r"line 2 lacks question; it has db_id, sql"),
        ("x.jsonl", '{"db_id": "a", "question": "x", "sql": {}}\n', "line 1 lacks its SQL as sql, SQL or query"),
        ("x.json", "[]", "holds no questions"),
        ("x.jsonl", '{"db_id": "a", "question": "x", "sql": "y", "id": 1}\n' * 2, "the id '1' stands for several"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ArgumentError, match=said):
        sets.read(tmp_path / name)


def test_a_file_that_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="there is no file"):
        sets.read(tmp_path / "dev.json")


def test_pins_are_questions_without_those_that_are_patterns() -> None:
    pins = (Pin("how many", "SELECT 1"), Pin("orders over {n}", "SELECT {n}", {"n": "number"}))
    assert sets.of_pins(pins, "shop") == (Item("pin-0", "shop", "how many", "SELECT 1"),)


def test_a_sample_is_the_same_for_a_seed_and_keeps_the_order() -> None:
    items = [Item(str(n), "ab"[n % 2], "q", "s") for n in range(100)]
    first, again, other = (sets.chosen(items, (), (), 10, seed) for seed in (1, 1, 2))
    assert first == again != other
    assert [int(i.id) for i in first] == sorted(int(i.id) for i in first)
    assert {i.db_id for i in sets.chosen(items, (), ("a",), None, 0)} == {"b"}
    assert len(sets.chosen(items, ("a",), (), 1_000, 0)) == 50
    with pytest.raises(ArgumentError, match="there are no questions about c; there are: a, b"):
        sets.chosen(items, ("c",), (), None, 0)


@pytest.mark.parametrize("name", ["shop/shop.sqlite", "shop.db", "shop/shop.duckdb"])
def test_databases_are_found_beside_the_questions(tmp_path: Path, name: str) -> None:
    questions = written(tmp_path / "dev.json", SPIDER)
    place = tmp_path / "database" / name
    place.parent.mkdir(parents=True)
    place.touch()
    folders = sets.places(questions, None)
    assert sets.database(folders, "shop") == place
    assert sets.database(folders, "other") is None
    assert sets.database([tmp_path / "database" / "x"], "../shop") is None
    assert sets.database(sets.places(questions, tmp_path / "database"), "shop") == place


@pytest.mark.parametrize("suffix", sets.SUFFIXES)
def test_a_database_of_the_questions_own_name_needs_no_mention(tmp_path: Path, suffix: str) -> None:
    questions = written(tmp_path / "zoo.jsonl", {"question": "how many?", "sql": "SELECT 1"})
    with pytest.raises(ArgumentError, match="line 1 lacks db_id"):
        sets.read(questions)
    (tmp_path / f"zoo{suffix}").touch()
    assert sets.named(tmp_path / "zoo") == questions
    assert [item.db_id for item in sets.read(questions)] == ["zoo"]
    assert sets.database(sets.places(questions, None), "zoo") == tmp_path / f"zoo{suffix}"


def test_a_folder_of_databases_that_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="there is no folder"):
        sets.places(tmp_path / "dev.json", tmp_path / "nowhere")


def test_a_test_suite_is_all_databases_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    for name in ("shop.sqlite", "shop_1.sqlite", "shop.sqlite-wal", "shop.sqlite.askwhere", "notes.txt"):
        (folder / name).touch()
    assert sets.suite(folder / "shop.sqlite") == (folder / "shop.sqlite", folder / "shop_1.sqlite")
    (tmp_path / "other.sqlite").touch()
    (tmp_path / "third.sqlite").touch()
    assert sets.suite(tmp_path / "other.sqlite") == (tmp_path / "other.sqlite",)


def test_a_fingerprint_changes_with_the_content(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"x" * 3_000_000)
    other.write_bytes(b"x" * 2_999_999 + b"y")
    assert sets.fingerprint(one) != sets.fingerprint(other)
    other.write_bytes(one.read_bytes())
    assert sets.fingerprint(one) == sets.fingerprint(other)
