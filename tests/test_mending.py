"""A model's query that runs, and that nobody means, is mended by rules."""

from __future__ import annotations

from typing import Any

import askwhere
import pytest
from askwhere.models import Scripted
from support import Database

pytestmark = pytest.mark.any_engine

CLINIC = """
CREATE TABLE patients (patient_no INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE stays (stay_no INTEGER PRIMARY KEY, patient_no INTEGER REFERENCES patients(patient_no), begun TEXT);
CREATE TABLE drugs (drug_cd TEXT PRIMARY KEY, drug_name TEXT, price REAL);
CREATE TABLE given (given_id INTEGER PRIMARY KEY, stay_no INTEGER REFERENCES stays(stay_no),
  drug_cd TEXT REFERENCES drugs(drug_cd), quantity INTEGER, unit_price REAL);
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT,
  boss_id INTEGER REFERENCES staff(staff_id));
INSERT INTO patients VALUES (1, 'Ann', 'Oslo'), (2, 'Bo', 'Rome'), (3, 'Cy', 'Oslo');
INSERT INTO stays VALUES (2, 1, '2024-01-01'), (3, 2, '2024-02-01'), (1, 3, '2024-03-01');
INSERT INTO drugs VALUES ('A', 'Aspirin', 2.0), ('M', 'Morphine', 9.0);
INSERT INTO given VALUES (1, 2, 'M', 3, 8.0), (2, 3, 'A', 1, 1.0), (3, 1, 'A', 2, 1.5);
INSERT INTO staff VALUES (1, 'Di', 'Lee', NULL);
INSERT INTO staff VALUES (2, 'Ed', 'May', 1);
"""


@pytest.fixture(scope="module")
def clinic(standing: Database) -> Any:
    """A connection to a clinic, which no test changes."""
    return standing.made(CLINIC)


def answered(clinic: Any, question: str, written: str) -> askwhere.Answer:
    """Return the answer to a question to which a model replies with one query."""
    askwhere.register(clinic, model=Scripted([written]), method="sea")
    return askwhere.ask(clinic, question)


# ------------------------------------------------------------------------------------------------------ joins by keys

MORPHINE = """SELECT p.name FROM patients AS p JOIN given AS g ON p.patient_no = g.stay_no
 JOIN drugs AS d ON g.drug_cd = d.drug_cd WHERE d.drug_name = 'Morphine'"""


def test_tables_joined_by_keys_of_different_things_are_joined_by_the_table_between_them(clinic: Any) -> None:
    answer = answered(clinic, "who was given morphine", MORPHINE)
    assert answer.rows == (("Ann",),)
    assert answer.candidates[0].notes == ("repaired: tables joined along their keys",)
    assert answer.candidates[0].before == MORPHINE


@pytest.mark.parametrize(
    ("written", "rows"),
    [
        (  # a table that only the wrong join reads goes
            "SELECT SUM(given.quantity) FROM given JOIN drugs ON given.drug_cd = drugs.drug_cd"
            " JOIN patients ON given.given_id = patients.patient_no WHERE drug_name = 'Aspirin'",
            ((3,),),
        ),
        (  # all tables matter to what counts rows
            "SELECT COUNT(*) FROM given JOIN patients ON given.given_id = patients.patient_no WHERE city = 'Rome'",
            ((1,),),
        ),
        (  # in each part of a set operation
            "SELECT name FROM patients JOIN given ON patients.patient_no = given.stay_no WHERE drug_cd = 'A'"
            " EXCEPT SELECT name FROM patients JOIN given ON patients.patient_no = given.stay_no WHERE drug_cd = 'M'",
            (("Bo",), ("Cy",)),
        ),
    ],
)
def test_queries_are_joined_along_the_keys(clinic: Any, written: str, rows: Any) -> None:
    assert sorted(answered(clinic, "flurb", written).rows) == sorted(rows)


