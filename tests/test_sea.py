"""SEA-SQL end to end, over both engines, with a scripted model: every branch of what follows a reply."""

from __future__ import annotations

import threading
from typing import Any

import askwhere
import pytest
from askwhere.models import Completions, Scripted
from support import PER_COUNTRY, Database, in_threads, steps

pytestmark = pytest.mark.any_engine

RIGHT = "SELECT name FROM customers ORDER BY id"
WRONG = "SELECT salary FROM customers"
TYPE = {"sqlite": "TEXT", "duckdb": "VARCHAR"}


def trace(connection: Any, question: str = "flurb") -> list[tuple[str, str | None]]:
    rows = connection.execute(f"SELECT step, detail FROM ask_trace('{question}')").fetchall()
    return [(step, detail) for step, detail in rows]


def test_a_query_that_runs_is_asked_for_once(database: Database) -> None:
    model = Scripted([RIGHT])
    connection = database.shop(model=model, method="sea")
    assert [row[0] for row in askwhere.ask(connection, "flurb").rows] == ["Ann", "Bo", "Cy"]
    assert steps(connection) == ["generate", "run"]
    assert len(model.prompts) == 1


def test_a_query_that_fails_is_reflected_on_and_corrected(database: Database) -> None:
    model = Scripted([WRONG, "There is no column salary; it is name.", RIGHT])
    connection = database.shop(model=model, method="sea")
    answer = askwhere.ask(connection, "flurb")
    assert answer.sql.count("name") == 1
    assert steps(connection) == ["generate", "run", "reflect", "correct", "run"]
    assert (answer.usage.requests, answer.usage.calls) == (3, 3)
    reflecting, correcting = model.prompts[1:]
    assert f"### Query: {WRONG}\n### Error: " in reflecting
    assert "salary" in reflecting.split("### Error: ")[1].split("\n")[0]
    assert "### Reason: There is no column salary; it is name." in correcting


def test_every_round_is_shown_all_that_went_before(database: Database) -> None:
    others = ("SELECT wage FROM customers", "SELECT income FROM customers")
    model = Scripted([WRONG, "one", others[0], "two", others[1], "three", RIGHT])
    connection = database.shop(model=model, method="sea")
    assert len(askwhere.ask(connection, "flurb").rows) == 3
    last = model.prompts[-1]
    assert [part.split("\n")[0] for part in last.split("### Query: ")[1:]] == [
        WRONG, *others,
    ]  # fmt: skip
    assert [f"### Reason: {word}" in last for word in ("one", "two", "three")] == [True] * 3


def test_a_repeated_query_ends_the_adjustment(database: Database) -> None:
    model = Scripted([WRONG, "why", f"{WRONG} ;"])
    connection = database.shop(model=model, method="sea")
    with pytest.raises(askwhere.AskError, match="no usable query was found"):
        askwhere.ask(connection, "flurb")
    assert trace(connection)[-1] == ("correct", "round 1: the same query again")


@pytest.mark.slow
@pytest.mark.parametrize(("effort", "rounds"), [("fast", 2), ("balanced", 4), ("thorough", 10)])
def test_there_are_as_many_rounds_as_the_effort_says(database: Database, effort: str, rounds: int) -> None:
    replies = [WRONG, *(reply for i in range(20) for reply in ("why", f"SELECT salary{i} FROM customers"))]
    connection = database.shop(model=Scripted(replies), effort=effort, max_calls=100)
    with pytest.raises(askwhere.AskError, match="no usable query was found"):
        askwhere.ask(connection, "flurb")
    assert steps(connection).count("correct") == rounds


def test_the_method_sea_has_ten_rounds_whatever_the_effort(database: Database) -> None:
    replies = [WRONG, *(reply for i in range(20) for reply in ("why", f"SELECT salary{i} FROM customers"))]
    connection = database.shop(model=Scripted(replies), effort="fast", method="sea", max_calls=100)
    with pytest.raises(askwhere.AskError, match="salary9"):
        askwhere.ask(connection, "flurb")


def test_prose_is_told_and_corrected_like_an_error(database: Database) -> None:
    model = Scripted(["I would have to know more about it.", "It was prose.", RIGHT])
    connection = database.shop(model=model, method="sea")
    assert len(askwhere.ask(connection, "flurb").rows) == 3
    assert "### Error: the reply was not one SQL query" in model.prompts[1]


