"""What a refusal advises: only what the reader then reads, each in a line, and at most two things beside a model."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.errors import Unread
from askwhere.reader.known import known_of
from askwhere.reader.refuse import MODEL, misread
from askwhere.reader.refusing.rewording import _named_like, moved
from askwhere.reader.schema.senses import spoken

INN = """
CREATE TABLE guests (pid INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);
CREATE TABLE visits (vid INTEGER PRIMARY KEY, by_id INTEGER, visited DATE, nights INTEGER);
INSERT INTO guests VALUES (101, 'Ann', 'Oslo'), (102, 'Bo', 'Rome'), (103, 'Cy', 'Rome');
INSERT INTO visits VALUES (1, 101, '2024-01-01', 2), (2, 102, '2024-02-01', 3), (3, 103, '2024-02-01', 3);
"""
DEPOT = """
CREATE TABLE crates (id INTEGER PRIMARY KEY, label VARCHAR, weight INTEGER, packed DATE);
INSERT INTO crates VALUES (1, 'tea', 20, '2024-03-01'), (2, 'salt', 55, '2024-03-02'), (3, 'rice', 40, '2024-04-01');
"""

WORKSHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR);
CREATE TABLE pianos (id INTEGER PRIMARY KEY, serial_number VARCHAR, customer_id INTEGER REFERENCES customers (id));
CREATE TABLE technicians (id INTEGER PRIMARY KEY, name VARCHAR);
CREATE TABLE jobs (id INTEGER PRIMARY KEY, piano_id INTEGER REFERENCES pianos (id),
    technician_id INTEGER REFERENCES technicians (id), kind VARCHAR, status VARCHAR, finished_on DATE);
INSERT INTO customers VALUES (1, 'Corvedale School'), (2, 'Maud Hale');
INSERT INTO pianos VALUES (1, 'A10', 1), (2, 'B20', 2), (3, 'C30', 1);
INSERT INTO technicians VALUES (1, 'Gwen Parry'), (2, 'Ivo Brandt');
INSERT INTO jobs VALUES (1, 1, 1, 'tuning', 'finished', '2024-03-01'), (2, 2, 2, 'restoration', 'in progress', NULL),
    (3, 3, 1, 'tuning', 'finished', '2024-04-01'), (4, 1, 2, 'polishing', 'finished', '2024-05-01');
"""
STORE = """
CREATE TABLE site (site_cd VARCHAR, site_nm VARCHAR);
CREATE TABLE unt (unt_no INTEGER, site_cd VARCHAR, sts VARCHAR);
INSERT INTO site VALUES ('CRD', 'Cardigan Road'), ('WAT', 'Waterside');
INSERT INTO unt VALUES (1001, 'CRD', 'vacant'), (1002, 'WAT', 'occupied'), (1003, 'CRD', 'occupied');
"""


def advice(error: Unread) -> list[str]:
    """Return the lines between what was not understood and how to set a model."""
    lines = str(error).splitlines()
    return lines[1:-1] if len(lines) > 1 else []


@pytest.mark.parametrize(
    ("question", "without", "shorter"),
    [
        ("labels of waterproof crates", "waterproof", "labels of crates"),
        ("labels of crates, and the colour of their lids", "and the colour of their lids", "labels of crates"),
        ("how many waterproof crates are there?", "waterproof", "how many crates are there?"),
        ("labels of crates not steamed by the docker", "not steamed by the docker", "labels of crates"),
        ("weight of waterproof crates called 'tea'", "waterproof", "weight of crates called 'tea'"),
        ("how many crates did we steam?", "did we steam", "how many crates?"),
        ("how many crates did we steam in March 2024?", "did we steam", "how many crates in March 2024?"),
    ],
)
def test_the_fewest_words_are_left_out(make: Any, question: str, without: str, shorter: str) -> None:
    depot = make(DEPOT)
    error = depot.refused(question)
    assert error.questions[0] == shorter
    written = shorter.replace("'", "''")
    assert advice(error)[0] == f"Without “{without}”: SELECT * FROM ask('{written}');"
    assert depot.read(shorter)


