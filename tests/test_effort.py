"""What each effort puts together: one query where it is enough, more where they disagree, a vote where it is close."""

from __future__ import annotations

from typing import Any

import askwhere
import pytest
from askwhere.models import Completions, Scripted
from askwhere.pipeline.effort import LEVELS
from support import PER_COUNTRY, Database, Make, steps

pytestmark = pytest.mark.any_engine

NAMES = "SELECT name FROM customers ORDER BY id"
COUNT = "SELECT count(*) AS n FROM customers"


@pytest.fixture
def effort(scripted: Make) -> Make:
    return lambda *replies, **settings: scripted(*replies, **{"method": "", **settings})


def groups(connection: Any, question: str = "flurb") -> list[tuple[str, float]]:
    sql = "SELECT sql, round(confidence, 2) FROM ask_candidates(?) ORDER BY rank"
    return [(sql, confidence) for sql, confidence in connection.execute(sql, (question,)).fetchall()]


def test_a_query_that_the_reader_agrees_with_is_enough(effort: Make) -> None:
    con, model = effort("SELECT COUNT(id) AS n FROM customers")
    assert askwhere.ask(con, "how many customers are there").rows == ((3,),)
    assert len(model.prompts) == 1
    assert steps(con, "how many customers are there")[:3] == ["generate", "run", "read"]


class Telling:
    """Writes the same query to every prompt, and says how probable its tokens are."""

    name, remote = "telling", False

    def __init__(self, sql: str, logprob: float) -> None:
        self.sql, self.logprob = sql, logprob

    def complete(self, prompt: str, n: int = 1, **_: Any) -> Completions:
        return Completions((self.sql,) * n, logprobs=(self.logprob,) * n)


def test_a_query_that_the_model_finds_probable_is_likelier_right(database: Database) -> None:
    found = [
        askwhere.ask(database.shop(model=Telling(NAMES, logprob), method="sea"), "flurb").confidence
        for logprob in (-0.001, -0.05, -0.1, -1.0)
    ]
    assert found == sorted(found, reverse=True)
    assert found[0] > 0.9 > found[1] > 0.5 > found[2] > 0.02 >= found[3]


def test_a_probable_query_needs_no_samples(database: Database) -> None:
    assert askwhere.ask(database.shop(model=Telling(NAMES, -0.001)), "flurb").usage.calls == 1
    assert askwhere.ask(database.shop(model=Telling(NAMES, -0.09)), "flurb").usage.calls > 1


@pytest.mark.parametrize(("logprob", "expected"), [(-0.001, "telling"), (-0.2, "reader")])
def test_fast_weighs_a_reading_that_is_not_sure_against_the_models_query(
    database: Database, logprob: float, expected: str
) -> None:
    con = database.shop(model=Telling(NAMES, logprob), effort="fast")
    sql = "SELECT origin FROM ask_candidates('orders customers') WHERE chosen"
    assert con.execute(sql).fetchone() == (expected,)


def test_where_the_reader_is_silent_a_second_query_that_agrees_is_enough(effort: Make) -> None:
    con, model = effort(NAMES, f"{NAMES} LIMIT 9")
    answer = askwhere.ask(con, "flurb")
    assert answer.confidence == pytest.approx(2 / 3)
    assert (len(model.prompts), answer.usage.calls) == (2, 2)
    assert "sample" in steps(con)


def test_where_queries_disagree_more_are_sampled_and_the_larger_group_answers(effort: Make) -> None:
    con, model = effort(NAMES, COUNT, COUNT, COUNT, COUNT, COUNT, COUNT, COUNT)
    answer = askwhere.ask(con, "flurb")
    assert answer.rows == ((3,),)
    # One greedy, then one, two and four samples: four against one are as sure as this effort wants.
    assert answer.usage.calls == 4
    assert groups(con) == [(COUNT, 0.6), (NAMES, 0.2)]
    assert len(model.prompts) == 3


def test_no_more_are_sampled_than_the_effort_allows(effort: Make) -> None:
    con, _ = effort(*[NAMES, COUNT] * 4, "1", "1", "2")
    assert askwhere.ask(con, "flurb").usage.calls == LEVELS["balanced"].candidates + LEVELS["balanced"].votes


def test_where_groups_are_close_the_model_votes(effort: Make) -> None:
    con, model = effort(*[NAMES, COUNT] * 4, "the answer is 2", '{"answer": 2}', "1")
    answer = askwhere.ask(con, "flurb")
    assert answer.rows == ((3,),)
    assert "1: " in model.prompts[-1] or "1. " in model.prompts[-1]
    assert groups(con)[0] == (COUNT, pytest.approx(0.44, abs=0.01))