def test_several_statements_are_corrected_and_never_run(database: Database) -> None:
    model = Scripted([f"{RIGHT}; DROP TABLE customers", "Two statements.", RIGHT])
    connection = database.shop(model=model, method="sea")
    assert len(askwhere.ask(connection, "flurb").rows) == 3
    assert connection.execute("SELECT count(*) FROM customers").fetchall() == [(3,)]
    assert "it must be one SELECT over the tables and columns above" in model.prompts[1]


def test_a_model_that_fails_while_correcting_leaves_the_querys_own_error(database: Database) -> None:
    connection = database.shop(model=Scripted([WRONG]), method="sea")
    with pytest.raises(askwhere.AskError, match="salary") as caught:
        askwhere.ask(connection, "flurb")
    assert "not corrected further: the script has 0 replies left" in str(caught.value)


def test_the_eliminator_sees_what_the_query_gave_and_replaces_it(database: Database) -> None:
    eliminator = Scripted([f"```sql\n{RIGHT}\n```"])
    connection = database.shop(model=Scripted([PER_COUNTRY]), eliminator=eliminator, method="sea")
    assert len(askwhere.ask(connection, "flurb").rows) == 3
    assert steps(connection) == ["generate", "run", "eliminate", "run"]
    assert "### It gave: 2 rows of country, n\n('Canada', 2)\n('Norway', 1)" in eliminator.prompts[0]


def test_the_eliminator_sees_at_most_ten_rows(database: Database) -> None:
    sql = "SELECT a.id FROM orders a, orders b"
    eliminator = Scripted([sql])
    connection = database.shop(model=Scripted([sql]), eliminator=eliminator, method="sea")
    askwhere.ask(connection, "flurb")
    assert "### It gave: 16 rows of id\n" in eliminator.prompts[0]
    assert eliminator.prompts[0].count("\n(") == 10


def test_the_eliminator_may_keep_the_query(database: Database) -> None:
    connection = database.shop(model=Scripted([RIGHT]), eliminator=Scripted([f"{RIGHT};"]), method="sea")
    assert len(askwhere.ask(connection, "flurb").rows) == 3
    assert steps(connection) == ["generate", "run", "eliminate"]


def test_a_query_that_runs_is_not_replaced_by_one_that_does_not(database: Database) -> None:
    connection = database.shop(model=Scripted([RIGHT]), eliminator=Scripted([WRONG]), method="sea")
    assert len(askwhere.ask(connection, "flurb").rows) == 3


def test_the_eliminator_is_shown_the_error_of_a_query_that_fails(database: Database) -> None:
    eliminator = Scripted([RIGHT])
    connection = database.shop(model=Scripted([WRONG]), eliminator=eliminator, method="sea")
    assert len(askwhere.ask(connection, "flurb").rows) == 3
    assert "### It gave: the error " in eliminator.prompts[0]


def test_at_fast_the_reader_answers_first_and_the_model_what_it_refuses(database: Database) -> None:
    model = Scripted([RIGHT])
    connection = database.shop(model=model, effort="fast")
    assert askwhere.ask(connection, "How many customers are there?").rows == ((3,),)
    assert model.prompts == []
    assert len(askwhere.ask(connection, "flurb").rows) == 3
    assert len(model.prompts) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("effort", "origins"), [("balanced", {"scripted", "reader"}), ("fast", {"reader"})])
def test_the_readers_readings_are_candidates_beside_the_models(
    database: Database, effort: str, origins: set[str]
) -> None:
    connection = database.shop(model=Scripted(["SELECT count(*) AS n FROM customers"]), effort=effort)
    answer = askwhere.ask(connection, "How many customers are there?")
    assert {c.origin for c in answer.candidates} == origins


def test_calls_run_out_with_what_was_spent(database: Database) -> None:
    replies = [WRONG, "why", "SELECT wage FROM customers", "why"]
    connection = database.shop(model=Scripted(replies), method="sea", max_calls=3)
    with pytest.raises(askwhere.AskError, match=r"max_calls.*spent 3 of 3 completions"):
        askwhere.ask(connection, "flurb")


class Endless:
    """Writes as many tokens as it may, none of which is SQL."""

    name = "endless"
    remote = False

    def complete(self, prompt: str, n: int = 1, max_tokens: int = 1024, **_: object) -> Completions:
        return Completions(("word " * max_tokens,) * n, 10, n * max_tokens)


def test_tokens_run_out_with_what_was_spent(database: Database) -> None:
    connection = database.shop(model=Endless(), method="sea", max_tokens=100, max_calls=100)
    with pytest.raises(askwhere.AskError, match=r"max_tokens.*100 of 100 tokens"):
        askwhere.ask(connection, "flurb")


