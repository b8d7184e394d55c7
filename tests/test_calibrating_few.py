"""`askwhere calibrate` keeps nothing that makes confidence worse, measured on each pin without itself."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere.bindings.cli import main as cli
from support import Database

QUESTION = "how many orders are there"
RIGHT = {"how many orders": "SELECT count(*) AS n FROM orders", "names of customers": "SELECT name FROM customers"}
WRONG = {"how many customers are there": "SELECT 7 AS n"}
MORE = {"names of all customers": "SELECT 'x' AS n"}
# The scores depend on the reader's weights.
NOT_KEPT = (
    r"askwhere: reader: not kept, as confidence is no better for it: over 3 answers, each calibrated by the others, the"
    r" Brier score is 0\.\d{3}, and 0\.\d{3} without\. It takes 2 pins that are answered, better 10, and the database"
    r" has 3 pins \(2 right, 1 wrong\)\. Pin more questions with ask_pin\(\), or name another model\n\Z"
)


def pinned(path: Path, pins: dict[str, str]) -> Any:
    connection = askwhere.connect(path)
    for question, sql in pins.items():
        connection.execute("SELECT ask_pin(?, ?)", (question, sql)).fetchall()
    connection.close()


def confidence(path: Path) -> float:
    connection = askwhere.connect(path)
    found = askwhere.ask(connection, QUESTION).confidence
    connection.close()
    return found


@pytest.mark.slow
def test_what_few_pins_make_worse_is_not_kept(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    path = database.path
    database.shop(path).close()
    before = confidence(path)
    pinned(path, RIGHT | WRONG)
    assert cli.main(["calibrate", str(path)]) == 1
    shown = capsys.readouterr()
    assert re.search(NOT_KEPT, shown.err)
    assert "calibrated, each by the others: " in shown.out
    assert not [line for line in shown.err.splitlines() if line.endswith(":")]
    assert confidence(path) == before

    pinned(path, MORE)
    assert cli.main(["calibrate", str(path), "--json"]) == 0
    assert [one["kept"] for one in json.loads(capsys.readouterr().out)["calibration"]] == [True]
    assert confidence(path) < before

    connection = askwhere.connect(path)  # what was kept goes, when it is no better any more
    connection.execute("SELECT ask_unpin('names of all customers')").fetchall()
    connection.close()
    assert cli.main(["calibrate", str(path)]) == 1
    assert confidence(path) == before
