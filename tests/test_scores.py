"""Recall of linking and values, skeletons, classes of errors, and what figures are worth."""

from __future__ import annotations

import math
import statistics as standard

import pytest
from askwhere.engine import Column, Grant, Table
from askwhere.evaluation import recall, statistics
from askwhere.indexer.catalog import Catalog
from askwhere.indexer.values import Match
from askwhere.pipeline.skeleton import match
from hypothesis import given
from hypothesis import strategies as st


def table(name: str, *columns: str) -> Table:
    return Table(("main", name), tuple(Column(column) for column in columns))


TABLES = (
    table("Singer", "Singer_ID", "Name", "Country", "Age"),
    table("concert", "concert_id", "stadium_id", "year", "name"),
    table("stadium", "stadium_id", "Name", "capacity"),
    table("singer_in_concert", "concert_id", "Singer_ID"),
)
CATALOG = Catalog(TABLES, Grant(TABLES))
JOINED = (
    "SELECT T2.name FROM concert AS T1 JOIN stadium AS T2 ON T1.stadium_id = T2.stadium_id"
    " WHERE T1.year = 2014 AND T2.name <> 'Balmoor'"
)


def test_linking_counts_what_gold_names_and_what_of_it_was_shown() -> None:
    shown = [table("STADIUM", "stadium_id", "name")]
    tables = recall.tables(JOINED, "sqlite", CATALOG, shown)
    assert tables.needed == {"concert", "stadium"}
    assert tables.found == {"stadium"}
    assert tables.share == 0.5
    assert tables.share < 1
    columns = recall.columns(JOINED, "sqlite", CATALOG, shown)
    assert columns.needed == {"stadium.name", "stadium.stadium_id", "concert.stadium_id", "concert.year"}
    assert columns.found == {"stadium.name", "stadium.stadium_id"}
    assert recall.columns(JOINED, "sqlite", CATALOG, TABLES).share == 1


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        ("SELECT count(*) FROM singer", set()),
        ("SELECT * FROM singer", set()),
        ("SELECT age FROM singer WHERE country = (SELECT max(country) FROM singer)", {"singer.age", "singer.country"}),
        ("SELECT s.age FROM (SELECT age, name FROM singer) AS s", {"singer.age", "singer.name"}),
        ("WITH old AS (SELECT name FROM singer WHERE age > 50) SELECT name FROM old", {"singer.name", "singer.age"}),
        ("SELECT year FROM concert JOIN stadium USING (stadium_id)", {"concert.year"}),
        ("SELECT name FROM concert, stadium", {"concert.name", "stadium.name"}),
        ("no query", set()),
    ],
)
def test_columns_that_gold_needs(sql: str, columns: set[str]) -> None:
    assert recall.columns(sql, "sqlite", CATALOG, ()).needed == columns


def test_nothing_needed_is_all_found() -> None:
    assert recall.Recall(frozenset(), frozenset()).share == 1.0


@pytest.mark.parametrize(
    ("sql", "values"),
    [
        ("SELECT age FROM singer WHERE country = 'France'", {"singer.country = France"}),
        ('SELECT age FROM singer WHERE country = "France"', {"singer.country = France"}),
        ('SELECT age FROM singer WHERE "Name" = "Country"', set()),  # both are columns
        ("SELECT age FROM singer AS s WHERE 'France' != s.country", {"singer.country = France"}),
        ("SELECT age FROM singer WHERE country IN ('A', 'B')", {"singer.country = A", "singer.country = B"}),
        ("SELECT age FROM singer WHERE country LIKE '%A%' OR age = 3 OR name > 'B'", set()),
        (
            "SELECT 1 FROM singer s WHERE EXISTS (SELECT 1 FROM concert WHERE s.country = 'it''s' AND name = 'x')",
            {"singer.country = it's", "concert.name = x"},
        ),
        ("no query", set()),
    ],
)
def test_values_that_gold_needs(sql: str, values: set[str]) -> None:
    assert recall.values(sql, "sqlite", CATALOG, ()).needed == values