def test_where_nobody_votes_the_question_is_ambiguous(effort: Make) -> None:
    con, _ = effort(*[NAMES, COUNT] * 4)
    with pytest.raises(askwhere.Ambiguous, match="the question can be read in 2 ways"):
        askwhere.ask(con, "flurb")
    assert askwhere.ask(con, "flurb", choose=2).rows == ((3,),)
    assert "choose" in steps(con)


def test_a_model_that_can_be_asked_only_once_answers_all_the_same(effort: Make) -> None:
    con, _ = effort(NAMES)
    assert askwhere.ask(con, "flurb").rows == (("Ann",), ("Bo",), ("Cy",))
    (note,) = [
        d
        for (d,) in con.execute(
            "SELECT detail FROM ask_trace('flurb') WHERE step = 'sample' AND prompt IS NULL"
        ).fetchall()
    ]
    assert note.startswith("no more candidates: the script has 0 replies left")


def test_samples_that_fail_are_no_group_but_are_shown(effort: Make) -> None:
    con, _ = effort(NAMES, "SELECT nonsense FROM customers", NAMES, NAMES)
    assert askwhere.ask(con, "flurb").rows[0] == ("Ann",)
    assert [confidence for _, confidence in groups(con)] == [0.75, 0.0]


def test_fast_asks_the_reader_first_and_the_model_once(effort: Make) -> None:
    con, model = effort(NAMES, effort="fast")
    assert askwhere.ask(con, "how many customers are there").rows == ((3,),)
    assert model.prompts == []
    assert len(askwhere.ask(con, "flurb").rows) == 3
    assert len(model.prompts) == 1


def test_thorough_wants_more_agreement_and_asks_with_other_prompts(effort: Make) -> None:
    con, model = effort(*[NAMES] * 4, effort="thorough")
    assert askwhere.ask(con, "flurb").usage.calls == 4
    assert len(set(model.prompts)) == len(model.prompts) == 3


def test_thorough_corrects_the_parts_of_queries_that_are_close(effort: Make) -> None:
    lacking = '[{"token": "flurb", "schema": "customers.name", "type": "col"}]'
    sampled = [NAMES, COUNT] * 50
    con, model = effort(*sampled, lacking, lacking, NAMES, NAMES, NAMES, *["1"] * 9, effort="thorough")
    assert askwhere.ask(con, "flurb").rows[0] == ("Ann",)
    assert "correct entities" in steps(con)
    assert any("The question mentions customers.name" in prompt for prompt in model.prompts)


def origins(connection: Any, question: str = "flurb") -> list[tuple[str, str]]:
    sql = "SELECT origin, sql FROM ask_candidates(?) ORDER BY rank"
    return [(origin, sql) for origin, sql in connection.execute(sql, (question,)).fetchall()]


def test_each_candidate_says_which_prompt_and_which_corrections_wrote_it(effort: Make) -> None:
    con, _ = effort(
        "SELECT salary FROM customers", "the name is wrong", NAMES, COUNT, COUNT, COUNT, COUNT, COUNT, COUNT
    )
    askwhere.ask(con, "flurb")
    assert origins(con) == [("scripted: prompt 1", COUNT), ("scripted + round 1", NAMES)]


def test_queries_that_are_corrected_by_their_parts_say_so(effort: Make) -> None:
    lacking = '[{"token": "flurb", "schema": "customers.country", "type": "col"}]'
    sampled, fixed = [NAMES, COUNT] * 50, "SELECT country, count(*) FROM customers GROUP BY country ORDER BY country"
    con, _ = effort(*sampled, lacking, fixed, lacking, fixed, "none", "none", *["1"] * 9, effort="thorough")
    askwhere.ask(con, "flurb")
    assert origins(con) == [("scripted", NAMES), ("scripted: prompt 1", COUNT), ("scripted + entities", fixed)]


def test_every_group_is_shown_with_what_it_gave(effort: Make) -> None:
    con, _ = effort(NAMES, COUNT, *["SELECT nonsense FROM orders", COUNT] * 3, "2", "2", "2")
    sql = "SELECT chosen, confidence, sql, n_rows, preview, error, ms, origin FROM ask_candidates('flurb')"
    rows = con.execute(sql).fetchall()
    assert [(chosen, n_rows, origin) for chosen, _, _, n_rows, _, _, _, origin in rows] == [
        (True, 1, "scripted: prompt 1"),
        (False, 3, "scripted"),
        (False, None, "scripted: prompt 1"),
    ]
    assert [round(confidence, 2) for _, confidence, *_ in rows] == [0.67, 0.17, 0.0]
    assert [preview for *_, preview, _, _, _ in rows] == ["[[3]]", '[["Ann"], ["Bo"], ["Cy"]]', None]
    assert [error is None for *_, error, _, _ in rows] == [True, True, False]
    assert [ms is not None and ms >= 0 for *_, ms, _ in rows] == [True, True, False]


