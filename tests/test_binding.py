"""What a reply may say so that it binds, read letter by letter; what is accepted is also prepared by the engine."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from askwhere.bindings import connections
from askwhere.models import BoundGrammar, Reading
from askwhere.pipeline.binding.grammar import CLOSING, FENCE
from askwhere.pipeline.binding.reading import bound
from gbnf import Grammar
from gbnf_walks import TABLES, walked
from support import Database

SINGER = "SELECT name FROM singer"


@pytest.fixture(scope="module")
def made(standing: Database) -> tuple[Any, BoundGrammar]:
    return opened(standing)


def opened(database: Database) -> tuple[Any, BoundGrammar]:
    """A connection with some tables, and what replies about them are held to."""
    connection = database.made(TABLES)
    session, engine = connections.session(connection), connections.engine(connection)
    return connection, bound(session._database.catalog(engine, session.settings), database.kind)


def accepted(reading: Reading, text: str) -> str:
    """As much of a text as may be written; all of it with a full stop where the reply may end there."""
    for i, letter in enumerate(text):
        after = reading.after(letter.encode())
        if after is None:
            return text[:i]
        reading = after
    return text + "." * reading.ends


BOTH = """
SELECT name FROM singer
SELECT * FROM singer WHERE age > 3 ORDER BY name DESC LIMIT 3;
SELECT T1.name FROM singer AS T1
SELECT T2.title, T1.name FROM singer AS T1 JOIN concert AS T2 ON T1.id = T2.id
SELECT t1.name FROM singer T1
SELECT singer.name, title FROM singer JOIN concert ON singer.id = concert.id
SELECT title, capacity FROM concert JOIN stadium USING (stadium_id)
SELECT stadium_id, title, capacity FROM concert JOIN stadium USING (stadium_id)
SELECT stadium.stadium_id FROM concert JOIN stadium ON concert.stadium_id = stadium.stadium_id
SELECT T1.* FROM singer AS T1
SELECT COUNT(*) FROM singer
SELECT country, COUNT(*) AS n FROM singer GROUP BY country HAVING COUNT(*) > 1 ORDER BY COUNT(*) DESC
SELECT T1.country, COUNT(*) FROM singer AS T1 GROUP BY country
SELECT upper(country), COUNT(*) FROM singer GROUP BY upper(country)
SELECT country, COUNT(*) FROM singer GROUP BY 1 ORDER BY 2
SELECT name FROM singer WHERE id IN (SELECT id FROM concert)
SELECT name FROM singer WHERE age > (SELECT AVG(age) FROM singer)
SELECT name FROM singer AS T1 WHERE EXISTS (SELECT * FROM concert AS T2 WHERE T2.id = T1.id)
SELECT name FROM singer WHERE EXISTS (SELECT id FROM concert WHERE concert.id = singer.id AND country = 'x')
SELECT T1.name FROM singer AS T1 WHERE T1.id NOT IN (SELECT T1.id FROM concert AS T1)
SELECT T1.name, (SELECT COUNT(*) FROM concert AS T2 WHERE T2.id = T1.id) FROM singer AS T1
SELECT name FROM singer UNION SELECT title FROM concert ORDER BY name
SELECT name FROM singer INTERSECT SELECT title FROM concert ORDER BY 1
SELECT T1.title FROM (SELECT title, year FROM concert) AS T1 WHERE T1.year > 2000
SELECT MAX(age), MIN(age) FROM singer WHERE name LIKE 'a%' AND age BETWEEN 1 AND 3 OR NOT (age = 4)
SELECT name, RANK() OVER (PARTITION BY country ORDER BY age DESC) FROM singer
SELECT SUM(age) OVER (ORDER BY id), name FROM singer
SELECT CASE WHEN age > 3 THEN 'old' ELSE 'new' END AS n FROM singer
SELECT "Total Price" FROM "Odd Table" WHERE "na""me" = 'it''s'
SELECT "Odd Table".id FROM "Odd Table", singer WHERE "Odd Table".id = singer.id
SELECT CAST(age AS INTEGER), COALESCE(name, 'x'), round(age / 2, 1) FROM singer
SELECT s.name FROM singer AS s JOIN singer AS r ON s.id = r.id WHERE s.age > r.age
SELECT name FROM singer WHERE (age + 1) * 2 > 4 AND (country = 'x' OR age IS NOT NULL)
SELECT "naïve" FROM "été"
SELECT country, COUNT(*) AS n_singers FROM singer GROUP BY country ORDER BY n_singers DESC LIMIT 1
SELECT country, COUNT(*) AS n_singers FROM singer GROUP BY country HAVING n_singers > 1 AND n_singers < 9
SELECT country, SUM(age) AS total, COUNT(*) FROM singer GROUP BY country ORDER BY total / 2, COUNT(*)
SELECT upper(country) AS in_capitals, COUNT(*) FROM singer GROUP BY in_capitals ORDER BY in_capitals
SELECT name, RANK() OVER (ORDER BY age) AS by_age FROM singer ORDER BY by_age
SELECT name AS who_is FROM singer UNION SELECT title FROM concert ORDER BY who_is
SELECT name FROM singer s JOIN (SELECT id, COUNT(*) AS n FROM concert GROUP BY id) AS T2 ON s.id = T2.id WHERE T2.n > 1
SELECT name FROM singer JOIN (SELECT id, COUNT(*) AS n_of FROM concert GROUP BY id) AS T2 USING (id) ORDER BY n_of
SELECT ROUND(100.0 * SUM(CASE WHEN age > 3 THEN 1 ELSE 0 END) / COUNT(*), 1) FROM singer
SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM concert GROUP BY stadium_id) AS z
SELECT AVG(num_concerts), MAX(n) FROM (SELECT id, COUNT(*) AS num_concerts, SUM(year) AS n FROM concert GROUP BY id) T1
SELECT id FROM concert GROUP BY 1 HAVING 2 < (SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM concert GROUP BY id) z)
SELECT SUBSTRING(name, 1, 4), COUNT(*) FROM singer GROUP BY SUBSTRING(name, 1, 4) ORDER BY SUBSTRING(name, 1, 4), 2
""".strip().splitlines()
DATED = {
    "sqlite": """
