"""A preposition that nothing follows is refused, where it may be a state: "which dogs are in"."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize("question", ["boats that are in", "which boats are in", "boats who are on"])
def test_it_is_refused(make: Any, question: str) -> None:
    make(
        "CREATE TABLE boats (boat_id INTEGER PRIMARY KEY, name VARCHAR, status VARCHAR);"
        "INSERT INTO boats VALUES (1, 'Ada', 'in'), (2, 'Bee', 'out');"
    ).refused(question)
