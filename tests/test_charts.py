"""What chart an answer gives: chosen by its columns, safe with any name and value, in the terminal and in files."""

from __future__ import annotations

import itertools
import json
import re
import sys
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import askwhere
import pytest
from askwhere.bindings.cli import drawing
from askwhere.bindings.web import chart as web_chart
from askwhere.box import width
from askwhere.charts import MOST_BARS, MOST_POINTS, Chart, chart_of, vega_lite
from askwhere.errors import AskError
from support import Database, in_process

HOSTILE = "a.b[0]['c']:Q \"'\\ </script><!--<script>alert(1)</script>\x1b[2J\u202e\n{signal}"
ORDERS = """
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, order_date DATE, amount DOUBLE);
INSERT INTO orders VALUES (1, 'Ann', '2023-01-05', 3), (2, 'Bob', '2023-04-05', 4), (3, 'Ann', '2024-02-07', 5);
"""
MONTHS = [("2024-01", 3, 1.5), ("2024-02", None, 2.5), ("2024-03", 5, 3)]


def chart(*rows: Any, columns: tuple[str, ...] = ()) -> Chart:
    return chart_of(columns or tuple("abcdefgh"[: len(rows[0]) if rows else 1]), rows)


def why_not(*rows: Any) -> str:
    with pytest.raises(AskError) as raised:
        chart(*rows)
    return str(raised.value)


@pytest.fixture(scope="module")
def orders(standing: Database) -> Any:
    return standing.made(ORDERS)


@pytest.mark.any_engine
@pytest.mark.parametrize(
    ("question", "kind", "along"),
    [
        ("number of orders per month", "line", datetime(2023, 1, 1, tzinfo=UTC)),
        ("number of orders per quarter", "line", datetime(2023, 1, 1, tzinfo=UTC)),
        ("number of orders per year", "line", datetime(2023, 1, 1, tzinfo=UTC)),
        ("order date and amount of orders", "line", datetime(2023, 1, 5, tzinfo=UTC)),
        ("number of orders per customer", "bar", "Ann"),
        ("id and amount of orders", "scatter", 1),
    ],
)
def test_an_answer_gets_the_chart_that_its_columns_ask_for(
    orders: Any, question: str, kind: str, along: object
) -> None:
    answer = askwhere.ask(orders, question)
    found = chart_of(answer.columns, answer.rows)
    assert (found.kind, found.along.cells[0]) == (kind, along)


@pytest.mark.any_engine
def test_an_answer_of_one_row_has_no_chart_and_says_why(database: Database) -> None:
    answer = askwhere.ask(database.made(ORDERS), "how many orders are there")
    with pytest.raises(AskError) as raised:
        answer.chart()
    assert str(raised.value) == "there is no chart of this answer: it has one row, and a chart compares several"


def test_why_there_is_no_chart_is_said() -> None:
    none = "there is no chart of this answer: "
    assert why_not() == f"{none}it has no rows, and a chart compares several"
    assert why_not(("x", "y"), ("x", None)) == f"{none}it has no column of numbers, only 'a' (text), 'b' (text)"
    assert why_not(("x", True), ("y", float("nan"))).startswith(f"{none}it has no column of numbers")
    assert why_not(("x", "y", 1), ("x", "z", 2)) == (
        f"{none}a chart shows a time with at most 5 numbers, a text with a number, or two numbers, and this is"
        " 'a' (text), 'b' (text), 'c' (number); ask for fewer columns"
    )
    assert "and this is 'a' (number); ask" in why_not((1,), (2,))
    assert why_not(*[(1, 2)] * (MOST_POINTS + 1)) == (
        f"{none}it has 5,001 points, and a chart has at most 5,000; ask for groups, such as 'per month',"
        " or for fewer rows"
    )


def test_bars_stand_as_the_rows_do_and_the_title_says_how_many_there_are() -> None:
    rows = [(f"n{n % 40}", -n) for n in range(45)]
    found = chart(*rows)
    assert found.along.cells == tuple(text for text, _ in rows[:MOST_BARS])
    assert vega_lite(found)["title"] == found.note == "the first 30 of 45 rows"
    assert vega_lite(found)["encoding"]["y"]["sort"] is None
    assert "title" not in vega_lite(chart(*rows[:30]))