SELECT name, JULIANDAY(held) - JULIANDAY(born) FROM singer JOIN concert USING (id)
SELECT AVG(JULIANDAY(held) - JULIANDAY(born)) FROM singer JOIN concert USING (id)
""",
    "duckdb": """
SELECT AVG(DATE_DIFF('day', born, held)) FROM singer JOIN concert USING (id)
SELECT name FROM singer WHERE DATEDIFF('DAY', born, '2020-01-01') > 30
SELECT STRFTIME(CAST(name AS DATE), '%Y-%m'), COUNT(*) FROM singer GROUP BY STRFTIME(CAST(name AS DATE), '%Y-%m')
SELECT YEAR(CAST(title AS TIMESTAMP)) FROM concert
SELECT STRFTIME(born, '%Y') AS y, COUNT(*) FROM singer GROUP BY STRFTIME(born, '%Y') ORDER BY STRFTIME(born, '%Y') DESC
""",
}


def test_what_binds_is_accepted(made: tuple[Any, BoundGrammar], standing: Database) -> None:
    connection, held = made
    for text in (*BOTH, *DATED[standing.kind].strip().splitlines()):
        connection.execute(f"EXPLAIN {text}").fetchall()
        assert accepted(held.reading, text) == text + "."


@pytest.mark.parametrize("text", [f"```sql\n{SINGER}\n```", f"```sql\n\n {SINGER};\n\n```", f"```sql\n{SINGER}```"])
def test_a_query_may_stand_in_a_block(made: tuple[Any, BoundGrammar], text: str) -> None:
    assert accepted(made[1].reading, text) == text + "."
    piece_by_piece = made[1].reading
    for piece in re.findall(r"`+\w*|[^`]+", text):
        after = piece_by_piece.after(piece.encode())
        assert after is not None
        piece_by_piece = after
    assert piece_by_piece.ends


@pytest.mark.parametrize(
    "text",
    [
        "```|python",
        "```| sql",
        "```sql|SELECT",
        "```sql\nSELECT title FROM singer\n|```",
        "```sql\nSELECT name |```",
        f"```sql\n{SINGER}|",
        f"```sql\n{SINGER}\n``|",
        f"```sql\n{SINGER}\n```|\n",
        f"```sql\n{SINGER}\n```|`",
        f"{SINGER}|```",
        f"{SINGER}\n|```",
        "SELECT |```sql\n",
    ],
)
def test_a_block_begins_and_ends_as_one(made: tuple[Any, BoundGrammar], text: str) -> None:
    goes_no_further(made[1].reading, text)


# Each with a bar before the word at which it cannot go on; at the end where it cannot end there.
REFUSED = """
SELECT T1.id FROM (SELECT age * singer.id FROM singer) AS |T1
SELECT title FROM singer|
SELECT T1.title FROM singer AS |T1
SELECT T1.name, T1.|capacity FROM singer
SELECT singer.|title FROM singer
SELECT singer.name FROM concert |WHERE
SELECT singer.name FROM singer AS T1 |WHERE
SELECT T1.name FROM singer |WHERE
SELECT title, age, place FROM concert |WHERE
SELECT id FROM singer JOIN concert |ON
SELECT id FROM singer, |concert
SELECT name FROM singer WHERE |capacity > 3
SELECT name FROM singer WHERE |title = 'x'
SELECT name FROM singer AS T1 WHERE |T2.id = 1
SELECT name FROM singer AS T1 WHERE |singer.id = 1
SELECT T1.name FROM singer AS T1 JOIN concert AS |T1
SELECT T2.place FROM stadium AS |T1
SELECT T1.id FROM singer a, singer b, singer c, singer d, singer |e
SELECT singer.name FROM singer, singer |WHERE
SELECT name FROM singer JOIN concert ON singer.id = concert.id WHERE |id = 1
SELECT name FROM singer JOIN concert ON |capacity = 1
SELECT title FROM concert JOIN stadium USING (|id)
SELECT name FROM singer WHERE |COUNT(*) > 1
SELECT name FROM singer GROUP BY |COUNT(*)
SELECT name FROM singer ORDER BY |COUNT(*)
SELECT SUM(|COUNT(*)) FROM singer
SELECT SUM(|MAX(age)) FROM singer
SELECT lower(|DISTINCT name) FROM singer
SELECT lower(name) |OVER () FROM singer
SELECT name, age FROM singer UNION SELECT title |FROM concert
SELECT name FROM singer UNION SELECT title|, id FROM concert
SELECT name FROM singer UNION SELECT title FROM concert ORDER BY |title
SELECT name FROM singer ORDER BY |2
SELECT name FROM singer ORDER BY |'x'
SELECT name FROM singer WHERE id IN (SELECT id|, title FROM concert)
SELECT name FROM singer WHERE id = (SELECT |* FROM concert)
SELECT T1.title FROM (SELECT year FROM concert) AS |T1
SELECT name FROM (SELECT title FROM concert) AS T1 |WHERE
SELECT name FROM singer WHERE id IN (SELECT id FROM concert ORDER BY |country)
SELECT name AS who_is FROM singer WHERE |who_is = 'x'
SELECT name AS who_is FROM singer ORDER BY |who_was
SELECT name AS who_is, age AS who_is FROM singer ORDER BY |who_is
SELECT COUNT(*) AS n_of FROM singer GROUP BY |n_of
SELECT COUNT(*), SUM(age) AS n_of FROM singer GROUP BY |n_of
SELECT COUNT(*), SUM(age), name FROM singer GROUP BY |2
SELECT RANK() OVER (ORDER BY age) AS by_age, COUNT(*) FROM singer GROUP BY |by_age
SELECT country, SUM(age) AS n_of FROM singer GROUP BY country ORDER BY SUM(|n_of)
SELECT |n_of FROM (SELECT COUNT(*) AS n_of FROM singer) AS T1
""".strip("\n").splitlines()


def goes_no_further(reading: Reading, text: str) -> None:
    """A text is refused in the word after its bar, or before it is over where the bar is at its end."""
    begins, _, rest = text.partition("|")
    got = accepted(reading, begins + rest)
    assert got.startswith(begins), f"{text!r}: refused after {got!r}"
    word = re.match(r"'[^']*'|\w+.?|\W|$", rest)
    assert word is not None
    assert len(got) < len(begins) + len(word[0]) or got == begins, f"{text!r}: accepted {got!r}"


def test_what_cannot_bind_goes_no_further(made: tuple[Any, BoundGrammar]) -> None:
    for text in REFUSED:
        goes_no_further(made[1].reading, text)


TYPED = """
SELECT SUM(|name) FROM singer
SELECT country, COUNT(*) FROM singer |ORDER BY 2
SELECT name, country, COUNT(*) FROM singer GROUP BY country |ORDER
SELECT COUNT(*) FROM singer GROUP BY SUBSTRING(name, 1, 4) ORDER BY SUBSTRING(name, 1, |5)
SELECT country FROM singer GROUP BY country HAVING |age > 3
SELECT COUNT(*) FROM singer ORDER BY |name
SELECT name FROM singer WHERE age |LIKE '1%'
SELECT name FROM singer WHERE age > |'old'
SELECT name FROM singer WHERE name > |5
SELECT name FROM singer WHERE born > |'2000-13-01'
SELECT name FROM singer WHERE name IN (SELECT |year FROM concert)
""".strip().splitlines()


UNKEPT = """
SELECT AVG(n) FROM |concert
SELECT name, AVG(|cnt)
SELECT AVG(n), |name
SELECT AVG(num_x) FROM (SELECT COUNT(*) |FROM
SELECT AVG(num_x) FROM (SELECT COUNT(*) AS |nothing
SELECT AVG(num_x) FROM (SELECT year |FROM
""".strip().splitlines()


def test_an_output_that_is_named_before_from_is_of_a_query_in_from(made: tuple[Any, BoundGrammar]) -> None:
    _, held = made
    for text in UNKEPT:
        goes_no_further(held.reading, text)


def test_only_duckdb_minds_kinds_and_groups(made: tuple[Any, BoundGrammar], standing: Database) -> None:
    _, held = made
    for text in TYPED:
        if standing.kind == "duckdb":
            goes_no_further(held.reading, text)
        else:
            assert accepted(held.reading, text.replace("|", "")).startswith(text.replace("|", ""))


CALLS = """
SELECT DATEDIFF(|MIN(born), born, born) FROM singer
SELECT DATEDIFF(|NULL, born, born) FROM singer
SELECT DATEDIFF(|(NULL), born, born) FROM singer
SELECT DATEDIFF('day', born, |NULL) FROM singer
SELECT DATEDIFF('day', born, (|NULL)) FROM singer
SELECT ROUND(age, |NULL) FROM singer
""".strip().splitlines()


def test_a_call_of_duckdb_takes_constants_of_one_type(made: tuple[Any, BoundGrammar], standing: Database) -> None:
    for text in CALLS if standing.kind == "duckdb" else ():
        goes_no_further(made[1].reading, text)


def test_a_reading_is_a_value(made: tuple[Any, BoundGrammar]) -> None:
    begun = made[1].reading.after(b"SELECT T1.")
    assert begun is not None
    assert begun.after(b"title") is not None
    assert begun.after(b"age") is not None
    assert begun.after(b"nothing") is None
    assert begun.after(b"title") == begun.after(b"title")


def test_tokens_may_end_within_letters_and_names(made: tuple[Any, BoundGrammar]) -> None:
    whole = 'SELECT "naïve" FROM "été"'.encode()
    for size in (1, 2, 3, 5, 8):
        reading: Reading | None = made[1].reading
        for start in range(0, len(whole), size):
            assert reading is not None
            reading = reading.after(whole[start : start + size])
        assert reading is not None
        assert reading.ends


def test_what_is_bound_is_a_grammar_to_those_who_know_no_more(made: tuple[Any, BoundGrammar]) -> None:
    assert made[1].startswith("root ::= ")
    assert isinstance(made[1], str)


def test_random_replies_end_and_are_prepared(made: tuple[Any, BoundGrammar]) -> None:
    check(*made, seeds=range(10))


def check(connection: Any, held: BoundGrammar, seeds: range) -> None:
    """Draws replies: none comes to where nothing can follow, and the engine prepares what is whole."""
    grammar = Grammar(str(held))
    ended = 0
    for text in replies(grammar, held, seeds):
        connection.execute(f"EXPLAIN {unfenced(text)}").fetchall()
        ended += 1
    assert ended


def unfenced(text: str) -> str:
    """A reply without the first and last line of a block."""
    return text.removeprefix(FENCE).removesuffix(CLOSING)


def replies(grammar: Grammar, held: BoundGrammar, seeds: range) -> Iterator[str]:
    for seed in seeds:
        text, whole = walked(random.Random(seed), grammar, held.reading)
        if whole:
            yield text
