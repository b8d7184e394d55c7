"""Globs: the paths of Python's own glob, without walking in circles, and within a bound."""

from __future__ import annotations

import glob
import os
from pathlib import Path

import askwhere
import duckdb
import pytest
from askwhere.bindings.duckdb import view_files
from askwhere.bindings.globs import Globs, TooManyEntries
from askwhere.bindings.tabular import file_tables
from askwhere.errors import DatabaseError

PATTERNS = [
    "*.csv", "d/*.csv", "**/*.csv", "d/**/*.csv", "d/**", "**", "d/*/*.csv", "[de]/?.csv", "d/[*].csv", "d/.*",
    "d/**/.h*", "no/*.csv", "no/**/*.csv", "d/a.csv/*", "d//**//e/*", "./d/*.csv", "d/../d/a.*", "*/e/**/b.csv",
    "**/e/**",
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with files at several depths, hidden ones among them."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.csv", "d/a.csv", "d/*.csv", "d/.h.csv", "d/e/b.csv", "d/e/f/c.csv", "d/.x/a.csv", "e/a.csv"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("a\n1\n")
    return tmp_path


def paths(names: object) -> set[str]:
    return {os.path.abspath(name) for name in names}  # type: ignore[attr-defined]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_glob_matches_what_it_matches_in_python(folder: Path, pattern: str) -> None:
    for text in (pattern, os.path.join(glob.escape(str(folder)), pattern)):
        assert paths(Globs(1_000).matching(text)) == paths(glob.glob(text, recursive=True))


def test_links_that_lead_in_circles_are_not_followed(folder: Path) -> None:
    for name in ("one", "two", "three"):
        os.symlink(".", folder / "d" / name)
    assert [table.name for table in file_tables.tables(["d/e/**/*.csv", "d/**/a.csv"], lambda pattern: [])[0]] == [
        "b",
        "c",
        "a",
    ]


def test_folders_are_looked_at_within_a_bound(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooManyEntries):
        list(Globs(5).matching("**/**/**/x"))
    monkeypatch.setattr(file_tables, "MOST_ENTRIES", 5)
    with pytest.raises(DatabaseError, match="more than 5 files and folders to look at; name a folder further down"):
        file_tables.tables(["**/*.csv"], lambda pattern: [])


def test_a_view_that_names_all_files_keeps_no_question_waiting(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever makes views may write any pattern into one, also as a text that nothing reads."""
    monkeypatch.setattr(view_files, "MOST_ENTRIES", 5)
    connection = duckdb.connect()
    connection.execute("CREATE TABLE orders AS FROM range(4) o(id); CREATE VIEW v AS SELECT '/**/*.csv' AS x")
    connection.execute(f"CREATE VIEW w AS FROM read_csv('{folder}/a.csv')")
    askwhere.register(connection)
    assert askwhere.ask(connection, "how many orders are there").rows == ((4,),)
    before = view_files.states(connection)
    (folder / "a.csv").write_text("a\n1\n2\n")
    after = view_files.states(connection)
    assert {path[-1] for path in before if before[path] != after[path]} == {"w"}
    connection.close()
