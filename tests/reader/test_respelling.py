"""Words that are misspelt are read as the known word that they are a slip of; names and values stay as they are."""

from __future__ import annotations

from typing import Any

import pytest
from askwhere.reader.known import known_of
from askwhere.reader.marking.respelling import respelt
from askwhere.reader.words.tokens import tokenise


@pytest.fixture(scope="module")
def farm(make: Any) -> Any:
    return make(
        "CREATE TABLE field (field_id INTEGER PRIMARY KEY, name VARCHAR, organic VARCHAR, hectares INTEGER);"
        "CREATE TABLE crop (crop_id INTEGER PRIMARY KEY, name VARCHAR, field_id INTEGER REFERENCES field (field_id));"
        "INSERT INTO field VALUES (1, 'Numbber', 'Y', 10), (2, 'Long', 'N', 30), (3, 'Far', 'N', 20);"
        "INSERT INTO crop VALUES (1, 'Rye', 1), (2, 'Oats', 1), (3, 'Hemp', 2);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("nubmer of fields", [(3,)]),
        ("wich fields are organic?", [("Numbber",)]),
        ("avarage hectares of feilds", [(20.0,)]),
        ("fields that dont have crops", [("Far",)]),
        ("whats the average hectares of fields", [(20.0,)]),
        ("fields without crops, i.e. no crop at all", [("Far",)]),
        ("teh number of fields", [(3,)]),
        ("numbr of crops per field", [("Long", 1), ("Numbber", 2)]),
    ],
)
def test_slips_are_read(farm: Any, question: str, rows: list[Any]) -> None:
    farm.answers(question, rows)


@pytest.mark.parametrize("words", ["numbber fields", "wixh wyrd organic"])
def test_values_and_other_words_are_not_respelt(farm: Any, words: str) -> None:
    lexicon = known_of(farm.catalog, farm.values).lexicon
    assert respelt(tokenise(words), lexicon, farm.values) == tokenise(words)


def test_a_slip_of_a_period_is_no_form_of_a_shorter_word(make: Any) -> None:
    """“Montly” has the stem of a word, "mont", and is still a slip."""
    ads = make(
        "CREATE TABLE stats (id INTEGER PRIMARY KEY, stat_date DATE, spend INTEGER);"
        "INSERT INTO stats VALUES (1, '2024-01-02', 5), (2, '2024-01-09', 7), (3, '2024-02-01', 1);"
    )
    ads.answers("montly spend in 2024", [("2024-01", 12), ("2024-02", 1)])