@pytest.mark.parametrize(
    "written",
    [
        "SELECT p.name FROM patients AS p JOIN stays AS s ON p.patient_no = s.patient_no WHERE s.begun < '2024-02-01'",
        "SELECT p.name FROM patients AS p JOIN staff AS s ON p.name = s.first_name WHERE p.city = 'Oslo'",
        "SELECT p.name FROM patients AS p JOIN patients AS q ON p.city = q.city WHERE p.name = 'Ann'",
    ],
)
def test_other_joins_stay_as_they_are(clinic: Any, written: str) -> None:
    assert answered(clinic, "flurb", written).sql == written


def test_keys_of_different_things_that_no_one_way_joins_fail(database: Database) -> None:
    tables = """
    CREATE TABLE towns (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE roads (id INTEGER PRIMARY KEY, name TEXT, begins INTEGER REFERENCES towns(id),
      ends INTEGER REFERENCES towns(id));
    INSERT INTO towns VALUES (1, 'Oslo'), (2, 'Rome');
    INSERT INTO roads VALUES (1, 'E6', 1, 2);
    CREATE TABLE bridges (bridge_id INTEGER PRIMARY KEY, road_id INTEGER REFERENCES roads(id));
    INSERT INTO bridges VALUES (1, 1);
    """
    wrong = "SELECT t.name FROM towns AS t JOIN bridges AS b ON t.id = b.bridge_id WHERE b.road_id = 1"
    model = Scripted([wrong, "They are different.", "SELECT name FROM towns WHERE id = 2"])
    connection = database.made(tables, model=model, method="sea")
    assert askwhere.ask(connection, "flurb").rows == (("Rome",),)
    assert "a join compares keys of different tables, and their keys join them in several ways" in model.prompts[1]


# ------------------------------------------------------------------------------------------------------ names for keys


@pytest.mark.parametrize(
    ("question", "written", "rows"),
    [
        (
            "given per drug",
            "SELECT drug_cd, SUM(quantity) FROM given GROUP BY drug_cd",
            {("Aspirin", 3), ("Morphine", 3)},
        ),
        ("drugs given in stay 1", "SELECT drug_cd FROM given WHERE stay_no = 1", {("Aspirin",)}),
        (
            "staff and their boss",
            "SELECT staff_id, boss_id FROM staff",
            {("Di", "Lee", None, None), ("Ed", "May", "Di", "Lee")},
        ),
        ("patients of Oslo", "SELECT * FROM patients WHERE city = 'Oslo'", {("Ann",), ("Cy",)}),
        (
            "drug of each stay",
            "SELECT g.drug_cd AS drug FROM given AS g JOIN drugs AS d ON g.drug_cd = d.drug_cd WHERE g.quantity > 2",
            {("Morphine",)},
        ),
    ],
)
def test_names_are_shown_instead_of_keys(clinic: Any, question: str, written: str, rows: Any) -> None:
    answer = answered(clinic, question, written)
    assert set(answer.rows) == rows
    assert answer.candidates[0].notes == ("repaired: names in place of keys or of all columns",)


@pytest.mark.parametrize(
    ("question", "written"),
    [
        ("codes of the drugs given", "SELECT DISTINCT drug_cd FROM given"),
        ("drug ids", "SELECT drug_cd FROM drugs"),
        ("details of the patients of Oslo", "SELECT * FROM patients WHERE city = 'Oslo'"),
        ("stays since February", "SELECT stay_no FROM stays WHERE begun >= '2024-02-01'"),  # they have no names
        ("drugs", "SELECT drug_cd, drug_name FROM drugs"),
        ("how many drugs", "SELECT COUNT(DISTINCT drug_cd) FROM given"),
        ("drugs", "SELECT drug_cd FROM given GROUP BY 1"),
        ("drugs", "SELECT drug_cd FROM given INTERSECT SELECT drug_cd FROM drugs"),
        ("drugs", "SELECT drug_cd AS drug FROM given ORDER BY drug"),
    ],
)
def test_keys_stay_where_they_are_asked_for_or_nothing_names_them(clinic: Any, question: str, written: str) -> None:
    assert answered(clinic, question, written).sql == written


