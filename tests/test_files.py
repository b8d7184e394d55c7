"""The files that askwhere makes: for their owner alone, whole or not at all, and never through a link nobody named."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import askwhere
import duckdb
import pytest
from askwhere import files
from askwhere.bindings.cli import main as cli
from askwhere.errors import DatabaseError
from askwhere.evaluation.cache import Cache
from support import NO_BARS, SHOP, Database, connected, error, rows

NOBODY = 65_534


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.fixture(autouse=True)
def _open_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def readonly(database: Database) -> Iterator[Any]:
    """A shop in a file that only its owner may read, opened for reading."""
    database.shop(database.path).close()
    database.path.chmod(0o600)
    connection = connected(database.kind, database.path, read_only=True)
    askwhere.register(connection)
    yield connection
    connection.close()


def beside(database: Database) -> Path:
    return Path(f"{database.path}.askwhere")


@pytest.mark.any_engine
def test_a_folder_of_its_name_is_left_as_it_is(database: Database, readonly: Any) -> None:
    beside(database).mkdir(0o755)
    assert "cannot be read" in error(readonly, "SELECT ask_index()")
    assert mode(beside(database)) == 0o755


@pytest.mark.parametrize("wanted", [0o600, 0o640, 0o644])
def test_the_file_beside_a_database_has_its_permissions(database: Database, readonly: Any, wanted: int) -> None:
    database.path.chmod(wanted)
    rows(readonly, "SELECT ask_index()")
    assert mode(beside(database)) == wanted


def test_a_file_beside_that_more_may_read_than_the_database_is_narrowed(database: Database, readonly: Any) -> None:
    rows(readonly, "SELECT ask_pin('all', 'SELECT name FROM customers')")
    beside(database).chmod(0o666)
    rows(readonly, "SELECT ask_index()")
    assert mode(beside(database)) == 0o600
    assert len(rows(readonly, "SELECT * FROM ask('all')")) == 3


def test_the_journals_of_the_file_beside_have_its_permissions(database: Database, readonly: Any) -> None:
    rows(readonly, "SELECT ask_pin('all', 'SELECT name FROM customers')")
    with contextlib.closing(apsw.Connection(str(beside(database)))) as other:
        other.execute("BEGIN IMMEDIATE; CREATE TABLE askwhere_more (a)")
        assert [mode(path) for path in database.path.parent.glob("*-journal")] == [0o600]
        other.execute("ROLLBACK")


@pytest.mark.slow
def test_what_stands_beside_under_our_name_and_is_not_ours_is_refused(
    database: Database, readonly: Any, tmp_path: Path
) -> None:
    other = tmp_path / "other.db"
    with apsw.Connection(str(other)) as connection:
        connection.execute("CREATE TABLE secrets (a); INSERT INTO secrets VALUES ('x')")
    connection.close()
    before = other.read_bytes()
    said = "is where askwhere keeps what belongs to the database; expected a file that askwhere made, found "
    for put, found in (
        (lambda: beside(database).symlink_to(other), "a symbolic link"),
        (lambda: beside(database).symlink_to(tmp_path / "nothing"), "a symbolic link"),
        (lambda: beside(database).hardlink_to(other), "a file that has another name"),
        (lambda: os.mkfifo(beside(database)), "a device or a pipe"),
        (lambda: shutil.copy(other, beside(database)), "a database with secrets in it"),
    ):
        put()
        for statement in ("SELECT ask_index()", "SELECT ask_pin('all', 'SELECT 1 AS n')"):
            told = error(readonly, statement)
            assert f"{beside(database)} {said}{found}" in told, told
            assert told.rstrip().endswith("look at it, and remove or rename it") or database.kind == "duckdb"
        beside(database).unlink()
    assert other.read_bytes() == before
    assert not (tmp_path / "nothing").exists()
    assert rows(readonly, "SELECT * FROM ask('how many orders are there')") == [(4,)]


@pytest.mark.any_engine
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_of_another_user_is_not_read(database: Database, readonly: Any) -> None:
    rows(readonly, "SELECT ask_pin('number of orders', 'SELECT 7 AS n')")
    os.chown(beside(database), NOBODY, -1)
    assert f"found one of another user (number {NOBODY})" in error(readonly, "SELECT * FROM ask('number of orders')")
    os.chown(database.path, NOBODY, -1)  # it is the database's owner's
    assert rows(readonly, "SELECT * FROM ask('number of orders')") == [(7,)]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_root_puts_beside_a_database_is_its_owners(database: Database, readonly: Any) -> None:
    os.chown(database.path, NOBODY, NOBODY)
    rows(readonly, "SELECT ask_index()")
    found = beside(database).stat()
    assert (found.st_uid, found.st_gid) == (NOBODY, NOBODY)


@pytest.mark.slow
def test_what_is_written_into_a_private_duckdb_file_is_private_in_its_log_too(tmp_path: Path) -> None:
    path, data, keep = tmp_path / "shop.duckdb", tmp_path / "people.csv", tmp_path / "kept.duckdb"
    duckdb.connect(str(path)).close()
    path.chmod(0o600)
    data.write_text("id,name\n1,Ann\n")
    for named, database in (({}, path), ({"keep": keep}, data)):
        connection = askwhere.connect(str(database), log="database", **named)
        for _ in range(2):
            rows(connection, "SELECT ask_pin('all', 'SELECT 1 AS n')")
            assert [mode(log) for log in tmp_path.glob("*.wal")] == [0o600]
            connection.execute("CHECKPOINT" if database == path else "CHECKPOINT askwhere_kept")
            rows(connection, "SELECT ask_pin('one', 'SELECT 1 AS n')")
            assert [mode(log) for log in tmp_path.glob("*.wal")] == [0o600]
        connection.close()
        assert not list(tmp_path.glob("*.wal"))


def test_no_other_file_is_overwritten_through_a_link_in_place_of_a_duckdb_log(tmp_path: Path) -> None:
    path, other = tmp_path / "shop.duckdb", tmp_path / "diary.txt"
    other.write_text("Monday")
    connected("duckdb", path).execute(SHOP).close()
    connection = askwhere.connect(str(path))
    Path(f"{path}.wal").symlink_to(other)
    for sql in ("SELECT ask_index()", "SELECT ask_pin('all', 'SELECT 1 AS n')", "SELECT ask_index('drop')"):
        assert f"{path}.wal is a link, through which DuckDB would overwrite another file" in error(connection, sql)
    connection.close()
    assert other.read_text() == "Monday"


def test_a_database_behind_linked_folders_keeps_its_file_beside(database: Database, tmp_path: Path) -> None:
    database.shop(database.path).close()
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    path = tmp_path / "link" / database.path.name
    with askwhere.connect(path, read_only=True) as con:
        rows(con, "SELECT ask_pin('number of orders', 'SELECT 7 AS n')")
        assert rows(con, "SELECT * FROM ask('number of orders')") == [(7,)]
    assert beside(database).is_file()


# ------------------------------------------------------------------------------------------ copies, replies, history


def test_kept_files_are_in_a_folder_that_nobody_else_opens(tmp_path: Path) -> None:
    made = files.private_folder(tmp_path / "cache" / "askwhere")
    assert mode(made) == 0o700
    made.chmod(0o777)  # whoever might have put something there until now, cannot any more
    assert mode(files.private_folder(made)) == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_folder_of_another_user_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir(0o777)
    os.chown(tmp_path / "copies", NOBODY, NOBODY)
    with pytest.raises(DatabaseError, match=rf"is another user's \(user {NOBODY}\)"):
        files.private_folder(tmp_path / "copies")


def test_replies_that_are_kept_are_private(tmp_path: Path) -> None:
    with Cache(tmp_path / "replies.db") as cache:
        assert cache.get("x") is None
        made = list(tmp_path.iterdir())
        assert len(made) > 1
        assert {mode(path) for path in made} == {0o600}


def test_the_history_of_the_shell_is_private(monkeypatch: Any, tmp_path: Path) -> None:
    from askwhere.bindings.cli import prompt

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    file = prompt.history_file()
    assert (mode(file), mode(file.parent)) == (0o600, 0o700)
    file.chmod(0o644)  # as older versions left it
    assert mode(prompt.history_file()) == 0o600


# ------------------------------------------------------------------------------------------------- what a user names


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.db"
    with apsw.Connection(str(path)) as connection:
        connection.execute(SHOP)
    connection.close()
    with askwhere.connect(path) as con:
        rows(con, "SELECT ask_pin('all', 'SELECT name FROM customers')")
    return path


def test_pages_and_exports_are_private_and_follow_the_link_that_was_named(shop: Path, tmp_path: Path) -> None:
    target, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(target)
    assert cli.main(["pins", str(shop), "--export", str(link)]) == 0
    assert link.is_symlink()
    assert "SELECT name" in target.read_text()
    assert cli.main(["trace", str(shop), "how many orders are there", "--html", str(tmp_path / "page.html")]) == 0
    assert (mode(target), mode(tmp_path / "page.html")) == (0o600, 0o600)
    target.chmod(0o640)
    assert cli.main(["pins", str(shop), "--export", str(target)]) == 0
    assert mode(target) == 0o640
    assert cli.main(["pins", str(shop), "--export", "/dev/null"]) == 0
    assert Path("/dev/null").is_char_device()


def test_what_fails_half_way_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    files.write(path, "old")

    def broken() -> None:
        with files.replacing(path) as part:
            part.write_text("new")
            raise OSError(errno.ENOSPC, "No space left on device", str(part))

    with pytest.raises(OSError, match="No space left") as caught:
        broken()
    assert caught.value.filename == str(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_name_that_nobody_gave_is_not_followed(tmp_path: Path) -> None:
    other, path = tmp_path / "other", tmp_path / "run.jsonl"
    other.write_text("kept")
    path.symlink_to(other)
    with pytest.raises(OSError, match=r"symbolic link|Too many levels"):
        files.adding(path)
    files.write(path, "ours")
    assert (other.read_text(), path.read_text(), path.is_symlink()) == ("kept", "ours", False)
    with files.adding(path) as file:
        file.write(" and more")
    assert path.read_text() == "ours and more"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a device that is full")
def test_a_line_for_which_there_is_no_room_is_an_error_with_the_files_name(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with pytest.raises(OSError, match="No space left") as caught, files.adding(Path("/dev/full")) as file:
        files.add(file, "a line\n", path)
    assert caught.value.filename == str(path)


def small_files() -> None:
    """In a child: a file of more than 4 kB is as if the disk were full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, 4_096))