@pytest.mark.parametrize(
    ("question", "advised"),
    [
        ("how many tunings did Gwen Parry finish in 2024", ("how many tunings in 2024",)),
        ("jobs in progress with the serial number of the piano", ("jobs in progress with the serial number",)),
        ("pianos that were never serviced", ()),
    ],
)
def test_what_is_left_of_a_question_is_english(make: Any, question: str, advised: tuple[str, ...]) -> None:
    workshop = make(WORKSHOP)
    assert workshop.refused(question).questions == advised
    assert all(map(workshop.read, advised))


def test_the_sql_of_an_uncertain_reading_is_shown(make: Any) -> None:
    agency = make(
        "CREATE TABLE property (propertyId INTEGER PRIMARY KEY, town VARCHAR, bedrooms INTEGER);"
        "CREATE TABLE listing (listingId INTEGER PRIMARY KEY, propertyId INTEGER, askingPrice INTEGER);"
        "CREATE TABLE viewing (viewingId INTEGER PRIMARY KEY, listingId INTEGER, score INTEGER);"
        "INSERT INTO property VALUES (1, 'Lynton', 2), (2, 'Marden', 3);"
        "INSERT INTO listing VALUES (1, 1, 5), (2, 2, 6);"
        "INSERT INTO viewing VALUES (1, 1, 3), (2, 2, 4), (3, 2, 5);"
    )
    error = agency.refused("which property has the most viewings")
    assert str(error).startswith("The built-in reader is too uncertain of its reading to run it (")
    line, *_ = advice(error)
    sql, _ = line.removeprefix("If it is what you mean, run it yourself: ").split(";", 1)
    assert agency.rows(sql) == [(2,)]


def test_the_synonyms_that_make_an_uncertain_reading_sure_are_offered(make: Any) -> None:
    insurer = make(
        "CREATE TABLE pol (pol_no VARCHAR, crop_cd VARCHAR, cov_pct INTEGER, sts VARCHAR);"
        "CREATE TABLE crop (crop_cd VARCHAR, descr VARCHAR);"
        "INSERT INTO pol VALUES ('P1', 'AP', 80, 'open'), ('P2', 'AP', 60, 'open'), ('P3', 'RY', 90, 'open');"
        "INSERT INTO crop VALUES ('AP', 'Apples'), ('RY', 'Rye');"
    )
    error = insurer.refused("apple policies with coverage of at least 75 percent")
    shown, *taught = advice(error)
    assert shown.startswith("If it is what you mean, run it yourself: SELECT pol.pol_no")
    assert [line.split(":")[0] for line in taught] == [
        "To make “policies” a word for pol", "To make “coverage” a word for cov_pct",
    ]  # fmt: skip


def test_a_noun_is_not_left_out_behind_how_many(make: Any) -> None:
    assert make(STORE).refused("how many vacant lockers are there at each site").questions == ()


def test_a_name_that_is_short_for_a_word_is_offered(make: Any) -> None:
    error = make(STORE).refused("how many vacant units are there at each site")
    assert error.questions == ("how many vacant unt are there at each site",)
    assert advice(error)[1].startswith("To make “units” a word for unt: ")


@pytest.mark.parametrize(
    "question",
    [
        "How many embers are there?",
        "Show the titles of waterproof books with more than 300 pages",
        "Show the emails of members and authors",
    ],
)
def test_all_that_is_advised_reads(library: Any, question: str) -> None:
    error = library.refused(question)
    assert 0 < len(error.questions) <= len(advice(error)) <= 2
    assert str(error).endswith(f"\n{MODEL}")
    for asked in error.questions:
        assert len(library.read(asked)) == 1


