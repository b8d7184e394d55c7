"""Looking at a file's first bytes leaves the locks on it that this process has, so that no other process writes it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import apsw
import askwhere
import duckdb
import pytest
from askwhere.bindings import database_files

WRITES = {
    "sqlite": "import sqlite3; sqlite3.connect(sys.argv[1], timeout=0).execute('INSERT INTO t VALUES (9)')",
    "duckdb": "import duckdb; duckdb.connect(sys.argv[1])",
}


def held(path: Path, journal: str) -> Any:
    """A connection with a transaction that writes; of DuckDB any that may write."""
    if journal == "duckdb":
        connection = duckdb.connect(str(path))
        connection.execute("CREATE TABLE t(x INT)")
        return connection
    writing = apsw.Connection(str(path))
    writing.execute(f"PRAGMA journal_mode = {journal}").fetchall()
    writing.execute("CREATE TABLE t(x INT); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
    return writing


@pytest.mark.slow
@pytest.mark.parametrize("journal", ["delete", "wal", "duckdb"])
def test_another_process_still_cannot_write(journal: str, tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    first = held(path, journal)
    command = [sys.executable, "-c", f"import sys; {WRITES['duckdb' if journal == 'duckdb' else 'sqlite']}", str(path)]
    for _ in range(2):  # in WAL mode the first other process takes the files away, and the second writes
        askwhere.connect(path).close()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "lock" in done.stderr
    first.close()
    assert subprocess.run(command, capture_output=True, text=True, check=False).returncode == 0


@pytest.mark.parametrize("content", [b"", b"12345", b"SQLite format 3\0" * 2])
def test_it_is_read_with_and_without_a_handle(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    assert database_files.head(path) == content[:16]
    with path.open("rb") as file:
        file.seek(3)
        assert database_files.head(path) == content[:16]
        assert file.tell() == 3


def test_what_is_no_file_is_said_at_once(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    os.mkfifo(path)
    said = f"^{path} cannot be read: expected a file, found a folder, a pipe or a device$"
    with pytest.raises(askwhere.DatabaseError, match=said):
        askwhere.connect(path)
