"""Data files that are made to take all memory or time: columns of huge texts, long lines, a million columns."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import askwhere
import duckdb
import pytest
from askwhere.bindings.duckdb.running import resident
from askwhere.bindings.tabular import sniffing
from askwhere.errors import DatabaseError
from support import NO_BARS

pytestmark = pytest.mark.slow

# A fresh process, as memory that was let go of is used again without any growth.
ASKING = r"""
import logging, re, sys
import askwhere
logging.basicConfig(format="%(message)s", stream=sys.stdout)
connection = askwhere.connect(sys.argv[1])
assert askwhere.ask(connection, "how many notes are there").rows == ((600,),)
print(*(name for name, *_ in connection.sql("DESCRIBE notes").fetchall()))
print(int(re.search(r"VmHWM:\s+(\d+) kB", open("/proc/self/status").read())[1]) >> 10)
"""
HUGE = {
    "alike, written once": "repeat('x', 2000000)",
    "different": "repeat('x', 1000000) || range",
    "in lists": "[repeat('x', 1000000) || range]",
    "bytes": "(repeat('x', 1000000) || range)::BLOB",
}


@pytest.mark.skipif(resident() is None, reason="the system does not say how much memory a process has")
@pytest.mark.parametrize(
    "what",
    ["alike, written once", *(pytest.param(w, marks=pytest.mark.slow) for w in ("different", "in lists", "bytes"))],
)
def test_huge_values_that_take_no_room_in_a_file_are_left_out(tmp_path: Path, what: str) -> None:
    path = tmp_path / "notes.parquet"
    duckdb.execute(f"COPY (SELECT range AS id, {HUGE[what]} AS t FROM range(600)) TO '{path}' (COMPRESSION zstd)")
    assert path.stat().st_size < 100_000
    done = subprocess.run(
        [sys.executable, "-c", NO_BARS + ASKING, str(path)], capture_output=True, text=True, timeout=600, check=True
    )
    *told, names, most = done.stdout.splitlines()
    assert names == "id"
    assert "notes: left out: t, as 2,048 values, which are read at a time, take more than 256 MB" in "\n".join(told)
    assert int(most) < 450


def test_a_file_of_nothing_but_huge_values_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "notes.parquet"
    duckdb.execute(f"COPY (SELECT repeat('x', 2000000) AS t FROM range(600)) TO '{path}' (COMPRESSION zstd)")
    with pytest.raises(DatabaseError, match=r"notes.parquet cannot be read: t, as 2,048 values, .* shorten the values"):
        askwhere.connect(path)


def test_long_texts_stay_in_the_table(tmp_path: Path) -> None:
    path = tmp_path / "notes.parquet"
    duckdb.execute(f"COPY (SELECT range AS id, repeat('x', 20000) AS t FROM range(3000)) TO '{path}'")
    with askwhere.connect(path) as connection:
        assert connection.sql("SELECT max(length(t)) FROM notes").fetchall() == [(20_000,)]


LINES = {
    "a long line": (b"a,b\n1,2\n" + b"x" * 9_000_000 + b",5\n", "line 3: expected at most 2,000,000 bytes"),
    "a long first line": (b"a," * 4_000_000 + b"b\n", "line 1: expected at most 2,000,000 bytes"),
    "a million columns": (b"a," * 900_000 + b"b\n" + b"1," * 900_000 + b"2\n", "a line has too many columns"),
    "a later line of a million": (b"a,b\n1,2\n" + b"1," * 900_000 + b"2\n", "a line has too many columns"),
    "columns": (b"a," * 12_000 + b"b\n" + b"1," * 12_000 + b"2\n", "has 12,001 columns: expected at most 10,000"),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", LINES)
def test_lines_that_no_table_has_are_refused_at_once(tmp_path: Path, what: str) -> None:
    content, said = LINES[what]
    path = tmp_path / "wide.csv"
    path.write_bytes(content)
    started = time.process_time()
    with pytest.raises(DatabaseError, match=f"wide.csv.*{said}"):
        askwhere.connect(path)
    assert time.process_time() - started < 20


@pytest.mark.slow
def test_more_columns_than_a_table_may_have_are_refused_in_parquet_too(tmp_path: Path) -> None:
    path = tmp_path / "wide.parquet"
    columns = ", ".join(f"1 AS c{number}" for number in range(sniffing.MOST_COLUMNS + 1))
    duckdb.execute(f"COPY (SELECT {columns}) TO '{path}'")
    with pytest.raises(DatabaseError, match="has 10,001 columns: expected at most 10,000; leave some out"):
        askwhere.connect(path)


ROWS = {
    "lines": "".join(f"{number};word {number}\n" for number in range(1_000)),
    "lines in quotes": "".join(f'{number};"a ""word""\n\n; {number}"\n' for number in range(1_000)),
    "old ends": "".join(f"{number};word {number}\r" for number in range(1_000)),
}


@pytest.mark.parametrize("what", ROWS)
def test_the_beginning_of_a_file_tells_how_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    path = tmp_path / "words.csv"
    path.write_bytes(("number;word" + ("\r" if "\r" in ROWS[what] else "\n") + ROWS[what]).encode())
    whole = sniffing.dialect(duckdb.connect(), str(path))
    for most in (4_001, 4_002, 4_003, 4_004, 4_005, 4_006, 4_007):
        monkeypatch.setattr(sniffing, "LOOKED_AT", most)
        assert sniffing.dialect(duckdb.connect(), str(path)) == whole
    assert (whole.delimiter, whole.names) == (";", ("number", "word"))


def test_an_error_names_the_file_and_not_its_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sniffing, "LOOKED_AT", 100)
    path = tmp_path / "latin.csv"
    path.write_bytes(b"a,b\n" + "é,2\n".encode("latin1") * 100)
    with pytest.raises(DatabaseError, match=r"latin\.csv, line 2: the file is not in UTF-8"):
        askwhere.connect(path)


def test_a_compressed_file_that_is_cut_off_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "cut.csv.gz"
    path.write_bytes(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b")
    with pytest.raises(DatabaseError, match=r"cut\.csv\.gz cannot be read: "):
        askwhere.connect(path)
