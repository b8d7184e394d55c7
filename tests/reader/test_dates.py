"""Spans of days in words, over dates of any declared type, in both engines."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import askwhere
import pytest
from askwhere.reader.words.dates import Bound, Span, day_spans
from support import Database

TODAY = date.today()
CLINIC = """
CREATE TABLE visits (id INTEGER PRIMARY KEY, patient TEXT, visited_on TEXT, fee INTEGER);
INSERT INTO visits VALUES (1, 'Ann', '2023-03-05', 10), (2, 'Bo', '2023-03-31', 20), (3, 'Cy', '2023-04-01', 30),
  (4, 'Di', '2022-12-31', 5), (5, 'Ed', '{recent}', 7);
CREATE TABLE calls (id INTEGER PRIMARY KEY, caller TEXT, started TIMESTAMP, minutes INTEGER);
INSERT INTO calls VALUES (1, 'Ann', '2023-03-31 23:59:59', 3), (2, 'Bo', '2023-04-01 00:00:00', 4);
"""


def day(text: str) -> Bound:
    return Bound(text)


@pytest.mark.parametrize(
    ("words", "first", "end"),
    [
        ("march 2023", "2023-03-01", "2023-04-01"),
        ("dec 2023", "2023-12-01", "2024-01-01"),
        ("5 may 2021", "2021-05-05", "2021-05-06"),
        ("may 5th , 2021", "2021-05-05", "2021-05-06"),
        ("the 31st of december 2021", "2021-12-31", "2022-01-01"),
        ("q4 2023", "2023-10-01", "2024-01-01"),
        ("the second quarter of 2023", "2023-04-01", "2023-07-01"),
        ("last half of 2023", "2023-07-01", "2024-01-01"),
        ("between march and june 2023", "2023-03-01", "2023-07-01"),
        ("from 5 may 2021 to 8th june 2021", "2021-05-05", "2021-06-09"),
        ("the 1990s", "1990-01-01", "2000-01-01"),
    ],
)
def test_words_say_a_span_of_days(words: str, first: str, end: str) -> None:
    said = words.split()
    assert (0, len(said), Span(day(first), day(end))) in list(day_spans(said))


@pytest.mark.parametrize(
    "words", ["may", "february 30 , 2023", "last orders", "fifth quarter of 2023", "q5 2023", "march"]
)
def test_other_words_say_none(words: str) -> None:
    assert list(day_spans(words.split())) == []


@pytest.fixture(scope="module")
def clinic(standing: Database) -> Any:
    return standing.made(CLINIC.format(recent=TODAY - timedelta(2)))


def test_questions_about_days_to_come_are_answered(standing: Database) -> None:
    diary = standing.made("CREATE TABLE dinners (id INTEGER PRIMARY KEY, guest TEXT, day DATE);")
    monday = TODAY + timedelta(7 - TODAY.weekday())
    days = (TODAY, TODAY + timedelta(1), monday + timedelta(3), TODAY + timedelta(400))
    for number, day in enumerate(days):
        diary.execute(f"INSERT INTO dinners VALUES ({number}, 'Ann', '{day}')")

    def counted(question: str) -> object:
        return askwhere.ask(diary, question).rows[0][0]

    assert counted("how many dinners are tomorrow?") == sum(day == TODAY + timedelta(1) for day in days)
    assert counted("how many dinners next week?") == sum(monday <= day < monday + timedelta(7) for day in days)
    assert counted("how many dinners in the next 14 days?") == 3


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many visits were there in March 2023?", [(2,)]),
        ("visits since April 2023", [(3,), (5,)]),
        ("visits before March 31, 2023", [(1,), (4,)]),
        ("visits until March 2023", [(1,), (2,), (4,)]),
        ("visits after March 2023", [(3,), (5,)]),
        ("which patients visited between March and April 2023?", [("Ann",), ("Bo",), ("Cy",)]),
        ("visits not in March 2023", [(3,), (4,), (5,)]),
        ("number of visits in the last 30 days", [(1,)]),
        ("average fee in the first half of 2023", [(20.0,)]),
        ("how many calls started in March 2023?", [(1,)]),
        ("total fee by month in 2023", [("2023-03", 30), ("2023-04", 30)]),
    ],
)
def test_questions_about_spans_of_days_are_answered(clinic: Any, question: str, rows: list[tuple[object]]) -> None:
    assert sorted(askwhere.ask(clinic, question).rows) == rows


@pytest.mark.parametrize(
    ("today", "month", "first"),
    [
        ("2026-03-31", "june", "2025-06-01"),
        ("2026-06-01", "june", "2026-06-01"),
        ("2026-11-29", "june", "2026-06-01"),
        ("2026-11-29", "december", "2025-12-01"),
        ("2026-01-05", "march", "2025-03-01"),
        ("2026-03-31", "january", "2026-01-01"),
    ],
)
def test_since_a_month_is_since_the_latest_that_has_begun(today: str, month: str, first: str, make: Any) -> None:
    database = make("CREATE TABLE visits (id INTEGER PRIMARY KEY, visited_on DATE)")
    (reading,) = database.read(f"visits since {month}")
    bound = reading.sql.split(">=")[1].replace("'now', 'localtime'", f"'{today}'")
    bound = bound.replace("CURRENT_DATE", f"CAST('{today}' AS DATE)")
    assert str(database.rows(f"SELECT {bound}")[0][0]) == first


@pytest.mark.parametrize(
    ("today", "words", "first"),
    [
        ("2026-03-31", "last march", "2025-03-01"),
        ("2026-04-01", "last march", "2026-03-01"),
        ("2026-01-05", "last december", "2025-12-01"),
        ("2026-12-31", "last december", "2025-12-01"),
        ("2026-11-29", "this may", "2026-05-01"),
    ],
)
def test_the_last_of_a_month_is_over(today: str, words: str, first: str, make: Any) -> None:
    database = make("CREATE TABLE visits (id INTEGER PRIMARY KEY, visited_on DATE)")
    (reading,) = database.read(f"visits in {words}")
    bound = reading.sql.split(">=")[1].split(" AND ")[0].replace("'now', 'localtime'", f"'{today}'")
    bound = bound.replace("CURRENT_DATE", f"CAST('{today}' AS DATE)")
    assert str(database.rows(f"SELECT {bound}")[0][0])[:10] == first


@pytest.mark.parametrize(
    ("words", "ids"),
    [("in may", [2]), ("from march to may", [1, 2]), ("between april and may", [2]), ("in march or may", [1, 2])],
)
def test_may_is_a_month_behind_a_preposition(words: str, ids: list[int], make: Any) -> None:
    database = make(
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, visited_on DATE);"
        "INSERT INTO visits VALUES (1, '2024-03-09'), (2, '2024-05-01'), (3, '2024-06-01');"
    )
    database.answers(f"visits {words}", [(n,) for n in ids])


def test_who_has_not_been_seen_since_a_month_has_no_later_rows(make: Any) -> None:
    long_ago = TODAY - timedelta(400)
    database = make(
        "CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO pets VALUES (1, 'Rex'), (2, 'Tom');"
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, pet_id INTEGER REFERENCES pets (id), visited_on DATE);"
        f"INSERT INTO visits VALUES (1, 1, '{TODAY}'), (2, 2, '{long_ago}');"
    )
    database.answers("pets that have not visited since june", [("Tom",)])
    database.answers("pets without a visit since march", [("Tom",)])
    database.answers("how many visits since may", [(1,)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("orders tomorrow", [(2,)]),
        ("how many orders are in the next 3 days", [(1,)]),
        ("orders yesterday", [(2,)]),  # which were placed then
        ("repairs tomorrow", [(1,)]),  # of which no other date is kept
    ],
)
def test_days_to_come_are_no_dates_of_what_was_done(make: Any, question: str, rows: list[Any]) -> None:
    ahead = timedelta(days=1)
    shop = make(
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, ordered_on DATE, delivery_date DATE);"
        "CREATE TABLE repairs (id INTEGER PRIMARY KEY, booked_on DATE, finished DATE);"
        f"INSERT INTO orders VALUES (1, '2020-01-01', '2020-02-01'), (2, '{TODAY - ahead}', '{TODAY + ahead}');"
        f"INSERT INTO repairs VALUES (1, '{TODAY + ahead}', NULL);"
    )
    shop.answers(question, rows)


def test_this_weekend_and_tonight_are_days_of_this_week(make: Any) -> None:
    club = make(
        "CREATE TABLE games (id INTEGER PRIMARY KEY, played_on DATE);"
        "INSERT INTO games VALUES (1, '2020-02-01'), (2, '2090-02-04');"
    )
    club.answers("games this weekend", [])
    club.answers("games last weekend", [])
    club.answers("games tonight", [])
    club.answers("games this saturday", [])
    club.answers("games on weekends", [(1,), (2,)])
