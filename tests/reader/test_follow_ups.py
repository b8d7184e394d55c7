"""Follow-ups: a question refines the reading of the one before it, or is read by itself, or is refused."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from askwhere.errors import Unread
from askwhere.reader.following import FollowUp, follow_up, may_refine
from hypothesis import given, settings
from hypothesis import strategies as st

_MAYA = ("Maya", "maya@example.org")
NOVELS, POEMS = ("Salt Water", "The Glass Hill"), ("Monsoon", "Tides", "Winter Light")
BY_GENRE = [("Novel", 2), ("Poetry", 3), ("Science", 2), ("Travel", 1)]


@pytest.mark.parametrize(
    ("chain", "rows"),
    [
        # what is shown beside an aggregate, and the order
        (["top 2 members by number of loans", "and their age"], [("Maya", 34, 3), ("Olga", 61, 2)]),
        (["members and their number of loans", "and their email", "only those with more than 2"], [(*_MAYA, 3)]),
        (["poetry books", "sort by pages"], sorted((t,) for t in POEMS)),
        # conditions
        (["books", "only those of the genre Novel"], [(t,) for t in NOVELS]),
        (["books", "only those of the genre Novel and Poetry"], sorted((t,) for t in (*NOVELS, *POEMS))),
        (["number of members per branch", "only North and South"], [("North", 3), ("South", 2)]),
        (["number of members per branch", "the same for loans"], [("North", 4), ("South", 4)]),
        (["books of the genre Novel", "only those with more than 400 pages"], [("The Glass Hill",)]),
        (["books of the genre Novel", "what about Poetry?"], [(t,) for t in POEMS]),
        (["books of the genre Novel", "and Poetry?"], [(t,) for t in POEMS]),
        (["books of the genre Novel", "Poetry instead"], [(t,) for t in POEMS]),
        (["books of the genre Novel", "also Poetry"], sorted((t,) for t in (*NOVELS, *POEMS))),
        (["books of the genre Novel", "Poetry too"], sorted((t,) for t in (*NOVELS, *POEMS))),
        (["books of the genre Novel", "also Poetry", "only Poetry"], [(t,) for t in POEMS]),
        (["books published in 2010", "the same for 2012"], [("Monsoon",)]),
        (["books published in 2010", "same but for 2012"], [("Monsoon",)]),
        (["books that cost more than 20", "the same for 25"], [("Deep Roots",)]),
        (["books by Ann Ford", "only those published after 2000"], [("Deep Roots",)]),
        (["authors from Ireland", "now those from France"], [("Clara", "Moreau")]),
        (["number of books per genre", "without Poetry"], [r for r in BY_GENRE if r[0] != "Poetry"]),
        (["number of books per genre", "only those with more than 1 book"], BY_GENRE[:3]),
        (["number of books per genre", "only those above 2"], [("Poetry", 3)]),
        (["how many loans were there in 2023", "and in 2024?"], [(5,)]),
        (["how many loans were there in March 2023", "the same for 2024"], [(5,)]),
        (["total price of books per genre", "and in 2012?"], [("Poetry", 7.25)]),
        # the rows of what was counted, a sum over what was listed, a column, a month
        (["how many authors are there from Ireland", "which of them wrote books after 2000?"], [("Ann", "Ford")]),
        (["books of the genre Novel", "how much price is that in total?"], [(pytest.approx(22.49),)]),
        (["books of the genre Novel", "with pages"], [("Salt Water", 320), ("The Glass Hill", 540)]),
        (["loans per month in 2024", "only March"], [("2024-03", 1)]),
        # groups
        (["how many books are there", "per genre"], BY_GENRE),
        (["how many books are there", "and by genre?"], BY_GENRE),
        (["how many loans are there", "by year"], [("2023", 3), ("2024", 5)]),
        (["how many loans are there", "and by month?", "by year instead"], [("2023", 3), ("2024", 5)]),
        (["number of members per branch", "by gender instead"], [("F", 4), ("M", 2)]),
        (["members", "per gender"], [("F", 4), ("M", 2)]),
        # order and the first few
        (["members", "sorted by age"], [("Noah",), ("Quinn",), ("Maya",), ("Petr",), ("Rosa",), ("Olga",)]),
        (["branches", "sorted by name", "in descending order"], [("South",), ("North",), ("Mill",), ("Harbour",)]),
        (["books", "the two most expensive"], [("Deep Roots",), ("Small Engines",)]),
        (["number of books per genre", "now the largest"], [("Poetry", 3)]),
        (["number of books per genre", "top 1"], [("Poetry", 3)]),
        (["the oldest member", "and the youngest?"], [("Noah",)]),
        (["the most expensive book", "and the cheapest?"], [("Tides",)]),
        (["top 3 books by price", "the first 1"], [("Deep Roots", 30.0)]),
        # what is shown, and how many
        (["members of the branch North", "with their ages"], [("Maya", 34), ("Noah", 19), ("Rosa", 52)]),
        (["members of the branch North", "and their ages too"], [("Maya", 34), ("Noah", 19), ("Rosa", 52)]),
        (["members of the branch North", "only their ages"], [(19,), (34,), (52,)]),
        (["members older than 40", "how many are there?"], [(3,)]),
        (["members older than 40", "how many of them are female"], [(2,)]),
        (["members older than 40", "how many?"], [(3,)]),
        (["members of the branch North", "what are their ages?"], [("Maya", 34), ("Noah", 19), ("Rosa", 52)]),
        (["members of the branch North", "what are their names?"], [("Maya",), ("Noah",), ("Rosa",)]),
        (["members of the branch North", "show me their names and ages"], [("Maya", 34), ("Noah", 19), ("Rosa", 52)]),
        (["members of the branch North", "what is their average age?"], [(35.0,)]),
        (["the oldest member", "how many?"], [(1,)]),
        (["books", "the cheapest one", "how many are there?"], [(1,)]),
        (["loan with the lowest fine", "how many?"], [(5,)]),
        (["how many members of the branch North are there", "which ones?"], [("Maya",), ("Noah",), ("Rosa",)]),
        (["how many members of the branch North are there", "who are they?"], [("Maya",), ("Noah",), ("Rosa",)]),
        (["how many members of the branch North are there", "list them"], [("Maya",), ("Noah",), ("Rosa",)]),
        (["how many members of the branch North are there", "what are their ages?"], [(19,), (34,), (52,)]),
        (["prices of books of the genre Poetry", "and the total?"], [(21.75,)]),
        (["number of members per branch", "and the total?"], [(6,)]),
        (["members", "only the female ones", "those older than 50", "how many is that?"], [(2,)]),
        (["how many members are there", "how many of them are female"], [(4,)]),
        (["how many members are there", "only the female ones", "how many?"], [(4,)]),
    ],
)  # fmt: skip
def test_a_follow_up_refines_the_reading_before_it(library: Any, chain: list[str], rows: list[Any]) -> None:
    (reading,) = library.read_after(chain[-1], *chain[:-1])
    found = library.rows(reading.sql)
    ordered = "sorted" in " ".join(chain)
    assert (found if ordered else sorted(found)) == rows, reading.sql
    assert reading.notes[-1] == f"read as a refinement of “{chain[-2]}”"


def test_a_long_follow_up_is_refused_at_once(library: Any) -> None:
    with pytest.raises(Unread, match="questions of up to 100 words"):
        library.read_after("only " + "1 2 " * 2_400, "list the books")


@pytest.mark.parametrize(
    "question",
    ["how many members are there", "and how many members are there?", "the oldest member", "titles of books"],
)
def test_a_question_that_is_complete_is_read_by_itself(library: Any, question: str) -> None:
    (reading,) = library.read_after(question, "books of the genre Novel")
    assert reading.sql == library.read(question)[0].sql
    note = "read as a question of its own, which does not refine “books of the genre Novel”"
    assert reading.notes[-1] == note


@pytest.mark.parametrize(
    "question",
    [
        "only those",
        "the same",
        "the same for zorb",
        "and zorb?",
        "those with a dragon",
        "what about the weather",
        "how many of them",
        "sorted by zorb",
        "by dragon instead",
        "the ten zorbest",
    ],
)
def test_what_is_not_understood_is_refused(library: Any, question: str) -> None:
    with pytest.raises(Unread):
        library.read_after(question, "number of books per genre")


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("books", "how many loans do they have?"),
        ("the two most expensive books", "in which branches are they?"),
        ("the two most expensive books", "how much price is that?"),  # the sum over all of them is none over two
        ("books", "with their average age"),
        ("books", "which ones?"),
        ("books", "and the total?"),
        ("number of books per genre", "list them"),
        ("number of books per genre", "how many?"),
        ("average price of books", "how many?"),
        ("the two most expensive books", "how many?"),
        ("the most expensive book", "how many of them are poetry?"),
        ("the two most expensive books", "what is their average price?"),
    ],
)
def test_what_speaks_of_the_answer_before_is_not_read_by_itself(library: Any, first: str, then: str) -> None:
    with pytest.raises(Unread):
        library.read_after(then, first)


LIKE_FOLLOW_UPS = (
    "what are their emails",
    "which bikes do they own",
    "How long is it?",
    "the three cheapest",
    "two newest",
    "who?",
    "how many?",
    "the 5 most expensive",
    "do they have bikes?",
    "show me their names",
    "and the total?",
)
NO_FOLLOW_UPS = (
    "which customers live where they were born",
    "customers and their emails",
    "what is the name of each city",
    "books",
    "who borrowed books that they returned late",
    "show each city with its country",
    "how many books are there",
)


@pytest.mark.parametrize("question", [*LIKE_FOLLOW_UPS, *NO_FOLLOW_UPS])
def test_a_question_sounds_like_a_follow_up_if_its_pronoun_means_nothing_in_it(question: str) -> None:
    assert may_refine(question) == (question in LIKE_FOLLOW_UPS)


def test_several_values_of_what_each_may_have_several_of_are_refused(library: Any) -> None:
    with pytest.raises(Unread):
        library.read_after("only those with loans of Tides and Monsoon", "members")


def test_a_refusal_says_what_was_not_understood(library: Any) -> None:
    with pytest.raises(Unread, match=r"could not tell how “only those” refines “books”\. Ask the whole question\."):
        library.read_after("only those", "books")
    with pytest.raises(Unread, match="could not place “zorb” in this database"):
        library.read_after("the same for zorb", "books of the genre Novel")


def test_a_whole_question_is_refused_for_what_is_wrong_with_itself(library: Any) -> None:
    with pytest.raises(Unread, match="could not place “unicorns” in this database"):
        library.read_after("How many unicorns are there?", "books of the genre Novel")


def test_what_something_else_answered_is_not_refined(library: Any) -> None:
    from askwhere.reader import read_after

    earlier = [("books", "SELECT 1")]
    with pytest.raises(Unread, match="The built-in reader can refine only what it read itself, and not “books”"):
        read_after("only those of the genre Novel", earlier, library.catalog, library.values, library.dialect)


def test_and_by_after_a_group_may_add_or_replace_it(library: Any) -> None:
    readings = library.read_after("and by gender?", "number of members per branch")
    grouped = sorted(r.sql.partition("GROUP BY")[2] for r in readings)
    assert len(readings) == 2
    assert "branches" not in grouped[1]
    assert "branches" in grouped[0]
    assert all("gender" in one for one in grouped)


CONDITIONS = ("only those with more than 200 pages", "only those that cost less than 20", "those published after 2000")


@given(st.permutations(CONDITIONS))
def test_conditions_may_come_in_any_order(library: Any, conditions: list[str]) -> None:
    (reading,) = library.read_after(conditions[-1], "books", *conditions[:-1])
    assert sorted(library.rows(reading.sql)) == [("Night Trains",), ("The Glass Hill",)]


@settings(max_examples=8)  # each reads up to five questions
@given(st.lists(st.sampled_from(["Novel", "Poetry", "Science", "Travel"]), min_size=1, max_size=4))
def test_of_several_replacements_the_last_counts(library: Any, genres: list[str]) -> None:
    chain = [f"what about {genre}?" for genre in genres]
    (reading,) = library.read_after(chain[-1], "books of the genre Novel", *chain[:-1])
    (whole,) = library.read(f"books of the genre {genres[-1]}")
    assert sorted(library.rows(reading.sql)) == sorted(library.rows(whole.sql))


WORDS = "only those the same for and by month too without how many of them Novel 2010 books pages top 3 sorted their"


@settings(max_examples=50)
@given(st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=7).map(" ".join))
def test_any_words_are_read_or_refused_and_what_is_read_runs(library: Any, question: str) -> None:
    try:
        readings = library.read_after(question, "books of the genre Novel")
    except Unread:
        return
    for reading in readings:
        library.rows(reading.sql)
        assert "refine" in reading.notes[-1]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("only those in Germany", FollowUp("in Germany", "only", True)),
        ("and by month?", FollowUp("by month", "and", False)),
        ("the same for 2022", FollowUp("for 2022", "instead", True)),
        ("now the ten largest", FollowUp("the ten largest", "", False)),
        ("What about those in France?", FollowUp("in France", "instead", True)),
        ("their emails too", FollowUp("their emails", "also", True)),
        ("how many of them are female", FollowUp("are female", "count", True)),
        ("number of books", FollowUp("number of books", "", False)),
        ("", FollowUp("", "", False)),
    ],
)
def test_how_a_follow_up_begins_and_ends_says_how_it_refines(question: str, expected: FollowUp) -> None:
    assert follow_up(question) == expected


@pytest.mark.slow
def test_follow_ups_over_the_samples_are_answered_as_before(data: Path) -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))
    from follow_ups import outcomes

    found = [outcome for _, outcome, _ in outcomes(data / "samples")]
    assert len(found) == 60
    assert found.count("right") >= 55
    assert found.count("wrong") == 0
