"""Confidence: how estimates are made and calibrated, and what `askwhere calibrate` learns from the pins."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere.bindings import connections
from askwhere.bindings.cli import main as cli
from askwhere.engine import Result
from askwhere.errors import DatabaseError
from askwhere.evaluation.pins import ask_pins, known, reliability
from askwhere.indexer.calibration import Calibration
from askwhere.models import Scripted
from askwhere.pipeline import confidence
from askwhere.pipeline.confidence import calibrated, fitted
from askwhere.pipeline.facts import Candidate
from askwhere.pipeline.select import rank
from hypothesis import given
from hypothesis import strategies as st
from support import PER_COUNTRY, Database, Told, rows

COUNT = "SELECT count(*) AS n FROM {}"
SURE, UNSURE = (1.0, True), (1.0, False)
estimates = st.floats(0, 1)
answers = st.lists(st.tuples(estimates, st.booleans()), max_size=30)


# ------------------------------------------------------------------------------------------------------ the estimates

pytestmark = pytest.mark.any_engine


def candidate(rows: int, origin: str = "model", **facts: Any) -> Candidate:
    result = Result(("n",), tuple((n,) for n in range(rows)), True, 0.0)
    return Candidate(f"SELECT {rows}", origin, result=result, **facts)


def test_the_estimate_is_the_share_of_a_group_where_one_completion_says_that_all_are_wrong() -> None:
    two, one = rank([candidate(1), candidate(2), candidate(2)], "sqlite")[::2]
    assert (round(two.estimate, 2), round(one.estimate, 2)) == (0.5, 0.25)
    (alone,) = rank([candidate(1, "reader", likely=0.83)], "sqlite")
    assert alone.estimate == 0.83
    both = rank([candidate(1, "reader", weight=4.0, likely=0.83), candidate(1)], "sqlite")
    assert [round(c.estimate, 2) for c in both] == [0.83, 0.83]


# ---------------------------------------------------------------------------------------------------------- the curve


@given(estimates)
def test_where_nothing_is_known_the_estimate_stands(estimate: float) -> None:
    within = min(max(estimate, confidence.EDGE), 1 - confidence.EDGE)
    assert fitted([])(estimate) == pytest.approx(within)


@given(answers, estimates, estimates)
def test_the_curve_never_falls_and_is_never_certain(known: list[tuple[float, bool]], one: float, other: float) -> None:
    curve, (low, high) = fitted(known), sorted((one, other))
    assert 0 < curve(low) <= curve(high) < 1


def test_answers_that_were_right_or_wrong_move_the_curve_the_more_the_more_there_are() -> None:
    wrong = [fitted([UNSURE] * n)(1.0) for n in (0, 1, 5, 20, 100)]
    assert wrong == sorted(wrong, reverse=True)
    assert wrong[-1] < 0.1 < 0.6 < wrong[1] < wrong[0]
    right = [fitted([(0.7, True)] * n)(0.7) for n in (0, 1, 5, 20, 100)]
    assert right == sorted(right)
    assert right[0] < right[1] < 0.8 < 0.95 < right[-1]


def test_of_many_answers_of_one_estimate_the_share_right_is_the_confidence() -> None:
    assert fitted([SURE] * 70 + [UNSURE] * 30)(1.0) == pytest.approx(0.7, abs=0.02)
    low_and_high = [(0.9, True)] * 90 + [(0.9, False)] * 10 + [(0.5, True)] * 20 + [(0.5, False)] * 80
    curve = fitted(low_and_high)
    assert curve(0.9) == pytest.approx(0.9, abs=0.03)
    assert curve(0.5) == pytest.approx(0.2, abs=0.05)


@given(answers)
def test_the_curve_is_the_likeliest_of_its_kind(known: list[tuple[float, bool]]) -> None:
    points = [(confidence._log_odds(estimate), float(right)) for estimate, right in known]
    curve = fitted(known)
    offset = confidence._log_odds(curve(0.5))
    slope = confidence._log_odds(curve(0.75)) / confidence._log_odds(0.75) - offset / confidence._log_odds(0.75)
    if not confidence.EDGE < curve(0.5) < 1 - confidence.EDGE or not curve(0.75) < 1 - confidence.EDGE:
        return  # cannot be told from what it gives
    least = confidence._loss(slope, offset, points)
    nearby = [(max(slope + s / 10, 0.0), offset + o / 10) for s in (-2, -1, 0, 1, 2) for o in (-2, -1, 0, 1, 2)]
    assert all(least <= confidence._loss(*near, points) + 1e-6 for near in nearby)


def test_the_groups_behind_the_best_share_what_is_left() -> None:
    ranked = rank([candidate(1)] * 6 + [candidate(2)] * 3 + [candidate(3)], "sqlite")
    by_group = {c.group: c for c in calibrated(ranked, lambda _: 0.4)}
    assert [round(by_group[n].confidence, 2) for n in (1, 2, 3)] == [0.4, 0.2, 0.07]
    assert [round(by_group[n].estimate, 2) for n in (1, 2, 3)] == [0.55, 0.27, 0.09]
    unchanged = calibrated(ranked, lambda estimate: estimate)
    assert all(c.confidence == pytest.approx(c.estimate) for c in unchanged)


def test_groups_that_tie_are_equally_sure() -> None:
    tied = calibrated(rank([candidate(1), candidate(2)], "sqlite"), lambda _: 0.9)
    assert [c.confidence for c in tied] == [0.5, 0.5]


def test_what_failed_has_no_confidence() -> None:
    failed = Candidate("SELECT", "model", error=askwhere.AskError("no"))
    assert [c.confidence for c in calibrated(rank([candidate(1), failed], "sqlite"), lambda _: 0.9)] == [0.9, 0.0]
    assert calibrated([failed], lambda _: 0.9) == (failed,)


def test_the_table_judges_each_answer_by_the_others() -> None:
    before, after = reliability((SURE,) * 8 + (UNSURE,) * 8)
    assert (before.ece, before.brier) == (0.5, 0.5)
    assert after.ece < 0.1
    assert after.brier < 0.3
    assert reliability((UNSURE,))[1].bins[0].confidence > 0.9  # nothing else is known


# ----------------------------------------------------------------------------------------------------------- the pins


RIGHT = {"how many orders": "SELECT count(*) AS n FROM orders", "names of customers": "SELECT name FROM customers"}
WRONG = {"how many customers are there": "SELECT 7 AS n"}


def pinned(connection: Any, pins: dict[str, str]) -> None:
    for question, sql in pins.items():
        rows(connection, "SELECT ask_pin(?, ?)", (question, sql))


@pytest.fixture
def shop(database: Database) -> Path:
    """A file with pins, of which the reader answers two as they are and two otherwise; it refuses one."""
    con = database.shop(database.path)
    pinned(con, {**RIGHT, **WRONG, "names of all customers": "SELECT 'x' AS n", "zorb the flux": "SELECT 1 AS n"})
    pinned(con, {"orders over {least}": "SELECT id FROM orders WHERE amount > {least}"})
    con.close()
    return database.path


def said(*arguments: Any) -> int:
    return cli.main(["calibrate", *map(str, arguments)])


@pytest.mark.slow
def test_calibrating_prints_how_sure_answers_are_and_how_many_are_right(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(shop) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("reader: 4 pins answered, 2 of them right\n")
    header, _, line = shown.out.splitlines()[2:5]
    assert header.replace("│", "").split() == ["estimate", "answers", "mean", "share", "right", "from", "now", "on"]
    assert re.fullmatch(r"0\.9 to 1\.0 4 0\.9\d 0\.50 0\.[67]\d", " ".join(line.replace("│", "").split()))
    assert re.search(r"as estimated: expected calibration error 0\.4\d\d, Brier score 0\.4\d\d\n", shown.out)
    assert "calibrated, each by the others: 0." in shown.out
    assert "wrong: how many customers are there: SELECT COUNT(*)" in shown.err
    assert "not answered: zorb the flux: " in shown.err
    assert "left out: orders over {least}: it has parameters" in shown.err


@pytest.mark.slow
def test_calibrating_prints_json(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(shop, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [pin["outcome"] for pin in told["pins"]] == ["right", "right", "wrong", "wrong", "not answered", "left out"]
    ((by, bins),) = [(one["by"], one["calibrated"]["bins"]) for one in told["calibration"]]
    assert (by, sum(one["count"] for one in bins)) == ("reader", 4)


@pytest.mark.slow
def test_what_was_learnt_counts_on_every_connection_and_is_seen_everywhere(shop: Path) -> None:
    question = "how many orders are there"
    con = askwhere.connect(shop)
    (before,) = rows(con, "SELECT confidence FROM ask_candidates(?)", (question,))
    con.close()
    assert said(shop) == 0
    con = askwhere.connect(shop)
    (after,) = rows(con, "SELECT confidence FROM ask_candidates(?)", (question,))
    assert 0.4 < after[0] < before[0]
    assert rows(con, "SELECT confidence FROM ask_log()") == [after]
    assert round(askwhere.ask(con, question).confidence, 4) == after[0]
    ((detail,),) = rows(con, "SELECT detail FROM ask_trace(?) WHERE step = 'confidence'", (question,))
    learnt = f"{after[0]:.2f}, calibrated from {before[0]:.2f} by 4 pins, of which 2 were answered right, at 2"
    assert detail.startswith(learnt)
    assert rows(con, "SELECT confidence FROM ask_candidates('how many orders')") == [(1.0,)]  # it is pinned
    con.close()


def confidence_of(shop: Path, **settings: Any) -> float:
    con = askwhere.connect(shop, **settings)
    found = float(askwhere.ask(con, "how many orders are there").confidence)
    con.close()
    return found


@pytest.mark.slow
def test_below_min_confidence_there_is_no_answer(shop: Path) -> None:
    con = askwhere.connect(shop, min_confidence=0.9)
    assert rows(con, "SELECT * FROM ask('how many orders are there')") == [(4,)]
    con.close()
    said(shop)
    con = askwhere.connect(shop, min_confidence=0.9)
    with pytest.raises(askwhere.AskError, match=r"the best answer has confidence 0\.\d\d, below the setting"):
        askwhere.ask(con, "how many orders are there")
    con.close()


@pytest.mark.slow
def test_what_was_learnt_can_be_dropped(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = confidence_of(shop)
    said(shop)
    assert confidence_of(shop) < before
    capsys.readouterr()
    assert (said(shop, "--drop"), said(shop, "--drop")) == (0, 0)
    assert capsys.readouterr().out == "the calibration was dropped\nthere was no calibration\n"
    assert confidence_of(shop) == before


@pytest.mark.slow
def test_only_calibrating_writes(shop: Path) -> None:
    con = askwhere.connect(shop)
    rows(con, "SELECT * FROM ask('how many orders are there')")
    engine = connections.engine(con)
    assert all("askwhere_calibration" not in storage.tables() for storage in engine.storages())
    con.close()


@pytest.mark.slow
def test_without_pins_there_is_nothing_to_calibrate_by(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    database.shop(database.path).close()
    assert said(database.path) == 1
    assert capsys.readouterr().err == (
        "askwhere: calibrating needs at least 2 pinned questions that are answered, better 10; this database has"
        " no pins: make some with ask_pin()\n"
    )
    con = askwhere.connect(database.path)
    pinned(con, {"zorb the flux": "SELECT 1 AS n"})
    con.close()
    assert said(database.path) == 1
    assert "and the database has 1 pin (1 not answered)." in capsys.readouterr().err


@pytest.mark.slow
def test_a_read_only_file_has_its_calibration_beside_it(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = confidence_of(shop)
    monkeypatch.setenv("ASKWHERE_ISOLATION", "process")
    said(shop)
    assert Path(f"{shop}.askwhere").exists()
    assert confidence_of(shop, read_only=True) < before


# -------------------------------------------------------------------------------------------------------- with models


def test_a_model_is_not_shown_the_pin_that_it_is_asked_about(database: Database) -> None:
    model = Told(dict(RIGHT))
    con = database.shop(model=model, method="dac", leave_out="entities, skeleton, execution")
    pinned(con, {**RIGHT, "customers per country": PER_COUNTRY})
    model.replies["customers per country"] = PER_COUNTRY
    asked = list(ask_pins(connections.session(con), connections.engine(con)))
    assert [one.outcome for one in asked] == ["right"] * 3
    pairs = {"how many orders": RIGHT["how many orders"], "customers per country": PER_COUNTRY}
    for question, sql in pairs.items():
        (prompt,) = [one for one in model.prompts if one.rfind(question) == max(map(one.rfind, RIGHT | pairs))]
        assert {other for other in pairs.values() if other in prompt} == set(pairs.values()) - {sql}


@pytest.mark.slow
def test_each_model_and_effort_has_a_calibration_of_its_own(database: Database) -> None:
    model = Told(RIGHT | WRONG | {"flurb": "SELECT 1 AS n"})
    model.replies["how many customers are there"] = "SELECT count(*) AS n FROM customers"
    con = database.shop(model=model, method="sea")
    pinned(con, RIGHT | WRONG)
    session, engine = connections.session(con), connections.engine(con)
    answers = known(ask_pins(session, engine))
    assert answers == {"told, method sea": ((0.5, True), (0.5, True), (0.5, False))}
    assert askwhere.ask(con, "flurb").confidence == 0.5
    session.calibrate(engine, [Calibration(by, pairs, "2026-01-01T00:00:00.000Z") for by, pairs in answers.items()])
    assert 0.4 < askwhere.ask(con, "flurb").confidence < 0.9
    con.execute("SELECT ask_set('method', 'dac')").fetchall()
    assert askwhere.ask(con, "flurb").confidence == 0.5


def test_an_answer_that_is_remembered_has_todays_confidence(database: Database) -> None:
    con = database.shop(model=Scripted([PER_COUNTRY]), method="sea", remember="database")
    assert askwhere.ask(con, "flurb").confidence == 0.5
    session, engine = connections.session(con), connections.engine(con)
    session.calibrate(engine, [Calibration("scripted, method sea", (UNSURE,) * 20, "2026-01-01T00:00:00.000Z")])
    assert askwhere.ask(con, "flurb").confidence < 0.3
    assert rows(con, "SELECT outcome FROM ask_log()") == [("answered",), ("remembered",)]


def test_a_model_that_cannot_be_asked_is_an_error_and_nothing_is_kept(database: Database) -> None:
    con = database.shop(model=Scripted([]), method="sea")
    pinned(con, RIGHT)
    with pytest.raises(askwhere.ModelError, match="the script has 0 replies left"):
        list(ask_pins(connections.session(con), connections.engine(con)))


# ----------------------------------------------------------------------------------------------------------- the file


@pytest.mark.slow
@pytest.mark.parametrize("packed", sorted((Path(__file__).parent / "kept").glob("*.gz")), ids=lambda path: path.name)
def test_a_database_of_an_earlier_version_is_calibrated(packed: Path, tmp_path: Path) -> None:
    path = tmp_path / "shop"
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    con = askwhere.connect(path)
    pinned(con, RIGHT)
    con.close()
    assert said(path) == 0
    con = askwhere.connect(path)
    assert askwhere.ask(con, "how many orders are there").confidence < 0.98
    con.close()


@pytest.mark.slow
@pytest.mark.parametrize("held", ["none", "[[1, 2]]", "[[2, true]]", '[["a", true]]', "7"])
def test_what_makes_no_sense_is_an_error_that_says_what_to_do(shop: Path, held: str) -> None:
    said(shop)
    con = askwhere.connect(shop)
    rows(con, "UPDATE askwhere_calibration SET answers = " + f"'{held}'")
    with pytest.raises(DatabaseError, match=r"askwhere_calibration cannot be read .*DROP TABLE askwhere_calibration"):
        askwhere.ask(con, "how many orders are there")
    con.close()


@pytest.mark.slow
def test_another_format_is_refused(shop: Path) -> None:
    said(shop)
    con = askwhere.connect(shop)
    rows(con, "UPDATE askwhere_formats SET format = 99 WHERE name = 'askwhere_calibration'")
    with pytest.raises(DatabaseError, match="askwhere_calibration was written by another version of askwhere"):
        askwhere.ask(con, "how many orders are there")
    con.close()


def test_the_newest_calibration_counts(database: Database) -> None:
    con = database.shop()
    session, engine = connections.session(con), connections.engine(con)
    for pairs in ((UNSURE,) * 9, (SURE,) * 9):
        session.calibrate(engine, [Calibration("reader", pairs, "2026-01-01T00:00:00.000Z")])
    assert askwhere.ask(con, "how many orders are there").confidence > 0.8
