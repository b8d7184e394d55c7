"""How often something was done is a number of the rows that record it, and not of the things that it was done to."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread

LOANS = """
CREATE TABLE books (id INTEGER PRIMARY KEY, title VARCHAR);
CREATE TABLE readers (id INTEGER PRIMARY KEY, name VARCHAR);
CREATE TABLE loans (id INTEGER PRIMARY KEY, book_id INTEGER REFERENCES books (id),
  reader_id INTEGER REFERENCES readers (id));
INSERT INTO books VALUES (1, 'Salt'), (2, 'Ore');
INSERT INTO readers VALUES (1, 'Ann'), (2, 'Bo');
INSERT INTO loans VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 1, 2), (5, 2, 2);
"""


@pytest.fixture(scope="module")
def loans(make: Any) -> Any:
    return make(LOANS)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("readers who borrowed a book more than twice", [("Ann",)]),
        ("readers who borrowed books at least 2 times", [("Ann",), ("Bo",)]),
        ("how many readers borrowed a book more than once", [(2,)]),
        ("books that readers borrowed more than twice", [("Salt",)]),
        ("books borrowed by readers more than 2 times", [("Salt",)]),
        ("readers who borrowed more than one book", [("Bo",)]),
    ],
)
def test_how_often_counts_what_was_done(loans: Any, question: str, rows: list[Any]) -> None:
    loans.answers(question, rows)


def test_how_often_of_a_verb_that_no_table_records_is_refused(loans: Any) -> None:
    with pytest.raises(Unread):
        loans.read("readers who carried a book more than once")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which patients were admitted at least twice?", [("Ann",)]),
        ("patients admitted more than once, with the number of stays", [("Ann", 2)]),
    ],
)
def test_times_count_the_rows_with_the_date_of_the_verb(make: Any, question: str, rows: list[Any]) -> None:
    ward = make(
        "CREATE TABLE patients (id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE stays (id INTEGER PRIMARY KEY, patient_id INTEGER REFERENCES patients (id), admitted_on DATE);"
        "INSERT INTO patients VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO stays VALUES (1, 1, '2024-01-02'), (2, 1, '2024-02-02'), (3, 2, '2024-02-02');"
    )
    ward.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("pupils who took an exam at least twice", [("Ann",)]),
        ("pupils who took the exam exactly once", [("Bo",)]),
    ],
)
def test_what_belongs_to_those_spoken_of_is_counted_itself(make: Any, question: str, rows: list[Any]) -> None:
    school = make(
        "CREATE TABLE pupils (pupil_id INTEGER PRIMARY KEY, name VARCHAR);"
        "CREATE TABLE exams (exam_id INTEGER PRIMARY KEY, pupil_id INTEGER REFERENCES pupils (pupil_id),"
        " score INTEGER);"
        "INSERT INTO pupils VALUES (1, 'Ann'), (2, 'Bo');"
        "INSERT INTO exams VALUES (1, 1, 5), (2, 1, 7), (3, 2, 6);"
    )
    school.answers(question, rows)