# --------------------------------------------------------------------------------------------------------- alternatives


def test_alternatives_for_one_column_are_one_condition(clinic: Any) -> None:
    written = "SELECT name FROM patients WHERE city = 'Rome' OR city = 'Oslo' AND name = 'Ann'"
    answer = answered(clinic, "flurb", written)
    assert answer.rows == (("Ann",),)
    assert answer.candidates[0].notes == ("repaired: OR conditions in parentheses",)


@pytest.mark.parametrize(
    "condition",
    [
        "city = 'Rome' OR (city = 'Oslo' AND name = 'Ann')",
        "city = 'Rome' AND name = 'Bo' OR city = 'Oslo' AND name = 'Ann'",
        "city = 'Rome' OR name = 'Ann' AND patient_no = 1",
        "city = 'Rome' OR city = 'Oslo'",
    ],
)
def test_other_alternatives_stay_as_they_are(clinic: Any, condition: str) -> None:
    written = f"SELECT name FROM patients WHERE {condition} ORDER BY name"
    assert answered(clinic, "flurb", written).sql == written


# ------------------------------------------------------------------------------------------------------------- in all


def test_what_is_mended_can_be_turned_off(database: Database) -> None:
    connection = database.made(CLINIC, model=Scripted([MORPHINE]), method="sea", leave_out="repair")
    assert askwhere.ask(connection, "who was given morphine").sql == MORPHINE


# ------------------------------------------------------------------------------------------------------- values of keys


@pytest.mark.parametrize(
    ("question", "written", "rows"),
    [
        (
            "how much morphine was given",
            "SELECT SUM(quantity) AS total FROM given WHERE drug_cd = 'Morphine'",
            ((3,),),
        ),
        (  # the table's own key
            "what does Aspirin cost",
            "SELECT price FROM drugs WHERE 'Aspirin' = drugs.drug_cd",
            ((2.0,),),
        ),
        (  # a key that has the value
            "how much of drug A was given",
            "SELECT SUM(quantity) AS total FROM given WHERE drug_cd = 'A'",
            ((3,),),
        ),
        (  # a value that nothing has
            "how much Ibuprofen was given",
            "SELECT COUNT(*) AS n FROM given WHERE drug_cd = 'Ibuprofen'",
            ((0,),),
        ),
    ],
)
def test_a_key_that_is_compared_with_a_name_is_compared_with_the_keys_of_that_name(
    clinic: Any, question: str, written: str, rows: tuple[Any, ...]
) -> None:
    assert answered(clinic, question, written).rows == rows


def test_two_columns_that_have_the_value_leave_a_comparison_as_it_is(database: Database) -> None:
    connection = database.made(
        "CREATE TABLE places (place_cd TEXT PRIMARY KEY, town TEXT, county TEXT);"
        "CREATE TABLE shops (shop_id INTEGER PRIMARY KEY, place_cd TEXT REFERENCES places(place_cd));"
        "INSERT INTO places VALUES ('y', 'York', 'York'); INSERT INTO shops VALUES (1, 'y');",
        model=Scripted(["SELECT COUNT(*) AS n FROM shops WHERE place_cd = 'York'"]),
        method="sea",
    )
    answer = askwhere.ask(connection, "how many shops are in York")
    assert (answer.rows, answer.candidates[0].notes) == (((0,),), ())


def test_a_number_of_a_key_that_is_compared_with_a_name_is_looked_up(clinic: Any) -> None:
    answer = answered(clinic, "how often did Ann stay", "SELECT COUNT(*) AS n FROM stays WHERE patient_no = 'Ann'")
    assert answer.rows == ((1,),)


# ------------------------------------------------------------------------------------------- subqueries about the row