def test_a_slow_model_runs_out_of_seconds(database: Database) -> None:
    class Slow(Endless):
        def complete(self, *args: Any, **options: Any) -> Completions:
            threading.Event().wait(0.2)
            return super().complete(*args, **options)

    connection = database.shop(model=Slow(), method="sea", max_seconds=0.1)
    with pytest.raises(askwhere.OutOfBudget, match=r"max_seconds.*of 0.1 s"):
        askwhere.ask(connection, "flurb")


def test_a_users_own_model_that_breaks_is_a_model_error(database: Database) -> None:
    class Broken(Endless):
        def complete(self, *args: Any, **options: Any) -> Completions:
            raise KeyError("choices")

    connection = database.shop(model=Broken())
    with pytest.raises(askwhere.ModelError, match="model endless failed: KeyError: 'choices'"):
        askwhere.ask(connection, "flurb")


def test_a_grammar_goes_to_models_that_take_one(database: Database) -> None:
    class Held(Endless):
        grammars = True
        seen: list[object] = []  # noqa: RUF012

        def complete(self, prompt: str, *args: Any, grammar: str | None = None, **options: Any) -> Completions:
            self.seen.append(grammar)
            return Completions((RIGHT,))

    model = Held()
    connection = database.shop(model=model, method="sea")
    askwhere.ask(connection, "flurb")
    connection.execute("SELECT ask_set('grammar', 'off')").fetchall()
    askwhere.ask(connection, "flurb")
    assert '"customers' in str(model.seen[0]) or "ustomers" in str(model.seen[0])
    assert model.seen[1] is None


@pytest.mark.slow
def test_questions_in_parallel_do_not_mix(database: Database) -> None:
    """Each connection's question gets the answer to itself, whatever the other asks meanwhile."""

    class Echo(Endless):
        def complete(self, prompt: str, *args: Any, **options: Any) -> Completions:
            asked = prompt.split("### Question: ")[1].split("\n")[0]
            threading.Event().wait(0.01)
            return Completions((f"SELECT '{asked}' AS asked FROM customers LIMIT 1",))

    model = Echo()

    def work(number: int) -> list[Any]:
        connection = database.shop(model=model)
        asked = [f"SELECT asked FROM ask('flurb {number} {turn}')" for turn in range(5)]
        return [connection.execute(sql).fetchall() for sql in asked]

    assert in_threads(work, range(4)) == [[[(f"flurb {n} {t}",)] for t in range(5)] for n in range(4)]


SECRET = "xyzzy-plugh-4711"


@pytest.mark.parametrize(
    ("values", "remote"), [("hide", False), ("matched", False), ("matched", True), ("", True), ("hide", True)]
)
def test_a_planted_secret_never_leaves(database: Database, values: str, remote: bool) -> None:
    """Neither in the schema, nor in what a query gave, nor in an error that holds it."""
    failing = {
        "sqlite": "SELECT json_extract(note, '$') FROM notes",
        "duckdb": "SELECT CAST(note AS INTEGER) FROM notes",
    }[database.kind]
    model = Scripted([failing, "why", "SELECT note FROM notes"], remote=remote)
    eliminator = Scripted(["SELECT id, note FROM notes", failing], remote=remote)
    connection = database.shop(model=model, eliminator=eliminator, values=values, method="sea")
    connection.execute("CREATE TABLE notes (id INTEGER, note TEXT)")
    connection.execute(f"INSERT INTO notes VALUES (1, '{SECRET}')")
    assert SECRET not in str(connection.execute("SELECT ask_prompt('notes')").fetchall())
    assert askwhere.ask(connection, "notes").rows[0][-1] == SECRET
    assert len(model.prompts + eliminator.prompts) >= 2
    for prompt in model.prompts + eliminator.prompts:
        assert SECRET not in prompt


@pytest.mark.slow
@pytest.mark.parametrize("values", ["show", "matched", "hide"])
def test_a_hidden_column_is_in_no_prompt(database: Database, values: str) -> None:
    guess = "SELECT token FROM notes"
    model = Scripted([guess, "why", "SELECT tokens FROM notes", "why", "SELECT id FROM notes"])
    connection = database.shop(model=model, values=values, hide_columns="notes.token?", method="sea")
    connection.execute("CREATE TABLE notes (id INTEGER, token TEXT)")
    connection.execute(f"INSERT INTO notes VALUES (1, '{SECRET}')")
    assert askwhere.ask(connection, "notes please").rows == ((1,),)
    for prompt in model.prompts:
        assert SECRET not in prompt
    assert "token" not in model.prompts[0]


