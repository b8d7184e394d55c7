"""Questions about tables in PostgreSQL, MariaDB, SQLite, files and lakes have the answers of a database's own tables.

`make serving` and `make servers` install what these tests need.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from asker import Asker, executing
from askwhere.bindings.sample import build

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
_COMMENT, _END = re.compile(r"^--.*\n", re.MULTILINE), re.compile(r";\s*(?:\n|\Z)")
_QUESTION = re.compile(r"^-- (?:answer: |never wrong: )?(.*)\n(?=SELECT|WITH)", re.MULTILINE)
_TYPES = (("DOUBLE", "DOUBLE PRECISION"), ("TEXT", "VARCHAR(80)"))  # as PostgreSQL, and keys of MariaDB, need them


def _statements(script: str) -> list[str]:
    """Return the statements of a script as all databases read them."""
    found = [part.strip() for part in _END.split(_COMMENT.sub("", script)) if part.strip()]
    for name, other in _TYPES:
        found = [re.sub(rf"\b{name}\b", other, one) if one.startswith("CREATE") else one for one in found]
    return found


def _questions(file: str) -> list[str]:
    """Return the questions of a file in tests/reader, each of which stands before its query."""
    return _QUESTION.findall((HERE / "reader" / file).read_text("utf-8"))


SETS = {
    "library": ((HERE / "reader" / "library.sql").read_text("utf-8"), _questions("golden.sql")[::3]),
    "shop": ((HERE / "reader" / "shop.sql").read_text("utf-8"), _questions("business.sql")),
    "world": (build.script(), _questions("everyday.sql")),
}
# How tables elsewhere are asked: the kind of database, and how it is opened.
WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "sqlite": ("sqlite", {}),
    "postgres": ("postgres", {}),
    "postgres that answers whole queries": ("postgres", {"push": True}),
    "postgres from another process": ("postgres", {"isolation": "process"}),
    "mariadb": ("mariadb", {}),
    "parquet": ("parquet", {}),
    "lake": ("lake", {}),
}
_KEYLESS = ("parquet", "lake")  # kinds that say no keys


# All questions of a set take minutes in a process that asks a server: each way has some of the sets, and of them every
# third question where the tables are not in a SQLite file. Of the library's questions every third is asked anywhere.
CASES = (
    *(("shop", way) for way in WAYS),
    ("library", "sqlite"),
    ("library", "postgres that answers whole queries"),
    ("world", "mariadb"),
    ("world", "parquet"),
)


@dataclass(frozen=True)
class Plain:
    """Tables of DuckDB's own: their script, what each question finds, their keys, and a folder of them as Parquet."""

    script: str
    found: dict[str, Any]
    keys: list[list[str]]
    folder: Path


def _outcomes(asker: Asker, questions: Sequence[str]) -> dict[str, Any]:
    """Return what each question finds: its rows, in no order and of 12 digits, or the kind of its error."""
    found = {question: asker.run(f"?{question}") for question in questions}
    return {q: said.partition(":")[0] if isinstance(said, str) else _rounded(said) for q, said in found.items()}


