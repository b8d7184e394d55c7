"""Every attack through generated SQL, each in a process of its own, with a model that writes the hostile reply."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import askwhere
import duckdb
import pytest
from askwhere.models import Scripted
from guard.attacks import ATTACKS, ELSEWHERE, Attack
from servers import BIN

PAIRS = [
    (attack, engine)
    for attack in ATTACKS
    for engine in (("sqlite", "duckdb") if attack.engine == "any" else (attack.engine,))
]
OF_DUCKDB = [attack for attack, engine in PAIRS if engine == "duckdb"]
# Every second attack with the tables in DuckDB, and every fourth, another one, with them in a SQLite file.
SERVED = [
    pytest.param(attack, engine, id=f"{attack.id}-{engine}")
    for engine, attacks in (("duckdb", OF_DUCKDB[::2]), ("attached", OF_DUCKDB[1::4]))
    for attack in attacks
]
CASES = [pytest.param(attack, engine, id=f"{attack.id}-{engine}") for attack, engine in PAIRS]


@pytest.fixture(scope="session")
def attacking() -> Iterator[subprocess.Popen[str]]:
    """A process that runs attacks, each in a process of its own."""
    with started(Path(sys.executable)) as process:
        yield process


@pytest.fixture(scope="session")
def attacking_served() -> Iterator[subprocess.Popen[str]]:
    """The same with the DuckDB that `askwhere serve` has."""
    assert BIN.exists(), "make serving installs what these tests need"
    with started(BIN / "python") as process:
        yield process


def started(python: Path) -> subprocess.Popen[str]:
    """Start the process that runs attacks with an interpreter."""
    command = [python, "-m", "guard.attack_process"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)


def facts(attacking: subprocess.Popen[str], attack: Attack, engine: str, folder: Path) -> dict[str, Any]:
    """What happened in a process of its own; its output is kept under 'output'."""
    assert attacking.stdin
    assert attacking.stdout
    (folder / "home").mkdir()
    print(json.dumps([attack.id, engine, str(folder / "home"), str(folder / "out")]), file=attacking.stdin, flush=True)
    code, written = attacking.stdout.readline(), (folder / "out.txt").read_text()
    assert code == "0\n", f"{code}: {written}"
    told = (folder / "out.json").read_text()
    found: dict[str, Any] = json.loads(told)
    return found | {"output": told + written}


@pytest.mark.slow
@pytest.mark.parametrize(("attack", "engine"), CASES)
def test_an_attack_does_nothing(attacking: subprocess.Popen[str], attack: Attack, engine: str, tmp_path: Path) -> None:
    check_nothing_done(attack, facts(attacking, attack, engine, tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize(("attack", "engine"), SERVED)
def test_an_attack_does_nothing_in_the_duckdb_that_serves(
    attacking_served: subprocess.Popen[str], attack: Attack, engine: str, tmp_path: Path
) -> None:
    check_nothing_done(attack, facts(attacking_served, attack, engine, tmp_path))


def check_nothing_done(attack: Attack, found: dict[str, Any]) -> None:
    """Check that an attack had the outcome that is declared, and no effect."""
    assert found["prompts"] >= 1, "the model was not asked"
    assert found["unchanged"], "the database, a setting, the transaction or the files changed"
    assert found["called"] == 0, "a function of the user's was called"
    assert not attack.forbid or attack.forbid not in found["output"]
    assert not attack.megabytes or found["megabytes"] < attack.megabytes
    for asked in found["asked"]:
        assert asked["seconds"] < attack.seconds
        check_outcome(attack, asked)


def check_outcome(attack: Attack, asked: dict[str, Any]) -> None:
    """Rows as declared, or an error of ours: in DuckDB's SQL the engine's own error, which carries the text of ours."""
    if asked["error"] is None:
        assert attack.outcome != "error"
        assert attack.outcome == "either" or asked["rows"] == [list(row) for row in attack.rows]
    else:
        assert attack.outcome != "rows", asked["text"]
        assert "AskError" in asked["error"] or "InvalidInputException" in asked["error"], asked
        assert attack.error in asked["text"]


def test_every_attack_of_the_list_is_here_or_has_a_reason() -> None:
    here = {attack.id for attack in ATTACKS if attack.id.startswith("D")}
    assert not here & set(ELSEWHERE)
    assert here | set(ELSEWHERE) == {f"D{number:02}" for number in range(1, 46)}


def test_one_python_query_pays_once() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE customers AS SELECT range AS id FROM range(200)")
    model = Scripted(["SELECT count(*) AS n FROM customers"])
    askwhere.register(connection, model=model, method="sea")
    assert connection.sql("FROM ask('how many customers')").fetchall() == [(200,)]
    assert len(model.prompts) == 1
    connection.close()