def test_values_that_the_question_mentions_are_shown_to_a_server(database: Database) -> None:
    model = Scripted(["SELECT count(*) AS n FROM customers WHERE country = 'Norway'"], remote=True)
    connection = database.shop(model=model)
    askwhere.ask(connection, "flurb from norway")
    assert "customers.country: 'Norway'" in model.prompts[0]
    assert "Canada" not in model.prompts[0]


def test_ask_prompt_is_what_the_model_is_sent(database: Database) -> None:
    model = Scripted([RIGHT])
    connection = database.shop(model=model, method="sea")
    ((shown,),) = connection.execute("SELECT ask_prompt('flurb of Ann')").fetchall()
    askwhere.ask(connection, "flurb of Ann")
    assert model.prompts == [shown]


def test_what_is_the_same_for_every_question_comes_first(database: Database) -> None:
    connection = database.shop(model=Scripted([]))
    one, other = (
        connection.execute(f"SELECT ask_prompt('{question}')").fetchall()[0][0] for question in ("Ann", "Norway")
    )
    same = next(i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    assert "orders" in one[:same]
    assert one[:same].endswith("# values that the question may mean\ncustomers.")


def test_a_cut_schema_is_recorded(database: Database) -> None:
    connection = database.shop(model=Scripted([RIGHT]), schema_tokens=100)
    for number in range(30):
        connection.execute(f"CREATE TABLE log_{number} (level TEXT, content TEXT, origin TEXT)")
    askwhere.ask(connection, "flurb of customers")
    (first, detail) = trace(connection, "flurb of customers")[0]
    assert first == "schema"
    assert detail is not None
    assert "of 32 tables and leaves out" in detail
    assert "customers" in detail


def test_a_question_that_was_not_asked_has_no_trace(database: Database) -> None:
    assert trace(database.shop(), "never asked") == []


def test_the_trace_of_a_question_that_failed_is_kept(database: Database) -> None:
    connection = database.shop(model=Scripted([]))
    with pytest.raises(askwhere.ModelError):
        askwhere.ask(connection, "flurb")
    assert trace(connection)[1:] == [("generate", "failed: the script has 0 replies left, 1 were asked for")]


def test_the_eliminator_can_be_left_out(database: Database) -> None:
    eliminator = Scripted([])
    connection = database.shop(model=Scripted([RIGHT]), eliminator=eliminator, method="sea", leave_out="elimination")
    assert len(askwhere.ask(connection, "flurb").rows) == 3
    assert eliminator.prompts == []


def test_the_adjustment_can_be_left_out(database: Database) -> None:
    model = Scripted([WRONG, "why", RIGHT])
    connection = database.shop(model=model, method="sea", leave_out="adjustment")
    with pytest.raises(askwhere.AskError, match="salary"):
        askwhere.ask(connection, "flurb")
    assert steps(connection) == ["generate", "run"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shown", "examples", "found"),
    [
        (0, "", None),
        (1, " -- 'Canada'", "'Norway'"),
        (2, " -- 'Canada', 'Norway'", "'Norway'"),
        (3, " -- 'Canada', 'Norway', 'Peru'", "'Norway'"),
    ],
)
def test_as_many_values_are_shown_as_the_setting_says(
    database: Database, shown: int, examples: str, found: str | None
) -> None:
    connection = database.shop(model=Scripted([]), method="sea", values_shown=shown, values="show")
    connection.execute("INSERT INTO customers VALUES (4, 'Di', 'Peru')")
    ((prompt,),) = connection.execute("SELECT ask_prompt('customers from Norway')").fetchall()
    lines = prompt.split("\n")
    assert [line for line in lines if line.startswith("  country ")] == [f"  country {TYPE[database.kind]},{examples}"]
    assert [line.split(": ")[1] for line in lines if line.startswith("customers.country:")] == [found] * bool(found)


def test_the_number_of_values_may_change_between_questions(database: Database) -> None:
    connection = database.shop(model=Scripted([]), method="sea", values="show")
    asked = "SELECT ask_prompt('flurb')"
    ((two,),) = connection.execute(asked).fetchall()
    connection.execute("SELECT ask_set('values_shown', 1)").fetchall()
    ((one,),) = connection.execute(asked).fetchall()
    assert ("'Canada', 'Norway'" in two, "'Canada', 'Norway'" in one) == (True, False)
