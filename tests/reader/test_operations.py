"""What is computed from two columns: ratios, differences and products, of each row, of groups and of all rows."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread

ADVERTS = """
CREATE TABLE campaigns (campaign_id INTEGER PRIMARY KEY, campaign_name VARCHAR, channel VARCHAR, budget DOUBLE);
CREATE TABLE daily (id INTEGER PRIMARY KEY, campaign_id INTEGER REFERENCES campaigns, day DATE, clicks INTEGER,
  conversions INTEGER, impressions INTEGER, cost DOUBLE);
CREATE TABLE machines (machine_id INTEGER PRIMARY KEY, machine_name VARCHAR, hourly_rate DOUBLE);
CREATE TABLE jobs (job_id INTEGER PRIMARY KEY, title VARCHAR, machine_id INTEGER REFERENCES machines,
  planned_hours INTEGER, actual_hours INTEGER);
CREATE TABLE flats (flat_id INTEGER PRIMARY KEY, flat_name VARCHAR, district VARCHAR, rent INTEGER, area_sqm INTEGER);
INSERT INTO campaigns VALUES (1, 'Spring', 'web', 100), (2, 'Summer', 'tv', 50), (3, 'Autumn', 'web', 10);
INSERT INTO daily VALUES (1, 1, '2023-01-01', 10, 2, 100, 30), (2, 1, '2023-02-01', 30, 3, 500, 12),
  (3, 2, '2023-02-02', 0, 0, 10, 5), (4, 2, '2024-01-01', 5, 1, 90, 20), (5, 3, '2024-01-05', 8, 7, 70, 7);
INSERT INTO machines VALUES (1, 'Lathe', 40), (2, 'Mill', 60);
INSERT INTO jobs VALUES (1, 'Shaft', 1, 10, 12), (2, 'Gear', 1, 5, 4), (3, 'Plate', 2, 8, 8), (4, 'Rod', 2, 3, 5);
INSERT INTO flats VALUES (1, '1 High St', 'North', 900, 60), (2, '2 Low St', 'North', 1200, 100),
  (3, '3 Mid St', 'South', 700, 35);
"""


@pytest.fixture(scope="module")
def adverts(make: Any) -> Any:
    return make(ADVERTS)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("cost per conversion", [(74 / 13,)]),
        ("cost per click by campaign", [("Autumn", 0.875), ("Spring", 1.05), ("Summer", 5.0)]),
        ("average cost per click per channel", [("tv", 5.0), ("web", 49 / 48)]),
        ("cost per click per month in 2023", [("2023-01", 3.0), ("2023-02", 17 / 30)]),
        ("campaigns with a cost per click above 2", [("Summer",)]),
        ("which campaign has the lowest cost per click?", [("Autumn",)]),
        ("top 2 campaigns by cost per click", [("Spring", 1.05), ("Summer", 5.0)]),
        ("conversions as a percentage of clicks by campaign", [("Autumn", 87.5), ("Spring", 12.5), ("Summer", 20.0)]),
        ("ratio of clicks to impressions per channel", [("tv", 0.05), ("web", 48 / 670)]),
        ("what percentage of impressions were clicks", [(5300 / 770,)]),
        ("clicks divided by impressions per channel", [("tv", 0.05), ("web", 48 / 670)]),
        ("click rate (clicks / impressions, percent) per channel", [("tv", 5.0), ("web", 4800 / 670)]),
        ("average rent per square metre by district", [("North", 13.125), ("South", 20.0)]),
        ("flats with a rent per sqm above 14", [("1 High St",), ("3 Mid St",)]),
    ],
)
def test_ratios_are_those_of_sums(adverts: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    (reading,) = adverts.read(question)
    assert sorted(adverts.rows(reading.sql)) == [pytest.approx(row) for row in rows], reading.sql


def test_a_ratio_to_nothing_is_null_in_both_engines(adverts: Any) -> None:
    adverts.answers("cost per click of Summer in 2023", [(None,)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("actual hours minus planned hours of each job", [("Gear", -1), ("Plate", 0), ("Rod", 2), ("Shaft", 2)]),
        ("jobs and their actual minus planned hours", [("Gear", -1), ("Plate", 0), ("Rod", 2), ("Shaft", 2)]),
        ("difference between actual and planned hours by machine", [("Lathe", 1), ("Mill", 2)]),
        ("delay (actual hours less planned hours) per machine", [("Lathe", 1), ("Mill", 2)]),
        ("how many more clicks than conversions per campaign", [("Autumn", 1), ("Spring", 35), ("Summer", 4)]),
        ("planned hours times hourly rate per machine", [("Lathe", 600.0), ("Mill", 660.0)]),
        ("labour cost of each machine (actual hours x hourly rate)", [("Lathe", 640.0), ("Mill", 780.0)]),
    ],
)
def test_differences_and_products_are_added_up(adverts: Any, question: str, rows: list[tuple[Any, ...]]) -> None:
    adverts.answers(question, rows)


def test_a_difference_is_shown_in_the_unit_asked_for_as_a_whole(make: Any) -> None:
    school = make(
        "CREATE TABLE courses (course_id INTEGER PRIMARY KEY, title VARCHAR, fee_cents INTEGER);"
        "CREATE TABLE bookings (booking_id INTEGER PRIMARY KEY, course_id INTEGER REFERENCES courses,"
        " booked_on DATE, paid_cents INTEGER);"
        "INSERT INTO courses VALUES (1, 'Soup', 5000); INSERT INTO bookings VALUES (7, 1, '2023-01-01', 3000);"
    )
    school.answers("bookings where the paid cents are below the fee, with the difference in euros", [(7, 20.0)])


@pytest.mark.parametrize(
    "question",
    [
        "cost less budget",  # a campaign's budget would count once for each day
        "rent per sqm",  # of which flat?
        "profit (cost less budget) per campaign, best profit first",  # the name is used again
    ],
)
def test_what_cannot_be_computed_is_refused(adverts: Any, question: str) -> None:
    with pytest.raises(Unread):
        adverts.read(question)
