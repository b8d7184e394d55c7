"""Times of day: "after 7 pm", "between 6 and 9 am", "before noon", "from 22:00 on"."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.reader.words.clock import clock_spans


@pytest.fixture(scope="module")
def ferry(make: Any) -> Any:
    return make(
        "CREATE TABLE sailing (sailing_id INTEGER PRIMARY KEY, ship VARCHAR, leaves_at TIMESTAMP, fare INTEGER);"
        "INSERT INTO sailing VALUES (1, 'Tern', '2024-03-01 06:30:00', 10), (2, 'Gull', '2024-03-01 12:00:00', 20),"
        " (3, 'Kite', '2024-03-02 19:00:00', 30), (4, 'Erne', '2024-03-02 23:15:00', 40);"
        "CREATE TABLE shop (shop_id INTEGER PRIMARY KEY, name VARCHAR, opening_time TIME, closing_time VARCHAR);"
        "INSERT INTO shop VALUES (1, 'Bakery', '06:00:00', '13:00'), (2, 'Bar', '17:30:00', '23:30');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("ships of sailings after 7 pm", [("Erne",)]),
        ("ships of sailings at 7 pm or later", [("Erne",), ("Kite",)]),
        ("ships of sailings before noon", [("Tern",)]),
        ("ships of sailings from 22:00 on", [("Erne",)]),
        ("ships of sailings between 6 and 9 am", [("Tern",)]),
        ("how many sailings between 10:00 and 20:00", [(2,)]),
        ("ships of sailings from 10 pm to 7 am", [("Erne",), ("Tern",)]),
        ("ships of sailings at 12 o'clock", [("Gull",)]),
        ("total fare of sailings before eight in the morning", [(10,)]),
        ("shops that open before 7 am", [("Bakery",)]),
        ("shops that close after 10 at night", [("Bar",)]),
    ],
)
def test_rows_are_found_by_the_time_of_day(ferry: Any, question: str, rows: list[Any]) -> None:
    ferry.answers(question, rows)


def test_what_has_no_time_of_day_is_refused(make: Any) -> None:
    pets = make(
        "CREATE TABLE pets (id INTEGER PRIMARY KEY, name VARCHAR, born DATE); INSERT INTO pets VALUES (1, 'Bo', NULL);"
    )
    pets.refused("pets born after 7 pm")


@pytest.mark.parametrize(
    ("words", "spans"),
    [
        ("at 7 pm", ["19:00"]),
        ("at 12 am", ["00:00"]),
        ("at 12 pm", ["12:00"]),
        ("at 5 : 30pm", ["17:30"]),
        ("at 3 at night", ["03:00"]),
        ("between 3 and 5 pm", ["15:00", "17:00"]),
        ("between 10 and 2 pm", ["10:00", "14:00"]),
        ("at 9am or later", ["09:00", "24:00"]),
        ("at 25 : 00", []),
        ("after 7", []),
    ],
)
def test_what_time_words_are(words: str, spans: list[str]) -> None:
    found = max(clock_spans(words.split()), key=lambda one: one[1] - one[0], default=None)
    bounds = [found[2].first.day, found[2].end.day] if found else []
    assert list(dict.fromkeys(day.removeprefix("-T") for day in bounds)) == spans
