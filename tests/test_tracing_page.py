"""The commands of docs/tracing.md, on the sample database."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from askwhere.bindings import sample
from askwhere.bindings.cli import main as cli

PAGE = Path(__file__).resolve().parent.parent / "docs" / "tracing.md"
COMMANDS = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("askwhere trace ")]


def test_the_page_has_commands() -> None:
    assert len(COMMANDS) == 3


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_gets_an_answer(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sample.build_sqlite(tmp_path / "world.db")
    monkeypatch.chdir(tmp_path)
    assert cli.main(shlex.split(command, comments=True)[1:]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    if "--json" in command:
        assert json.loads(said.out)[0]["step"] == "read"
    if "--html" in command:
        assert "5 largest cities in Africa" in Path("trace.html").read_text("utf-8")
