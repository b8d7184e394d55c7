"""A setting that is misspelt in the environment is not silently none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from askwhere import settings
from support import Database


def test_what_is_like_a_setting_is_one_and_what_others_set_is_not() -> None:
    given = ["MODLE", "model", "BASEURL", "APIKEY", "MAX_ROW", "MODEL", "API_KEY", "TOKEN", "WORKER"]
    given += ["DATA", "VERSION", "HOME", "PORT", "SERVICE_PORT", "PORT_9494_TCP_ADDR", "SERVICE_HOST"]
    assert settings.misspelt({"XASKWHERE_MODLE": "", "PATH": ""} | {f"ASKWHERE_{name}": "" for name in given}) == {
        "ASKWHERE_APIKEY": "ASKWHERE_API_KEY",
        "ASKWHERE_BASEURL": "ASKWHERE_BASE_URL",
        "ASKWHERE_MAX_ROW": "ASKWHERE_MAX_ROWS",
        "ASKWHERE_MODLE": "ASKWHERE_MODEL",
        "ASKWHERE_model": "ASKWHERE_MODEL",
    }


def test_a_program_goes_on_and_its_settings_say_it(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKWHERE_MODLE", "openai:secret-name")
    connection = database.shop()
    assert connection.execute("SELECT count(*) FROM ask('names of customers')").fetchall() == [(3,)]
    found = connection.execute("SELECT * FROM ask_settings() WHERE description LIKE '%no such setting%'").fetchall()
    said = "sets nothing: there is no such setting; did you mean ASKWHERE_MODEL?"
    assert found == [("ASKWHERE_MODLE", "", "environment", said)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        (
            ["ask", "shop.db", "names of customers"],
            1,
            "the environment has ASKWHERE_MODLE, which is no setting",
        ),
        (["eval", "run"], 2, "usage"),
        (["doctor"], 1, "did you mean ASKWHERE_MODEL?"),
        (["extension-path"], 0, "askwhere.so"),
    ],
)
def test_the_command_line_says_it(
    command: list[str], code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKWHERE_MODLE", "openai:x")
    command = [sys.executable, "-m", "askwhere", *command]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == code
    assert said in done.stdout + done.stderr