def test_two_rows_with_one_text_are_two_bars() -> None:
    assert chart(("x", 1), ("x", 2), ("x (2)", 3), (None, 4)).along.cells == ("x", "x (2)", "x (2) (2)", "NULL")


@pytest.mark.parametrize(
    ("cell", "name", "time"),
    [
        (date(2024, 2, 29), "d", "2024-02-29T00:00:00+00:00"),
        (datetime(2024, 2, 29, 12, 30), "d", "2024-02-29T12:30:00+00:00"),
        (datetime.fromisoformat("2024-02-29T12:30:00+02:00"), "d", "2024-02-29T10:30:00+00:00"),
        ("2024-02-29 12:30:15.5", "d", "2024-02-29T12:30:15.500000+00:00"),
        ("2024-02", "d", "2024-02-01T00:00:00+00:00"),
        ("2024-Q4", "d", "2024-10-01T00:00:00+00:00"),
        ("2024", "Year", "2024-01-01T00:00:00+00:00"),
        (2024, "birth_year", "2024-01-01T00:00:00+00:00"),
    ],
)
def test_what_is_a_time_is_read_as_one(cell: object, name: str, time: str) -> None:
    found = chart((cell, 1), (cell, 2), columns=(name, "n"))
    assert (found.kind, found.along.cells[0].isoformat()) == ("line", time)


@pytest.mark.parametrize("cell", ["2024-13", "2024-02-30", "2024", "12:30", "2024-02-29x", "0000-01"])
def test_what_only_looks_like_a_time_is_a_text(cell: str) -> None:
    assert chart((cell, 1), ("2024-01-01", 2)).kind == "bar"


def test_numbers_that_json_lacks_are_gaps_and_others_stay_exact() -> None:
    found = chart(
        ("2024-01", Decimal("1.5")), ("2024-02", float("inf")), ("2024-03", None), (None, 4), ("2024-04", 2**60)
    )
    assert found.numbers[0].cells == (1.5, None, None, float(2**60))
    assert json.loads(json.dumps(vega_lite(found), allow_nan=False))["data"]["values"][1]["number"] is None


def test_names_and_values_of_the_database_are_only_text_in_a_chart() -> None:
    shown = vega_lite(chart((HOSTILE, 1), ("x", 2), columns=(HOSTILE, f"{HOSTILE}2")))
    assert {encoded["field"] for encoded in shown["encoding"].values()} == {"along", "number"}
    assert isinstance(shown["encoding"]["x"]["title"], str)
    written = json.dumps(shown, ensure_ascii=False)
    assert not [found for found in ("</", "<!", "\\u001b", "\x1b", "\u202e", "\\n") if found in written]


def test_long_names_and_labels_are_cut() -> None:
    found = chart(("x" * 1_000, 1), ("x" * 1_000, 2), columns=("a" * 1_000, "b" * 1_000))
    assert found.along.name == "a" * 199 + "…"
    assert found.numbers[0].name == "b" * 199 + "…"
    assert found.along.cells == ("x" * 199 + "…", "x" * 199 + "… (2)")


def test_a_file_of_an_unknown_ending_is_refused_before_the_question_is_asked(tmp_path: Path) -> None:
    with pytest.raises(AskError) as raised:
        drawing.check(Path("chart.pdf"))
    assert str(raised.value) == "chart: expected a file that ends in .html, .json, .png, .svg, found 'chart.pdf'"


def test_only_a_chart_is_replaced_by_a_chart(tmp_path: Path) -> None:
    path = tmp_path / "sales.json"
    path.write_text('[{"a": 1}]')
    with pytest.raises(
        AskError, match=r"sales\.json exists and is not a chart, so it is not replaced: name another file"
    ):
        drawing.check(path)
    path.unlink()
    for rows in (MONTHS, [("x", 1), ("y", 2)]):
        drawing.check(path)
        drawing.write(chart(*rows), path)
        assert json.loads(path.read_text()) == vega_lite(chart(*rows))
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.any_engine
def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, database: Database) -> None:
    for module in ("altair", "plotext", "vl_convert"):
        monkeypatch.setitem(sys.modules, module, None)
    answer = askwhere.ask(database.made(ORDERS), "number of orders per customer")
    with pytest.raises(AskError, match=r"^Answer\.chart\(\) needs altair: pip install altair$"):
        answer.chart()
    with pytest.raises(AskError, match=r"^drawing a chart in the terminal needs plotext: pip install plotext$"):
        drawing.in_terminal(chart(*MONTHS))
    with pytest.raises(AskError, match=r"^writing a chart as HTML, PNG or SVG needs vl-convert-python: pip"):
        drawing.write(chart(*MONTHS), tmp_path / "chart.png")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_altair_takes_every_kind_of_chart(database: Database) -> None:
    altair = pytest.importorskip("altair")
    for question in ("number of orders per month", "number of orders per customer", "id and amount of orders"):
        answer = askwhere.ask(database.made(ORDERS), question)
        drawn = answer.chart()
        assert isinstance(drawn, altair.Chart)
        made = drawn.to_dict()
        assert list(made["datasets"].values()) == [vega_lite(chart_of(answer.columns, answer.rows))["data"]["values"]]