@pytest.mark.parametrize(
    "written",
    [
        "SELECT name FROM pets WHERE weight > (SELECT AVG(weight) FROM pets WHERE kind = pets.kind)",
        "SELECT name FROM pets WHERE weight > (SELECT AVG(pets.weight) FROM pets WHERE pets.kind = pets.kind)",
        "SELECT p.name FROM pets AS p WHERE p.weight > (SELECT AVG(weight) FROM pets WHERE pets.kind = kind)",
        "SELECT name FROM pets WHERE age < 9 AND weight > (SELECT AVG(weight) FROM pets"
        " WHERE age < 9 AND kind = pets.kind)",
        "SELECT name FROM pets JOIN kinds ON pets.kind = kinds.id"
        " WHERE pets.weight > (SELECT AVG(weight) FROM pets WHERE kind = pets.kind)",
    ],
)
def test_a_subquery_that_compares_a_column_with_itself_is_about_the_row_around_it(
    database: Database, written: str
) -> None:
    connection = database.made(
        "CREATE TABLE kinds (id INTEGER PRIMARY KEY, title TEXT);"
        "CREATE TABLE pets (name TEXT, kind INTEGER REFERENCES kinds(id), weight INTEGER, age INTEGER);"
        "INSERT INTO kinds VALUES (1, 'cat'), (2, 'dog');"
        "INSERT INTO pets VALUES ('Mia', 1, 3, 2), ('Tom', 1, 5, 4), ('Rex', 2, 30, 5), ('Bo', 2, 20, 8);",
        model=Scripted([written]),
        method="sea",
    )
    answer = askwhere.ask(connection, "flurb")
    assert sorted(answer.rows) == [("Rex",), ("Tom",)]
    assert answer.candidates[0].notes == ("repaired: a subquery correlated with the outer row",)


@pytest.mark.parametrize(
    "written",
    [
        "SELECT drug_name FROM drugs WHERE price > (SELECT AVG(price) FROM drugs)",
        "SELECT city FROM patients AS p WHERE EXISTS (SELECT 1 FROM patients AS q WHERE q.city = p.city)",
        "SELECT name FROM patients WHERE patient_no IN (SELECT patient_no FROM stays WHERE begun = stays.begun)",
    ],
)
def test_other_subqueries_stay_as_they_are(clinic: Any, written: str) -> None:
    assert answered(clinic, "flurb", written).sql == written


# -------------------------------------------------------------------------------------------- the order that is said


@pytest.mark.parametrize(
    ("question", "written", "rows"),
    [
        ("the cheapest drug", "SELECT drug_name FROM drugs ORDER BY price DESC LIMIT 1", ("Aspirin",)),
        ("the most expensive drug", "SELECT drug_name FROM drugs ORDER BY price LIMIT 1", ("Morphine",)),
        (
            "drugs from the cheapest to the most expensive",
            "SELECT drug_name FROM drugs ORDER BY price DESC",
            ("Aspirin", "Morphine"),
        ),
    ],
)
def test_rows_are_sorted_in_the_direction_that_the_question_names(
    clinic: Any, question: str, written: str, rows: tuple[str, ...]
) -> None:
    answer = answered(clinic, question, written)
    assert answer.rows == tuple((name,) for name in rows)
    assert answer.candidates[0].notes == ("repaired: sorted in the direction that the question names",)


@pytest.mark.parametrize(
    ("question", "written"),
    [
        ("the cheapest drug", "SELECT drug_name FROM drugs ORDER BY price LIMIT 1"),
        ("the newest drug", "SELECT drug_name FROM drugs ORDER BY price DESC LIMIT 1"),  # says nothing of prices
        ("the cheapest and the dearest drug", "SELECT drug_name FROM drugs ORDER BY price DESC"),  # says both ends
        ("drugs, up to the cheapest", "SELECT drug_name FROM drugs ORDER BY price DESC"),  # not where it begins
        ("the youngest patient", "SELECT name FROM patients ORDER BY patient_no DESC LIMIT 1"),
    ],
)
def test_an_order_that_contradicts_nothing_stays(clinic: Any, question: str, written: str) -> None:
    answer = answered(clinic, question, written)
    assert not any("direction" in note for note in answer.candidates[0].notes), answer.sql
