"""MCS-SQL step by step with a scripted model: what it is asked, and every branch of what follows a reply."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import askwhere
import pytest
from askwhere import settings
from askwhere.engine import Column, ForeignKey, Grant, Result, Table
from askwhere.errors import QueryError, SettingError
from askwhere.indexer.catalog import Catalog
from askwhere.models import Completions, Scripted
from askwhere.pipeline import replies, schema_linking
from askwhere.pipeline.choice import choice_named, fastest, survivors
from askwhere.pipeline.facts import Candidate
from askwhere.pipeline.schema_linking import columns_named, tables_named
from askwhere.setting_values import Mcs
from support import Database, Make

pytestmark = pytest.mark.any_engine

GOLDEN = Path(__file__).with_name("mcs_prompts.txt")
QUESTION = "flurb of customers in Canada"
CANADIANS = "SELECT name FROM customers WHERE country = 'Canada'"
SAME = "SELECT c.name FROM customers AS c WHERE c.country = 'Canada'"
ALL = "SELECT name FROM customers"
COUNTRIES = "SELECT country FROM customers"
WRONG = "SELECT salary FROM customers"
# One completion of one prompt a step; of what matters in a test there are more.
ONE = {"table_prompts": 1, "column_prompts": 1, "link_samples": 1, "prompts": 1, "samples": 1, "votes": 1}


def small(**other: float) -> str:
    return ", ".join(f"{name}={value}" for name, value in (ONE | other).items())


def tables(*names: str) -> str:
    return json.dumps({"tables": [{"table": name, "reason": "it is named"} for name in names]})


def columns(*names: str) -> str:
    return json.dumps({"columns": [{"column": name, "reason": "it is shown"} for name in names]})


def written(sql: str) -> str:
    return f"The question is about customers.\n```sql\n{sql}\n```"


def vote(number: int) -> str:
    return json.dumps({"reason": "it fits", "answer": number})


LINKED = (tables("customers"), columns("customers.name", "customers.country"))


@pytest.fixture
def mcs(database: Database) -> Make:
    """A shop asked by MCS-SQL, with few prompts; a step that is not meant is left out."""

    def make(*replies: str, **options: Any) -> tuple[Any, Scripted]:
        model = Scripted(replies, remote=options.pop("remote", False))
        names = ("leave_out", "values", "hide_columns", "remember", "min_confidence")
        given = {name: options.pop(name) for name in names if name in options}
        return database.shop(model=model, method="mcs", mcs=small(**options), **given), model

    return make


def notes(connection: Any, step: str, question: str = QUESTION) -> list[str]:
    found = connection.execute("SELECT detail FROM ask_trace(?) WHERE step = ?", (question, step)).fetchall()
    return [detail for (detail,) in found]


def prompts(model: Scripted, end: str) -> list[str]:
    return [prompt for prompt in model.prompts if prompt.endswith(end)]


# -------------------------------------------------------------------------------------------------------------- linking


def test_tables_are_linked_then_columns_then_a_query_is_written(mcs: Make) -> None:
    con, model = mcs(*LINKED, written(CANADIANS))
    assert askwhere.ask(con, QUESTION).rows == (("Ann",), ("Bo",))
    assert [prompt.split("\n")[-1] for prompt in model.prompts] == ["### Tables:", "### Columns:", "### Explanation:"]
    first, second, third = model.prompts
    assert "CREATE TABLE orders" in first
    assert "CREATE TABLE orders" not in second
    assert "amount" not in third


def test_what_any_reply_names_is_kept(mcs: Make) -> None:
    named = (tables("customers"), tables("orders", "nothing"), columns("customers.name"), columns("orders.amount"))
    con, model = mcs(*named, written(CANADIANS), link_samples=2)
    askwhere.ask(con, QUESTION)
    assert notes(con, "link") == [
        "customers.id, customers.name, orders.amount, orders.customer_id, orders.id",
    ]
    assert "amount DOUBLE" in model.prompts[-1]
    assert "country" not in model.prompts[-1].split("###")[1]


def test_keys_of_the_tables_that_are_kept_stay(mcs: Make) -> None:
    con, model = mcs(tables("orders", "customers"), columns("orders.amount"), written(CANADIANS))
    askwhere.ask(con, QUESTION)
    shown = model.prompts[-1]
    assert "FOREIGN KEY (customer_id) REFERENCES customers (id)" in shown
    assert "PRIMARY KEY (id)" in shown
    assert "country" not in shown.split("### Other")[0].split("### Explain")[0]


def test_a_reference_to_a_table_that_is_not_kept_is_not_shown(mcs: Make) -> None:
    con, model = mcs(tables("orders"), columns("orders.customer_id"), written("SELECT id FROM orders"))
    askwhere.ask(con, QUESTION)
    assert "refers to" not in model.prompts[-1]


@pytest.mark.slow
@pytest.mark.parametrize("reply", ["none of them", tables("nothing"), "{}", ""])
def test_a_linking_that_names_nothing_keeps_the_schema(mcs: Make, reply: str) -> None:
    con, model = mcs(reply, reply, written(CANADIANS))
    askwhere.ask(con, QUESTION)
    assert "amount DOUBLE" in model.prompts[-1]
    assert notes(con, "link tables")[1:] == ["1 of 1 replies named nothing that is there"]


def test_tables_and_columns_stand_in_another_order_in_each_prompt(mcs: Make) -> None:
    con, model = mcs(*[LINKED[0]] * 2, *[LINKED[1]] * 6, written(CANADIANS), table_prompts=2, column_prompts=6)
    askwhere.ask(con, QUESTION)
    assert len(set(prompts(model, "### Tables:"))) == 2
    assert len(set(prompts(model, "### Columns:"))) == 6


def test_a_model_that_fails_while_linking_fails_the_question(mcs: Make) -> None:
    con, _ = mcs(LINKED[0])
    with pytest.raises(askwhere.ModelError, match="the script has 0 replies left"):
        askwhere.ask(con, QUESTION)


def made(*found: Table) -> Catalog:
    return Catalog(found, Grant(found))


SHOP = made(
    Table(("main", "customers"), (Column("id"), Column("name")), primary_key=("id",)),
    Table(("main", "Order Lines"), (Column("id"), Column("Unit Price")),
          foreign_keys=(ForeignKey(("id",), ("main", "customers"), ("id",)),)),
)  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ('{"tables": [{"table": "customers", "reason": "x"}]}', "customers"),
        ('```json\n{"tables": ["Customers", "ORDER LINES"]}\n```', "Order Lines, customers"),
        ('Sure: {"reasoning": {"Order Lines": "not needed"}, "answer": ["customers"]}', "customers"),
        ("{'tables': ['main.customers',]}", "customers"),
        ('{"customers": "names are there", "Order Lines": false}', "customers"),
        ('{"tables": [{"table": "customers", "needed": false}, {"table": "Order Lines"}]}', "Order Lines"),
        ('{"tables": [{"table": "customers", "reason": "cut"}, {"table": "Order Li', "customers"),
        ('["\\"Order Lines\\""]', "Order Lines"),
        ("- customers: for the names\n- Order Lines", "Order Lines, customers"),
        ("1. customers, 2. orders", "customers"),
        ("<think>Order Lines? {\"tables\": [\"Order Lines\"]}</think>[\"customers\"]", "customers"),
        ("The customers table is needed.", ""),
        ('{"tables": "customers"}', "customers"),
        ("[" * 5_000, ""),
        ('{"tables": null}', ""),
    ],
)  # fmt: skip
def test_tables_are_read_leniently_and_checked_against_the_catalog(reply: str, found: str) -> None:
    assert ", ".join(sorted(path[-1] for path in tables_named(reply, SHOP))) == found


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        (columns("customers.name"), "customers.name"),
        (columns('"main"."customers"."name"', "[Order Lines].[Unit Price]"), "Order Lines.Unit Price, customers.name"),
        ('{"customers": ["id", "name"]}', "customers.id, customers.name"),
        ('[{"table": "customers", "columns": ["id"]}]', "customers.id"),
        ('{"columns": ["unit price", "id"]}', "Order Lines.Unit Price"),
        (columns("customers.age", "orders.id"), ""),
        ('{"columns": [{"column": "customers.name", "reason": "customers.id is no name"}]}', "customers.name"),
    ],
)
def test_columns_are_read_leniently_and_checked_against_the_catalog(reply: str, found: str) -> None:
    assert ", ".join(sorted(f"{path[-1]}.{name}" for path, name in columns_named(reply, SHOP))) == found


def test_orders_are_the_same_for_the_same_question_and_differ_from_each_other() -> None:
    several = made(*(Table((f"t{i}",), (Column("a"), Column("b"))) for i in range(6)))
    found = schema_linking.orders(several, 5, (0, "q"))
    assert found == schema_linking.orders(several, 5, (0, "q"))
    assert len({catalog.tables for catalog in found}) == 5
    assert found != schema_linking.orders(several, 5, (1, "q"))
    assert all({t.path for t in catalog.tables} == {t.path for t in several.tables} for catalog in found)


def test_one_table_of_one_column_has_one_order() -> None:
    assert len(schema_linking.orders(made(Table(("t",), (Column("a"),))), 3, "q")) == 3


# ----------------------------------------------------------------------------------------------------------- generation


PINS = [
    ("names of customers in Norway", "SELECT name FROM customers WHERE country = 'Norway'"),
    ("how many orders", "SELECT count(*) FROM orders"),
    ("the largest amount", "SELECT max(amount) FROM orders"),
    ("customers by name", "SELECT * FROM customers ORDER BY name"),
]


def pinned(con: Any, pins: list[tuple[str, str]] = PINS) -> Any:
    for question, sql in pins:
        con.execute("SELECT ask_pin(?, ?)", (question, sql)).fetchall()
    return con


def examples(prompt: str) -> list[str]:
    part = prompt.split("### Explain")[0].split("### Which")[0]
    return [text.split("\n")[0] for text in part.split("### Question: ")[1:]]


def test_prompts_differ_in_their_examples_and_in_their_order(mcs: Make) -> None:
    con, model = mcs(*[written(CANADIANS)] * 5, prompts=5, leave_out="linking", examples=3)
    askwhere.ask(pinned(con), QUESTION)
    nearest, masked, mixed, *others = map(examples, model.prompts)
    assert nearest[0] == "names of customers in Norway"
    assert masked[0] in ("names of customers in Norway", "customers by name")
    assert mixed[:1] == nearest[:1]
    assert [len(shown) for shown in (nearest, masked, mixed, *others)] == [3] * 5
    assert sorted(others[0]) == sorted(others[1]) == sorted(mixed)


@pytest.mark.slow
def test_without_masked_questions_the_nearest_stand_in_other_orders(mcs: Make) -> None:
    con, model = mcs(*[written(CANADIANS)] * 4, prompts=4, leave_out="linking,masked")
    askwhere.ask(pinned(con), QUESTION)
    assert len({tuple(sorted(examples(prompt))) for prompt in model.prompts}) == 1
    assert len({tuple(examples(prompt)) for prompt in model.prompts}) > 1


@pytest.mark.slow
def test_without_nearest_questions_the_first_prompt_has_the_masked_ones(mcs: Make) -> None:
    replies = [written(CANADIANS)] * 2
    con, model = mcs(*replies, prompts=2, leave_out="linking")
    askwhere.ask(pinned(con), QUESTION)
    con, alone = mcs(*replies, prompts=1, leave_out="linking,nearest")
    askwhere.ask(pinned(con), QUESTION)
    assert alone.prompts == model.prompts[1:]


@pytest.mark.slow
def test_without_both_the_examples_are_random(mcs: Make) -> None:
    first = []
    for seed in range(8):
        con, model = mcs(written(CANADIANS), leave_out="linking,nearest,masked", examples=1, seed=seed)
        askwhere.ask(pinned(con), QUESTION)
        first += examples(model.prompts[0])
    assert len(set(first)) > 1


def test_with_no_examples_prompts_differ_in_the_order_of_tables(mcs: Make) -> None:
    con, model = mcs(*[written(CANADIANS)] * 3, prompts=3, leave_out="linking")
    askwhere.ask(con, QUESTION)
    assert len(set(model.prompts)) == 3
    assert model.prompts[0].index("CREATE TABLE customers") < model.prompts[0].index("CREATE TABLE orders")


@pytest.mark.slow
def test_examples_can_be_left_out(mcs: Make) -> None:
    con, model = mcs(written(CANADIANS), written(ALL), vote(1), samples=2, leave_out="linking,examples")
    askwhere.ask(pinned(con), QUESTION)
    assert all("Norway'" not in prompt and "how many orders" not in prompt for prompt in model.prompts)


def test_a_file_of_examples_is_shown(mcs: Make, tmp_path: Path) -> None:
    path = tmp_path / "pool.jsonl"
    path.write_text(json.dumps({"question": "boats in Peru", "sql": "SELECT b FROM boat WHERE c = 'Peru'"}))
    model = Scripted([written(CANADIANS)])
    con = mcs()[0]
    askwhere.register(con, model=model, method="mcs", mcs=small(), leave_out="linking", examples=str(path))
    askwhere.ask(con, QUESTION)
    assert examples(model.prompts[0]) == ["boats in Peru"]


@pytest.mark.slow
def test_a_small_context_has_fewer_examples(mcs: Make) -> None:
    class Small(Scripted):
        context = 1_024 + 300

    for kind, shown in ((Scripted, 4), (Small, 2)):
        con, _ = mcs()
        model = kind([written(CANADIANS)])
        askwhere.register(con, model=model, method="mcs", mcs=small(), leave_out="linking")
        askwhere.ask(pinned(con, [(q + " please" * (20 * (kind is Small)), sql) for q, sql in PINS]), QUESTION)
        assert 0 < len(examples(model.prompts[0])) <= shown


def test_the_first_rows_stand_beside_the_schema_as_csv(mcs: Make) -> None:
    con, model = mcs(*LINKED, written(CANADIANS))
    con.execute("UPDATE customers SET name = 'Ann, \"the\"\nfirst' WHERE id = 1")
    con.execute("UPDATE customers SET country = NULL WHERE id = 2")
    askwhere.ask(con, QUESTION)
    assert '# customers\nid,name,country\n1,"Ann, ""the"" first",Canada\n2,Bo,\n3,Cy,Norway\n' in model.prompts[-1]


def test_rows_can_be_left_out(mcs: Make) -> None:
    con, model = mcs(*LINKED, written(CANADIANS), leave_out="rows")
    askwhere.ask(con, QUESTION)
    assert "CSV" not in model.prompts[-1]


def test_a_table_whose_rows_cannot_be_read_is_shown_without(mcs: Make, database: Database) -> None:
    con, model = mcs(written(CANADIANS), leave_out="linking")
    failing = {"sqlite": "json('{')", "duckdb": "CAST(name AS INTEGER)"}[database.kind]
    con.execute(f"CREATE VIEW broken AS SELECT {failing} AS x FROM customers")
    askwhere.ask(con, QUESTION)
    assert "CREATE VIEW broken" in model.prompts[-1]
    assert "none of broken" in notes(con, "rows")[0]


def test_where_a_later_prompt_fails_what_there_is_decides(mcs: Make) -> None:
    con, _ = mcs(written(CANADIANS), prompts=3, leave_out="linking")
    assert askwhere.ask(con, QUESTION).confidence == 0.5
    assert notes(con, "generate")[-1].startswith("prompt 2 of 3, and those after it, left out: the script has 0")


def test_where_the_first_prompt_fails_the_question_does(mcs: Make) -> None:
    con, _ = mcs(leave_out="linking")
    with pytest.raises(askwhere.ModelError):
        askwhere.ask(con, QUESTION)


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        (written(ALL), ALL),
        (f"Because of this:\n{ALL};\nThat is all.", ALL),
        (json.dumps({"reasoning": "so", "sql": ALL}), ALL),
        (f"With this in mind we need names; so\n{ALL}", ALL),
        (f"First\n```sql\nSELECT 1\n```\nor rather\n```sql\n{ALL}\n```", ALL),
        (f"<think>SELECT 1 FROM t</think>{ALL}", ALL),
        (f"So:\n```sql\n{ALL}", ALL),
    ],
)
def test_the_query_is_found_behind_its_explanation(reply: str, found: str) -> None:
    assert replies.explained(reply, "sqlite") == found


def test_prose_holds_no_query() -> None:
    with pytest.raises(askwhere.ModelError):
        replies.explained("I cannot answer that.", "sqlite")


# ------------------------------------------------------------------------------------------------------------ selection


def listed(con: Any) -> list[tuple[Any, ...]]:
    rows = con.execute("SELECT chosen, confidence, sql, n_rows, origin FROM ask_candidates(?)", (QUESTION,)).fetchall()
    return [(bool(row[0]), *row[1:]) for row in rows]


@pytest.mark.slow
def test_candidates_that_agree_are_one_and_failures_have_no_share(mcs: Make) -> None:
    wrote = [written(sql) for sql in (ALL, CANADIANS, SAME, CANADIANS, WRONG, "no query")]
    con, _ = mcs(*wrote, vote(1), samples=6, leave_out="linking")
    assert askwhere.ask(con, QUESTION).confidence == 0.6
    first, second, *failed = listed(con)
    assert first[:2] == (True, 0.6)
    assert first[2] in (CANADIANS, SAME)
    assert second == (False, 0.2, ALL, 3, "mcs: prompt 1")
    assert [row[1] for row in failed] == [0, 0]
    (told,) = notes(con, "agree")
    assert told == "4 candidates gave rows, 2 failed; 2 groups with shares 0.75, 0.25"


def test_a_query_that_is_written_often_runs_once(mcs: Make) -> None:
    con, _ = mcs(*[written(ALL)] * 10, samples=5, prompts=2, leave_out="linking")
    askwhere.ask(con, QUESTION)
    assert len(notes(con, "run")) == 1


def test_one_group_needs_no_choice(mcs: Make) -> None:
    con, model = mcs(written(CANADIANS), written(SAME), samples=2, leave_out="linking")
    assert askwhere.ask(con, QUESTION).confidence == pytest.approx(2 / 3)
    assert prompts(model, "### Answer:") == []


def test_the_model_chooses_among_the_groups_the_likeliest_first(mcs: Make) -> None:
    con, model = mcs(*map(written, (ALL, CANADIANS, SAME)), vote(2), vote(1), vote(2), samples=3, votes=3,
                     leave_out="linking")  # fmt: skip
    answer = askwhere.ask(con, QUESTION)
    assert (len(answer.rows), round(answer.confidence, 4)) == (3, 0.25)
    (prompt,) = prompts(model, "### Answer:")
    assert f"\n2. {ALL}\n" in prompt
    assert prompt.index("\n1. SELECT") < prompt.index("\n2. SELECT")
    assert notes(con, "choose")[-1] == "of 3 votes 1 for 1, 2 for 2"
    assert [row[0] for row in listed(con)] == [True, False]


def test_a_tie_of_votes_goes_by_confidence(mcs: Make) -> None:
    con, _ = mcs(*map(written, (ALL, CANADIANS, SAME)), vote(2), vote(1), samples=3, votes=2, leave_out="linking")
    assert len(askwhere.ask(con, QUESTION).rows) == 2


def test_votes_that_choose_nothing_leave_the_likeliest(mcs: Make) -> None:
    con, _ = mcs(*map(written, (ALL, CANADIANS, SAME)), "I do not know", vote(9), samples=3, votes=2,
                 leave_out="linking")  # fmt: skip
    assert len(askwhere.ask(con, QUESTION).rows) == 2
    assert notes(con, "choose")[-1] == "of 2 votes none"


@pytest.mark.slow
def test_groups_under_the_threshold_are_no_choice(mcs: Make) -> None:
    wrote = [ALL, *[CANADIANS] * 5]
    con, model = mcs(*map(written, wrote), samples=6, leave_out="linking")
    assert len(askwhere.ask(con, QUESTION).rows) == 2
    assert prompts(model, "### Answer:") == []
    con, model = mcs(*map(written, wrote), vote(2), samples=6, leave_out="linking,filter")
    assert len(askwhere.ask(con, QUESTION).rows) == 3


def test_where_all_groups_are_under_the_threshold_the_best_is_kept(mcs: Make) -> None:
    con, _ = mcs(*map(written, (ALL, COUNTRIES, CANADIANS, SAME)), samples=4, threshold=0.9, leave_out="linking")
    assert len(askwhere.ask(con, QUESTION).rows) == 2


def test_the_choice_can_be_left_out(mcs: Make) -> None:
    """Majority vote (Table 7): the likeliest answers, however close the next one is."""
    con, model = mcs(*map(written, (ALL, CANADIANS)), samples=2, leave_out="linking,choice")
    assert len(askwhere.ask(con, QUESTION).rows) == 3
    assert prompts(model, "### Answer:") == []


def test_where_the_model_cannot_choose_the_likeliest_answers(mcs: Make) -> None:
    con, _ = mcs(*map(written, (ALL, CANADIANS, SAME)), samples=3, leave_out="linking")
    answer = askwhere.ask(con, QUESTION)
    assert len(answer.rows) == 2
    assert "the model did not choose: the script has 0 replies left" in str(answer.candidates[0].notes)


def test_no_query_that_runs_is_an_error(mcs: Make) -> None:
    con, _ = mcs(written(WRONG), leave_out="linking")
    with pytest.raises(askwhere.AskError, match="no usable query was found"):
        askwhere.ask(con, QUESTION)


def test_min_confidence_holds_for_what_was_chosen(mcs: Make) -> None:
    con, _ = mcs(*map(written, (ALL, CANADIANS, SAME)), vote(2), samples=3, leave_out="linking", min_confidence=0.5)
    with pytest.raises(askwhere.AskError, match=r"confidence 0.25, below the setting min_confidence"):
        askwhere.ask(con, QUESTION)


def test_what_was_chosen_stays_chosen_when_it_is_remembered(mcs: Make) -> None:
    con, model = mcs(*map(written, (ALL, CANADIANS)), vote(2), samples=2, leave_out="linking", remember="database")
    assert len(askwhere.ask(con, QUESTION).rows) == 2
    con.execute("SELECT ask_set('max_rows', 1000)").fetchall()  # another setting: it is looked up again
    assert len(askwhere.ask(con, QUESTION).rows) == 2
    assert len(model.prompts) == 2


def test_a_pin_of_what_was_chosen_says_which_model_wrote_it(mcs: Make) -> None:
    con, _ = mcs(written(CANADIANS), leave_out="linking")
    askwhere.ask(con, QUESTION)
    con.execute("SELECT ask_pin(?)", (QUESTION,)).fetchall()
    assert con.execute("SELECT sql, model FROM ask_pins()").fetchall() == [(CANADIANS, "scripted")]


def test_survivors_are_those_of_a_share_from_the_threshold_on() -> None:
    counts = [Candidate(str(count), "", count, result=Result((), (), True, 0)) for count in (10, 4, 3, 3)]
    assert [c.weight for c in survivors(counts, 0.2)] == [10, 4]
    assert [c.weight for c in survivors(counts, 0.6)] == [10]
    assert survivors([Candidate("", "", error=QueryError("x", ""))], 0.2) == []


@pytest.mark.parametrize(
    ("reply", "place"),
    [
        (vote(2), 1), ("```json\n{'answer': '1'}\n```", 0), ("2", 1), ("(2).", 1), ("Answer: 2", 1), ("#1", 0),
        ("The answer is **2**, since it filters.", 1), ('{"choice": 2, "reason": "1 shows all"}', 1), ("3", None),
        ("SELECT  b;", 1), ('{"answer": "SELECT a"}', 0), ("", None), ("1 or 2", None), ("0", None), ("both", None),
        ('{"reason": "a cut off reply, answer', None), ('{"answer": true}', None), ("answer 12", None),
    ],
)  # fmt: skip
def test_a_choice_is_read_leniently(reply: str, place: int | None) -> None:
    assert choice_named(reply, ["SELECT a", "SELECT b"]) == place


def test_the_fastest_trial_of_a_group_is_kept_and_of_equal_ones_the_first() -> None:
    seconds = {"a": 0.5, "b": 0.1, "c": 0.1}
    group = [Candidate(sql, "", result=Result(("a",), (), True, time)) for sql, time in seconds.items()]
    assert fastest(group).sql == "b"


@pytest.mark.slow
def test_a_query_that_runs_no_more_in_the_time_left_is_left_out(database: Database) -> None:
    class Slow(Scripted):
        def complete(self, *args: Any, **options: Any) -> Completions:
            done = super().complete(*args, **options)
            if not self._replies:
                time.sleep(0.3)
            return done

    model = Slow([written(ALL), written(CANADIANS)])
    con = database.shop(model=model, method="mcs", mcs=small(prompts=2), leave_out="linking", max_seconds=0.25)
    with pytest.raises(askwhere.AskError, match="max_seconds"):
        askwhere.ask(con, QUESTION)


# ---------------------------------------------------------------------------------------------------- costs and prompts


class Counting:
    """A model that replies by what it is asked, and counts."""

    name = "counting"
    remote = False

    def __init__(self) -> None:
        self.asked: list[tuple[str, int, float]] = []
        self.seeds: list[int | None] = []

    def complete(
        self, prompt: str, n: int = 1, temperature: float = 0.0, seed: int | None = None, **_: object
    ) -> Completions:
        last = prompt.split("\n")[-1]
        self.asked.append((last, n, temperature))
        self.seeds.append(seed)
        wrote = [written(sql) for sql in (ALL, CANADIANS)]
        texts = {"### Tables:": [LINKED[0]], "### Columns:": [LINKED[1]], "### Answer:": [vote(1)]}.get(last, wrote)
        return Completions(tuple(texts[i % len(texts)] for i in range(n)), 10, 10 * n)


@pytest.mark.slow
@pytest.mark.parametrize("effort", ["fast", "balanced", "thorough"])
def test_at_the_papers_settings_a_question_costs_what_the_paper_says(database: Database, effort: str) -> None:
    """60 completions link tables, 60 columns, 100 write queries, 20 choose; none is out of budget at any effort."""
    model = Counting()
    con = database.shop(model=model, method="mcs", effort=effort)
    usage = askwhere.ask(con, QUESTION).usage
    steps = ["### Tables:"] * 3 + ["### Columns:"] * 3 + ["### Explanation:"] * 5 + ["### Answer:"]
    assert model.asked == [(step, 20, 1.0) for step in steps]
    assert (usage.requests, usage.calls) == (12, 60 + 60 + 100 + 20)
    assert len(set(model.seeds)) == 12


def test_what_would_be_too_much_is_said_before_it_costs_anything(database: Database) -> None:
    model = Counting()
    con = database.shop(model=model, method="mcs", max_calls=100)
    with pytest.raises(askwhere.OutOfBudget, match=r"up to 240 completions, and max_calls is 100: .*'max_calls', 240"):
        askwhere.ask(con, QUESTION)
    assert model.asked == []
    con.execute("SELECT ask_set('leave_out', 'linking,choice')").fetchall()
    assert askwhere.ask(con, QUESTION).usage.calls == 100


@pytest.mark.slow
def test_the_same_question_gives_the_same_prompts(mcs: Make) -> None:
    seen = []
    for seed in (0, 0, 1):
        con, model = mcs(*[LINKED[0]] * 2, *[LINKED[1]] * 4, *[written(CANADIANS)] * 4, table_prompts=2,
                         column_prompts=4, prompts=4, seed=seed)  # fmt: skip
        askwhere.ask(pinned(con), QUESTION)
        seen.append(model.prompts)
    assert seen[0] == seen[1] != seen[2]


@pytest.mark.slow
@pytest.mark.parametrize("leave_out", ["", "linking"])
def test_ask_prompt_is_the_first_that_the_model_is_sent(mcs: Make, leave_out: str) -> None:
    con, model = mcs(*([] if leave_out else LINKED), *[written(CANADIANS)] * 2, prompts=2, leave_out=leave_out)
    ((shown,),) = pinned(con).execute("SELECT ask_prompt(?)", (QUESTION,)).fetchall()
    assert model.prompts == []
    askwhere.ask(con, QUESTION)
    assert model.prompts[0] == shown


def test_ask_prompt_of_dac_has_its_examples(database: Database) -> None:
    model = Scripted([])
    con = pinned(database.shop(model=model, method="dac", leave_out="entities, skeleton"))
    ((shown,),) = con.execute("SELECT ask_prompt(?)", (QUESTION,)).fetchall()
    with pytest.raises(askwhere.ModelError):
        askwhere.ask(con, QUESTION)
    assert model.prompts == [shown]
    assert "### Question: names of customers in Norway" in shown


def sequence(con: Any, model: Scripted) -> str:
    askwhere.ask(pinned(con), QUESTION)
    return "\n\n=====\n\n".join(model.prompts) + "\n"


def golden(make: Make) -> tuple[Any, Scripted]:
    wrote = [written(sql) for sql in (ALL, CANADIANS, CANADIANS)]
    return make(*[tables("customers")] * 2, *[LINKED[1]] * 2, *wrote, vote(2), vote(1), table_prompts=2,
                column_prompts=2, prompts=3, examples=2, votes=2)  # fmt: skip


@pytest.mark.slow
def test_the_sequence_of_prompts_is_the_golden_one(mcs: Make, database: Database) -> None:
    name = {"sqlite": "SQLite", "duckdb": "DuckDB"}[database.kind]
    assert sequence(*golden(mcs)).replace(name, "ENGINE").replace("VARCHAR", "TEXT") == GOLDEN.read_text("utf-8")


# -------------------------------------------------------------------------------------------------------------- privacy

SECRET = "xyzzy-plugh-4711"


@pytest.mark.slow
@pytest.mark.parametrize(("values", "shown"), [("show", True), ("matched", False), ("hide", False)])
def test_a_cell_leaves_only_where_values_are_shown(mcs: Make, values: str, shown: bool) -> None:
    con, model = mcs(
        tables("notes"), columns("notes.note"), *map(written, ("SELECT note FROM notes", "SELECT id FROM notes")),
        vote(1), samples=2, values=values,
    )  # fmt: skip
    con.execute("CREATE TABLE notes (id INTEGER, note TEXT, n INTEGER)")
    con.execute(f"INSERT INTO notes VALUES (1, '{SECRET}', 471147)")
    pinned(con, [("that note", f"SELECT id FROM notes WHERE note = '{SECRET}'"), *PINS])
    askwhere.ask(con, "notes please")
    assert len(model.prompts) == 4
    assert any(SECRET in prompt for prompt in model.prompts) == shown
    if not shown:
        assert not any("471147" in prompt or "Norway" in prompt for prompt in model.prompts)


@pytest.mark.slow
def test_values_that_the_question_holds_are_shown_to_a_server(mcs: Make) -> None:
    con, model = mcs(*LINKED, written(CANADIANS), remote=True)
    askwhere.ask(con, QUESTION)
    assert all("customers.country: 'Canada'" in prompt for prompt in model.prompts)
    assert all("Norway" not in prompt and "Ann" not in prompt for prompt in model.prompts)


@pytest.mark.slow
@pytest.mark.parametrize("values", ["show", "matched", "hide"])
def test_a_hidden_column_is_in_no_prompt(mcs: Make, values: str) -> None:
    con, model = mcs(
        tables("notes"), columns("notes.token", "notes.id"), *map(written, ("SELECT id FROM notes", "SELECT 7 AS x")),
        vote(1), samples=2, values=values, hide_columns="notes.token?",
    )  # fmt: skip
    con.execute("CREATE TABLE notes (id INTEGER, token TEXT)")
    con.execute(f"INSERT INTO notes VALUES (1, '{SECRET}')")
    assert askwhere.ask(con, "notes please").rows == ((1,),)
    assert all(SECRET not in prompt and "token" not in prompt for prompt in model.prompts)


# ------------------------------------------------------------------------------------------------------------- settings


def test_parameters_are_given_by_name() -> None:
    found = settings.parse("mcs", " prompts = 2,threshold=0.5 ")
    assert found == Mcs(prompts=2, threshold=0.5)
    assert settings.parse("mcs", settings.as_text(found)) == found
    assert settings.parse("mcs", "") == Mcs()
    assert Mcs().calls() == 240


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("prompt=2", "expected name=number, each once, with names of table_prompts, column_prompts"),
        ("prompts=2, prompts=3", "expected name=number, each once"),
        ("prompts", "prompts: expected a number from 1"),
        ("prompts=0", "prompts: expected a number from 1"),
        ("threshold=2", "threshold: expected a number from 0 to 1"),
        ("samples=1.5", "samples: expected a number from 1"),
    ],
)
def test_wrong_parameters_say_what_was_expected(value: str, message: str) -> None:
    with pytest.raises(SettingError, match=f"setting mcs: {message}"):
        settings.parse("mcs", value)


def test_what_no_method_has_cannot_be_left_out() -> None:
    with pytest.raises(SettingError, match=r"setting leave_out: expected of .*dac entities.*; of mcs linking, rows"):
        settings.parse("leave_out", "linkin")
    assert settings.parse("leave_out", "Linking, choice") == ("linking", "choice")


def test_a_question_of_mcs_may_cost_what_it_may_at_thorough() -> None:
    found = settings.load({"method": "mcs"}, {}, Path("/nowhere"))
    assert [found[name] for name in ("max_calls", "max_tokens", "max_seconds")] == [300, 300_000, 900]
    assert found.with_value("register", "max_calls", 5)["max_calls"] == 5


if __name__ == "__main__":  # write the golden file again
    import tempfile

    shop = Database("sqlite", Path(tempfile.mkdtemp()))

    def in_sqlite(*replies: str, **parameters: float) -> tuple[Any, Scripted]:
        model = Scripted(replies)
        return shop.shop(model=model, method="mcs", mcs=small(**parameters)), model

    GOLDEN.write_text(sequence(*golden(in_sqlite)).replace("SQLite", "ENGINE"), "utf-8")