@pytest.mark.slow
def test_a_chart_in_a_notebook_ends_no_script() -> None:
    altair = pytest.importorskip("altair")
    plain, hostile = (
        altair.Chart.from_dict(vega_lite(chart((text, 1), ("x", 2), columns=(text, "n")))).to_html()
        for text in ("y", HOSTILE)
    )
    assert hostile.count("</script>") == plain.count("</script>")


@pytest.mark.slow
@pytest.mark.parametrize("rows", [[(HOSTILE, 1), ("<b>x</b>", 2)], [(HOSTILE, 1)] * 31, MONTHS, [(1, 2), (3, None)]])
def test_a_chart_is_a_picture_that_runs_and_loads_nothing(rows: list[tuple[Any, ...]], tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    found = chart(*rows, columns=(HOSTILE, "n", "m")[: len(rows[0])])
    for ending, (start, _) in drawing.KINDS.items():
        path = tmp_path / f"chart{ending}"
        drawing.write(found, path)
        drawing.check(path)
        assert path.read_bytes().startswith(start)
    page, svg = (tmp_path / "chart.html").read_text("utf-8"), (tmp_path / "chart.svg").read_text("utf-8")
    assert svg in page
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()}
    assert tags <= {"svg", "g", "path", "rect", "line", "text", "defs", "clipPath", "tspan"}
    assert "href=" not in svg.replace("xmlns:xlink=", "")
    assert "<script" not in page
    assert len(list(tmp_path.iterdir())) == len(drawing.KINDS)


@pytest.mark.slow
def test_bars_are_drawn_in_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("plotext")
    monkeypatch.setenv("COLUMNS", "60")
    lines = drawing.in_terminal(
        chart(("Ann", 4), ("日本" * 20, 2), (HOSTILE, 0), columns=("who", HOSTILE))
    ).splitlines()
    assert max(map(width, lines)) <= 60
    assert lines[1].strip().startswith("Ann┤█")
    assert lines[1].count("█") == pytest.approx(2 * lines[2].count("█"), abs=2)
    assert "…┤█" in lines[2]
    assert not {"\x1b", "\u202e"} & set("".join(lines))


@pytest.mark.slow
def test_every_bar_has_a_line_of_its_own_in_a_low_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("plotext")
    monkeypatch.setenv("LINES", "10")
    monkeypatch.setenv("COLUMNS", "60")
    title, _, *bars, _, _, name = drawing.in_terminal(chart(*((f"row {n}", n) for n in range(1, 41)))).splitlines()
    assert (title.strip(), name.strip()) == ("the first 30 of 40 rows", "b")
    assert [bar.partition("┤")[0].strip() for bar in bars] == [f"row {n}" for n in range(1, 31)]
    lengths = [bar.count("█") for bar in bars]
    assert lengths == sorted(lengths)
    assert lengths[14] == pytest.approx(lengths[29] / 2, abs=1)


@pytest.mark.slow
@pytest.mark.parametrize("rows", [MONTHS, [(1, 2), (3, 4), (3, None)], [("x", 0), ("y", None), ("z", 0)]])
def test_every_kind_of_chart_is_drawn_in_the_terminal(rows: list[tuple[Any, ...]]) -> None:
    pytest.importorskip("plotext")
    drawn = drawing.in_terminal(chart(*rows))
    assert "┤" in drawn
    if rows is MONTHS:
        assert "2024-01" in drawn
        assert "• b, + c" in drawn


