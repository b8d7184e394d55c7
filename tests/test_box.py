"""A box of cells: what a kept library draws where there is room, and no number cut where there is not."""

from __future__ import annotations

import io
import re

import pytest
import wcwidth
from askwhere.bindings.cli.writing import written_as
from askwhere.box import LEAST, _fitted, box, cut, width
from askwhere.cells import first_of
from askwhere.display import table
from askwhere.grouping import grouped
from hypothesis import given
from hypothesis import strategies as st
from tabulate import tabulate

TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Mn", "Me", "Mc", "Zl", "Zp")), max_size=30
)
ROWS = st.lists(st.tuples(TEXTS, st.integers(-(10**12), 10**12).map(str), TEXTS), max_size=5)
NAMES, RIGHT = ("name", "n", "a note"), (False, True, False)


@given(ROWS)
def test_with_room_it_is_tabulates(rows: list[tuple[str, str, str]]) -> None:
    drawn = tabulate(
        rows, [f" {n} " for n in NAMES], tablefmt="rounded_outline", disable_numparse=True, preserve_whitespace=True
    )
    assert [line[0] for line in box(NAMES, rows, RIGHT).splitlines()] == [line[0] for line in drawn.splitlines()]


@given(ROWS, st.integers(30, 120))
def test_it_fits_and_numbers_are_whole(rows: list[tuple[str, str, str]], room: int) -> None:
    drawn = box(NAMES, rows, RIGHT, room)
    *lines, last = drawn.splitlines()
    lines += [] if last.startswith("…") else [last]
    assert len({width(line) for line in lines}) == 1
    assert width(lines[0]) <= room
    for _, number, _ in rows:
        assert number in drawn


def test_thousands_of_columns_of_any_width_are_fitted_at_once() -> None:
    widths = [3, 10**12, 5, *[10**12] * 2_000]
    assert _fitted(widths, [True] + [False] * 2_002, 80) == [3, 10, 5, 10, 10, 10, 10]


def test_in_lines_no_name_takes_more_room_than_a_cell() -> None:
    text = written_as("line", ["n" * 40_000, "x"], [(1, 2), (3, 4)], io.StringIO(), False)
    assert max(map(len, text.splitlines())) == 200 + len(" = 1")


def test_latin_letters_take_a_column_each_as_wcwidth_says() -> None:
    latin = [chr(code) for code in range(0x20, 0x300) if not 0x7F <= code < 0xA0]
    assert [width(letter) for letter in latin] == [wcwidth.wcswidth(letter) for letter in latin]
    assert width("naïve — 日本") == len("naïve — ") + 4


@given(TEXTS, st.integers(LEAST, 40))
def test_a_cut_text_is_no_wider_and_ends_with_a_mark(text: str, room: int) -> None:
    shown = cut(text, room)
    assert width(shown) <= room
    assert shown == text or (shown.endswith("…") and text.startswith(shown[:-1]))


def test_columns_that_do_not_fit_are_counted() -> None:
    drawn = box(("a", "b", "c"), [("x" * 40, "1" * 12, "y" * 40)], RIGHT, 30)
    assert drawn.endswith("… and 1 column more to the right")
    assert "111111111111" in drawn
    assert box(("a", "b", "c"), [("x", "1", "y")], RIGHT, 4).endswith("… and 2 columns more to the right")


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[31mb", "a\tb"])
def test_a_name_or_value_is_one_line_that_a_terminal_does_not_obey(name: str) -> None:
    drawn = table((name, "n"), [(name, 1), (name, 2)])
    assert len(drawn.splitlines()) == 7
    assert not re.search("[\x00-\x09\x0b-\x1f]", drawn)


def test_lists_say_how_many_names_they_leave_out() -> None:
    assert first_of(["id", "name"], 2) == "id, name"
    assert first_of([str(n) for n in range(1_500)], 2, "; ") == "0; 1 and 1,498 more"


def test_pairs_are_grouped_in_the_order_in_which_they_come() -> None:
    assert list(grouped([("b", 1), ("a", 2), ("b", 3)]).items()) == [("b", [1, 3]), ("a", [2])]
