"""The README is true: its session runs, its questions are answered, its tables are what the code says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import askwhere
import pytest
from askwhere.bindings import sample
from askwhere.bindings.cli import demo

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def test_the_session_runs_as_written(tmp_path: Path) -> None:
    sample.build_sqlite(tmp_path / "world.db")
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    statements = ("import", "con =", "answer =", "answer.")
    lines = [
        line if line.startswith(statements) else f"print({line.split('#')[0].strip()})"
        for line in code.splitlines()
        if line.strip()
    ]
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", "\n".join(lines)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "('Africa', 54)" in ran.stdout
    assert "('K2',)" in ran.stdout


@pytest.mark.parametrize("name", re.findall(r"`make ([a-z-]+)`|^make ([a-z-]+)", README, re.MULTILINE))
def test_every_make_command_that_is_named_is_there(name: tuple[str, str]) -> None:
    assert f"\n{name[0] or name[1]}:" in (ROOT / "Makefile").read_text()


def test_make_help_is_to_be_pasted() -> None:
    done = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "$ASKWHERE_DATA" in done.stdout
    assert "$$" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("question", demo.QUESTIONS)
def test_the_demos_questions_are_answered_alike_in_both_engines(tmp_path: Path, question: str) -> None:
    sample.build_sqlite(tmp_path / "world.db")
    sample.build_duckdb(tmp_path / "world.duckdb")
    found = []
    for name in ("world.db", "world.duckdb"):
        connection = askwhere.connect(tmp_path / name)
        answer = askwhere.ask(connection, question)
        found.append((answer.columns, sorted(answer.rows)))
        connection.close()
    assert found[0] == found[1]
    assert found[0][1]