@pytest.mark.slow
@pytest.mark.parametrize(
    ("numbers", "labels"),
    [
        ((120_000, 480_000), ["0", "100k", "200k", "300k", "400k"]),
        ((3_000_000, 25_500_000), ["0", "10M", "20M"]),
        ((-2_500, 7_000), ["-2,000", "0", "2,000", "4,000", "6,000"]),
        ((0.25, 0.5), ["0", "0.1", "0.2", "0.3", "0.4", "0.5"]),
    ],
)
def test_an_axis_has_round_numbers_that_people_read(numbers: tuple[float, float], labels: list[str]) -> None:
    pytest.importorskip("plotext")
    drawn = drawing.in_terminal(chart(*zip(("Oslo", "Rome"), numbers, strict=True), columns=("city", "people")))
    assert drawn.splitlines()[-2].split() == labels
    points = drawing.in_terminal(chart(*zip((1, 2), numbers, strict=True)))
    assert "e+" not in drawn + points
    assert f"{labels[-1]}┤" in points


@pytest.mark.slow
def test_the_command_draws_a_chart_and_takes_the_word_after_it_for_the_question(
    database: Database, tmp_path: Path
) -> None:
    pytest.importorskip("plotext")
    database.made(ORDERS, database.path).close()
    drawn = in_process("ask", str(database.path), "--chart", "number", "of", "orders", "per", "customer")
    assert drawn.returncode == 0, drawn.stderr
    assert drawn.stderr.startswith("By this query, with a confidence of 0.")
    assert "Ann┤█" in drawn.stdout
    path = tmp_path / "chart.json"
    written = in_process("ask", str(database.path), "number of orders per customer", f"--chart={path}")
    assert (written.returncode, written.stdout) == (0, f"wrote {path}\n")
    assert json.loads(path.read_text())["mark"] == "bar"
    refused = in_process("ask", str(database.path), "how many orders are there", f"--chart={path}")
    assert refused.returncode == 1
    assert (
        refused.stderr == "askwhere: there is no chart of this answer: it has one row, and a chart compares several\n"
    )
    assert json.loads(path.read_text())["mark"] == "bar"


@pytest.mark.slow
def test_the_chart_of_the_documentation_can_be_drawn_again(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    pytest.importorskip("playwright")
    from screenshots import IMAGES, take_chart

    assert take_chart(tmp_path).name in {path.name for path in IMAGES.iterdir()}


@pytest.mark.parametrize("name", ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"])
def test_names_and_cells_that_every_object_of_javascript_has_are_drawn(name: str) -> None:
    vl_convert = pytest.importorskip("vl_convert")
    for columns in ((name, "n"), ("a", name)):
        for first in (name, 1):
            drawn = vl_convert.vegalite_to_svg(
                vega_lite(chart_of(columns, [(first, 1), (2 if first == 1 else "x", 2)]))
            )
            assert drawn.count(f"{name}\u2060") >= 1 + (first == name)


def test_what_vega_cannot_draw_hides_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    vl_convert = pytest.importorskip("vl_convert")

    def failing(_: object) -> None:
        raise ValueError("Vega-Lite to SVG conversion failed")

    monkeypatch.setattr(vl_convert, "vegalite_to_svg", failing)
    assert web_chart.drawn(("a", "n"), [("x", 1), ("y", 2)]) == ("", "")


def test_the_numbers_below_the_bars_of_the_page_do_not_touch() -> None:
    pytest.importorskip("vl_convert")
    svg = str(web_chart.drawn(("status", "count"), [("delivered", 2308), ("lost", 83), ("returned", 170)])[0])
    places = [float(x) for x, ink in re.findall(r'translate\(([\d.]+),16\)"[^>]* opacity="(\d)"', svg) if ink == "1"]
    assert len(places) > 3
    assert all(after - before > 60 for before, after in itertools.pairwise(places))


def test_numbers_and_times_that_no_chart_has_are_left_out() -> None:
    number = chart_of(("a", "n"), [("x", 10**400), ("y", Decimal("sNaN")), ("z", 1)]).numbers[0]
    assert number.cells == (None, None, 1)
    ahead = timezone(timedelta(hours=14))
    with pytest.raises(AskError, match="there is no chart"):
        chart_of(("d",), [(datetime.min.replace(tzinfo=ahead),), (datetime.max,)])