@pytest.mark.slow
def test_a_page_on_a_full_disk_is_one_sentence_and_the_old_page_stays(shop: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    arguments = ["trace", str(shop), "how many orders are there", "--html", str(page)]
    assert cli.main(arguments) == 0
    before = page.read_bytes()
    script = f"import sys; from askwhere.bindings.cli import main; sys.exit(main.main({arguments!r}))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, preexec_fn=small_files, check=False
    )
    assert (done.returncode, done.stderr) == (1, f"askwhere: {page}: File too large\n")
    assert page.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"page.html", "shop.db"}


@pytest.mark.slow
def test_an_index_beside_a_database_on_a_full_disk_is_an_error_and_leaves_nothing(
    database: Database, tmp_path: Path
) -> None:
    database.shop(database.path).close()
    script = f"""
import askwhere
con = askwhere.connect({str(database.path)!r}, read_only=True)
try:
    con.execute("SELECT ask_index()").fetchall()
except Exception as exc:
    print(exc)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, preexec_fn=small_files, check=False
    )
    assert "no space, or the file cannot be written" in done.stdout, done
    assert not beside(database).exists()


SPILLING = """
import sys
import askwhere
from askwhere.models import Scripted
kind, path, folder = sys.argv[1:]
con = askwhere.connect(path, read_only=True, model=Scripted(["SELECT a, b FROM big ORDER BY b, a"]), method="sea")
small = f"SET memory_limit = '40MB'; SET threads = 1; SET temp_directory = '{folder}'"
con.execute("PRAGMA temp_store = 1; PRAGMA cache_size = 10" if kind == "sqlite" else small)
try:
    con.execute("SELECT count(*), max(b) FROM (SELECT * FROM ask('all of it') LIMIT 1000000)").fetchall()