def test_values_count_where_they_are_shown_beside_their_column_as_gold_has_them() -> None:
    sql = "SELECT age FROM singer WHERE country = 'France' AND name = 'Joe'"
    shown = [
        Match(("main", "singer"), "Country", "France"),
        Match(("main", "singer"), "name", "joe"),
        Match(("main", "concert"), "name", "Joe"),
    ]
    assert recall.values(sql, "sqlite", CATALOG, shown).found == {"singer.country = France"}


def test_skeletons_match_whatever_names_and_values_are() -> None:
    gold = "SELECT name FROM singer WHERE age > 30 ORDER BY age LIMIT 1"
    assert match(gold, "select a AS b from c where d > 'x' order by e limit 5", "sqlite")
    assert not match(gold, "SELECT name FROM singer WHERE age >= 30 ORDER BY age LIMIT 1", "sqlite")
    assert not match("SELECT (", "SELECT (", "sqlite")


@pytest.mark.parametrize(
    ("right", "asked", "low", "high"), [(81, 263, 0.2553, 0.3662), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)]
)
def test_wilsons_interval_is_as_published(right: int, asked: int, low: float, high: float) -> None:
    # Newcombe (1998), Table I, method 3: the score method without correction for continuity.
    assert statistics.wilson(right, asked) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilsons_interval_holds_the_share(share: tuple[int, int]) -> None:
    right, asked = share
    low, high = statistics.wilson(right, asked)
    assert 0 <= low <= (right / asked if asked else 0.5) <= high <= 1


def test_mcnemars_test_is_exact_for_few_and_corrected_for_many() -> None:
    few = statistics.mcnemar(6, 16)
    assert few.exact
    assert few.p == pytest.approx(0.052479, abs=1e-6)
    many = statistics.mcnemar(121, 59)
    assert not many.exact
    assert many.statistic == pytest.approx(61**2 / 180)
    assert many.p == pytest.approx(math.erfc(math.sqrt(61**2 / 180 / 2)))
    assert statistics.mcnemar(0, 0).p == 1.0
    assert statistics.mcnemar(20, 20).p == 1.0


def test_calibration_is_in_bins() -> None:
    found = statistics.calibration([(0.95, True), (0.95, True), (0.91, False), (0.3, False), (0.0, False), (1.0, True)])
    assert [(b.low, b.high, b.count) for b in found.bins] == [(0.0, 0.1, 1), (0.2, 0.3, 1), (0.9, 1.0, 4)]
    assert found.bins[-1].confidence == pytest.approx((0.95 + 0.95 + 0.91 + 1) / 4)
    assert found.bins[-1].right == 0.75
    assert found.ece == pytest.approx((0.3 + 4 * ((0.95 + 0.95 + 0.91 + 1) / 4 - 0.75)) / 6)
    assert found.brier == pytest.approx((2 * 0.05**2 + 0.91**2 + 0.3**2) / 6)
    assert statistics.calibration([]) == statistics.Calibration((), 0.0, 0.0)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1))
def test_calibration_counts_every_answer_once(answers: list[tuple[float, bool]]) -> None:
    found = statistics.calibration(answers)
    assert sum(b.count for b in found.bins) == len(answers)
    assert 0 <= found.ece <= 1
    assert 0 <= found.brier <= 1


@given(st.lists(st.floats(-1e6, 1e6), min_size=2))
def test_percentiles_agree_with_the_standard_library(values: list[float]) -> None:
    quantiles = standard.quantiles(values, n=20, method="inclusive")
    assert statistics.percentile(values, 0.95) == pytest.approx(quantiles[18], abs=1e-6)
    assert statistics.percentile(values, 0.5) == pytest.approx(standard.median(values), abs=1e-6)
    assert math.isnan(statistics.percentile([], 0.5))