def _rounded(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return rows in no order, their floats with 12 digits: engines may add up in another order."""
    cells = [[float(f"{cell:.12g}") if isinstance(cell, float) else cell for cell in row] for row in rows]
    return sorted(cells, key=repr)


@pytest.fixture(scope="module")
def plain(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Plain:
    """The tables of a set, which the first of the tests' processes that needs them makes for all."""
    script, questions = SETS[request.param]
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"tables-{request.param}"
    folder.mkdir(exist_ok=True)
    with folder.with_suffix(".json").open("a+") as kept:
        fcntl.flock(kept, fcntl.LOCK_EX)
        kept.seek(0)
        if not (text := kept.read()):
            text = json.dumps(_found(script, questions, folder))
            kept.write(text)
    return Plain(script, *json.loads(text), folder)


def _found(script: str, questions: Sequence[str], folder: Path) -> tuple[dict[str, Any], list[list[str]]]:
    """Return what each question finds in tables of DuckDB's own, and their keys; write the tables as Parquet."""
    with contextlib.closing(Asker()) as asker:
        for statement in _statements(script):
            assert not isinstance(said := asker.run(statement), str), said
        for (name,) in asker.run("SELECT table_name FROM duckdb_tables()"):
            asker.run(f"COPY {name} TO '{folder / name}.parquet'")
        return _outcomes(asker, questions), asker.run("SELECT key, refers_to FROM ask_keys()")


@pytest.mark.parametrize(("plain", "way"), CASES, indirect=["plain"])
def test_a_question_has_the_answer_of_the_databases_own_tables(
    plain: Plain, way: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    kind, options = WAYS[way]
    with contextlib.closing(Asker(**_made(plain, kind, tmp_path, request), **options)) as asker:
        if kind in _KEYLESS:
            for key, refers_to in plain.keys:
                assert "refers to" in str(asker.run(f"SELECT ask_key('{key}', '{refers_to}')"))
        asked = [*plain.found][:: 1 if kind == "sqlite" else 3]
        assert _outcomes(asker, asked) == {question: plain.found[question] for question in asked}


def _made(plain: Plain, kind: str, folder: Path, request: pytest.FixtureRequest) -> dict[str, Any]:
    """Make the tables in a database of a kind, and return how they are opened."""
    if kind == "parquet":
        return {"path": str(plain.folder)}
    if kind == "lake":
        lake = f"ducklake:{folder / 'own.ducklake'}"
        made = f"ATTACH '{lake}' AS crm (DATA_PATH '{folder / 'files'}')"
        tables = [f"CREATE TABLE crm.\"{file.stem}\" AS FROM '{file}'" for file in plain.folder.glob("*.parquet")]
        (folder / "make.sql").write_text(";\n".join([made, *tables]))
        Asker(path=":memory:", init=str(folder / "make.sql")).close()
        return {"path": ":memory:", "attach": {"crm": lake}}
    statements = _statements(plain.script)
    if kind == "sqlite":
        with contextlib.closing(sqlite3.connect(folder / "own.db")) as made:
            made.executescript(";".join(statements))
        return {"path": ":memory:", "attach": {"crm": str(folder / "own.db")}}
    at = request.getfixturevalue(f"{kind}_at")
    with contextlib.closing(Asker()) as asker:
        if kind == "postgres":
            executing(asker, kind, at)("; ".join(["DROP SCHEMA public CASCADE; CREATE SCHEMA public", *statements]))
        else:
            made = ("DROP DATABASE IF EXISTS sets", "CREATE DATABASE sets CHARACTER SET utf8mb4")
            executing(asker, "mysql", at)(*made)
            at = at.replace("database=mysql", "database=sets")
            executing(asker, "mysql", at)(*statements)
    return {"path": ":memory:", "attach": {"crm": f"{kind}:{at}"}}


# Of what DuckDB reads otherwise: films of sakila have their rating in a column that it lists as bytes.
_OTHERWISE = ("How many films are rated PG-13?",)


@pytest.mark.parametrize("name", ["northwind", "chinook", "sakila"])
def test_an_attached_sqlite_file_has_the_answers_that_sqlite_gives(name: str, data: Path, tmp_path: Path) -> None:
    text = (HERE / "sample_questions.jsonl").read_text("utf-8")
    questions = [one["question"] for one in map(json.loads, text.splitlines()) if one["db_id"] == name]
    questions = [question for question in questions if question not in _OTHERWISE]
    file = shutil.copy(data / "samples" / f"{name}.sqlite", tmp_path)
    found = []
    for opened in ({"path": ":memory:", "attach": {name: str(file)}}, {"path": str(file)}):
        with contextlib.closing(Asker(**opened)) as asker:
            assert "indexed" in str(asker.run("SELECT ask_index()"))  # without one, values are read for two seconds
            found.append(_outcomes(asker, questions))
    assert found[0] == found[1]