except Exception as exc:
    print(type(exc).__name__, exc)
print(con.execute("SELECT count(*) FROM big").fetchall())
"""


@pytest.mark.slow
def test_a_full_disk_for_what_an_engine_spills_is_an_error_and_the_connection_goes_on(
    database: Database, tmp_path: Path
) -> None:
    many = 1_000_000 if database.kind == "duckdb" else 100_000
    counted = f"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT {many}) SELECT x AS x FROM c"
    numbers = f"SELECT i AS x FROM range({many}) t(i)" if database.kind == "duckdb" else counted
    con = database.raw(database.path)
    con.execute(f"CREATE TABLE big AS SELECT x AS a, printf('%032d', x * 7919 % 1000003) AS b FROM ({numbers})")
    con.close()
    (tmp_path / "spilled").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", NO_BARS + SPILLING, database.kind, str(database.path), str(tmp_path / "spilled")],
        capture_output=True,
        text=True,
        timeout=600,
        preexec_fn=small_files,
        env=os.environ | {"SQLITE_TMPDIR": str(tmp_path / "spilled")},
        check=False,
    )
    said, last = done.stdout.strip().rsplit("\n", 1)
    assert re.search("disk is full|disk I/O|File too large|more memory than|cannot be (read|written)", said), done
    assert last == f"[({many},)]"