@pytest.mark.parametrize(
    "question",
    [
        "Which members dislike novels?",
        "If every member borrowed one more book, how many loans would there be?",
    ],
)
def test_words_that_turn_a_question_round_are_not_left_out_alone(library: Any, question: str) -> None:
    assert library.refused(question).questions == ()


@pytest.mark.parametrize("question", ["Which waterproof crates?", "Which crates did we steam?"])
def test_a_name_alone_is_not_advised(make: Any, question: str) -> None:
    assert make(DEPOT).refused(question).questions == ()


def test_nothing_is_advised_that_guesses_a_word(make: Any) -> None:
    plants = make("CREATE TABLE plants (id INTEGER PRIMARY KEY, plant VARCHAR, fuel VARCHAR, opened DATE);")
    assert [note for one in plants.read("emissions of plants") for note in one.notes]
    assert plants.refused("seasonal emissions of plants by rail").questions == ()


@pytest.mark.parametrize("question", ["Weight per month", "weight by month of packed"])
def test_an_amount_for_each_of_something_is_offered_in_total_and_on_average(make: Any, question: str) -> None:
    depot = make(DEPOT)
    asked = f"{question[0].lower()}{question[1:]}"
    assert advice(depot.refused(question)) == [
        f"In total: SELECT * FROM ask('total {asked}');",
        f"On average: SELECT * FROM ask('average {asked}');",
    ]


def test_a_near_name_is_offered_as_a_question_and_as_a_synonym(library: Any) -> None:
    error = library.refused("How many embers are there?")
    assert str(error) == (
        "The built-in reader could not place “embers” in this database.\n"
        "With “members” for “embers”: SELECT * FROM ask('How many members are there?');\n"
        "To make “embers” a word for members: CREATE TABLE IF NOT EXISTS askwhere_comments (table_name TEXT NOT NULL,"
        " column_name TEXT, comment TEXT, synonyms TEXT); INSERT INTO askwhere_comments (table_name, column_name,"
        f" synonyms) VALUES ('members', NULL, 'embers');\n{MODEL}"
    )
    assert error.questions == ("How many members are there?",)


def test_a_value_that_is_spelled_alike_is_offered(make: Any) -> None:
    ports = make(
        "CREATE TABLE ports (id INTEGER PRIMARY KEY, town VARCHAR); INSERT INTO ports VALUES (1, 'Trondheim');"
    )
    assert advice(ports.refused("ports in Trondhiem")) == [
        "With “Trondheim” (ports.town) for “Trondhiem”: SELECT * FROM ask('ports in Trondheim');"
    ]


@pytest.mark.parametrize(
    ("question", "instead"),
    [
        ("the hevviets crate", "the heaviest crate"),
        ("how many crates were packed in Mrch 2024", "how many crates were packed in March 2024"),
        ("how mnay crates were packed in Mrch 2024", "how mnay crates were packed in March 2024"),
    ],
)
def test_misspelt_words_of_the_readers_own_are_corrected(make: Any, question: str, instead: str) -> None:
    depot = make(DEPOT)
    (asked, *_) = depot.refused(question).questions
    assert asked == instead
    assert depot.read(asked)


def test_every_misspelt_word_is_named(make: Any) -> None:
    line, *_ = advice(make(DEPOT).refused("the hevviets crate packed in Mrch 2024"))
    assert line == (
        "With “heaviest” for “hevviets”, “March” for “Mrch”:"
        " SELECT * FROM ask('the heaviest crate packed in March 2024');"
    )


def test_short_words_are_near_to_nothing(make: Any) -> None:
    files = make("CREATE TABLE v1 (id INTEGER PRIMARY KEY, ext VARCHAR); INSERT INTO v1 VALUES (1, 'a');")
    assert files.refused("How many v1s are there?").questions == ()


def test_a_key_that_joins_what_nothing_joined_is_offered(make: Any) -> None:
    error = make(INN).refused("number of visits per guest")
    assert advice(error) == ["If visits.by_id refers to guests.pid: SELECT ask_key('visits.by_id', 'guests.pid');"]