def test_a_query_that_the_reader_agrees_with_is_not_rid_of_bias(effort: Make) -> None:
    eliminator = Scripted(["SELECT count(*) AS n FROM customers"])
    con, _ = effort("SELECT COUNT(id) AS n FROM customers", eliminator=eliminator)
    assert askwhere.ask(con, "how many customers are there").usage.calls == 1
    assert eliminator.prompts == []


def test_a_query_that_the_reader_does_not_agree_with_is_rid_of_bias(effort: Make) -> None:
    eliminator = Scripted(["SELECT count(*) AS n FROM customers"])
    con, _ = effort("SELECT COUNT(id) AS n FROM orders", eliminator=eliminator)
    question = "how many customers are there"
    assert askwhere.ask(con, question).rows == ((3,),)
    assert [origin for origin, _ in origins(con, question)] == ["scripted + eliminator", "reader"]


def test_only_the_models_own_query_is_corrected(effort: Make) -> None:
    con, model = effort("SELECT salary FROM customers", "no such column", COUNT)
    question = "how many customers are there"
    assert askwhere.ask(con, question).usage.calls == 3
    assert [origin for origin, _ in origins(con, question)] == ["scripted + round 1", "reader"]
    assert len(model.prompts) == 3


def test_a_schema_that_is_shown_whole_is_not_linked(effort: Make) -> None:
    con, _ = effort(*[NAMES] * 4, effort="thorough")
    askwhere.ask(con, "flurb")
    assert not any(step.startswith("link") for step in steps(con))


def wide(database: Database, model: Scripted, **settings: Any) -> Any:
    """A database whose schema no prompt of a hundred tokens shows whole."""
    con = database.raw()
    for number in range(12):
        con.execute(f"CREATE TABLE table_{number} (id INTEGER, name TEXT, amount INTEGER, place TEXT)")
    askwhere.register(con, model=model, effort="thorough", schema_tokens=100, **settings)
    return con


def test_thorough_links_a_schema_that_was_cut(database: Database) -> None:
    tables, columns = '{"tables": ["table_1"]}', '{"columns": ["table_1.name"]}'
    model = Scripted([tables] * 6 + [columns] * 6 + ["SELECT name FROM table_1"] * 4)
    con = wide(database, model)
    assert askwhere.ask(con, "names in table_1").usage.calls == 16
    assert [step for step in steps(con, "names in table_1") if "link" in step].count("link tables") == 3


def test_a_schema_that_cannot_be_linked_stays_as_it_was_cut(database: Database) -> None:
    con = wide(database, Scripted(["SELECT name FROM table_1"] * 4), max_calls=4)
    assert askwhere.ask(con, "names in table_1").usage.calls == 4
    assert "link tables" not in steps(con, "names in table_1")


def test_a_large_result_is_compared_to_the_last_row_whenever_its_like_comes(database: Database) -> None:
    many = "SELECT i FROM many ORDER BY i"
    con = database.raw()
    con.execute(
        "CREATE TABLE many AS WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 3000)"
        " SELECT i FROM k"
    )
    askwhere.register(con, model=Scripted([many, "SELECT i + 0 AS i FROM many ORDER BY i"]))
    answer = askwhere.ask(con, "flurb")
    assert (answer.confidence, answer.usage.calls, len(answer.rows)) == (pytest.approx(2 / 3), 2, 3000)


@pytest.mark.slow
@pytest.mark.parametrize(("level", "calls", "most"), [("fast", 1, 8), ("balanced", 2, 40), ("thorough", 4, 300)])
def test_the_calls_that_a_level_used_and_might_have_used_are_in_the_log(
    effort: Make, level: str, calls: int, most: int
) -> None:
    con, _ = effort(*[PER_COUNTRY] * calls, effort=level)
    con.execute("SELECT * FROM ask('flurb')").fetchall()
    assert con.execute("SELECT effort, calls, max_calls FROM ask_log()").fetchall() == [(level, calls, most)]


@pytest.mark.parametrize(("given", "most"), [({"max_calls": 7}, 7), ({"method": "mcs", "leave_out": "linking"}, 300)])
def test_the_log_has_what_the_settings_allow(effort: Make, given: dict[str, Any], most: int) -> None:
    con, _ = effort(**given)
    with pytest.raises(askwhere.AskError):
        askwhere.ask(con, "flurb")
    assert con.execute("SELECT max_calls FROM ask_log()").fetchall() == [(most,)]
