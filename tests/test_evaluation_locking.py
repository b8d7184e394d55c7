"""A run file is written by one process at a time, and nothing but a file is one."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from askwhere import files
from askwhere.bindings.cli import main as cli
from askwhere.errors import ArgumentError
from askwhere.evaluation import locking

HOLDS = """
import sys
from pathlib import Path
from askwhere.evaluation import locking
with locking.writing(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that writes the run file, until it is killed or the block ends."""
    command = [sys.executable, "-c", HOLDS, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def evaluate(output: Path) -> int:
    """The command's exit code, for one question about an empty database."""
    asked = output.with_name("questions.jsonl")
    asked.write_text('{"question": "how many", "sql": "SELECT 1", "db_id": "shop"}\n', "utf-8")
    database = output.with_name("shop") / "shop.sqlite"
    database.parent.mkdir()
    database.touch()
    return cli.main(
        ["eval", str(asked), "--databases", str(output.parent), "--no-cache", "--workers", "1", "--output", str(output)]
    )


def test_another_process_is_named(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with held(path) as process:
        said = f"process {process.pid} is writing {path}; wait until it has ended, or name another file by --output"
        with pytest.raises(ArgumentError, match=f"^{said}$"), locking.writing(path):
            pass
        with locking.writing(tmp_path / "other.jsonl"):
            pass
        assert names(tmp_path) == [".run.jsonl.lock"]
    with locking.writing(path):
        pass
    assert names(tmp_path) == []


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with held(path) as process:
        process.kill()
        process.wait()
        with locking.writing(path):
            assert (tmp_path / ".run.jsonl.lock").read_text() == str(os.getpid())
    assert names(tmp_path) == []


def test_a_full_disk_names_the_run_file_and_leaves_no_lock(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        with pytest.raises(OSError, match="File too large") as caught, locking.writing(tmp_path / "run.jsonl"):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert caught.value.filename == str(tmp_path / "run.jsonl")
    assert names(tmp_path) == []


def test_a_lock_that_was_deleted_as_it_was_opened_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, opened = tmp_path / ".run.jsonl.lock", []

    def deleted_once(path: Path, adding: Callable[[Path], object] = files.adding) -> object:
        opened.append(adding(path))
        if len(opened) < 3:
            lock.unlink()  # gone, or another process's
        if len(opened) == 2:
            lock.touch()
        return opened[-1]

    monkeypatch.setattr(files, "adding", deleted_once)
    with locking.writing(tmp_path / "run.jsonl"):
        assert os.path.samestat(os.fstat(opened[2].fileno()), lock.stat())
    assert [file.closed for file in opened] == [True] * 3


def test_the_command_says_who_writes_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("theirs")
    with held(path) as process:
        assert evaluate(path) == 1
        assert capsys.readouterr().err.startswith(f"askwhere: process {process.pid} is writing {path}; ")
    assert path.read_text() == "theirs"


@pytest.mark.parametrize("made", [os.mkdir, os.mkfifo], ids=["a folder", "a pipe"])
def test_what_is_no_file_is_no_run(
    made: Callable[[Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "there"
    made(path)
    assert evaluate(path) == 1
    said = f"{path} is not a file: expected a file to write the run to, or one of a run to continue"
    assert capsys.readouterr().err == f"askwhere: {said}\n"