def test_a_key_that_would_not_help_is_not_offered(make: Any) -> None:
    assert "ask_key" not in str(make(INN).refused("number of waterproof visits"))


def test_two_columns_that_compete_for_a_word_are_named_with_a_question_for_each(make: Any) -> None:
    yard = make(
        "CREATE TABLE gates (no INTEGER PRIMARY KEY, label VARCHAR); CREATE TABLE hauls (id INTEGER PRIMARY KEY,"
        " first_gate_label VARCHAR, last_gate_label VARCHAR, length INTEGER);"
    )
    question = "List all the distinct gates from which a haul of length below 100 began."
    first, second = advice(yard.help_for(misread(()), question))
    both = "“gates” may be hauls.first_gate_label or hauls.last_gate_label"
    asked = "List all the distinct hauls {} gate label from which a haul of length below 100 began."
    assert first == f"{both}. For hauls.first_gate_label: SELECT * FROM ask('{asked.format('first')}');"
    assert second == f"For hauls.last_gate_label: SELECT * FROM ask('{asked.format('last')}');"


def test_what_is_to_be_shown_is_put_first() -> None:
    assert list(moved("crates packed in March, how many?")) == ["how many crates packed in March"]
    assert list(moved("heavy crates - show the label and weight")) == ["the label and weight of heavy crates"]
    assert list(moved("Where is the tea? And what is its weight?")) == []


@pytest.mark.parametrize("question", ["", "How many books " * 200])
def test_what_is_no_question_is_not_helped(library: Any, question: str) -> None:
    assert library.refused(question).questions == ()


STAFF = (
    "CREATE TABLE production (id INTEGER PRIMARY KEY, title VARCHAR, running_minutes INTEGER);"
    "INSERT INTO production VALUES (1, 'Medea', 95);"
)


@pytest.mark.parametrize("word", ["small", "short", "quick", "cheap"])
def test_an_adjective_is_no_other_word_for_a_column(make: Any, word: str) -> None:
    assert not [line for line in advice(make(STAFF).refused(f"{word} productions")) if "running" in line]


def test_a_misspelt_word_is_not_offered_as_a_synonym(make: Any) -> None:
    (line,) = advice(make(STAFF).refused("how many productoins are there"))
    assert line.startswith("With “productions” for “productoins”: ")


@pytest.mark.parametrize("question", ["show tables", "list all tables", "show databases", "how many tables are there"])
def test_who_asks_for_the_tables_is_told_how_to_see_them(make: Any, question: str) -> None:
    menu = make("CREATE TABLE menu_items (id INTEGER PRIMARY KEY, name VARCHAR, category VARCHAR);")
    assert advice(menu.refused(question)) == ["The tables and their columns: SELECT ask_schema();"]


def test_a_table_that_is_called_table_is_asked(make: Any) -> None:
    inn = make("CREATE TABLE tables (id INTEGER PRIMARY KEY, seats INTEGER); INSERT INTO tables VALUES (1, 4), (2, 6);")
    (reading,) = inn.read("how many tables are there")
    assert inn.rows(reading.sql) == [(2,)]


@pytest.mark.parametrize(
    ("word", "offered"),
    [
        ("oven", []),
        ("remuneration", ["waiters.wage"]),
        ("twon", ["waiters.town"]),
        ("firstname", ["waiters.first_name"]),
    ],
)
def test_names_are_offered_by_spelling_and_by_meaning(make: Any, word: str, offered: list[str]) -> None:
    staff = make(
        "CREATE TABLE waiters (id INTEGER PRIMARY KEY, first_name VARCHAR, wage INTEGER, town VARCHAR);"
        "INSERT INTO waiters VALUES (1, 'Ann', 12, 'Oslo');"
    )
    lexicon = known_of(staff.catalog, staff.values).lexicon
    assert [spoken(sense) for _, sense, _ in _named_like(word, lexicon, staff.catalog)] == offered
