"""Things beside each other, which a table of two keys lists once or twice."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread


@pytest.fixture(scope="module")
def lands(make: Any) -> Any:
    """Each border is listed once, under either of its countries."""
    return make(
        "CREATE TABLE lands (code VARCHAR PRIMARY KEY, name VARCHAR, area INTEGER);"
        "CREATE TABLE borders (land_code VARCHAR REFERENCES lands (code), other_code VARCHAR REFERENCES lands (code));"
        "INSERT INTO lands VALUES ('A', 'Avaria', 5), ('B', 'Borduria', 3), ('C', 'Cazadia', 9), ('D', 'Dorland', 1);"
        "INSERT INTO borders VALUES ('A', 'B'), ('C', 'A'), ('C', 'D');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which lands border Avaria?", [("Borduria",), ("Cazadia",)]),
        ("lands bordering Cazadia", [("Avaria",), ("Dorland",)]),
        ("How many lands border Borduria?", [(1,)]),
        ("lands that border Avaria with an area above 5", [("Cazadia",)]),
    ],
)
def test_either_key_may_hold_the_one_that_is_named(lands: Any, question: str, rows: list[Any]) -> None:
    lands.answers(question, rows)


def test_what_is_beside_several_is_refused(lands: Any) -> None:
    with pytest.raises(Unread):
        lands.read("Which lands border Avaria or Dorland?")
